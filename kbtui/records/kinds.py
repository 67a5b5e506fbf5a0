"""Groups things into kinds: by numbered series, by folder or part of a site, or by the fields they state."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from msgspec import Struct, field

from kbtui.knowledge.relations.labels import is_ticket, series_of
from kbtui.records.kind_names import naming_words, own_words, section_words, stated_fields, words_of_group
from kbtui.text.tokenise import stem

_MIN_THINGS: Final = 3
"""Fewest things of a kind."""
_NEARLY_ALL: Final = 0.95
_SAME_FIELDS_SHARE: Final = 0.75
"""Share of common fields from which the files of two folders are of one kind."""
_MIN_SHARED_FIELDS: Final = 3
_MAX_SEPARATE_FOLDERS: Final = 4
_MIN_FILES_APART: Final = 12
"""Files per folder from which a few folders with the same fields stay kinds of their own: *filters* and *tests*."""
_SUFFIXES: Final = {".markdown": ".md", ".mkd": ".md", ".htm": ".html", ".yml": ".yaml"}
_PART = re.compile(r"[^\W_]+")
_INNER = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
_FIRST_PART = re.compile(r"([^\W\d_]{3,})[-_ .](?=\w.*\.\w+$)")


class Fact(Struct, frozen=True, kw_only=True):
    """A value of a field, with the line that states it.

    Attributes:
        target: Key of the thing that the value names; empty if it names none of the folder.
    """

    field: str
    value: str
    path: str
    line: int
    target: str = ""


class Thing(Struct, kw_only=True):
    """A document, or a folder that one file describes.

    Attributes:
        key: Path of the document, or of the folder.
        path: Its main file.
        name: Its label: ``PEP 484``, ``SHOP-12``; empty if it has only a title.
        number: The number in its label or path; None without one.
        span: First and last line of a section; None for whole files.
        called: What tells it from others with the same title; empty where the title does.
    """

    key: str
    path: str
    title: str
    name: str = ""
    called: str = ""
    number: int | None = None
    span: tuple[int, int] | None = None
    facts: dict[str, list[Fact]] = field(default_factory=dict)

    @property
    def base(self) -> str:
        """The name of its file up to the first dot, in lower case."""
        return posixpath.basename(self.path).partition(".")[0].casefold()

    @property
    def stems(self) -> frozenset[str]:
        """Stems of the words of its title and key."""
        return _stems(f"{self.title} {self.key}")

    @property
    def place_stems(self) -> frozenset[str]:
        """Stems of the words of its path, with camel case split: ``ChangeLog``."""
        return frozenset(stem(word.lower()) for word in _INNER.findall(self.path))

    @property
    def display_name(self) -> str:
        """Label and title without repetition; for a folder the title and, unless contained in it, the folder name."""
        if self.called:
            return self.called
        if not self.name or not self.title:
            folder = posixpath.basename(self.key) if self.span is None and self.key != self.path else ""
            if folder and self.title and not self.name and _letters(folder) not in _letters(self.title):
                return f"{self.title} ({folder})"
            return self.name or self.title or self.key
        name = "[ -]".join(map(re.escape, self.name.split(" ")))
        rest = re.sub(rf"^\W*{name}\W*\s*", "", self.title, flags=re.IGNORECASE)
        return f"{self.name}: {rest}" if rest and rest != self.name else self.name


class Kind(Struct, frozen=True, kw_only=True):
    """Things of one kind.

    Attributes:
        name: Name of the table, one word, singular.
        words: Further words for the kind.
        fields: Number of things that state each field, highest first.
        is_series: Its things are files, or are identified by a version, a date or an identifier in a heading.
        is_listed: Its things are records of lists, named after these lists.
    """

    name: str
    words: tuple[str, ...]
    things: tuple[Thing, ...]
    fields: Mapping[str, int]
    is_series: bool = False
    is_listed: bool = False

    @property
    def is_numbered(self) -> bool:
        """Whether each thing has a number of its own."""
        numbers = [thing.number for thing in self.things]
        return None not in numbers and len(set(numbers)) == len(numbers)

    @property
    def is_mostly_numbered(self) -> bool:
        """Whether nearly all things have a number of their own; a template or an index may have none."""
        return len({thing.number for thing in self.things} - {None}) >= _NEARLY_ALL * len(self.things)


Group = tuple[str, str]
"""Type and name of a group: ``series``, ``ticket``, ``labelled`` (tickets of a folder), ``described`` (main file),
``section`` (part of a site) or ``folder`` (folder and suffix)."""


@lru_cache(maxsize=16384)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word.lower()) for word in _PART.findall(text))


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def kinds_of(
    things: Iterable[Thing],
    described: frozenset[str],
    root: str = "",
    self_names: Mapping[str, frozenset[str]] = MappingProxyType({}),
    folder_names: Collection[str] = (),
    sections: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Kind, ...]:
    """Group things into kinds; kinds whose fields only single things state are left out. Largest first.

    Args:
        described: Keys of things that are folders with a main file.
        root: Name of the folder.
        self_names: Nouns that follow *this* in a document, by path.
        folder_names: Names of the folders that the paths begin with where several are asked as one; documents in equal
            places of two of them are of one kind.
        sections: The part of a site that a page lies in (*Error codes*), by path.
    """
    groups: dict[Group, list[Thing]] = defaultdict(list)
    things = list(things)
    suffix_counts = Counter(_inner_suffix(thing.path) for thing in things)
    shared = frozenset(suffix for suffix, count in suffix_counts.items() if count >= _MIN_THINGS)
    beginnings = _shared_beginnings(things)
    for thing in things:
        groups[_group_of(thing, described, shared, beginnings, folder_names, sections)].append(thing)
    kinds: dict[str, Kind] = {}
    _join_labelled(groups)
    for (group_type, name), members in sorted(_merge(groups).items(), key=lambda pair: -len(pair[1])):
        with_facts = [thing for thing in members if thing.facts]
        field_counts = stated_fields(with_facts)
        least = max(2, len(members) // 200)
        fields = {name: count for name, count in field_counts.most_common() if count >= least}
        if len(with_facts) >= _MIN_THINGS and 2 * len(with_facts) >= len(members) and fields:
            words = tuple(
                dict.fromkeys(
                    (
                        *section_words(members, sections),
                        *own_words(members, self_names),
                        *words_of_group(group_type, name, members, root),
                    )
                )
            )
            unique = words[0] if words[0] not in kinds else f"{words[0]}_{len(kinds)}"
            kinds[unique] = Kind(name=unique, words=words[1:], things=tuple(members), fields=fields)
    return tuple(kinds.values())


def _shared_beginnings(things: Iterable[Thing]) -> dict[str, str]:
    """First word of the names of nearly all files with fields, by folder: *design* in ``design-hotplug.rst``."""
    stating: dict[str, list[Thing]] = defaultdict(list)
    for thing in things:
        if thing.facts and thing.span is None:
            stating[posixpath.dirname(thing.path)].append(thing)
    words = {}
    for folder, members in stating.items():
        word, count = Counter(_beginning(thing.path) for thing in members).most_common(1)[0]
        if word and count >= max(_MIN_THINGS, _NEARLY_ALL * len(members)):
            words[folder] = word
    return words


def _beginning(path: str) -> str:
    """The first of several words in the name of a file; empty if it is not a word."""
    match = _FIRST_PART.match(posixpath.basename(path))
    return match[1].lower() if match is not None else ""


def _group_of(
    thing: Thing,
    described: frozenset[str],
    shared: frozenset[str],
    beginnings: Mapping[str, str],
    folder_names: Collection[str],
    sections: Mapping[str, str],
) -> Group:
    if series := series_of(thing.name):
        return "ticket" if is_ticket(thing.name) else "series", series
    if thing.key in described:
        return "described", posixpath.splitext(posixpath.basename(thing.path))[0].lower()
    if thing.path in sections:
        return "section", sections[thing.path]
    # A shared inner suffix (*.metadata.json) is part of the format; in 2.0.md and lang.Merge.md it is part of the name.
    inner = _inner_suffix(thing.path)
    folder, suffix = posixpath.dirname(thing.path), suffix_of(thing.path)
    first = beginnings.get(folder, "")
    first = f"{first}*" if first and _beginning(thing.path) == first else ""
    name, _, within = folder.partition("/")
    folder = within if name in folder_names else folder
    return "folder", f"{folder}|{first}{inner if inner in shared else ''}{suffix}"


def suffix_of(path: str) -> str:
    """The suffix of a file name, one for each format (``.markdown`` is ``.md``)."""
    suffix = posixpath.splitext(path)[1].lower()
    return _SUFFIXES.get(suffix, suffix)


def _inner_suffix(path: str) -> str:
    """The last but one suffix: ``.metadata`` of ``x.metadata.json``; empty if it is not alphabetic."""
    inner = posixpath.splitext(posixpath.splitext(path)[0])[1]
    return inner if inner[1:].isalpha() else ""


def _join_labelled(groups: dict[Group, list[Thing]]) -> None:
    """Join the groups of one folder that differ in the letters of their labels only: ``HR-001`` and ``FIN-001``."""
    by_folder: dict[str, list[Group]] = defaultdict(list)
    for group, things in groups.items():
        folders = {posixpath.dirname(thing.path) for thing in things}
        if group[0] == "ticket" and len(folders) == 1:
            by_folder[folders.pop()].append(group)
    for folder, members in by_folder.items():
        usual = [_usual_fields(groups[group]) for group in members]
        shared = frozenset.intersection(*usual)
        if len(members) > 1 and len(shared) >= max(_MIN_SHARED_FIELDS, _SAME_FIELDS_SHARE * min(map(len, usual))):
            groups["labelled", folder] = [thing for group in members for thing in groups.pop(group)]


def _merge(groups: Mapping[Group, list[Thing]]) -> dict[Group, list[Thing]]:
    """Merge groups of files with the same fields, under the name of their common parent folder."""
    merged = {group: things for group, things in groups.items() if group[0] != "folder"}
    clusters: list[tuple[str, frozenset[str], list[str], list[Thing]]] = []
    for (_, name), things in sorted(((g, t) for g, t in groups.items() if g[0] == "folder"), key=lambda p: -len(p[1])):
        folder, _, suffix = name.rpartition("|")
        usual = _usual_fields(things)
        for kept_suffix, fields, folders, members in clusters:
            shared = len(fields & usual)
            if (
                suffix == kept_suffix
                and shared >= _MIN_SHARED_FIELDS
                and shared >= _SAME_FIELDS_SHARE * min(len(fields), len(usual))
            ):
                folders.append(folder)
                members += things
                break
        else:
            clusters.append((suffix, usual, [folder], list(things)))
    for suffix, _, folders, members in clusters:
        separate: dict[Group, list[Thing]] = {
            group: groups[group] for folder in folders if (group := ("folder", f"{folder}|{suffix}")) in groups
        }
        is_large = all(len(things) >= _MIN_FILES_APART for things in separate.values())
        if 1 < len(separate) <= _MAX_SEPARATE_FOLDERS and is_large and not naming_words(members):
            merged.update(separate)
            continue
        parent = posixpath.commonpath(folders) if all(folders) else ""
        merged.setdefault(("folder", f"{parent}|{suffix}"), []).extend(members)
    return merged


def _usual_fields(things: Sequence[Thing]) -> frozenset[str]:
    """Fields that at least a third of the things with any field state."""
    with_facts = [thing for thing in things if thing.facts]
    field_counts = stated_fields(with_facts)
    return frozenset(name for name, count in field_counts.items() if 3 * count >= len(with_facts))
