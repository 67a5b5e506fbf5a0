"""The things of a folder: documents, or folders with the file that describes them, and the fields they state.

Things of one kind (a numbered series, the pages of a folder) state the same fields; a kind becomes a table.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from kbtui.domain.document import FileRecord
from kbtui.knowledge.relations.kind_words import KIND_WORD, PLACED
from kbtui.knowledge.relations.labels import number_of
from kbtui.knowledge.relations.series import WRITTEN_IN
from kbtui.records.families import year_of
from kbtui.records.kind_names import WORDS, section_words, singular, stated_fields
from kbtui.records.kinds import Fact, Kind, Thing, kinds_of
from kbtui.records.links import Links
from kbtui.records.series import TEXTUAL_RELATIONS, Series, kind_words, series_of_entries
from kbtui.text.tokenise import content_words

SOURCE: Final = "folder"
"""Name of the tables as a data source."""

_PROSE_KINDS: Final = frozenset({"markdown", "rst", "text", "html"})
_TO_THE_END: Final = 2**31
_FOLDER: Final = "folder"
_FEW_FOLDERS: Final = 12
_HEAD: Final = re.compile(r"\s*[,;(（，；]|[.:：]\s|\s[-–—]\s")
"""Where the beginning of a value ends."""
_SHORT: Final = 60
"""Most characters of a value by which a thing is called."""
MAIN: Final = 0.6
"""Share of all things from which a numbered kind is meant by a general word (*document*) or a bare number."""
_NEARLY_ALL: Final = 0.95
"""The same share for a kind without numbers; with a lower one a count would miss documents."""


class Collection:
    """All things of a folder by kind.

    Args:
        links: The files and their resolved relations.
        root: Name of the folder.
        whole: The things of the whole folder where these are only some; they give the kinds, which few things have not.
        members: Names of the folders that the paths begin with where several are asked as one.
    """

    def __init__(
        self, links: Links, root: str = "", whole: Collection | None = None, members: Sequence[str] = ()
    ) -> None:
        self.links = links
        self.root = root
        self._whole = whole
        self._members = frozenset(members)
        self._folder_by_file = links.texts_beside | {
            path: described.folder
            for described in links.described
            for path in (described.by, described.text, *described.parts)
            if path
        }
        self.things = self._things()
        self._series_things: list[tuple[Series, list[Thing]]] = []
        for series in series_of_entries(links.relations):
            self._series_things.append((series, self._entries_of(series)))

    def thing_at(self, node: str) -> Thing | None:
        """The thing that a path belongs to: the document itself, or the folder it describes."""
        return self.things.get(self._folder_by_file.get(node, node)) or self.things.get(node.strip("/"))

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Kinds of which several things state a field, largest first."""
        if self._whole is not None:
            return tuple(sorted(self._kinds_as_in(self._whole), key=lambda kind: -len(kind.things)))
        keys_in_series = {thing.key for _, things in self._series_things for thing in things}
        others = [thing for key, thing in self.things.items() if key not in keys_in_series]
        described = frozenset(folder.folder for folder in self.links.described)
        kinds = [
            _with_folders(kind)
            for kind in kinds_of(others, described, self.root, self._self_names, self._members, self._sections)
        ]
        names = {kind.name for kind in kinds}
        # Kinds of documents come before those of records in their texts, which state their documents by them.
        for series, things in sorted(self._series_things, key=lambda pair: pair[0].kind == "row"):
            if series.kind == "row":
                self._state_documents(things, kinds)
            field_counts = stated_fields(things)
            fields = {field: count for field, count in field_counts.most_common() if count > 1}
            if not fields:
                continue
            words_of_site = section_words(things, self._sections)
            named = dict.fromkeys((*words_of_site, *kind_words(series, WORDS["series"])))
            # Rows below "Who to ask" are not called who.
            main_word, *words = [word for word in named if content_words(word)] or named
            name = main_word if main_word not in names else f"{main_word}_{len(names)}"
            names.add(name)
            kind = Kind(name=name, words=tuple(words), things=tuple(things), fields=fields)
            is_listed = series.kind in ("item", "row")
            kinds.append(replace(kind, is_series=not is_listed, is_listed=is_listed))
        return tuple(sorted((kind for kind in kinds if kind.things), key=lambda kind: -len(kind.things)))

    def _state_documents(self, records: Sequence[Thing], kinds: Sequence[Kind]) -> None:
        """State for each record in a text which document it stands in, by the noun for it: *project* for a task."""
        kind_by_key = {thing.key: kind.name for kind in kinds if not kind.is_listed for thing in kind.things}
        for record in records:
            document = self.thing_at(record.path)
            name = kind_by_key.get(document.key, "") if document is not None else ""
            if document is not None and name and document.key != record.key and record.span is not None:
                value, line = document.name or document.title, record.span[0]
                fact = Fact(field=name, value=value, path=record.path, line=line, target=document.key)
                record.facts.setdefault(name, [fact])

    def _kinds_as_in(self, whole: Collection) -> Iterator[Kind]:
        """The kinds of the whole folder, with the things of this collection alone."""
        for kind in whole.kinds:
            things = [self.things[thing.key] for thing in kind.things if thing.key in self.things]
            counts = stated_fields(things)
            if things:
                yield replace(
                    kind, things=tuple(things), fields={name: counts[name] for name in kind.fields if counts[name]}
                )

    @cached_property
    def general(self) -> Kind | None:
        """All documents that state fields as one kind, for *pages* or *documents* where no kind has most of them."""
        kinds = [kind for kind in self.kinds if not (kind.is_series or kind.is_listed)]
        things = [thing for kind in kinds for thing in kind.things]
        if len(kinds) < 2:
            return None
        share = len(kinds[0].things) / sum(len(kind.things) for kind in self.kinds if not kind.is_listed)
        if share >= (MAIN if kinds[0].is_mostly_numbered else _NEARLY_ALL):
            return None
        field_counts = stated_fields(things)
        fields = {field: count for field, count in field_counts.most_common() if count > 1}
        names = [*WORDS["folders"]["other"].split(), singular(re.split(r"[\W_]+", self.root)[-1])]
        words = [word for word in names if word and word not in {kind.name for kind in kinds}]
        return Kind(name=words[0], words=tuple(words[1:]), things=tuple(things), fields=fields) if words else None

    def _entries_of(self, series: Series) -> list[Thing]:
        """The entries of a series as things; a document identified by its title already is a thing."""
        things: dict[str, Thing] = {}
        for entry in series.entries:
            thing = self.things.get(self._folder_by_file.get(entry.path, entry.path)) if entry.is_document else None
            if entry.is_document and (thing is None or thing.name):
                continue
            if thing is None:
                # Entries of several documents under one identifier describe one thing.
                identifier = next(
                    (statement.value for statement in entry.stated if statement.field == series.kind == "id"), ""
                )
                key = f"{series.folder}#{identifier}" if identifier else f"{entry.path}#L{entry.line}"
                span = (entry.line, entry.last or _TO_THE_END)
                thing = self.things.setdefault(key, Thing(key=key, path=entry.path, title=entry.title, span=span))
            things[thing.key] = thing
            for statement in entry.stated:
                fact = Fact(field=statement.field, value=statement.value, path=entry.path, line=statement.line)
                known = thing.facts.setdefault(statement.field, [])
                # A day in the title of a document may be a field of it as well, and its header fields are known.
                if all(
                    other.value != fact.value and (other.path, other.line) != (fact.path, fact.line) for other in known
                ):
                    known.append(fact)
        return list(things.values())

    @cached_property
    def files(self) -> Kind:
        """Every file as a thing, with fields derived from its path and metadata instead of its text."""
        things = []
        title_counts = Counter(record.title for record in self.links.files)
        for record in self.links.files:
            folder, name = posixpath.split(record.path)
            suffix = posixpath.splitext(name)[1].lstrip(".").lower()
            # A title shared by several files does not identify any of them.
            title = record.title if title_counts[record.title] == 1 else ""
            thing = Thing(key=record.path, path=record.path, title=title or name)
            values = {"name": name, "folder": folder, "type": suffix, "lines": str(record.line_count)}
            values["year"] = year_of(record.path)
            values["language"] = self._languages.get(record.path, "en" if record.kind in _PROSE_KINDS else "")
            thing.facts = {
                field: [Fact(field=field, value=value, path=record.path, line=1)]
                for field, value in values.items()
                if value
            }
            things.append(thing)
        names = WORDS["folders"]["file"].split()
        # A list `files:` in a document also makes a kind of that name.
        used_names = {kind.name for kind in self.kinds}
        first, *words = [word for word in names if word not in used_names] or [f"{names[0]}_of_folder"]
        field_counts = stated_fields(things)
        return Kind(name=first, words=tuple(words), things=tuple(things), fields=field_counts, is_series=True)

    @cached_property
    def _languages(self) -> dict[str, str]:
        """Language of each document, by path."""
        return {
            relation.source_path: relation.target
            for relation in self.links.relations
            if relation.relation == WRITTEN_IN
        }

    @cached_property
    def _self_names(self) -> dict[str, frozenset[str]]:
        """Nouns that follow *this* in a document (*this module*), by path."""
        words_by_path: dict[str, set[str]] = defaultdict(set)
        for relation in self.links.relations:
            if relation.relation == KIND_WORD:
                words_by_path[relation.source_path].add(relation.target)
        return {path: frozenset(words) for path, words in words_by_path.items()}

    @cached_property
    def _sections(self) -> dict[str, str]:
        """The part of a site that a page lies in, by path."""
        return {
            relation.source_path: relation.target for relation in self.links.relations if relation.relation == PLACED
        }

    def _things(self) -> dict[str, Thing]:
        things: dict[str, Thing] = {}
        members: dict[str, list[FileRecord]] = defaultdict(list)
        for record in self.links.files:
            members[self._folder_by_file.get(record.path, record.path)].append(record)
        for key, records in members.items():
            main_path = self.links.main_file(records[0].path)
            main = next((record for record in records if record.path == main_path), records[0])
            label = next((name for record in records if (name := self.links.labels.get(record.path))), "")
            number = number_of(label) if label else None
            if number is None:
                number = _leading_number(key)
            title = next((record.title for record in (main, *records) if record.title), "")
            things[key] = Thing(key=key, path=main.path, title=title, name=label, number=number)
        folded = {key.casefold(): key for key in things}
        for edge in self.links.edges:
            thing = things.get(self._folder_by_file.get(edge.source, edge.source))
            if thing is None or edge.relation in TEXTUAL_RELATIONS:
                continue
            target = self._folder_by_file.get(edge.target, edge.target)
            fact = Fact(
                field=edge.relation,
                value=edge.label,
                path=edge.source,
                line=edge.line,
                target=target if target in things else folded.get(edge.target.strip("/").casefold(), ""),
            )
            thing.facts.setdefault(edge.relation, []).append(fact)
        _unify_plural_fields(list(things.values()))
        _add_heads(list(things.values()))
        _tell_apart(things.values())
        return things


