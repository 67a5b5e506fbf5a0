"""Who may read what kbtui writes, as a command and as a library, and that what users ask for is theirs to share."""

from __future__ import annotations

import ast
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kbtui import Engine
from kbtui.editors.launch import run_in_terminal
from kbtui.settings import paths, private
from kbtui.settings.write import set_user_value
from kbtui.view.artifacts import write_new
from tests.cli.conftest import Invoke, invoke  # noqa: F401

ROOT = Path(__file__).parents[2]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def readable_by_others(base: Path) -> dict[str, str]:
    """What lies in kbtui's folders below ``base`` with a bit for group or others."""
    return {
        str(path.relative_to(base)): oct(mode(path))
        for top in ("cache/kbtui", "data/kbtui", "state/kbtui")
        for path in (base / top, *(base / top).rglob("*"))
        if not path.is_symlink() and mode(path) & 0o077
    }


@pytest.fixture
def umask() -> Iterator[None]:
    """A process that lets everybody read and write, and is left as it was."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def restricted(umask: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process as the command makes it, whose user has the umask 027."""
    monkeypatch.setattr(private, "_user_umask", None)
    os.umask(0o027)
    private.restrict_process()


def test_whatever_a_command_writes_is_its_owners_alone(home: Path, kb: Path) -> None:
    data = kb.parent / "rows.csv"
    data.write_text("city,sales\nOslo,3\nBergen,4\n")
    loose = paths.state_dir()
    loose.mkdir(parents=True)
    loose.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-m", "kbtui", "ask", "--kb", str(kb), "--data", str(data), "total sales by city"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        umask=0,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    subprocess.run(
        [sys.executable, "-m", "kbtui", "ask", "--kb", str(kb), "When do we roll back?"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        umask=0,
        check=True,
    )
    written = {path.parts[-1] for top in ("cache", "data", "state") for path in (home / top / "kbtui").iterdir()}
    assert {"indexes", "data", "durations.json", "schemas", "sessions", "audit.jsonl"} <= written
    assert readable_by_others(home) == {}


def test_a_library_leaves_the_umask_alone_and_is_protected_by_its_folders(home: Path, kb: Path, umask: None) -> None:
    answer = Engine(kb=kb).answer_query("When do we roll back?")
    assert answer.citations
    assert os.umask(0) == 0, "the host's umask is as it was"
    for top in (paths.cache_dir(), paths.data_dir(), paths.state_dir()):
        assert mode(top) == 0o700
    for folder in (paths.sessions_dir(), paths.index_dir(kb)):
        assert mode(folder) == 0o700


def test_folders_of_an_earlier_version_are_tightened_by_the_first_command(home: Path, restricted: None) -> None:
    for top in (paths.cache_dir(), paths.data_dir(), paths.state_dir()):
        (top / "deep").mkdir(parents=True)
        top.chmod(0o2755)
        (top / "deep").chmod(0o755)
    private.restrict_process()
    for top in (paths.cache_dir(), paths.data_dir(), paths.state_dir()):
        assert mode(top) & 0o777 == 0o700
        assert mode(top / "deep") == 0o755, "what lies below is out of reach; no walk over a million files"


def test_a_private_folder_is_tightened_with_those_of_kbtui_above_it_and_no_others(tmp_path: Path, umask: None) -> None:
    cache = paths.cache_dir()
    cache.mkdir(parents=True)
    made = private.private_folder(cache / "a" / "b")
    assert [mode(folder) for folder in (made, made.parent, cache)] == [0o700] * 3
    assert mode(cache.parent) == 0o777, "not kbtui's"
    elsewhere = tmp_path / "own" / "folder"
    elsewhere.parent.mkdir()
    assert mode(private.private_folder(elsewhere)) == 0o700
    assert mode(elsewhere.parent) == 0o777


def test_a_file_where_a_folder_belongs_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(OSError):
            private.private_folder(folder)


def test_what_a_user_saves_has_the_users_umask(tmp_path: Path, restricted: None, invoke: Invoke) -> None:  # noqa: F811
    assert mode(write_new(tmp_path / "chart.svg", b"x")) == 0o640
    assert invoke("config", "init").exit_code == 0
    assert mode(paths.config_file()) == 0o640
    plain = tmp_path / "plain"
    plain.touch()
    assert mode(plain) == 0o600


def test_a_file_that_is_written_over_keeps_its_mode(tmp_path: Path, restricted: None) -> None:
    kept = tmp_path / "export.md"
    kept.touch()
    kept.chmod(0o664)
    with open(kept, "w", opener=private.user_opener) as file:
        file.write("x")
    assert mode(kept) == 0o664
    assert kept.read_text() == "x"


def test_a_settings_file_that_holds_a_password_is_its_owners_alone(restricted: None) -> None:
    file = set_user_value("ui", "theme", "kbtui-dusk")
    assert mode(file) == 0o640
    set_user_value("", "data_sources", ["postgresql://me:s3cret-of-mine@db.example/shop"])
    assert mode(file) == 0o600
    file.chmod(0o400)
    set_user_value("ui", "theme", "kbtui-dawn")
    assert mode(file) == 0o400


def test_an_editor_works_with_the_users_umask(tmp_path: Path, restricted: None) -> None:
    assert run_in_terminal(["sh", "-c", f"touch {tmp_path}/new"]) == 0
    assert mode(tmp_path / "new") == 0o640


def test_a_umask_that_forbids_more_is_kept(umask: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private, "_user_umask", None)
    os.umask(0o277)
    private.restrict_process()
    assert os.umask(0) == 0o277


FREE_TO_MAKE_FOLDERS = {
    "kbtui/settings/private.py",
    "kbtui/settings/write.py",  # the settings folder is the user's
    "kbtui/cli/config.py",
    "kbtui/knowledge/store/index_tables.py",  # must be new
    "kbtui/data/files.py",  # in a worker, whose umask is 077
    "kbtui/cluster/reading.py",  # in the temporary folder of a task, which is private
}
"""Files that make folders by themselves."""


def test_folders_are_made_private_in_one_place() -> None:
    makers = set()
    for file in sorted((ROOT / "kbtui").rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "handbook" in file.parts or not ("mkdir" in text or "makedirs" in text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and node.attr in ("mkdir", "makedirs"):
                makers.add(str(file.relative_to(ROOT)))
    assert makers <= FREE_TO_MAKE_FOLDERS, "use kbtui.settings.private.private_folder"
