"""Charts in cells: what stands where, in 60 columns and in fewer, with Chinese names, gaps and odd numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from kbtui.domain.events import Chart
from kbtui.view.drawing.numbers import format_number, number_formatter, tick_labels, ticks
from kbtui.view.drawing.pieces import MARKS, plain
from kbtui.view.drawing.text import draw

KINDS = ("bar", "pie", "histogram", "grouped_bar", "stacked_bar", "line", "scatter")


def text(width: int = 60, **chart: Any) -> list[str]:
    return plain(draw(Chart(**chart), width))


def test_chinese_names_and_latin_ones_end_in_the_same_column() -> None:
    lines = text(type="bar", x=("台北车站", "Luleå", "板桥"), series={"n": (4, 2, 1)})
    assert {cell_len(line[: line.index("█")]) for line in lines} == {9}


def test_bars_are_as_long_as_their_values() -> None:
    lines = text(type="bar", x=("a", "b", "c"), series={"n": (40, 20, 10)})
    assert [line.count("█") for line in lines] == [55, 27, 13]
    assert [line.split()[-1] for line in lines] == ["40", "20", "10"]


def test_losses_go_left_of_the_axis_and_gains_right_of_it() -> None:
    lines = text(type="bar", x=("loss", "gain"), series={"n": (-5, 10)})
    axis = {line.index("│") for line in lines}
    assert len(axis) == 1
    at = axis.pop()
    assert lines[0].index("█") < at
    assert lines[1].index("█") == at + 1
    assert lines[0].endswith("-5")
    only_losses = text(type="bar", x=("a", "b"), series={"n": (-5, -10)})
    assert only_losses[1].count("█") > 1.8 * only_losses[0].count("█") > 0


def test_a_missing_value_is_said_and_is_not_nought() -> None:
    lines = text(type="bar", x=("a", "b"), series={"n": (None, 0)})
    assert lines == ["a no value", "b 0"]


def test_a_line_is_not_drawn_over_a_gap_and_a_point_between_gaps_shows() -> None:
    lines = text(type="line", x=tuple("abcde"), y="n", series={"n": (1, None, 5, None, 1)})
    assert sum(line.count(MARKS[0]) for line in lines) == 3
    assert not any(0x2801 <= ord(c) <= 0x28FF for line in lines for c in line)
    joined = text(type="line", x=tuple("abcde"), y="n", series={"n": (1, 2, 5, 2, 1)})
    assert any(0x2801 <= ord(c) <= 0x28FF for line in joined for c in line)


def test_series_are_told_apart_by_marks_and_textures_as_well_as_by_colour() -> None:
    for kind in ("grouped_bar", "stacked_bar"):
        legend, *bars = text(type=kind, x=("a", "b"), series={"North": (3, 5), "南": (4, 2)})
        assert legend == "█ North  ▒ 南"
        assert all(any(fill in line for line in bars) for fill in "█▒")
    for kind in ("line", "scatter"):
        legend, *lines = text(type=kind, x=(1, 2, 3), series={"North": (1, 2, 3), "南": (3, 2.5, 1)})
        assert legend == "● North  ▲ 南"
        assert all(any(mark in line for line in lines) for mark in "●▲")


def test_shares_stand_beside_the_parts_of_a_pie() -> None:
    lines = text(type="pie", x=("S", "M"), series={"n": (30, 10)})
    assert lines[0].endswith("75.0%  30")
    assert lines[1].endswith("25.0%  10")


def test_the_parts_of_a_stack_are_as_long_together_as_their_sum() -> None:
    _, *lines = text(type="stacked_bar", x=("a", "b"), series={f"s{n}": (1, 2) for n in range(5)})
    drawn = [sum(line.count(fill) for fill in "█▒╱░╳") for line in lines]
    assert abs(2 * drawn[0] - drawn[1]) <= 1
    assert lines[1].endswith(" 10")


def test_times_stand_where_they_are_in_time() -> None:
    lines = text(type="line", x=("2025-01-01", "2025-01-02", "2025-12-31"), y="n", series={"n": (0, 10, 0)})
    top = lines[1]
    assert top.index("┤") + 1 <= next(at for at, c in enumerate(top) if ord(c) > 0x2800) <= top.index("┤") + 3


def test_years_on_an_axis_have_no_thousands_between() -> None:
    lines = text(type="line", x=(2020, 2021, 2022), x_name="year", y="n", series={"n": (1, 2, 3)})
    assert "2020" in lines[-2]
    assert "2,020" not in "".join(lines)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0, "0"),
        (1234, "1,234"),
        (-999_999, "-999,999"),
        (1_234_567, "1.23M"),
        (12_000_000, "12M"),
        (7.5e9, "7.5B"),
        (2e12, "2T"),
        (3.2e18, "3.2e18"),
    ],
)
def test_large_numbers_are_short(value: float, shown: str) -> None:
    assert format_number(value, 0) == shown


def test_small_numbers_are_short_and_numbers_of_one_chart_alike() -> None:
    assert format_number(2.5e-7, 4) == "2.5e-7"
    assert [number_formatter((0.5, 12.25))(value) for value in (0.5, 12.25)] == ["0.50", "12.25"]
    assert number_formatter((1, None, 20))(20) == "20"


def test_ticks_that_differ_in_their_fourth_figure_only_are_told_apart() -> None:
    assert tick_labels([99e9, 99.5e9, 100e9, 100.5e9]) == ["99B", "99.5B", "100B", "100.5B"]
    assert tick_labels([1.0001e6, 1.0002e6]) == ["1.0001M", "1.0002M"]
    assert tick_labels([2.001e15, 2.002e15]) == ["2.001e15", "2.002e15"]


@settings(deadline=None, max_examples=300)
@example(99e9, 1000000001.0, 4)
@example(0.5, 0.001, 5)
@given(st.floats(-1e12, 1e12), st.floats(1e-6, 1e12), st.integers(3, 12))
def test_ticks_enclose_the_values_evenly_and_are_told_apart(low: float, size: float, most: int) -> None:
    found = ticks(low, low + size, most)
    slack = 1e-6 * max(abs(low), size)
    assert len(found) <= most
    assert found[0] <= low + slack
    assert found[-1] >= low + size - slack
    if size > 1e-9 * abs(low) and size / max(1e-9, abs(low) + size) > 0.001:
        assert len(set(tick_labels(found))) == len(found)


CELL_VALUES = st.one_of(st.none(), st.integers(-(10**7), 10**7), st.floats(-1e9, 1e9, allow_nan=False))
LABELS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_categories=("C", "M", "Z")), max_size=12),
    st.sampled_from(["台北车站", "2025-01-31", "2025-02", "2025-Q3"]),
)


@settings(deadline=None)
@given(
    st.sampled_from(KINDS),
    st.lists(st.tuples(LABELS, CELL_VALUES, CELL_VALUES), max_size=12),
    st.integers(24, 120),
    st.booleans(),
)
def test_nothing_is_wider_than_the_pane_whatever_is_drawn(
    kind: str, rows: list[tuple[str, Any, Any]], width: int, both: bool
) -> None:
    series = {"first": tuple(a for _, a, _ in rows)} | ({"第二": tuple(b for _, _, b in rows)} if both else {})
    lines = text(width, type=kind, x=tuple(label for label, _, _ in rows), y="n", series=series)
    assert lines
    assert max(map(cell_len, lines)) <= width


def test_nothing_to_draw_is_said() -> None:
    for kind in KINDS:
        assert text(type=kind) == ["nothing to draw"]
