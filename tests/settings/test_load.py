"""Settings from every place they may stand in, which of them wins, and what is said when one is wrong."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import ValidationError
from msgspec.structs import replace

from kbtui.errors import SettingsError
from kbtui.settings import paths
from kbtui.settings.load import load_settings, value_of
from kbtui.settings.model import ModelSettings, Settings
from kbtui.settings.reference import FOLDER_ALLOWED, FOLDER_MAY_LOWER, all_settings


@pytest.fixture
def user() -> Callable[[str], Path]:
    """Writes the user's settings file."""

    def write(text: str) -> Path:
        file = paths.config_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    return tmp_path


def folder(kb: Path, text: str) -> Path:
    file = paths.folder_file(kb)
    file.write_text(text, encoding="utf-8")
    return file


def test_without_any_file_every_value_is_its_default(kb: Path) -> None:
    loaded = load_settings(kb, environ={})
    assert loaded.settings.agent.max_iterations == 3
    assert set(loaded.origins) == set(all_settings())
    assert {origin.kind for origin in loaded.origins.values()} == {"default"}


def test_each_place_overrides_the_one_below_it(user: Callable[[str], Path], kb: Path) -> None:
    key, variable = "retrieval.top_k", {"KBTUI_RETRIEVAL__TOP_K": "6"}
    mine = user("[retrieval]\ntop_k = 4\n")
    assert load_settings(None, environ={}).settings.retrieval.top_k == 4
    theirs = folder(kb, "[retrieval]\ntop_k = 5\n")
    assert load_settings(kb, environ={}).settings.retrieval.top_k == 5
    assert load_settings(kb, environ=variable).settings.retrieval.top_k == 6
    assert load_settings(kb, {key: 7}, variable).settings.retrieval.top_k == 7
    where = [
        load_settings(None, environ={}).origins[key],
        load_settings(kb, environ={}).origins[key],
        load_settings(kb, environ=variable).origins[key],
        load_settings(kb, {key: 7}, variable).origins[key],
    ]
    assert [origin.kind for origin in where] == ["user", "folder", "environment", "flag"]
    assert [origin.where for origin in where[:3]] == [str(mine), str(theirs), "KBTUI_RETRIEVAL__TOP_K"]


def test_a_flag_that_was_not_given_changes_nothing(user: Callable[[str], Path]) -> None:
    user('[model]\nname = "x:y"\n')
    assert load_settings(None, {"model.name": None}, {}).settings.model.name == "x:y"


def test_an_unknown_key_names_file_line_and_the_nearest_key(user: Callable[[str], Path]) -> None:
    file = user("# mine\n[agent]\n\nmax_iteration = 4\n")
    with pytest.raises(SettingsError) as caught:
        load_settings(None, environ={})
    assert f"{file}, line 4" in caught.value.message
    assert "agent.max_iterations" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "line", "near"),
    [
        ("max_iterations = 4\n", 1, "agent.max_iterations"),
        ("\n[agnt]\nmax_iterations = 4\n", 3, "agent.max_iterations"),
        ("agent.max_iteration = 4\n", 1, "agent.max_iterations"),
        ("[ui]\n'them' = 'x'\n", 2, "ui.theme"),
        ("[retreival]\n", 1, "retrieval."),
    ],
)
def test_a_key_in_the_wrong_place_is_found_too(user: Callable[[str], Path], text: str, line: int, near: str) -> None:
    user(text)
    with pytest.raises(SettingsError) as caught:
        load_settings(None, environ={})
    assert f", line {line}:" in caught.value.message
    assert near in caught.value.hint


def test_a_section_given_as_a_value_is_explained(user: Callable[[str], Path]) -> None:
    user("agent = 3\n")
    with pytest.raises(SettingsError, match="table of settings"):
        load_settings(None, environ={})


@pytest.mark.parametrize("value", ["0", "11", '"many"', "[1]", "true.5"])
def test_a_value_that_is_not_allowed_names_key_value_limits_and_origin(user: Callable[[str], Path], value: str) -> None:
    file = user(f"[agent]\nmax_iterations = {value}\n")
    with pytest.raises(SettingsError) as caught:
        load_settings(None, environ={})
    assert str(file) in caught.value.message
    if value != "true.5":
        assert "agent.max_iterations" in caught.value.message
        assert "from 1 to 10" in caught.value.hint


def test_a_bad_value_from_a_variable_names_the_variable() -> None:
    with pytest.raises(SettingsError, match="KB_AGENT_MAX_ITERATIONS"):
        load_settings(None, environ={"KB_AGENT_MAX_ITERATIONS": "two"})


