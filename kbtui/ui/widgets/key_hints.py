"""The footer: the keys that work where the focus is, most useful first, as many as fit."""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len
from textual.content import Content
from textual.keys import key_to_character
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input

from kbtui.ui.commands import COMMANDS, Command, bindings

_GAP = "   "


class KeyHints(Widget):
    """One line of ``key word``; each can be clicked."""

    words: reactive[Mapping[str, str]] = reactive({})
    """Other words for some commands, by name; an empty word hides the command."""

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _screen: self.refresh())

    def render(self) -> Content:
        width = self.content_size.width
        parts: list[Content] = []
        used = 0
        # F1 keeps its place at the right whatever else has to go.
        commands = self._active()
        help_hint = next((self._hint(command) for command in commands if command.name == "help"), Content(""))
        room = width - help_hint.cell_length - cell_len(_GAP)
        for command in commands:
            if command.name == "help":
                continue
            hint = self._hint(command)
            needed = hint.cell_length + (cell_len(_GAP) if parts else 0)
            if used + needed > room:
                break
            parts.append(hint)
            used += needed
        left = Content(_GAP).join(parts)
        return left + Content(" " * max(1, width - left.cell_length - help_hint.cell_length)) + help_hint

    def _active(self) -> list[Command]:
        active = self.screen.active_bindings
        focused = self.screen.focused
        shown: list[Command] = []
        for command in sorted(COMMANDS, key=lambda command: command.rank):
            if not self.words.get(command.name, command.hint):
                continue
            for binding in bindings(command.scope):
                assert not isinstance(binding, tuple)
                if binding.id is None or binding.id.split(".")[:2] != [command.scope, command.name]:
                    continue
                keys = binding.key.split(",")
                mine = [key for key in keys if key in active and active[key].binding.id == binding.id]
                if any(active[key].enabled and not _typed_into(focused, key) for key in mine):
                    shown.append(command)
                    break
        return shown

    def _hint(self, command: Command) -> Content:
        word = self.words.get(command.name, command.hint)
        names = command.shown.split(" ")
        # Where a letter would be typed, the chord is what works.
        typing = len(names[0]) == 1 and names[0].isascii() and isinstance(self.screen.focused, Input)
        shown = names[-1 if typing else 0]
        hint = Content.assemble((shown, "bold"), " ", (word, "$foreground 60%"))
        return hint.stylize(Style.from_meta({"command": command.name}))

    async def on_click(self, event: object) -> None:
        name = getattr(event, "style", Style()).meta.get("command")
        command = next((command for command in COMMANDS if command.name == name), None)
        if command is not None and not command.digits:
            self.app.simulate_key(command.keys[0])


def _typed_into(focused: Widget | None, key: str) -> bool:
    """True when the key would be typed into the focused field instead."""
    character = "/" if key == "slash" else key_to_character(key)
    return isinstance(focused, Input) and focused.check_consume_key(key, character)
