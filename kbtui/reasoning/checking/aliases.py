"""Names of one country, city or union that letters do not tell to be one: Dutch and the Netherlands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from kbtui.text.word_lists import rows_in


def aliases(name: str) -> tuple[str, ...]:
    """Every other form of a name in lower case, without full stops at its end; ``()`` where none is known."""
    return _groups().get(name, ())


@cache
def _groups() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for group in rows_in("kbtui.reasoning.checking", "aliases.tsv"):
        found |= {name: tuple(other for other in group if other != name) for name in group}
    return found
