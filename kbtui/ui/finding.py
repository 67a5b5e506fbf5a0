"""Searches the questions, answers, tables and quotes of a conversation.

The search runs over the data of turns and not over widgets, because a folded turn has no text on the screen and a table
only its visible rows. The n-th match in a text here is the n-th match that its widget highlights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from kbtui.i18n import _
from kbtui.text.terminal import clean, one_line
from kbtui.ui.messages import spots_of
from kbtui.ui.widgets.cited_markdown import block_texts
from kbtui.ui.widgets.matches import Pattern, pattern_of
from kbtui.view.markdown_text import without_footer
from kbtui.view.table_text import cell_texts, without_tables
from kbtui.view.view_state import RunView

Kind = Literal["question", "text", "table", "quote"]
_SEPARATOR = "\0"
"""Separates texts, so that no match spans two of them."""
_MAX_HITS = 9_999


class Piece(Struct, frozen=True):
    """A searchable text of a turn; ``of`` is the index of a table or the number of a quoted source."""

    kind: Kind
    of: int
    text: str


class Hit(Struct, frozen=True):
    """The match with index ``at`` (from 0) in a piece of the turn with index ``turn``."""

    turn: int
    kind: Kind
    of: int
    at: int


def answer_text(view: RunView) -> str:
    """The answer's Markdown as shown in its turn: without tables and sources, which are shown separately."""
    return without_tables(without_footer(view.markdown, view.citations), view.tables)


def quote_text(text: str) -> str:
    """A quote as the proof shows it, with its lines separated."""
    return clean(text).expandtabs(4).replace("\n", _SEPARATOR)


def pieces_of(view: RunView) -> tuple[Piece, ...]:
    """The searchable texts of a turn in reading order."""
    return (
        Piece("question", 0, one_line(view.query)),
        Piece("text", 0, _SEPARATOR.join(block_texts(answer_text(view)))),
        *(
            Piece("table", index, _SEPARATOR.join(map(_SEPARATOR.join, cell_texts(table))))
            for index, table in enumerate(view.tables)
        ),
        *(Piece("quote", spot.n, quote_text(spot.sql or spot.quote)) for spot in spots_of(view)),
    )


class Finding:
    """A search: its pattern, its hits and the current hit."""

    def __init__(self) -> None:
        self.pattern: Pattern | None = None
        self.hits: Sequence[Hit] = ()
        self._at = 0
        self._pieces: dict[int, tuple[RunView, tuple[Piece, ...]]] = {}

    @property
    def hit(self) -> Hit | None:
        """The current hit; None if there is none."""
        return self.hits[self._at] if self.hits else None

    @property
    def status_text(self) -> str:
        """The position in the hits, such as ``3 of 12``; empty without a pattern."""
        if self.pattern is None:
            return ""
        more = "+" if len(self.hits) == _MAX_HITS else ""
        if not self.hits:
            return _("not found")
        return _("{number:,} of {count:,}", number=self._at + 1, count=len(self.hits)) + more

    def search(self, typed: str, views: Sequence[RunView], origin: int) -> None:
        """Search for ``typed``; the first hit from turn ``origin`` on becomes the current one, or the first of all."""
        self.pattern = pattern_of(typed)
        self._collect(views)
        self._at = next((at for at, hit in enumerate(self.hits) if hit.turn >= origin), 0)

    def refresh(self, views: Sequence[RunView]) -> bool:
        """Search changed turns again and keep the current hit; returns whether the hits changed."""
        hit, previous_hits = self.hit, self.hits
        self._collect(views)
        self._at = next(
            (at for at, candidate in enumerate(self.hits) if candidate == hit), min(self._at, len(self.hits) - 1)
        )
        self._at = max(0, self._at)
        return self.hits != previous_hits

    def step(self, by: int) -> None:
        """Move to a later or earlier hit, wrapping around."""
        if self.hits:
            self._at = (self._at + by) % len(self.hits)

    def _collect(self, views: Sequence[RunView]) -> None:
        self.hits = []
        for hit in self._iter_hits(views):
            if len(self.hits) == _MAX_HITS:
                break
            self.hits.append(hit)

    def _iter_hits(self, views: Sequence[RunView]) -> Iterator[Hit]:
        if self.pattern is None:
            return
        for turn, view in enumerate(views):
            cached = self._pieces.get(turn)
            if cached is None or cached[0] is not view:
                cached = self._pieces[turn] = (view, pieces_of(view))
            for piece in cached[1]:
                for at, _match in enumerate(self.pattern.finditer(piece.text)):
                    yield Hit(turn, piece.kind, piece.of, at)
