"""Random keys over every screen: the app stays alive and answers, whatever is pressed how fast.

A seed fixes what is pressed, not how the program's tasks interleave: a seed that failed once is run on every machine,
and the full soak (``make soak``) adds more. ``KBTUI_SOAK_SEEDS=1,2,3`` chooses others.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from textual import events
from textual.errors import NoWidget
from textual.pilot import OutOfBounds, Pilot

from kbtui.domain.codec import encode
from kbtui.domain.events import Event
from kbtui.sessions.store import SessionStore
from kbtui.settings.private import private_folder
from kbtui.ui.app import KbtuiApp
from kbtui.ui.widgets.prompt import Prompt
from tests.sessions.runs import analysed, answered, cancelled
from tests.ui.conftest import looking
from tests.ui.data_runs import DataEngine, a_data_run
from tests.ui.driving import make_app, until
from tests.ui.made import a_run

__all__ = ["looking"]  # the pilot waits in shorter steps

KEYS = 2_000
BURST = 40
SESSIONS = 9

WORDS = ("how does rollback work", "谁负责发布回滚？", "zebra", "number of parcels per city", "[1] **x** `", "")
NAMED = {
    "down": 14, "up": 12, "left": 3, "right": 3, "pagedown": 2, "pageup": 2, "home": 2, "end": 2,
    "enter": 12, "escape": 14, "tab": 6, "shift+tab": 2, "space": 2, "backspace": 3,
    "ctrl+r": 5, "ctrl+o": 9, "ctrl+t": 4, "ctrl+p": 4, "ctrl+g": 2, "ctrl+n": 3, "ctrl+l": 1, "f1": 4, "f2": 2,
    "ctrl+up": 2, "ctrl+down": 2, "alt+1": 2, "alt+2": 1,
}  # fmt: skip
TYPED = {**dict.fromkeys("123456789", 1), **dict.fromkeys("eswraxpdnyo?", 2), "/": 6, "[": 1, "]": 1, "0": 1}
OTHER = {"words": 7, "paste": 2, "resize": 3, "click": 6}
PAUSES_S = (0.0, 0.0, 0.002, 0.01, 0.03)

FAILED_ONCE = (3,)
"""Seeds whose first bursts a version of the program failed."""


@dataclass(frozen=True)
class Act:
    kind: str
    value: str = ""
    x: float = 0.0
    y: float = 0.0
    pause_s: float = 0.0


def acts(seed: int, count: int) -> list[Act]:
    """What is done with that seed."""
    rng = random.Random(seed)
    choices = {**NAMED, **TYPED, **OTHER}
    names = rng.choices(list(choices), list(choices.values()), k=count)
    return [
        Act(
            kind=name if name in OTHER else "key",
            value=rng.choice(WORDS) if name in ("words", "paste") else name,
            x=rng.random(),
            y=rng.random(),
            pause_s=rng.choice(PAUSES_S),
        )
        for name in names
    ]


class BusyEngine(DataEngine):
    """Answers about text and data by turns, slowly enough to be interrupted."""

    async def stream(self, query: str) -> AsyncIterator[Event]:
        self.asked.append(query)
        number = len(self.asked)
        made = (a_data_run if number % 2 else a_run)(query, f"r{number}")
        for event in made:
            await asyncio.sleep(0.004)
            yield event


class Deletions:
    """Counts the sessions that were deleted by keys."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        delete = SessionStore.delete

        def counted(store: SessionStore, session_id: str) -> None:
            delete(store, session_id)
            self.count += 1

        monkeypatch.setattr(SessionStore, "delete", counted)


def make_sessions(kb: Path) -> SessionStore:
    store = SessionStore()
    private_folder(store.folder)
    for number in range(SESSIONS):
        made = (answered(f"question {number} 谁"), analysed(), cancelled(f"question {number}"))[number % 3]
        path = store.path_of(f"20261120-21030{number}-000{number}")
        path.write_text("".join(encode(event) + "\n" for event in made), encoding="utf-8")
    return store


async def do(pilot: Pilot[None], act: Act) -> None:
    app = pilot.app
    if act.kind == "key":
        app.simulate_key(act.value)
    elif act.kind == "words":
        for character in act.value:
            app.simulate_key(character)
    elif act.kind == "paste":
        app.post_message(events.Paste(f"{act.value}\n{act.value}"))
    elif act.kind == "resize":
        await pilot.resize_terminal(30 + int(act.x * 130), 8 + int(act.y * 42))
    else:
        with contextlib.suppress(OutOfBounds, NoWidget):
            await pilot.click(offset=(int(act.x * app.size.width), int(act.y * app.size.height)))
    await asyncio.sleep(act.pause_s)


async def assert_responsive(pilot: Pilot[None], app: KbtuiApp) -> None:
    """From wherever the app is, escape leads back to the prompt, which echoes a key."""
    assert app.is_running
    await pilot.resize_terminal(120, 36)
    for _ in range(40):
        await pilot.pause()
        prompt = app.screen.query(Prompt)
        if app.screen is app.ask_screen and prompt and prompt.first().has_focus:
            break
        # Escape in the prompt leaves it again: the next one waits for what this one does.
        app.simulate_key("escape")
        await pilot.pause(0.1)
    field = app.screen.query_one(Prompt)
    field.put("")
    app.simulate_key("Z")
    await until(pilot, lambda: field.text == "Z")
    field.put("")


async def soak(
    seed: int, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    print(f"key soak: seed {seed}, {count} keys")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KBTUI_EDITOR", "gui:true")
    left: list[object] = []
    # Quitting from the palette is no failure and would end the soak.
    monkeypatch.setattr(KbtuiApp, "exit", lambda self, *args, **kwargs: left.append(args))
    store, deletions = make_sessions(tmp_path), Deletions(monkeypatch)
    app = make_app(BusyEngine(kb=tmp_path, sources=("sample.sqlite",)), kb=tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.workspace.status.phase == "ready")
        planned = acts(seed, count)
        for start in range(0, count, BURST):
            for act in planned[start : start + BURST]:
                await do(pilot, act)
                assert app._exception is None, f"seed {seed}, near act {start}: {app._exception!r}"
            try:
                await assert_responsive(pilot, app)
            except BaseException:
                keys = app._keys
                print(f"seed {seed}: failed after act {start + BURST} on {app.screen_stack!r}, focus {app.focused!r}")
                print(f"waiting {keys._queue!r}, going {keys._current!r}, target {keys._target!r}")
                print(*planned[start : start + BURST], sep="\n")
                raise
    assert len(list(store.folder.glob("*.jsonl"))) == SESSIONS - deletions.count
    broken = [record for record in caplog.records if record.name == "kbtui.ui" and record.levelno >= logging.ERROR]
    assert not broken, broken[0].getMessage()


def seeds(usual: tuple[int, ...]) -> tuple[int, ...]:
    chosen = os.environ.get("KBTUI_SOAK_SEEDS", "")
    return tuple(int(seed) for seed in chosen.split(",")) if chosen else usual


@pytest.mark.parametrize("seed", FAILED_ONCE)
async def test_random_keys_leave_the_app_alive_and_responsive(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await soak(seed, 5 * BURST, tmp_path, monkeypatch, caplog)


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(tuple(range(1, 9))))
async def test_thousands_of_random_keys_leave_the_app_alive_and_responsive(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await soak(seed, KEYS, tmp_path, monkeypatch, caplog)
