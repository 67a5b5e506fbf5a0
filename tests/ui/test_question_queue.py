"""Asking, watching, cancelling, going back."""

from __future__ import annotations

import re
import sys
from typing import Any

from msgspec.structs import replace
from textual.pilot import Pilot
from textual.widget import Widget

from kbtui.domain.codec import encode
from kbtui.domain.events import Event, EvidenceGraded, Progress, RunFailed
from kbtui.ui.panes.browser import Browser, HoldingsList
from kbtui.ui.panes.evidence import EvidencePane
from kbtui.ui.panes.transcript import Transcript
from kbtui.ui.run_view import RunPanes
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.rows import RowList
from tests.ui.driving import ask, ask_screen, is_rendered, make_app, shown, until
from tests.ui.made import ITEMS, FakeEngine, Stale, a_run


async def test_a_question_fills_every_stage_and_one_that_is_opened_says_more() -> None:
    app = make_app()
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        await pilot.pause()
        text = shown(app)
        assert "explanation · in parts" in text
        assert "Parts     2 of 2 found" in text
        assert "Searches  3 · 79 ms" in text
        assert "Evidence  5 of 6 kept" in text
        assert "1 how does rollback work" in text
        assert re.search(r"\.84 adr/0007-deploys\.md:4 +\[2\]", text)
        assert "Answer    4 cited" in text
        assert "re-pinning the last green image" in text
        assert "✓ 0.81 s · 3 searches · 5 of 6 kept" in text
        for name in ("sub-questions", "tool-calls"):
            app.screen.query_one(f"#{name}").focus()
            await pilot.press("enter")
        await until(pilot, lambda: "no relation of PROJ-1 is known" in shown(app))
        assert "12 hits" in shown(app)
        assert "⌕ rollback deploy" in shown(app)


async def test_the_footer_of_the_answer_is_shown_as_the_list_of_sources_alone() -> None:
    app = make_app()
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        source = app.screen.query_one(".answer-text").source  # type: ignore[attr-defined]
        assert "[1]." in source
        assert "L12-L18" not in source


async def test_escape_cancels_at_once_and_the_panes_say_so() -> None:
    engine = FakeEngine(hold_after=6)
    app = make_app(engine)
    async with app.run_test(size=(140, 44)) as pilot:
        screen = ask_screen(app)
        screen.ask("How does rollback work?")
        await until(pilot, lambda: screen.conversation.latest.calls)
        await pilot.press("escape")
        await pilot.pause()
        assert engine.cancelled == ["r1"]
        assert screen.conversation.latest.phase == "cancelled"
        text = shown(app)
        assert "⊘ Searches" in text
        assert "⊘ Cancelled." in text
        assert "▸" not in text


async def test_earlier_answers_can_be_gone_back_to() -> None:
    app = make_app()
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot, "the first question")
        await ask(pilot, "the second question")
        await pilot.press("alt+left")
        await pilot.pause()
        assert "› the first question" in shown(app)
        assert "question 1 of 2" in shown(app)
        await pilot.press("ctrl+down")
        await pilot.pause()
        assert "› the second question" in shown(app)


async def test_the_arrow_keys_bring_back_questions_and_the_draft() -> None:
    app = make_app()
    async with app.run_test() as pilot:
        await ask(pilot, "one")
        await ask(pilot, "two")
        await pilot.press(*"dra")
        prompt = app.screen.query_one(Prompt)
        values = []
        for key in ("up", "up", "up", "down", "down"):
            await pilot.press(key)
            values.append(prompt.text)
        assert values == ["two", "one", "one", "two", "dra"]


async def test_a_suggested_question_is_asked_by_the_keyboard() -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test() as pilot:
        await pilot.press("escape", "down", "enter")
        await until(pilot, lambda: engine.asked)
        assert engine.asked == ["谁负责发布回滚？"]


async def test_a_new_question_leads_back_to_the_browser() -> None:
    app = make_app()
    async with app.run_test() as pilot:
        await ask(pilot)
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert app.screen.query_one(Browser).display
        assert not app.screen.query_one(RunPanes).display
        await pilot.press("ctrl+up")
        await pilot.pause()
        assert app.screen.query_one(RunPanes).display


async def test_a_new_question_means_nothing_of_the_earlier_ones() -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test() as pilot:
        await ask(pilot)
        assert engine.conversations == 1
        await pilot.press("ctrl+l")
        await pilot.pause()
        assert engine.conversations == 2


