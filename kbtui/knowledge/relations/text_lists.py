"""Records that texts list: task items, entries of logs, and the rows of tables.

``- [ ] Bram: book the room (due 2026-03-12)`` is a task with state, owner and due date; ``- 2026-05-01 — Ann — moved``
is an entry of a log with its day and who it is by; a row of ``| Action | Owner | State |`` is a thing named by its
first cell, with a field for each further column. They are stated by the relations of lists in data files
(`kbtui.knowledge.relations.data_lists`), but below ``list:text``: such records are things even where their documents
state fields of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.fields import is_header_row, values_of
from kbtui.knowledge.relations.labels import file_labels
from kbtui.knowledge.relations.links import blank_code
from kbtui.knowledge.relations.series import END, ITEM, LISTED_IN_TEXT
from kbtui.knowledge.relations.statement_text import relation_on
from kbtui.knowledge.relations.trees import FieldLines
from kbtui.knowledge.relations.vocabulary import relation_name
from kbtui.knowledge.relations.words import word_set
from kbtui.text.days import find_day
from kbtui.text.tables import table
from kbtui.text.word_lists import toml_in

TASKS: Final = "tasks"
"""Name of the list of all task items."""
STATE: Final = "state"
OWNER: Final = "owner"
DUE: Final = "due"
BY: Final = "by"

_WORDS: Final = toml_in(__package__, "text_lists.toml")
_DUE_WORDS: Final = word_set(_WORDS["due"])
_OWNER_WORDS: Final = word_set(_WORDS["owner"])
_NO_OWNER: Final = word_set(_WORDS["no_owner"])
_STATES: Final[dict[str, str]] = {mark: state for state, marks in _WORDS["states"].items() for mark in marks}

_MAX_RECORDS: Final = 2_000
_MAX_COLUMNS: Final = 12
_MIN_COLUMNS: Final = 2
_MIN_ENTRIES: Final = 2
"""Fewest items of a log in one section."""
_MAX_HEADER_WORDS: Final = 4
_MAX_CELL_CHARS: Final = 300
_MAX_OWNER_WORDS: Final = 3
_MAX_OWNER_CHARS: Final = 30
_MAX_LINE_CHARS: Final = 2_000

_TASK: Final = re.compile(
    rf"\s*(?:>\s*)?(?:(?:[-*+]|\d{{1,3}}[.)])\s+\[(?P<mark>[{re.escape(''.join(_STATES))}])\]\s+"
    r"|(?:[-*+]\s+)?(?P<box>[☐☑☒])\s*)(?P<text>\S.*)"
)
_TASK_MARKS: Final = ("[ ] ", "[x] ", "[X] ", "☐", "☑", "☒")
_TABLE_MARKS: Final = ("|", "= =", "=  ", "+--", "+==")
_ANY_LOG: Final = re.compile(r"\n[ \t]*[-*+][ \t]+[*\[]{0,2}(?:[12]\d{3}[-/.年]|[0-2]?\d:[0-5]\d)")
_LOG_ITEM: Final = re.compile(
    r"\s*[-*+]\s+(?:\*\*|\[)?(?P<when>[12]\d{3}[-/.年]\d{1,2}[-/.月]\d{1,2}日?|[0-2]?\d:[0-5]\d)(?:\*\*|\])?"
    r"(?:\s+(?:UTC|GMT|CES?T|h)\b)?\s*(?:[—–:：|,，-]|\s)\s*(?P<text>\S.*)"
)
_INLINE_FIELD: Final = re.compile(r"[\[(](?P<key>[^\W\d_][\w -]{0,28})::\s*(?P<value>[^\])]{1,120})[\])]")
_DATED_MARK: Final = re.compile(r"(?P<mark>[📅📆🗓✅⏳🛫➕]\ufe0f?)\s*(?P<day>\d{4}-\d{2}-\d{2})")
_BRACKETS: Final = re.compile(r"[(（\[](?P<text>[^()（）\[\]]{2,80})[)）\]]")
_MENTION: Final = re.compile(r"(?<![\w.@])@(?P<name>[^\W\d_][\w.-]{1,30})")
_TAG: Final = re.compile(r"(?<![\w/#&])#(?P<tag>[^\W\d][\w/-]{1,60})")
_LEADING: Final = re.compile(
    r"[*_]{0,2}(?P<name>[^\W\d_][^:：*_\n]{0,40}?)[*_]{0,2}\s*(?:[:：]|\s[-–—]\s)[*_]{0,2}\s*(?=\S)"
)
_LAST_WORD: Final = re.compile(r"[^\W\d_]+$")
_BEFORE_DAY: Final = re.compile(r"(?:(?P<words>[^\W\d_]+(?:\s+[^\W\d_]+)?)\s*[:：]?\s*)$")
_EDGES: Final = " \t,;，；、.。-–—"
_NUMERAL: Final = re.compile(r"\W*\d{1,4}\W*")
_EMPHASIS: Final = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
_WIKI_LINK: Final = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_LINK: Final = re.compile(r"!?\[(?P<text>[^\[\]]*)\]\([^()]*\)")


class _Record(NamedTuple):
    line: int
    name: str
    fields: tuple[tuple[str, str], ...]


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each list of tasks or table of things, for each of its records, and for each of their values."""
    if document.kind not in ("markdown", "rst", "text"):
        return
    # Most texts have none of these, and a search of the whole text is faster than a look at each line.
    has_tasks = any(mark in document.text for mark in _TASK_MARKS)
    has_tables = any(mark in document.text for mark in _TABLE_MARKS)
    has_logs = document.kind != "text" and _ANY_LOG.search(document.text)
    if not (has_tasks or has_logs or has_tables):
        return
    text = blank_code(document.text) if document.kind == "markdown" else document.text
    lines, raw = text.split("\n"), document.text.split("\n")
    if has_tasks:
        yield from _list_relations(document, raw, TASKS, list(_tasks(document, lines)))
    if has_logs:
        for name, records in _logs(document, lines):
            yield from _list_relations(document, raw, name, records)
    if has_tables:
        for name, records in _tables(document, lines):
            yield from _list_relations(document, raw, name, records)


