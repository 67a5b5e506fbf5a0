"""``kbtui keys``: every command of the screen with its keys."""

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
    from kbtui.ui.commands.keymap import user_keymap, written

    keymap = user_keymap(settings_for(None).settings.keys)
    for problem in keymap.problems:
        console.warn(f"{problem.message} {problem.hint}")
    declared = {one.name: one for one in COMMANDS}
    if as_json:
        for one in keymap.commands:
            console.print_json(
                {
                    "command": one.name,
                    "keys": [written(key) for key in one.keys],
                    "default": [written(key) for key in declared[one.name].keys],
                    **{name: getattr(one, name) for name in ("scope", "group", "title", "help")},
                }
            )
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("command", "keys", "does"):
        table.add_column(title, overflow="fold")
    for group, members in groups(keymap.commands).items():
        table.add_row()
        table.add_row(group, style="bold")
        for one in members:
            is_changed = one.keys != declared[one.name].keys
            keys = one.shown if one.digits or not one.keys else " ".join(map(written, one.keys))
            note = f" (yours, instead of {declared[one.name].shown})" if is_changed else ""
            table.add_row(one.name, keys, f"{one.title}{note}", style="bold" if is_changed else None)
    console.out().print(table)
