"""Things of one kind: those that are numbered alike, lie together, or state the same fields wherever they lie."""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
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

_FEWEST: Final = 3
"""Things alike that make a kind."""
_NEARLY: Final = 0.95
_COMMON: Final = 0.6
"""Share of the titles that a word must be in to be a word for the kind."""
_ALIKE: Final = 0.75
"""Share of the usual fields of some files that others state too, from which all are of one kind."""
_LEAST_SHARED: Final = 3
_MOST_APART: Final = 4
_LEAST_APART: Final = 12
"""A few folders with so many files each that state the same fields are kinds of their own: *filters* and *tests*."""
_NAMING: Final = 0.8
"""Share of the values of a field that are the names of their files, from which it says what such a thing is."""
_PLAIN: Final = word_set(WORDS["describing"]["plain"])
_LABELS: Final = word_set(WORDS["describing"]["labels"])
_GENERAL: Final = word_set(WORDS["folders"]["self"])
_ATTRIBUTES: Final = _LABELS | ATTRIBUTES
_SUFFIXES: Final = {".markdown": ".md", ".mkd": ".md", ".htm": ".html", ".yml": ".yaml"}
_PART = re.compile(r"[^\W_]+")
_INNER = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_FIRST_PART = re.compile(r"([^\W\d_]{3,})[-_ .](?=\w.*\.\w+$)")


class Fact(Struct, frozen=True, kw_only=True):
    """A value that a line states.

    Attributes:
        target: The thing it names, where it is one of the folder; else empty.
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
        path: The file that states most about it.
        name: What it is called: ``PEP 484``, ``SHOP-12``; empty where only its title is one.
        number: Of its name or its folder's; None without one.
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
        """What its file is called, in lower case, up to the first dot."""
        return posixpath.basename(self.path).partition(".")[0].casefold()

    @property
    def stems(self) -> frozenset[str]:
        """Of the words of its title and its path."""
        return _stems(f"{self.title} {self.key}")

    @property
    def place_stems(self) -> frozenset[str]:
        """Of the words of its path, those that are written together taken apart: ``ChangeLog``."""
        return frozenset(stem(word.lower()) for word in _INNER.findall(self.path))

    @property
    def called(self) -> str:
        """Name and title, without saying one twice; of a folder what it is called where its title does not say so."""
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
        name: The table's name, one word, singular.
        words: Further words for it.
        fields: How many things state each field, most first.
        is_series: Its things are known by a version, a day or an identifier in a heading, or they are files.
        is_listed: They are records of lists, called by their names.
    """

    name: str
    words: tuple[str, ...]
    things: tuple[Thing, ...]
    fields: Mapping[str, int]
    is_series: bool = False
    is_listed: bool = False

    @property
    def is_numbered(self) -> bool:
        """Whether a number says which thing it is."""
        numbers = [thing.number for thing in self.things]
        return None not in numbers and len(set(numbers)) == len(numbers)

    @property
    def is_mostly_numbered(self) -> bool:
        """Whether nearly all things have a number of their own; a template or an index among them may have none."""
        return len({thing.number for thing in self.things} - {None}) >= _NEARLY * len(self.things)


