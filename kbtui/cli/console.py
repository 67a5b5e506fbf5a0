"""Output: answers and data on standard output, narration on standard error; styled only on a terminal."""

from __future__ import annotations

import base64
import os
import sys
from typing import IO, TYPE_CHECKING, Any

import click

from kbtui.cli.failures import ReaderClosed
from kbtui.cli.options import no_color
from kbtui.text.terminal import clean, one_line, safe_json

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


PIPE_COLUMNS = 10_000
"""Width of a pipe, so large that no line is wrapped there."""


def is_interactive(stream: IO[str]) -> bool:
    """Whether the stream is a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def is_animated(stream: IO[str]) -> bool:
    """Whether a line on the stream may change, which takes escape sequences and so is not allowed in plain text."""
    return is_interactive(stream) and not no_color()


def screen_possible() -> bool:
    """Whether a full-screen program can run here."""
    return sys.stdin.isatty() and is_interactive(sys.stdout)


def out() -> Console:
    """A rich console for standard output."""
    return on(sys.stdout)


def err() -> Console:
    """A rich console for standard error."""
    return on(sys.stderr)


def print_line(text: str = "") -> None:
    """Print text on standard output, without control characters."""
    click.echo(clean(text))


def say(text: str) -> None:
    """Print one line of narration on standard error."""
    click.echo(one_line(text), err=True)


def warn(text: str) -> None:
    """Print a warning on standard error."""
    say(f"kbtui: warning: {text}")


def copy(text: str) -> None:
    """Copy a text to the clipboard of the terminal (OSC 52)."""
    sys.stdout.write(f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\a")


def print_json(value: Any) -> None:
    """Print one JSON object on one line of standard output, in UTF-8 whatever the locale."""
    import json

    print_json_text(json.dumps(value, ensure_ascii=False))


def print_json_text(text: str) -> None:
    """Print JSON text and a newline in UTF-8; control characters and lone surrogates become JSON escapes."""
    click.echo(safe_json(text).encode("utf-8"))


def table(*columns: str, **options: Any) -> Table:
    """A rich table without lines, with the same ``options`` for each column."""
    from rich.table import Table

    grid = Table(box=None, pad_edge=False)
    for title in columns:
        grid.add_column(title, **options)
    return grid


def on(stream: IO[str]) -> Console:
    """A rich console for a stream."""
    from rich.console import Console as RichConsole

    class Console(RichConsole):
        def on_broken_pipe(self) -> None:
            # Rich would end the program with code 1, but a reader that stops reading is no failure.
            raise ReaderClosed

    if is_animated(stream):
        return Console(file=stream, highlight=False, markup=False, emoji=False)
    # Without colours and without a terminal, whatever FORCE_COLOR is, rich writes no escape sequences.
    width = None if stream.isatty() else PIPE_COLUMNS
    return Console(
        file=stream, highlight=False, markup=False, emoji=False, color_system=None, force_terminal=False, width=width
    )
