"""The hard facts of a sentence: numbers, names, identifiers, quotations. Each has to stand in the lines it rests on.

A paraphrase may change every other word; it may not change these. What may be style (“two ways”, a capital at the start
of a sentence) is `weak`: it counts as evidence and decides nothing alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal

from kbtui.reasoning.checking.aliases import aliases
from kbtui.reasoning.checking.capitals import JOINING, WORD, capital_runs
from kbtui.reasoning.checking.labels import without_labels
from kbtui.reasoning.checking.numerals import Number, clock_times, measure, normal, numbers, times
from kbtui.text.calendar import MONTH_NUMBERS
from kbtui.text.language import has_cjk
from kbtui.text.numbers import value_of
from kbtui.text.patterns import Patterns
from kbtui.text.stop_words import ENGLISH
from kbtui.text.tokenise import stem, tokens

FactKind = Literal["number", "name", "identifier", "quote"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that has to be there word for word, or as the same value.

    Attributes:
        kind: What it is.
        text: As written.
        value: What is compared.
        start: Offset in the normalised sentence.
        weak: It may be style; alone it decides nothing.
        likely: How likely it is a name at all, 0 to 1: any word may begin a sentence.
        measure: What a number counts, where that is a measure (``percent``, ``day``).
        nearly: How far a number may be from the one it stands for: half a digit of “1.2 million”, more of “about 300”;
            0 where it has to be the very number.
    """

    kind: FactKind
    text: str
    value: str
    start: int = 0
    weak: bool = False
    likely: float = 1.0
    measure: str = ""
    nearly: float = 0.0


_RE: Final = Patterns(__package__, "facts.toml")
# A letter between digits is a part of them: the T of 2024-01-02T13:00.
_FINITE: Final = re.compile(
    r"(?:is|was|has|had|did|does|will|would|can|could|may|might|must|became|began|said|made|won|wrote)"
)
_ABOUT: Final = 0.06
"""How far off “about” may be."""

_LEAST_NEAR: Final = 10.0
_HEAD: Final = 4
_TOO_LONG_FOR_CHANCE: Final = 8
"""Digits that do not stand in a text by chance."""

_PUNCTUATION = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "‐": "-", "−": "-", "\u00a0": " "}
)


def facts(marked: str) -> list[Fact]:
    """The hard facts of a sentence.

    Args:
        marked: The sentence as Markdown, without citation marks: code spans say what is an identifier.
    """
    text = normal(marked)
    found: list[Fact] = []
    taken: list[tuple[int, int]] = []

    def add(match: re.Match[str], written: str) -> None:
        found.append(Fact(kind="identifier", text=written, value=folded(written), start=match.start()))
        taken.append(match.span())

    for match in _RE.code.finditer(text):
        add(match, match[1].strip())
    bare = _RE.code.sub(lambda match: " " * len(match[0]), text)
    bare = re.sub(r"[*]{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)", lambda match: " " * len(match[0]), bare)
    for match in _RE.identifier.finditer(bare):
        written = match[0].rstrip(".,;:")
        if not _RE.not_identifier.match(written) and not _is_inside(match.start(), taken):
            add(match, written)
    # A time is compared as a time, and its digits are no numbers beside it: 3 pm is 15:00.
    clock = clock_times(bare)
    hours = [(start, end) for start, end, _ in clock]
    found += [
        Fact(
            kind="number",
            text=number.text,
            value=number.value,
            start=number.start,
            weak=number.spelled,
            measure=measure(bare, number.start, number.end),
            nearly=_nearly(bare, number),
        )
        for number in numbers(bare)
        if not _is_inside(number.start, taken) and not _is_inside(number.start, hours)
    ]
    found += [
        Fact(kind="number", text=bare[start:end].strip(" ."), value=time, start=start) for start, end, time in clock
    ]
    for match in _RE.quoted.finditer(bare):
        written = next(filter(None, match.groups()))
        if len(written.split()) > 1 or has_cjk(written):
            found.append(Fact(kind="quote", text=written, value=folded(written), start=match.start()))
    # “Three tickets are open” begins with a number, and with no name.
    counted = [(fact.start, fact.start + 1) for fact in found if fact.kind == "number"]
    found += [
        name
        for name in _names(bare)
        if not _is_inside(name.start, taken)
        and not (name.weak and (_is_inside(name.start, counted) or value_of(name.value) is not None))
    ]
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class Ground:
    """What a passage holds, ready to look facts up in. Each way of looking is prepared when it is first needed.

    Attributes:
        plain: Its text, normalised.
        stated: The same with its title and headings, without paths: where numbers count.
        whole: All of it, with what it is called by.
    """

    plain: str
    stated: str
    whole: str

    @cached_property
    def folded(self) -> str:
        """All of it in lower case, white space and quotes alike."""
        return folded(self.whole)

    @cached_property
    def easy(self) -> str:
        """All of it in lower case without punctuation."""
        return _RE.easy.sub(" ", self.whole.lower())

    @cached_property
    def squashed(self) -> str:
        """The same without spaces."""
        return self.easy.replace(" ", "")

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Values of its numbers and times."""
        values = {number.value for number in numbers(self.stated)} | times(self.stated)
        # Numbers inside of identifiers, versions and dates (2024-11-02, PEP-509, v1.2) are there too.
        values |= {digits.lstrip("0") or "0" for digits in re.findall(r"\d+", self.stated)}
        return frozenset(values | set(re.findall(r"\d+(?:\.\d+)+", self.stated)))

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems and lower-case words, of its surroundings (title, headings, path) too."""
        surface = {word.lower().strip(".") for word in WORD.findall(self.whole)}
        parts = {part for word in surface for part in re.split(r"['’.&-]", word)}
        return frozenset(surface | parts | set(tokens(self.whole)))

    @cached_property
    def heads(self) -> Mapping[str, Sequence[str]]:
        """The longer of them by their first letters."""
        found: dict[str, list[str]] = {}
        for word in self.words:
            if len(word) >= _HEAD:
                found.setdefault(word[:_HEAD], []).append(word)
        return found

    @cached_property
    def initials(self) -> frozenset[str]:
        """First letters of its capitalised runs."""
        found = set()
        for run in capital_runs(self.plain):
            letters = "".join(word[0] for word in run if word[0].isupper()).lower()
            found |= {
                letters[at:end] for at in range(len(letters)) for end in range(at + 2, min(at + 8, len(letters)) + 1)
            }
        return frozenset(found)


