"""Takes a request of several steps apart: questions that one statement can answer, and calculations over their answers.

Rules over the wording alone, English and Chinese; what fits none of them stays one question. A later part may speak of
what an earlier one finds ("those customers", "其订单"): a mark (`values_of`) stands there until that one is done.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

from kbtui.text.language import has_cjk
from kbtui.text.patterns import Patterns

Expects = Literal["rows", "figure", "series", "columns"]
"""What a part must bring for what follows: anything, one number, numbers in an order, or columns of numbers."""

MOST_PARTS: Final = 5

_RE: Final = Patterns(__package__, "decomposition.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One step of a request.

    Attributes:
        question: What it finds, in words; for a calculation what it is about.
        uses: The earlier parts it needs, counted from 1.
        calculation: Name of the calculation over their results; empty for a question.
    """

    question: str
    uses: tuple[int, ...] = ()
    calculation: str = ""
    expects: Expects = "rows"


def values_of(part: int, *, top: bool = False) -> str:
    """What stands in a question for the values that a part finds, or for the first of them."""
    return f"⟦{part}{'.top' if top else ''}⟧"


def with_values(question: str, values: Callable[[int, bool], str]) -> str:
    """``question`` with every mark replaced by what ``values`` gives for its part (and whether only the first is)."""
    return _RE.mark.sub(lambda mark: values(int(mark[1]), mark[2] is not None), question)


def decompose(query: str) -> tuple[Part, ...]:
    """The parts of a request, at most `MOST_PARTS`, in the order they are to be done."""
    query = _RE.any_mark.sub("", query).strip()
    chinese = has_cjk(query)
    segments = _sequence_zh(query) if chinese else _sequence_en(query)
    parts: list[Part] = []
    for segment in segments:
        expanded = _expanded(segment, chinese)
        if len(parts) + len(expanded) > MOST_PARTS:
            break
        parts += _shifted(expanded, len(parts), chinese, parts[-1].question if parts else "")
    return tuple(parts)


def _expanded(segment: str, chinese: bool) -> tuple[Part, ...]:
    patterns = (_compared_zh, _growth_zh, _share_zh) if chinese else (_growth_en, _share_en, _compared_en)
    for pattern in patterns:
        if found := pattern(segment):
            return found
    return (Part(question=segment),)


def _shifted(parts: tuple[Part, ...], before: int, chinese: bool, said: str) -> list[Part]:
    """The parts counted on from those before them, of which their questions may speak."""
    shifted = []
    for part in parts:
        uses = tuple(number + before for number in part.uses)
        question = part.question
        if before and not part.calculation:
            question = _referring_zh(question, before, said) if chinese else _referring_en(question, before)
            if question != part.question and _RE.mark.search(question):
                uses = (*uses, before)
        shifted.append(replace(part, question=question, uses=uses))
    return shifted


# One after the other.


def _sequence_en(query: str) -> tuple[str, ...]:
    query = _RE.first_en.sub("", query.rstrip(" .?!"))
    return _filled(_RE.then_en.split(query))


def _sequence_zh(query: str) -> tuple[str, ...]:
    query = query.rstrip("。？?！! ")
    opened = _RE.first_zh.sub("", query)
    segments = _filled(_RE.then_zh.split(opened))
    if len(segments) == 1 and opened != query and (again := _RE.again_zh.search(opened, 2)):
        # 先…再… needs no comma between the two.
        segments = _filled([opened[: again.start()], opened[again.end() :]])
    found: list[str] = []
    for segment in segments:
        clauses = _filled(_RE.comma_zh.split(segment))
        found += clauses if len(clauses) > 1 and all(_RE.asks_zh.search(clause) for clause in clauses) else (segment,)
    return tuple(_RE.look_zh.sub("", part) if n else part for n, part in enumerate(found))


def _filled(segments: list[str]) -> tuple[str, ...]:
    cleaned = (segment.strip(" ,;.，；。、") for segment in segments if segment)
    return tuple(segment for segment in cleaned if segment)


# What was found before.


