from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.domain.codec import encode
from kbtui.domain.events import Event
from kbtui.errors import SessionError
from kbtui.sessions import recording as recording_module
from kbtui.sessions.recording import read
from tests.sessions.runs import answered, cancelled


def written(path: Path, *lines: Event | str | bytes) -> Path:
    encoded = [
        line if isinstance(line, bytes) else (line if isinstance(line, str) else encode(line)).encode()
        for line in lines
    ]
    path.write_bytes(b"".join(line + b"\n" for line in encoded))
    return path


def test_what_was_recorded_is_read_back_equal(tmp_path: Path) -> None:
    events = answered(query="PEP 509 被哪个 PEP 取代了？ \u2028 \x0c ☃")
    recording = read(written(tmp_path / "s.jsonl", *events))
    assert recording.events == tuple(events)
    assert recording.problem is None


def test_a_torn_last_line_is_named_and_the_rest_is_kept(tmp_path: Path) -> None:
    events = answered()
    path = tmp_path / "s.jsonl"
    text = "".join(encode(event) + "\n" for event in events)
    path.write_text(text[:-40], encoding="utf-8")
    recording = read(path)
    assert recording.events == tuple(events[:-1])
    assert recording.problem is not None
    assert recording.problem.line_number == len(events)
    assert "cut off" in recording.problem.message


def test_a_line_torn_inside_a_character_is_named(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    first = encode(answered()[0]) + "\n"
    path.write_bytes(first.encode() + "{'取".encode()[:-1])
    recording = read(path)
    assert len(recording.events) == 1
    assert recording.problem is not None
    assert recording.problem.line_number == 2


@pytest.mark.parametrize(
    "line",
    [
        "# a Markdown file",
        "{}",
        '{"kind": "party_started", "run_id": "r", "seq": 0, "at": "2026-11-20T21:03:01+00:00"}',
        "[1, 2]",
        b"\xff\xfe\x00binary",
        b"\x00" * 64,
    ],
)
def test_a_foreign_file_is_refused_with_its_line(tmp_path: Path, line: str | bytes) -> None:
    with pytest.raises(SessionError, match="line 1"):
        read(written(tmp_path / "s.jsonl", line))


def test_an_unknown_kind_in_the_middle_is_named_and_read_up_to(tmp_path: Path) -> None:
    events = answered()
    path = written(tmp_path / "s.jsonl", *events[:3], '{"kind": "party_started"}', *events[3:])
    recording = read(path)
    assert recording.events == tuple(events[:3])
    assert recording.problem is not None
    assert recording.problem.line_number == 4


def test_lines_that_are_missing_are_noticed(tmp_path: Path) -> None:
    events = answered()
    recording = read(written(tmp_path / "s.jsonl", *events[:5], *events[7:]))
    assert len(recording.events) == 5
    assert recording.problem is not None
    assert recording.problem.line_number == 6
    assert "missing" in recording.problem.message


def test_a_file_that_begins_inside_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="run_started"):
        read(written(tmp_path / "s.jsonl", *answered()[4:]))


def test_nothing_may_follow_the_end_of_a_run(tmp_path: Path) -> None:
    events = cancelled()
    recording = read(written(tmp_path / "s.jsonl", *events, events[1]))
    assert recording.problem is not None
    assert recording.problem.line_number == 4


def test_an_event_of_a_newer_version_says_so(tmp_path: Path) -> None:
    newer = encode(answered()[0]).replace('"v":1', '"v":2')
    with pytest.raises(SessionError, match="newer"):
        read(written(tmp_path / "s.jsonl", newer))


@pytest.mark.parametrize("at", ["yesterday", "", "2026-11-20T21:03:01"])
def test_a_time_that_cannot_be_compared_is_refused(tmp_path: Path, at: str) -> None:
    event = answered()[0]
    with pytest.raises(SessionError, match="time"):
        read(written(tmp_path / "s.jsonl", encode(event).replace(event.at.replace("+00:00", "+00:00"), at)))


def test_runs_written_side_by_side_are_told_apart(tmp_path: Path) -> None:
    one, two = answered(), cancelled()
    recording = read(written(tmp_path / "s.jsonl", one[0], two[0], one[1], two[1], two[2], *one[2:]))
    assert recording.problem is None
    assert recording.runs == (tuple(one), tuple(two))


def test_blank_lines_do_not_matter_but_count(tmp_path: Path) -> None:
    events = cancelled()
    recording = read(written(tmp_path / "s.jsonl", events[0], "", events[1], "nonsense"))
    assert len(recording.events) == 2
    assert recording.problem is not None
    assert recording.problem.line_number == 4


def test_a_foreign_file_without_line_ends_is_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording_module, "MAX_LINE_BYTES", 1000)
    path = tmp_path / "s.jsonl"
    path.write_bytes(b"x" * 5000)
    with pytest.raises(SessionError, match="longer"):
        read(path)


def test_an_empty_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").touch()
    with pytest.raises(SessionError, match="empty"):
        read(tmp_path / "s.jsonl")
    with pytest.raises(SessionError):
        read(tmp_path)
