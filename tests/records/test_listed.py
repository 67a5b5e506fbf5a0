"""Records that files of data list: things called by their names, with the lines that state them."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.records.asking import RecordsReader
from kbtui.records.collection import Collection
from tests.records.folders import linked

_TALKS = "".join(
    f"- topic: {topic}\n  speaker: {speaker}\n  year: {year}\n  tags:\n    - bikes\n    - {tag}\n\n"
    for topic, speaker, year, tag in (
        ("Why bells ring", "Ada Hope", 2019, "bells"),
        ("Brakes that hold", "Bo Lind", 2020, "brakes"),
        ("Chains, and how they slip", "Ada Hope", 2020, "chains"),
        ("Dynamos at night", "Cy Moor", 2021, "lamps"),
    )
)
_SERVICES = "".join(
    f"  {name}:\n    image: {image}\n    ports: [80]\n" for name, image in zip("abc", "xxy", strict=True)
)
_LOCK = "version = 3\n\n" + "".join(
    f'[[package]]\nname = "{name}"\nsource = "{source}"\n\n'
    for name, source in (("bell", "shop"), ("lamp", "shop"), ("pump", "barn"))
)
_FILES = {
    "_data/ringconf-talks.yml": f"# All talks\n{_TALKS}",
    "compose.yaml": f"version: 3\nservices:\n{_SERVICES}",
    "parts.lock.toml": _LOCK,
    "README.md": "# Rings\n\nWhat we do.\n",
}


@pytest.fixture(scope="module")
def listed() -> RecordsReader:
    return RecordsReader(Collection(linked(_FILES), "rings"), lambda: date(2026, 11, 20))


def test_each_record_is_a_thing_of_a_kind_called_as_the_list(listed: RecordsReader) -> None:
    kinds = {kind.name: [thing.title for thing in kind.things] for kind in listed.collection.kinds}
    assert kinds == {
        "talk": ["Why bells ring", "Brakes that hold", "Chains, and how they slip", "Dynamos at night"],
        "service": ["a", "b", "c"],
        "package": ["bell", "lamp", "pump"],
    }


@pytest.mark.parametrize(
    ("question", "titles", "lines"),
    [
        ("Which talks are by Ada Hope?", ["Why bells ring", "Chains, and how they slip"], [3, 17]),
        ("Which services have the image x?", ["a", "b"], [4, 7]),
        ("Which packages come from the source barn?", ["pump"], [13]),
    ],
)
def test_records_are_cited_by_their_own_lines(
    listed: RecordsReader, question: str, titles: list[str], lines: list[int]
) -> None:
    found = listed.answer(question)
    assert found is not None
    rows = found.result.rows
    assert [thing.title for row in rows for thing in row.things] == titles
    assert [proof.line for row in rows for proof in row.proofs if proof is not None] == lines


def test_records_are_counted_by_what_they_state(listed: RecordsReader) -> None:
    found = listed.answer("How many ringconf talks were in 2020?")
    assert found is not None
    assert found.result.rows[0].cells == (2,)


def test_records_of_files_that_state_more_are_details_of_these_files() -> None:
    tools = {
        f"tools/{name}.yml": f"author: Ada\nlevel: low\noptions:\n  {name}1:\n    type: a\n  {name}2:\n    type: b\n"
        for name in "abcd"
    }
    collection = Collection(linked(tools), "tools")
    assert [kind.name for kind in collection.kinds] == ["tool"]
    assert {fact.value for fact in collection.kinds[0].things[0].facts["options"]} == {"a1", "a2"}


def test_a_field_in_the_singular_and_in_the_plural_is_one() -> None:
    posts = {
        f"posts/{at}.md": f"---\n{field}: {value}\n---\n\nText.\n"
        for at, (field, value) in enumerate((("category", "news"), ("categories", "[news]"), ("category", "tips")))
    }
    (kind,) = Collection(linked(posts)).kinds
    assert dict(kind.fields) == {"category": 3}
