"""Values of columns by what questions may call them: whole, by a word of theirs, by a concept or a gloss."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from msgspec import Struct, field

from kbtui import late_patterns
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo
from kbtui.nl2sql.glosses import glosses_of, sounds_of
from kbtui.nl2sql.lattice import How
from kbtui.nl2sql.lexicon import Sense, key_of, lexicon, senses_of, states_of
from kbtui.nl2sql.names import name_words
from kbtui.nl2sql.query import Ref
from kbtui.text.inflection import root
from kbtui.text.language import CJK, has_cjk, simplified

LONGEST_VALUE: Final = 60
"""Characters of the longest value that is looked up."""
FEW: Final = 60
"""Different values at most of a column whose values are compared by meaning."""
MOST_FORMS: Final = 12
"""Values at most that one word may stand for in a column."""

_HEAD_OF_GLOSS, _OTHER_OF_GLOSS = 0.55, 0.47
"""Score of a value that has the last word of a gloss, and of one that has another word of it."""
_MOST_GLOSSES: Final = 3
_PREFIX: Final = 0.72
_MOST_OF_PART: Final = 0.78
"""Score at most of words that are a part of a value: an e-book is no book."""
_LONGEST_CODE: Final = 4
_SHORTEST_CODED: Final = 3
_ANSWERS: Final = frozenset(("y", "n", "t", "f", "yes", "no", "true", "fals", "on", "off", "x", "na", "n/a"))
"""Short forms that answer a question and stand for no other word."""
_UNIT: Final = late_patterns.pattern(rf"[{CJK}]|\d+|[^\W\d_{CJK}]+")
_NAMED: Final = frozenset(("name", "category", "code", "flag", "text", "key", "reference", "other"))


class Hit(NamedTuple):
    """Values of one column that words may stand for."""

    ref: Ref
    values: tuple[Any, ...]
    score: float
    how: How


@lru_cache(maxsize=65536)
def units_of(text: str) -> tuple[str, ...]:
    """Words, numbers and single Chinese characters of a text, without case, accents and punctuation."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", simplified(text))
    if not plain.isascii():
        marks = unicodedata.normalize("NFD", plain)
        plain = unicodedata.normalize("NFC", "".join(c for c in marks if not unicodedata.combining(c)))
    return tuple(_UNIT.findall(plain.casefold().replace("'", "").replace("’", "")))


