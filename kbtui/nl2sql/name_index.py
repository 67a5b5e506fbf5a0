"""Indexes names of tables and columns: by stems, parts of Chinese names, concepts and glosses."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from kbtui.nl2sql.catalogue import TIMES, Catalogue, ColumnInfo, TableInfo
from kbtui.nl2sql.glosses import glosses_of, is_homophone, typed_sound
from kbtui.nl2sql.lattice import How
from kbtui.nl2sql.lexicon import LONGEST_CHINESE, Neighbour, is_kind, lexicon, name_parts
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.row_facts import is_outlay
from kbtui.question.words import words as spoken
from kbtui.text.inflection import root
from kbtui.text.language import has_cjk, simplified
from kbtui.text.units import canonical_units

MAX_POSTINGS: Final = 60
"""Postings of one key that are used, beside those of mentioned tables: those that cover most of a name."""

_SAME: Final = Neighbour(0.78)
_GLOSS: Final = 0.7
_SUMS: Final = frozenset(("revenue", "expense", "spend"))
"""Concepts whose words, as table names, may ask for sums."""
_TABLE_AS_SUM: Final = 0.93
_FORMULA_NAME: Final = 0.9
"""Factor for the names of calculated columns."""
_EMPTY_COLUMN: Final = 0.6
"""Factor for the names of columns without any value, which exports have many of."""
_CALCULATED: Final = 0.9
"""Score of the concept of a calculated column."""
_ACCOMPANYING: Final = 0.7
_KEY_OF_TABLE: Final = 0.75
_SHORTENED: Final = 0.95
"""Factor for a table name without words about record keeping."""
_CHARACTER: Final = 0.78
"""Score of one of the two characters of the Chinese name of an event: 寄 of 寄件."""
GROUPING_PREFIX: Final = "各"
"""Prefix of the keys of characters that group rows."""
_CATEGORY_CHARACTER: Final = 0.78
_EXCLUDED_CHARACTERS: Final = frozenset("年月日周天时季个人位种类项名号")
_RECORD_WORDS: Final = re.compile(r"(?:记录|明细|流水|台账|登记|信息|数据|清单|单据|档案|汇总|单|表)+$")
"""Record-keeping words at the end of Chinese table names."""
_KEY_SUFFIX: Final = re.compile(r"(?:编号|编码|代码|号码|号|码|id)$", re.I)
_HEAD, _WORD, _GENERIC_HEAD, _EMPTY_WORD = 1.2, 1.0, 0.8, 0.15
_EMPTY: Final = frozenset(
    ("of", "is", "has", "the", "in", "to", "and", "tbl", "info", "data", "list", "table", "master", "average")
)
_TRAILING: Final = _EMPTY | {"on", "at", "by", "from", "for"}
"""Words with little meaning at the end of a name: ``created_on`` is about the creation."""
_NUMBER_OF: Final = re.compile(r"(?<=[^订])(?:订单|流水|批次|凭证|单)号$")
"""Heads of Chinese names of numbers of bookings."""
_BEFORE_NUMBER: Final = 0.3
"""Weight of a character before such a head, compared with one of it."""
_DATE_HEADS: Final = frozenset(("date", "time"))
_DATE_HEAD: Final = 0.4
_ENDS: Final = (
    ("from", "start", "origin", "departure", "pickup", "source"),
    ("to", "end", "destination", "arrival", "dropoff", "return"),
)
"""Words for the start of a movement and for its end, as roles of places have them."""
_MAX_GLOSSED: Final = 4
_PAIR: Final = 2


class Entry(Struct, frozen=True, eq=False):
    """A column or table under one sequence of words.

    Attributes:
        weights: Weight of each unit (word, or Chinese character) of the name; 0 for words of the table's name.
        scale: Score of the whole name; less than 1 for the words of a key as the name of its table.
        lookup: Whether it is a lookup table, which may be called by a category: a status, a type.
    """

    ref: Ref
    weights: tuple[float, ...]
    scale: float = 1.0
    column: ColumnInfo | None = None
    lookup: bool = False

    def share(self, mask: int) -> float:
        """Share of the name that the units of a bit mask cover, 0 to 1."""
        covered = sum(weight for at, weight in enumerate(self.weights) if mask >> at & 1)
        return covered / (sum(self.weights) or 1.0)


class Posting(NamedTuple):
    """One key of an entry: the units of the name that it stands for, as a bit mask, with a score."""

    entry: Entry
    mask: int
    share: float
    score: float = 1.0
    how: How = "exact"


class NameIndex(Struct):
    """Postings by key.

    Attributes:
        by_stem: Postings by stems of words or glosses, parts of Chinese names, and initials.
        by_concept: Postings by concepts of the lexicon.
        words: Stems by word of all names, for corrections of typos.
        by_sound: Chinese keys of `by_stem` by their sound, for the same.
    """

    by_stem: dict[str, list[Posting]] = field(default_factory=lambda: defaultdict(list))
    by_concept: dict[str, list[Posting]] = field(default_factory=lambda: defaultdict(list))
    words: dict[str, str] = field(default_factory=dict)
    by_sound: dict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))

    def misspelt(self, chinese: str) -> Iterator[str]:
        """Keys of `by_stem` that a Chinese word with wrong characters of the same sound means: 迟到 for 尺到."""
        return (key for key in self.by_sound.get(typed_sound(chinese), ()) if is_homophone(chinese, key))

    def stems(self, key: str, tables: Collection[str]) -> Iterable[Posting]:
        """Postings of a stem; those of ``tables`` are preferred if there are many."""
        return _best(self.by_stem.get(key, []), tables)

    def concepts(self, concept: str, tables: Collection[str]) -> Iterable[tuple[Posting, Neighbour]]:
        """Postings of a concept and of its neighbours, with their similarity."""
        for posting in _best(self.by_concept.get(concept, []), tables):
            yield posting, _reduced(_SAME, posting)
        for other, neighbour in lexicon().near.get(concept, {}).items():
            if _accompanies(concept, other) or _accompanies(other, concept):
                neighbour = neighbour._replace(score=_ACCOMPANYING * neighbour.score)
            for posting in _best(self.by_concept.get(other, []), tables, MAX_POSTINGS // 3):
                yield posting, _reduced(neighbour, posting)


def _reduced(neighbour: Neighbour, posting: Posting) -> Neighbour:
    """The neighbour, with a lower score for postings with a lower one."""
    if posting.score >= _SAME.score:
        return neighbour
    return neighbour._replace(score=neighbour.score * posting.score / _SAME.score)


def _accompanies(concept: str, other: str) -> bool:
    """Whether the first concept is money that accompanies the second: a tax is not the amount of a sale."""
    kinds = lexicon().kinds
    return "beside" in kinds.get(concept, ()) and "main" in kinds.get(other, ())


def _best(postings: list[Posting], tables: Collection[str], most: int = MAX_POSTINGS) -> Sequence[Posting]:
    if len(postings) <= most:
        return postings
    return [*postings[:most], *(posting for posting in postings[most:] if posting.entry.ref.table in tables)]


def column_index(catalogue: Catalogue) -> NameIndex:
    """The index of all columns, by the words of their names."""
    index = NameIndex()
    for table in catalogue.tables.values():
        for column in (*table.columns, *table.calculated):
            scale = 1.0 if column.formula is None else _FORMULA_NAME
            if table.rows and column.nulls == 1.0:
                scale = _EMPTY_COLUMN
            entry = _add(index, column.ref, column.words, set(column.own or column.words), scale=scale, column=column)
            if column.encoding == "hundredths" and not is_kind(column.concepts, "money"):
                # The cents of parts are what they cost.
                own = {*(column.own or column.words), "cost"}
                _add(index, column.ref, (*column.words, "cost"), own, scale=_SHORTENED, column=column)
            for concept in column.concepts if column.formula is not None else ():
                _post(index.by_concept, concept, entry, 0, len(entry.weights), _CALCULATED, "concept")
            if column.ref == table.amount:
                _add_amount(index, entry, table, of_events=not _has_event_amounts(catalogue, column))
            elif column.unit in TIMES and table.words[-1] == "time" and len(table.words) > 1:
                # “Down time by machine” asks for a sum of minutes.
                for key in (root("".join(table.words)), " ".join(map(root, table.words))):
                    _post(index.by_stem, key, entry, 0, len(entry.weights), _TABLE_AS_SUM, "concept")
            if column.kind in ("category", "name", "code"):
                _add_category(index, entry, column.words)
    return _sorted(index)


def _has_event_amounts(catalogue: Catalogue, column: ColumnInfo) -> bool:
    """Whether the sums asked for are those of events of the rows, not of this column.

    The balance of a member is not the sum of the orders, the fee of a course not the sum of the payments.
    """
    if column.formula is not None or is_kind(column.concepts, "main"):
        return False
    children = {edge.left.table for edge in catalogue.arriving(catalogue.without_role(column.ref.table))}
    children |= {edge.left.table for name in children for edge in catalogue.arriving(name)}
    amounts = (catalogue.column(ref) for name in children if (ref := catalogue.tables[name].amount) is not None)
    return any(
        column_info is not None and (column_info.formula is not None or is_kind(column_info.concepts, "main"))
        for column_info in amounts
    )


def _add_amount(index: NameIndex, entry: Entry, table: TableInfo, *, of_events: bool) -> None:
    """Index an amount under every word for such a sum, and under table names such as sales.

    The net amount of sales is their revenue; ``sales by month`` sums it.
    """
    units = len(entry.weights)
    score = _SAME.score if of_events else _SAME.score * _ACCOMPANYING
    for concept in lexicon().main:
        if concept == "revenue" and entry.column is not None and is_outlay(entry.column.concepts):
            continue  # What was spent answers no question about sales.
        _post(index.by_concept, concept, entry, 0, units, score, "concept")
    for chunk, is_chinese in _chunks(table.words):
        for part in name_parts(chunk):
            if part.sense.concept in _SUMS:
                key = chunk[0][part.first : part.last] if is_chinese else root(" ".join(chunk[part.first : part.last]))
                _post(index.by_stem, key, entry, 0, units, _TABLE_AS_SUM, "concept")


def table_index(catalogue: Catalogue) -> NameIndex:
    """The index of all tables, by the words of their names, of their naming columns and of their keys."""
    index = NameIndex()
    for name, table in catalogue.tables.items():
        ref = Ref(name, "*")
        _add(index, ref, (*table.module, *table.words), set(table.words), lookup=catalogue.is_lookup(name))
        for words in _names_from_keys(catalogue, table):
            _add(index, ref, words, set(words), scale=_KEY_OF_TABLE)
        for words in _names_of_ends(table):
            _add(index, ref, words, set(words))
        for short_name, scale in _short_names(table):
            _add(index, ref, (short_name,), {short_name}, scale=scale)
    return _sorted(index)


def _names_from_keys(catalogue: Catalogue, table: TableInfo) -> Iterator[tuple[str, ...]]:
    """Names of rows from their keys: ``order_id``, ``customer_name``, 账单号; 单 counts the rows of 快递单."""
    table_words = set(table.words)
    refs = dict.fromkeys(ref for ref in (table.key, table.grain, *table.naming) if ref is not None)
    columns = [column for column in map(catalogue.column, refs) if column is not None]
    # Repeated values do not name the rows: there are fewer donors than gifts.
    columns = [c for c in columns if c.ref == table.grain or table.is_identified_by(c)]
    for column in columns:
        if len(column.words) != 2 or has_cjk("".join(column.words)):
            continue
        if column.words[0] not in table_words and column.words[1] in (
            "id",
            "name",
            "code",
            "number",
            "no",
            "key",
            "title",
        ):
            yield column.words[:1]
    numbered = {_KEY_SUFFIX.sub("", column.words[-1]) for column in columns if column.words} - {"", *table_words}
    chinese = [word for word in (*sorted(numbered), *table.words[-1:]) if has_cjk(word)]
    yield from ((word,) for word in chinese if word not in table_words)
    yield from ((word,) for word in dict.fromkeys(word[-1] for word in chinese) if word in spoken().measures)


def _names_of_ends(table: TableInfo) -> Iterator[tuple[str, ...]]:
    """Other names of the role in which rows are where something starts or ends: ``start station`` for from station."""
    for ends in _ENDS if table.role_of else ():
        at = next((at for at, word in enumerate(table.words) if word in ends), None)
        if at is not None:
            yield from ((*table.words[:at], end, *table.words[at + 1 :]) for end in ends if end not in table.words)


def _short_names(table: TableInfo) -> Iterator[tuple[str, float]]:
    """停车 for 停车记录, and 停 and 车: Chinese names of events often are a verb and an object, and either is used."""
    name = table.words[-1] if len(table.words) == 1 else ""
    core = _RECORD_WORDS.sub("", name) if has_cjk(name) else ""
    if core not in ("", name):
        yield core, _SHORTENED
    if len(core) == _PAIR and table.dates and not is_kind(table.concepts, "person"):
        yield from ((character, _CHARACTER) for character in core if character not in spoken().measures)


def _add_category(index: NameIndex, entry: Entry, words: Sequence[str]) -> None:
    """Index a category under the last two characters of its name with `GROUPING_PREFIX`: 各栋, 哪个班."""
    name = _KEY_SUFFIX.sub("", words[-1]) if words else ""
    if has_cjk(name):
        for character in set(name[-_PAIR:]) - _EXCLUDED_CHARACTERS:
            _post(index.by_stem, GROUPING_PREFIX + character, entry, 0, len(entry.weights), _CATEGORY_CHARACTER, "part")


def _sorted(index: NameIndex) -> NameIndex:
    for postings in (*index.by_stem.values(), *index.by_concept.values()):
        postings.sort(key=lambda posting: -posting.share)
    return index


def _add(
    index: NameIndex,
    ref: Ref,
    words: Sequence[str],
    own: set[str],
    *,
    scale: float = 1.0,
    column: ColumnInfo | None = None,
    lookup: bool = False,
) -> Entry:
    chunks = list(_chunks(words))
    entry = Entry(ref, tuple(_weights(chunks, own)), scale, column, lookup)
    first = 0
    for chunk, is_chinese in chunks:
        keys = _chinese_keys(chunk[0]) if is_chinese else _english_keys(index, chunk)
        for key, start, end, score, how in keys:
            if is_chinese and how == "exact" and len(key) > 1 and (sound := typed_sound(key)):
                index.by_sound[sound][key] = None
            _post(index.by_stem, key, entry, first + start, first + end, score, how)
        for part in name_parts(chunk):
            start, end = first + part.first, first + part.last
            _post(index.by_concept, part.sense.concept, entry, start, end, _SAME.score, "concept")
        first += len(chunk[0]) if is_chinese else len(chunk)
    return entry


def _post(
    postings: dict[str, list[Posting]], key: str, entry: Entry, start: int, end: int, score: float, how: How
) -> None:
    mask = (1 << end) - (1 << start)
    if not any(posting.entry is entry and posting.mask == mask for posting in postings[key][-4:]):
        postings[key].append(Posting(entry, mask, entry.share(mask), score, how))


def _chunks(words: Sequence[str]) -> Iterator[tuple[list[str], bool]]:
    """Runs of English words, and single Chinese words in simplified characters; True for Chinese."""
    run: list[str] = []
    for word in words:
        if has_cjk(word):
            if run:
                yield run, False
            run = []
            yield [simplified(word.lower())], True
        else:
            run.append(word)
    if run:
        yield run, False


def _weights(chunks: Sequence[tuple[list[str], bool]], own: set[str]) -> Iterator[float]:
    words = [word for chunk, _ in chunks for word in chunk]
    head = max((at for at, word in enumerate(words) if word not in _TRAILING), default=-1)
    position = -1
    for chunk, is_chinese in chunks:
        for word in chunk:
            position += 1
            weight = _EMPTY_WORD if position > head else _weight(word, is_last=position == head and len(words) > 1)
            weight = weight if word in own or is_chinese else 0.0
            if is_chinese and (head_of_number := _NUMBER_OF.search(word)) is not None:
                yield from _number_weights(len(word), head_of_number.start(), weight)
                continue
            yield from [2 * weight / len(word)] * len(word) if is_chinese else [weight]


def _number_weights(length: int, head: int, weight: float) -> Iterator[float]:
    """Weights of the characters of a number such as 商户单号, which is hardly what stands before it: no 商户."""
    unit = 2 * weight / (_BEFORE_NUMBER * head + length - head)
    yield from [_BEFORE_NUMBER * unit] * head + [unit] * (length - head)


def _weight(word: str, *, is_last: bool) -> float:
    if word in _EMPTY or (is_last and (len(word) == 1 or word in canonical_units())):
        return _EMPTY_WORD
    if not is_last:
        return _WORD
    if word in _DATE_HEADS:
        return _DATE_HEAD
    concepts = {part.sense.concept for part in name_parts([word])}
    is_generic = any(is_kind(frozenset({concept}), "generic") for concept in concepts)
    return _GENERIC_HEAD if is_generic else _HEAD


Key = tuple[str, int, int, float, How]
"""A key, its first unit, the unit after its last, its score and its kind of link."""


def _english_keys(index: NameIndex, words: Sequence[str]) -> Iterator[Key]:
    for at, word in enumerate(words):
        key = root(word)
        index.words[word] = key
        yield key, at, at + 1, 1.0, "exact"
    for at in range(len(words) - 1):
        # “Pickup” also stands for the two words “picked up”.
        for first in dict.fromkeys((words[at], root(words[at]))):
            yield root(first + words[at + 1]), at, at + 2, 1.0, "exact"
    if len(words) > 1:
        yield "".join(word[0] for word in words), 0, len(words), 0.72, "abbreviation"


def _chinese_keys(name: str) -> Iterator[Key]:
    """All parts of two or more characters, and the glosses of the words of a name."""
    yield name, 0, len(name), 1.0, "exact"
    for start in range(len(name)):
        for end in range(start + 2, min(len(name), start + LONGEST_CHINESE) + 1):
            yield name[start:end], start, end, 1.0, "exact"
    start = 0
    while start < len(name):
        end = next(
            (e for e in range(min(len(name), start + _MAX_GLOSSED), start + 1, -1) if glosses_of(name[start:e])), 0
        )
        for gloss in glosses_of(name[start:end]) if end else ():
            yield gloss, start, end, _GLOSS, "gloss"
        start = end or start + 1
