"""Words for relations in questions, English and Chinese, and the relation names of a folder that they stand for.

A concept is a relation seen from both ends: what PEP 699 *replaces* is *superseded by* it. ``forward`` names state it
of the subject, ``inverse`` names of the object. Voice and word order of a question tell which end it asks for
(`kbtui.records.one_thing`), so a concept only lists words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from kbtui.knowledge.relations.words import word_set
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import toml_in

ConceptKind = Literal["document", "value", "symmetric"]


@dataclass(frozen=True)
class Concept:
    """A relation as people ask for it.

    Attributes:
        name: Its usual name.
        kind: ``document``: both ends are documents and direction matters; ``value``: one end is a person or a value;
            ``symmetric``: direction does not matter.
        forward: Relation names that state it about the subject.
        inverse: Relation names that state it about the object.
        verb: English verb forms; the participle is told by its ending.
        chinese: Chinese verbs.
        subject_nouns: Nouns whose owner is the subject: the *dependencies* of X.
        object_nouns: Nouns whose owner is the object: the *successor* of X.
        both_ends: The two ends are stated by different files as a rule, so both are always read.
        converse: Concept that says the same from the other end, in folders that do not state this one: what X *blocks*
            *requires* X.
        weak: Common words that count only when no other concept is named.
    """

    name: str
    kind: ConceptKind
    forward: frozenset[str]
    inverse: frozenset[str] = frozenset()
    verb: str = ""
    chinese: str = ""
    subject_nouns: str = ""
    object_nouns: str = ""
    both_ends: bool = False
    converse: str = ""
    weak: bool = False

    @cached_property
    def verb_pattern(self) -> re.Pattern[str] | None:
        """Every verb form, English and Chinese."""
        parts = [rf"\b(?:{self.verb})\b"] if self.verb else []
        if self.chinese:
            parts.append(f"(?:{self.chinese})")
        return re.compile("|".join(parts), re.IGNORECASE) if parts else None

    @cached_property
    def noun_patterns(self) -> tuple[tuple[re.Pattern[str], bool], ...]:
        """Nouns, each with whether their owner is the subject."""
        return tuple(
            (re.compile(rf"(?:{nouns})", re.IGNORECASE), is_subject)
            for nouns, is_subject in ((self.subject_nouns, True), (self.object_nouns, False))
            if nouns
        )


def _concept(fields: dict[str, Any]) -> Concept:
    return Concept(**{**fields, "forward": word_set(fields["forward"]), "inverse": word_set(fields.get("inverse", ""))})


_TABLES = toml_in(__package__, "concepts.toml")
CONCEPTS: tuple[Concept, ...] = tuple(map(_concept, _TABLES["concept"]))
FIELD_WORDS: dict[str, str] = _TABLES["fields"]
"""Further names of fields in headers, by the word that questions use."""


def concept_of(relation: str) -> tuple[Concept, bool] | None:
    """The concept of a relation name, with True if the name is a ``forward`` one; None for other names."""
    for concept in CONCEPTS:
        if relation in concept.forward:
            return concept, True
        if relation in concept.inverse:
            return concept, False
    return None


@dataclass(frozen=True)
class FieldNames:
    """The names of a folder's fields by the words in them, so that a question looks only at those it shares one with.

    Attributes:
        words: Stems of the words of each name, in order; names of relations between documents are left out.
        by_word: The names that have a word, by its stem.
        wide: Names with other letters than ASCII, which are looked for as they stand.
    """

    words: Mapping[str, Sequence[str]]
    by_word: Mapping[str, Sequence[str]]
    wide: Sequence[str]

    @classmethod
    def of(cls, names: Iterable[str]) -> FieldNames:
        """The names of fields among ``names``."""
        words: dict[str, list[str]] = {}
        by_word: dict[str, list[str]] = defaultdict(list)
        for name in names:
            stated = concept_of(name)
            if stated is not None and stated[0].kind != "value":
                continue
            words[name] = [stem(part) for part in name.split("-")]
            for word in set(words[name]):
                by_word[word].append(name)
        return cls(words, dict(by_word), [name for name in words if not name.isascii()])

    def shared(self, stems: Collection[str], text: str) -> Iterator[tuple[str, Sequence[str], int]]:
        """Each name that shares a word with ``stems`` or stands in ``text``, its words, and how many are shared."""
        near = {name: None for word in stems for name in self.by_word.get(word, ())}
        for name in near | dict.fromkeys(self.wide):
            words = self.words[name]
            in_full = not name.isascii() and name in text
            if in_full or name in near:
                yield name, words, len(words) if in_full else sum(word in stems for word in words)
