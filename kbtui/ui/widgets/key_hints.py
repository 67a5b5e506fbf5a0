"""The footer: the keys that work where the focus is, most useful first, as many as fit."""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from kbtui.ui.commands import Command, binding_ids
from kbtui.ui.commands.here import commands_of
from kbtui.ui.commands.keymap import character_of

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
        room = width - (help_hint.cell_length + cell_len(_GAP) if help_hint else 0)
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
        words: set[str] = set()
        for command in sorted(commands_of(self.app), key=lambda command: command.rank):
            word = self.words.get(command.name, command.hint)
            # Two keys to one thing: the first is enough.
            if not word or word in words:
                continue
            ids = binding_ids(command)
            first = active.get(command.keys[0]) if command.keys else None
            if first is not None and first.binding.id not in ids:
                # The key that would be named does something else here.
                continue
            mine = (active[key] for key in command.keys if key in active and active[key].binding.id in ids)
            if any(one.enabled and not _typed_into(focused, one.binding.key) for one in mine):
                shown.append(command)
                words.add(word)
        return shown

    def _hint(self, command: Command) -> Content:
        word = self.words.get(command.name, command.hint)
        names = command.shown.split(" ")
        # Where a letter would be typed, the chord is what works.
        typing = len(names[0]) == 1 and names[0].isascii() and _typed_into(self.screen.focused, "a")
        shown = names[-1 if typing else 0]
        hint = Content.assemble((shown, "bold"), " ", (word, "$foreground 60%"))
        return hint.stylize(Style.from_meta({"command": command.name}))

    async def on_click(self, event: object) -> None:
        name = getattr(event, "style", Style()).meta.get("command")
        command = next((command for command in commands_of(self.app) if command.name == name), None)
        if command is not None and not command.digits:
            self.app.simulate_key(command.keys[0])


def _typed_into(focused: Widget | None, key: str) -> bool:
    """True when the key would be typed into the focused field instead."""
    return focused is not None and focused.check_consume_key(key, character_of(key))
