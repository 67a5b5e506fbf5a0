"""The tools: one blocking function for each, and the table of them.

Text of documents is cleaned, and secrets of this process in it are masked. Nothing but the index is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from pydantic import BaseModel

from kbtui.cli.mcp_server.addresses import address_of, place_at
from kbtui.cli.mcp_server.arguments import (
    AskArguments,
    QueryDataArguments,
    ReadArguments,
    RecordsArguments,
    RelationsArguments,
    SearchArguments,
)
from kbtui.cli.mcp_server.results import (
    Link,
    Result,
    citation_data,
    citation_links,
    client_text,
    failed_result,
    hits_result,
    rows_data,
    table_data,
)
from kbtui.domain.analysis import ResultTable
from kbtui.domain.answer import line_label
from kbtui.domain.events import Event
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import Cancelled, UsageError
from kbtui.text.terminal import one_line
from kbtui.view.folding import reduce
from kbtui.view.view_state import EMPTY, RunView

if TYPE_CHECKING:
    from kbtui.runs.engine import Engine

_MAX_DETAILED_TABLES: Final = 20
"""Up to so many tables of a source, all are described with their columns where none are named."""
_MAX_RESOURCE_CHARS: Final = 200_000
"""Characters of a file that is read as a resource."""
_POLL_S: Final = 0.05
"""Interval at which a run without events checks whether the client has cancelled the call."""
_EMPTY: Final = "Nothing was found."


class Call(Struct, frozen=True, kw_only=True):
    """The engine of a call, the receiver of its events, and its cancel token."""

    engine: Engine
    emit: Emit
    cancel: CancelToken


class ServedTool(Struct, frozen=True, kw_only=True):
    """A tool: its description for clients, and its function."""

    name: str
    title: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Call, Any], Result]


def search(call: Call, arguments: SearchArguments) -> Result:
    """Passages for a query."""
    from kbtui.tools import load_spec
    from kbtui.tools.searching import search_arguments

    args = search_arguments(load_spec(arguments.tool), arguments.query, arguments.keywords)
    output = call.engine.tools.call(arguments.tool, args, call.emit, call.cancel)
    return hits_result(call.engine.kb, output.hits[: arguments.limit], output.note, nothing=_EMPTY)


def relations(call: Call, arguments: RelationsArguments) -> Result:
    """The lines that state a relation."""
    args = {"query": arguments.query, "k": arguments.limit}
    output = call.engine.tools.call("graph_related", args, call.emit, call.cancel)
    return hits_result(call.engine.kb, output.hits, output.note, nothing="No line states that.")


def read(call: Call, arguments: ReadArguments) -> Result:
    """Lines of one file."""
    kb = call.engine.kb
    place = place_at(kb, arguments.path)
    first, last = arguments.start_line or place.start_line, arguments.end_line or place.end_line
    output = call.engine.tools.read(place.path, first, last, call.emit, call.cancel)
    hit = output.hits[0]
    uri = address_of(kb, hit.path, hit.start_line, hit.end_line)
    label = one_line(line_label(hit.path, hit.start_line, hit.end_line, hit.locator))
    text = client_text(hit.text)
    data = {
        "path": client_text(hit.path),
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "uri": uri,
        "text": text,
    }
    return Result(
        text=f"{label} ({output.note})\n{text}",
        links=(Link(uri=uri, label=label),),
        data=data | {"note": output.note},
    )


def resource(call: Call, address: str) -> str:
    """The text at an address, for clients that read resources.

    Raises:
        UsageError: The text is too long.
    """
    place = place_at(call.engine.kb, address)
    # Raises an error for a file that is outside of the folder, not indexed or missing.
    call.engine.tools.read(place.path, place.start_line, place.end_line, call.emit, call.cancel)
    lines = call.engine.read_source(place.path).text.split("\n")
    text = "\n".join(lines[(place.start_line or 1) - 1 : place.end_line])
    if len(text) > _MAX_RESOURCE_CHARS:
        raise UsageError(
            f"{one_line(address, 200)} has {len(text):,} characters, and {_MAX_RESOURCE_CHARS:,} are read at once.",
            f"It has {len(lines):,} lines; add #L1-L400, or use the tool read.",
        )
    return client_text(text)


def ask(call: Call, arguments: AskArguments) -> Result:
    """One question, answered and cited."""
    view = _run(call, arguments.question)
    if view.error is not None:
        return failed_result(view.error.message or view.error.error, view.error.hint)
    if view.answer is None:
        return failed_result("The run ended without an answer.", "Ask again; `kbtui doctor` checks the installation.")
    kb, answer = call.engine.kb, view.answer
    warnings = [client_text(warning.message) for warning in view.warnings]
    data: dict[str, Any] = {
        "outcome": answer.outcome,
        "markdown": client_text(answer.markdown),
        "citations": [citation_data(kb, citation) for citation in answer.citations],
        "unsupported": [client_text(text) for text in answer.unsupported],
        "suggestions": [client_text(text) for text in answer.suggestions],
        "tables": [table_data(table) for table in view.tables],
        "readings": [
            {"question": client_text(reading.says), "confidence": reading.confidence} for reading in view.offered
        ],
        "warnings": warnings,
    }
    parts = [client_text(answer.markdown).rstrip()]
    if view.offered:
        parts.append(
            "Ask one of these instead:\n"
            + "\n".join(f"- {one_line(client_text(reading.says))}" for reading in view.offered)
        )
    parts += [f"({text})" for text in warnings]
    return Result(text="\n\n".join(parts), links=citation_links(kb, answer.citations), data=data)


def _run(call: Call, question: str) -> RunView:
    """Run a question and return its final state.

    Raises:
        Cancelled: The call was cancelled.
    """
    view, events = EMPTY, SimpleQueue[Event | None]()
    run_id = call.engine.start(question, events.put)
    while True:
        if call.cancel.cancelled:
            # Repeated with every event, because the run may not have begun when the call was cancelled.
            call.engine.cancel(run_id)
        try:
            event = events.get(timeout=_POLL_S)
        except Empty:
            continue
        if event is None:
            call.cancel.check()
            return view
        view = reduce(view, event)
        call.emit(event)


def records(call: Call, arguments: RecordsArguments) -> Result:
    """What documents state in their fields; without a question, the kinds of documents with their fields."""
    if not arguments.question.strip():
        return _kinds(call)
    records_answer = call.engine.tools.records(arguments.question, call.emit, call.cancel)
    if records_answer is None:
        return Result(
            text="The records of this folder do not answer that; ask, or search its text.",
            data={"outcome": "not_found"},
        )
    kb, answer = call.engine.kb, records_answer.answer
    data = {
        "outcome": answer.outcome,
        "markdown": client_text(answer.markdown),
        "understood_as": client_text(records_answer.says),
        "sql": client_text(records_answer.sql),
        "citations": [citation_data(kb, citation) for citation in answer.citations],
    }
    return Result(text=client_text(answer.markdown), links=citation_links(kb, answer.citations), data=data)


def _kinds(call: Call) -> Result:
    call.engine.tools.files(call.emit, call.cancel)
    kinds = call.engine.library.holdings().kinds
    rows = [
        {"kind": client_text(kind.name), "count": kind.count, "fields": [client_text(name) for name in kind.fields]}
        | {"folder": client_text(kind.folder), "example": client_text(kind.example)}
        for kind in kinds
    ]
    lines = [
        f"{one_line(kind.name)}: {kind.count:,}, such as {one_line(kind.example)}"
        + (f"; fields {', '.join(map(one_line, kind.fields))}" if kind.fields else "")
        for kind in kinds
    ]
    return Result(text="\n".join(lines) or "No kinds of documents were made out.", data={"kinds": rows})


def query_data(call: Call, arguments: QueryDataArguments) -> Result:
    """A statement over a source, or the structure of one."""
    names = call.engine.sources
    source = arguments.source or (names[0] if len(names) == 1 else "")
    if not names:
        return failed_result("This server was started without data.", "Start it with --data SRC.")
    if not source:
        return Result(
            text=f"Sources: {', '.join(map(one_line, names))}", data={"sources": list(map(client_text, names))}
        )
    if arguments.sql.strip():
        return _rows(call, source, arguments.sql)
    name = "get_data_source_context"
    args: dict[str, Any] = {"source": source, "level": "basic"}
    output = call.engine.tools.call(name, args, call.emit, call.cancel)
    tables = arguments.tables or [table.name for table in getattr(output.artifact, "tables", ())]
    if len(tables) <= _MAX_DETAILED_TABLES or arguments.tables:
        args = {"source": source, "level": "detailed", "table_names": tables}
        output = call.engine.tools.call(name, args, call.emit, call.cancel)
    return Result(
        text=client_text(output.text), data={"source": client_text(source), "tables": list(map(client_text, tables))}
    )


def _rows(call: Call, source: str, sql: str) -> Result:
    output = call.engine.tools.call("execute_sql", {"source": source, "sql": sql}, call.emit, call.cancel)
    data: dict[str, Any] = {"source": client_text(source), "note": output.note}
    if isinstance(table := output.artifact, ResultTable):
        data |= {
            "columns": [client_text(column) for column in table.columns],
            "rows": rows_data(table.rows),
            "row_count": max(table.row_count, len(table.rows)),
            "truncated": table.truncated,
            "sql": client_text(table.sql),
        }
    return Result(text=f"{client_text(output.text)}\n({output.note})", data=data)


TOOLS: Final[Mapping[str, ServedTool]] = {
    tool.name: tool
    for tool in (
        ServedTool(
            name="search",
            title="Search the folder",
            description=(
                "Find passages of the folder by meaning and words, each with path:Lstart-Lend, an excerpt and a link."
            ),
            arguments=SearchArguments,
            run=search,
        ),
        ServedTool(
            name="ask",
            title="Ask the folder and the data",
            description=(
                "Answer one question from the documents and the data sources, each claim with its source as "
                "path:Lstart-Lend or as the SQL statement. Says so when nothing answers it."
            ),
            arguments=AskArguments,
            run=ask,
        ),
        ServedTool(
            name="read",
            title="Read lines of a file",
            description="Read up to 400 lines of an indexed file, by path or by the address of a source.",
            arguments=ReadArguments,
            run=read,
        ),
        ServedTool(
            name="records",
            title="Ask the fields of documents",
            description=(
                "Count, list and look up what documents state about themselves (status, author, date, version …), over "
                "all files and cited. Without a question: which kinds of documents there are and which fields."
            ),
            arguments=RecordsArguments,
            run=records,
        ),
        ServedTool(
            name="relations",
            title="Follow relations between documents",
            description="Find the lines that state who replaces, requires, mentions, blocks, wrote or imports what.",
            arguments=RelationsArguments,
            run=relations,
        ),
        ServedTool(
            name="query_data",
            title="Query the data sources",
            description=(
                "Run one read-only SELECT over a data source. Without sql: the structure of the source; without a "
                "source: which there are. Questions in words go to ask."
            ),
            arguments=QueryDataArguments,
            run=query_data,
        ),
    )
}


def run_tool(tool: ServedTool, arguments: Mapping[str, Any], call: Call) -> Result:
    """Validate the arguments and call a tool; an error is returned as a failed result.

    Raises:
        Cancelled: The client cancelled the call.
    """
    from pydantic import ValidationError

    from kbtui.errors import KbtuiError
    from kbtui.tools.base import first_problem

    try:
        return tool.run(call, tool.arguments.model_validate(dict(arguments)))
    except ValidationError as error:
        names = ", ".join(tool.arguments.model_fields)
        return failed_result(f"{tool.name}: {first_problem(error)}.", f"It takes {names}.")
    except Cancelled:
        raise
    except KbtuiError as error:
        return failed_result(error.message, error.hint)
