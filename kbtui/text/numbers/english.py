"""Numbers in English words: ``two hundred and five``, ``one and a half million``, ``twenty-third``, ``two thirds``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Final

from msgspec import Struct

from kbtui.text.numbers.figures import LITERAL
from kbtui.text.numbers.span import Kind, NumberSpan, vocabulary

_TOKEN: Final = re.compile(rf"[a-z]+|{LITERAL}")
_TIGHT: Final = re.compile(r"[ \t]|[ \t]?-[ \t]?")
_LOOSE: Final = re.compile(r",?[ \t]|[ \t]?-[ \t]?")
_MAX_SCALE: Final = 15
_MAX_WORDS: Final = 30
"""Words of the longest number."""


class _Words(Struct, frozen=True):
    units: dict[str, int]
    tens: dict[str, int]
    scales: dict[str, int]
    ordinals: dict[str, int]
    cardinals: dict[str, str]
    multipliers: dict[str, int]
    fractions: dict[str, int]
    percent: re.Pattern[str]
    any_word: re.Pattern[str]


@cache
def _words() -> _Words:
    table = vocabulary("en")
    units = {word: value for value, word in enumerate(table["units"].split())}
    tens = {word: 10 * value for value, word in enumerate(table["tens"].split(), 2)}
    ordinals = {word: value for value, word in enumerate(table["ordinals"].split(), 1)}
    ordinals |= {word: 10 * value for value, word in enumerate(table["tens_ordinals"].split(), 2)}
    for wrong, right in table["misspelt"].items():
        for known in (tens, ordinals):
            if right in known:
                known[wrong] = known[right]
    scales = dict(table["scales"])
    small = {value: word for word, value in (units | tens).items()}
    ordinals |= {f"{word}th": 10**power for word, power in scales.items()}
    all_words = {*units, *tens, *scales, *ordinals, *table["multipliers"], *table["fractions"], "dozen"}
    return _Words(
        units,
        tens,
        scales,
        ordinals,
        {word: small.get(value) or word.removesuffix("th") for word, value in ordinals.items()},
        table["multipliers"],
        table["fractions"],
        re.compile(rf"[ \t]?(?:%|(?:{'|'.join(table['percent'].split())})\b)", re.A),
        re.compile(rf"\b(?:{'|'.join(sorted(all_words, key=len, reverse=True))})\b", re.A),
    )


class _ReadNumber(Struct, frozen=True):
    """A number that was read, and the token after it; without a value, words that make no one number."""

    value: Fraction | None
    after: int
    kind: Kind = "cardinal"


def english(text: str, original: str) -> Iterator[NumberSpan]:
    """The numbers in English words of ``text`` (see `read_numbers`), each with its words in ``original``."""
    if _words().any_word.search(text) is not None:
        yield from _Reader(text, original).spans()


class _Reader:
    """Reads number after number from the tokens of a text: words and digits, which may stand before a scale."""

    def __init__(self, text: str, original: str) -> None:
        self._text = text
        self._original = original
        self._words = _words()
        self._as_cardinal = -1
        self._bare = text.strip()
        self._tokens = list(_TOKEN.finditer(text))

    def spans(self) -> Iterator[NumberSpan]:
        at = 0
        while at < len(self._tokens):
            read = self._number(at) if self._is_begun(at) else None
            if read is None:
                at += 1
                continue
            span = self._span(at, read)
            at = read.after
            if span is not None:
                yield span

    def _is_begun(self, at: int) -> bool:
        """Nothing that goes on from a word or a number before it: x-two, 3.two."""
        start = self._tokens[at].start()
        return start == 0 or re.match(r"[\w.]", self._text[start - 1], re.A) is None

    def _word(self, at: int) -> str:
        word = self._tokens[at][0] if 0 <= at < len(self._tokens) else ""
        return self._words.cardinals.get(word, word) if at == self._as_cardinal else word

    def _joins(self, at: int, gap: re.Pattern[str] = _TIGHT) -> bool:
        """Whether a token follows the one before it with nothing but a space or hyphen between."""
        if not 0 < at < len(self._tokens):
            return False
        return gap.fullmatch(self._text, self._tokens[at - 1].end(), self._tokens[at].start()) is not None

    def _follows(self, at: int, *words: str) -> bool:
        return self._joins(at) and self._word(at) in words

    def _span(self, at: int, read: _ReadNumber) -> NumberSpan | None:
        start, end = self._tokens[at].start(), self._tokens[read.after - 1].end()
        value, kind = read.value, read.kind
        if value is None or self._ends_in_word(end):
            return None
        if kind == "cardinal" and (percent := self._words.percent.match(self._text, end)):
            end, value, kind = percent.end(), value / 100, "percent"
        written = self._text[start:end]
        if not self._is_number(written, at, read.after):
            return None
        return NumberSpan(start=start, end=end, text=self._original[start:end], value=value, kind=kind, in_words=True)

    def _ends_in_word(self, end: int) -> bool:
        """``one's``, ``two_way`` and ``three3`` are no numbers."""
        return re.match(r"\w|['’]s", self._text[end : end + 2], re.A) is not None

    def _is_number(self, written: str, at: int, after: int) -> bool:
        """False for a pronoun, a conjunction, the unit of time and other words that only look like a number."""
        table = vocabulary("en")
        before, following = (
            self._word(at - 1) if self._joins(at) else "",
            self._word(after) if self._joins(after) else "",
        )
        alone = self._bare == written
        if written in ("one", "once"):
            counted = before in table["counts_after"].split()
            counted = counted or (
                written == "one" and following in table["counts_before"].split() and following != "and"
            )
            return alone or counted or self._beside_sign(at, after)
        if written == "second":
            return alone or before in table["second_after"].split() or following in table["second_before"].split()
        if written in self._words.ordinals:
            behind = f"{following}-{self._word(after + 1)}"
            no_ordinal = table["no_ordinal_before"].split()
            return before not in table["no_ordinal_after"].split() and not {following, behind} & set(no_ordinal)
        return True

    def _beside_sign(self, at: int, after: int) -> bool:
        """An operator or comparison next to it: ``1 + one``, ``= one``."""
        start, end = self._tokens[at].start(), self._tokens[after - 1].end()
        return bool(
            re.search(r"[-+*/=<>×÷]\s*$", self._text[max(0, start - 4) : start])
            or re.match(r"\s*[-+*/=<>×÷]\s*\w", self._text[end : end + 6])
        )

    # Grammar: each method reads from token ``at`` on, or says None. ------------------------------------------------

    def _number(self, at: int) -> _ReadNumber | None:
        word = self._word(at)
        if word in self._words.multipliers:
            return _ReadNumber(Fraction(self._words.multipliers[word]), at + 1, "multiplier")
        for rule in (self._share, self._halved, self._year, self._ordinal, self._cardinal):
            read = rule(at)
            if read is not None:
                return read
        return None

    def _below_hundred(self, at: int) -> tuple[int, int] | None:
        word = self._word(at)
        if word in self._words.tens:
            value = self._words.tens[word]
            digit = self._words.units.get(self._word(at + 1), 0) if self._joins(at + 1) else 0
            return (value + digit, at + 2) if 0 < digit < 10 else (value, at + 1)
        return (self._words.units[word], at + 1) if word in self._words.units else None

    def _group(self, at: int) -> tuple[Fraction, int] | None:
        """A number below a thousand, or as many hundreds as people count (``fifteen hundred``)."""
        if self._word(at) == "hundred":
            value, after = 1, at
        elif self._word(at) in ("a", "an") and self._follows(at + 1, "hundred"):
            value, after = 1, at + 1
        elif (below_hundred := self._below_hundred(at)) is not None:
            value, after = below_hundred
        else:
            return None
        if not (self._word(after) == "hundred" and (after == at or self._joins(after))) or value == 0:
            return (Fraction(value), after) if after > at else None
        value, after = value * 100, after + 1
        rest = self._rest(after)
        return (Fraction(value + rest[0]), rest[1]) if rest else (Fraction(value), after)

    def _rest(self, after: int) -> tuple[int, int] | None:
        """What follows a hundred: ``and five``, ``twenty``; none where it begins a number of its own."""
        at = after + 1 if self._follows(after, "and") else after
        below_hundred = self._below_hundred(at) if self._joins(at) else None
        if below_hundred is None or below_hundred[0] == 0 or (self._follows(below_hundred[1], "hundred")):
            return None
        return below_hundred

    def _scale_at(self, at: int) -> int:
        """The power of ten of a thousand, million … that joins what stands before it; 0 for none."""
        power = self._words.scales.get(self._word(at), 0) if self._joins(at) else 0
        return power if power > 2 else 0

    def _cardinal(self, at: int) -> _ReadNumber | None:
        first = self._first(at)
        if first is None:
            return None
        value, after = first
        if self._follows(after, "point") and (decimals := self._decimals(after + 1)):
            digits, after = decimals
            value += Fraction(int(digits), 10 ** len(digits))
        elif (half := self._and_part(after)) is not None:
            value, after = value + half[0], half[1]
        if self._follows(after, "dozen"):
            return _ReadNumber(value * 12, after + 1)
        total, smallest = Fraction(0), _MAX_SCALE
        # A bare thousand begins with its scale.
        while power := self._words.scales.get(self._word(at), 0) if after == at else self._scale_at(after):
            if power >= smallest:
                return None
            total, smallest, value, after = total + value * 10**power, power, Fraction(0), after + 1
            if (half := self._and_part(after)) is not None:
                total, after = total + half[0] * 10**power, half[1]
                break
            following = after + 1 if self._follows(after, "and") else after
            group = self._group(following) if self._joins(following, _LOOSE) else None
            if group is None or group[0] == 0 or group[0] >= 10**smallest:
                break
            if not self._scale_at(group[1]) and group[0] >= 1000:
                break
            value, after = group
        return _ReadNumber(total + value, after)

    def _first(self, at: int) -> tuple[Fraction, int] | None:
        word = self._word(at)
        is_article = word in ("a", "an")
        if word == "dozen" or (is_article and self._follows(at + 1, "dozen")):
            return (Fraction(1), at + 1) if is_article else None
        if word[:1].isdigit():
            digits = word.replace(",", "")
            starts = self._scale_at(at + 1) or self._follows(at + 1, "dozen", "hundred")
            if not starts or len(digits) > 300:
                return None
            value, after = Fraction(digits), at + 1
            if self._follows(after, "hundred"):
                value, after = value * 100, after + 1
                rest = self._rest(after)
                return (value + rest[0], rest[1]) if rest else (value, after)
            return value, after
        if self._words.scales.get(word, 0) > 2:
            # A bare million counts as one, but not one of a unit: per thousand.
            return None if self._word(at - 1) in ("per", "by", "the") else (Fraction(1), at)
        if is_article and self._scale_at(at + 1):
            return Fraction(1), at + 1
        return self._group(at)

    def _decimals(self, at: int) -> tuple[str, int] | None:
        digits = ""
        while self._joins(at) and 0 <= self._words.units.get(self._word(at), 99) < 10:
            digits += str(self._words.units[self._word(at)])
            at += 1
        return (digits, at) if digits else None

    def _and_part(self, after: int) -> tuple[Fraction, int] | None:
        """``and a half``, ``and three quarters``, behind a whole number."""
        if not self._follows(after, "and"):
            return None
        article = self._follows(after + 1, "a", "an", "one")
        count = 1 if article else self._words.units.get(self._word(after + 1), 0) if self._joins(after + 1) else 0
        below = self._words.fractions.get(self._word(after + 2), 0) if self._joins(after + 2) else 0
        is_part = count > 0 and below > count and self._word(after + 2).rstrip("s") in ("half", "quarter", "third")
        return (Fraction(count, below), after + 3) if is_part else None

    def _halved(self, at: int) -> _ReadNumber | None:
        """``half a million``, ``half a dozen``, ``a quarter million``."""
        start = at + 1 if self._word(at) == "a" else at
        if self._word(start) not in ("half", "quarter") or (start > at and not self._joins(start)):
            return None
        part = Fraction(1, self._words.fractions[self._word(start)])
        after = start + 2 if self._follows(start + 1, "a", "an") else start + 1
        if after == start + 1 and start == at:
            return None
        if self._follows(after, "dozen"):
            return _ReadNumber(part * 12, after + 1)
        power = self._scale_at(after)
        return _ReadNumber(part * 10**power, after + 1) if power else None

    def _share(self, at: int) -> _ReadNumber | None:
        """``two thirds``, ``a third of``, ``three quarters``, ``half of``."""
        word = self._word(at)
        if word == "half" and self._follows(at + 1, "of"):
            return _ReadNumber(Fraction(1, 2), at + 1, "fraction")
        if word in ("a", "an", "one"):
            below = self._words.fractions.get(self._word(at + 1), 0) if self._joins(at + 1) else 0
            is_share = (word == "one" and below < 100) or self._follows(at + 2, "of")
            is_part = below > 1 and is_share and not self._scale_at(at + 2)
            return _ReadNumber(Fraction(1, below), at + 2, "fraction") if is_part else None
        count = self._words.units.get(word, 0)
        part = self._word(at + 1) if self._joins(at + 1) else ""
        if 1 < count < 20 and part.endswith("s") and self._words.fractions.get(part, 0) > count:
            return _ReadNumber(Fraction(count, self._words.fractions[part]), at + 2, "fraction")
        return None

    def _ordinal(self, at: int) -> _ReadNumber | None:
        """``third``, ``twenty-third``, ``two thousand and first``: a cardinal whose last word is an ordinal."""
        if self._word(at) in self._words.ordinals:
            value = self._words.ordinals[self._word(at)]
            is_part = value >= 1000 and self._word(at - 1) in ("per", "a", "one")
            return None if is_part else _ReadNumber(Fraction(value), at + 1, "ordinal")
        last = at + 1
        while (
            last < at + _MAX_WORDS
            and self._joins(last, _LOOSE)
            and self._words.any_word.fullmatch(self._word(last) or "-")
        ):
            if self._word(last) in self._words.ordinals:
                break
            last += 2 if self._follows(last + 1, "and") else 1
        if self._word(last) not in self._words.ordinals or self._is_unit_of_time(at, last):
            return None
        self._as_cardinal = last
        read = self._cardinal(at)
        self._as_cardinal = -1
        return _ReadNumber(read.value, read.after, "ordinal") if read is not None and read.after == last + 1 else None

    def _is_unit_of_time(self, at: int, last: int) -> bool:
        """A thirty-second limit is 30 seconds, the thirty-second row the 32nd."""
        if self._word(last) != "second" or self._word(last - 1) not in self._words.tens:
            return False
        table = vocabulary("en")
        following = self._word(last + 1) if self._joins(last + 1) else ""
        is_apart = self._text[self._tokens[last].start() - 1] != "-"
        is_second = self._word(at - 1) in table["second_after"].split() or following in table["second_before"].split()
        return is_apart or not (is_second or not following)

    def _year(self, at: int) -> _ReadNumber | None:
        """``nineteen ninety-nine``: a year, and neither one number nor two."""
        first = self._below_hundred(at)
        if first is None or not 13 <= first[0] <= 20:
            return None
        second = self._below_hundred(first[1]) if self._joins(first[1]) else None
        if (
            second is None
            or second[0] < 10
            or "-" in self._text[self._tokens[first[1] - 1].end() : self._tokens[first[1]].start()]
        ):
            return None
        return _ReadNumber(None, second[1])
