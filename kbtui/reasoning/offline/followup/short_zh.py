"""Chinese questions that are cut off or leave their subject out.

Chinese drops what is clear, so many follow-ups have no pronoun at all; only forms that cannot be whole questions are
completed.
"""

from __future__ import annotations

import re

from kbtui.reasoning.offline.followup.meant import Meant
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.topics import event_of, subject_of
from kbtui.reasoning.offline.followup.topics_zh import END, HAN, LEAD, meaning, topic_of
from kbtui.reasoning.offline.followup.words import either

_SHORT = re.compile(
    rf"^{LEAD}(?:究竟|到底|具体|一般|通常|大概)?(?P<asks>为什么(?:不(?:能|可以|行|会|要)?)?|为何|为啥"
    r"|怎么(?:做|办|用|弄|操作|实现|说|样|回事)?|如何(?:做|操作|实现)?"
    r"|(?:是)?(?:从)?(?:什么时候|何时|哪一?年|哪天)(?:开始)?(?:的)?|(?:是)?谁(?:的)?|由谁|在?(?:哪里|哪儿|哪)"
    r"|多久|多长时间|多少|几个|哪些|哪个|哪一?种|有哪些|有多少|是什么|需要多久|需要多长时间|要多久)"
    rf"{END}$"
)


def short(text: str, said: Said) -> Meant | None:
    """为什么, 什么时候, 怎么用: asked of what the question before says."""
    match = _SHORT.match(text)
    if match is None:
        return None
    asks = match["asks"]
    if said.language == "en":
        return meaning(f"{asks}：{said.question}", text, said.question)
    told = re.sub(r"(?:了)?(?:吗|么)$", "", said.question)
    if re.match(r"为什么|为何|为啥", asks):
        if told != said.question or re.search(either("zh", "asks"), told) is None:
            return meaning(f"{asks}{_affirmed(told)}" if asks[-1] in "么何啥" else f"{told}{asks}", text, told)
        return meaning(f"为什么：{said.question}", text, said.question)
    if told != said.question and re.match(r"是?从?(什么时候|何时|哪)", asks):
        return meaning(f"{asks.removesuffix('的')}{told}", text, told)
    means = told if told != said.question else event_of(said)
    return meaning(f"{means}{asks}", text, means)


def _affirmed(told: str) -> str:
    return re.sub(r"(是否|能否|可否)", lambda match: {"是否": "", "能否": "能", "可否": "可以"}[match[1]], told)


_VERBLESS = re.compile(
    rf"^{LEAD}(?P<rest>(?:是)?(?:谁|由谁|什么时候|何时|哪一?年|在哪里|在哪儿|在哪|哪里|怎么|如何|怎样|为什么|为何)(?:来|会|要|可以|能|被|才能)?"
    rf"(?:{either('zh', 'transitive')})(?:的|了|过|它)?{END})$"
    rf"|^{LEAD}(?P<cleft>(?:是)?(?:谁|什么时候|何时|哪一?年|在哪里|在哪儿|在哪|怎么|为什么)[{HAN}]{{1,4}}的)$"
    rf"|^{LEAD}(?P<such>为什么(?:要|会)?(?:这样|这么|那样|那么)[{HAN}]{{0,6}})$"
    rf"|^{LEAD}(?P<needs>(?:还)?(?:需要|要|得)(?:花|等)?(?:谁|多少|多久|多长时间|什么|哪些)[{HAN}]{{0,6}}?{END})$"
    rf"|^{LEAD}(?P<has>(?:还)?有(?:什么|哪些|没有)(?:{either('zh', 'attributes')}|例外|区别"
    r"|替代方案|注意事项|副作用|影响|条件)"
    rf"(?:吗)?)$"
    rf"|^{LEAD}(?P<attribute>(?:{either('zh', 'attributes')})(?:是)?(?:谁|什么|多少|多久|哪个|怎样的)?)$"
)


def dropped(text: str, said: Said) -> Meant | None:
    """谁批准的, 需要多长时间, 作者是谁: what they are about was left out."""
    match = _VERBLESS.match(text)
    if match is None:
        return None
    part = next(value for value in match.groupdict().values() if value)
    if match["attribute"]:
        subject = subject_of(said)
        return meaning(f"{subject}的{part}", "", subject) if subject and not subject.endswith(part[:2]) else None
    if match["rest"] and re.search(r"^(?:怎么|如何|怎样)", part) is None and said.language == "zh":
        means = topic_of(said.question).subject
    else:
        means = event_of(said) if match["needs"] or match["such"] else subject_of(said)
    means = re.sub(r"(?:了)?(?:吗|么)$", "", means)
    if (verb := re.search(rf"({either('zh', 'verbs')})的?$", part)) and means.endswith(verb[1]):
        means = means.removesuffix(verb[1])
    return meaning(f"{means}{part}", "", means) if means else None
