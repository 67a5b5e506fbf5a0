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

Expects = Literal["rows", "figure", "series", "columns"]
"""What a part must bring for what follows: anything, one number, numbers in an order, or columns of numbers."""

MOST_PARTS: Final = 5

_MARK: Final = re.compile(r"⟦(\d+)(\.top)?⟧")
_ANY_MARK: Final = re.compile(r"⟦\d+(?:\.top)?⟧|‹d\d+(?:\.top)?›")


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
    return _MARK.sub(lambda mark: values(int(mark[1]), mark[2] is not None), question)


def decompose(query: str) -> tuple[Part, ...]:
    """The parts of a request, at most `MOST_PARTS`, in the order they are to be done."""
    query = _ANY_MARK.sub("", query).strip()
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
            if question != part.question and _MARK.search(question):
                uses = (*uses, before)
        shifted.append(replace(part, question=question, uses=uses))
    return shifted


# One after the other.

_FIRST_EN = re.compile(r"^(?:please\s+)?(?:first(?:ly)?|start by|begin by|begin with)\b[,:]?\s*", re.I)
_THEN_EN = re.compile(
    r"\s*[,;.]?\s+(?:and\s+)?(?:then|after that|afterwards|next|finally|lastly),?\s+(?!of\b|in\b)"
    r"|\s*;\s+(?:and\s+)?|\?\s+(?=\w)"
    r"|,?\s+and\s+(?=(?:which|who|what|how\s+(?:many|much|did|has|have|does|do)|where|when)\b)"
    r"|,?\s+(?:and|along with|together with|plus)\s+(?:also\s+)?(?=(?:show|list|give)\s|(?:their|its)\s)",
    re.I,
)
_FIRST_ZH = re.compile(r"^(?:请|麻烦|帮我)?(?:首先|先|第一步)[，,：:]?")
_THEN_ZH = re.compile(
    r"[，,；;。]?\s*(?:然后|接着|随后|第[二三四五]步)[，,：:]?"
    r"|[，,；;。]\s*(?:再(?![次现])|之后|最后|其次|另外|此外|顺便)(?:再)?[，,]?"
    r"|[；;。？?]\s*(?=.)"
    r"|(?:以及|及|并列出|并给出|并显示)(?=其(?![中他它余次])|他们|它们)"
)
_AGAIN_ZH = re.compile(r"再(?![次现])")
_COMMA_ZH = re.compile(r"[，,]\s*(?:并且?|同时|还有|以及)?")
_LOOK_ZH = re.compile(r"^(?:来|去)?看(?:看|一下|下|一看)?(?=.)")
_ASKS_ZH = re.compile(
    r"多少|几[个名家次间张首部条笔位种台本所项]|哪|谁|什么|最[高低多少大小]|平均|总|列出|显示|找出|统计|计算|数量|[人次件]数"
    r"|占比|环比|同比"
)


def _sequence_en(query: str) -> tuple[str, ...]:
    query = _FIRST_EN.sub("", query.rstrip(" .?!"))
    return _filled(_THEN_EN.split(query))


def _sequence_zh(query: str) -> tuple[str, ...]:
    query = query.rstrip("。？?！! ")
    opened = _FIRST_ZH.sub("", query)
    segments = _filled(_THEN_ZH.split(opened))
    if len(segments) == 1 and opened != query and (again := _AGAIN_ZH.search(opened, 2)):
        # 先…再… needs no comma between the two.
        segments = _filled([opened[: again.start()], opened[again.end() :]])
    found: list[str] = []
    for segment in segments:
        clauses = _filled(_COMMA_ZH.split(segment))
        found += clauses if len(clauses) > 1 and all(_ASKS_ZH.search(clause) for clause in clauses) else (segment,)
    return tuple(_LOOK_ZH.sub("", part) if n else part for n, part in enumerate(found))


def _filled(segments: list[str]) -> tuple[str, ...]:
    cleaned = (segment.strip(" ,;.，；。、") for segment in segments if segment)
    return tuple(segment for segment in cleaned if segment)


# What was found before.

