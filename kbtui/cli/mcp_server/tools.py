"""What each tool does: one function a tool, which blocks, and the table of them.

Text of documents leaves cleaned and without keys of this process. Nothing here writes anywhere but into the index.
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
    failed,
    of_hits,
    rows_data,
    shown,
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

_DETAILED_UP_TO: Final = 20
"""Tables of a source that are described with their columns where none are named."""
_LONGEST_RESOURCE: Final = 200_000
"""Characters of a file that is read as a resource."""
_LOOK_EVERY_S: Final = 0.05
"""Whether the client has given up, while a run states nothing."""
_EMPTY: Final = "Nothing was found."


class Call(Struct, frozen=True, kw_only=True):
    """What a call works with."""

    engine: Engine
    emit: Emit
    cancel: CancelToken


class ServedTool(Struct, frozen=True, kw_only=True):
    """A tool as clients see it, and what it does."""

    name: str
    title: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Call, Any], Result]


def search(call: Call, wanted: SearchArguments) -> Result:
    """Passages for a query."""
    from kbtui.tools import load_spec
    from kbtui.tools.searching import search_arguments

    args = search_arguments(load_spec(wanted.tool), wanted.query, wanted.keywords)
    found = call.engine.tools.call(wanted.tool, args, call.emit, call.cancel)
    return of_hits(call.engine.kb, found.hits[: wanted.limit], found.note, nothing=_EMPTY)


def relations(call: Call, wanted: RelationsArguments) -> Result:
    """The lines that state a relation."""
    args = {"query": wanted.query, "k": wanted.limit}
    found = call.engine.tools.call("graph_related", args, call.emit, call.cancel)
    return of_hits(call.engine.kb, found.hits, found.note, nothing="No line states that.")


def read(call: Call, wanted: ReadArguments) -> Result:
    """Lines of one file."""
    kb = call.engine.kb
    place = place_at(kb, wanted.path)
    first, last = wanted.start_line or place.start_line, wanted.end_line or place.end_line
    found = call.engine.tools.read(place.path, first, last, call.emit, call.cancel)
    hit = found.hits[0]
    uri = address_of(kb, hit.path, hit.start_line, hit.end_line)
    label = one_line(line_label(hit.path, hit.start_line, hit.end_line, hit.locator))
    text = shown(hit.text)
    data = {"path": shown(hit.path), "start_line": hit.start_line, "end_line": hit.end_line, "uri": uri, "text": text}
    return Result(
        text=f"{label} ({found.note})\n{text}",
        links=(Link(uri=uri, label=label),),
        data=data | {"note": found.note},
    )


def resource(call: Call, address: str) -> str:
    """The text behind an address, for clients that read resources.

    Raises:
        UsageError: It is longer than a result may be.
    """
    place = place_at(call.engine.kb, address)
    # Refuses what is outside, not indexed or not there, whatever its length.
    call.engine.tools.read(place.path, place.start_line, place.end_line, call.emit, call.cancel)
    lines = call.engine.read_source(place.path).text.split("\n")
    text = "\n".join(lines[(place.start_line or 1) - 1 : place.end_line])
    if len(text) > _LONGEST_RESOURCE:
        raise UsageError(
            f"{one_line(address, 200)} has {len(text):,} characters, and {_LONGEST_RESOURCE:,} are read at once.",
            f"It has {len(lines):,} lines; add #L1-L400, or use the tool read.",
        )
    return shown(text)


def ask(call: Call, wanted: AskArguments) -> Result:
    """One question, answered and cited."""
    view = _run(call, wanted.question)
    if view.error is not None:
        return failed(view.error.message or view.error.error, view.error.hint)
    if view.answer is None:
        return failed("The run ended without an answer.", "Ask again; `kbtui doctor` checks the installation.")
    kb, answer = call.engine.kb, view.answer
    warnings = [shown(warning.message) for warning in view.warnings]
    data: dict[str, Any] = {
        "outcome": answer.outcome,
        "markdown": shown(answer.markdown),
        "citations": [citation_data(kb, each) for each in answer.citations],
        "unsupported": [shown(text) for text in answer.unsupported],
        "suggestions": [shown(text) for text in answer.suggestions],
        "tables": [table_data(table) for table in view.tables],
        "readings": [{"question": shown(each.says), "confidence": each.confidence} for each in view.offered],
        "warnings": warnings,
    }
    parts = [shown(answer.markdown).rstrip()]
    if view.offered:
        parts.append("Ask one of these instead:\n" + "\n".join(f"- {one_line(shown(x.says))}" for x in view.offered))
    parts += [f"({text})" for text in warnings]
    return Result(text="\n\n".join(parts), links=citation_links(kb, answer.citations), data=data)


def _run(call: Call, question: str) -> RunView:
    """The state that a run ends in.

    Raises:
        Cancelled: The call was stopped, and the run with it.
    """
    view, arrived = EMPTY, SimpleQueue[Event | None]()
    run_id = call.engine.start(question, arrived.put)
    while True:
        if call.cancel.cancelled:
            # Again with every event: the run may not have begun when it was stopped.
            call.engine.cancel(run_id)
        try:
            event = arrived.get(timeout=_LOOK_EVERY_S)
        except Empty:
            continue
        if event is None:
            call.cancel.check()
            return view
        view = reduce(view, event)
        call.emit(event)


def records(call: Call, wanted: RecordsArguments) -> Result:
    """What documents state in their fields, or which kinds of documents with which fields there are."""
    if not wanted.question.strip():
        return _kinds(call)
    found = call.engine.tools.records(wanted.question, call.emit, call.cancel)
    if found is None:
        return Result(
            text="The records of this folder do not answer that; ask, or search its text.",
            data={"outcome": "not_found"},
        )
    kb, answer = call.engine.kb, found.answer
    data = {
        "outcome": answer.outcome,
        "markdown": shown(answer.markdown),
        "understood_as": shown(found.says),
        "sql": shown(found.sql),
        "citations": [citation_data(kb, each) for each in answer.citations],
    }
    return Result(text=shown(answer.markdown), links=citation_links(kb, answer.citations), data=data)


def _kinds(call: Call) -> Result:
    call.engine.tools.files(call.emit, call.cancel)
    kinds = call.engine.library.holdings().kinds
    rows = [
        {"kind": shown(kind.name), "count": kind.count, "fields": [shown(name) for name in kind.fields]}
        | {"folder": shown(kind.folder), "example": shown(kind.example)}
        for kind in kinds
    ]
    lines = [
        f"{one_line(kind.name)}: {kind.count:,}, such as {one_line(kind.example)}"
        + (f"; fields {', '.join(map(one_line, kind.fields))}" if kind.fields else "")
        for kind in kinds
    ]
    return Result(text="\n".join(lines) or "No kinds of documents were made out.", data={"kinds": rows})


def query_data(call: Call, wanted: QueryDataArguments) -> Result:
    """A statement over a source, or the structure of one."""
    names = call.engine.sources
    source = wanted.source or (names[0] if len(names) == 1 else "")
    if not names:
        return failed("This server was started without data.", "Start it with --data SRC.")
    if not source:
        return Result(text=f"Sources: {', '.join(map(one_line, names))}", data={"sources": list(map(shown, names))})
    if wanted.sql.strip():
        return _rows(call, source, wanted.sql)
    name = "get_data_source_context"
    args: dict[str, Any] = {"source": source, "level": "basic"}
    told = call.engine.tools.call(name, args, call.emit, call.cancel)
    tables = wanted.tables or [table.name for table in getattr(told.artifact, "tables", ())]
    if len(tables) <= _DETAILED_UP_TO or wanted.tables:
        args = {"source": source, "level": "detailed", "table_names": tables}
        told = call.engine.tools.call(name, args, call.emit, call.cancel)
    return Result(text=shown(told.text), data={"source": shown(source), "tables": list(map(shown, tables))})


def _rows(call: Call, source: str, sql: str) -> Result:
    found = call.engine.tools.call("execute_sql", {"source": source, "sql": sql}, call.emit, call.cancel)
    data: dict[str, Any] = {"source": shown(source), "note": found.note}
    if isinstance(table := found.artifact, ResultTable):
        data |= {
            "columns": [shown(column) for column in table.columns],
            "rows": rows_data(table.rows),
            "row_count": max(table.row_count, len(table.rows)),
            "truncated": table.truncated,
            "sql": shown(table.sql),
        }
    return Result(text=f"{shown(found.text)}\n({found.note})", data=data)


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
    """Check the arguments and do it; what fails is a result that says why.

    Raises:
        Cancelled: The client stopped the call.
    """
    from pydantic import ValidationError

    from kbtui.errors import KbtuiError

    try:
        return tool.run(call, tool.arguments.model_validate(dict(arguments)))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        names = ", ".join(tool.arguments.model_fields)
        return failed(f"{tool.name}: {where}: {first['msg']}.", f"It takes {names}.")
    except Cancelled:
        raise
    except KbtuiError as error:
        return failed(error.message, error.hint)
