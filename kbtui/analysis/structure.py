"""Questions about the structure of a source: which tables and columns there are, and what some rows look like.

``read_request`` understands one, every word of it; ``described`` answers it from the structure, and
`kbtui.analysis.structure_statements` has the statement for what only rows can tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from kbtui import late_patterns
from kbtui.analysis.markdown import escaped, shown
from kbtui.analysis.source_names import name_stems
from kbtui.analysis.structure_keys import links_between
from kbtui.domain.analysis import Column, Schema, Table
from kbtui.text.language import Language, has_cjk
from kbtui.text.phrases import Phrases
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import toml_in

About = Literal["tables", "columns", "describe", "sample", "count", "profile"]

ROWS: Final = 5
"""Rows of a sample where the question gives no number."""
MOST_ROWS: Final = 50

_TOKEN: Final = late_patterns.pattern(r"[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]+")
_LONGEST_NAME: Final = 6
"""Words of a name that are looked for in a question."""
_LEAST_TYPO: Final = 6
_TYPO: Final = 83.0

_TELLING: Final = ("tables", "columns", "rows", "source", "describe", "kept", "profile", "preview", "strong")
"""Kinds of words without one of which nothing asks about structure."""
_MOST_LISTED: Final = 200
"""Tables that are listed by name."""
_MOST_TABLES: Final = 20
"""Tables whose columns are listed."""
_MOST_SAMPLES: Final = 3
_CELL: Final = 30


class StructureRequest(Struct, frozen=True, kw_only=True):
    """What is asked about a structure.

    Attributes:
        about: ``tables`` there are, ``columns`` of tables, a ``describe`` of all of it, a ``sample`` of the rows of a
            table, the ``count`` of its rows, or the ``profile`` of a column.
        tables: The tables that are named; none for all.
        column: Of the first table, for a profile.
        rows: Of a sample.
    """

    about: About
    tables: tuple[str, ...] = ()
    column: str = ""
    rows: int = ROWS

    @property
    def needs_statement(self) -> bool:
        """It is answered by rows, not by the structure alone."""
        return self.about in ("sample", "count", "profile")


def may_ask_structure(question: str) -> bool:
    """False for most questions, by their words alone: no word of a structure is in them."""
    words = _vocabulary()["zh" if has_cjk(question) else "en"]
    tokens = _TOKEN.findall(question.lower())
    asking = frozenset().union(*(words[kind] for kind in _TELLING))
    return any(any(word in token for word in asking) if has_cjk(token) else _known(token, asking) for token in tokens)


class Called(NamedTuple):
    """What words of a question go by, from one offset to another: a table, or a column of it."""

    first: int
    last: int
    table: str
    column: str
    score: float


Calling = Callable[[str, Schema], "Iterable[Called]"]


def read_request(question: str, schema: Schema, calling: Calling | None = None) -> StructureRequest | None:
    """What ``question`` asks about the structure; None where any word of it asks for something else.

    Args:
        schema: Tables and columns are recognised by its names; with those of the detailed level, columns too.
        calling: What words that are no names stand for: ``clm`` is a table of claims.
    """
    language: Language = "zh" if has_cjk(question) else "en"
    vocabulary = _vocabulary()[language]
    scan = _Scan(question, schema, vocabulary)
    said = scan.said
    if scan.unread and calling is not None and said & set(_TELLING):
        by_name = bool(scan.tables)
        scan.read_as(calling(question, schema))
        if "many_tables" in said and not by_name and not scan.unread:
            return StructureRequest(about="tables")  # Those of a shop are all tables, though one may be called so.
    if scan.unread and not said & {"strong"}:
        return None
    tables = tuple(dict.fromkeys(scan.tables))
    named = tables or tuple(dict.fromkeys(table for table, _ in scan.columns))
    if "strong" in said:
        return StructureRequest(about="describe", tables=() if scan.unread else tables)
    if not scan.columns and "profile" in said and "columns" in said:
        scan.columns = scan.words_as_columns[:1]
    if scan.columns:
        # A column is named: only its own profile is about the structure.
        table, column = scan.columns[0]
        is_profile = "profile" in said or said >= {"columns", "describe"}
        if len(scan.columns) > 1 or not is_profile or "rows" in said:
            return None
        return StructureRequest(about="profile", tables=(table,), column=column)
    only = schema.tables[0].name if len(schema.tables) == 1 else ""
    about = _about(said, bool(tables))
    if about in ("sample", "count"):
        if scan.words_as_columns or "naming" in said:
            # Of what the rows hold, not of the rows.
            return None
        if len(named) > 1 or not (named or only):
            return StructureRequest(about="tables" if about == "count" else "describe", tables=named)
        return StructureRequest(about=about, tables=named or (only,), rows=scan.number or ROWS)
    return None if about is None else StructureRequest(about=about, tables=tables)


def _about(said: frozenset[str] | set[str], names_table: bool) -> About | None:
    if "columns" in said:
        return "columns"
    if "rows" in said and "tables" not in said:
        if said & {"sample", "preview", "number"}:
            return "sample"
        return "count" if "count" in said else None
    if ("rows" in said and "sample" in said) or "preview" in said:
        return "sample"
    if "describe" in said:
        return "describe"
    if "kept" in said and names_table:
        return None if said & {"count", "number"} else "columns"
    if "tables" in said:
        # "the table orders" alone asks for its rows.
        return "tables" if not names_table else "describe" if "asked" in said else None
    if "source" not in said or names_table:
        return None
    return "sample" if "sample" in said else "count" if "count" in said else "describe"


class _Scan:
    """The words of a question about structure, each taken for the longest name or wording that fits."""

    def __init__(self, question: str, schema: Schema, vocabulary: Mapping[str, frozenset[str]]) -> None:
        self._vocabulary = vocabulary
        self._names = _names(schema)
        self.said: set[str] = set()
        self.tables: list[str] = []
        self.columns: list[tuple[str, str]] = []
        self.words_as_columns: list[tuple[str, str]] = []
        """Columns called by a word of the vocabulary, such as ``name``."""
        self.unread: list[tuple[int, int]] = []
        """Offsets of words that are neither."""
        self.number = 0
        found = list(_TOKEN.finditer(question.lower()))
        position = 0
        while position < len(found):
            if has_cjk(found[position][0]):
                self._han(found[position][0], found[position].start())
                position += 1
            else:
                position += self._latin(found[position : position + _LONGEST_NAME])

    def read_as(self, called: Iterable[Called]) -> None:
        """Take words that are left for the tables, or for the columns, that go by them, the longest stretch first."""
        for each in sorted(called, key=lambda one: (one.first - one.last, -one.score)):
            covered = [span for span in self.unread if each.first <= span[0] and span[1] <= each.last]
            if not covered or (each.column and "columns" not in self.said and "tables" not in self.said):
                continue
            self.unread = [span for span in self.unread if span not in covered]
            self.tables.append(each.table)

    def _latin(self, found: Sequence[re.Match[str]]) -> int:
        """Take the name or the word that tokens begin with; how many tokens that are."""
        tokens = [match[0] for match in found]
        stems = [stem(token) for token in tokens]
        for length in range(len(tokens), 0, -1):
            if (named := self._names.get(tuple(stems[:length]))) is None:
                continue
            if length == 1 and named[1] and self._word(tokens[0], exact=True):
                self.words_as_columns.append(named)
            else:
                self._name(named)
            return length
        if "_".join(tokens[:2]) in self._vocabulary.get("other", ()):
            self.unread.append(found[0].span())
            return 2
        token = tokens[0]
        if token.isdigit():
            self.number = min(int(token[:4]), MOST_ROWS)
            self.said.add("number")
        elif not self._word(token):
            self.unread.append(found[0].span())
        return 1

    def _han(self, text: str, start: int) -> None:
        position = 0
        while position < len(text):
            rest = text[position:]
            for length in range(len(rest), 0, -1):
                if (named := self._names.get((rest[:length],))) is not None:
                    self._name(named)
                    break
                if self._word(rest[:length]):
                    break
            else:
                length = 1
                self.unread.append((start + position, start + position + 1))
            position += length

    def _name(self, named: tuple[str, str]) -> None:
        table, column = named
        if column:
            self.columns.append(named)
        else:
            self.tables.append(table)

    def _word(self, token: str, *, exact: bool = False) -> bool:
        """Take a word for all that it may ask about, misspelt or ``exact``; False where it is none."""
        kinds = [kind for kind, words in self._vocabulary.items() if token in words]
        if not kinds and not exact and not has_cjk(token):
            plain = token.partition("'")[0]
            kinds = [kind for kind, words in self._vocabulary.items() if _known(plain, words)]
        self.said.update(kind for kind in kinds if kind != "filler")
        return bool(kinds)


def _known(token: str, words: frozenset[str]) -> bool:
    if token in words:
        return True
    if len(token) < _LEAST_TYPO:
        return False
    from rapidfuzz import fuzz, process

    # "recorded" is another word than "record", not a misspelt one.
    near = [word for word in words if word[0] == token[0] and not token.startswith(word)]
    return process.extractOne(token, near, scorer=fuzz.ratio, score_cutoff=_TYPO) is not None


def _names(schema: Schema) -> dict[tuple[str, ...], tuple[str, str]]:
    """Tables and columns by the stems of their names, tables first; a Chinese name is one stem."""
    found: dict[tuple[str, ...], tuple[str, str]] = {}
    for table in schema.tables:
        for column in table.columns:
            for key in _keys(column.name, column.comment):
                found.setdefault(key, (table.name, column.name))
    for table in schema.tables:
        for key in _keys(table.name, table.comment):
            found[key] = (table.name, "")
    return found


def _keys(name: str, comment: str) -> list[tuple[str, ...]]:
    bare = name.rpartition(".")[2].lower()
    keys = [(bare,) if has_cjk(bare) else name_stems(name.rpartition(".")[2])]
    if comment and len(comment) <= _LONGEST_COMMENT:
        keys.append((comment.lower(),) if has_cjk(comment) else name_stems(comment))
    return [key for key in keys if key]


_LONGEST_COMMENT: Final = 12


@cache
def _vocabulary() -> Mapping[str, Mapping[str, frozenset[str]]]:
    return {
        language: {kind: frozenset(words.split()) for kind, words in kinds.items()}
        for language, kinds in toml_in(__package__, "structure.toml").items()
    }


@cache
def phrases_of(language: str) -> Phrases:
    """The words of answers about structure."""
    return Phrases(__package__, "structure_words.toml", language)


def described(
    request: StructureRequest, schemas: Sequence[Schema], language: str, whole: Callable[[str], Schema] | None = None
) -> str:
    """The answer to a request that needs no statement, as Markdown; a block for each source.

    Args:
        schemas: At least the tables that are asked about.
        whole: All tables of a source, over which the keys between those that are asked about may lead.
    """
    phrases = phrases_of(language)
    return "\n\n".join(_described(request, schema, phrases, whole) for schema in schemas)


def _described(
    request: StructureRequest, schema: Schema, phrases: Phrases, whole: Callable[[str], Schema] | None
) -> str:
    tables = [table for table in schema.tables if not request.tables or table.name in request.tables]
    if not tables:
        return phrases.empty.format(source=escaped(schema.source))
    blocks = []
    if request.about == "tables" or (not request.tables and len(tables) > 1):
        blocks.append(_listed(schema, tables, phrases))
    if request.about == "describe" and len(tables) > 1:
        blocks.append(_links(whole(schema.source) if whole and request.tables else schema, tables, phrases))
    if request.about != "tables":
        blocks += [_columns(table, phrases) for table in tables[:_MOST_TABLES] if table.columns]
        if (left := len(tables) - _MOST_TABLES) > 0:
            blocks.append(phrases.left.format(count=left))
    return "\n\n".join(filter(None, blocks))


def _listed(schema: Schema, tables: Sequence[Table], phrases: Phrases) -> str:
    """The tables, with how many rows and columns each has."""
    template = phrases.one_table if len(tables) == 1 else phrases.tables
    head = template.format(source=escaped(schema.source), count=len(tables))
    detailed = any(table.columns for table in tables)
    titles = (phrases.table, phrases.rows, *((phrases.columns,) if detailed else ()))
    lines = [f"| {' | '.join(titles)} |", "|---|---:|---:|" if detailed else "|---|---:|"]
    for table in tables[:_MOST_LISTED]:
        name = _code(table.name) + (f" ({phrases.view})" if table.is_view else "")
        cells = [name, "—" if table.row_estimate is None else f"{table.row_estimate:,}"]
        lines.append(f"| {' | '.join([*cells, *([str(len(table.columns))] if detailed else [])])} |")
    if len(tables) > _MOST_LISTED:
        lines.append(f"\n{phrases.left.format(count=len(tables) - _MOST_LISTED)}")
    return f"{head}\n\n" + "\n".join(lines)


def _links(schema: Schema, tables: Sequence[Table], phrases: Phrases) -> str:
    """The keys by which tables hang together, a line each; empty where none leads from one to another."""
    lines = [
        f"- {_code(f'{table}.{column}')} → {_code(f'{key.referred_table}.{referred}')}"
        for table, key in links_between(schema, tables)[:_MOST_LISTED]
        for column, referred in zip(key.columns, key.referred_columns, strict=False)
    ]
    return "\n".join((phrases.links, "", *lines)) if lines else ""


def _columns(table: Table, phrases: Phrases) -> str:
    """The columns of a table: what kind each is, what its key refers to, and some values."""
    rows = "—" if table.row_estimate is None else f"{table.row_estimate:,}"
    refers = {
        column: f"{key.referred_table}.{referred}"
        for key in table.foreign_keys
        for column, referred in zip(key.columns, key.referred_columns, strict=False)
    }
    lines = [
        phrases.table_head.format(table=_code(table.name), rows=rows, count=len(table.columns)),
        "",
        f"| {phrases.column} | {phrases.kind} | {phrases.such_as} |",
        "|---|---|---|",
    ]
    for column in table.columns:
        kind = phrases.listing("kinds").get(column.kind, column.kind)
        if column.name in refers:
            kind += f", → {_code(refers[column.name])}"
        elif column.is_key:
            kind += f", {phrases.key}"
        lines.append(f"| {_code(column.name)} | {kind} | {_samples(column)} |")
    return "\n".join(lines)


def _code(name: str) -> str:
    """A name as it is written there, whatever Markdown would make of its characters."""
    return f"`{one_line(name).replace('`', '').replace('|', '/')}`"


def _samples(column: Column) -> str:
    samples = [sample for sample in column.samples if sample is not None][:_MOST_SAMPLES]
    return ", ".join(shown(one_line(sample, _CELL) if isinstance(sample, str) else sample) for sample in samples)
