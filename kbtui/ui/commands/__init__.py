"""Every command of the screen, declared once: bindings, footer, palette and help are all read from here.

A command lives in a *scope*: the screen or widget whose ``action_…`` method it runs and that must be on the way from
the focus to the app for its keys to work. Ctrl+I, ctrl+M and ctrl+H are never bound: terminals send them as Tab, Enter
and Backspace. Every chord has a plain way too, because many terminals swallow chords.
"""

from __future__ import annotations

from textual.binding import Binding, BindingType

from kbtui.text.word_lists import toml_in
from kbtui.ui.commands.command import DIGITS, Command

__all__ = ["COMMANDS", "DIGITS", "Command", "bindings", "groups"]

COMMANDS: tuple[Command, ...] = tuple(
    Command(**{**fields, "keys": tuple(fields["keys"])}) for fields in toml_in(__package__, "commands.toml")["command"]
)


def bindings(scope: str) -> list[BindingType]:
    """The Textual bindings of one scope."""
    return [
        Binding(
            key,
            f"{command.action}({key[-1]})" if command.digits else command.action,
            command.title,
            show=False,
            key_display=command.shown,
            priority=command.priority,
            id=f"{command.scope}.{command.name}" + (f".{key[-1]}" if command.digits else ""),
        )
        for command in COMMANDS
        if command.scope == scope
        for key in ((",".join(command.keys),) if not command.digits else command.keys)
    ]


def groups() -> dict[str, list[Command]]:
    """The commands by heading, in the order declared."""
    result: dict[str, list[Command]] = {}
    for command in COMMANDS:
        result.setdefault(command.group, []).append(command)
    return result
