"""Readings that bring the same columns in another order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kbtui.data.nl2sql.orderless import OrderlessWriter
from kbtui.domain.analysis import ForeignKey, Reading, Readings, Schema, Table

SCHEMA = Schema(source="shop", dialect="sqlite", level="detailed")


class Scripted:
    def __init__(self, *found: tuple[str, float]) -> None:
        self.found = found

    def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
        return Readings(readings=tuple(Reading(sql=s, query_kind="group", confidence=c) for s, c in self.found))


def read(*found: tuple[str, float]) -> list[tuple[str, float]]:
    return [(each.sql, each.confidence) for each in OrderlessWriter(Scripted(*found)).read("?", SCHEMA).readings]


def test_the_order_of_columns_divides_no_confidence() -> None:
    first = "SELECT city, COUNT(*) FROM shops GROUP BY city"
    assert read((first, 0.5), ("SELECT COUNT(*), city FROM shops GROUP BY city", 0.3)) == [(first, pytest.approx(0.8))]


def test_nor_does_the_order_of_joined_tables() -> None:
    first = "SELECT g.name, COUNT(*) FROM g JOIN t ON g.id = t.g GROUP BY g.id"
    turned = "SELECT COUNT(*), g.name FROM t JOIN g ON t.g = g.id GROUP BY g.id"
    assert read((first, 0.5), (turned, 0.3)) == [(first, pytest.approx(0.8))]
    other = "SELECT COUNT(*), g.name FROM t JOIN g ON t.other = g.id GROUP BY g.id"
    kept = "SELECT COUNT(*), g.name FROM t LEFT JOIN g ON t.g = g.id GROUP BY g.id"
    assert len(read((first, 0.5), (other, 0.3), (kept, 0.1))) == 3


def test_a_sum_over_rows_that_a_join_repeats_is_doubted() -> None:
    to_orders = ForeignKey(columns=("o",), referred_table="orders", referred_columns=("id",))
    lines = Table(name="lines", columns=(), foreign_keys=(to_orders,))
    schema = replace(SCHEMA, tables=(Table(name="orders"), lines))

    def confidence(figure: str) -> float:
        sql = f"SELECT {figure} FROM orders AS a JOIN lines ON a.id = lines.o GROUP BY lines.kind"
        best = OrderlessWriter(Scripted((sql, 0.8))).read("?", schema).best
        assert best is not None
        return best.confidence

    assert confidence("SUM(a.total)") == confidence("AVG(a.total)") == pytest.approx(0.4)
    assert confidence("SUM(lines.price)") == confidence("COUNT(*)") == confidence("MAX(a.total)") == 0.8
    # The rate belongs to the order and the hours to its lines: nothing is counted twice.
    assert confidence("SUM(a.rate * lines.hours)") == 0.8


def test_other_columns_filters_and_groups_stay_apart() -> None:
    found = [
        ("SELECT city FROM shops", 0.5),
        ("SELECT name FROM shops", 0.3),
        ("SELECT city FROM shops WHERE open", 0.1),
        ("SELECT city FROM shops UNION SELECT name FROM shops", 0.05),
    ]
    assert read(*found) == found


def test_no_confidence_is_more_than_certain() -> None:
    assert read(("SELECT a, b FROM t", 0.7), ("SELECT b, a FROM t", 0.6))[0][1] == 0.99


def test_chinese_words_that_were_taken_for_nothing_are_a_reason_for_doubt() -> None:
    def confidence(*unlinked: str) -> float:
        reading = Reading(sql="SELECT 1", query_kind="detail", confidence=0.9, unlinked=unlinked)
        writer = OrderlessWriter(Fixed(reading))
        return writer.read("?", SCHEMA).readings[0].confidence

    assert confidence("柜机") < 0.65 < confidence("please") == confidence()


class Fixed:
    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
        return Readings(readings=(self.reading,))


def test_a_figure_that_was_taken_for_nothing_leaves_a_doubt() -> None:
    class Leaving:
        def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
            left = tuple(question.split())
            return Readings(readings=(Reading(sql="SELECT 1", query_kind="group", confidence=0.9, unlinked=left),))

    def confidence(left: str) -> float:
        best = OrderlessWriter(Leaving()).read(left, SCHEMA).best
        assert best is not None
        return best.confidence

    assert confidence("monthly Growth") == pytest.approx(0.45)
    assert confidence("lovely") == pytest.approx(0.9)
