"""The first message of a run: what there is, what was said before, what a first look found, and the question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kbtui.agent.calling import called_side_by_side
from kbtui.agent.loop.ids import in_ids, named
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
from kbtui.reasoning.llm.fencing import fenced
from kbtui.text.terminal import one_line

_MOST_TURNS: Final = 4
_LAST_CHARS: Final = 3_500
_EARLIER_CHARS: Final = 300
_MOST_CITED: Final = 30
_CITED_CHARS: Final = 400
_ALL_CITED_CHARS: Final = 2_000
_MOST_AGAIN: Final = 3
"""Statements of the last answer that are run again."""
_LABEL: Final = re.compile(r"^\[(\d{1,3})\] (.+?)(?::L(\d+)(?:-L(\d+))?)?$", re.MULTILINE)
_FOOTER: Final = "\n---\n"


def history_part(shelf: Shelf, context: LoopContext) -> str:
    """The conversation so far; the last answer whole, with ids for the lines and the rows that it rests on."""
    history = context.history
    if not history:
        return ""
    blocks = []
    for turn in history[-_MOST_TURNS:-1]:
        body = one_line(turn.answer.split(_FOOTER, 1)[0], _EARLIER_CHARS)
        said = f"Asked: {one_line(turn.standalone)}\nAnswered: {body}"
        blocks.append(fenced(said, attributes={"turn": "earlier"}, nonce=shelf.nonce))
    last = history[-1]
    body, _, footer = last.answer.partition(_FOOTER)
    ids = _cited(footer, shelf, context.source) | _again(last, shelf, context)
    said = f"Asked: {one_line(last.standalone)}\nAnswered: {in_ids(body.strip(), ids)[:_LAST_CHARS]}"
    blocks.append(fenced(said, attributes={"turn": "last"}, nonce=shelf.nonce))
    text = "Conversation so far:\n" + "\n".join(blocks)
    numbers = list(dict.fromkeys(ids.values()))
    rests = [shelf.block_of_text(number, "rows of the last answer") for number in numbers if number in shelf.rows]
    rests += [lines] if (lines := _lines(numbers, shelf)) else []
    return f"{text}\nThe last answer rests on:\n" + "\n".join(rests) if rests else text


def _again(turn: Turn, shelf: Shelf, context: LoopContext) -> dict[int, int]:
    """By number in the answer, the number on the shelf of the rows it cites; their statements are run once more.

    What the answer says is no proof of itself: a sentence that was doubtful would be beyond doubt in other words.
    """
    wanted = list(dict.fromkeys((source, sql) for _, source, sql in turn.statements))[:_MOST_AGAIN]
    calls = [
        ToolCall(
            call_id=f"h{at}",
            step_id=f"h{at}",
            tool="sql",
            args={"statement": sql, "source": source},
            sub_question=turn.standalone,
        )
        for at, (source, sql) in enumerate(wanted, 1)
    ]
    titles = context.data.titles if context.data is not None else {}
    results = {result.call.call_id: result for result in called_side_by_side(calls, context, warns=False)}
    found: dict[tuple[str, str], int] = {}
    for (source, sql), call in zip(wanted, calls, strict=True):
        result = results[call.call_id]
        table = result.output.artifact
        if not result.ok or not isinstance(table, ResultTable):
            continue
        behind = f"{turn.standalone} {turn.says} {sql}"
        rows = rows_of(table.columns, table.rows, behind, table.row_count)
        stands_for = Citation(n=0, kind="sql", sql=sql, source=source, title=titles.get(source))
        found[source, sql] = shelf.put_text(result.output.text, stands_for, "sql", behind, rows=rows)
    return {n: found[source, sql] for n, source, sql in turn.statements if (source, sql) in found}


def _lines(numbers: Sequence[int], shelf: Shelf) -> str:
    """The lines that the last answer cites, as far as there is room."""
    rows: list[str] = []
    for number in dict.fromkeys(numbers):
        hit = shelf.given[number]
        if hit.path in shelf.stated:
            continue
        rows.append(f"[{named(number)}] {hit.path}:{hit.start_line}: {one_line(hit.text, _CITED_CHARS)}")
        if sum(map(len, rows)) > _ALL_CITED_CHARS:
            break
    return fenced("\n".join(rows), attributes={"lines": "of the last answer"}, nonce=shelf.nonce) if rows else ""


def _cited(footer: str, shelf: Shelf, source: ReadsLines | None) -> dict[int, int]:
    """By number in the answer, the number on the shelf of the lines it cites."""
    ids: dict[int, int] = {}
    for match in list(_LABEL.finditer(footer))[:_MOST_CITED]:
        path = re.sub(r"\\([\\`*<>\[\]&])", r"\1", match[2])
        hit = _hit(path, int(match[3]), int(match[4] or match[3]), source) if match[3] else None
        if hit is not None:
            ids[int(match[1])] = shelf.number_of(hit) or shelf.put(hit)
    return ids


def _hit(path: str, start: int, end: int, source: ReadsLines | None) -> Hit | None:
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