_NOT_PARTS = r"(?!by\b|per\b|in\b|for\b|from\b|since\b|and\b|with\b|over\b|on\b|at\b|of\b)"
_THOSE_EN = re.compile(
    r"\b(?:(?:each|all|both) of )?(?:those|these|the same|such)\s+(?:top\s+\d+\s+)?([a-z][\w-]*)", re.I
)
_THAT_EN = re.compile(r"\b(of|for|in|from|by|with|at|on|about)\s+(?:that|this)\s+([a-z][\w-]*)", re.I)
_THEM_EN = re.compile(r"\b(of|for|in|from|by|with|at|on|about)\s+(them|those|these|each)\b(?!\s+\w)", re.I)
_OF_THEM_EN = re.compile(r"^(which|who|how many|what)((?:\s+one)?)\s+of\s+(?:them|those|these)\b", re.I)
_THEY_EN = re.compile(
    r"\b(do|did|does|have|has|had|are|were|is|was|can|could)\s+(?:they|these|those)\b(?!\s+\w+s\b)", re.I
)
_SHE_EN = re.compile(r"\b(do|did|does|has|had|was|is|can|could)\s+(?:it|he|she)\b", re.I)
_IT_EN = re.compile(r"\b(of|for|in|from|by|with|at|on|about)\s+(?:it|him|her)\b(?!\s+\w)", re.I)
_ONE_EN = re.compile(r"\bthe\s+(?:top|best|biggest|largest|leading|winning|first|worst)\s+one\b|\bthe winner\b", re.I)
_THERE_EN = re.compile(
    r"(?<!is )(?<!are )(?<!was )(?<!were )(?<!be )(?<!been )\bthere\b(?!\s+(?:is|are|was|were|be)\b)", re.I
)
_THERE_ZH = re.compile(r"(?:在)?(?:那里|那儿|当地)的?")
_THEIR_EN = re.compile(rf"\b(their|its|his|her)\s+((?:{_NOT_PARTS}[\w-]+\s*)+)", re.I)
_THESE_ZH = re.compile(r"(?:这些|那些|上述|以上)([\u4e00-\u9fff]{1,4}?)(?=的|在|有|分别|各|下)")
_THIS_ZH = re.compile(r"(?:该|这个|那个|此)([\u4e00-\u9fff]{1,4}?)(?=的|在|有|下)")
_THEY_ZH = re.compile(r"(?:它们|他们|她们)(?:的|(?=各|分别))?")
_ITS_ZH = re.compile(r"(?:它|他|她)(?:的|(?=每|各|按|逐))|其(?![中他它余次])")
_AMONG_ZH = re.compile(r"^(?:在)?(?:其中|这里面|里面)的?[，,]?")
_WHAT_THEY_ZH = re.compile(r"^(?:它|他|她)(?=[\u4e00-\u9fff]*(?:多少|几|哪|什么|是否))")


def _referring_en(question: str, part: int) -> str:
    every, top = values_of(part), values_of(part, top=True)
    question = _THOSE_EN.sub(lambda m: f"{m[1]} {every}", question)
    question = _THAT_EN.sub(lambda m: f"{m[1]} {m[2]} {top}", question)
    question = _ONE_EN.sub(top, question)
    question = _THERE_EN.sub(f"in {top}", question)
    question = _OF_THEM_EN.sub(lambda m: f"{m[1]} of {every}", question)
    question = _THEY_EN.sub(lambda m: f"{m[1]} {every}", question)
    question = _SHE_EN.sub(lambda m: f"{m[1]} {top}", question)
    question = _THEM_EN.sub(lambda m: f"{m[1]} {every}", question)
    question = _IT_EN.sub(lambda m: f"{m[1]} {top}", question)
    return _THEIR_EN.sub(lambda m: f"{m[2].strip()} of {every if m[1].lower() == 'their' else top} ", question).strip()


_COUNTS_ZH = re.compile(r"多少|几|幾|总数|總數|数量|數量|[人件个]数")
_HOW_MANY_ZH = re.compile(
    r"(?:一共|总共|總共|共)?(?:有)?(?:多少|[几幾])[个個名家间間张張首部条條笔筆位种種台本项項]?|的?(?:总数|總數|总数量|数量|數量)(?:是|有)?(?:多少)?"
    r"|(?:一共|总共|總共|共)有?"
)


