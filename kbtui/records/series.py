"""Groups sections and titles of one pattern into series: releases of change logs, advisories, journal entries.

`kbtui.knowledge.relations.series` tells which headings of a document are entries and what they state. Entries of one
pattern in the documents of a folder become a kind here, and so do documents whose titles have one pattern.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from kbtui.domain.document import Relation
from kbtui.knowledge.relations.series import (
    END,
    ENTRY,
    ITEM,
    LISTED,
    LISTED_IN_TEXT,
    QUOTED,
    SERIES_RELATIONS,
    TITLED,
    slot_of,
)
from kbtui.knowledge.relations.templates import CANDIDATES
from kbtui.knowledge.relations.text_lists import TASKS
from kbtui.knowledge.relations.vocabulary import relation_name
from kbtui.knowledge.relations.words import word_set
from kbtui.records.kind_names import LABELS, WORDS, singular
from kbtui.records.typed import version_key

_MIN_ENTRIES: Final = 3
"""Fewest entries of a kind."""
STAGES: Final = {-4: "dev", -3: "alpha", -2: "beta", -1: "rc", 0: "final"}
"""Names of release stages, by the rank in `version_key`."""
_VERSION_FIELDS: Final = ("series", "level", "stage")
_VERSION_NOUNS: Final = frozenset({"version", "versions", "release", "releases", "ver", "rel", "版本", "发布"})
"""Words for versions in general."""
_FOLDER_NOUNS: Final = frozenset(" ".join(WORDS["folders"].values()).split())
"""Words for any thing of a folder, which name the kind of a list only where it has no other name."""
_DOCUMENT_NOUNS: Final = frozenset(f"{WORDS['folders']['other']} {WORDS['folders']['file']} list table".split())
"""Words for documents and lists, which never do."""
TEXTUAL_RELATIONS: Final = frozenset({"mentions", "links-to", "imports", "columns"})
"""Textual relations, which do not become columns."""
_ROW_LABELS: Final = word_set(WORDS["describing"]["row_labels"])
_LIST_ENDING: Final = re.compile(f"(?<=..)(?:{'|'.join(WORDS['describing']['list_endings'].split())})$")
"""What the Chinese name of a list ends in beside what it lists: 报修 for 报修记录."""
_MIN_SHARE: Final = 0.3
"""Share of entries with a date from which versions are releases; share with a field to keep it."""


class EntryFact(Struct, frozen=True, kw_only=True):
    """A field of an entry, with the line that states it."""

    field: str
    value: str
    line: int


class Entry(Struct, kw_only=True):
    """A section, or a document that is identified by its title.

    Attributes:
        path: Path of the document.
        title: The heading.
        line: Line number of the heading.
        last: Last line number of the section; 0 for the end of the file.
        is_document: The entry is the whole document.
        of: Name of the list that a record belongs to; empty for sections.
        list_line: Line of a list in a text, whose records are things of their own; 0 for other entries.
        stated: Its fields.
    """

    path: str
    title: str
    line: int
    last: int = 0
    is_document: bool = False
    of: str = ""
    list_line: int = 0
    stated: list[EntryFact] = field(default_factory=list)


class Series(Struct, frozen=True, kw_only=True):
    """Entries whose headings have one pattern.

    Attributes:
        folder: Folder of their documents.
        before: Text before the variable part of the headings, in lower case.
        kind: Type of the variable part: ``version``, ``date`` or ``id``; ``item`` for records of the list ``before``
            in data files, ``row`` for those in texts.
        entries: The entries in the order of their documents.
    """

    folder: str
    before: str
    kind: str
    entries: tuple[Entry, ...]

    @property
    def is_dated(self) -> bool:
        """Whether enough entries have a date."""
        dated = sum(any(fact.field == "date" for fact in entry.stated) for entry in self.entries)
        return dated >= _MIN_SHARE * len(self.entries)


def series_of_entries(relations: Sequence[Relation]) -> tuple[Series, ...]:
    """All series of a folder, largest first.

    Args:
        relations: Relations of all documents; those of one document in the order of its lines.
    """
    by_path: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        if relation.relation.startswith(SERIES_RELATIONS) or relation.relation == "mentions":
            by_path[relation.source_path].append(relation)
    groups: dict[tuple[str, str, str, bool], list[Entry]] = defaultdict(list)
    rows: list[Entry] = []
    for path, path_relations in by_path.items():
        for entry in _entries(path, path_relations):
            slot = slot_of(entry.title)
            if entry.list_line:
                rows.append(entry)
            elif entry.of:
                groups["", entry.of, "item", False].append(entry)
            elif slot is not None:
                groups[posixpath.dirname(path), slot.before, slot.kind, entry.is_document].append(entry)
    merged: dict[tuple[str, str, str, bool], Series] = {}
    for (folder, before, kind, is_document), entries in groups.items():
        series = Series(folder=folder, before=before, kind=kind, entries=tuple(entries))
        # A change log may change the wording of its headings: "Changes in X 0.9", later "X 1.0".
        merged_before = _product_word(before) if kind == "version" and series.is_dated else before
        previous = merged.get((folder, merged_before, kind, is_document))
        entries_of_both = (*previous.entries, *entries) if previous is not None else series.entries
        merged[folder, merged_before, kind, is_document] = Series(
            folder=folder, before=merged_before, kind=kind, entries=entries_of_both
        )
    kinds = [series for series in merged.values() if len(series.entries) >= _MIN_ENTRIES and _is_kind(series)]
    for series in kinds:
        if series.kind != "item":
            _drop_rare_fields(series)
    kinds += _series_of_rows(rows)
    detail_lists = _lists_of_details(kinds, relations)
    kept = (series for series in kinds if series.kind != "item" or series.before not in detail_lists)
    return tuple(sorted(kept, key=lambda series: -len(series.entries)))


def _series_of_rows(entries: Sequence[Entry]) -> Iterator[Series]:
    """The records of lists in texts: all tasks, and the rows of all tables with the same columns."""
    lists: dict[tuple[str, int], list[Entry]] = defaultdict(list)
    for entry in entries:
        lists[entry.path, entry.list_line].append(entry)
    groups: dict[frozenset[str], list[list[Entry]]] = defaultdict(list)
    for rows in lists.values():
        columns = {fact.field for row in rows for fact in row.stated}
        groups[frozenset({TASKS} if rows[0].of == TASKS else columns)].append(rows)
    for group in groups.values():
        records = tuple(row for rows in group for row in rows)
        headings = Counter(rows[0].of for rows in group)
        name, count = headings.most_common(1)[0]
        if len(records) >= _MIN_ENTRIES:
            yield Series(folder="", before=name if 2 * count > len(group) else "", kind="row", entries=records)


def _lists_of_details(series: Iterable[Series], relations: Iterable[Relation]) -> set[str]:
    """Names of lists in several files with further fields: their records are details of these files, not things."""
    fields: dict[str, set[str]] = defaultdict(set)
    for relation in relations:
        if (
            not relation.relation.startswith((*SERIES_RELATIONS, *CANDIDATES))
            and relation.relation not in TEXTUAL_RELATIONS
        ):
            fields[relation.source_path].add(relation.relation)
    paths_by_list = {each.before: {entry.path for entry in each.entries} for each in series if each.kind == "item"}
    return {
        name
        for name, paths in paths_by_list.items()
        if sum(bool(fields[p] - {relation_name(name)}) for p in paths) >= _MIN_ENTRIES
    }


def _product_word(before: str) -> str:
    """The last word before a version that is not a general word for versions: the name of the product."""
    words = [word for word in before.split() if word not in _VERSION_NOUNS]
    return words[-1] if words else ""


def _is_kind(series: Series) -> bool:
    """Whether entries are things; versions without dates and without a word for versions are only conditions.

    Nor are identifiers that are counted by different words: UTF-8, SHA-3.
    """
    if series.kind == "id":
        prefixes = Counter(slot.value.split("-")[0] for each in series.entries if (slot := slot_of(each.title)))
        return bool(prefixes) and 2 * max(prefixes.values()) >= len(series.entries)
    if series.kind != "version" or series.is_dated or series.entries[0].is_document:
        return True
    return any(word in _VERSION_NOUNS for word in series.before.split())


def _entries(path: str, relations: Sequence[Relation]) -> list[Entry]:
    """The entries of one document with the fields stated within their lines, in document order."""
    entries: list[Entry] = []
    mentions = []
    list_name, list_line = "", 0
    for relation in relations:
        name, target, line = relation.relation, relation.target, relation.line
        if (
            name in (ENTRY, ITEM, LISTED, LISTED_IN_TEXT, END)
            and entries
            and not entries[-1].is_document
            and not entries[-1].last
        ):
            entries[-1].last = line if name == END else line - 1
        if name in (LISTED, LISTED_IN_TEXT):
            list_name, list_line = target, line if name == LISTED_IN_TEXT else 0
        elif name in (ENTRY, ITEM, TITLED):
            entry = Entry(path=path, title=target, line=line, is_document=name == TITLED)
            if name == ITEM:
                entry.of, entry.list_line = list_name, list_line
            entries.append(entry)
        elif name == "mentions":
            mentions.append(EntryFact(field=name, value=target, line=line))
        elif name != END and entries:
            entries[-1].stated.append(EntryFact(field=name.partition(":")[2], value=target, line=line))
    for entry in entries:
        entry.stated += () if entry.of else _version_fields(entry)
        if entry.is_document:
            entry.stated += mentions
    return entries


def _version_fields(entry: Entry) -> Iterator[EntryFact]:
    """Fields derived from a version: its series (1.2), level (patch, feature, major) and stage."""
    version = next((fact for fact in entry.stated if fact.field == "version"), None)
    if version is None:
        return
    numbers, (rank, _) = version_key(version.value)
    series_numbers = (*numbers, 0)[:2]
    level = "patch" if len(numbers) > 2 else "feature" if len(numbers) > 1 else "major"
    yield EntryFact(field="series", value=".".join(map(str, series_numbers)), line=version.line)
    yield EntryFact(field="level", value=level, line=version.line)
    yield EntryFact(field="stage", value=STAGES[rank], line=version.line)


def _drop_rare_fields(series: Series) -> None:
    """Drop fields that few entries have: they come from the first words or quotations of a text."""
    values_by_field: dict[str, list[str]] = defaultdict(list)
    for entry in series.entries:
        for name, value in {(fact.field, fact.value) for fact in entry.stated}:
            values_by_field[name].append(value)
    kept_fields = (
        {"id", "date", "mentions"} if series.kind == "id" else {"date", "mentions", "version", *_VERSION_FIELDS}
    )
    for name, values in values_by_field.items():
        if name.endswith(QUOTED):
            if len(values) >= _MIN_ENTRIES and len(set(values)) * _MIN_ENTRIES <= len(values):
                kept_fields.add(name)
        elif len(values) >= max(2, _MIN_SHARE * len(series.entries)) and name not in (
            "id",
            "version",
            *_VERSION_FIELDS,
        ):
            kept_fields.add(name)
    for entry in series.entries:
        kept = [fact for fact in entry.stated if fact.field in kept_fields]
        entry.stated = [
            EntryFact(field=fact.field.removesuffix(QUOTED), value=fact.value, line=fact.line) for fact in kept
        ]


def _naming_column(series: Series) -> list[str]:
    """The name of the column that names the rows, where it is a noun for them: *box*, 场次."""
    counts = Counter(fact.field for entry in series.entries for fact in entry.stated if fact.value == entry.title)
    names = [name for name, count in counts.most_common(1) if count == len(series.entries)]
    return [name for name in names if name.isalpha() and name not in LABELS | _ROW_LABELS]


def kind_words(series: Series, words: Mapping[str, str]) -> tuple[str, ...]:
    """Words for the kind of a series, best first.

    Args:
        words: The table ``series`` of ``words.toml``: nouns by series.
    """
    before = re.findall(r"[^\W\d_]{3,}", series.before)[-1:]
    match series.kind:
        case "id":
            slot = slot_of(series.entries[0].title)
            prefix = slot.value.partition("-")[0].lower() if slot is not None else ""
            return tuple(dict.fromkeys((*words.get(prefix, words["ticket"]).split(), prefix, *before)))
        case "version" if series.is_dated:
            return tuple(dict.fromkeys((*words["versioned"].split(), *before)))
        case "row" if series.before == TASKS:
            return tuple(words["task"].split())
        case "item" | "row":
            parts = re.findall(r"[^\W\d_]{2,}", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", series.before).lower())
            words_of_list = [_LIST_ENDING.sub("", singular(word)) for word in reversed(parts)]
            nouns = [word for word in words_of_list if word not in _FOLDER_NOUNS] or [
                word for word in words_of_list if word not in _DOCUMENT_NOUNS
            ]
            return tuple(dict.fromkeys((*nouns, *_naming_column(series)))) or tuple(words["listed"].split())
        case "date":
            return tuple(dict.fromkeys((*before, *words["dated"].split())))
        case _:
            return tuple(before) or tuple(words["numbered"].split())
