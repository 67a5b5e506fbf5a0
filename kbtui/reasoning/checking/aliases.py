"""Names of one country, city or union that letters do not tell to be one: Dutch and the Netherlands."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


def aliases(name: str) -> tuple[str, ...]:
    """Every other form of a name in lower case, without full stops at its end; ``()`` where none is known."""
    return _groups().get(name, ())


@cache
def _groups() -> Mapping[str, tuple[str, ...]]:
    text = files("kbtui.reasoning.checking").joinpath("aliases.tsv").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            group = line.split("\t")
            found |= {name: tuple(other for other in group if other != name) for name in group}
    return found