def _referring_zh(question: str, part: int, said: str) -> str:
    every, top = values_of(part), values_of(part, top=True)
    if _AMONG_ZH.match(question) and _COUNTS_ZH.search(said) and not re.search("哪|最|各|每", said):
        # 一共多少订单，其中没付款的有多少: among those that were counted, not among the number.
        return _AMONG_ZH.sub(f"{_HOW_MANY_ZH.sub('', said)}中", question)
    question = _THESE_ZH.sub(lambda m: f"{m[1]}{every}", question)
    question = _THERE_ZH.sub(f"在{top}", question)
    question = _THIS_ZH.sub(lambda m: f"{m[1]}{top}", question)
    question = _AMONG_ZH.sub(f"{every}中", question)
    question = _THEY_ZH.sub(lambda m: every if m.string[m.end() :][:1] in ("各", "分") else f"{every}的", question)
    question = _WHAT_THEY_ZH.sub(top, question)
    return _ITS_ZH.sub(lambda m: f"{every}的" if len(m[0]) > 1 or m[0] == "其" else every, question)


# Two figures and what lies between them.

_PREP = r"in|for|between|from|at|during|on|by|of"
_COMPARED_BY_EN = re.compile(
    r"^(?:please\s+|can you\s+)?(?:compare|contrast)\s+(?P<a>.+?)\s+(?:and|with|to|vs\.?|versus|against)\s+(?P<b>.+?)"
    r"\s+(?:by|in terms of|regarding|with respect to)\s+(?P<what>.+)$",
    re.I,
)
_COMPARED_EN = re.compile(
    rf"^(?:please\s+|can you\s+)?(?:(?:compare|contrast)\s+|(?:what is\s+)?the difference (?:in|of)\s+)(?P<what>.+)\s+"
    rf"(?P<prep>{_PREP})\s+(?P<a>(?:(?!\b(?:{_PREP})\b).)+?)\s+(?:and|with|to|vs\.?|versus|against)\s+(?P<b>.+)$",
    re.I,
)
_TAIL_EN = re.compile(r"^(?P<b>.+?)(?P<tail>\s+(?:in|during|since|before|after|for)\s+.+)$", re.I)
_COMPARED_ZH = re.compile(
    r"^(?:请)?(?:帮我)?(?:比较|对比|对照)(?:一下)?(?P<a>.+?)(?:和|与|跟|同)(?P<b>.+?)的(?P<what>.+)$"
)
_DATE_ZH = re.compile(r"^\d{4}年(?:\d{1,2}月)?(?=.)")


def _compared_en(text: str) -> tuple[Part, ...]:
    if found := _COMPARED_BY_EN.match(text):
        prep, a, b, tail = "for", found["a"], found["b"], ""
    elif found := _COMPARED_EN.match(text):
        prep, a, b, tail = found["prep"].lower(), found["a"], found["b"], ""
        if cut := _TAIL_EN.match(b):
            b, tail = cut["b"], cut["tail"]
    else:
        return ()
    if _PERIOD.match(b) and re.search(rf"\b(?:{_PREP})\s+", a):
        # "Orders in 2024 and 2025 by city" are two figures for each city, which one statement brings.
        return ()
    prep = "in" if prep in ("between", "from") else prep
    # "in 2025 and in 2026" says it twice.
    b = re.sub(rf"^(?:{_PREP})\s+", "", b, flags=re.I)
    what = _measured(found["what"])
    return _pair(f"{what} {prep} {a}{tail}", f"{what} {prep} {b}{tail}", "compare", text)


def _compared_zh(text: str) -> tuple[Part, ...]:
    found = _COMPARED_ZH.match(text)
    if found is None:
        return ()
    a, b = found["a"], found["b"]
    if (dated := _DATE_ZH.match(a)) and not re.match(r"\d{4}年", b):
        b = dated[0] + b
    what = _measured_zh(found["what"])
    return _pair(f"{a}的{what}", f"{b}的{what}", "compare", text)


