from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from kbtui.text.terminal import clean, one_line, safe_json


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]8;;https://example.org\x07link\x1b]8;;\x1b\\", "link"),
        ("\x1b]0;new title\x07x", "x"),
        ("\x1bPq#0payload\x1b\\x", "x"),
        ("\x9b2Jx", "x"),
        ("\x1b(0x", "x"),
        ("a\x08b\x00c\x7f", "abc"),
        ("abc\u202edef\u2066", "abcdef"),
        ("pass\u200bword\ufeff", "password"),
        ("hid\U000e0041den", "hidden"),
        ("a\u2028b\x85c\x0cd", "a b c d"),
        ("half \ud83d", "half \ufffd"),
    ],
)
def test_what_steers_a_terminal_is_removed(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_line_ends_are_one_kind_and_tabs_stay() -> None:
    assert clean("a\r\nb\rc\td") == "a\nb\nc\td"
    assert clean("a\nb", keep_newlines=False) == "a b"


def test_joined_emoji_and_accents_survive() -> None:
    assert clean("👩‍💻 e\u0301 部署") == "👩‍💻 e\u0301 部署"


def test_stacked_accents_are_cut() -> None:
    assert len(clean("z" + "\u0301" * 500)) == 5


def test_an_unfinished_escape_string_ends_with_its_line() -> None:
    assert clean("a\x1b]0;title\nb") == "a\nb"


def test_one_line_is_cut_by_cells_not_characters() -> None:
    assert one_line("部署\n回滚\t步骤", 7) == "部署…"
    assert one_line("short", 5) == "short"
    assert one_line("longer", 5) == "long…"
    assert one_line("x", 0) == ""


@given(st.text(), st.integers(0, 30))
def test_one_line_always_fits(text: str, width: int) -> None:
    line = one_line(text, width)
    assert cell_len(line) <= width
    assert "\n" not in line and "\x1b" not in line


@given(st.text(alphabet="ab\x1b[]0;m\x07\\\x9b\n"))
def test_no_escape_survives_another_ones_removal(text: str) -> None:
    cleaned = clean(text)
    assert "\x1b" not in cleaned and "\x9b" not in cleaned
    assert clean(cleaned) == cleaned


@given(st.text(st.characters(), max_size=30))
def test_safe_json_says_the_same_and_holds_nothing_that_steers(text: str) -> None:
    for written in (json.dumps({text: [text]}, ensure_ascii=False), json.dumps(text, indent=2)):
        safe = safe_json(written)
        assert json.loads(safe) == json.loads(written)
        assert safe.replace("\n", "").isprintable()
        assert safe.encode("utf-8")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x7f\x9b2J", "\\u007f\\u009b2J"),
        ("a\u202eb\u2066c\u200fd\u061ce", "a\\u202eb\\u2066c\\u200fd\\u061ce"),
        ("\U000e0041\U000e0100", "\\udb40\\udc41\\udb40\\udd00"),
        ("half \ud83d", "half \\ud83d"),
        ("line\u2028line", "line\\u2028line"),
        ("中文，「héllo」 — 🎉 ελ", "中文，「héllo」 — 🎉 ελ"),
    ],
)
def test_safe_json_escapes_what_a_terminal_obeys_and_nothing_that_is_read(text: str, expected: str) -> None:
    assert safe_json(text) == expected
