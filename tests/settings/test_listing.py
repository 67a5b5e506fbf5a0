"""Settings with what is in effect and what is saved, and how a change of one is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.errors import SettingsError
from kbtui.settings import paths
from kbtui.settings.listing import ListedSetting, display_text, editable_text, list_settings, parse_edited, reset, save
from kbtui.settings.load import load_settings
from kbtui.settings.model import McpServer
from kbtui.settings.reference import Setting, all_settings

KNOWN = all_settings()


def config(text: str) -> Path:
    path = paths.config_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def listed(key: str, kb: Path | None = None, **flags: object) -> ListedSetting:
    found = list_settings(load_settings(kb, {name.replace("__", "."): value for name, value in flags.items()}))
    return next(one for one in found if one.setting.key == key)


def test_every_setting_is_listed_with_its_default() -> None:
    found = list_settings(load_settings(None))
    assert [one.setting.key for one in found] == list(KNOWN)
    assert all(one.value == one.own == one.setting.default and not one.is_saved for one in found)


def test_what_is_saved_and_what_is_in_effect_are_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config('[retrieval]\ntop_k = 7\nrrf_k = 40\n[model]\nname = "openai:a"\n[ui]\ntheme = "nord"\n')
    paths.folder_file(tmp_path).write_text("[retrieval]\ntop_k = 20\n")
    monkeypatch.setenv("KBTUI_RETRIEVAL__RRF_K", "50")
    kinds = {}
    for key in ("retrieval.top_k", "retrieval.rrf_k", "model.name", "ui.theme"):
        one = listed(key, tmp_path, model__name="ollama:b")
        kinds[key] = (one.origin.kind, one.value, one.own, one.is_overridden, one.is_saved)
    assert kinds == {
        "retrieval.top_k": ("folder", 20, 7, True, True),
        "retrieval.rrf_k": ("environment", 50, 40, True, True),
        "model.name": ("flag", "ollama:b", "openai:a", True, True),
        "ui.theme": ("user", "nord", "nord", False, True),
    }


@pytest.mark.parametrize("setting", KNOWN.values(), ids=lambda setting: setting.key)
def test_what_is_written_for_editing_is_read_back_as_it_was(setting: Setting) -> None:
    value = setting.default
    assert parse_edited(setting, editable_text(setting, value), value) == value


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("retrieval.top_k", " 12 ", 12),
        ("ui.notify_after_s", "2.5", 2.5),
        ("index.exclude", "build/\n\n  *.log\n", ("build/", "*.log")),
        ("keys", 'copy = C, f6\n"fold" = "F8"', {"copy": "C, f6", "fold": "F8"}),
        ("model.name", "  Offline ", "offline"),
        ("model.name", "mistralai:large", "mistralai:large"),
        ("model.api_key_env", "MY_KEY", "MY_KEY"),
    ],
)
def test_a_value_is_read_as_the_settings_hold_it(key: str, text: str, value: object) -> None:
    assert parse_edited(KNOWN[key], text, KNOWN[key].default) == value


@pytest.mark.parametrize(
    ("key", "text", "message", "hint"),
    [
        ("retrieval.top_k", "0", "retrieval.top_k = '0' is not allowed", "a whole number from 1 to 200"),
        ("retrieval.top_k", "many", "is not allowed (from what was typed)", "the default is 10"),
        ("retrieval.top_k", "", "is not allowed", "a whole number"),
        ("ui.notify_after_s", "nan", "is not allowed", "a number from 0 to 86400"),
        ("keys", "copy", "'copy' names no value", "NAME = VALUE"),
        ("model.name", "opnai:gpt-5", "no provider 'opnai'", "Did you mean openai?"),
        ("model.api_key_env", "sk-abcdef0123456789", "must be the name of an environment variable", "never the key"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_hint(key: str, text: str, message: str, hint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_edited(KNOWN[key], text, KNOWN[key].default)
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_a_refused_value_has_the_message_of_a_settings_file_that_says_it() -> None:
    config("[retrieval]\ntop_k = 0\n")
    with pytest.raises(SettingsError) as loading:
        load_settings(None)
    with pytest.raises(SettingsError) as typing:
        save(KNOWN["retrieval.top_k"], 0)
    assert typing.value.hint == loading.value.hint
    assert typing.value.message.partition(" (from ")[0] == loading.value.message.partition(" (from ")[0]


def test_a_password_is_not_shown_and_survives_an_edit() -> None:
    setting = KNOWN["data_sources"]
    before = ("shop=postgresql://ann:hunter2hunter2@db/shop", "a.db")
    assert "hunter2" not in display_text(setting, before)
    text = editable_text(setting, before)
    assert "hunter2" not in text
    assert parse_edited(setting, text.replace("a.db", "b.db"), before) == (before[0], "b.db")


def test_a_password_in_a_table_of_settings_is_hidden_and_kept() -> None:
    setting = KNOWN["mcp.servers"]
    before = {"files": McpServer(url="http://ann:hunter2hunter2@host/mcp")}
    text = editable_text(setting, before)
    assert "hunter2hunter2" not in text + display_text(setting, before)
    more = 'new = { command = ["a"] }'
    assert parse_edited(setting, f"{text}\n{more}", before) == {**before, "new": McpServer(command=("a",))}
    for wrong in (text.replace("host", "other"), "files = {", 'files = { command = ["a"], url = "http://x" }'):
        with pytest.raises(SettingsError):
            parse_edited(setting, wrong, before)


def test_half_a_hidden_password_is_not_saved() -> None:
    setting = KNOWN["model.base_url"]
    before = "http://ann:hunter2hunter2@host/v1"
    text = editable_text(setting, before)
    assert parse_edited(setting, text, before) == before
    with pytest.raises(SettingsError) as caught:
        parse_edited(setting, text.replace("host", "other"), before)
    assert "secret" in caught.value.message


def test_saving_changes_the_line_and_resetting_takes_it_out() -> None:
    path = config("# mine\n[retrieval]\ntop_k = 7  # enough\n")
    assert save(KNOWN["retrieval.top_k"], 9) == path
    assert path.read_text() == "# mine\n[retrieval]\ntop_k = 9  # enough\n"
    reset(KNOWN["retrieval.top_k"])
    assert path.read_text() == "# mine\n[retrieval]\n"


def test_a_default_that_is_saved_keeps_its_line_and_the_comment() -> None:
    path = config("[retrieval]\ntop_k = 7  # enough\n")
    save(KNOWN["retrieval.top_k"], 10)
    assert path.read_text() == "[retrieval]\ntop_k = 10  # enough\n"
    assert listed("retrieval.top_k").is_saved


@pytest.mark.parametrize("setting", KNOWN.values(), ids=lambda setting: setting.key)
def test_a_saved_value_is_what_is_loaded(setting: Setting) -> None:
    kind, default = setting.kind, setting.default
    other = {
        "choice": lambda: next(one for one in setting.choices if one != default),
        "number": lambda: default / 2 if isinstance(default, float) else default + 1,
        "text": lambda: f"{default}x",
        "texts": lambda: ("a", "b"),
        "table": lambda: {"copy": "C"},
        "tables": lambda: {"files": McpServer(command=("a", "b c"), send="any")},
    }[kind]()
    if isinstance(default, float) and not default:
        other = 0.5
    save(setting, other)
    one = listed(setting.key)
    assert (one.value, one.is_saved) == (other, True)
    reset(setting)
    assert listed(setting.key).value == default