async def test_a_run_that_fails_shows_the_message_and_the_hint() -> None:
    def failing(query: str, run_id: str) -> list:  # type: ignore[type-arg]
        return [
            *a_run(query, run_id)[:4],
            RunFailed(error="IndexCorrupt", message="The index is broken.", hint="Redo."),
        ]

    app = make_app(FakeEngine(run=failing))
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.pause()
        assert "✗ The index is broken." in shown(app)
        assert "Redo." in shown(app)


async def test_a_stream_that_stops_short_is_shown_as_failed() -> None:
    app = make_app(FakeEngine(run=lambda query, run_id: a_run(query, run_id)[:3]))
    async with app.run_test() as pilot:
        await ask(pilot)
        assert ask_screen(app).conversation.latest.phase == "failed"


def child(*lines: str, then: str = "") -> list[str]:
    """An indexing process that prints these lines."""
    return [sys.executable, "-c", f"import sys\nfor line in {list(lines)!r}: print(line, flush=True)\n{then}"]


async def test_a_question_asked_while_a_new_folder_is_indexed_waits_for_it() -> None:
    engine = FakeEngine(stale=Stale(never_indexed=True, added=736))
    progress = encode(Progress(stage="embed", done=360, total=736, message="embedding"))
    app = make_app(engine, index_argv=child(progress, then="sys.stdin.read(); import time; time.sleep(600)"))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.workspace.status.progress)
        await pilot.pause()
        assert "360 of 736" in shown(app)
        ask_screen(app).ask("How does rollback work?")
        await pilot.pause()
        assert "Asked as soon as the folder is ready." in shown(app)
        assert "360/736" in shown(app)
        assert engine.asked == []
        app.workspace.close()  # the indexing process ends
        await until(pilot, lambda: engine.asked)


async def test_the_indexing_process_ends_with_the_app() -> None:
    app = make_app(
        FakeEngine(stale=Stale(never_indexed=True)),
        index_argv=child(encode(Progress(stage="walk")), then="import time; time.sleep(600)"),
    )
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.workspace.status.progress)
        process = app.workspace._child
        assert process is not None
        assert process.returncode is None
    assert await process.wait() != 0


async def test_a_stale_folder_is_refreshed_behind_the_question() -> None:
    engine = FakeEngine(stale=Stale(changed=2))
    app = make_app(engine, index_argv=child(encode(Progress(stage="embed", done=1, total=2))))
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.workspace.status.phase == "ready" and engine.refreshed >= 2)
        await ask(pilot)
        assert ask_screen(app).conversation.latest.phase == "completed"


async def test_a_question_asks_a_new_folder_as_soon_as_its_text_is_there_and_vectors_follow() -> None:
    engine = FakeEngine(stale=Stale(never_indexed=True, added=736))
    ready, embedding = Progress(stage="ready", done=1, total=1), Progress(stage="embed", done=369, total=737)
    app = make_app(
        engine,
        index_argv=child(
            encode(Progress(stage="read", done=1, total=736)),
            encode(ready),
            then=f"import time; time.sleep(0.5); print({encode(embedding)!r}, flush=True); time.sleep(600)",
        ),
    )
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        assert ask_screen(app).conversation.latest.phase == "completed"
        await until(pilot, lambda: "vectors 50 %" in shown(app))
        app.workspace.close()
        await until(pilot, lambda: app.workspace.status.phase == "failed")


async def test_vectors_that_are_missing_are_made_behind_the_question() -> None:
    engine = FakeEngine(stale=Stale(vector_share=0.4))
    app = make_app(engine, index_argv=child(encode(Progress(stage="embed", done=1, total=2))))
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.workspace.status.phase == "ready" and engine.refreshed >= 2)


async def test_indexing_that_fails_is_a_calm_notice() -> None:
    failed = encode(RunFailed(error="StorageError", message="The disk is full.", hint="Free some space."))
    app = make_app(FakeEngine(stale=Stale(never_indexed=True)), index_argv=child("noise", failed, then="sys.exit(1)"))
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.workspace.status.phase == "failed")
        await pilot.pause()
        assert "✗ The disk is full." in shown(app)
        assert "Free some space." in shown(app)


async def test_an_engine_that_cannot_be_built_answers_with_its_reason() -> None:
    from kbtui.errors import IndexCorrupt
    from kbtui.settings.model import Settings
    from kbtui.ui.app import KbtuiApp
    from tests.ui.driving import KB

    def broken() -> FakeEngine:
        raise IndexCorrupt("The index cannot be read.", "Run kbtui index --rebuild.")

    app = KbtuiApp(broken, Settings(), kb=KB, suggestions=("?",))
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.pause()
        assert "✗ The index cannot be read." in shown(app)
        assert "Run kbtui index --rebuild." in shown(app)


