"""The commands in the palette (ctrl+p)."""

from __future__ import annotations

from functools import partial

from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider

from kbtui.ui.commands import COMMANDS, Command


class CommandProvider(Provider):
    """Every command that makes sense without the focus being somewhere special."""

    async def discover(self) -> Hits:
        for command in self._here():
            yield DiscoveryHit(_label(command), partial(self._run, command), command.title, command.help)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in self._here():
            score = max(matcher.match(command.title), matcher.match(command.help) * 0.5)
            if score > 0:
                yield Hit(score, _label(command), partial(self._run, command), command.title, command.help)

    def _here(self) -> list[Command]:
        """Those whose scope is on the screen below the palette."""
        return [command for command in COMMANDS if command.palette and self._target(command) is not None]

    def _target(self, command: Command) -> object | None:
        if command.scope == "app":
            return self.app
        if getattr(self.screen, "SCOPE", "") == command.scope:
            return self.screen
        return next(iter(self.screen.query(f".scope-{command.scope}")), None)

    async def _run(self, command: Command) -> None:
        target = self._target(command)
        if target is not None:
            await self.app.run_action(command.action, default_namespace=target)  # type: ignore[arg-type]


class Palette(CommandPalette):
    """Textual's palette, which a page key ends with a KeyError while its list is not laid out yet."""

    def _action_command_list(self, action: str) -> None:
        if self.query_one(CommandList)._lines:
            super()._action_command_list(action)


def _label(command: Command) -> str:
    return f"{command.title}   {command.shown}"
