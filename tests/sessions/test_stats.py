"""What recorded sessions tell of plans and how they were kept."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from msgspec.structs import replace

from kbtui.domain.codec import encode
from kbtui.domain.events import Deviation, Event, RunCompleted
from kbtui.sessions.stats import analyses, table
from tests.sessions.runs import START, analysed, answered


def written(folder: Path, name: str, *runs: list[Event], tail: bytes = b"") -> Path:
    path = folder / f"{name}.jsonl"
    path.write_bytes("".join(encode(event) + "\n" for run in runs for event in run).encode() + tail)
    return path


def test_analyses_are_told_by_their_figures_and_other_runs_are_none(tmp_path: Path) -> None:
    path = written(tmp_path, "one", answered(), analysed())
    (one,) = analyses([path])
    assert (one.session, one.day, one.request_type) == ("one", "2026-11-20", "data_query")
    assert (one.deviation.planned, one.deviation.actual, one.retries) == (3, 4, 1)
    assert (one.looks, one.cached, one.duration_ms) == (1, 1, 250)


def test_a_search_is_no_analysis_though_it_has_a_plan(tmp_path: Path) -> None:
    searched = answered()
    last = searched[-1]
    assert isinstance(last, RunCompleted)
    searched[-1] = replace(last, deviation=Deviation(planned=1, actual=1))
    assert list(analyses([written(tmp_path, "one", searched)])) == []


def test_rows_are_days_in_order_with_means_and_sums(tmp_path: Path) -> None:
    later = analysed("a2", START + timedelta(days=1), ratio=0.0)
    files = [written(tmp_path, "b", later), written(tmp_path, "a", analysed(), analysed("a3", ratio=0.0))]
    rows = table(analyses(files))
    assert [(row.group, row.runs, round(row.ratio, 3), row.warned) for row in rows] == [
        ("2026-11-20", 2, 0.333, 1),
        ("2026-11-21", 1, 0.0, 0),
    ]


def test_rows_can_be_types_months_or_sessions(tmp_path: Path) -> None:
    path = written(tmp_path, "s", analysed(), analysed("a2", request_type="consultation"))
    for by, groups in (("type", ["consultation", "data_query"]), ("month", ["2026-11"]), ("session", ["s"])):
        assert [row.group for row in table(analyses([path]), by)] == groups  # type: ignore[arg-type]


def test_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    whole = analysed()
    files = [
        written(tmp_path, "torn", analysed(), tail=b'{"v":1,"kind":"run_started","ru'),
        written(tmp_path, "open", whole[:-1]),
        written(tmp_path, "noise", tail=b'\xff\xfe{"kind":"run_started"}\n[]\n'),
        tmp_path / "gone.jsonl",
    ]
    assert len(list(analyses(files))) == 1
