"""What an analysis says of itself, in the language of the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from kbtui.domain.analysis import CutPeriod
from kbtui.text.language import has_cjk


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Phrases of one language; those with braces are templates."""

    language: Literal["en", "zh"]
    read_basic: str
    read_detailed: str
    no_chart: str
    calculate: str
    colon: str
    stop: str
    gap: str
    list_joint: str
    last_joint: str
    quote: str
    found: str
    row: str
    rows: str
    no_rows: str
    shown_rows: str
    cut_rows: str
    extremes: str
    compared: str
    grown: str
    shared: str
    unsure: str
    unsure_part: str
    unlinked: str
    choose: str
    failed: str
    read_as: str
    yes: str
    no: str
    tied: str
    differs: str
    so_far: str
    begins: str
    understood: str
    link: str
    link_joint: str
    no_source: str
    no_question: str
    others: str
    cut: str
    calculations: Mapping[str, str] = field(default_factory=dict)

    def counted(self, count: int) -> str:
        """So many rows."""
        return self.row if count == 1 else self.rows.format(count=f"{count:,}")

    def cut_period(self, cut: CutPeriod) -> str:
        """That the data do not fill a period; a template for the number of the statement."""
        return (self.so_far if cut.ends else self.begins).format(period=cut.says, day=cut.day.isoformat())

    def calculation(self, name: str) -> str:
        """What a calculation is called."""
        if name.startswith("percentile_"):
            return self.calculations["percentile"].format(name.removeprefix("percentile_"))
        return self.calculations.get(name, name)


ENGLISH: Final = Words(
    language="en",
    read_basic="Look at which tables {source} has",
    read_detailed="Read the columns and keys of {source}",
    no_chart="No chart was drawn: the result has nothing that a chart could show.",
    calculate="{name} over {uses}",
    colon=": ",
    stop=".",
    gap=" ",
    list_joint=", ",
    last_joint=" or ",
    quote='"{}"',
    found="{says}: {what} {mark}",
    row="1 row",
    rows="{count} rows",
    no_rows="Nothing matches {mark}.",
    shown_rows="The first {shown} of {count} rows are shown {mark}.",
    cut_rows="Only the first {count} rows were read; a total over them would be too low {mark}.",
    extremes="Highest: **{top}** ({high}); lowest: **{bottom}** ({low}) {mark}.",
    compared="{a} against {b}: a difference of **{difference}**{percent} {mark}.",
    grown="From {a} to {b}: **{difference}**{percent} {mark}.",
    shared="{a} of {b}: **{percent}** {mark}.",
    unsure="I am not sure enough what this asks of **{source}**, so nothing was computed.",
    unsure_part="Not answered, because I am not sure enough what it asks of {source}: {question}.",
    unlinked="Not recognised: {words}.",
    choose="The nearest readings are offered below; choosing one runs it.",
    failed="Not answered: {question} ({reason}).",
    read_as="Read as: {says}.",
    yes="Yes — read as: {says}.",
    no="No — read as: {says}.",
    tied="A tie: the next one has the same figure as the last one shown {mark}.",
    differs="Without the model it was read as: {says}.",
    so_far="{period} so far: the data end {day} {{mark}}.",
    begins="{period} in part: the data begin {day} {{mark}}.",
    understood="Understood: {links}.",
    link='"{word}" as {target}',
    link_joint="; ",
    no_source="There is no source of data to ask. Name one with `--data`, or add one: `kbtui sources add SRC`.",
    no_question="This is not a question about data.",
    others="Other sources: {names}. Name one to look there.",
    cut="{rows}, truncated",
    calculations={
        "compare": "Comparison",
        "growth": "Growth",
        "growth_series": "Growth from one period to the next",
        "share": "Share",
        "shares": "Share of each",
        "corr": "Correlation",
        "median": "Median",
        "stdev": "Standard deviation",
        "variance": "Variance",
        "percentile": "Percentile {}",
        "loan": "Loan payment",
        "compound": "Compound interest",
    },
)

CHINESE: Final = Words(
    language="zh",
    read_basic="查看 {source} 有哪些表",
    read_detailed="读取 {source} 的列和键",
    no_chart="没有绘制图表：结果中没有适合用图表表示的内容。",
    calculate="对 {uses} 计算{name}",
    colon="：",
    stop="。",
    gap="",
    list_joint="、",
    last_joint="或",
    quote="“{}”",
    found="{says}：{what} {mark}",
    row="共 1 行",
    rows="共 {count} 行",
    no_rows="没有符合条件的数据 {mark}。",
    shown_rows="仅显示 {count} 行中的前 {shown} 行 {mark}。",
    cut_rows="只读取了前 {count} 行，基于它们的合计会偏低 {mark}。",
    extremes="最高：**{top}**（{high}）；最低：**{bottom}**（{low}）{mark}。",
    compared="{a} 与 {b} 相比：相差 **{difference}**{percent} {mark}。",
    grown="从 {a} 到 {b}：**{difference}**{percent} {mark}。",
    shared="{a} 占 {b}：**{percent}** {mark}。",
    unsure="我不太确定这个问题问的是 **{source}** 中的什么，因此没有执行计算。",
    unsure_part="未回答（不太确定它问的是 {source} 中的什么）：{question}。",
    unlinked="没有认出：{words}。",
    choose="下面列出了最接近的理解，选择其中一个即可执行。",
    failed="未回答：{question}（{reason}）。",
    read_as="理解为：{says}。",
    yes="是——理解为：{says}。",
    no="没有——理解为：{says}。",
    tied="并列：下一行与最后一行数值相同 {mark}。",
    differs="不使用模型时理解为：{says}。",
    so_far="{period}尚不完整：数据截至 {day} {{mark}}。",
    begins="{period}不完整：数据从 {day} 开始 {{mark}}。",
    understood="已理解：{links}。",
    link="“{word}” → {target}",
    link_joint="；",
    no_source="没有可查询的数据源。请用 `--data` 指定，或添加一个：`kbtui sources add SRC`。",
    no_question="这不是关于数据的问题。",
    others="其他数据源：{names}。说出名称即可查看。",
    cut="{rows}，已截断",
    calculations={
        "compare": "比较",
        "growth": "增长",
        "growth_series": "逐期增长",
        "share": "占比",
        "shares": "各项占比",
        "corr": "相关系数",
        "median": "中位数",
        "stdev": "标准差",
        "variance": "方差",
        "percentile": "第 {} 百分位数",
        "loan": "贷款还款",
        "compound": "复利",
    },
)


def words_of(language: str) -> Words:
    """The phrases of ``zh``, or else of English."""
    return CHINESE if language == "zh" else ENGLISH


def language_of(query: str) -> str:
    """The language to answer in: ``zh`` for a question with Chinese in it, else ``en``."""
    return "zh" if has_cjk(query) else "en"
