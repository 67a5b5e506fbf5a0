"""What of changed settings the screen takes while it runs; the rest waits until kbtui is started again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.settings.load import LoadedSettings
from kbtui.settings.reference import Setting
from kbtui.ui import theming
from kbtui.ui.commands.keymap import user_keymap
from kbtui.ui.notices import warn

if TYPE_CHECKING:
    from kbtui.ui.app import KbtuiApp

_AT_ONCE: Final = ("ui", "editor", "keys")
"""Sections, and keys of the top level."""


def is_at_once(setting: Setting) -> bool:
    """True for what needs no new start."""
    return (setting.section or setting.name) in _AT_ONCE


def take(app: KbtuiApp, loaded: LoadedSettings) -> None:
    """Have the app follow ``loaded`` in what it can."""
    before, new = app.settings, loaded.settings
    ui = new.ui
    if app.started.theme and loaded.origins["ui.theme"].kind == "default":
        ui = replace(ui, theme=app.started.theme)
    app.settings = replace(before, ui=ui, editor=new.editor, keys=new.keys)
    if ui.theme != before.ui.theme and (problem := theming.choose(app, ui.theme)):
        warn(app, problem, "")
    if new.keys != before.keys:
        keymap = user_keymap(new.keys)
        app.commands = keymap.commands
        app.set_keymap(keymap.bindings)
        for left_out in keymap.problems:
            warn(app, left_out.message, left_out.hint)
    app.window.adjust(after_s=ui.notify_after_s, decorated=ui.window)
