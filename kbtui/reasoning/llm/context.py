"""The passages a chat model is shown: the best ones, none twice, within a budget of tokens.

What was found overlaps (two tools find the same lines) and is longer than a prompt should be. Passages of a file that
overlap or touch become one, each is cut to 2,000 characters (spec 003, "Risks") at a line's end, and the best are taken
while there is room. A passage keeps its lines' numbers through all of that, since the answer will be cited by them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from kbtui.domain.evidence import Evidence, Hit, source_tag
from kbtui.reasoning.llm.fencing import fenced
from kbtui.text.language import CJK

MOST_ITEMS: Final = 10
"""Passages in one prompt (spec 003, "Risks")."""

MOST_CHARS: Final = 2000
"""Characters of one passage (spec 003, "Risks")."""

LEAST_CHARS: Final = 120
"""Characters below which a passage that has to be cut to fit says too little."""

_BETWEEN: Final = "\n\n"
_ASCII_WORD = re.compile(r"[A-Za-z]+")
_DIGITS = re.compile(r"\d+")
_CJK_CHARACTER = re.compile(rf"[{CJK}]")
_OTHER_WORD = re.compile(rf"[^\W\d_a-zA-Z{CJK}]+")
_SIGN = re.compile(r"[^\w\s]|_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What a model is shown, and what its numbers mean.

    Attributes:
        text: The blocks, best first, a blank line between them.
        sources: Number in the text and the passage as it was shown, its lines those of the file, verbatim.
        left_out: Passages there was no room for.
        tokens: Estimate for ``text`` (`estimate_tokens`).
    """

    text: str
    sources: tuple[tuple[int, Hit], ...]
    left_out: int
    tokens: int


def assemble(items: Sequence[Evidence], *, budget_tokens: int, nonce: str, most_items: int = MOST_ITEMS) -> Context:
    """The best of ``items`` as numbered blocks, numbers from 1 in their order.

    Args:
        items: Graded passages, in any order; those of equal score keep theirs.
        budget_tokens: Room for the text, by `estimate_tokens`.
        nonce: The run's key (`fencing.new_nonce`).
        most_items: Passages at most.
    """
    passages = merged([item.hit for item in sorted(items, key=lambda item: -item.score)])
    blocks: list[str] = []
    sources: list[tuple[int, Hit]] = []
    used = 0
    for hit in passages:
        if len(blocks) == most_items:
            break
        number = len(blocks) + 1
        room = budget_tokens - used - (estimate_tokens(_BETWEEN) if blocks else 0)
        shown = _fitting(number, hit, room, nonce)
        if shown is None:
            continue
        block, kept = shown
        blocks.append(block)
        sources.append((number, kept))
        used = estimate_tokens(_BETWEEN.join(blocks))
    return Context(
        text=_BETWEEN.join(blocks), sources=tuple(sources), left_out=len(passages) - len(sources), tokens=used
    )


def block_of(number: int, hit: Hit, nonce: str) -> str:
    """One passage as a model is shown it: title and headings as attributes, so that only lines of the file are text."""
    attributes: dict[str, object] = {"id": number, "path": hit.path, "lines": _lines(hit)}
    if hit.title:
        attributes["title"] = hit.title
    if hit.heading_path:
        attributes["section"] = " > ".join(hit.heading_path)
    if hit.note:
        attributes["relation"] = hit.note
    return fenced(hit.text, attributes=attributes, nonce=nonce, lead=source_tag(hit.path, hit.start_line))


def merged(hits: Sequence[Hit]) -> list[Hit]:
    """``hits`` without what is in two of them, in their order, each at most `MOST_CHARS` long.

    Those of a file that overlap or touch become one where the better of them stood; where that would be too long, the
    lesser one loses the lines that the better one has. A line that states a relation stays a passage of its own: it is
    a fact with its own explanation.
    """
    result: list[Hit] = []
    for hit in hits:
        _place(result, cut(hit))
    return result


def cut(hit: Hit, most_chars: int = MOST_CHARS) -> Hit:
    """``hit`` with whole lines around its matches, as many as fit; of one line that is too long, its beginning."""
    if len(hit.text) <= most_chars:
        return hit
    lines = hit.text.split("\n")
    matched = [line - hit.start_line for line in hit.matched_lines if 0 <= line - hit.start_line < len(lines)]
    first = last = matched[0] if matched else 0
    size = len(lines[first])
    if size > most_chars:
        text = _beginning(lines[first], most_chars)
        return _with_lines(hit, text, hit.start_line + first, hit.start_line + first)
    grew = True
    while grew:
        grew = False
        # What follows a match says more of it than what precedes it.
        for step in (1, 1, -1):
            at = last + 1 if step > 0 else first - 1
            if 0 <= at < len(lines) and size + 1 + len(lines[at]) <= most_chars:
                size += 1 + len(lines[at])
                first, last = min(first, at), max(last, at)
                grew = True
    return _with_lines(hit, "\n".join(lines[first : last + 1]), hit.start_line + first, hit.start_line + last)


