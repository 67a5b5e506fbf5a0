from __future__ import annotations

from types import SimpleNamespace

import pytest

from kbtui.cli import source_probe
from kbtui.settings.sources import parse_entry


def test_what_is_done_meanwhile_comes_between_opening_a_source_and_asking_it(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def opened(_: object) -> SimpleNamespace:
        done.append("opened")
        return SimpleNamespace(schema=lambda level: done.append(f"asked, {level}"), close=lambda: done.append("closed"))

    monkeypatch.setattr(source_probe, "open_source", opened)
    source_probe.require([parse_entry("plants.csv")], meanwhile=lambda: done.append("meanwhile"))
    assert done == ["opened", "meanwhile", "asked, basic", "closed"]
