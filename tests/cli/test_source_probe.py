from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest

from kbtui.cli import source_probe
from kbtui.settings.sources import parse_entry


def test_what_is_done_meanwhile_runs_while_the_source_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, done = threading.Event(), threading.Event()
    closed: list[bool] = []

    def schema(level: str) -> None:
        asked.set()
        assert level == "basic"
        assert done.wait(10), "the source is not waited for before the rest is done"

    source = SimpleNamespace(schema=schema, close=lambda: closed.append(done.is_set()))
    monkeypatch.setattr(source_probe, "open_source", lambda _: source)

    def meanwhile() -> None:
        assert asked.wait(10)
        done.set()

    source_probe.require([parse_entry("plants.csv")], meanwhile=meanwhile)
    assert closed == [True]


def test_what_fails_meanwhile_closes_the_source_that_is_being_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = threading.Event()
    source = SimpleNamespace(schema=lambda level: closed.wait(10), close=closed.set)
    monkeypatch.setattr(source_probe, "open_source", lambda _: source)

    def meanwhile() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        source_probe.require([parse_entry("plants.csv")], meanwhile=meanwhile)
    assert closed.is_set()
