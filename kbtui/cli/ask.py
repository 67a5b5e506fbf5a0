"""``kbtui ask``: one question, headless."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kbtui.cli import console
from kbtui.cli.answers import print_answer
from kbtui.cli.asking import Asks, exit_code, follow, say_outcome
from kbtui.cli.narration import Narrator
from kbtui.cli.options import (
    SCREEN_OPTIONS,
    data_sources,
    debugging,
    flags_of_screen,
    json_option,
    kb_option,
    no_color_option,
    settings_for,
    shared,
)
from kbtui.domain.codec import encode
from kbtui.settings.secrets import without_known_secrets

MAX_STDIN_CHARS = 1_000_000


@click.command("ask")
@click.argument("question")
@kb_option
@SCREEN_OPTIONS
@json_option("Print the run's events, one JSON object a line, and nothing else.")
@click.option(
    "--timeout", metavar="S", type=click.FloatRange(min=0, min_open=True), help="Stop after S seconds; exit code 124."
)
@click.option("--no-session", is_flag=True, help="Do not record this run.")
@no_color_option
@click.pass_context
def command(
    ctx: click.Context,
    question: str,
    kb: Path,
    data: tuple[str, ...],
    model: str | None,
    as_json: bool,
    timeout: float | None,
    no_session: bool,
) -> int:
    """Answer QUESTION from a folder and print the answer with its sources.

    QUESTION - reads the question from standard input. Exit codes: 0 answered, 1 failed, 2 usage, 3 nothing found,
    124 timed out, 130 interrupted.
    """
    query = read_question(question)
    data, model = shared(ctx, data, model)
    loaded = settings_for(kb, flags_of_screen(model))

    from kbtui.bootstrap import Engine

    sources = data_sources(loaded, data)
    engine = Engine(loaded.settings, kb=kb, sources=sources, record=not no_session, deadline_s=timeout)
    code = answer_one(engine, query, as_json=as_json)
    if debugging(ctx):
        from kbtui.settings import paths

        console.say(f"audit log: {paths.audit_file()}")
    return code


def answer_one(engine: Asks, query: str, *, as_json: bool = False) -> int:
    """Ask, show, and return the exit code."""
    if as_json:
        # A document may hold a key of this very process; what documents say is left alone otherwise.
        view = follow(engine, query, lambda event, _: console.print_json_text(without_known_secrets(encode(event))))
    else:
        with Narrator() as narrator:
            view = follow(engine, query, narrator)
        print_answer(view)
    say_outcome(view)
    return exit_code(view)


def read_question(question: str) -> str:
    """The question given, or the one on standard input for ``-``.

    Raises:
        click.UsageError: It is empty, or what comes in is no text.
    """
    if question == "-":
        if sys.stdin.isatty():
            console.say("Type the question; ctrl-d on an empty line ends it.")
        try:
            question = sys.stdin.read(MAX_STDIN_CHARS)
        except UnicodeDecodeError as error:
            raise click.UsageError("Standard input is not text in the encoding of this terminal.") from error
    question = question.strip()
    if not question:
        raise click.UsageError("The question is empty.")
    return question