def _list_relations(
    document: Document, raw: Sequence[str], name: str, records: Sequence[_Record]
) -> Iterator[Relation]:
    own_labels = file_labels(document)
    for index, record in enumerate(records[:_MAX_RECORDS]):
        if not index:
            yield relation_on(document, raw, LISTED_IN_TEXT, name, record.line)
        yield relation_on(document, raw, ITEM, record.name, record.line)
        for key, value in record.fields:
            for relation, line, item in values_of(FieldLines(key, ((record.line, value),)), document.path, own_labels):
                offset = max(0, raw[line - 1].find(item))
                yield relation_on(document, raw, f"{ITEM}{relation}", item, line, offset)
    if records:
        yield relation_on(document, raw, END, "", records[-1].line)


# Task items


def is_task(line: str) -> bool:
    """Whether a line is an item of a task list."""
    return _TASK.match(line) is not None


def _tasks(document: Document, lines: Sequence[str]) -> Iterator[_Record]:
    headings = {heading.line: heading.text for heading in document.headings}
    section = ""
    for number, line in enumerate(lines, 1):
        section = headings.get(number, section)
        match = _TASK.match(line) if len(line) <= _MAX_LINE_CHARS else None
        if match is None:
            continue
        mark = match["mark"] or match["box"]
        fields: dict[str, str] = {STATE: _STATES[mark]}
        name = _read_task(match["text"], fields)
        if section and section != document.title:
            fields.setdefault("section", section)
        if name:
            yield _Record(number, name, tuple(fields.items()))


def _read_task(text: str, fields: dict[str, str]) -> str:
    """The task in words; its owner, due date and further fields are added to ``fields``."""
    text = _unlinked(text)
    for pattern, read in (
        (_INLINE_FIELD, _inline_field),
        (_DATED_MARK, _dated_mark),
        (_BRACKETS, _bracketed),
        (_MENTION, _mention),
        (_TAG, _tag),
    ):
        text = pattern.sub(lambda match, read=read: " " if read(match, fields) else match[0], text)  # type: ignore[misc]
    text = _dated_end(text.strip(), fields)
    match = _LEADING.match(text)
    if match is not None and OWNER not in fields and _may_be_person(match["name"]):
        fields[OWNER] = match["name"].strip()
        text = text[match.end() :]
    return _plain(text)


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
    plain = name.replace("-", " ")
    return DUE if plain in _DUE_WORDS else OWNER if plain in _OWNER_WORDS else name


def _may_be_person(name: str) -> bool:
    name = name.strip()
    return len(name) <= _MAX_OWNER_CHARS and name.casefold() not in _NO_OWNER and _is_capitalised(name)


def _is_capitalised(name: str) -> bool:
    """Whether every word begins with a capital letter, or is written without capitals as a Chinese name is."""
    words = re.split(r"\s+(?:(?:and|und|&|/|\+)\s+)?", name)
    if any(not word[:1].isalpha() for word in words) or len(words) > _MAX_OWNER_WORDS:
        return False
    return all(word[0].isupper() or not word.isascii() for word in words) and (name.isascii() or len(name) <= 20)


# Logs


