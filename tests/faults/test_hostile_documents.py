"""Documents made to break what reads them: each is read, or fails alone, in time that grows as its length does."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from kbtui.knowledge.reading.cutting import Cut, Failure, cut
from kbtui.knowledge.reading.walker import walk
from kbtui.settings.model import IndexSettings
from tests.faults.hostile_documents import DOCUMENTS

SMALL, LARGE = 20_000, 80_000
SLACK_S = 0.5
"""Of processor time, which other processes of the machine do not count in: what the smallest of documents costs."""


def read(folder: Path, name: str, size: int) -> tuple[Cut | Failure | None, float]:
    """The document as it is indexed, None when the walk left it out, and the processor time that took."""
    folder.mkdir()
    (folder / name).write_text(DOCUMENTS[name](size), "utf-8")
    files = walk(folder, IndexSettings()).files
    started = time.process_time()
    result = cut(files[0], IndexSettings()) if files else None
    return result, time.process_time() - started


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_hostile_document_costs_no_more_than_its_length(tmp_path: Path, name: str) -> None:
    read(tmp_path / "first", name, 100)  # loads what reads it
    _, small_s = read(tmp_path / "small", name, SMALL)
    result, large_s = read(tmp_path / "large", name, LARGE)
    # Four times the length: quadratic time would be sixteen times as long.
    assert large_s < 8 * small_s + SLACK_S
    if isinstance(result, Failure):
        assert "RecursionError" not in result.reason
    if isinstance(result, Cut):
        assert sum(len(chunk.text) for chunk in result.reading.chunks) <= 4 * LARGE + 10_000


def test_entities_of_a_document_reach_no_file(tmp_path: Path) -> None:
    for name in ("laughs.xml", "laughs.html"):
        result, _ = read(tmp_path / name, name, SMALL)
        text = " ".join(chunk.text for chunk in result.reading.chunks) if isinstance(result, Cut) else ""
        assert "root:" not in text
        assert "lollol" not in text
