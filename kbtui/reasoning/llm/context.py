"""Selects the passages for a prompt: the best ones, without repetition, within a token budget.

Retrieved passages overlap and are too long for a prompt. Overlapping or adjacent passages of a file are merged, each is
cut to 2,000 characters (spec 003, "Risks") at the end of a line, and the best are taken up to the budget. Passages keep
their line numbers, which the answer cites.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from kbtui.domain.evidence import Evidence, Hit, source_tag
from kbtui.reasoning.llm.fencing import fenced
from kbtui.text.language import CJK

MAX_ITEMS: Final = 10
"""Most passages in one prompt (spec 003, "Risks")."""

MAX_CHARS: Final = 2000
"""Most characters of one passage (spec 003, "Risks")."""

MIN_CHARS: Final = 120
"""Fewest characters of a passage that is cut to fit."""

_BETWEEN: Final = "\n\n"
_ASCII_WORD = re.compile(r"[A-Za-z]+")
_DIGITS = re.compile(r"\d+")
_CJK_CHARACTER = re.compile(rf"[{CJK}]")
_OTHER_WORD = re.compile(rf"[^\W\d_a-zA-Z{CJK}]+")
_SIGN = re.compile(r"[^\w\s]|_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The passages of a prompt.

    Attributes:
        text: The formatted passages, best first, with blank lines between them.
        sources: Number in the text and passage as shown, with verbatim lines of the file.
        left_out: Number of passages that did not fit.
        tokens: Estimated tokens of ``text`` (`estimate_tokens`).
    """

    text: str
    sources: tuple[tuple[int, Hit], ...]
    left_out: int
    tokens: int


def assemble(items: Sequence[Evidence], *, budget_tokens: int, nonce: str, most_items: int = MAX_ITEMS) -> Context:
    """Format the best of ``items`` as blocks numbered from 1.

    Args:
        items: Graded passages; those with equal scores keep their order.
        budget_tokens: Most tokens of the text, by `estimate_tokens`.
        nonce: Key of the run (`fencing.new_nonce`).
        most_items: Most passages.
    """
    passages = merge_overlaps([item.hit for item in sorted(items, key=lambda item: -item.score)])
    blocks: list[str] = []
    sources: list[tuple[int, Hit]] = []
    used = 0
    for hit in passages:
        if len(blocks) == most_items:
            break
        number = len(blocks) + 1
        room = budget_tokens - used - (estimate_tokens(_BETWEEN) if blocks else 0)
        fitted = _fit_block(number, hit, room, nonce)
        if fitted is None:
            continue
        block, shown_hit = fitted
        blocks.append(block)
        sources.append((number, shown_hit))
        used = estimate_tokens(_BETWEEN.join(blocks))
    return Context(
        text=_BETWEEN.join(blocks), sources=tuple(sources), left_out=len(passages) - len(sources), tokens=used
    )


def block_of(number: int, hit: Hit, nonce: str) -> str:
    """Format one passage; title and headings are attributes, so that the text has only lines of the file."""
    attributes: dict[str, object] = {"id": number, "path": hit.path, "lines": _lines(hit)}
    if hit.title:
        attributes["title"] = hit.title
    if hit.heading_path:
        attributes["section"] = " > ".join(hit.heading_path)
    if hit.note:
        attributes["relation"] = hit.note
    return fenced(hit.text, attributes=attributes, nonce=nonce, lead=source_tag(hit.path, hit.start_line))


def merge_overlaps(hits: Sequence[Hit]) -> list[Hit]:
    """Remove overlaps between ``hits``, keeping their order; each is at most `MAX_CHARS` long.

    Overlapping or adjacent hits of a file are merged at the place of the better one; if that would be too long, the
    lesser one loses the shared lines. A line that states a relation stays separate, because it has its own note.
    """
    result: list[Hit] = []
    for hit in hits:
        _insert(result, cut(hit))
    return result


def cut(hit: Hit, most_chars: int = MAX_CHARS) -> Hit:
    """Cut ``hit`` to whole lines around its matches; a single line that is too long is cut at its end."""
    if len(hit.text) <= most_chars:
        return hit
    lines = hit.text.split("\n")
    matched = [line - hit.start_line for line in hit.matched_lines if 0 <= line - hit.start_line < len(lines)]
    first = last = matched[0] if matched else 0
    size = len(lines[first])
    if size > most_chars:
        text = _beginning(lines[first], most_chars)
        return _with_lines(hit, text, hit.start_line + first, hit.start_line + first)
    has_grown = True
    while has_grown:
        has_grown = False
        # Lines after a match are more relevant than those before it.
        for step in (1, 1, -1):
            index = last + 1 if step > 0 else first - 1
            if 0 <= index < len(lines) and size + 1 + len(lines[index]) <= most_chars:
                size += 1 + len(lines[index])
                first, last = min(first, index), max(last, index)
                has_grown = True
    return _with_lines(hit, "\n".join(lines[first : last + 1]), hit.start_line + first, hit.start_line + last)


