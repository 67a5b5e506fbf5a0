"""The list of sources a model puts under its answer: taken off, and read for what its numbers stand for.

Where the model renumbered, ``[1] notes/b.md`` under the answer says which of the passages its ``[1]`` means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kbtui.reasoning.checking.marks import Place, place
from kbtui.text.patterns import Patterns

_RE: Final = Patterns(__package__, "footer.toml")
_LONGEST_ENTRY: Final = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """What was taken off.

    Attributes:
        lines: Indexes of the lines of the text that belong to it.
        labels: What each number stands for, in the model's words.
    """

    lines: frozenset[int]
    labels: Mapping[int, str]


def footer(lines: Sequence[str], code: frozenset[int]) -> Footer:
    """The list of sources under the text, and footnote definitions anywhere.

    Args:
        lines: The answer.
        code: Indexes of lines of code, which are left alone.
    """
    taken: set[int] = set()
    labels: dict[int, str] = {}
    for index, line in enumerate(lines):
        if index not in code and (match := _RE.definition.match(line)):
            taken.add(index)
            labels.setdefault(int(match["number"]), match["rest"])
            follow = index + 1
            while follow < len(lines) and lines[follow].strip() and lines[follow].startswith(("    ", "\t")):
                taken.add(follow)
                follow += 1
    last = len(lines)
    while last and (not lines[last - 1].strip() or last - 1 in taken):
        last -= 1
    start = _listed(lines, last, code)
    for index in range(start, last):
        taken.add(index)
        match = _RE.label.match(lines[index]) or _RE.numbered.match(lines[index])
        if match and match["rest"].strip():
            labels.setdefault(int(match["number"]), match["rest"])
    first = min(
        (index for index in taken if all(_is_gone(lines, at, taken) for at in range(index, len(lines)))), default=0
    )
    if taken and first:
        # The rule or title above what was taken stands for nothing any more.
        above = first - 1
        while above >= 0 and not lines[above].strip():
            above -= 1
        if above >= 0 and above not in code and (_RE.rule.match(lines[above]) or _is_title(lines[above])):
            taken.add(above)
    return Footer(lines=frozenset(taken), labels=labels)


def target_of(label: str) -> Place | int | None:
    """What a label stands for: lines of a file, an address, or the number of a passage (``Source 3``)."""
    label = label.strip()
    if match := re.match(r"[\[【(]?(?:SOURCE[:：])", label, re.I):
        return place(label[match.end() :].strip(" ]】)"))
    if match := re.fullmatch(r"[\[【(]?(?:source|passage|document|doc|来源|文档)[ \t]*(\d{1,3})[\]】)]?", label, re.I):
        return int(match[1])
    if match := _RE.place_like.search(label):
        return place(match[0].rstrip(".,;)"))
    return Place(path=label) if label else None


def _is_gone(lines: Sequence[str], index: int, taken: set[int]) -> bool:
    return index in taken or not lines[index].strip()


def _listed(lines: Sequence[str], last: int, code: frozenset[int]) -> int:
    """Where the list that ends before ``last`` begins; ``last`` when there is none."""
    at = last
    labelled = 0
    while at and at - 1 not in code and len(lines[at - 1]) <= _LONGEST_ENTRY:
        line = lines[at - 1]
        if not line.strip():
            at -= 1
        elif _RE.rule.match(line):
            return at - 1 if labelled else last
        elif title := _title(line):
            rest = title["rest"].strip()
            if labelled or (rest and title["colon"] and _is_reference(rest)):
                return at - 1
            return last
        elif _is_entry(line):
            labelled += 1
            at -= 1
        else:
            break
    # Without a title, only labels that name a place are a list of sources; a sentence may begin with its mark.
    start = last
    for index in range(last - 1, at - 1, -1):
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
    """Marks alone, or places alone."""
    return bool(_RE.marks_only.match(text)) or _is_only_place(text)


def _is_only_place(text: str) -> bool:
    """A place, with no more than a title beside it."""
    match = _RE.place_like.search(text)
    if match is None:
        return False
    rest = text[: match.start()] + text[match.end() :]
    return len(rest.split()) <= 14 and not re.search(r"[.!?。！？]\s", rest)
