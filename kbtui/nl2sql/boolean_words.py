"""Values that say yes and no, by ``truths.toml``."""

from __future__ import annotations

from functools import cache
from typing import Any

from kbtui.text.word_lists import toml_in


@cache
def truths() -> tuple[frozenset[str], ...]:
    """Pairs of values of which one says yes and the other one no."""
    words = toml_in(__package__, "truths.toml")
    return tuple(map(frozenset, zip(words["yes"].split(), words["no"].split(), strict=True)))


@cache
def _answers() -> dict[str, bool]:
    return {word: key == "yes" for key, words in toml_in(__package__, "truths.toml").items() for word in words.split()}


def says_yes(value: Any) -> bool | None:
    """Whether a value says yes or no; None for any other."""
    return _answers().get(str(value).strip().lower().removesuffix(".0"))
