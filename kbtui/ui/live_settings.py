"""Applies changed settings to the running app; all others take effect at the next start."""

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

_LIVE_SECTIONS: Final = ("ui", "editor", "keys")
"""Sections and top-level keys that are applied to the running app."""


def applies_at_once(setting: Setting) -> bool:
    """Whether a setting takes effect without a restart."""
    return (setting.section or setting.name) in _LIVE_SECTIONS


def apply_settings(app: KbtuiApp, loaded: LoadedSettings) -> None:
    """Apply those of the loaded settings that take effect without a restart."""
    before, new = app.settings, loaded.settings
    ui = new.ui
    if app.started.theme and loaded.origins["ui.theme"].kind == "default":
        ui = replace(ui, theme=app.started.theme)
    app.settings = replace(before, ui=ui, editor=new.editor, keys=new.keys)
    if ui.theme != before.ui.theme and (problem := theming.apply_theme(app, ui.theme)):
        warn(app, problem, "")
    if new.keys != before.keys:
        keymap = user_keymap(new.keys)
        app.commands = keymap.commands
        app.set_keymap(keymap.bindings)
        for key_problem in keymap.problems:
            warn(app, key_problem.message, key_problem.hint)
    if ui.pictures != before.ui.pictures:
        app.show_pictures(ui.pictures)
        app.refresh()
    app.window.adjust(after_s=ui.notify_after_s, decorated=ui.window)
