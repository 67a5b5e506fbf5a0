"""Tabs on one line, for screens too narrow to show the panes side by side."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget


class TabLine(Widget, can_focus=True):
    """Names side by side; the active one is underlined and bold."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", "Previous tab", show=False),
        Binding("right", "move(1)", "Next tab", show=False),
    ]

    active: reactive[str] = reactive("")
    labels: reactive[tuple[tuple[str, str], ...]] = reactive(())

    class Changed(Message):
        """Another tab was chosen."""

        def __init__(self, active: str) -> None:
            super().__init__()
            self.active = active

    def render(self) -> Content:
        parts: list[Content] = []
        for name, label in self.labels:
            style = "bold underline $accent" if name == self.active else "$foreground 60%"
            tab = Content.styled(label, style).stylize(Style.from_meta({"tab": name}))
            parts.append(tab)
        return Content("   ").join(parts)

    def watch_active(self, active: str) -> None:
        self.post_message(self.Changed(active))

    def action_move(self, by: int) -> None:
        """The tab to the right or left, round the end."""
        names = [name for name, _ in self.labels]
        if names:
            index = names.index(self.active) if self.active in names else 0
            self.active = names[(index + by) % len(names)]

    def on_click(self, event: object) -> None:
        """Choose the tab under the mouse."""
        name = getattr(event, "style", Style()).meta.get("tab")
        if isinstance(name, str):
            self.active = name
