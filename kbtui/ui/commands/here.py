"""Which commands can be done from where the user is, and doing one by its name instead of its key."""

from __future__ import annotations

from textual.app import App
from textual.dom import DOMNode
from textual.screen import Screen

from kbtui.ui.commands import COMMANDS, Command


def commands_of(app: App[object]) -> tuple[Command, ...]:
    """All commands, with the keys that the user gave them."""
    return getattr(app, "commands", COMMANDS)


def commands_here(screen: Screen[object]) -> list[Command]:
    """Those that make sense by name and whose scope is on ``screen``."""
    return [command for command in commands_of(screen.app) if command.palette and _target(screen, command) is not None]


async def run_command(app: App[object], screen: Screen[object], command: Command) -> None:
    """Do what its key does; nothing where its scope has gone."""
    if (target := _target(screen, command)) is not None:
        await app.run_action(command.action, default_namespace=target)


def _target(screen: Screen[object], command: Command) -> DOMNode | None:
    if command.scope == "app":
        return screen.app
    if getattr(screen, "SCOPE", "") == command.scope:
        return screen
    return next(iter(screen.query(f".scope-{command.scope}")), None)
