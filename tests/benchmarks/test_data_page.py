"""The tables of docs/data.md are what the program says."""

from __future__ import annotations

import data_page


def test_the_questions_of_the_page_come_out_as_they_stand_there() -> None:
    shown = data_page.rows(data_page.shown())
    again = data_page.told([(row[0], row[1]) for row in shown])
    assert data_page.rows(data_page.page(list(again))) == shown


def test_the_page_has_ten_read_five_offered_and_five_refused() -> None:
    tables = data_page.shown().split("\n**")[1:]
    assert [len(data_page.rows(table)) for table in tables] == [10, 5, 5]


def test_only_what_was_made_is_written_anew() -> None:
    page = f"before\n{data_page.BEGIN}old\n{data_page.END}behind\n"
    new = f"{data_page.BEGIN}new\n{data_page.END}"
    assert data_page.written(page, new) == f"before\n{new}behind\n"
