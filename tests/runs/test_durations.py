"""Recent durations of each tool."""

from __future__ import annotations

from pathlib import Path

from kbtui.runs.durations import Durations


def test_the_median_is_that_of_the_last_fifty_of_a_key_also_in_the_next_run(tmp_path: Path) -> None:
    durations = Durations(tmp_path / "durations.json")
    for value in [1.0] * 60 + [9.0] * 26:
        durations.add("search", value)
    assert Durations(tmp_path / "durations.json").median("search") == 9.0


def test_a_key_that_was_never_recorded_has_no_median(tmp_path: Path) -> None:
    assert Durations(tmp_path / "durations.json").median("search") is None


def test_what_is_no_number_does_not_count(tmp_path: Path) -> None:
    file = tmp_path / "durations.json"
    file.write_text('{"search": ["x", null, 4.0], "grep": "slow"}')
    durations = Durations(file)
    assert (durations.median("search"), durations.median("grep")) == (4.0, None)
