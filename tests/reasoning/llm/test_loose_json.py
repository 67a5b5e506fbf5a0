"""Reading the JSON that a model meant."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbtui.reasoning.llm.loose_json import read_object


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, 2]}',
        '```json\n{"a": [1, 2]}\n```',
        '```\n{"a": [1, 2],}\n```',
        'Sure! Here is the plan:\n{"a": [1, 2]}\nI hope this helps.',
        '<think>perhaps {"a": [3]}</think>\n{"a": [1, 2]}',
        "{'a': [1, 2]}",
        '{"a": [1, 2]',
        'In words {not json}, then {"a": [1, 2]}',
        '{"a": [1, 2] // both\n}',
    ],
)
def test_the_object_is_found_whatever_stands_around_it(text: str) -> None:
    assert read_object(text) == {"a": [1, 2]}


def test_a_list_of_objects_is_kept_under_items() -> None:
    assert read_object('[{"id": 1}, {"id": 2}]') == {"items": [{"id": 1}, {"id": 2}]}


def test_half_an_object_keeps_what_was_complete() -> None:
    assert read_object('{"grades": [{"id": 1, "score": 0.9}, {"id": 2, "sc')["grades"][0] == {"id": 1, "score": 0.9}


@pytest.mark.parametrize("text", ["", "no", "{", "{}", "[1, 2]", "I cannot help with that.", "a {b} c", "null"])
def test_where_there_is_no_object_that_is_said(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        read_object(text)


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_it(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert isinstance(read_object(text), dict)


@pytest.mark.parametrize("piece", ['{"a" ', "[{", "{'a' ", '{"a":[{"b" '])
def test_what_never_ends_is_not_mended(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def mended(*_: object, **__: object) -> None:
        pytest.fail("mending this takes seconds")

    monkeypatch.setattr("json_repair.loads", mended)
    with pytest.raises(ValueError, match="no JSON object"):
        read_object(piece * 4000)
