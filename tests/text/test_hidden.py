"""Hidden characters go, those that scripts and emoji need stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbtui.text.hidden import MAX_ZERO_WIDTH, conceals, visible

KEPT = [
    "plain text\n\twith a tab",
    "\U0001f469\u200d\U0001f4bb and \u2764\ufe0f\u200d\U0001f525",
    "1\ufe0f\u20e3 \u2714\ufe0f \u2600\ufe0e",
    "می\u200cخواهم",
    "क्\u200dष and ക്\u200dക",
    "部署　回滚，e\u0301",
]
LOST = [
    ("a\U000e0041\U000e0042b", "ab"),
    ("\U0001f600\ufe0f\ufe01\U000e0121", "\U0001f600\ufe0f"),
    ("x\ufe00y\ufe0f", "xy"),
    ("中\u200d文\u200c字", "中文字"),
    ("\u0645\u200c\u200c\u200c\u0645", "\u0645\u0645"),
    ("a\u200db", "ab"),
    ("in\u00ad\u00advisible\u2060", "invisible"),
    ("\u3164a\u115fb\u1160\uffa0c\u034f", "abc"),
    ("\u202eabc\u202c", "abc"),
    ("\x1b[2Ja\x1b]52;c;eA==\x07", "a"),
]


@pytest.mark.parametrize("text", KEPT)
def test_what_a_script_or_an_emoji_needs_stays(text: str) -> None:
    assert visible(text) == text
    assert not conceals(text)


@pytest.mark.parametrize(("text", "expected"), LOST)
def test_what_shows_nothing_goes(text: str, expected: str) -> None:
    assert visible(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "hi\U000e0048\U000e0049",
        "\U0001f600\ufe01\ufe02",
        "a\U000e0121\U000e0122",
        "\u202egnp.exe",
        "a\u200b\u200c\u200b\u200cb",
        " ".join("w\u200bw" for _ in range(MAX_ZERO_WIDTH + 1)),
    ],
)
def test_messages_in_hidden_characters_are_told_of(text: str) -> None:
    assert conceals(text)


@pytest.mark.parametrize("text", ["\ufeffa mark", "soft\u00adhyphen " * 50, "a\u200bb", "\u200fעברית\u200e", "x\u202c"])
def test_what_word_processors_leave_behind_is_not(text: str) -> None:
    assert not conceals(text)


def test_the_flag_of_a_region_hides_nothing() -> None:
    assert not conceals("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f")


@given(st.text())
def test_lines_keep_their_numbers_and_cleaning_twice_changes_nothing(text: str) -> None:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    once = visible(text)
    assert once.count("\n") == text.count("\n")
    assert visible(once) == once