async def test_the_prompt_remembers_what_earlier_sittings_began_with() -> None:
    from kbtui.sessions.recorder import SessionRecorder
    from kbtui.sessions.store import SessionStore

    recorder = SessionRecorder(SessionStore())
    for event in a_run("asked last week"):
        recorder.record(event)
    app = make_app()
    async with app.run_test() as pilot:
        await until(pilot, lambda: ask_screen(app).history.has_entries)
        await pilot.press("up")
        assert app.screen.query_one(Prompt).text == "asked last week"


async def test_a_folder_of_which_most_is_missing_from_the_index_is_indexed_first() -> None:
    engine = FakeEngine(stale=Stale(added=43))
    app = make_app(engine, index_argv=child(encode(Progress(stage="walk")), then="import time; time.sleep(600)"))
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.workspace.status.progress)
        assert app.workspace.status.phase == "indexing"
        assert not app.workspace.ready.is_set()


async def test_evidence_of_the_same_name_twice_breaks_nothing() -> None:
    def twice(query: str, run_id: str) -> list[Event]:
        return [
            replace(event, items=(*event.items, *event.items)) if isinstance(event, EvidenceGraded) else event
            for event in a_run(query, run_id)
        ]

    app = make_app(FakeEngine(run=twice))
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        rows = app.screen.query_one("#evidence-rows", RowList)
        assert sum(not option.disabled for option in rows.options) == 2 * len(ITEMS)
        rows.focus()
        await pilot.press("end")
        assert app.screen.query_one(EvidencePane).selected_index == 2 * len(ITEMS) - 1


async def test_an_engine_that_breaks_is_shown_and_another_question_can_be_asked() -> None:
    def breaking(query: str, run_id: str) -> list:  # type: ignore[type-arg]
        if query == "break":
            raise ZeroDivisionError("division by zero")
        return a_run(query, run_id)

    app = make_app(FakeEngine(run=breaking))
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "break")
        await pilot.pause()
        assert "✗ Something broke: division by zero" in shown(app)
        await ask(pilot, "again")
        latest = ask_screen(app).conversation.latest
        assert latest is not None
        assert latest.phase == "completed"


async def test_leaving_while_a_source_is_being_read_waits_for_nothing_that_waits_for_the_app() -> None:
    import threading

    reading, go_on = threading.Event(), threading.Event()

    class Slow(FakeEngine):
        def read_source(self, path: str):  # type: ignore[no-untyped-def]
            reading.set()
            go_on.wait(30)
            return super().read_source(path)

    app = make_app(Slow())
    async with app.run_test() as pilot:
        await ask(pilot)
        await pilot.press("alt+1")
        await until(pilot, reading.is_set)
        go_on.set()
        app.exit()


async def test_a_question_taken_in_the_browser_is_read_next_and_the_footer_says_how() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.ask_screen and app.ask_screen.query("#conversation"))
        await pilot.press("escape", "enter")
        screen = ask_screen(app)
        await until(pilot, lambda: screen.conversation.latest.finished and is_rendered(screen))
        assert isinstance(app.focused, Transcript)
        await until(pilot, lambda: "j/k cite   enter editor" in shown(app))


async def pages(pilot: Pilot[Any], widget: Widget) -> None:
    """Scroll a screenful and back, from the prompt."""
    assert widget.scroll_offset.y == 0
    await pilot.press("pagedown")
    await until(pilot, lambda: widget.scroll_offset.y > 0)
    await pilot.press("pageup")
    await until(pilot, lambda: widget.scroll_offset.y == 0)
    assert pilot.app.screen.query_one(Prompt).has_focus


async def test_the_page_keys_scroll_the_browser_while_the_prompt_has_the_focus() -> None:
    app = make_app()
    async with app.run_test(size=(80, 14)) as pilot:
        await until(pilot, lambda: app.screen.query_one(HoldingsList).max_scroll_y > 0)
        await pages(pilot, app.screen.query_one(HoldingsList))


async def test_the_page_keys_scroll_the_answer_while_the_prompt_has_the_focus() -> None:
    app = make_app()
    async with app.run_test(size=(80, 14)) as pilot:
        await ask(pilot)
        await pages(pilot, app.screen.query_one(Transcript))


async def test_from_the_prompt_escape_leads_to_the_sources_of_an_answer_that_has_some() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot)
        assert "esc sources" in shown(app)
