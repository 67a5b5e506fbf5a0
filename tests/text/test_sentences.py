from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbtui.domain.document import DocumentKind
from kbtui.text.sentences import Sentence, sentence_ends, sentences


def cut(text: str, kind: DocumentKind | None = None, first_line: int = 1) -> list[tuple[int, int, str, str]]:
    return [(s.start_line, s.end_line, s.kind, s.text) for s in sentences(text, first_line, kind)]


def texts(text: str, kind: DocumentKind | None = None) -> list[str]:
    return [s.text for s in sentences(text, kind=kind)]


def test_sentences_follow_full_stops_not_line_ends() -> None:
    assert cut("Deploys are rolled\nback by hand. Then we\nwait.\n\nNext one.", first_line=10) == [
        (10, 11, "sentence", "Deploys are rolled back by hand."),
        (11, 12, "sentence", "Then we wait."),
        (14, 14, "sentence", "Next one."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Use a lock, e.g. Redis, here.",
        "That is, i.e. Monday, we ship.",
        "Logs, traces, etc. are kept.",
        "Ask Mr. Smith about it.",
        "Version v1.2 is 3.5 times faster.",
        "It was J. Doe who wrote vol. 2 of it.",
        "Call `a. B` first.",
        "See Smith et al. 2020 for more.",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_end_it(text: str) -> None:
    assert texts(text) == [text]


def test_questions_quotes_and_brackets_end_sentences() -> None:
    assert texts('Why? "Because." (So it is.) `x` follows. numpy is fast.') == [
        "Why?",
        '"Because."',
        "(So it is.)",
        "`x` follows.",
        "numpy is fast.",
    ]


def test_chinese_ends_its_sentences_with_its_own_signs_and_joins_lines_without_a_space() -> None:
    assert cut("先暂停发布，\n再回滚。然后通知值班人！为什么？") == [
        (1, 2, "sentence", "先暂停发布，再回滚。"),
        (2, 2, "sentence", "然后通知值班人！"),
        (2, 2, "sentence", "为什么？"),
    ]


def test_each_list_item_is_one_unit_however_many_sentences_it_holds() -> None:
    assert cut("Steps:\n\n- Stop. Wait (a) bit.\n  Go on.\n- Next\n1. One\n") == [
        (1, 1, "sentence", "Steps:"),
        (3, 4, "list_item", "Stop. Wait (a) bit. Go on."),
        (5, 5, "list_item", "Next"),
        (6, 6, "list_item", "One"),
    ]


def test_chinese_enumerations_are_list_items() -> None:
    assert [s.kind for s in sentences("步骤：\n\n一、暂停\n二、回滚\n")] == ["sentence", "list_item", "list_item"]


def test_a_fenced_block_is_one_unit_and_keeps_its_lines() -> None:
    assert cut("Run:\n\n```sh\n# not a heading\n\nmake. Now.\n```\nDone.") == [
        (1, 1, "sentence", "Run:"),
        (3, 7, "code", "```sh\n# not a heading\n\nmake. Now.\n```"),
        (8, 8, "sentence", "Done."),
    ]


def test_a_literal_block_ends_where_the_text_comes_back() -> None:
    assert cut("Like this::\n\n    a = 1\n\n    b = 2\n\nAnd so on.", "rst") == [
        (1, 1, "sentence", "Like this::"),
        (3, 5, "code", "    a = 1\n\n    b = 2"),
        (7, 7, "sentence", "And so on."),
    ]


def test_each_table_row_is_one_unit_without_its_rules() -> None:
    assert cut("| a | b |\n|---|---|\n| 1 | 2 |\n") == [(1, 1, "table_row", "a | b"), (3, 3, "table_row", "1 | 2")]


def test_the_lines_of_a_grid_row_are_put_together_by_column() -> None:
    table = "+-----+-------+\n| one | first |\n|     | line  |\n+-----+-------+\n| two | x     |\n+-----+-------+"
    assert cut(table) == [(2, 3, "table_row", "one | first line"), (5, 5, "table_row", "two | x")]


def test_a_row_of_a_simple_table_goes_on_while_its_first_column_is_empty() -> None:
    table = "=====  =====\nname   use\n=====  =====\none    first\n       line\ntwo    x\n=====  ====="
    assert cut(table) == [
        (2, 2, "table_row", "name | use"),
        (4, 5, "table_row", "one | first line"),
        (6, 6, "table_row", "two | x"),
    ]


@pytest.mark.parametrize(
    "header",
    [
        "PEP: 7\nTitle: Style\n  guide",
        "- PEP: 7\n- Title: Style\n  guide",
        "**PEP:** 7\n**Title:** Style\n  guide",
        ":PEP: 7\n:Title: Style\n  guide",
    ],
)
def test_header_lines_are_one_unit_each_with_their_continuation(header: str) -> None:
    found = sentences(header + "\n\nText. More.")
    assert [(s.start_line, s.end_line, s.kind) for s in found[:2]] == [(1, 1, "field"), (2, 3, "field")]
    assert [s.kind for s in found[2:]] == ["sentence", "sentence"]


def test_front_matter_is_fields() -> None:
    assert cut("---\ntitle: Rollback\ntags:\n  - ops\n---\n\n# Rollback\n") == [
        (2, 2, "field", "title: Rollback"),
        (3, 4, "field", "tags: - ops"),
        (7, 7, "heading", "Rollback"),
    ]


def test_headings_of_both_languages_are_told_from_text() -> None:
    text = "Title\n=====\n\n部署\n----\n\n# Other\n\nText.\n"
    assert [(s.start_line, s.text) for s in sentences(text) if s.kind == "heading"] == [
        (1, "Title"),
        (4, "部署"),
        (7, "Other"),
    ]


def test_an_overlined_heading_stands_on_its_own_line() -> None:
    assert cut("======\n Guide\n======\n", "rst") == [(2, 2, "heading", "Guide")]


def test_a_hash_is_no_heading_in_restructuredtext() -> None:
    assert cut("# comment. Yes.", "rst")[0][2] == "sentence"


def test_quoted_text_is_read_without_its_marks() -> None:
    assert cut("> Stop now. Wait\n> a bit.\n>\n> - item") == [
        (1, 1, "sentence", "Stop now."),
        (1, 2, "sentence", "Wait a bit."),
        (4, 4, "list_item", "item"),
    ]


def test_lines_that_stop_early_are_sentences_of_their_own() -> None:
    text = "Buy milk\nCall Bob about the long report that he wrote for us\nSleep\n"
    assert len(texts(text)) == 2
    assert texts("Roses are red  \nViolets are blue") == ["Roses are red", "Violets are blue"]


def test_furniture_is_left_out() -> None:
    assert texts("<!-- note to\nself -->\n\n---\n\nText.\n\n[x]: https://example.org\n") == ["Text."]
    assert texts(".. _anchor:\n\n.. comment\n   more\n\n.. [1] A footnote.\n", "rst") == ["[1] A footnote."]


def test_html_gives_the_words_a_reader_sees_with_their_lines() -> None:
    page = "<html><body>\n<p>One &amp; two.\nThree.</p><script>\nbad. Code.\n</script>\n<li>Four</li></body>"
    assert cut(page, "html") == [
        (2, 2, "sentence", "One & two."),
        (3, 3, "sentence", "Three."),
        (6, 6, "list_item", "Four"),
    ]


def test_data_files_give_a_unit_for_each_line_and_code_for_each_paragraph() -> None:
    assert cut("a,b\n1,2\n", "csv") == [(1, 1, "table_row", "a,b"), (2, 2, "table_row", "1,2")]
    assert cut('{\n  "a": 1\n}', "json") == [(2, 2, "field", '"a": 1')]
    assert cut("# c. D.\nx = 1\n\ny = 2\n", "code") == [(1, 2, "code", "# c. D.\nx = 1"), (4, 4, "code", "y = 2")]


def test_generics_are_no_html() -> None:
    assert texts("A `Vec<T>` and <b>bold</b> Option<String>.") == ["A `Vec<T>` and bold Option<String>."]


_PIECES = [
    "a",
    "B. ",
    "。",
    "\n",
    "\n\n",
    "- ",
    "```",
    "| a | b |",
    "===",
    "---",
    "::",
    "    ",
    "# ",
    ":k: ",
    "> ",
    ".. ",
]


@given(
    st.lists(st.sampled_from(_PIECES)).map("".join), st.sampled_from([None, "markdown", "rst", "text", "html", "code"])
)
def test_units_stay_inside_the_text_and_in_order(text: str, kind: DocumentKind | None) -> None:
    found: list[Sentence] = sentences(text, first_line=5, kind=kind)
    last = 5 + text.count("\n")
    assert all(5 <= s.start_line <= s.end_line <= last for s in found)
    assert [s.start_line for s in found] == sorted(s.start_line for s in found)
    assert all(s.text.strip() for s in found)


@pytest.mark.parametrize(
    "piece",
    ["`", "a.", '"', "**a ", "<a ", "<!--\n", "== ==\nx\n\n", "~~~~\n~~~\n", "| a ", "[a]: "],
)
def test_hostile_text_is_cut_in_linear_time(piece: str) -> None:
    # Quadratic work on this much takes minutes: the test would not come back.
    text = piece * 40_000
    sentences(text)
    sentences(text, first_line=2)


def test_hostile_signs_are_read_in_linear_time() -> None:
    for hostile in ("." * 50_000, "a." + "`" * 50_000 + "x", "`" * 50_000 + " x", "``a" * 20_000, "a.]" * 20_000):
        assert sentences(hostile) or not any(map(str.isalnum, hostile))
        sentence_ends(hostile)


def test_the_ends_of_sentences_on_one_line_are_told() -> None:
    line = "It is v. 3.2, e.g. here. See Dr. Who! 好。Done"
    pieces = [line[a:b].strip() for a, b in pairwise((0, *sentence_ends(line), len(line)))]
    assert pieces == ["It is v. 3.2, e.g. here.", "See Dr. Who!", "好。", "Done"]


def test_a_header_that_explains_in_sentences_is_read_as_text() -> None:
    text = (
        "Name: bad-urgency\nSeverity: error\nExplanation: The urgency is none of the values that are\n"
        " allowed for it. It stands in the last entry.\nSee-Also: policy 5.6\n"
    )
    kinds = [(unit.kind, unit.text) for unit in sentences(text)]
    assert kinds == [
        ("field", "Name: bad-urgency"),
        ("field", "Severity: error"),
        ("sentence", "The urgency is none of the values that are allowed for it."),
        ("sentence", "It stands in the last entry."),
        ("field", "See-Also: policy 5.6"),
    ]


def test_what_a_directive_takes_from_elsewhere_is_no_text() -> None:
    text = ".. include:: ../notice.rst\n\n.. note:: Restart it first.\n"
    assert [unit.text for unit in sentences(text, kind="rst")] == ["Restart it first."]


def test_a_page_of_another_vocabulary_is_read_without_its_tags() -> None:
    text = (
        '<?xml version="1.0"?>\n<page style="help">\n  <para>A station needs <gui>goods</gui> to work.</para>\n'
        '  <note kind="tip">It costs money.</note>\n</page>\n'
    )
    assert [(unit.text, unit.start_line) for unit in sentences(text, kind="html")] == [
        ("A station needs goods to work.", 3),
        ("It costs money.", 4),
    ]


@pytest.mark.parametrize(
    "table",
    [
        "| key | does | where |\n|---|---|---|\n| x | exports | |\n| d | | list |",
        "+-----+---------+-------+\n| key | does    | where |\n+=====+=========+=======+\n| x   | exports |       |\n"
        "+-----+---------+-------+\n| d   |         | list  |\n+-----+---------+-------+",
    ],
)
def test_a_row_knows_what_its_cells_are_called(table: str) -> None:
    head, first, second = sentences(table)
    assert (head.level, head.columns) == (1, ())
    assert (first.text, first.level, first.columns) == ("x | exports", 0, ("key", "does"))
    assert (second.text, second.columns) == ("d | list", ("key", "where"))


def test_a_table_without_a_row_of_names_has_none() -> None:
    assert {(row.level, row.columns) for row in sentences("| a | b |\n| 1 | 2 |\n\nText.\n\n| c | d |")} == {(0, ())}
