"""The wording of a question as evidence: what no rule foresaw, and what may never decide."""

from __future__ import annotations

import pytest

from kbtui.domain.routing import QUERY_TYPES
from kbtui.question.query_type_model import (
    KINDS,
    features,
    fitted_weights,
    strongest_wordings,
    type_probabilities,
    words_outside_small_talk,
)
from kbtui.question.understanding import normalise_question, understand


def drawn(query: str) -> frozenset[str]:
    return normalise_question(query).features(fitted_weights().words)


def test_every_line_of_the_file_has_a_weight_for_each_kind() -> None:
    model = fitted_weights()
    names = [row.decode().partition("\t")[0] for row in model.rows]
    assert {len(model.feature_weights(name)) for name in names} == {len(KINDS)}
    assert list(model.rows) == sorted(model.rows), "they are looked up by bisection"
    assert model.feature_weights("bia") == model.feature_weights("zebra") == model.feature_weights("\ud800") == ()
    assert len(model.words) > 300


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("where did we put the onboarding checklist", "file_discovery"),
        ("which of my notes are about sailing", "file_discovery"),
        ("what would stop working without the billing module", "relational"),
        ("thnks a lot", "chitchat"),
        ("入职清单存在哪了", "file_discovery"),
        ("去掉支付网关会有哪些地方受影响", "relational"),
        ("compare 一下缓存和队列", "relational"),
    ],
)
def test_wordings_that_no_rule_foresaw_are_decided(query: str, expected: str) -> None:
    assert understand(query).query_type == expected


@pytest.mark.parametrize(
    ("query", "finds_files"),
    [
        ("Which pickle protocol is the default since Python 3.8?", False),
        ("Which form is the right one for leave?", False),
        ("Which runbook is the newest?", True),
        ("which report was the last one", True),
        ("which files are the largest", True),
    ],
)
def test_which_of_a_kind_is_the_one_for_something_is_asked_of_the_text(query: str, finds_files: bool) -> None:
    assert (understand(query).query_type == "file_discovery") == finds_files


@pytest.mark.parametrize("query", ["zebra kernel", "x", "foo bar", "grafana"])
def test_words_that_say_nothing_social_are_searched_for(query: str) -> None:
    assert understand(query).query_type != "chitchat"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("哪些文檔提到了資料庫", "file_discovery"),
        ("比較一下兩個方案的優劣", "relational"),
        ("謝謝你的幫忙", "chitchat"),
    ],
)
def test_traditional_characters_are_read_like_simplified_ones(query: str, expected: str) -> None:
    found = understand(query)
    assert found.query_type == expected
    assert found.question == query


def test_words_of_a_topic_are_no_cues() -> None:
    one, other = (
        {name for name in drawn(f"how does {topic} work") if name.startswith("w:")} for topic in ("zymurgy", "falconry")
    )
    assert one == other


def test_the_shares_of_the_types_are_one_together() -> None:
    shares = type_probabilities(drawn("which tickets block OPS-12")).types
    assert set(shares) == set(QUERY_TYPES)
    assert sum(shares.values()) == pytest.approx(1.0)
    assert max(shares, key=lambda name: shares[name]) == "relational"


def test_the_wordings_that_decided_are_told_and_no_two_share_a_word() -> None:
    wordings = [
        shown for shown, _ in strongest_wordings(drawn("where did we put the onboarding checklist"), "file_discovery")
    ]
    assert 1 <= len(wordings) <= 3
    spoken = [word for wording in wordings for word in wording.split()]
    assert len(spoken) == len(set(spoken)) >= 3
    signals = understand("where did we put the onboarding checklist").signals
    assert any(signal.name == "wording" for signal in signals)


@pytest.mark.parametrize(
    "query",
    [
        "how do you prune an apricot and is it easier than a plum?",
        "can you ride a tandem without training?",
        "do you take a deposit for the marquee",
        "你们周末可以退货吗",
        "你好，发票抬头怎么改",
    ],
)
def test_words_with_content_are_no_small_talk_whoever_is_spoken_to(query: str) -> None:
    assert understand(query).query_type != "chitchat"


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("hello there", "greeting"),
        ("many thanks", "thanks"),
        ("bye for now", "farewell"),
        ("what is your name", "identity"),
        ("what can you do", "capability"),
        ("你好", "greeting"),
        ("你是谁", "identity"),
        ("再见", "farewell"),
    ],
)
def test_small_talk_is_told_by_its_kind(query: str, kind: str) -> None:
    assert understand(query).chitchat == kind


def test_strange_words_are_those_that_no_small_talk_holds() -> None:
    assert words_outside_small_talk("hello apricot, thanks") == ("apricot",)
    assert words_outside_small_talk("谢谢，发票") == ("票",)


@pytest.mark.parametrize("query", ["thanks PROJ-12", "ok 404", "hello get_user_name"])
def test_whatever_names_something_is_no_small_talk(query: str) -> None:
    assert understand(query).query_type != "chitchat"


def test_a_letter_doubled_or_dropped_leaves_most_cues_as_they_are() -> None:
    words = fitted_weights().words
    right, wrong = (
        features("find documents about pensions", known_stems=words),
        features("find documeents about pensions", known_stems=words),
    )
    assert len(right & wrong) > len(right) / 2


def test_a_very_long_question_is_decided_by_what_it_asks() -> None:
    context = "We moved to the new office in spring and the network there was set up by an outside company. " * 6
    assert understand(f"{context}Which documents mention the network cabling?").query_type == "file_discovery"