@lru_cache(maxsize=1024)
def ground(text: str, around: str = "", label: str = "") -> Ground:
    """A passage prepared.

    Args:
        text: The lines.
        around: Title and headings: names may stand there and nowhere else.
        label: Its path: what it is called by, which says nothing about numbers.
    """
    plain = normal(text)
    return Ground(
        plain=plain,
        stated=without_labels(f"{plain}\n{normal(around)}"),
        whole=f"{plain}\n{normal(around)}\n{normal(label)}",
    )


def missing(found: Iterable[Fact], grounds: Sequence[Ground]) -> list[Fact]:
    """The facts that none of the passages holds."""
    return [fact for fact in found if not any(holds(one, fact) for one in grounds)]


def holds(place: Ground, fact: Fact) -> bool:
    match fact.kind:
        case "number":
            return (
                fact.value in place.numbers
                or (fact.nearly > 0 and _is_near(fact, place.numbers))
                # A number of a URL or a path is none, but whoever repeats it has not made it up.
                or (len(fact.value) >= _TOO_LONG_FOR_CHANCE and fact.value in place.squashed)
            )
        case "identifier":
            return _holds_identifier(place, fact.value)
        case "quote":
            return _holds_quote(place, fact)
        case "name":
            return _holds_name(place, fact)


def negations(text: str) -> int:
    """How many words of the text deny."""
    return sum(1 for _ in _RE.negation.finditer(normal(text)))


def folded(text: str) -> str:
    """Lower case, white space and quotation marks alike."""
    return _RE.space.sub(" ", normal(text).translate(_PUNCTUATION).lower()).strip()


def _nearly(text: str, number: Number) -> float:
    """How far what a number stands for may be from it; see `Fact.nearly`."""
    try:
        value = float(number.value)
    except ValueError:
        return 0.0
    if value < _LEAST_NEAR or number.spelled:
        return 0.0
    scaled = _RE.scaled.search(number.text)
    if scaled is not None:
        amount = float(scaled[1].replace(",", "") + (f".{scaled[2]}" if scaled[2] else ""))
        return 0.5 * value / amount * 10.0 ** -len(scaled[2] or "") if amount else 0.0
    # “About 1990” is a year, and a year has no margin.
    is_year = len(number.value) == 4 and number.text == number.value
    hedged = not is_year and _RE.hedge.search(text, max(0, number.start - 20), number.start)
    return _ABOUT * value if hedged else 0.0


def _is_near(fact: Fact, values: Iterable[str]) -> bool:
    wanted = float(fact.value)
    # Times (10:00), months and versions (3.11.2) are no amounts.
    amounts = (value for value in values if value.count(".") < 2 and ":" not in value and value[0].isdigit())
    return any(abs(float(value) - wanted) <= fact.nearly for value in amounts)


def _holds_identifier(place: Ground, value: str) -> bool:
    if value in place.folded:
        return True
    bare = value.strip("`'\"() ;,.$>")
    if bare and bare in place.folded:
        return True
    if len(squashed := _RE.easy.sub("", bare)) > 5 and squashed in place.squashed:
        return True
    # ``RateLimiter`` is said as “rate limiter” in prose, a command may be quoted with other arguments.
    easy = " ".join(_RE.easy.sub(" ", bare).split())
    if easy and f" {easy} " in f" {' '.join(place.easy.split())} ":
        return True
    parts = [part for part in tokens(bare) if len(part) > 1]
    return bool(parts) and " " in bare and all(part in place.words for part in parts)


