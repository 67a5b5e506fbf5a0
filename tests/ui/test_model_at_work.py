"""What the screen says of a chat model: that it is asked, what it wrote, what it cost, what nobody supports."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from textual.geometry import Size

from kbtui.domain.events import AnswerCompleted, AnswerDelta, Event, RunCompleted, RunStarted
from kbtui.ui.app import KbtuiApp
from kbtui.ui.panes.base import model_call_text, state_text
from kbtui.ui.panes.closing import closing_line, closing_lines
from kbtui.ui.panes.transcript import Transcript
from kbtui.ui.screens.why import why_lines
from kbtui.ui.widgets.cited_markdown import CitedMarkdown, make_parser
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.status_line import StatusLine
from kbtui.ui.workspace import FolderStatus
from kbtui.view.folding import reduce_all
from tests.ui.driving import ask, ask_screen, make_app, shown, until
from tests.ui.made import FakeEngine, placed
from tests.ui.model_runs import MODEL, UNBACKED, ModelEngine, a_model_run, asked, up_to


def head(app: KbtuiApp, stage: str) -> str:
    """The first line of a stage of the rail."""
    return str(app.screen.query_one(f"{stage} .stage-head").render())


def fitted(line: StatusLine, width: int) -> str:
    """The text of a line of status that is ``width`` cells wide."""
    with patch.object(StatusLine, "content_size", Size(width, 1)):
        return line.render().plain.rstrip()


@pytest.mark.parametrize(
    ("stage", "pane"), [("route", "#intent"), ("grade", "#evidence"), ("write", "#answer-stage")], ids=str
)
async def test_the_pane_that_waits_for_the_model_says_so(stage: str, pane: str) -> None:
    engine = ModelEngine(hold_after=up_to(a_model_run(), stage))
    app = make_app(engine)
    async with app.run_test(size=(140, 44)) as pilot:
        screen = ask_screen(app)
        screen.ask("How does rollback work?")
        await until(pilot, lambda: screen.conversation.latest.model_calls)
        await until(pilot, lambda: f"asking {MODEL}" in head(app, pane))
        await pilot.press("escape")
        await until(pilot, lambda: "asking" not in shown(app))


def test_a_long_name_of_a_model_leaves_room_for_the_time() -> None:
    events = placed(
        [RunStarted(query="q"), asked("write", 0, "ollama:qwen3-coder:30b-a3b-instruct-q4_K_M")], step_s=1.5
    )
    text = model_call_text(reduce_all(events), "answer", "2026-03-01T09:00:04+00:00")
    assert text.startswith("asking ollama")
    assert text.endswith("q4_K_M 2.50 s")
    assert len(text) < 45


def test_a_stage_the_model_is_not_asked_for_says_what_it_does_itself() -> None:
    view = reduce_all(placed([RunStarted(query="q"), asked("write", 0)]))
    assert state_text(view, "evidence") == "waiting"


async def test_the_time_to_the_first_words_is_shown_while_they_stream() -> None:
    events = a_model_run()
    first = next(index for index, event in enumerate(events) if isinstance(event, AnswerDelta))
    app = make_app(ModelEngine(hold_after=first + 2))
    async with app.run_test(size=(140, 44)) as pilot:
        screen = ask_screen(app)
        screen.ask("q")
        await until(pilot, lambda: screen.conversation.latest.deltas)
        await until(pilot, lambda: "first words 2.40 s" in shown(app))


def test_a_stream_that_brings_nothing_more_says_for_how_long() -> None:
    events = a_model_run()
    view = reduce_all(events[: up_to(events, "write") + 3])
    later = datetime.fromisoformat(view.last_at) + timedelta(seconds=12)
    assert "writing" in closing_line(view, view.last_at).plain
    assert "nothing new for 12.0 s" in closing_line(view, later.isoformat()).plain


async def test_who_graded_and_who_routed_is_told() -> None:
    app = make_app(ModelEngine())
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        assert "by the model" in head(app, "#evidence")
        app.screen.query_one("#intent").focus()
        await pilot.press("enter")
        await until(pilot, lambda: shown(app).count("by the model") == 2)


def test_the_score_of_the_model_stands_beside_the_one_without_it() -> None:
    view = reduce_all(a_model_run())
    lines = [" ".join(line.plain.split()) for line in why_lines(view.evidence[0], 60)]
    assert lines[-4:] == [
        "Who graded it",
        "graded by the model 0.96",
        "graded by rules, without it 0.40",
        "together 0.91",
    ]


@pytest.mark.parametrize(
    ("width", "usage"),
    [(160, "3 calls · 2.1k in 240 out · $0.0012"), (95, "3 calls · 2.4k tokens · $0.0012"), (80, "3 calls · $0.0012")],
)
async def test_the_status_line_says_what_the_run_used_as_far_as_there_is_room(width: int, usage: str) -> None:
    app = make_app(ModelEngine())
    async with app.run_test(size=(width, 30)) as pilot:
        await ask(pilot)
        await until(pilot, lambda: app.workspace.status.phase == "ready")
        await until(pilot, lambda: shown(app).split("\n")[0].rstrip().endswith(f"2.81 s · {usage}"))
        line = app.screen.query_one(StatusLine).render().plain
        assert MODEL in line


async def test_an_offline_run_says_nothing_of_calls() -> None:
    app = make_app()
    async with app.run_test(size=(160, 30)) as pilot:
        await ask(pilot)
        assert "call" not in shown(app).split("\n")[0]


async def test_a_sentence_without_support_is_marked_in_the_colour_of_a_warning_and_named_below() -> None:
    app = make_app(ModelEngine())
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "自动恢复。 [?]" in shown(app))
        text = shown(app)
        assert f"? No source for: {UNBACKED}" in text
        marks = [
            segment.style
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if segment.text.strip() == "[?]" and segment.style is not None
        ]
        plain = next(
            segment.style
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if "forward-only" in segment.text and segment.style is not None
        )
        assert len(marks) == 2
        for mark in marks:
            assert mark.color != plain.color
            assert mark.bold
            assert not mark.underline
            assert "@click" not in mark.meta


def test_the_line_under_an_answer_counts_the_notes_that_stand_above_it() -> None:
    line = closing_line(reduce_all(a_model_run()), "").plain
    assert "answered in part" in line
    assert "! 2 notes" in line


def test_a_mark_in_code_or_before_a_link_stays_as_it_is() -> None:
    tokens = [
        child
        for token in make_parser().parse("`[?]` and [?](https://example.org) and so [?]")
        for child in token.children or ()
    ]
    assert [token.type for token in tokens if token.content == "[?]"] == ["code_inline", "unsupported"]


@dataclass
class Torrent(FakeEngine):
    """Streams small pieces without a pause, and types in between as somebody would."""

    app: Any = None
    typed_at: int = 500
    seen_at: int | None = None

    async def stream(self, query: str) -> AsyncIterator[Event]:
        prompt = ask_screen(self.app).query_one(Prompt)
        for index, event in enumerate(self.run(query, "r1")):
            if index == self.typed_at:
                prompt.focus()
                self.app.simulate_key("x")
            if self.seen_at is None and prompt.text == "x":
                self.seen_at = index
            yield event


def torrent(query: str, run_id: str) -> list[Event]:
    words = [f"word{index} " if index % 40 else f"\n\n## Part {index // 40}\n\n" for index in range(2000)]
    streamed = "".join(words)
    return placed(
        [
            RunStarted(query=query, model=MODEL),
            asked("write", 0),
            *(AnswerDelta(text=word) for word in words),
            asked("write", 1),
            AnswerCompleted(markdown=streamed.replace("word7 ", "word7 [?] "), outcome="answered"),
            RunCompleted(llm_calls=1),
        ],
        run_id,
        step_s=0.001,
    )


async def test_keys_are_heard_while_thousands_of_words_stream_and_the_final_text_is_the_checked_one() -> None:
    engine = Torrent(run=torrent)
    app = engine.app = make_app(engine)
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.screen.query("#conversation"))
        screen = ask_screen(app)
        screen.ask("q")
        await until(pilot, lambda: screen.conversation.latest.finished, patience=4000)
        assert engine.seen_at is not None
        assert engine.seen_at < engine.typed_at + 300
        final = screen.conversation.latest.markdown
        assert "word7 [?]" in final
        await until(pilot, lambda: app.screen.query_one(CitedMarkdown).source == final)


async def test_a_text_that_is_replaced_at_the_end_stays_scrolled_as_it_was() -> None:
    lines = [f"Paragraph {index} says something about rollbacks [2]." for index in range(80)]
    streamed = "\n\n".join(lines)
    checked = streamed.replace("[2]", "[1]") + " [?]"

    def run(query: str, run_id: str) -> list[Event]:
        facts = [
            RunStarted(query=query),
            AnswerDelta(text=streamed),
            AnswerCompleted(markdown=checked, outcome="partial"),
        ]
        return placed([*facts, RunCompleted()], run_id)

    engine = ModelEngine(run=run, hold_after=2)
    app = make_app(engine)
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.screen.query("#conversation"))
        screen = ask_screen(app)
        screen.ask("q")
        await until(pilot, lambda: app.screen.query(CitedMarkdown))
        text, scroll = app.screen.query_one(CitedMarkdown), app.screen.query_one("#conversation", Transcript)
        await until(pilot, lambda: text.source == streamed and scroll.max_scroll_y > 40)
        scroll.focus()
        await pilot.press("down")
        scroll.scroll_to(y=40, animate=False)
        await until(pilot, lambda: scroll.scroll_y == 40)
        offsets: list[float] = []
        app.watch(scroll, "scroll_y", lambda y: offsets.append(y), init=False)
        from kbtui.ui import bridge

        view = bridge.reduce(screen.conversation.latest, replace(run("q", "r1")[2], run_id="r1"))
        screen._queue._update(view)
        await until(pilot, lambda: text.source == checked)
        await until(pilot, lambda: "Paragraph 20 says something about rollbacks [1]" in shown(app))
        assert scroll.scroll_y == 40
        assert offsets == []


async def test_a_block_of_several_lines_keeps_them_all_when_more_is_streamed() -> None:
    parts = ["- uno\n- dos\n", "- tres\n", "- cuatro\n\nThe end."]

    class Parts(FakeEngine):
        async def stream(self, query: str) -> AsyncIterator[Event]:
            yield placed([RunStarted(query=query)])[0]
            grown = ""
            for part in parts:
                grown += part
                yield AnswerDelta(text=part)
                await until(pilot, lambda grown=grown: app.screen.query_one(CitedMarkdown).source == grown)
            yield RunCompleted()

    app = make_app(Parts())
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.screen.query("#conversation"))
        screen = ask_screen(app)
        screen.ask("q")
        await until(pilot, lambda: screen.conversation.latest.finished)
        await until(pilot, lambda: all(word in shown(app) for word in ("uno", "dos", "tres", "cuatro", "The end.")))


async def test_an_answer_that_comes_at_once_is_painted_without_waiting_for_a_key() -> None:
    def run(query: str, run_id: str) -> list[Event]:
        return placed(
            [RunStarted(query=query), AnswerCompleted(markdown="It is so.", outcome="answered"), RunCompleted()]
        )

    app = make_app(FakeEngine(run=run))
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.screen.query("#conversation") and app.workspace.status.phase == "ready")
        ask_screen(app).ask("q")
        # Without the pilot, whose pauses wake the screen up.
        for _ in range(400):
            if "It is so." in shown(app):
                break
            await asyncio.sleep(0.01)
        assert "It is so." in shown(app)


def test_a_narrow_line_of_status_leaves_out_whole_parts_instead_of_cutting_one() -> None:
    line = StatusLine()
    line.show_folder(FolderStatus(kb=Path("/kb/handbook"), phase="ready", files=60, sources=("harbourlight",)))
    line.show_run(replace(reduce_all(a_model_run()), iteration=2), place="question 2 of 12")
    shown = [fitted(line, width) for width in (120, 90, 60, 45)]
    assert all("…" not in text for text in shown)
    assert shown[0].startswith("handbook · 60 files · harbourlight · ")
    assert [text.startswith("handbook · 2 of 12") for text in shown] == [False, False, True, True]
    assert ["went back for more" in text for text in shown] == [True, True, False, False]


def test_the_line_below_an_answer_goes_on_in_the_next_line_where_it_is_too_long() -> None:
    view = replace(reduce_all(a_model_run()), iteration=2)
    whole = closing_line(view, "").plain
    lines = [line.plain for line in closing_lines(view, "", 40)]
    assert len(lines) > 1
    assert all(cell_len(line) <= 40 for line in lines)
    assert " · ".join(line.strip() for line in lines) == whole
    assert [line.plain for line in closing_lines(view, "", 200)] == [whole]
