"""The footer: the keys that work at the current focus, most useful first, as many as fit."""

from __future__ import annotations

from collections.abc import Mapping

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from kbtui.ui.commands import Command, binding_ids, commands_of
from kbtui.ui.commands.keymap import character_of

_GAP = "   "


class KeyHints(Widget):
    """A line of keys with hints, which can be clicked."""

    words: reactive[Mapping[str, str]] = reactive({})
    """Hints that replace those of commands, by name; an empty hint hides the command."""

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _screen: self.refresh())

    def render(self) -> Content:
        width = self.content_size.width
        parts: list[Content] = []
        used = 0
        # The hint for help (F1) always stays at the right end.
        commands = self._active()
        help_hint = next((self._hint(command) for command in commands if command.name == "help"), Content(""))
        available = width - (help_hint.cell_length + cell_len(_GAP) if help_hint else 0)
        for command in commands:
            if command.name == "help":
                continue
            hint = self._hint(command)
            needed = hint.cell_length + (cell_len(_GAP) if parts else 0)
            if used + needed > available:
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
            # Of commands with the same hint, only the first is shown.
            if not word or word in words:
                continue
            ids = binding_ids(command)
            first = active.get(command.keys[0]) if command.keys else None
            if first is not None and first.binding.id not in ids:
                # The key runs another command here.
                continue
            active_keys = (active[key] for key in command.keys if key in active and active[key].binding.id in ids)
            if any(binding.enabled and not _is_typed(focused, binding.binding.key) for binding in active_keys):
                shown.append(command)
                words.add(word)
        return shown

    def _hint(self, command: Command) -> Content:
        word = self.words.get(command.name, command.hint)
        names = command.shown.split(" ")
        # In an input, letters are typed, so the chord is shown.
        is_typing = len(names[0]) == 1 and names[0].isascii() and _is_typed(self.screen.focused, "a")
        shown = names[-1 if is_typing else 0]
        hint = Content.assemble((shown, "bold"), " ", (word, "$foreground 60%"))
        return hint.stylize(Style.from_meta({"command": command.name}))

    async def on_click(self, event: object) -> None:
        name = getattr(event, "style", Style()).meta.get("command")
        command = next((command for command in commands_of(self.app) if command.name == name), None)
        if command is not None and not command.digits:
            self.app.simulate_key(command.keys[0])


def _is_typed(focused: Widget | None, key: str) -> bool:
    """Whether the key is typed into the focused input."""
    return focused is not None and focused.check_consume_key(key, character_of(key))
