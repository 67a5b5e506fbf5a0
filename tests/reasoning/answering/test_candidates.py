"""What a candidate says as it would be shown."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kbtui.reasoning.citing import Excerpt
from kbtui.reasoning.offline.answering.candidates import Candidate, saying_more
from kbtui.reasoning.offline.cleaning import readable
from kbtui.reasoning.offline.quotable import Unit
from kbtui.text.tokenise import tokens

UNIT = Unit("", 1, 1, "sentence", Excerpt("a.md", 1, ("",)), 0, 0)


def candidate(text: str) -> Candidate:
    return Candidate(
        unit=replace(UNIT, text=text),
        tokens=tuple(tokens(text)),
        document=0,
        section=0,
        first=True,
        depth=0.0,
        passage=None,
    )


@pytest.mark.parametrize(
    ("text", "stays"),
    [
        ("How the gate is shut", False),
        ("See [how the gate is shut](gates.md)", True),
        ("[How the gate is shut](https://example.org/gates)", False),
        ("The gate is shut at dusk", True),
        ("The gate is shut:", True),
    ],
)
def test_what_says_only_what_the_question_says_is_left_out(text: str, stays: bool) -> None:
    assert bool(saying_more([candidate(text)], "how is the gate shut?")) is stays


@settings(deadline=None)
@given(st.text(alphabet="ab1 .,:;-*#=>()'\"!?&%/+~^\\，。门\t\u200b", max_size=40))
def test_plain_text_says_the_same_as_it_is_shown(text: str) -> None:
    asked = " ".join(tokens(readable(text)))
    own = frozenset(tokens(asked))
    expected = text.rstrip().endswith((":", "：")) or not own.issuperset(tokens(readable(text)))
    assert bool(saying_more([candidate(text)], asked)) is expected


@settings(deadline=None)
@given(st.text(alphabet="ab1 .:`[]<>_|()门\t", max_size=40), st.text(alphabet="ab1 ", max_size=10))
def test_text_with_marks_is_judged_by_what_is_shown(text: str, asked: str) -> None:
    expected = text.rstrip().endswith((":", "：")) or not frozenset(tokens(asked)).issuperset(tokens(readable(text)))
    assert bool(saying_more([candidate(text)], asked)) is expected
