"""The sample handbook and database are whole: what they refer to exists, and they are the same everywhere."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from kbtui import demo
from kbtui.errors import StorageError

FILES = [path for path in demo.handbook_path().rglob("*") if path.is_file()]


def test_the_handbook_is_large_and_varied_enough_to_show_something() -> None:
    assert len(FILES) >= 40
    assert {".md", ".rst", ".py", ".html", ".csv", ".json", ".yaml", ".toml", ".sql"} <= {p.suffix for p in FILES}
    assert any(re.search("[\u4e00-\u9fff]", path.read_text("utf-8")) for path in FILES)


@pytest.mark.parametrize("path", [p for p in FILES if p.suffix == ".md"], ids=lambda p: p.name)
def test_links_between_handbook_pages_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text("utf-8")):
        assert (path.parent / target).exists(), target


def test_every_ticket_and_decision_mentioned_exists() -> None:
    text = "\n".join(path.read_text("utf-8") for path in FILES)
    for ticket in set(re.findall(r"\bHL-\d{3}\b", text)):
        assert (demo.handbook_path() / "tickets" / f"{ticket}.md").exists(), ticket
    for number in {int(n) for n in re.findall(r"\bADR-(\d+)\b", text)}:
        assert list((demo.handbook_path() / "adr").glob(f"{number:04d}-*.md")), number


def test_the_sample_database_is_the_same_each_time_it_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dumps = []
    for name in ("one", "two"):
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / name))
        connection = sqlite3.connect(demo.sample_database())
        dumps.append(list(connection.iterdump()))
        assert not connection.execute("pragma foreign_key_check").fetchall()
        connection.close()
    assert dumps[0] == dumps[1]


def test_a_data_folder_that_cannot_be_made_is_told_with_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    with pytest.raises(StorageError) as caught:
        demo.sample_database()
    assert "XDG_DATA_HOME" in caught.value.hint