def _holds_quote(place: Ground, fact: Fact) -> bool:
    if fact.value.strip(" .,;:!?。，") in place.folded:
        return True
    parts = tokens(fact.value)
    return bool(parts) and sum(part in place.words for part in parts) >= 0.8 * len(parts)


def absent_words(place: Sequence[Ground], fact: Fact) -> list[str]:
    """The words of a name that none of the passages holds."""
    parts = [part for part in fact.value.split() if part not in JOINING]
    return [part for part in parts if not any(_has_word(one, part) for one in place)]


def _holds_name(place: Ground, fact: Fact) -> bool:
    value = fact.value
    parts = [part for part in value.split() if part not in JOINING]
    if all(_has_word(place, part) for part in parts):
        return True
    if any(
        f" {' '.join(_RE.easy.sub(' ', other).split())} " in f" {place.easy} " for other in aliases(value.rstrip("."))
    ):
        return True
    # Southeast London and South East London.
    if len(squashed := _RE.easy.sub("", value)) > 5 and squashed in place.squashed:
        return True
    if len(parts) == 1:
        # Letters that stand for words (WHO, U.S.): no name is the first letters of others by chance.
        return sum(map(str.isupper, fact.text)) > 1 and parts[0].replace(".", "") in place.initials
    # A name written out whose initials the passage has (World Health Organization, WHO).
    return "".join(part[0] for part in parts) in place.words and len(parts) > 1


def _has_word(place: Ground, word: str) -> bool:
    bare = word.removesuffix("'s").removesuffix("’s").strip(".")
    if bare in place.words or stem(bare) in place.words or any(other in place.words for other in aliases(bare)):
        return True
    if any(part in place.words for part in re.split(r"['’.&-]", bare) if len(part) > 2) and re.search(r"[-&.]", bare):
        return True
    if len(bare) < 5:
        return False
    # America and American, Germany and Germans, Jordan and Jordanians: a name in another form of itself.
    bare = bare.removesuffix("s")
    head = bare[: max(_HEAD, len(bare) - 3)]
    alike = place.heads.get(bare[:_HEAD], ())
    return any(other.startswith(head) and abs(len(other) - len(bare)) <= 3 for other in alike)


def _names(text: str) -> Iterator[Fact]:
    """Runs of capitalised words; one word that begins the sentence is weak."""
    start_of_sentence, initial = True, False
    run: list[re.Match[str]] = []
    words = list(WORD.finditer(text))
    for at, match in enumerate(words):
        word = match[0]
        between = text[words[at - 1].end() : match.start()] if at else text[: match.start()]
        breaks = bool(re.search(r"[^\s]", between)) or word.lower().rstrip(".") in ENGLISH
        if re.search(r"[:|。！？]|[.!?]\s", between) or (
            at and words[at - 1][0].endswith(".") and len(words[at - 1][0]) > 3
        ):
            start_of_sentence = True
        if run and (breaks or not word[0].isupper()):
            yield from _name_of(run, initial=initial, before="" if re.search(r"\S", between) else word)
            run = []
        if word[0].isupper() and word.lower().rstrip(".") not in ENGLISH:
            if not run:
                initial = start_of_sentence
            run.append(match)
        start_of_sentence = False
    if run:
        yield from _name_of(run, initial=initial)


def _name_of(run: list[re.Match[str]], *, initial: bool, before: str = "") -> Iterator[Fact]:
    """The facts of a run; ``before`` is the word right behind it."""
    if initial and len(run) > 1:
        # “See PEP 509”, “Ask Thomas Arnold”: the first word may be any.
        yield from _name_of(run[:1], initial=True, before=run[1][0])
        yield from _name_of(run[1:], initial=False)
        return
    words = [match[0].rstrip(".").replace("’", "'") for match in run]
    lowered = [word.lower() for word in words]
    # A month is compared as a number.
    if (len(words) == 1 and len(words[0]) < 2) or all(word in MONTH_NUMBERS for word in lowered):
        return
    is_acronym = len(words) == 1 and words[0].isupper()
    yield Fact(
        kind="name",
        text=" ".join(words),
        value=" ".join(lowered),
        start=run[0].start(),
        weak=initial and not is_acronym,
        likely=_likely_name(words[0], before) if initial and not is_acronym else 1.0,
    )


def _likely_name(word: str, following: str) -> float:
    """How likely the first word of a sentence is a name: “Berlin was”, “Berlin's” are; “Deploys are”, “Using a” not."""
    if word.lower().endswith("'s") or not word.isascii():
        return 1.0
    if _RE.common_ending.search(word):
        return 0.2
    if following and (following[0].isupper() or _FINITE.fullmatch(following.lower())):
        return 0.9
    return 0.5


def _is_inside(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= offset < end for start, end in spans)
