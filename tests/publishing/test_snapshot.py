"""A copied table keeps its newest version whole, and nothing of the earlier ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from kbtui.knowledge.store.index_tables import connect, full_text_config
from kbtui.publishing.snapshot import drop_old_versions

WORDS = ["alpha beta", "beta gamma", "gamma delta"]


@pytest.fixture
def table(tmp_path: Path) -> Any:
    """A table of several versions: rows added, deleted, merged into one file, indexed twice."""
    made = connect(tmp_path).create_table("words", pa.table({"n": [0], "terms": ["none"]}))
    for number, text in enumerate(WORDS, 1):
        made.add(pa.table({"n": [number], "terms": [text]}))
    made.create_index("terms", config=full_text_config())
    made.optimize()
    made.delete("n = 0")
    made.create_index("terms", config=full_text_config(), replace=True)
    made.add(pa.table({"n": [4], "terms": ["delta alpha"]}))
    return made


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_newest_version_is_whole_and_alone(table: Any, tmp_path: Path) -> None:
    place = tmp_path / "words.lance"
    before = names(place / "data"), names(place / "_indices")
    drop_old_versions(place)
    assert len(list((place / "_versions").glob("*.manifest"))) == 1
    assert names(place / "data") < before[0]
    assert names(place / "_indices") < before[1]
    reopened = connect(tmp_path).open_table("words")
    assert sorted(reopened.to_arrow()["n"].to_pylist()) == [1, 2, 3, 4]
    assert {row["n"] for row in reopened.search("beta", query_type="fts").limit(9).to_list()} == {1, 2}
    reopened.add(pa.table({"n": [5], "terms": ["beta"]}))
    assert reopened.count_rows() == 5


def test_what_is_not_understood_is_left_as_it_is(table: Any, tmp_path: Path) -> None:
    place = tmp_path / "words.lance"
    data = names(place / "data")
    (place / "_versions" / "7.manifest").write_bytes(b"of another form")
    drop_old_versions(place)
    assert names(place / "data") == data


def test_names_that_a_manifest_has_otherwise_are_left_alone(
    table: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "words.lance"
    data = names(place / "data")
    monkeypatch.setattr("kbtui.publishing.snapshot._entries", lambda folder: [folder / "unknown.lance"])
    drop_old_versions(place)
    assert names(place / "data") == data
