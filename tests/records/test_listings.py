"""Documents that a page lists under a sentence or a heading: which they are, and where it says so."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.records.asking import RecordsReader
from kbtui.records.collection import Collection
from kbtui.records.relating import RelationAnswer
from tests.records.folders import linked

_NOTES = """Ring 2.1 notes
==============

The following plans have been built in Ring 2.1:

- :doc:`plan-bells`
- :doc:`plan-brakes`: but for the rear one.

The following plans have been built in part in Ring 2.1.

- :doc:`plan-chains`

.. note:: Nothing else.
"""
_INDEX = """# Plans

## Abandoned ideas

- [Forks](plan-forks.rst) were bent.
- [Dynamos](plan-dynamos.rst)

## Elsewhere

- [A shop](https://shop.example)
"""


@pytest.fixture(scope="module")
def plans() -> RecordsReader:
    files = {
        f"plan-{name}.rst": f"{name.title()}\n=======\n\n:Owner: Ada\n:Level: low\n\nText.\n"
        for name in ("bells", "brakes", "chains", "dynamos", "forks")
    }
    return RecordsReader(
        Collection(linked({**files, "notes-2.1.rst": _NOTES, "index.md": _INDEX}), "ring"), lambda: date(2026, 11, 20)
    )


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("Which plans have been built in 2.1?", {"plan-bells.rst": (4, 6), "plan-brakes.rst": (7, 7)}),
        ("Which plans were built in part in 2.1?", {"plan-chains.rst": (9, 11)}),
        ("Which plans are abandoned ideas?", {"plan-forks.rst": (3, 5), "plan-dynamos.rst": (6, 6)}),
    ],
)
def test_what_stands_under_the_words_of_a_question_answers_it(
    plans: RecordsReader, question: str, lines: dict[str, tuple[int, int]]
) -> None:
    found = plans.read(question)
    assert isinstance(found, RelationAnswer), question
    hits = {step.item.path: (step.item.hit.start_line, step.item.hit.end_line) for step in found.steps}
    assert hits == lines


@pytest.mark.parametrize(
    "question",
    [
        "Which plans have not been built in 2.1?",
        "Which plans have been built in 2.2?",
        "Which plans have been built cheaply in 2.1?",
    ],
)
def test_other_words_or_their_negation_are_answered_by_no_list(plans: RecordsReader, question: str) -> None:
    assert not isinstance(plans.read(question), RelationAnswer)
