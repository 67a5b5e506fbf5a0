"""Folders that are described by a YAML file beside a text and name one another by a path from a root above."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import Collection
from kbtui.records.relating import RelationAnswer, ValueCheck
from tests.records.folders import linked


def _described(number: int, name: str, group: str, status: str, more: str = "") -> dict[str, str]:
    folder = f"team-{group}/{number}-{name.lower().replace(' ', '-')}"
    fields = f"title: {name}\nplan-number: {number}\nowning-team: team-{group}\nstatus: {status}\n{more}"
    text = f"# PLAN-{number}: {name}\n\n## Summary\n\nAbout {name.lower()}.\n"
    return {f"{folder}/plan.yaml": fields, f"{folder}/README.md": text}


_PLANS = {
    **_described(11, "Cold starts", "storage", "provisional", "created: 2024-02-01\n"),
    **_described(12, "Warm starts", "storage", "implemented", 'created: 2024-03-01\nsince:\n  alpha: "v1.2"\n'),
    **_described(13, "Shared leases", "network", "provisional", "created: 2024-04-01\n"),
    **_described(14, "Lease tables", "network", "deferred", "created: 2024-05-01\n"),
    **_described(
        15,
        "Quick starts",
        "storage",
        "provisional",
        'created: 2024-06-01\nreplaces:\n  - "/plans/team-storage/11-cold-starts"\n',
    ),
    **_described(16, "Key rings", "auth", "withdrawn", "created: 2024-07-01\n"),
}


@pytest.fixture(scope="module")
def reader() -> RecordsReader:
    return RecordsReader(Collection(linked(_PLANS), "plans"), lambda: date(2026, 11, 20))


def titles(answer: object) -> list[str]:
    assert isinstance(answer, TableAnswer)
    return [thing.title for row in answer.result.rows for thing in row.things]


@pytest.mark.parametrize("question", ["What replaced PLAN 11?", "which plan replaces 11", "was 11 replaced?"])
def test_a_path_from_a_root_above_the_folder_names_the_folder_that_it_ends_with(
    reader: RecordsReader, question: str
) -> None:
    answer = reader.read(question)
    assert isinstance(answer, RelationAnswer)
    assert [step.item.path for step in answer.steps] == ["team-storage/15-quick-starts/plan.yaml"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("which plans owned by the storage group are still provisional?", ["Cold starts", "Quick starts"]),
        ("which plans does the network team own?", ["Shared leases", "Lease tables"]),
        ("all plans with starts in the title", ["Cold starts", "Warm starts", "Quick starts"]),
        ("plans whose title contains lease", ["Shared leases", "Lease tables"]),
    ],
)
def test_teams_and_words_of_titles_are_read_in_other_words(
    reader: RecordsReader, question: str, expected: list[str]
) -> None:
    assert sorted(titles(reader.read(question))) == sorted(expected)


@pytest.mark.parametrize("question", ["Was 16 ever accepted?", "has PLAN-16 been merged?"])
def test_a_word_of_a_life_cycle_that_the_folder_does_not_use_is_answered_with_the_state(
    reader: RecordsReader, question: str
) -> None:
    answer = reader.read(question)
    assert isinstance(answer, ValueCheck)
    assert (answer.fact.value, answer.holds, answer.is_own_word) == ("withdrawn", None, False)


def test_a_word_that_is_no_state_is_not_answered_with_one(reader: RecordsReader) -> None:
    assert not isinstance(reader.read("Was 16 ever painted?"), ValueCheck)


def test_the_day_or_version_of_several_fields_of_one_name_answers_when() -> None:
    files = dict(_PLANS)
    for path in [path for path in files if path.endswith("README.md")]:
        files[path] += "\n## Alpha\n\n- The way back is documented\n- One pilot agrees\n"
    reader = RecordsReader(Collection(linked(files), "plans"), lambda: date(2026, 11, 20))
    answer = reader.read("since when is Warm starts alpha?")
    assert isinstance(answer, RelationAnswer)
    assert [step.item.label for step in answer.steps] == ["v1.2"]
    assert not isinstance(reader.read("since when is Key rings alpha?"), RelationAnswer)


_PAGES = {
    f"pages/{name}.md": f"# {name.title()}\n\n| {name.title()} | |\n| --- | --- |\n| Type | {kind} |\n"
    f"| Damage | {damage} |\n| Weight | {damage * 2} |\n\n## Crafting\n\nMade at the [Anvil](anvil.md).\n"
    for name, kind, damage in (
        ("sword", "Weapon", 40),
        ("club", "Weapon", 12),
        ("spade", "Tool", 7),
        ("anvil", "Machine", 1),
    )
}


@pytest.fixture(scope="module")
def pages() -> RecordsReader:
    return RecordsReader(Collection(linked(_PAGES), "pages"), lambda: date(2026, 11, 20))


def test_a_figure_is_compared_only_where_a_word_names_it_or_says_what_is_compared(pages: RecordsReader) -> None:
    assert titles(pages.read("Which page has the highest damage?"))[:1] == ["Sword"]
    assert pages.read("How big may a single page be at most?") is None
    assert pages.read("单个页面最大多大？") is None


def test_how_something_is_done_is_not_told_by_one_field(pages: RecordsReader) -> None:
    assert pages.read("how do you craft a sword?") is None


_HEADS = (
    (100, "How a note is written", "txt", "Ada Poe", "Active", "Opened: 3 Feb 2009"),
    (101, "Lock names", "rst", "Ada Poe", "Retired", "Opened: 9 Mar 2010\nRetired-By: 103"),
    (102, "Tide tables", "txt", "Bo Ruiz", "Active", "Opened: 1 Apr 2010\nDepends-On: 100"),
    (103, "Lock identifiers", "rst", "Bo Ruiz", "Active", "Opened: 2 May 2011\nRetires: 101\nDepends-On: 100, 102"),
    (104, "Old berths", "txt", "Bo Ruiz", "Retired", "Opened: 2 May 2012\nRetired-By: 105"),
    (105, "Berths", "txt", "Bo Ruiz", "Active", "Opened: 2 May 2013\nRetires: 104"),
)
_NOTES = {
    f"notes/iwn-{number}.{suffix}": f"Number: {number}\nTitle: {title}\nEditor: {editor}\nState: {state}\n{more}\n\n"
    "Aim\n---\n\nText.\n"
    for number, title, suffix, editor, state, more in _HEADS
}


@pytest.fixture(scope="module")
def notes() -> RecordsReader:
    return RecordsReader(Collection(linked(_NOTES), "notes"), lambda: date(2026, 11, 20))


def test_a_number_in_the_header_and_in_the_name_of_a_file_makes_one_series(notes: RecordsReader) -> None:
    (kind,) = notes.collection.kinds
    assert (len(kind.things), kind.is_numbered) == (6, True)
    assert sorted(thing.name for thing in kind.things) == [f"IWN {number}" for number in range(100, 106)]


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("what replaced 101?", ["IWN 103"]),
        ("what does 103 retire?", ["IWN 101"]),
        ("direct dependencies of 103 pls", ["IWN 100", "IWN 102"]),
        ("which notes have 102 among their dependencies?", ["IWN 103"]),
        ("state of 101", ["Retired"]),
    ],
)
def test_a_note_of_a_series_is_asked_for_its_relations(notes: RecordsReader, question: str, labels: list[str]) -> None:
    answer = notes.read(question)
    assert isinstance(answer, RelationAnswer)
    assert [step.item.label for step in answer.steps] == labels


def test_everything_means_the_only_kind_and_a_year_is_counted(notes: RecordsReader) -> None:
    assert len(titles(notes.read("everything with the state Active"))) == 4
    answer = notes.read("In which year were the most notes opened?")
    assert isinstance(answer, TableAnswer)
    assert answer.result.rows[0].cells[0] == "2010"
