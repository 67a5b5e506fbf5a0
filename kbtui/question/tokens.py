"""Cuts a question into tokens: Latin words, numbers, single Chinese characters, punctuation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from kbtui import late_patterns
from kbtui.question.model import Quoted, Token, TokenKind, TokenSpan
from kbtui.question.words import Words
from kbtui.text.inflection import root
from kbtui.text.language import CJK, simplified
from kbtui.text.units import canonical_units

_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    ord(wide): plain for wide, plain in zip("　’‘、。【】", " '',.[]", strict=True)
}
_LATIN: Final = rf"[^\W\d_{CJK}]"
_DATE: Final = r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}([-/.])\d{1,2}\1(?:\d{4}|\d{2})|\d{4}[-/](?:0[1-9]|1[0-2])"
_SIGNED: Final = rf"{_LATIN}{{1,2}}(?:\+{{1,2}}|\#|-(?=[\s{CJK}]|$))(?![^\W{CJK}])"
"""A short name that ends with a sign: the mark A-, the blood group 0+, the language C#."""
_TOKEN: Final = late_patterns.pattern(
    rf"""(?P<han>[{CJK}])
    |(?P<date>(?<![\w])(?:{_DATE})(?![\d/-]|\.\d))
    |(?P<time>\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?!\d))
    |(?P<code>(?<![^\W{CJK}])(?=[\w#/-]*\d){_LATIN}{{1,8}}[-_#/]?\d(?:[-_/]?[^\W{CJK}]|\.\d)*)
    |(?P<number>\d+(?:,\d{{3}})*(?:\.\d+)?)(?:(?P<nth>st|nd|rd|th)\b|(?P<glued>{_LATIN}[^\W{CJK}]*))?
    |(?<!\w){_SIGNED}
    |(?P<word>(?:{_LATIN}|_)(?:[^\W{CJK}]|'(?={_LATIN}))*)
    |(?P<mark>>=|<=|=>|=<|!=|<>|==|[^\w\s])""",
    re.X,
)
_SUFFIXES: Final = frozenset(("k", "m", "mn", "mln", "b", "bn", "tn"))
_ACRONYMS: Final = frozenset(("it", "us"))
"""Pronouns that are names in capitals: the IT department, customers in the US."""
_BRACKETS: Final = re.compile(r"\(([^()]+)\)")
_QUOTES: Final = {'"': '"', "“": "”", "'": "'", "‘": "’", "`": "`", "「": "」", "『": "』", "《": "》"}


def fold(text: str) -> str:
    """``text`` in lower case and simplified Chinese, with full-width forms as ASCII; of the same length."""
    if text.isascii():
        return text.lower()
    plain = simplified(text.translate(_FULL_WIDTH))
    lower = plain.lower()
    return lower if len(lower) == len(plain) else "".join(c.lower() if len(c.lower()) == 1 else c for c in plain)


def tokenise(text: str, words: Words) -> tuple[Token, ...]:
    """The tokens of a question in order; every character but blanks is part of exactly one."""
    folded = fold(text)
    tokens: list[Token] = []
    in_compounds = frozenset(at for match in words.whole.finditer(folded) for at in range(*match.span()))
    for match in _TOKEN.finditer(folded):
        start, end = match.span()
        kind: TokenKind = "word"
        if match["han"]:
            kind = "han"
        elif match["mark"]:
            kind = "punctuation"
        elif match["date"] or match["time"] or match["number"]:
            kind = "number"
        if match["code"] and (cut := _month_and_number(match["code"], words)):
            tokens.append(_token(text, folded, start, start + cut, "word", words))
            tokens += _tokens_of_code_tail(text, folded, start + cut, end, words)
            continue
        if match["glued"]:
            cut = match.start("glued")
            if match["glued"] in _SUFFIXES:
                pass
            elif match["glued"] in canonical_units():
                unit = _token(text, folded, cut, end, "word", words)
                # ``404s`` is a plural as often as seconds, so a statement may ignore the unit.
                unit = replace(unit, content=False) if match["glued"] == "s" else unit
                tokens += [_token(text, folded, start, cut, "number", words), unit]
                continue
            else:
                kind = "word"
        tokens.append(_token(text, folded, start, end, kind, words))
    return tuple(replace(token, content=True) if token.start in in_compounds else token for token in tokens)


def _month_and_number(code: str, words: Words) -> int:
    """Where the word of ``jan-2025`` or ``week12`` ends; 0 for a code such as ``inv-0012``."""
    letters = re.match(r"[^\W\d_]+", code)
    assert letters is not None, "codes begin with letters"
    is_time = letters[0] in words.months or letters[0] in ("week", "quarter", "year", "fy", "month", "top", "last")
    return letters.end() if is_time and code[letters.end() :].strip("-/ ").isdigit() else 0


def _tokens_of_code_tail(text: str, plain: str, start: int, end: int, words: Words) -> list[Token]:
    if plain[start].isdigit():
        return [_token(text, plain, start, end, "number", words)]
    return [
        _token(text, plain, start, start + 1, "punctuation", words),
        _token(text, plain, start + 1, end, "number", words),
    ]


def _token(text: str, plain: str, start: int, end: int, kind: TokenKind, words: Words) -> Token:
    norm = plain[start:end].replace("'", "") if kind == "word" else plain[start:end]
    stem = root(norm) if kind == "word" else norm
    # "I'd" has no content, "id" has.
    content = kind != "punctuation" and norm not in words.stop and plain[start:end] not in words.stop
    content = content or (norm in _ACRONYMS and text[start:end].isupper() and not text.isupper())
    return Token(text=text[start:end], start=start, end=end, norm=norm, stem=stem, kind=kind, content=content)


def bracketed_spans(
    plain: str, tokens: Sequence[Token], words: Words
) -> tuple[tuple[TokenSpan, ...], tuple[TokenSpan, ...]]:
    """The token spans inside brackets that restate the words before them, and those that only give examples.

    ``jobs by stage (done, on hold etc)`` asks for all stages; ``locked accounts (status 3)`` defines "locked".
    """
    restatements: list[TokenSpan] = []
    examples: list[TokenSpan] = []
    for match in _BRACKETS.finditer(plain):
        inside = [at for at, token in enumerate(tokens) if match.start(1) <= token.start < match.end(1)]
        if inside:
            spans = examples if words.examples.search(match[1]) else restatements
            spans.append(TokenSpan(inside[0], inside[-1] + 1))
    return tuple(restatements), tuple(examples)


def quoted_spans(text: str, tokens: tuple[Token, ...]) -> tuple[Quoted, ...]:
    """Text in quotation marks; an apostrophe inside a word, or without a closing one, is no quotation mark."""
    quotes: list[Quoted] = []
    at = 0
    while at < len(tokens):
        mark = tokens[at].text
        closing = _QUOTES.get(mark)
        last = at
        if closing is not None and not (mark == "'" and at and tokens[at - 1].end == tokens[at].start):
            last = next((i for i in range(at + 1, len(tokens)) if tokens[i].text == closing), at)
        if last > at + 1:
            inner = text[tokens[at].end : tokens[last].start].strip()
            quotes.append(Quoted(span=TokenSpan(at, last + 1), text=inner))
            at = last
        at += 1
    return tuple(quotes)
