"""``kbtui replay``: play a saved session again, on the screen, as text or as its events."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from kbtui.cli import console
from kbtui.cli.options import json_option, no_color, no_color_option, settings_for
from kbtui.domain.events import Event

if TYPE_CHECKING:
    from kbtui.sessions.recording import Recording

SLOWEST, FASTEST = 0.01, 1000
MAX_PAUSE_S = 5.0
"""Longer pauses of a recording are shortened, since there may be hours between two questions."""


class Speed(click.ParamType[float]):
    """A factor by which the replay is faster than the recording; ``max`` makes no pauses."""

    name = "N|max"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if value == "max":
            return float("inf")
        try:
            speed = float(value)
        except ValueError:
            speed = 0.0
        if not SLOWEST <= speed <= FASTEST:
            self.fail(f"{value!r} is no speed: give a number from {SLOWEST} to {FASTEST}, or max.", param, ctx)
        return speed


@click.command("replay")
@click.argument("session")
@click.option("--speed", type=Speed(), metavar="N|max", help="Times faster than it happened.  [default: 1; text: max]")
@click.option("--plain", is_flag=True, help="As text, what happened and the answers.")
@json_option("The recorded events, one JSON object a line.")
@no_color_option
def command(session: str, speed: float | None, plain: bool, as_json: bool) -> int:
    """Play SESSION again: an id, a unique beginning of one, last, or a file."""
    from kbtui.cli.sessions import read

    if plain and as_json:
        raise click.UsageError("--plain and --json exclude each other.")
    recording = read(session)
    if not (plain or as_json) and console.screen_possible():
        return _on_screen(recording, speed or 1.0)
    pace = with_pauses(recording.events, speed or float("inf"))
    if as_json:
        from kbtui.domain.codec import encode

        for event in pace:
            console.print_json_text(encode(event))
            sys.stdout.flush()
        return 0
    return _as_text(pace)


def with_pauses(events: Iterable[Event], speed: float) -> Iterator[Event]:
    """Yield the events with their pauses, ``speed`` times shorter."""
    previous: datetime | None = None
    for event in events:
        time_of_event = datetime.fromisoformat(event.at)
        if previous is not None and speed != float("inf"):
            time.sleep(min(MAX_PAUSE_S, max(0.0, (time_of_event - previous).total_seconds())) / speed)
        previous = time_of_event
        yield event


def _as_text(events: Iterable[Event]) -> int:
    from kbtui.cli.answers import print_answer
    from kbtui.cli.asking import print_failure
    from kbtui.cli.narration import fact
    from kbtui.domain.events import AnswerCompleted, RunStarted
    from kbtui.text.terminal import one_line
    from kbtui.view.folding import reduce
    from kbtui.view.view_state import EMPTY, RunView

    views: dict[str, RunView] = {}
    for event in events:
        view = views[event.run_id] = reduce(views.get(event.run_id, EMPTY), event)
        if isinstance(event, RunStarted):
            console.print_line(f"> {one_line(event.query)}\n")
        elif isinstance(event, AnswerCompleted) and not event.is_early:
            print_answer(view)
            console.print_line()
        elif (line := fact(event)) is not None:
            console.say(line)
        if view.phase in ("failed", "cancelled"):
            print_failure(view)
    return 0


def _on_screen(recording: Recording, speed: float) -> int:
    import os

    if no_color():
        os.environ["NO_COLOR"] = "1"

    from kbtui.cli import background

    with background.query_terminal(settings_for(None)) as terminal:
        from kbtui.cli.screen import run_screen, startup
        from kbtui.ui.replay_app import ReplayApp

    app = ReplayApp(
        recording, terminal.settings, speed=speed, started=startup(None, theme=terminal.theme, sixel=terminal.sixel)
    )
    return run_screen(app, typed=terminal.typed)