def text_of(value: Any) -> str:
    """A value as a question would write it."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


@lru_cache(maxsize=4096)
def compounds(chinese: str) -> tuple[tuple[str, ...], ...]:
    """Glosses of two or more words of a Chinese word, each as stems; of one that has none, those of its two parts."""
    whole = glosses_of(chinese)
    if whole:
        return tuple(words for gloss in whole[:_MOST_GLOSSES] if len(words := tuple(gloss.split())) > 1)
    for cut in sorted(range(1, len(chinese)), key=lambda at: abs(len(chinese) - 2 * at)):
        first, second = (glosses_of(part)[:_MOST_GLOSSES] for part in (chinese[:cut], chinese[cut:]))
        if first and second:
            return tuple((*one.split(), *other.split()) for one in first for other in second)
    return ()


Places = dict[Ref, dict[Any, None]]


class ValueIndex(Struct):
    """Literals of columns by key; keys are units joined by spaces.

    Attributes:
        whole: By all units of the value.
        stems: By the stems of all of them.
        parts: By the stem of one of several words; Chinese values by each pair of characters.
        concepts: By concept of the lexicon, of columns with few values.
        glosses: Chinese values of such columns by their English glosses.
        sounds: Chinese values by how they are read, without tones.
        codes: Values of columns that hold nothing but short forms, by their first letter.
        states: Values of such columns by the states they name, each with whether it is named or its opposite.
        words: Words of all values, to compare misspelt ones with.
        small: Columns with few values.
    """

    whole: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    stems: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    parts: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    concepts: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    glosses: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    sounds: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    codes: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    states: dict[str, dict[Ref, dict[bool, list[Any]]]] = field(default_factory=lambda: defaultdict(dict))
    words: dict[str, None] = field(default_factory=dict)
    small: set[Ref] = field(default_factory=set)
    sorted_keys: list[str] = field(default_factory=list)

    def find(self, units: Sequence[str]) -> Iterator[Hit]:
        """Values that a span of units may stand for, the best way of each column only."""
        key = " ".join(units)
        done: set[Ref] = set()
        ways: tuple[tuple[Places | None, float, How], ...] = (
            (self.whole.get(key), 1.0, "exact"),
            (self.stems.get(_stems(units)), 0.92, "stem"),
            (self._beginning(units), _PREFIX, "prefix"),
        )
        for places, score, how in ways:
            for ref, values in (places or {}).items():
                if ref not in done and (how != "prefix" or len(values) <= MOST_FORMS):
                    done.add(ref)
                    yield Hit(ref, tuple(values)[:MOST_FORMS], score, how)
        for ref, values in self._containing(units).items():
            if ref not in done and values:
                share = len(key) / max(len(" ".join(units_of(text_of(value)))) for value in values)
                yield Hit(ref, tuple(values), min(_MOST_OF_PART, 0.36 + 0.6 * share), "part")

    def meant(self, concept: str) -> Iterator[Hit]:
        """Values of a concept of the lexicon."""
        score = 0.75 if "value" in lexicon().kinds.get(concept, ()) else 0.6
        for ref, values in self.concepts.get(concept, {}).items():
            yield Hit(ref, tuple(values), score, "concept")

    def sounding(self, words: Sequence[str]) -> Iterator[Hit]:
        """Chinese values that read so: hangzhou, wang fang."""
        for ref, values in self.sounds.get("".join(words), {}).items():
            yield Hit(ref, tuple(values), 0.85, "gloss")

    def sounding_like(self, chinese: str) -> Iterator[Hit]:
        """Values in Latin letters that a Chinese word is the sound of."""
        for hit in self.find((sound,)) if (sound := sounds_of(chinese)) else ():
            if hit.how in ("exact", "part"):
                yield Hit(hit.ref, hit.values, 0.75 * hit.score, "gloss")

    def coded(self, words: Sequence[str], senses: Sequence[Sense]) -> Iterator[Hit]:
        """Values that are short forms of a word, or the initials of several: DL of delayed, OT of on time."""
        if any(not word.isalpha() or not word.isascii() for word in words):
            return
        initials = "".join(word[0] for word in words)
        is_value = any(sense.holds is not None or "value" in lexicon().kinds[sense.concept] for sense in senses)
        if senses and not is_value and not any(_is_noun(sense) for sense in senses):
            return
        for ref, values in self.codes.get(initials[0], {}).items():
            kept: dict[float, list[Any]] = defaultdict(list)
            for value in values:
                if score := _code_score(str(value).lower(), words, initials, is_value=is_value):
                    kept[score].append(value)
            if kept:
                yield Hit(ref, tuple(kept[max(kept)]), max(kept), "abbreviation")

    def glossed(self, gloss: str, *, chinese: bool) -> Iterator[Hit]:
        """English values that are a gloss of a Chinese word, or Chinese values with that gloss."""
        places = self.stems if chinese else self.glosses
        for ref, values in places.get(gloss, {}).items():
            yield Hit(ref, tuple(values), 0.7, "gloss")

    def glossed_partly(self, chinese: str) -> Iterator[Hit]:
        """English values that share a word with a gloss of a compound: beans for 咖啡豆, the cold store for 冷库."""
        best: dict[Ref, dict[Any, float]] = defaultdict(dict)
        for phrase in compounds(chinese):
            for at, word in enumerate(phrase):
                part = _HEAD_OF_GLOSS if at == len(phrase) - 1 else _OTHER_OF_GLOSS
                for places in (self.stems.get(word, {}), self.parts.get(word, {})):
                    for ref in filter(self.small.__contains__, places):
                        for value in places[ref]:
                            best[ref][value] = max(part, best[ref].get(value, 0.0))
        for ref, values in best.items():
            score = max(values.values())
            kept = tuple(value for value, own in values.items() if own == score)
            if len(kept) == 1:
                yield Hit(ref, kept, score, "gloss")

    def _beginning(self, units: Sequence[str]) -> Places:
        """Values that begin with these units: at least four letters of one Latin word, or two Chinese characters."""
        key = "".join(units) if units and has_cjk(units[0]) else " ".join(units)
        if len(key) < 2 + 2 * key.isascii() or (key.isascii() and len(units) > 1):
            return {}
        key = " ".join(units)
        found: Places = defaultdict(dict)
        at = bisect_left(self.sorted_keys, key)
        for candidate in self.sorted_keys[at : at + 4 * MOST_FORMS]:
            if not candidate.startswith(key):
                break
            for ref, values in self.whole[candidate].items():
                found[ref].update(values)
        return found

    def _containing(self, units: Sequence[str]) -> Places:
        """Values of which these units are a part, in columns where few are."""
        keys = list(_part_keys(units))
        if not keys or any(key not in self.parts for key in keys):
            return {}
        rest = [self.parts[key] for key in keys[1:]]
        joined = f" {_stems(units)} "
        found: Places = {}
        for ref, values in self.parts[keys[0]].items():
            if len(values) > 40 * MOST_FORMS or any(ref not in places for places in rest):
                continue
            kept = [
                value for value in values
                if len(keys) == 1 or joined in f" {_stems(units_of(text_of(value)))} "
            ]  # fmt: skip
            if 0 < len(kept) <= MOST_FORMS:
                found[ref] = dict.fromkeys(kept)
        return found


def _is_noun(sense: Sense) -> bool:
    return sense.in_names and not sense.degree and "date" not in lexicon().kinds[sense.concept]


def _code_score(code: str, words: Sequence[str], initials: str, *, is_value: bool) -> float:
    """How well a short form fits; 0 where it does not. One letter is too little for words that may be anything."""
    if len(words) > 1:
        return 0.6 if code == initials else 0.0
    word = words[0]
    if len(code) == 1:
        return 0.42 if is_value else 0.0
    if len(word) < len(code) + 1 or len(word) < _SHORTEST_CODED:
        return 0.0
    if word.startswith(code):
        return 0.6
    consonants = [letter for letter in word[1:] if letter not in "aeiou"]
    if len(code) == 2:
        return 0.55 if code[1] in (word[-1], *consonants[:1]) else 0.0
    rest = iter(word[1:])
    return 0.55 if all(letter in rest for letter in code[1:]) and not set(code[1:]) & set("aeiou") else 0.0


def _stems(units: Sequence[str]) -> str:
    return " ".join(map(root, units))


_TITLES: Final = frozenset(("mr", "mrs", "ms", "miss", "mx", "dr", "prof", "sir", "madam", "rev", "capt", "sgt", "st"))
"""Words that stand before many names and name nobody."""


def _part_keys(units: Sequence[str]) -> Iterator[str]:
    for at, unit in enumerate(units):
        if not has_cjk(unit):
            if len(unit) > 1 and unit not in _TITLES:
                yield root(unit)
        elif at + 1 < len(units) and has_cjk(units[at + 1]):
            yield unit + units[at + 1]


def value_index(catalogue: Catalogue) -> ValueIndex:
    """Values of all columns that are spoken of by their values; roles are the columns of their tables."""
    index = ValueIndex()
    for table in catalogue.tables.values():
        for column in table.columns:
            if _is_looked_up(column):
                _add(index, column)
    index.sorted_keys = sorted(index.whole)
    return index


def _is_looked_up(column: ColumnInfo) -> bool:
    return column.kind in _NAMED and not column.encoding


def _add(index: ValueIndex, column: ColumnInfo) -> None:
    is_small = column.kind in ("category", "flag", "name", "code", "text") and 0 < column.distinct <= FEW
    if _is_coded(column):
        for value, _ in column.values:
            if value:
                index.codes[str(value)[0].lower()][column.ref][value] = None
    if is_small:
        index.small.add(column.ref)
    for value, _ in column.values:
        if value is None or (isinstance(value, str) and len(value) > LONGEST_VALUE):
            continue
        units = units_of(text_of(value))
        if not units:
            continue
        index.whole[" ".join(units)][column.ref][value] = None
        if not isinstance(value, str):
            continue
        index.words.update((unit, None) for unit in units if len(unit) > 3 and unit.isalpha() and not has_cjk(unit))
        index.stems[_stems(units)][column.ref][value] = None
        if len(units) > 1:
            for key in _part_keys(units):
                index.parts[key][column.ref][value] = None
        if len(units) <= 4 and (sound := sounds_of("".join(units))):
            index.sounds[sound][column.ref][value] = None
        if is_small and len(units) <= 8:
            _add_meaning(index, column, value, units)
            if value.isascii() and len(written := name_words(value)) > 1 and written != units:
                # AsstProf is an assistant professor, LOW_BATT a low battery.
                index.stems[_stems(written)][column.ref][value] = None


def _is_coded(column: ColumnInfo) -> bool:
    """Whether it holds nothing but short forms: a few values of at most four letters."""
    values = [value for value, _ in column.values if value]
    if {str(value).lower() for value in values} <= _ANSWERS:
        return False
    return 1 < len(values) <= FEW and all(
        isinstance(value, str) and len(value) <= _LONGEST_CODE and value.isascii() and value.isalpha()
        for value in values
    )


def _add_meaning(index: ValueIndex, column: ColumnInfo, value: str, units: Sequence[str]) -> None:
    is_chinese = has_cjk(value)
    words = ["".join(units)] if is_chinese else list(units)
    for sense in (*senses_of(words), *(lexicon().codes.get(words[0], ()) if len(words) == 1 else ())):
        if not sense.degree and sense.holds is None and _is_value(sense.concept, words):
            index.concepts[sense.concept][column.ref][value] = None
    for concept, holds in states_of(words) if _whole_state(words) else ():
        index.states[concept].setdefault(column.ref, {}).setdefault(holds, []).append(value)
    if is_chinese:
        for gloss in glosses_of(words[0]):
            index.glosses[gloss][column.ref][value] = None


def _is_value(concept: str, words: Sequence[str]) -> bool:
    kinds = lexicon().kinds[concept]
    if concept == "person":
        # Anybody is one, whatever other kinds of customers there are.
        return False
    return "value" in kinds or (len(words[0]) > 1 and bool(kinds & {"thing", "person", "place"}))


def _whole_state(words: Sequence[str]) -> bool:
    return any(sense.holds is not None for sense in senses_of(words))


def gloss_key(words: Sequence[str]) -> str:
    """Key of English words as glosses have them."""
    return key_of(words)
