"""Every command of the screen, declared once: bindings, footer, palette and help are all read from here.

A command lives in a *scope*: the screen or widget whose ``action_…`` method it runs and that must be on the way from
the focus to the app for its keys to work. Ctrl+I, ctrl+M and ctrl+H are never bound: terminals send them as Tab, Enter
and Backspace. Every chord has a plain way too, because many terminals swallow chords.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding, BindingType

from kbtui.text.word_lists import toml_in

DIGITS = tuple("123456789")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One thing a user can do.

    Attributes:
        name: Stable identifier.
        title: What the palette and the help call it.
        keys: Textual key names, the first is the main one.
        shown: The keys as people write them, for footer and help.
        help: One sentence.
        group: Heading in the help.
        action: Textual action, resolved in ``scope``; for ``digits`` the pressed figure is its argument.
        scope: Where it works: ``app``, ``ask``, ``prompt``, ``answer``, ``sources``, ``evidence``, ``preview`` …
        hint: Words in the footer; empty keeps it out of there.
        rank: Place in the footer, lower first; the last ones are left out where it is narrow.
        palette: Listed in the command palette.
        priority: Works before the focused widget sees the key.
        digits: The keys 1 to 9, each passing its figure to the action.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    shown: str
    help: str
    group: str
    action: str
    scope: str = "app"
    hint: str = ""
    rank: int = 50
    palette: bool = True
    priority: bool = False
    digits: bool = False


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
