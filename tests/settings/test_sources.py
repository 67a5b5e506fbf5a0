"""Data sources by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.errors import DataSourceError, SourceNotFound
from kbtui.settings.sources import new_source, parse_entry, resolve


@pytest.mark.parametrize(
    ("entry", "name", "location"),
    [
        ("sales=/data/s.db", "sales", "/data/s.db"),
        ("/data/My Sales.db", "My-Sales", "/data/My Sales.db"),
        ("postgresql://u:p@h/shop?x=y", "shop", "postgresql://u:p@h/shop?x=y"),
        ("shop=postgresql://u:p@h/db?x=y", "shop", "postgresql://u:p@h/db?x=y"),
        ("sqlite:////data/s.db", "s", "sqlite:////data/s.db"),
    ],
)
def test_an_entry_has_a_name_and_a_location(entry: str, name: str, location: str) -> None:
    source = parse_entry(entry)
    assert (source.name, source.location) == (name, location)


def test_a_configured_name_wins_over_a_file_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sales").touch()
    assert resolve("sales", ["sales=/elsewhere/s.db"]).location == "/elsewhere/s.db"
    assert resolve("sales", []).location == "sales"


def test_a_folder_is_no_data_source_and_the_hint_says_how_it_is_asked(tmp_path: Path) -> None:
    with pytest.raises(SourceNotFound, match="is a folder") as caught:
        resolve(str(tmp_path), [])
    assert "kbtui PATH" in caught.value.hint


def test_a_name_nobody_configured_names_the_nearest() -> None:
    with pytest.raises(DataSourceError) as caught:
        resolve("sale", ["sales=/s.db"])
    assert "sales" in caught.value.hint


def test_a_new_source_is_absolute_and_its_name_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.db").touch()
    source = new_source("s.db", None, [])
    assert source.entry == f"s={tmp_path / 's.db'}"
    with pytest.raises(DataSourceError, match="already"):
        new_source("s.db", None, [source.entry])
    with pytest.raises(DataSourceError, match="cannot name"):
        new_source("s.db", "a b", [])
    with pytest.raises(DataSourceError, match="no file"):
        new_source("t.db", None, [])
