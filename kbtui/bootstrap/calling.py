"""Single tool calls over a folder and its data sources, for programs with an agent of their own."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from kbtui.domain.document import FileRecord
from kbtui.domain.ports import CancelToken, Emit
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import KnowledgeBaseError, ToolError
from kbtui.settings.model import Settings
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.agent.state import RecordsAnswer
    from kbtui.bootstrap.data import DataSide
    from kbtui.knowledge.base import KnowledgeBase


class SingleCalls:
    """Calls built-in tools over an up-to-date index; safe to use from several threads.

    Args:
        knowledge: Returns the knowledge base, which is opened on first use.
        data: The sources.
        today: The day that "last month" is counted from.
    """

    def __init__(
        self, knowledge: Callable[[], KnowledgeBase], data: DataSide, settings: Settings, today: Callable[[], date]
    ) -> None:
        self._knowledge = knowledge
        self._data = data
        self._settings = settings
        self._today = today

    def call(self, name: str, args: Mapping[str, Any], emit: Emit, cancel: CancelToken) -> ToolOutput:
        """Call a tool; see `kbtui.runs.backend.ToolCalls`."""
        from kbtui.tools import TOOLS, ToolContext, load_spec, run_spec

        if name not in TOOLS:
            raise ToolError(f"There is no tool {one_line(name, 80)}.", f"There are {', '.join(TOOLS)}.")
        if load_spec(name).serves == "data":
            return self._call_data(name, args, emit, cancel)
        knowledge = self._up_to_date(emit, cancel)
        context = ToolContext(knowledge=knowledge, settings=self._settings, cancel=cancel, data=self._data.access())
        return run_spec(load_spec(name), context, args)

    def read(
        self, path: str, start_line: int | None, end_line: int | None, emit: Emit, cancel: CancelToken
    ) -> ToolOutput:
        """Read lines of an indexed file; see `kbtui.runs.backend.ToolCalls`."""
        knowledge = self._up_to_date(emit, cancel)
        path = posixpath.normpath(path) if path.strip() else ""
        # `locate` refuses a path outside the folder before the index is asked for it.
        knowledge.source.locate(path)
        if path not in {record.path for record in knowledge.file_records()}:
            raise KnowledgeBaseError(
                f"{one_line(path, 200)} is not part of the index.",
                "Only files that a search can find are read; `kbtui index` says what is left out, and why.",
            )
        args = {"path": path, "start_line": start_line, "end_line": end_line}
        return self.call("read_file", args, emit, cancel)

    def records(self, question: str, emit: Emit, cancel: CancelToken) -> RecordsAnswer | None:
        """Answer from the records; see `kbtui.runs.backend.ToolCalls`."""
        from kbtui.bootstrap.records import records_lookup

        return records_lookup(self._up_to_date(emit, cancel), (), self._today)(question)

    def files(self, emit: Emit, cancel: CancelToken) -> Sequence[FileRecord]:
        """The indexed files, by path."""
        return self._up_to_date(emit, cancel).file_records()

    def _up_to_date(self, emit: Emit, cancel: CancelToken) -> KnowledgeBase:
        knowledge = self._knowledge()
        knowledge.ensure_fresh(emit, cancel)
        cancel.check()
        return knowledge

    def _call_data(self, name: str, args: Mapping[str, Any], emit: Emit, cancel: CancelToken) -> ToolOutput:
        from kbtui.tools import DataContext, run_data_tool

        with self._data.sources.stopping(cancel):
            self._data.sources.open_or_warn(emit)
            context = DataContext(settings=self._settings, cancel=cancel, data=self._data.access())
            return run_data_tool(context, name, args)
