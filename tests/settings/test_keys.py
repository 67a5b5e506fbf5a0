"""Keys come from the environment or the keyring, and are shown nowhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import keyring
import pytest

from kbtui.errors import SettingsError, StorageError
from kbtui.settings.keys import api_key, forget_key, missing_key_hint, store_key
from kbtui.settings.model import ModelSettings
from kbtui.settings.secrets import redact
from tests.support.keyrings import Drawer, Locked

KEY = "sk-planted-key-000111222"


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    before, mine = keyring.get_keyring(), Drawer()
    keyring.set_keyring(mine)
    yield mine
    keyring.set_keyring(before)


@pytest.fixture
def locked() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(Locked())
    yield
    keyring.set_keyring(before)


def value(provider: str, settings: ModelSettings, environ: dict[str, str]) -> tuple[str, str] | None:
    found = api_key(provider, settings, environ)
    return (found.value.get_secret_value(), found.origin) if found else None


def test_the_named_variable_comes_first_then_the_providers_own_then_the_keyring(drawer: Drawer) -> None:
    store_key("openai", "from-keyring")
    settings = ModelSettings(name="openai:x", api_key_env="MINE")
    environ = {"MINE": "from-mine", "OPENAI_API_KEY": "from-own"}
    assert value("openai", settings, environ) == ("from-mine", "environment variable MINE")
    del environ["MINE"]
    assert value("openai", settings, environ) == ("from-own", "environment variable OPENAI_API_KEY")
    environ["OPENAI_API_KEY"] = "  "
    assert value("openai", settings, environ) == ("from-keyring", "keyring entry kbtui/openai")


def test_the_named_variable_is_for_the_provider_of_the_model_alone(drawer: Drawer) -> None:
    settings = ModelSettings(name="openai:x", small="anthropic:y", api_key_env="MINE")
    environ = {"MINE": "key-for-openai", "ANTHROPIC_API_KEY": "key-for-anthropic"}
    assert value("anthropic", settings, environ) == ("key-for-anthropic", "environment variable ANTHROPIC_API_KEY")


def test_a_provider_that_is_not_listed_has_the_usual_variable(drawer: Drawer) -> None:
    assert value("newcomer", ModelSettings(), {"NEWCOMER_API_KEY": "abc"}) is not None


def test_a_key_shows_itself_as_stars_and_is_masked_from_then_on(drawer: Drawer) -> None:
    drawer.entries["kbtui", "openai"] = "stored-t0day-and-nowhere-else"
    found = api_key("openai", ModelSettings(), {})
    assert "stored-t0day" not in f"{found!r} {found}"
    assert "stored-t0day" not in redact("the server said stored-t0day-and-nowhere-else")


def test_a_locked_keyring_is_as_good_as_none_and_the_hint_says_so(locked: None) -> None:
    assert api_key("openai", ModelSettings(), {}) is None
    hint = missing_key_hint("openai", ModelSettings())
    assert "OPENAI_API_KEY" in hint
    # What cannot work is not offered.
    assert "key set" not in hint
    assert "KeyringLocked" in hint


def test_without_the_package_the_hint_says_which_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    assert api_key("openai", ModelSettings(), {}) is None
    assert "kbtui[keyring]" in missing_key_hint("openai", ModelSettings())
    with pytest.raises(SettingsError) as raised:
        store_key("openai", KEY)
    assert "kbtui[keyring]" in raised.value.hint


def test_a_key_in_place_of_the_variables_name_is_refused_without_being_shown(drawer: Drawer) -> None:
    with pytest.raises(SettingsError) as raised:
        api_key("openai", ModelSettings(name="openai:x", api_key_env=KEY), {})
    assert "planted" not in str(raised.value)


@pytest.mark.parametrize("bad", ["", "   ", "two words", "two\nlines", "bell\x07", "x" * 5000])
def test_what_cannot_be_a_key_is_not_stored(bad: str, drawer: Drawer) -> None:
    with pytest.raises(SettingsError):
        store_key("openai", bad)
    assert not drawer.entries


def test_a_keyring_that_refuses_is_said_without_its_own_words(locked: None) -> None:
    with pytest.raises(StorageError) as raised:
        store_key("openai", KEY)
    assert KEY not in str(raised.value)


def test_forgetting_says_whether_there_was_one(drawer: Drawer) -> None:
    store_key("openai", KEY)
    assert forget_key("openai") is True
    assert forget_key("openai") is False
    assert api_key("openai", ModelSettings(), {}) is None
