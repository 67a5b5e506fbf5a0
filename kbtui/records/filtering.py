"""Things of a kind chosen by what they state, field by field: what a program asks that needs no sentence read.

A condition is a text: ``Final`` (equal, in any case), ``Draft|Accepted`` (one of them), ``!=Final``, ``>=2020-01-01``,
``<3.9``, ``~typing`` (has these letters), ``*`` (states the field), ``none`` (does not). Days, figures and versions are
compared as such; of a thing that is named, its number is enough: ``484`` for ``PEP 484``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final

from msgspec import Struct

from kbtui.errors import ToolError
from kbtui.knowledge.relations.labels import number_of
from kbtui.records.collection import Collection
from kbtui.records.kinds import Fact, Kind, Thing
from kbtui.records.typed import compare_versions, figure_of
from kbtui.text.days import day_of

_OPERATORS: Final = ("!=", "<=", ">=", "<", ">", "~", "=")
_NONE: Final = frozenset({"none", "null", "missing", "无"})
_PART_OF_DAY = re.compile(r"((?:19|20)\d\d)(?:-(\d{1,2}))?")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+\w*", re.IGNORECASE)
_UNSTATED: Final = "not stated"
_SHOWN: Final = 12
"""Names of fields that an error lists."""


class Chosen(Struct, frozen=True, kw_only=True):
    """What a filter left.

    Attributes:
        kind: What the things are called.
        of: Things there were before.
        rows: Each thing that is left, with the fact that a condition rests on; None where it rests on none.
    """

    kind: str
    of: int
    rows: tuple[tuple[Thing, Fact | None], ...]


def chosen(collection: Collection, kind: str, where: Mapping[str, str]) -> Chosen:
    """The things of a kind that meet every condition, in the order of their numbers or paths.

    Args:
        kind: Name of a kind, or a word for one; ``file`` for files whatever they state; empty for every kind whose
            things state the fields.
        where: Conditions by field.

    Raises:
        ToolError: There is no such kind or field; the hint names those there are.
    """
    wanted = {field_name(name): condition.strip() for name, condition in where.items()}
    name, things, known = _things(collection, kind, tuple(wanted))
    if unknown := [field for field in wanted if field not in known and field not in _OWN]:
        raise ToolError(f"No {name} states the field {unknown[0]!r}.", f"Fields: {', '.join(known[:_SHOWN])}.")
    rows = []
    for thing in things:
        proof: Fact | None = None
        for field, condition in wanted.items():
            holds, fact = _holds(thing, field, condition)
            if not holds:
                break
            proof = proof or fact
        else:
            rows.append((thing, proof))
    rows.sort(key=lambda row: (row[0].number is None, row[0].number or 0, row[0].key))
    return Chosen(kind=name, of=len(things), rows=tuple(rows))


def ordered(rows: Sequence[tuple[Thing, Fact | None]], by: str) -> list[tuple[Thing, Fact | None]]:
    """Rows by a field, smallest first, or largest with a ``-`` in front of it; those without it come last."""
    field, largest_first = field_name(by.removeprefix("-")), by.startswith("-")
    stated = [(key, row) for row in rows if (key := _sort_key(row[0], field)) is not None]
    stated.sort(key=lambda pair: pair[0], reverse=largest_first)
    last = [row for row in rows if _sort_key(row[0], field) is None]
    return [row for _, row in stated] + last


def counted_by(rows: Sequence[tuple[Thing, Fact | None]], field: str) -> Counter[str]:
    """How many things state each value of a field: one with several counts for each, one with none as *not stated*."""
    name = field_name(field)
    found: Counter[str] = Counter()
    for thing, _ in rows:
        found.update(_values(thing, name) or [_UNSTATED])
    return found


def field_name(written: str) -> str:
    """A field as the records call it: ``Superseded by`` is ``superseded-by``."""
    return re.sub(r"[\s_]+", "-", written.strip().lower())


def fact_of(thing: Thing, field: str) -> Fact | None:
    """The first line that states a field of a thing."""
    return next(iter(thing.facts.get(field_name(field), ())), None)


_OWN: Final[Mapping[str, Callable[[Thing], str]]] = {
    "title": lambda thing: thing.title,
    "path": lambda thing: thing.path,
    "name": lambda thing: thing.name,
    "number": lambda thing: "" if thing.number is None else str(thing.number),
}
"""What every thing has, though no line states it."""


def _things(collection: Collection, kind: str, fields: Sequence[str]) -> tuple[str, Sequence[Thing], Sequence[str]]:
    """What they are called, the things, and the fields that they state."""
    asked = kind.strip().lower()
    kinds = [*collection.kinds, *([collection.general] if collection.general else []), collection.files]
    if asked:
        named = [one for one in kinds if asked in _names(one)]
        if not named:
            names = ", ".join(one.name for one in kinds)
            raise ToolError(f"There are no documents of the kind {kind.strip()!r}.", f"Kinds: {names}.")
        return named[0].name, named[0].things, list(named[0].fields)
    own = [one for one in collection.kinds if not one.is_listed]
    stating = [one for one in own if any(field in one.fields for field in fields)] or own
    if len(stating) == 1:
        return stating[0].name, stating[0].things, list(stating[0].fields)
    if not stating or not any(field in one.fields for one in stating for field in fields):
        return collection.files.name, collection.files.things, list(collection.files.fields)
    things = {thing.key: thing for one in stating for thing in one.things}
    known = Counter[str]()
    for one in stating:
        known.update(one.fields)
    return "document", list(things.values()), [name for name, _ in known.most_common()]


def _names(kind: Kind) -> set[str]:
    names = {kind.name.lower(), *(word.lower() for word in kind.words)}
    return names | {f"{name}s" for name in names} | {f"{name[:-1]}ies" for name in names if name.endswith("y")}


def _values(thing: Thing, field: str) -> list[str]:
    if field in thing.facts:
        return list(dict.fromkeys(fact.value for fact in thing.facts[field]))
    own = _OWN[field](thing) if field in _OWN else ""
    return [own] if own else []


def _holds(thing: Thing, field: str, condition: str) -> tuple[bool, Fact | None]:
    facts = thing.facts.get(field, [])
    values = _values(thing, field)
    if condition.casefold() in _NONE:
        return not values, None
    if condition in ("", "*"):
        return bool(values), next(iter(facts), None)
    operator = next((one for one in _OPERATORS if condition.startswith(one)), "=")
    wanted = [one.strip() for one in condition.removeprefix(operator).split("|") if one.strip()]
    if operator == "!=":
        return not any(_meets(value, "=", one) for value in values for one in wanted), next(iter(facts), None)
    for fact in facts:
        if any(_meets(fact.value, operator, one) for one in wanted):
            return True, fact
    return not facts and any(_meets(value, operator, one) for value in values for one in wanted), None


def _meets(value: str, operator: str, wanted: str) -> bool:
    if operator == "~":
        return wanted.casefold() in value.casefold()
    if operator == "=" and value.casefold().strip() == wanted.casefold():
        return True
    order = _compared(value, wanted)
    if order is None:
        return operator == "=" and _is_same_thing(value, wanted)
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


def _compared(value: str, wanted: str) -> int | None:
    """Below, equal or above, as days, figures or versions; None where they are none of one sort."""
    day = day_of(value)
    part = _PART_OF_DAY.fullmatch(wanted)
    if day is not None and part is not None:
        # A year or a month stands for all its days.
        own: tuple[int, ...] = (day.year, day.month) if part[2] else (day.year,)
        other = tuple(int(one) for one in part.groups() if one)
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
    """Whether both name one thing by its number: ``PEP 484``, ``484``, ``PEP-0484``."""
    one, other = _number(value), _number(wanted)
    return one is not None and one == other


def _number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isdigit() else number_of(text.replace("-", " ").upper())


def _sort_key(thing: Thing, field: str) -> tuple[int, float, str] | None:
    values = _values(thing, field)
    if not values:
        return None
    day = day_of(values[0])
    if day is not None:
        return 0, (day - date.min).days, ""
    figure = figure_of(values[0])
    if figure is not None:
        return 1, figure, ""
    return 2, 0.0, values[0].casefold()
