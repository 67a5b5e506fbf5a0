from __future__ import annotations

import pytest

from kbtui.reasoning.checking.facts import ground
from kbtui.reasoning.checking.passages import Passage, Window, passage
from kbtui.reasoning.checking.standing import FactFeatures, KnownTexts, fact_features
from kbtui.reasoning.checking.support import Scorer, claim_of, log_odds
from kbtui.reasoning.citing import Excerpt

LINES = (
    "The gateway was moved to Frankfurt in March 2021 by Ada Novak.",
    "The billing service runs in Dublin and is kept by Priya Raman.",
    "Its budget grew to 1,480 euros in 2023.",
)


def source(*lines: str) -> Passage:
    return passage(1, Excerpt("notes.md", 1, lines), "")


def stand(sentence: str, *, known: KnownTexts | None = None, one: Passage | None = None) -> dict[str, FactFeatures]:
    held = one or source(*LINES)
    claim = claim_of(sentence, sentence)
    scorer = Scorer(lambda: None)
    weights = scorer.weights([claim], [held])
    windows: list[Window] = scorer.windows(claim, [held], weights)
    found = fact_features(claim, windows, weights, known or KnownTexts(), 0.5)
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


def test_a_number_beside_the_one_that_stands_in_its_place_there_is_of_another_date() -> None:
    kept = source("Charlie Russell died on May 7, 2018 in Calgary.", "The season of 2003 was his last in Kamchatka.")
    for sentence, wrong in (("He died on May 5, 2018.", "5"), ("He died on May 7, 2003.", "2003")):
        found = stand(sentence, one=kept)
        assert found[wrong].values["redated"] == 1
        assert found[wrong].values["together"] == 0
    right = stand("He died on May 7, 2018.", one=kept)
    assert [right[part].values["redated"] for part in ("7", "2018", "May")] == [0, 0, 0]


def test_a_year_has_more_than_one_month() -> None:
    kept = source("In August of 1865 the twins were born, and by December the book was finished.")
    assert stand("The book came out in December 1865.", one=kept)["December"].values["redated"] == 0


def test_only_a_number_of_its_shape_can_stand_in_the_place_of_another() -> None:
    years = source("The gateway was rebuilt in 2021 by Ada Novak.")
    counts = source("The gateway was rebuilt in 14 days by Ada Novak.")
    sentence = "The gateway was rebuilt in 2019 by Ada Novak."
    assert stand(sentence, one=years)["2019"].values["rival"] > 0
    assert stand(sentence, one=counts)["2019"].values["rival"] == 0


def test_a_number_that_the_question_or_the_answer_has_named_is_no_invention() -> None:
    sentence = "The gateway had 17 owners in Frankfurt."
    assert stand(sentence)["17"].values["absent"] == 1
    asked = stand(sentence, known=KnownTexts(question=ground("Which gateway had 17 owners?")))["17"].values
    assert (asked["absent"], asked["absent_known"]) == (0, 1)


def test_who_was_named_in_full_is_known_by_the_last_name_alone_and_the_other_way_round() -> None:
    sentence = "The gateway was moved by Jana Kowalski to Frankfurt."
    before = KnownTexts(before=(ground("Kowalski keeps the gateway."),))
    assert 0 < stand(sentence, known=before)["Jana Kowalski"].values["known"] < 1
    first = KnownTexts(before=(ground("Jana keeps the gateway."),))
    assert stand(sentence, known=first)["Jana Kowalski"].values["known"] == 0


def test_a_name_that_stands_nowhere_is_absent_unless_the_answer_has_said_it_before() -> None:
    sentence = "The gateway was moved by Kowalski to Frankfurt."
    assert stand(sentence)["Kowalski"].values["absent"] > 0
    before = KnownTexts(before=(ground("Kowalski keeps the gateway."),))
    said = stand(sentence, known=before)["Kowalski"].values
    assert said["absent"] == 0
    assert said["known"] == 1
    assert said["misfit"] == 0, "the lines call it something else, so it has no place there"


@pytest.mark.parametrize("word", ["two", "twelve"])
def test_a_count_in_words_says_less_against_a_sentence_than_one_in_digits(word: str) -> None:
    digits = {"two": "2", "twelve": "12"}[word]
    spelled = stand(f"The gateway has {word} owners.")[word].values
    written = stand(f"The gateway has {digits} owners.")[digits].values
    assert (spelled["absent"], spelled["absent_word"]) == (0, 1)
    assert (written["absent"], written["absent_word"]) == (1, 0)
    assert log_odds(spelled, "latin", "number") < log_odds(written, "latin", "number")


def test_a_number_that_counts_something_else_has_another_measure() -> None:
    kept = source("Backups are kept for 35 days.")
    assert stand("Backups are kept for 35 minutes.", one=kept)["35"].values["measure"] == 1
    assert stand("Backups are kept for 35 days.", one=kept)["35"].values["measure"] == 0
