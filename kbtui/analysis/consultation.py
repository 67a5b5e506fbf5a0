"""Says what could be analysed in a source, from the names of its tables alone: no columns, no statement (spec 004, 5).

Dimensions, charts and example questions follow from what kind of thing a table holds (something that happens, somebody,
somewhere, something) and from which tables go together, by their keys where the source tells them, else by their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.analysis.markdown import escaped
from kbtui.analysis.naming import humanised, name_stems, name_words, singular
from kbtui.domain.analysis import ForeignKey, Schema, Table
from kbtui.text.language import has_cjk
from kbtui.text.phrases import Phrases
from kbtui.text.word_lists import toml_in


@cache
def _phrases(language: str) -> Phrases:
    return Phrases(__package__, "advice.toml", language)


Kind = Literal["event", "person", "place", "thing", "other"]

_KINDS: Final[tuple[Kind, ...]] = ("event", "person", "place", "thing", "other")
_MOST_TABLES: Final = 6
_MOST_LINES: Final = 6
_MOST_COLUMNS: Final = 3
_MOST_KEYS: Final = 12


class Suggestions(Struct, frozen=True, kw_only=True):
    """What could be done with a source, a line of Markdown each.

    Attributes:
        dimensions: Sides from which the data can be looked at.
        charts: What to draw.
        queries: Questions to ask, as plain text.
    """

    dimensions: tuple[str, ...] = ()
    charts: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()


def advise(
    schema: Schema, language: str, answers: Callable[[str], bool] = lambda _query: True
) -> tuple[str, Suggestions]:
    """The advice as Markdown in ``en`` or ``zh``, and its parts.

    Args:
        schema: At the basic level; columns are looked at where there is only one table.
        answers: Whether a question would be answered as it is asked; no other is suggested.
    """
    words = _phrases(language)
    tables = _telling(schema.tables)
    if not tables:
        return words.empty.format(source=escaped(schema.source)), Suggestions()
    found = suggestions(schema, language)
    # To count the rows of a table takes no reading worth the name: that much can always be asked.
    counts = [words.ask_count.format(name=_label(table)) for table in tables]
    queries = [query for query in found.queries if answers(query)] or counts
    found = replace(found, queries=tuple(queries[:_MOST_LINES]))
    sizes = words.comma.join(_named(table, words) for table in tables)
    more = len(schema.tables) - len(tables)
    rest = words.more.format(count=more) if more > 0 else ""
    about = words.about.format(source=escaped(schema.source), tables=sizes, more=rest)
    keys = [_key_line(table, key, words) for table in tables for key in table.foreign_keys][:_MOST_KEYS]
    blocks = [
        about,
        f"**{words.dimensions}**\n\n" + "\n".join(f"- {line}" for line in found.dimensions),
        f"**{words.charts}**\n\n" + "\n".join(f"- {line}" for line in found.charts),
        f"**{words.queries}**\n\n" + "\n".join(f"- {escaped(query)}" for query in found.queries),
        words.note,
    ]
    if keys:
        blocks.insert(1, f"**{words.keys}**\n\n" + "\n".join(f"- {line}" for line in keys))
    return "\n\n".join(blocks), found


def _key_line(table: Table, key: ForeignKey, words: Phrases) -> str:
    return words.key.format(
        one=_code(table.name),
        columns=words.comma.join(map(_code, key.columns)),
        other=_code(key.referred_table),
        referred=words.comma.join(map(_code, key.referred_columns)),
    )


def suggestions(schema: Schema, language: str) -> Suggestions:
    """What the names of tables suggest, and those of columns where there is only one table.

    There are more queries than are shown, so that some may be left out.
    """
    words = _phrases(language)
    tables = _telling(schema.tables)
    if len(schema.tables) == 1 and schema.tables[0].columns:
        return _of_columns(schema.tables[0], words)
    pairs = _pairs(tables)
    names = {table.name: _label(table) for table in tables}
    of_kind: dict[Kind, list[str]] = {}
    for table in tables:
        of_kind.setdefault(kind_of_table(table), []).append(names[table.name])
    dimensions = [
        words.listing("dimension")[kind].format(name=words.comma.join(map(escaped, of_kind[kind])))
        for kind in _KINDS
        if kind in of_kind
    ]
    dimensions += [words.together.format(one=escaped(one), other=escaped(other)) for one, other, _ in pairs]
    events = of_kind.get("event", [])
    charts = [words.over_time.format(name=escaped(name)) for name in events[:2]]
    charts += [
        (words.shares if kind == "thing" else words.ranked).format(one=escaped(one), other=escaped(other))
        for one, other, kind in pairs[:2]
    ]
    charts += [words.counted.format(name=escaped(name)) for name in names.values()]
    counts = [words.ask_count.format(name=name) for name in names.values()]
    queries = [words.ask_over_time.format(name=name) for name in events[:1]]
    # Each pair is asked about in another way, so that the examples show what can be asked.
    asking = (words.ask_most, words.ask_per, words.ask_without)
    queries += [
        template.format(one=pairs[n % len(pairs)][0], other=pairs[n % len(pairs)][1])
        for n, template in enumerate(asking)
        if pairs
    ]
    queries += counts[:1] + [words.ask_over_time.format(name=name) for name in events[1:2]] + counts[1:]
    return Suggestions(
        dimensions=tuple(dimensions)[:_MOST_LINES],
        charts=(*tuple(dict.fromkeys(charts))[: _MOST_LINES - 2], words.spread),
        queries=tuple(dict.fromkeys(queries)),
    )


def _of_columns(table: Table, words: Phrases) -> Suggestions:
    plain = [column for column in table.columns if not column.is_key and "id" not in name_words(column.name)]
    amounts = [humanised(one.name) for one in plain if one.kind in ("number", "integer")][:_MOST_COLUMNS]
    days = [humanised(one.name) for one in plain if one.kind in ("date", "datetime")][:1]
    categories = [humanised(one.name) for one in plain if one.kind in ("text", "boolean")][:_MOST_COLUMNS]
    # The last number of a sheet is mostly what it is about: price and quantity come before their product.
    amounts.reverse()
    dimensions = [words.day.format(name=escaped(name)) for name in days]
    dimensions += [words.category.format(name=escaped(name)) for name in categories]
    dimensions += [words.amount.format(name=escaped(name)) for name in amounts]
    charts = [words.over_time_of.format(amount=escaped(amount)) for amount in amounts[:1] if days]
    charts += [
        words.by_category.format(amount=escaped(amount), name=escaped(name))
        for amount in amounts[:1]
        for name in categories[:2]
    ]
    charts += [words.spread_of.format(amount=escaped(amount)) for amount in amounts[:1]]
    queries = [words.ask_monthly.format(amount=amount) for amount in amounts[:1] if days]
    asking = (words.ask_total, words.ask_top, words.ask_average)
    queries += [
        template.format(amount=amount, name=name) for amount in amounts for name in categories for template in asking
    ]
    queries.append(words.ask_count.format(name=_label(table)))
    return Suggestions(
        dimensions=tuple(dimensions)[:_MOST_LINES],
        charts=tuple(charts)[:_MOST_LINES] or (words.spread,),
        queries=tuple(dict.fromkeys(queries)),
    )


def kind_of_table(table: Table) -> Kind:
    """What a table holds, by its name and comment; the last word of a name counts most."""
    for text in (table.name, table.comment):
        for word in reversed(name_words(text)):
            for kind, known in _kinds().items():
                if singular(word) in known or (has_cjk(word) and any(has_cjk(k) and k in word for k in known)):
                    return kind
    return "other"


@cache
def _kinds() -> Mapping[Kind, frozenset[str]]:
    table = toml_in(__package__, "consultation.toml")
    return {kind: frozenset(map(singular, words)) for kind, words in table["kinds"].items()}


def _telling(tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables to speak of: the largest, what happens before what there is, joining tables last."""
    order: Mapping[Kind, int] = {"event": 0, "person": 1, "thing": 1, "place": 1, "other": 2}
    ranked = sorted(
        (table for table in tables if table.row_estimate != 0),
        key=lambda table: (_joins(table, tables), order[kind_of_table(table)], -(table.row_estimate or 0)),
    )
    return tuple(ranked or tables)[:_MOST_TABLES]


