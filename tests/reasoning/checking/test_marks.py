from __future__ import annotations

import pytest

from kbtui.reasoning.checking.draft import Draft, draft
from kbtui.reasoning.checking.marks import Place, Target, numbers, place

KNOWN = frozenset(range(1, 6))
PLACES = {"notes/a.md", "b.md"}


def taken(text: str) -> Draft:
    return draft(text, KNOWN, lambda where: where.path in PLACES)


def targets(text: str) -> list[tuple[Target, ...]]:
    return [piece.targets for piece in taken(text).pieces]


def bare(text: str) -> str:
    return taken(text).rendered(lambda slot: "")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("[1]", (1,)),
        ("[1,3]", (1, 3)),
        ("[1, 3]", (1, 3)),
        ("[1-3]", (1, 2, 3)),
        ("[1–3]", (1, 2, 3)),
        ("[1][3]", (1, 3)),
        ("[1] [3]", (1, 3)),
        ("[1], [3]", (1, 3)),
        ("[1 and 3]", (1, 3)),
        ("[^1]", (1,)),
        ("[^1][^2]", (1, 2)),
        ("【1】", (1,)),
        ("【1†source】", (1,)),
        ("【2†L3-L5】", (2,)),
        ("［１］", (1,)),
        ("[Source 1]", (1,)),
        ("[Sources 1, 3]", (1, 3)),
        ("[Source 1, Source 3]", (1, 3)),
        ("[来源1]", (1,)),
        ("[来源1、来源3]", (1, 3)),
        ("(Source 2)", (2,)),
        ("（来源2）", (2,)),
        ("[1, p. 4]", (1,)),
        ("[1: L3-L5]", (1,)),
        ("\\[1\\]", (1,)),
        ("([1])", (1,)),
        ("(see [1], [2])", (1, 2)),
        ("<sup>[1]</sup>", (1,)),
        ("[[1]](https://a.example/x)", (1,)),
        ("[1](https://a.example/x)", (1,)),
        ("[9]", (9,)),
        ("[SOURCE:notes/a.md:L3]", (Place(path="notes/a.md", start_line=3, end_line=3),)),
        ("[SOURCE:notes/a.md:L3-L9]", (Place(path="notes/a.md", start_line=3, end_line=9),)),
        ("(b.md:L12-L18)", (Place(path="b.md", start_line=12, end_line=18),)),
        ("b.md:L12-L18", (Place(path="b.md", start_line=12, end_line=18),)),
    ],
)
@pytest.mark.parametrize("frame", ["Deploys need two approvals {}.", "Deploys need two approvals. {}"])
def test_every_form_of_a_mark_is_read_before_and_after_the_full_stop(frame: str, written: str, meant: object) -> None:
    assert targets(frame.format(written)) == [meant]
    assert bare(frame.format(written)) == "Deploys need two approvals."


@pytest.mark.parametrize(
    "text",
    [
        "See [the guide](https://a.example/1) first.",
        "Set `items[1]` to zero.",
        "```py\nx = a[1]\n```",
        "- [ ] write tests\n- [x] read tests",
        "The first item is a[0] and x[1] is the next.",
        "It was founded in [2020].",
        "Pick (1) the fast way or (2) the safe way.",
        "See other.md:L3 for details.",
        "![picture 1](a.png)",
    ],
)
def test_what_only_looks_like_a_mark_stays(text: str) -> None:
    assert not any(targets(text))
    assert bare(text) == text


def test_round_brackets_are_marks_where_no_other_form_is_used() -> None:
    assert targets("Deploys need two approvals (1). Backups are kept (2).") == [(1,), (2,)]
    assert targets("Deploys need two approvals [1] in case (2).") == [(1,)]


def test_marks_belong_to_the_sentence_they_stand_in_or_behind() -> None:
    assert targets("One is red [1]. Two is blue. [2] Three is green.[3] Four is grey.") == [(1,), (2,), (3,), ()]


def test_marks_before_their_sentences_are_read_as_such_when_the_paragraph_begins_with_one() -> None:
    assert targets("[1] One is red. [2] Two is blue.") == [(1,), (2,)]


def test_marks_on_a_line_of_their_own_belong_to_the_last_sentence() -> None:
    assert targets("One is red. Two is blue.\n[1][2]") == [(), (1, 2)]
    assert targets("One is red.\n\n[1]") == [(1,)]


def test_chinese_sentences_are_told_apart() -> None:
    assert targets("值班每周三交接［１］。白天收到告警【2】。") == [(1,), (2,)]


def test_cells_items_and_headings_keep_their_kind() -> None:
    text = "# Title [1]\n\nIntro line:\n\n- item one [2]\n- item two\n\n| a | b |\n|---|---|\n| x [3] | y |\n"
    assert [(p.kind, p.text, p.targets) for p in taken(text).pieces] == [
        ("heading", "# Title", (1,)),
        ("sentence", "Intro line:", ()),
        ("list_item", "item one", (2,)),
        ("list_item", "item two", ()),
        ("heading", "| a | b |", ()),
        ("table_row", "x | y", (3,)),
    ]


@pytest.mark.parametrize(
    "below",
    [
        "Sources:\n[1] notes/a.md\n[2] b.md",
        "## References\n\n1. notes/a.md:L3\n2. b.md",
        "**Sources**\n- [1] notes/a.md\n- [2] b.md",
        "---\n[1] notes/a.md:L1\n[2] b.md:L2",
        "[^1]: notes/a.md\n[^2]: b.md",
        "参考资料：\n[1] notes/a.md\n[2] b.md",
        "[1] notes/a.md:L1-L2\n[2] b.md:L2",
    ],
)
def test_the_models_own_list_of_sources_is_taken_off_and_read(below: str) -> None:
    read = taken(f"One is red [1].\n\n{below}\n")
    assert read.rendered(lambda slot: "") == "One is red."
    assert [label.partition(":")[0] for label in (read.labels[1], read.labels[2])] == ["notes/a.md", "b.md"]


@pytest.mark.parametrize("below", ["Sources: [1], [2]", "来源：[1][2]", "References: notes/a.md, b.md"])
def test_a_footer_on_one_line_goes(below: str) -> None:
    assert bare(f"One is red [1].\n\n{below}") == "One is red."


def test_an_answer_that_ends_in_a_list_is_no_footer() -> None:
    text = "Steps:\n\n1. Pin the image.\n2. Watch the dashboard."
    assert bare(text) == text
    text = "## Sources\n\nThe river has two sources. One is in the north."
    assert bare(text) == text


def test_ranges_are_bounded_and_zero_is_no_citation() -> None:
    assert numbers("1-3,5") == (1, 2, 3, 5)
    assert numbers("1-900") == (1, 900)
    assert bare("Use [0] here.") == "Use [0] here."


def test_a_label_names_its_lines() -> None:
    assert place("notes/a.md:L3–L9") == Place(path="notes/a.md", start_line=3, end_line=9)
    assert place("https://a.example/p") == Place(path="https://a.example/p")
