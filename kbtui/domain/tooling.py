"""Tool calls, and the output of tools."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from kbtui.domain.analysis import ChartWish, ResultTable, Schema
from kbtui.domain.evidence import Hit


class ToolCall(Struct, frozen=True, kw_only=True):
    """One call, planned for one sub-question.

    Attributes:
        call_id: Unique within a run: ``c1``, ``c2`` …
        args: JSON-safe keyword arguments of the tool.
        sub_question: The ``semantic_intent`` it serves.
        iteration: The pass it belongs to, from 1.
    """

    call_id: str
    tool: str
    args: Mapping[str, Any]
    sub_question: str
    iteration: int = 1
    step_id: str | None = None


class ToolOutput(Struct, frozen=True, kw_only=True):
    """The output of a tool (the ``artifact`` of the LangChain tool message).

    Attributes:
        hits: Passages, best first.
        note: One line for the screen: ``12 passages in 5 files``; may be empty.
        cached: Whether the result came from a cache.
        text: Text for a model in place of hits, where the tool returns data instead of passages.
        artifact: That data: a `Schema` or a `ResultTable` (`domain.analysis`).
        chart: How the rows of the artifact are to be drawn; None where they are not.
        origin: Of a text that another program wrote, what is cited for it: ``github search_issues``; else empty.
    """

    hits: tuple[Hit, ...] = ()
    note: str = ""
    cached: bool = False
    text: str = ""
    artifact: Schema | ResultTable | None = None
    chart: ChartWish | None = None
    origin: str = ""


class ToolResult(Struct, frozen=True, kw_only=True):
    """A finished call: its output, or the error that it ended with."""

    call: ToolCall
    output: ToolOutput = field(default_factory=ToolOutput)
    duration_ms: float = 0.0
    error: str | None = None

    @property
    def ok(self) -> bool:
        """Whether the call ended without an error."""
        return self.error is None
