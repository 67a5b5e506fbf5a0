"""Pictures over charts: which terminals get them, when they are written, moved and removed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from textual.pilot import Pilot

from kbtui.domain.events import AnswerCompleted, Event, RunCompleted, RunStarted
from kbtui.ui.app import KbtuiApp
from kbtui.ui.pictures import PictureProtocol, picture_protocol
from kbtui.ui.widgets.chart_view import ChartView
from kbtui.view.drawing.text import LEAST_WIDTH
from tests.ui.data_runs import CITATION, LINES, DataEngine
from tests.ui.driving import ask, ask_screen, make_app, shown, until
from tests.ui.made import placed

CELL = (8, 16)


def a_run(query: str, run_id: str) -> list[Event]:
    ends = (AnswerCompleted(markdown="Here [1].", outcome="answered", citations=(CITATION,)), RunCompleted())
    return placed([RunStarted(query=query, sources=("sample.sqlite",)), LINES, *ends], run_id)


def app_with_pictures(protocol: PictureProtocol) -> tuple[KbtuiApp, list[str]]:
    """An app on a terminal that shows pictures, and what is written to it beside the cells."""
    app = make_app(DataEngine(run=a_run))
    written: list[str] = []
    app.pictures._write = written.append
    app.pictures._cell = lambda: CELL
    app.pictures.use(protocol)
    return app, written


def placements(written: list[str]) -> list[tuple[int, int, int, int]]:
    """Column, row, columns and rows of each placement by Kitty's protocol, in the order written."""
    found = re.findall(r"\x1b\[(\d+);(\d+)H\x1b_Ga=p,i=\d+,p=1,c=(\d+),r=(\d+),C=1,q=2\x1b\\\\?", "".join(written))
    return [(int(x), int(y), int(columns), int(rows)) for y, x, columns, rows in found]


async def asked(pilot: Pilot[Any], app: KbtuiApp) -> ChartView:
    await ask(pilot, "parcels by month")
    await until(pilot, lambda: ask_screen(app).query_one(ChartView).region)
    return ask_screen(app).query_one(ChartView)


@pytest.mark.parametrize(
    ("setting", "known", "has_sixel", "protocol"),
    [
        ("auto", "", True, "sixel"),
        ("auto", "", False, ""),
        ("auto", "kitty", False, "kitty"),
        ("auto", "cells", True, ""),
        ("cells", "kitty", True, ""),
        ("kitty", "", False, "kitty"),
        ("sixel", "cells", False, "sixel"),
    ],
)
def test_the_setting_counts_first_then_what_is_known_of_the_terminal_then_what_it_says(
    setting: str, known: str, has_sixel: bool, protocol: str
) -> None:
    assert picture_protocol(setting, known, has_sixel) == protocol


def test_without_the_packages_charts_stay_in_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbtui.ui.pictures.find_spec", lambda name: None if name == "PIL" else object())
    assert picture_protocol("sixel", "", True) == ""
    assert picture_protocol("kitty", "", True) == "kitty"
    monkeypatch.setattr("kbtui.ui.pictures.find_spec", lambda _name: None)
    assert picture_protocol("kitty", "", True) == ""


async def test_a_picture_is_sent_once_placed_between_the_axes_and_moves_with_its_chart() -> None:
    app, written = app_with_pictures("kitty")
    async with app.run_test(size=(120, 40)) as pilot:
        chart = await asked(pilot, app)
        await until(pilot, lambda: placements(written))
        x, y, columns, rows = placements(written)[-1]
        assert (x - 1, y - 1, columns, rows) == chart.plane_region
        inside = [line[x - 1 : x - 1 + columns] for line in shown(app).split("\n")[y - 1 : y - 1 + rows]]
        assert all(0x2800 <= ord(sign) < 0x2900 or sign in " ●▲" for line in inside for sign in line)
        await pilot.resize_terminal(120, 30)
        await until(pilot, lambda: placements(written)[-1][:2] == (chart.plane_region.x + 1, chart.plane_region.y + 1))
        assert "".join(written).count("a=t,f=100") == 1


async def test_a_dialog_takes_the_picture_away_and_leaving_it_brings_it_back() -> None:
    app, written = app_with_pictures("kitty")
    async with app.run_test(size=(120, 40)) as pilot:
        await asked(pilot, app)
        await until(pilot, lambda: placements(written))
        written.clear()
        app.action_help()
        await until(pilot, lambda: any("a=d,d=i" in text for text in written))
        assert not placements(written)
        await pilot.press("escape")
        await until(pilot, lambda: placements(written))


async def test_a_chart_that_is_not_all_in_sight_is_seen_in_cells() -> None:
    app, written = app_with_pictures("kitty")
    async with app.run_test(size=(120, 40)) as pilot:
        chart = await asked(pilot, app)
        await until(pilot, lambda: placements(written))
        written.clear()
        await pilot.resize_terminal(120, 18)
        await until(pilot, lambda: any("a=d,d=i" in text for text in written))
        await pilot.pause()
        assert not placements(written)
        assert chart.plane is not None and chart.plane.width >= LEAST_WIDTH - 10


async def test_sixels_are_written_again_where_the_screen_was_drawn_and_not_otherwise() -> None:
    app, written = app_with_pictures("sixel")
    async with app.run_test(size=(120, 40)) as pilot:
        chart = await asked(pilot, app)
        await until(pilot, lambda: any("\x1bP0;1q" in text for text in written))
        await pilot.pause()
        written.clear()
        await pilot.press(*"abc")
        await until(pilot, lambda: "abc" in shown(app))
        assert not written
        chart.refresh()
        await until(pilot, lambda: written)
        region = chart.plane_region
        assert written[0].startswith(f"\x1b7\x1b[{region.y + 1};{region.x + 1}H\x1bP0;1q")
        assert written[0].endswith("\x1b\\\x1b8")


async def test_a_picture_is_sent_again_after_the_terminal_was_left() -> None:
    app, written = app_with_pictures("kitty")
    async with app.run_test(size=(120, 40)) as pilot:
        await asked(pilot, app)
        await until(pilot, lambda: placements(written))
        written.clear()
        app.pictures.forget()
        app.draw_again()
        await until(pilot, lambda: placements(written))
        assert "".join(written).count("a=t,f=100") == 1


async def test_a_changed_setting_counts_at_once() -> None:
    app, written = app_with_pictures("kitty")
    async with app.run_test(size=(120, 40)) as pilot:
        await asked(pilot, app)
        await until(pilot, lambda: placements(written))
        app.show_pictures("cells")
        assert any("a=d,d=i" in text for text in written)
        written.clear()
        app.refresh()
        await pilot.pause()
        assert not written
