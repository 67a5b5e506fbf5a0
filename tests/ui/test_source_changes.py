"""An answer that is no longer true of the files says so, and its question can be asked again."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec import structs
from msgspec.structs import replace

from kbtui.errors import KnowledgeBaseError
from kbtui.ui.messages import Spot
from kbtui.ui.panes.closing import stale_line
from kbtui.ui.source_changes import changed_files
from kbtui.ui.widgets.prompt import Prompt
from kbtui.view.folding import reduce_all
from tests.ui.driving import ask, ask_screen, cell_of, make_app, shown, until
from tests.ui.made import FakeEngine, Source, a_run, numbered

SPOT = Spot(path="docs/a.md", start_line=2, end_line=3, n=1, quote="two\nthree")


def reader(text: str | None) -> Callable[[str], Source]:
    def read(path: str) -> Source:
        if text is None:
            raise KnowledgeBaseError("It is gone.")
        return Source(path, text)

    return read


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("one\ntwo\nthree\n", ()),
        ("new\none\ntwo\nthree\n", ()),
        ("one\ntwo\nmore\nthree\n", ("a.md",)),
        ("two", ("a.md",)),
        (None, ("a.md",)),
    ],
    ids=["as it was", "moved", "parted", "shrunk", "gone"],
)
def test_a_file_has_changed_when_the_quoted_lines_stand_nowhere_in_it(
    text: str | None, changed: tuple[str, ...]
) -> None:
    assert changed_files([SPOT], reader(text)) == changed


def test_what_is_no_quote_of_a_file_is_not_judged() -> None:
    spots = [
        structs.replace(SPOT, stale=True),
        structs.replace(SPOT, n=0),
        structs.replace(SPOT, quote=""),
        Spot(path="", url="https://example.org", n=4, quote="x"),
        Spot(path="", sql="SELECT 1", n=5, quote="SELECT 1"),
    ]
    assert changed_files(spots, reader("else")) == ()


def test_few_files_are_read_each_once() -> None:
    read: list[str] = []

    def reading(path: str) -> Source:
        read.append(path)
        return Source(path, "two\nthree")

    spots = [structs.replace(SPOT, path=f"{number // 2}.md") for number in range(400)]
    assert changed_files(spots, reading) == ()
    assert len(read) == len(set(read)) == 16


def test_the_line_names_one_file_and_counts_the_others() -> None:
    line = stale_line(("a.md", "b.md", "c.md"), "A", 120).plain
    assert line == "! stale: a.md and 2 others changed · A asks again"


def files() -> dict[str, Source]:
    return {str(citation.path): numbered(str(citation.path)) for citation in reduce_all(a_run()).citations}


async def test_an_answer_whose_lines_changed_is_stale_once_the_folder_was_read_again() -> None:
    engine = FakeEngine(files=files())
    app = make_app(engine)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await until(pilot, lambda: app.workspace.status.phase == "ready")
        assert "stale" not in shown(app)
        assert engine.files is not None
        engine.files["adr/0007-deploys.md"] = Source("adr/0007-deploys.md", "another\ntext")
        ask_screen(app).show_folder(app.workspace.status)
        await until(pilot, lambda: "! stale: 0007-deploys.md changed · A asks again" in shown(app))
        # It stands above the answer, whose end may be out of sight.
        assert shown(app).index("! stale") < shown(app).index("How rollback works.")
        engine.files["adr/0007-deploys.md"] = numbered("adr/0007-deploys.md")
        ask_screen(app).show_folder(app.workspace.status)
        await until(pilot, lambda: "stale" not in shown(app))


async def test_a_click_on_the_line_that_calls_an_answer_stale_asks_its_question_again() -> None:
    app = make_app(FakeEngine(files={}))
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "A asks again" in shown(app))
        assert cell_of(app, "A asks again").y == 2
        await pilot.click(".turn-question", offset=(4, 1))
        await until(pilot, lambda: len(ask_screen(app).conversation.runs) == 2)
        first, again = ask_screen(app).conversation.runs
        assert first.query == again.query


async def test_an_earlier_answer_is_looked_at_when_it_is_read_again() -> None:
    engine = FakeEngine(files=files())
    app = make_app(engine)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await ask(pilot, "and who may do it?")
        assert engine.files is not None
        del engine.files["adr/0007-deploys.md"]
        await pilot.press("escape", "left_square_bracket")
        await until(pilot, lambda: "! stale: 0007-deploys.md changed" in shown(app))


async def test_an_answer_over_another_folder_is_not_judged_by_this_one() -> None:
    app = make_app(FakeEngine(files={}))
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "stale" in shown(app))
        ask_screen(app).resume(
            "s9",
            [
                reduce_all(
                    [replace(event, kb="/elsewhere") if event.seq == 0 else event for event in a_run(run_id="r9")]
                )
            ],
        )  # type: ignore[call-arg]
        await pilot.press("home", "left_square_bracket")
        await until(pilot, lambda: ask_screen(app).conversation.position == 0)
        turn = app.screen.query_one("#conversation").turns[0]  # type: ignore[attr-defined]
        await pilot.pause(0.2)
        assert turn._changed == ()


async def test_a_question_is_asked_again_as_what_it_meant() -> None:
    engine = FakeEngine()

    app = make_app(engine)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "How does it roll back?")
        await pilot.press("escape", "A")
        await until(pilot, lambda: engine.asked == ["How does it roll back?"] * 2)
        await until(pilot, lambda: not ask_screen(app).running)
        assert len(ask_screen(app).conversation.runs) == 2


async def test_a_question_is_put_into_the_prompt_to_be_changed() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "How does it roll back?")
        await pilot.press("escape", "E", *" now")
        prompt = app.screen.query_one(Prompt)
        assert prompt.has_focus
        assert prompt.text == "How does it roll back? now"
