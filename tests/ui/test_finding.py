"""Find: words in all turns, whatever they stand in, and from place to place with two keys."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from textual.pilot import Pilot
from textual.widgets import Input, Label

from kbtui.domain.events import Event, TableProduced
from kbtui.ui.finding import pieces_of
from kbtui.ui.panes.transcript import Transcript
from kbtui.ui.widgets.cited_markdown import CitedMarkdown, block_texts
from kbtui.ui.widgets.matches import CURRENT_MATCH, MATCH, pattern_of
from kbtui.ui.widgets.source_text import SourceText
from kbtui.ui.widgets.table_view import TableView
from tests.ui.data_runs import DataEngine, a_data_run
from tests.ui.driving import ask, make_app, shown, until
from tests.ui.made import FakeEngine


def count_of(app: Any) -> str:
    """How many places the line says there are."""
    return str(app.screen.query_one("#find-count", Label).content)


def styled_as(app: Any, style: str) -> list[str]:
    """What is marked like this in the texts of all turns."""
    return [
        content.plain[span.start : span.end]
        for text in app.screen.query(CitedMarkdown)
        for part in text.parts
        for content in part.shown
        for span in content.spans
        if span.style == style
    ]


async def find(pilot: Pilot[Any], words: str, count: str) -> None:
    await pilot.press("escape", "slash", *(key_of(character) for character in words))
    await until(pilot, lambda: count_of(pilot.app) == count)


def key_of(character: str) -> str:
    return "space" if character == " " else character


@pytest.mark.parametrize(
    ("typed", "text", "found"),
    [
        ("roll", "Rollback, ROLL", ["Roll", "ROLL"]),
        ("Roll", "rollback, Roll", ["Roll"]),
        ("a  b", "a\nb", ["a\nb"]),
        ("复盘", "必须写复盘。复 盘", ["复盘"]),
        ("a.c", "abc a.c", ["a.c"]),
    ],
)
def test_letters_match_in_either_case_unless_a_capital_is_typed(typed: str, text: str, found: list[str]) -> None:
    pattern = pattern_of(typed)
    assert pattern is not None
    assert pattern.findall(text) == found


def test_nothing_is_looked_for_while_nothing_is_typed() -> None:
    assert pattern_of("  ") is None


MARKDOWN = """# A *heading* with `code`

A paragraph  with **bold**
on two lines [1] and [?] \\* ![alt](x.png) <b>.

- one
- two **b**
  - nested
- three

3. third
4. fourth

> quoted
> text

| a | b |
|---|--:|
| c `d` | e |

