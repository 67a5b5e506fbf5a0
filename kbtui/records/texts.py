"""What the texts of things say: which of them have all words of a clause in one place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Final

from kbtui.errors import KbtuiError
from kbtui.records.changes import has_literals
from kbtui.records.kinds import Fact, Thing
from kbtui.text.tokenise import content_words, stem

if TYPE_CHECKING:
    from kbtui.knowledge.reading.source import SourceReader
    from kbtui.records.changes import Change

_WINDOW: Final = 3
"""Lines that a sentence may stand on."""
_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s")
_KEPT: Final = 4
"""Letters of a stem that are looked for before lines are taken apart."""
SAYS: Final = "text"
"""The field of a fact that is a line of the text."""


def stems_of(text: str) -> list[str]:
    """Stems of the words with content, each once."""
    return list(dict.fromkeys(stem(word.lower()) for word in content_words(text) if re.search(r"\w", word)))


FileFinder = Callable[[Sequence[str]], Collection[str]]
"""Texts to the paths of the files that hold all of them, in any case."""


class Texts:
    """The texts of the things of a folder, as their files have them now.

    Args:
        source: Reads the lines of a file.
        holding: Finds the files that are worth reading; without it all are read.
    """

    def __init__(self, source: SourceReader, holding: FileFinder | None = None) -> None:
        self._source = source
        self._holding = holding

    def among(self, things: Sequence[Thing], stems: Sequence[str]) -> Sequence[Thing]:
        """The things in whose files each of the words stands anywhere."""
        if self._holding is None:
            return things
        try:
            paths = self._holding([_beginning(word) for word in stems])
        except KbtuiError:
            return things
        return [thing for thing in things if thing.path in paths]

    def lines(self, thing: Thing) -> tuple[int, list[str]]:
        """The number of the first line of a thing, and its lines; none where the file cannot be read."""
        try:
            lines = self._source.lines(thing.path)
        except (KbtuiError, OSError):
            return 1, []
        first, last = thing.span or (1, len(lines))
        return first, list(lines[first - 1 : last])

    def has(self, thing: Thing, stems: Sequence[str]) -> bool:
        """Whether each of the words stands anywhere in the text of a thing."""
        text = "\n".join(self.lines(thing)[1]).lower()
        return all(_beginning(word) in text for word in stems)

    def stating(self, thing: Thing, stems: Sequence[str], change: Change | None = None) -> Fact | None:
        """The first place of few lines that has all of the words, none across a blank line or the items of a list.

        Args:
            change: What else it has to say.
        """
        first, lines = self.lines(thing)
        lowered = "\n".join(lines).lower()
        if not lines or any(_beginning(word) not in lowered for word in stems):
            return None
        needed = frozenset(stems)
        wanted = needed | change.verbs if change is not None else needed
        forms = [word for word in set(content_words("\n".join(lines))) if stem(word.lower()) in wanted]
        if not needed.issubset(stem(word.lower()) for word in forms):
            return None
        found = [_said(line, forms, wanted) if line.strip() else None for line in lines]
        for at, own in enumerate(found):
            if not own:
                continue
            seen: set[str] = set()
            last = at
            for last, more in enumerate(found[at : at + _WINDOW], start=at):
                if more is None or (last > at and _ITEM.match(lines[last])):
                    break
                seen |= more
            else:
                last = min(last + 1, len(lines))
            told = change is None or (seen & change.verbs and has_literals(change, "\n".join(lines[at:last])))
            if needed <= seen and told:
                return Fact(
                    field=SAYS, value=_ITEM.sub("", lines[at], count=1).strip(), path=thing.path, line=first + at
                )
        return None


def _said(line: str, forms: Sequence[str], wanted: frozenset[str]) -> frozenset[str]:
    """Which of the words a line has; only a line with one of their forms is taken apart."""
    return wanted.intersection(stems_of(line)) if any(form in line for form in forms) else frozenset()


def _beginning(word: str) -> str:
    """The letters of a stem that its forms share in any text."""
    # A stem ends in i where the word ends in y.
    return word[:-1] if word.endswith("i") else word[: max(_KEPT, len(word) - 1)]
