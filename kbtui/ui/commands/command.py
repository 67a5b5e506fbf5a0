"""What a command is."""

from __future__ import annotations

from dataclasses import dataclass

DIGITS = tuple("123456789")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One thing a user can do.

    Attributes:
        name: Stable identifier.
        title: What the palette and the help call it.
        keys: Textual key names, the first is the main one.
        shown: The keys as people write them, for footer and help.
        help: One sentence.
        group: Heading in the help.
        action: Textual action, resolved in ``scope``; for ``digits`` the pressed figure is its argument.
        scope: Where it works: ``app``, ``ask``, ``prompt``, ``answer``, ``sources``, ``evidence``, ``preview`` …
        hint: Words in the footer; empty keeps it out of there.
        rank: Place in the footer, lower first; the last ones are left out where it is narrow.
        palette: Listed in the command palette.
        priority: Works before the focused widget sees the key.
        digits: The keys 1 to 9, each passing its figure to the action.
    """

    name: str
    title: str
    keys: tuple[str, ...]
    shown: str
    help: str
    group: str
    action: str
    scope: str = "app"
    hint: str = ""
    rank: int = 50
    palette: bool = True
    priority: bool = False
    digits: bool = False
