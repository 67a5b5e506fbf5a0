"""What the grader sees: each feature is a share between 0 and 1 and grows with what it names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from kbtui.domain.evidence import Hit
from kbtui.domain.routing import SubQuestion
from kbtui.question.terms import question_terms
from kbtui.reasoning.offline.features import NAMES, features, longest_run, prepared


def seen(question: str, text: str, rarity: Mapping[str, float] | None = None) -> Mapping[str, float]:
    hit = Hit(path="doc.md", start_line=1, end_line=1, text=text)

    def rare(tokens: Iterable[str]) -> Mapping[str, float]:
        return {token: (rarity or {}).get(token, 1.0) for token in tokens}

    passage = prepared(hit)
    terms = question_terms(SubQuestion(semantic_intent=question), passage.is_han, rare if rarity else None)
    return features(terms, passage, None)


@pytest.mark.parametrize(
    "text", ["", "circuit breaker", "a " * 500, "断路器什么时候打开", "the breaker of the circuit"]
)
@pytest.mark.parametrize("question", ["when does the circuit breaker open?", "断路器什么时候打开？", "?", "PEP 509"])
def test_every_feature_is_a_share(question: str, text: str) -> None:
    values = seen(question, text)
    assert set(values) == set(NAMES)
    assert all(0 <= value <= 1 for value in values.values())


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    rarity = {"timeout": 0.2, "breaker": 0.9}
    assert seen("breaker timeout", "the breaker", rarity)["coverage"] > 0.7
    assert seen("breaker timeout", "the timeout", rarity)["coverage"] < 0.3


def test_words_that_stand_together_are_worth_more_than_words_far_apart() -> None:
    together, apart = "circuit breaker opens", "circuit " + "filler " * 80 + "breaker opens"
    for name in ("window", "order"):
        assert (
            seen("when does the circuit breaker open?", together)[name]
            > (seen("when does the circuit breaker open?", apart)[name])
        )


def test_saying_it_more_often_in_fewer_words_is_worth_more() -> None:
    often, once = "breaker breaker breaker", "breaker " + "filler " * 200
    assert seen("what is a breaker?", often)["frequency"] > seen("what is a breaker?", once)["frequency"]


def test_pairs_over_the_border_of_two_chinese_words_cost_nothing() -> None:
    whole, halves = seen("黑豹防守", "黑豹的坚固防守"), seen("黑豹防守", "豹黑的坚固守防")
    assert whole["characters"] == 1.0
    assert whole["coverage"] < 1.0
    assert halves["characters"] < 0.5


def test_a_chinese_sentence_in_other_words_still_shares_its_characters() -> None:
    together = seen("断路器何时会打开", "路由断开之后，机器何时再开，会打印出来。")
    apart = seen("断路器何时会打开", "断" + "其他文字" * 20 + "路" + "其他文字" * 20 + "器何时会打开")
    assert together["dense"] > 0.9
    assert together["characters"] < 0.7
    assert apart["dense"] < together["dense"]
    assert seen("when does the circuit breaker open?", "the circuit breaker")["dense"] == 0.0


@pytest.mark.parametrize(
    ("first", "second", "length"),
    [
        ("a b c", "x a b y", 2),
        ("a b a b c", "a b c a b a b", 4),
        ("a b c", "a x b x c", 1),
        ("a q b", "a b", 1),
        ("a a a", "a a", 2),
        ("a b", "c d", 0),
        ("", "a", 0),
    ],
)
def test_the_longest_run_is_of_tokens_side_by_side_in_both(first: str, second: str, length: int) -> None:
    assert longest_run(first.split(), second.split()) == longest_run(second.split(), first.split()) == length
