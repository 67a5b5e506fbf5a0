"""A small catalogue and questions over it, made by hand: gardeners tend plants."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from kbtui.nl2sql.candidate import Candidate, Role, Use
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, Edge, Kind, TableInfo
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Query, Ref
from kbtui.question.model import Cue, NumberMention, Question, Token, TokenSpan

STOP = frozenset(["the", "of", "by", "in", "is", "are", "a", "for", "each", "with"])


def column(table: str, name: str, kind: Kind, **more: Any) -> ColumnInfo:
    return ColumnInfo(ref=Ref(table, name), kind=kind, words=(name,), own=(name,), **more)


def catalogue() -> Catalogue:
    plants = TableInfo(
        name="plants",
        words=("plant",),
        columns=(
            column("plants", "id", "key", distinct=9),
            column("plants", "name", "name", distinct=9),
            column("plants", "bed", "category", values=(("north", 5), ("south", 4)), complete=True, distinct=2),
            column("plants", "height", "rate", unit="cm", low=10.0, high=900.0, distinct=8),
            column("plants", "water", "measure", unit="l", low=0.5, high=20.0, distinct=8),
            column("plants", "planted", "date", low=date(2024, 1, 1), high=date(2026, 5, 1), distinct=9),
            column("plants", "gardener_id", "reference", distinct=3),
        ),
        key=Ref("plants", "id"),
        naming=(Ref("plants", "name"),),
        dates=(Ref("plants", "planted"),),
        rows=9,
    )
    gardeners = TableInfo(
        name="gardeners",
        words=("gardener",),
        columns=(column("gardeners", "id", "key", distinct=3), column("gardeners", "name", "name", distinct=3)),
        concepts=frozenset({"person"}),
        key=Ref("gardeners", "id"),
        naming=(Ref("gardeners", "name"),),
        rows=3,
    )
    edges = (Edge(Ref("plants", "gardener_id"), Ref("gardeners", "id")),)
    return Catalogue(source="garden", dialect="sqlite", tables={"plants": plants, "gardeners": gardeners}, edges=edges)


def question(text: str, *, cues: Sequence[tuple[int, int, str, dict[str, Any]]] = (), **more: Any) -> Question:
    """Words cut at blanks; cues are (first token, token after the last, operator, args)."""
    tokens, at = [], 0
    for word in text.split():
        at = text.index(word, at)
        kind = "number" if word.isdigit() else "word"
        norm = word.lower()
        tokens.append(Token(word, at, at + len(word), norm, norm, kind, norm not in STOP))
        at += len(word)
    read = tuple(Cue(span=TokenSpan(first, last), op=op, args=args) for first, last, op, args in cues)
    numbers = tuple(
        NumberMention(span=TokenSpan(i, i + 1), value=int(token.norm))  # type: ignore[arg-type]
        for i, token in enumerate(tokens)
        if token.kind == "number"
    )
    return Question(text=text, language="en", tokens=tuple(tokens), cues=read, numbers=numbers, **more)


def mention(first: int, last: int, ref: Ref, score: float = 1.0, **more: Any) -> Mention:
    kind = "table" if ref.column == "*" else "column"
    return Mention(**{"span": TokenSpan(first, last), "kind": kind, "score": score, "how": "exact", "ref": ref, **more})


def lattice(asked: Question, *mentions: Mention) -> Lattice:
    return Lattice(question=asked, catalogue=catalogue(), mentions=mentions)


def candidate(query: Query, *uses: tuple[Mention, Role], unread: Sequence[int] = (), prior: float = 0.0) -> Candidate:
    return Candidate(query=query, uses=tuple(Use(m, r) for m, r in uses), unread=tuple(unread), prior=prior)
