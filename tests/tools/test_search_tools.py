"""grep_search, vector_search, hybrid_search, local_file_qa and read_file, over a folder without an index."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.errors import ToolError
from kbtui.knowledge.reading.source import SourceReader
from kbtui.knowledge.search.files import FileCatalogue
from kbtui.knowledge.search.grep import GrepSearcher
from kbtui.knowledge.search.ripgrep import NOT_FOUND_NOTE, PythonFinder
from kbtui.settings.model import Settings
from kbtui.text.language import cjk_share
from kbtui.tools import ToolContext, build_tools, run_tool
from kbtui.tools.read_file import MAX_CHARS, MAX_LINES
from tests.knowledge.folders import records_of, write_files


class Side:
    """An engine that finds what it was made with."""

    def __init__(self, *hits: Hit) -> None:
        self._hits = list(hits)

    def search(self, query: str, k: int) -> list[Hit]:
        return self._hits[:k]


def hit(path: str, tool: str, score: float = 1.0) -> Hit:
    return Hit(path=path, start_line=1, end_line=1, text=path, score=score, tool=tool)


def context_of(root: Path, files: dict[str, str], rg: bool = True, cancel: CancelToken | None = None) -> ToolContext:
    write_files(root, files)
    records, source = records_of(root), SourceReader(root)
    grep = GrepSearcher(root, source, lambda: records, None if rg else PythonFinder(source))
    vectors = Side(hit("b.md", "vector_search", 0.5))
    settings = Settings()
    knowledge = SimpleNamespace(
        source=source,
        grep=grep,
        vectors=vectors,
        embedder=SimpleNamespace(trust=lambda query: 1.0 - cjk_share(query)),
        files=FileCatalogue(lambda: records, grep, source),
    )
    return ToolContext(knowledge=cast(Any, knowledge), settings=settings, cancel=cancel or CancelToken())


FILES = {"a.md": "# Rollback\n\nRe-pin the green image.\n", "b.md": "# Deploys\n\nFour minutes.\n"}


def test_grep_search_says_when_it_has_to_do_without_ripgrep(tmp_path: Path) -> None:
    output = run_tool(build_tools(context_of(tmp_path, FILES, rg=False))["grep_search"], {"keywords": "image"})
    assert [each.path for each in output.hits] == ["a.md"]
    assert output.note == f"1 passage in 1 file; {NOT_FOUND_NOTE}"


def test_vector_search_says_when_the_model_cannot_read_the_question(tmp_path: Path) -> None:
    output = run_tool(build_tools(context_of(tmp_path, FILES))["vector_search"], {"query": "怎么回滚"})
    assert "knows no Chinese" in output.note


def test_local_file_qa_counts_what_it_does_not_show(tmp_path: Path) -> None:
    context = context_of(tmp_path, {f"{number}.md": "# Title\n" for number in range(12)})
    assert run_tool(build_tools(context)["local_file_qa"], {"query": "markdown files"}).note == "10 of 12 files"
    assert run_tool(build_tools(context)["local_file_qa"], {"query": "python files"}).note == "no such file"


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("grep_search", {"keywords": " "}),
        ("vector_search", {"query": ""}),
        ("hybrid_search", {"semantic_query": "", "exact_keywords": " "}),
        ("hybrid_search", {}),
        ("local_file_qa", {"query": "\n"}),
        ("read_file", {"path": ""}),
    ],
)
def test_an_empty_call_is_refused_with_a_hint(tmp_path: Path, tool: str, args: dict[str, Any]) -> None:
    with pytest.raises(ToolError) as caught:
        run_tool(build_tools(context_of(tmp_path, FILES))[tool], args)
    assert caught.value.hint


def read(root: Path, **args: Any) -> Any:
    return run_tool(build_tools(context_of(root, {}))["read_file"], args)


def test_read_file_gives_exactly_the_lines_asked_for(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.txt": "one\ntwo\nthree\nfour"})
    [found] = read(tmp_path, path="a.txt", start_line=2, end_line=3).hits
    assert (found.start_line, found.end_line, found.text) == (2, 3, "two\nthree")
    assert read(tmp_path, path="a.txt").hits[0].text == "one\ntwo\nthree\nfour"
    assert read(tmp_path, path="a.txt", start_line=-5, end_line=99).note == "lines 1 to 4 of 4"


def test_read_file_cuts_long_ranges_and_says_where_it_goes_on(tmp_path: Path) -> None:
    write_files(tmp_path, {"long.txt": "\n".join("x" for _ in range(1000)), "wide.txt": "\n".join(["y" * 3000] * 20)})
    long = read(tmp_path, path="long.txt", start_line=11)
    assert (long.hits[0].start_line, long.hits[0].end_line) == (11, 10 + MAX_LINES)
    assert f"line {11 + MAX_LINES} comes next" in long.note
    wide = read(tmp_path, path="wide.txt")
    assert len(wide.hits[0].text) <= MAX_CHARS
    assert wide.hits[0].text.split("\n") == ["y" * 3000] * wide.hits[0].end_line


def test_read_file_cuts_a_line_that_is_longer_than_all_it_may_give(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.txt": "z" * 50_000})
    output = read(tmp_path, path="a.txt")
    assert output.hits[0].text == "z" * MAX_CHARS
    assert "was cut" in output.note


@pytest.mark.parametrize(
    "path", ["../secret.txt", "/etc/hosts", "link.txt", "folder/../../secret.txt", "~/x", "no.txt"]
)
def test_read_file_never_leaves_the_folder(tmp_path: Path, path: str) -> None:
    root = tmp_path / "kb"
    write_files(tmp_path, {"secret.txt": "secret", "kb/folder/a.txt": "x"})
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    knowledge = SimpleNamespace(source=SourceReader(root))
    context = ToolContext(knowledge=cast(Any, knowledge), settings=Settings())
    with pytest.raises(ToolError) as caught:
        run_tool(build_tools(context)["read_file"], {"path": path})
    assert caught.value.hint


def test_lines_that_are_not_there_are_refused(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.txt": "one\ntwo"})
    with pytest.raises(ToolError, match="2 lines"):
        read(tmp_path, path="a.txt", start_line=7, end_line=9)
