from __future__ import annotations

import os
from pathlib import Path

import pytest

from kbtui.domain.codec import encode
from kbtui.domain.events import Event
from kbtui.errors import SessionError, StorageError
from kbtui.sessions import summary as summary_module
from kbtui.sessions.store import SessionStore
from kbtui.sessions.summary import preview
from kbtui.settings.private import private_folder
from tests.sessions.runs import answered, cancelled


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    store = SessionStore(tmp_path / "sessions")
    private_folder(store.folder)
    return store


def save(store: SessionStore, session_id: str, *runs: list[Event], mtime: int = 0) -> Path:
    path = store.path_of(session_id)
    path.write_text("".join(encode(event) + "\n" for run in runs for event in run), encoding="utf-8")
    os.utime(path, (mtime, mtime))
    return path


def test_a_store_without_a_folder_lists_nothing(tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "none")
    assert store.list() == ()
    with pytest.raises(SessionError, match="No session"):
        store.find("last")


def test_the_default_folder_is_the_one_of_the_contract(home: Path) -> None:
    assert SessionStore().folder == home / "data" / "kbtui" / "sessions"


def test_the_list_says_what_was_asked_where_and_how_it_ended(store: SessionStore) -> None:
    save(store, "20261120-210301-7f3a", answered(query="谁宣布回滚？"), mtime=1)
    save(store, "20261121-080000-0001", answered(), cancelled(), mtime=2)
    second, first = store.list()
    assert (first.query, first.runs, first.outcome, first.kb, first.model) == (
        "谁宣布回滚？",
        1,
        "answered",
        "/kb/handbook",
        "offline",
    )
    assert first.started.startswith("2026-11-20T21:03:01")
    assert first.size == first.path.stat().st_size
    assert (second.session_id, second.runs, second.outcome) == ("20261121-080000-0001", 2, "cancelled")


def test_a_run_that_never_ended_is_listed_as_unfinished(store: SessionStore) -> None:
    save(store, "s1", answered()[:6])
    assert store.list()[0].outcome == "unfinished"


def test_a_question_that_talks_about_events_is_not_counted_as_one(store: SessionStore) -> None:
    save(store, "s1", answered(query='what does "kind":"run_started" mean?'))
    assert store.list()[0].runs == 1


def test_a_foreign_file_in_the_folder_is_listed_with_its_problem(store: SessionStore) -> None:
    (store.folder / "notes.jsonl").write_text('{"a": 1}\n')
    (store.folder / "empty.jsonl").touch()
    (store.folder / "README.txt").touch()
    problems = {one.session_id: one.problem for one in store.list()}
    assert problems == {"notes": "not a kbtui session", "empty": "the file is empty"}


def test_a_huge_session_is_listed_from_its_ends(store: SessionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    path = save(store, "huge", answered(query="first"), cancelled())
    filler = encode(answered()[13]).encode() + b"\n"
    whole = path.read_bytes().split(b"\n", 1)
    with path.open("wb") as file:
        file.write(whole[0] + b"\n")
        file.truncate(200 * 1024 * 1024)
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + filler * 3000 + whole[1])
    taken = 0
    real_open = Path.open

    class Counting:
        def __init__(self, file: object) -> None:
            self.file = file

        def __enter__(self) -> Counting:
            return self

        def __exit__(self, *_: object) -> None:
            self.file.close()  # type: ignore[attr-defined]

        def __getattr__(self, name: str) -> object:
            return getattr(self.file, name)

        def read(self, count: int) -> bytes:
            nonlocal taken
            block: bytes = self.file.read(count)  # type: ignore[attr-defined]
            taken += len(block)
            return block

    monkeypatch.setattr(Path, "open", lambda self, mode: Counting(real_open(self, mode)))
    (summary,) = store.list()
    assert taken <= 2 * summary_module.END_BYTES
    assert (summary.query, summary.outcome, summary.runs_exact) == ("first", "cancelled", False)


