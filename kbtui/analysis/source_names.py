"""The names in a source of data, and which of them a request says."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from kbtui import late_patterns
from kbtui.analysis.request_cues import everyday_names
from kbtui.domain.analysis import Column, Schema, Table
from kbtui.domain.routing import Signal
from kbtui.text.stop_words import ENGLISH
from kbtui.text.tokenise import name_parts, stem

_WORD: Final = late_patterns.pattern(r"[a-z]+|\d+|[\u4e00-\u9fff]+")
_HAN: Final = late_patterns.pattern(r"[\u3400-\u9fff]")

_BETWEEN: Final = late_patterns.pattern(r"[,，;；:：。.()（）/]")
_SAYABLE: Final = late_patterns.pattern(r"[a-zA-Z]{3}|[\u3400-\u9fff]{2}")
_LONGEST_COMMENT: Final = 12
_LONGEST_VALUE: Final = 40
_MOST_SAMPLES: Final = 20
_MOST_VALUES: Final = 10_000

_SHORTEST: Final = 3
_MOST_SHOWN: Final = 5
_MOST_DETAIL: Final = 40
_LONGEST: Final = 80

_WHOLE: Final = 0.9
_TELLING: Final = 0.7
"""A part of a name, or its translation."""
_VALUE: Final = 0.5
"""Documents speak of the same dogs and lifts: a value is less than the folder's prior."""
_PART: Final = 0.4
_EVERYDAY: Final = 0.3

_Row = tuple[tuple[str, ...], str, float]


def words_of(text: str) -> list[str]:
    """The words of a lower-case text by their stems, in order."""
    return [stem(word) for word in _WORD.findall(text)]


def name_stems(name: str) -> tuple[str, ...]:
    """``OrderItems`` and ``order_items`` as the stems of their words; Chinese names whole."""
    return tuple(stem(part.lower()) for part in name_parts(name[:_LONGEST]))


def names_in(schema: Schema) -> frozenset[str]:
    """Tables and columns by their names, and by comments that are no longer than a name."""
    described: list[Table | Column] = [*schema.tables, *(column for table in schema.tables for column in table.columns)]
    comments = (part.strip() for one in described for part in _BETWEEN.split(one.comment))
    short = (part for part in comments if 1 < len(part) <= _LONGEST_COMMENT)
    return frozenset((*(one.name for one in described), *short))


def values_in(schema: Schema) -> frozenset[str]:
    """Sampled values that somebody may say, the first of each column first where there are too many."""
    found: dict[str, None] = {}
    columns = [column for table in schema.tables for column in table.columns if column.kind == "text"]
    for place in range(_MOST_SAMPLES):
        for column in columns:
            value = column.samples[place] if place < len(column.samples) else None
            if isinstance(value, str) and len(value) <= _LONGEST_VALUE and _SAYABLE.search(value):
                found[value] = None
        if len(found) >= _MOST_VALUES:
            break
    return frozenset(found)


class SourceNames:
    """The names of one source, found by their first word: a source may have tens of thousands.

    Args:
        names: Tables and columns, as they are written there.
        values: Some of the values.
    """

    def __init__(self, names: Collection[str], values: Collection[str] = ()) -> None:
        self._by_first: dict[str, list[_Row]] = {}
        self._chinese: list[tuple[str, float]] = []
        self.chinese = self.latin = False
        """Whether names are written in Chinese, and whether in Latin letters."""
        for name in sorted(names):
            if self._add(name, _WHOLE) == "chinese":
                self.chinese = True
            else:
                self.latin = True
        for value in sorted(set(values) - set(names)):
            self._add(value, _VALUE)

    def has(self, stems: tuple[str, ...]) -> bool:
        """True where a name is made of these words."""
        return bool(stems) and any(stems == known for known, _, _ in self._by_first.get(stems[0], ()))

    def said(self, words: Sequence[str], translated: Collection[str], lowered: str) -> list[Signal]:
        """The names that a request says, longest first, no word of it counted twice.

        Args:
            words: The stems of the request, in order.
            translated: English stems of its Chinese terms.
            lowered: The request in lower case.
        """
        found = [_named(name, weight) for name, weight in self._chinese if name in lowered][:_MOST_SHOWN]
        held, taken = set(words), set[str]()
        candidates = {row for word in (*words, *translated) for row in self._by_first.get(word, ())}
        parts: list[_Row] = []
        for stems, name, weight in sorted(candidates, key=lambda row: (-len(row[0]), -row[2], row)):
            if len(found) >= _MOST_SHOWN:
                break
            if taken.intersection(stems):
                continue
            everyday = all(one in everyday_names() or one.isdigit() or len(one) < _SHORTEST for one in stems)
            if held.issuperset(stems):
                if len(stems) > 1 and not _near(stems, words):
                    continue
                found.append(_named(name, min(_EVERYDAY, weight) if everyday else weight))
            elif len(stems) > 1 and stems[0] in held and _is_telling(stems[0]):
                parts.append((stems, name, weight))
                continue
            elif everyday or len(stems) > 1:
                continue
            else:
                found.append(_named(name, min(_TELLING, weight)))
            taken.update(stems)
        for stems, name, weight in parts:
            # Fuel is what fuel_litres is of, where nothing is called by it alone.
            if stems[0] not in taken and len(found) < _MOST_SHOWN:
                found.append(_named(name, min(_PART, weight)))
                taken.add(stems[0])
        return found

    def _add(self, name: str, weight: float) -> str:
        if _HAN.search(name):
            if len(name) > 1:
                self._chinese.append((name.lower(), weight))
            return "chinese"
        stems = name_stems(name)
        # A column "was" or "To" is said by every other question.
        if stems and not (len(stems) == 1 and name.lower() in ENGLISH):
            self._by_first.setdefault(stems[0], []).append((stems, name, weight))
            telling = tuple(one for one in stems if one not in everyday_names())
            if telling and telling != stems and telling[0] not in ENGLISH and weight == _WHOLE:
                # The name and the id of a director are asked for by the director.
                self._by_first.setdefault(telling[0], []).append((telling, name, _TELLING))
        return "latin"


def _is_telling(word: str) -> bool:
    return len(word) > _SHORTEST and word not in everyday_names() and word not in ENGLISH


def _named(name: str, weight: float) -> Signal:
    return Signal(name="name in the data", detail=name[:_MOST_DETAIL], weight=weight)


def _near(stems: Sequence[str], words: Sequence[str]) -> bool:
    """True where the words of a name stand next to each other, as far as others do not divide them."""
    places = [words.index(one) for one in stems]
    return max(places) - min(places) <= len(stems)
