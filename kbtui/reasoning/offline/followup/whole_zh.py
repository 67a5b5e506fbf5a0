"""Chinese follow-ups to the question before as a whole: corrections, more of it."""

from __future__ import annotations

import re

from kbtui.reasoning.offline.followup.meant import Meant
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.swaps_zh import swapped
from kbtui.reasoning.offline.followup.topics import event_of
from kbtui.reasoning.offline.followup.topics_zh import END, LEAD, meaning

_CORRECTS = re.compile(
    r"^(?:(?:不对|不是|不|错了|哦|噢|抱歉|对不起|等等|等一下|其实)[\s,，。!！]*)*"
    r"我(?:其实|刚才)?(?:是)?(?:想)?(?:说的是|指的是|问的是|要的是|是说|是指|是问|想问的是|的意思是|指|说)\s*(?P<right>.+?)"
    r"(?:[,，]\s*(?:而)?不是(?P<wrong>.+))?$"
    r"|^不是\s*(?P<wrong2>[^,，]+?)\s*[,，]\s*(?:而)?是\s*(?P<right2>.+)$"
)


def correction(text: str, said: Said) -> Meant | None:
    match = _CORRECTS.match(text)
    if match is None:
        return None
    right = (match["right"] or match["right2"]).strip(" ,，")
    wrong = (match["wrong"] or match["wrong2"] or "").strip(" ,，")
    if not right or len(right) > 24:
        return None
    if wrong:
        return meaning(said.question.replace(wrong, right, 1), wrong, right) if wrong in said.question else None
    return swapped(right, said)


_MORE = re.compile(
    rf"^{LEAD}(?:请|麻烦)?(?:你)?(?:能(?:不能)?|可以|可否)?(?:再|更)?(?:给我)?(?:"
    r"(?:更)?(?:详细|具体|展开|深入|进一步|继续|接着|多|仔细)(?:地)?(?:一?点|一些|些|一下)?(?:说说|说一下|说|讲讲|讲一下|讲|解释|说明|介绍|描述|展开)?(?:一下|一点|下|点)?"
    rf"|(?:更多|详细)(?:的)?(?:信息|内容|细节|说明|介绍|情况)?|细节|展开)(?:吗|么)?{END}$"
)


_ELSE = re.compile(
    rf"^(?:那)?(?:还有|还有别的|还有其他的?|还有什么|还有哪些|还有没有(?:别的|其他的?)?|别的|其他的?|其它的?)(?:吗|么)?{END}$"
)


_EXAMPLE = re.compile(
    rf"^{LEAD}(?:能|可以|请)?(?:不能)?(?:再)?(?:给|举)(?:我)?(?:出|个|一个|一些|几个|些)?(?:具体的?)?(?:例子|示例|例)(?:吗|来说明)?{END}$|^(?:比如|例如)(?:说)?(?:呢)?$"
)


_NEXT = re.compile(
    rf"^(?:那)?(?:然后|接下来|之后|接着|后来|再然后|下一步|在那之后|这之后)(?:怎么办|怎么做|做什么|是什么|要做什么|该怎么做|会怎样|会发生什么)?{END}$"
)


def more(text: str, said: Said) -> Meant | None:
    topic = said.question
    if _EXAMPLE.match(text):
        return meaning(f"举个例子：{topic}", text, topic)
    if _NEXT.match(text):
        return meaning(f"{event_of(said)}之后怎么做", text, event_of(said))
    if _ELSE.match(text):
        return meaning(f"还有其他的吗：{topic}", text, topic)
    if _MORE.match(text):
        return meaning(f"详细说明：{topic}", text, topic)
    return None
