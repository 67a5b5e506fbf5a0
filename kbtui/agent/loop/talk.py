"""The part of the first message with the conversation so far and the lines that the last answer cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kbtui.agent.loop.ids import format_id, numbers_to_ids
from kbtui.agent.loop.shelf import Shelf
from kbtui.domain.answer import Citation
from kbtui.domain.conversation import Turn
from kbtui.domain.evidence import Hit
from kbtui.errors import KbtuiError
from kbtui.reasoning.citing import ReadsLines
from kbtui.reasoning.llm.fencing import fenced
from kbtui.text.terminal import one_line

_MAX_TURNS: Final = 4
_LAST_CHARS: Final = 3_500
_EARLIER_CHARS: Final = 300
_MAX_CITED: Final = 30
_MAX_CITED_CHARS: Final = 400
_MAX_CITED_TOTAL_CHARS: Final = 2_000
_LABEL: Final = re.compile(r"^\[(\d{1,3})\] (.+?)(?::L(\d+)(?:-L(\d+))?)?$", re.MULTILINE)
_FOOTER: Final = "\n---\n"


def history_part(history: Sequence[Turn], shelf: Shelf, source: ReadsLines | None) -> str:
    """Format the conversation so far; the last answer in full, with ids for the lines that it cites."""
    if not history:
        return ""
    blocks = []
    for turn in history[-_MAX_TURNS:-1]:
        body = one_line(turn.answer.split(_FOOTER, 1)[0], _EARLIER_CHARS)
        text_of_turn = f"Asked: {one_line(turn.standalone)}\nAnswered: {body}"
        blocks.append(fenced(text_of_turn, attributes={"turn": "earlier"}, nonce=shelf.nonce))
    last = history[-1]
    body, _, footer = last.answer.partition(_FOOTER)
    ids = _shelve_citations(last, footer, body, shelf, source)
    text_of_turn = f"Asked: {one_line(last.standalone)}\nAnswered: {numbers_to_ids(body.strip(), ids)[:_LAST_CHARS]}"
    blocks.append(fenced(text_of_turn, attributes={"turn": "last"}, nonce=shelf.nonce))
    text = "Conversation so far:\n" + "\n".join(blocks)
    lines = _lines(list(ids.values()), shelf)
    return f"{text}\nThe last answer rests on:\n{lines}" if lines else text


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


def _shelve_citations(turn: Turn, footer: str, body: str, shelf: Shelf, source: ReadsLines | None) -> dict[int, int]:
    """Number on the shelf of each cited source, by its number in the answer."""
    ids: dict[int, int] = {}
    rows = 0
    for match in list(_LABEL.finditer(footer))[:_MAX_CITED]:
        path = re.sub(r"\\([\\`*<>\[\]&])", r"\1", match[2])
        if match[3]:
            hit = _read_hit(path, int(match[3]), int(match[4] or match[3]), source)
            if hit is not None:
                ids[int(match[1])] = shelf.number_of(hit) or shelf.put(hit)
        else:
            # The rows are gone, but the answer was checked against them, so its text stands for them.
            citation = Citation(n=0, kind="sql", sql=turn.sql, source=turn.source, title=path)
            rows = rows or shelf.put_text(body, citation, "sql")
            ids[int(match[1])] = rows
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