def estimate_tokens(text: str) -> int:
    """Estimate the number of tokens of ``text`` without a tokeniser."""
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


def _fit_block(number: int, hit: Hit, room: int, nonce: str) -> tuple[str, Hit] | None:
    """Format a passage, cut to the room if necessary; None if too little of it would be left."""
    most = len(hit.text)
    while True:
        block = block_of(number, hit, nonce)
        tokens = estimate_tokens(block)
        if tokens <= room:
            return block, hit
        if room <= 0:
            return None
        most = min(most - 1, len(hit.text) * room // tokens, len(hit.text) - 1)
        if most < MIN_CHARS:
            return None
        hit = cut(hit, most)


def _insert(result: list[Hit], hit: Hit) -> None:
    for index, other in enumerate(result):
        combined = _merge(other, hit)
        if combined is None:
            # Lines of a better passage are not shown twice.
            hit = _remove_shared_lines(hit, other)
            continue
        result[index] = combined
        # The merged passage may now touch later ones.
        following = result[index + 1 :]
        del result[index + 1 :]
        for later in following:
            _insert(result, later)
        return
    if hit.text.strip():
        result.append(hit)


def _merge(first: Hit, second: Hit) -> Hit | None:
    """Merge two passages; None if they do not touch or would be too long."""
    if (first.path, first.start_line, first.text) == (second.path, second.start_line, second.text):
        return first if first.note else replace(first, note=second.note)
    if not _overlap(first, second, apart=1):
        return None
    upper, lower = (first, second) if first.start_line <= second.start_line else (second, first)
    shared_count = upper.end_line - lower.start_line + 1
    lines = [*upper.text.split("\n"), *lower.text.split("\n")[shared_count:]]
    text = "\n".join(lines)
    if len(text) > MAX_CHARS:
        return None
    matched = tuple(sorted({*first.matched_lines, *second.matched_lines}))
    end = upper.start_line + len(lines) - 1
    return replace(first, start_line=upper.start_line, end_line=end, text=text, matched_lines=matched)


def _remove_shared_lines(hit: Hit, other: Hit) -> Hit:
    """``hit`` without the lines of ``other``; it extends beyond it on one side only, else they would be merged."""
    if not _overlap(hit, other, apart=0):
        return hit
    lines = hit.text.split("\n")
    if hit.start_line < other.start_line:
        lines = lines[: other.start_line - hit.start_line]
        return _with_lines(hit, "\n".join(lines), hit.start_line, other.start_line - 1)
    lines = lines[other.end_line - hit.start_line + 1 :]
    return _with_lines(hit, "\n".join(lines), other.end_line + 1, max(hit.end_line, other.end_line + 1))


def _overlap(first: Hit, second: Hit, *, apart: int) -> bool:
    """Whether both are whole lines of one file, overlap (or touch, with ``apart`` 1), and agree on shared lines."""
    if first.path != second.path or first.note or second.note or not (_is_whole(first) and _is_whole(second)):
        return False
    start, end = max(first.start_line, second.start_line), min(first.end_line, second.end_line)
    if start > end + apart:
        return False
    ours, theirs = (hit.text.split("\n")[start - hit.start_line : end - hit.start_line + 1] for hit in (first, second))
    # The file may have changed between the two.
    return ours == theirs


def _is_whole(hit: Hit) -> bool:
    """Whether the text has as many lines as the line numbers say; a cut line still counts."""
    return hit.text.count("\n") == hit.end_line - hit.start_line


def _with_lines(hit: Hit, text: str, start: int, end: int) -> Hit:
    matched = tuple(line for line in hit.matched_lines if start <= line <= end)
    return replace(hit, text=text, start_line=start, end_line=end, matched_lines=matched)


def _beginning(line: str, most_chars: int) -> str:
    """The beginning of a long line, up to the end of a word if there is one near."""
    head = line[:most_chars]
    space = head.rfind(" ", most_chars * 3 // 4)
    return head[:space] if space > 0 else head


def _lines(hit: Hit) -> str:
    return str(hit.start_line) if hit.end_line <= hit.start_line else f"{hit.start_line}-{hit.end_line}"