def _referring_en(question: str, part: int) -> str:
    every, top = values_of(part), values_of(part, top=True)
    question = _RE.those_en.sub(lambda m: f"{m[1]} {every}", question)
    question = _RE.that_en.sub(lambda m: f"{m[1]} {m[2]} {top}", question)
    question = _RE.one_en.sub(top, question)
    question = _RE.there_en.sub(f"in {top}", question)
    question = _RE.of_them_en.sub(lambda m: f"{m[1]} of {every}", question)
    question = _RE.they_en.sub(lambda m: f"{m[1]} {every}", question)
    question = _RE.she_en.sub(lambda m: f"{m[1]} {top}", question)
    question = _RE.them_en.sub(lambda m: f"{m[1]} {every}", question)
    question = _RE.it_en.sub(lambda m: f"{m[1]} {top}", question)
    return _RE.their_en.sub(
        lambda m: f"{m[2].strip()} of {every if m[1].lower() == 'their' else top} ", question
    ).strip()


def _referring_zh(question: str, part: int, said: str) -> str:
    every, top = values_of(part), values_of(part, top=True)
    if _RE.among_zh.match(question) and _RE.counts_zh.search(said) and not re.search("哪|最|各|每", said):
        # 一共多少订单，其中没付款的有多少: among those that were counted, not among the number.
        return _RE.among_zh.sub(f"{_RE.how_many_zh.sub('', said)}中", question)
    question = _RE.these_zh.sub(lambda m: f"{m[1]}{every}", question)
    question = _RE.there_zh.sub(f"在{top}", question)
    question = _RE.this_zh.sub(lambda m: f"{m[1]}{top}", question)
    question = _RE.among_zh.sub(f"{every}中", question)
    question = _RE.they_zh.sub(lambda m: every if m.string[m.end() :][:1] in ("各", "分") else f"{every}的", question)
    question = _RE.what_they_zh.sub(top, question)
    return _RE.its_zh.sub(lambda m: f"{every}的" if len(m[0]) > 1 or m[0] == "其" else every, question)


# Two figures and what lies between them.

_PREP = r"in|for|between|from|at|during|on|by|of"
_COMPARED_EN = re.compile(
    rf"^(?:please\s+|can you\s+)?(?:(?:compare|contrast)\s+|(?:what is\s+)?the difference (?:in|of)\s+)(?P<what>.+)\s+"
    rf"(?P<prep>{_PREP})\s+(?P<a>(?:(?!\b(?:{_PREP})\b).)+?)\s+(?:and|with|to|vs\.?|versus|against)\s+(?P<b>.+)$",
    re.I,
)


def _compared_en(text: str) -> tuple[Part, ...]:
    if found := _RE.compared_by_en.match(text):
        prep, a, b, tail = "for", found["a"], found["b"], ""
    elif found := _COMPARED_EN.match(text):
        prep, a, b, tail = found["prep"].lower(), found["a"], found["b"], ""
        if cut := _RE.tail_en.match(b):
            b, tail = cut["b"], cut["tail"]
    else:
        return ()
    if _RE.period.match(b) and re.search(rf"\b(?:{_PREP})\s+", a):
        # "Orders in 2024 and 2025 by city" are two figures for each city, which one statement brings.
        return ()
    prep = "in" if prep in ("between", "from") else prep
    # "in 2025 and in 2026" says it twice.
    b = re.sub(rf"^(?:{_PREP})\s+", "", b, flags=re.I)
    what = _measured(found["what"])
    return _pair(f"{what} {prep} {a}{tail}", f"{what} {prep} {b}{tail}", "compare", text)


def _compared_zh(text: str) -> tuple[Part, ...]:
    found = _RE.compared_zh.match(text)
    if found is None:
        return ()
    a, b = found["a"], found["b"]
    if (dated := _RE.date_zh.match(a)) and not re.match(r"\d{4}年", b):
        b = dated[0] + b
    what = _measured_zh(found["what"])
    return _pair(f"{a}的{what}", f"{b}的{what}", "compare", text)


