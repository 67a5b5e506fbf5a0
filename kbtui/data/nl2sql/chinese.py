"""The words of a Chinese question over data: cut by a word list, a glossary and the names of the schema, and linked.

Chinese writes no spaces and puts what narrows down before what it narrows (金额最高的5个客户). Words are found by the
cheapest cut into known ones; names are put into English with the translation that the schema knows and linked as those
of an English question. What the words do to each other is read in `chinese_clauses`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from kbtui.data.nl2sql.model import SchemaModel
from kbtui.text.inflection import lemma, root
from kbtui.text.language import simplified
from kbtui.text.numbers import HAN, NumberSpan, decimal, read_numbers
from kbtui.text.word_lists import rows_in

_LATIN: Final = re.compile(
    r"\"[^\"]*\"|'[^']*'|“[^”]*”|「[^」]*」|《[^》]*》|‘[^’]*’"
    r"|@\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d|\d{4}-\d{1,2}-\d{1,2}|\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[<>]=?|!="
    r"|[A-Za-zÀ-ɏ_][A-Za-z0-9_.&/'À-ɏ-]*(?: [A-Za-zÀ-ɏ0-9][A-Za-z0-9_.&/'À-ɏ-]*)*"
)
_QUOTES: Final = "\"'“”「」《》‘’"
_WHOLE_YEAR: Final = re.compile(r"@(\d{4})-01-01\.\.(\d{4})-12-31$")
_PAST: Final = re.compile(r"(?<![超经通不越好太])[过了](?![期去滤程户敏解滤时高低])")
"""The signs of what is done (买过, 下了单) stand inside verbs and say nothing that a query needs."""
_SOMEBODY: Final = re.compile(rf"(?<=[\d{HAN}几少])个人")
_TAIL: Final = re.compile(r"(?<=..)(?:名称|姓名|名字|名|表|信息|明细)$")
"""What names of tables and columns say more than people do."""
_UNKNOWN: Final = 10.0


@dataclass(frozen=True, slots=True)
class Word:
    """A piece of the question.

    Attributes:
        kind: What it does (``chinese.tsv``), or ``name``, ``value``, ``number``, ``span``, ``unknown``.
        text: What it says in English, or a number, or a span of days.
        source: As it was asked.
        options: Other English words that the schema knows as well.
        unit: For a number, what it is measured in.
    """

    kind: str
    text: str
    source: str
    options: tuple[str, ...] = ()
    unit: str = ""


@lru_cache(maxsize=1)
def word_list() -> dict[str, tuple[tuple[str, str], ...]]:
    """Kinds of each word of ``chinese.tsv``, each with the word more that it carries."""
    found: dict[str, list[tuple[str, str]]] = {}
    for kind, more, words in rows_in(__package__, "chinese.tsv"):
        for word in words.split():
            found.setdefault(word, []).append((kind, more))
    return {word: tuple(kinds) for word, kinds in found.items()}


class Cutter:
    """Cuts questions into words for one schema.

    Args:
        glossary: English words of Chinese ones, likeliest first; ``=`` before those that are values.
        model: The schema.
    """

    def __init__(self, glossary: Mapping[str, Sequence[str]], model: SchemaModel) -> None:
        self._glossary = glossary
        self._model = model
        self._names = {
            name
            for name in (*model.tables, *(ref.column for ref in model.columns))
            if any("\u3400" <= letter <= "\u9fff" for letter in name)
        }
        self._meant = self._called()
        self._fits: dict[str, float] = {}
        self._longest = max(map(len, (*word_list(), *glossary, *self._names)), default=1)

    def _called(self) -> dict[str, str]:
        """Chinese names by what else they are called: 客户 is 客户名称, and 销售额 what a schema calls 销售金额."""
        found: dict[str, str] = {}
        short = {_TAIL.sub("", name): name for name in sorted(self._names, reverse=True) if _TAIL.search(name)}
        for form, name in (*((name, name) for name in self._names), *short.items()):
            found.setdefault(form, name)
            for option in self._glossary.get(form, ())[:1]:
                found.setdefault(option, name)
        return found

    def words(self, question: str) -> list[Word]:
        """The words of a question in order; what nobody knows as ``unknown``."""
        text = _SOMEBODY.sub("人", _PAST.sub("", simplified(question)))
        values = {simplified(value): value for _, value in self._model.values.within(question) if not value.isascii()}
        numbers = {span.start: span for span in map(_compared, read_numbers(text)) if span is not None}
        cuts = self._cut(text, values, numbers)
        return self._settled([self._word(text[start:end], values, _whole(numbers, start, end)) for start, end in cuts])

    def _cut(self, text: str, values: Mapping[str, str], numbers: Mapping[int, NumberSpan]) -> list[tuple[int, int]]:
        """The cheapest cut: as little unknown as can be, then as few words as can be."""
        longest = max(self._longest, max(map(len, values), default=1))
        best: list[tuple[float, int]] = [(0.0, 0)] + [(float("inf"), 0)] * len(text)
        for start in range(len(text)):
            here = best[start][0]
            for end, cost in self._steps(text, start, longest, values, numbers):
                # Of equal cuts the one whose first words are longer.
                total = here + cost + 0.001 * start / (end - start)
                if total < best[end][0]:
                    best[end] = (total, start)
        cuts, end = [], len(text)
        while end:
            start = best[end][1]
            cuts.append((start, end))
            end = start
        return cuts[::-1]

    def _steps(
        self, text: str, start: int, longest: int, values: Mapping[str, str], numbers: Mapping[int, NumberSpan]
    ) -> Iterable[tuple[int, float]]:
        if text[start].isspace():
            yield start + 1, 0.0
            return
        number = numbers.get(start)
        match = _LATIN.match(text, start)
        if number is not None and (match is None or match.end() <= number.end):
            yield number.end, 1.0 if match else 1.1
        if match is not None:
            if number is None or match.end() > number.end:
                yield match.end(), 1.0
            return
        listed = word_list()
        for end in range(start + 1, min(len(text), start + longest) + 1):
            piece = text[start:end]
            if piece in values:
                yield end, 0.9
            elif piece in self._meant:
                yield end, 0.95
            elif piece in listed or piece in self._glossary:
                yield end, 1.0
        yield start + 1, _UNKNOWN

    def _word(self, piece: str, values: Mapping[str, str], number: NumberSpan | None) -> Word:
        if piece.isspace():
            return Word("space", "", piece)
        if piece in values:
            return Word("value", values[piece], piece)
        said = self._glossary.get(piece, (piece,))[0]
        if (name := self._meant.get(piece) or self._meant.get(said if len(piece) > 1 else "")) is not None:
            return Word("name", name, piece)
        if number is not None and (number.text[0].isdigit() or number.text[0] in "+-−."):
            return _number(number, piece)
        if _LATIN.fullmatch(piece):
            return self._latin(piece)
        listed = word_list().get(piece)
        if listed and (listed[0][0] == "MEASURE" or len(piece) == 1):
            # 名 and 部 count people and films before they name anything.
            return Word(*listed[0], piece)
        if piece in self._glossary and (word := self._translated(piece)):
            return word
        if listed:
            return Word(*listed[0], piece)
        if piece in self._glossary:
            plain = [option for option in self._glossary[piece] if option[0] != "="]
            return Word("name", plain[0], piece) if plain else Word("unknown", piece, piece)
        return _number(number, piece) if number is not None else Word("unknown", piece, piece)

    def _latin(self, piece: str) -> Word:
        if piece[0] == "@":
            whole = _WHOLE_YEAR.match(piece)
            if whole and whole[1] == whole[2]:
                # A year may be a date's or stand in a column of years.
                return Word("number", whole[1], f"{whole[1]}年")
            return Word("span", piece, piece)
        if piece[0].isdigit():
            return Word("span" if piece.count("-") == 2 else "number", piece.replace(",", ""), piece)
        if piece[0] in _QUOTES:
            return Word("value", piece.strip(_QUOTES), piece)
        if piece.lower() in word_list():
            return Word(*word_list()[piece.lower()][0], piece)
        held = self._model.values.find(piece)
        named = self.fit(piece)
        if named >= 2 and not (held and (piece[0].isupper() or named < 3)):
            return Word("name", piece, piece)
        return Word("value", piece, piece)

    def _translated(self, piece: str) -> Word | None:
        """The glossary's word as the schema says it, when it does."""
        plain = [option for option in self._glossary[piece] if option[0] != "="]
        fits = sorted(((self.fit(option), -n, option) for n, option in enumerate(plain)), reverse=True)
        fitting = [option for fit, _, option in fits if fit > 0]
        if fitting and fits[0][0] >= 2:
            return Word("name", fitting[0], piece, tuple(fitting[1:4]))
        for option in self._glossary[piece]:
            if self._model.values.find(option.lstrip("=")):
                return Word("value", option.lstrip("="), piece)
        if fitting:
            return Word("name", fitting[0], piece, tuple(fitting[1:4]))
        return None

    def fit(self, option: str) -> float:
        """How well English words name something of the schema: 4 a table or column (3.5 by its stem), 3 what is left of
        one without its table's name, 2 part of one, 1 every word somewhere, 0 not at all.
        """
        if option not in self._fits:
            self._fits[option] = self._fit(option)
        return self._fits[option]

    def _fit(self, option: str) -> float:
        said = tuple(lemma(word) for word in option.split())
        asked = {root(word) for word in said}
        best = 0.0
        for word in asked:
            for named in self._model.by_root.get(word, ()):
                if asked == named.roots:
                    if sorted(said) == sorted(named.words):
                        return 4.0
                    best = max(best, 3.5)
                elif asked == named.own:
                    best = max(best, 3.0)
                elif asked <= named.roots:
                    best = max(best, 2.5 if root(named.words[-1]) in asked else 2.0)
        if best == 0.0 and all(word in self._model.by_root for word in asked):
            return 1.0
        return best

    def _settled(self, words: list[Word]) -> list[Word]:
        """Words whose meaning hangs on their neighbours, taken for one thing."""
        kept: list[Word] = []
        for position, word in enumerate(words):
            before = kept[-1] if kept else Word("", "", "")
            following = next((w for w in words[position + 1 :] if w.kind != "space"), Word("", "", ""))
            settle: Callable[[Word, Word, Word], list[Word]] | None = _SETTLE.get(word.kind)
            if word.kind in ("HEADS", "PEOPLE"):
                kept += self._people(word, kept, following)
            elif word.kind in ("SUMOF", "MONEY", "QUANTITY"):
                kept += self._measure(word, before)
            elif word.kind == "name" and len(word.source) == 1 and self._counts(word.text, kept):
                # 4星以上: what is counted is a column.
                kept[-1:] = [word, before]
            elif word.kind in ("MEASURE", "UNIT"):
                counted = next((o for o in self._glossary.get(word.source, ()) if self.is_measure(o)), None)
                if counted and self._counts(counted, kept):
                    # 50层以上, likewise.
                    kept[-1:] = [Word("name", counted, word.source), before]
                elif before.kind == "number" and not before.unit:
                    kept[-1] = replace(before, unit=word.text, source=before.source + word.source)
                elif before.kind not in ("number", "COUNT", "WHICH", "EACH", "TOP") and word.source in self._glossary:
                    kept += [named] if (named := self._translated(word.source)) else []
            elif settle is not None:
                kept += settle(word, before, following)
            else:
                kept.append(word)
        return [word for word in kept if word.kind != "SKIP"]

    def _counts(self, text: str, kept: Sequence[Word]) -> bool:
        """Whether the words of a column stand behind a number as a measure word does."""
        behind = bool(kept) and kept[-1].kind == "number" and (len(kept) < 2 or kept[-2].kind != "name")
        return behind and self.is_measure(text)

    def _people(self, word: Word, kept: Sequence[Word], following: Word) -> list[Word]:
        """人 and 人数 are those the schema is about: employees, customers, students."""
        before = kept[-1] if kept else Word("", "", "")
        tally = [Word("TALLY", "", word.source)] if word.kind == "HEADS" else []
        if word.kind == "PEOPLE" and not (
            before.kind in ("COUNT", "number", "GT", "GE", "LT", "LE", "EACH")
            or (before.kind == "DE" and following.kind in ("", "STOP"))
            or following.kind in ("MAX", "MIN", "MOST", "LEAST", "TALLY", "COUNT")
        ):
            return [Word("SKIP", "", word.source)]
        people = self._glossary.get("人", ())
        if before.kind == "name" and before.text in people:
            return tally
        if before.kind == "COUNT" and any(one.kind == "name" and one.text in people for one in kept):
            # 员工总共几人: those who were named.
            return []
        option = next((option for option in people if self.fit(option) >= 2.5), None)
        if option is None:
            return tally or [Word("SKIP", "", word.source)]
        return [Word("name", option, "人员"), *tally]

    def _measure(self, word: Word, before: Word) -> list[Word]:
        """总额, 多少钱 and 数量 sum up the measure before them, or one that the schema calls so."""
        if word.kind == "QUANTITY":
            if before.kind == "name" and self.is_table(before.text):
                return [Word("TALLY", "", word.source)]
            fits = self.is_measure("quantity")
            return [Word("name", "quantity", word.source)] if fits else [Word("TALLY", "", word.source)]
        if before.kind == "name" and self.is_measure(before.text):
            return [Word("SUM", "", word.source)]
        if word.kind == "MONEY" and before.kind in ("MAX", "MIN"):
            return []
        options = sorted((o for o in self._glossary.get("金额", ()) if self.is_measure(o)), key=lambda o: -self.fit(o))
        said = [Word("name", options[0], "金额", tuple(options[1:4]))] if options else []
        return [Word("SUM" if word.kind == "SUMOF" else "MONEY", "", word.source), *said]

    def is_table(self, text: str) -> bool:
        """Whether the words name a table."""
        asked = {root(lemma(word)) for word in text.split()}
        return any(
            asked == named.roots or (asked < named.roots and root(named.words[-1]) in asked)
            for named in self._model.tables.values()
        )

    def is_measure(self, text: str) -> bool:
        """Whether the words name a column of numbers."""
        asked = {root(lemma(word)) for word in text.split()}
        return any(
            asked in (named.roots, named.own) or asked < named.roots
            for named in self._model.columns.values()
            if asked & named.roots
            and self._model.is_number(named.ref)
            and not asked <= self._model.tables[named.ref.table].roots
        )


