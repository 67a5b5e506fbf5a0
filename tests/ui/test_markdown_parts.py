"""Markdown as parts and lines: what is drawn, and that it is the same however the text came."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.geometry import Offset
from textual.selection import Selection

from kbtui.ui.widgets.cited_markdown import CitedMarkdown
from kbtui.ui.widgets.markdown_parts import parts_of
from tests.ui.driving import shown

MARKDOWN = """# A title

A paragraph that goes on for more than a line [1].
Another sentence 回滚后必须在二十四小时内写复盘 [?].

- one
- two with an inner list
  - inner one
  - inner two

    ```
    code
    ```

9. nine
10. ten

> quoted
>
> - a list

| name | what it is |
|---|---|
| `x` | a long cell that has to be wrapped in a narrow window |
| y |  |

---

```python
def f(x): return "a line of code that is longer than the window is wide"
```
"""


class Shown(App[None]):
    """An app with a text and nothing else."""

    def compose(self) -> ComposeResult:
        yield CitedMarkdown()


def lines_of(markdown: str, width: int) -> list[str]:
    return [line.plain.rstrip() for part in parts_of(markdown) for line in part.lines(width)]


@pytest.mark.parametrize("width", [1, 8, 30, 100])
def test_no_line_is_wider_than_the_screen_that_has_room_for_words(width: int) -> None:
    assert max(map(cell_len, lines_of(MARKDOWN, width))) <= max(width, 30)


def test_lists_are_indented_by_their_bullets_and_numbers_stand_at_the_right() -> None:
    assert lines_of("- one\n- two\n  - a nested item\n", 12) == ["• one", "• two", "  ▪ a nested", "    item"]
    assert lines_of("9. nine\n10. ten\n", 20) == ["  9. nine", " 10. ten"]


def test_a_table_gives_the_widest_column_less_and_wraps_its_cells() -> None:
    assert lines_of("| a | b |\n|---|---|\n| x | words that are wrapped |\n", 18) == [
        "┌───┬────────────┐",
        "│ a │ b          │",
        "├───┼────────────┤",
        "│ x │ words that │",
        "│   │ are        │",
        "│   │ wrapped    │",
        "└───┴────────────┘",
    ]


def test_code_that_is_longer_than_a_line_goes_on_in_the_next() -> None:
    assert [line.strip() for line in lines_of("```\nabcdefghij\n```\n", 10)] == ["", "abcdef", "ghij", ""]


@pytest.mark.parametrize("step", [1, 7, 40])
async def test_a_text_that_grows_looks_as_if_it_had_come_at_once(step: int) -> None:
    app = Shown()
    async with app.run_test(size=(40, 60)) as pilot:
        text = app.query_one(CitedMarkdown)
        text.show(MARKDOWN)
        await pilot.pause()
        whole = shown(app)  # type: ignore[arg-type]
        text.show("")
        for end in range(0, len(MARKDOWN) + step, step):
            text.show(MARKDOWN[:end])
            assert text.parts is not None
        await pilot.pause()
        assert shown(app) == whole  # type: ignore[arg-type]


async def test_thousands_of_lines_are_one_widget() -> None:
    app = Shown()
    async with app.run_test(size=(40, 20)) as pilot:
        app.query_one(CitedMarkdown).show("\n".join(f"- line {number}" for number in range(2_000)))
        await pilot.pause()
        assert len(app.query_one(CitedMarkdown).parts) == 2_000
        assert not app.query_one(CitedMarkdown).children


async def test_what_is_selected_with_the_mouse_is_the_text_without_the_breaks_of_the_screen() -> None:
    app = Shown()
    async with app.run_test(size=(24, 20)) as pilot:
        text = app.query_one(CitedMarkdown)
        text.show("A paragraph that is wrapped at the width.\n\n- one\n- two\n")
        await pilot.pause()
        whole = text.get_selection(Selection(None, None))
        assert whole == ("A paragraph that is wrapped at the width.\n\n• one\n• two\n", "\n")
        part = text.get_selection(Selection(Offset(2, 0), Offset(2, 1)))
        assert part is not None
        assert part[0].startswith("paragraph that is")


async def test_a_click_on_a_mark_says_which_source_and_one_beside_it_nothing() -> None:
    clicked: list[str] = []

    class Clicks(Shown):
        def on_cited_markdown_link_clicked(self, event: CitedMarkdown.LinkClicked) -> None:
            clicked.append(event.href)

    app: Any = Clicks()
    async with app.run_test(size=(40, 20)) as pilot:
        text = app.query_one(CitedMarkdown)
        text.show("It is so [2], and [there](https://example.org).")
        await pilot.pause()
        for x in (3, 10, 20):
            await pilot.click(text, offset=(x, 0))
        await pilot.pause()
    assert clicked == ["cite:2", "https://example.org"]
