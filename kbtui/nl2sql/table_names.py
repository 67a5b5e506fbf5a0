"""Names of tables in words: without how a table is kept, and without the part of the application that it belongs to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from kbtui.domain.analysis import Table
from kbtui.nl2sql.names import ENTITY_ENDS, name_prefixes, name_words
from kbtui.text.inflection import lemma

_SEPARATORS: Final = re.compile(r"[_\s\-.]+")
_CAMEL_PREFIX: Final = re.compile(r"(?:tbl|tlk|tlkp|lkp|vw)(?=[A-Z])")
"""Prefixes of tables of desktop databases: ``tblOrders``, ``tlkStatus``."""
_ENDS: Final = ("table", "tbl", "dim", "fact", "export")
_FUNCTION_WORDS: Final = ("of", "and", "the", "in", "for", "to")
_GENERIC: Final = frozenset(
    {"type", "status", "state", "category", "detail", "line", "item", "data", "info", "information", "list", "log"}
    | {"history", "summary", "master", "table"}
)
"""Words that name no rows by themselves: order lines are not lines."""

_MAX_LABELS: Final = 3
"""Columns of lists of labels, at most, which are often alike."""


class TableName(NamedTuple):
    """The name of a table in words.

    Attributes:
        words: What its rows are called: ``ticket`` for ``desk_ticket``.
        module: The part of the application that is left out of them: ``desk``.
        head: The first component of the name in lower case; empty if it has only one.
        rest: The words of the other components.
    """

    words: tuple[str, ...]
    module: tuple[str, ...] = ()
    head: str = ""
    rest: tuple[str, ...] = ()


def table_words(name: str) -> tuple[str, ...]:
    """The words of a table name without the schema and without record-keeping components."""
    parts = _parts(name)
    words = tuple(word for word in name_words("_".join(parts)) if word not in _FUNCTION_WORDS)
    return words or name_words(name.rsplit(".", 1)[-1]) or (name.lower(),)


def _parts(name: str) -> list[str]:
    prefixes = name_prefixes()
    bare = _CAMEL_PREFIX.sub("", name.rsplit(".", 1)[-1])
    for studio in prefixes["studio"].split():
        bare = bare.removeprefix(studio)
    parts = [part for part in _SEPARATORS.split(bare) if part]
    while len(parts) > 1 and parts[0].lower() in prefixes["table"].split():
        parts = parts[1:]
    while len(parts) > 1 and parts[-1].lower() in _ENDS:
        parts = parts[:-1]
    return parts


def names_of_tables(tables: Sequence[Table]) -> dict[str, TableName]:
    """The name of each table in words.

    The first component is left out where it names a part of the application (``auth_user``, ``crm_lead``): several
    tables begin with it, or references call the table without it, and nothing shows that it is a thing with rows of
    its own, such as a table of that name or a ``player_id``.
    """
    full = {table.name: _split(table.name) for table in tables}
    heads = Counter(name.head for name in full.values() if name.head)
    things = _things(tables, full)
    references = _references(tables)
    layouts = Counter((full[table.name].head, _layout(table)) for table in tables)
    rests = Counter(words for name in full.values() for words in {name.words, name.rest} if words)
    names = {}
    for table in tables:
        name = full[table.name]
        is_module = (
            name.head.isalpha()
            and lemma(name.head) not in things
            and any(word.isalpha() and word not in _GENERIC for word in name.rest)
            and (heads[name.head] > 1 or name.rest in references)
            # Tables of one layout hold the same things, split by place or time.
            and (layouts[name.head, _layout(table)] == 1 or len(table.columns) <= _MAX_LABELS)
            and rests[name.rest] == 1
        )
        names[table.name] = name._replace(words=name.rest, module=name_words(name.head)) if is_module else name
    return names


def _split(name: str) -> TableName:
    head, *others = _parts(name)
    words = table_words(name)
    if len(words) > 1 and len(set(words)) == 1:
        return TableName(words[:1])  # The products of the module of products.
    if not others or not head.isascii():
        return TableName(words)
    return TableName(words, head=head.lower(), rest=table_words("_".join(others)))


def _things(tables: Sequence[Table], names: Mapping[str, TableName]) -> frozenset[str]:
    """Words for which there is a table, or a column with the key or name of such a thing."""
    things = {name.words[0] for name in names.values() if len(name.words) == 1}
    for table in tables:
        for column in table.columns:
            parts = [part.lower() for part in _SEPARATORS.split(column.name) if part]
            if len(parts) == 2 and parts[1] in ENTITY_ENDS:
                things.add(lemma(parts[0]))
    return frozenset(things)


def _references(tables: Sequence[Table]) -> frozenset[tuple[str, ...]]:
    """Words of the columns that are called the key of something: ``queue`` for ``queue_id``."""
    names = (name_words(column.name) for table in tables for column in table.columns)
    return frozenset(words[:-1] for words in names if len(words) > 1 and words[-1] == "id")


def _layout(table: Table) -> tuple[str, ...]:
    return tuple(column.name.lower() for column in table.columns)
