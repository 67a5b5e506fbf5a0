"""Indexes values of columns: as a whole, by their words, by concepts and glosses."""

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
from kbtui.nl2sql.glosses import glosses_of, is_homophone, sounds_of, typed_sound
from kbtui.nl2sql.lattice import How
from kbtui.nl2sql.lexicon import Sense, key_of, lexicon, senses_of, states_of
from kbtui.nl2sql.names import name_words
from kbtui.nl2sql.query import Ref
from kbtui.text.inflection import root
from kbtui.text.language import CJK, has_cjk, simplified

MAX_VALUE_LENGTH: Final = 60
"""Characters of a value that is indexed, at most."""
FEW: Final = 60
"""Distinct values up to which a column is indexed by meaning."""
MAX_FORMS: Final = 12
"""Values of a column that one span may stand for, at most."""

_HEAD_OF_GLOSS, _OTHER_OF_GLOSS = 0.55, 0.47
"""Score of a value with the last word of a gloss, and of one with another word of it."""
_MAX_GLOSSES: Final = 3
_PREFIX: Final = 0.72
_FIRST_WORD: Final = 0.9
"""Score of the first words of the only value of a column that begins with them."""
_MISSPELT: Final = 0.8
"""Score of a Chinese value of which some characters are replaced by others of the same sound."""
_LONGEST_MISSPELT: Final = 8
"""Characters of a Chinese word that is corrected, at most."""
_MAX_PART_SCORE: Final = 0.78
"""Maximum score of words that are a part of a value: an e-book is no book."""
_MAX_CODE_LENGTH: Final = 4
_MIN_CODED_LENGTH: Final = 3
_ANSWERS: Final = frozenset(("y", "n", "t", "f", "yes", "no", "true", "fals", "on", "off", "x", "na", "n/a"))
"""Short forms that are answers and no codes."""
_UNIT: Final = late_patterns.pattern(
    rf"[{CJK}]|\d+|[^\W\d_{CJK}]{{1,2}}(?:\+{{1,2}}|#|-(?=[\s{CJK}]|$))(?![^\W{CJK}])|[^\W\d_{CJK}]+"
)
"""A unit of a text; a short name keeps its sign: A+ is not A-."""
_INDEXED_KINDS: Final = frozenset(("name", "category", "code", "flag", "text", "key", "reference", "other"))


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
    """Glosses of several words for a Chinese word, as stems; without any, those of its two parts combined."""
    glosses = glosses_of(chinese)
    if glosses:
        return tuple(words for gloss in glosses[:_MAX_GLOSSES] if len(words := tuple(gloss.split())) > 1)
    for cut in sorted(range(1, len(chinese)), key=lambda at: abs(len(chinese) - 2 * at)):
        first, second = (glosses_of(part)[:_MAX_GLOSSES] for part in (chinese[:cut], chinese[cut:]))
        if first and second:
            return tuple(
                (*first_gloss.split(), *second_gloss.split()) for first_gloss in first for second_gloss in second
            )
    return ()


Places = dict[Ref, dict[Any, None]]


