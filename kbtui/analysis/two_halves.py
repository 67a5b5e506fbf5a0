"""Cuts a question of both data and documents in two: ``which runbook covers the service with the most incidents?``

The half for the data is asked first; what it finds takes the place of ``{value}`` in the half for the documents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_DOCUMENT: Final = (
    r"(?:runbooks?|handbooks?|playbooks?|docs?|documents?|documentation|guides?|polic(?:y"
    r"|ies)(?:\ documents?)?|manuals?"
    r"|notes?|wiki|wiki\ pages?|specs?|readmes?|adrs?|postmortems?|post-mortems?|contracts?|files?|pages?|how-?tos?)"
)
_SUPERLATIVE: Final = (
    r"(?:most|least|highest|lowest|largest|smallest|biggest|fewest|greatest|best|worst|longest"
    r"|shortest|top|slowest|fastest"
    r"|newest|oldest|cheapest)"
)
_PHRASE: Final = re.compile(
    rf"\b(?P<data>(?:the|our)\ (?:[\w-]+\ ){{0,3}}?[\w-]+\ (?:with|that\ (?:has|have|had|sold|sells"
    rf"|got|made)|which\ has|having|who\ (?:has|had))"
    rf"\ (?:the\ )?(?:[\w-]+\ ){{0,2}}?{_SUPERLATIVE}\b[^,?.;]*"
    rf"|(?:the|our)\ (?:[\w-]+\ ){{0,2}}?(?:{_SUPERLATIVE}|best-selling|top-selling"
    rf"|worst-performing|best-performing|most-\w+)(?:[ -][\w-]+){{1,5}})",
    re.I | re.X,
)
_DOCUMENTS: Final = re.compile(rf"\b{_DOCUMENT}\b", re.I | re.X)
_THEN: Final = re.compile(
    r"^(?:first,?\ )?(?P<data>.{8,120}?)(?:,|;)?\ (?:and\ )?then,?\ (?P<knowledge>.{8,160})$"
    r"|^(?P<data2>.{8,120}?),?\ and\ "
    r"(?P<knowledge2>(?:tell|show|find|look|check|say|what|which|where|how|see|summari[sz]e|explain|quote)\b.{6,160})$",
    re.I | re.X,
)
_REFERS: Final = re.compile(
    r"\b(?:it|its|them|that\ (?:one|product|service|customer|team)|this\ (?:one|product|service))\b", re.I | re.X
)
_PHRASE_ZH: Final = re.compile(
    r"(?P<data>[\u4e00-\u9fffA-Za-z0-9 ]{1,14}?最(?:多|高|大|少|低|小|好|差|长|快|慢|贵|受欢迎"
    r"|畅销)的[\u4e00-\u9fff]{1,6}?)"
    r"(?=由|在|是|的|有|对应|属于|适用|应|归|，|,|？|\?|$|怎)"
)
_DOCUMENTS_ZH: Final = re.compile(
    r"文档|手册|笔记|纪要|规范|制度|政策|说明|readme|runbook|wiki|指南|合同|方案|规定|文件|资料", re.I
)
_LEAD_ZH: Final = re.compile(
    r"^(?:请问|帮我|找|查|哪[个份篇些]?(?:文档|手册|runbook|指南|制度|规范)?(?:介绍|描述|讲|覆盖"
    r"|说明|提到|适用于|负责)了?)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Halves:
    """``knowledge`` holds ``{value}`` where what ``data`` finds belongs."""

    knowledge: str
    data: str


def two_halves(question: str) -> Halves | None:
    """The halves of a question of both kinds; None where it is not, or cannot be cut."""
    text = question.strip().rstrip("?？。.!！").strip()
    chinese = _PHRASE_ZH.search(text) if re.search(r"[\u4e00-\u9fff]", text) else None
    if chinese is not None:
        return _cut_chinese(text, chinese)
    if match := _THEN.match(text):
        data = match["data"] or match["data2"]
        knowledge = match["knowledge"] or match["knowledge2"]
        if _DOCUMENTS.search(knowledge) and not _DOCUMENTS.search(data):
            placed = _REFERS.sub("{value}", knowledge, count=1)
            return Halves(placed if "{value}" in placed else f"{placed} {{value}}", data.strip())
    if not _DOCUMENTS.search(text):
        return None
    if (phrase := _PHRASE.search(text)) and not _DOCUMENTS.search(phrase["data"]):
        knowledge = f"{text[: phrase.start()]}{{value}}{text[phrase.end() :]}"
        return Halves(f"{knowledge}?", phrase["data"])
    return None


def _cut_chinese(text: str, phrase: re.Match[str]) -> Halves | None:
    asked = phrase["data"]
    start = phrase.start()
    if lead := _LEAD_ZH.match(asked):
        start += lead.end()
        asked = asked[lead.end() :]
    rest = f"{text[:start]}{{value}}{text[phrase.end() :]}"
    if len(asked) < _SHORTEST or not _DOCUMENTS_ZH.search(rest) or _DOCUMENTS_ZH.search(asked):
        return None
    return Halves(f"{rest}？", asked)


_SHORTEST: Final = 4