def estimate_tokens(text: str) -> int:
    """About as many tokens as a chat model's tokeniser makes of ``text``, without one."""
    if not text:
        return 0
    count = 0.0
    for match in _ASCII_WORD.finditer(text):
        length = len(match[0])
        count += 1 if length <= 6 else 1 + (length - 6) / 5
    count += sum((len(match[0]) + 2) // 3 for match in _DIGITS.finditer(text))
    count += sum(1 for _ in _SIGN.finditer(text))
    if not text.isascii():
        count += sum(1 for _ in _CJK_CHARACTER.finditer(text))
        count += sum(max(1.0, len(match[0]) / 2) for match in _OTHER_WORD.finditer(text))
    return int(count) + 1


def _fitting(number: int, hit: Hit, room: int, nonce: str) -> tuple[str, Hit] | None:
    """The block of a passage, cut further where it must be; None when too little of it would be left."""
    most = len(hit.text)
    while True:
        block = block_of(number, hit, nonce)
        tokens = estimate_tokens(block)
        if tokens <= room:
            return block, hit
        if room <= 0:
            return None
        most = min(most - 1, len(hit.text) * room // tokens, len(hit.text) - 1)
        if most < LEAST_CHARS:
            return None
        hit = cut(hit, most)


def _place(result: list[Hit], hit: Hit) -> None:
    for at, other in enumerate(result):
        joined = _joined(other, hit)
        if joined is None:
            # Lines that a better passage has are not shown twice, whatever the rest is joined to.
            hit = _without(hit, other)
            continue
        result[at] = joined
        # What has grown may now touch those behind it.
        behind = result[at + 1 :]
        del result[at + 1 :]
        for later in behind:
            _place(result, later)
        return
    if hit.text.strip():
        result.append(hit)


def _joined(first: Hit, second: Hit) -> Hit | None:
    """Two passages as one; None where they are two, or would be too long as one."""
    if (first.path, first.start_line, first.text) == (second.path, second.start_line, second.text):
        return first if first.note else replace(first, note=second.note)
    if not _overlap(first, second, apart=1):
        return None
    upper, lower = (first, second) if first.start_line <= second.start_line else (second, first)
    known = upper.end_line - lower.start_line + 1
    lines = [*upper.text.split("\n"), *lower.text.split("\n")[known:]]
    text = "\n".join(lines)
    if len(text) > MOST_CHARS:
        return None
    matched = tuple(sorted({*first.matched_lines, *second.matched_lines}))
    end = upper.start_line + len(lines) - 1
    return replace(first, start_line=upper.start_line, end_line=end, text=text, matched_lines=matched)


def _without(hit: Hit, other: Hit) -> Hit:
    """``hit`` without the lines that ``other`` has; it reaches beyond it on one side only, or they were one."""
    if not _overlap(hit, other, apart=0):
        return hit
    lines = hit.text.split("\n")
    if hit.start_line < other.start_line:
        lines = lines[: other.start_line - hit.start_line]
        return _with_lines(hit, "\n".join(lines), hit.start_line, other.start_line - 1)
    lines = lines[other.end_line - hit.start_line + 1 :]
    return _with_lines(hit, "\n".join(lines), other.end_line + 1, max(hit.end_line, other.end_line + 1))


def _overlap(first: Hit, second: Hit, *, apart: int) -> bool:
    """Whether both are whole lines of one file, share some (or touch, with ``apart`` 1), and agree on those."""
    if first.path != second.path or first.note or second.note or not (_is_whole(first) and _is_whole(second)):
        return False
    start, end = max(first.start_line, second.start_line), min(first.end_line, second.end_line)
    if start > end + apart:
        return False
    ours, theirs = (hit.text.split("\n")[start - hit.start_line : end - hit.start_line + 1] for hit in (first, second))
    # The file may have changed between the two.
    return ours == theirs


def _is_whole(hit: Hit) -> bool:
    """Whether the text has as many lines as its numbers say; a line that was cut inside still counts."""
    return hit.text.count("\n") == hit.end_line - hit.start_line


def _with_lines(hit: Hit, text: str, start: int, end: int) -> Hit:
    matched = tuple(line for line in hit.matched_lines if start <= line <= end)
    return replace(hit, text=text, start_line=start, end_line=end, matched_lines=matched)


def _beginning(line: str, most_chars: int) -> str:
    """The beginning of a line that is too long, up to a word's end where there is one near."""
    head = line[:most_chars]
    space = head.rfind(" ", most_chars * 3 // 4)
    return head[:space] if space > 0 else head


def _lines(hit: Hit) -> str:
    return str(hit.start_line) if hit.end_line <= hit.start_line else f"{hit.start_line}-{hit.end_line}"
