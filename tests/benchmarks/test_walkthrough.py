"""The forty tasks: how they are written, and that the page tells them as they are done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import walkthrough
from _walk import SIZES, Step, Task, steps_of, told

PAGE = Path("docs/walkthrough.md")


def task(**fields: Any) -> Task:
    return Task(**{"task": "Do it", "keys": "a", "mouse": "@a", **fields})


@pytest.mark.parametrize(
    ("written", "step"),
    [
        ("C-o", Step("key", "C-o")),
        ("?", Step("key", "?")),
        ("'two words'", Step("text", "two words")),
        ("'and '", Step("text", "and ")),
        ("@[2]", Step("click", "[2]")),
        ("@yes or no#2", Step("click", "yes or no", 2)),
        ("@▸>", Step("click", "▸", 1, 1)),
        ("^@North", Step("wheel", "North")),
        ("?2 of 8", Step("wait", "2 of 8")),
        ("?!2 of 8", Step("gone", "2 of 8")),
        ("$rm notes.md", Step("outside", "rm notes.md")),
    ],
)
def test_a_step_is_a_key_a_text_a_click_or_a_wait(written: str, step: Step) -> None:
    assert steps_of(f"a | {written} | b")[1] == step


def test_waiting_is_not_counted_and_typed_text_is_counted_by_letters() -> None:
    steps = steps_of("?60 files | 'roll' | Enter | Down | Down | ?done | @[2] | $rm x")
    assert walkthrough.counts(steps) == "**4** + 4"
    assert told(steps, {"Down": "↓", "Enter": "enter"}) == "“roll” `enter` `↓` ×2 *[2]*"


def test_what_is_written_otherwise_has_not_been_seen(tmp_path: Path) -> None:
    seen = walkthrough.Seen(tmp_path / "seen")
    seen.add(task(), "80x24", 1.5)
    assert seen.seconds(task(), "80x24") == 1.5
    assert seen.seconds(task(mouse="@b"), "80x24") == 1.5
    assert seen.seconds(task(light=True), "80x24") is None
    assert seen.seconds(task(), "200x50") is None
    assert seen.seconds(task(keys="b"), "80x24") is None
    assert seen.seconds(task(clipboard="x"), "80x24") is None


def test_forty_tasks_say_what_is_done_and_what_comes_of_it() -> None:
    tasks = walkthrough.tasks().task
    assert len({one.task for one in tasks}) == 40
    for one in tasks:
        assert all(one.steps(size) for size in SIZES)
        assert one.shows or one.clipboard or one.file, one.task


def test_the_page_has_the_tasks_as_they_are_written() -> None:
    assert "\n".join(walkthrough.table(walkthrough.tasks())) in PAGE.read_text(encoding="utf-8")