_GROWN_EN = re.compile(
    r"^(?:how\s+(?:much\s+)?(?:did|has|have)\s+)?(?P<what>.+?)\s+(?:grow|grown|change|changed|increase|increased|decrease|"
    r"decreased|develop|developed|rise|risen|fall|fallen)\s+(?:from|between)\s+(?P<a>.+?)\s+(?:to|and)\s+(?P<b>.+)$",
    re.I,
)
_GROWTH_EN = re.compile(
    r"^.*?\b(?:growth|increase|change|decrease)(?:\s+rate)?\s+(?:of|in)\s+(?P<what>.+?)\s+(?:from|between)\s+(?P<a>.+?)\s+"
    r"(?:to|and)\s+(?P<b>.+)$",
    re.I,
)
_OVER_EN = re.compile(
    r"^.*?\b(?P<unit>year|quarter|month|week|day)[- ](?:over|on|by|to)[- ](?P=unit)\s+(?:growth|change|increase)"
    r"(?:\s+rate)?\s+(?:of|in|for)\s+(?P<what>.+)$",
    re.I,
)
_SERIES_EN = re.compile(
    r"^.*?\b(?:growth|increase|change)(?:\s+rate)?\s+(?:of|in)\s+(?P<what>.+?)\s+(?:per|by|each|every)\s+"
    r"(?P<unit>year|quarter|month|week|day)$",
    re.I,
)
_GROWN_ZH = re.compile(
    r"^(?P<what>.+?)(?:从|由)(?P<a>.+?)(?:到|至)(?P<b>.+?)的?(?:增长|变化|增加|减少|下降|上升)(?:了)?(?:多少|率|情况|幅度)?$"
)
_FROM_ZH = re.compile(
    r"^(?:从|由)?(?P<a>\d{4}年?\S*?)(?:到|至)(?P<b>\d{4}年?\S*?)(?:的)?(?P<what>[\u4e00-\u9fff]+?)(?:的)?"
    r"(?:增长|变化|增加|减少|下降|上升)(?:了)?(?:多少|率|情况|幅度)?$"
)
_SERIES_ZH = re.compile(
    r"^(?P<what>.+?)的?(?P<unit>逐月|逐年|逐季|按月|按年|按季度?|每月|每年|每季度|环比|同比)的?(?:增长率?|增速|变化率?)(?:是多少|如何|怎么样)?$"
)
_PERIOD = re.compile(
    r"\b(?:19|20)\d\d\b|\bq[1-4]\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|"
    r"\b(?:last|this|previous|next|today|yesterday|now|spring|summer|autumn|winter)\b|\d+\s*[年月日季周]|[去今前明]年|[上本这]个?[月季周]",
    re.I,
)
"""What grows does so over time; a figure that goes "from 5 to 10" is a condition."""
_UNITS_ZH = {"月": "月", "环": "月", "年": "年", "同": "年", "季": "季度"}


def _growth_en(text: str) -> tuple[Part, ...]:
    if found := _OVER_EN.match(text) or _SERIES_EN.match(text):
        what, when = _dated(found["what"])
        return _series(f"{_measured(what)} per {found['unit'].lower()}{when}", text)
    found = _GROWN_EN.match(text) or _GROWTH_EN.match(text)
    if found and all(_PERIOD.search(found[side]) for side in "ab"):
        what = _measured(found["what"])
        return _pair(f"{what} in {found['a']}", f"{what} in {found['b']}", "growth", text)
    return ()


def _dated(what: str) -> tuple[str, str]:
    """What is measured, and the time it is measured in with the word before it: said last, it dates all of it."""
    found = re.search(r"\s+(?:in|during|since|before|after|for)\s+(?P<when>.+)$", what, re.I)
    return (what[: found.start()], found[0]) if found and _PERIOD.search(found["when"]) else (what, "")


def _growth_zh(text: str) -> tuple[Part, ...]:
    if found := _SERIES_ZH.match(text):
        unit = next(word for key, word in _UNITS_ZH.items() if key in found["unit"])
        when = _DATE_ZH.match(found["what"])
        what = found["what"][when.end() :].removeprefix("的") if when else found["what"]
        return _series(f"{when[0] if when else ''}每{unit}的{_measured_zh(what)}", text)
    found = _GROWN_ZH.match(text) or _FROM_ZH.match(text)
    if found and all(_PERIOD.search(found[side]) for side in "ab"):
        what = _measured_zh(found["what"])
        return _pair(f"{found['a']}的{what}", f"{found['b']}的{what}", "growth", text)
    return ()


