"""Every command of the screen, declared once: bindings, footer, palette and help are all read from here.

A command lives in a *scope*: the screen or widget whose ``action_…`` method it runs and that must be on the way from
the focus to the app for its keys to work. Ctrl+I, ctrl+M and ctrl+H are never bound: terminals send them as Tab, Enter
and Backspace. Every chord has a plain way too, because many terminals swallow chords.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace
from textual.binding import Binding, BindingType

from kbtui.i18n import _, pgettext
from kbtui.text.built_tables import built_toml

DIGITS = tuple("123456789")


class Command(Struct, frozen=True, kw_only=True):
    """One thing a user can do.

    Attributes:
        name: Stable identifier.
        title: What the palette and the help call it.
        keys: Textual key names, the first is the main one; none for what is done by its name alone.
        shown: The keys as people write them, for footer and help.
        help: One sentence.
        group: Heading in the help.
        action: Textual action, resolved in ``scope``; for ``digits`` the pressed figure is its argument.
        scope: Where it works: ``app``, ``ask``, ``prompt``, ``answer``, ``sources``, ``evidence``, ``preview`` …
        hint: Words in the footer; empty keeps it out of there.
        rank: Place in the footer, lower first; the last ones are left out where it is narrow.
        palette: Listed in the command palette, and after a slash in the prompt.
        slash: The word it goes by there; its name when not given.
        priority: Works before the focused widget sees the key.
        digits: The keys 1 to 9, each passing its figure to the action.
    """

    name: str
    title: str
    shown: str
    help: str
    group: str
    action: str
    scope: str = "app"
    keys: tuple[str, ...] = ()
    hint: str = ""
    rank: int = 50
    palette: bool = True
    slash: str = ""
    priority: bool = False
    digits: bool = False

    @property
    def word(self) -> str:
        """What is typed behind a slash to do it."""
        return self.slash or self.name.replace("_", "-")


_DECLARED = built_toml(__package__, "commands.toml")

COMMANDS: tuple[Command, ...] = tuple(
    Command(**{**fields, "keys": tuple(fields.get("keys", ()))}) for fields in _DECLARED["command"]
)

INSIDE: Mapping[str, list[str]] = _DECLARED["inside"]
"""A scope, and the scopes around it, whose keys work in it too."""


def translated(commands: tuple[Command, ...]) -> tuple[Command, ...]:
    """The commands as the user's language calls them; a command can have words of its own under its name there."""
    return tuple(
        replace(
            command,
            title=pgettext(command.name, command.title),
            help=pgettext(command.name, command.help),
            group=_(command.group),
            hint=pgettext(command.name, command.hint),
        )
        for command in commands
    )


def bindings(scope: str) -> list[BindingType]:
    """The Textual bindings of one scope; those without a key can be given one by the user (`keymap`)."""
    return [
        Binding(
            key,
            f"{command.action}({key[-1]})" if command.digits else command.action,
            command.title,
            show=False,
            key_display=command.shown,
            priority=command.priority,
            id=id,
        )
        for command in COMMANDS
        if command.scope == scope
        for key, id in zip(
            command.keys if command.digits else (",".join(command.keys) or f"<{command.name}>",),
            binding_ids(command),
            strict=True,
        )
    ]


def binding_ids(command: Command) -> list[str]:
    """What Textual knows its bindings by: one, or one a figure."""
    name = f"{command.scope}.{command.name}"
    return [f"{name}.{key[-1]}" for key in command.keys] if command.digits else [name]


def groups(commands: Iterable[Command] = COMMANDS) -> dict[str, list[Command]]:
    """The commands by heading, in the order declared."""
    result: dict[str, list[Command]] = {}
    for command in commands:
        result.setdefault(command.group, []).append(command)
    return result
