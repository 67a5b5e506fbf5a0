"""What is known of the names in a Chinese question: their columns, and what a number or an adjective is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from kbtui.data.nl2sql.chinese_line import Coded, added
from kbtui.data.nl2sql.grammar import Agg, Sketch
from kbtui.data.nl2sql.linking import Mention
from kbtui.data.nl2sql.model import SchemaModel
from kbtui.data.nl2sql.query import Ref
from kbtui.text.inflection import lemma
from kbtui.text.numbers import plain
from kbtui.text.word_lists import rows_in

_SECONDS: Final[dict[str, Fraction]] = {
    "millisecond": Fraction(1, 1000), "second": Fraction(1), "minute": Fraction(60), "hour": Fraction(3600),
    "day": Fraction(86400),
}  # fmt: skip
_SPANNING: Final = ("duration", "length", "runtime", "time", "long")


@dataclass(frozen=True, slots=True)
class _Nature:
    """Words of columns by what a group of rows has of them: a sum (sales) or a mean (prices)."""

    summed: frozenset[str]
    meant: frozenset[str]
    about: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
    """Words of columns that an adjective is about, and of those that run the other way: the oldest was born first."""


@lru_cache(maxsize=1)
def _nature() -> _Nature:
    rows = {row[0]: row[1] for row in rows_in(__package__, "measures.tsv")}
    about = {kind: words.partition(" | ") for kind, words in rows.items() if kind not in ("sum", "avg")}
    return _Nature(
        frozenset(rows["sum"].split()),
        frozenset(rows["avg"].split()),
        {kind: (tuple(same.split()), tuple(back.split())) for kind, (same, _, back) in about.items()},
    )


class Names:
    """The mentions of a line, as the clauses ask about them."""

    def __init__(self, coded: Coded, model: SchemaModel) -> None:
        self._coded = coded
        self._linked = coded.linked
        self._model = model
        self.sketch = Sketch()
        self.line = coded.line
        self._told = [m.tables[0][1] for m in self._linked.mentions if m.letter == "T"]

    def _mention(self, code: str) -> Mention:
        return self._linked.mentions[int(code[1:])]

    def _ref(self, code: str) -> Ref | None:
        mention = self._mention(code)
        return mention.columns[0][1] if code[0] == "C" and mention.columns else None

    def _table(self, code: str) -> str:
        mention = self._mention(code)
        if code[0] == "T":
            return mention.tables[0][1]
        refs = [ref for _, ref in mention.columns] or [ref for _, ref, _ in mention.values]
        return next((ref.table for ref in refs if ref.table in self._told), refs[0].table if refs else "")

    def _numeric(self, code: str) -> bool:
        return code[0] == "C" and any(self._model.is_number(ref) for _, ref in self._mention(code).columns[:2])

    def _words(self, code: str) -> set[str]:
        ref = self._ref(code)
        words = set(self._model.columns[ref].words) if ref is not None else set()
        return words | {lemma(word) for word in self._mention(code).text.lower().split()}

    def _of_many(self, code: str) -> Agg:
        """What several rows have of a measure together."""
        said = self._mention(code).said[-1:]
        if said and (said in _nature().summed or said in _nature().meant):
            return "sum" if said in _nature().summed else "avg"
        words = self._words(code)
        return "avg" if words & _nature().meant and not words & _nature().summed else "sum"

    def _summed(self, code: str) -> bool:
        words = self._words(code) | {self._mention(code).said[-1:]}
        return self._numeric(code) and bool(words & _nature().summed)

    def _dated(self, code: str) -> bool:
        ref = self._ref(code)
        return ref is not None and self._model.is_date(ref)

    def _measure_of(self, code: str) -> str:
        """The column of numbers that a word for a table may be meant as: a rating's stars."""
        table = self._table(code)
        told = [ref for score, ref in self._mention(code).columns if score >= 0.7 and self._model.is_number(ref)]
        refs = told or [ref for ref in self._model.columns if ref.table == table and self._model.is_number(ref)]
        if told or len(refs) == 1:
            self.sketch.tables.append(code)
            return added(self._linked, refs[0], "")
        return ""

    def _grouped(self, entity: str, measure: str) -> bool:
        """Whether one of ``entity`` has several rows of ``measure``."""
        ref = self._ref(measure)
        if ref is None:
            return False
        table = self._table(entity)
        tables = {r.table for _, r in self._mention(measure).columns if self._model.is_number(r)}
        if entity[0] == "T":
            return table not in tables
        column = self._ref(entity)
        if (
            column is None
            or self._numeric(entity)
            or self._mention(entity).text.lower().endswith(("name", "title", "email", "phone"))
        ):
            return False
        named = self._model.columns[column]
        return table not in tables or (
            column != self._model.display(table)
            and not self._model.is_key(column)
            and not {"name", "title", "id", "email"} & set(named.words)
        )

    def _about(self, adjective: str, first: str) -> tuple[Ref, bool] | None:
        """The column that an adjective is about, of the table it stands by or else of one that is named, and whether
        it runs the other way.
        """
        dates = adjective in ("date", "age")
        for table in dict.fromkeys(name for name in (first, *self._told) if name):
            for back, words in enumerate(_nature().about.get(adjective, ((), ()))):
                for word in words:
                    for ref in self._model.columns:
                        fits = ref.table == table and word in self._words_of(ref) and not self._model.is_key(ref)
                        if fits and (
                            self._model.is_number(ref)
                            or self._model.is_date(ref)
                            or (dates and word in ("year", "date", "birth"))
                        ):
                            return ref, bool(back)
            if adjective == "date":
                for ref in self._model.columns:
                    if ref.table == table and self._model.is_date(ref):
                        return ref, False
        return None

    def _column_for(self, unit: str) -> str:
        """The column that a number with this unit is about: a duration, an age."""
        words = {"year": ("age",), "": ()}.get(unit, (unit, *_SECONDS, *_SPANNING))
        tables = self._told or list(self._model.tables)
        for word in words:
            for ref in self._model.columns:
                if ref.table in tables and word in self._model.columns[ref].words and self._model.is_number(ref):
                    return added(self._linked, ref, "")
        return ""

    def _calendar(self, period: str) -> str:
        """The column that already says the year or the month, where none of the tables spoken of has a date."""
        refs = [ref for mention in self._linked.mentions for _, ref in mention.columns[:1]]
        tables = {*self._told, *(ref.table for ref in refs)}
        if any(ref.table in tables and self._model.is_date(ref) for ref in self._model.columns):
            return ""
        said = [ref for ref in self._model.columns if ref.table in tables and period in self._words_of(ref)]
        return added(self._linked, said[0], "") if said else ""

    def _converted(self, by: str, number: str) -> None:
        """3 minutes are 180,000 where a column counts milliseconds."""
        unit = self._coded.units.get(number, "")
        ref = self._ref(by)
        if ref is None or unit not in _SECONDS:
            return
        held = next((word for word in self._model.columns[ref].words if word in _SECONDS), "")
        mention = self._mention(number)
        if held and held != unit and mention.number is not None:
            mention.number = plain(Fraction(str(mention.number)) * _SECONDS[unit] / _SECONDS[held])

    def _person(self, code: str, context: Sequence[str]) -> list[str]:
        """First and last names of somebody, where a schema keeps them apart."""
        mention = self._mention(code)
        if code[0] == "T":
            table = self._table(code)
        elif {lemma(word) for word in mention.text.lower().split()} - set(
            self._model.tables[self._table(code)].words
        ) <= {"name", "full"}:
            bare = {lemma(word) for word in mention.text.lower().split()} <= {"name", "full"}
            near = [self._table(other) for other in context if other[0] == "T"]
            table = next((name for name in (*near, *self._told) if name), "") if bare else ""
            table = table or self._table(code)
            if any(
                ref.table == table and "first" not in self._words_of(ref) and "last" not in self._words_of(ref)
                for _, ref in mention.columns
            ):
                return [code]
        else:
            return [code]
        shown = self._words_of(self._model.display(table))
        if "name" in shown and not {"first", "last"} & set(shown):
            return [code]
        parts = [
            next(
                (
                    ref
                    for ref in self._model.columns
                    if ref.table == table and {part, "name"} <= set(self._words_of(ref))
                ),
                None,
            )
            for part in ("first", "last")
        ]
        if None in parts:
            return [code]
        if code[0] == "T":
            self.sketch.tables.append(code)
        return [added(self._linked, ref, mention.said) for ref in parts if ref is not None]

    def _naming(self, code: str) -> bool:
        ref = self._ref(code)
        return ref is None or ref == self._model.display(ref.table) or self._model.is_key(ref)

    def _words_of(self, ref: Ref) -> tuple[str, ...]:
        named = self._model.columns.get(ref)
        return named.words if named else ()

    def _holds(self, column: str, value: str) -> bool:
        held = {ref for _, ref in self._mention(column).columns}
        meant = {ref for _, ref, _ in self._mention(value).values}
        return bool(held & meant) or not meant
