from __future__ import annotations

from datetime import date

import pytest

from kbtui.question.answer_kinds import KINDS, answer_kind_scores
from kbtui.question.reader import read
from kbtui.text.word_lists import toml_in


def kinds(text: str) -> set[str]:
    return {kind for kind, clear in answer_kind_scores(read(text, today=date(2026, 3, 1))).items() if clear >= 0.7}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many ovens does the bakery have?", {"number"}),
        ("how do I clean the grinder, and how long does it take?", {"how_to", "number"}),
        ("why is the dough chilled overnight", {"why"}),
        ("may I feed the starter twice?", {"yes_no"}),
        ("when was the second shop opened", {"when"}),
        ("list all kinds of flour", {"list"}),
        ("what is the difference between rye and spelt?", {"comparison"}),
        ("what does proofing mean", {"definition"}),
        ("烤箱最多能放几个面包？", {"number"}),
        ("为什么要冷藏面团", {"why"}),
        ("怎么清洗磨豆机？", {"how_to"}),
    ],
)
def test_the_words_of_a_question_tell_what_kind_of_answer_it_wants(text: str, expected: set[str]) -> None:
    assert expected <= kinds(text)


def test_a_bare_name_asks_for_no_kind_of_answer() -> None:
    assert kinds("OVEN-12") == set()


def test_every_operator_of_the_word_files_is_a_kind() -> None:
    files = [toml_in("kbtui.question", f"words/{name}.toml") for name in ("asking_en", "asking_zh")]
    assert {row["op"] for file in files for row in file["cue"]} == set(KINDS)
