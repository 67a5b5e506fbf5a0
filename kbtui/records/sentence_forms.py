"""Finds fields in sentences that several documents of a folder state in one form: ``Written by Ada Moor; 2007.``

The sentences form a tree by their words. A word belongs to the form where nearly all sentences have it, or where it is
no value by its spelling and enough documents have it; at the words that differ, the rest of the sentence is compared by
type: quoted names, persons, years and days, figures. A type that nearly all of the rests have is a field, named after
the words of the form.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from kbtui.domain.document import Relation
from kbtui.knowledge.relations.fields import MAX_ITEM
from kbtui.knowledge.relations.opening_sentences import VALUE, WORDS
from kbtui.knowledge.relations.vocabulary import relation_name
from kbtui.text.days import days_in
from kbtui.text.language import has_cjk
from kbtui.text.stop_words import STOP_WORDS

_MIN_DOCUMENTS: Final = 4
_MIN_SHARE: Final = 0.05
"""Share of the documents of a folder that must have a form."""
_NEARLY_ALL: Final = 0.9
"""Share of the sentences with one next word from which it belongs to the form even if it may be a value."""
_TYPED_SHARE: Final = 0.8
"""Share of the sentences whose rest must have a type for it to be a field."""
_MIN_WORDS: Final = 2
_MAX_WORDS: Final = 12
_MAX_NAME_WORDS: Final = 3
_MAX_REST_WORDS: Final = 8
"""Words of the rest of a sentence up to which a figure at its beginning is a value."""
_QUOTED_FROM: Final = 40
"""Characters of the rest within which the first quoted name begins."""

_QUOTED = re.compile(r"[“\"]([^“”\"]{2,60})[”\"]|「([^」]{2,40})」|《([^》]{2,40})》|`([^`]{2,60})`")
_NAME = r"[A-ZÀ-Þ][\w'’-]*\.?(?:\s+(?:(?:van|von|de|der|den|di|da|la|le)\s+)*[A-ZÀ-Þ][\w'’-]*\.?){1,3}"
_PERSONS = re.compile(rf"{_NAME}(?:(?:\s*,\s*(?:and\s+)?|\s+(?:and|&)\s+){_NAME})*")
_YEAR = re.compile(r"(?<![\w.])(?:1[89]|20)\d\d(?![\w.]*\w)")
_FIGURE = re.compile(r"[vV]?\d+(?:[.,]\d+)*%?(?=[\s,;:.)]|$)")
_HAN_NAME = r"[\u4e00-\u4e0d\u4e0f-\u548b\u548d-\u9fff]{2,4}"
"""Chinese characters without those for *and*."""
_HAN_PERSONS = re.compile(rf"{_HAN_NAME}(?:[、和与]{_HAN_NAME})*(?=[\s，。；,;（(]|$)")
_HAN_FRAME = re.compile(r"^(?:[本该此](?:文档?|页面?|文件)?的?)|[为是于由在至到：:]+$")
"""Characters at either end of a form that do not belong to the name of a field."""
_AUXILIARY: Final = frozenset({"is", "are", "was", "were", "be", "been", "has", "have", "had"})
_PREPOSITIONS: Final = frozenset({"by", "from", "to", "of", "for", "in", "on", "at", "with", "since", "until", "as"})
_DETERMINERS: Final = frozenset({"the", "a", "an", "this", "these", "that"})


class _Sentence(NamedTuple):
    """A sentence, its words (Chinese characters are words), and where each of them begins."""

    relation: Relation
    words: list[str]
    starts: list[int]

    @classmethod
    def of(cls, relation: Relation) -> _Sentence:
        matches = list(WORDS.finditer(relation.target))
        return cls(relation, [match[0] for match in matches], [match.start() for match in matches])

    def rest(self, length: int) -> str:
        """The text after the first words."""
        return self.relation.target[self.starts[length] :] if length < len(self.starts) else ""


def fields_of_sentences(sentences: Sequence[Relation], document_count: int) -> Iterator[Relation]:
    """Relations for the values in the sentences of one folder, under the names of their fields.

    Args:
        document_count: Documents of the folder.
    """
    least = max(_MIN_DOCUMENTS, _MIN_SHARE * document_count)
    members = [_Sentence.of(relation) for relation in sentences]
    taken: set[str] = set()
    for length, form in _forms(members, 0, least):
        for name, values in _typed_fields(length, form):
            if name not in taken and len({relation.source_path for relation in values}) >= least:
                taken.add(name)
                yield from values


def _forms(members: Sequence[_Sentence], length: int, least: float) -> Iterator[tuple[int, list[_Sentence]]]:
    """Number of words of each form, and the sentences of that form; the longest forms first."""
    if length > _MAX_WORDS or _document_count(members) < least:
        return
    following: Mapping[str, list[_Sentence]] = defaultdict(list)
    for sentence in members:
        if len(sentence.words) > length:
            following[sentence.words[length].rstrip(",;:").casefold()].append(sentence)
    ended: list[_Sentence] = []
    for group in following.values():
        word = group[0].words[length]
        is_value = length >= _MIN_WORDS if has_cjk(word) else length > 0 and VALUE.match(word) is not None
        belongs = len(group) >= _NEARLY_ALL * len(members) if is_value else _document_count(group) >= least
        if belongs:
            yield from _forms(group, length + 1, least)
        else:
            ended += group
    if length >= _MIN_WORDS and _document_count(ended) >= least:
        yield length, ended


def _typed_fields(length: int, form: Sequence[_Sentence]) -> Iterator[tuple[str, list[Relation]]]:
    """Name and values of each field in the rests of the sentences of a form."""
    words = [word.strip(",;:.") for word in form[0].words[:length]]
    name = _name_of(words)
    if not name:
        return
    rests = [sentence.rest(length) for sentence in form]
    base = re.sub(r"-(?:by|from)$", "", name)
    quoted = [[next(filter(None, match.groups())) for match in _QUOTED.finditer(rest)] for rest in rests]
    if _share_of_quoted(quoted, rests) >= _TYPED_SHARE:
        yield name, _relations(form, quoted, name)
        return
    years = [_years(rest) for rest in rests]
    has_years = sum(map(bool, years)) >= _TYPED_SHARE * len(rests)
    persons = [_persons(rest) for rest in rests]
    has_persons = sum(map(bool, persons)) >= _TYPED_SHARE * len(rests)
    if has_persons:
        person_field = name if name != base or not has_years else f"{name}-by"
        yield person_field, _relations(form, persons, person_field)
    if has_years:
        year_field = base if has_persons or base == name else name
        yield year_field, _relations(form, years, year_field)
    if not has_persons and not has_years:
        # A figure in front of a clause says when something holds, not what the document is.
        whole = [rest if len(rest.split()) <= _MAX_REST_WORDS else "" for rest in rests]
        figures = [[match[0]] if (match := _FIGURE.match(rest)) is not None else [] for rest in whole]
        if sum(map(bool, figures)) >= _TYPED_SHARE * len(rests):
            yield name, _relations(form, figures, name)


def _share_of_quoted(quoted: Sequence[Sequence[str]], rests: Sequence[str]) -> float:
    """Share of the rests in which a quoted name is near the beginning."""
    near = (bool(names) and rest.find(names[0]) <= _QUOTED_FROM for names, rest in zip(quoted, rests, strict=True))
    return sum(near) / len(rests)


def _persons(rest: str) -> list[str]:
    """The names that a rest begins with; a date or years may stand before them."""
    if (han := _HAN_PERSONS.match(rest)) is not None:
        return re.split("[、和与]", han[0])
    match = _PERSONS.match(rest) or _PERSONS.search(_without_years(rest))
    if match is None:
        return []
    return re.split(r"\s*,\s*(?:and\s+)?|\s+(?:and|&)\s+", re.sub(r"(?<=[a-z]{2})\.$", "", match[0]))


def _without_years(rest: str) -> str:
    return re.sub(r"^[\d\s,;:–—-]+", "", rest)


def _years(rest: str) -> list[str]:
    """The days in a rest, else its years."""
    days = [rest[day.start : day.end] for day in days_in(rest)]
    return days or list(dict.fromkeys(_YEAR.findall(rest)))


def _relations(form: Sequence[_Sentence], values: Sequence[Sequence[str]], name: str) -> list[Relation]:
    return [
        replace(sentence.relation, relation=name, target=value)
        for sentence, found in zip(form, values, strict=True)
        for value in dict.fromkeys(found)
        if 0 < len(value) <= MAX_ITEM
    ]


def _name_of(words: Sequence[str]) -> str:
    """The name of a field: the last words of a form, from its verb on: *contributed by*, *applies to shorewall*.

    Empty where the form has only words that say nothing.
    """
    if has_cjk("".join(words)):
        return relation_name(_HAN_FRAME.sub("", "".join(words)))
    lowered = [word.casefold() for word in words]
    while lowered and lowered[-1] in _DETERMINERS:
        lowered.pop()
    start = max((index + 1 for index, word in enumerate(lowered) if word in _AUXILIARY), default=0)
    if start == 0 and lowered and lowered[0] in _DETERMINERS:
        start = 2
    kept = [word for word in lowered[start:] if re.fullmatch(r"[^\W\d_]+", word)]
    content = [index for index, word in enumerate(kept) if word not in STOP_WORDS and word not in _PREPOSITIONS]
    if not content:
        return ""
    first = content[-min(len(content), _MAX_NAME_WORDS - 1)]
    return relation_name(" ".join(kept[first:][: _MAX_NAME_WORDS + 1]))


def _document_count(members: Sequence[_Sentence]) -> int:
    return len({sentence.relation.source_path for sentence in members})
