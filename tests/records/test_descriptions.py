"""A thing described by its relation to another is looked up first, and the rest is asked of what was found."""

from __future__ import annotations

import pytest

from kbtui.reasoning.recorded import told
from kbtui.records.asking import RecordsReader
from kbtui.records.collection import Collection
from kbtui.records.descriptions import find_descriptions
from kbtui.records.items import hits_of
from kbtui.records.relating import RelationAnswer, answer_relations
from tests.records.relation_corpora import HANDBOOK, STANDARDS, links_of

LINKS = links_of({**STANDARDS, **HANDBOOK})
READER = RecordsReader(Collection(LINKS))


def answer(question: str) -> str:
    found = READER.read(question)
    return told(found, None, question).markdown.split("\n---")[0] if found is not None else ""


@pytest.mark.parametrize(
    ("question", "description"),
    [
        ("Who wrote the PEP that superseded PEP 2?", "the PEP that superseded PEP 2"),
        ("Which PEP does the PEP that replaced PEP 2 require?", "the PEP that replaced PEP 2"),
        ("Who is the owner of the ticket blocking PROJ-12?", "the ticket blocking PROJ-12"),
        ("Who owns the service that `PROJ-12` depends on?", "the service that `PROJ-12` depends on"),
        ("Who wrote the PEPs PEP 3 requires?", "the PEPs PEP 3 requires"),
        ("Who wrote the PEP PEP 2 was replaced by?", "the PEP PEP 2 was replaced by"),
        ("Who wrote the replacement for PEP 2?", "the replacement for PEP 2"),
        ("Who wrote PEP 2's successor?", "PEP 2's successor"),
        ("Who is the author of PEP 2's successor?", "PEP 2's successor"),
        ("Who wrote the PEP required by the PEP that superseded PEP 2?", "the PEP that superseded PEP 2"),
        ("取代了 PEP 2 的那个 PEP 的作者是谁", "取代了 PEP 2 的那个 PEP"),
        ("被 PEP 2 取代的 PEP 依赖哪些 PEP", "被 PEP 2 取代的 PEP"),
        ("PEP 2 的后继者是谁写的", "PEP 2 的后继者"),
        ("写 PEP 2 的人还写了哪些 PEP", "写 PEP 2 的人"),
    ],
)
def test_a_description_is_told_by_the_order_of_its_words(question: str, description: str) -> None:
    found = [question[start:end] for start, end in find_descriptions(question, LINKS.finder.find(question))]
    assert found[0] == description


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            "Who wrote the PEP that superseded PEP 2?",
            ["PEP 2 was superseded by: **PEP 3**", "PEP 3 was written by: **Ada"],
        ),
        ("Who wrote PEP 2's successor?", ["PEP 2 was superseded by: **PEP 3**", "PEP 3 was written by: **Ada"]),
        ("Who wrote the PEP that PEP 3 replaced?", ["PEP 3 replaces: **PEP 2**", "PEP 2 was written by: **Grace"]),
        (
            "What is the status of the PEP that replaced PEP 2?",
            ["superseded by: **PEP 3**", "PEP 3, status: **Final**"],
        ),
        (
            "Which PEPs does the successor of PEP 2 require?",
            ["superseded by: **PEP 3**", "PEP 3 requires:", "**PEP 10**"],
        ),
        ("What else did the author of PEP 2 write?", ["PEP 2 was written by: **Grace", "PEP 10", "PEP 100"]),
        ("取代 PEP 2 的 PEP 是谁写的？", ["PEP 2 被以下文档取代： **PEP 3**", "PEP 3 的作者： **Ada"]),
        ("PEP 3 依赖的 PEP 的状态是什么", ["PEP 1 的 status： **Active**", "PEP 10 的 status： **Final**"]),
        ("写 PEP 2 的人还写了哪些 PEP", ["PEP 2 的作者： **Grace", "PEP 10", "PEP 100"]),
        ("What does the ticket that blocks PROJ-12 block?", ["PROJ-12 is blocked by: **PROJ-100**", "PROJ-13"]),
    ],
)
def test_the_rest_is_asked_of_what_was_found_and_both_are_cited(question: str, lines: list[str]) -> None:
    written = answer(question)
    assert [line for line in lines if line not in written] == []


def test_a_description_in_a_description_is_looked_up_first() -> None:
    written = answer("What is the status of the PEP required by the PEP that superseded PEP 2?")
    for line in ("by: **PEP 3**", "PEP 3 requires:", "PEP 1, status: **Active**", "PEP 10, status: **Final**"):
        assert line in written
    assert "PEP 3, status" not in written, "the status of what stands between"


@pytest.mark.parametrize(
    "question",
    [
        "Which PEP superseded PEP 2?",
        "Which PEP is the successor of PEP 2?",
        "What is the replacement for pep-0002?",
        "What are the author and status of PEP 3?",
        "What is the status and the author of PEP 3?",
        "List the PEPs that require PEP 10",
        "PEP 3 的作者和状态是什么？",
        "PEP 3 取代的 PEP 有哪些？",
    ],
)
def test_what_asks_nothing_of_a_description_is_one_question(question: str) -> None:
    found = answer_relations(LINKS, question)
    assert found is not None
    assert {step.via for step in found.steps} == {found.entity}


@pytest.mark.parametrize(
    "question",
    [
        "Which PEP does the PEP that PEP 3 replaced require?",
        "被 PEP 3 取代的 PEP 依赖哪些 PEP？",
        "Who wrote the PEP that superseded PEP 100?",
    ],
)
def test_where_one_of_the_relations_is_not_stated_nothing_is(question: str) -> None:
    assert READER.read(question) is None


def test_all_things_that_a_description_comes_to_are_asked_about() -> None:
    many = {
        f"peps/pep-02{n}.rst": f"PEP: 2{n}\nTitle: T{n}\nAuthor: Name{n} Last\nRequires: 1\n" for n in range(10, 17)
    }
    found = answer_relations(
        links_of({"peps/pep-0001.rst": STANDARDS["peps/pep-0001.rst"], **many}),
        "Who wrote the PEPs that require PEP 1?",
    )
    assert isinstance(found, RelationAnswer)
    assert sum(step.item.label.endswith("Last") for step in found.steps) == 7


def test_each_line_is_noted_with_the_thing_it_is_about() -> None:
    found = answer_relations(LINKS, "Who wrote the PEP that superseded PEP 2?")
    assert found is not None
    assert [hit.note for hit in hits_of(found.steps)] == [
        "PEP 2 —superseded-by→ PEP 3 «New dict»",
        "PEP 3 —author→ Ada Lovelace",
    ]