def test_a_session_is_found_by_id_prefix_last_and_path(store: SessionStore, tmp_path: Path) -> None:
    old = save(store, "20261120-210301-7f3a", answered(), mtime=5)
    new = save(store, "20261121-080000-0001", answered(), mtime=1)
    elsewhere = tmp_path / "copy.jsonl"
    elsewhere.write_bytes(old.read_bytes())
    assert store.find("20261120-210301-7f3a") == old
    assert store.find("20261121") == new
    assert store.find("last") == old, "the one written to last, not the one begun last"
    assert store.find(str(elsewhere)) == elsewhere


def test_a_whole_id_wins_over_a_longer_one_it_begins(store: SessionStore) -> None:
    short = save(store, "abc", answered())
    save(store, "abcd", answered())
    assert store.find("abc") == short


def test_an_ambiguous_prefix_lists_the_candidates(store: SessionStore) -> None:
    save(store, "20261120-210301-7f3a", answered())
    save(store, "20261120-220000-0001", answered())
    with pytest.raises(SessionError) as caught:
        store.find("20261120")
    assert "20261120-210301-7f3a" in caught.value.hint
    assert "20261120-220000-0001" in caught.value.hint


def test_an_unknown_name_is_answered_with_the_nearest(store: SessionStore) -> None:
    save(store, "20261120-210301-7f3a", answered())
    with pytest.raises(SessionError) as caught:
        store.find("20261120-210301-7f3b")
    assert "20261120-210301-7f3a" in caught.value.hint


@pytest.mark.parametrize("name", ["", "x" * 5000, "nul\0name", "missing/file.jsonl", "gone.jsonl"])
def test_a_name_that_makes_no_sense_is_a_session_error(store: SessionStore, name: str) -> None:
    save(store, "20261120-210301-7f3a", answered())
    with pytest.raises(SessionError):
        store.find(name)


def test_the_preview_is_the_first_question_and_its_answer(store: SessionStore) -> None:
    shown = preview(save(store, "s1", answered(), cancelled()))
    assert shown.question == "how are deploys rolled back?"
    assert shown.answer.startswith("Re-pin the last **green image** [1].")
    stopped = preview(save(store, "s2", cancelled(), answered()))
    assert (stopped.question, stopped.answer) == ("stop me", "The run was cancelled.")


def test_deleting_removes_the_file_and_nothing_else(store: SessionStore) -> None:
    save(store, "abc", answered())
    save(store, "abcd", answered())
    store.delete("abc")
    assert [one.session_id for one in store.list()] == ["abcd"]
    with pytest.raises(SessionError, match="no session"):
        store.delete("ab")
    with pytest.raises(SessionError):
        store.delete("../abcd")


def test_a_session_that_cannot_be_deleted_says_why(store: SessionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    save(store, "abc", answered())

    def refused(self: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(StorageError) as caught:
        store.delete("abc")
    assert caught.value.hint


def test_a_folder_that_cannot_be_read_is_no_empty_one(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("a file where the folder should be")
    store = SessionStore(tmp_path / "sessions")
    for look in (store.list, lambda: store.find("last")):
        with pytest.raises(StorageError, match="cannot be read") as caught:
            look()
        assert "XDG_DATA_HOME" in caught.value.hint
    saved = tmp_path / "elsewhere.jsonl"
    saved.write_text("")
    assert store.find(str(saved)) == saved


def test_a_session_is_found_by_its_name_and_loses_it_with_its_file(store: SessionStore) -> None:
    named = save(store, "20261120-210301-7f3a", answered())
    save(store, "20261120-220000-0001", answered())
    store.labels.rename("20261120-210301-7f3a", "Rollout")
    assert store.find("rollout") == named
    assert [one.name for one in store.list()].count("Rollout") == 1
    store.labels.rename("20261120-220000-0001", "rollout")
    with pytest.raises(SessionError, match="2 sessions are called") as caught:
        store.find("Rollout")
    assert "20261120-220000-0001" in caught.value.hint
    store.delete("20261120-220000-0001")
    assert list(store.labels.read()) == ["20261120-210301-7f3a"]


def test_the_preview_shows_what_was_searched_for(store: SessionStore) -> None:
    path = save(store, "s1", cancelled(), answered())
    assert preview(path, ["green", "deploys"]).question == "how are deploys rolled back?"
    assert preview(path, ["nowhere"]).question == "stop me"
