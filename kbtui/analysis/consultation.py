"""Suggests analyses of a source from the names of its tables, without columns or statements (spec 004, 5).

Dimensions, charts and example questions follow from the kinds of tables (events, people, places, things) and from their
relations, by foreign keys if the source has them, else by names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.analysis.markdown import escape
from kbtui.analysis.naming import as_phrase, name_stems, name_words, singular
from kbtui.domain.analysis import ForeignKey, Schema, Table
from kbtui.text.language import has_cjk
from kbtui.text.phrases import Phrases
from kbtui.text.word_lists import toml_in


@cache
def _phrases(language: str) -> Phrases:
    return Phrases(__package__, "advice.toml", language)


Kind = Literal["event", "person", "place", "thing", "other"]

_KINDS: Final[tuple[Kind, ...]] = ("event", "person", "place", "thing", "other")
_MAX_TABLES: Final = 6
_MAX_LINES: Final = 6
_MAX_COLUMNS: Final = 3
_MAX_KEYS: Final = 12


class Suggestions(Struct, frozen=True, kw_only=True):
    """Suggested analyses of a source, a line of Markdown each.

    Attributes:
        dimensions: Dimensions of the data.
        charts: Charts to draw.
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
        schema: At the basic level; columns are used if there is only one table.
        answers: Whether a question would be answered; no other is suggested.
    """
    words = _phrases(language)
    tables = _main_tables(schema.tables)
    if not tables:
        return words.empty.format(source=escape(schema.source)), Suggestions()
    suggested = suggestions(schema, language)
    # The number of rows can always be asked for.
    counts = [words.ask_count.format(name=_label(table)) for table in tables]
    queries = [query for query in suggested.queries if answers(query)] or counts
    suggested = replace(suggested, queries=tuple(queries[:_MAX_LINES]))
    sizes = words.comma.join(_sized_name(table, words) for table in tables)
    more = len(schema.tables) - len(tables)
    rest = words.more.format(count=more) if more > 0 else ""
    about = words.about.format(source=escape(schema.source), tables=sizes, more=rest)
    keys = [_key_line(table, key, words) for table in tables for key in table.foreign_keys][:_MAX_KEYS]
    blocks = [
        about,
        f"**{words.dimensions}**\n\n" + "\n".join(f"- {line}" for line in suggested.dimensions),
        f"**{words.charts}**\n\n" + "\n".join(f"- {line}" for line in suggested.charts),
        f"**{words.queries}**\n\n" + "\n".join(f"- {escape(query)}" for query in suggested.queries),
        words.note,
    ]
    if keys:
        blocks.insert(1, f"**{words.keys}**\n\n" + "\n".join(f"- {line}" for line in keys))
    return "\n\n".join(blocks), suggested


def _key_line(table: Table, key: ForeignKey, words: Phrases) -> str:
    return words.key.format(
        one=_code(table.name),
        columns=words.comma.join(map(_code, key.columns)),
        other=_code(key.referred_table),
        referred=words.comma.join(map(_code, key.referred_columns)),
    )


def suggestions(schema: Schema, language: str) -> Suggestions:
    """Suggestions by the names of tables, or of columns if there is only one table.

    There are more queries than are shown, because some may be dropped.
    """
    words = _phrases(language)
    tables = _main_tables(schema.tables)
    if len(schema.tables) == 1 and schema.tables[0].columns:
        return _column_suggestions(schema.tables[0], words)
    pairs = _related_pairs(tables)
    names = {table.name: _label(table) for table in tables}
    of_kind: dict[Kind, list[str]] = {}
    for table in tables:
        of_kind.setdefault(kind_of_table(table), []).append(names[table.name])
    dimensions = [
        words.listing("dimension")[kind].format(name=words.comma.join(map(escape, of_kind[kind])))
        for kind in _KINDS
        if kind in of_kind
    ]
    dimensions += [words.together.format(one=escape(first), other=escape(other)) for first, other, _ in pairs]
    events = of_kind.get("event", [])
    charts = [words.over_time.format(name=escape(name)) for name in events[:2]]
    charts += [
        (words.shares if kind == "thing" else words.ranked).format(one=escape(first), other=escape(other))
        for first, other, kind in pairs[:2]
    ]
    charts += [words.counted.format(name=escape(name)) for name in names.values()]
    counts = [words.ask_count.format(name=name) for name in names.values()]
    queries = [words.ask_over_time.format(name=name) for name in events[:1]]
    # Each pair gets another kind of question, so that the examples show the variety.
    asking = (words.ask_most, words.ask_per, words.ask_without)
    queries += [
        template.format(one=pairs[n % len(pairs)][0], other=pairs[n % len(pairs)][1])
        for n, template in enumerate(asking)
        if pairs
    ]
    queries += counts[:1] + [words.ask_over_time.format(name=name) for name in events[1:2]] + counts[1:]
    return Suggestions(
        dimensions=tuple(dimensions)[:_MAX_LINES],
        charts=(*tuple(dict.fromkeys(charts))[: _MAX_LINES - 2], words.spread),
        queries=tuple(dict.fromkeys(queries)),
    )


def _column_suggestions(table: Table, words: Phrases) -> Suggestions:
    data_columns = [column for column in table.columns if not column.is_key and "id" not in name_words(column.name)]
    amounts = [as_phrase(one.name) for one in data_columns if one.kind in ("number", "integer")][:_MAX_COLUMNS]
    days = [as_phrase(one.name) for one in data_columns if one.kind in ("date", "datetime")][:1]
    categories = [as_phrase(one.name) for one in data_columns if one.kind in ("text", "boolean")][:_MAX_COLUMNS]
    # The last number of a sheet is mostly its main measure: price and quantity precede their product.
    amounts.reverse()
    dimensions = [words.day.format(name=escape(name)) for name in days]
    dimensions += [words.category.format(name=escape(name)) for name in categories]
    dimensions += [words.amount.format(name=escape(name)) for name in amounts]
    charts = [words.over_time_of.format(amount=escape(amount)) for amount in amounts[:1] if days]
    charts += [
        words.by_category.format(amount=escape(amount), name=escape(name))
        for amount in amounts[:1]
        for name in categories[:2]
    ]
    charts += [words.spread_of.format(amount=escape(amount)) for amount in amounts[:1]]
    queries = [words.ask_monthly.format(amount=amount) for amount in amounts[:1] if days]
    asking = (words.ask_total, words.ask_top, words.ask_average)
    queries += [
        template.format(amount=amount, name=name) for amount in amounts for name in categories for template in asking
    ]
    queries.append(words.ask_count.format(name=_label(table)))
    return Suggestions(
        dimensions=tuple(dimensions)[:_MAX_LINES],
        charts=tuple(charts)[:_MAX_LINES] or (words.spread,),
        queries=tuple(dict.fromkeys(queries)),
    )


def kind_of_table(table: Table) -> Kind:
    """The kind of a table, by its name and comment; later words of a name take precedence."""
    for text in (table.name, table.comment):
        for word in reversed(name_words(text)):
            for kind, kind_words in _kinds().items():
                if singular(word) in kind_words or (
                    has_cjk(word) and any(has_cjk(k) and k in word for k in kind_words)
                ):
                    return kind
    return "other"


@cache
def _kinds() -> Mapping[Kind, frozenset[str]]:
    table = toml_in(__package__, "consultation.toml")
    return {kind: frozenset(map(singular, words)) for kind, words in table["kinds"].items()}


def _main_tables(tables: Sequence[Table]) -> tuple[Table, ...]:
    """The tables to mention: events first, larger ones first, join tables last."""
    order: Mapping[Kind, int] = {"event": 0, "person": 1, "thing": 1, "place": 1, "other": 2}
    ranked = sorted(
        (table for table in tables if table.row_estimate != 0),
        key=lambda table: (_is_join_table(table, tables), order[kind_of_table(table)], -(table.row_estimate or 0)),
    )
    return tuple(ranked or tables)[:_MAX_TABLES]


def _is_join_table(table: Table, tables: Sequence[Table]) -> bool:
    """Whether a table is named after two others."""
    stems = name_stems(table.name)
    others = [name_stems(other.name) for other in tables if other is not table]
    return len(stems) > 1 and stems == frozenset().union(*(words for words in others if words < stems))


def _related_pairs(tables: Sequence[Table]) -> list[tuple[str, str, Kind]]:
    """Pairs of labels: an event and its participant, with the kind of the participant.

    Related by keys or names, else any two; each event gets a first pair before any gets a second.
    """
    kinds = {table.name: kind_of_table(table) for table in tables}
    keyed = {(table.name, key.referred_table) for table in tables for key in table.foreign_keys}
    pairs: list[tuple[int, int, Table, Table]] = []
    events = [table for table in tables if kinds[table.name] == "event"]
    partners = [table for table in tables if kinds[table.name] != "event"]
    for first in tables:
        related = [
            other
            for other in tables
            if other is not first
            and ((first.name, other.name) in keyed or name_stems(other.name) < name_stems(first.name))
        ]
        pairs += [(0, place, first, other) for place, other in enumerate(related)]
        if first in events:
            # Each event begins with another partner, for variety.
            turn = events.index(first) % max(1, len(partners))
            others = [other for other in (*partners[turn:], *partners[:turn]) if other not in related]
            pairs += [(1, place, first, other) for place, other in enumerate(others)]
    pairs.sort(key=lambda pair: (pair[0], pair[1]))
    return [(_label(first), _label(other), kinds[other.name]) for _, _, first, other in pairs][:_MAX_LINES]


def _label(table: Table) -> str:
    comment = table.comment.strip()
    # A short comment is the title of the table.
    return comment if comment and len(comment) <= 20 and "\n" not in comment else as_phrase(table.name)


def _sized_name(table: Table, words: Phrases) -> str:
    name = _code(table.name)
    return name if table.row_estimate is None else words.sized.format(name=name, rows=f"{table.row_estimate:,}")


def _code(name: str) -> str:
    return f"`{name.replace('`', '')}`"
