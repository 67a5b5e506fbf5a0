"""Items of task lists: ``- [ ] Bram: book the room (due 2026-03-12)`` is a task with state, owner and due date.

So are ``- TODO book the room`` and headings such as ``* TODO Book the room``, with ``DEADLINE: <2026-03-12>`` below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.links import blank_code
from kbtui.knowledge.relations.rows import MAX_LINE_CHARS, Row, plain, relations_of_rows, row, unlinked, year_of
from kbtui.knowledge.relations.vocabulary import relation_name
from kbtui.knowledge.relations.words import word_set
from kbtui.text.days import find_day, with_years
from kbtui.text.word_lists import toml_in

TASKS: Final = "tasks"
"""Name of the list of all task items."""
STATE: Final = "state"
OWNER: Final = "owner"
DUE: Final = "due"

_WORDS: Final = toml_in(__package__, "text_lists.toml")
_DUE_WORDS: Final = word_set(_WORDS["due"])
_OWNER_WORDS: Final = word_set(_WORDS["owner"])
_NO_OWNER: Final = word_set(_WORDS["no_owner"])
_STATES: Final[dict[str, str]] = {mark: state for state, marks in _WORDS["states"].items() for mark in marks}
_STATES_BY_WORD: Final[dict[str, str]] = {word: state for state, words in _WORDS["words"].items() for word in words}

_MAX_OWNER_WORDS: Final = 3
_MAX_OWNER_CHARS: Final = 30

_TASK: Final = re.compile(
    rf"\s*(?:>\s*)?(?:(?:[-*+]|\d{{1,3}}[.)])\s+\[(?P<mark>[{re.escape(''.join(_STATES))}])\]\s+"
    rf"|(?:[-*+]|#{{1,6}})\s+(?P<word>{'|'.join(_STATES_BY_WORD)})\s+(?:\[#[A-Z]\]\s*)?"
    r"|(?:[-*+]\s+)?(?P<box>[☐☑☒])\s*)(?P<text>\S.*)"
)
_TASK_MARKS: Final = ("[ ] ", "[x] ", "[X] ", "☐", "☑", "☒", *(f" {word} " for word in _STATES_BY_WORD))
_PLANNED: Final = re.compile(
    rf"\s*(?P<word>{'|'.join(_WORDS['planned'])}):\s*[<\[](?P<day>\d{{4}}-\d{{2}}-\d{{2}})[^>\]]*[>\]]"
)
_MAX_PLANNED_LINES: Final = 3
_INLINE_FIELD: Final = re.compile(r"[\[(](?P<key>[^\W\d_][\w -]{0,28})::\s*(?P<value>[^\])]{1,120})[\])]")
_DATED_MARK: Final = re.compile(r"(?P<mark>[📅📆🗓✅⏳🛫➕]\ufe0f?)\s*(?P<day>\d{4}-\d{2}-\d{2})")
_BRACKETS: Final = re.compile(r"[(（\[](?P<text>[^()（）\[\]]{2,80})[)）\]]")
_MENTION: Final = re.compile(r"(?<![\w.@])@(?P<name>[^\W\d_][\w.-]{1,30})")
_TAG: Final = re.compile(r"(?<![\w/#&])#(?P<tag>[^\W\d][\w/-]{1,60})")
LEADING: Final = re.compile(
    r"[*_]{0,2}(?P<name>[^\W\d_][^:：*_\n]{0,40}?)[*_]{0,2}\s*(?:[:：]|\s[-–—]\s)[*_]{0,2}\s*(?=\S)"
)
_LAST_WORD: Final = re.compile(r"[^\W\d_]+$")
_BEFORE_DAY: Final = re.compile(r"(?:(?P<words>[^\W\d_]+(?:\s+[^\W\d_]+)?)\s*[:：]?\s*)$")
_EDGES: Final = " \t,;，；、.。-–—"


def extract(document: Document) -> Iterator[Relation]:
    """A relation for the list of all tasks, for each of them, and for each of their values."""
    # Most texts have none, and a search of the whole text is faster than a look at each line.
    if document.kind not in ("markdown", "rst", "text") or not any(mark in document.text for mark in _TASK_MARKS):
        return
    text = blank_code(document.text) if document.kind == "markdown" else document.text
    yield from relations_of_rows(document, document.text.split("\n"), TASKS, list(_tasks(document, text.split("\n"))))


def is_task(line: str) -> bool:
    """Whether a line is an item of a task list."""
    return _TASK.match(line) is not None


def _tasks(document: Document, lines: Sequence[str]) -> Iterator[Row]:
    headings = {heading.line: heading.text for heading in document.headings}
    section, year = "", year_of(document)
    for number, line in enumerate(lines, 1):
        section = headings.get(number, section)
        match = _TASK.match(line) if len(line) <= MAX_LINE_CHARS else None
        if match is None:
            continue
        state = _STATES_BY_WORD[match["word"]] if match["word"] else _STATES[match["mark"] or match["box"]]
        fields: dict[str, str] = {STATE: state}
        name = _read_task(with_years(match["text"], year), fields)
        if match["word"]:
            _read_planned(lines[number : number + _MAX_PLANNED_LINES], fields)
        if section and section != document.title:
            fields.setdefault("section", section)
        if name:
            yield row(number, name, list(fields.items()))


def _read_task(text: str, fields: dict[str, str]) -> str:
    """The task in words; its owner, due date and further fields are added to ``fields``."""
    text = unlinked(text)
    for pattern, read in (
        (_INLINE_FIELD, _inline_field),
        (_DATED_MARK, _dated_mark),
        (_BRACKETS, _bracketed),
        (_MENTION, _mention),
        (_TAG, _tag),
    ):
        text = pattern.sub(lambda match, read=read: " " if read(match, fields) else match[0], text)  # type: ignore[misc]
    text = _dated_end(text.strip(), fields)
    match = LEADING.match(text)
    if match is not None and OWNER not in fields and may_be_person(match["name"]):
        fields[OWNER] = match["name"].strip()
        text = text[match.end() :]
    return plain(text)


def _read_planned(lines: Sequence[str], fields: dict[str, str]) -> None:
    """Add the days that the lines below a task begin with."""
    for line in lines:
        if (match := _PLANNED.match(line)) is None:
            return
        while match is not None:
            fields.setdefault(_WORDS["planned"][match["word"]], match["day"])
            match = _PLANNED.match(line, match.end())


def _inline_field(match: re.Match[str], fields: dict[str, str]) -> bool:
    fields.setdefault(_field_name(match["key"]), match["value"].strip())
    return True


def _dated_mark(match: re.Match[str], fields: dict[str, str]) -> bool:
    fields.setdefault(_WORDS["marks"].get(match["mark"][0], DUE), match["day"])
    return True


def _mention(match: re.Match[str], fields: dict[str, str]) -> bool:
    fields.setdefault(OWNER, match["name"])
    return True


def _tag(match: re.Match[str], fields: dict[str, str]) -> bool:
    fields["tags"] = f"{fields['tags']}, {match['tag']}" if "tags" in fields else match["tag"]
    return True


def _bracketed(match: re.Match[str], fields: dict[str, str]) -> bool:
    """Whether all parts of a text in brackets are fields: *due 2026-03-12*, *owner: Ann*, a person alone."""
    read: dict[str, str] = {}
    for part in re.split(r"[,;，；、]", match["text"]):
        key, colon, value = (
            (piece.strip() for piece in re.split(r"([:：])", part, maxsplit=1))
            if re.search("[:：]", part)
            else (part.strip(), "", "")
        )
        if _dated(part, read):
            continue
        if colon and key and value and len(key.split()) <= _MAX_OWNER_WORDS:
            read.setdefault(_field_name(key), value)
        elif part.strip() and len(part.strip()) > 1 and _is_capitalised(part.strip()):
            read.setdefault(OWNER, part.strip())
        else:
            return False
    for name, value in read.items():
        fields.setdefault(name, value)
    return True


def _dated(part: str, fields: dict[str, str]) -> bool:
    """Whether a text is a day with a word before it at most, which tells the field: *by*, *until*, 截止."""
    day = find_day(part)
    if day is None:
        return False
    words = _words_before(part[: day.start])
    rest = part[day.end :].strip(_EDGES)
    if rest and rest not in _DUE_WORDS:
        return False
    name = DUE if not words or rest or _is_due(words) else relation_name(words)
    fields.setdefault(name, day.day.isoformat())
    return True


def _words_before(text: str) -> str:
    return text.strip(_EDGES + ":：").casefold()


def _is_due(words: str) -> bool:
    return words in _DUE_WORDS or words.split()[-1] in _DUE_WORDS


def _dated_end(text: str, fields: dict[str, str]) -> str:
    """The text without a due date at its end: *…, due 12 June 2026*, *… by 2026-03-12*."""
    day = find_day(text)
    if day is None or DUE in fields:
        return text
    tail = text[day.end :].strip(_EDGES)
    if tail and tail not in _DUE_WORDS:
        return text
    match = _BEFORE_DAY.search(text[: day.start])
    words = match["words"].casefold().split() if match is not None else []
    count = len(words) if " ".join(words) in _DUE_WORDS else 1 if words and words[-1] in _DUE_WORDS else 0
    if not count and not tail:
        return text
    fields[DUE] = day.day.isoformat()
    before = text[: day.start].rstrip(_EDGES + ":：")
    for _ in range(count):
        before = _LAST_WORD.sub("", before).rstrip(_EDGES)
    return before


def _field_name(key: str) -> str:
    name = relation_name(key)
    words = name.replace("-", " ")
    return DUE if words in _DUE_WORDS else OWNER if words in _OWNER_WORDS else name


def may_be_person(name: str) -> bool:
    """Whether a text is written like the name of a person, and is no word for a task."""
    name = name.strip()
    return len(name) <= _MAX_OWNER_CHARS and name.casefold() not in _NO_OWNER and _is_capitalised(name)


def _is_capitalised(name: str) -> bool:
    """Whether every word begins with a capital letter, or is written without capitals as a Chinese name is."""
    words = re.split(r"\s+(?:(?:and|und|&|/|\+)\s+)?", name)
    if any(not word[:1].isalpha() for word in words) or len(words) > _MAX_OWNER_WORDS:
        return False
    return all(word[0].isupper() or not word.isascii() for word in words) and (name.isascii() or len(name) <= 20)
