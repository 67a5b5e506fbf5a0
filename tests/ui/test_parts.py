"""Small parts that compute: cells, sharing of rows, citations in Markdown, memory of questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from kbtui.domain.answer import Citation
from kbtui.domain.events import AnswerCompleted, Progress, RunCompleted, RunStarted
from kbtui.ui.conversation import Conversation, PromptHistory
from kbtui.ui.panes.closing import early_answer_text
from kbtui.ui.widgets.cells import bar, duration, elide, elide_middle, lines_of, row, score, wrapped
from kbtui.ui.widgets.cited_markdown import cited_number, make_parser
from kbtui.view.folding import reduce_all
from kbtui.view.markdown_text import without_footer
from kbtui.view.view_state import RunView

TEXT = st.text(alphabet=st.sampled_from("ab /.会议é—"), max_size=40)


@given(TEXT, st.integers(0, 50))
def test_elided_text_never_takes_more_cells_than_it_may(text: str, width: int) -> None:
    assert cell_len(elide(text, width)) <= width
    assert cell_len(elide_middle(text, width)) <= width


def test_a_path_keeps_its_name_when_its_middle_is_left_out() -> None:
    assert elide_middle("runbooks/oncall/rollback.md", 20) == "runbook…/rollback.md"


@given(st.floats(-1, 2), st.integers(1, 20))
def test_a_bar_takes_exactly_its_width(value: float, width: int) -> None:
    assert cell_len(bar(value, width)) == width


def test_a_bar_counts_in_eighths() -> None:
    assert [bar(value, 2) for value in (0, 1 / 16, 0.5, 9 / 16, 1)] == ["  ", "▏ ", "█ ", "█▏", "██"]


@given(TEXT, TEXT, st.integers(1, 60))
def test_a_row_takes_exactly_its_width(left: str, right: str, width: int) -> None:
    assert row(Content(left), Content(right), width).cell_length == width


@given(TEXT, st.integers(4, 30), st.integers(1, 4))
def test_wrapped_lines_fit_and_are_no_more_than_asked_for(text: str, width: int, lines: int) -> None:
    result = wrapped(Content(text), width, lines=lines, indent=2)
    assert len(result) <= lines
    assert all(line.rstrip().cell_length <= width for line in result)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0004, "0 ms"),
        (0.038, "38 ms"),
        (0.21, "0.21 s"),
        (12.42, "12.4 s"),
        (59.97, "1 min 00 s"),
        (125, "2 min 05 s"),
    ],
)
def test_durations_read_well_at_every_size(seconds: float, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(("value", "text"), [(0, ".00"), (0.876, ".88"), (0.994, ".99"), (0.996, "1.0"), (1, "1.0")])
def test_scores_always_take_three_cells(value: float, text: str) -> None:
    assert score(value) == text


def links(markdown: str) -> list[str]:
    tokens = [child for token in make_parser().parse(markdown) for child in token.children or ()]
    return [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]


def test_marks_are_links_except_in_code() -> None:
    assert links("A [1]: B [2][3]. `x[4]`\n\n```\ny[5]\n```\n") == ["cite:1", "cite:2", "cite:3"]
    assert links("[6](https://example.org)") == ["https://example.org"]


def test_file_names_and_html_are_no_links() -> None:
    assert links("see notes.md or http://example.org <a href='x'>y</a>") == []


def test_only_citations_have_a_number() -> None:
    assert cited_number("cite:12") == 12
    assert cited_number("https://example.org/cite:1") is None
    assert cited_number("cite:x") is None


CITED = (Citation(n=1, path="a.md", start_line=3), Citation(n=2, path="b.md", start_line=4))


@pytest.mark.parametrize(
    "footer",
    ["[1] a.md:L3\n[2] b.md:L4", "Sources:\n\n[1] a.md:L3\n[2] b.md:L4\n", "---\n- [1] a.md:L3\n- [2] b.md:L4"],
)
def test_the_footer_is_taken_off(footer: str) -> None:
    assert without_footer(f"Text [1] and [2].\n\n{footer}", CITED).rstrip() == "Text [1] and [2]."


def test_an_answer_that_only_looks_like_a_footer_stays() -> None:
    assert without_footer("[3] is no source of this answer", CITED) == "[3] is no source of this answer"
    assert without_footer("[1] says so", CITED) == "[1] says so"


def test_questions_of_earlier_sittings_stand_before_those_of_this_one() -> None:
    typed = PromptHistory()
    typed.add("new")
    typed.add_older(["old", "older still", "new"])
    assert [typed.recall(-1, "") for _ in range(4)] == ["new", "older still", "old", None]


def test_a_question_asked_twice_is_remembered_once() -> None:
    typed = PromptHistory()
    for query in ("a", "b", "a"):
        typed.add(query)
    assert [typed.recall(-1, "") for _ in range(3)] == ["a", "b", None]


def test_moving_through_a_conversation_stops_at_its_ends() -> None:
    conversation = Conversation()
    conversation.begin("one")
    conversation.begin("two")
    assert not conversation.move(1)
    assert conversation.move(-1)
    assert not conversation.move(-1)
    assert conversation.shown is not None
    assert conversation.shown.query == "one"


def test_of_what_is_brought_back_the_last_question_is_the_one_shown() -> None:
    conversation = Conversation()
    conversation.begin("asked just now")
    conversation.update(RunView(query="asked just now", run_id="r9"))
    earlier = [RunView(query=f"question {n}", run_id=f"r{n}") for n in range(3)]
    conversation.add_older(earlier)
    assert conversation.position_text == "question 3 of 4"
    conversation.add_older([*earlier, *conversation.runs[3:]])
    assert conversation.position_text == "question 4 of 4", "all of it was there already"


def test_an_early_answer_says_how_many_files_are_read() -> None:
    early = AnswerCompleted(markdown="40 s", outcome="answered", files_read=40, files_total=1816)
    run = [RunStarted(query="q"), early]
    assert early_answer_text(reduce_all(run)) == "first answer · still reading 40 of 1,816 files"
    run.append(Progress(stage="read", done=900, total=1816))
    assert early_answer_text(reduce_all(run)) == "first answer · still reading 900 of 1,816 files"
    assert early_answer_text(reduce_all([*run, RunCompleted()])) == "from 40 of 1,816 files"


CHINESE = "在所有问题、回答、表格和引文中查找；输入大写字母时区分大小写。"


def plain_lines(text: str, width: int) -> list[str]:
    return [line.plain for line in lines_of(Content(text), width)]


@pytest.mark.parametrize("width", range(4, 70))
def test_chinese_is_broken_between_its_characters_within_the_width(width: int) -> None:
    lines = plain_lines(f"查找 · {CHINESE}", width)
    assert "".join(lines).replace(" ", "") == f"查找·{CHINESE}"
    assert max(map(cell_len, lines)) <= width
    if width >= 12:
        assert not any(line.startswith(("、", "；", "。", "，")) for line in lines)
        assert all(cell_len(line) > width - 6 for line in lines[:-1]), "no line ends long before the edge"


def test_a_latin_word_in_chinese_stays_whole() -> None:
    assert plain_lines("以 Markdown 复制回答", 12) == ["以 Markdown", "复制回答"]
    assert plain_lines("导出为Parquet文件", 12) == ["导出为", "Parquet文件"]
    assert plain_lines("见（cosine）之后", 8) == ["见", "（cosine", "）之后"], "longer than the line"


def test_lines_without_chinese_are_broken_as_textual_breaks_them() -> None:
    text = Content("a line of several words, naïve and “quoted”")
    assert [line.plain for line in lines_of(text, 14)] == [line.plain for line in text.wrap(14)]


def test_breaks_that_a_chinese_text_has_are_kept() -> None:
    assert plain_lines("第一行\n\n第二行", 20) == ["第一行", "", "第二行"]
