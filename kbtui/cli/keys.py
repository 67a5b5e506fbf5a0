"""``kbtui keys``: prints every command of the screen with its keys."""

from __future__ import annotations

import click

from kbtui.cli import console
from kbtui.cli.options import json_option, no_color_option, settings_for


@click.command("keys")
@json_option("Print one JSON object a command: command, keys, default, scope, group, title, help.")
@no_color_option
def command(as_json: bool) -> None:
    """Print every command of the screen with its keys. The table [keys] of the settings changes them by these names."""
    from kbtui.ui.commands import COMMANDS, groups
    from kbtui.ui.commands.keymap import key_display, user_keymap

    keymap = user_keymap(settings_for(None).settings.keys)
    for problem in keymap.problems:
        console.warn(f"{problem.message} {problem.hint}")
    defaults = {entry.name: entry for entry in COMMANDS}
    if as_json:
        for entry in keymap.commands:
            console.print_json(
                {
                    "command": entry.name,
                    "keys": [key_display(key) for key in entry.keys],
                    "default": [key_display(key) for key in defaults[entry.name].keys],
                    **{name: getattr(entry, name) for name in ("scope", "group", "title", "help")},
                }
            )
        return
    table = console.table("command", "keys", "does", overflow="fold")
    for group, members in groups(keymap.commands).items():
        table.add_row()
        table.add_row(group, style="bold")
        for entry in members:
            is_changed = entry.keys != defaults[entry.name].keys
            keys = entry.shown if entry.digits or not entry.keys else " ".join(map(key_display, entry.keys))
            note = f" (yours, instead of {defaults[entry.name].shown})" if is_changed else ""
            table.add_row(entry.name, keys, f"{entry.title}{note}", style="bold" if is_changed else None)
    console.out().print(table)
