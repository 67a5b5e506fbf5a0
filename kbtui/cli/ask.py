"""``kbtui ask``: answers one question without the screen."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kbtui.cli import console
from kbtui.cli.answers import print_answer
from kbtui.cli.asking import exit_code, follow, print_failure
from kbtui.cli.narration import Narrator
from kbtui.cli.options import (
    SCREEN_OPTIONS,
    Finite,
    data_sources,
    debugging,
    flags_of_screen,
    json_option,
    kb_option,
    merge_shared,
    no_color_option,
    settings_for,
)
from kbtui.cli.scoping import scope_of, scope_options
from kbtui.domain.codec import encode
from kbtui.errors import UsageError
from kbtui.settings.secrets import without_known_secrets
from kbtui.view.view_state import RunView

if TYPE_CHECKING:
    from kbtui.runs.engine import Engine

MAX_STDIN_CHARS = 1_000_000
_MIN_DEADLINE_S = 0.001
"""The remaining time limit where opening the data has used it up."""


@click.command("ask")
@click.argument("question", required=False)
@kb_option
@scope_options
@SCREEN_OPTIONS
@json_option("Print the run's events, one JSON object a line, and nothing else.")
@click.option(
    "--timeout", metavar="S", type=Finite(0, 86_400), help="Stop after S seconds (at most a day); exit code 124."
)
@click.option(
    "--reading",
    metavar="N",
    type=click.IntRange(min=1),
    help="Over data: take the Nth of the readings that were offered for this question.",
)
@click.option(
    "-f", "--file", "handed", metavar="FILE", help="A text that the question is about; - reads it from standard input."
)
@click.option(
    "--continue",
    "session",
    metavar="SESSION",
    help="Follow up on a saved session: an id, a unique beginning of one, a name, or last.",
)
@click.option("--no-session", is_flag=True, help="Do not record this run.")
@no_color_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    question: str | None,
    kb: Path,
    data: tuple[str, ...],
    model: str | None,
    as_json: bool,
    timeout: float | None,
    reading: int | None,
    handed: str | None,
    session: str | None,
    no_session: bool,
    **scope: Any,
) -> int:
    """Answer QUESTION from a folder and print the answer with its sources.

    QUESTION -, or none where something is piped in, reads the question from standard input. With --file the folder is
    asked for what that text (a diff, a log, an error) is about. Exit codes: 0 answered,
    1 failed, 2 usage, 3 nothing found, 124 timed out, 130 interrupted.
    """
    if handed == "-" and question in (None, "-"):
        raise UsageError(
            "The question cannot come from standard input when the text does.",
            'Write it behind the options: git diff | kbtui ask -f - "which runbook covers this?"',
        )
    query = read_question(question)
    about = read_about(handed) if handed is not None else ""
    session_id = saved_session(session) if session is not None else None
    data, model = merge_shared(ctx, data, model)
    names = scope_of(kb, **scope)
    loaded = settings_for(kb, flags_of_screen(model))

    from kbtui import bootstrap

    started = time.monotonic()
    sources = data_sources(loaded, data, timeout, meanwhile=_load_reading)
    remaining_s = None if timeout is None else max(_MIN_DEADLINE_S, timeout - (time.monotonic() - started))
    engine = bootstrap.Engine(loaded.settings, kb=kb, sources=sources, record=not no_session, deadline_s=remaining_s)
    if session_id is not None:
        engine.continue_session(session_id)
    code = answer_one(engine, query, as_json=as_json, reading=reading, about=about, scope=names)
    if debugging():
        from kbtui.settings import paths

        console.say(f"audit log: {paths.audit_file()}")
    return code


def _load_reading() -> None:
    """Import what reads questions over data, while DuckDB starts in a process of its own."""
    from kbtui.analysis import classifier_cache, run  # noqa: F401 - imported later by the engine
    from kbtui.nl2sql.lexicon import lexicon
    from kbtui.nl2sql.stages import shipped_stages

    shipped_stages().ranker()
    lexicon()


def answer_one(
    engine: Engine,
    query: str,
    *,
    as_json: bool = False,
    reading: int | None = None,
    about: str = "",
    scope: Sequence[str] = (),
) -> int:
    """Ask, show, and return the exit code.

    Args:
        reading: Number of an offered reading to take: the question is read once more for what it offers, unseen, and
            that reading asked.
        about: A text that the question is about.
        scope: What the question is limited to, as in `Engine.answer_query`.

    Raises:
        UsageError: That reading is not offered.
    """
    if reading is not None:
        first = follow(engine, query, lambda _event, _view: None, scope=scope)
        if first.error is not None or first.outcome is None:
            print_failure(first)
            return exit_code(first)
        query = _query_of_reading(first, reading)
    if as_json:
        # Secrets of this process are masked; other text of documents is unchanged.
        view = follow(
            engine, query, lambda event, _: console.print_json_text(without_known_secrets(encode(event))), about, scope
        )
    else:
        with Narrator() as narrator:
            view = follow(engine, query, narrator, about, scope)
        print_answer(view)
    print_failure(view)
    return exit_code(view)


def _query_of_reading(view: RunView, number: int) -> str:
    """The wording of an offered reading, which asked as a question selects that reading."""
    queries = {reading.n: reading.says for reading in view.offered}
    if number in queries:
        return queries[number]
    if not queries:
        raise UsageError(f"There is no reading {number}: this question offers none.", "Ask it without --reading.")
    listed = "; ".join(f"{n} {text}" for n, text in queries.items())
    raise UsageError(f"There is no reading {number}.", f"Offered are: {listed}.")


def read_question(question: str | None) -> str:
    """The question given, or the one on standard input for ``-`` or None.

    Raises:
        UsageError: There is none, and standard input is a terminal.
        click.UsageError: It is empty, or standard input is not text.
    """
    if question is None and sys.stdin.isatty():
        raise UsageError(
            "There is no question.", 'Write it behind the command: kbtui ask "…"; kbtui alone opens the screen.'
        )
    if question in (None, "-"):
        if sys.stdin.isatty():
            console.say("Type the question; ctrl-d on an empty line ends it.")
        try:
            question = sys.stdin.read(MAX_STDIN_CHARS)
        except UnicodeDecodeError as error:
            raise click.UsageError("Standard input is not text in the encoding of this terminal.") from error
    question = (question or "").strip()
    if not question:
        raise click.UsageError("The question is empty.")
    return question


def saved_session(name: str) -> str:
    """The id of a saved session.

    Raises:
        SessionError: There is none of that name, or several.
        UsageError: The name is that of a file elsewhere, which no run can be added to.
    """
    from kbtui.sessions.store import SessionStore

    store = SessionStore()
    file = store.find(name)
    if file.resolve().parent != store.folder.resolve():
        raise UsageError(f"{file} is not one of the saved sessions.", "`kbtui sessions list` names them.")
    return file.stem


def read_about(name: str) -> str:
    """The text of a file, or of standard input for ``-``, cut to the greatest length.

    Raises:
        UsageError: It cannot be read, is not text, or is empty.
    """
    from kbtui.question.attached_text import MAX_CHARS
    from kbtui.text.decoding import decode
    from kbtui.text.terminal import one_line

    origin = "Standard input" if name == "-" else one_line(name, 200)
    hint = "Give a text file, or - and pipe the text in."
    # A character takes four bytes at most; one more byte shows that there is more text.
    max_bytes = 4 * MAX_CHARS
    try:
        if name == "-":
            data = sys.stdin.buffer.read(max_bytes + 1)
        else:
            with Path(name).expanduser().open("rb") as stream:
                data = stream.read(max_bytes + 1)
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{origin} cannot be read: {one_line(reason, 200)}.", hint) from None
    if b"\0" in data[:8192] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UsageError(f"{origin} is no text.", hint)
    text = decode(data).text
    if not text.strip():
        raise UsageError(f"{origin} is empty.", hint)
    if len(text) > MAX_CHARS:
        console.warn(f"of the text handed in only the first {MAX_CHARS:,} characters are looked at")
    return text[:MAX_CHARS]
