from __future__ import annotations

import os
from pathlib import Path

import pytest

from kbtui.errors import KnowledgeBaseError, OutsideFolder
from kbtui.knowledge.reading.source import SourceReader


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "kb"
    folder.mkdir()
    (folder / "a.md").write_text("one\ntwo\nthree\nfour\nfive\n")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


def test_lines_end_only_where_editors_say_so(root: Path) -> None:
    (root / "x.txt").write_bytes("a\r\nb\rc\x0cd\u2028e\x85f".encode())
    assert SourceReader(root).lines("x.txt") == ["a", "b", "c\x0cd\u2028e\x85f"]


def test_text_says_how_the_file_was_read(root: Path) -> None:
    (root / "run").write_bytes("#!/usr/bin/env python3\n# 部署说明和回滚步骤\n".encode("gbk"))
    text = SourceReader(root).text("run")
    assert (text.encoding, text.language, text.line_count) == ("gb18030", "python", 3)
    assert text.text.split("\n")[1] == "# 部署说明和回滚步骤"


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/passwd", "~/x", "sub/../../secret.txt", "link.txt", "out/x"])
def test_nothing_outside_the_folder_is_read(root: Path, path: str) -> None:
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    (root / "out").symlink_to(root.parent)
    with pytest.raises(OutsideFolder):
        SourceReader(root).lines(path)


def test_a_link_inside_the_folder_is_followed(root: Path) -> None:
    (root / "b.md").symlink_to("a.md")
    assert SourceReader(root).lines("b.md")[0] == "one"


@pytest.mark.parametrize("path", ["gone.md", "", "nul\x00.md", "x" * 5000, "\x1b[31m"])
def test_a_file_that_is_not_there_is_said_with_a_hint(root: Path, path: str) -> None:
    with pytest.raises(KnowledgeBaseError) as error:
        SourceReader(root).lines(path)
    assert error.value.hint
    assert "\x1b" not in error.value.message


def test_a_changed_file_is_read_again(root: Path) -> None:
    reader = SourceReader(root)
    assert reader.lines("a.md")[0] == "one"
    (root / "a.md").write_text("new\n")
    os.utime(root / "a.md", ns=(1, 1))
    assert reader.lines("a.md") == ["new", ""]


def test_the_cache_is_bounded_and_the_oldest_goes_first(root: Path) -> None:
    for name in "xyz":
        (root / f"{name}.txt").write_text(name * 1000)
    reader = SourceReader(root, cache_bytes=5000)
    first, second = reader.lines("x.txt"), reader.lines("y.txt")
    assert reader.lines("x.txt") is first
    reader.lines("z.txt")
    assert reader.lines("x.txt") is first
    assert reader.lines("y.txt") is not second
