"""``kbtui events``: the JSON Schema of the events."""

from __future__ import annotations

import click

from kbtui.cli import console
from kbtui.cli.options import no_color_option


@click.command("events")
@click.option("--schema", is_flag=True, help="Print the JSON Schema (2020-12) of one event.")
@no_color_option
@click.pass_context
def command(ctx: click.Context, schema: bool) -> None:
    """Print the JSON Schema that every line of ask --json, replay --json and a session file follows."""
    if not schema:
        raise click.UsageError("Say what to print: kbtui events --schema", ctx)
    from kbtui.domain.codec import schema_text

    console.print_json_text(schema_text())
