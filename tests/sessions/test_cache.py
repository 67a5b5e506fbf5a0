from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from kbtui.domain.codec import encode
from kbtui.sessions import cache as cache_module
from kbtui.sessions.cache import SummaryCache
from kbtui.sessions.store import SessionStore
from kbtui.sessions.summary import SessionSummary
from kbtui.settings.private import private_folder
from tests.sessions.runs import answered, cancelled


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    store = SessionStore(tmp_path / "sessions")
    private_folder(store.folder)
    return store


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read, for files that may have been written a moment ago."""
    monkeypatch.setattr(cache_module, "_SETTLED_NS", -1)
    real, found = cache_module.summarise, []

    def summarise(path: Path, stat: os.stat_result) -> tuple[SessionSummary, str]:
        found.append(path.stem)
        return real(path, stat)

    monkeypatch.setattr(cache_module, "summarise", summarise)
    return found


def save(store: SessionStore, session_id: str, query: str = "how?") -> Path:
    path = store.path_of(session_id)
    path.write_text("".join(encode(event) + "\n" for event in answered(query=query)), encoding="utf-8")
    return path


def queries(store: SessionStore) -> dict[str, str]:
    return {one.session_id: one.query for one in store.list()}


def test_a_file_is_read_once_and_again_when_it_changes(store: SessionStore, looked: list[str]) -> None:
    save(store, "a", "one?")
    path = save(store, "b", "two?")
    assert queries(store) == queries(SessionStore(store.folder)) == {"a": "one?", "b": "two?"}
    assert sorted(looked) == ["a", "b"]
    times = (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    path.write_text(path.read_text().replace("two?", "new?"))
    os.utime(path, ns=times)
    assert queries(store) == {"a": "one?", "b": "new?"}, "of the same size, and its time was set back by hand"
    assert looked[2:] == ["b"]


def test_a_file_that_was_just_written_is_read_again(store: SessionStore, looked: list[str], monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(cache_module, "_SETTLED_NS", 10**12)
    save(store, "a")
    store.list()
    store.list()
    assert looked == ["a", "a"]


def test_what_is_removed_by_hand_is_not_listed_and_leaves_nothing_in_the_cache(store: SessionStore) -> None:
    save(store, "a", "a secret question").unlink()
    save(store, "b", "a secret question")
    store.list()
    cache = SummaryCache(store.folder)
    assert b"a secret question" in cache.path.read_bytes()
    store.delete("b")
    assert store.list() == ()
    assert b"a secret question" not in cache.path.read_bytes()


@pytest.mark.parametrize("harm", ["foreign", "cut", "version", "rows", "folder"])
def test_a_cache_that_is_damaged_changes_nothing(harm: str, store: SessionStore) -> None:
    save(store, "a", "one?")
    store.list()
    path = SummaryCache(store.folder).path
    match harm:
        case "foreign":
            path.write_text("no database " * 1000)
        case "cut":
            path.write_bytes(path.read_bytes()[:5000])
        case "version":
            with sqlite3.connect(path) as db:
                db.execute("PRAGMA user_version = 99")
            db.close()
        case "rows":
            with sqlite3.connect(path) as db:
                db.execute("UPDATE summaries SET summary = x'ff'")
            db.close()
        case _:
            path.unlink()
            path.mkdir()
    for _ in range(3):
        assert queries(store) == {"a": "one?"}
        assert store.search(store.list(), ["green"]) == {"a"}
        assert store.search(store.list(), ["blue"]) == frozenset()
    if harm != "folder":
        with sqlite3.connect(path) as db:
            assert db.execute("SELECT count(*) FROM texts").fetchone() == (1,), "it is made anew"
        db.close()


def test_the_search_looks_into_questions_answers_names_and_facts(store: SessionStore) -> None:
    save(store, "a", "谁宣布回滚？")
    path = store.path_of("b")
    path.write_text("".join(encode(event) + "\n" for event in cancelled(query="Stop ME")), encoding="utf-8")
    store.labels.rename("b", "Rollout September")
    listed = store.list()
    assert store.search(listed, ["回滚"]) == {"a"}
    assert store.search(listed, ["GREEN", "handbook"]) == {"a"}
    assert store.search(listed, ["september", "stop"]) == {"b"}
    assert store.search(listed, ["september", "green"]) == frozenset()
    assert store.search(listed[:1], ["handbook"]) == {listed[0].session_id}, "only those that are asked for"
