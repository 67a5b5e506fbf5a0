"""What the things of a folder, their fields and their values are called in questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz

from kbtui.records.collection import MAIN, Collection
from kbtui.records.concepts import CONCEPTS
from kbtui.records.kinds import WORDS, Kind, Thing
from kbtui.records.one_thing import FILLER_STEMS
from kbtui.records.wording import asking_removed, may_name, ranked_by
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import content_words, stem

if TYPE_CHECKING:
    from kbtui.records.tables import FieldTable

_LEAST: Final = 4
"""Letters of a word that may be a value or a field alone."""
_LONG: Final = 6
"""Letters of a word that may be misspelt."""
_ALIKE: Final = 83
"""Likeness of a word to that for a kind from which it is another spelling of it."""
_CAPITALS: Final = re.compile(r"\b[A-Z]{2,}s\b")
"""A short form in the plural: *CLAs*."""
_DONE: Final = re.compile(r"(?:ed|ing)$")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_TITLE: Final = re.compile(r"\s+[A-Z][a-z]")
"""What follows a word that is part of a name: *Lake Karo*."""
_BRACKETS: Final = re.compile(r"\s*[(（]([^()（）]{1,80})[)）]")
_GENERAL: Final = "|".join(f"{WORDS['folders']['other']} {WORDS['series']['other']}".split())
"""Words for any thing, which say nothing behind what it is called."""
_NUMBER: Final = re.compile(r"(?<![\w.,#/-])0*(\d{1,6})(?![\w%/-]|[.,]\d)")
_NAMED: Final = re.compile(r"\b([A-Za-z]{3,20})\s+#?0*(\d{1,6})(?![\w%/-]|[.,]\d)")


class Vocabulary:
    """The words of one collection.

    Args:
        collection: What the folder is about.
    """

    def __init__(self, collection: Collection) -> None:
        self._collection = collection

    @cached_property
    def _nouns(self) -> dict[str, Kind]:
        """Kinds by the stems of what they are called; a word for several kinds means the one that is most of all.

        Where none is, a general word means the documents of all kinds.
        """
        kinds, general = self._collection.kinds, self._collection.general
        for_all = {stem(word) for word in (general.name, *general.words)} if general is not None else set()
        total = sum(len(kind.things) for kind in kinds) or 1
        found: dict[str, list[Kind]] = {}
        for kind in kinds:
            for word in (kind.name, *kind.words):
                if word != kind.name and stem(word.lower()) in self._fields:
                    # Where things state an issue, an issue is not the thing.
                    continue
                for form in (word.lower(), f"{word.lower()}s"):
                    found.setdefault(stem(form), []).append(kind)
        chosen = {}
        for word, meant in found.items():
            meant = list({kind.name: kind for kind in meant}.values())
            main = meant[0] if len(meant) == 1 or len(meant[0].things) >= MAIN * total else None
            main = main or next((kind for kind in meant if stem(kind.name) == word), None)
            main = general if word in for_all and (main is None or stem(main.name) != word) else main
            if main is not None:
                chosen[word] = main
        return chosen

    def kinds_in(self, question: str) -> list[Kind]:
        """The kinds of things that a question speaks of, in its order."""
        words = [_owned(word) for word in _WORD.findall(self._translated(question))]
        found = [kind for word in words if (kind := self._noun(word)) is not None]
        found += [kind for word, kind in self._nouns.items() if has_cjk(word) and word in question]
        return list({kind.name: kind for kind in found}.values())

    def ranks(self, question: str) -> bool:
        """Whether it asks what is so of the most or the fewest things, which no one of them tells."""
        return any(map(self.kinds_in, ranked_by(question)))

    def _noun(self, word: str) -> Kind | None:
        """The kind that a word means, spelt in other ways too (*license*); what is done is none: *filed*."""
        lowered = word.lower()
        known = self._nouns.get(stem(lowered))
        if known is not None or len(word) < _LONG:
            return known if known is None or lowered[:-1] in self._nouns or not _DONE.search(lowered) else None
        if stem(lowered) in self._fields | self._values:
            return None
        return next((kind for noun, kind in self._nouns.items() if fuzz.ratio(stem(lowered), noun) >= _ALIKE), None)

    @cached_property
    def _values(self) -> frozenset[str]:
        """Stems of values that several things of a kind share."""
        found = set()
        for kind in self._collection.kinds:
            for name in kind.fields:
                values = [fact.value for thing in kind.things for fact in thing.facts.get(name, ())]
                if len(set(values)) * 2 <= len(values):
                    found |= {stem(word.lower()) for value in set(values) for word in _WORD.findall(value)}
                    found |= {value for value in set(values) if has_cjk(value)}
        return frozenset(found)

    @cached_property
    def _fields(self) -> frozenset[str]:
        names = {name for kind in self._collection.kinds for name in kind.fields}
        return frozenset(stem(word.lower()) for name in names for word in _WORD.findall(name))

    @cached_property
    def _joined_fields(self) -> frozenset[str]:
        """Names of fields of several words in one: ``servicename``."""
        names = {name for kind in self._collection.kinds for name in kind.fields}
        return frozenset(re.sub(r"[\s_-]+", "", name.lower()) for name in names if re.search(r"[\s_-]", name))

    @cached_property
    def _own_or_word(self) -> re.Pattern[str]:
        """What is quoted, a field named in full by several words (*the page version*), or any word."""
        names = {name for kind in self._collection.kinds for name in kind.fields if re.search(r"[\s_-]", name)}
        said = (r"[\s_-]".join(map(re.escape, re.split(r"[\s_-]+", name))) for name in sorted(names, key=len)[::-1])
        named = "".join(rf"(?<!\w){name}s?(?!\w)|" for name in said)
        return re.compile(rf"\"[^\"]*\"|{named}{_WORD.pattern}", re.IGNORECASE)

    @cached_property
    def _field_words(self) -> frozenset[str]:
        """Stems of the words that names of fields are made of."""
        names = {name for kind in self._collection.kinds for name in kind.fields}
        return frozenset(stem(part.lower()) for name in names for part in re.findall(r"[A-Za-z]{3,}", name))

    def names_field(self, question: str) -> bool:
        """Whether a word of it is one of a field."""
        joined = re.sub(r"[\s_-]+", "", question.lower())
        if any(len(name) >= _LONG and name in joined for name in self._joined_fields):
            return True
        return any(stem(word.lower()) in self._fields for word in _WORD.findall(question) if len(word) >= _LEAST)

    def describes(self, question: str) -> bool:
        """Whether it says more of a thing than of what kind it is and which field is asked for."""
        words = (word for word in content_words(asking_removed(question)) if any(map(str.isalnum, word)))
        known = self._field_words | self._fields | FILLER_STEMS
        return any(stem(_owned(word).lower()) not in known and not self.kinds_in(word) for word in words)

    def names_value(self, question: str) -> bool:
        """Whether a word of it is one of a value that several things share."""
        if any(stem(word[:-1].lower()) in self._values for word in _CAPITALS.findall(question)):
            return True
        if any(stem(word.lower()) in self._values for word in _WORD.findall(question) if len(word) >= _LEAST):
            return True
        return has_cjk(question) and any(has_cjk(value) and value in question for value in self._values)

    def unknown(self, question: str) -> list[str]:
        """Words that neither things nor fields nor values nor titles have, nor an operator is said with."""
        words = [word for word in content_words(asking_removed(question)) if word.isalpha() and not has_cjk(word)]
        known = self._values | self._fields | self._field_words | self._said | FILLER_STEMS
        words = list({stem(word.lower()): word for word in words}.values())
        return [word for word in words if stem(word.lower()) not in known and stem(word.lower()) not in self._nouns]

    @cached_property
    def _said(self) -> frozenset[str]:
        """Stems of titles, and of all values of one line."""
        facts = (
            fact for thing in self._collection.things.values() for stated in thing.facts.values() for fact in stated
        )
        values = {stem(word.lower()) for fact in facts for word in _WORD.findall(fact.value)}
        return frozenset(values.union(*(thing.stems for thing in self._collection.things.values())))

    @staticmethod
    def _translated(question: str) -> str:
        for word, english in WORDS["words"].items():
            question = question.replace(word, f" {english} ")
        return question

    def in_own_words(self, question: str) -> str:
        """The question with things called as their table is."""

        def own(match: re.Match[str]) -> str:
            word = match[0]
            kind = self._noun(word)
            # A quoted value and the name of a field are the stems of nothing.
            if kind is None or word.lower() in (kind.name, f"{kind.name}s") or _TITLE.match(match.string, match.end()):
                return word
            is_plural = word.lower().endswith("s") and not kind.name.endswith("s")
            return f"{kind.name}{'s' if is_plural else ''}"

        renamed = self._own_or_word.sub(own, self._translated(question))
        for kind in {id(one): one for one in self._nouns.values()}.values():
            # What a design document is, is a design.
            said = re.compile(rf"\b{kind.name}\s+(?:{kind.name}|{_GENERAL})(s?)\b", re.IGNORECASE)
            renamed = said.sub(rf"{kind.name}\1", renamed)
        for word, kind in self._nouns.items():
            if has_cjk(word) and word != kind.name and kind.name not in renamed:
                renamed = renamed.replace(word, f" {kind.name} ")
        return renamed

    def unexplained(self, question: str) -> str:
        """The question without brackets that only say again, in fields and values, what is asked for."""

        def again(match: re.Match[str]) -> str:
            words = [word for word in content_words(match[1]) if word.isalpha() and word.lower() != "not"]
            known = self._values | self._fields
            return " " if words and all(stem(word.lower()) in known for word in words) else match[0]

        return re.sub(r"\s{2,}", " ", _BRACKETS.sub(again, question))

    def leaves_field(self, question: str, fields: Sequence[FieldTable]) -> bool:
        """Whether it names a field in full, or a relation by its verb, and a statement speaks of no such field."""
        stated = {name for kind in self._collection.kinds for name in kind.fields}
        used = {place.field for place in fields}
        asked = _stems(question)
        if any(name not in used and " " in (said := _stems(name)).strip() and said in asked for name in stated):
            # What is named in full is what is asked for.
            return True
        for concept in CONCEPTS:
            names = (concept.forward | concept.inverse) & stated
            if concept.kind != "document" or not names or names & used or concept.verb_pattern is None:
                continue
            if any(stem(verb[0].lower()) not in self._values for verb in concept.verb_pattern.finditer(question)):
                return True
        return False

    def by_name(self, question: str) -> str:
        """The question with things called by name that it gives by number: PEP 484 for *484*."""

        def named(match: re.Match[str]) -> str:
            kind = self._nouns.get(stem(match[1].lower()))
            thing = self._by_number.get((kind.name, int(match[2]))) if kind is not None else None
            return _called(thing) if thing is not None else match[0]

        def bare(match: re.Match[str]) -> str:
            thing = self._by_number.get((main.name, int(match[1]))) if main is not None else None
            alone = may_name(match.string[: match.start()], match.string[match.end() :])
            return _called(thing) if thing is not None and alone else match[0]

        main = self._main
        question = _NAMED.sub(named, question)
        return _NUMBER.sub(bare, question)

    @cached_property
    def _main(self) -> Kind | None:
        """The kind that most things are of."""
        kinds = self._collection.kinds
        total = sum(len(kind.things) for kind in kinds)
        return kinds[0] if kinds and len(kinds[0].things) >= MAIN * total else None

    @cached_property
    def _by_number(self) -> dict[tuple[str, int], Thing]:
        return {
            (kind.name, thing.number): thing
            for kind in self._collection.kinds
            if kind.is_mostly_numbered
            for thing in kind.things
            if thing.number is not None
        }


def _owned(word: str) -> str:
    """A word without the ending by which it owns something: *the ticket's*."""
    return re.sub(r"['’]s$", "", word)


def _called(thing: Thing) -> str:
    return thing.name or f'"{thing.title}"'


def _stems(text: str) -> str:
    """Stems of the words of a text between single spaces."""
    return " ".join(("", *(stem(word.lower()) for word in _WORD.findall(text.replace("-", " "))), ""))