_SHARE_EN = re.compile(
    r"^.*?\b(?:share|percentage|percent|proportion|fraction|portion|%)\s+of\s+(?:the\s+|all\s+|our\s+)?(?P<whole>.+?)\s+"
    r"(?P<rest>(?:is|are|was|were|comes?|came|belongs?|belonged|have|has|had|did|do|with|without|from|that|which)\b.+)$",
    re.I,
)
_SHARES_EN = re.compile(
    r"^.*?\b(?:share|percentage|percent|proportion|fraction|portion|%)\s+of\s+(?:the\s+|all\s+|our\s+)?(?P<whole>.+?)\s+"
    r"(?:(?:is|are|was|were|comes?|came|belongs?|belonged|goes|went|do(?:es)?|did|has|have)\s+)?"
    r"(?:(?:from|in|to|for|by|of|with)\s+)?(?:each|every|per|by)\s+(?P<by>[\w-]+(?:\s[\w-]+)??)(?:\s+(?:have|has|make\s+up|makes\s+up))?$",
    re.I,
)
"""What each group has of all, where `_SHARE_EN` is what one part has."""
_SHARE_ZH = re.compile(r"^(?P<part>.+?)占(?P<whole>.+?)的?(?:比例|百分比|份额|百分之几|多少|比重|几成)(?:是多少)?$")


def _share_en(text: str) -> tuple[Part, ...]:
    if (found := _SHARES_EN.match(text)) is not None:
        question = f"{_measured(found['whole'])} per {found['by']}"
        return (Part(question=question, expects="series"), Part(question=text, uses=(1,), calculation="shares"))
    found = _SHARE_EN.match(text)
    if found is None:
        return ()
    whole, rest = _measured(found["whole"]), found["rest"]
    joint = "" if re.match(r"(?:with|without|from|that|which)\b", rest, re.I) else "that "
    return _pair(f"{whole} {joint}{rest}", whole, "share", text)


def _share_zh(text: str) -> tuple[Part, ...]:
    found = _SHARE_ZH.match(text)
    if found is None:
        return ()
    if _EACH_ZH.match(found["part"]):
        # What each group has of all is one statement.
        whole = re.sub(r"^(?:全部|所有|总|整体)", "", found["whole"].removesuffix("的"))
        return (Part(question=f"{found['part']}的{whole}占比"),)
    return _pair(_measured_zh(found["part"]), _measured_zh(found["whole"].removesuffix("的")), "share", text)


_EACH_ZH = re.compile(r"^(?:每[个位家种]?|各个?)[\u4e00-\u9fff\w]{1,8}$")
_MEASURE_EN = re.compile(
    r"\b(?:number|count|how many|how much|total|sum|average|mean|minimum|maximum|highest|lowest|median|amount of)\b",
    re.I,
)
_MEASURE_ZH = re.compile(r"[数量额价总]|合计|平均|多少|收入|费用|成本|利润|时长")
_MASS_EN = re.compile(r"(?:sales|earnings|proceeds|takings|savings)$", re.I)


def _measured(what: str) -> str:
    """``what`` as a figure: things are counted, stuff is summed up, unless it says itself what it is."""
    what = re.sub(r"^(?:the|our|all)\s+", "", what.strip(), flags=re.I)
    if _MEASURE_EN.search(what):
        return what
    head = re.split(r"\s+(?:in|of|from|for|by|with|that|to)\s+", what, maxsplit=1)[0]
    things = head.lower().endswith("s") and not head.lower().endswith("ss") and not _MASS_EN.search(head)
    return f"number of {what}" if things else f"total {what}"


def _measured_zh(what: str) -> str:
    return what if _MEASURE_ZH.search(what) else f"{what}数量"


def _pair(first: str, second: str, calculation: str, about: str) -> tuple[Part, ...]:
    return (
        Part(question=first.strip(), expects="figure"),
        Part(question=second.strip(), expects="figure"),
        Part(question=about, uses=(1, 2), calculation=calculation),
    )


def _series(question: str, about: str) -> tuple[Part, ...]:
    return (Part(question=question, expects="series"), Part(question=about, uses=(1,), calculation="growth_series"))
