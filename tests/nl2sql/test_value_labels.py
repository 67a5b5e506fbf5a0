"""Codes that the comment of a column explains."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kbtui.domain.analysis import Schema
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.reader import QuestionReader
from kbtui.nl2sql.stages import shipped_stages
from kbtui.nl2sql.value_labels import labels_in
from tests.nl2sql.sources import TODAY, Memory


@pytest.mark.parametrize(
    ("comment", "labels", "rest"),
    [
        ("1=low, 2=normal, 3=high", {1: "low", 2: "normal", 3: "high"}, ""),
        ("state: 1 - Open; 2 - On hold; 3 - Done", {1: "open", 2: "on hold", 3: "done"}, "state"),
        ("状态 1:待付款 2:已付款 3:已取消", {1: "待付款", 2: "已付款", 3: "已取消"}, "状态"),
        ("priority (1 = low | 2 = mid | 3 = high)", {1: "low", 2: "mid", 3: "high"}, "priority"),
    ],
)
def test_codes_are_explained_in_the_ways_of_comments(comment: str, labels: dict[int, str], rest: str) -> None:
    found, remaining = labels_in(comment, [1, 2, 3])
    assert (dict(found), remaining) == (labels, rest)


@pytest.mark.parametrize("comment", ["net of tax, 2 decimals", "see RFC 3339", "1=low, 2=normal, 7=none", ""])
def test_a_comment_that_explains_other_things_has_no_labels(comment: str) -> None:
    assert labels_in(comment, [1, 2, 3, 4]) == ((), comment)


def _tickets() -> tuple[Memory, Schema, QuestionReader]:
    memory = Memory("CREATE TABLE tickets(id INTEGER PRIMARY KEY, subject TEXT, urgency INTEGER);")
    memory.fill("tickets", [(n, f"Subject {n}", n % 3 + 1) for n in range(1, 61)])
    schema = memory.schema
    (table,) = schema.tables
    columns = [replace(c, comment="1=low, 2=normal, 3=urgent" if c.name == "urgency" else "") for c in table.columns]
    explained = replace(schema, tables=(replace(table, columns=tuple(columns)),))
    return memory, explained, QuestionReader(lambda _source, sql: memory.ask(sql), lambda: TODAY, shipped_stages)


def test_a_label_is_asked_for_like_a_value_and_said_beside_the_code() -> None:
    memory, schema, reader = _tickets()
    urgency = profile(schema, memory.ask, today=TODAY).tables["tickets"].columns[2]
    assert (urgency.kind, urgency.words) == ("category", ("urgency",))
    (reading, *_) = reader.read("how many urgent tickets are there", schema).readings
    assert reading.sql.endswith('WHERE "urgency" = 3')
    assert "3 (urgent)" in reading.says
