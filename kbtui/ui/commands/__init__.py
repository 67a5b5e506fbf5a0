"""The commands of the app, declared once for bindings, footer, palette and help.

A command belongs to a *scope*: the screen or widget whose ``action_…`` method it runs; its keys work while the scope
contains the focus. Ctrl+I, ctrl+M and ctrl+H are never bound, because terminals send them as Tab, Enter and Backspace.
Every chord has an alternative without modifiers, because many terminals swallow chords.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from textual.binding import Binding, BindingType

from kbtui.i18n import _, pgettext
from kbtui.text.built_tables import built_toml

if TYPE_CHECKING:
    from textual.app import App
    from textual.dom import DOMNode
    from textual.screen import Screen

DIGITS = tuple("123456789")


class Command(Struct, frozen=True, kw_only=True):
    """A command of the app.

    Attributes:
        name: Stable identifier.
        title: Title in palette and help.
        keys: Textual key names, the main one first; empty for a command that is run by name only.
        shown: The keys as displayed in footer and help.
        help: Description in one sentence.
        group: Heading in the help.
        action: Textual action of ``scope``; with ``digits``, the pressed digit is its argument.
        scope: The scope: ``app``, ``ask``, ``prompt``, ``answer``, ``sources``, ``evidence``, ``preview`` …
        hint: Text in the footer; empty to leave the command out.
        rank: Position in the footer, lower first; the last ones are left out if there is no room.
        palette: Whether it is listed in the command palette and after a slash in the prompt.
        slash: Word after the slash; the name by default.
        priority: Whether it takes precedence over the focused widget.
        digits: Whether its keys are 1 to 9, each passing its digit to the action.
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
        """The word after a slash that runs the command."""
        return self.slash or self.name.replace("_", "-")


_DECLARED = built_toml(__package__, "commands.toml")

COMMANDS: tuple[Command, ...] = tuple(
    Command(**{**fields, "keys": tuple(fields.get("keys", ()))}) for fields in _DECLARED["command"]
)

INSIDE: Mapping[str, list[str]] = _DECLARED["inside"]
"""The enclosing scopes of a scope, whose keys work in it too."""


def translated(commands: tuple[Command, ...]) -> tuple[Command, ...]:
    """The commands in the user's language; translations may be specific to a command, whose name is their context."""
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
    """The Textual bindings of a scope; users can assign keys to those without one (`keymap`)."""
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
    """The ids of the command's bindings in Textual: one, or one for each digit."""
    name = f"{command.scope}.{command.name}"
    return [f"{name}.{key[-1]}" for key in command.keys] if command.digits else [name]


def groups(commands: Iterable[Command] = COMMANDS) -> dict[str, list[Command]]:
    """The commands by heading, in order of declaration."""
    result: dict[str, list[Command]] = {}
    for command in commands:
        result.setdefault(command.group, []).append(command)
    return result


def commands_of(app: App[object]) -> tuple[Command, ...]:
    """All commands of an app, with the user's keys."""
    return getattr(app, "commands", COMMANDS)


def shown_keys(app: App[object], name: str) -> str:
    """The keys of a command as they are shown, with the user's changes; empty if it has none."""
    return next((command.shown for command in commands_of(app) if command.name == name), "")


def available_commands(screen: Screen[object]) -> list[Command]:
    """The commands of the palette whose scope is on ``screen``."""
    return [command for command in commands_of(screen.app) if command.palette and _target(screen, command) is not None]


async def run_command(app: App[object], screen: Screen[object], command: Command) -> None:
    """Run a command; does nothing if its scope is no longer on the screen."""
    if (target := _target(screen, command)) is not None:
        await app.run_action(command.action, default_namespace=target)


def _target(screen: Screen[object], command: Command) -> DOMNode | None:
    if command.scope == "app":
        return screen.app
    if getattr(screen, "SCOPE", "") == command.scope:
        return screen
    return next(iter(screen.query(f".scope-{command.scope}")), None)
