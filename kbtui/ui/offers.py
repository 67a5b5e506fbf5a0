"""Completions of the prompt: commands after ``/``, names after ``@``, earlier questions in the history search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from kbtui.late_patterns import pattern
from kbtui.text.mentions import Named, written
from kbtui.text.terminal import one_line
from kbtui.ui.commands import Command
from kbtui.view.kind_words import kind_words

_COMMAND = pattern(r"/[\w-]*")
_MAX_OFFERS: Final = 50
_MIN_SIMILARITY: Final = 80
"""Score of rapidfuzz (0 to 100) from which a name is similar to the typed text."""


class Offer(Struct, frozen=True):
    """A completion that can be chosen.

    Attributes:
        text: Its name, which is compared with the typed text.
        note: Description shown beside the name.
        insert: Text that replaces the typed text.
        command: Command to run instead of inserting text.
    """

    text: str
    note: str = ""
    insert: str = ""
    command: Command | None = None


def command_prefix(before: str) -> str | None:
    """The typed part of a command, including ``/``; None if the text before the cursor is not one."""
    return before if _COMMAND.fullmatch(before) else None


def command_offers(commands: Iterable[Command]) -> list[Offer]:
    """The commands by their slash words."""
    return [Offer(f"/{command.word}", command.title, command=command) for command in commands]


def name_offers(names: Iterable[Named]) -> list[Offer]:
    """Files, folders, tables and columns, with the text that mentions them in a question."""
    return [Offer(one_line(mention.name), kind_words(mention.kind), f"{written(mention.name)} ") for mention in names]


def history_offers(typed: str, entries: Sequence[str]) -> list[Offer]:
    """The questions that contain every typed word, newest first."""
    words = typed.casefold().split()
    matches = (entry for entry in reversed(entries) if all(word in entry.casefold() for word in words))
    return [Offer(one_line(entry), insert=entry) for entry, _ in zip(matches, range(_MAX_OFFERS), strict=False)]


def closest_offers(typed: str, offers: Sequence[Offer]) -> list[Offer]:
    """The offers with names similar to ``typed``: those with that prefix first, then those that contain it."""
    typed = typed.strip('/@"').casefold()
    if not typed:
        return list(offers[:_MAX_OFFERS])
    from rapidfuzz import fuzz, process

    names = [offer.text.strip("/").casefold() for offer in offers]
    scored = process.extract(
        typed, names, scorer=fuzz.partial_ratio, limit=4 * _MAX_OFFERS, score_cutoff=_MIN_SIMILARITY
    )
    order = sorted(scored, key=lambda match: (_rank(typed, match[0]), -match[1], len(match[0]), match[2]))
    return [offers[index] for _, _, index in order[:_MAX_OFFERS]]


def _rank(typed: str, name: str) -> int:
    """0 for a name or last path component with the prefix ``typed``, 1 for a name that contains it, else 2."""
    if name.startswith(typed) or name.rstrip("/").rpartition("/")[2].startswith(typed):
        return 0
    return 1 if typed in name else 2
