from __future__ import annotations

import errno
import os
import stat
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from kbtui.domain.codec import encode
from kbtui.domain.events import RunStarted
from kbtui.errors import KbtuiError, SessionError
from kbtui.sessions import recorder as recorder_module
from kbtui.sessions.recorder import SessionRecorder
from kbtui.sessions.recording import read
from kbtui.sessions.store import SessionStore
from kbtui.settings.private import private_folder
from tests.sessions.runs import answered, cancelled


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    return SessionStore(tmp_path / "sessions")


def test_a_session_file_holds_exactly_the_lines_that_ask_json_prints(store: SessionStore) -> None:
    events = answered()
    recorder = SessionRecorder(store, "s1")
    for event in events:
        recorder.record(event)
    assert recorder.path.read_text(encoding="utf-8") == "".join(encode(event) + "\n" for event in events)


def test_a_key_of_this_process_is_not_recorded_whoever_quotes_it(
    store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = 'pl4nted "key" of a document'
    monkeypatch.setenv("SOME_API_KEY", key)
    recorder = SessionRecorder(store, "s1")
    for event in answered():
        recorder.record(replace(event, query=f"what is {key}?") if isinstance(event, RunStarted) else event)
    assert "pl4nted" not in recorder.path.read_text(encoding="utf-8")
    assert len(read(recorder.path).events) == len(answered())


def test_every_event_is_on_disk_before_the_next_one_comes(store: SessionStore) -> None:
    recorder = SessionRecorder(store, "s1")
    for count, event in enumerate(answered(), start=1):
        recorder.record(event)
        assert len(read(recorder.path).events) == count


def test_only_the_owner_can_read_what_was_asked(store: SessionStore) -> None:
    recorder = SessionRecorder(store, "s1")
    recorder.record(answered()[0])
    assert stat.S_IMODE(recorder.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700


def test_a_session_without_a_question_leaves_no_file(store: SessionStore) -> None:
    recorder = SessionRecorder(store, "s1")
    recorder.close()
    assert store.list() == ()


def test_a_new_session_is_named_by_the_clock_and_never_by_a_name_in_use(store: SessionStore) -> None:
    tokens = iter(["7f3a", "7f3a", "0001"])

    def begin() -> SessionRecorder:
        return SessionRecorder(
            store, clock=lambda: datetime(2026, 11, 20, 21, 3, 1, tzinfo=UTC), token=lambda: next(tokens)
        )

    first = begin()
    assert first.session_id == "20261120-210301-7f3a"
    first.record(answered()[0])
    assert begin().session_id == "20261120-210301-0001"


@pytest.mark.parametrize("name", ["../escape", "a/b", "", ".hidden", "x\ny", "a" * 200])
def test_a_session_name_cannot_leave_the_folder(store: SessionStore, name: str) -> None:
    with pytest.raises(SessionError):
        SessionRecorder(store, name)


def test_a_resumed_session_holds_both_runs_in_order(store: SessionStore) -> None:
    for run in (answered(), cancelled()):
        recorder = SessionRecorder(store, "s1")
        for event in run:
            recorder.record(event)
        recorder.close()
    recording = read(store.path_of("s1"))
    assert recording.problem is None
    assert [run[0].run_id for run in recording.runs] == ["r1", "r2"]


def test_resuming_cuts_off_the_line_that_a_crash_tore(store: SessionStore) -> None:
    events = answered()
    path = store.path_of("s1")
    private_folder(store.folder)
    path.write_text(encode(events[0]) + "\n" + encode(events[1])[:30], encoding="utf-8")
    recorder = SessionRecorder(store, "s1")
    for event in cancelled():
        recorder.record(event)
    recording = read(path)
    assert recording.problem is None
    assert [event.kind for event in recording.events][:2] == ["run_started", "run_started"]


def test_resuming_keeps_a_last_line_that_only_lacks_its_newline(store: SessionStore) -> None:
    events = cancelled()
    private_folder(store.folder)
    store.path_of("s1").write_text("\n".join(encode(event) for event in events), encoding="utf-8")
    recorder = SessionRecorder(store, "s1")
    recorder.record(answered()[0])
    assert len(read(recorder.path).events) == len(events) + 1


def test_two_recorders_of_one_session_never_mix_their_lines(store: SessionStore) -> None:
    long = "x" * 20_000

    def write(run_id: str) -> None:
        recorder = SessionRecorder(store, "s1")
        for event in answered(query=long, run_id=run_id):
            recorder.record(event)

    threads = [threading.Thread(target=write, args=(f"r{n}",)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recording = read(store.path_of("s1"))
    assert recording.problem is None
    assert sorted(run[0].run_id for run in recording.runs) == [f"r{n}" for n in range(6)]
    assert {len(run) for run in recording.runs} == {len(answered())}


def test_a_full_disk_is_reported_once_and_the_run_goes_on(store: SessionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    problems: list[KbtuiError] = []
    recorder = SessionRecorder(store, "s1", on_problem=problems.append)
    recorder.record(answered()[0])
    real_write = os.write

    def full(fd: int, data: bytes) -> int:
        if len(data) > 10:
            return real_write(fd, data[:10])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(recorder_module.os, "write", full)
    for event in answered()[1:]:
        recorder.record(event)
    assert len(problems) == 1
    assert "full" in problems[0].message
    assert problems[0].hint
    recording = read(recorder.path)
    assert (len(recording.events), recording.problem) == (1, None)


def test_recording_begins_again_with_the_next_run_once_there_is_space(
    store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = SessionRecorder(store, "s1")
    first = answered()
    recorder.record(first[0])
    with monkeypatch.context() as patch:
        patch.setattr(recorder_module.os, "write", lambda fd, data: (_ for _ in ()).throw(OSError(errno.ENOSPC, "")))
        recorder.record(first[1])
    recorder.record(first[2])
    for event in cancelled():
        recorder.record(event)
    recording = read(recorder.path)
    assert recording.problem is None
    assert [len(run) for run in recording.runs] == [1, 3]


def test_a_folder_that_cannot_be_made_is_reported_with_a_hint(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("a file stands where the folder should be")
    problems: list[KbtuiError] = []
    recorder = SessionRecorder(SessionStore(tmp_path / "sessions"), "s1", on_problem=problems.append)
    recorder.record(answered()[0])
    assert len(problems) == 1
    assert problems[0].hint


def test_a_listener_that_fails_does_not_break_the_run(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("")

    def broken(problem: KbtuiError) -> None:
        raise RuntimeError

    SessionRecorder(SessionStore(tmp_path / "sessions"), "s1", on_problem=broken).record(answered()[0])


def test_a_lone_surrogate_in_a_file_name_is_recorded_or_reported_but_never_raised(store: SessionStore) -> None:
    problems: list[KbtuiError] = []
    recorder = SessionRecorder(store, "s1", on_problem=problems.append)
    recorder.record(answered(query="caf\udce9")[0])
    assert problems or len(read(recorder.path).events) == 1


def test_a_full_disk_leaves_no_empty_session_behind(store: SessionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    problems: list[KbtuiError] = []
    recorder = SessionRecorder(store, "s1", on_problem=problems.append)
    monkeypatch.setattr(recorder_module.os, "write", lambda fd, data: (_ for _ in ()).throw(OSError(errno.ENOSPC, "")))
    recorder.record(answered()[0])
    assert (len(problems), store.list()) == (1, ())


def test_a_folder_that_may_not_be_looked_into_is_reported_by_the_first_event(
    store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    problems: list[KbtuiError] = []
    with monkeypatch.context() as patch:
        patch.setattr(Path, "exists", refused)
        patch.setattr(Path, "mkdir", refused)
        SessionRecorder(store, on_problem=problems.append).record(answered()[0])
    assert ["not writable" in problem.message for problem in problems] == [True]


def test_what_is_asked_after_the_session_was_deleted_is_recorded_from_the_next_run_on(store: SessionStore) -> None:
    recorder = SessionRecorder(store, "s1")
    first, second = answered(), answered(run_id="r2")
    for event in first[:5]:
        recorder.record(event)
    store.delete("s1")
    for event in (*first[5:], *second):
        recorder.record(event)
    assert read(recorder.path).events == tuple(second)
