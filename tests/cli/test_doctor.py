"""``kbtui doctor`` finds what is wrong, and says what to do."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbtui.cli import checks, checks_of_model, checks_of_parts, doctor
from kbtui.domain.health import Check
from kbtui.settings import paths
from kbtui.settings.model import IndexSettings, McpServer, McpSettings, Settings
from tests.cli.conftest import Invoke, Program
from tests.support.plugins import installed, write_package


def found(invoke: Invoke, tmp_path: Path) -> tuple[int, dict[str, dict[str, str]]]:
    done = invoke("doctor", "--json", "--kb", str(tmp_path))
    rows = [json.loads(line) for line in done.stdout.strip().split("\n")]
    return done.exit_code, {row["name"]: row for row in rows}


def test_a_healthy_machine_has_no_failure(invoke: Invoke, tmp_path: Path) -> None:
    code, rows = found(invoke, tmp_path)
    assert code == 0, [row for row in rows.values() if row["status"] == "fail"]
    assert {"python", "ripgrep", "settings", "embedding model", "editor", "themes", "sessions", "index"} <= set(rows)
    assert {"package textual", "package lancedb", "disk space", "log file", "chat model"} <= set(rows)


def test_whatever_is_not_ok_says_what_to_do(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    themes = paths.themes_dir()
    themes.mkdir(parents=True)
    (themes / "mine.toml").write_text("nonsense")
    sessions = paths.sessions_dir()
    sessions.mkdir(parents=True)
    (sessions / "s1.jsonl").write_text("nonsense\n")
    paths.folder_file(tmp_path).write_text("[agent]\nmax_iteration = 3\n")
    monkeypatch.setattr("kbtui.knowledge.search.ripgrep.find_ripgrep", lambda: None)
    code, rows = found(invoke, tmp_path)
    assert code == 1
    assert (rows["settings"]["status"], rows["theme"]["status"]) == ("fail", "warn")
    assert "mine.toml" in rows["theme"]["detail"]
    assert rows["sessions"]["status"] == "warn"
    assert rows["ripgrep"]["status"] == "warn"
    for row in rows.values():
        assert bool(row["todo"]) is (row["status"] != "ok"), row


def test_settings_are_checked_too(invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KBTUI_MODEL__NAME", "nosuchprovider:x")
    monkeypatch.setenv("KBTUI_UI__THEME", "no-such-theme")
    monkeypatch.setenv("KBTUI_EDITOR__COMMAND", "no-such-editor {path}")
    monkeypatch.setenv("KBTUI_DATA_SOURCES", "gone=/nowhere/x.db")
    _, rows = found(invoke, tmp_path)
    assert {rows[name]["status"] for name in ("themes", "editor", "source gone")} == {"warn"}
    assert rows["chat model"]["status"] == "fail"
    assert "nosuchprovider" in rows["chat model"]["detail"]


def test_a_check_that_breaks_is_a_finding_and_the_others_still_run(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Iterator[Check]:
        raise ZeroDivisionError("deep inside")

    monkeypatch.setattr(doctor, "check_python", broken)
    code, rows = found(invoke, tmp_path)
    assert code == 1
    assert "deep inside" in rows["python"]["detail"]
    assert rows["settings"]["status"] == "ok"


def test_a_folder_that_is_not_writable_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    rows = {check.name: check for check in checks.check_folders()}
    assert rows["folder for indexes and caches"].status == "fail"
    assert rows["folder for settings"].status == "ok"


def test_a_package_that_is_missing_or_too_old_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        checks.metadata, "requires", lambda _: ["no-such-package>=1", "click>=999", "click>=1", "x; extra == 'y'"]
    )
    rows = list(checks.check_dependencies())
    assert [row.status for row in rows] == ["fail", "fail", "ok"]
    assert rows[0].todo == 'pip install "no-such-package>=1"'


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_terminal_that_shows_no_screen_is_a_warning(term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", term)
    assert next(checks.check_terminal()).status == "warn"


def test_keys_of_the_settings_that_cannot_be_used_are_named(invoke: Invoke) -> None:
    paths.config_file().parent.mkdir(parents=True, exist_ok=True)
    paths.config_file().write_text('[keys]\nsessions = "f9"\ncopi = "C"\n')
    rows = [json.loads(line) for line in invoke("doctor", "--json").stdout.splitlines()]
    found = [(row["status"], row["detail"]) for row in rows if row["name"] == "keys"]
    assert found[0] == ("ok", "1 of the commands have keys of yours")
    assert (found[1][0], "keys.copi" in found[1][1]) == ("warn", True)


def test_a_report_says_what_a_bug_needs_and_nothing_private(program: Program, home: Path, tmp_path: Path) -> None:
    key = "sk-planted0123456789abcdefghijklmnop"
    (home / "config" / "kbtui").mkdir(parents=True)
    (home / "config" / "kbtui" / "config.toml").write_text(
        f'data_sources = ["shop=postgresql://me:hunter22@db/shop"]\n[editor]\ncommand = "{home}/bin/edit {{path}}"\n'
    )
    (home / "state" / "kbtui").mkdir(parents=True)
    (home / "state" / "kbtui" / "kbtui.log").write_text(
        f"2026-01-02 03:04:05,678 99 WARNING kbtui.index: {home}/notes/a.md cannot be read {key}\n"
        "2026-01-02 03:04:06,678 99 INFO kbtui.index: all is well\n"
        "2026-01-02 03:04:07,678 99 ERROR kbtui.engine: a run failed\nTraceback (most recent call last):\n"
    )
    done = program("doctor", "--report", "--kb", str(tmp_path), OPENAI_API_KEY=key, SSH_CONNECTION="10.1.2.3 1 2 3")
    assert done.returncode == 0
    for part in ("### Checks", "- ok: python", "SSH_CONNECTION is set", "`editor.command`", "a run failed"):
        assert part in done.stdout
    assert "~/notes/a.md cannot be read" in done.stdout
    for private in (key, "hunter22", str(home), "10.1.2.3", "all is well", "Traceback"):
        assert private not in done.stdout
    assert "Read it before you send it" in done.stderr
    wrong = program("doctor", "--report", "--json")
    assert wrong.returncode == 2


def test_loader_commands_and_plug_ins_are_listed_and_what_is_wrong_with_them_is_said(tmp_path: Path) -> None:
    site = tmp_path / "site"
    write_package(
        site,
        "yard",
        "def extract(data, path): ...",
        {"kbtui.loaders": {"kjr": "yard:extract"}, "kbtui.sources": {"kjs": "yard:extract", "mysql": "x"}},
    )
    write_package(site, "gone", "import nothing_there", {"kbtui.loaders": {"brk": "gone:x", "pdf": "gone:x"}})
    settings = Settings(index=IndexSettings(commands={"*.a": "sh {path}", "*.b": "no-such-program"}))
    with installed(site):
        found = [*checks_of_parts.check_commands(settings), *checks_of_parts.check_plugins()]
    assert [(row.status, row.detail) for row in found] == [
        ("ok", "*.a is read by sh {path}"),
        ("warn", "*.b is read by no-such-program"),
        ("warn", "brk of gone-1.2 could not be loaded: No module named 'nothing_there'"),
        ("warn", "the loader of gone-1.2 for .pdf is not used"),
        ("ok", "yard-1.2 reads .kjr"),
        ("ok", "yard-1.2 opens kjs://"),
        ("warn", "the source of yard-1.2 for mysql is not used"),
    ]


def test_the_tools_of_an_mcp_server_are_listed_with_those_that_are_not_offered() -> None:
    pytest.importorskip("mcp")
    from kbtui.tools.mcp_servers import close_servers

    command = (sys.executable, str(Path(__file__).parents[1] / "tools" / "mcp_servers" / "server.py"))
    servers = {"harbour": McpServer(command=command), "gone": McpServer(command=("no-such-program",))}
    try:
        found = list(checks_of_model.check_mcp_servers(Settings(mcp=McpSettings(servers=servers))))
    finally:
        close_servers()
    assert found[0].detail.startswith("a chat model may call of its tools: berth, environment, ")
    assert "not offered: sinks (it does not say that it only reads)" in [row.detail for row in found]
    assert (found[-1].status, found[-1].name) == ("warn", "MCP server gone")
    assert list(checks_of_model.check_mcp_servers(Settings())) == []
