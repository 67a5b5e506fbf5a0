"""Misspelt words of a question, read as words that the folder has.

A word is taken for misspelt only where the folder hardly knows it and the language does not know it either: the
embedding model cuts a word it has never learned into pieces, so what it has as one piece is a word. What such a word
may have meant is looked for among the stems of the lexicon (rapidfuzz, optimal string alignment: a swap of neighbours
is one error), and then compared with how the documents spell it, because a stem hides the end of a word.
"""

from __future__ import annotations

import re
import weakref
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from kbtui.knowledge.store.lexicon import Lexicon
from kbtui.text.tokenise import tokens

if TYPE_CHECKING:
    from kbtui.knowledge.store.index import Index
    from kbtui.knowledge.store.index_view import TextView

_WORD: Final = re.compile(r"(?<![\w.,/@#:$'’~-])[A-Za-z]?[a-z]{3,}(?![\w@/:_(]|[.'’-]\w)")
_LITERAL: Final = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|‘[^’]*’|「[^」]*」|\bhttps?://\S+")
_LETTERS: Final = re.compile(r"[A-Za-z]{3,}")
_SHORTEST: Final = 5
_INTERROGATIVES: Final = ("what", "when", "where", "which", "whose")
_QUESTION_WORDS: Final = (*_INTERROGATIVES, "does", "with", "from", "many", "list", "show")
"""Read in short words, too: a question has one of them, whatever the folder is about."""
_MORE_ERRORS_FROM: Final = 10
"""Letters from which a word may have two errors instead of one; the shortest words may not have a letter too many."""
_RARE: Final = 5
"""Passages up to which a word may be an error of the folder's own."""
_TIMES_AS_OFTEN: Final = 10
"""How many times as often as the written word its reading has to be there, where the folder has both."""
_LEAST: Final = 2
_LOOKED_UP: Final = 5
"""Nearest stems whose spelling in the documents is looked at: a search each, a few milliseconds."""
_STEM_ERRORS: Final = 2
_SHORTEST_STEM: Final = 3
_LONGEST_ENDING: Final = 4
_SPELLINGS_FROM: Final = 3

Spelt = Callable[[str], Collection[str]]
"""Gives the words with a stem as some passages spell them, lower case."""

