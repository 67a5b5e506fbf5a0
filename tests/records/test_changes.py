"""In which release something was added, removed or deprecated."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import Collection
from tests.records.folders import linked

_LOG = """# Changes

## 2.1.0 (2024-05-02)

- mention the bellows option again: add a picture
- drop the treadle of `old_frame`

## 2.0.0 (2023-01-15)

New features:

- implement --dry-run for the bellows
- new: leather bellows,
  softer than before

## 1.9.0 (2022-07-01)

### Removed

- the tongs of Iron 3.9

### Fixed

- add oil
- bellows leak, paint the leather

## 1.8.0 (2021-07-01)

- support Wood 3.12
"""


class _Source:
    def lines(self, path: str) -> list[str]:
        return _LOG.split("\n")


@pytest.fixture(scope="module")
def reader() -> RecordsReader:
    links = linked({"CHANGES.md": _LOG})
    return RecordsReader(Collection(links, "forge"), lambda: date(2026, 11, 20), _Source())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("In which release were leather bellows added?", "2.0.0 (2023-01-15)"),
        ("When were leather bellows introduced?", "2.0.0 (2023-01-15)"),
        ("Which forge version introduced leather bellows?", "2.0.0 (2023-01-15)"),
        ("Which version added the --dry-run option?", "2.0.0 (2023-01-15)"),
        ("In which release was the treadle removed?", "2.1.0 (2024-05-02)"),
        ("When was support for Wood 3.12 added?", "1.8.0 (2021-07-01)"),
        ("Which release removed the tongs?", "1.9.0 (2022-07-01)"),
    ],
)
def test_the_first_release_with_an_item_that_says_so_is_told(reader: RecordsReader, question: str, title: str) -> None:
    found = reader.read(question)
    titles = [row.things[0].title for row in found.result.rows] if isinstance(found, TableAnswer) else [""]
    assert titles == [title]


def test_the_line_that_says_so_is_its_proof(reader: RecordsReader) -> None:
    found = reader.read("In which release were leather bellows added?")
    assert isinstance(found, TableAnswer)
    (proof,) = found.result.rows[0].proofs
    assert proof is not None
    assert (proof.line, proof.value) == (13, "new: leather bellows,")


@pytest.mark.parametrize(
    "question",
    [
        "In which release was the anvil added?",
        "Which version added the --dry option?",
        "Which iron version introduced leather bellows?",
        "When was support for Wood 3.1 added?",
    ],
)
def test_what_no_item_says_and_versions_of_other_things_are_left_to_the_search(
    reader: RecordsReader, question: str
) -> None:
    assert reader.read(question) is None
