"""Words looked for in a conversation: where they stand in its questions, answers, tables and quotes.

Turns are searched as data, not as widgets: a folded turn has no text on the screen, and a table only the rows in sight.
What is counted here is what the widgets mark: the n-th match in a text is the n-th that is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from kbtui.i18n import _
from kbtui.text.terminal import clean, one_line
from kbtui.ui.messages import spots_of
from kbtui.ui.widgets.cited_markdown import block_texts, without_footer
from kbtui.ui.widgets.matches import Pattern, pattern_of
from kbtui.view.table_text import cell_texts, without_tables
from kbtui.view.view_state import RunView

Kind = Literal["question", "text", "table", "quote"]
_APART = "\0"
"""Stands between texts that have nothing to do with each other: nothing that is typed matches across it."""
_MOST_HITS = 9_999


class Piece(Struct, frozen=True):
    """A text of a turn that is searched: its answer, its first table (``of`` 0), the quote of source ``of``."""

    kind: Kind
    of: int
    text: str


class Hit(Struct, frozen=True):
    """The match number ``at`` (from 0) in a piece of the turn with the index ``turn``."""

    turn: int
    kind: Kind
    of: int
    at: int


def answer_text(view: RunView) -> str:
    """The answer as it stands in its turn: tables are shown beside it, sources in the proof."""
    return without_tables(without_footer(view.markdown, view.citations), view.tables)


def quote_text(text: str) -> str:
    """A quote as the proof shows it, line by line."""
    return clean(text).expandtabs(4).replace("\n", _APART)


def pieces_of(view: RunView) -> tuple[Piece, ...]:
    """All that can be found in a turn, in the order in which it is read."""
    return (
        Piece("question", 0, one_line(view.query)),
        Piece("text", 0, _APART.join(block_texts(answer_text(view)))),
        *(
            Piece("table", index, _APART.join(map(_APART.join, cell_texts(table))))
            for index, table in enumerate(view.tables)
        ),
        *(Piece("quote", spot.n, quote_text(spot.sql or spot.quote)) for spot in spots_of(view)),
    )


class Finding:
    """What is looked for, where it was found, and which of these places the reader is at."""

    def __init__(self) -> None:
        self.pattern: Pattern | None = None
        self.hits: Sequence[Hit] = ()
        self._at = 0
        self._pieces: dict[int, tuple[RunView, tuple[Piece, ...]]] = {}

    @property
    def hit(self) -> Hit | None:
        """The place the reader is at; None where nothing was found."""
        return self.hits[self._at] if self.hits else None

    @property
    def words(self) -> str:
        """``3 of 12``."""
        if self.pattern is None:
            return ""
        more = "+" if len(self.hits) == _MOST_HITS else ""
        if not self.hits:
            return _("not found")
        return _("{number:,} of {count:,}", number=self._at + 1, count=len(self.hits)) + more

    def search(self, typed: str, views: Sequence[RunView], origin: int) -> None:
        """Look for what is typed, from the turn ``origin`` on and round the end."""
        self.pattern = pattern_of(typed)
        self._collect(views)
        self._at = next((at for at, hit in enumerate(self.hits) if hit.turn >= origin), 0)

    def renew(self, views: Sequence[RunView]) -> bool:
        """Look again in what has changed since, staying where the reader is; True when the matches changed."""
        hit, before = self.hit, self.hits
        self._collect(views)
        self._at = next((at for at, found in enumerate(self.hits) if found == hit), min(self._at, len(self.hits) - 1))
        self._at = max(0, self._at)
        return self.hits != before

    def step(self, by: int) -> None:
        """Go on to the next hit (or back), round the end."""
        if self.hits:
            self._at = (self._at + by) % len(self.hits)

    def _collect(self, views: Sequence[RunView]) -> None:
        self.hits = []
        for hit in self._found(views):
            if len(self.hits) == _MOST_HITS:
                break
            self.hits.append(hit)

    def _found(self, views: Sequence[RunView]) -> Iterator[Hit]:
        if self.pattern is None:
            return
        for turn, view in enumerate(views):
            known = self._pieces.get(turn)
            if known is None or known[0] is not view:
                known = self._pieces[turn] = (view, pieces_of(view))
            for piece in known[1]:
                for at, _match in enumerate(self.pattern.finditer(piece.text)):
                    yield Hit(turn, piece.kind, piece.of, at)
