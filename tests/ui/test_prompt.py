"""Typing a question: lines, pastes, rows, and what was typed before."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.events import Key, Paste

from kbtui.domain.conversation import MAX_QUESTION_CHARS
from kbtui.ui.app import KbtuiApp
from kbtui.ui.widgets.prompt import Prompt
from tests.ui.driving import ask, ask_screen, make_app, shown, until
from tests.ui.made import FakeEngine

SIZES = [(80, 24), (120, 36), (200, 50)]


def prompt_of(app: KbtuiApp) -> Prompt:
    return ask_screen(app).query_one(Prompt)


@pytest.mark.parametrize("key", ["shift+enter", "alt+enter", "ctrl+j", "shift+\r"])
async def test_each_key_for_a_new_line_begins_one_and_enter_asks_all_of_it(key: str) -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test() as pilot:
        await pilot.press(*"one")
        app.post_message(Key(key, None))
        await pilot.press(*"two", "enter")
        await until(pilot, lambda: engine.asked)
        assert engine.asked == ["one\ntwo"]
        assert prompt_of(app).text == ""


async def test_a_backslash_at_the_end_of_a_line_makes_enter_a_new_line() -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test() as pilot:
        await pilot.press(*"one", "backslash", "enter", *"two")
        assert prompt_of(app).text == "one\ntwo"
        assert engine.asked == []


async def test_a_paste_keeps_its_lines_and_loses_what_could_steer_the_terminal() -> None:
    app = make_app()
    async with app.run_test() as pilot:
        app.post_message(Paste("what is\r\n  a \x1b[31mgreen\x1b[0m image?\n"))
        await pilot.pause()
        assert prompt_of(app).text == "what is\n  a green image?"


async def test_tab_after_a_name_for_which_nothing_is_offered_stays_in_the_prompt() -> None:
    app = make_app()
    async with app.run_test() as pilot:
        await pilot.press(*"in @zzqqxx", "tab", *" hi")
        assert prompt_of(app).text == "in @zzqqxx hi"
        await pilot.press("tab")
        assert app.focused is not prompt_of(app)


async def test_a_paste_goes_where_the_cursor_is_and_takes_the_place_of_what_is_selected() -> None:
    app = make_app()
    async with app.run_test() as pilot:
        await pilot.press(*"a bad c", "left", "left", "shift+left", "shift+left", "shift+left")
        app.post_message(Paste("good\nb"))
        await pilot.press(*"!")
        assert prompt_of(app).text == "a good\nb! c"


async def test_of_a_paste_that_is_too_long_nothing_is_lost(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    app = make_app()
    pasted = "一行字 of text\n" * 3000
    async with app.run_test(size=(200, 50), notifications=True) as pilot:
        await pilot.press(*"see: ")
        app.post_message(Paste(pasted))
        await until(pilot, lambda: "20,000 characters" in shown(app))
        assert len(prompt_of(app).text) == MAX_QUESTION_CHARS
        (kept,) = (tmp_path / "kbtui" / "pasted").iterdir()
        assert kept.read_text(encoding="utf-8") == pasted.strip()
        assert kept.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_prompt_grows_with_what_is_typed_up_to_a_few_rows_and_shrinks_again(size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        prompt = prompt_of(app)
        most = 6 if size[1] >= 30 else 4
        for lines, rows in ((1, 1), (3, 3), (12, most), (2, 2)):
            prompt.put("\n".join(f"行 {number}" for number in range(1, lines + 1)))
            await until(pilot, lambda rows=rows: prompt.size.height == rows)  # type: ignore[misc]
            assert f"行 {lines}" in shown(app)
        prompt.put("谁负责发布回滚" * 20)
        await until(pilot, lambda: prompt.size.height > 1)


async def test_up_and_down_move_between_rows_and_recall_only_at_the_edges() -> None:
    app = make_app()
    async with app.run_test() as pilot:
        await ask(pilot, "one\ntwo")
        prompt = prompt_of(app)
        await pilot.press(*"dra", "ctrl+j", *"ft", "up")
        assert (prompt.text, prompt.cursor_location[0]) == ("dra\nft", 0)
        await pilot.press("up")
        assert (prompt.text, prompt.cursor_location[0]) == ("one\ntwo", 0)
        await pilot.press("down")
        assert (prompt.text, prompt.cursor_location[0]) == ("one\ntwo", 1)
        await pilot.press("down")
        assert prompt.text == "dra\nft"


async def test_a_long_line_that_is_wrapped_is_moved_through_row_by_row() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot, "asked before")
        prompt = prompt_of(app)
        prompt.put("word " * 40)
        await until(pilot, lambda: prompt.size.height == 3)
        await pilot.press("up", "up")
        assert prompt.text == "word " * 40
        await pilot.press("up")
        assert prompt.text == "asked before"


async def test_the_name_of_the_folder_is_no_markup(tmp_path: Path) -> None:
    kb = tmp_path / "[red]notes[b]"
    app = make_app(kb=kb)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert "ask about [red]notes[b]…" in shown(app)
