"""Files of data made to exhaust what loads them: refused in words, in a process of bounded memory."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from kbtui.data.sources import open_source
from kbtui.data.workbook import read_workbook
from kbtui.errors import DataSourceError
from kbtui.settings.sources import parse_entry


def bomb(path: Path) -> None:
    """A workbook of 200 kB with a sheet of 200 MB, all of it one cell."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("xl/worksheets/sheet1.xml", "w") as sheet,
    ):
        for _ in range(200):
            sheet.write(b"x" * 1_000_000)


def nested(path: Path) -> None:
    path.write_text("[" * 100_000 + "]" * 100_000)


def nested_objects(path: Path) -> None:
    path.write_text('[{"a":' * 50_000 + "1" + "}]" * 50_000)


def noise(path: Path) -> None:
    path.write_bytes(b"PAR1" + random.Random(1).randbytes(100_000) + b"PAR1")


def many_columns(path: Path) -> None:
    path.write_text(",".join(f"c{number}" for number in range(1_000_000)) + "\n" + ",".join("1" * 1_000_000) + "\n")


def large_cell(path: Path) -> None:
    path.write_text('a,b\n1,"' + "x" * 50_000_000 + '"\n')


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("bomb.xlsx", bomb),
        ("nested.json", nested),
        ("objects.json", nested_objects),
        ("noise.parquet", noise),
        pytest.param("columns.csv", many_columns, marks=pytest.mark.soak),
        pytest.param("cell.csv", large_cell, marks=pytest.mark.soak),
    ],
)
def test_a_file_made_to_exhaust_its_reader_is_refused_in_words(
    tmp_path: Path, name: str, make: Callable[[Path], None]
) -> None:
    make(tmp_path / name)
    with pytest.raises(DataSourceError) as caught:
        open_source(parse_entry(str(tmp_path / name))).schema("basic")
    assert name in caught.value.message
    assert caught.value.hint
    assert len(caught.value.message) < 500


def test_a_workbook_out_of_proportion_is_not_unpacked(tmp_path: Path) -> None:
    bomb(tmp_path / "bomb.xlsx")
    with pytest.raises(DataSourceError, match="unpacks to 200 MB"):
        read_workbook(tmp_path / "bomb.xlsx", tmp_path)
