"""The words that questions use for the kinds, fields and values of a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz

from kbtui.records.acceptance import PERSON_NOUNS
from kbtui.records.collection import MAIN, Collection
from kbtui.records.concepts import CONCEPTS
from kbtui.records.coverage import Coverage
from kbtui.records.derived_words import DerivedWords
from kbtui.records.kind_names import WORDS, singular
from kbtui.records.kinds import Kind
from kbtui.records.numbered import NumberedThings
from kbtui.records.one_thing import FILLER_STEMS
from kbtui.records.wording import everything_as, ranked_by, remove_interrogatives
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import content_words, stem

if TYPE_CHECKING:
    from kbtui.records.missing import MissingThingReader, MissingThings
    from kbtui.records.tables import FieldTable

_WHO: Final = re.compile(r"^\s*(?:and\s+)?who(?:\s+else)?\s+(?!wrote|made|did|decided)", re.IGNORECASE)
_MIN_LETTERS: Final = 4
"""Fewest letters of a word that names a value or a field by itself."""
_ROOT: Final = 5
"""Letters that words of one family share: *created*, *creation*."""
_MIN_FIRST_PART: Final = 3
"""Letters of the first part of a compound noun that a question may leave out."""
_MIN_LETTERS_OF_PART: Final = 5
_MIN_LETTERS_OF_TYPO: Final = 6
"""Fewest letters of a misspelling."""
_MIN_SIMILARITY: Final = 83
"""Similarity (0 to 100) to the noun of a kind from which a word is a variant spelling of it."""
_PLURAL_ACRONYM: Final = re.compile(r"\b[A-Z]{2,}s\b")
"""An acronym in the plural: *CLAs*."""
_VERB_ENDING: Final = re.compile(r"(?:ed|ing)$")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_BEFORE_WORD: Final = re.compile(r"\b([a-zA-Z]{3,})(?= ([a-zA-Z]{3,})\b)")
_CAPITALISED_WORD: Final = re.compile(r"\s+[A-Z][a-z]")
"""Text after a word in the singular that is part of a name: *Lake Karo*."""
_BRACKETS: Final = re.compile(r"\s*[(（]([^()（）]{1,80})[)）]")
_GENERAL_NOUNS: Final = "|".join(f"{WORDS['folders']['other']} {WORDS['series']['other']}".split())
"""General nouns for things, redundant after the name of a kind."""
_DONE_AGAIN: Final = re.compile(r"\b(\w{3,}ed)\s+(?:again|anew)\b", re.IGNORECASE)


class Vocabulary:
    """The words of one collection.

    Args:
        collection: What the folder is about.
    """

    def __init__(self, collection: Collection) -> None:
        self._collection = collection
        self.coverage = Coverage(collection)
        self.derived = DerivedWords(collection, self._is_known, lambda word: bool(self.unknown(word)))

    def _is_known(self, word: str) -> bool:
        """Whether a word stands for a kind, a field or a value as it is, or for nothing in particular."""
        known = self._values | self._fields | self._field_words | FILLER_STEMS
        return stem(word) in known or self._noun(word) is not None

    @cached_property
    def _nouns(self) -> dict[str, Kind]:
        """Kinds by the stems of their words; a word for several kinds stands for the one with most of all things.

        If no kind has most, a general word stands for the documents of all kinds.
        """
        kinds, general = self._collection.kinds, self._collection.general
        general_stems = {stem(word) for word in (general.name, *general.words)} if general is not None else set()
        total = sum(len(kind.things) for kind in self.documents) or 1
        kinds_by_stem: dict[str, list[Kind]] = {}
        said = {stem(word.lower())[:_ROOT] for name in self._document_words for word in _WORD.findall(name)}
        for kind in kinds:
            own_fields = {stem(word.lower()) for name in kind.fields for word in _WORD.findall(name)}
            for word in (kind.name, *kind.words):
                if word != kind.name and stem(word.lower()) in own_fields:
                    # A word that is also a field (*issue*) does not name the things that state it.
                    continue
                if word != kind.name and kind.is_listed and stem(word.lower())[:_ROOT] in said:
                    # Rows below "Rejected alternatives" are no rejected documents.
                    continue
                for form in (word.lower(), f"{word.lower()}s"):
                    kinds_by_stem.setdefault(stem(form), []).append(kind)
        nouns = {}
        for word, candidates in kinds_by_stem.items():
            candidates = list({kind.name: kind for kind in candidates}.values())
            main = candidates[0] if len(candidates) == 1 or len(candidates[0].things) >= MAIN * total else None
            main = main or next((kind for kind in candidates if stem(kind.name) == word), None)
            is_general = word in general_stems and (main is None or stem(main.name) != word)
            main = general if is_general or (general is not None and main is not None and _is_rest(main)) else main
            if main is not None:
                nouns[word] = main
        return nouns

    @property
    def _document_words(self) -> Iterator[str]:
        """The names of the fields of documents, and the values that many of them share."""
        for kind in self._collection.kinds:
            if not kind.is_listed:
                yield from kind.fields
                yield from self._values_of([kind])

    @cached_property
    def documents(self) -> tuple[Kind, ...]:
        """The kinds of documents, unless there are none but records of lists: records do not change what is meant."""
        kinds = self._collection.kinds
        return tuple(kind for kind in kinds if not kind.is_listed) or kinds

    def kinds_in(self, question: str) -> list[Kind]:
        """The kinds that a question names, in order of mention."""
        words = [_without_possessive(word) for word in _WORD.findall(self._translated(question))]
        kinds = [kind for word in words if (kind := self._noun(word)) is not None]
        kinds += [kind for word, kind in self._nouns.items() if has_cjk(word) and word in question]
        return list({kind.name: kind for kind in kinds}.values())

    def with_only_kind(self, question: str) -> str:
        """The question with the folder's only kind for *everything*, and its only kind of persons for *who*.

        Unchanged if there are several, or it names a kind itself.
        """
        kinds = self.documents
        persons = [kind for kind in kinds if not PERSON_NOUNS.isdisjoint((kind.name, *kind.words))]
        if len(persons) == 1 and not self.kinds_in(question):
            question = _WHO.sub(f"which {persons[0].name} ", question, count=1)
        return everything_as(question, kinds[0].name) if len(kinds) == 1 and not self.kinds_in(question) else question

    def ranks(self, question: str) -> bool:
        """Whether a question ranks by a count of things (*by the most designs*), which no single thing answers."""
        return any(map(self.kinds_in, ranked_by(question)))

    def _noun(self, word: str) -> Kind | None:
        """The kind that a word stands for, with variant spellings (*license*) but no verb forms (*filed*)."""
        lowered = word.lower()
        known = self._nouns.get(stem(lowered))
        if known is not None:
            is_own_word = lowered.removesuffix("s") in (known.name, *known.words)
            return known if is_own_word or not _VERB_ENDING.search(lowered) else None
        if len(word) < _MIN_LETTERS_OF_PART or stem(lowered) in self._fields | self._values:
            return None
        if len(word) < _MIN_LETTERS_OF_TYPO:
            return self._with_ending(lowered)
        similar = (kind for noun, kind in self._nouns.items() if fuzz.ratio(stem(lowered), noun) >= _MIN_SIMILARITY)
        return next(similar, None) or self._with_ending(lowered)

    def _with_ending(self, word: str) -> Kind | None:
        """The only kind whose noun is a compound with this ending: *screensaver* for *savers*."""
        ending = singular(word)
        kinds = {
            kind.name: kind
            for kind in self._nouns.values()
            for noun in (kind.name, *kind.words)
            if noun.endswith(ending) and len(noun) >= len(ending) + _MIN_FIRST_PART
        }
        return next(iter(kinds.values())) if len(kinds) == 1 else None

    @cached_property
    def _all_values(self) -> frozenset[str]:
        """Stems of the words in all values."""
        things = self._collection.things.values()
        values = {fact.value for thing in things for facts in thing.facts.values() for fact in facts}
        return frozenset(stem(word.lower()) for value in values for word in _WORD.findall(value))

    @cached_property
    def _values(self) -> frozenset[str]:
        """Stems of the words in values that several things of a kind share."""
        return self._values_of(self._collection.kinds)

    @staticmethod
    def _values_of(kinds: Sequence[Kind]) -> frozenset[str]:
        stems = set()
        for kind in kinds:
            for name in kind.fields:
                values = [fact.value for thing in kind.things for fact in thing.facts.get(name, ())]
                if len(set(values)) * 2 <= len(values):
                    stems |= {stem(word.lower()) for value in set(values) for word in _WORD.findall(value)}
                    stems |= {value for value in set(values) if has_cjk(value)}
        return frozenset(stems)

    @cached_property
    def _values_of_records(self) -> frozenset[str]:
        """Stems of values that only records of lists have."""
        records = [kind for kind in self._collection.kinds if kind.is_listed]
        documents = [kind for kind in self._collection.kinds if not kind.is_listed]
        return self._values_of(records) - self._values_of(documents)

    def names_record(self, question: str) -> bool:
        """Whether a word of the question is part of a value that only records of lists have: *altos* of a table."""
        if has_cjk(question) and any(has_cjk(value) and value in question for value in self._values_of_records):
            return True
        return any(stem(word.lower()) in self._values_of_records for word in content_words(question))

    @cached_property
    def _fields(self) -> frozenset[str]:
        names = {name for kind in self._collection.kinds for name in kind.fields}
        return frozenset(stem(word.lower()) for name in names for word in _WORD.findall(name))

    @cached_property
    def _joined_fields(self) -> frozenset[str]:
        """Field names of several words, written as one: ``servicename``."""
        names = {name for kind in self._collection.kinds for name in kind.fields}
        return frozenset(re.sub(r"[\s_-]+", "", name.lower()) for name in names if re.search(r"[\s_-]", name))

    @cached_property
    def _field_or_word_pattern(self) -> re.Pattern[str]:
        """Matches a quotation, a field name of several words (*the page version*), or any word."""
        names = {name for kind in self._collection.kinds for name in kind.fields if re.search(r"[\s_-]", name)}
        name_patterns = (
            r"[\s_-]".join(map(re.escape, re.split(r"[\s_-]+", name))) for name in sorted(names, key=len)[::-1]
        )
        alternatives = "".join(rf"(?<!\w){name}s?(?!\w)|" for name in name_patterns)
        return re.compile(rf"\"[^\"]*\"|{alternatives}{_WORD.pattern}", re.IGNORECASE)

    @cached_property
    def _field_words(self) -> frozenset[str]:
        """Stems of the words in field names."""
        names = {name for kind in self._collection.kinds for name in kind.fields}
        return frozenset(stem(part.lower()) for name in names for part in re.findall(r"[A-Za-z]{3,}", name))

    def names_field(self, question: str) -> bool:
        """Whether a word of the question occurs in a field name."""
        joined = re.sub(r"[\s_-]+", "", question.lower())
        if any(len(name) >= _MIN_LETTERS_OF_TYPO and name in joined for name in self._joined_fields):
            return True
        return any(stem(word.lower()) in self._fields for word in _WORD.findall(question) if len(word) >= _MIN_LETTERS)

    def describes(self, question: str) -> bool:
        """Whether a question describes a thing by more words than its kind and the field asked for."""
        words = (word for word in content_words(remove_interrogatives(question)) if any(map(str.isalnum, word)))
        known_stems = self._field_words | self._fields | FILLER_STEMS
        return any(
            stem(_without_possessive(word).lower()) not in known_stems and not self.kinds_in(word) for word in words
        )

    def names_value(self, question: str) -> bool:
        """Whether a word of the question occurs in a value that several things share."""
        if any(stem(word[:-1].lower()) in self._values for word in _PLURAL_ACRONYM.findall(question)):
            return True
        if any(stem(word.lower()) in self._values for word in _WORD.findall(question) if len(word) >= _MIN_LETTERS):
            return True
        return has_cjk(question) and any(has_cjk(value) and value in question for value in self._values)

    def unknown(self, question: str) -> list[str]:
        """Content words that occur in no kind, field, value or title, and are no operators or fillers."""
        words = [
            word for word in content_words(remove_interrogatives(question)) if word.isalpha() and not has_cjk(word)
        ]
        known_stems = self._values | self._fields | self._field_words | self._stems_of_texts | FILLER_STEMS
        words = list({stem(word.lower()): word for word in words}.values())
        return [
            word for word in words if stem(word.lower()) not in known_stems and stem(word.lower()) not in self._nouns
        ]

    @cached_property
    def _stems_of_texts(self) -> frozenset[str]:
        """Stems of the words in all titles and values."""
        return self._all_values.union(*(thing.stems for thing in self._collection.things.values()))

    def _translated(self, question: str) -> str:
        """The question with English nouns for Chinese ones, and a noun in one word where the folder has it so."""
        for word, english in WORDS["words"].items():
            question = question.replace(word, f" {english} ")
        marked = _BEFORE_WORD.sub(
            lambda word: f"{word[1]}\0" if stem(f"{word[1]}{word[2]}".lower()) in self._nouns else word[1], question
        )
        return marked.replace("\0 ", "")

    def in_own_words(self, question: str) -> str:
        """The question with every noun for a kind replaced by the name of its table."""

        def table_name(match: re.Match[str]) -> str:
            word = match[0]
            kind = self._noun(word)
            # Quotations and multi-word field names have no stem in the vocabulary, so they stay.
            if (
                kind is None
                or word.lower() in (kind.name, f"{kind.name}s")
                or (not word.endswith("s") and _CAPITALISED_WORD.match(match.string, match.end()))
            ):
                return word
            is_plural = word.lower().endswith("s") and not kind.name.endswith("s")
            return f"{kind.name}{'s' if is_plural else ''}"

        question = self.derived.with_values(_DONE_AGAIN.sub(self._with_prefix, self._translated(question)))
        renamed = self._field_or_word_pattern.sub(table_name, question)
        for kind in {id(each): each for each in self._nouns.values()}.values():
            # *design document* becomes *design*.
            redundant_noun = re.compile(rf"\b{kind.name}\s+(?:{kind.name}|{_GENERAL_NOUNS})(s?)\b", re.IGNORECASE)
            renamed = redundant_noun.sub(rf"{kind.name}\1", renamed)
        for word, kind in self._nouns.items():
            if has_cjk(word) and word != kind.name and kind.name not in renamed:
                renamed = renamed.replace(word, f" {kind.name} ")
        return renamed

    def _with_prefix(self, match: re.Match[str]) -> str:
        """*Retried* for *tried again* where the folder says so."""
        word = f"re{match[1].lower()}"
        return word if stem(word) in self._fields | self._values else match[0]

    def unexplained(self, question: str) -> str:
        """The question without parentheses that only repeat fields and values asked for."""

        def drop_repetition(match: re.Match[str]) -> str:
            words = [word for word in content_words(match[1]) if word.isalpha() and word.lower() != "not"]
            known_stems = self._all_values | self._fields
            return " " if words and all(stem(word.lower()) in known_stems for word in words) else match[0]

        return re.sub(r"\s{2,}", " ", _BRACKETS.sub(drop_repetition, question))

    def leaves_field(self, question: str, fields: Sequence[FieldTable]) -> bool:
        """Whether a question names a field in full, or a relation by its verb, that a statement does not use."""
        field_names = {name for kind in self._collection.kinds for name in kind.fields}
        used_fields = {place.field for place in fields}
        question_words = _stems(question)
        if any(
            name not in used_fields and " " in (name_words := _stems(name)).strip() and name_words in question_words
            for name in field_names
        ):
            # A field named in full is always asked for.
            return True
        # A verb for a relation of other kinds is no more than a verb.
        own_names = {name for place in fields for name in place.kind.fields} or field_names
        for concept in CONCEPTS:
            names = (concept.forward | concept.inverse) & own_names
            if concept.kind != "document" or not names or names & used_fields or concept.verb_pattern is None:
                continue
            if any(stem(verb[0].lower()) not in self._values for verb in concept.verb_pattern.finditer(question)):
                return True
        return False

    @cached_property
    def numbered(self) -> NumberedThings:
        """The things of the folder by their numbers."""
        return NumberedThings(self._collection, self.documents, lambda noun: self._nouns.get(stem(noun.lower())))

    @cached_property
    def _missing_things(self) -> MissingThingReader:
        from kbtui.records.missing import MissingThingReader

        return MissingThingReader(self._collection, self)

    def missing(self, question: str) -> MissingThings | None:
        """The things that a question names by number or label and the folder does not have; None for others."""
        return self._missing_things.read(question)


def _is_rest(kind: Kind) -> bool:
    """Whether a kind of documents is called by a general word alone: what is left beside the others."""
    return kind.name in WORDS["folders"]["other"].split() and not (kind.is_numbered or kind.is_series or kind.is_listed)


def _without_possessive(word: str) -> str:
    """The word without its possessive ending: *the ticket's*."""
    return re.sub(r"['’]s$", "", word)


def _stems(text: str) -> str:
    """The stems of the words of a text between single spaces, for substring tests."""
    return " ".join(("", *(stem(word.lower()) for word in _WORD.findall(text.replace("-", " "))), ""))
