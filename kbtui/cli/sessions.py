"""``kbtui sessions``: list, show, compare, export and delete recorded sessions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kbtui.cli import console
from kbtui.cli.options import json_option, no_color_option
from kbtui.errors import StorageError, UsageError
from kbtui.text.terminal import one_line
from kbtui.whole_file import write_whole

if TYPE_CHECKING:
    from kbtui.sessions.recording import Recording
    from kbtui.sessions.stats import By

FORMATS = ("md", "html", "jsonl")
GROUPS = ("day", "month", "type", "session")


@click.group("sessions")
def command() -> None:
    """List, show, compare, export, count and delete saved sessions.

    SESSION is an id, a unique beginning of one, a name, last, or a file.
    """


@command.command("list")
@json_option("Print one JSON object a session.")
@no_color_option
def list_(as_json: bool) -> None:
    """List the saved sessions, pinned ones first, then the latest."""
    from kbtui.sessions.store import SessionStore

    summaries = sorted(SessionStore().list(), key=lambda summary: not summary.pinned)
    if as_json:
        for summary in summaries:
            console.print_json(
                {
                    "session_id": summary.session_id,
                    "name": summary.name,
                    "pinned": summary.pinned,
                    "path": str(summary.path),
                    "started": summary.started,
                    "query": summary.query,
                    "runs": summary.runs,
                    "kb": summary.kb,
                    "model": summary.model,
                    "outcome": summary.outcome,
                    "size": summary.size,
                    "problem": summary.problem,
                }
            )
        return
    if not summaries:
        console.say("No session has been recorded yet.")
        return
    table = console.table("session", no_wrap=True)
    table.add_column("asked", justify="right")
    table.add_column("outcome", no_wrap=True)
    table.add_column("name or first question", overflow="ellipsis", no_wrap=True)
    for summary in summaries:
        runs = f"{summary.runs}{'' if summary.runs_exact else '+'}"
        title = f"{'pinned · ' if summary.pinned else ''}{summary.title}"
        outcome = summary.problem or summary.outcome
        table.add_row(one_line(summary.session_id), runs, outcome, one_line(title))
    console.out().print(table)


@command.command("show")
@click.argument("session")
@no_color_option
def show(session: str) -> None:
    """Print the questions of SESSION with their answers."""
    from kbtui.cli.answers import print_answer
    from kbtui.cli.asking import print_failure
    from kbtui.view.folding import reduce_all
    from kbtui.view.usage_words import usage_text

    recording = read(session)
    for number, run in enumerate(recording.runs):
        view = reduce_all(run)
        if number:
            console.print_line()
        console.print_line(f"> {one_line(view.query)}\n")
        print_answer(view)
        if used := usage_text(view.usage):
            console.say(f"{view.model} · {used}")
        if view.finished:
            print_failure(view)
        else:
            console.say("This run was not finished.")


@command.command("export")
@click.argument("session")
@click.option("--format", "format_", type=click.Choice(FORMATS), default="md", show_default=True, help="Form to write.")
@click.option("-o", "--output", metavar="FILE", help="File to write; standard output when not given.")
@click.option("--force", is_flag=True, help="Replace FILE when it exists.")
@click.option("--fold-home", is_flag=True, help="Write ~ for your home folder.")
@click.option("--redact", "secrets", is_flag=True, help="Mask what is, or looks like, a key or a password.")
@no_color_option
def export(session: str, format_: str, output: str | None, force: bool, fold_home: bool, secrets: bool) -> None:
    """Write SESSION as Markdown, as one HTML page, or as its events."""
    from kbtui.view.export import export_session
    from kbtui.view.sharing import shareable

    recording = shareable(read(session), home=Path.home() if fold_home else None, secrets=secrets)
    text = export_session(recording, format_)
    if output is None:
        console.print_line(text.removesuffix("\n"))
        return
    try:
        _write_export(Path(output), text.encode("utf-8", "backslashreplace"), force=force)
    except FileExistsError as error:
        raise UsageError(f"{output} exists already.", "Give another name, or --force to replace it.") from error
    except OSError as error:
        raise StorageError(f"{output} cannot be written: {error.strerror}.", "Check the folder.") from error
    console.print_line(output)


def _write_export(path: Path, data: bytes, *, force: bool) -> None:
    if force and path.exists() and not path.is_file():
        path.write_bytes(data)  # a device or a pipe, such as /dev/stdout, is written to, not replaced
        return
    from kbtui.settings.private import user_mode

    write_whole(path.resolve() if force else path, data, mode=user_mode(path), replace=force)


@command.command("compare")
@click.argument("session")
@click.argument("other", required=False)
@no_color_option
def compare(session: str, other: str | None) -> None:
    """Print what changed between two runs of one question.

    With one SESSION: between the last two times that its last question was asked of its folder.
    """
    from kbtui.sessions.store import SessionStore
    from kbtui.view import comparing

    first = read(session)
    runs = (
        comparing.last_two_runs(SessionStore(), first)
        if other is None
        else comparing.runs_of_shared_question(first, read(other))
    )
    console.print_line(comparing.comparison_text(comparing.compare(*runs)))


@command.command("stats")
@click.option("--by", type=click.Choice(GROUPS), default="day", show_default=True, help="What makes a row.")
@json_option("Print one JSON object a row.")
@no_color_option
def stats(by: By, as_json: bool) -> None:
    """Show how analyses of data went against their plans, over time."""
    from dataclasses import asdict

    from kbtui.sessions.stats import analyses, table
    from kbtui.sessions.store import SessionStore

    rows = table(analyses(SessionStore().files()), by)
    if as_json:
        for row in rows:
            console.print_json(asdict(row))
        return
    if not rows:
        console.say("No analysis of data has been recorded yet.")
        return
    grid = console.table(by, no_wrap=True)
    for name in ("runs", "planned", "made", "off plan", "reordered", "warned", "retries", "schema cached", "time"):
        grid.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        grid.add_row(
            one_line(row.group),
            str(row.runs),
            str(row.planned),
            str(row.actual),
            f"{row.ratio:.0%}",
            str(row.order_changes),
            str(row.warned),
            str(row.retries),
            f"{row.cached}/{row.looks}",
            f"{row.duration_ms:,.0f} ms",
        )
    console.out().print(grid)


@command.command("delete")
@click.argument("session", nargs=-1, required=True)
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@no_color_option
def delete(session: tuple[str, ...], yes: bool) -> None:
    """Delete sessions for good."""
    from kbtui.sessions.store import SessionStore

    store = SessionStore()
    files = [store.find(name) for name in session]
    for file in files:
        if file.resolve().parent != store.folder.resolve():
            raise UsageError(f"{file} is not one of the saved sessions.", "Delete the file itself.")
    ids = list(dict.fromkeys(file.stem for file in files))
    if not yes:
        click.confirm(one_line(f"Delete {', '.join(ids)}?"), abort=True, err=True)
    for session_id in ids:
        store.delete(session_id)
        console.print_line(session_id)


def read(session: str) -> Recording:
    """The recording of a session; warns on standard error where it cannot be read to the end.

    Raises:
        SessionError: There is no such session, or the file is not a session.
    """
    from kbtui.sessions import recording as recordings
    from kbtui.sessions.store import SessionStore

    recording = recordings.read(SessionStore().find(session))
    if recording.problem is not None:
        problem = f"{recording.path}, line {recording.problem.line_number}: {recording.problem.message}"
        console.warn(f"{problem} What stands before it is used.")
    return recording
