"""The phrases of an answer about structure, in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Templates and titles; ``kinds`` names the kinds of columns."""

    empty: str
    one_table: str
    tables: str
    left: str
    table: str
    rows: str
    columns: str
    view: str
    table_head: str
    column: str
    kind: str
    such_as: str
    key: str
    sample: str
    counted: str
    profile: str
    filled: str
    different: str
    least: str
    most: str
    average: str
    kinds: Mapping[str, str]


ENGLISH: Final = Phrases(
    empty="**{source}** has no tables.",
    one_table="**{source}** has 1 table:",
    tables="**{source}** has {count} tables:",
    left="{count} more are not shown; name one to see it.",
    table="table",
    rows="rows",
    columns="columns",
    view="view",
    table_head="{table} (rows: {rows}; columns: {count}):",
    column="column",
    kind="kind",
    such_as="such as",
    key="key",
    sample="The first {count} rows of {table}",
    counted="Number of rows of {table}",
    profile="Profile of {table}.{column}",
    filled="filled in",
    different="different values",
    least="least",
    most="greatest",
    average="average",
    kinds={
        "integer": "whole number",
        "number": "number",
        "text": "text",
        "date": "date",
        "datetime": "date and time",
        "boolean": "yes or no",
        "other": "other",
    },
)

CHINESE: Final = Phrases(
    empty="**{source}** 没有任何表。",
    one_table="**{source}** 有 1 张表：",
    tables="**{source}** 有 {count} 张表：",
    left="另有 {count} 张未列出，说出表名即可查看。",
    table="表",
    rows="行数",
    columns="列数",
    view="视图",
    table_head="{table}（{rows} 行，{count} 列）：",
    column="列",
    kind="类型",
    such_as="例如",
    key="主键",
    sample="{table} 的前 {count} 行",
    counted="{table} 的行数",
    profile="{table}.{column} 的概况",
    filled="已填",
    different="不同取值",
    least="最小",
    most="最大",
    average="平均",
    kinds={
        "integer": "整数",
        "number": "数值",
        "text": "文本",
        "date": "日期",
        "datetime": "日期时间",
        "boolean": "是/否",
        "other": "其他",
    },
)
