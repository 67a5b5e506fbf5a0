from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, FolderNotFound, KnowledgeBaseError, SettingsError
from kbtui.knowledge.reading.walker import walk
from kbtui.settings.model import IndexSettings


def folder(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def paths(root: Path, **settings: Any) -> list[str]:
    return [file.path for file in walk(root, IndexSettings(**settings)).files]


def skipped(root: Path, **settings: Any) -> dict[str, int]:
    return dict(walk(root, IndexSettings(**settings)).skipped)


def test_files_are_found_sorted_with_size_and_time(tmp_path: Path) -> None:
    folder(tmp_path, {"b.md": "bb", "a/z.txt": "z", "a.md": ""})
    found = walk(tmp_path, IndexSettings())
    assert [file.path for file in found.files] == ["a.md", "a/z.txt", "b.md"]
    last = found.files[-1]
    assert (last.size, last.absolute) == (2, tmp_path.resolve() / "b.md")
    assert last.mtime_ns == (tmp_path / "b.md").stat().st_mtime_ns
    assert found.skipped == {}


def test_an_empty_folder_is_an_empty_walk(tmp_path: Path) -> None:
    assert walk(tmp_path, IndexSettings()).files == ()


@pytest.mark.parametrize("make", [lambda path: None, lambda path: path.write_text("x")], ids=["missing", "a file"])
def test_what_is_no_folder_is_refused_with_a_hint(tmp_path: Path, make) -> None:
    make(tmp_path / "x")
    with pytest.raises(FolderNotFound) as error:
        walk(tmp_path / "x", IndexSettings())
    assert error.value.hint


def test_a_folder_that_cannot_be_read_is_refused_with_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(KnowledgeBaseError, match="permission denied") as error:
        walk(tmp_path, IndexSettings())
    assert error.value.hint


def test_unreadable_files_and_folders_are_counted_and_the_rest_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder(tmp_path, {"closed/a.md": "x", "b.md": "x", "c.md": "x"})
    real_scan, real_open = os.scandir, os.open

    def scan(path: object) -> object:
        if str(path).rstrip("/").endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return real_scan(path)

    def opened(path: object, *args: object, **kwargs: object) -> object:
        if str(path).endswith("b.md"):
            raise PermissionError(13, "Permission denied")
        return real_open(path, *args, **kwargs)

    monkeypatch.setattr(os, "scandir", scan)
    monkeypatch.setattr(os, "open", opened)
    found = walk(tmp_path, IndexSettings())
    assert [file.path for file in found.files] == ["c.md"]
    assert found.skipped == {"unreadable": 2}
    assert found.paths_by_reason == {"unreadable": ("b.md", "closed/")}


def test_a_folder_that_goes_away_during_the_walk_is_not_taken_for_an_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = folder(tmp_path / "root", {"a/x.md": "x", "b.md": "x"})
    real_scan = os.scandir

    def scan(path: object) -> object:
        if str(path).rstrip("/").endswith("/a"):
            root.rename(tmp_path / "elsewhere")
        return real_scan(path)

    monkeypatch.setattr(os, "scandir", scan)
    with pytest.raises(FolderNotFound):
        walk(root, IndexSettings())


def test_ignore_files_of_every_level_are_obeyed_and_the_deepest_wins(tmp_path: Path) -> None:
    folder(
        tmp_path,
        {
            ".gitignore": "*.log\nbuild/\n/top.md\n",
            "top.md": "x",
            "a.log": "x",
            "build/x.md": "x",
            "sub/top.md": "x",
            "sub/.gitignore": "!keep.log\n",
            "sub/keep.log": "x",
            "sub/other.log": "x",
            "sub/.kbtuiignore": "draft*\n",
            "sub/draft.md": "x",
        },
    )
    assert paths(tmp_path) == ["sub/keep.log", "sub/top.md"]
    assert skipped(tmp_path)["ignored"] == 5


def test_nothing_comes_back_from_an_ignored_folder(tmp_path: Path) -> None:
    folder(tmp_path, {".gitignore": "out/\n!out/keep.md\n", "out/keep.md": "x", "a.md": "x"})
    assert paths(tmp_path) == ["a.md"]


def test_a_negated_folder_does_not_bring_back_what_its_own_patterns_exclude(tmp_path: Path) -> None:
    folder(tmp_path, {".gitignore": "*.tmp\n!sub\n", "sub/a.tmp": "x", "sub/b.md": "x"})
    assert paths(tmp_path) == ["sub/b.md"]


def test_everything_but_is_said_as_in_git(tmp_path: Path) -> None:
    folder(tmp_path, {".gitignore": "*\n!*/\n!*.md\n", "a.md": "x", "s/b.md": "x", "s/c.txt": "x"})
    assert paths(tmp_path) == ["a.md", "s/b.md"]


def test_a_pattern_that_cannot_be_read_does_not_hide_the_others(tmp_path: Path) -> None:
    folder(tmp_path, {".gitignore": "!\n/\n[z-a]\n*.log\n", "a.log": "x", "b.md": "x"})
    assert paths(tmp_path) == ["b.md"]


def test_the_excludes_of_the_settings_come_first(tmp_path: Path) -> None:
    folder(tmp_path, {".gitignore": "!a.md\n", "a.md": "x", "b.md": "x", "n/c.md": "x"})
    assert paths(tmp_path, exclude=("a.md", "n/")) == ["b.md"]


@pytest.mark.parametrize("pattern", ["!", "[z-a]"])
def test_an_exclude_that_is_no_pattern_is_a_settings_error(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(SettingsError, match=r"index\.exclude"):
        walk(tmp_path, IndexSettings(exclude=(pattern,)))


def test_hidden_files_are_left_out_unless_asked_for_and_git_always(tmp_path: Path) -> None:
    folder(tmp_path, {".env": "x", ".git/HEAD": "x", ".github/ci.yml": "x", "a.md": "x"})
    assert paths(tmp_path) == ["a.md"]
    assert skipped(tmp_path) == {"hidden": 3}
    assert paths(tmp_path, hidden=True) == [".env", ".github/ci.yml", "a.md"]


def test_binary_files_are_told_by_content_whatever_their_name(tmp_path: Path) -> None:
    folder(
        tmp_path,
        {
            "a.md": b"\x89PNG\r\n\x1a\n\x00\x00",
            "b.md": b"text\x00more",
            "c.md": bytes(range(1, 256)),
            "d.png": "no picture at all",
            "e.txt": "文档".encode("utf-16"),
            "f.txt": "plain words without a mark".encode("utf-16-le"),
            "g.txt": "文档内容".encode("gbk"),
        },
    )
    assert paths(tmp_path) == ["e.txt", "f.txt", "g.txt"]
    assert skipped(tmp_path) == {"binary": 4}
    # A picture is expected to be none; a document that holds no text is news.
    assert walk(tmp_path, IndexSettings()).paths_by_reason == {"binary": ("a.md", "b.md", "c.md")}


def test_files_above_the_limit_are_counted_as_oversized(tmp_path: Path) -> None:
    folder(tmp_path, {"big.md": "x" * 2000, "small.md": "x"})
    assert paths(tmp_path, max_file_mb=0.001) == ["small.md"]
    assert skipped(tmp_path, max_file_mb=0.001) == {"oversized": 1}


def test_links_never_lead_out_of_the_folder_nor_round_in_it(tmp_path: Path) -> None:
    outside = folder(tmp_path / "outside", {"secret.md": "x"})
    root = folder(tmp_path / "root", {"a.md": "x", "sub/b.md": "x", ".hidden/c.md": "x"})
    (root / "out.md").symlink_to(outside / "secret.md")
    (root / "outdir").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / "self").symlink_to("self")
    (root / "broken.md").symlink_to("gone.md")
    (root / "again.md").symlink_to("sub/b.md")
    (root / "only.md").symlink_to(".hidden/c.md")
    (root / "twice.md").symlink_to(".hidden/c.md")
    assert paths(root) == ["a.md", "only.md", "sub/b.md"]
    assert skipped(root) == {"hidden": 1, "symlink": 7}


def test_what_is_no_regular_file_is_never_opened(tmp_path: Path) -> None:
    folder(tmp_path, {"a.md": "x"})
    os.mkfifo(tmp_path / "pipe.md")
    assert paths(tmp_path) == ["a.md"]
    assert skipped(tmp_path) == {"special": 1}


def test_strange_names_are_kept_and_undecodable_ones_counted(tmp_path: Path) -> None:
    names = ["new\nline.md", "[bracket].md", "esc\x1b[31m.md", "部署.md", "back\\slash.md"]
    folder(tmp_path, dict.fromkeys(names, "x"))
    (tmp_path / os.fsdecode(b"bad\xff.md")).touch()
    assert paths(tmp_path) == sorted(names)
    assert skipped(tmp_path) == {"name": 1}


def test_a_walk_stops_when_it_is_cancelled(tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        walk(tmp_path, IndexSettings(), token)


def test_a_file_that_is_known_to_be_text_is_not_looked_into(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("text")
    (tmp_path / "b.md").write_bytes(b"\0\0")
    status = (tmp_path / "b.md").stat()
    known = {"b.md": (status.st_size, status.st_mtime_ns)}
    assert [file.path for file in walk(tmp_path, IndexSettings(), known=known).files] == ["a.md", "b.md"]
    known = {"b.md": (status.st_size, status.st_mtime_ns + 1)}
    assert [file.path for file in walk(tmp_path, IndexSettings(), known=known).files] == ["a.md"]
