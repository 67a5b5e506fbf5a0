"""Sections and titles that are built alike, as things of a kind: releases of change logs, advisories, journal entries.

`kbtui.knowledge.relations.series` says which headings of a document are entries and what they state. Here entries with
one template in the documents of one folder become a kind, and so do documents whose titles are built alike.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from kbtui.domain.document import Relation
from kbtui.knowledge.relations.series import (
    END,
    ENTRY,
    ITEM,
    LISTED,
    QUOTED,
    SERIES_RELATIONS,
    TITLED,
    slot_of,
)
from kbtui.knowledge.relations.templates import CANDIDATES
from kbtui.knowledge.relations.vocabulary import relation_name
from kbtui.records.kinds import WORDS, singular
from kbtui.records.typed import version_key

_FEWEST: Final = 3
"""Entries that make a kind."""
STAGES: Final = {-4: "dev", -3: "alpha", -2: "beta", -1: "rc", 0: "final"}
"""How final a version is, by the rank that `version_key` gives it."""
_DERIVED: Final = ("series", "level", "stage")
_GENERAL: Final = frozenset({"version", "versions", "release", "releases", "ver", "rel", "版本", "发布"})
"""Words for versions in general."""
_ANY: Final = frozenset(" ".join(WORDS["folders"].values()).split())
"""Words for any thing of a folder, which a list called so does not take."""
PASSING: Final = frozenset({"mentions", "links-to", "imports", "columns"})
"""Relations that a text makes in passing; they are asked for one by one, not as columns."""
_SHARED: Final = 0.3
"""Share of versions that must have a day, or a field besides, to be releases of something."""


class Stated(Struct, frozen=True, kw_only=True):
    """What an entry states in a line."""

    field: str
    value: str
    line: int


class Entry(Struct, kw_only=True):
    """A section, or a document that is known by its title.

    Attributes:
        title: The heading.
        line: On which it stands.
        last: The last line that belongs to it; 0 where that is the end of the file.
        is_document: The whole document is meant.
        of: Of a record, the list that it stands in.
    """

    path: str
    title: str
    line: int
    last: int = 0
    is_document: bool = False
    of: str = ""
    stated: list[Stated] = field(default_factory=list)


class Series(Struct, frozen=True, kw_only=True):
    """Entries that are built alike.

    Attributes:
        folder: Of their documents.
        before: What stands before the variable part of their headings, lower case.
        kind: The variable part: ``version``, ``date`` or ``id``; ``item`` for records of the list ``before``.
    """

    folder: str
    before: str
    kind: str
    entries: tuple[Entry, ...]

    @property
    def is_dated(self) -> bool:
        """Whether several of them have a day."""
        dated = sum(any(one.field == "date" for one in entry.stated) for entry in self.entries)
        return dated >= _SHARED * len(self.entries)


def series_of_entries(relations: Sequence[Relation]) -> tuple[Series, ...]:
    """All series of a folder, the largest first.

    Args:
        relations: Of all documents, those of one in the order of its lines.
    """
    by_path: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        if relation.relation.startswith(SERIES_RELATIONS) or relation.relation == "mentions":
            by_path[relation.source_path].append(relation)
    groups: dict[tuple[str, str, str, bool], list[Entry]] = defaultdict(list)
    for path, stated in by_path.items():
        for entry in _entries(path, stated):
            slot = slot_of(entry.title)
            if entry.of:
                groups["", entry.of, "item", False].append(entry)
            elif slot is not None:
                groups[posixpath.dirname(path), slot.before, slot.kind, entry.is_document].append(entry)
    merged: dict[tuple[str, str, str, bool], Series] = {}
    for (folder, before, kind, is_document), entries in groups.items():
        series = Series(folder=folder, before=before, kind=kind, entries=tuple(entries))
        # A change log may call its first releases otherwise: "Changes in X 0.9", later "X 1.0".
        own = _own_word(before) if kind == "version" and series.is_dated else before
        known = merged.get((folder, own, kind, is_document))
        of = (*known.entries, *entries) if known is not None else series.entries
        merged[folder, own, kind, is_document] = Series(folder=folder, before=own, kind=kind, entries=of)
    found = [series for series in merged.values() if len(series.entries) >= _FEWEST and _is_kind(series)]
    for series in found:
        if series.kind != "item":
            _keep_shared(series)
    details = _lists_of_details(found, relations)
    kept = (one for one in found if one.kind != "item" or one.before not in details)
    return tuple(sorted(kept, key=lambda one: -len(one.entries)))


def _lists_of_details(found: Iterable[Series], relations: Iterable[Relation]) -> set[str]:
    """Lists that several files have which state more besides: their records are details of these files."""
    fields: dict[str, set[str]] = defaultdict(set)
    for relation in relations:
        if not relation.relation.startswith((*SERIES_RELATIONS, *CANDIDATES)) and relation.relation not in PASSING:
            fields[relation.source_path].add(relation.relation)
    having = {one.before: {entry.path for entry in one.entries} for one in found if one.kind == "item"}
    return {
        name for name, paths in having.items() if sum(bool(fields[p] - {relation_name(name)}) for p in paths) >= _FEWEST
    }


def _own_word(before: str) -> str:
    """The last word before a version that is no general word for versions: whose versions they are."""
    words = [word for word in before.split() if word not in _GENERAL]
    return words[-1] if words else ""


def _is_kind(series: Series) -> bool:
    """Whether entries are things; a version without a day, and without a word for versions, is a condition."""
    if series.kind != "version" or series.is_dated or series.entries[0].is_document:
        return True
    return any(word in _GENERAL for word in series.before.split())


def _entries(path: str, relations: Sequence[Relation]) -> list[Entry]:
    """The entries of one document with what is stated on their lines, in the order in which they were taken."""
    found: list[Entry] = []
    mentions = []
    listed = ""
    for relation in relations:
        name, target, line = relation.relation, relation.target, relation.line
        if name in (ENTRY, ITEM, LISTED, END) and found and not found[-1].is_document and not found[-1].last:
            found[-1].last = line if name == END else line - 1
        if name == LISTED:
            listed = target
        elif name in (ENTRY, ITEM, TITLED):
            of = listed if name == ITEM else ""
            found.append(Entry(path=path, title=target, line=line, is_document=name == TITLED, of=of))
        elif name == "mentions":
            mentions.append(Stated(field=name, value=target, line=line))
        elif name != END and found:
            found[-1].stated.append(Stated(field=name.partition(":")[2], value=target, line=line))
    for entry in found:
        entry.stated += () if entry.of else _derived(entry)
        if entry.is_document:
            entry.stated += mentions
    return found


def _derived(entry: Entry) -> Iterator[Stated]:
    """What a version says: the line of releases it belongs to, its level in it, and how final it is."""
    version = next((one for one in entry.stated if one.field == "version"), None)
    if version is None:
        return
    numbers, (rank, _) = version_key(version.value)
    first = (*numbers, 0)[:2]
    level = "patch" if len(numbers) > 2 else "feature" if len(numbers) > 1 else "major"
    yield Stated(field="series", value=".".join(map(str, first)), line=version.line)
    yield Stated(field="level", value=level, line=version.line)
    yield Stated(field="stage", value=STAGES[rank], line=version.line)


def _keep_shared(series: Series) -> None:
    """Without the fields that few entries have: those are the first words of their text, or quotations in it."""
    stated: dict[str, list[str]] = defaultdict(list)
    for entry in series.entries:
        for name, value in {(one.field, one.value) for one in entry.stated}:
            stated[name].append(value)
    usual = {"id", "date", "mentions"} if series.kind == "id" else {"date", "mentions", "version", *_DERIVED}
    for name, values in stated.items():
        if name.endswith(QUOTED):
            if len(values) >= _FEWEST and len(set(values)) * _FEWEST <= len(values):
                usual.add(name)
        elif len(values) >= max(2, _SHARED * len(series.entries)) and name not in ("id", "version", *_DERIVED):
            usual.add(name)
    for entry in series.entries:
        kept = [one for one in entry.stated if one.field in usual]
        entry.stated = [Stated(field=one.field.removesuffix(QUOTED), value=one.value, line=one.line) for one in kept]


def kind_words(series: Series, words: Mapping[str, str]) -> tuple[str, ...]:
    """What such entries are called, the best first.

    Args:
        words: Of `kbtui.records.collection.WORDS`: things of numbered series by the series.
    """
    before = re.findall(r"[^\W\d_]{3,}", series.before)[-1:]
    match series.kind:
        case "id":
            slot = slot_of(series.entries[0].title)
            prefix = slot.value.partition("-")[0].lower() if slot is not None else ""
            return tuple(dict.fromkeys((*words.get(prefix, words["ticket"]).split(), prefix, *before)))
        case "version" if series.is_dated:
            return tuple(dict.fromkeys((*words["versioned"].split(), *before)))
        case "item":
            parts = re.findall(r"[^\W\d_]{2,}", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", series.before).lower())
            called = [word for word in map(singular, reversed(parts)) if word not in _ANY]
            return tuple(dict.fromkeys(called)) or tuple(words["listed"].split())
        case "date":
            return tuple(dict.fromkeys((*words["dated"].split(), *before)))
        case _:
            return tuple(before) or tuple(words["numbered"].split())
