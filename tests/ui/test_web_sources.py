"""Sources that are pages: shown by what was quoted, their address copied, no browser ever started."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.domain.answer import Citation
from kbtui.domain.events import (
    AnswerCompleted,
    Event,
    EvidenceGraded,
    EvidenceItem,
    RunCompleted,
    RunStarted,
)
from kbtui.ui.app import KbtuiApp
from kbtui.ui.messages import Spot
from tests.ui.driving import ask, make_app, proof_of, shown, until
from tests.ui.made import FakeEngine, placed

URL = "https://docs.example/rollback?b=c"
QUOTE = "Set the traffic back to the green image.\nThen [bold]wait[/bold]."


def a_web_run(query: str, run_id: str) -> list[Event]:
    item = EvidenceItem(
        evidence_id="e1",
        path=URL,
        start_line=6,
        end_line=7,
        score=0.9,
        kept=True,
        tool="web_search",
        sub_question=query,
        preview="Set the traffic back",
    )
    cited = Citation(n=1, kind="web", url=URL, quote=QUOTE)
    done = AnswerCompleted(
        markdown=f"Set the traffic back [1].\n\n---\n[1] {URL}", outcome="answered", citations=(cited,)
    )
    graded = EvidenceGraded(items=(item,), average=0.9, action="GENERATE")
    return placed([RunStarted(query=query), graded, done, RunCompleted()], run_id)


class NoFiles(FakeEngine):
    def read_source(self, path: str) -> object:  # type: ignore[override]
        raise AssertionError(f"{path} is no file")


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> KbtuiApp:
    made = make_app(NoFiles(run=a_web_run))

    def never(*_: object, **__: object) -> None:
        raise AssertionError("nothing is to be opened")

    monkeypatch.setattr(made, "open_url", never)
    monkeypatch.setattr("webbrowser.open", never)
    monkeypatch.setattr("kbtui.editors.launch.open_detached", never)
    return made


async def test_the_quote_of_a_page_is_shown_with_its_address(app: KbtuiApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "1")
        await until(pilot, lambda: proof_of(app) and "green image" in shown(app))
        text = shown(app)
        assert f"[1] {URL}" in text
        assert "Then [bold]wait[/bold]." in text
        assert "From the web" in text
        assert "There is no text" not in text


async def test_e_in_the_preview_copies_the_address_and_opens_nothing(app: KbtuiApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "1")
        await until(pilot, lambda: proof_of(app) and "green image" in shown(app))
        await pilot.press("e")
        await until(pilot, lambda: app.clipboard == URL)


async def test_e_on_the_selected_source_copies_its_address(app: KbtuiApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        app.ask_screen.query_one("#sources").focus()  # type: ignore[union-attr]
        await pilot.pause()
        await pilot.press("e")
        await until(pilot, lambda: app.clipboard == URL)


async def test_sources_and_evidence_name_the_page_without_lines(app: KbtuiApp) -> None:
    async with app.run_test(size=(160, 40)) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "docs.example" in shown(app))
        text = shown(app)
        assert f"─ [1] {URL} ─" in text
        assert f"{URL}:" not in text
        assert "example/rollback" in next(row for row in text.split("\n") if "▃▃" in row)


async def test_evidence_of_a_page_is_previewed_by_what_it_holds(app: KbtuiApp) -> None:
    async with app.run_test(size=(160, 40)) as pilot:
        await ask(pilot)
        app.ask_screen.query_one("#evidence-rows").focus()  # type: ignore[union-attr]
        await pilot.pause()
        await pilot.press("enter")
        await until(pilot, lambda: proof_of(app) and "Set the traffic back" in shown(app))
        await pilot.press("e")
        await until(pilot, lambda: app.clipboard == URL)


def test_a_citation_of_a_page_is_a_place_without_a_path() -> None:
    spot = Spot.of(Citation(n=3, kind="web", url=URL, quote=QUOTE))
    assert (spot.path, spot.url, spot.label, spot.quote) == ("", URL, URL, QUOTE)
    assert Spot.of(Citation(n=1, path="a.md", start_line=2)).url == ""
    assert not Path(spot.path).is_absolute()
