"""``kbtui demo``: opens the sample handbook on the screen, or prints answers to sample questions."""

from __future__ import annotations

import os

import click

from kbtui.cli import console
from kbtui.cli.failures import FAILED
from kbtui.cli.options import no_color_option, settings_for


@click.command("demo")
@no_color_option
def command() -> int:
    """Open the handbook and database of a company that does not exist; without a terminal, answer seven questions."""
    from kbtui import demo

    folder = demo.handbook_path()
    if console.screen_possible():
        from kbtui.cli.open import open_screen
        from kbtui.text.language import interface_language

        language = interface_language(settings_for(folder).settings.ui.language, os.environ)
        suggestions = demo.SUGGESTIONS[language]
        return open_screen(folder, own_data=(str(demo.sample_database()),), suggestions=suggestions)

    from kbtui.bootstrap import Engine
    from kbtui.cli.ask import answer_one

    engine = Engine(settings_for(folder).settings, kb=folder, sources=(str(demo.sample_database()),))
    unanswered = 0
    for number, question in enumerate(demo.QUESTIONS):
        if number:
            console.print_line()
            console.print_line("─" * 72)
            console.print_line()
        console.print_line(f"> {question}\n")
        unanswered += answer_one(engine, question) != 0
    return FAILED if unanswered else 0
