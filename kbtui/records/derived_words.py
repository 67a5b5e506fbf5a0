"""Words of questions that are derived from those of the folder: inflected values, misspellings, what was missed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache, cached_property
from typing import Final

from rapidfuzz import fuzz, process

from kbtui.records.collection import Collection
from kbtui.records.concepts import CONCEPTS
from kbtui.records.kind_names import WORDS
from kbtui.records.typed import are_persons
from kbtui.records.wording import absence
from kbtui.text.language import has_cjk

_MIN_LETTERS: Final = 4
"""Fewest letters of a value that words are derived from."""
_MIN_LETTERS_OF_TYPO: Final = 6
"""Fewest letters of a misspelling."""
_MIN_SIMILARITY: Final = 88
"""Similarity (0 to 100) to a word of the folder from which a long word is a misspelling of it."""
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_UNQUOTED_WORD: Final = re.compile(r"(?<![\w\"'-])[a-z]{5,}(?![\w\"'-])")
_PLURAL_CODE: Final = re.compile(r"(?<![\w-])([A-Za-z]+-?\d+)s(?![\w-])")
"""A value with a number, in the plural: *sev1s*."""
_DERIVED: Final = re.compile(r"(?:i[sz])?ed|d|ly")
"""Endings of words derived from a value: *finalised*, *archived*."""
_AGENT: Final = re.compile(r"[a-z]{3,}(?:er|or)")
"""A field named by what somebody does: *editor*."""
_QUALITY: Final = re.compile(r"(?P<root>[a-z]{4,}?)(?:ity|iness|ness|ty|cy|y)")
"""A field named by how things are: *severity*; questions ask how severe they are."""
_DONE_BY: Final = re.compile("谁(?P<verb>[\u4e00-\u9fff]{1,3})的(?=[\u4e00-\u9fff]{0,8}最[多少])")
"""Who has done the most: 谁修的单子最多; the field (维修人) has the verb in its name."""
_NOT_YET: Final = "未"
"""What a Chinese value for what is not done yet begins with; questions say 没."""
_ATTENDING: Final = WORDS["roles"]["attending"].split()


@cache
def _wordings() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """Patterns of wordings, each with the fields that it may mean, the likeliest first."""
    own = [(re.compile(pattern, re.IGNORECASE), tuple(names.split())) for names, pattern in WORDS["wordings"].items()]
    concepts = [
        (re.compile(rf"\b(?:{concept.verb})\b", re.IGNORECASE), tuple(sorted(concept.forward)))
        for concept in CONCEPTS
        if concept.kind == "value"
    ]
    return (*own, *concepts)


class DerivedWords:
    """Replaces derived words by those of one collection.

    Args:
        collection: The things of the folder.
        is_known: Whether a word stands for something of the folder as it is.
        is_foreign: Whether a word occurs nowhere in the folder.
    """

    def __init__(
        self, collection: Collection, is_known: Callable[[str], bool], is_foreign: Callable[[str], bool]
    ) -> None:
        self._collection = collection
        self._is_known = is_known
        self._is_foreign = is_foreign

    def with_absence(self, question: str) -> str:
        """The question with *not present*, in the words of the folder, for what somebody missed."""
        match = absence(question)
        fields = {name for kind in self._collection.kinds for name in kind.fields}
        field = next((name for name in _ATTENDING if name in fields), "")
        if match is None or not field:
            return question
        name = match["by"] or match["who"] or match["han"]
        return f"{question[: match.start()]} without {name} {field}{question[match.end() :]}"

    def with_fields(self, question: str) -> str:
        """The question with the name of a field for a wording that means it: *looks after* for *maintainer*."""
        if (by := _DONE_BY.search(question)) is not None:
            persons = (name for name in self._fields if by["verb"] in name and self._states_persons(name))
            if field := next(persons, ""):
                return f"{question[: by.start()]}哪个{field}{question[by.end('verb') :]}"
        for pattern, field in self._passives:
            question = pattern.sub(f"have {field}", question)
        for pattern, field in self._wordings_of_fields:
            for match in pattern.finditer(question):
                if " " in match[0].strip() or not self._is_known(match[0]):
                    how = match[0].lower().startswith("how ")
                    tie = "what " if how else "with " if field.startswith("last") else ""
                    return f"{question[: match.start()]}{tie}{field.replace('-', ' ')}{question[match.end() :]}"
        return question

    @cached_property
    def _fields(self) -> list[str]:
        return sorted({name for kind in self._collection.kinds for name in kind.fields})

    @cached_property
    def _wordings_of_fields(self) -> list[tuple[re.Pattern[str], str]]:
        """The patterns of wordings, each with the field of the folder that it means."""
        agents = (
            (re.compile(rf"\b{re.escape(name[:-2])}(?:e?s|e?d|ing|e)?\b", re.IGNORECASE), (name,))
            for name in self._fields
            if _AGENT.fullmatch(name)
        )
        qualities = (
            (re.compile(rf"\bhow\s+{match['root']}(?:e|y|le|ent|ant|ous)?\b", re.IGNORECASE), (name,))
            for name in self._fields
            if (match := _QUALITY.fullmatch(name)) is not None
        )
        known = set(self._fields)
        fields = (
            (pattern, next((name for name in names if name in known), ""))
            for pattern, names in (*_wordings(), *agents, *qualities)
        )
        return [(pattern, field) for pattern, field in fields if field]

    @cached_property
    def _passives(self) -> list[tuple[re.Pattern[str], str]]:
        """Passives without an agent that fields state: *are blocked* is ``blocked-by`` and not ``blocks``."""
        names = {name for concept in CONCEPTS if concept.kind == "document" for name in concept.inverse}
        return [
            (
                re.compile(rf"\b(?:is|are|was|were)\s+(?:still\s+)?{name[:-3]}\b(?!\s+(?:by|on|for)\b)", re.IGNORECASE),
                name,
            )
            for name in self._fields
            if name in names and name.endswith("-by")
        ]

    def _states_persons(self, field: str) -> bool:
        """Whether what a field of this name says may be persons, by whom something is done."""
        things = (thing for kind in self._collection.kinds for thing in kind.things)
        return are_persons("by", [fact.value for thing in things for fact in thing.facts.get(field, ())])

    def with_values(self, question: str) -> str:
        """The question with values for words derived from them: *sev1s*, *finalised* where a state is *final*."""
        if has_cjk(question):
            for value in self._values:
                if value.startswith(_NOT_YET):
                    question = re.sub(rf"(?:还|尚)?[没未]有?(?={re.escape(value[1:])})", _NOT_YET, question)
        return _PLURAL_CODE.sub(r"\1", _UNQUOTED_WORD.sub(lambda match: self._own_word(match[0]), question))

    def _own_word(self, word: str) -> str:
        """The value that a word is derived from, or the word that it misspells; else the word itself."""
        if self._is_known(word):
            return word
        values = (value for value in self._values if word.startswith(value) and _DERIVED.fullmatch(word, len(value)))
        if value := max(values, key=len, default=""):
            return value
        if len(word) < _MIN_LETTERS_OF_TYPO or not self._is_foreign(word):
            return word
        near = process.extract(word, self._words, scorer=fuzz.ratio, score_cutoff=_MIN_SIMILARITY, limit=2)
        return near[0][0] if len(near) == 1 else word

    @cached_property
    def _words(self) -> tuple[str, ...]:
        """The long words of kinds, fields, values and titles, case-folded."""
        kinds = self._collection.kinds
        texts = {text for kind in kinds for text in (kind.name, *kind.words, *kind.fields)}
        for thing in (thing for kind in kinds for thing in kind.things):
            texts |= {thing.title, *(fact.value for facts in thing.facts.values() for fact in facts)}
        words = {word.lower() for text in texts for word in _WORD.findall(text)}
        return tuple(sorted(word for word in words if len(word) >= _MIN_LETTERS_OF_TYPO))

    @cached_property
    def _values(self) -> frozenset[str]:
        """Values of one word that several things share, case-folded."""
        stated = (facts for kind in self._collection.kinds for thing in kind.things for facts in thing.facts.values())
        counts = Counter(fact.value.casefold() for facts in stated for fact in facts)
        shared = (value for value, count in counts.items() if count > 1 and value.isalpha())
        return frozenset(v for v in shared if len(v) >= _MIN_LETTERS or (has_cjk(v) and len(v) > 1))
