"""Groups of names of one country, city or union that share no letters: Dutch and the Netherlands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from kbtui.text.word_lists import rows_in


def aliases(name: str) -> tuple[str, ...]:
    """All other names of a group; the name must be in lower case without a final full stop. ``()`` if unknown."""
    return _groups().get(name, ())


@cache
def _groups() -> Mapping[str, tuple[str, ...]]:
    aliases_by_name: dict[str, tuple[str, ...]] = {}
    for group in rows_in("kbtui.reasoning.checking", "aliases.tsv"):
        aliases_by_name |= {name: tuple(other for other in group if other != name) for name in group}
    return aliases_by_name