```python
def f():
    pass
```
"""


async def test_what_is_searched_is_what_the_widgets_show() -> None:
    app = make_app()
    async with app.run_test(size=(100, 60)):
        text = CitedMarkdown()
        await app.screen.mount(text)
        text.show(MARKDOWN)
        assert [content.plain for part in text.parts for content in part.texts] == block_texts(MARKDOWN)
        assert [part.source.split("\n")[0] for part in text.parts] == [
            "# A *heading* with `code`",
            "A paragraph  with **bold**",
            "- one",
            "- two **b**",
            "- three",
            "3. third",
            "4. fourth",
            "> quoted",
            "| a | b |",
            "```python",
        ]


async def test_words_are_counted_while_they_are_typed_and_marked_in_the_answer() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await find(pilot, "rollback ", "1 of 23")
        assert styled_as(app, MATCH) == ["rollback"]
        assert shown(app).count("find in all answers") == 0
        await pilot.press(*"works")
        await until(pilot, lambda: count_of(app) == "1 of 1")
        assert styled_as(app, CURRENT_MATCH) == ["rollback works"]
        assert styled_as(app, MATCH) == []
        await pilot.press("x")
        await until(pilot, lambda: count_of(app) == "not found")


async def test_chinese_is_found() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "slash")
        app.screen.query_one("#find-words", Input).value = "二十四小时"
        await until(pilot, lambda: count_of(app) == "1 of 1")
        assert styled_as(app, CURRENT_MATCH) == ["二十四小时"]


async def test_n_goes_on_over_all_turns_and_back_and_round_the_end() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await ask(pilot, "and who may do it?")
        transcript = app.screen.query_one(Transcript)
        await find(pilot, "forward-only", "2 of 2")
        assert transcript.position == 1
        await pilot.press("enter", "n")
        await until(pilot, lambda: count_of(app) == "1 of 2")
        assert transcript.position == 0
        await pilot.press("N")
        await until(pilot, lambda: count_of(app) == "2 of 2" and transcript.position == 1)


async def test_a_folded_turn_has_one_widget_beside_itself_until_it_is_unfolded() -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "Which city has the most parcels?")
        turn = app.screen.query_one(Transcript).turns[0]
        await until(pilot, lambda: turn.parts)
        whole = shown(app)
        turn.toggle()
        await until(pilot, lambda: len(list(turn.walk_children())) == 1)
        turn.toggle()
        await until(pilot, lambda: shown(app) == whole)


async def test_a_folded_turn_is_unfolded_while_the_place_is_in_it() -> None:
    app = make_app()
    async with app.run_test(size=(100, 24)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "space", "escape")
        await ask(pilot, "and who may do it?")
        first, second = app.screen.query_one(Transcript).turns
        assert first.is_folded
        await find(pilot, "forward-only", "2 of 2")
        await pilot.press("down")
        await until(pilot, lambda: not first.is_folded and "forward-only" in shown(app))
        await pilot.press("up")
        await until(pilot, lambda: first.is_folded and not second.is_folded)
        await pilot.press("down", "escape")
        await until(pilot, lambda: not first.is_folded)
        assert "find" not in {widget.id for widget in app.screen.focused.ancestors_with_self}  # type: ignore[union-attr]


async def test_escape_ends_the_find_at_its_place_even_while_a_question_runs() -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test(size=(100, 24)) as pilot:
        await ask(pilot)
        engine.hold_after = 6
        app.screen.query_one("#prompt").put("another")  # type: ignore[attr-defined]
        await pilot.press("enter")
        screen = app.ask_screen
        assert screen is not None
        await until(pilot, lambda: screen.conversation.running and screen.conversation.running.calls)
        await pilot.press("ctrl+f", *"forward-only")
        await until(pilot, lambda: count_of(app) == "1 of 1" and "forward-only" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: not app.screen.query_one("#find").display)
        assert screen.running
        assert "forward-only" in shown(app)
        assert styled_as(app, CURRENT_MATCH) == []
        assert app.screen.query_one(Transcript).has_focus
        engine.go_on()


async def test_ctrl_f_finds_from_the_prompt_and_keeps_what_is_typed_there() -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot)
        await pilot.press(*"half a", "ctrl+f", *"forward", "enter", "i", *" q")
        assert app.screen.query_one("#prompt").text == "half a q"  # type: ignore[attr-defined]


async def test_a_quote_is_found_and_shown_in_the_proof() -> None:
    app = make_app()
    async with app.run_test(size=(160, 40)) as pilot:
        await ask(pilot)
        await find(pilot, "line 14 of", "1 of 2")
        proof = app.screen.query_one(SourceText)
        await until(pilot, lambda: "▌ line 14 of runbooks/rollback.md" in shown(app))
        styles = [span.style for _, text in proof._rows for span in text.spans if text.plain.startswith("line 14")]
        assert CURRENT_MATCH in styles


async def test_a_row_of_a_table_far_below_is_found_and_scrolled_to() -> None:
    rows = tuple((f"place{number}", number, 1.5) for number in range(500))

    def run(query: str, run_id: str) -> list[Event]:
        events = a_data_run(query, run_id)
        return [replace(event, rows=rows) if isinstance(event, TableProduced) else event for event in events]

    app = make_app(DataEngine(run=run))
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot, "parcels by city")
        await find(pilot, "place40", "1 of 11")
        await pilot.press("down")
        await until(pilot, lambda: "place400" in shown(app))
        assert 380 < app.screen.query(TableView).first().scroll_offset.y < 401


async def test_what_looks_like_a_pattern_or_nothing_at_all_breaks_nothing() -> None:
    app = make_app()
    async with app.run_test(size=(60, 20)) as pilot:
        await pilot.press("ctrl+f")
        await ask(pilot)
        await pilot.press("escape", "n", "slash", "left_parenthesis")
        await until(pilot, lambda: count_of(app) not in ("", "not found"))
        await pilot.press("backspace")
        await until(pilot, lambda: count_of(app) == "")


def test_a_turn_is_searched_in_the_order_in_which_it_is_read() -> None:
    from kbtui.view.folding import reduce_all
    from tests.ui.made import a_run

    kinds = [(piece.kind, piece.of) for piece in pieces_of(reduce_all(a_run()))]
    assert kinds == [("question", 0), ("text", 0), ("quote", 1), ("quote", 2), ("quote", 3), ("quote", 4)]


async def test_what_is_found_in_code_stays_marked_when_the_colours_change() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await find(pilot, "pin(", "1 of 1")
        assert styled_as(app, CURRENT_MATCH) == ["pin("]
        app.theme = "kbtui-paper"
        await until(pilot, lambda: app.theme == "kbtui-paper")
        await pilot.pause()
        assert styled_as(app, CURRENT_MATCH) == ["pin("]
        await pilot.press("escape")
        await until(pilot, lambda: styled_as(app, CURRENT_MATCH) == [])
