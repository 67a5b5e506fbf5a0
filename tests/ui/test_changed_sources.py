"""A file may change between an answer and the look at its source: what is shown then is never passed off as quoted."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from tests.ui.driving import ask, make_app, shown, until
from tests.ui.made import FakeEngine, Source

PATH = "runbooks/rollback.md"
MOVED = "\n".join(f"line {number} of {PATH}" for number in (*range(101, 106), *range(1, 61)))
TWICE = "\n".join(f"line {number} of {PATH}" for number in (*range(1, 11), *range(1, 61), *range(1, 61)))
REWRITTEN = "\n".join(f"line {number} is another" for number in range(1, 61))
SHRUNK = "one line is left"


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        (MOVED, "lines 17-23 of 65", "! The file has changed: what is quoted stood at line 12."),
        (TWICE, "lines 12-18 of 130", f"! The file has changed since. Quoted was: line 12 of {PATH}"),
        (REWRITTEN, "lines 12-18 of 60", f"! The file has changed since. Quoted was: line 12 of {PATH}"),
        (SHRUNK, "line 1 of 1", f"! The file has changed since. Quoted was: line 12 of {PATH}"),
    ],
    ids=["moved", "there twice", "rewritten", "shrunk"],
)
async def test_a_source_that_changed_after_the_answer_says_so(text: str, where: str, said: str) -> None:
    app = make_app(FakeEngine(files={PATH: Source(PATH, text)}))
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "1")
        await until(pilot, lambda: where in shown(app))
        assert str(app.screen.query_one("#proof-note", Static).content).startswith(said)


async def test_a_source_that_is_as_it_was_says_nothing() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "1")
        await until(pilot, lambda: "lines 12-18 of 60" in shown(app))
        assert "has changed" not in shown(app)
