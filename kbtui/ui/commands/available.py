"""The commands that are available on a screen, and running one by name."""

from __future__ import annotations

from textual.app import App
from textual.dom import DOMNode
from textual.screen import Screen

from kbtui.ui.commands import COMMANDS, Command


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
