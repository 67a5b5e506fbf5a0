"""The question in an editor beside the screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.ui.widgets.prompt import Prompt
from tests.ui.driving import ask, cell_of, make_app, shown, until


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An editor with a window that does nothing by itself; the file it is given."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("KBTUI_EDITOR", "gui:true {path}")
    return tmp_path / "kbtui" / "questions"


async def test_what_is_saved_in_the_editor_is_typed_each_time(opened: Path) -> None:
    app = make_app()
    async with app.run_test() as pilot:
        prompt = app.screen.query_one(Prompt)
        await pilot.press(*"one", "ctrl+j", *"two", "ctrl+g")
        await until(pilot, lambda: list(opened.iterdir()))
        (file,) = opened.iterdir()
        assert file.read_text(encoding="utf-8") == "one\ntwo\n"
        for saved in ("谁负责\n  发布？\n", "another\x1b[31m one"):
            file.write_text(saved, encoding="utf-8")
            wanted = saved.replace("\x1b[31m", "").strip("\n")
            await until(pilot, lambda wanted=wanted: prompt.text == wanted)  # type: ignore[misc]


async def test_the_editor_is_one_click_away(opened: Path) -> None:
    app = make_app()
    async with app.run_test(size=(200, 50)) as pilot:
        await pilot.press(*"half")
        await until(pilot, lambda: "ctrl+g editor" in shown(app))
        await pilot.click(offset=cell_of(app, "ctrl+g editor"))
        await until(pilot, lambda: list(opened.iterdir()))
        (file,) = opened.iterdir()
        assert file.read_text(encoding="utf-8") == "half\n"


async def test_a_file_that_is_saved_after_the_question_was_asked_is_not_typed(opened: Path) -> None:
    app = make_app()
    async with app.run_test() as pilot:
        prompt = app.screen.query_one(Prompt)
        await pilot.press(*"one", "ctrl+g")
        await until(pilot, lambda: list(opened.iterdir()))
        await ask(pilot, "one")
        (file,) = opened.iterdir()
        file.write_text("late", encoding="utf-8")
        await until(pilot, lambda: not [worker for worker in app.workers if worker.group == "prompt"])
        assert prompt.text == ""


async def test_without_an_editor_what_is_typed_stays(monkeypatch: pytest.MonkeyPatch, opened: Path) -> None:
    monkeypatch.setenv("KBTUI_EDITOR", "no-such-editor")
    app = make_app()
    async with app.run_test() as pilot:
        await pilot.press(*"one", "ctrl+g", *"!")
        assert app.screen.query_one(Prompt).text == "one!"
