"""Callbacks and options that the command line passes to the app, which may not import their implementations."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from kbtui.domain.health import Check
from kbtui.settings.load import LoadedSettings, load_settings


class Started(Struct, frozen=True, kw_only=True):
    """Callbacks and options from the command that started the app.

    Attributes:
        settings: Loads the settings again, with the flags of the command.
        checks: Yields the checks of `kbtui doctor` as they complete; blocks.
        theme: Theme to use while the settings name none; empty for the default.
        sixel: Whether the terminal said that it shows sixel pictures.
    """

    settings: Callable[[], LoadedSettings] = load_settings
    checks: Callable[[], Iterator[Check]] = lambda: iter(())
    theme: str = ""
    sixel: bool = False