def _with_folders(kind: Kind) -> Kind:
    """A kind over a few folders with the folder of each of its things as a field."""
    folders = {thing.key: posixpath.basename(posixpath.dirname(thing.key)) for thing in kind.things}
    if not 1 < len(set(folders.values())) <= _FEW_FOLDERS or _FOLDER in kind.fields:
        return kind
    for thing in kind.things:
        if value := folders[thing.key]:
            thing.facts[_FOLDER] = [Fact(field=_FOLDER, value=value, path=thing.path, line=1)]
    return replace(kind, fields={**kind.fields, _FOLDER: sum(map(bool, folders.values()))})


def _tell_apart(things: Iterable[Thing]) -> None:
    """Call files with the same title by their first field with a value for each of them, else by their names."""
    by_title: dict[str, list[Thing]] = defaultdict(list)
    for thing in things:
        if thing.title and not thing.name and thing.key == thing.path:
            by_title[thing.title.casefold()].append(thing)
    for alike in by_title.values():
        if len(alike) == 1:
            continue
        fields = [field for field in alike[0].facts if all(field in thing.facts for thing in alike)]
        columns = ([", ".join(fact.value for fact in thing.facts[field]) for thing in alike] for field in fields)
        telling = (column for column in columns if len(set(column)) == len(column) and max(map(len, column)) <= _SHORT)
        names = next(telling, [posixpath.basename(thing.key) for thing in alike])
        for thing, name in zip(alike, names, strict=True):
            thing.called = name


