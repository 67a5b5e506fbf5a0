"""The values that a question is parsed into, before any schema or document is read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field

from kbtui.text.language import Language

TokenKind = Literal["word", "han", "number", "punctuation"]
Grain = Literal["day", "week", "month", "quarter", "year", "span"]


class Token(Struct, frozen=True):
    """A Latin word or number, one Chinese character, or one punctuation mark.

    Attributes:
        text: As written.
        start: Offset of its first character in the question.
        end: Offset after its last one.
        norm: In lower case, without an apostrophe (``didn't`` is ``didnt``), full-width forms as ASCII.
        stem: Shared by inflected forms; of other tokens than words the same as ``norm``.
        content: A statement has to read it; false for articles, prepositions, courtesies, punctuation.
    """

    text: str
    start: int
    end: int
    norm: str
    stem: str
    kind: TokenKind = "word"
    content: bool = True


class TokenSpan(NamedTuple):
    """Tokens ``first`` up to, not including, ``last``."""

    first: int
    last: int

    def within(self, outer: TokenSpan) -> bool:
        """Whether it lies in another span, or is the same."""
        return outer.first <= self.first and self.last <= outer.last

    def overlaps(self, other: TokenSpan) -> bool:
        """Whether they share a token."""
        return self.first < other.last and other.first < self.last


class NumberMention(Struct, frozen=True, kw_only=True):
    """A number and the unit it stands with.

    Attributes:
        span: Number and unit.
        value: Exact; of a percentage the ratio.
        kind: As `kbtui.text.numbers.Kind` has it: cardinal, ordinal, fraction, percent, multiplier.
        unit: Canonical name (``hour``, ``kg``, ``USD``, ``%``), the measure word of Chinese (单, 个), or empty.
    """

    span: TokenSpan
    value: Fraction
    kind: str = "cardinal"
    unit: str = ""


class Period(Struct, frozen=True, kw_only=True):
    """The days of a time expression, resolved against today.

    Attributes:
        span: Its tokens, with a preposition that belongs to it (``in march``, ``since 2024``).
        first: First day; None for an open beginning (``before May``).
        last: Last day, included; None for an open end (``since 2024``).
        grain: The calendar unit that it is one of; ``span`` for other ranges of days.
        words: As written.
        leaves_year_open: It is part of a year that the question does not name (``in march``): ``first`` and ``last``
            are those of the latest one that has begun by today.
    """

    span: TokenSpan
    first: date | None
    last: date | None
    grain: Grain = "span"
    words: str = ""
    leaves_year_open: bool = False


class Cue(Struct, frozen=True, kw_only=True):
    """Words of an operator, by the names of `words/en.toml` and `words/zh.toml`.

    Attributes:
        op: Name of the operator, for example ``count``, ``sum``, ``most``, ``per``, ``never``.
        args: Arguments of the operator from the word file, such as a direction, a unit or a concept.
        weight: 1.0 for unambiguous words; less for words that may be ordinary ones (``first``, ``top``).
        is_corrected: Whether a word was taken for a misspelling: ``commonst`` for "commonest".
    """

    span: TokenSpan
    op: str
    args: Mapping[str, Any] = field(default_factory=dict)
    weight: float = 1.0
    is_corrected: bool = False


class Quoted(Struct, frozen=True, kw_only=True):
    """Text in quotation marks or backticks: a literal, whatever its words are.

    Attributes:
        span: With the marks.
        text: Without them.
    """

    span: TokenSpan
    text: str


class Question(Struct, frozen=True, kw_only=True):
    """A parsed question.

    Attributes:
        text: As typed.
        numbers: Digits and number words, without those of periods.
        cues: Operators; they may overlap one another and everything else.
        asides: Spans in brackets that restate the words before them.
    """

    text: str
    language: Language
    tokens: tuple[Token, ...]
    numbers: tuple[NumberMention, ...] = ()
    periods: tuple[Period, ...] = ()
    quoted: tuple[Quoted, ...] = ()
    cues: tuple[Cue, ...] = ()
    asides: tuple[TokenSpan, ...] = ()
    today: date = date.min

    def words(self, span: TokenSpan) -> str:
        """The text of a span as typed."""
        if span.first >= span.last:
            return ""
        return self.text[self.tokens[span.first].start : self.tokens[span.last - 1].end]
