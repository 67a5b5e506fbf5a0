"""Words of questions that mean fields and things of a folder without being theirs."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import Collection
from tests.records.folders import linked

_LEASES = (("mill-4", "4 Mill Lane", "Carys Bevan", "2025-06-14", "£1,210", "Ann Pell"),
           ("quay-1", "1 Quay Street", "Deji Afolabi", "2025-08-31", "£985", "Ann Pell"),
           ("row-6", "6 Chapel Row", "Odile Marchetti", "2026-06-30", "£1,460", "Quill Estates"))  # fmt: skip
_FILES = {
    **{
        f"leases/{stem}.txt": (
            f"TENANCY AGREEMENT\n\nProperty: {place}\nTenant: {tenant}\nLandlord: {landlord}\nStart: 2024-07-01\n"
            f"End: {end}\nRent: {rent} per month\nStatus: {'notice given' if stem == 'quay-1' else 'running'}\n\n"
            "The rent is due on the first.\n"
        )
        for stem, place, tenant, end, rent, landlord in _LEASES
    },
    **{
        f"plugins/{name}.md": (
            f"---\nplugin: {name}\nmaintainer: {by}\neditor: {by}\nneeds: [{needs}]\n---\n# {name}\n\nIt works.\n"
        )
        for name, by, needs in (
            ("ledger", "Ruben", ""),
            ("datev", "Ruben", "ledger"),
            ("planner", "Jun", ""),
            ("capacity", "Ruben", "planner"),
        )
    },
    "报修.csv": (
        "单号,报修日期,维修人,状态\nBX-1,2025-03-02,秦师傅,已完成\nBX-2,2025-03-04,崔师傅,已完成\n"
        "BX-3,2025-03-09,秦师傅,已完成\nBX-4,2025-04-01,,待派单\n"
    ),
    "readme.md": "# The folder\n\nSee the files.\n",
}


@pytest.fixture(scope="module")
def reader() -> RecordsReader:
    return RecordsReader(Collection(linked(_FILES), "office"), lambda: date(2026, 11, 28))


def _answer(reader: RecordsReader, question: str) -> TableAnswer:
    answer = reader.read(question)
    assert isinstance(answer, TableAnswer), question
    return answer


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("which leases run out in 2025", {"4 Mill Lane", "1 Quay Street"}),
        ("which plugins need no other plugin", {"ledger", "planner"}),
        ("哪些报修单还没派人", {"BX-4"}),
        ("who has given notice", {"1 Quay Street"}),
    ],
)
def test_a_wording_means_the_field_that_the_folder_has(reader: RecordsReader, question: str, names: set[str]) -> None:
    rows = _answer(reader, question).result.rows
    assert {thing.display_name for row in rows for thing in row.things} == names


@pytest.mark.parametrize(
    ("question", "cells"),
    [
        ("who looks after the most plugins", ("Ruben", 3)),
        ("who edits the most plugins", ("Ruben", 3)),
        ("谁修的单子最多，几张", ("秦师傅", 2)),
    ],
)
def test_who_has_done_the_most_is_counted_by_the_field_for_those_who_do_it(
    reader: RecordsReader, question: str, cells: tuple[str, int]
) -> None:
    assert _answer(reader, question).result.rows[0].cells == cells


def test_amounts_of_money_with_a_constant_unit_are_compared_as_numbers(reader: RecordsReader) -> None:
    (row,) = _answer(reader, "what is the highest rent").result.rows
    assert row.things[0].display_name == "6 Chapel Row"


def test_a_verb_that_no_field_is_named_by_stays_as_it_is(reader: RecordsReader) -> None:
    assert reader.words.derived.with_fields("who inspects the leases") == "who inspects the leases"
