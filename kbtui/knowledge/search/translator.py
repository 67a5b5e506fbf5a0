"""A question in the language of the folder's text, where that is another than its own: Chinese over English, and back.

The dictionary gives a word several names; the texts tell which is meant. Passages are found by all names at once; each
counts for every word once, by the best of its names, each of these by how rare it is in the folder. The names that the
first passages share are the ones that are meant: a black panther beside a defence is no leopard. What comes of it is a
text that everything behind (words, vectors, the grader, the writer) reads like a question in that language.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kbtui.domain.routing import Translated
from kbtui.text.language import has_cjk

if TYPE_CHECKING:
    from kbtui.knowledge.store.index import Index
    from kbtui.text.translation import Word

LEAST_SHARE: Final = 0.2
"""Share of the passages that are in the other language, from which a question is asked of them too."""

_FOUND: Final = 100
_TELLING: Final = 10
"""Passages that tell which names are meant. Three or thirty are worse by .01 (nDCG@10, xquad_zh over xquad_en)."""
_CHARACTER: Final = 0.4
"""What a single Chinese character counts beside a word: it means many things, and is often half of a name."""
_K1: Final = 1.2
_KEPT: Final = 64
MOST_NAMES: Final = 3
"""Names of a word that passages are looked through for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """A question in another language.

    Attributes:
        words: Those that could be translated.
        share: How much of the question those are, 0 to 1.
    """

    words: tuple[Translated, ...] = ()
    share: float = 1.0

    @property
    def text(self) -> str:
        """The likeliest names in the order of the question; empty where nothing was translated."""
        return " ".join(word.names[0] for word in self.words)


class Translator:
    """Translates questions for one folder. Safe to use from several threads.

    Args:
        index: Of the folder; what was translated is forgotten when it changes.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, str], Translation] = OrderedDict()

    def translated(self, text: str) -> Translation:
        """``text`` in the other language; nothing where the folder has hardly any text in that.

        Raises:
            IndexCorrupt: The index cannot be read.
            StorageError: The system does not let it be read.
        """
        if not text.strip():
            return Translation()
        chinese = self._index.chinese_share()
        if chinese is None or (1.0 - chinese if has_cjk(text) else chinese) < LEAST_SHARE:
            return Translation()
        key = (self._index.version, text)
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        made = self._made(text)
        with self._lock:
            self._known[key] = made
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return made

    def _made(self, text: str) -> Translation:
        from kbtui.text.translation import in_chinese, in_english

        asked = in_english(text) if has_cjk(text) else in_chinese(text)
        terms = {name: _terms(name) for word in asked for name in word.names}
        every = list(dict.fromkeys(term for found in terms.values() for term in found))
        worth = _Worth(terms, self._index.rarity(every), self._index.best_terms(every, _FOUND))
        telling = worth.telling(asked)
        meant = [(word, worth.meant(word, telling)) for word in asked]
        total = sum(_weight(word) for word in asked)
        known = sum(_weight(word) for word, names in meant if names)
        return Translation(
            words=tuple(Translated(word=word.text, names=names) for word, names in meant if names),
            share=known / total if total else 1.0,
        )


class _Worth:
    """What names are worth in the passages that were found by all of them.

    Args:
        terms: Of each name, as the index has them.
        rarity: Of the terms, 0 to 1.
        passages: Their terms, joined by spaces, best first.
    """

    def __init__(
        self, terms: Mapping[str, Sequence[str]], rarity: Mapping[str, float], passages: Sequence[str]
    ) -> None:
        self._terms = terms
        every = {term for found in terms.values() for term in found}
        self._passages: list[Mapping[str, float]] = []
        for passage in passages:
            held = Counter(filter(every.__contains__, passage.split(" ")))
            self._passages.append({term: rarity.get(term, 1.0) * n * (_K1 + 1) / (n + _K1) for term, n in held.items()})

    def of(self, name: str, passage: Mapping[str, float]) -> float:
        """The BM25 of a name in a passage, without its norm; of one of several words no more than of each of them.

        Args:
            passage: The BM25 of each term that it holds.
        """
        terms = self._terms[name]
        parts = [passage[term] for term in terms if term in passage] if passage else ()
        return sum(parts) / len(terms) ** 0.5 if parts else 0.0

    def telling(self, asked: Sequence[Word]) -> list[tuple[float, Mapping[str, float]]]:
        """The passages that hold most of the words by the best name of each, with how much that is, squared."""
        scored = [
            (sum(_weight(word) * max(map(self._in(passage), word.names), default=0.0) for word in asked), passage)
            for passage in self._passages
        ]
        scored.sort(key=lambda pair: -pair[0])
        return [(score**2, passage) for score, passage in scored[:_TELLING] if score]

    def meant(self, word: Word, telling: Sequence[tuple[float, Mapping[str, float]]]) -> tuple[str, ...]:
        """The names that those passages have, the most first; the usual ones of a word that they say nothing of.

        Which of its meanings a single character has, nobody knows then.
        """
        spoken = {name: sum(score * self.of(name, passage) for score, passage in telling) for name in word.names}
        names = sorted((name for name in word.names if spoken[name]), key=lambda name: -spoken[name])
        if not names and (len(word.text) > 1 or not has_cjk(word.text)):
            names = list(word.names)
        return tuple(names[:MOST_NAMES])

    def _in(self, passage: Mapping[str, float]) -> Callable[[str], float]:
        return lambda name: self.of(name, passage)


def _terms(name: str) -> tuple[str, ...]:
    """A name as the index has it: stems of English words, pairs of Chinese characters."""
    from kbtui.knowledge.reading.terms import query_terms

    found = tuple(dict.fromkeys(query_terms(name)))
    if not has_cjk(name):
        return found
    return tuple(term for term in found if len(term) > 1) or found


def _weight(word: Word) -> float:
    return _CHARACTER if len(word.text) == 1 and has_cjk(word.text) else 1.0
