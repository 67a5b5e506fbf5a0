"""What whoever starts the screen hands in, because the screen may not look for it itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from kbtui.domain.health import Check
from kbtui.settings.load import LoadedSettings, load_settings


class Started(Struct, frozen=True, kw_only=True):
    """How the screen was started.

    Attributes:
        settings: Reads the settings again, with the flags that the command was given.
        checks: Everything that `kbtui doctor` looks at, as it is found; blocks.
        theme: Worn while no theme is set; empty for the one that the settings name.
    """

    settings: Callable[[], LoadedSettings] = load_settings
    checks: Callable[[], Iterator[Check]] = lambda: iter(())
    theme: str = ""