def test_a_bad_item_of_a_list_names_the_list(user: Callable[[str], Path]) -> None:
    user("data_sources = [1]\n")
    with pytest.raises(SettingsError, match="data_sources"):
        load_settings(None, environ={})


def test_broken_toml_names_file_and_line(user: Callable[[str], Path]) -> None:
    file = user("[ui]\ntheme = dark\n")
    with pytest.raises(SettingsError) as caught:
        load_settings(None, environ={})
    assert str(file) in caught.value.message
    assert "line 2" in caught.value.message
    assert "theme = dark" in caught.value.hint


def test_a_settings_file_that_is_no_text_is_refused(user: Callable[[str], Path]) -> None:
    file = user("")
    file.write_bytes(b"\xff\xfe\x00a")
    with pytest.raises(SettingsError, match="UTF-8"):
        load_settings(None, environ={})


def test_a_byte_order_mark_is_no_error(user: Callable[[str], Path]) -> None:
    user("").write_bytes(b"\xef\xbb\xbf[agent]\nmax_iterations = 2\n")
    assert load_settings(None, environ={}).settings.agent.max_iterations == 2


def test_a_folder_or_a_pipe_in_place_of_the_file_is_refused_at_once(kb: Path) -> None:
    os.mkfifo(paths.folder_file(kb))
    with pytest.raises(SettingsError, match="not a file"):
        load_settings(kb, environ={})


@pytest.mark.parametrize("target", [".kbtui.toml", "gone.toml"], ids=["to itself", "to nothing"])
def test_a_link_that_leads_nowhere_is_not_taken_for_no_file(kb: Path, target: str) -> None:
    paths.folder_file(kb).symlink_to(target)
    with pytest.raises(SettingsError, match="not a file"):
        load_settings(kb, environ={})


@pytest.mark.parametrize(
    "text",
    [
        '[editor]\ncommand = "rm -rf ~"\n',
        "[web]\nfetch_enabled = true\n",
        "[web]\nallow_private = true\n",
        '[model]\nname = "openai:x"\n',
        '[embedding]\nmodel = "/tmp/evil"\n',
        "[sessions]\nrecord = false\n",
        "[embedding]\nthreads = 64\n",
        'data_sources = ["postgresql://evil/db"]\n',
        "agent.debug = true\n",
    ],
)
def test_a_foreign_folder_cannot_set_what_is_dangerous(kb: Path, text: str) -> None:
    file = folder(kb, text + ("agent." if text.startswith("agent.") else "[agent]\n") + "max_iterations = 2\n")
    loaded = load_settings(kb, environ={})
    assert len(loaded.warnings) == 1
    assert str(file) in loaded.warnings[0]
    assert loaded.settings.agent.max_iterations == 2, "what is allowed still counts"
    assert replace(loaded.settings, agent=load_settings(None, environ={}).settings.agent) == (
        load_settings(None, environ={}).settings
    )


def test_what_a_folder_may_set_names_settings_that_exist() -> None:
    known = all_settings()
    for pattern in FOLDER_ALLOWED:
        assert any(key == pattern or key.startswith(pattern.removesuffix("*")) for key in known), pattern
    assert not any(setting.in_folder for key, setting in known.items() if key.startswith(("editor.", "web.", "model.")))


def test_variables_are_read_in_any_case_and_decoded() -> None:
    loaded = load_settings(
        None,
        environ={
            "kbtui_index__hidden": "true",
            "KBTUI_Retrieval__Vector_Weight": "0.25",
            "KBTUI_INDEX__EXCLUDE": '["a/", "*.log"]',
            "KBTUI_DATA_SOURCES": "sales.db",
        },
    )
    settings = loaded.settings
    assert settings.index.hidden is True
    assert settings.retrieval.vector_weight == 0.25
    assert settings.index.exclude == ("a/", "*.log")
    assert settings.data_sources == ("sales.db",)
    assert loaded.origins["index.hidden"].where == "kbtui_index__hidden"


def test_every_setting_can_be_set_by_its_variable() -> None:
    for key, setting in all_settings().items():
        text = "x" if isinstance(setting.default, str) else "1"
        if setting.allowed.startswith("one of"):
            text = setting.allowed.split("`")[-2]
        elif isinstance(setting.default, dict):
            text = '{"a": {"command": ["b"]}}' if setting.kind == "tables" else '{"a": "b"}'
        elif key == "index.chunk_chars":
            text = "300"
        loaded = load_settings(None, environ={setting.variable: text})
        assert loaded.origins[key].where == setting.variable


def test_the_two_variables_of_the_specification_count_as_they_are() -> None:
    loaded = load_settings(None, environ={"KB_AGENT_MAX_ITERATIONS": "2", "KB_AGENT_USE_ADAPTIVE_RAG": "false"})
    assert loaded.settings.agent.max_iterations == 2
    assert loaded.settings.agent.use_adaptive_rag is False


