"""Which files of a folder a condition leaves: on the kind, a field or the date of the documents in them.

A condition on a field is written as in `filtering`. The date of a document is the day that it states, in the field of
this type that most documents state; else a day in its file name; else the day its file was last committed, or else
changed.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final

from kbtui.errors import ScopeError, ToolError
from kbtui.records.collection import Collection
from kbtui.records.filtering import BUILT_IN_FIELDS, field_name, filter_things, is_met
from kbtui.records.kinds import Fact, Thing
from kbtui.records.series import TEXTUAL_RELATIONS
from kbtui.records.typed import type_of
from kbtui.text.days import day_of
from kbtui.text.mentions import AFTER, DATES, KIND, Condition
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.knowledge.history.log import History

HISTORY_FIELDS: Final = ("author", "created", "changed")
"""Fields that the Git history of a file tells where no document states them."""
_MAX_LISTED: Final = 12
"""Most names that a message lists."""
_OPERATORS: Final = ("!", "<", ">", "~", "=")
_LEAST_LIKE: Final = 80
"""Score of rapidfuzz from which an unknown key is a misspelt field."""
_FEW_VALUES: Final = 20
"""Most distinct values of a field whose values are listed."""
_NAMED_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)")
_PART_OF_DAY = re.compile(r"((?:19|20)\d\d)(?:-(\d{1,2}))?")


class FileScopes:
    """The files of a folder by what their documents are and state.

    Args:
        collection: The things of the folder.
        history: Returns the Git history of the folder, asked when a condition is on what it alone tells; None where the
            folder is in no repository.
    """

    def __init__(self, collection: Collection, history: Callable[[], History | None] = lambda: None) -> None:
        self._collection = collection
        self._history = history

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Names of the kinds of documents, largest first."""
        return tuple(kind.name for kind in self._collection.kinds if not kind.is_listed)

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields that documents state, most frequent first."""
        counts = Counter(name for thing in self._things for name in thing.facts if name not in TEXTUAL_RELATIONS)
        return tuple(name for name, _ in counts.most_common())

    def has_field(self, field: str) -> bool:
        """Whether documents state a field, files have it (``type``, ``language``), or their Git history tells it."""
        own = field in self.fields or field in BUILT_IN_FIELDS or field in self._collection.files.fields
        return own or (field in HISTORY_FIELDS and bool(self._committed))

    @cached_property
    def years(self) -> tuple[int, ...]:
        """The years of the documents' dates, latest first."""
        return tuple(sorted({day.year for day in self._days.values()}, reverse=True))

    def values(self, field: str) -> tuple[str, ...]:
        """The values of a field, most frequent first; empty where there are more than twenty or all are of one use."""
        counts = Counter(fact.value for thing in self._things for fact in thing.facts.get(field, ()))
        is_listed = len(counts) <= _FEW_VALUES and any(count > 1 for count in counts.values())
        return tuple(value for value, _ in counts.most_common()) if is_listed else ()

    def of_kind(self, kind: str) -> frozenset[str] | None:
        """The files of the documents of a kind, given by its name or another word for it; None for an unknown kind."""
        try:
            rows = filter_things(self._collection, kind, {}).rows
        except ToolError:
            return None
        return self._files_of(thing for thing, _ in rows)

    def with_field(self, name: str, condition: str) -> frozenset[str] | None:
        """The files of the documents whose field meets a condition; None where no document states the field."""
        field = field_name(name)
        if field in self.fields or field in BUILT_IN_FIELDS:
            return self._files_of(thing for thing in self._things if is_met(thing, field, condition))
        if field in self._collection.files.fields:
            files = self._collection.files.things
            return frozenset(thing.path for thing in files if is_met(thing, field, condition))
        if field in HISTORY_FIELDS and self._committed:
            return frozenset(thing.path for thing in self._committed.values() if is_met(thing, field, condition))
        return None

    def dated(self, after: date | None, before: date | None) -> frozenset[str]:
        """The files with a document dated ``after`` or later, and earlier than ``before``; None sets no bound."""
        return frozenset(
            path for path, day in self._days.items() if (not after or day >= after) and (not before or day < before)
        )

    @property
    def _things(self) -> Iterable[Thing]:
        return self._collection.things.values()

    def _files_of(self, things: Iterable[Thing]) -> frozenset[str]:
        """The files of the things; of a folder that one file describes, all of its files."""
        return frozenset(path for thing in things for path in self._files_by_key.get(thing.key, (thing.path,)))

    @cached_property
    def _files_by_key(self) -> Mapping[str, Sequence[str]]:
        """The files of each document, by its key; sections of a file and records of a list have none of their own."""
        files: dict[str, list[str]] = {}
        for record in self._collection.links.files:
            if (thing := self._collection.thing_at(record.path)) is not None:
                files.setdefault(thing.key, []).append(record.path)
        return files

    @cached_property
    def _committed(self) -> Mapping[str, Thing]:
        """The files with what their Git history tells as fields, by path; empty without a repository."""
        history = self._history()
        if history is None:
            return {}
        things = {}
        for record in self._collection.links.files:
            if (file := history.files.get(record.path)) is None:
                continue
            values = {
                "author": [author for author, _ in file.authors],
                "created": [file.first.day.isoformat()],
                "changed": [file.last.day.isoformat()],
            }
            facts = {
                name: [Fact(field=name, value=value, path=record.path, line=record.summary_line) for value in told]
                for name, told in values.items()
            }
            things[record.path] = Thing(key=record.path, path=record.path, title=record.title, facts=facts)
        return things

    @cached_property
    def _date_fields(self) -> Sequence[str]:
        """The fields that hold days, most frequent first."""
        values: dict[str, list[str]] = {}
        for thing in self._things:
            for name, facts in thing.facts.items():
                if name not in TEXTUAL_RELATIONS:
                    values.setdefault(name, []).append(facts[0].value)
        dated = [name for name, stated in values.items() if type_of(stated) == "date"]
        return sorted(dated, key=lambda name: -len(values[name]))

    @cached_property
    def _days(self) -> dict[str, date]:
        """The date of each file; of the dates of several documents in a file the latest."""
        stated: dict[str, date] = {}
        for thing in self._things:
            day = next((day for name in self._date_fields if (day := _stated_day(thing, name)) is not None), None)
            if day is not None:
                for path in self._files_of([thing]):
                    stated[path] = max(day, stated.get(path, day))
        return {
            record.path: stated.get(record.path)
            or _day_in_name(record.path)
            or self._day_committed(record.path)
            or datetime.fromtimestamp(record.mtime_ns / 1e9).date()
            for record in self._collection.links.files
        }

    def _day_committed(self, path: str) -> date | None:
        return _stated_day(self._committed[path], "changed") if path in self._committed else None