_SPELLERS: Final[weakref.WeakKeyDictionary[TextView, Speller]] = weakref.WeakKeyDictionary()
"""A speller for each state of an index, as long as that is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Respelling:
    """A word as it was typed, and the word of the folder that it is read as."""

    written: str
    read: str


class Respelt(Struct, frozen=True, kw_only=True):
    """A question as it is read."""

    text: str
    changes: tuple[Respelling, ...] = ()


class Speller:
    """Reads questions with the words of one version of a folder.

    Args:
        lexicon: Of the folder.
        is_word: Whether the language has a word, whatever the folder has; lower case.
        spelt: How the documents spell a stem.
    """

    def __init__(self, lexicon: Lexicon, is_word: Callable[[str], bool], spelt: Spelt) -> None:
        self._lexicon = lexicon
        self._is_word = is_word
        self._spelt = lru_cache(maxsize=4096)(spelt)
        self._by_length: dict[int, list[str]] | None = None

    def respelt(self, text: str) -> Respelt:
        """``text`` with each misspelt word replaced; names, code and what is quoted stay as they are."""
        literal = [match.span() for match in _LITERAL.finditer(text)]
        changes: dict[str, Respelling] = {}
        parts, end = [], 0
        for match in _WORD.finditer(text):
            if any(start <= match.start() < stop for start, stop in literal):
                continue
            begins = not text[: match.start()].strip() or text[: match.start()].rstrip()[-1] in ".?!:;。？！"
            if match[0][0].isupper() and not begins:
                # A name, of which the folder may well know nothing.
                continue
            short = len(match[0]) < _SHORTEST
            if read := (self._question_word if short else self._meant)(match[0].lower()):
                read = read.capitalize() if match[0][0].isupper() else read
                changes.setdefault(match[0], Respelling(written=match[0], read=read))
                parts += [text[end : match.start()], read]
                end = match.end()
        return Respelt(text="".join([*parts, text[end:]]), changes=tuple(changes.values()))

    def _question_word(self, word: str) -> str:
        """The question word that a short word was to be; empty where it is a word itself."""
        held = self._lexicon.passages_with(tokens(word)[0]) if tokens(word) else 0
        if word in _QUESTION_WORDS or held > _RARE:
            return ""
        # The model has pieces of words such as *wich*, so of a word that the folder lacks only a question word is near.
        known = _INTERROGATIVES if held == 0 else () if self._is_word(word) else _QUESTION_WORDS
        near = [one for one in known if _errors(word, one, 1) <= 1 and _is_likely(word, one)]
        return near[0] if len(near) == 1 else ""

    def _meant(self, word: str) -> str:
        """The word of the folder that ``word`` was to be; empty where it is none, or is a word itself."""
        stems = tokens(word)
        held = self._lexicon.passages_with(stems[0]) if len(stems) == 1 else _RARE + 1
        if held > _RARE or self._is_word(word) or self._is_word(word.removesuffix("s")):
            return ""
        most = 1 if len(word) < _MORE_ERRORS_FROM else 2
        best = (most + 1, 0, "")
        for stem in self._nearest(word, stems[0], max(_LEAST, _TIMES_AS_OFTEN * held)):
            for spelt in self._spelt(stem):
                errors = _errors(word, spelt, most)
                if errors <= most and _is_likely(word, spelt):
                    best = min(best, (errors, _slip(word, spelt), spelt), key=lambda one: one[:2])
            if best[:2] == (1, 0):
                break
        return best[2]

    def _nearest(self, word: str, stem: str, least: int) -> list[str]:
        """The stems most like ``word`` or its own stem that at least ``least`` passages hold."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract_iter

        found: dict[str, int] = {}
        for length, known in self._stems().items():
            if max(_SHORTEST_STEM, len(word) - _LONGEST_ENDING) <= length <= len(word) + 1:
                # Where the stem is shorter, the rest of the word is its ending, which counts less than an error.
                ending = max(len(word) - length, 0)
                for written, away in ((word[:length], ending), (stem, abs(len(stem) - length))):
                    near = extract_iter(written, known, scorer=OSA.distance, score_cutoff=_STEM_ERRORS)
                    for other, errors, _ in near:
                        found[other] = min(2 * errors + away, found.get(other, 9))
        often = {other: self._lexicon.passages_with(other) for other in found}
        kept = [other for other in found if often[other] >= least]
        return sorted(kept, key=lambda other: (found[other], -often[other], other))[:_LOOKED_UP]

    def _stems(self) -> dict[int, list[str]]:
        """The plain words of the lexicon by length, made when a question first needs them."""
        if self._by_length is None:
            self._by_length = {}
            for term in self._lexicon.terms:
                if term.isascii() and term.isalpha():
                    self._by_length.setdefault(len(term), []).append(term)
        return self._by_length


def respelt(index: Index, text: str, is_word: Callable[[str], bool]) -> Respelt:
    """``text`` with misspelt words read as words of the folder; as it is without an index.

    Args:
        is_word: Whether the language has a word, in lower case, whatever the folder has.

    Raises:
        IndexCorrupt: The index cannot be read.
    """

    def read(view: TextView) -> Respelt:
        speller = _SPELLERS.get(view)
        if speller is None:
            speller = _SPELLERS[view] = Speller(view.lexicon, is_word, partial(_spelt, weakref.ref(view)))
        return speller.respelt(text)

    return index.read(read, Respelt(text=text))


def _spelt(view: weakref.ref[TextView], stem: str) -> set[str]:
    """The words with this stem as the passages spell them that match it best."""
    text = view()
    if text is None:
        return set()
    chunks = text.chunks_at([row for row, _ in text.matching([stem], _SPELLINGS_FROM)])
    return {word for chunk in chunks for word in spellings_in(f"{chunk.title}\n{chunk.text}", stem)}


def spellings_in(text: str, stem: str) -> set[str]:
    """The words of ``text`` with this stem, in lower case."""
    return {word for word in (match[0].lower() for match in _LETTERS.finditer(text)) if tokens(word) == [stem]}


def _is_likely(word: str, other: str) -> bool:
    """People get the first letter right, or swap it; a short word with a letter too many is mostly another word."""
    begins = other[0] == word[0] or sorted(other[:2]) == sorted(word[:2])
    return begins and word != other and (len(word) > _SHORTEST or len(word) <= len(other))


def _slip(word: str, other: str) -> int:
    """How unlikely the error is: 0 for letters that are swapped or left out, 1 for any other."""
    return int(bool(Counter(word) - Counter(other)))


def _errors(word: str, other: str, most: int) -> int:
    from rapidfuzz.distance import OSA

    return OSA.distance(word, other, score_cutoff=most)