class ValueIndex(Struct):
    """Literals of columns by key; keys are units joined by spaces.

    Attributes:
        whole: Literals by all units of the value.
        stems: Literals by the stems of all units.
        parts: Literals by the stem of a single word; Chinese values by pairs of characters.
        concepts: Literals by concept of the lexicon, for columns with few values.
        glosses: Chinese literals by their English glosses, for columns with few values.
        sounds: Chinese literals by their pronunciation without tones.
        heard: Chinese literals by the pronunciation of their beginnings, with those, for columns with few values.
        codes: Literals by their first letter, for columns of abbreviations.
        states: Literals by state, and by whether they name it or its opposite, for columns with few values.
        words: Words of all values, for corrections of typos.
        small: Columns with few values.
        sorted_keys: The keys of `whole` in order.
    """

    whole: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    stems: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    parts: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    concepts: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    glosses: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    sounds: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    heard: dict[str, dict[Ref, dict[Any, str]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    codes: dict[str, Places] = field(default_factory=lambda: defaultdict(lambda: defaultdict(dict)))
    states: dict[str, dict[Ref, dict[bool, list[Any]]]] = field(default_factory=lambda: defaultdict(dict))
    words: dict[str, None] = field(default_factory=dict)
    small: set[Ref] = field(default_factory=set)
    sorted_keys: list[str] = field(default_factory=list)

    def find(self, units: Sequence[str]) -> Iterator[Hit]:
        """Values that units may stand for; for each column only by the best kind of link."""
        key = " ".join(units)
        found_refs: set[Ref] = set()
        kinds_of_link: tuple[tuple[Places | None, float, How], ...] = (
            (self.whole.get(key), 1.0, "exact"),
            (self.stems.get(_stems(units)), 0.92, "stem"),
            (self._with_prefix(units), _PREFIX, "prefix"),
        )
        for places, score, how in kinds_of_link:
            for ref, values in (places or {}).items():
                if ref not in found_refs and (how != "prefix" or len(values) <= MAX_FORMS):
                    found_refs.add(ref)
                    is_first_word = how == "prefix" and len(values) == 1 and _begins_with(next(iter(values)), units)
                    yield Hit(ref, tuple(values)[:MAX_FORMS], _FIRST_WORD if is_first_word else score, how)
        for ref, values in self._with_part(units).items():
            if ref not in found_refs and values:
                share = len(key) / max(len(" ".join(units_of(text_of(value)))) for value in values)
                yield Hit(ref, tuple(values), min(_MAX_PART_SCORE, 0.36 + 0.6 * share), "part")

    def by_concept(self, concept: str, *, chinese: bool) -> Iterator[Hit]:
        """Values with a concept of the lexicon, in the other language: in one, cars may be vans, and fleets as well."""
        is_value = "value" in lexicon().kinds.get(concept, ())
        for ref, values in self.concepts.get(concept, {}).items():
            others = tuple(value for value in values if is_value or has_cjk(str(value)) != chinese)
            if others:
                yield Hit(ref, others, 0.75 if is_value else 0.6, "concept")

    def by_pronunciation(self, words: Sequence[str]) -> Iterator[Hit]:
        """Chinese values that are pronounced like these words: hangzhou, wang fang."""
        for ref, values in self.sounds.get("".join(words), {}).items():
            yield Hit(ref, tuple(values), 0.85, "gloss")

    def pronounced_like(self, chinese: str) -> Iterator[Hit]:
        """Latin values that are spelt like the pronunciation of a Chinese word."""
        for hit in self.find((sound,)) if (sound := sounds_of(chinese)) else ():
            if hit.how in ("exact", "part"):
                yield Hit(hit.ref, hit.values, 0.75 * hit.score, "gloss")

    def misspelt(self, chinese: str) -> Iterator[Hit]:
        """Chinese values that a word with wrong characters of the same sound means: 瑞幸咖啡 for 瑞辛咖啡."""
        for ref, beginnings in self.heard.get(typed_sound(chinese), {}).items():
            values = tuple(value for value, beginning in beginnings.items() if is_homophone(chinese, beginning))
            if 0 < len(values) <= MAX_FORMS:
                yield Hit(ref, values, _MISSPELT, "typo")

    def by_code(self, words: Sequence[str], senses: Sequence[Sense]) -> Iterator[Hit]:
        """Values that abbreviate a word, or are the initials of several: DL for delayed, OT for on time."""
        if any(not word.isalpha() or not word.isascii() for word in words):
            return
        initials = "".join(word[0] for word in words)
        is_value = any(sense.holds is not None or "value" in lexicon().kinds[sense.concept] for sense in senses)
        if senses and not is_value and not any(_is_noun(sense) for sense in senses):
            return
        for ref, values in self.codes.get(initials[0], {}).items():
            values_by_score: dict[float, list[Any]] = defaultdict(list)
            for value in values:
                if score := _code_score(str(value).lower(), words, initials, is_value=is_value):
                    values_by_score[score].append(value)
            if values_by_score:
                yield Hit(ref, tuple(values_by_score[max(values_by_score)]), max(values_by_score), "abbreviation")

    def by_gloss(self, gloss: str, *, chinese: bool) -> Iterator[Hit]:
        """English values that are a gloss of a Chinese word, or Chinese values with that gloss."""
        places = self.stems if chinese else self.glosses
        for ref, values in places.get(gloss, {}).items():
            yield Hit(ref, tuple(values), 0.7, "gloss")

    def by_partial_gloss(self, chinese: str) -> Iterator[Hit]:
        """English values that share a word with a gloss of a compound: beans for 咖啡豆, the cold store for 冷库."""
        best: dict[Ref, dict[Any, float]] = defaultdict(dict)
        for phrase in compounds(chinese):
            for at, word in enumerate(phrase):
                part_score = _HEAD_OF_GLOSS if at == len(phrase) - 1 else _OTHER_OF_GLOSS
                for places in (self.stems.get(word, {}), self.parts.get(word, {})):
                    for ref in filter(self.small.__contains__, places):
                        for value in places[ref]:
                            best[ref][value] = max(part_score, best[ref].get(value, 0.0))
        for ref, values in best.items():
            score = max(values.values())
            best_values = tuple(value for value, value_score in values.items() if value_score == score)
            if len(best_values) == 1:
                yield Hit(ref, best_values, score, "gloss")

    def _with_prefix(self, units: Sequence[str]) -> Places:
        """Values that begin with these units: at least four letters of one Latin word, or two Chinese characters."""
        key = "".join(units) if units and has_cjk(units[0]) else " ".join(units)
        if len(key) < 2 + 2 * key.isascii() or (key.isascii() and len(units) > 1):
            return {}
        key = " ".join(units)
        places: Places = defaultdict(dict)
        position = bisect_left(self.sorted_keys, key)
        for candidate in self.sorted_keys[position : position + 4 * MAX_FORMS]:
            if not candidate.startswith(key):
                break
            for ref, values in self.whole[candidate].items():
                places[ref].update(values)
        return places

    def _with_part(self, units: Sequence[str]) -> Places:
        """Values that contain these units, for columns in which few values do."""
        keys = list(_part_keys(units))
        if not keys or any(key not in self.parts for key in keys):
            return {}
        other_places = [self.parts[key] for key in keys[1:]]
        joined = f" {_stems(units)} "
        places_found: Places = {}
        for ref, values in self.parts[keys[0]].items():
            if len(values) > 40 * MAX_FORMS or any(ref not in places for places in other_places):
                continue
            matches = [
                value for value in values
                if len(keys) == 1 or joined in f" {_stems(units_of(text_of(value)))} "
            ]  # fmt: skip
            if 0 < len(matches) <= MAX_FORMS:
                places_found[ref] = dict.fromkeys(matches)
        return places_found


def _begins_with(value: Any, units: Sequence[str]) -> bool:
    """Whether whole words of a value come first: ``paypal`` of PayPal Express Checkout, but not 放映 of 放映机."""
    return not has_cjk(units[0]) and tuple(units_of(text_of(value))[: len(units)]) == tuple(units)


def _is_noun(sense: Sense) -> bool:
    return sense.in_names and not sense.degree and "date" not in lexicon().kinds[sense.concept]


def _code_score(code: str, words: Sequence[str], initials: str, *, is_value: bool) -> float:
    """The score of an abbreviation of words, 0.0 if it is none; single letters only count for words of values."""
    if len(words) > 1:
        return 0.6 if code == initials else 0.0
    word = words[0]
    if len(code) == 1:
        return 0.42 if is_value else 0.0
    if len(word) < len(code) + 1 or len(word) < _MIN_CODED_LENGTH:
        return 0.0
    if word.startswith(code):
        return 0.6
    consonants = [letter for letter in word[1:] if letter not in "aeiou"]
    if len(code) == 2:
        return 0.55 if code[1] in (word[-1], *consonants[:1]) else 0.0
    remaining = iter(word[1:])
    return 0.55 if all(letter in remaining for letter in code[1:]) and not set(code[1:]) & set("aeiou") else 0.0


def _stems(units: Sequence[str]) -> str:
    return " ".join(map(root, units))


_TITLES: Final = frozenset(("mr", "mrs", "ms", "miss", "mx", "dr", "prof", "sir", "madam", "rev", "capt", "sgt", "st"))
"""Titles of persons, which identify nobody."""


def _part_keys(units: Sequence[str]) -> Iterator[str]:
    for at, unit in enumerate(units):
        if not has_cjk(unit):
            if len(unit) > 1 and unit not in _TITLES:
                yield root(unit)
        elif at + 1 < len(units) and has_cjk(units[at + 1]):
            yield unit + units[at + 1]


def value_index(catalogue: Catalogue) -> ValueIndex:
    """The index of the values of all columns that may be looked up, roles included."""
    index = ValueIndex()
    for table in catalogue.tables.values():
        for column in table.columns:
            if _is_indexed(column):
                _add(index, column)
    index.sorted_keys = sorted(index.whole)
    return index


def _is_indexed(column: ColumnInfo) -> bool:
    return column.kind in _INDEXED_KINDS and not column.encoding


def _add(index: ValueIndex, column: ColumnInfo) -> None:
    is_small = column.kind in ("category", "flag", "name", "code", "text") and 0 < column.distinct <= FEW
    if _has_codes_only(column):
        for value, _ in column.values:
            if value:
                index.codes[str(value)[0].lower()][column.ref][value] = None
    if is_small:
        index.small.add(column.ref)
    for value, text in (*((value, text_of(value)) for value, _ in column.values), *column.labels):
        if value is None or len(text) > MAX_VALUE_LENGTH:
            continue
        units = units_of(text)
        if not units:
            continue
        index.whole[" ".join(units)][column.ref][value] = None
        if not isinstance(value, str) and text == text_of(value):
            continue
        index.words.update((unit, None) for unit in units if len(unit) > 3 and unit.isalpha() and not has_cjk(unit))
        index.stems[_stems(units)][column.ref][value] = None
        if len(units) > 1:
            for key in _part_keys(units):
                index.parts[key][column.ref][value] = None
        if len(units) <= 4 and (sound := sounds_of("".join(units))):
            index.sounds[sound][column.ref][value] = None
        if is_small:
            _add_sounds(index, column.ref, value, units)
        if is_small and len(units) <= 8:
            _add_meaning(index, column.ref, value, units)
            if text.isascii() and len(name_parts := name_words(text)) > 1 and name_parts != units:
                # AsstProf is an assistant professor, LOW_BATT a low battery.
                index.stems[_stems(name_parts)][column.ref][value] = None


def _add_sounds(index: ValueIndex, ref: Ref, value: str, units: Sequence[str]) -> None:
    """Index the Chinese beginnings of a value, of two characters and more, by their sound."""
    beginning = ""
    for unit in units[:_LONGEST_MISSPELT]:
        if not has_cjk(unit):
            break
        beginning += unit
        if len(beginning) > 1 and (sound := typed_sound(beginning)):
            index.heard[sound][ref][value] = beginning


def _has_codes_only(column: ColumnInfo) -> bool:
    """Whether a column holds only abbreviations: a few values of at most four letters, not all with a known meaning."""
    values = [value for value, _ in column.values if value]
    texts = {str(value).lower() for value in values}
    if texts <= _ANSWERS or all(text in lexicon().codes for text in texts):
        return False
    return 1 < len(values) <= FEW and all(
        isinstance(value, str) and len(value) <= _MAX_CODE_LENGTH and value.isascii() and value.isalpha()
        for value in values
    )


def _add_meaning(index: ValueIndex, ref: Ref, value: Any, units: Sequence[str]) -> None:
    """Index a value by the concepts, states and glosses of the units of its text."""
    is_chinese = has_cjk("".join(units))
    words = ["".join(units)] if is_chinese else list(units)
    is_state = _is_state(words)
    for sense in (*senses_of(words), *(lexicon().codes.get(words[0], ()) if len(words) == 1 else ())):
        if sense.degree or sense.holds is not None or not _is_value(sense.concept, words):
            continue
        # What is paid is in a state; it is no payment.
        if not is_state or "value" in lexicon().kinds[sense.concept]:
            index.concepts[sense.concept][ref][value] = None
    for concept, holds in states_of(words) if is_state else ():
        index.states[concept].setdefault(ref, {}).setdefault(holds, []).append(value)
    if is_chinese:
        for gloss in glosses_of(words[0]):
            index.glosses[gloss][ref][value] = None


def _is_value(concept: str, words: Sequence[str]) -> bool:
    kinds = lexicon().kinds[concept]
    if concept == "person":
        # Every person is one, so the concept does not distinguish values.
        return False
    return "value" in kinds or (len(words[0]) > 1 and bool(kinds & {"thing", "person", "place"}))


def _is_state(words: Sequence[str]) -> bool:
    return any(sense.holds is not None for sense in senses_of(words))


def gloss_key(words: Sequence[str]) -> str:
    """The key of English words in the index of glosses."""
    return key_of(words)
