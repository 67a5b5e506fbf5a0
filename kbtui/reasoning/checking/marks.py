"""Citation marks in a model's text, in every form models write them: where each stands and what it points at.

A mark is removed with the white space before it and put back, renumbered, in the same place; that is why its lead and
its extent are kept. Code was blanked out by the caller, so that nothing in it is taken for a mark.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

MOST_IN_RANGE: Final = 20
"""Numbers that one range (``[1-3]``) may stand for; a longer one is no citation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A mark that names its lines (``[SOURCE:notes/a.md:L3]``).

    Attributes:
        path: As written.
        start_line: First line; 0 when none was named.
        end_line: Last line, inclusive; 0 when none was named.
    """

    path: str
    start_line: int = 0
    end_line: int = 0


Target = int | Place
"""A number the model was shown, or a place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Marks that stand together, as one.

    Attributes:
        start: Offset of the white space before them.
        end: Offset after them.
        lead: That white space.
        targets: What they point at, in order, each once.
        shown: The same as the model wrote it, for telling people.
    """

    start: int
    end: int
    lead: str
    targets: tuple[Target, ...]
    shown: str


_S: Final = r"[ \t\u00a0\u3000]{0,3}"
_DASH: Final = r"[-\u2010-\u2015\u2212~\uff5e\uff0d]"
_WORD: Final = (
    r"(?:sources?|refs?\.?|references?|passages?|docs?|documents?|citations?|cites?|footnotes?|notes?|evidence|results?"
    r"|snippets?|chunks?|context|来源|出处|资料|参考资料|参考文献|参考|文档|引用|文献|片段|段落|注|脚注)"
)
_NUMBER: Final = r"[0-9\uff10-\uff19]{1,3}"
_ONE: Final = rf"(?:\^|\#|{_WORD}{_S}[:：.#]?{_S}|第|[es](?=\d))?{_S}{_NUMBER}"
_BETWEEN: Final = rf"{_S}(?:[,，、;；&+/]|and|和|与|及){_S}"
_LIST: Final = rf"{_ONE}(?:(?:{_BETWEEN}|{_S}{_DASH}{_S}){_ONE})*"
_LINES: Final = rf"L?\d{{1,7}}(?:{_S}{_DASH}{_S}L?\d{{1,7}})?"
_DETAIL: Final = rf"(?:{_S}†[^\]】\n]{{0,120}}|{_S}[:：,，]{_S}(?:p\.?|pp\.?|lines?|L|§|行|页){_S}{_LINES})?"
_PATH: Final = r"(?:https?://)?[^\s\[\]()（）【】<>|*`\"'“”，。；、]{1,300}?"
_PLACE: Final = (
    rf"(?:SOURCE{_S}[:：]{_S})(?P<labelled>[^\]\n】]{{1,300}}?)|(?P<named>{_PATH}\.[A-Za-z]\w{{0,9}}:{_LINES})"
)
_LINK: Final = r"(?:\((?:https?://|[#./\w])[^()\s]{0,400}\))?"
_ANY: Final = re.compile(
    rf"(?P<sup><sup>{_S})?"
    r"(?:"
    # A numeric link, ``[[1]](url)`` or ``[1](url)``: the number is the mark, the address goes.
    rf"\[\[(?P<twice>{_LIST})\]\]{_LINK}"
    rf"|\\?[\[［](?P<square>{_LIST}){_DETAIL}\\?[\]］]{_LINK}"
    rf"|【(?P<lens>{_LIST}){_DETAIL}】"
    rf"|[(（](?P<round>{_WORD}{_S}[:：.#]?{_S}{_NUMBER}(?:(?:{_BETWEEN}|{_S}{_DASH}{_S}){_ONE})*)[)）]"
    rf"|[\[【(（](?:{_PLACE})[\]】)）]"
    rf"|(?<![\w/.:`-])(?P<bare>{_PATH}\.[A-Za-z]\w{{0,9}}:L\d{{1,7}}(?:{_S}{_DASH}{_S}L?\d{{1,7}})?)(?![\w/])"
    r")"
    rf"(?(sup){_S}</sup>)",
    re.IGNORECASE,
)
_PLAIN_ROUND = re.compile(rf"(?<=[\w”\"’)])[ \t]?[(（](?P<number>{_NUMBER})[)）](?=[ \t]*(?:[.。!！]|$))", re.M)
_JOIN = re.compile(r"[ \t]*[,，、;；]?[ \t]*")
_SAID = re.compile(
    r"[(（][ \t]*(?:(?:see|cf\.?|from|per|via|as in|sources?|refs?\.?|参见|参考|详见|见|来源|出处)[:：]?[ \t]*)?$", re.I
)
_SAID_END = re.compile(r"[ \t]*[)）]")
_INDEXED = re.compile(r"(?:(?<![\w'’])[A-Za-z]|\w*_\w*|\w[\w.]*\.\w+|(?<!\w)(?:argv|args|arr))$")
_RANGE = re.compile(rf"({_NUMBER}){_S}{_DASH}{_S}(?:\^|\#|{_WORD}{_S}[:：.#]?{_S})?({_NUMBER})", re.I)
_DIGITS = re.compile(r"\d{1,3}")
_PLACE_LINES = re.compile(rf"[:：]{_S}(?:lines?{_S}|L)?(\d{{1,7}})(?:{_S}{_DASH}{_S}L?(\d{{1,7}}))?{_S}$", re.I)
_SPACES: Final = " \t\u00a0\u3000"


def marks(text: str, known: frozenset[int], is_place: Callable[[Place], bool]) -> list[Mark]:
    """All marks of ``text`` in order.

    Args:
        text: Cleaned, code blanked out.
        known: Numbers the model was shown; ``(1)`` without brackets is read as a mark only for these, and only where
            no other form is used.
        is_place: Whether a named place is one of the sources: what is none and stands in no bracket stays text.
    """
    single = list(_single(text, is_place))
    if not single:
        rounds = list(_PLAIN_ROUND.finditer(text))
        if rounds and all(int(unicodedata.normalize("NFKC", m["number"])) in known for m in rounds):
            single = [(m.start(), m.end(), numbers(m["number"])) for m in rounds]
    return _grouped(text, single)


def numbers(written: str) -> tuple[Target, ...]:
    """The numbers of a list: ``1, 3-5`` gives 1, 3, 4, 5. Zero is no citation."""
    plain = unicodedata.normalize("NFKC", written)
    found: list[Target] = []
    position = 0
    for match in _RANGE.finditer(plain):
        found += [int(digits) for digits in _DIGITS.findall(plain[position : match.start()])]
        first, last = int(match[1]), int(match[2])
        if first <= last < first + MOST_IN_RANGE:
            found += range(first, last + 1)
        else:
            found += [first, last]
        position = match.end()
    found += [int(digits) for digits in _DIGITS.findall(plain[position:])]
    return tuple(dict.fromkeys(found))


def place(label: str) -> Place:
    """A label (``notes/a.md:L3-L5``, a path or an address alone) taken apart."""
    label = label.strip().strip("<>`*\"'“” ")
    match = _PLACE_LINES.search(label)
    if match is None or not match.start():
        return Place(path=label)
    first = int(match[1])
    return Place(path=label[: match.start()].strip(), start_line=first, end_line=max(first, int(match[2] or first)))


def told(target: Target) -> str:
    """A target in words."""
    if isinstance(target, int):
        return f"[{target}]"
    lines = f":L{target.start_line}" if target.start_line else ""
    return f"[{target.path}{lines}]"


def _single(text: str, is_place: Callable[[Place], bool]) -> Iterator[tuple[int, int, tuple[Target, ...]]]:
    for match in _ANY.finditer(text):
        written = match["twice"] or match["square"] or match["lens"] or match["round"]
        if written:
            targets = numbers(written)
            if 0 in targets:
                continue
            glued = match["square"] and not match["sup"] and match.start() and text[match.start() - 1].isascii()
            if glued and _INDEXED.search(text, max(0, match.start() - 60), match.start()):
                continue
            yield match.start(), match.end(), targets
            continue
        target = place(match["labelled"] or match["named"] or match["bare"])
        if match["bare"] and not is_place(target):
            continue
        yield match.start(), match.end(), (target,)


def _grouped(text: str, single: list[tuple[int, int, tuple[Target, ...]]]) -> list[Mark]:
    """Neighbours joined, with the brackets around them and the white space before."""
    found: list[Mark] = []
    at = 0
    while at < len(single):
        start, end, targets = single[at]
        at += 1
        while at < len(single) and (gap := _JOIN.match(text, end)) and gap.end() == single[at][0]:
            targets, end = (*targets, *single[at][2]), single[at][1]
            at += 1
        opening = _SAID.search(text, max(0, start - 24), start)
        closing = _SAID_END.match(text, end)
        if opening and closing:
            start, end = opening.start(), closing.end()
        body = start
        floor = found[-1].end if found else 0
        while start > floor and text[start - 1] in _SPACES:
            start -= 1
        unique = tuple(dict.fromkeys(targets))
        shown = "".join(told(target) for target in unique)
        found.append(Mark(start=start, end=end, lead=text[start:body], targets=unique, shown=shown))
    return found
