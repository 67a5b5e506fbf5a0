"""A folder is published, and asked from somewhere else."""

from __future__ import annotations

import gc
import json
import threading
import time
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from kbtui.bootstrap import Engine
from kbtui.bootstrap.published import PublishedSide
from kbtui.domain.answer import Answer
from kbtui.domain.events import Event
from kbtui.domain.ports import CancelToken
from kbtui.errors import KnowledgeBaseError, RemoteError
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.settings.published import local_root, root_of, url_of
from tests.publishing.conftest import Publish
from tests.support.object_storage import Bucket

QUESTION = "when do we roll back a deploy?"
ROLLBACK = "runbooks/rollback.md"


def ask(engine: Engine, question: str = QUESTION) -> tuple[Answer, list[Event]]:
    events: list[Event] = []
    return engine.answer_query(question, events.append), events


def warnings(events: list[Event]) -> list[str]:
    return [event.message for event in events if event.kind == "warning"]


def test_a_published_folder_answers_with_its_lines_where_the_folder_is_not(
    publish: Publish, url: str, kb: Path
) -> None:
    report = publish()
    assert (report.is_new, report.files) == (True, 5)
    kb.rename(kb.with_name("gone"))
    engine = Engine(Settings(), url, record=False)
    answer, events = ask(engine)
    assert "two percent for five minutes" in answer.markdown
    assert answer.citations[0].path == ROLLBACK
    assert not answer.citations[0].stale
    assert warnings(events) == []
    started = next(event for event in events if event.kind == "run_started")
    assert started.kb == url
    text = engine.read_source(ROLLBACK).text.split("\n")
    assert "above two percent" in text[(answer.citations[0].start_line or 1) - 1]
    assert engine.file_count() == 5


def test_words_and_chinese_are_found_in_it(publish: Publish, url: str) -> None:
    publish()
    engine = Engine(Settings(), url, record=False)
    answer, _ = ask(engine, "值班什么时候交接？")
    assert "周三上午十点" in answer.markdown
    hits = engine.tools.call("grep_search", {"keywords": "MAX_RETRIES"}, lambda _: None, CancelToken()).hits
    assert [hit.path for hit in hits] == ["config.py"]


def test_mentioned_files_are_asked_alone(publish: Publish, url: str) -> None:
    publish()
    answer, _ = ask(Engine(Settings(), url, record=False), "@adr/0007-migrations.md what does a migration never do?")
    assert {citation.path for citation in answer.citations} == {"adr/0007-migrations.md"}


def test_what_has_not_changed_is_published_once(publish: Publish, bucket: Bucket) -> None:
    first, keys = publish(), bucket.names()
    again = publish()
    assert (again.is_new, again.generation) == (False, first.generation)
    assert bucket.names() == keys


def test_a_change_costs_what_is_new(publish: Publish, kb: Path, bucket: Bucket) -> None:
    first = publish()
    before = set(bucket.names("team/handbook/objects"))
    (kb / "runbooks/restart.md").write_text("# Restart\n\nRestart the gateway with `gate kick`.\n")
    second = publish()
    assert second.is_new and second.generation != first.generation
    assert 0 < second.sent < first.sent
    assert before <= set(bucket.names("team/handbook/objects"))


def test_a_session_answers_from_the_next_generation_without_being_opened_again(
    publish: Publish, kb: Path, url: str
) -> None:
    publish()
    engine = Engine(Settings(), url, record=False)
    ask(engine)
    (kb / ROLLBACK).write_text(
        "# Roll back a deploy\n\nRoll back a deploy when the error rate is above nine percent.\n"
    )
    publish()
    assert "two percent" in ask(engine)[0].markdown, "nobody has looked yet"
    engine.refresh()
    answer, events = ask(engine)
    assert "nine percent" in answer.markdown
    assert not any(citation.stale for citation in answer.citations)
    assert engine.read_source(ROLLBACK).text.startswith("# Roll back a deploy\n\nRoll back a deploy when")
    assert warnings(events) == []


