"""The part of the first message with the conversation so far and the lines that the last answer cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kbtui.agent.calling import call_in_parallel
from kbtui.agent.loop.ids import format_id, numbers_to_ids
from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.loop.state import LoopContext
from kbtui.domain.analysis import ResultTable
from kbtui.domain.answer import Citation
from kbtui.domain.conversation import Turn
from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolCall
from kbtui.errors import KbtuiError
from kbtui.reasoning.checking.rows import rows_of
from kbtui.reasoning.citing import ReadsLines
from kbtui.reasoning.llm.fencing import fenced, unescaped
from kbtui.text.terminal import one_line

_MAX_TURNS: Final = 4
_LAST_CHARS: Final = 3_500
_EARLIER_CHARS: Final = 300
_MAX_CITED: Final = 30
_MAX_CITED_CHARS: Final = 400
_MAX_CITED_TOTAL_CHARS: Final = 2_000
_MAX_RERUN: Final = 3
"""Most statements of the last answer that are run again."""
_LABEL: Final = re.compile(r"^\[(\d{1,3})\] (.+?)(?::L(\d+)(?:-L(\d+))?)?$", re.MULTILINE)
_FOOTER: Final = "\n---\n"


def history_part(shelf: Shelf, context: LoopContext) -> str:
    """Format the conversation so far; the last answer in full, with ids for the lines and rows that it cites."""
    history = context.history
    if not history:
        return ""
    blocks = []
    for turn in history[-_MAX_TURNS:-1]:
        body = one_line(unescaped(turn.answer.split(_FOOTER, 1)[0]), _EARLIER_CHARS)
        text_of_turn = f"{_question_of(turn)}\nAnswered: {body}"
        blocks.append(fenced(text_of_turn, attributes={"turn": "earlier"}, nonce=shelf.nonce))
    last = history[-1]
    body, _, footer = last.answer.partition(_FOOTER)
    ids = _shelve_citations(footer, shelf, context.source) | _rerun_statements(last, shelf, context)
    text_of_turn = f"{_question_of(last)}\nAnswered: {unescaped(numbers_to_ids(body.strip(), ids))[:_LAST_CHARS]}"
    blocks.append(fenced(text_of_turn, attributes={"turn": "last"}, nonce=shelf.nonce))
    text = "Conversation so far:\n" + "\n".join(blocks)
    numbers = list(dict.fromkeys(ids.values()))
    rests = [shelf.block_of_text(number, "rows of the last answer") for number in numbers if number in shelf.rows]
    rests += [lines] if (lines := _lines(numbers, shelf)) else []
    return f"{text}\nThe last answer rests on:\n" + "\n".join(rests) if rests else text


def _question_of(turn: Turn) -> str:
    """The question in the user's words, and how a follow-up was read, which may be wrong."""
    asked = f"Asked: {one_line(turn.query)}"
    return asked if turn.standalone == turn.query else f"{asked}\nRead as: {one_line(turn.standalone)}"


def _rerun_statements(turn: Turn, shelf: Shelf, context: LoopContext) -> dict[int, int]:
    """Run the statements that the last answer cites again: the number on the shelf of their rows, by cited number.

    The answer is no evidence for itself: otherwise a doubtful sentence would be supported as soon as it is repeated.
    """
    statements = list(dict.fromkeys((source, sql) for _, source, sql in turn.statements))[:_MAX_RERUN]
    calls = [
        ToolCall(
            call_id=f"h{index}",
            step_id=f"h{index}",
            tool="sql",
            args={"statement": sql, "source": source},
            sub_question=turn.standalone,
        )
        for index, (source, sql) in enumerate(statements, 1)
    ]
    titles = context.data.titles if context.data is not None else {}
    results = {result.call.call_id: result for result in call_in_parallel(calls, context, warns=False)}
    shelved: dict[tuple[str, str], int] = {}
    for (source, sql), call in zip(statements, calls, strict=True):
        result = results[call.call_id]
        table = result.output.artifact
        if not result.ok or not isinstance(table, ResultTable):
            continue
        behind = f"{turn.standalone} {turn.says} {sql}"
        rows = rows_of(table.columns, table.rows, behind, table.row_count)
        citation = Citation(n=0, kind="sql", sql=sql, source=source, title=titles.get(source))
        shelved[source, sql] = shelf.put_text(result.output.text, citation, "sql", behind, rows=rows)
    return {n: shelved[source, sql] for n, source, sql in turn.statements if (source, sql) in shelved}


def _lines(numbers: Sequence[int], shelf: Shelf) -> str:
    """The lines that the last answer cites, up to `_MAX_CITED_TOTAL_CHARS`."""
    rows: list[str] = []
    for number in dict.fromkeys(numbers):
        hit = shelf.given[number]
        if hit.path in shelf.stated:
            continue
        rows.append(f"[{format_id(number)}] {hit.path}:{hit.start_line}: {one_line(hit.text, _MAX_CITED_CHARS)}")
        if sum(map(len, rows)) > _MAX_CITED_TOTAL_CHARS:
            break
    return fenced("\n".join(rows), attributes={"lines": "of the last answer"}, nonce=shelf.nonce) if rows else ""


def _shelve_citations(footer: str, shelf: Shelf, source: ReadsLines | None) -> dict[int, int]:
    """Number on the shelf of each cited passage, by its number in the answer."""
    ids: dict[int, int] = {}
    for match in list(_LABEL.finditer(footer))[:_MAX_CITED]:
        path = re.sub(r"\\([\\`*<>\[\]&])", r"\1", match[2])
        hit = _read_hit(path, int(match[3]), int(match[4] or match[3]), source) if match[3] else None
        if hit is not None:
            ids[int(match[1])] = shelf.number_of(hit) or shelf.put(hit)
    return ids


def _read_hit(path: str, start: int, end: int, source: ReadsLines | None) -> Hit | None:
    if source is None:
        return None
    try:
        lines = source.lines(path)
    except (KbtuiError, OSError):
        return None
    if start > len(lines):
        return None
    end = min(end, len(lines))
    return Hit(path=path, start_line=start, end_line=end, text="\n".join(lines[start - 1 : end]), tool="conversation")
