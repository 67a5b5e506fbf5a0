"""Ends commands: every failure is two lines on standard error and an exit code, never a traceback."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import click

from kbtui.cli.signals import Signalled, received_signal
from kbtui.errors import Cancelled, KbtuiError

FAILED, USAGE, NOT_FOUND, TIMED_OUT, INTERRUPTED = 1, 2, 3, 124, 130
"""Exit codes of the contract other than 0."""


class ReaderClosed(Exception):
    """The reader of standard output closed the pipe."""


@contextlib.contextmanager
def broken_pipe_as_reader_closed() -> Iterator[None]:
    """Turn a broken pipe into `ReaderClosed`."""
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderClosed from error


def run_guarded(run: Callable[[], Any]) -> int:
    """Run a command and return its exit code, whatever it raises.

    A reader that closes the pipe (``kbtui ask … | head -1``) is no failure: the command ends silently with 0.
    """
    _make_streams_lenient()
    try:
        result = run()
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except Signalled as end:
        say_failure(end.words)
        return 128 + end.number
    except (BrokenPipeError, ReaderClosed):
        _silence_stdout()
        return 0
    except (click.Abort, KeyboardInterrupt, Cancelled):
        say_failure("cancelled")
        return INTERRUPTED
    except click.UsageError as error:
        say_failure(*_usage_message(error))
        return USAGE
    except click.ClickException as error:
        say_failure(error.format_message())
        return error.exit_code
    except KbtuiError as error:
        say_failure(error.message, error.hint)
        return error.exit_code
    except OSError as error:
        if number := received_signal():
            # The terminal closed with the signal, so that the last output failed.
            return 128 + number
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            say_failure("The disk is full.", "Free some space and run the command again; what was written stays valid.")
            return FAILED
        return _report_unexpected(error)
    # Any other error is a bug, whose traceback is logged.
    except Exception as error:  # noqa: BLE001
        return _report_unexpected(error)


def say_failure(message: str, hint: str = "") -> None:
    """Print ``kbtui: message`` and ``hint: …`` on standard error, each on one line."""
    from kbtui.settings.secrets import redact
    from kbtui.text.terminal import one_line

    with contextlib.suppress(OSError):
        click.echo(f"kbtui: {one_line(redact(message))}", err=True)
        if hint:
            click.echo(f"hint: {one_line(redact(hint))}", err=True)


def _usage_message(error: click.UsageError) -> tuple[str, str]:
    from kbtui.cli.group import KbtuiGroup

    path = error.ctx.command_path if error.ctx else "kbtui"
    if error.ctx and error.ctx.parent and isinstance(error.ctx.parent.command, KbtuiGroup) and path.endswith(" open"):
        path = error.ctx.parent.command_path
    message = error.message or error.format_message()
    if isinstance(error, click.NoSuchOption):
        message = f"There is no option {error.option_name}."
        if similar := _nearest(error.option_name, error.possibilities):
            return message, f"Did you mean {similar}?"
    elif isinstance(error, click.exceptions.NoSuchCommand):
        message = f"There is no command {path} {error.command_name}."
        if similar := _nearest(error.command_name, error.possibilities):
            return message, f"Did you mean {similar}?"
    elif isinstance(error, click.BadParameter):
        message = error.format_message()
    return message, getattr(error, "hint", "") or f"{path} --help shows how it is used."


def _nearest(written: str, possibilities: Sequence[str] | None) -> str:
    """The likest of the possibilities, which come in no order; empty where there are none."""
    return max(sorted(possibilities or ()), key=lambda name: SequenceMatcher(None, written, name).ratio(), default="")


def _report_unexpected(error: BaseException) -> int:
    log = _write_traceback(error)
    location = f"details in {log}" if log else "no log could be written"
    say_failure(
        f"unexpected error ({type(error).__name__}); {location}",
        "Run `kbtui doctor`; if it finds nothing, report this.",
    )
    return FAILED


def _write_traceback(error: BaseException) -> Path | None:
    from kbtui.cli.logs import configure_logging, log_file

    log = configure_logging()
    log.critical("unexpected error", exc_info=error)
    return log_file() if log_file().is_file() else None


def _make_streams_lenient() -> None:
    """Let standard streams escape what they cannot encode, such as bytes of file names, instead of failing.

    A stream that was closed before the start (``>&-``, ``<&-``) is replaced by the null device.
    """
    sys.stdin = sys.stdin or Path(os.devnull).open()  # noqa: SIM115
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115 - open as long as the program runs
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")


def _silence_stdout() -> None:
    """Redirect standard output to the null device, so that the flush at the end of Python does not fail."""
    with contextlib.suppress(OSError, ValueError):
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
