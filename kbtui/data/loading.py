"""Loads a file of data into a database of its own, by trusted statements.

Unreadable lines are counted and reported, never dropped silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kbtui.data.encoding import as_utf8
from kbtui.data.reflection import free_name, quoted
from kbtui.data.tidying import drop_sums, literal, tidy, titles_above
from kbtui.errors import DataSourceError
from kbtui.regular_files import open_regular
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_MAX_SHOWN_LINES: Final = 5
_MAX_ATTEMPTS: Final = 4
_SEARCHED_BYTES: Final = 8 << 20
"""Size of a text file, at most, for it to be searched for quotation marks."""
_MAX_DEPTH: Final = 4
"""Depth to which nested records are flattened."""
_JSON_SAMPLE: Final = 20_480
_MISSING_VALUES: Final = "'', 'na', 'n/a', '#n/a', 'null', 'none', 'nan', '-', '--', '—', '\\N', '无'"
_TYPES: Final = ", auto_type_candidates = ['BOOLEAN', 'BIGINT', 'DOUBLE', 'TIME', 'DATE', 'TIMESTAMP', 'VARCHAR']"
"""Types that columns of text files may have: times with an offset stay as they are written, see `Loader._numbers`."""
_OFFSET: Final = r" ?(?:UTC|GMT|Z|[+-]\d{2}:?\d{2})$"
_MARKS: Final = "'-', '--', '—', '#N/A', '\\N'"
_NUMBER: Final = r"[+-]?(?:0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,14})(?:\.\d+)?"
_COMMA_NUMBER: Final = r"[+-]?(?:0|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,14}),\d+"

Load = Callable[["Loader", Path], None]


class Loader:
    """Loads a file into one new database.

    Args:
        connection: Connection to the new database, which nobody else has open.
        folder: Folder for temporary files; empty, and deleted by the caller.
        name: Name of the table if the file has none.
    """

    def __init__(self, connection: DuckDBPyConnection, folder: Path, name: str) -> None:
        self.connection = connection
        self.folder = folder
        self.name = name
        self.notes: list[str] = []

    def load(self, path: Path) -> None:
        """Load the file by its suffix.

        Raises:
            DataSourceError: It is not what its ending says, or holds nothing.
            duckdb.Error: It cannot be read.
            OSError: It cannot be read, or the disk is full.
        """
        _LOADERS[path.suffix.lower()](self, self._link(path))

    def _link(self, path: Path) -> Path:
        # A link with a plain name, because DuckDB reads patterns and partition columns (`year=2024`) in names.
        link = self.folder / f"source{path.suffix.lower()}"
        link.symlink_to(path.resolve())
        return link

    def text(self, path: Path) -> None:
        """CSV and TSV."""
        path = self._utf8(path)
        options = _TYPES + (", delim = '\\t'" if path.suffix == ".tsv" else "")
        if _has_no_quotes(path):
            options += """, quote = '"', escape = '"'"""
        self._read_text(path, options, [])
        if titles := self._titles(path, options):
            options += f", skip = {titles}, header = true"
            self.notes.append(_not_of_table(titles))
        as_text: list[str] = []
        for attempt in range(_MAX_ATTEMPTS):
            if attempt or titles:
                self._read_text(path, options, as_text)
            # A later value that is no number would reject its whole line, so such columns stay text.
            wrong = self._all("SELECT DISTINCT column_name FROM kbtui_rejects WHERE error_type = 'CAST'")
            fresh = [name for (name,) in wrong if name is not None and name not in as_text]
            if not fresh:
                break
            as_text += fresh
        lost = int(self._scalar("SELECT count(DISTINCT line) FROM kbtui_rejects"))
        if lost and not self._retry_skipping(path, options, lost):
            numbers = self._all(f"SELECT DISTINCT line FROM kbtui_rejects ORDER BY line LIMIT {_MAX_SHOWN_LINES}")
            shown = ", ".join(str(number) for (number,) in numbers)
            self.notes.append(
                f"{counted(lost, 'line')} could not be read and {'is' if lost == 1 else 'are'} left out: "
                f"line{'s' if lost > 1 else ''} {shown}{', …' if lost > _MAX_SHOWN_LINES else ''}."
            )
        self._clean_names(self.name)
        self._drop_sums(self.name)
        tidy(self.connection, self.name)
        self._numbers(self.name)

    def _drop_sums(self, table: str) -> None:
        """Delete the last lines that sum up the others, as exports of accounts and campaigns end."""
        if dropped := drop_sums(self.connection, table):
            lines = "line sums" if dropped == 1 else f"{dropped} lines sum"
            self.notes.append(f"The last {lines} up the others and {'is' if dropped == 1 else 'are'} left out.")

    def _titles(self, path: Path, options: str) -> int:
        """Number of lines above the header, if the table was read with the first of them as its header."""
        columns = [name for name, _ in self._columns(self.name)]
        found = self._all(f"SELECT delimiter FROM sniff_csv({literal(path)}{options})") if len(columns) > 2 else []
        return titles_above(path, columns, found[0][0]) if found and len(found[0][0]) == 1 else 0

    def _read_text(self, path: Path, options: str, as_text: list[str]) -> None:
        types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in as_text)
        self._drop(self.name)
        self.connection.execute("DROP TABLE IF EXISTS kbtui_rejects; DROP TABLE IF EXISTS kbtui_scans")
        self.connection.execute(
            f"CREATE TABLE {quoted(self.name)} AS SELECT * FROM read_csv({literal(path)}, store_rejects = true, "
            f"rejects_table = 'kbtui_rejects', rejects_scan = 'kbtui_scans'{options}"
            f"{f', types = {{{types}}}' if types else ''})"
        )

    def _retry_skipping(self, path: Path, options: str, lost: int) -> bool:
        """Load the file without its first lines if that rejects fewer lines; return whether it was."""
        import duckdb

        try:
            row = self.connection.execute(f"SELECT skiprows FROM sniff_csv({literal(path)}{options})").fetchone()
            skipped = int(row[0]) if row else lost
            if not 0 < skipped < lost:
                return False
            draft = f"{self.name} "
            self.connection.execute(f"CREATE TABLE {quoted(draft)} AS SELECT * FROM read_csv({literal(path)}{options})")
        except duckdb.InterruptException:
            raise
        except duckdb.Error:
            return False
        self._drop(self.name)
        self.connection.execute(f"ALTER TABLE {quoted(draft)} RENAME TO {quoted(self.name)}")
        self.notes.append(_not_of_table(skipped))
        return True

    def json(self, path: Path) -> None:
        """JSON and JSON Lines: flattened records; an object of lists becomes a table for each list."""
        import duckdb

        path = self._utf8(path)
        size = min(path.stat().st_size + 1024, 1 << 30)
        options = f"maximum_object_size = {max(size, 1 << 20)}"
        lines = ", format = 'newline_delimited', ignore_errors = true"
        attempts = [f"{options}, sample_size = {_JSON_SAMPLE}", f"{options}, sample_size = -1"]
        if path.suffix == ".jsonl":
            attempts.append(f"{options}, sample_size = -1{lines}")
        for number, attempt in enumerate(attempts):
            try:
                self._drop("kbtui_raw")
                self.connection.execute(
                    f"CREATE TABLE kbtui_raw AS SELECT * FROM read_json({literal(path)}, {attempt})"
                )
                break
            except duckdb.InterruptException:
                raise
            except duckdb.Error as error:
                if number == len(attempts) - 1:
                    message = one_line(str(error).split("\n", 1)[0].replace(str(path), path.name), 200)
                    raise DataSourceError(f"It is no sound JSON: {message}", "Write it again.") from error
        if "ignore_errors" in attempt:
            self._drop_bad_json(path, options)
        if not self._scalar("SELECT count(*) FROM kbtui_raw"):
            raise DataSourceError("It holds no record.", "Write the data into it first.")
        self._make_tables()

    def _drop_bad_json(self, path: Path, options: str) -> None:
        lost = int(
            self._scalar(
                f"SELECT count(*) FROM read_json_objects({literal(path)}, {options}, format = 'newline_delimited', "
                "ignore_errors = true) WHERE json IS NULL"
            )
        )
        columns = self._columns("kbtui_raw")
        empty = " AND ".join(f"{quoted(name)} IS NULL" for name, _ in columns)
        self.connection.execute(f"DELETE FROM kbtui_raw WHERE {empty}")
        if not self._scalar("SELECT count(*) FROM kbtui_raw"):
            raise DataSourceError("None of its lines is JSON.", "Is its ending the right one?")
        self.notes.append(f"{counted(lost, 'line')} {'is' if lost == 1 else 'are'} no JSON and left out.")

    def parquet(self, path: Path) -> None:
        """Parquet, with flattened records."""
        self.connection.execute(f"CREATE TABLE kbtui_raw AS SELECT * FROM read_parquet({literal(path)})")
        self._make_tables()

    def excel(self, path: Path) -> None:
        """A table for each sheet that is not empty."""
        from kbtui.data.workbook import read_workbook

        sheets = read_workbook(path, self.folder)
        if not sheets:
            raise DataSourceError(f"{path.name} holds no table.", "Write the data into it first.")
        for number, sheet in enumerate(sheets):
            default = self.name if len(sheets) == 1 else f"{self.name}_{number + 1}"
            columns = ", ".join(f"{literal(name)}: '{type_name}'" for name, type_name in sheet.columns)
            form = "auto_detect = false, header = false, delim = ',', quote = '\"', escape = '\"', nullstr = ''"
            more = f"max_line_size = {16 << 20}, null_padding = true, parallel = false"
            name = self._free(table_name(sheet.title) or default)
            self.connection.execute(
                f"CREATE TABLE {quoted(name)} AS SELECT * FROM "
                f"read_csv({literal(sheet.file)}, {form}, columns = {{{columns}}}, {more})"
            )
            self._drop_sums(name)
            tidy(self.connection, name)

    def _make_tables(self) -> None:
        """Make tables of the records in ``kbtui_raw``, and of the lists of a single object."""
        columns = self._columns("kbtui_raw")
        lists = [name for name, kind in columns if kind.id == "list" and kind.children[0][1].id == "struct"]
        if self._scalar("SELECT count(*) FROM kbtui_raw") != 1:
            lists = []
        for name in lists:
            self.connection.execute(f"CREATE TABLE kbtui_list AS SELECT unnest({quoted(name)}) AS item FROM kbtui_raw")
            (_, item), *_ = self._columns("kbtui_list")
            self._flatten("kbtui_list", table_name(name) or self.name, [("item", "", item)])
            self._drop("kbtui_list")
        left = [("value" if name == "json" else name, name, kind) for name, kind in columns if name not in lists]
        if left:
            self._flatten("kbtui_raw", self.name, [(name, label, kind) for label, name, kind in left])
        self._drop("kbtui_raw")

    def _flatten(self, source: str, name: str, columns: Sequence[tuple[str, str, Any]]) -> None:
        """Make a table of columns, each given as (name, new name, type)."""
        taken: set[str] = set()
        parts = [
            f"{expression} AS {quoted(free_name(one_line(wanted) or 'column', taken))}"
            for column, label, kind in columns
            for expression, wanted in _flat_columns(quoted(column), label, kind, _MAX_DEPTH)
        ]
        self.connection.execute(
            f"CREATE TABLE {quoted(self._free(name))} AS SELECT {', '.join(parts)} FROM {quoted(source)}"
        )

    def _utf8(self, path: Path) -> Path:
        copy, encoding = as_utf8(path, self.folder / f"utf8{path.suffix}")
        if encoding:
            self.notes.append(f"It is not in UTF-8; it was read as {encoding}.")
        return copy

    def _clean_names(self, table: str) -> None:
        taken: set[str] = set()
        for name, _ in self._columns(table):
            label = free_name(one_line(name) or "column", taken)
            if label != name:
                self.connection.execute(f"ALTER TABLE {quoted(table)} RENAME COLUMN {quoted(name)} TO {quoted(label)}")

    def _numbers(self, table: str) -> None:
        """Convert text columns of numbers or dates: with thousands separators, or with N/A for missing values."""
        texts = [name for name, kind in self._columns(table) if kind.id == "varchar"]
        if not texts:
            return
        counts = []
        for name in texts:
            value = f"trim({quoted(name)})"
            given = f"{quoted(name)} IS NOT NULL AND lower({value}) NOT IN ({_MISSING_VALUES})"
            counts.append(
                f"count(*) FILTER ({given}), count(*) FILTER (regexp_full_match({value}, {literal(_NUMBER)})), "
                f"count(*) FILTER (regexp_full_match({value}, {literal(_COMMA_NUMBER)})), "
                f"count(*) FILTER (regexp_full_match({value}, '[+-]?\\d{{1,3}}(,\\d{{3}})+')), "
                f"count(*) FILTER (contains({value}, '.')), "
                f"count(*) FILTER ({given} AND try_cast({_local_time(value)} AS TIMESTAMP) IS NULL), "
                f"count(nullif({value}, '')), count(*) FILTER ({value} IN ({_MARKS})), "
                f"count(*) FILTER (regexp_matches({value}, '\\d:\\d\\d'))"
            )
        row = self.connection.execute(f"SELECT {', '.join(counts)} FROM {quoted(table)}").fetchone() or ()
        for position, name in enumerate(texts):
            counted_values = row[position * 9 : position * 9 + 9]
            given, plain, comma, thousands, points, undated, all_given, marked, timed = counted_values
            if not given:
                continue
            value = f"trim({quoted(name)})"
            if plain == given:
                kind = "DOUBLE" if points else "BIGINT"
                self._retype(table, name, kind, f"replace({value}, ',', '')")
            elif comma + plain == given and comma > thousands and plain - thousands + comma == given:
                self._retype(table, name, "DOUBLE", f"replace(replace({value}, '.', ''), ',', '.')")
            elif not undated:
                self._retype(table, name, "TIMESTAMP" if timed else "DATE", _local_time(value))
            else:
                # Words such as "none" may be values of a text; marks are not.
                given = all_given - marked
                if marked:
                    self.connection.execute(
                        f"UPDATE {quoted(table)} SET {quoted(name)} = NULL WHERE {value} IN ({_MARKS})"
                    )
            if all_given > given:
                self.notes.append(
                    f"{all_given - given:,} of {name} say only that nothing is known (as N/A) and are empty."
                )

    def _retype(self, table: str, name: str, kind: str, value: str) -> None:
        self.connection.execute(
            f"ALTER TABLE {quoted(table)} ALTER COLUMN {quoted(name)} SET DATA TYPE {kind} "
            f"USING try_cast({value} AS {kind})"
        )

    def _columns(self, table: str) -> list[tuple[str, Any]]:
        relation = self.connection.table(quoted(table))
        return list(zip(relation.columns, relation.types, strict=True))

    def _free(self, name: str) -> str:
        taken = {str(row[0]).lower() for row in self._all("SELECT table_name FROM duckdb_tables()")}
        return free_name(name, taken)

    def _drop(self, table: str) -> None:
        self.connection.execute(f"DROP TABLE IF EXISTS {quoted(table)}")

    def _all(self, sql: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(sql).fetchall()

    def _scalar(self, sql: str) -> Any:
        row = self.connection.execute(sql).fetchone()
        return row[0] if row else None


_LOADERS: Final[dict[str, Load]] = {
    ".csv": Loader.text,
    ".tsv": Loader.text,
    ".json": Loader.json,
    ".jsonl": Loader.json,
    ".parquet": Loader.parquet,
    ".xlsx": Loader.excel,
}


def _local_time(value: str) -> str:
    """A time as it is written, without its offset: the hours of a shop are those on its clock."""
    return f"regexp_replace({value}, {literal(_OFFSET)}, '')"


def table_name(text: str) -> str:
    """``text`` as the name of a table: words and digits of any script, with ``_`` for everything else."""
    return re.sub(r"\W+", "_", one_line(text)).strip("_")


def _has_no_quotes(path: Path) -> bool:
    """Whether nothing in a file can quote or escape: DuckDB tries every way to, which takes four fifths of loading one
    of some thousand lines, and little of a large one."""
    with open_regular(path) as stream:
        text = stream.read(_SEARCHED_BYTES + 1)
    return len(text) <= _SEARCHED_BYTES and not any(mark in text for mark in (b'"', b"'", b"\\"))


def _flat_columns(expression: str, name: str, kind: Any, depth: int) -> list[tuple[str, str]]:
    if str(kind) == "JSON":
        # The column has values of several types; a text must not keep the quotes of JSON.
        return [(f"json_extract_string({expression}, '$')", name)]
    if kind.id != "struct" or not depth:
        return [(expression, name)]
    columns = []
    for child, child_kind in kind.children:
        label = f"{name}_{child}" if name else child
        columns += _flat_columns(f"struct_extract({expression}, {literal(child)})", label, child_kind, depth - 1)
    return columns


def _not_of_table(lines: int) -> str:
    return f"The first {counted(lines, 'line')} {'is' if lines == 1 else 'are'} no part of the table."
