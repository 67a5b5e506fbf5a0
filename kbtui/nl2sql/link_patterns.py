"""Mentions of text patterns: names that start with B, notes that contain ``marathon``, 姓王的."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo
from kbtui.nl2sql.lattice import How, Mention
from kbtui.nl2sql.query import Col, Cond, Ref
from kbtui.question.model import Question, TokenSpan

_FORMS: Final = {"starts": "{}%", "ends": "%{}", "contains": "%{}%"}
_TEXT: Final = ("name", "category", "code", "text", "other")
_LEADING_WORDS: Final = frozenset(
    ("the", "a", "an", "word", "words", "letter", "letters", "string", "text", "substring", "phrase", "character",
     "characters", "digit", "digits", "prefix", "suffix", "either", "字", "词", "字样", "了", "有", "着", "是", "为")
)  # fmt: skip
_PREPOSITIONS: Final = frozenset(("in", "within", "inside"))
_POSSESSIVE: Final = frozenset(("the", "their", "its", "his", "her", "our", "a", "an", "some", "any"))
_CLOSING_CHARACTERS: Final = frozenset("的字开打起结收之而且和及与或、，。？?!！,;；)")
_MAX_WORDS: Final = 3
_MAX_TOKENS: Final = 4
_REACH: Final = 4
"""Tokens between the operator and the column, at most."""
_MAX_COLUMNS: Final = 4
_MIN_NAME_SCORE: Final = 0.65
_MENTIONED: Final = 0.9
_ABSENT: Final = 0.75
_UNMENTIONED: Final = 0.62


class _Fragment(NamedTuple):
    span: TokenSpan
    text: str
    quoted: bool


def pattern_mentions(question: Question, names: Sequence[Mention], catalogue: Catalogue) -> Iterator[Mention]:
    """Conditions that a text column starts with, ends with or contains a fragment.

    Args:
        names: Mentions of tables and columns; a column next to the operator is searched, else text columns of the
            mentioned tables with the fragment among their values.
    """
    for cue in question.cues:
        if cue.op in _FORMS:
            for fragment in _fragments(question, cue.span):
                yield from _pattern_conditions(cue.op, cue.span, fragment, names, catalogue)
    yield from _fragments_in_columns(question, names, catalogue)


def _fragments(question: Question, cue: TokenSpan) -> Iterator[_Fragment]:
    """The fragments after an operator, or inside 以…开头: quoted text, else runs of a few words."""
    tokens = question.tokens
    for quoted in question.quoted:
        if 0 <= quoted.span.first - cue.last <= _REACH or cue.first <= quoted.span.first < cue.last:
            yield _Fragment(quoted.span, quoted.text, True)
            return
    first = cue.last
    if tokens[cue.last - 1].kind == "han" and cue.first and _follows_fragment(question, cue):
        yield from _preceding_fragment(question, cue)
        return
    while first < len(tokens) and tokens[first].norm in _LEADING_WORDS:
        first += 1
    for last in range(first + 1, min(len(tokens), first + _MAX_TOKENS) + 1):
        token = tokens[last - 1]
        if token.kind == "punctuation" or (token.kind == "han" and token.text in _CLOSING_CHARACTERS):
            return
        if token.kind != "han" and (last - first > _MAX_WORDS or (token.kind == "word" and not token.content)):
            return
        yield _Fragment(TokenSpan(first, last), question.words(TokenSpan(first, last)), False)


def _follows_fragment(question: Question, cue: TokenSpan) -> bool:
    """Whether a Chinese operator follows its fragment: 以张开头, 8结尾, 加急字样."""
    return question.tokens[cue.last - 1].text in "头尾缀样眼束"


def _preceding_fragment(question: Question, cue: TokenSpan) -> Iterator[_Fragment]:
    for first in range(cue.first - 1, max(-1, cue.first - 1 - _MAX_TOKENS), -1):
        if question.tokens[first].text in ("以", "用", "有", "由", "是", "带"):
            span = TokenSpan(first + 1, cue.first)
            if span.last > span.first:
                yield _Fragment(span, question.words(span), False)
            return
    span = TokenSpan(cue.first - 1, cue.first)
    yield _Fragment(span, question.words(span), False)


def _pattern_conditions(
    op: str, cue: TokenSpan, fragment: _Fragment, names: Sequence[Mention], catalogue: Catalogue
) -> Iterator[Mention]:
    span = TokenSpan(min(cue.first, fragment.span.first), max(cue.last, fragment.span.last))
    columns = list(_columns_beside(span, names, catalogue))
    for column, score in columns:
        is_known = fragment.quoted or not column.complete or _matches(column, op, fragment.text)
        yield _mention(span, column, op, fragment, score * (_MENTIONED if is_known else _ABSENT))
    if columns:
        return
    tables = dict.fromkeys(m.ref.table for m in names if m.ref is not None and m.score >= _MIN_NAME_SCORE)
    for table in map(catalogue.tables.__getitem__, tables or catalogue.tables):
        for column in table.columns:
            if _is_text(column) and _matches(column, op, fragment.text):
                bonus = 0.05 * (column.ref in table.naming) + 0.03 * (column.kind == "text")
                yield _mention(span, column, op, fragment, _UNMENTIONED + bonus)


def _is_text(column: ColumnInfo | None) -> bool:
    return column is not None and column.kind in _TEXT and not column.encoding


def _columns_beside(
    span: TokenSpan, names: Sequence[Mention], catalogue: Catalogue
) -> Iterator[tuple[ColumnInfo, float]]:
    """Text columns that are named next to the operator or the fragment, with their scores."""
    scores: dict[Ref, float] = {}
    for mention in names:
        if mention.kind != "column" or mention.ref is None or mention.order or mention.score < _MIN_NAME_SCORE:
            continue
        is_before = mention.span.first < span.first
        gap = span.first - mention.span.last if is_before else mention.span.first - span.last
        if 0 <= gap <= _REACH and _is_text(catalogue.column(mention.ref)):
            scores[mention.ref] = max(mention.score - 0.02 * gap, scores.get(mention.ref, 0.0))
    for ref, score in sorted(scores.items(), key=lambda item: -item[1])[:_MAX_COLUMNS]:
        column = catalogue.column(ref)
        assert column is not None
        yield column, score


def _matches(column: ColumnInfo, op: str, fragment: str) -> bool:
    """Whether a known value contains the fragment at that position."""
    part = fragment.casefold().strip("%")
    tests = {"starts": str.startswith, "ends": str.endswith, "contains": str.__contains__}
    return any(isinstance(value, str) and tests[op](value.casefold(), part) for value, _ in column.values)


def _mention(span: TokenSpan, column: ColumnInfo, op: str, fragment: _Fragment, score: float) -> Mention:
    text = fragment.text
    pattern = text if "%" in text.strip() and len(text) > 1 else _FORMS[op].format(text)
    cond = Cond(Col(column.ref), "like", pattern, fold=True)
    how: How = "quoted" if fragment.quoted else "part"
    return Mention(span=span, kind="state", score=min(1.0, score), how=how, ref=column.ref, cond=cond)


def _fragments_in_columns(question: Question, names: Sequence[Mention], catalogue: Catalogue) -> Iterator[Mention]:
    """Fragments before a column name: ``marathon in the notes``, ``a D in their first name``."""
    tokens = question.tokens
    quoted = {q.span.last: q for q in question.quoted}
    for mention in names:
        info = catalogue.column(mention.ref) if mention.kind == "column" and mention.ref is not None else None
        if info is None or not _is_text(info) or mention.score < _MIN_NAME_SCORE:
            continue
        at = mention.span.first
        while at and tokens[at - 1].norm in _POSSESSIVE:
            at -= 1
        if not at or tokens[at - 1].norm not in _PREPOSITIONS:
            continue
        last = at - 1
        if last in quoted:
            fragment = _Fragment(quoted[last].span, quoted[last].text, True)
            yield _mention(TokenSpan(fragment.span.first, mention.span.last), info, "contains", fragment, _MENTIONED)
            continue
        for first in range(last - 1, max(-1, last - 1 - _MAX_WORDS), -1):
            if not tokens[first].content or tokens[first].kind == "punctuation":
                break
            fragment = _Fragment(TokenSpan(first, last), question.words(TokenSpan(first, last)), False)
            if len(fragment.text) == 1 or _matches(info, "contains", fragment.text):
                score = _MENTIONED * mention.score - 0.15 * (info.kind not in ("text", "name"))
                yield _mention(TokenSpan(first, mention.span.last), info, "contains", fragment, score)
                if first > 1 and tokens[first - 1].norm == "or":
                    other = TokenSpan(first - 2, first - 1)
                    yield _mention(other, info, "contains", _Fragment(other, question.words(other), False), score)
