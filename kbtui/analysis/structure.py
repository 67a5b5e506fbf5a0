"""Questions about the structure of a source: its tables and columns, and some sample rows.

`read_request` parses one, every word of it; `describe_structure` answers it from the structure, and
`kbtui.analysis.structure_statements` has the statement for what only rows can tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from kbtui import late_patterns
from kbtui.analysis.markdown import escape, format_cell
from kbtui.analysis.source_names import name_stems
from kbtui.analysis.structure_keys import links_between
from kbtui.domain.analysis import Column, Schema, Table
from kbtui.text.language import Language, has_cjk
from kbtui.text.phrases import Phrases
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import toml_in

About = Literal["tables", "columns", "describe", "sample", "count", "profile"]

DEFAULT_ROWS: Final = 5
"""Rows of a sample if the question gives no number."""
MAX_ROWS: Final = 50

_TOKEN: Final = late_patterns.pattern(r"[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]+")
_MAX_NAME: Final = 6
"""Words of a name in a question, at most."""
_MIN_TYPO: Final = 6
_MIN_TYPO_RATIO: Final = 83.0

_STRUCTURE_KINDS: Final = ("tables", "columns", "rows", "source", "describe", "kept", "profile", "preview", "strong")
"""Kinds of words of which a question about structure has at least one."""
_MAX_LISTED: Final = 200
"""Tables listed by name, at most."""
_MAX_TABLES: Final = 20
"""Tables whose columns are listed, at most."""
_MAX_SAMPLES: Final = 3
_MAX_CELL: Final = 30


class StructureRequest(Struct, frozen=True, kw_only=True):
    """A request about a structure.

    Attributes:
        about: ``tables`` there are, ``columns`` of tables, a ``describe`` of all of it, a ``sample`` of the rows of a
            table, the ``count`` of its rows, or the ``profile`` of a column.
        tables: The named tables; empty for all.
        column: The column of the first table, for a profile.
        rows: Number of rows of a sample.
    """

    about: About
    tables: tuple[str, ...] = ()
    column: str = ""
    rows: int = DEFAULT_ROWS

    @property
    def needs_statement(self) -> bool:
        """Whether it needs rows, not only the structure."""
        return self.about in ("sample", "count", "profile")


def may_ask_structure(question: str) -> bool:
    """Whether a question has a word about structure; a cheap test that excludes most questions."""
    words = _vocabulary()["zh" if has_cjk(question) else "en"]
    tokens = _TOKEN.findall(question.lower())
    asking = frozenset().union(*(words[kind] for kind in _STRUCTURE_KINDS))
    return any(
        any(word in token for word in asking) if has_cjk(token) else _matches_word(token, asking) for token in tokens
    )


class TableMention(NamedTuple):
    """A mention of a table, or of its column, by words that are not its name; offsets in the question."""

    first: int
    last: int
    table: str
    column: str
    score: float


FindTableMentions = Callable[[str, Schema], "Iterable[TableMention]"]


def read_request(
    question: str, schema: Schema, find_mentions: FindTableMentions | None = None
) -> StructureRequest | None:
    """The structure request of ``question``; None if any word of it asks for something else.

    Args:
        schema: Its names are recognised: tables, and at the detailed level columns.
        find_mentions: Finds mentions by words that are no names: ``clm`` for a table of claims.
    """
    language: Language = "zh" if has_cjk(question) else "en"
    vocabulary = _vocabulary()[language]
    scan = _Scan(question, schema, vocabulary)
    kinds = scan.kinds
    if scan.unread and find_mentions is not None and kinds & set(_STRUCTURE_KINDS):
        by_name = bool(scan.tables)
        scan.take_mentions(find_mentions(question, schema))
        if "many_tables" in kinds and not by_name and not scan.unread:
            # "The tables of the shop" are all tables, even if one is called "shop".
            return StructureRequest(about="tables")
    if scan.unread and not kinds & {"strong"}:
        return None
    tables = tuple(dict.fromkeys(scan.tables))
    named_tables = tables or tuple(dict.fromkeys(table for table, _ in scan.columns))
    if "strong" in kinds:
        return StructureRequest(about="describe", tables=() if scan.unread else tables)
    if not scan.columns and "profile" in kinds and "columns" in kinds:
        scan.columns = scan.words_as_columns[:1]
    if scan.columns:
        # With a column only its profile is a request about structure.
        table, column = scan.columns[0]
        is_profile = "profile" in kinds or kinds >= {"columns", "describe"}
        if len(scan.columns) > 1 or not is_profile or "rows" in kinds:
            return None
        return StructureRequest(about="profile", tables=(table,), column=column)
    only_table = schema.tables[0].name if len(schema.tables) == 1 else ""
    about = _subject(kinds, bool(tables))
    if about in ("sample", "count"):
        if scan.words_as_columns or "naming" in kinds:
            # It asks for the content of the rows.
            return None
        if len(named_tables) > 1 or not (named_tables or only_table):
            return StructureRequest(about="tables" if about == "count" else "describe", tables=named_tables)
        return StructureRequest(about=about, tables=named_tables or (only_table,), rows=scan.number or DEFAULT_ROWS)
    return None if about is None else StructureRequest(about=about, tables=tables)


def _subject(kinds: frozenset[str] | set[str], names_table: bool) -> About | None:
    if "columns" in kinds:
        return "columns"
    if "rows" in kinds and "tables" not in kinds:
        if kinds & {"sample", "preview", "number"}:
            return "sample"
        return "count" if "count" in kinds else None
    if ("rows" in kinds and "sample" in kinds) or "preview" in kinds:
        return "sample"
    if "describe" in kinds:
        return "describe"
    if "kept" in kinds and names_table:
        return None if kinds & {"count", "number"} else "columns"
    if "tables" in kinds:
        # "the table orders" alone asks for rows.
        return "tables" if not names_table else "describe" if "asked" in kinds else None
    if "source" not in kinds or names_table:
        return None
    return "sample" if "sample" in kinds else "count" if "count" in kinds else "describe"


class _Scan:
    """Scans a question about structure: each word becomes part of the longest matching name or wording."""

    def __init__(self, question: str, schema: Schema, vocabulary: Mapping[str, frozenset[str]]) -> None:
        self._vocabulary = vocabulary
        self._names = _names(schema)
        self.kinds: set[str] = set()
        self.tables: list[str] = []
        self.columns: list[tuple[str, str]] = []
        self.words_as_columns: list[tuple[str, str]] = []
        """Columns called by a word of the vocabulary, such as ``name``."""
        self.unread: list[tuple[int, int]] = []
        """Spans of words that are neither names nor of the vocabulary."""
        self.number = 0
        matches = list(_TOKEN.finditer(question.lower()))
        position = 0
        while position < len(matches):
            if has_cjk(matches[position][0]):
                self._take_han(matches[position][0], matches[position].start())
                position += 1
            else:
                position += self._take_latin(matches[position : position + _MAX_NAME])

    def take_mentions(self, mentions: Iterable[TableMention]) -> None:
        """Read unread words as mentions of tables or columns, the longest span first."""
        for mention in sorted(mentions, key=lambda mention: (mention.first - mention.last, -mention.score)):
            covered = [span for span in self.unread if mention.first <= span[0] and span[1] <= mention.last]
            if not covered or (mention.column and "columns" not in self.kinds and "tables" not in self.kinds):
                continue
            self.unread = [span for span in self.unread if span not in covered]
            self.tables.append(mention.table)

    def _take_latin(self, matches: Sequence[re.Match[str]]) -> int:
        """Read the name or word that tokens begin with; return its number of tokens."""
        tokens = [match[0] for match in matches]
        stems = [stem(token) for token in tokens]
        for length in range(len(tokens), 0, -1):
            if (name := self._names.get(tuple(stems[:length]))) is None:
                continue
            if length == 1 and name[1] and self._take_word(tokens[0], exact=True):
                self.words_as_columns.append(name)
            else:
                self._take_name(name)
            return length
        if "_".join(tokens[:2]) in self._vocabulary.get("other", ()):
            self.unread.append(matches[0].span())
            return 2
        token = tokens[0]
        if token in self._vocabulary.get("other", ()):
            self.unread.append(matches[0].span())
            return 1
        if token.isdigit():
            self.number = min(int(token[:4]), MAX_ROWS)
            self.kinds.add("number")
        elif not self._take_word(token):
            self.unread.append(matches[0].span())
        return 1

    def _take_han(self, text: str, start: int) -> None:
        position = 0
        while position < len(text):
            rest = text[position:]
            for length in range(len(rest), 0, -1):
                if (name := self._names.get((rest[:length],))) is not None:
                    self._take_name(name)
                    break
                if self._take_word(rest[:length]):
                    break
            else:
                length = 1
                self.unread.append((start + position, start + position + 1))
            position += length

    def _take_name(self, name: tuple[str, str]) -> None:
        table, column = name
        if column:
            self.columns.append(name)
        else:
            self.tables.append(table)

    def _take_word(self, token: str, *, exact: bool = False) -> bool:
        """Read a word of the vocabulary, also misspelt unless ``exact``; return whether it is one."""
        kinds = [kind for kind, words in self._vocabulary.items() if token in words]
        if not kinds and not exact and not has_cjk(token):
            plain = token.partition("'")[0]
            kinds = [kind for kind, words in self._vocabulary.items() if _matches_word(plain, words)]
        self.kinds.update(kind for kind in kinds if kind != "filler")
        return bool(kinds)


def _matches_word(token: str, words: frozenset[str]) -> bool:
    if token in words:
        return True
    if len(token) < _MIN_TYPO:
        return False
    from rapidfuzz import fuzz, process

    # "recorded" is another form of "record", no typo.
    candidates = [word for word in words if word[0] == token[0] and not token.startswith(word)]
    return process.extractOne(token, candidates, scorer=fuzz.ratio, score_cutoff=_MIN_TYPO_RATIO) is not None


def _names(schema: Schema) -> dict[tuple[str, ...], tuple[str, str]]:
    """Tables and columns by the stems of their names, tables first; a Chinese name is one stem."""
    names: dict[tuple[str, ...], tuple[str, str]] = {}
    for table in schema.tables:
        for column in table.columns:
            for key in _name_keys(column.name, column.comment):
                names.setdefault(key, (table.name, column.name))
    for table in schema.tables:
        for key in _name_keys(table.name, table.comment):
            names[key] = (table.name, "")
    return names


def _name_keys(name: str, comment: str) -> list[tuple[str, ...]]:
    bare = name.rpartition(".")[2].lower()
    keys = [(bare,) if has_cjk(bare) else name_stems(name.rpartition(".")[2])]
    if comment and len(comment) <= _MAX_COMMENT:
        keys.append((comment.lower(),) if has_cjk(comment) else name_stems(comment))
    return [key for key in keys if key]


_MAX_COMMENT: Final = 12


@cache
def _vocabulary() -> Mapping[str, Mapping[str, frozenset[str]]]:
    return {
        language: {kind: frozenset(words.split()) for kind, words in kinds.items()}
        for language, kinds in toml_in(__package__, "structure.toml").items()
    }


@cache
def phrases_of(language: str) -> Phrases:
    """The phrases of answers about structure."""
    return Phrases(__package__, "structure_words.toml", language)


def describe_structure(
    request: StructureRequest, schemas: Sequence[Schema], language: str, whole: Callable[[str], Schema] | None = None
) -> str:
    """The answer to a request that needs no statement, as Markdown; a block for each source.

    Args:
        schemas: At least the requested tables.
        whole: Returns all tables of a source, because keys between the requested tables may lead over others.
    """
    phrases = phrases_of(language)
    return "\n\n".join(_describe_source(request, schema, phrases, whole) for schema in schemas)


def _describe_source(
    request: StructureRequest, schema: Schema, phrases: Phrases, whole: Callable[[str], Schema] | None
) -> str:
    tables = [table for table in schema.tables if not request.tables or table.name in request.tables]
    if not tables:
        return phrases.empty.format(source=escape(schema.source))
    blocks = []
    if request.about == "tables" or (not request.tables and len(tables) > 1):
        blocks.append(_table_list(schema, tables, phrases))
    if request.about == "describe" and len(tables) > 1:
        blocks.append(_key_list(whole(schema.source) if whole and request.tables else schema, tables, phrases))
    if request.about != "tables":
        blocks += [_column_list(table, phrases) for table in tables[:_MAX_TABLES] if table.columns]
        if (left := len(tables) - _MAX_TABLES) > 0:
            blocks.append(phrases.left.format(count=left))
    return "\n\n".join(filter(None, blocks))


def _table_list(schema: Schema, tables: Sequence[Table], phrases: Phrases) -> str:
    """The tables with their numbers of rows and columns."""
    template = phrases.one_table if len(tables) == 1 else phrases.tables
    head = template.format(source=escape(schema.source), count=len(tables))
    detailed = any(table.columns for table in tables)
    titles = (phrases.table, phrases.rows, *((phrases.columns,) if detailed else ()))
    lines = [f"| {' | '.join(titles)} |", "|---|---:|---:|" if detailed else "|---|---:|"]
    for table in tables[:_MAX_LISTED]:
        name = _code(table.name) + (f" ({phrases.view})" if table.is_view else "")
        cells = [name, "—" if table.row_estimate is None else f"{table.row_estimate:,}"]
        lines.append(f"| {' | '.join([*cells, *([str(len(table.columns))] if detailed else [])])} |")
    if len(tables) > _MAX_LISTED:
        lines.append(f"\n{phrases.left.format(count=len(tables) - _MAX_LISTED)}")
    return f"{head}\n\n" + "\n".join(lines)


def _key_list(schema: Schema, tables: Sequence[Table], phrases: Phrases) -> str:
    """The foreign keys between tables, a line each; empty if there are none."""
    lines = [
        f"- {_code(f'{table}.{column}')} → {_code(f'{key.referred_table}.{referred}')}"
        for table, key in links_between(schema, tables)[:_MAX_LISTED]
        for column, referred in zip(key.columns, key.referred_columns, strict=False)
    ]
    return "\n".join((phrases.links, "", *lines)) if lines else ""


def _column_list(table: Table, phrases: Phrases) -> str:
    """The columns of a table with their kinds, references and sample values."""
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
    """A name as Markdown code, without characters that end it."""
    return f"`{one_line(name).replace('`', '').replace('|', '/')}`"


def _samples(column: Column) -> str:
    samples = [sample for sample in column.samples if sample is not None][:_MAX_SAMPLES]
    return ", ".join(
        format_cell(one_line(sample, _MAX_CELL) if isinstance(sample, str) else sample) for sample in samples
    )
