"""The names in a source of data, and their mentions in a request."""

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
_MAX_COMMENT: Final = 12
_MAX_VALUE: Final = 40
_MAX_SAMPLES: Final = 20
_MAX_VALUES: Final = 10_000

_MIN_LENGTH: Final = 3
_MAX_SHOWN: Final = 5
_MAX_DETAIL: Final = 40
_MAX_LENGTH: Final = 80

_NAME_WEIGHT: Final = 0.9
_PARTIAL_WEIGHT: Final = 0.7
"""Weight of a distinctive part of a name, or of its translation."""
_VALUE_WEIGHT: Final = 0.5
"""Weight of a value, below the prior of the folder, because documents mention the same things."""
_FIRST_WORD_WEIGHT: Final = 0.4
_EVERYDAY_WEIGHT: Final = 0.3

_Row = tuple[tuple[str, ...], str, float]


def word_stems(text: str) -> list[str]:
    """The words of a lower-case text by their stems, in order."""
    return [stem(word) for word in _WORD.findall(text)]


def name_stems(name: str) -> tuple[str, ...]:
    """The stems of the words of a name, the same for ``OrderItems`` and ``order_items``; Chinese names are one."""
    return tuple(stem(part.lower()) for part in name_parts(name[:_MAX_LENGTH]))


def names_in(schema: Schema) -> frozenset[str]:
    """The names of tables and columns, and comments that are as short as a name."""
    described: list[Table | Column] = [*schema.tables, *(column for table in schema.tables for column in table.columns)]
    comments = (part.strip() for item in described for part in _BETWEEN.split(item.comment))
    short = (part for part in comments if 1 < len(part) <= _MAX_COMMENT)
    return frozenset((*(item.name for item in described), *short))


def values_in(schema: Schema) -> frozenset[str]:
    """Sampled values that a request may mention, at most the first ones of each column."""
    values: dict[str, None] = {}
    columns = [column for table in schema.tables for column in table.columns if column.kind == "text"]
    for index in range(_MAX_SAMPLES):
        for column in columns:
            value = column.samples[index] if index < len(column.samples) else None
            if isinstance(value, str) and len(value) <= _MAX_VALUE and _SAYABLE.search(value):
                values[value] = None
        if len(values) >= _MAX_VALUES:
            break
    return frozenset(values)


class SourceNames:
    """The names of one source, indexed by their first word: a source may have tens of thousands.

    Args:
        names: Names of tables and columns, as written in the source.
        values: Sampled values.
    """

    def __init__(self, names: Collection[str], values: Collection[str] = ()) -> None:
        self._by_first: dict[str, list[_Row]] = {}
        self._chinese: list[tuple[str, float]] = []
        self.chinese = self.latin = False
        """Whether there are Chinese names, and Latin ones."""
        for name in sorted(names):
            if self._add(name, _NAME_WEIGHT) == "chinese":
                self.chinese = True
            else:
                self.latin = True
        for value in sorted(set(values) - set(names)):
            self._add(value, _VALUE_WEIGHT)

    def has_name(self, stems: tuple[str, ...]) -> bool:
        """Whether a name consists of these words."""
        return bool(stems) and any(stems == name_stems_ for name_stems_, _, _ in self._by_first.get(stems[0], ()))

    def find_names(self, words: Sequence[str], translated: Collection[str], lowered: str) -> list[Signal]:
        """The names that a request mentions, longest first, each of its words used once.

        Args:
            words: The stems of the request, in order.
            translated: English stems of its Chinese terms.
            lowered: The request in lower case.
        """
        signals = [_name_signal(name, weight) for name, weight in self._chinese if name in lowered][:_MAX_SHOWN]
        word_set, used = set(words), set[str]()
        candidates = {row for word in (*words, *translated) for row in self._by_first.get(word, ())}
        parts: list[_Row] = []
        for stems, name, weight in sorted(candidates, key=lambda row: (-len(row[0]), -row[2], row)):
            if len(signals) >= _MAX_SHOWN:
                break
            if used.intersection(stems):
                continue
            is_everyday = all(part in everyday_names() or part.isdigit() or len(part) < _MIN_LENGTH for part in stems)
            if word_set.issuperset(stems):
                if len(stems) > 1 and not _are_adjacent(stems, words):
                    continue
                signals.append(_name_signal(name, min(_EVERYDAY_WEIGHT, weight) if is_everyday else weight))
            elif len(stems) > 1 and stems[0] in word_set and _is_distinctive(stems[0]):
                parts.append((stems, name, weight))
                continue
            elif is_everyday or len(stems) > 1:
                continue
            else:
                signals.append(_name_signal(name, min(_PARTIAL_WEIGHT, weight)))
            used.update(stems)
        for stems, name, weight in parts:
            # The first word alone may mean a column: "fuel" for fuel_litres.
            if stems[0] not in used and len(signals) < _MAX_SHOWN:
                signals.append(_name_signal(name, min(_FIRST_WORD_WEIGHT, weight)))
                used.add(stems[0])
        return signals

    def _add(self, name: str, weight: float) -> str:
        if _HAN.search(name):
            if len(name) > 1:
                self._chinese.append((name.lower(), weight))
            return "chinese"
        stems = name_stems(name)
        # Columns such as "was" or "To" would match most questions.
        if stems and not (len(stems) == 1 and name.lower() in ENGLISH):
            self._by_first.setdefault(stems[0], []).append((stems, name, weight))
            distinctive = tuple(part for part in stems if part not in everyday_names())
            if distinctive and distinctive != stems and distinctive[0] not in ENGLISH and weight == _NAME_WEIGHT:
                # The columns director_name and director_id are also found by "director".
                self._by_first.setdefault(distinctive[0], []).append((distinctive, name, _PARTIAL_WEIGHT))
        return "latin"


def _is_distinctive(word: str) -> bool:
    return len(word) > _MIN_LENGTH and word not in everyday_names() and word not in ENGLISH


def _name_signal(name: str, weight: float) -> Signal:
    return Signal(name="name in the data", detail=name[:_MAX_DETAIL], weight=weight)


def _are_adjacent(stems: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words of a name are adjacent in a request, with at most one word between them."""
    places = [words.index(stem) for stem in stems]
    return max(places) - min(places) <= len(stems)
