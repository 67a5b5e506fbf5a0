"""The cursor of the conversation: from part to part, and what is copied there."""

from __future__ import annotations

from typing import Any

import pytest

from kbtui.ui.clipboard import claim_text, place_text, rows_text
from kbtui.ui.messages import Spot
from kbtui.ui.panes.transcript import Transcript
from kbtui.ui.widgets.chart_view import ChartView
from kbtui.ui.widgets.table_view import TableView
from tests.ui.data_runs import CHART, TABLE, DataEngine
from tests.ui.driving import ask, cell_of, make_app, shown, until
from tests.ui.made import MARKDOWN, FakeEngine


def here(app: Any) -> str:
    """The text of the block that the cursor is on."""
    block = app.screen.query_one(Transcript).block
    if block is None:
        return ""
    region = block.region
    return " ".join(
        "".join(row[region.x : region.right] for row in shown(app).split("\n")[region.y : region.bottom]).split()
    )


async def test_the_arrows_go_from_part_to_part_and_y_copies_it_with_its_sources() -> None:
    app = make_app()
    async with app.run_test(size=(120, 44)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "down")
        await until(pilot, lambda: here(app).startswith("How rollback works. A deploy"))
        await pilot.press("y")
        assert app.clipboard == (
            "**How rollback works.** A deploy is rolled back by re-pinning the last green image and running "
            "`deploy --pin` [1]. Migrations are forward-only [2].\n\n"
            "[1] runbooks/rollback.md:12-18\n[2] adr/0007-deploys.md:4"
        )
        await pilot.press("down", "y")
        assert app.clipboard.startswith("- The on-call engineer announces it first in `#deploys` [3].\n\n[3] runbooks/")
        await pilot.press("down", "down", "y")
        assert app.clipboard == "```python\npin(images[1])\n```"
        await pilot.press("up")
        await until(pilot, lambda: "回滚后" in here(app).replace(" ", ""))


async def test_the_cursor_can_be_told_in_few_colours_where_no_tint_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLORTERM")
    monkeypatch.setenv("TERM", "xterm")
    app = make_app()

    def is_underlined(text: str) -> bool:
        x, y = cell_of(app, text)
        style = app.screen.get_style_at(x, y)
        return bool(style.underline)

    async with app.run_test(size=(120, 44)) as pilot:
        await ask(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: is_underlined("How does rollback work"))
        assert not is_underlined("The on-call engineer")
        await pilot.press("down", "down")
        await until(pilot, lambda: is_underlined("The on-call engineer"))


async def test_the_question_stands_for_the_whole_answer() -> None:
    app = make_app()
    async with app.run_test(size=(120, 44)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "y")
        assert app.clipboard == MARKDOWN
        await pilot.press("down", "y", "up", "y")
        assert app.clipboard == MARKDOWN


async def test_the_cursor_goes_on_into_the_next_turn_and_back() -> None:
    app = make_app()
    async with app.run_test(size=(100, 24)) as pilot:
        await ask(pilot)
        await ask(pilot, "and who may do it?")
        transcript = app.screen.query_one(Transcript)
        await pilot.press("escape", "up")
        await until(pilot, lambda: transcript.position == 0 and "pin(images[1])" in here(app))
        await pilot.press("down")
        await until(pilot, lambda: transcript.position == 1 and "and who may do it?" in here(app))
        assert "and who may do it?" in shown(app)


async def test_a_part_higher_than_the_screen_is_read_to_its_end_first() -> None:
    from tests.ui.made import a_run

    lines = "\n".join(f"row {number}" for number in range(60))

    def run(query: str, run_id: str) -> Any:
        from msgspec.structs import replace

        from kbtui.domain.events import AnswerCompleted

        return [
            replace(event, markdown=f"```\n{lines}\n```\n\nlast", citations=())
            if isinstance(event, AnswerCompleted)
            else event
            for event in a_run(query, run_id)
        ]

    app = make_app(FakeEngine(run=run))
    async with app.run_test(size=(100, 24)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "down")
        await until(pilot, lambda: "row 0" in shown(app))
        presses = 0
        while "row 59" not in shown(app):
            await pilot.press("down")
            await pilot.pause()
            presses += 1
            assert presses < 10
        assert presses > 2
        assert here(app).endswith("row 59")


async def test_a_table_is_copied_for_spreadsheets_and_the_second_time_as_markdown() -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=(120, 60)) as pilot:
        await ask(pilot, "Which city has the most parcels?")
        transcript = app.screen.query_one(Transcript)
        await pilot.press("escape")
        for _ in range(9):
            if transcript.block is not None and isinstance(transcript.block.widget, TableView):
                break
            await pilot.press("down")
        await pilot.press("y")
        assert app.clipboard.split("\n")[:2] == ["city\tparcels\trevenue", "Taipei 台北\t1032\t4120.5"]
        assert app.clipboard.endswith("Oslo\t377\t1502.0")
        await pilot.press("y")
        assert app.clipboard.startswith("| city | parcels | revenue |\n|---|---:|---:|")
        await pilot.press("down", "y")
        assert transcript.block is not None
        assert isinstance(transcript.block.widget, ChartView)
        assert app.clipboard.startswith("city\tparcels\nTaipei 台北\t1032.0")


@pytest.mark.parametrize("keys", [("2", "Y"), ("escape", "2", "Y"), ("escape", "j", "j", "Y")])
async def test_the_second_source_is_copied_with_its_quote_by_a_few_keys(keys: tuple[str, ...]) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        await pilot.press(*keys)
        assert app.clipboard == "line 4 of adr/0007-deploys.md\n(adr/0007-deploys.md:4)"


async def test_no_source_is_copied_that_was_not_shown() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "Y")
        assert app.clipboard == ""


async def test_a_click_puts_the_cursor_on_a_part_of_any_turn() -> None:
    app = make_app()
    async with app.run_test(size=(120, 50)) as pilot:
        await ask(pilot)
        await ask(pilot, "and who may do it?")
        transcript = app.screen.query_one(Transcript)
        transcript.scroll_to(y=0, animate=False)
        await pilot.pause()
        block = transcript.turns[0].blocks[3]
        await pilot.click(block.widget, offset=(2, block.region.y - block.widget.region.y))
        await until(pilot, lambda: transcript.position == 0 and transcript.block == block)


async def test_the_cursor_stays_with_the_citations_and_the_find() -> None:
    app = make_app()
    async with app.run_test(size=(120, 44)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "down", "3")
        await until(pilot, lambda: "The on-call engineer announces" in here(app))
        await pilot.press("slash", *"forward", "escape", "y")
        assert app.clipboard.startswith("**How rollback works.**")


def test_a_source_is_named_by_its_path_and_lines_a_page_by_its_address() -> None:
    assert place_text(Spot(path="a.md", start_line=3, end_line=3)) == "a.md:3"
    assert place_text(Spot(path="a.md", start_line=3, end_line=9)) == "a.md:3-9"
    assert place_text(Spot(path="", url="https://example.org")) == "https://example.org"


def test_only_the_sources_of_a_claim_are_copied_with_it() -> None:
    spots = (Spot(path="a.md", n=1), Spot(path="b.md", n=2))
    assert claim_text("It is so [2]. See [1](x).", spots) == "It is so [2]. See [1](x).\n\n[2] b.md:1"
    assert claim_text("It is so.", spots) == "It is so."


def test_rows_for_spreadsheets_hold_values_as_they_are() -> None:
    assert rows_text(TABLE, as_markdown=False).split("\n")[5] == "Aarhus\t431\t"
    assert rows_text(CHART, as_markdown=True).startswith("| city | parcels |")
