"""Facts about the rows of a table: the columns that identify them, their dates, their amount, their grain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final

from kbtui.nl2sql.catalogue import ColumnInfo, Edge, Kind, TableInfo
from kbtui.nl2sql.lexicon import concepts_of, lexicon, name_parts
from kbtui.nl2sql.name_hints import suggested, word_lists
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.references import KEY_WORDS, SourceWords
from kbtui.text.inflection import lemma
from kbtui.text.units import currencies

_GRAIN_ROWS: Final = (1.05, 60.0)
"""Minimum and maximum of the mean number of rows for each value of a grain."""


def naming_columns(table: TableInfo, *, of_another: bool = False) -> tuple[Ref, ...]:
    """The columns that identify a row to a reader: a name, first and last name, else the best available.

    Args:
        of_another: Whether first and last name belong to a person in another table that the row refers to.
    """
    first = [column for column in table.columns if {"first", "name"} <= set(column.words)]
    last = [column for column in table.columns if {"last", "name"} <= set(column.words)]
    best = max(
        ((_naming_score(column, table) - position * 0.01, column) for position, column in enumerate(table.columns)),
        key=lambda pair: pair[0],
        default=(0.0, None),
    )
    if first and last and best[0] < 5 and not of_another:
        return first[0].ref, last[0].ref
    if best[1] is None or best[0] < _MIN_NAMING_SCORE:
        return (table.key,) if table.key else ()
    return (best[1].ref,)


_MIN_NAMING_SCORE: Final = 0.5
_PLAIN_NAMES: Final = frozenset({"name", "title", "label", "姓名", "名称", "名字", "标题", "题目"})
_EXPLANATION_WORDS: Final = frozenset({"description", "detail", "meaning", "说明", "描述"})
"""Words of columns that identify the rows of a short list of codes."""
_KIND_SCORES: Final[dict[Kind, float]] = {"name": 2.0, "text": 0.9, "category": 0.4, "code": 0.8, "key": 0.6}


def _is_text(column: ColumnInfo) -> bool:
    """Whether values are text: teams are named, ranks are numbers."""
    return any(isinstance(value, str) for value, _ in column.values[:1])


def _naming_score(column: ColumnInfo, table: TableInfo) -> float:
    score = _KIND_SCORES.get(column.kind, 0.0)
    if not score:
        return 0.0
    plain_names, own, last = _PLAIN_NAMES, column.own, column.words[-1]
    if column.kind in ("name", "text", "category") and (own[-1] in plain_names or last in plain_names):
        score = 4.0 if len(own) == 1 else 2.8
        if len(own) > 1 and table.rows and column.distinct < 0.5 * table.rows:
            return 0.4  # The name of the customer does not identify an invoice.
        if column.words == (*table.words, "name") or (own[-1:] == ("name",) and {"full", "display"} & set(own)):
            score = 5.0
    elif not last.isascii() and column.kind == "name" and last.endswith("名"):
        score = 4.0
    elif column.words == table.words and column.kind in ("name", "category", "text"):
        score = 3.6
    elif (
        last in _EXPLANATION_WORDS
        and table.rows <= 60
        and column.kind != "text"
        and column.distinct >= 0.5 * table.rows
    ):
        score = 3.0
    elif column.kind == "name" and last not in plain_names:
        # The name of a person or firm that a row belongs to says less than any name of its own, and a column that only
        # resembles a name still less.
        score = 1.5 if suggested(column.words, "name") else 1.2
    elif column.kind == "category" and _is_text(column) and table.rows > 1 and column.distinct >= 0.8 * table.rows:
        score = 1.3
    if {"first", "last"} & set(column.words):
        score = min(score, 1.0)
    if table.rows and column.distinct < 0.5 * table.rows:
        score -= 1.6 if score >= 2.5 and last in plain_names else 1.2 if column.kind != "code" else 0.75
    return max(score, 0.0)


def is_named(column: ColumnInfo) -> bool:
    """Whether a column is called a name."""
    last = column.words[-1]
    return last in _PLAIN_NAMES or (not last.isascii() and last.endswith("名"))


_DATE_WORDS: Final = frozenset({"date", "time", "day", "on", "at", "timestamp", "datetime", "日期", "时间", "日"})


_MAX_NULLS: Final = 0.02
_STARTS, _ENDS = "start", "end"
_MIN_HEAD_COLUMNS: Final = 4
"""Columns that are filled once for each thing, from which that is no coincidence."""


def dates_of(table: TableInfo) -> tuple[Ref, ...]:
    """Date columns, the most usual one first."""
    lists = word_lists()["date_order"]
    dated = [(position, column) for position, column in enumerate(table.columns) if column.kind == "date"]
    words = {word for _, column in dated for word in column.words}

    def order(pair: tuple[int, ColumnInfo]) -> tuple[float, int]:
        position, column = pair
        # The date of the visit in a table of visits: named like the table, and nothing more specific.
        score = 2.5 * (column.own != column.words and set(column.own) <= _DATE_WORDS)
        # An appointment that starts and ends is when it starts, not when it was booked.
        score += 1.5 * (_STARTS in column.words and _ENDS in words)
        for word in column.words:
            if word.isascii():
                score += (word in lists["first"]) - 3 * (word in lists["last"])
            else:
                score += any(list_word in word for list_word in lists["first_zh"]) - 3 * any(
                    list_word in word for list_word in lists["last_zh"]
                )
        # A date that some rows lack is that of a later event.
        return (-score + 2 * column.nulls + (column.nulls > _MAX_NULLS), position)

    return tuple(column.ref for _, column in sorted(dated, key=order))


_TOTALS: Final = frozenset({"total", "net", "grand", "总", "实收", "合计", "总计"})
_PARTIAL_AMOUNTS: Final = frozenset(
    {"sub", "subtotal", "unit", "per", "average", "original", "expected", "estimated", "小计"}
)
_ASKED: Final = frozenset({"guide", "reserve", "opening", "asking", "list", "starting", "minimum", "保留", "起拍"})
"""Words of prices that nobody has paid yet."""
_PRICES: Final = frozenset({"price", "价"})
_PRICE_OF_EVENT: Final = 1.5
_MAX_UNPRICED: Final = 0.4
"""Greatest share of rows without the price: of some rows only it is a property of theirs."""


def amount_of(table: TableInfo) -> Ref | None:
    """The amount of a row: amounts before fares and costs, these before prices of events, taxes and deposits."""
    best = max(
        (
            (_amount_score(column, table.words) or _price_score(column, table), -position)
            for position, column in enumerate(table.columns)
        ),
        default=(0.0, 0),
    )
    return table.columns[-best[1]].ref if best[0] > 0 else None


def _price_score(column: ColumnInfo, table: TableInfo) -> float:
    """The score of what was paid for the one thing that a dated row without a quantity is about: a house, a lot."""
    is_paid = _has_word(column.words, _PRICES) and not _has_word(column.words, _ASKED | _PARTIAL_AMOUNTS)
    if column.kind != "rate" or not is_paid or column.nulls > _MAX_UNPRICED:
        return 0.0
    is_of_many = any("quantity" in concepts_of(other.words) for other in table.columns)
    return _PRICE_OF_EVENT if table.dates and not is_of_many else 0.0


def start_and_ends(dates: Iterable[ColumnInfo]) -> tuple[ColumnInfo, list[ColumnInfo]] | None:
    """The one date on which rows start, and those on which they end; None unless there are both.

    An appointment takes from its start to its end, not from when it was booked.
    """
    dates = list(dates)
    starts, ends = ([column for column in dates if concept in column.concepts] for concept in (_STARTS, _ENDS))
    return (starts[0], ends) if len(starts) == 1 and ends else None


def _amount_score(column: ColumnInfo, table: tuple[str, ...]) -> float:
    """3 for a main amount, 2 for another, 1 for an accompanying one; more for totals and for the table's own name."""
    if column.kind != "measure" or (column.unit and column.unit not in currencies()):
        return 0.0
    money_kinds = [sense_kinds for words in _phrases(column.words) for sense_kinds in _money_kinds(words)]
    if not money_kinds:
        return 0.0
    rank = 1.0 if any(all("beside" in kind for kind in sense_kinds) for sense_kinds in money_kinds) else 2.0
    if rank > 1 and any("main" in kind for sense_kinds in money_kinds for kind in sense_kinds):
        rank = 3.0 - (is_outlay(concepts_of(column.words)) and "expense" not in concepts_of(table))
    bonus = 0.4 * (column.own != column.words and bool(set(column.words) & set(table)))
    return rank + bonus + 0.3 * _has_word(column.words, _TOTALS) - 0.3 * _has_word(column.words, _PARTIAL_AMOUNTS)