def _compared(number: NumberSpan) -> NumberSpan | None:
    """The number as columns hold it: 35% as 35, 第三 from its 三 on; None for what no column is compared with."""
    match number.kind:
        case "cardinal" | "fraction":
            return number
        case "percent" if not number.text.endswith("折"):
            return replace(number, value=number.value * 100)
        case "ordinal" if number.text.startswith("第"):
            return replace(number, start=number.start + 1, text=number.text[1:])
        case _:
            return None


def _whole(numbers: Mapping[int, NumberSpan], start: int, end: int) -> NumberSpan | None:
    """The number that a piece is from its first character to its last."""
    number = numbers.get(start)
    return number if number is not None and number.end == end else None


def _number(number: NumberSpan, piece: str) -> Word:
    return Word("number", decimal(number.value) or f"{float(number.value):.15f}", piece)


def _top(word: Word, _before: Word, following: Word) -> list[Word]:
    """前 before a number takes the first; behind a time it means earlier."""
    if following.kind == "number" or word.source in ("top", "头", "倒数"):
        return [word]
    return [Word("BEFORE" if word.kind == "TOP" else "AFTER", "", word.source)]


def _each(word: Word, _before: Word, following: Word) -> list[Word]:
    """各 before no name shares out among what was named before: 各有多少."""
    return [word if following.kind not in ("COUNT", "HAVE", "IS", "", "SUM", "AVG") else Word("RESP", "", word.source)]


def _after(word: Word, before: Word, _following: Word) -> list[Word]:
    if word.source in ("后", "起", "前") and before.kind not in ("number", "span"):
        return [Word("SKIP", "", word.source)]
    return [word]


def _space(word: Word, before: Word, following: Word) -> list[Word]:
    """A space between two names lists them."""
    both = {before.kind, following.kind} <= {"name", "value"}
    return [Word("AND", "", word.source)] if both else []


_SETTLE: Final[dict[str, Callable[[Word, Word, Word], list[Word]]]] = {
    "TOP": _top,
    "BOTTOM": _top,
    "EACH": _each,
    "AFTER": _after,
    "BEFORE": _after,
    "space": _space,
}
