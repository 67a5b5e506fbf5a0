"""Values that mean yes or no, from ``truths.toml``."""

from __future__ import annotations

from functools import cache
from typing import Any

from kbtui.text.word_lists import toml_in


@cache
def yes_no_pairs() -> tuple[frozenset[str], ...]:
    """Pairs of values of which one means yes and the other no."""
    words = toml_in(__package__, "truths.toml")
    return tuple(map(frozenset, zip(words["yes"].split(), words["no"].split(), strict=True)))


@cache
def _answers() -> dict[str, bool]:
    return {word: key == "yes" for key, words in toml_in(__package__, "truths.toml").items() for word in words.split()}


def truth_of(value: Any) -> bool | None:
    """True for a value that means yes, False for no, None for others."""
    return _answers().get(str(value).strip().lower().removesuffix(".0"))
