"""The phrases of a consultation, in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Templates; ``dimension`` has one for each kind of table."""

    about: str
    more: str
    sized: str
    comma: str
    empty: str
    dimensions: str
    charts: str
    queries: str
    note: str
    keys: str
    key: str
    amount: str
    category: str
    day: str
    by_category: str
    over_time_of: str
    spread_of: str
    ask_total: str
    ask_top: str
    ask_monthly: str
    ask_average: str
    dimension: Mapping[str, str]
    together: str
    over_time: str
    ranked: str
    shares: str
    counted: str
    spread: str
    ask_over_time: str
    ask_most: str
    ask_per: str
    ask_without: str
    ask_count: str


ENGLISH: Final = Advice(
    about="**{source}** holds {tables}{more}.",
    more=" and {count} more tables",
    sized="{name} (about {rows} rows)",
    comma=", ",
    empty="**{source}** has no tables, so there is nothing to analyse yet.",
    dimensions="Dimensions to analyse",
    charts="Charts that suit them",
    queries="Questions to ask",
    note="This is from the structure alone; nothing was queried.",
    keys="Keys and relationships",
    key="{one} ({columns}) refers to {other} ({referred})",
    amount="**How much**: {name}, in total, on average and at most",
    category="**Which**: compared by {name}",
    day="**When**: how it changes over {name}, by month and by year",
    by_category="Bar chart: {amount} by {name}",
    over_time_of="Line chart: {amount} per month",
    spread_of="Histogram: how {amount} is spread, to see outliers",
    ask_total="total {amount} by {name}",
    ask_top="Which {name} has the highest total {amount}?",
    ask_monthly="total {amount} per month",
    ask_average="average {amount} by {name}",
    dimension={
        "event": "**Time**: how the number of {name} changes by day, month and year, and when it peaks",
        "person": "**Who**: which {name} stand out, how they are spread, who is new and who has gone",
        "place": "**Where**: how {name} compare with each other",
        "thing": "**What**: which {name} make up most of it, and which hardly any",
        "other": "**{name}**: what it is made of, and how its values are spread",
    },
    together="**{one} by {other}**: how many {one} belong to each of the {other}, and which have none",
    over_time="Line chart: number of {name} per month",
    ranked="Bar chart: the top 10 {other} by number of {one}",
    shares="Pie chart: share of {one} by {other}",
    counted="Bar chart: number of {name} by each of their categories",
    spread="Histogram: how amounts and durations are spread, to see outliers",
    ask_over_time="How many {name} are there per month?",
    ask_most="Which {other} have the most {one}?",
    ask_per="How many {one} are there for each of the {other}?",
    ask_without="Which {other} have no {one}?",
    ask_count="How many {name} are there?",
)

CHINESE: Final = Advice(
    about="**{source}** 包含 {tables}{more}。",
    more="，以及另外 {count} 张表",
    sized="{name}（约 {rows} 行）",
    comma="、",
    empty="**{source}** 没有任何表，暂时没有可分析的内容。",
    dimensions="可分析的维度",
    charts="适合的图表",
    queries="可以这样提问",
    note="以上仅依据数据结构得出，没有执行任何查询。",
    keys="键与关联",
    key="{one}（{columns}）引用 {other}（{referred}）",
    amount="**多少**：{name} 的合计、平均与最大值",
    category="**哪些**：按 {name} 比较",
    day="**何时**：随 {name} 按月、按年的变化",
    by_category="柱状图：按 {name} 的 {amount}",
    over_time_of="折线图：每月的 {amount}",
    spread_of="直方图：{amount} 的分布，用来发现异常值",
    ask_total="每个{name}的{amount}合计",
    ask_top="哪个{name}的{amount}合计最高？",
    ask_monthly="每个月的{amount}合计",
    ask_average="每个{name}的平均{amount}",
    dimension={
        "event": "**时间**：{name} 的数量按日、月、年如何变化，高峰在何时",
        "person": "**对象**：哪些 {name} 最突出，分布如何，谁是新增、谁已流失",
        "place": "**地点**：不同 {name} 之间的差异",
        "thing": "**内容**：哪些 {name} 占比最大，哪些几乎没有",
        "other": "**{name}**：由什么构成，取值如何分布",
    },
    together="**按 {other} 看 {one}**：每个 {other} 有多少 {one}，哪些一个也没有",
    over_time="折线图：每月的 {name} 数量",
    ranked="柱状图：{one} 数量最多的前 10 个 {other}",
    shares="饼图：{one} 按 {other} 的占比",
    counted="柱状图：{name} 按各类别的数量",
    spread="直方图：金额、时长等数值的分布，用来发现异常值",
    ask_over_time="每个月有多少 {name}？",
    ask_most="哪个 {other} 的 {one} 最多？",
    ask_per="每个 {other} 各有多少 {one}？",
    ask_without="哪些 {other} 没有 {one}？",
    ask_count="一共有多少 {name}？",
)


def advice_of(language: str) -> Advice:
    """The phrases of ``zh``, or else of English."""
    return CHINESE if language == "zh" else ENGLISH
