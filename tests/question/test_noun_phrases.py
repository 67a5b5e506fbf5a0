"""The things a question speaks of, in both languages."""

from __future__ import annotations

import pytest

from kbtui.question.noun_phrases import joined_noun_phrases, noun_phrases, tagged_words


@pytest.mark.parametrize(
    ("question", "things"),
    [
        ("Where is the retry limit of the gateway set?", ["the retry limit", "the gateway"]),
        ("Which teams are on call at night?", ["Which teams", "night"]),
        ("How long do we keep audit logs?", ["long", "audit logs"]),
        ("网关的超时时间是多少？", ["网关", "超时时间"]),
        ("备份存放在哪里？", ["备份"]),
        ("发布会在什么时候？", ["发布会"]),
    ],
)
def test_things_are_as_short_as_they_go(question: str, things: list[str]) -> None:
    assert [thing.text for thing in noun_phrases(question)] == things


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("Where is the retry limit of the gateway set?", "the retry limit of the gateway"),
        ("网关的超时时间是多少？", "网关的超时时间"),
        ("如果数据库宕机怎么办？", "数据库宕机"),
    ],
)
def test_what_is_held_together_is_one_thing(question: str, thing: str) -> None:
    assert joined_noun_phrases(question)[0].text == thing


@pytest.mark.parametrize(
    ("question", "word", "role"),
    [
        ("Who wrote the file?", "wrote", "verb"),
        ("Where are tests stored?", "stored", "verb"),
        ("What is it about?", "it", "pronoun"),
        ("What's the limit?", "What's", "question"),
        ("现在有多少人？", "现在", "noun"),
        ("其他团队怎么发布？", "其他", "adverb"),
    ],
)
def test_words_play_a_part(question: str, word: str, role: str) -> None:
    assert {one.text: one.role for one in tagged_words(question)}[word] == role
