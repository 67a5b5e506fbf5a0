"""Searches the texts of things for passages with all words of a clause."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from kbtui.errors import KbtuiError
from kbtui.records.changes import has_literals
from kbtui.records.kinds import Fact, Thing
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import content_words, stem

if TYPE_CHECKING:
    from kbtui.knowledge.reading.source import SourceReader
    from kbtui.records.changes import Change

_MAX_LINES: Final = 3
"""Most lines of a passage."""
_ITEM: Final = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s")
_HEADING: Final = re.compile(r"\s*(?:#{2,6}\s|\*\*[^*]+\*\*:?\s*$)")
_MIN_PREFIX: Final = 4
"""Fewest letters of the prefix searched for before lines are tokenised."""
TEXT_FIELD: Final = "text"
"""Field name of a fact that is a line of running text."""


def stems_of(text: str) -> list[str]:
    """Distinct stems of the content words, in order."""
    return list(dict.fromkeys(stem(word.lower()) for word in content_words(text) if re.search(r"\w", word)))


FileFinder = Callable[[Sequence[str]], Collection[str]]
"""Takes texts and returns the paths of the files that contain all of them, case-insensitively."""


class Texts:
    """The current texts of the things of a folder.

    Args:
        source: Reads the lines of a file.
        file_finder: Finds the files that contain given words; without it all files are read.
    """

    def __init__(self, source: SourceReader, file_finder: FileFinder | None = None) -> None:
        self._source = source
        self._file_finder = file_finder

    def share_of(self, things: Sequence[Thing], text: str) -> float:
        """The share of things whose files contain a text, 0 to 1; 0 if that cannot be searched."""
        if self._file_finder is None or not things:
            return 0.0
        try:
            paths = self._file_finder([text])
        except KbtuiError:
            return 0.0
        return sum(thing.path in paths for thing in things) / len(things)

    def filter_by_words(self, things: Sequence[Thing], stems: Sequence[str]) -> Sequence[Thing]:
        """The things whose files contain every word; all things if that cannot be searched."""
        if self._file_finder is None:
            return things
        try:
            paths = self._file_finder([_prefix(word) for word in stems])
        except KbtuiError:
            return things
        return [thing for thing in things if thing.path in paths]

    def lines(self, thing: Thing) -> tuple[int, list[str]]:
        """The number of the first line of a thing, and its lines; no lines if the file cannot be read."""
        try:
            lines = self._source.lines(thing.path)
        except (KbtuiError, OSError):
            return 1, []
        first, last = thing.span or (1, len(lines))
        return first, list(lines[first - 1 : last])

    def contains(self, thing: Thing, stems: Sequence[str]) -> bool:
        """Whether the text of a thing contains every word."""
        text = "\n".join(self.lines(thing)[1]).lower()
        return all(_prefix(word) in text for word in stems)

    def find_phrase(self, thing: Thing, words: Sequence[str]) -> Fact | None:
        """The first line with words one after the other, as a fact; articles may stand between them."""
        phrase = _phrase_pattern(tuple(words))
        first, lines = self.lines(thing)
        for at, line in enumerate(lines):
            if words[0] in (lowered := line.lower()) and phrase.search(lowered) is not None:
                return Fact(
                    field=TEXT_FIELD, value=_ITEM.sub("", line, count=1).strip(), path=thing.path, line=first + at
                )
        return None

    def find_passage(self, thing: Thing, stems: Sequence[str], change: Change | None = None) -> Fact | None:
        """The first passage with all of the stems, as a fact; passages end at blank lines and at list items.

        Args:
            change: A change that the passage must also state.
        """
        first, lines = self.lines(thing)
        lowered = "\n".join(lines).lower()
        if not lines or any(_prefix(word) not in lowered for word in stems):
            return None
        required_stems = frozenset(stems)
        relevant_stems = required_stems | change.verbs if change is not None else required_stems
        forms = [word for word in set(content_words("\n".join(lines))) if stem(word.lower()) in relevant_stems]
        if not required_stems.issubset(stem(word.lower()) for word in forms):
            return None
        # "### Removed" says of all items below it what a verb says of one.
        verbs_by_line = _verbs_above(lines, change.verbs if change is not None else frozenset())
        stems_by_line = [_stems_in_line(line, forms, relevant_stems) if line.strip() else None for line in lines]
        for start, line_stems in enumerate(stems_by_line):
            if not line_stems:
                continue
            seen: set[str] = set()
            last = start
            for last, next_stems in enumerate(stems_by_line[start : start + _MAX_LINES], start=start):
                if next_stems is None or (last > start and _ITEM.match(lines[last])):
                    break
                seen |= next_stems
            else:
                last = min(last + 1, len(lines))
            states_change = change is None or (
                (seen & change.verbs or verbs_by_line[start]) and has_literals(change, "\n".join(lines[start:last]))
            )
            if required_stems <= seen and states_change:
                return Fact(
                    field=TEXT_FIELD,
                    value=_ITEM.sub("", lines[start], count=1).strip(),
                    path=thing.path,
                    line=first + start,
                )
        return None


def _verbs_above(lines: Sequence[str], verbs: frozenset[str]) -> list[frozenset[str]]:
    """For each line the verbs in the heading of its section."""
    found: list[frozenset[str]] = []
    current: frozenset[str] = frozenset()
    for line in lines:
        if verbs and _HEADING.match(line):
            current = verbs.intersection(stems_of(line))
        found.append(current)
    return found


def _stems_in_line(line: str, forms: Sequence[str], wanted: frozenset[str]) -> frozenset[str]:
    """The wanted stems that a line has; only lines with one of the forms are tokenised."""
    return wanted.intersection(stems_of(line)) if any(form in line for form in forms) else frozenset()


@lru_cache(maxsize=16)
def _phrase_pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern of words that nothing but signs and articles separates."""
    between = r"[\W_]{0,4}(?:(?:the|a|an|of|的)[\W_]{1,4})?"
    edge = "" if has_cjk(words[0]) else r"(?<![^\W_])"
    return re.compile(edge + between.join(map(re.escape, words)) + ("" if has_cjk(words[-1]) else r"(?![^\W_])"))


def _prefix(word: str) -> str:
    """The prefix that all forms of a stem share."""
    # The stemmer replaces a final y by i.
    return word[:-1] if word.endswith("i") else word[: max(_MIN_PREFIX, len(word) - 1)]
