"""What panes ask of whoever shows them. They bubble up to the app, so every screen that shows a run answers alike."""

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
    """Lines of a file worth looking at; ``quote`` is shown where the file cannot be read.

    Attributes:
        n: The number of the citation; 0 for a piece of evidence.
        path: Relative to the knowledge base; empty for a source that is no file.
        url: Address of a source that is a page; it is shown and copied, never opened.
        sql: A statement, for an answer from data; ``source`` is what it was run over.
        table: What the statement brought, where that is known.
        locator: Where the lines stand in a file that has pages, slides, cells, messages or members; else empty.
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
        """What it is called: its file, its address, else what the statement was run over."""
        return self.path or self.url or self.label or self.source

    @property
    def where(self) -> str:
        """Its file with the line, or with its place in the file; `place` for what is no file."""
        if not self.path:
            return self.place
        return f"{self.path} {self.locator}" if self.locator else f"{self.path}:{self.start_line}"

    @classmethod
    def of(cls, citation: Citation) -> Spot:
        """The lines a citation points at."""
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
    """The sources of an answer as places to look at, statements with the rows they brought."""
    tables = {table.sql: table for table in view.tables if table.sql}
    spots = (Spot.of(citation) for citation in view.citations)
    return tuple(replace(spot, table=tables.get(spot.sql)) if spot.sql else spot for spot in spots)


def bubble(sender: Widget, message: Message) -> None:
    """Take ``message`` up to whoever handles it, now: before another key is looked at.

    What `Widget.post_message` does by way of a queue a step, which lets a second key overtake a screen that the first
    one is about to open. The handlers on the way must be plain methods.
    """
    for node in sender.ancestors_with_self:
        handler = getattr(node, message.handler_name, None)
        if handler is not None:
            handler(message)
        if message._stop_propagation:
            return


class CiteChosen(Message):
    """Show the source with this number of a turn; of the current one where none is named."""

    def __init__(self, n: int, turn: Widget | None = None) -> None:
        super().__init__()
        self.n = n
        self.turn = turn


class TurnChosen(Message):
    """The turn at this position is the one that is read."""

    def __init__(self, position: int) -> None:
        super().__init__()
        self.position = position


class PreviewRequested(Message):
    """Show this spot; the others can be stepped to."""

    def __init__(self, spots: tuple[Spot, ...], index: int) -> None:
        super().__init__()
        self.spots = spots
        self.index = index


class WhyRequested(Message):
    """Explain this piece of evidence; the others can be stepped to."""

    def __init__(self, items: tuple[EvidenceItem, ...], index: int) -> None:
        super().__init__()
        self.items = items
        self.index = index


class OpenRequested(Message):
    """Open the place that is shown in the user's editor."""


class EditRequested(Message):
    """Open this spot in the user's editor; a statement as a file of its own."""

    def __init__(self, spot: Spot) -> None:
        super().__init__()
        self.spot = spot


class SaveRequested(Message):
    """Save this chart or table; ``question`` is what was asked."""

    def __init__(self, part: ChartProduced | TableProduced, question: str) -> None:
        super().__init__()
        self.part = part
        self.question = question


class SchemaRefreshRequested(Message):
    """Read the structure of the data sources again at the next question."""


class QuestionChosen(Message):
    """Ask this question, or put it into the prompt to be changed first."""

    def __init__(self, query: str, *, to_edit: bool = False) -> None:
        super().__init__()
        self.query = query
        self.to_edit = to_edit


class QuestionChanged(Message):
    """Another question is shown, or answered; empty for none."""

    def __init__(self, shown: str, running: str) -> None:
        super().__init__()
        self.shown = shown
        self.running = running
