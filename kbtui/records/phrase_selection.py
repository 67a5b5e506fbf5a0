"""Reads questions about the files or entries that say something: *how many plugins has Ada Moor done*.

The last reading of a set: a noun for its members, a phrase that stands on one line of some of them, word by word, and
nothing else that says anything. What the phrase means there is not known, so the answer says that it goes by words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from kbtui.domain.analysis import Reading
from kbtui.records.kinds import Fact, Kind
from kbtui.records.selection import Selection, statement
from kbtui.text.language import answered_in, has_cjk
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words, stem
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.records.tables import Tables
    from kbtui.records.texts import Texts

_RE: Final = Patterns(__package__, "phrase_selection.toml")
_SAYS: Final = toml_in(__package__, "phrase_selection.toml")["says"]
_WORD: Final = re.compile(r"[^\W_](?:[\w.+/-]*[^\W_])?")
_RIGID: Final = re.compile(r"(?=.{3})(?:\w+[-_.]\w.*|[a-z]*\d[\w-]*)$")
"""A word that is an identifier or a number; another one alone says too little."""
_COMMON_SHARE: Final = 0.6
"""Share of the files that have the noun for them."""
_SELF_SHARE: Final = 0.1
"""Share of the files that say *this plugin*, *a plugin*."""
_MOST_WORDS: Final = 6
_MOST_SELECTED: Final = 60
_MOST_SHARE: Final = 0.6
_CONFIDENCE: Final = 0.7


class PhraseReader:
    """Reads questions about what stands in the files or the entries of one folder.

    Args:
        kinds: The kinds of entries.
        files: The kind of all files.
        tables: Returns the tables; called only when a statement is built.
        texts: The texts of the files.
        name: Name of the folder, which may say what its files are: *recipes*, 移动组件.
    """

    def __init__(
        self, kinds: Sequence[Kind], files: Kind, tables: Callable[[], Tables], texts: Texts, name: str
    ) -> None:
        self._kinds = tuple(kinds)
        self._files = files
        self._tables = tables
        self._texts = texts
        self._name = name.lower()

    def read(self, question: str) -> tuple[Reading, dict[str, Fact]] | None:
        """The reading, with the line that supports each thing by its key; None where the question is no such one."""
        lowered = question.lower()
        if _RE.of_set.search(lowered) is None or _RE.logic.search(lowered) is not None:
            return None
        words = self._words(lowered)
        is_indefinite = _RE.indefinite.search(lowered) is not None
        kind, nouns = self._kind_of(words, needs_plural=not is_indefinite)
        counted = _RE.counted.search(lowered)
        if counted is not None and nouns.isdisjoint(_WORD.findall(counted["words"])):
            return None
        if not is_indefinite and not any(map(_is_plural, nouns)):
            return None
        # A word that most files have may be a part of the phrase: *graph category time*.
        for phrase in dict.fromkeys((tuple(words), tuple(word for word in words if word not in nouns))):
            proofs = self._proofs(kind, phrase) if _is_phrase(phrase, lowered) else {}
            if 0 < len(proofs) <= min(_MOST_SELECTED, _MOST_SHARE * len(kind.things)):
                return self._reading(question, kind, phrase, proofs)
        return None

    def _proofs(self, kind: Kind, phrase: Sequence[str]) -> dict[str, Fact]:
        """The first line with a phrase of each thing that has one, by the key of the thing."""
        things = self._texts.filter_by_words(kind.things, [stem(word) for word in phrase])
        facts = ((thing.key, self._texts.find_phrase(thing, phrase)) for thing in things)
        return {key: fact for key, fact in facts if fact is not None}

    def _reading(
        self, question: str, kind: Kind, phrase: Sequence[str], proofs: dict[str, Fact]
    ) -> tuple[Reading, dict[str, Fact]] | None:
        counts = _RE.counting.search(question.lower()) is not None
        things = [thing for thing in kind.things if thing.key in proofs]
        sql = statement(self._tables(), Selection(kind=kind, rest="", things=things, proofs=proofs, wants_count=counts))
        language = answered_in(question)
        names = (kind.name, *kind.words)
        noun = next((name for name in names if has_cjk(name) == (language == "zh")), kind.name).replace("_", " ")
        says = _SAYS[language].format(things=noun, words=" ".join(phrase))
        reading = Reading(sql=sql, query_kind="aggregation" if counts else "filter", confidence=_CONFIDENCE, says=says)
        return (reading, proofs) if sql else None

    def _words(self, question: str) -> list[str]:
        """The words that say something, in order, without those that any question about a set has."""
        rest = _RE.idle.sub(" ", question)
        if not has_cjk(rest):
            return [word for word in _WORD.findall(rest) if word in content_words(word)]
        return [word for word in content_words(rest) if re.search(r"\w", word)]

    def _kind_of(self, words: Sequence[str], *, needs_plural: bool) -> tuple[Kind, frozenset[str]]:
        """The kind of the things that a question is about, and the words that stand for them.

        Args:
            needs_plural: Without a plural among them the question is not read, so no other word is searched for.
        """
        for kind in (*self._kinds, self._files):
            names = {stem(part) for name in (kind.name, *kind.words) for part in name.split("_")[:1]}
            if nouns := frozenset(word for word in words if stem(word) in names):
                return kind, nouns
        # Each word takes searches through all files, and most questions have no plural that stands for these.
        nouns = frozenset(word for word in words if _is_plural(word) and self._is_noun(word))
        if needs_plural and not nouns:
            return self._files, nouns
        return self._files, nouns.union(word for word in words if not _is_plural(word) and self._is_noun(word))

    def _is_noun(self, word: str) -> bool:
        """Whether a word says what the files are: that of the folder's name, or *this plugin* in files that have it.

        What most of them have may be a label, too: *author*.
        """
        if self._name.endswith(word) if has_cjk(word) else stem(word) == stem(self._name):
            return True
        things = self._files.things
        if has_cjk(word) or not word.isalpha():
            return False
        noun = word.rstrip("s")
        if self._texts.share_of(things, noun) < _COMMON_SHARE:
            return False
        return any(self._texts.share_of(things, f"{before} {noun}") >= _SELF_SHARE for before in ("this", "a", "an"))


def _is_phrase(words: Sequence[str], question: str) -> bool:
    """Whether words stand together in a question, and are more than one common word."""
    if not 0 < len(words) <= _MOST_WORDS or (len(words) == 1 and _RIGID.match(words[0]) is None):
        return False
    gap = r"\W{0,3}(?:(?:the|a|an|of|的)\W{0,3})?"
    return re.search(gap.join(map(re.escape, words)), question) is not None


def _is_plural(noun: str) -> bool:
    return has_cjk(noun) or (noun.endswith("s") and not noun.endswith(("ss", "us", "is")))
