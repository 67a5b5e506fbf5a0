"""local_file_qa: files by name, kind, folder, time, size and topic, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from kbtui.domain.evidence import Hit
from kbtui.errors import EmbeddingError
from kbtui.knowledge.reading.source import SourceReader
from kbtui.knowledge.search.files import FileCatalogue
from kbtui.knowledge.search.grep import GrepSearcher
from kbtui.question.file_query import parse_file_query
from tests.knowledge.folders import records_of, write_files
from tests.knowledge.passages import translator_of

# A Wednesday.
NOW = datetime(2025, 11, 19, 15, 0, tzinfo=timezone(timedelta(hours=1)))

FILES = {
    "docs/rollback.md": "# Roll back a deploy\n\nHow to undo a bad deployment.\n",
    "docs/packaging.md": "# Packaging guide\n\nWheels and source distributions. Packaging, packaging.\n",
    "docs/style.md": "# Style\n\nNothing here. One word on packaging.\n" + "More lines.\n" * 60,
    "peps/pep-0484.rst": "PEP: 484\nTitle: Type Hints\n\nType annotations for functions. A type annotation here.\n",
    "src/build.py": '"""Builds wheels."""\n\ndef build(): ...\n',
    "src/lib.rs": "fn main() {}\n",
    "config/app.toml": "debug = true\n",
    "config/app.yaml": "debug: true\n",
    "data/sales.csv": "a,b\n1,2\n" * 500,
    "notes/meeting.md": "# Weekly meeting\n\nWe spoke of authentication and tokens.\n",
    "zh/部署.md": "# 部署手册\n\n部署失败时立即回滚。\n",
    "empty.md": "",
}
MODIFIED = {
    "docs/rollback.md": NOW - timedelta(hours=2),
    "docs/packaging.md": NOW - timedelta(days=1),
    "docs/style.md": NOW - timedelta(days=6),
    "notes/meeting.md": NOW - timedelta(days=12),
    "peps/pep-0484.rst": NOW - timedelta(days=40),
}


class Vectors:
    """Finds what it was told to."""

    def __init__(self, found: Mapping[str, float] | None = None, fails: bool = False) -> None:
        self.asked: list[str] = []
        self._found = found or {}
        self._fails = fails

    def search(self, query: str, k: int) -> list[Hit]:
        self.asked.append(query)
        if self._fails:
            raise EmbeddingError("no model")
        return [Hit(path=path, start_line=1, end_line=1, text="", score=score) for path, score in self._found.items()]


@pytest.fixture
def catalogue(tmp_path: Path) -> FileCatalogue:
    return catalogue_of(tmp_path)


def catalogue_of(root: Path, vectors: Vectors | None = None) -> FileCatalogue:
    write_files(root, FILES)
    old = dict.fromkeys(FILES, NOW - timedelta(days=400))
    records = records_of(root, labels={"peps/pep-0484.rst": ("PEP 484",)}, modified=old | MODIFIED)
    source = SourceReader(root)
    grep = GrepSearcher(root, source, lambda: records)
    translator = translator_of(FILES.values(), chinese=0.1)
    return FileCatalogue(lambda: records, grep, source, vectors, translator, now=lambda: NOW)


def found(catalogue: FileCatalogue, query: str, k: int = 20) -> list[str]:
    return [hit.path for hit in catalogue.search(query, k).hits]


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("markdown files", {path for path in FILES if path.endswith(".md")}),
        ("list all the python files", {"src/build.py"}),
        ("rust files in src/", {"src/lib.rs"}),
        ("*.toml", {"config/app.toml"}),
        ("find docs/*.md", {"docs/rollback.md", "docs/packaging.md", "docs/style.md"}),
        ("where is rollback.md?", {"docs/rollback.md"}),
        ("files named meeting", {"notes/meeting.md"}),
        (".csv files", {"data/sales.csv"}),
        ("config files", {"config/app.toml", "config/app.yaml"}),
        ("配置文件", {"config/app.toml", "config/app.yaml"}),
        ("源代码文件", {"src/build.py", "src/lib.rs"}),
        ("docs目录下的文件", {"docs/rollback.md", "docs/packaging.md", "docs/style.md"}),
        ("files in the notes folder", {"notes/meeting.md"}),
        ("files larger than 3 KB", {"data/sales.csv"}),
        ("大于3KB的文件", {"data/sales.csv"}),
        ("empty files", {"empty.md"}),
        ("files modified today", {"docs/rollback.md"}),
        ("昨天修改的文件", {"docs/packaging.md"}),
        ("files changed in the last 3 days", {"docs/rollback.md", "docs/packaging.md"}),
        ("最近3天修改的文件", {"docs/rollback.md", "docs/packaging.md"}),
        ("files modified this week", {"docs/rollback.md", "docs/packaging.md"}),
        ("files modified since 2025-11-10", {"docs/rollback.md", "docs/packaging.md", "docs/style.md"}),
        ("2025年11月10日之前修改的rst文件", {"peps/pep-0484.rst"}),
    ],
)
def test_conditions_choose_exactly_the_files_they_name(catalogue: FileCatalogue, query: str, paths: set[str]) -> None:
    assert set(found(catalogue, query)) == paths


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("find files about packaging", "docs/packaging.md"),
        ("which documents discuss packaging?", "docs/packaging.md"),
        ("files about PEP 484", "peps/pep-0484.rst"),
        ("files that mention tokens", "notes/meeting.md"),
        ("查找关于类型注解的文件", "peps/pep-0484.rst"),
        ("查找关于认证的文件", "notes/meeting.md"),
        ("和打包有关的文档有哪些", "docs/packaging.md"),
        ("关于部署的文件", "zh/部署.md"),
        ("python files about wheels", "src/build.py"),
    ],
)
def test_the_file_about_the_topic_comes_first(catalogue: FileCatalogue, query: str, first: str) -> None:
    assert found(catalogue, query)[0] == first


def test_a_chinese_topic_finds_files_in_both_languages(catalogue: FileCatalogue) -> None:
    assert set(found(catalogue, "哪些文件提到了回滚")) == {"zh/部署.md", "docs/rollback.md"}


def test_a_file_named_after_the_topic_comes_before_one_that_mentions_it(catalogue: FileCatalogue) -> None:
    paths = found(catalogue, "files about packaging")
    assert paths.index("docs/packaging.md") < paths.index("docs/style.md")


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("the 2 most recently modified files", ["docs/rollback.md", "docs/packaging.md"]),
        ("最近修改的2个文件", ["docs/rollback.md", "docs/packaging.md"]),
        ("the largest file", None),
        ("最大的文件", None),
    ],
)
def test_an_order_is_obeyed(catalogue: FileCatalogue, query: str, paths: list[str] | None) -> None:
    expected = paths or ["data/sales.csv"]
    assert found(catalogue, query)[: len(expected)] == expected
    if paths:
        assert len(found(catalogue, query)) == 2


def test_last_week_reaches_from_its_monday_until_now(catalogue: FileCatalogue) -> None:
    assert parse_file_query("files modified last week", NOW).since == datetime(2025, 11, 10, tzinfo=NOW.tzinfo)
    assert set(found(catalogue, "上周修改的文件")) == {"docs/rollback.md", "docs/packaging.md", "docs/style.md"}


@pytest.mark.parametrize(
    ("query", "since", "until"),
    [
        ("files modified between March 1 and March 5", (3, 1), (3, 6)),
        ("files modified since yesterday", (11, 18), None),
        ("过去两周内更新的文档", (11, 5), None),
        ("最近几天改过的文件", (11, 16), None),
    ],
)
def test_days_are_read_as_in_any_question(query: str, since: tuple[int, int], until: tuple[int, int] | None) -> None:
    asked = parse_file_query(query, NOW)
    days = [None if day is None else datetime(2025, *day, tzinfo=NOW.tzinfo) for day in (since, until)]
    assert ([asked.since, asked.until], asked.topic) == (days, "")


@pytest.mark.parametrize(
    ("query", "topic"), [("files about Q3 planning", "Q3 planning"), ("2024年预算的文件", "2024年预算")]
)
def test_days_that_a_topic_speaks_of_are_no_condition(query: str, topic: str) -> None:
    asked = parse_file_query(query, NOW)
    assert (asked.since, asked.until, asked.topic) == (None, None, topic)


def test_a_hit_points_at_the_line_that_says_what_the_file_is(catalogue: FileCatalogue) -> None:
    hit = catalogue.search("where is rollback.md?", 5).hits[0]
    assert (hit.start_line, hit.end_line, hit.text) == (1, 1, "# Roll back a deploy")
    assert (hit.tool, hit.title, hit.note) == ("local_file_qa", "Roll back a deploy", "its name matches")


def test_the_note_says_why_a_file_was_found(catalogue: FileCatalogue) -> None:
    note = catalogue.search("files about packaging", 5).hits[0].note
    assert "named after packaging" in note
    assert "2 lines on packaging" in note
    assert catalogue.search("files modified today", 5).hits[0].note == "modified 2025-11-19 13:00"


def test_more_files_than_shown_are_counted(catalogue: FileCatalogue) -> None:
    result = catalogue.search("markdown files", 2)
    assert len(result.hits) == 2
    assert result.total == sum(path.endswith(".md") for path in FILES)


def test_a_name_that_names_no_file_is_a_topic(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.md": "We moved to node.js last year.\n", "b.md": "Nothing.\n"})
    records, source = records_of(tmp_path), SourceReader(tmp_path)
    catalogue = FileCatalogue(lambda: records, GrepSearcher(tmp_path, source, lambda: records), source)
    assert found(catalogue, "files about node.js") == ["a.md"]


def test_a_topic_that_no_file_has_finds_nothing(catalogue: FileCatalogue) -> None:
    assert found(catalogue, "files about tungsten") == []
    assert found(catalogue, "关于钨的文件") == []


def test_a_file_with_one_word_of_many_is_not_about_a_topic(catalogue: FileCatalogue) -> None:
    found = catalogue.search("files about packaging of frozen vegetables in refrigerated harbours", 10)

    assert [hit.path for hit in found.hits] == []
    assert catalogue.search("files about packaging", 10).total == 2


def test_meaning_finds_files_that_use_other_words(tmp_path: Path) -> None:
    vectors = Vectors({"docs/rollback.md": 0.62})
    [hit] = catalogue_of(tmp_path, vectors).search("files about reverting", 5).hits
    assert (hit.path, hit.note) == ("docs/rollback.md", "close in meaning")


def test_without_a_model_the_words_still_count(tmp_path: Path) -> None:
    assert found(catalogue_of(tmp_path, Vectors(fails=True)), "files about packaging")[0] == "docs/packaging.md"


def test_a_word_every_file_holds_does_not_decide(tmp_path: Path) -> None:
    files = {f"pep-{number}.rst": f"PEP {number}\nTitle: This PEP is about nothing\n" for number in range(20)}
    files["pep-7.rst"] = "PEP 7\nTitle: Governance\n"
    write_files(tmp_path, files)
    records, source = records_of(tmp_path), SourceReader(tmp_path)
    catalogue = FileCatalogue(lambda: records, GrepSearcher(tmp_path, source, lambda: records), source)
    assert found(catalogue, "PEP files about PEP governance") == ["pep-7.rst"]


@pytest.mark.parametrize(
    ("query", "topic"),
    [
        ("find files about file descriptors", "file descriptors"),
        ("which files mention PROJ-100?", "PROJ-100"),
        ("查找关于类型注解的文件", "类型注解"),
        ("有哪些部署相关的文档", "部署"),
        ("find PEPs on packaging", "packaging"),
        ("python files about configuration files", "configuration files"),
        ("find all files", ""),
    ],
)
def test_the_topic_is_what_no_condition_takes(query: str, topic: str) -> None:
    assert parse_file_query(query, NOW).topic == topic


def test_an_impossible_date_is_no_condition() -> None:
    assert parse_file_query("files modified since 2025-13-77", NOW).since is None
