"""One classifier for one state of the sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.analysis.classifier_cache import ClassifierCache
from kbtui.analysis.schema_manager import SchemaManager
from kbtui.analysis.source_names import names_in, values_in
from kbtui.domain.analysis import Column, Schema, Table
from kbtui.errors import DataSourceError
from tests.analysis.shop import Clock, CountingSource, change, shop_source


@pytest.fixture
def source(tmp_path: Path) -> CountingSource:
    return shop_source(tmp_path)


@pytest.fixture
def manager(source: CountingSource, tmp_path: Path) -> SchemaManager:
    return SchemaManager({source.name: source}, tmp_path / "schemas", Clock())


def unexpected(error: DataSourceError) -> None:
    raise AssertionError(error)


def test_the_classifier_is_made_once_for_a_structure(manager: SchemaManager) -> None:
    classifiers = ClassifierCache()
    assert classifiers.get(manager, unexpected) is classifiers.get(manager, unexpected)


def test_a_changed_structure_makes_another_which_knows_the_new_table(
    source: CountingSource, manager: SchemaManager, tmp_path: Path
) -> None:
    classifiers = ClassifierCache()
    asked = "zeppelins in service"
    assert classifiers.get(manager, unexpected).classify(asked).request_type == "knowledge"
    change(tmp_path / "shop.db", "CREATE TABLE zeppelins (id INTEGER)")
    assert classifiers.get(manager, unexpected).classify(asked).request_type == "data_query"


def test_nothing_is_read_in_detail_to_classify_and_what_was_is_used(
    source: CountingSource, manager: SchemaManager, tmp_path: Path
) -> None:
    classifiers = ClassifierCache()
    asked = "list the ones in Lisbon"
    change(tmp_path / "shop.db", "CREATE TABLE stays (place TEXT)")
    change(tmp_path / "shop.db", "INSERT INTO stays VALUES ('Lisbon')")
    assert classifiers.get(manager, unexpected).classify(asked).request_type == "knowledge"
    assert [level for level, _ in source.schema_calls] == ["basic"]
    manager.get(source.name, "detailed")
    assert classifiers.get(manager, unexpected).classify(asked).request_type == "data_query"
    assert [level for level, _ in source.schema_calls] == ["basic", "detailed"]


def test_a_source_that_cannot_be_read_is_told_and_left_out(manager: SchemaManager, tmp_path: Path) -> None:
    told: list[DataSourceError] = []
    (tmp_path / "shop.db").write_bytes(b"no database at all" * 100)
    found = ClassifierCache().get(manager, told.append).classify("how many orders are there?")
    assert found.request_type == "knowledge"
    assert len(told) == 1


def test_without_sources_there_is_a_classifier_all_the_same() -> None:
    assert ClassifierCache().get(None, unexpected).classify("2+2").quick_path


def test_short_comments_are_names_and_only_words_are_values() -> None:
    columns = (
        Column(name="c1", kind="text", comment="会员, 姓名", samples=("Lisbon", "1024", "x" * 50, None, "杭州")),
        Column(name="c2", kind="number", comment="what a long story this is", samples=(1, 2)),
    )
    schema = Schema(source="s", dialect="sqlite", level="detailed", tables=(Table(name="t1", columns=columns),))
    assert names_in(schema) == {"t1", "c1", "c2", "会员", "姓名"}
    assert values_in(schema) == {"Lisbon", "杭州"}
