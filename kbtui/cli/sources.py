"""``kbtui sources``: lists, adds, removes and tests the configured data sources."""

from __future__ import annotations

import click

from kbtui.cli import console
from kbtui.cli.failures import FAILED
from kbtui.cli.options import json_option, no_color_option, settings_for
from kbtui.errors import DataSourceError


@click.group("sources")
def command() -> None:
    """List, add, remove and test the data sources of the settings."""


@command.command("list")
@json_option("Print one JSON object a source: name, location.")
@no_color_option
def list_(as_json: bool) -> None:
    """List the configured data sources."""
    from kbtui.settings.secrets import mask_urls
    from kbtui.settings.sources import parse_entry
    from kbtui.text.terminal import one_line

    sources = [parse_entry(entry) for entry in _configured_sources()]
    for source in sources:
        location = mask_urls(source.location)
        if as_json:
            console.print_json({"name": source.name, "location": location})
        else:
            console.print_line(f"{one_line(source.name)}\t{one_line(location)}")
    if not sources and not as_json:
        console.say("No data source is configured: kbtui sources add SRC")


@command.command("add")
@click.argument("src")
@click.option("--name", metavar="NAME", help="Name to call it by.  [default: from its file]")
@no_color_option
def add(src: str, name: str | None) -> None:
    """Add SRC, a data file or an SQLAlchemy URL, after testing it."""
    from kbtui.cli.source_probe import describe
    from kbtui.settings.sources import new_source
    from kbtui.settings.write import set_user_value
    from kbtui.text.terminal import one_line

    configured = _sources_of_user_file()
    source = new_source(src, name, configured)
    contents = describe(source)
    set_user_value("", "data_sources", [*configured, source.entry])
    console.print_line(f"{one_line(source.name)}\t{contents}")


@command.command("remove")
@click.argument("name")
@no_color_option
def remove(name: str) -> None:
    """Remove the source NAME from the settings; its data is not touched."""
    from kbtui.settings.sources import parse_entry
    from kbtui.settings.write import set_user_value
    from kbtui.text.terminal import one_line

    configured = _sources_of_user_file()
    remaining = [entry for entry in configured if name not in (entry, parse_entry(entry).name)]
    if len(remaining) == len(configured):
        names = ", ".join(parse_entry(entry).name for entry in configured) or "none"
        raise DataSourceError(f"The settings file names no source {name}.", f"Sources there: {names}")
    set_user_value("", "data_sources", remaining)
    console.print_line(one_line(name))


@command.command("test")
@click.argument("src", required=False)
@json_option("Print one JSON object a source: name, ok, holds or error and hint.")
@no_color_option
def test(src: str | None, as_json: bool) -> int:
    """Open SRC (default: every configured source) without changing it. Exit code 1 when one cannot be opened."""
    from kbtui.cli.failures import say_failure
    from kbtui.cli.source_probe import describe
    from kbtui.settings.sources import parse_entry, resolve
    from kbtui.text.terminal import one_line

    configured = _configured_sources()
    sources = [resolve(src, configured)] if src else [parse_entry(entry) for entry in configured]
    if not sources:
        console.say("No data source is configured: kbtui sources add SRC")
    failed = False
    for source in sources:
        try:
            contents = describe(source)
        except DataSourceError as error:
            failed = True
            if as_json:
                console.print_json({"name": source.name, "ok": False, "error": error.message, "hint": error.hint})
            else:
                say_failure(f"{source.name}: {error.message}", error.hint)
            continue
        if as_json:
            console.print_json({"name": source.name, "ok": True, "holds": contents})
        else:
            console.print_line(f"{one_line(source.name)}\t{contents}")
    return FAILED if failed else 0


def _configured_sources() -> tuple[str, ...]:
    return settings_for(None).settings.data_sources


def _sources_of_user_file() -> tuple[str, ...]:
    """The sources in the file of the user, without those of variables, which must not be written into it."""
    from kbtui.settings.load import load_settings

    return load_settings(None, environ={}).settings.data_sources
