"""What is offered while a question is typed: commands after ``/``, names after ``@``, earlier questions in a search."""

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
_MOST: Final = 50
_LEAST_LIKE: Final = 80
"""Score of rapidfuzz from which a name is like what was typed."""


class Offer(Struct, frozen=True):
    """One thing that can be chosen.

    Attributes:
        text: What it is called, and what is compared with what is typed.
        note: Said beside it.
        insert: What takes the place of what was typed.
        command: What is done instead of typed.
    """

    text: str
    note: str = ""
    insert: str = ""
    command: Command | None = None


def command_part(before: str) -> str | None:
    """What is typed of a command, ``/`` and all; None where the text before the cursor is none."""
    return before if _COMMAND.fullmatch(before) else None


def command_offers(commands: Iterable[Command]) -> list[Offer]:
    """The commands by the words they go by after a slash."""
    return [Offer(f"/{command.word}", command.title, command=command) for command in commands]


def name_offers(names: Iterable[Named]) -> list[Offer]:
    """Files, folders, tables and columns, and how they are mentioned in a question."""
    return [Offer(one_line(one.name), kind_words(one.kind), f"{written(one.name)} ") for one in names]


def history_offers(typed: str, entries: Sequence[str]) -> list[Offer]:
    """The questions that hold every word typed, the latest first."""
    words = typed.casefold().split()
    found = (entry for entry in reversed(entries) if all(word in entry.casefold() for word in words))
    return [Offer(one_line(entry), insert=entry) for entry, _ in zip(found, range(_MOST), strict=False)]


def like(typed: str, offers: Sequence[Offer]) -> list[Offer]:
    """The offers whose names are like ``typed``, the likest first: those that begin so, hold it, or nearly do."""
    typed = typed.strip('/@"').casefold()
    if not typed:
        return list(offers[:_MOST])
    from rapidfuzz import fuzz, process

    names = [offer.text.strip("/").casefold() for offer in offers]
    scored = process.extract(typed, names, scorer=fuzz.partial_ratio, limit=4 * _MOST, score_cutoff=_LEAST_LIKE)
    order = sorted(scored, key=lambda one: (_rank(typed, one[0]), -one[1], len(one[0]), one[2]))
    return [offers[index] for _, _, index in order[:_MOST]]


def _rank(typed: str, name: str) -> int:
    """0 for a name, or the last part of a path, that begins with what is typed; 1 for one that holds it; else 2."""
    if name.startswith(typed) or name.rstrip("/").rpartition("/")[2].startswith(typed):
        return 0
    return 1 if typed in name else 2
