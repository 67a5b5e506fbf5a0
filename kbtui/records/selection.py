"""What has been read of a question about a set of entries, and the statement that it comes to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kbtui.records.kinds import Fact, Kind, Thing

if TYPE_CHECKING:
    from kbtui.records.tables import Tables


class Selection(Struct, kw_only=True):
    """What has been read of a question so far.

    Attributes:
        rest: The question in lower case, without the words that were read.
        conditions: In SQL.
        said: The same in words.
        things: Those that are left where a topic or a clause has chosen among them; None where all are.
        proofs: By key of a thing the line that says what is asked.
        joined: Fields that things state several times, each with the value that is asked for.
        counting: Whether their number is asked for.
        when: Whether their day is asked for.
        order: ``DESC`` for the newest first, ``ASC`` for the oldest; the first ``limit`` of them.
        sized: The same by length, and how many.
        spanned: A field of which the first and the last value are asked for.
    """

    kind: Kind
    rest: str
    conditions: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    joined: list[tuple[str, str]] = field(default_factory=list)
    things: list[Thing] | None = None
    proofs: dict[str, Fact] = field(default_factory=dict)
    counting: bool = False
    when: bool = False
    order: str = ""
    limit: int = 0
    sized: tuple[str, int] = ("", 0)
    spanned: str = ""

    @property
    def asks(self) -> bool:
        """Whether anything is asked of the things, or any of them are told from the others."""
        chooses = self.conditions or self.joined or self.things
        return bool(chooses or self.order or self.sized[0] or self.counting or self.spanned)

    def take(self, match: re.Match[str]) -> None:
        """Leave out the words of a match."""
        self.rest = f"{self.rest[: match.start()]} {self.rest[match.end() :]}"

    def takes(self, pattern: re.Pattern[str]) -> bool:
        """Whether a word of the question is one of these; it is left out then."""
        match = pattern.search(self.rest)
        if match is not None:
            self.take(match)
        return match is not None

    def add(self, condition: str, said: str) -> None:
        """One more condition."""
        self.conditions.append(condition)
        self.said.append(said)


def _cell(expression: str, field: str) -> str:
    """A year is no quantity, which would be shown with a separator."""
    return f"CAST({expression} AS INTEGER)" if field == "year" else expression


def statement(tables: Tables, chosen: Selection) -> str:
    """The statement that a selection comes to; empty where it cannot be said."""
    kind, key = chosen.kind, tables.key_of(chosen.kind)
    counting, order, sized, spanned = chosen.counting, chosen.order, chosen.sized, chosen.spanned
    owner = f'"{kind.name}"'
    shown = [f'{owner}."title"', *([f'{owner}."date"'] if "date" in kind.fields and (chosen.when or order) else [])]
    if counting or spanned:
        shown = ["COUNT(*)"] * counting
        shown += [_cell(f'{end}({owner}."{spanned}")', spanned) for end in ("MIN", "MAX")] if spanned else []
        counting = True
    joined = []
    conditions = [
        re.sub(r'(?<![."])("(?:version|series|level|stage|date|folder|language)")', rf"{owner}.\1", c)
        for c in chosen.conditions
    ]
    if len({name for name, _ in chosen.joined}) < len(chosen.joined):
        return ""
    for name, value in chosen.joined:
        place = next((p for p in tables.places.values() if p.kind.name == kind.name and p.field == name), None)
        if place is None:
            return ""
        if place.table != kind.name:
            joined.append(f'JOIN "{place.table}" ON "{place.table}"."{kind.name}_{key}" = {owner}."{key}"')
        quoted = value.replace("'", "''")
        conditions.append(f'"{place.table}"."{place.column}" = \'{quoted}\'')
    if chosen.things is not None:
        keys = ", ".join("'" + str(tables.key(kind, thing)).replace("'", "''") + "'" for thing in chosen.things)
        conditions.append(f'{owner}."{key}" IN ({keys})')
    if chosen.when and not order and not counting:
        conditions.append(f'{owner}."date" IS NOT NULL')
    by_size = bool(sized[0]) and not counting
    if by_size:
        shown.append(f'{owner}."lines"')
    sql = f"SELECT {', '.join(shown)} FROM {owner} {' '.join(joined)}"  # noqa: S608 - names and values made here
    if order and "date" in kind.fields:
        conditions.append(f'{owner}."date" IS NOT NULL')
    if conditions:
        sql += f" WHERE {' AND '.join(conditions)}"
    if by_size:
        return f'{sql} ORDER BY {owner}."lines" {sized[0]} LIMIT {sized[1]}'
    by = [f'{owner}."{name}" {order}'.strip() for name in ("date", "version") if name in kind.fields]
    if by and not counting:
        sql += f" ORDER BY {', '.join(by)}" + (f" LIMIT {chosen.limit}" if order else "")
    return sql
