"""Values that are kept between runs in a file of JSON."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.settings.remembered import Remembered


def test_the_value_put_last_stays_longest(tmp_path: Path) -> None:
    kept = Remembered(tmp_path / "kept.json")
    kept.put("a", 1)
    for number in range(199):
        kept.put(str(number), number)
    kept.put("a", 2)
    for number in range(199, 250):
        kept.put(str(number), number)
    assert (kept.get("a"), kept.get("0"), kept.get("249")) == (2, None, 249)


@pytest.mark.parametrize("broken", [b"{", b"[1]", b"\xff", b'{"x": NaN'])
def test_a_file_that_cannot_be_read_counts_as_empty(tmp_path: Path, broken: bytes) -> None:
    file = tmp_path / "kept.json"
    file.write_bytes(broken)
    kept = Remembered(file)
    assert kept.get("x") is None
    kept.put("x", 1.5)
    assert kept.get("x") == 1.5


def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"")
    kept = Remembered(tmp_path / "taken" / "kept.json")
    kept.put("x", 1)
    assert kept.get("x") is None
