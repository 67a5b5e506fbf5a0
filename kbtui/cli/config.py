"""``kbtui config``: settings with their origins, a sample settings file, and keys in the keyring of the system."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kbtui.cli import console
from kbtui.cli.options import json_option, kb_option, no_color_option, settings_for
from kbtui.errors import UsageError

MAX_KEY_INPUT = 10_000
MAX_PROVIDER_CHARS = 40


@click.group("config")
def command() -> None:
    """Show the settings in effect, with where each came from, or start a settings file."""


@command.command("show")
@kb_option
@json_option("Print one JSON object a setting: key, value, origin, where.")
@no_color_option
def show(kb: Path, as_json: bool) -> None:
    """Print every setting, its value and where that came from. Secrets are masked."""
    from kbtui.settings.load import value_of
    from kbtui.settings.reference import all_settings, toml_value
    from kbtui.settings.secrets import mask_value
    from kbtui.text.terminal import one_line

    loaded = settings_for(kb)
    rows = [(key, mask_value(key, value_of(loaded.settings, key)), loaded.origins[key]) for key in all_settings()]
    if as_json:
        for key, value, origin in rows:
            console.print_json({"key": key, "value": value, "origin": origin.kind, "where": origin.where})
        return
    table = console.table("setting", "value", "from", overflow="fold")
    for key, value, origin in rows:
        table.add_row(
            key, one_line(toml_value(value)), one_line(str(origin)), style=None if origin.kind == "default" else "bold"
        )
    console.out().print(table)


@command.command("path")
@no_color_option
def path() -> None:
    """Print the path of the user's settings file, whether there is one or not."""
    from kbtui.settings import paths

    console.print_line(str(paths.config_file()))


@command.command("init")
@no_color_option
def init() -> None:
    """Write a settings file with every default in it, each commented out. An existing file is never touched."""
    from kbtui.settings.write import start_user_file

    console.print_line(str(start_user_file()))


@command.group("key")
def key() -> None:
    """Keep keys of chat models in the system's keyring. A key is never a setting, an option or an argument."""


@key.command("set")
@click.argument("provider")
@no_color_option
def key_set(provider: str) -> None:
    """Store the key of PROVIDER; it is asked for without being shown, or read from standard input."""
    from kbtui.settings.keys import store_key

    provider_name = _provider(provider)
    # An option or argument would be kept in the history of the shell and be visible in the list of processes.
    if sys.stdin.isatty():
        secret = str(click.prompt(f"Key of {provider_name}", hide_input=True, err=True))
    else:
        secret = sys.stdin.read(MAX_KEY_INPUT)
    console.print_line(f"stored in {store_key(provider_name, secret)}")


@key.command("forget")
@click.argument("provider")
@no_color_option
def key_forget(provider: str) -> None:
    """Delete the key of PROVIDER from the keyring."""
    from kbtui.settings.keys import forget_key

    provider_name = _provider(provider)
    console.print_line(
        f"deleted the key of {provider_name}" if forget_key(provider_name) else f"there was no key of {provider_name}"
    )


def _provider(written: str) -> str:
    """The name of the provider that was written; one that is not listed is accepted, since LangChain may know it.

    Raises:
        UsageError: It looks like a key, or cannot be the name of a provider.
    """
    from kbtui.settings.providers import nearest_provider, provider_of
    from kbtui.settings.secrets import redact

    if provider := provider_of(written):
        return provider.name
    if redact(written) != written or not written.replace("-", "_").isidentifier() or len(written) > MAX_PROVIDER_CHARS:
        raise UsageError(
            "PROVIDER is the name of a provider, such as openai.", "The key itself is asked for afterwards."
        )
    if similar := nearest_provider(written):
        raise UsageError(f"There is no provider {written!r}.", f"Did you mean {similar}?")
    return written.lower().replace("-", "_")
