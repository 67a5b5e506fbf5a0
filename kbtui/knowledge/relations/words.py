"""Word lists as data: readable in the source, sets where they are used."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of ``text``, which is separated by white space only."""
    return frozenset(text.split())