def test_an_empty_variable_counts_as_not_set() -> None:
    loaded = load_settings(None, environ={"KBTUI_UI__THEME": "", "KB_AGENT_MAX_ITERATIONS": ""})
    assert loaded.origins["ui.theme"].kind == "default"
    assert loaded.settings.agent.max_iterations == 3


def test_an_unknown_variable_is_a_warning_that_names_itself_and_the_nearest() -> None:
    loaded = load_settings(None, environ={"KBTUI_AGENT__MAX_ITERATION": "3", "KBTUI_UI__THEME": "x", "KBTUI_EMPTY": ""})
    (warning,) = loaded.warnings
    assert "KBTUI_AGENT__MAX_ITERATION " in warning
    assert "Did you mean KBTUI_AGENT__MAX_ITERATIONS?" in warning
    assert loaded.settings.ui.theme == "x", "what is known still counts"


def test_what_a_folder_may_lower_is_a_number_it_may_set() -> None:
    known = all_settings()
    for key in FOLDER_MAY_LOWER:
        assert known[key].in_folder
        assert isinstance(known[key].default, (int, float))


def test_a_folder_may_lower_a_limit_and_not_raise_it(user: Callable[[str], Path], kb: Path) -> None:
    mine = user("[agent]\ntimeout_s = 60\n")
    file = folder(kb, "[agent]\ntimeout_s = 90\nmax_iterations = 2\n[index]\nmax_file_mb = 5.5\n")
    loaded = load_settings(kb, environ={})
    assert (loaded.settings.agent.timeout_s, loaded.origins["agent.timeout_s"].kind) == (60, "user")
    assert (loaded.settings.agent.max_iterations, loaded.origins["agent.max_iterations"].kind) == (2, "folder")
    assert (loaded.settings.index.max_file_mb, loaded.origins["index.max_file_mb"].kind) == (5, "default")
    assert loaded.warnings[0].startswith(f"{file} sets agent.timeout_s = 90, which is more than your 60.0;")
    assert str(mine) in loaded.warnings[0]
    assert "index.max_file_mb" in loaded.warnings[1]
    assert len(loaded.warnings) == 2
    loaded = load_settings(kb, environ={"KBTUI_AGENT__TIMEOUT_S": "90"})
    assert loaded.settings.agent.timeout_s == 90, "the user may"


def test_variables_that_are_no_settings_are_left_alone() -> None:
    environ = {"KBTUI_EDITOR": "vim", "KBTUI_LOG": "debug", "_KBTUI_COMPLETE": "bash_source"}
    assert {o.kind for o in load_settings(None, environ=environ).origins.values()} == {"default"}


@pytest.mark.parametrize("written", ["Offline", " OFFLINE ", ""])
def test_offline_is_offline_however_it_is_written(kb: Path, written: str) -> None:
    loaded = load_settings(kb, environ={"KBTUI_MODEL__NAME": written or " "})
    assert loaded.settings.model.name == "offline"


@pytest.mark.parametrize(
    ("variables", "key", "value"),
    [
        ({"KBTUI_AGENT__DEBUG": "yes"}, "agent.debug", True),
        ({"KBTUI_AGENT__DEBUG": "0"}, "agent.debug", False),
        ({"KB_AGENT_USE_ADAPTIVE_RAG": "Off"}, "agent.use_adaptive_rag", False),
        ({"KBTUI_RETRIEVAL__TOP_K": " +12 "}, "retrieval.top_k", 12),
        ({"KBTUI_MODEL__TIMEOUT_S": "5"}, "model.timeout_s", 5.0),
        ({"KBTUI_INDEX__EXCLUDE": '["*.log", "tmp/"]'}, "index.exclude", ("*.log", "tmp/")),
        ({"KBTUI_INDEX__EXCLUDE": "*.log"}, "index.exclude", ("*.log",)),
        ({"KBTUI_KEYS": '{"ask": "ctrl+g"}'}, "keys", {"ask": "ctrl+g"}),
    ],
)
def test_variables_are_text_that_is_read_as_the_kind_of_the_setting(
    variables: dict[str, str], key: str, value: object
) -> None:
    assert value_of(load_settings(None, environ=variables).settings, key) == value


def test_a_section_may_be_given_as_a_dictionary() -> None:
    given = {"name": " OFFLINE ", "timeout_s": 5}
    assert Settings(model=given).model == ModelSettings(timeout_s=5.0)  # type: ignore[arg-type]
    with pytest.raises(ValidationError):
        Settings(model={"timeout_s": -1})  # type: ignore[arg-type]
