from __future__ import annotations

import pytest

from kbtui.reasoning.checking.facts import ground
from kbtui.reasoning.checking.passages import Passage, Window, passage
from kbtui.reasoning.checking.standing import Known, Standing, standings
from kbtui.reasoning.checking.support import Scorer, claim_of
from kbtui.reasoning.citing import Excerpt

LINES = (
    "The gateway was moved to Frankfurt in March 2021 by Ada Novak.",
    "The billing service runs in Dublin and is kept by Priya Raman.",
    "Its budget grew to 1,480 euros in 2023.",
)


def source(*lines: str) -> Passage:
    return passage(1, Excerpt("notes.md", 1, lines), "")


def stand(sentence: str, *, known: Known | None = None, one: Passage | None = None) -> dict[str, Standing]:
    held = one or source(*LINES)
    claim = claim_of(sentence, sentence)
    scorer = Scorer(lambda: None)
    weights = scorer.weights([claim], [held])
    windows: list[Window] = scorer.windows(claim, [held], weights)
    found = standings(claim, windows, weights, known or Known(), 0.5)
    return {one.fact.text: one for one in found}


def test_a_name_beside_what_else_the_sentence_says_has_company_and_one_from_elsewhere_does_not() -> None:
    right = stand("In March 2021 Ada Novak moved the gateway to Frankfurt.")["Frankfurt"].values
    wrong = stand("In March 2021 Ada Novak moved the gateway to Dublin.")["Dublin"].values
    assert right["company"] > wrong["company"]
    assert right["rival"] < wrong["rival"]
    assert right["misfit"] < wrong["misfit"]


def test_numbers_of_one_date_stand_together() -> None:
    assert stand("The gateway was moved in March 2021.")["2021"].values["together"] == 1
    parted = stand("The gateway was moved in March 2023.")["2023"].values
    assert (parted["together"], parted["parted"]) == (0, 1)


def test_a_name_that_stands_nowhere_is_absent_unless_the_answer_has_said_it_before() -> None:
    sentence = "The gateway was moved by Kowalski to Frankfurt."
    assert stand(sentence)["Kowalski"].values["absent"] > 0
    before = Known(before=(ground("Kowalski keeps the gateway."),))
    said = stand(sentence, known=before)["Kowalski"].values
    assert said["absent"] == 0
    assert said["known"] == 1
    assert said["misfit"] == 0, "the lines call it something else, so it has no place there"


@pytest.mark.parametrize("word", ["two", "twelve"])
def test_a_count_in_words_says_less_against_a_sentence_than_one_in_digits(word: str) -> None:
    digits = {"two": "2", "twelve": "12"}[word]
    spelled = stand(f"The gateway has {word} owners.")[word].values
    written = stand(f"The gateway has {digits} owners.")[digits].values
    assert 0 < spelled["absent"] < written["absent"]


def test_a_number_that_counts_something_else_has_another_measure() -> None:
    kept = source("Backups are kept for 35 days.")
    assert stand("Backups are kept for 35 minutes.", one=kept)["35"].values["measure"] == 1
    assert stand("Backups are kept for 35 days.", one=kept)["35"].values["measure"] == 0
