"""What lines say of a statement beyond its words: cells, relations, reckoning, denials, other languages, absence."""

from __future__ import annotations

import pytest

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking import AnswerChecker, CheckedAnswer, Source
from kbtui.reasoning.citing import Citations

ABC_44 = """---
proposal: 44
title: Lazy loading of plugins
author: Dana Whitlock
status: Accepted
requires: 15, 27
replaces: 31
---
# ABC-44: Lazy loading of plugins

A plugin is loaded when it is first used. The start of a command takes 1500 ms. Plugins never write to the registry.
"""
ABC_52 = """---
proposal: 52
title: Plugins in other languages
author: Elena Brandt
status: Draft
---
# ABC-52: Plugins in other languages

A soft restart keeps doors open. A hard restart locks all doors, so ask the site first.
"""
VESSELS = """vessel,route,seats,cars,fuel
Aster,Larkhaven,180,24,diesel
Bellis,Larkhaven,220,30,hybrid
Calla,Orm,96,12,battery
"""
RULES = "宠物可以带上甲板，但不能进入餐厅。\n单程票价为 7.50 欧元，删除记录由叶敏检查。"
PAGES = {"abc-0044.md": ABC_44, "abc-0052.md": ABC_52, "vessels.csv": VESSELS, "须知.md": RULES}


def checked(markdown: str, suspect: str = "") -> CheckedAnswer:
    sources = [
        Source(
            n=n,
            hit=Hit(path=path, start_line=1, end_line=len(text.split("\n")), text=text),
            is_suspect=path == suspect,
        )
        for n, (path, text) in enumerate(PAGES.items(), start=1)
    ]
    return AnswerChecker(lambda: None).check(markdown, sources, Citations(None), CancelToken())


HEAD = "| Vessel | Seats | Fuel |\n|---|---|---|\n"


@pytest.mark.parametrize(
    "true",
    [
        "ABC-44 requires ABC-15 and ABC-27 [1].",
        "ABC-44 depends on ABC-27 [1].",
        f"{HEAD}| Aster | 180 | diesel | [3]\n| Bellis | 220 | hybrid | [3]",
        "| | Aster | Bellis |\n|---|---|---|\n| Seats | 180 [3] | 220 [3] |",
        "The two vessels of Larkhaven have 400 seats together [3].",
        "The Bellis has 40 seats more than the Aster [3].",
        "The start of a command takes 1.5 seconds [1].",
        "Pets are allowed on deck but not in the restaurant [4].",
        "Ye Min checks the deletion records [4].",
        "Plugins never write to the registry (source: passage 1).",
        "According to passage 1, plugins never write to the registry.",
        "宠物可以带上甲板，但不能进入餐厅（来源：passage 4，第 1 行）。",
        "The passages say nothing about insurance.",
        "资料中没有提到保险。",
    ],
)
def test_what_is_true_is_left_alone(true: str) -> None:
    answer = checked(true)
    assert answer.unsupported == ()
    assert "[?]" not in answer.markdown


@pytest.mark.parametrize(
    "invented",
    [
        "ABC-44 requires ABC-52 [1].",
        "ABC-44 requires ABC-31 [1].",
        "ABC-52 was accepted [2].",
        "ABC-52 was written by Dana Whitlock [2].",
        "The vessels of Larkhaven have 420 seats together [3].",
        "Two of the vessels run on diesel [3].",
        "The start of a command takes 1.7 seconds [1].",
        "Plugins write to the registry [1].",
        "A soft restart locks all doors, so ask the site first [2].",
        "宠物可以进入餐厅 [4]。",
        "A ticket costs €9.50 [4].",
        "The passages do not mention pets.",
        "资料中没有提到餐厅。",
        "I recommend the Bellis, which has 300 seats [3].",
    ],
)
def test_what_the_lines_refute_is_marked_whatever_words_it_shares(invented: str) -> None:
    answer = checked(invented)
    assert len(answer.unsupported) == 1
    assert "[?]" in answer.markdown


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ("| Aster | 180 | diesel | [3]\n| Bellis | 180 | hybrid | [3]", "Bellis"),
        ("| Aster | 180 | hybrid | [3]\n| Bellis | 220 | hybrid | [3]", "Aster"),
    ],
)
def test_of_a_table_the_row_with_the_wrong_cell_is_marked(rows: str, wrong: str) -> None:
    (text,) = checked(HEAD + rows).unsupported
    assert text.startswith(wrong)


def test_advice_is_labelled_and_no_invention() -> None:
    answer = checked("On balance, the Bellis seems the better choice for families.")
    assert answer.unsupported == ()
    assert answer.advice == ("On balance, the Bellis seems the better choice for families.",)
    assert answer.markdown.endswith("*(advice)*")


def test_a_sentence_that_ends_on_a_gap_is_checked_for_the_rest() -> None:
    assert checked("The Bellis has 500 seats [3], but the passages do not say why.").unsupported
    assert not checked("The Bellis has 220 seats [3], but the passages do not say why.").unsupported


def test_what_rests_on_a_text_that_gives_orders_alone_says_so() -> None:
    true = "The Bellis has 220 seats and a hybrid drive [3]."
    assert "gives orders" in checked(true, suspect="vessels.csv").markdown
    assert "gives orders" not in checked(true).markdown


def test_what_a_document_is_called_by_need_not_stand_in_its_lines() -> None:
    # The lines say “Lazy loading of plugins”, and abc-0044.md is what they are the lines of.
    answer = checked("ABC-44 is about plugins, which never write to the registry [1].")
    assert answer.unsupported == ()
    assert checked("ABC-52 is about plugins, which never write to the registry [1].").unsupported


def test_a_doubtful_sentence_keeps_the_mark_that_its_lines_do_not_refute() -> None:
    citations = Citations(None)
    page = Source(n=1, hit=Hit(path="a.md", start_line=1, end_line=1, text="Seeds are rotated at service."))
    answer = AnswerChecker(lambda: None).check("种子在打开柜子维修时更换 [1]。", [page], citations, CancelToken())
    assert "[1]" in answer.markdown