def _logs(document: Document, lines: Sequence[str]) -> Iterator[tuple[str, list[_Record]]]:
    """Name and records of each list whose items begin with a day or a time; the name is the heading above it."""
    headings = {heading.line: heading.text for heading in document.headings}
    section, entries = document.title, list[_Record]()
    for number, line in enumerate((*lines, ""), 1):
        entry = _log_entry(line, number) if len(line) <= _MAX_LINE_CHARS else None
        if entry is not None:
            entries.append(entry)
        if number in headings or number > len(lines):
            if len(entries) >= _MIN_ENTRIES:
                yield section, entries
            section, entries = headings.get(number, section), []


def is_log_entry(line: str) -> bool:
    """Whether a line is an item that begins with a day or a time."""
    return _log_entry(line, 1) is not None


def _log_entry(line: str, number: int) -> _Record | None:
    match = _LOG_ITEM.match(line)
    if match is None or ((day := find_day(match["when"])) is None and ":" not in match["when"]):
        return None
    when = ("date", day.day.isoformat()) if day is not None else ("time", match["when"])
    text = match["text"]
    person = _LEADING.match(text)
    if person is None or not _may_be_person(person["name"]):
        return _Record(number, _plain(text), (when,))
    return _Record(number, _plain(text[person.end() :]), (when, (BY, person["name"].strip())))


# Tables


def _tables(document: Document, lines: Sequence[str]) -> Iterator[tuple[str, list[_Record]]]:
    """Name and records of each table whose columns are named; the name is the heading above it."""
    headings = {heading.line: heading.text for heading in document.headings}
    section, index, unclosed = document.title, 0, set[str]()
    while index < len(lines):
        section = headings.get(index + 1, section)
        line = lines[index]
        parts = table(lines, index, unclosed) if "|" in line or line.lstrip().startswith(("+-", "+=", "==")) else []
        if not parts:
            index += 1
            continue
        index = max(parts[-1].stop, index + 1)
        records = _rows(
            lines,
            [(part.start, part.stop) for part in parts if part.is_row and not part.is_head],
            [(part.start, part.stop) for part in parts if part.is_head],
        )
        if records:
            yield section, records


def _rows(lines: Sequence[str], rows: Sequence[tuple[int, int]], heads: Sequence[tuple[int, int]]) -> list[_Record]:
    """The records of the rows of a table; empty where its columns have no names, or one of values only."""
    if not heads or is_header_row(lines[heads[0][0]]):
        return []
    columns = _columns_of(lines, heads[0])
    names = [relation_name(name) for name in columns]
    if not _MIN_COLUMNS <= len(names) <= _MAX_COLUMNS or any(len(name.split()) > _MAX_HEADER_WORDS for name in columns):
        return []
    named = [at for at, name in enumerate(names) if name]
    if len(named) < _MIN_COLUMNS or len(set(names)) < len(names):
        return []
    cells_by_row = [(start + 1, _columns_of(lines, (start, stop), len(names))) for start, stop in rows]
    full_rows = [(line, cells) for line, cells in cells_by_row if len(cells) == len(names) and any(cells)]
    if not full_rows:
        return []
    title = _title_column(names, [cells for _, cells in full_rows])
    return [
        _Record(
            line,
            _plain(cells[title]),
            tuple((names[at], cells[at]) for at in named if cells[at] and len(cells[at]) <= _MAX_CELL_CHARS),
        )
        for line, cells in full_rows
        if cells[title].strip() and len(cells[title]) <= _MAX_CELL_CHARS
    ]


def _title_column(names: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """The column that names the rows: the first that does not merely number them."""
    return next(
        (at for at in range(len(names)) if not all(_NUMERAL.fullmatch(row[at]) for row in rows if row[at].strip())), 0
    )


def _columns_of(lines: Sequence[str], span: tuple[int, int], count: int = 0) -> list[str]:
    """The cells of a row in pipe syntax or of a grid; of one in columns of spaces, split at wide gaps."""
    text = lines[span[0]].strip()
    if text.startswith("|") or "|" in text:
        rows = [
            re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|")) for line in lines[slice(*span)]
        ]
        wide = [row for row in rows if len(row) == len(rows[0])]
        return [" ".join(filter(None, (row[at].strip() for row in wide))) for at in range(len(rows[0]))]
    cells = re.split(r"\s{2,}", text)
    return cells if not count or len(cells) == count else []


def _plain(text: str) -> str:
    """A text without emphasis, and with the words of links only."""
    return " ".join(_EMPHASIS.sub("", _unlinked(text)).split()).strip(" \t,;，；、-–—")


def _unlinked(text: str) -> str:
    """A text with the words of links only."""
    return _WIKI_LINK.sub(r"\1", _LINK.sub(lambda match: match["text"], text))
