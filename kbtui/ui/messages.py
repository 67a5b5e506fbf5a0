"""Messages that panes send to their screen or app; those that bubble up to the app work on every screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from textual.message import Message
from textual.widget import Widget

if TYPE_CHECKING:
    from kbtui.domain.answer import Citation
    from kbtui.domain.events import ChartProduced, EvidenceItem, TableProduced
    from kbtui.view.view_state import RunView


class Spot(Struct, frozen=True, kw_only=True):
    """A location in a source: lines of a file, a web page or a statement.

    Attributes:
        path: Path of a file relative to the folder; empty for other sources.
        start_line: First line, from 1.
        end_line: Last line, inclusive.
        n: Number of the citation; 0 for a piece of evidence.
        quote: Quoted text, shown if the file cannot be read.
        url: Address of a web page, which is shown and copied but never opened.
        sql: Statement of an answer from data, which was run over ``source``.
        table: Result of the statement, if known.
        locator: Position in a file with pages, slides, cells, messages or members; else empty.
    """

    path: str
    start_line: int = 1
    end_line: int = 1
    n: int = 0
    label: str = ""
    quote: str = ""
    stale: bool = False
    url: str = ""
    sql: str = ""
    source: str = ""
    table: TableProduced | None = None
    locator: str = ""

    @property
    def place(self) -> str:
        """The name of the source: its path, its address, or the data source of the statement."""
        return self.path or self.url or self.label or self.source

    @property
    def where(self) -> str:
        """The path with the line or locator; `place` for sources that are not files."""
        if not self.path:
            return self.place
        return f"{self.path} {self.locator}" if self.locator else f"{self.path}:{self.start_line}"

    @classmethod
    def of(cls, citation: Citation) -> Spot:
        """The location that a citation points at."""
        start = citation.start_line or 1
        return cls(
            path=(citation.path or "") if citation.kind == "file" else "",
            start_line=start,
            end_line=max(start, citation.end_line or start),
            n=citation.n,
            label=citation.label,
            quote=citation.quote or citation.sql or citation.url or "",
            stale=citation.stale,
            url=(citation.url or "") if citation.kind == "web" else "",
            sql=(citation.sql or "") if citation.kind == "sql" else "",
            source=citation.source or "",
            locator=citation.locator or "",
        )


def spots_of(view: RunView) -> tuple[Spot, ...]:
    """The locations of the sources of an answer; those of statements include the result tables."""
    tables = {table.sql: table for table in view.tables if table.sql}
    spots = (Spot.of(citation) for citation in view.citations)
    return tuple(replace(spot, table=tables.get(spot.sql)) if spot.sql else spot for spot in spots)


def bubble(sender: Widget, message: Message) -> None:
    """Deliver ``message`` to the handlers of ``sender`` and its ancestors immediately, before the next key.

    `Widget.post_message` uses a queue at each step, so that a second key could overtake a screen that the first one is
    about to open. The handlers must be plain methods.
    """
    for node in sender.ancestors_with_self:
        handler = getattr(node, message.handler_name, None)
        if handler is not None:
            handler(message)
        if message._stop_propagation:
            return


class CiteChosen(Message):
    """Show the source with number ``n`` of a turn; of the current turn if ``turn`` is None."""

    def __init__(self, n: int, turn: Widget | None = None) -> None:
        super().__init__()
        self.n = n
        self.turn = turn


class TurnChosen(Message):
    """Make the turn at this position the current one."""

    def __init__(self, position: int) -> None:
        super().__init__()
        self.position = position


class PreviewRequested(Message):
    """Show the spot at ``index`` of pieces of evidence; the user can step through the others."""

    def __init__(self, items: tuple[EvidenceItem, ...], spots: tuple[Spot, ...], index: int) -> None:
        super().__init__()
        self.items = items
        self.spots = spots
        self.index = index


class WhyRequested(Message):
    """Explain the piece of evidence at ``index``; the user can step through the others."""

    def __init__(self, items: tuple[EvidenceItem, ...], index: int) -> None:
        super().__init__()
        self.items = items
        self.index = index


class OpenRequested(Message):
    """Open the shown location in the user's editor."""


class EditRequested(Message):
    """Open a spot in the user's editor; a statement is written to a file first."""

    def __init__(self, spot: Spot) -> None:
        super().__init__()
        self.spot = spot


class SaveRequested(Message):
    """Save a chart or table, which answers ``question``."""

    def __init__(self, part: ChartProduced | TableProduced, question: str) -> None:
        super().__init__()
        self.part = part
        self.question = question


class SchemaRefreshRequested(Message):
    """Read the schema of the data sources again at the next question."""


class QuestionChosen(Message):
    """Ask a question, or put it into the prompt for editing."""

    def __init__(self, query: str, *, to_edit: bool = False) -> None:
        super().__init__()
        self.query = query
        self.to_edit = to_edit


class QuestionChanged(Message):
    """The shown or the running question has changed; empty for none."""

    def __init__(self, shown: str, running: str) -> None:
        super().__init__()
        self.shown = shown
        self.running = running
