"""``kbtui config key``: keys go to the system's keyring and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import keyring
import pytest

from kbtui.cli.config import key_set
from kbtui.errors import UsageError
from kbtui.settings import paths
from tests.cli.conftest import Invoke
from tests.support.keyrings import Drawer

KEY = "sk-pl4nted-0123456789abcdef"


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    before, mine = keyring.get_keyring(), Drawer()
    keyring.set_keyring(mine)
    yield mine
    keyring.set_keyring(before)


def test_a_key_from_standard_input_is_stored_and_shown_nowhere(invoke: Invoke, drawer: Drawer) -> None:
    done = invoke("config", "key", "set", "OpenAI", input=f"{KEY}\n")
    assert done.exit_code == 0
    assert drawer.entries == {("kbtui", "openai"): KEY}
    assert KEY not in done.output
    assert not paths.config_file().exists()


def test_an_alias_is_stored_under_the_providers_own_name(invoke: Invoke, drawer: Drawer) -> None:
    invoke("config", "key", "set", "gemini", input=KEY)
    assert set(drawer.entries) == {("kbtui", "google_genai")}


def test_forgetting_says_what_was_done(invoke: Invoke, drawer: Drawer) -> None:
    invoke("config", "key", "set", "openai", input=KEY)
    assert "deleted" in invoke("config", "key", "forget", "openai").output
    assert not drawer.entries
    assert "no key" in invoke("config", "key", "forget", "openai").output


def test_an_empty_key_is_refused(invoke: Invoke, drawer: Drawer) -> None:
    assert invoke("config", "key", "set", "openai", input="\n").exit_code != 0
    assert not drawer.entries


@pytest.mark.parametrize("provider", [KEY, "../x", "opnai", "", "x" * 60])
def test_what_is_no_provider_is_refused_and_a_key_in_its_place_is_not_repeated(provider: str, drawer: Drawer) -> None:
    assert key_set.callback is not None
    with pytest.raises(UsageError) as raised:
        key_set.callback(provider=provider)
    assert "pl4nted" not in str(raised.value)
    assert not drawer.entries


def test_there_is_no_way_to_give_a_key_as_an_argument(invoke: Invoke, drawer: Drawer) -> None:
    assert invoke("config", "key", "set", "openai", KEY).exit_code == 2
    assert not drawer.entries
