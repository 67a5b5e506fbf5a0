"""Settings of a folder that came from someone else, and of an environment that was made for something else."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import ValidationError
from msgspec.structs import fields

from kbtui.cli.open import open_screen
from kbtui.errors import SettingsError, UsageError
from kbtui.settings import paths
from kbtui.settings.load import load_settings
from kbtui.settings.model import MAX_LIST_ITEMS, MAX_TEXT_CHARS, Settings, settings_of
from kbtui.settings.reference import FOLDER_MAY_LOWER, MAX_FILE_BYTES, all_settings
from kbtui.settings.write import set_user_value
from tests.cli.conftest import Invoke

NUMBERS = [key for key, setting in all_settings().items() if setting.kind == "number"]


def limits_of(key: str) -> dict[str, float]:
    """The bounds that the model declares for a number."""
    section, _, name = key.rpartition(".")
    (table,) = (field.type for field in fields(Settings) if field.name == section)
    (field,) = (field for field in fields(table) if field.name == name)
    return {
        name: getattr(note, name)
        for note in get_args(field.type)[1:]
        for name in ("ge", "gt", "le", "lt")
        if getattr(note, name) is not None
    }


def nested(key: str, value: Any) -> dict[str, Any]:
    section, _, name = key.rpartition(".")
    return {section: {name: value}} if section else {name: value}


def test_the_walk_over_the_model_finds_the_numbers() -> None:
    assert {"index.max_file_mb", "agent.timeout_s", "model.max_run_tokens", "retrieval.rrf_k"} <= set(NUMBERS)


@pytest.mark.parametrize("key", NUMBERS)
def test_every_number_has_finite_bounds_and_is_finite_itself(key: str) -> None:
    limits = limits_of(key)
    lower, upper = limits.get("ge", limits.get("gt")), limits.get("le", limits.get("lt"))
    assert lower is not None
    assert upper is not None
    assert math.isfinite(lower)
    assert 0 <= lower < upper <= 1e9
    for value in (math.inf, -math.inf, math.nan, "inf", "nan", "1e308", 1e308, 10**400, upper * 2 + 1, -1, 1e-400 - 1):
        with pytest.raises(ValidationError):
            settings_of(nested(key, value))
    settings_of(nested(key, upper))


def test_every_text_and_list_has_a_greatest_length() -> None:
    for key, setting in all_settings().items():
        if setting.kind == "text":
            with pytest.raises(ValidationError):
                settings_of(nested(key, "x" * (MAX_TEXT_CHARS + 1)))
        elif key in ("index.exclude", "data_sources"):
            with pytest.raises(ValidationError):
                settings_of(nested(key, ["x"] * (MAX_LIST_ITEMS + 1)))
            with pytest.raises(ValidationError):
                settings_of(nested(key, ["x" * (MAX_TEXT_CHARS + 1)]))


TOML_VALUES = st.one_of(
    st.integers().map(str),
    st.floats().map(lambda number: repr(number)),
    st.floats().map(lambda number: f'"{number!r}"'),
    st.sampled_from(["true", "false", "inf", "+inf", "nan", "-0.0", '" 9e9 "', '"1_000"', "0x" + "f" * 5_000, "[9]"]),
)


@given(key=st.sampled_from(FOLDER_MAY_LOWER), value=TOML_VALUES)
@settings(max_examples=300, deadline=None)
def test_whatever_a_folder_sets_no_limit_is_above_the_users(
    key: str, value: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp() / "limits"
    folder.mkdir(exist_ok=True)
    section, _, name = key.partition(".")
    paths.folder_file(folder).write_text(f"[{section}]\n{name} = {value}\n")
    try:
        loaded = load_settings(folder, environ={})
    except SettingsError:
        return
    found = getattr(getattr(loaded.settings, section), name)
    assert 0 < found <= getattr(getattr(Settings(), section), name)


@pytest.mark.parametrize(
    "text",
    [
        "index.max_file_mb = " + "9" * 5_000,  # more digits than Python makes a number of
        "retrieval.top_k = 0x" + "f" * 5_000,  # a number that has no text
        "retrieval.top_k = nan",
        "a = " + "[" * 5_000,
        "a = " + "{a=" * 5_000,
        ".".join(["a"] * 30_000) + " = 1",
        "[" + ".".join(["a"] * 30_000) + "]",
        "x = {" + ".".join(["a"] * 30_000) + " = 1}",
        '"=".' + ".".join(["a"] * 30_000) + " = 1",
        'unknown = """\n' + " " * 60_000 + '\n"""',
        'unknown = """\n[' + " " * 60_000 + '\n"""',
        "a" * 60_000 + " = 1",
        "[index]\nexclude = [" + "'x'," * 2_000 + "]",
        "\x00",
        "x" * (MAX_FILE_BYTES + 1),
    ],
    ids=lambda text: text[:24],
)
def test_a_hostile_settings_file_is_refused_in_words(tmp_path: Path, text: str) -> None:
    paths.folder_file(tmp_path).write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings(tmp_path, environ={})
    assert str(paths.folder_file(tmp_path)) in caught.value.message
    assert caught.value.hint
    # Unknown names are shown as they are written; nothing else of the file is.
    assert len(caught.value.message) < 500 or text.startswith("a" * 100)


def test_infinity_from_a_folder_is_the_users_limit_with_a_warning(tmp_path: Path) -> None:
    paths.folder_file(tmp_path).write_text(
        "[index]\nmax_file_mb = inf\n[agent]\ntimeout_s = 1e308\nmax_iterations = 10\n"
    )
    loaded = load_settings(tmp_path, environ={})
    assert (loaded.settings.index.max_file_mb, loaded.settings.agent.timeout_s) == (5.0, 120.0)
    assert [warning.split(" sets ")[1].split(" ")[0] for warning in loaded.warnings] == [
        "index.max_file_mb",
        "agent.timeout_s",
        "agent.max_iterations",
    ]


@pytest.mark.parametrize("kind", ["pipe", "folder", "device", "link to a pipe", "link to nothing"])
def test_what_is_no_regular_file_is_refused_without_being_waited_for(tmp_path: Path, kind: str) -> None:
    file = paths.folder_file(tmp_path)
    if kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    elif kind == "device":
        file.symlink_to("/dev/zero")
    else:
        target = tmp_path / "target"
        file.symlink_to(target)
        if kind == "link to a pipe":
            os.mkfifo(target)
    with pytest.raises(SettingsError, match="is not a file"):
        load_settings(tmp_path, environ={})


def test_a_list_in_a_variable_that_is_nested_too_deep_is_a_text() -> None:
    with pytest.raises(SettingsError, match=r"index\.exclude"):
        load_settings(None, environ={"KBTUI_INDEX__EXCLUDE": "[" * 100_000})


def test_unknown_variables_end_nothing(tmp_path: Path) -> None:
    environ = {f"KBTUI_{name}": "1" for name in ("FOO", "X" * 60_000, "AGENT", "AGENT__", "__", "")}
    loaded = load_settings(tmp_path, environ=environ)
    assert loaded.settings == Settings()
    assert len(loaded.warnings) == len(environ)
    assert max(map(len, loaded.warnings)) < 300


UNOPENABLE = {
    "scheme without a driver": "s3://bucket/rows.parquet",
    "database without a driver": "trino://me@host/db",
    "no scheme at all": "nonsense://",
    "server that does not answer": "postgresql://me@127.0.0.1:1/db",
    "folder": "folder",
    "no such file": "nowhere.db",
    "nothing": "",
    "text file": "notes.txt",
    "bytes called CSV": "bytes.csv",
    "bytes called SQLite": "bytes.db",
    "bytes called DuckDB": "bytes.duckdb",
    "bytes called Parquet": "bytes.parquet",
    "bytes called Excel": "bytes.xlsx",
    "pipe": "pipe.csv",
    "device": "device.csv",
}


@pytest.mark.parametrize("kind", UNOPENABLE)
def test_data_that_cannot_be_opened_ends_the_command_before_anything_is_indexed(
    kind: str, tmp_path: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_text("some notes\n")
    noise = bytes(range(256)) * 100
    for name in UNOPENABLE.values():
        if name.startswith("bytes."):
            (tmp_path / name).write_bytes(noise)
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "device.csv").symlink_to("/dev/zero")
    done = invoke("ask", "--kb", str(tmp_path), "--data", UNOPENABLE[kind], "How many rows are there?")
    assert (done.exit_code, done.stdout) == (2, ""), done.stderr
    assert len([line for line in done.stderr.splitlines() if not line.startswith("opening ")]) == 2, done.stderr
    assert "hint: " in done.stderr
    assert not (paths.cache_dir() / "indexes").exists()
    assert not paths.sessions_dir().exists()


def test_the_screen_does_not_open_over_data_that_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kbtui.cli.open.require_screen", lambda instead: None)
    with pytest.raises(UsageError, match="s3"):
        open_screen(tmp_path, data=["s3://bucket/rows.parquet"])
    assert "opening" in capsys.readouterr().err


def test_a_source_of_the_settings_that_is_away_today_is_a_warning(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "notes.md").write_text("# Rollback\n\nRoll back when the error rate stays above two percent.\n")
    set_user_value("", "data_sources", ["away=/nowhere/away.db"])
    done = invoke("ask", "--no-session", "--kb", str(tmp_path), "When do we roll back?")
    assert done.exit_code == 0, done.stderr
    assert "kbtui: warning: There is no file /nowhere/away.db" in done.stderr


def test_opening_the_data_counts_as_time_of_the_run(tmp_path: Path, invoke: Invoke) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("city,sales\n" + "Oslo,3\n" * 400_000)
    done = invoke("ask", "--kb", str(tmp_path), "--timeout", "0.001", "--data", str(rows), "total sales")
    assert done.exit_code == 124, done.stderr
    assert not (paths.cache_dir() / "indexes").exists()


@pytest.mark.parametrize("speed", ["inf", "nan", "-1", "0", "1e-320", "1e308", "0.001", "fast"])
def test_a_replay_has_a_speed_that_ends(speed: str, invoke: Invoke) -> None:
    done = invoke("replay", "last", "--plain", "--speed", speed)
    assert done.exit_code == 2
    assert "is no speed" in done.stderr


@pytest.mark.parametrize("count", ["0", "201", "-1", "nan", "inf", "9" * 30])
def test_a_search_brings_back_a_bounded_number_of_hits(count: str, invoke: Invoke) -> None:
    assert invoke("search", "-k", count, "x").exit_code == 2


def test_a_folder_names_no_mcp_server(tmp_path: Path) -> None:
    (tmp_path / ".kbtui.toml").write_text('[mcp.servers.files]\ncommand = ["sh", "-c", "touch it"]\n')
    loaded = load_settings(tmp_path, environ={})
    assert loaded.settings.mcp == Settings().mcp
    assert any("may not set mcp.servers; it was left out" in warning for warning in loaded.warnings)


def test_a_folder_sets_no_command_that_reads_its_files(tmp_path: Path) -> None:
    for text in (
        '[index.commands]\n"*" = "sh {path}"\n',
        'index.commands = {"*" = "sh {path}"}\nindex.command_s = 600\n',
    ):
        (tmp_path / ".kbtui.toml").write_text(text)
        loaded = load_settings(tmp_path, environ={})
        assert loaded.settings.index == Settings().index
        assert any("may not set index.commands; it was left out" in warning for warning in loaded.warnings)
