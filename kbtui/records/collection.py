"""The things a folder is about: each document, or a folder with the file that describes it, and what it states.

Things of one kind (a numbered series, the pages of a folder) state the same fields; a kind becomes a table.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from kbtui.domain.document import FileRecord
from kbtui.knowledge.relations.kind_words import KIND_WORD
from kbtui.knowledge.relations.labels import number_of
from kbtui.knowledge.relations.series import WRITTEN_IN
from kbtui.records.families import year_of
from kbtui.records.kinds import WORDS, Fact, Kind, Thing, kinds_of, singular, stated_fields
from kbtui.records.links import Links
from kbtui.records.series import PASSING, Series, kind_words, series_of_entries

SOURCE: Final = "folder"
"""What the tables go by as a source of data."""

_PROSE_KINDS: Final = frozenset({"markdown", "rst", "text", "html"})
_TO_THE_END: Final = 2**31
MAIN: Final = 0.6
"""Share of all things that a numbered kind must have for a general word (document) or a bare number to mean it."""
_NEARLY_ALL: Final = 0.95
"""The same of a kind without numbers: of fewer a count would miss some."""


class Collection:
    """All things of a folder by kind.

    Args:
        links: The files and what they state.
        root: What the folder is called.
    """

    def __init__(self, links: Links, root: str = "") -> None:
        self.links = links
        self.root = root
        self._described = {
            path: one.folder for one in links.described for path in (one.by, one.text, *one.parts) if path
        }
        self.things = self._things()
        self._in_series: list[tuple[Series, list[Thing]]] = []
        for series in series_of_entries(links.relations):
            self._in_series.append((series, self._entries_of(series)))

    def thing_at(self, node: str) -> Thing | None:
        """The thing that a path belongs to: a document's own, or that of the folder it describes."""
        return self.things.get(self._described.get(node, node)) or self.things.get(node.strip("/"))

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Kinds of which several things state a field, largest first."""
        taken = {thing.key for _, things in self._in_series for thing in things}
        others = [thing for key, thing in self.things.items() if key not in taken]
        found = list(kinds_of(others, frozenset(self._described.values()), self.root, self._called))
        names = {kind.name for kind in found}
        for series, things in self._in_series:
            counted = stated_fields(things)
            fields = {field: count for field, count in counted.most_common() if count > 1}
            if not fields:
                continue
            first, *words = kind_words(series, WORDS["series"])
            name = first if first not in names else f"{first}_{len(names)}"
            names.add(name)
            kind = Kind(name=name, words=tuple(words), things=tuple(things), fields=fields)
            is_listed = series.kind == "item"
            found.append(replace(kind, is_series=not is_listed, is_listed=is_listed))
        return tuple(sorted((kind for kind in found if kind.things), key=lambda kind: -len(kind.things)))

    @cached_property
    def general(self) -> Kind | None:
        """All documents that state fields as one kind, for *pages* or *documents* where no kind has most of them."""
        kinds = [kind for kind in self.kinds if not (kind.is_series or kind.is_listed)]
        things = [thing for kind in kinds for thing in kind.things]
        if len(kinds) < 2:
            return None
        share = len(kinds[0].things) / sum(len(kind.things) for kind in self.kinds)
        if share >= (MAIN if kinds[0].is_mostly_numbered else _NEARLY_ALL):
            return None
        counted = stated_fields(things)
        fields = {field: count for field, count in counted.most_common() if count > 1}
        called = [*WORDS["folders"]["other"].split(), singular(re.split(r"[\W_]+", self.root)[-1])]
        words = [word for word in called if word and word not in {kind.name for kind in kinds}]
        return Kind(name=words[0], words=tuple(words[1:]), things=tuple(things), fields=fields) if words else None

    def _entries_of(self, series: Series) -> list[Thing]:
        """Entries as things; documents that are known by their titles are things already."""
        found: dict[str, Thing] = {}
        for entry in series.entries:
            thing = self.things.get(self._described.get(entry.path, entry.path)) if entry.is_document else None
            if entry.is_document and (thing is None or thing.name):
                continue
            if thing is None:
                # What several documents tell of under one identifier is one thing.
                named = next((one.value for one in entry.stated if one.field == series.kind == "id"), "")
                key = f"{series.folder}#{named}" if named else f"{entry.path}#L{entry.line}"
                span = (entry.line, entry.last or _TO_THE_END)
                thing = self.things.setdefault(key, Thing(key=key, path=entry.path, title=entry.title, span=span))
            found[thing.key] = thing
            for one in entry.stated:
                fact = Fact(field=one.field, value=one.value, path=entry.path, line=one.line)
                thing.facts.setdefault(one.field, []).append(fact)
        return list(found.values())

    @cached_property
    def files(self) -> Kind:
        """Every file as a thing, with what is known of it without reading it as a statement."""
        things = []
        titled = Counter(record.title for record in self.links.files)
        for record in self.links.files:
            folder, name = posixpath.split(record.path)
            suffix = posixpath.splitext(name)[1].lstrip(".").lower()
            # A title that files share says nothing of one of them.
            title = record.title if titled[record.title] == 1 else ""
            thing = Thing(key=record.path, path=record.path, title=title or name)
            known = {"name": name, "folder": folder, "type": suffix, "lines": str(record.line_count)}
            known["year"] = year_of(record.path)
            known["language"] = self._languages.get(record.path, "en" if record.kind in _PROSE_KINDS else "")
            thing.facts = {
                field: [Fact(field=field, value=value, path=record.path, line=1)]
                for field, value in known.items()
                if value
            }
            things.append(thing)
        called = WORDS["folders"]["file"].split()
        # A list of `files:` in a document makes a kind that is called so, too.
        taken = {kind.name for kind in self.kinds}
        first, *words = [word for word in called if word not in taken] or [f"{called[0]}_of_folder"]
        counted = stated_fields(things)
        return Kind(name=first, words=tuple(words), things=tuple(things), fields=counted, is_series=True)

    @cached_property
    def _languages(self) -> dict[str, str]:
        """By path the language that a document is written in."""
        return {one.source_path: one.target for one in self.links.relations if one.relation == WRITTEN_IN}

    @cached_property
    def _called(self) -> dict[str, frozenset[str]]:
        """By path the words behind *this* in a document."""
        found: dict[str, set[str]] = defaultdict(set)
        for one in self.links.relations:
            if one.relation == KIND_WORD:
                found[one.source_path].add(one.target)
        return {path: frozenset(words) for path, words in found.items()}

    def _things(self) -> dict[str, Thing]:
        found: dict[str, Thing] = {}
        members: dict[str, list[FileRecord]] = defaultdict(list)
        for record in self.links.files:
            members[self._described.get(record.path, record.path)].append(record)
        for key, records in members.items():
            by = self.links.main_file(records[0].path)
            main = next((record for record in records if record.path == by), records[0])
            label = next((name for one in records if (name := self.links.labels.get(one.path))), "")
            number = number_of(label) if label else None
            if number is None:
                number = _leading_number(key)
            title = next((one.title for one in (main, *records) if one.title), "")
            found[key] = Thing(key=key, path=main.path, title=title, name=label, number=number)
        folded = {key.casefold(): key for key in found}
        for edge in self.links.edges:
            thing = found.get(self._described.get(edge.source, edge.source))
            if thing is None or edge.relation in PASSING:
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
        _join_numbers(list(found.values()))
        return found


def _join_numbers(things: Sequence[Thing]) -> None:
    """Give a field one name that is written in the singular by some things and in the plural by others."""
    counted = stated_fields(things)
    for plural in list(counted):
        one = next((name for name in (singular(plural),) if name != plural and name in counted), "")
        if not one or any(one in thing.facts and plural in thing.facts for thing in things):
            continue
        kept, other = (plural, one) if counted[plural] >= counted[one] else (one, plural)
        for thing in things:
            if other in thing.facts:
                thing.facts[kept] = [replace(fact, field=kept) for fact in thing.facts.pop(other)]


def _leading_number(key: str) -> int | None:
    match = re.match(r"0*(\d{1,6})(?=[-_. ]|$)", posixpath.basename(key))
    return int(match[1]) if match else None