Group = tuple[str, str]
"""How things belong together, and the name of that: a series, a file that describes, or a folder and a suffix."""


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
    called: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> tuple[Kind, ...]:
    """Kinds of which several things state a field, largest first.

    Args:
        described: Keys of things that are folders with a file that describes them.
        root: What the whole folder is called.
        called: By path the words behind *this* in a document.
    """
    groups: dict[Group, list[Thing]] = defaultdict(list)
    things = list(things)
    inner = Counter(_inner_suffix(thing.path) for thing in things)
    shared = frozenset(suffix for suffix, count in inner.items() if count >= _FEWEST)
    beginnings = _shared_beginnings(things)
    for thing in things:
        groups[_group(thing, described, shared, beginnings)].append(thing)
    found: dict[str, Kind] = {}
    for (of, name), members in sorted(_merged(groups).items(), key=lambda pair: -len(pair[1])):
        stated = [thing for thing in members if thing.facts]
        counted = stated_fields(stated)
        least = max(2, len(members) // 200)
        fields = {name: count for name, count in counted.most_common() if count >= least}
        if len(stated) >= _FEWEST and 2 * len(stated) >= len(members) and fields:
            words = tuple(dict.fromkeys((*_own_words(members, called), *_kind_words(of, name, members, root))))
            unique = words[0] if words[0] not in found else f"{words[0]}_{len(found)}"
            found[unique] = Kind(name=unique, words=words[1:], things=tuple(members), fields=fields)
    return tuple(found.values())


def _shared_beginnings(things: Iterable[Thing]) -> dict[str, str]:
    """By folder the word with which the names of nearly all files begin that state anything: ``design-hotplug.rst``."""
    stating: dict[str, list[Thing]] = defaultdict(list)
    for thing in things:
        if thing.facts and thing.span is None:
            stating[posixpath.dirname(thing.path)].append(thing)
    found = {}
    for folder, members in stating.items():
        word, count = Counter(_beginning(thing.path) for thing in members).most_common(1)[0]
        if word and count >= max(_FEWEST, _NEARLY * len(members)):
            found[folder] = word
    return found


def _beginning(path: str) -> str:
    """The first of several words that the name of a file is made of; empty where that is no word."""
    match = _FIRST_PART.match(posixpath.basename(path))
    return match[1].lower() if match is not None else ""


def _group(thing: Thing, described: frozenset[str], shared: frozenset[str], beginnings: Mapping[str, str]) -> Group:
    if series := series_of(thing.name):
        return "ticket" if is_ticket(thing.name) else "series", series
    if thing.key in described:
        return "described", posixpath.splitext(posixpath.basename(thing.path))[0].lower()
    # The files beside one another that are called *.metadata.json are alike; 2.0.md and lang.Merge.md are names.
    inner = _inner_suffix(thing.path)
    folder, suffix = posixpath.dirname(thing.path), suffix_of(thing.path)
    first = beginnings.get(folder, "")
    first = f"{first}*" if first and _beginning(thing.path) == first else ""
    return "folder", f"{folder}|{first}{inner if inner in shared else ''}{suffix}"


def suffix_of(path: str) -> str:
    """The suffix of a file's name; files of one format have the same."""
    suffix = posixpath.splitext(path)[1].lower()
    return _SUFFIXES.get(suffix, suffix)


def _inner_suffix(path: str) -> str:
    """The last but one suffix of a file's name: ``.metadata`` of ``x.metadata.json``; empty where it is no word."""
    inner = posixpath.splitext(posixpath.splitext(path)[0])[1]
    return inner if inner[1:].isalpha() else ""


def _merged(groups: Mapping[Group, list[Thing]]) -> dict[Group, list[Thing]]:
    """Files in several folders that state the same fields are of one kind, named after the folder above them all."""
    merged = {group: things for group, things in groups.items() if group[0] != "folder"}
    clusters: list[tuple[str, frozenset[str], list[str], list[Thing]]] = []
    for (_, name), things in sorted(((g, t) for g, t in groups.items() if g[0] == "folder"), key=lambda p: -len(p[1])):
        folder, _, suffix = name.rpartition("|")
        usual = _usual_fields(things)
        for kept_suffix, fields, folders, members in clusters:
            shared = len(fields & usual)
            if suffix == kept_suffix and shared >= _LEAST_SHARED and shared >= _ALIKE * min(len(fields), len(usual)):
                folders.append(folder)
                members += things
                break
        else:
            clusters.append((suffix, usual, [folder], list(things)))
    for suffix, _, folders, members in clusters:
        apart: dict[Group, list[Thing]] = {
            group: groups[group] for one in folders if (group := ("folder", f"{one}|{suffix}")) in groups
        }
        is_large = all(len(one) >= _LEAST_APART for one in apart.values())
        if 1 < len(apart) <= _MOST_APART and is_large and not _naming_words(members):
            merged.update(apart)
            continue
        above = posixpath.commonpath(folders) if all(folders) else ""
        merged.setdefault(("folder", f"{above}|{suffix}"), []).extend(members)
    return merged


def _usual_fields(things: Sequence[Thing]) -> frozenset[str]:
    """Fields that at least a third of the things state that state any."""
    stated = [thing for thing in things if thing.facts]
    counted = stated_fields(stated)
    return frozenset(name for name, count in counted.items() if 3 * count >= len(stated))


def _naming_words(things: Sequence[Thing]) -> list[str]:
    """What a field calls the things whose value is the name of their file: *check* for ``CheckID``."""
    stated = stated_fields(things)
    own: Counter[str] = Counter()
    for thing in things:
        named = [name for name, facts in thing.facts.items() if any(f.value.casefold() == thing.base for f in facts)]
        own.update(named)
    naming = [name for name, count in own.most_common(3) if count >= _NAMING * max(stated[name], len(things) / 2)]
    return [word for name in naming[:1] for word in _PART.findall(name) if word not in _LABELS]


def _qualifying_words(things: Sequence[Thing]) -> list[str]:
    """What nearly all things call themselves in the name of a field: *package* in ``package-version``."""
    stated = stated_fields(things)
    parted = [name.rpartition("-") for name, count in stated.items() if count >= _NAMING * len(things)]
    return [word for word, _, attribute in parted if attribute in _ATTRIBUTES and word.isalpha()]


def _own_words(things: Sequence[Thing], called: Mapping[str, frozenset[str]]) -> list[str]:
    """The word by which most things call themselves, unless it is one for any document."""
    counted = Counter(word for thing in things for word in called.get(thing.path, ()) if word not in _GENERAL)
    return [word for word, count in counted.most_common(1) if 2 * count >= len(things)]


def _kind_words(of: str, name: str, things: Sequence[Thing], root: str) -> tuple[str, ...]:
    """Words for a kind, the best first: of its series or folder, of its titles, and what such things are called."""
    # Of words that as many titles have, the last ones tell most: an English title ends in what the thing is.
    titled = Counter(word for thing in things for word in dict.fromkeys(_WORD.findall(thing.title.lower())[::-1]))
    titled = Counter({word: count for word, count in titled.items() if content_words(word)})
    common = [word for word, count in titled.most_common(3) if count >= _COMMON * len(things)]
    # Chinese titles end in what the thing is.
    ends = Counter(thing.title[-size:] for thing in things for size in (2, 3) if has_cjk(thing.title[-size:]))
    common += [end for end, count in ends.most_common(1) if count >= _COMMON * len(things)]
    series = WORDS["series"]
    match of:
        case "series":
            usual = series.get(name, series["other"]).split()
            words = [*(usual if name in series else ()), name, *common, *usual]
        case "ticket":
            words = [*series["ticket"].split(), name, *common]
        case "described":
            above = Counter(thing.key.split("/")[0] for thing in things if "/" in thing.key).most_common(1)
            top = [singular(above[0][0])] if above and above[0][1] == len(things) else []
            own = [name] if name not in _PLAIN else []
            headed = [series_of(thing.name) for thing in things if thing.name]
            words = [*_qualifying_words(things), *own, *headed[:1], *top, *common, *series["other"].split()]
        case _:
            place, _, names = name.rpartition("|")
            folder, first = posixpath.basename(place), names.rpartition("*")[0]
            words = [*_naming_words(things), *([singular(first)] if first else [])]
            words += [*([singular(folder)] if folder else []), *common]
            words += [*WORDS["folders"]["other"].split(), *([] if folder else [singular(root)])]
    plain = [re.sub(r"\W+", "_", word.lower()).strip("_") for word in words]
    return tuple(dict.fromkeys(word for word in plain if word)) or ("document",)


def singular(word: str) -> str:
    """The word without the ending of its plural, in lower case."""
    lowered = word.lower()
    if lowered.endswith("ies") and len(lowered) > 4:
        return f"{lowered[:-3]}y"
    return lowered[:-1] if lowered.endswith("s") and not lowered.endswith("ss") and len(lowered) > 3 else lowered
