"""Which chart a question names, in English or Chinese: by its own name, or by what it is for (a trend, a share)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kbtui.domain.analysis import ChartKind
from kbtui.text.language import simplified

CHART_NAMES: Final[Mapping[str, str]] = {
    "bar": "bar chart",
    "line": "line chart",
    "pie": "pie chart",
    "scatter": "scatter plot",
    "histogram": "histogram",
    "stacked_bar": "stacked bar chart",
    "grouped_bar": "grouped bar chart",
}
"""What kinds of charts are called."""

_PICTURE = r"(?:charts?|graphs?|plots?|diagrams?)"
_AS = r"(?:as|in|with|using|by)\s+(?:a\s+|an\s+)?(?:\w+\s+)?"

# A chart by its name. "Grouped", "line" and "bar" are words of data too (grouped by, line items), so that they count
# only where a picture is meant.
_NAMES: Final[tuple[tuple[ChartKind, str], ...]] = (
    ("stacked_bar", r"\bstacked\b|\bstack\s+(?:the\s+)?(?:bars?|columns?)\b|堆叠|堆积|层叠柱"),
    (
        "grouped_bar",
        rf"\b(?:grouped|clustered|multi-?series|side[- ]by[- ]side)\s+(?:bars?|columns?)\b|\bclustered\s+{_PICTURE}\b"
        r"|分组(?:柱|条)|簇状|并列(?:柱|条)|并排(?:柱|条)",
    ),
    ("pie", rf"\bpies?\b|\b(?:donut|doughnut)\s+{_PICTURE}|饼(?:状|形|分)?图|圆饼|环形图|圆环图|扇形图"),
    ("scatter", rf"\bscatter(?:ed|ing|[- ]?plots?|[- ]?graphs?)?\b|\b(?:dot|point|bubble)\s+{_PICTURE}\b|散点|点状图"),
    ("histogram", r"\bhistograms?\b|直方图"),
    (
        "line",
        rf"\b(?:line|curve)s?[- ]?{_PICTURE}\b|\b{_AS}(?:lines?|curves?)\b|\bsparklines?\b|折线|曲线图|线形图|线图",
    ),
    (
        "bar",
        rf"\b(?:bars?|columns?)[- ]?{_PICTURE}\b|\b{_AS}bars\b|\bhorizontal bars?\b"
        r"|柱(?:状|形)?图|条形图|柱子图|长条图",
    ),
)
# What a chart is for: weaker than its name, and only where the data allow it.
_PURPOSES: Final[tuple[tuple[ChartKind, str], ...]] = (
    (
        "scatter",
        r"\bcorrelat\w+|\brelation(?:ship)?s?\s+between\b|\bagainst\b|\bas a function of\b|相关(?:性|关系)?|之间的关系",
    ),
    (
        "line",
        r"\btrend(?:s|ing|line)?\b|\bover (?:time|the (?:years|months|weeks|days))\b|\btime[- ]series\b"
        r"|\bevol(?:ve|ution)\w*|\bdevelop(?:ed|ment) (?:of|over)\b|趋势|走势|随时间|变化(?:情况|曲线)?",
    ),
    (
        "pie",
        r"\bshares? of\b|\bproportions?\b|\bpercentage (?:of|by|breakdown)\b|\bmake-?up of\b|\bbreakdown\b"
        r"|占比|比例|份额|构成|百分比",
    ),
    ("histogram", r"\bdistribution\b|\bdistributed\b|\bspread of\b|\bfrequenc(?:y|ies)\b|分布|频率|频数"),
)
_ANY_PICTURE = re.compile(
    rf"\b{_PICTURE}\b|\bvisuali[sz]\w*|\bdraw\b|\bchart\b|\bplot(?:ted|ting)?\b|图表|可视化|画(?:个|出|一|成|图)|绘制|作图"
    r"|(?:用|以|做|成)\w{0,6}图",
    re.I,
)
_REFUSED = re.compile(
    r"(?:\bnot|\bno|\bnever|\bwithout|\binstead of|\brather than|\bdon't (?:use|draw|want|make)|\bfrom)\s+"
    r"(?:an?\s+|the\s+)?$"
    r"|(?:不要|不用|别用|别画|不是|不画|而非|代替)(?:用|画|一个|个|一张|张)?$",
    re.I,
)
_CHARTS = tuple((kind, re.compile(pattern, re.I)) for kind, pattern in _NAMES)
_AIMS = tuple((kind, re.compile(pattern, re.I)) for kind, pattern in _PURPOSES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What a question says of charts.

    Attributes:
        kind: The chart that is named, or None.
        aim: The chart that serves what is asked for, or None.
        any: A picture of some kind is wanted.
    """

    kind: ChartKind | None = None
    aim: ChartKind | None = None
    any: bool = False


def named(question: str) -> Named:
    """What ``question`` says of charts. A chart that it does not want (``not a pie chart``) is not named."""
    text = simplified(question)
    kind = _first(text, _CHARTS)
    return Named(kind=kind, aim=_first(text, _AIMS), any=kind is not None or _ANY_PICTURE.search(text) is not None)


def _first(text: str, rows: tuple[tuple[ChartKind, re.Pattern[str]], ...]) -> ChartKind | None:
    """The kind whose words come first and are not refused; of two at the same place, the one declared first."""
    found: list[tuple[int, int, ChartKind]] = []
    for order, (kind, pattern) in enumerate(rows):
        for match in pattern.finditer(text):
            if not _REFUSED.search(text[: match.start()]):
                found.append((order if kind in ("stacked_bar", "grouped_bar") else 9, match.start(), kind))
                break
    return min(found)[2] if found else None
