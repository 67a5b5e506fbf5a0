"""Questions about files and about what texts say, over every file of a folder."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.domain.document import FileRecord
from kbtui.knowledge.reading.loaders import parse
from kbtui.knowledge.relations import extract_relations, file_labels
from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import Collection
from kbtui.records.links import Links

_FILES = {
    "guide/soil-map.md": "# Soil map\n\nSoil under the beds of the garden.\n",
    "guide/frost-map.md": "# Frost map\n\nFrost in the garden.\n\nThe gate is shut while the pump\nruns dry.\n",
    "guide/tools/rake.md": "# Rake\n\nLeaves of the garden.\n\n\n\n\nThe gate. The pump. Nothing runs.\n",
    "guide/tools/spade.md": "# Spade\n\nThe gate is shut while a pump runs dry.\n",
    "notes/0003-harvest-2021.md": "# Harvest\n\nPears.\n",
    "notes/0007-harvest-2022.md": "# Harvest\n\nApples.\n",
    "notes/0009-harvest-2024.md": "# Harvest\n\nPlums.\n",
    "notes/CoursePages/01 Seeds.md": "# Seeds\n\nSow them.\n",
    "notes/CoursePages/02 Roots.md": "# Roots\n\nDig them.\n",
    "浇水.md": "# 浇水\n\n每天早上给花园浇水，冬天除外。\n",
}


class _Source:
    def lines(self, path: str) -> list[str]:
        return _FILES[path].split("\n")


@pytest.fixture(scope="module")
def reader() -> RecordsReader:
    documents = [parse(text.encode(), path) for path, text in _FILES.items()]
    records = [
        FileRecord(path=d.path, kind=d.kind, title=d.title, labels=file_labels(d), line_count=d.text.count("\n") + 1)
        for d in documents
    ]
    links = Links(records, [relation for d in documents for relation in extract_relations(d)])
    return RecordsReader(Collection(links), lambda: date(2026, 11, 20), _Source())  # type: ignore[arg-type]


def answered(reader: RecordsReader, question: str) -> TableAnswer:
    found = reader.read(question)
    assert isinstance(found, TableAnswer), question
    return found


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many pages about maps are there?", 2),
        ("How many map pages does the guide have for the garden?", 2),
        ("How many documents are in Chinese?", 1),
        ("有多少个中文文档？", 1),
        ("How many files are in guide/tools/?", 2),
        ("How many files are in the guide folder?", 4),
        ("How many harvests are there?", 3),
        ("How many yearly harvest notes do you have?", 3),
        ("How many chapters do the course pages have?", 2),
        ("How many sub-pages are there below CoursePages?", 2),
    ],
)
def test_files_are_counted_by_title_folder_and_language(reader: RecordsReader, question: str, count: int) -> None:
    assert answered(reader, question).result.rows[0].cells == (count,)


def test_the_first_and_the_last_year_of_a_family_are_told(reader: RecordsReader) -> None:
    found = answered(reader, "How many yearly harvests are there, from which year to which?")

    assert found.result.rows[0].cells == (3, 2021, 2024)


@pytest.mark.parametrize("question", ["How many chapters are there?", "How many pears are there in the harvests?"])
def test_what_is_no_part_of_a_folder_is_not_counted(reader: RecordsReader, question: str) -> None:
    assert reader.read(question) is None


def test_files_of_one_title_are_told_by_their_names(reader: RecordsReader) -> None:
    row = answered(reader, "How many harvests are there?").result.rows[0]

    assert row.things[0].display_name == "0003-harvest-2021.md"


def test_a_clause_is_stated_where_all_of_its_words_stand_together(reader: RecordsReader) -> None:
    (row,) = answered(reader, "How many pages say that the gate is shut while the pump runs dry?").result.rows
    assert [(proof.path, proof.line) for proof in row.proofs if proof is not None] == [
        ("guide/frost-map.md", 5),
        ("guide/tools/spade.md", 3),
    ]


def test_the_longest_file_is_told_with_its_lines(reader: RecordsReader) -> None:
    (row,) = answered(reader, "Which is the longest file?").result.rows
    assert (row.things[0].path, row.cells[-1]) == ("guide/tools/rake.md", 9)


@pytest.mark.parametrize(
    "question",
    [
        "How many maps are on a page of the guide?",
        "Which files are about maps?",
        "How many pages about tulips are there?",
        "What does the soil map say?",
    ],
)
def test_what_a_search_answers_better_is_left_to_it(reader: RecordsReader, question: str) -> None:
    assert reader.read(question) is None
