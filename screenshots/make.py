"""Draws ``screenshots/*.svg`` from a recorded session, through the real program.

    python screenshots/make.py [--only NAME]

Questions are asked of the sample handbook and the sample database with the real engine and recorded; each picture then
shows the recording on the application's own screen, so what the README shows is what the program draws. Where a chat
model answers, a scripted one does (`screenshots/chat_model.py`). Paths of this machine are kept out: the handbook is
copied to a folder named ``handbook`` in a temporary home.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import os
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.cells import cell_len

OUT = Path(__file__).parent
sys.path[:0] = [str(OUT.parent)]

from screenshots.moving import Frame, film  # noqa: E402

QUESTIONS = {
    "rollback": "How do I roll back a deploy?",
    "compare": "Compare ADR-6 and ADR-9 and list what both say about billing",
    "blocks": "Which tickets block HL-151?",
    "chinese": "台北试点有多少个柜机？什么时候开始？",
    "codes": "how many incidents per code? draw a bar chart",
    "steps": "first find the code with the most incidents, then the average minutes of incidents with that code",
    "model": "When should I roll back a deploy, and who may do it?",
}
OF_MODEL = ("model",)
"""Those that a chat model answers."""


@dataclass(frozen=True)
class Shot:
    """One picture: which recording, how large, which theme, and what is pressed before it is taken."""

    question: str
    size: tuple[int, int]
    theme: str = "kbtui-dusk"
    keys: tuple[str, ...] = field(default=())
    replay: bool = False


SHOTS = {
    "wide": Shot("rollback", (170, 42), keys=("escape", "2")),
    "narrow": Shot("compare", (80, 30)),
    "preview": Shot("rollback", (120, 36), keys=("escape", "2")),
    "replay": Shot("compare", (120, 36), replay=True),
    "light": Shot("blocks", (170, 36), theme="kbtui-paper"),
    "chinese": Shot("chinese", (170, 36), theme="kbtui-ink"),
    "data": Shot("codes", (170, 40)),
    "statement": Shot("codes", (120, 36), theme="kbtui-ink", keys=("escape", "1")),
    "steps": Shot("steps", (170, 36), theme="kbtui-paper"),
    "model": Shot("model", (170, 36), theme="kbtui-paper"),
    "audit": Shot("model", (130, 36), keys=("ctrl+backslash", "down")),
}


@dataclass(frozen=True)
class Film:
    """A moving picture: which recording, and the keys that are pressed once it is answered, each shown for a while."""

    question: str
    size: tuple[int, int]
    theme: str = "kbtui-dusk"
    keys: tuple[str, ...] = ()


FILMS = {"moving": Film("rollback", (120, 32), keys=("escape", "j", "j", "j"))}
_TYPED = 4
"""Pictures of a question while it is typed."""
_MOST_FRAMES = 9
"""Of a run: more would not be seen."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--only", choices=sorted(SHOTS | FILMS))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            os.environ[variable] = str(home / variable.lower())
        os.environ["XDG_CACHE_HOME"] = str(home / "cache")
        os.environ["HOME"] = str(home)
        from kbtui.demo import handbook_path

        kb = home / "handbook"
        shutil.copytree(handbook_path(), kb)
        recordings = record(kb)
        for name, moving in FILMS.items():
            if args.only in (None, name):
                frames = asyncio.run(frames_of(moving, recordings[moving.question], kb))
                (OUT / f"{name}.svg").write_text(measured(film(frames)), encoding="utf-8")
                print(f"screenshots/{name}.svg  {moving.size[0]}×{moving.size[1]}  {len(frames)} frames")
        for shot_name, shot in SHOTS.items():
            if args.only in (None, shot_name):
                svg = asyncio.run(picture(shot, recordings[shot.question], kb))
                (OUT / f"{shot_name}.svg").write_text(measured(svg), encoding="utf-8")
                print(f"screenshots/{shot_name}.svg  {shot.size[0]}×{shot.size[1]}  {shot.theme}")


def measured(svg: str) -> str:
    """The SVG with the length of Chinese texts in cells; Rich counts letters, which squeezes such texts to a half."""

    def in_cells(match: re.Match[str]) -> str:
        text = html.unescape(match[4])
        width = float(match[2]) * max(1.0, cell_len(text) / len(text))
        return f"{match[1]}{round(width, 1):g}{match[3]}{match[4]}</text>"

    return re.sub(r'(<text [^>]*textLength=")([\d.]+)("[^>]*>)([^<]+)</text>', in_cells, svg)


@dataclass(frozen=True)
class Asked:
    """What is kept of a question: its session file, who answered, and what was decided."""

    session: Path
    model: str
    sources: tuple[str, ...]
    audit: tuple[dict[str, Any], ...]


def record(kb: Path) -> dict[str, Asked]:
    """Ask every question once."""
    from kbtui.bootstrap import Engine
    from kbtui.demo import sample_database
    from kbtui.sessions.recording import read
    from kbtui.sessions.store import SessionStore
    from kbtui.settings.model import ModelSettings, Settings
    from screenshots.chat_model import NAME, served

    Engine(Settings(), kb, record=False).answer_query("what is this handbook about?")  # index and warm the caches
    os.environ["OPENAI_API_KEY"] = "none-is-needed"
    found: dict[str, Asked] = {}
    with served() as url:
        scripted = Settings(model=ModelSettings(name=NAME, base_url=url))
        for name, question in QUESTIONS.items():
            sources = () if name in OF_MODEL else (str(sample_database()),)
            engine = Engine(scripted if name in OF_MODEL else Settings(), kb, sources=sources)
            engine.answer_query(question)
            session = SessionStore().path_of(engine.session_id)
            run_id = read(session).events[0].run_id
            found[name] = Asked(session, engine.model, engine.sources, engine.audit(run_id))
    return found


