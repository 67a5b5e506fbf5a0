"""Filters over the things of a kind by their fields, for tools that pass structured conditions.

A condition is a text: ``Final`` (equal, case-insensitive), ``Draft|Accepted`` (one of), ``!=Final``, ``>=2020-01-01``,
``<3.9``, ``~typing`` (contains), ``*`` (states the field), ``none`` (does not). Dates, numbers and versions are
compared as such; the number of a labelled thing is enough: ``484`` for ``PEP 484``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from kbtui.errors import ToolError
from kbtui.knowledge.relations.labels import number_of
from kbtui.records.collection import Collection
from kbtui.records.kinds import Fact, Kind, Thing
from kbtui.records.typed import compare_versions, figure_of, type_of, version_key
from kbtui.text.days import day_of

_OPERATORS: Final = ("!=", "<=", ">=", "<", ">", "~", "=")
_NO_VALUE: Final = frozenset({"none", "null", "missing", "无"})
_PART_OF_DAY = re.compile(r"((?:19|20)\d\d)(?:-(\d{1,2}))?")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+\w*", re.IGNORECASE)
_NOT_STATED: Final = "not stated"
_MAX_FIELDS_LISTED: Final = 12
"""Most field names that an error message lists."""


FilterRow = tuple[Thing, tuple[Fact, ...]]
"""A thing with the facts that met conditions."""


class FilterResult(Struct, frozen=True, kw_only=True):
    """The result of a filter.

    Attributes:
        kind: Name of the kind.
        total: Number of things before the filter.
        rows: Each remaining thing with the facts that met conditions, in the order of these.
    """

    kind: str
    total: int
    rows: tuple[FilterRow, ...]


class ValueUse(Struct, frozen=True, kw_only=True):
    """A field of a kind that states a value.

    Attributes:
        rows: The things, with the facts that state the value; for ``title`` with all their facts.
    """

    kind: str
    field: str
    rows: tuple[FilterRow, ...]


class SortedRows(Struct, frozen=True, kw_only=True):
    """Rows in order.

    Attributes:
        unreadable: Things with a value that is not what most values of the field are, as ``2014-19-19`` among days.
    """

    rows: tuple[FilterRow, ...]
    unreadable: tuple[tuple[Thing, str], ...]


def filter_things(
    collection: Collection, kind: str, where: Mapping[str, str], used_fields: Iterable[str] = ()
) -> FilterResult:
    """Filter the things of a kind by every condition; the rows are ordered by number, then path.

    Args:
        kind: Name of a kind, or another word for it; ``file`` for all files; empty for every kind that has the fields.
        where: Conditions by field.
        used_fields: Further fields that the rows are used by, such as the one they are sorted by.

    Raises:
        ToolError: The kind or a field does not exist; the hint lists those that do.
    """
    conditions = {field_name(name): condition.strip() for name, condition in where.items()}
    used = [name for written in used_fields if (name := field_name(written))]
    name, things, fields = _select_kind(collection, kind, (*conditions, *used))
    _require_fields(name, fields, (*conditions, *used))
    rows = []
    for thing in things:
        proofs: list[Fact] = []
        for field, condition in conditions.items():
            holds, fact = _check_condition(thing, field, condition)
            if not holds:
                break
            proofs += [fact] if fact is not None else []
        else:
            rows.append((thing, tuple(proofs)))
    rows.sort(key=lambda row: _place_of(row[0]))
    return FilterResult(kind=name, total=len(things), rows=tuple(rows))


def is_met(thing: Thing, field: str, condition: str) -> bool:
    """Whether a thing meets a condition on a field, given by its normalised name."""
    return _check_condition(thing, field, condition.strip())[0]


def _place_of(thing: Thing) -> tuple[bool, int, str, tuple[int, int]]:
    """What things are ordered by where nothing else is asked for: number, path, line."""
    where = (thing.path, thing.span) if thing.span is not None else (thing.key, (0, 0))
    return thing.number is None, thing.number or 0, *where


def sort_rows(rows: Sequence[FilterRow], by: str) -> SortedRows:
    """Sort the rows by a field, ascending, or descending with a leading ``-``.

    Values are compared as what most of them are: days, figures, versions or text. Rows with another value come behind
    those, and rows without the field come last.
    """
    field, largest_first = field_name(by.removeprefix("-")), by.startswith("-")
    values = [(stated[0], row) for row in rows if (stated := _values(row[0], field))]
    key = _key_for(field, [value for value, _ in values])
    keyed = [(order, row) for value, row in values if (order := key(value)) is not None]
    keyed.sort(key=lambda pair: pair[0], reverse=largest_first)
    unreadable = [(value, row) for value, row in values if key(value) is None]
    without_field = [row for row in rows if not _values(row[0], field)]
    return SortedRows(
        rows=(*(row for _, row in keyed), *(row for _, row in unreadable), *without_field),
        unreadable=tuple((row[0], value) for value, row in unreadable),
    )


def _key_for(field: str, values: Sequence[str]) -> Callable[[str], Any]:
    """The function that gives what a value is sorted by; None for a value that is not what most are."""
    kind = type_of(values, versions="version" in field)
    half = len(values) / 2
    if kind == "date" or sum(day_of(value) is not None for value in values) > half:
        return day_of
    if kind == "version":
        return lambda value: version_key(value) if value[:2].strip("vV")[:1].isdigit() else None
    if kind == "number" or sum(figure_of(value) is not None for value in values) > half:
        return figure_of
    return str.casefold


def count_by(rows: Sequence[FilterRow], field: str) -> Counter[str]:
    """Count the things by value of a field; things with several values count for each, without one as *not stated*."""
    name = field_name(field)
    counts: Counter[str] = Counter()
    for thing, _ in rows:
        counts.update(_values(thing, name) or [_NOT_STATED])
    return counts


def _require_fields(kind: str, fields: Sequence[str], wanted: Iterable[str]) -> None:
    """Raise a `ToolError` that lists the fields of a kind if it has not all that are wanted."""
    if unknown := [field for field in wanted if field not in fields and field not in BUILT_IN_FIELDS]:
        raise ToolError(
            f"No {kind} states the field {unknown[0]!r}.", f"Fields: {', '.join(fields[:_MAX_FIELDS_LISTED])}."
        )


def uses_of_value(collection: Collection, value: str) -> list[ValueUse]:
    """The fields of all kinds that state a value, and ``title`` where things are called so; most uses first."""
    wanted, uses = value.strip().casefold(), []
    for kind in collection.kinds:
        rows: dict[str, list[FilterRow]] = {}
        for thing in kind.things:
            if thing.title.casefold() == wanted:
                own = tuple(fact for facts in thing.facts.values() for fact in facts)
                rows.setdefault("title", []).append((thing, own))
            for field, facts in thing.facts.items():
                if matching := tuple(fact for fact in facts if fact.value.casefold() == wanted):
                    rows.setdefault(field, []).append((thing, matching))
        uses += [ValueUse(kind=kind.name, field=field, rows=tuple(found)) for field, found in rows.items()]
    return sorted(uses, key=lambda use: -len(use.rows))


def field_name(written: str) -> str:
    """Normalise a field name: ``Superseded by`` is ``superseded-by``."""
    return re.sub(r"[\s_]+", "-", written.strip().lower())


def fact_of(thing: Thing, field: str) -> Fact | None:
    """The first fact of a thing for a field; None without one."""
    return next(iter(thing.facts.get(field_name(field), ())), None)


BUILT_IN_FIELDS: Final[Mapping[str, Callable[[Thing], str]]] = {
    "title": lambda thing: thing.title,
    "path": lambda thing: thing.path,
    "name": lambda thing: thing.name,
    "number": lambda thing: "" if thing.number is None else str(thing.number),
}
"""Fields of every thing that no line states, with how to get their values."""


def _select_kind(
    collection: Collection, kind: str, fields: Sequence[str]
) -> tuple[str, Sequence[Thing], Sequence[str]]:
    """The name of a kind, its things, and the fields they state."""
    wanted = kind.strip().lower()
    kinds = [*collection.kinds, *([collection.general] if collection.general else []), collection.files]
    if wanted:
        matching = [candidate for candidate in kinds if wanted in _names_of(candidate)]
        # A word for one kind may be the name of another: *file*.
        matching.sort(key=lambda candidate: wanted.rstrip("s") != candidate.name.lower().rstrip("s"))
        if not matching:
            names = ", ".join(candidate.name for candidate in kinds)
            raise ToolError(f"There are no documents of the kind {kind.strip()!r}.", f"Kinds: {names}.")
        return matching[0].name, matching[0].things, list(matching[0].fields)
    kinds_of_documents = [candidate for candidate in collection.kinds if not candidate.is_listed]
    stating = [
        candidate for candidate in kinds_of_documents if any(field in candidate.fields for field in fields)
    ] or kinds_of_documents
    if len(stating) == 1:
        return stating[0].name, stating[0].things, list(stating[0].fields)
    if not stating or not any(field in candidate.fields for candidate in stating for field in fields):
        return collection.files.name, collection.files.things, list(collection.files.fields)
    things = {thing.key: thing for candidate in stating for thing in candidate.things}
    field_counts = Counter[str]()
    for candidate in stating:
        field_counts.update(candidate.fields)
    return "document", list(things.values()), [name for name, _ in field_counts.most_common()]


def _names_of(kind: Kind) -> set[str]:
    names = {kind.name.lower(), *(word.lower() for word in kind.words)}
    return names | {f"{name}s" for name in names} | {f"{name[:-1]}ies" for name in names if name.endswith("y")}


def _values(thing: Thing, field: str) -> list[str]:
    if field in thing.facts:
        return list(dict.fromkeys(fact.value for fact in thing.facts[field]))
    built_in_value = BUILT_IN_FIELDS[field](thing) if field in BUILT_IN_FIELDS else ""
    return [built_in_value] if built_in_value else []


def _check_condition(thing: Thing, field: str, condition: str) -> tuple[bool, Fact | None]:
    facts = thing.facts.get(field, [])
    values = _values(thing, field)
    if condition.casefold() in _NO_VALUE:
        return not values, None
    if condition in ("", "*"):
        return bool(values), next(iter(facts), None)
    operator = next((sign for sign in _OPERATORS if condition.startswith(sign)), "=")
    options = [option.strip() for option in condition.removeprefix(operator).split("|") if option.strip()]
    if operator == "!=":
        return not any(_matches(value, "=", option) for value in values for option in options), next(iter(facts), None)
    for fact in facts:
        if any(_matches(fact.value, operator, option) for option in options):
            return True, fact
    return not facts and any(_matches(value, operator, option) for value in values for option in options), None


def _matches(value: str, operator: str, option: str) -> bool:
    if operator == "~":
        return option.casefold() in value.casefold()
    if operator == "=" and value.casefold().strip() == option.casefold():
        return True
    order = _compare(value, option)
    if order is None:
        return operator == "=" and _is_same_thing(value, option)
    match operator:
        case "<":
            return order < 0
        case "<=":
            return order <= 0
        case ">":
            return order > 0
        case ">=":
            return order >= 0
    return order == 0


def _compare(value: str, wanted: str) -> int | None:
    """Compare two values as dates, numbers or versions: below, equal or above 0; None if their types differ."""
    day = day_of(value)
    part = _PART_OF_DAY.fullmatch(wanted)
    if day is not None and part is not None:
        # A year or a month compares equal to each of its days.
        own: tuple[int, ...] = (day.year, day.month) if part[2] else (day.year,)
        other = tuple(int(group) for group in part.groups() if group)
        return (own > other) - (own < other)
    if day is not None and (other_day := day_of(wanted)) is not None:
        return (day > other_day) - (day < other_day)
    if _VERSION.fullmatch(value.strip()) or _VERSION.fullmatch(wanted):
        return compare_versions(value, wanted) if value[:1].isdigit() or value[:1] in "vV" else None
    figure, other_figure = figure_of(value), figure_of(wanted)
    if figure is None or other_figure is None:
        return None
    return (figure > other_figure) - (figure < other_figure)


def _is_same_thing(value: str, wanted: str) -> bool:
    """Whether both values have the same number: ``PEP 484``, ``484``, ``PEP-0484``."""
    number, wanted_number = _number(value), _number(wanted)
    return number is not None and number == wanted_number


def _number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isdigit() else number_of(text.replace("-", " ").upper())
