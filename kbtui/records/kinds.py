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
from kbtui.knowledge.relations.vocabulary import ATTRIBUTES
from kbtui.knowledge.relations.words import word_set
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import content_words, stem
from kbtui.text.word_lists import toml_in

WORDS: Final = toml_in(__package__, "words.toml")

_MIN_THINGS, _NEARLY_ALL = 3, 0.95
_COMMON_SHARE: Final = 0.6
"""Share of the titles that must contain a word for it to name the kind."""
_SAME_FIELDS_SHARE, _MIN_SHARED_FIELDS = 0.75, 3
"""Share and number of common fields from which the files of two folders are of one kind."""
_MAX_SEPARATE_FOLDERS, _MIN_FILES_APART = 4, 12
"""Few folders with the same fields and with so many files each stay kinds of their own: *filters* and *tests*."""
_NAMING_SHARE: Final = 0.8
"""Share of values equal to the file name from which the field names the kind: *check* from ``CheckID``."""
_PLAIN: Final = word_set(WORDS["describing"]["plain"])
_LABELS: Final = word_set(WORDS["describing"]["labels"])
_LABEL_ENDING: Final = re.compile(f"(?<=.)(?:{'|'.join(WORDS['describing']['label_endings'].split())})$")
_DOCUMENT_WORDS: Final = word_set(f"{WORDS['folders']['other']} {WORDS['folders']['file']} {WORDS['series']['other']}")
_GENERAL: Final = word_set(WORDS["folders"]["self"])
_ATTRIBUTES: Final = _LABELS | ATTRIBUTES
_SUFFIXES: Final = {".markdown": ".md", ".mkd": ".md", ".htm": ".html", ".yml": ".yaml"}
_PART = re.compile(r"[^\W_]+")
_INNER = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
_WORD = re.compile(r"[^\W\d_]{2,}")
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
    """

    key: str
    path: str
    title: str
    name: str = ""
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
"""Type and name: ``series``, ``ticket``, ``labelled`` (tickets of a folder), ``described``, ``section``, ``folder``."""


@lru_cache(maxsize=16384)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word.lower()) for word in _PART.findall(text))


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def stated_fields(things: Iterable[Thing]) -> Counter[str]:
    """How many of the things state each field."""
    return Counter(name for thing in things for name in thing.facts)


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
                        *_own_words(members, self_names),
                        *_kind_words(group_type, name, members, root),
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
        if 1 < len(separate) <= _MAX_SEPARATE_FOLDERS and is_large and not _naming_words(members):
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


def _naming_words(things: Sequence[Thing]) -> list[str]:
    """Words of the field whose values are the names of the files: *check* from ``CheckID``."""
    field_counts = stated_fields(things)
    match_counts: Counter[str] = Counter()
    for thing in things:
        matching_fields = [
            name for name, facts in thing.facts.items() if any(f.value.casefold() == thing.base for f in facts)
        ]
        match_counts.update(matching_fields)
    naming_fields = [
        name
        for name, count in match_counts.most_common(3)
        if count >= _NAMING_SHARE * max(field_counts[name], len(things) / 2)
    ]
    words = [word for name in naming_fields[:1] for word in _PART.findall(name) if word not in _LABELS]
    return [_LABEL_ENDING.sub("", word) for word in words]


def _qualifying_words(things: Sequence[Thing]) -> list[str]:
    """Nouns that qualify a general field of nearly all things: *package* in ``package-version``."""
    field_counts = stated_fields(things)
    partitions = [name.rpartition("-") for name, count in field_counts.items() if count >= _NAMING_SHARE * len(things)]
    return [word for word, _, attribute in partitions if attribute in _ATTRIBUTES and word.isalpha()]


def _own_words(things: Sequence[Thing], self_names: Mapping[str, frozenset[str]]) -> list[str]:
    """The noun that most things use for themselves, unless it is a general word for documents."""
    word_counts = Counter(word for thing in things for word in self_names.get(thing.path, ()) if word not in _GENERAL)
    return [word for word, count in word_counts.most_common(1) if 2 * count >= len(things)]


def section_words(things: Sequence[Thing], sections: Mapping[str, str]) -> list[str]:
    """Words of the part of a site that most things lie in, its head first: *code*, *error* of *Error codes*."""
    section_counts = Counter(sections[thing.path] for thing in things if thing.path in sections)
    usual = [name for name, count in section_counts.most_common(1) if count >= _COMMON_SHARE * len(things)]
    words = [singular(word) for name in usual for word in content_words(name)[::-1] if word.isalpha()]
    # *Release notes* are releases: a general word for documents tells nothing.
    return sorted(words, key=_DOCUMENT_WORDS.__contains__)


def _kind_words(group_type: str, name: str, things: Sequence[Thing], root: str) -> tuple[str, ...]:
    """Words for a kind, best first: from its series or folder, its titles and general words for such things."""
    # Among equally frequent words the last of a title rank first: English titles end in the head noun.
    title_words = Counter(word for thing in things for word in dict.fromkeys(_WORD.findall(thing.title.lower())[::-1]))
    title_words = Counter({word: count for word, count in title_words.items() if content_words(word)})
    frequent_words = [word for word, count in title_words.most_common(3) if count >= _COMMON_SHARE * len(things)]
    # Chinese titles end in the head noun, too.
    title_endings = Counter(thing.title[-size:] for thing in things for size in (2, 3) if has_cjk(thing.title[-size:]))
    frequent_words += [end for end, count in title_endings.most_common(1) if count >= _COMMON_SHARE * len(things)]
    series = WORDS["series"]
    match group_type:
        case "series":
            series_words = series.get(name, series["other"]).split()
            words = [*(series_words if name in series else ()), name, *frequent_words, *series_words]
        case "ticket":
            folders = {posixpath.basename(posixpath.dirname(thing.path)) for thing in things}
            folder_words = map(singular, folders if len(folders) == 1 else ())
            words = [*series.get(name, "").split(), *series["ticket"].split(), name, *frequent_words, *folder_words]
        case "labelled":
            words = [*([singular(folder)] if (folder := posixpath.basename(name)) else []), *frequent_words]
            words += series["ticket"].split() if not folder or singular(folder) in series["ticket"].split() else []
        case "described":
            top_folders = Counter(thing.key.split("/")[0] for thing in things if "/" in thing.key).most_common(1)
            top = [singular(top_folders[0][0])] if top_folders and top_folders[0][1] == len(things) else []
            main_file_words = [name] if name not in _PLAIN else []
            labelled_series = [series_of(thing.name) for thing in things if thing.name]
            words = [
                *_qualifying_words(things),
                *main_file_words,
                *labelled_series[:1],
                *top,
                *frequent_words,
                *series["other"].split(),
            ]
        case _:
            place, _, names = name.rpartition("|")
            folder, first = posixpath.basename(place), names.rpartition("*")[0]
            words = [*_naming_words(things), *([singular(first)] if first else [])]
            words += [*([singular(folder)] if folder else []), *frequent_words]
            words += [*WORDS["folders"]["other"].split(), *([] if folder else [singular(root)])]
    plain = [re.sub(r"\W+", "_", word.lower()).strip("_") for word in words]
    return tuple(dict.fromkeys(word for word in plain if word)) or ("document",)


def singular(word: str) -> str:
    """The singular of an English word, in lower case."""
    if (lowered := word.lower()).endswith("ies") and len(lowered) > 4:
        return f"{lowered[:-3]}y"
    return lowered[:-1] if lowered.endswith("s") and not lowered.endswith("ss") and len(lowered) > 3 else lowered