def _joins(table: Table, tables: Sequence[Table]) -> bool:
    """True for a table named after two others, which says nothing that those do not."""
    stems = name_stems(table.name)
    others = [name_stems(other.name) for other in tables if other is not table]
    return len(stems) > 1 and stems == frozenset().union(*(words for words in others if words < stems))


def _pairs(tables: Sequence[Table]) -> list[tuple[str, str, Kind]]:
    """Labels of what happens and of whom or what it happens to, with the kind of the latter.

    By keys, by names, or because both are there; one pair for each that happens, before another one for any.
    """
    kinds = {table.name: kind_of_table(table) for table in tables}
    told = {(table.name, key.referred_table) for table in tables for key in table.foreign_keys}
    found: list[tuple[int, int, Table, Table]] = []
    happening = [table for table in tables if kinds[table.name] == "event"]
    partners = [table for table in tables if kinds[table.name] != "event"]
    for one in tables:
        related = [
            other
            for other in tables
            if other is not one and ((one.name, other.name) in told or name_stems(other.name) < name_stems(one.name))
        ]
        found += [(0, place, one, other) for place, other in enumerate(related)]
        if one in happening:
            # Each begins with another partner, so that not everything is looked at from the same side.
            turn = happening.index(one) % max(1, len(partners))
            others = [other for other in (*partners[turn:], *partners[:turn]) if other not in related]
            found += [(1, place, one, other) for place, other in enumerate(others)]
    found.sort(key=lambda pair: (pair[0], pair[1]))
    return [(_label(one), _label(other), kinds[other.name]) for _, _, one, other in found][:_MOST_LINES]


def _label(table: Table) -> str:
    comment = table.comment.strip()
    # A short comment is what people call the table.
    return comment if comment and len(comment) <= 20 and "\n" not in comment else humanised(table.name)


def _named(table: Table, words: Phrases) -> str:
    name = _code(table.name)
    return name if table.row_estimate is None else words.sized.format(name=name, rows=f"{table.row_estimate:,}")


def _code(name: str) -> str:
    return f"`{name.replace('`', '')}`"
