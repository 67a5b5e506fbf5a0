"""Word lists: rows of parts, without comments and empty lines."""

from __future__ import annotations

from kbtui.text.word_lists import rows_in, rows_of


def test_empty_lines_and_comments_are_no_rows_and_parts_keep_what_they_hold() -> None:
    assert rows_of("# a comment\nred\tdark red \n\n \t\n#\nblue") == [["red", "dark red "], ["blue"]]


def test_a_list_of_a_package_is_read_by_its_name() -> None:
    assert ["amount", "sum", "total"] in rows_in("kbtui.data.nl2sql", "synonyms.tsv")