def files_left(scopes: FileScopes, conditions: Sequence[Condition]) -> list[tuple[str, frozenset[str]]]:
    """For each condition, its words and the files that meet it; kinds are alternatives, and so are values of a field.

    Raises:
        ScopeError: There is no such kind, field or day.
    """
    alternatives: dict[str, list[Condition]] = {}
    for condition in conditions:
        key = field_name(condition.key)
        is_open = key == KIND or (key not in DATES and not condition.value.startswith(_OPERATORS))
        alternatives.setdefault(key if is_open else f"{key}:{condition.value}", []).append(condition)
    return [
        (
            " ".join(f"{condition.key}:{one_line(condition.value)}" for condition in group),
            frozenset().union(*(_files(scopes, condition) for condition in group)),
        )
        for group in alternatives.values()
    ]


def day_bound(text: str) -> date | None:
    """The first day that a bound names: a day, a month (``2025-03``) or a year; None for anything else."""
    text = text.strip()
    part = _PART_OF_DAY.fullmatch(text)
    if part is None:
        return day_of(text)
    month = int(part[2] or 1)
    return date(int(part[1]), month, 1) if 1 <= month <= 12 else None


def _stated_day(thing: Thing, field: str) -> date | None:
    facts = thing.facts.get(field)
    return day_of(facts[0].value) if facts else None


def _day_in_name(path: str) -> date | None:
    match = _NAMED_DAY.search(posixpath.basename(path))
    return day_of("-".join(match.groups())) if match is not None else None


def _files(scopes: FileScopes, condition: Condition) -> frozenset[str]:
    key, value = field_name(condition.key), condition.value
    shown = one_line(value, 80)
    if key in DATES:
        day = _bound(value)
        return scopes.dated(day, None) if key == AFTER else scopes.dated(None, day)
    if key == KIND and (paths := scopes.of_kind(value)) is not None:
        return paths
    if (paths := scopes.with_field(key, value)) is not None:
        return paths
    if key == KIND:
        listed = ", ".join(scopes.kinds[:_MAX_LISTED])
        if not listed:
            raise ScopeError(
                f"There are no documents of the kind {shown}.", "The documents of this folder have no kinds."
            )
        raise ScopeError(f"There are no documents of the kind {shown}.", f"The kinds are {listed}.")
    fields = ", ".join(dict.fromkeys((*similar_fields(key, scopes.fields), *scopes.fields[:_MAX_LISTED])))
    if not fields:
        raise ScopeError(f"No document states the field {key}.", "The documents of this folder state no fields.")
    raise ScopeError(f"No document states the field {key}.", f"The fields are {fields}.")


def _bound(value: str) -> date:
    if (day := day_bound(value)) is None:
        raise ScopeError(
            f"{one_line(value, 80)} is not a day.", "Write a day, a month or a year: 2025-03-31, 2025-03, 2025."
        )
    return day


def similar_fields(key: str, fields: Sequence[str]) -> list[str]:
    """Fields that a key may be a misspelling of."""
    from rapidfuzz import fuzz, process

    return [name for name, _, _ in process.extract(key, fields, scorer=fuzz.ratio, score_cutoff=_LEAST_LIKE, limit=3)]
