"""Reading what was decided in a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kbtui.sessions.recording import Recording
from kbtui.ui.app import KbtuiApp
from kbtui.ui.commands import available_commands
from kbtui.ui.screens.audit import NOT_FOUND, NOT_KEPT, AuditScreen
from kbtui.ui.screens.replay import ReplayScreen
from kbtui.ui.widgets.long_text import MAX_CHARS, LongText
from kbtui.ui.widgets.rows import RowList
from tests.ui.apps import bare_app
from tests.ui.driving import ask, ask_screen, make_app, shown, until
from tests.ui.model_runs import ModelEngine, a_model_run, an_audit, up_to


def engine() -> ModelEngine:
    return ModelEngine(audits={"r1": an_audit()})


async def opened(pilot, key: str = "ctrl+backslash") -> AuditScreen:  # type: ignore[no-untyped-def]
    app = pilot.app
    await pilot.press(key)
    await until(
        pilot,
        lambda: (
            isinstance(app.screen, AuditScreen) and "decisions" in str(app.screen.query_one("#audit").border_subtitle)
        ),
    )
    await pilot.pause()
    return app.screen


@pytest.mark.parametrize("key", ["ctrl+backslash", "a"])
async def test_it_opens_from_prompt_and_answer_and_lists_calls_and_decisions(key: str) -> None:
    app = make_app(engine())
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        if key == "a":
            await pilot.press("escape")
        await opened(pilot, key)
        await until(pilot, lambda: "Task: route" in shown(app))
        text = shown(app)
        assert "Pass 1" in text
        assert "› route     openai:gpt-5-mini" in text
        assert "0.81 s" in text
        assert "conceptual · complex · by the model" in text
        assert "12 hits" in text
        assert "average 0.81 · GENERATE" in text
        assert "✗ grade     openai:gpt-5-mini did not" in text
        assert "partial · 1 source" in text
        assert "8 decisions · 3 of the model" in text
        assert '"query_type": "conceptual",' in text
        assert NOT_KEPT not in text
        await pilot.press("escape")
        assert not isinstance(app.screen, AuditScreen)


async def test_the_same_chord_closes_it() -> None:
    app = make_app(engine())
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        await opened(pilot)
        await pilot.press("ctrl+backslash")
        await until(pilot, lambda: not isinstance(app.screen, AuditScreen))


async def test_moving_through_the_list_shows_each_decision_and_enter_reads_it() -> None:
    app = make_app(engine())
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        screen = await opened(pilot)
        await pilot.press("end")
        await until(pilot, lambda: "runbooks/rollback.md:L12-L18" in shown(app))
        await pilot.press("up", "enter")
        await until(pilot, lambda: "raw answer" in shown(app) and "Migrations are forward-only [3]" in shown(app))
        assert screen.query_one(LongText).has_focus
        await pilot.press("end")
        await until(pilot, lambda: "<passage id=39>" in shown(app))


async def test_what_the_model_was_sent_is_a_key_away_from_its_raw_answer() -> None:
    app = make_app(engine())
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        screen = await opened(pilot)
        await pilot.press("end", "up")
        detail = screen.query_one(LongText)
        await until(pilot, lambda: detail.max_scroll_y > 40)
        assert "] next part" in shown(app)
        assert "<passage id=1>" not in shown(app)
        await pilot.press("]")
        assert "<passage id=1>" in shown(app)
        await pilot.press("[")
        assert "raw answer" in shown(app)


async def test_a_search_leaves_the_decisions_that_hold_the_words_and_steps_through_them() -> None:
    app = make_app(engine())
    async with app.run_test(size=(140, 30)) as pilot:
        await ask(pilot)
        screen = await opened(pilot)
        await pilot.press("slash", *"LINE 3")
        rows, detail = screen.query_one(RowList), screen.query_one(LongText)
        await until(pilot, lambda: "2 of 8 decisions" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: detail.has_focus and detail.hits == 11)
        first = detail.scroll_offset.y
        assert "line 3:" in shown(app)
        await pilot.press("n")
        await until(pilot, lambda: detail.scroll_offset.y > first)
        await pilot.press("p")
        await until(pilot, lambda: detail.scroll_offset.y == first)
        await pilot.press("escape")
        await until(pilot, lambda: "2 of 8" not in shown(app) and rows.option_count == 9)
        await pilot.press("slash", *"nowhere")
        await until(pilot, lambda: NOT_FOUND in shown(app))
        await pilot.press("y", "escape", "escape")
        assert not isinstance(app.screen, AuditScreen)


async def test_a_decision_is_copied_as_json() -> None:
    app = make_app(engine())
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        await opened(pilot)
        await pilot.press("y")
        copied = json.loads(app.clipboard)
        assert copied["stage"] == "route"
        assert copied["prompt"][0]["content"].startswith("Task: route")


async def test_it_grows_while_the_run_goes_on_and_keeps_the_selected_decision() -> None:
    playing = engine()
    playing.audits["r1"] = an_audit()[:4]
    playing.hold_after = up_to(a_model_run(), "grade")
    app = make_app(playing)
    async with app.run_test(size=(140, 44)) as pilot:
        screen = ask_screen(app)
        screen.ask("q")
        await until(pilot, lambda: screen.conversation.latest.model_calls)
        audit = await opened(pilot)
        await pilot.press("down")
        await until(pilot, lambda: audit.query_one(RowList).selected_key == "1")
        playing.audits["r1"] = an_audit()
        await until(pilot, lambda: "8 decisions" in shown(app))
        assert audit.query_one(RowList).selected_key == "1"


async def test_a_run_that_is_not_kept_is_told_from_its_events() -> None:
    app = make_app(ModelEngine())
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        await opened(pilot)
        await until(pilot, lambda: NOT_KEPT[:40] in shown(app))
        text = shown(app)
        assert "conceptual · complex · by the model" in text
        assert "12 hits" in text
        assert "average 0.81 · GENERATE" in text
        assert "partial · 3 sources" in text


async def test_it_opens_over_a_replay(tmp_path: Path) -> None:
    recording = Recording(path=tmp_path / "s.jsonl", events=tuple(a_model_run()))
    app = KbtuiApp(
        bare_app(tmp_path).workspace._factory,
        bare_app(tmp_path).settings,
        kb=tmp_path,
        first_screen=lambda: ReplayScreen(recording, speed=1000),
    )
    async with app.run_test(size=(140, 44)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("end")
        await opened(pilot)
        await until(pilot, lambda: NOT_KEPT[:40] in shown(app) and "average 0.81" in shown(app))
        await pilot.press("escape")
        assert isinstance(app.screen, ReplayScreen)


async def test_before_the_first_question_it_says_that_there_is_nothing() -> None:
    app = make_app(engine())
    async with app.run_test(size=(140, 44)) as pilot:
        await until(pilot, lambda: app.screen.query("#conversation"))
        await pilot.press("ctrl+backslash")
        await until(pilot, lambda: any("Nothing has been asked" in notice.message for notice in app._notifications))
        assert not isinstance(app.screen, AuditScreen)


async def test_it_is_in_the_palette() -> None:
    app = make_app(engine())
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        assert [command.name for command in available_commands(app.screen)].count("audit") == 1


async def test_what_models_and_documents_wrote_is_neither_mark_up_nor_an_escape_sequence() -> None:
    hostile = "\x1b[2J[red]pwned[/red] [@click=app.quit]x[/] \x1b]0;title\x07 \u202egnp\u202c " + "長" * 9_000
    playing = engine()
    playing.audits["r1"] = [
        {
            "node": "llm",
            "stage": hostile,
            "model": hostile,
            "prompt": [{"role": hostile, "content": hostile}],
            "answer": hostile,
        },
        {"node": hostile, "iteration": "x", "plan": hostile, "error": hostile},
        {"node": "llm", "prompt": "not a list", "answer": None, "tokens_in": "many"},
        {"node": "tool_exec", "results": [1, {"hits": "x"}], "iteration": 2},
    ]
    app = make_app(playing)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot)
        await opened(pilot)
        await until(pilot, lambda: "[red]pwned[/red] [@click=app.quit]x[/]" in shown(app))
        for _ in range(3):
            assert "\x1b" not in shown(app)
            assert "\u202e" not in shown(app)
            await pilot.press("down")
            await pilot.pause()
        await pilot.press("y")
        assert "\x1b" not in app.clipboard


async def test_a_text_of_a_million_characters_is_shown_from_its_beginning() -> None:
    playing = engine()
    playing.audits["r1"] = [{"node": "llm", "stage": "write", "answer": "beginning " + "x y " * 250_000 + "end"}]
    app = make_app(playing)
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot)
        screen = await opened(pilot)
        await until(pilot, lambda: "beginning x y" in shown(app))
        screen.query_one(LongText).focus()
        await pilot.press("end")
        await until(pilot, lambda: f"{1_000_013 - MAX_CHARS:,} more characters" in shown(app))


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (200, 50)])
async def test_it_fits_every_size(size: tuple[int, int]) -> None:
    app = make_app(engine())
    async with app.run_test(size=size) as pilot:
        await ask(pilot)
        await opened(pilot)
        await until(pilot, lambda: "raw answer" in shown(app))
        assert "› route" in shown(app)
