"""The ``kbtui`` command: the list of commands, the options that all share, and the screen as default."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kbtui import __version__
from kbtui.cli.group import Entry, KbtuiGroup
from kbtui.cli.options import SCREEN_OPTIONS, folders_option, linear_option, no_color_option, remember_shared

if TYPE_CHECKING:
    from kbtui.settings.joined import NamedFolder

COMMANDS = {
    "ask": Entry("kbtui.cli.ask", "Answer one question and print it with its sources."),
    "index": Entry("kbtui.cli.index", "Bring a folder's index up to date."),
    "publish": Entry("kbtui.cli.publish", "Put a folder's index on object storage for many readers."),
    "search": Entry("kbtui.cli.search", "Print what one retrieval tool finds."),
    "serve": Entry("kbtui.cli.serve", "Show the screen in a browser."),
    "mcp": Entry("kbtui.cli.mcp", "Serve the folder's tools to programs that speak MCP."),
    "replay": Entry("kbtui.cli.replay", "Play a saved session again."),
    "sessions": Entry("kbtui.cli.sessions", "List, show, export and delete saved sessions."),
    "sources": Entry("kbtui.cli.sources", "List, add, remove and test data sources."),
    "doctor": Entry("kbtui.cli.doctor", "Check everything kbtui needs, and say what to do."),
    "config": Entry("kbtui.cli.config", "Show the settings and where each came from."),
    "keys": Entry("kbtui.cli.keys", "Print the commands of the screen and their keys."),
    "events": Entry("kbtui.cli.events", "Print the JSON Schema of the events."),
    "demo": Entry("kbtui.cli.demo", "Try the bundled sample handbook and database."),
    "completions": Entry("kbtui.cli.completions", "Print the completion script of a shell."),
}


@click.group(
    cls=KbtuiGroup,
    entries=COMMANDS,
    default=Entry("kbtui.cli.open", "Open the screen."),
    invoke_without_command=True,
    subcommand_metavar="",
    options_metavar="",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@folders_option
@SCREEN_OPTIONS
@linear_option
@no_color_option
@click.version_option(__version__, prog_name="kbtui", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context, kb: tuple[NamedFolder, ...], data: tuple[str, ...], model: str | None) -> int | None:
    """Ask a folder, watch it think, land on the line.

    Without a command, opens the screen over the folder PATH (default: the current one), or over a published collection
    (s3://bucket/prefix, or its name in the settings). A folder that is named like a command is given as ./ask.
    """
    remember_shared(ctx, data, model, kb)
    if ctx.invoked_subcommand is None:
        from kbtui.cli.open import command

        return int(ctx.invoke(command, path=None, kb=(), data=(), model=None))
    return None
