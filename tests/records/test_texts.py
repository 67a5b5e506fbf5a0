"""What the texts of things say."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import pytest

from kbtui.errors import ToolError
from kbtui.records.kinds import Thing
from kbtui.records.texts import TEXT_FIELD, Texts, stems_of

_FILES = {
    "pump.md": ["# Pump", "", "They use the gate.", "", "Using the", "pump floods the garden."],
    "rake.md": ["# Rake", "", "A rake is used.", "", "The pump is not here."],
}
PUMP, RAKE = (Thing(key=path, path=path, title=path) for path in _FILES)


class _Source:
    def lines(self, path: str) -> list[str]:
        return _FILES[path]


def texts(holding: Any = None) -> Texts:
    return Texts(_Source(), holding)  # type: ignore[arg-type]


def test_a_clause_is_stated_where_forms_of_all_its_words_stand_on_neighbouring_lines() -> None:
    fact = texts().find_passage(PUMP, stems_of("uses pumps"))
    assert fact is not None
    assert (fact.field, fact.value, fact.line) == (TEXT_FIELD, "Using the", 5)


def test_words_that_stand_apart_state_nothing() -> None:
    assert texts().find_passage(RAKE, stems_of("uses pumps")) is None


def test_only_files_that_hold_the_beginnings_of_all_words_are_worth_reading() -> None:
    asked: list[Sequence[str]] = []

    def holding(words: Sequence[str]) -> Collection[str]:
        asked.append(words)
        return {"pump.md"}

    assert texts(holding).filter_by_words([PUMP, RAKE], stems_of("floods gates")) == [PUMP]
    assert asked == [["floo", "gate"]]


def test_all_files_are_read_where_the_search_for_them_fails_or_there_is_none() -> None:
    def failing(words: Sequence[str]) -> Collection[str]:
        raise ToolError("ripgrep took too long")

    for holding in (failing, None):
        assert list(texts(holding).filter_by_words([PUMP, RAKE], stems_of("floods gates"))) == [PUMP, RAKE]


@pytest.mark.parametrize("clause", ["using", "pump garden"])
def test_a_clause_in_one_paragraph_is_found_by_any_form_of_its_words(clause: str) -> None:
    assert texts().find_passage(PUMP, stems_of(clause)) is not None
