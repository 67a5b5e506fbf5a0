"""Search keywords taken apart into terms: what to look for, how strictly, and what to try where it is not found.

An identifier or anything in double quotes is looked for as it is. A plain English word also finds its inflections,
cut at word ends, so that ``import`` finds ``imports`` and not ``important``. ``PEP 5`` never finds ``PEP 509``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kbtui.knowledge.search.ripgrep import BOUNDARY, LinePattern, escape
from kbtui.text.language import CJK
from kbtui.text.tokenise import STOP_WORDS, content_words, stem, tokens

MAX_KEYWORDS: Final = 16
"""Keywords beyond these are not looked for: each costs a pass over the folder."""

MAX_TERMS: Final = 32
"""The same for terms, of which a Chinese phrase that is not found whole gives one for each pair of characters."""

_LONGEST: Final = 200
_PART_WEIGHT: Final = 0.5
_LONGEST_ABBREVIATION: Final = 5

_PIECES = re.compile(r'"([^"]+)"|“([^”]+)”|「([^」]+)」|([^\s,，、;；]+)')
_CJK_RUN = re.compile(f"[{CJK}]+")
_PLAIN = re.compile(r"[A-Za-z]?[a-z]{3,}")
_NUMBER = re.compile(r"\d{1,9}")
_NAME = re.compile(r"[^\W\d_]{2,12}")
_NAMED_NUMBER = re.compile(r"([^\W\d_]{2,12})[\s_\-:#]*0*(\d{1,9})")
_GAP = r"[\s_\-:#]{0,3}"
_SUFFIX = "(?:e|y|s|es|ed|d|ing|er|ers|or|ors|ies|ied|ying|ion|ions|ation|ations|ment|ments|able|al|ally|ly)?"
_EDGE = "`'.,;:!?()[]{}<>，。；：！？（）《》"


@dataclass(frozen=True, slots=True)
class Term:
    """One thing to look for.

    Attributes:
        text: As asked.
        pattern: What its lines look like.
        token: What it is among the tokens of a passage, when it is one of them; else empty.
        keyword: Position of the keyword it came from.
        whole: It stands for the whole keyword, not for a part of it.
        weight: How much it counts beside the others.
    """

    text: str
    pattern: LinePattern
    keyword: int
    token: str = ""
    whole: bool = True
    weight: float = 1.0


def split_keywords(keywords: str | Sequence[str]) -> list[tuple[str, bool]]:
    """Keywords without repeats, and whether each was quoted.

    A text is cut at spaces and commas; what stands in double quotes stays whole, and so does a name with the number
    behind it (``PEP 509``). Items of a sequence are keywords as they are. Stop words go unless nothing else is left.
    """
    if isinstance(keywords, str):
        found = _split(keywords)
    else:
        found = [(item.strip(), " " in item.strip()) for item in keywords]
    unique: dict[str, tuple[str, bool]] = {}
    for text, quoted in found:
        text = text[:_LONGEST] if quoted else (text.strip(_EDGE) or text)[:_LONGEST]
        if text:
            unique.setdefault(text.casefold(), (text, quoted))
    kept = [(text, quoted) for key, (text, quoted) in unique.items() if quoted or key not in STOP_WORDS]
    return (kept or list(unique.values()))[:MAX_KEYWORDS]


def _split(text: str) -> list[tuple[str, bool]]:
    found: list[tuple[str, bool]] = []
    joinable = False
    for match in _PIECES.finditer(text):
        piece, quoted = match[0], match[4] is None
        if quoted:
            piece = next(group for group in match.groups() if group is not None).strip()
        if joinable and not quoted and _NUMBER.fullmatch(piece.strip(_EDGE)):
            found[-1] = (f"{found[-1][0]} {piece.strip(_EDGE)}", False)
            joinable = False
            continue
        found.append((piece, quoted))
        joinable = not quoted and _NAME.fullmatch(piece) is not None and piece.lower() not in STOP_WORDS
    return found


def first_terms(keywords: Sequence[tuple[str, bool]]) -> list[Term]:
    """The terms to look for first: each keyword whole, and the words of those that have several."""
    found = []
    for position, (text, quoted) in enumerate(keywords):
        found.append(_whole(text, quoted, position))
        if " " in text and _NAMED_NUMBER.fullmatch(text) is None:
            parts = [word for word in content_words(text) if word.casefold() != text.casefold()]
            found += [_part(word, position) for word in dict.fromkeys(parts) if not _CJK_RUN.fullmatch(word)]
    return found[:MAX_TERMS]


def second_terms(missing: Sequence[Term], room: int) -> list[Term]:
    """What to look for instead of terms that no file holds: pairs of Chinese characters, or a word inside of others."""
    found: dict[str, Term] = {}
    for term in missing:
        for run in _CJK_RUN.findall(term.text) if term.whole else []:
            if len(run) > 2 or len(run) < len(term.text):
                for pair in map(str.__add__, run, run[1:]) if len(run) > 1 else [run]:
                    found.setdefault(pair, Term(pair, LinePattern(escape(pair)), term.keyword, pair, whole=False))
        if term.whole and " " not in term.text and BOUNDARY in term.pattern.body:
            for part in _instead(term):
                found.setdefault(part.text + part.pattern.body, part)
    return list(found.values())[: max(room, 0)]


def _instead(term: Term) -> list[Term]:
    """A word that is nowhere as it is: short ones as the beginning of others (``auth``), names inside of others and in
    pieces."""
    text = term.text
    if _PLAIN.fullmatch(text):
        prefix = LinePattern(f"{BOUNDARY}{escape(text)}")
        return [Term(text, prefix, term.keyword, weight=_PART_WEIGHT)] if len(text) <= _LONGEST_ABBREVIATION else []
    pieces = [piece for piece in re.findall(r"[A-Za-z]{3,}", text) if piece.casefold() not in STOP_WORDS]
    inside = [Term(text, LinePattern(escape(text)), term.keyword)] if len(text) > 3 else []
    return inside + [_part(piece, term.keyword) for piece in dict.fromkeys(pieces) if piece != text]


def _whole(text: str, quoted: bool, position: int) -> Term:
    if named := _NAMED_NUMBER.fullmatch(text):
        return Term(text, _bounded(f"{escape(named[1])}{_GAP}0*{named[2]}", text), position)
    found = tokens(text)
    token = found[0] if len(found) == 1 else ""
    if not quoted and _PLAIN.fullmatch(text):
        return Term(text, _inflected(text.lower()), position, token)
    return Term(text, _bounded(_words(text), text), position, token)


def _part(word: str, position: int) -> Term:
    found = tokens(word)
    plain = _PLAIN.fullmatch(word) is not None
    pattern = _inflected(word.lower()) if plain else _bounded(escape(word), word)
    return Term(word, pattern, position, found[0] if len(found) == 1 else "", whole=False, weight=_PART_WEIGHT)


def _inflected(word: str) -> LinePattern:
    """A word with its inflections: what it shares with its stem, then one of the usual endings.

    It may also be a part of an identifier: ``executor`` finds ``DiffExecutor`` and ``run_executor``.
    """
    stemmed = stem(word)
    base = stemmed[:-1] if stemmed.endswith("i") else stemmed
    if len(base) < 3 or not word.startswith(base):
        base, ending = word, ""
    else:
        ending = f"{base[-1]}?{_SUFFIX}" if base[-1] not in "aeiouwxy" else _SUFFIX
    # The word itself too: what the stemmer takes off may be longer than any ending (`authent-ication`).
    start = f"(?:{BOUNDARY}|_)(?:{word}|{base})|(?-i:[a-z0-9](?:{word.capitalize()}|{base.capitalize()}))"
    return LinePattern(rf"(?:{start}){ending}(?:{BOUNDARY}|_|(?-i:[A-Z0-9]))")


def _words(text: str) -> str:
    """A literal in which any stretch of white space or hyphens stands for any other; a phrase may be in the plural."""
    pieces = [escape(piece) for piece in re.split(r"\s+", text) if piece]
    if len(pieces) > 1 and _PLAIN.fullmatch(pieces[-1]):
        pieces[-1] += "(?:s|es)?"
    return r"[\s\-]+".join(pieces)


def _bounded(body: str, text: str) -> LinePattern:
    """``body`` between word boundaries, on the sides where ``text`` begins or ends with a word."""
    return LinePattern(f"{_edge(text[0])}{body}{_edge(text[-1])}")


def _edge(char: str) -> str:
    return BOUNDARY if char.isascii() and (char.isalnum() or char == "_") else ""