_UNITS_ZH = {"月": "月", "环": "月", "年": "年", "同": "年", "季": "季度"}


def _growth_en(text: str) -> tuple[Part, ...]:
    if found := _RE.over_en.match(text) or _RE.series_en.match(text):
        what, when = _dated(found["what"])
        return _series(f"{_measured(what)} per {found['unit'].lower()}{when}", text)
    found = _RE.grown_en.match(text) or _RE.growth_en.match(text)
    if found and all(_RE.period.search(found[side]) for side in "ab"):
        what = _measured(found["what"])
        return _pair(f"{what} in {found['a']}", f"{what} in {found['b']}", "growth", text)
    return ()


def _dated(what: str) -> tuple[str, str]:
    """What is measured, and the time it is measured in with the word before it: said last, it dates all of it."""
    found = re.search(r"\s+(?:in|during|since|before|after|for)\s+(?P<when>.+)$", what, re.I)
    return (what[: found.start()], found[0]) if found and _RE.period.search(found["when"]) else (what, "")


def _growth_zh(text: str) -> tuple[Part, ...]:
    if found := _RE.series_zh.match(text):
        unit = next(word for key, word in _UNITS_ZH.items() if key in found["unit"])
        when = _RE.date_zh.match(found["what"])
        what = found["what"][when.end() :].removeprefix("的") if when else found["what"]
        return _series(f"{when[0] if when else ''}每{unit}的{_measured_zh(what)}", text)
    found = _RE.grown_zh.match(text) or _RE.from_zh.match(text)
    if found and all(_RE.period.search(found[side]) for side in "ab"):
        what = _measured_zh(found["what"])
        return _pair(f"{found['a']}的{what}", f"{found['b']}的{what}", "growth", text)
    return ()


def _share_en(text: str) -> tuple[Part, ...]:
    if (found := _RE.shares_en.match(text)) is not None:
        question = f"{_measured(found['whole'])} per {found['by']}"
        return (Part(question=question, expects="series"), Part(question=text, uses=(1,), calculation="shares"))
    found = _RE.share_en.match(text)
    if found is None:
        return ()
    whole, rest = _measured(found["whole"]), found["rest"]
    joint = "" if re.match(r"(?:with|without|from|that|which)\b", rest, re.I) else "that "
    return _pair(f"{whole} {joint}{rest}", whole, "share", text)


def _share_zh(text: str) -> tuple[Part, ...]:
    found = _RE.share_zh.match(text)
    if found is None:
        return ()
    if _RE.each_zh.match(found["part"]):
        # What each group has of all is one statement.
        whole = re.sub(r"^(?:全部|所有|总|整体)", "", found["whole"].removesuffix("的"))
        return (Part(question=f"{found['part']}的{whole}占比"),)
    return _pair(_measured_zh(found["part"]), _measured_zh(found["whole"].removesuffix("的")), "share", text)


def _measured(what: str) -> str:
    """``what`` as a figure: things are counted, stuff is summed up, unless it says itself what it is."""
    what = re.sub(r"^(?:the|our|all)\s+", "", what.strip(), flags=re.I)
    if _RE.measure_en.search(what):
        return what
    head = re.split(r"\s+(?:in|of|from|for|by|with|that|to)\s+", what, maxsplit=1)[0]
    things = head.lower().endswith("s") and not head.lower().endswith("ss") and not _RE.mass_en.search(head)
    return f"number of {what}" if things else f"total {what}"


def _measured_zh(what: str) -> str:
    return what if _RE.measure_zh.search(what) else f"{what}数量"


def _pair(first: str, second: str, calculation: str, about: str) -> tuple[Part, ...]:
    return (
        Part(question=first.strip(), expects="figure"),
        Part(question=second.strip(), expects="figure"),
        Part(question=about, uses=(1, 2), calculation=calculation),
    )


def _series(question: str, about: str) -> tuple[Part, ...]:
    return (Part(question=question, expects="series"), Part(question=about, uses=(1,), calculation="growth_series"))
