"""What a Chinese follow-up over data may mean in full: the question before with one thing of it changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kbtui.analysis.chart_words import named
from kbtui.analysis.follow_up_words import either, listed
from kbtui.analysis.proposals import PICTURES, Proposal, Proposals
from kbtui.reasoning.offline.followup.segments_zh import segments_of
from kbtui.text.numbers import HAN

_LEAD: Final = re.compile(rf"^(?:{either('zh', 'leads')}[，,\s]*)+(?=.)")
_TAIL: Final = re.compile(rf"(?<=.)[，,\s]*{either('zh', 'tails')}$")
_ONLY: Final = re.compile(rf"^{either('zh', 'only')}")
_PRONOUN: Final = re.compile(either("zh", "pronouns"))
_AGGREGATE: Final = re.compile(either("zh", "aggregates"))
_ASKS: Final = re.compile(either("zh", "asks"))
_YEAR: Final = r"(?:(?:19|20)\d\d\s*年?|今年|去年|前年|上一?年|明年)"
_SPAN: Final = (
    rf"(?:{_YEAR}度?(?:的?(?:\d{{1,2}}月份?|第?[一二三四1-4]季度|上半年|下半年)(?:\d{{1,2}}[日号])?)?|\d{{1,2}}月份?|第?[一二三四1-4]季度"
    rf"|上半年|下半年|上个?月|本月|这个月|上个?季度|本季度|上周|本周|昨天|今天|最近(?:\d+|[{HAN}]+)?个?[天周月年])"
)
_IS_WHEN: Final = re.compile(rf"^(?:在)?(?P<span>{_SPAN}(?:[到至-]{_SPAN})?)(?:的|份|度)?$")
_ANY_WHEN: Final = re.compile(rf"{_SPAN}(?:[到至-]{_SPAN})?")
_UNITS: Final = "年 年份 年度 季度 季 月 月份 周 星期 天 日 日期"
_GROUP: Final = re.compile(
    rf"^{either('zh', 'per')}(?P<what>[^，,。的]{{1,12}}?)(?:来)?(?:分组|统计|分|汇总|划分|看|算)?(?:的)?$"
)
_PER: Final = re.compile(
    r"(?P<word>每个|每位|每家|每种|每|各个|各|按)(?P<what>月份?|年份?|季度?|天|日|周|[^，,。的有多是每各按]{1,8}?)(?=的|有|总|平均|最|，|,|是|统计|分|$)"
)
_TOP: Final = re.compile(
    rf"^(?:显示|看|要|列出)?(?P<way>前|后|倒数|最后)\s*(?P<count>\d+|[{HAN}]+)\s*(?:个|名|位|条|家|种|项|大)?(?:的)?$"
)
_HAS_TOP: Final = re.compile(rf"(?P<way>前|后|倒数|最后)\s*(?P<count>\d+|[{HAN}]+)(?P<unit>个|名|位|条|家|种|项|大)?")
_COUNTED: Final = re.compile(
    r"^(?P<per>每个|每位|每家|每种|每|各个|各)(?P<what>[^，,。的有多]{1,8}?)的?(?:一共|共|总共)?有?多少(?:个|名|位|条|家|种|首|张|件|笔)?(?P<things>[^，,。？?]{1,10})$"
)
_SORT: Final = re.compile(
    r"^(?:按|根据)?.{0,10}(?:排序|排列|降序|升序|倒序|从高到低|从低到高|从大到小|从小到大|从多到少|从少到多)$"
)
_HOW_MANY: Final = re.compile(r"^(?:一共|总共|共)?(?:有)?(?:多少|几)(?:个|名|位|条|家|种)?$")
_WHICH: Final = re.compile(r"^(?:都)?(?:列出来|列一下|列出(?:它们|他们)?|有哪些|是哪些|分别是(?:哪些|谁|什么))$")
_MORE_OF: Final = re.compile(
    r"^(?:加上|加|带上|包括|附上|还要|也要|同时显示|再加上|再加)(?:它们的|他们的|其)?(?P<what>[^，,。]{1,12})$"
)
_LISTING: Final = re.compile(r"^(?:请)?(?:列出|显示|找出|查询|查一下|给出|有哪些|哪些)(?:所有|全部)?(?:的)?")
_PICTURE_TALK: Final = re.compile(
    r"[，,。]?\s*(?:并|再)?(?:请)?(?:用|以|画成?|画出|画个|画一?[个张]|画|做成|做|绘制成?|生成)?(?:一?[个张])?"
    r"(?:饼(?:状)?图|柱(?:状|形)图|折线图|散点图|直方图|条形图|堆叠柱状图|分组柱状图|图表)(?:来)?(?:表示|展示|显示|画出|呈现)?"
)
_MEASURES: Final = "个位家台件条张首种名次人笔"
_LONGEST: Final = 20
_SHORT: Final = 8


def proposals_zh(query: str, question: str) -> Proposals | None:
    """What ``query`` may mean after ``question``; None where it does not look like a follow-up.

    Args:
        query: Simplified, without the mark at its end.
        question: The last question about data in full, without the mark at its end.
    """
    said = query.strip()
    if not said or len(said) > _LONGEST:
        return None
    # Whatever else changes, the picture stays what it is, and is spoken of last.
    plain = _PICTURE_TALK.sub("", question).strip("，, ") or question
    if (picture := _picture(said, plain)) is not None:
        return picture
    chart = named(question).kind if plain != question else None
    found = _changed(said, plain)
    return found.ending(f"，画{PICTURES['zh'][chart]}") if found is not None and chart is not None else found


def _changed(said: str, question: str) -> Proposals | None:
    bare = _LEAD.sub("", said)
    asks = said.endswith("呢")
    while (shorter := _TAIL.sub("", bare)) != bare:
        bare = shorter
    for rule in (_sorted, _top, _when, _grouped, _count, _which, _more, _pointing, _measured):
        if (found := rule(bare, question)) is not None:
            return found
    only = _ONLY.match(said) or _ONLY.match(bare)
    core = _ONLY.sub("", bare).removesuffix("的")
    if _ASKS.search(core) and not only:
        return None
    if only or asks or said != bare or len(core) <= _SHORT:
        swapped = tuple(_swapped(core, question))
        # What leaves nothing out comes first where it is narrowed down.
        ordered = tuple(sorted(swapped, key=lambda one: bool(one.was))) if only else swapped
        return Proposals(ordered, means=core, certain=only is not None)
    return None


def uttered(said: str) -> str:
    """What is named in a follow-up, without the words around it: ``2012`` of 那2012年呢."""
    bare = _LEAD.sub("", said)
    while (shorter := _TAIL.sub("", bare)) != bare:
        bare = shorter
    return re.sub(r"(?<=\d)年份?$", "", _ONLY.sub("", bare).removesuffix("的"))


def _picture(said: str, question: str) -> Proposals | None:
    found = named(said)
    letters = set(re.sub(r"[\s，,]", "", said))
    if not found.any and not re.fullmatch(r".{0,3}图呢?", said):
        return None
    if not letters <= set(listed("zh", "picture")):
        return None
    chart = PICTURES["zh"].get(found.kind or "", "图表")
    return Proposals.sure(f"{question}，画{chart}", chart)


def _sorted(bare: str, question: str) -> Proposals | None:
    return Proposals.sure(f"{question}，{bare}", bare) if _SORT.match(bare) else None


def _top(bare: str, question: str) -> Proposals | None:
    found = _TOP.match(_ONLY.sub("", bare))
    if found is None:
        return None
    if (known := _HAS_TOP.search(question)) is not None:
        said = f"{found['way']}{found['count']}{known['unit'] or ''}"
        return Proposals.sure(question[: known.start()] + said + question[known.end() :], said, known[0])
    said = f"{found['way']}{found['count']}个"
    made = [Proposal(f"{question}，{said}")]
    if (counted := _COUNTED.match(question)) is not None:
        most = "最多" if found["way"] == "前" else "最少"
        made.insert(0, Proposal(f"{counted['things']}{most}的{found['count']}个{counted['what']}"))
        made.insert(0, Proposal(f"{counted['things']}数量{most}的前{found['count']}个{counted['what']}"))
    return Proposals(tuple(made), means=said, certain=True)


def _when(bare: str, question: str) -> Proposals | None:
    found = _IS_WHEN.match(_ONLY.sub("", bare))
    if found is None:
        return None
    span = found["span"]
    spans = list(_ANY_WHEN.finditer(question))
    if not spans:
        return Proposals.sure(f"{span}{question}", span)
    known = spans[-1]
    return Proposals.sure(question[: known.start()] + span + question[known.end() :], span, known[0])


def _grouped(bare: str, question: str) -> Proposals | None:
    found = _GROUP.match(bare)
    if found is None or _ASKS.search(bare):
        return None
    what = found["what"]
    if (known := _PER.search(question)) is not None:
        text = f"{question[: known.start()]}{known['word']}{what}{question[known.end() :]}"
        return Proposals((Proposal(text, was=known[0]),), means=bare, certain=True)
    each = f"每{'个' if what not in _UNITS.split() else ''}{what}"
    made = [Proposal(_of_each(each, question))]
    if (when := _ANY_WHEN.search(question)) is not None and when.start() == 0:
        made.insert(0, Proposal(when[0] + _of_each(each, question[when.end() :].removeprefix("的"))))
    made.append(Proposal(f"{question}，按{what}分组"))
    return Proposals(tuple(made), means=bare, certain=True)


def _of_each(each: str, asked: str) -> str:
    return f"{each}{'' if asked.startswith(('有', '多少', '几', '一共', '总共')) else '的'}{asked}"


def _count(bare: str, question: str) -> Proposals | None:
    if not _HOW_MANY.match(bare):
        return None
    things = _LISTING.sub("", question)
    return Proposals.sure(f"{things}有多少", things)


def _which(bare: str, question: str) -> Proposals | None:
    counted = re.search(r"(?:多少|几)(?:个|名|位|条|家|种|首|张|件|笔)?", question)
    if counted is None or not _WHICH.match(bare):
        return None
    return Proposals.sure(question[: counted.start()] + "哪些" + question[counted.end() :], "哪些", counted[0])


def _more(bare: str, question: str) -> Proposals | None:
    found = _MORE_OF.match(bare)
    return None if found is None else Proposals.sure(f"{question}以及{found['what']}", bare)


def _pointing(bare: str, question: str) -> Proposals | None:
    if not _PRONOUN.search(bare) or not _ASKS.search(bare):
        return None
    return Proposals((Proposal(f"{question}，然后{bare}"),), means=bare, steps=True)


def _measured(bare: str, question: str) -> Proposals | None:
    word = bare.removesuffix("的")
    known = _AGGREGATE.search(question)
    if known is None or not _AGGREGATE.fullmatch(word):
        return None
    return Proposals.sure(question[: known.start()] + word + question[known.end() :], word, known[0])


def _swapped(core: str, question: str) -> Iterator[Proposal]:
    for segment in segments_of(question):
        # What parts the rows stays: 每个国家 becomes no 每个德国.
        before = re.match(either("zh", "per"), segment.text)
        start = segment.start + (before.end() if before else 0)
        was = question[start : segment.end]
        # Nothing but another time takes the place of a time.
        if was and was not in _MEASURES and was.isdigit() == core.isdigit() and not _ANY_WHEN.search(was):
            yield Proposal(question[:start] + core + question[segment.end :], was=was)
    if (
        asked := re.search(r"(?:多少|几)(?:个|名|位|条|家|种|首|张|件|笔)?(?P<things>[^，,。？?的]{1,8})$", question)
    ) is not None:
        yield Proposal(question[: asked.start("things")] + core, was=asked["things"])
    yield Proposal(f"{question}，只看{core}")
    yield Proposal(f"{core}的{question}")
