"""What the browser lists: the tables and documents there are, as rows of a tree that is made as far as it is open."""

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

if TYPE_CHECKING:
    from kbtui.domain.analysis import Column, Table
    from kbtui.domain.document import FileRecord

_OPEN_TABLES = 10
"""A source of so many tables shows them at once."""
_SAMPLES = 3
_FIELDS = 4
_SAMPLE_CHARS = 24


class Entry(Struct, frozen=True, kw_only=True, gc=False):
    """One row.

    Attributes:
        key: Unique among the rows; empty for a heading.
        mention: What choosing it puts into the prompt.
        question: What choosing it asks.
        path: The file that it is, or is part of, and ``line`` in it.
        folds: There are rows under it.
        parent: Key of the row that it is under.
        leads: The note is a place in the file: a click on it opens the editor there.
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
        """What Enter does with the row, in a word."""
        return N_("ask") if self.question else N_("use name") if self.mention else N_("open") if self.folds else ""


class Shelf:
    """Everything there is, by folder; knows which rows stand under which.

    Args:
        holdings: What there is.
    """

    def __init__(self, holdings: Holdings) -> None:
        self.holdings = holdings
        self._folders: dict[str, dict[str, FileRecord | None]] = {"": {}}
        self._counts: dict[str, int] = {}
        self._kinds = {kind.folder: kind for kind in reversed(holdings.kinds)}
        # Made once: a folder may hold ten thousand, and is listed anew whenever a row is folded.
        self._files: dict[str, Entry] = {}
        self._named: list[tuple[str, FileRecord]] = []
        for record in holdings.files:
            folder = ""
            *parents, _ = record.path.split("/")
            for part in parents:
                self._folders[folder].setdefault(f"{folder}{part}/")
                folder = f"{folder}{part}/"
                self._folders.setdefault(folder, {})
                self._counts[folder] = self._counts.get(folder, 0) + 1
            self._folders[folder][record.path] = record
            self._named.append(("\n".join((record.path, record.title, *record.labels)).casefold(), record))

    @property
    def opened_at_first(self) -> set[str]:
        """Keys of the rows that are unfolded before the user has folded anything."""
        found = {
            _source_key(source)
            for source in self.holdings.sources
            if source.schema is not None and len(source.schema.tables) <= _OPEN_TABLES
        }
        return found if len(found) == 1 else set()

    def entries(
        self, opened: Collection[str], documents: Mapping[str, HeldDocument], tables: Mapping[str, Table]
    ) -> Iterator[Entry]:
        """The rows as far as the tree is unfolded.

        Args:
            opened: Keys of the unfolded rows.
            documents: What is known of unfolded documents, by path.
            tables: The same of tables, by key.
        """
        for source in self.holdings.sources:
            yield from self._of_source(source, opened, tables)
        if self.holdings.files:
            yield Entry(key="", text=_("Documents"), note=_files(len(self.holdings.files)))
            yield from self._of_folder("", 0, opened, documents)

    def found(
        self,
        words: Sequence[str],
        opened: Collection[str] = (),
        documents: Mapping[str, HeldDocument] = MappingProxyType({}),
        tables: Mapping[str, Table] = MappingProxyType({}),
    ) -> Iterator[Entry]:
        """Every table, column and document whose name or title holds all of the words, with what is unfolded of it."""
        for source in self.holdings.sources:
            for table in source.schema.tables if source.schema is not None else ():
                if _holds(words, table.name, table.comment):
                    entry = _table_entry(source, table, 0)
                    yield entry
                    if entry.key in opened:
                        known = tables.get(entry.key, table)
                        yield from (_column_entry(source, known, column, 1, column.name) for column in known.columns)
                        continue
                for column in table.columns:
                    if _holds(words, f"{table.name}.{column.name}", column.comment):
                        yield _column_entry(source, table, column, 0, f"{table.name}.{column.name}")
        for names, record in self._named:
            if all(word in names for word in words):
                yield _file_entry(record, 0, record.path)
                if record.path in opened and (document := documents.get(record.path)) is not None:
                    yield from _of_document(document, 1)

    def _of_source(self, source: HeldSource, opened: Collection[str], tables: Mapping[str, Table]) -> Iterator[Entry]:
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
            known = tables.get(entry.key, table)
            if entry.key in opened:
                for column in known.columns:
                    yield _column_entry(source, known, column, 2, column.name)

    def _of_folder(
        self, folder: str, depth: int, opened: Collection[str], documents: Mapping[str, HeldDocument]
    ) -> Iterator[Entry]:
        inside = self._folders[folder]
        for path in sorted((path for path in inside if path.endswith("/")), key=str.casefold):
            kind = self._kinds.get(path)
            note = _files(self._counts[path])
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
                yield from self._of_folder(path, depth + 1, opened, documents)
        for path, record in inside.items():
            if record is None:
                continue
            if path not in self._files:
                self._files[path] = _file_entry(record, depth, path[len(folder) :], folder)
            yield self._files[path]
            if path in opened and (document := documents.get(path)) is not None:
                yield from _of_document(document, depth + 1)


def _of_document(document: HeldDocument, depth: int) -> Iterator[Entry]:
    """What it states of itself, then its headings."""
    path, mention = document.path, written(document.path)
    for number, one in enumerate(document.fields):
        yield Entry(
            key=f"{path}\0field{number}",
            text=one_line(one.name),
            note=one_line(one.value),
            depth=depth,
            mention=mention,
            path=path,
            line=one.line,
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
    rows = _rows(table.row_estimate) if table.row_estimate is not None else ""
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
    refers = next((one.referred_table for one in table.foreign_keys if column.name in one.columns), "")
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


def _files(count: int) -> str:
    return ngettext("{count:,} file", "{count:,} files", count)


def _rows(count: int) -> str:
    return ngettext("{count:,} row", "{count:,} rows", count)


def _source_key(source: HeldSource) -> str:
    """Apart from all paths."""
    return f"\0{source.schema.source if source.schema is not None else source.title}\0"


def table_of(key: str) -> tuple[str, str] | None:
    """Source and table of the key of a table's row; None for another row's."""
    parts = key.split("\0")
    return (parts[1], parts[2]) if len(parts) == 3 and not parts[0] and parts[2] else None


def _holds(words: Sequence[str], *texts: str) -> bool:
    text = "\n".join(texts).casefold()
    return all(word in text for word in words)
