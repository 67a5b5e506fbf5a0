"""Writes charts (PNG, SVG, HTML) and tables (CSV, Parquet, Markdown) to new files of the user; never overwrites one."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from kbtui.domain.events import ChartProduced, TableProduced
from kbtui.errors import StorageError, UsageError
from kbtui.i18n import N_, _
from kbtui.settings.private import user_opener
from kbtui.text.terminal import one_line
from kbtui.view.table_text import markdown_table, table_label

CHART_FORMATS: Final = ("svg", "png", "html")
TABLE_FORMATS: Final = ("csv", "md", "parquet")
FORMAT_NAMES: Final = {
    "svg": N_("SVG picture"),
    "png": N_("PNG picture"),
    "html": N_("web page"),
    "csv": "CSV",
    "md": "Markdown",
    "parquet": "Parquet",
}
_MAX_NUMBER: Final = 1_000
"""Numbers that are tried behind a file name that is taken."""
_MAX_NAME_LENGTH: Final = 48
_UNSAFE_CHARS = re.compile(r"[^\w\-]+")
_PNG_ZOOM: Final = 2

Part = ChartProduced | TableProduced


def formats_of(part: Part) -> tuple[str, ...]:
    """The formats that a chart or a table can be saved in, the default first."""
    return CHART_FORMATS if isinstance(part, ChartProduced) else TABLE_FORMATS


def file_stem(part: Part, question: str = "") -> str:
    """A file name without a suffix, made of a chart's title or of the question that a table answers."""
    title = part.title.split(" · ")[0] if isinstance(part, ChartProduced) else question
    text = _UNSAFE_CHARS.sub("-", one_line(title).lower())[:_MAX_NAME_LENGTH].strip("-_")
    return text or ("chart" if isinstance(part, ChartProduced) else "table")


def save(part: Part, path: Path) -> Path:
    """Write a chart or a table to a new file, in the format that the suffix of ``path`` names.

    Args:
        part: The chart or table.
        path: The file to write. If it exists, ``-2``, ``-3`` … is appended to its stem; ``~`` is the home folder.

    Returns:
        The path of the written file.

    Raises:
        UsageError: The part cannot be saved in that format, or the format needs a package that is not installed.
        StorageError: The file cannot be written.
    """
    path = path.expanduser()
    format_ = path.suffix[1:].lower()
    if format_ not in formats_of(part):
        suffix = one_line(path.suffix) or _("a file without a suffix")
        if isinstance(part, ChartProduced):
            message = _("A chart cannot be saved as {suffix}.", suffix=suffix)
        else:
            message = _("A table cannot be saved as {suffix}.", suffix=suffix)
        raise UsageError(
            message, _("Choose {formats}.", formats=", ".join("." + suffix_name for suffix_name in formats_of(part)))
        )
    return write_new(path, _WRITERS[format_](part))


def write_new(path: Path, data: bytes) -> Path:
    """Write a new file, with ``-2``, ``-3`` … appended to its stem if it exists; returns its path.

    Raises:
        StorageError: The file cannot be written.
    """
    for number in range(1, _MAX_NUMBER):
        candidate = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            with open(candidate, "xb", opener=user_opener) as file:
                file.write(data)
        except FileExistsError:
            continue
        except OSError as error:
            raise StorageError(
                _("{path} cannot be written: {reason}.", path=one_line(str(candidate)), reason=error.strerror or error),
                _("Choose another folder or name."),
            ) from error
        return candidate
    raise StorageError(_("Every name like {name} is taken.", name=one_line(path.name)), _("Choose another name."))


def _svg(part: Part) -> bytes:
    assert isinstance(part, ChartProduced)
    from kbtui.view.drawing.svg import svg

    return svg(part.chart, part.title).encode()


def _png(part: Part) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise UsageError(
            _("PNG pictures need the package resvg-py."),
            _('Install it with pip install "kbtui[charts]", or save as SVG.'),
        ) from error
    try:
        return bytes(svg_to_bytes(svg_string=_svg(part).decode(), zoom=_PNG_ZOOM, background="#ffffff"))
    except ValueError as error:
        raise StorageError(_("The picture could not be drawn as PNG."), _("Save it as SVG.")) from error


def _html(part: Part) -> bytes:
    assert isinstance(part, ChartProduced)
    from kbtui.view.export_data import chart_page

    return chart_page(part).encode()


def _csv(part: Part) -> bytes:
    assert isinstance(part, TableProduced)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(part.columns)
    writer.writerows(["" if value is None else value for value in row] for row in part.rows)
    return out.getvalue().encode("utf-8", "replace")


def _markdown(part: Part) -> bytes:
    assert isinstance(part, TableProduced)
    return f"{markdown_table(part.columns, part.rows)}\n\n{table_label(part)}\n".encode("utf-8", "replace")


def _parquet(part: Part) -> bytes:
    assert isinstance(part, TableProduced)
    import pyarrow as pa
    import pyarrow.parquet as pq

    width = len(part.columns)
    columns = [[row[at] if at < len(row) else None for row in part.rows] for at in range(width)]
    table = pa.Table.from_arrays([_array(pa, values) for values in columns], names=_unique_names(part.columns))
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


def _array(pa: Any, values: Sequence[Any]) -> Any:
    """A typed column; values of mixed types become text, because a Parquet column has one type."""
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError, UnicodeEncodeError):
        return pa.array([None if value is None else str(value).encode("utf-8", "replace").decode() for value in values])


def _unique_names(names: Sequence[str]) -> list[str]:
    """Column names, with a number appended to those that repeat."""
    taken: list[str] = []
    for name in names:
        number = 2
        candidate = name
        while candidate in taken:
            candidate, number = f"{name}_{number}", number + 1
        taken.append(candidate)
    return taken


_WRITERS: Final[dict[str, Callable[[Part], bytes]]] = {
    "svg": _svg,
    "png": _png,
    "html": _html,
    "csv": _csv,
    "md": _markdown,
    "parquet": _parquet,
}
