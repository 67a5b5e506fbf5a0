"""The router's rules: what in a question speaks for which type, and how strongly. They stand in ``rules.toml``."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kbtui.domain.routing import QueryType


@dataclass(frozen=True, slots=True)
class Rule:
    """One reason.

    Attributes:
        name: For the intent pane.
        weight: Added to the score of ``query_type`` when the pattern is found.
    """

    name: str
    query_type: QueryType
    weight: float
    pattern: re.Pattern[str]


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, in the order of the file."""
    table = tomllib.loads(files("kbtui.reasoning.offline").joinpath("rules.toml").read_text(encoding="utf-8"))
    words: dict[str, str] = {}
    for name, body in table["words"].items():
        words[name] = _filled(body, words)
    return tuple(
        Rule(row["name"], row["type"], row["weight"], re.compile(_filled(row["pattern"], words), re.X))
        for row in table["rule"]
    )


def _filled(pattern: str, words: dict[str, str]) -> str:
    """The pattern with each ``{name}`` replaced by its list of words; counts like ``{0,4}`` stay."""
    return re.sub(r"\{([a-z_]+)\}", lambda match: words[match[1]], pattern)
