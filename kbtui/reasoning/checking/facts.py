"""Extracts the hard facts of a sentence (numbers, names, identifiers, quotations) and looks them up in passages.

A paraphrase may change every other word, but not these. A fact that may be mere style (“two ways”, a capital at the
start of a sentence) is `weak`: it is a feature, but decides nothing by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal

from kbtui.reasoning.checking.aliases import aliases
from kbtui.reasoning.checking.capitals import JOINING_WORDS, WORD, capital_runs, likely_name
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
    """A fact that must occur in the lines literally or with the same value.

    Attributes:
        kind: Type of the fact.
        text: The fact as written.
        value: Normalised value for comparison.
        start: Offset in the normalised sentence.
        weak: It may be style, and decides nothing by itself.
        likely: Probability that it is a name, 0 to 1: any word may begin a sentence.
        measure: Unit of a number (``percent``, ``day``); empty if it has none.
        tolerance: Tolerance of a number: half a digit for “1.2 million”, more for “about 300”; 0 for exact numbers.
    """

    kind: FactKind
    text: str
    value: str
    start: int = 0
    weak: bool = False
    likely: float = 1.0
    measure: str = ""
    tolerance: float = 0.0


_RE: Final = Patterns(__package__, "facts.toml")
# A letter between digits belongs to them: the T of 2024-01-02T13:00.
_ABOUT_TOLERANCE: Final = 0.06
"""Relative tolerance of “about”."""

_MIN_TOLERANT: Final = 10.0
_HEAD: Final = 4
_MIN_UNIQUE_DIGITS: Final = 8
"""Digits from which a number does not occur in a text by chance."""

PUNCTUATION = str.maketrans(
    {"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "‐": "-", "−": "-", "\u00a0": " "}
)


def facts(marked: str) -> list[Fact]:
    """Extract the hard facts of a sentence.

    Args:
        marked: The sentence as Markdown without citation marks; code spans are identifiers.
    """
    text = normal(marked)
    extracted: list[Fact] = []
    identifier_spans: list[tuple[int, int]] = []

    def add(match: re.Match[str], written: str) -> None:
        extracted.append(Fact(kind="identifier", text=written, value=folded(written), start=match.start()))
        identifier_spans.append(match.span())

    for match in _RE.code.finditer(text):
        add(match, match[1].strip())
    prose = _RE.code.sub(lambda match: " " * len(match[0]), text)
    prose = re.sub(r"[*]{1,3}|(?<!\w)_{1,3}(?=\w)|(?<=\w)_{1,3}(?!\w)", lambda match: " " * len(match[0]), prose)
    for match in _RE.identifier.finditer(prose):
        written = match[0].rstrip(".,;:")
        if not _RE.not_identifier.match(written) and not _is_inside(match.start(), identifier_spans):
            add(match, written)
    # A time is compared as a time (3 pm is 15:00), so its digits are not numbers as well.
    clock = clock_times(prose)
    clock_spans = [(start, end) for start, end, _ in clock]
    extracted += [
        Fact(
            kind="number",
            text=number.text,
            value=number.value,
            start=number.start,
            weak=number.spelled,
            measure=measure(prose, number.start, number.end),
            tolerance=_tolerance(prose, number),
        )
        for number in numbers(prose)
        if not _is_inside(number.start, identifier_spans) and not _is_inside(number.start, clock_spans)
    ]
    extracted += [
        Fact(kind="number", text=prose[start:end].strip(" ."), value=time, start=start) for start, end, time in clock
    ]
    for match in _RE.quoted.finditer(prose):
        written = next(filter(None, match.groups()))
        if len(written.split()) > 1 or has_cjk(written):
            extracted.append(Fact(kind="quote", text=written, value=folded(written), start=match.start()))
    # “Three tickets are open” begins with a number, not with a name.
    number_spans = [(fact.start, fact.start + 1) for fact in extracted if fact.kind == "number"]
    extracted += [
        name
        for name in _names(prose)
        if not _is_inside(name.start, identifier_spans)
        and not (name.weak and (_is_inside(name.start, number_spans) or value_of(name.value) is not None))
    ]
    return extracted


@dataclass(frozen=True, kw_only=True, eq=False)
class Ground:
    """A passage indexed for looking up facts; each index is built on first use.

    Attributes:
        plain: Its normalised text.
        stated: Text, title and headings without paths; numbers are looked up here.
        whole: Text, title, headings and path.
    """

    plain: str
    stated: str
    whole: str

    @cached_property
    def folded(self) -> str:
        """`whole` in lower case, with normalised white space and quotes."""
        return folded(self.whole)

    @cached_property
    def easy(self) -> str:
        """`whole` in lower case without punctuation."""
        return _RE.easy.sub(" ", self.whole.lower())

    @cached_property
    def squashed(self) -> str:
        """`easy` without spaces."""
        return self.easy.replace(" ", "")

    @cached_property
    def numbers(self) -> frozenset[str]:
        """Values of the numbers and times in `stated`."""
        values = {number.value for number in numbers(self.stated)} | times(self.stated)
        # Also the numbers inside identifiers, versions and dates (2024-11-02, PEP-509, v1.2).
        values |= {digits.lstrip("0") or "0" for digits in re.findall(r"\d+", self.stated)}
        return frozenset(values | set(re.findall(r"\d+(?:\.\d+)+", self.stated)))

    @cached_property
    def words(self) -> frozenset[str]:
        """Stems and lower-case words of `whole`."""
        surface = {word.lower().strip(".") for word in WORD.findall(self.whole)}
        parts = {part for word in surface for part in re.split(r"['’.&-]", word)}
        return frozenset(surface | parts | set(tokens(self.whole)))

    @cached_property
    def heads(self) -> Mapping[str, Sequence[str]]:
        """The longer of `words` by their first letters."""
        by_prefix: dict[str, list[str]] = {}
        for word in self.words:
            if len(word) >= _HEAD:
                by_prefix.setdefault(word[:_HEAD], []).append(word)
        return by_prefix

    @cached_property
    def initials(self) -> frozenset[str]:
        """Initials of its capitalised runs and of parts of them."""
        initials = set()
        for run in capital_runs(self.plain):
            letters = "".join(word[0] for word in run if word[0].isupper()).lower()
            initials |= {
                letters[at:end] for at in range(len(letters)) for end in range(at + 2, min(at + 8, len(letters)) + 1)
            }
        return frozenset(initials)


@lru_cache(maxsize=1024)
def ground(text: str, around: str = "", label: str = "") -> Ground:
    """Index a passage.

    Args:
        text: Its lines.
        around: Title and headings, which may be the only place of a name.
        label: Its path, which counts for names but not for numbers.
    """
    plain = normal(text)
    return Ground(
        plain=plain,
        stated=without_labels(f"{plain}\n{normal(around)}"),
        whole=f"{plain}\n{normal(around)}\n{normal(label)}",
    )


def missing(candidates: Iterable[Fact], sources: Sequence[Ground]) -> list[Fact]:
    """The facts that occur in none of the passages."""
    return [fact for fact in candidates if not any(holds(source, fact) for source in sources)]


def holds(source: Ground, fact: Fact) -> bool:
    """Whether a passage contains a fact."""
    match fact.kind:
        case "number":
            return (
                fact.value in source.numbers
                or (fact.tolerance > 0 and _is_near(fact, source.numbers))
                # A number in a URL or path is not a fact of the passage, but repeating it is no invention.
                or (len(fact.value) >= _MIN_UNIQUE_DIGITS and fact.value in source.squashed)
            )
        case "identifier":
            return _holds_identifier(source, fact.value)
        case "quote":
            return _holds_quote(source, fact)
        case "name":
            return _holds_name(source, fact)


def folded(text: str) -> str:
    """The text in lower case with normalised white space and quotation marks."""
    return _RE.space.sub(" ", normal(text).translate(PUNCTUATION).lower()).strip()


def _tolerance(text: str, number: Number) -> float:
    """The tolerance of a number; see `Fact.tolerance`."""
    try:
        value = float(number.value)
    except ValueError:
        return 0.0
    if value < _MIN_TOLERANT or number.spelled:
        return 0.0
    scaled = _RE.scaled.search(number.text)
    if scaled is not None:
        amount = float(scaled[1].replace(",", "") + (f".{scaled[2]}" if scaled[2] else ""))
        return 0.5 * value / amount * 10.0 ** -len(scaled[2] or "") if amount else 0.0
    # “About 1990” is a year, which has no tolerance.
    is_year = len(number.value) == 4 and number.text == number.value
    hedged = not is_year and _RE.hedge.search(text, max(0, number.start - 20), number.start)
    return _ABOUT_TOLERANCE * value if hedged else 0.0


def _is_near(fact: Fact, values: Iterable[str]) -> bool:
    number = float(fact.value)
    # Times (10:00), months and versions (3.11.2) are not amounts.
    amounts = (value for value in values if value.count(".") < 2 and ":" not in value and value[0].isdigit())
    return any(abs(float(value) - number) <= fact.tolerance for value in amounts)


def _holds_identifier(source: Ground, value: str) -> bool:
    if value in source.folded:
        return True
    bare = value.strip("`'\"() ;,.$>")
    if bare and bare in source.folded:
        return True
    if len(squashed := _RE.easy.sub("", bare)) > 5 and squashed in source.squashed:
        return True
    # Prose writes ``RateLimiter`` as “rate limiter”; a command may have other arguments.
    easy = " ".join(_RE.easy.sub(" ", bare).split())
    if easy and f" {easy} " in f" {' '.join(source.easy.split())} ":
        return True
    parts = [part for part in tokens(bare) if len(part) > 1]
    return bool(parts) and " " in bare and all(part in source.words for part in parts)


def _holds_quote(source: Ground, fact: Fact) -> bool:
    if fact.value.strip(" .,;:!?。，") in source.folded:
        return True
    parts = tokens(fact.value)
    return bool(parts) and sum(part in source.words for part in parts) >= 0.8 * len(parts)


def absent_words(sources: Sequence[Ground], fact: Fact) -> list[str]:
    """The words of a name that occur in none of the passages."""
    parts = [part for part in fact.value.split() if part not in JOINING_WORDS]
    return [part for part in parts if not any(_has_word(source, part) for source in sources)]


def _holds_name(source: Ground, fact: Fact) -> bool:
    value = fact.value
    parts = [part for part in value.split() if part not in JOINING_WORDS]
    if all(_has_word(source, part) for part in parts):
        return True
    if any(
        f" {' '.join(_RE.easy.sub(' ', other).split())} " in f" {source.easy} " for other in aliases(value.rstrip("."))
    ):
        return True
    # Southeast London and South East London.
    if len(squashed := _RE.easy.sub("", value)) > 5 and squashed in source.squashed:
        return True
    if len(parts) == 1:
        # Acronyms (WHO, U.S.) only: other names would match initials by chance.
        return sum(map(str.isupper, fact.text)) > 1 and parts[0].replace(".", "") in source.initials
    # A full name of which the passage has the acronym (World Health Organization, WHO).
    return "".join(part[0] for part in parts) in source.words and len(parts) > 1


def _has_word(source: Ground, word: str) -> bool:
    stripped = word.removesuffix("'s").removesuffix("’s").strip(".")
    if (
        stripped in source.words
        or stem(stripped) in source.words
        or any(other in source.words for other in aliases(stripped))
    ):
        return True
    if any(part in source.words for part in re.split(r"['’.&-]", stripped) if len(part) > 2) and re.search(
        r"[-&.]", stripped
    ):
        return True
    if len(stripped) < 5:
        return False
    # Derived forms of a name: America and American, Germany and Germans, Jordan and Jordanians.
    stripped = stripped.removesuffix("s")
    head = stripped[: max(_HEAD, len(stripped) - 3)]
    same_prefix = source.heads.get(stripped[:_HEAD], ())
    return any(other.startswith(head) and abs(len(other) - len(stripped)) <= 3 for other in same_prefix)


def _names(text: str) -> Iterator[Fact]:
    """Names as runs of capitalised words; a single word that begins the sentence is weak."""
    start_of_sentence, is_initial = True, False
    run: list[re.Match[str]] = []
    words = list(WORD.finditer(text))
    for index, match in enumerate(words):
        word = match[0]
        between = text[words[index - 1].end() : match.start()] if index else text[: match.start()]
        ends_run = bool(re.search(r"[^\s]", between)) or word.lower().rstrip(".") in ENGLISH
        if re.search(r"[:|。！？]|[.!?]\s", between) or (
            index and words[index - 1][0].endswith(".") and len(words[index - 1][0]) > 3
        ):
            start_of_sentence = True
        if run and (ends_run or not word[0].isupper()):
            yield from _name_of(run, initial=is_initial, before="" if re.search(r"\S", between) else word)
            run = []
        if word[0].isupper() and word.lower().rstrip(".") not in ENGLISH:
            if not run:
                is_initial = start_of_sentence
            run.append(match)
        start_of_sentence = False
    if run:
        yield from _name_of(run, initial=is_initial)


def _name_of(run: list[re.Match[str]], *, initial: bool, before: str = "") -> Iterator[Fact]:
    """The name facts of a run.

    Args:
        initial: The run begins a sentence.
        before: The word directly after the run.
    """
    if initial and len(run) > 1:
        # “See PEP 509”, “Ask Thomas Arnold”: the first word may be an ordinary word.
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
        likely=likely_name(words[0], before) if initial and not is_acronym else 1.0,
    )


def _is_inside(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= offset < end for start, end in spans)
