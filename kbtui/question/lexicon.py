"""The word lists of questions to documents, from ``words/lexicon.toml``, where they can be read and added to."""

from __future__ import annotations

from functools import partial

from kbtui.text.word_lists import toml_once

_lists = partial(toml_once, "kbtui.question", "words/lexicon.toml")


def word_set(name: str) -> frozenset[str]:
    """A list as a set of words."""
    return frozenset(_lists()[name].split())


def word_groups(name: str) -> tuple[tuple[str, ...], ...]:
    """A list with one group of words a line."""
    return tuple(tuple(line.split()) for line in _lists()[name].split("\n") if line.strip())
