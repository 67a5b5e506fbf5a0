"""Removes the list of sources that a model puts under its answer, and reads the meaning of its numbers from it.

If the model renumbered its sources, ``[1] notes/b.md`` under the answer tells which passage its ``[1]`` refers to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kbtui.reasoning.checking.marks import Place, place
from kbtui.text.patterns import Patterns

_RE: Final = Patterns(__package__, "footer.toml")
_MAX_ENTRY: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """The list of sources of an answer.

    Attributes:
        lines: Indexes of its lines in the answer.
        labels: Its entry for each number, as written.
    """

    lines: frozenset[int]
    labels: Mapping[int, str]


def footer(lines: Sequence[str], code: frozenset[int]) -> Footer:
    """Find the list of sources at the end, and footnote definitions anywhere.

    Args:
        lines: Lines of the answer.
        code: Indexes of lines of code, which are never part of it.
    """
    source_lines: set[int] = set()
    labels: dict[int, str] = {}
    for index, line in enumerate(lines):
        if index not in code and (match := _RE.definition.match(line)):
            source_lines.add(index)
            labels.setdefault(int(match["number"]), match["rest"])
            continuation = index + 1
            while (
                continuation < len(lines)
                and lines[continuation].strip()
                and lines[continuation].startswith(("    ", "\t"))
            ):
                source_lines.add(continuation)
                continuation += 1
    last = len(lines)
    while last and (not lines[last - 1].strip() or last - 1 in source_lines):
        last -= 1
    start = _start_of_list(lines, last, code)
    for index in range(start, last):
        source_lines.add(index)
        match = _RE.label.match(lines[index]) or _RE.numbered.match(lines[index])
        if match and match["rest"].strip():
            labels.setdefault(int(match["number"]), match["rest"])
    first = min(
        (
            index
            for index in source_lines
            if all(_is_removed_or_blank(lines, at, source_lines) for at in range(index, len(lines)))
        ),
        default=0,
    )
    if source_lines and first:
        # Without its list, the rule or title above it is removed as well.
        previous = first - 1
        while previous >= 0 and not lines[previous].strip():
            previous -= 1
        if previous >= 0 and previous not in code and (_RE.rule.match(lines[previous]) or _is_title(lines[previous])):
            source_lines.add(previous)
    return Footer(lines=frozenset(source_lines), labels=labels)


def target_of(label: str) -> Place | int | None:
    """Parse a label: lines of a file, a URL, or the number of a passage (``Source 3``); None if empty."""
    label = label.strip()
    if match := re.match(r"[\[【(]?(?:SOURCE[:：])", label, re.I):
        return place(label[match.end() :].strip(" ]】)"))
    if match := re.fullmatch(r"[\[【(]?(?:source|passage|document|doc|来源|文档)[ \t]*(\d{1,3})[\]】)]?", label, re.I):
        return int(match[1])
    if match := _RE.place_like.search(label):
        return place(match[0].rstrip(".,;)"))
    return Place(path=label) if label else None


def _is_removed_or_blank(lines: Sequence[str], index: int, source_lines: set[int]) -> bool:
    return index in source_lines or not lines[index].strip()


def _start_of_list(lines: Sequence[str], last: int, code: frozenset[int]) -> int:
    """Index of the first line of the list that ends before ``last``; ``last`` if there is none."""
    first = last
    entry_count = 0
    while first and first - 1 not in code and len(lines[first - 1]) <= _MAX_ENTRY:
        line = lines[first - 1]
        if not line.strip():
            first -= 1
        elif _RE.rule.match(line):
            return first - 1 if entry_count else last
        elif title := _title(line):
            rest = title["rest"].strip()
            if entry_count or (rest and title["colon"] and _is_reference(rest)):
                return first - 1
            return last
        elif _is_entry(line):
            entry_count += 1
            first -= 1
        else:
            break
    # Without a title, only labels with a place form a list of sources: a sentence may begin with its mark, too.
    start = last
    for index in range(last - 1, first - 1, -1):
        match = _RE.label.match(lines[index])
        if lines[index].strip() and not (match and _is_only_place(match["rest"])):
            break
        start = index
    return start if start < last and (start == 0 or not lines[start - 1].strip() or not lines[start].strip()) else last


def _title(line: str) -> re.Match[str] | None:
    match = _RE.title.match(line)
    if match is None:
        return None
    rest = match["rest"].strip()
    return match if not rest or (match["colon"] and _is_reference(rest)) else None


def _is_title(line: str) -> bool:
    match = _title(line)
    return match is not None and not match["rest"].strip()


def _is_entry(line: str) -> bool:
    for form in (_RE.label, _RE.numbered, _RE.bullet):
        if match := form.match(line):
            return form is _RE.label or _is_reference(match["rest"].strip()) or _is_only_place(match["rest"])
    return _is_only_place(line)


def _is_reference(text: str) -> bool:
    """Whether a text consists of marks or places only."""
    return bool(_RE.marks_only.match(text)) or _is_only_place(text)


def _is_only_place(text: str) -> bool:
    """Whether a text is a place, with at most a title beside it."""
    match = _RE.place_like.search(text)
    if match is None:
        return False
    rest = text[: match.start()] + text[match.end() :]
    return len(rest.split()) <= 14 and not re.search(r"[.!?。！？]\s", rest)
