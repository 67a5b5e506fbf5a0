"""Word lists: rows of parts, without comments and empty lines."""

from __future__ import annotations

from kbtui.text.word_lists import filled, rows_in, rows_of, toml_in


def test_empty_lines_and_comments_are_no_rows_and_parts_keep_what_they_hold() -> None:
    assert rows_of("# a comment\nred\tdark red \n\n \t\n#\nblue") == [["red", "dark red "], ["blue"]]


def test_a_list_of_a_package_is_read_by_its_name() -> None:
    rows = rows_in("kbtui.nl2sql", "glossary.tsv")
    assert any(row[:2] == ["人", "employee"] for row in rows)


def test_a_pattern_over_several_lines_is_one_pattern_with_its_blanks_filled() -> None:
    pattern = filled("<GREETING>, <(?:world|\n    <NAME>)>\\s", {"GREETING": "hello", "NAME": "moon|\n  sun"})
    assert pattern == r"hello, <(?:world|moon|sun)>\s"


def test_a_table_of_a_package_is_read_by_its_name() -> None:
    assert toml_in("kbtui.ui.commands", "commands.toml")["command"][0]["keys"] == ["enter"]
