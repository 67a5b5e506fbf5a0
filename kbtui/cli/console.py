"""The two streams: standard output carries answers and data, standard error narration. Styled only on a terminal."""

from __future__ import annotations

import base64
import json
import os
import sys
from typing import IO, TYPE_CHECKING, Any

import click

from kbtui.cli.failures import ReaderGone
from kbtui.cli.options import no_color
from kbtui.text.terminal import clean, one_line, safe_json

if TYPE_CHECKING:
    from rich.console import Console


UNFOLDED = 10_000
"""Columns of a pipe: nothing is folded there, so that a line stays a line."""


def interactive(stream: IO[str]) -> bool:
    """True when the stream is a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def animated(stream: IO[str]) -> bool:
    """True when a line on the stream may change: moving the cursor takes escape sequences, and plain text has none."""
    return interactive(stream) and not no_color()


def screen_possible() -> bool:
    """True when a full-screen program can run here."""
    return sys.stdin.isatty() and interactive(sys.stdout)


def out() -> Console:
    """Standard output for rich."""
    return on(sys.stdout)


def err() -> Console:
    """Standard error for rich."""
    return on(sys.stderr)


def print_line(text: str = "") -> None:
    """Text on standard output, without what a terminal would obey."""
    click.echo(clean(text))


def say(text: str) -> None:
    """One line of narration on standard error."""
    click.echo(one_line(text), err=True)


def warn(text: str) -> None:
    """A warning on standard error."""
    say(f"kbtui: warning: {text}")


def copy(text: str) -> None:
    """Put a text into the clipboard of the terminal (OSC 52)."""
    sys.stdout.write(f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\a")


def print_json(value: Any) -> None:
    """One JSON object on one line of standard output, in UTF-8 whatever the locale."""
    print_json_text(json.dumps(value, ensure_ascii=False))


def print_json_text(text: str) -> None:
    """JSON text and a newline in UTF-8; what a terminal would obey, and half surrogates, become JSON escapes."""
    click.echo(safe_json(text).encode("utf-8"))


def on(stream: IO[str]) -> Console:
    """A stream for rich."""
    from rich.console import Console as RichConsole

    class Console(RichConsole):
        def on_broken_pipe(self) -> None:
            # Rich ends the program with code 1; whoever stopped reading has read enough.
            raise ReaderGone

    if animated(stream):
        return Console(file=stream, highlight=False, markup=False, emoji=False)
    # Neither colours nor a terminal, whatever FORCE_COLOR says: rich writes no escape sequence at all.
    width = None if stream.isatty() else UNFOLDED
    return Console(
        file=stream, highlight=False, markup=False, emoji=False, color_system=None, force_terminal=False, width=width
    )