def test_a_newer_generation_is_found_while_nobody_asks_for_it(publish: Publish, kb: Path, url: str) -> None:
    publish()
    settings = replace(Settings(), published=replace(Settings().published, check_s=0.05))
    others = set(threading.enumerate())
    side = PublishedSide(url, settings, today=date.today)
    old = side.base()
    (kb / ROLLBACK).write_text("# Roll back\n\nNew words.\n")
    publish()
    for _ in range(3_000):
        if side.base() is not old:
            break
        time.sleep(0.01)
    assert "New words." in "\n".join(side.base().source.lines(ROLLBACK))
    del side, old
    for _ in range(3_000):
        gc.collect()
        if not any(thread.name == "kbtui-published" for thread in set(threading.enumerate()) - others):
            return
        time.sleep(0.01)
    raise AssertionError("it is looked for although nobody has it open")


def test_a_question_keeps_the_generation_it_began_with(publish: Publish, kb: Path, url: str) -> None:
    publish()
    side = PublishedSide(url, Settings(), today=date.today)
    with side.question(lambda _: None, CancelToken()):
        old = side.base()
        (kb / ROLLBACK).write_text("# Roll back\n\nNew words.\n")
        publish()
        side.look()
        assert side.base() is old
        assert "two percent" in "\n".join(old.source.lines(ROLLBACK))
    assert "New words." in "\n".join(side.base().source.lines(ROLLBACK))


def test_a_document_is_published_by_its_text_alone(publish: Publish, kb: Path, url: str, bucket: Bucket) -> None:
    cell = {"cell_type": "markdown", "metadata": {}, "source": ["The wombat budget is 4200 euros."]}
    secret = {"cell_type": "markdown", "metadata": {"planted": "only in the original"}, "source": ["Two."]}
    notebook = {"cells": [cell, secret], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (kb / "budget.ipynb").write_text(json.dumps(notebook))
    publish()
    assert not any(b"only in the original" in bucket.read(key) for key in bucket.names())
    engine = Engine(Settings(), url, record=False)
    answer, _ = ask(engine, "what is the wombat budget?")
    assert "4200 euros" in answer.markdown
    assert answer.citations[0].locator
    source = engine.read_source("budget.ipynb")
    assert source.is_extracted and "4200 euros" in source.text
    hits = engine.tools.call("grep_search", {"keywords": "wombat"}, lambda _: None, CancelToken()).hits
    assert [hit.path for hit in hits] == ["budget.ipynb"]
    narrowed, _ = ask(engine, "@budget.ipynb what is the wombat budget?")
    assert "4200 euros" in narrowed.markdown


def test_nothing_published_tells_where_the_folder_lies(publish: Publish, bucket: Bucket, kb: Path) -> None:
    publish()
    for key in bucket.names():
        assert str(kb.parent).encode() not in bucket.read(key), key


def test_it_is_read_only(publish: Publish, url: str, bucket: Bucket) -> None:
    publish()
    keys = bucket.names()
    engine = Engine(Settings(), url, record=False)
    ask(engine)
    assert bucket.names() == keys
    root = local_root(url)
    assert all(path.stat().st_mode & 0o222 == 0 for path in root.rglob("*") if path.is_file())
    assert not engine.staleness().is_stale
    with pytest.raises(KnowledgeBaseError, match="read only"):
        PublishedSide(url, Settings(), today=date.today).base().complete(lambda _: None, CancelToken())


def test_a_copy_that_breaks_while_it_is_open_is_fetched_anew(publish: Publish, url: str) -> None:
    publish()
    engine = Engine(Settings(), url, record=False)
    ask(engine)
    (page,) = (local_root(url).resolve().parent / "index").glob("g*/chunks.lance/data/*.lance")
    page.unlink()
    with pytest.raises(RemoteError) as raised:
        ask(engine, "what never breaks the running version?")
    assert "on this machine was damaged" in raised.value.message
    assert "two percent" in ask(engine)[0].markdown


def test_the_same_bytes_are_kept_once(publish: Publish, kb: Path, url: str) -> None:
    (kb / "copy.md").write_bytes((kb / ROLLBACK).read_bytes())
    publish()
    Engine(Settings(), url, record=False).warm()
    root = local_root(url)
    assert (root / "copy.md").samefile(root / ROLLBACK)


def test_the_folder_of_a_collection_is_told_from_others(publish: Publish, url: str, kb: Path) -> None:
    publish()
    Engine(Settings(), url, record=False).warm()
    root = local_root(url)
    assert root.name == "handbook"
    assert url_of(root) == url_of(root.resolve()) == url
    assert root_of(url) == root and root_of(str(kb)) == kb
    assert url_of(kb) == ""
    assert paths.index_dir(root).parent == root.resolve().parent
