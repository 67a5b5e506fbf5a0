"""The things a folder is about: each document, or a folder with the file that describes it, and what it states.

Things of one kind (a numbered series, the pages of a folder) state the same fields; a kind becomes a table.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from msgspec import Struct, field

from kbtui.domain.document import FileRecord
from kbtui.knowledge.relations.labels import is_ticket, number_of, series_of
from kbtui.knowledge.relations.words import word_set
from kbtui.records.links import Links
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import toml_in

SOURCE: Final = "folder"
"""What the tables go by as a source of data."""
WORDS: Final = toml_in(__package__, "words.toml")

_TEXTUAL: Final = frozenset({"mentions", "links-to", "imports", "columns"})
"""Relations that a text makes in passing; they are asked for one by one, not as columns."""
_DATA_KINDS: Final = frozenset({"yaml", "toml", "json"})
_FEWEST: Final = 3
"""Things alike that make a kind."""
_NEARLY: Final = 0.95
_COMMON: Final = 0.6
"""Share of the titles that a word must be in to be a word for the kind."""
_PLAIN: Final = word_set(WORDS["describing"]["plain"])
_PART = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[^\W\d_]{2,}")


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
    """

    key: str
    path: str
    title: str
    name: str = ""
    number: int | None = None
    facts: dict[str, list[Fact]] = field(default_factory=dict)

    @property
    def stems(self) -> frozenset[str]:
        """Of the words of its title and its path."""
        return frozenset(stem(word.lower()) for word in _PART.findall(f"{self.title} {self.key}"))

    @property
    def called(self) -> str:
        """Name and title, without saying one twice."""
        if not self.name or not self.title:
            return self.name or self.title or self.key
        rest = re.sub(rf"^\W*{re.escape(self.name).replace(' ', '[ -]')}\W*\s*", "", self.title, flags=re.IGNORECASE)
        return f"{self.name}: {rest}" if rest and rest != self.name else self.name


class Kind(Struct, frozen=True, kw_only=True):
    """Things of one kind.

    Attributes:
        name: The table's name, one word, singular.
        words: Further words for it.
        fields: How many things state each field, most first.
    """

    name: str
    words: tuple[str, ...]
    things: tuple[Thing, ...]
    fields: Mapping[str, int]

    @property
    def is_numbered(self) -> bool:
        """Whether a number says which thing it is."""
        numbers = [thing.number for thing in self.things]
        return None not in numbers and len(set(numbers)) == len(numbers)

    @property
    def is_mostly_numbered(self) -> bool:
        """Whether nearly all things have a number of their own; a template or an index among them may have none."""
        return len({thing.number for thing in self.things} - {None}) >= _NEARLY * len(self.things)


class Collection:
    """All things of a folder by kind.

    Args:
        links: The files and what they state.
    """

    def __init__(self, links: Links) -> None:
        self.links = links
        self._described = {path: one.folder for one in links.described for path in (one.by, one.text) if path}
        self.things = self._things()

    def thing_at(self, node: str) -> Thing | None:
        """The thing that a path belongs to: a document's own, or that of the folder it describes."""
        return self.things.get(self._described.get(node, node)) or self.things.get(node.strip("/"))

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Kinds of which several things state a field, largest first."""
        groups: dict[tuple[str, str], list[Thing]] = defaultdict(list)
        for thing in self.things.values():
            groups[self._group(thing)].append(thing)
        found: dict[str, Kind] = {}
        for (of, name), things in sorted(groups.items(), key=lambda pair: -len(pair[1])):
            stated = [thing for thing in things if thing.facts]
            counted = Counter(name for thing in stated for name in thing.facts)
            least = max(2, len(things) // 50)
            fields = {name: count for name, count in counted.most_common() if count >= least}
            if len(stated) >= _FEWEST and 2 * len(stated) >= len(things) and fields:
                words = _kind_words(of, name, things)
                unique = words[0] if words[0] not in found else f"{words[0]}_{len(found)}"
                found[unique] = Kind(name=unique, words=words[1:], things=tuple(things), fields=fields)
        return tuple(found.values())

    def _things(self) -> dict[str, Thing]:
        found: dict[str, Thing] = {}
        members: dict[str, list[FileRecord]] = defaultdict(list)
        for record in self.links.files:
            members[self._described.get(record.path, record.path)].append(record)
        for key, records in members.items():
            main = min(records, key=lambda record: record.kind not in _DATA_KINDS) if len(records) > 1 else records[0]
            label = next((name for one in records if (name := self.links.labels.get(one.path))), "")
            number = number_of(label) if label else None
            if number is None:
                number = _leading_number(key)
            title = next((one.title for one in (main, *records) if one.title), "")
            found[key] = Thing(key=key, path=main.path, title=title, name=label, number=number)
        folded = {key.casefold(): key for key in found}
        for edge in self.links.edges:
            thing = found.get(self._described.get(edge.source, edge.source))
            if thing is None or edge.relation in _TEXTUAL:
                continue
            target = self._described.get(edge.target, edge.target)
            fact = Fact(
                field=edge.relation,
                value=edge.label,
                path=edge.source,
                line=edge.line,
                target=target if target in found else folded.get(edge.target.strip("/").casefold(), ""),
            )
            thing.facts.setdefault(edge.relation, []).append(fact)
        return found

    def _group(self, thing: Thing) -> tuple[str, str]:
        if series := series_of(thing.name):
            return "ticket" if is_ticket(thing.name) else "series", series
        if thing.key in self._described.values():
            return "described", posixpath.splitext(posixpath.basename(thing.path))[0].lower()
        suffix = posixpath.splitext(thing.path)[1]
        return "folder", f"{posixpath.dirname(thing.path)}|{suffix}"


def _leading_number(key: str) -> int | None:
    match = re.match(r"0*(\d{1,6})(?=[-_. ]|$)", posixpath.basename(key))
    return int(match[1]) if match else None


def _kind_words(of: str, name: str, things: Sequence[Thing]) -> tuple[str, ...]:
    """Words for a kind, the best first: of its series or folder, of its titles, and what such things are called."""
    titled = Counter(word for thing in things for word in {word.lower() for word in _WORD.findall(thing.title)})
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
            top = [_singular(above[0][0])] if above and above[0][1] == len(things) else []
            own = [name] if name not in _PLAIN else []
            headed = [series_of(thing.name) for thing in things if thing.name]
            words = [*own, *headed[:1], *top, *common, *series["other"].split()]
        case _:
            folder = posixpath.basename(name.partition("|")[0])
            words = [*([_singular(folder)] if folder else []), *common, *WORDS["folders"]["other"].split()]
    plain = [re.sub(r"\W+", "_", word.lower()).strip("_") for word in words]
    return tuple(dict.fromkeys(word for word in plain if word)) or ("document",)


def _singular(word: str) -> str:
    lowered = word.lower()
    if lowered.endswith("ies") and len(lowered) > 4:
        return f"{lowered[:-3]}y"
    return lowered[:-1] if lowered.endswith("s") and not lowered.endswith("ss") and len(lowered) > 3 else lowered
