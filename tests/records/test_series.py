"""Sections and titles that are built alike: rows with versions and days, and what is asked of them."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.domain.document import FileRecord
from kbtui.knowledge.reading.loaders import parse
from kbtui.knowledge.relations import extract_relations, file_labels
from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import Collection
from kbtui.records.links import Links

_CHANGES = """# Changes

## Unreleased

Nothing yet.

## [2.1.0rc1] - 2024-05-02

Mends CVE-2024-9001 for those who test.

## [2.0.10] - 2024-03-09

Closes a leak.

## [2.0.9] - 2023-11-20

Follows up on CVE-2024-9001, an issue of severity "high".

## [2.0.0] - 2023-01-15

New bellows.

## [1.9.1] - 2022-07-01

Nothing new.

# Appendix

CVE-2024-9001 is explained here.
"""
_NOTES = (("3.0", "March 4, 2021"), ("3.0.1", "April 9, 2021"), ("3.1", "1 June 2022"), ("3.1.2", ""))


def reader_over(files: dict[str, str]) -> RecordsReader:
    documents = [parse(text.encode(), path) for path, text in files.items()]
    records = [FileRecord(path=d.path, kind=d.kind, title=d.title, labels=file_labels(d)) for d in documents]
    links = Links(records, [relation for d in documents for relation in extract_relations(d)])
    return RecordsReader(Collection(links), lambda: date(2026, 11, 20))


@pytest.fixture(scope="module")
def changes() -> RecordsReader:
    return reader_over({"docs/CHANGES.md": _CHANGES, "docs/use.md": "# Use\n\n## 1. Start\n\nx\n\n## 2. Stop\n\ny\n"})


@pytest.fixture(scope="module")
def notes() -> RecordsReader:
    pages = {
        f"notes/{version}.txt": f"Kiln {version} release notes\n{24 * '='}\n\n*{day}*\n\nBrick by brick.\n"
        for version, day in _NOTES
    }
    return reader_over({**pages, "notes/index.txt": "Release notes\n=============\n\nAll of them.\n"})


def answered(reader: RecordsReader, question: str) -> TableAnswer:
    found = reader.answer(question)
    assert found is not None, question
    return found


def titles(found: TableAnswer) -> list[str]:
    return [thing.title for row in found.result.rows for thing in row.things]


def test_headings_alike_are_things_and_numbered_sections_are_none(changes: RecordsReader) -> None:
    kinds = {kind.name: len(kind.things) for kind in changes.collection.kinds}
    assert kinds == {"release": 5}


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many releases in 2023?", 2),
        ("How many 2.0.x releases were there?", 3),
        ("how many relases does the change log have (without alpha, beta or rc)?", 4),
        ("change log 里 2.0.x 一共记录了多少个正式版（不算 alpha/beta/rc）？", 3),
        ("How many releases since 2.0.9?", 3),
        ("2023 年发布了多少个版本？", 2),
    ],
)
def test_entries_are_counted_under_every_condition(changes: RecordsReader, question: str, count: int) -> None:
    found = answered(changes, question)
    assert found.result.rows[0].cells == (count,)


def test_the_newest_release_is_a_final_one_and_versions_are_no_decimals(changes: RecordsReader) -> None:
    found = answered(changes, "newest 2.0 release and its date?")
    (row,) = found.result.rows
    assert row.cells == ("[2.0.10] - 2024-03-09", "2024-03-09")
    assert titles(answered(changes, "What is the latest release?")) == ["[2.0.10] - 2024-03-09"]


def test_what_an_entry_names_is_cited_in_its_own_section(changes: RecordsReader) -> None:
    found = answered(changes, "Which releases fixed CVE-2024-9001?")
    assert titles(found) == ["[2.0.9] - 2023-11-20", "[2.1.0rc1] - 2024-05-02"]
    assert [row.proofs[0].line for row in found.result.rows if row.proofs[0] is not None] == [17, 9]


@pytest.mark.parametrize(
    "question",
    [
        "How many releases does the neighbour's kiln have?",
        "When was 7.7 released?",
        "Until when does 2.0 get fixes for leaks?",
        "What is new in 2.0.0?",
    ],
)
def test_a_question_with_more_in_it_is_left_alone(changes: RecordsReader, question: str) -> None:
    assert changes.answer(question) is None


def test_documents_with_titles_alike_are_a_series_with_the_day_below_the_title(notes: RecordsReader) -> None:
    kinds = {kind.name: len(kind.things) for kind in notes.collection.kinds}
    assert kinds == {"release": 4}
    found = answered(notes, "When was 3.0.1 released?")
    (row,) = found.result.rows
    assert (row.cells[-1], row.proofs[0].path if row.proofs[0] else "") == ("2021-04-09", "notes/3.0.1.txt")
    assert titles(answered(notes, "Which patch releases are there?")) == [
        "Kiln 3.1.2 release notes",
        "Kiln 3.0.1 release notes",
    ]


@pytest.mark.parametrize(
    ("headings", "kinds"),
    [
        (("UTF-8", "SHA-3", "UCS-2", "ISO-8859"), []),
        (("GATE-8", "GATE-9", "GATE-12", "SHA-3"), [4]),
    ],
)
def test_identifiers_that_share_no_word_are_no_series(headings: tuple[str, ...], kinds: list[int]) -> None:
    pages = {
        f"notes/{at}.md": f"# Notes\n\n## {one}\n\nOwner: Ann\n\nText.\n\n## {two}\n\nOwner: Bo\n"
        for at, (one, two) in enumerate((headings[:2], headings[2:]))
    }
    assert [len(kind.things) for kind in reader_over(pages).collection.kinds] == kinds