def is_outlay(concepts: frozenset[str]) -> bool:
    """Whether the concepts of a column are expenses: what an order costs the seller is not what it brings in."""
    return "expense" in concepts and concepts <= {"expense", "spend", "cost"}


def _has_word(words: Sequence[str], vocabulary: frozenset[str]) -> bool:
    """Whether one of the words is in a vocabulary; for Chinese words, whether they contain an entry."""
    return any(word in vocabulary or (not word.isascii() and any(e in word for e in vocabulary)) for word in words)


def _money_kinds(words: Sequence[str]) -> Iterable[list[frozenset[str]]]:
    """For each part of a name, the kinds of its senses that are money."""
    by_part: dict[int, list[frozenset[str]]] = {}
    for part in name_parts(words):
        if _TOTALS.intersection(words[part.first : part.first + 1]) and concepts_of(words[part.last :]):
            continue  # The total of opened letters is no money.
        kinds = lexicon().kinds[part.sense.concept]
        if "money" in kinds or "beside" in kinds:
            by_part.setdefault(part.first, []).append(kinds)
    return by_part.values()


def _phrases(words: Sequence[str]) -> Iterable[Sequence[str]]:
    """All English words together, and each Chinese word alone, as the lexicon splits names."""
    english = [word for word in words if word.isascii()]
    yield from ([english] if english else [])
    yield from ([word] for word in words if not word.isascii())


