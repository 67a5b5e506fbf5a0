"""The rows of the browser: a tree of tables and documents, of which only unfolded parts are generated."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from kbtui.domain.holdings import HeldDocument, HeldSource, Holdings
from kbtui.i18n import N_, _, made, ngettext
from kbtui.text.mentions import written
from kbtui.text.terminal import one_line
from kbtui.ui.widgets.cells import padded
from kbtui.view.kind_words import kind_words
from kbtui.view.table_text import rows_words

if TYPE_CHECKING:
    from kbtui.domain.analysis import Column, Table
    from kbtui.domain.document import FileRecord

_OPEN_TABLES = 10
"""A single source with up to this many tables is unfolded initially."""
_SAMPLES = 3
_FIELDS = 4
_SAMPLE_CHARS = 24


class Entry(Struct, frozen=True, kw_only=True, gc=False):
    """A row.

    Attributes:
        key: Unique key; empty for a heading.
        mention: Text that selecting the row inserts into the prompt.
        question: Question that selecting the row asks.
        path: Path of its file, with ``line`` in it.
        folds: Whether it has children.
        parent: Key of its parent.
        leads: Whether the note is a line of the file, which a click opens in the editor.
    """

    key: str
    text: str
    note: str = ""
    depth: int = 0
    mention: str = ""
    question: str = ""
    path: str = ""
    line: int = 1
    folds: bool = False
    parent: str = ""
    leads: bool = False

    @property
    def enter(self) -> str:
        """The effect of Enter on the row, in a word."""
        return N_("ask") if self.question else N_("use name") if self.mention else N_("open") if self.folds else ""


class HoldingsTree:
    """The tree of tables and documents.

    Args:
        holdings: The content of the folder.
    """

    def __init__(self, holdings: Holdings) -> None:
        self.holdings = holdings
        self._folders: dict[str, dict[str, FileRecord | None]] = {"": {}}
        self._counts: dict[str, int] = {}
        self._kinds = {kind.folder: kind for kind in reversed(holdings.kinds)}
        # Cached, because a folder may hold ten thousand files and is listed again whenever a row is toggled.
        self._files_text: dict[str, Entry] = {}
        self._searchable: list[tuple[str, FileRecord]] = []
        for record in holdings.files:
            folder = ""
            *parents, _ = record.path.split("/")
            for part in parents:
                self._folders[folder].setdefault(f"{folder}{part}/")
                folder = f"{folder}{part}/"
                self._folders.setdefault(folder, {})
                self._counts[folder] = self._counts.get(folder, 0) + 1
            self._folders[folder][record.path] = record
            self._searchable.append(("\n".join((record.path, record.title, *record.labels)).casefold(), record))

    @property
    def initially_open(self) -> set[str]:
        """Keys of the rows that are unfolded initially."""
        matching_entries = {
            _source_key(source)
            for source in self.holdings.sources
            if source.schema is not None and len(source.schema.tables) <= _OPEN_TABLES
        }
        return matching_entries if len(matching_entries) == 1 else set()

    def entries(
        self, opened: Collection[str], documents: Mapping[str, HeldDocument], tables: Mapping[str, Table]
    ) -> Iterator[Entry]:
        """The visible rows of the tree.

        Args:
            opened: Keys of the unfolded rows.
            documents: Details of documents by path, as far as loaded.
            tables: Details of tables by key, as far as loaded.
        """
        for source in self.holdings.sources:
            yield from self._source_entries(source, opened, tables)
        if self.holdings.files:
            if self.holdings.sources:
                yield Entry(key="", text="")
            yield Entry(key="", text=_("Documents"), note=_files_text(len(self.holdings.files)))
            yield from self._folder_entries("", 0, opened, documents)

    def matching_entries(
        self,
        words: Sequence[str],
        opened: Collection[str] = (),
        documents: Mapping[str, HeldDocument] = MappingProxyType({}),
        tables: Mapping[str, Table] = MappingProxyType({}),
    ) -> Iterator[Entry]:
        """Tables, columns and documents whose name or title contains all words, with the children of unfolded ones."""
        for source in self.holdings.sources:
            for table in source.schema.tables if source.schema is not None else ():
                if _contains_all(words, table.name, table.comment):
                    entry = _table_entry(source, table, 0)
                    yield entry
                    if entry.key in opened:
                        known = tables.get(entry.key, table)
                        yield from (_column_entry(source, known, column, 1, column.name) for column in known.columns)
                        continue
                for column in table.columns:
                    if _contains_all(words, f"{table.name}.{column.name}", column.comment):
                        yield _column_entry(source, table, column, 0, f"{table.name}.{column.name}")
        for names, record in self._searchable:
            if all(word in names for word in words):
                yield _file_entry(record, 0, record.path)
                if record.path in opened and (document := documents.get(record.path)) is not None:
                    yield from _document_entries(document, 1)

    def _source_entries(
        self, source: HeldSource, opened: Collection[str], tables: Mapping[str, Table]
    ) -> Iterator[Entry]:
        key = _source_key(source)
        schema = source.schema
        note = (
            made(source.problem)
            if schema is None
            else ngettext("{count:,} table", "{count:,} tables", len(schema.tables))
        )
        yield Entry(key=key, text=one_line(source.title), note=one_line(note), folds=schema is not None)
        if schema is None or key not in opened:
            return
        for table in schema.tables:
            entry = _table_entry(source, table, 1)
            yield entry
            table_details = tables.get(entry.key, table)
            if entry.key in opened:
                for column in table_details.columns:
                    yield _column_entry(source, table_details, column, 2, column.name)

    def _folder_entries(
        self, folder: str, depth: int, opened: Collection[str], documents: Mapping[str, HeldDocument]
    ) -> Iterator[Entry]:
        children = self._folders[folder]
        for path in sorted((path for path in children if path.endswith("/")), key=str.casefold):
            kind = self._kinds.get(path)
            note = _files_text(self._counts[path])
            if kind is not None:
                note += f" · {kind.name}: {', '.join(kind.fields[:_FIELDS])}" if kind.fields else f" · {kind.name}"
            yield Entry(
                key=path,
                text=one_line(path[len(folder) :]),
                note=one_line(note),
                depth=depth,
                mention=written(path),
                folds=True,
                parent=folder,
            )
            if path in opened:
                yield from self._folder_entries(path, depth + 1, opened, documents)
        for path, record in children.items():
            if record is None:
                continue
            if path not in self._files_text:
                self._files_text[path] = _file_entry(record, depth, path[len(folder) :], folder)
            yield self._files_text[path]
            if path in opened and (document := documents.get(path)) is not None:
                yield from _document_entries(document, depth + 1)


def _document_entries(document: HeldDocument, depth: int) -> Iterator[Entry]:
    """The fields of a document, then its headings."""
    path, mention = document.path, written(document.path)
    for number, field in enumerate(document.fields):
        yield Entry(
            key=f"{path}\0field{number}",
            text=one_line(field.name),
            note=one_line(field.value),
            depth=depth,
            mention=mention,
            path=path,
            line=field.line,
            parent=path,
        )
    for number, heading in enumerate(document.headings):
        yield Entry(
            key=f"{path}\0heading{number}",
            text=f"{'#' * heading.level} {one_line(heading.text)}",
            note=_("line {line}", line=heading.line),
            depth=depth,
            mention=mention,
            path=path,
            line=heading.line,
            parent=path,
            leads=True,
        )
    if not document.fields and not document.headings:
        yield Entry(key="", text=_("no fields and no headings"), depth=depth, parent=path)


def _file_entry(record: FileRecord, depth: int, text: str, parent: str = "") -> Entry:
    title = one_line(record.title)
    return Entry(
        key=record.path,
        text=one_line(text),
        note=title if title != one_line(text).rpartition(".")[0] else "",
        depth=depth,
        mention=written(record.path),
        path=record.path,
        folds=True,
        parent=parent,
    )


def _table_entry(source: HeldSource, table: Table, depth: int) -> Entry:
    rows = rows_words(table.row_estimate) if table.row_estimate is not None else ""
    columns = ngettext("{count:,} column", "{count:,} columns", len(table.columns)) if table.columns else ""
    parts = (rows, columns, one_line(table.comment))
    return Entry(
        key=f"{_source_key(source)}{table.name}",
        text=one_line(table.name),
        note=" · ".join(part for part in parts if part),
        depth=depth,
        mention=written(table.name),
        folds=True,
        parent=_source_key(source),
    )


def _column_entry(source: HeldSource, table: Table, column: Column, depth: int, text: str) -> Entry:
    key = f"{_source_key(source)}{table.name}"
    refers = next(
        (key_columns.referred_table for key_columns in table.foreign_keys if column.name in key_columns.columns), ""
    )
    kind = f"→ {refers}" if refers else _("key") if column.is_key else kind_words(column.kind)
    samples = [one_line(str(sample), _SAMPLE_CHARS) for sample in column.samples if sample is not None][:_SAMPLES]
    return Entry(
        key=f"{key}\0{column.name}",
        text=one_line(text),
        note=f"{padded(one_line(kind), 9)} {', '.join(samples)}".rstrip(),
        depth=depth,
        mention=written(f"{table.name}.{column.name}"),
        parent=key,
    )


def _files_text(count: int) -> str:
    return ngettext("{count:,} file", "{count:,} files", count)


def _source_key(source: HeldSource) -> str:
    """The key of a source's row, which differs from all paths."""
    return f"\0{source.schema.source if source.schema is not None else source.title}\0"


def table_of(key: str) -> tuple[str, str] | None:
    """The source and table of the key of a table's row; None for other keys."""
    parts = key.split("\0")
    return (parts[1], parts[2]) if len(parts) == 3 and not parts[0] and parts[2] else None


def _contains_all(words: Sequence[str], *texts: str) -> bool:
    text = "\n".join(texts).casefold()
    return all(word in text for word in words)
