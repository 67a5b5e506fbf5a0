"""A cut Chinese question as a line of codes: mentions of the schema's names, values and numbers, and kinds of words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from kbtui.data.nl2sql.chinese import Word
from kbtui.data.nl2sql.linking import Linked, Linker, Mention
from kbtui.data.nl2sql.model import SchemaModel
from kbtui.data.nl2sql.query import Ref

_NAMED: Final = ("name", "value", "number", "span")


@dataclass(slots=True)
class Coded:
    """The line that `chinese_clauses` reads.

    Attributes:
        line: Codes between spaces: ``EACH C0 DE T1 TALLY``.
        linked: The mentions, each said in Chinese.
        units: What numbers are measured in, by mention.
        sources: How the words that are no names were asked, by code.
    """

    line: str
    linked: Linked
    units: dict[str, str]
    sources: dict[str, str]


def coded(words: Sequence[Word], linker: Linker, model: SchemaModel, fit: Callable[[str], float]) -> Coded:
    """Link the names and values of ``words`` and write every word as its code.

    Args:
        words: The cut question.
        linker: Links English words to the schema.
        model: The schema.
        fit: How well English words name something of it (see `Cutter.fit`).
    """
    pieces: list[str] = []
    said = ""
    for word in words:
        if word.kind not in _NAMED:
            pieces.append("")
            said = ""
            continue
        # Two names stand side by side as one only where the schema has such a name.
        whole = f"{said} {word.text}"
        joined = bool(said) and word.kind == "name" and fit(whole) >= 3
        pieces.append(("" if joined else "; ") + _piece(word))
        said = (whole if joined else word.text) if word.kind == "name" else ""
    linked = linker.link(" ".join(piece for piece in pieces if piece).removeprefix("; "))
    if pieces and any(pieces):
        first = next(n for n, piece in enumerate(pieces) if piece)
        pieces[first] = pieces[first].removeprefix("; ")
    spans = _spans(pieces, linked.tokens)
    _tables_first(linked, model)
    codes: list[str] = []
    units: dict[str, str] = {}
    sources: dict[str, str] = {}
    unlinked: list[str] = []
    for word, span in zip(words, spans, strict=True):
        if word.kind == "unknown":
            unlinked.append(word.text)
            continue
        if word.kind not in _NAMED:
            codes.append(f"HINT_{word.text} {word.kind}" if word.text and word.kind in ("MAX", "MIN") else word.kind)
            if word.kind in ("PER", "CHANGE"):
                codes[-1] = f"{word.kind}_{word.text}"
            sources[codes[-1].split()[-1]] = word.source
            continue
        found = [n for n, m in enumerate(linked.mentions) if m.start < span[1] and span[0] < m.end]
        if not found:
            unlinked.append(word.source)
        for number in found:
            mention = linked.mentions[number]
            mention.said = mention.said + word.source if mention.said else word.source
            if (mention.start, mention.end) == span:
                _widen(mention, word, linker, fit)
            code = f"{mention.letter}{number}"
            if word.unit:
                units[code] = word.unit
            if not codes or codes[-1] != code:
                codes.append(code)
    linked.unlinked[:] = _joined(unlinked)
    linked.content = sum(word.kind in (*_NAMED, "unknown") for word in words)
    return Coded(f" {' '.join(codes)} ", linked, units, sources)


def _tables_first(linked: Linked, model: SchemaModel) -> None:
    """Who is named is meant, not the key that refers to them; and of columns alike those of a table that is named."""
    keys = {ref for edges in model.around.values() for edge in edges for ref in edge}
    told = {mention.tables[0][1] for mention in linked.mentions if mention.letter == "T"}
    for mention in linked.mentions:
        if mention.letter == "T":
            least = mention.tables[0][0] - 0.15
            mention.columns = [(s, ref) for s, ref in mention.columns if ref not in keys and s >= least]
            mention.tables = [(s, name) for s, name in mention.tables if s >= least]
        mention.columns.sort(key=lambda item: (-item[0], item[1].table not in told))


def _piece(word: Word) -> str:
    if word.kind == "value":
        return '"' + word.text.replace('"', "") + '"'
    return word.text


def _spans(pieces: Sequence[str], tokens: Sequence[str]) -> list[tuple[int, int]]:
    """Which tokens of the linked line each piece became."""
    spans = []
    position = 0
    for piece in pieces:
        start, left = position, piece.replace(" ", "")
        if left.startswith(";") and position < len(tokens):
            start, position, left = position + 1, position + 1, left[1:]
        # A sign is part of a number, and no token.
        left = left.removeprefix("-")
        while left and position < len(tokens) and left.startswith(said := tokens[position].replace(" ", "")):
            left = left[len(said) :]
            position += 1
        spans.append((start, position))
    return spans


def _widen(mention: Mention, word: Word, linker: Linker, fit: Callable[[str], float]) -> None:
    """What the word's other translations name may be meant as well, though less likely."""
    if word.kind != "name":
        return
    certain = fit(word.text) >= 3.5
    columns = {ref: score for score, ref in mention.columns}
    tables = {name: score for score, name in mention.tables}
    for option in word.options:
        for other in linker.link(option).mentions[:1]:
            if other.end - other.start != len(option.split()):
                continue
            for score, ref in other.columns:
                columns[ref] = max(columns.get(ref, 0.0), score - 0.08)
            for score, name in () if certain else other.tables:
                tables[name] = max(tables.get(name, 0.0), score - 0.08)
    mention.columns = sorted(((s, r) for r, s in columns.items()), key=lambda item: -item[0])[:16]
    mention.tables = sorted(((s, t) for t, s in tables.items()), key=lambda item: -item[0])[:4]


def _joined(unknown: Sequence[str]) -> list[str]:
    return ["".join(unknown)] if unknown and all(len(part) == 1 for part in unknown) else list(unknown)


def added(linked: Linked, ref: Ref, said: str) -> str:
    """A mention of one column that no word names, but its table; its code."""
    at = len(linked.tokens)
    linked.mentions.append(Mention(at, at, " ".join(ref.column.split("_")).lower(), columns=[(1.0, ref)], said=said))
    return f"C{len(linked.mentions) - 1}"