def grain_of(table: TableInfo, edges: Iterable[Edge], source_words: SourceWords) -> Ref | None:
    """The reference or code that rows are parts of: the receipt of receipt lines."""
    lists = word_lists()["grain"]
    parents = {edge.left: edge.right.table for edge in edges}
    last = table.words[-1]
    is_line_table = last in lists["lines"] or (not last.isascii() and last.endswith(lists["lines_zh"]))
    if all(column.kind in ("reference", "key") for column in table.columns):
        return None
    if last in lists["own"] or last.endswith(
        (*lists["own_zh"], *map("".join, product(lists["own_zh"], lists["lines_zh"])))
    ):
        return None
    # The number of a post that has a key and a topic is its place in the topic.
    has_numbers_of_its_own = table.key is None or all(ref.table != table.name for ref in parents)
    for column in table.columns:
        if column.kind not in ("reference", "code", "name", "category") or column.nulls > 0.02 or not column.distinct:
            continue
        is_numbered = column.words[:-1] == table.words and column.words[-1] in KEY_WORDS
        if is_numbered and has_numbers_of_its_own and column.distinct < table.rows / 2:
            return column.ref  # Readings of meters in a table called meters.
        if not _GRAIN_ROWS[0] <= table.rows / column.distinct <= _GRAIN_ROWS[1]:
            continue
        if column.words[-1].isascii():
            ends = {*KEY_WORDS, "reference", *lists["en"]}
            is_grain_name = column.words[-1] in ends and not lists["en"].isdisjoint(column.words)
        else:
            is_grain_name = column.words[-1].endswith(lists["zh"])
        parent = parents.get(column.ref)
        if parent is not None:
            parent_words = set(source_words.tables.get(parent, ()))
            is_grain_name = is_line_table and (is_grain_name or bool(parent_words and parent_words <= set(table.words)))
        if is_grain_name and (parent is not None or column.kind in ("code", "reference")):
            return column.ref
    return None


def names_rows(text: str) -> bool:
    """Whether words ask for the rows themselves, not for what they are parts of: lines, entries, 明细."""
    lists = word_lists()["grain"]
    return lemma(text.lower().split()[-1]) in lists["rows"] or text.endswith(lists["rows_zh"])


def grain_of_first_lines(table: TableInfo) -> Ref | None:
    """The column whose distinct values are the things that the lines of a file belong to, if only the first line of
    each has what belongs to the whole: several columns are filled once for each order.
    """
    filled = Counter(round((1 - column.nulls) * table.rows) for column in table.columns if column.nulls > _MAX_NULLS)
    things, columns = max(filled.items(), key=lambda pair: pair[1], default=(0, 0))
    if columns < _MIN_HEAD_COLUMNS or things < 2:
        return None
    for column in table.columns:
        is_name = column.kind in ("reference", "code", "name", "category", "key") and column.nulls <= _MAX_NULLS
        if is_name and abs(column.distinct - things) <= _MAX_NULLS * things:
            return column.ref
    return None