class Recorded:
    """An engine that answers with a recording; sources are read from the real folder."""

    def __init__(self, kb: Path, asked: Asked) -> None:
        from kbtui.bootstrap import Engine, KnowledgeBackend
        from kbtui.demo import sample_database
        from kbtui.sessions.recording import read
        from kbtui.settings.model import Settings

        self.kb, self.model, self.sources, self.session_id = kb, asked.model, asked.sources, asked.session.stem
        self._events = read(asked.session).events
        self._audit = asked.audit
        self._backend = KnowledgeBackend(kb, Settings())
        data = (str(sample_database()),) if asked.sources else ()
        self.library = Engine(Settings(), kb, sources=data, record=False).library

    async def stream(self, _query: str) -> AsyncIterator[Any]:
        for event in self._events:
            yield event
            await self.after(event)

    async def after(self, event: Any) -> None:
        """Called after every event."""

    def audit(self, _run_id: str) -> tuple[dict[str, Any], ...]:
        return self._audit

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)

    def cancel(self, _run_id: str) -> None:
        """A recording is never still running."""

    def close(self) -> None:
        """A recording holds nothing open."""


async def picture(shot: Shot, asked: Asked, kb: Path) -> str:
    """The screen as SVG, once nothing moves any more."""
    from kbtui.sessions.recording import read
    from kbtui.settings.model import Settings, UiSettings
    from kbtui.ui.app import KbtuiApp
    from kbtui.ui.replay_app import ReplayApp

    settings = Settings(ui=UiSettings(theme=shot.theme))
    recording = read(asked.session)
    if shot.replay:
        app: KbtuiApp = ReplayApp(recording, settings, speed=1.0)
        async with app.run_test(size=shot.size) as pilot:
            await pilot.pause(0.3)
            await pilot.press("space", "home", *["right"] * (len(recording.events) * 2 // 3))
            await pilot.pause(0.5)
            return app.export_screenshot(title="kbtui replay")
    app = KbtuiApp(
        lambda: Recorded(kb, asked),
        settings,
        kb=kb,
        suggestions=(QUESTIONS["rollback"], QUESTIONS["blocks"], QUESTIONS["chinese"]),
    )
    async with app.run_test(size=shot.size) as pilot:
        await until(lambda: app.workspace.ready.is_set())
        assert app.ask_screen is not None
        ask_screen = app.ask_screen
        ask_screen.ask(QUESTIONS[shot.question])
        await until(lambda: ask_screen.conversation.latest.finished)
        await pilot.pause(0.8)
        for key in shot.keys:
            await pilot.press(key)
            await pilot.pause(0.6)
        await pilot.pause(0.4)
        return app.export_screenshot(title="kbtui")


async def frames_of(moving: Film, asked: Asked, kb: Path) -> list[Frame]:
    """The screens of a question: typed, answered, its sources walked through."""
    from kbtui.settings.model import Settings, UiSettings
    from kbtui.ui.app import KbtuiApp
    from kbtui.ui.screens import ask
    from kbtui.ui.widgets.prompt import Prompt

    run: list[str] = []

    class Watched(Recorded):
        async def after(self, event: Any) -> None:
            # The clock of the screen is that of the recording, so elapsed times are as they were.
            ask.utc_now = lambda: datetime.fromisoformat(event.at)  # type: ignore[attr-defined]
            await asyncio.sleep(0.1)
            screen = app.export_screenshot(title="kbtui")
            if not run or run[-1] != screen:
                run.append(screen)

    watched = Watched(kb, asked)
    app = KbtuiApp(
        lambda: watched,
        Settings(ui=UiSettings(theme=moving.theme)),
        kb=kb,
        suggestions=(QUESTIONS["rollback"], QUESTIONS["blocks"], QUESTIONS["chinese"]),
    )
    frames: list[Frame] = []
    async with app.run_test(size=moving.size) as pilot:
        await until(lambda: app.workspace.ready.is_set())
        assert app.ask_screen is not None
        ask_screen = app.ask_screen
        await pilot.pause(0.3)
        prompt = ask_screen.query_one(Prompt)
        question = QUESTIONS[moving.question]
        for part in range(1, _TYPED + 1):
            prompt.text = question[: len(question) * part // _TYPED]
            prompt.move_cursor(prompt.document.end)
            await pilot.pause(0.2)
            frames.append(Frame(app.export_screenshot(title="kbtui"), 0.35))
        await pilot.press("enter")
        await until(lambda: ask_screen.conversation.latest.finished)
        await pilot.pause(0.8)
        step = max(1, -(-len(run) // _MOST_FRAMES))
        frames += [Frame(screen, 0.3) for screen in run[step - 1 : -1 : step]]
        frames.append(Frame(app.export_screenshot(title="kbtui"), 2.5))
        for key in moving.keys:
            await pilot.press(key)
            await pilot.pause(0.6)
            if key != "escape":
                frames.append(Frame(app.export_screenshot(title="kbtui"), 1.6))
    return [*frames[:-1], Frame(frames[-1].svg, 4.0)]


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    main()