def _unify_plural_fields(things: Sequence[Thing]) -> None:
    """Rename a field to its more frequent form if some things write it in the singular and others in the plural."""
    field_counts = stated_fields(things)
    for plural in list(field_counts):
        singular_name = next((name for name in (singular(plural),) if name != plural and name in field_counts), "")
        if not singular_name or any(singular_name in thing.facts and plural in thing.facts for thing in things):
            continue
        kept, other = (
            (plural, singular_name) if field_counts[plural] >= field_counts[singular_name] else (singular_name, plural)
        )
        for thing in things:
            if other in thing.facts:
                thing.facts[kept] = [replace(fact, field=kept) for fact in thing.facts.pop(other)]


def _add_heads(things: Sequence[Thing]) -> None:
    """Add the beginning of a value where it is the whole value of another thing.

    *Obsolete - see point_sprite* is *Obsolete*, too, and *Ada Moor, Mill Ltd.* is *Ada Moor*: a count of those with the
    short value would otherwise leave the others out.
    """
    values: dict[str, dict[str, str]] = defaultdict(dict)
    for thing in things:
        for field, facts in thing.facts.items():
            values[field].update((fact.value.casefold(), fact.value) for fact in facts)
    for thing in things:
        for field, facts in thing.facts.items():
            own = {fact.value.casefold() for fact in facts}
            for fact in [fact for fact in facts if not fact.target]:
                head = _HEAD.split(fact.value, maxsplit=1)[0].casefold()
                if head in values[field] and head not in own:
                    own.add(head)
                    facts.append(replace(fact, value=values[field][head]))


def _leading_number(key: str) -> int | None:
    match = re.match(r"0*(\d{1,6})(?=[-_. ]|$)", posixpath.basename(key))
    return int(match[1]) if match else None
