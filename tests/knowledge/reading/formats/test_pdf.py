from __future__ import annotations

import pytest

from kbtui.domain.document import locator_of
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.formats import extract_text
from kbtui.knowledge.reading.formats.base import Extracted
from kbtui.knowledge.reading.formats.page_layout import Segment, lines_in_order
from tests.support.documents import Piece, column, locked_pdf, pdf

LEFT = (
    "The left column begins here and",
    "speaks of moorings in the har-",
    "bour, which are checked daily by",
    "the master of the port, whoever",
    "that may be at the time of asking.",
)
RIGHT = (
    "The right column is read after the",
    "left one and speaks of the cranes",
    "that were built in the year 1931",
    "by a company from Hamburg which",
    "does no longer exist at all today.",
)


def page(number: int, body: list[Piece]) -> list[Piece]:
    return [(72, 760, 9, "Harbour handbook"), *body, (300, 30, 9, f"page {number}")]


def read(data: bytes) -> Extracted:
    found = extract_text(data, "a.pdf")
    assert found is not None
    return found


def test_the_left_column_is_read_before_the_right_one() -> None:
    lines = read(pdf([[(60, 690, 20, "Moorings"), *column(60, 640, LEFT), *column(320, 640, RIGHT)]])).text.split("\n")
    assert lines.index(RIGHT[0]) > lines.index(LEFT[4])
    assert not any("|" in line for line in lines)


def test_a_word_that_is_parted_at_the_end_of_a_line_is_mended() -> None:
    text = read(pdf([column(72, 700, LEFT)])).text
    assert "speaks of moorings in the harbour,\nwhich are checked daily" in text


def test_a_hyphen_before_a_capital_or_a_figure_stays() -> None:
    text = read(pdf([column(72, 700, ["the Franco-", "Prussian war and the ISO-", "8601 dates"])])).text
    assert "Franco-\nPrussian" in text
    assert "ISO-\n8601" in text


def test_running_headers_and_footers_are_dropped_and_all_else_stays() -> None:
    pages = [page(number, column(72, 700, [f"Only page {name} says this."])) for number, name in enumerate("ABCD", 1)]
    text = read(pdf(pages)).text
    assert "Harbour handbook" not in text
    assert "page 2" not in text
    assert [f"Only page {name} says this." in text for name in "ABCD"] == [True] * 4


def test_the_rows_of_a_table_keep_their_cells() -> None:
    cells = [("Berth", "Depth", "Crane"), ("North", "12 m", "yes"), ("South", "9 m", "no")]
    pieces = [
        (72.0 + 150 * at, 700.0 - 14 * row, 11.0, cell)
        for row, line in enumerate(cells)
        for at, cell in enumerate(line)
    ]
    assert read(pdf([pieces])).text == "| Berth | Depth | Crane |\n| North | 12 m | yes |\n| South | 9 m | no |"


def test_each_page_is_a_place_and_a_large_line_a_heading() -> None:
    found = read(pdf([[(72, 700, 20, "Moorings"), *column(72, 660, LEFT)], column(72, 700, RIGHT)], title="Harbour"))
    lines = found.text.split("\n")
    assert found.title == "Harbour"
    assert lines[:2] == ["Moorings", "========"]
    assert locator_of(found.places, 1, 1) == "p.1"
    second = lines.index(RIGHT[0]) + 1
    assert locator_of(found.places, second, second) == "p.2"
    assert locator_of(found.places, 4, second) == "p.1-2"


def test_dots_that_lead_to_a_page_are_one_mark() -> None:
    assert read(pdf([column(72, 700, ["1.2 Moorings . . . . . . . . . . 14"])])).text == "1.2 Moorings … 14"


def test_what_has_no_text_says_what_would_make_it_readable() -> None:
    with pytest.raises(KnowledgeBaseError, match="no text layer") as error:
        read(pdf([[], []]))
    assert "ocrmypdf" in error.value.hint
    with pytest.raises(KnowledgeBaseError, match="protected by a password"):
        read(locked_pdf())
    with pytest.raises(KnowledgeBaseError, match="damaged"):
        read(pdf([column(72, 700, LEFT)])[:200])


def test_a_line_across_both_columns_stands_between_what_is_above_and_below_it() -> None:
    def segments(top: float, words: str) -> list[Segment]:
        rows = [(60.0, f"left {words} words that fill it"), (320.0, f"right {words} words that fill it")]
        return [Segment(x, top - 14 * at - 10, x + 200, top - 14 * at, text) for at in range(3) for x, text in rows]

    across = Segment(60, 600, 520, 612, "Across")
    texts = [line.text for line in lines_in_order([*segments(700, "upper"), across, *segments(560, "lower")], 612)]
    assert texts[:3] == ["left upper words that fill it"] * 3
    assert texts[3:6] == ["right upper words that fill it"] * 3
    assert texts[6] == "Across"
    assert texts[7] == "left lower words that fill it"
