from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from msgspec import structs
from msgspec.structs import replace

from kbtui.domain.analysis import Schema, Table
from kbtui.nl2sql.gate import THRESHOLD
from kbtui.nl2sql.query import Agg, Col, Cond, Order, Query, Ref
from kbtui.nl2sql.ranker import Ranker
from kbtui.nl2sql.reader import QuestionReader, Stages, kind_of, unread_words
from kbtui.nl2sql.stages import shipped_stages
from kbtui.question.model import Token
from tests.nl2sql.garden import candidate, catalogue, lattice, mention, question
from tests.nl2sql.sources import Memory
from tests.nl2sql.test_ranker import SPLIT, gate, trees

NAME, BED = Col(Ref("plants", "name")), Col(Ref("plants", "bed"))
NAMES, BEDS, COUNT = Query((NAME,)), Query((BED,)), Query((Agg("count", Col(Ref("plants", "*"))),))
SQL = {NAMES: "names", BEDS: "beds", COUNT: "count"}
SCHEMA = Schema(source="garden", dialect="sqlite", level="detailed", fingerprint="1")
TODAY = date(2026, 11, 20)


class Asked:
    def __init__(self) -> None:
        self.statements: list[str] = []

    def __call__(self, source: str, sql: str) -> Sequence[Sequence[Any]]:
        self.statements.append(sql)
        return [(sql,)]


def stages(*pool: Any, odds: float = 9.0, profiled: list[Schema] | None = None) -> Stages:
    asked = question("name of Plants quickly")
    linked = lattice(asked, mention(0, 1, NAME.ref))

    def profile(schema: Schema, ask: Any, ask_each: Any, today: date) -> Any:
        assert today == TODAY
        if profiled is not None:
            profiled.append(schema)
        return catalogue()

    return Stages(
        read=lambda text, today: asked,
        profile=profile,
        link=lambda question, catalogue: linked,
        candidates=lambda lattice: pool,
        write=lambda query, catalogue, headers: SQL.get(query, "") + "".join(headers) or None,
        headers=lambda query, catalogue, language: [" headed"],
        says=lambda query, catalogue, language: f"says {SQL.get(query)}",
        ranker=lambda: Ranker(trees(*SPLIT)),
        reranker=lambda: trees(*SPLIT),
        gate=lambda: gate(odds),
    )


def reader(*pool: Any, ask: Any = None, **more: Any) -> QuestionReader:
    return QuestionReader(ask, lambda: TODAY, lambda: stages(*pool, **more))


def test_the_best_scored_candidate_is_the_first_reading() -> None:
    readings = reader(candidate(NAMES, unread=[3]), candidate(BEDS)).read("?", SCHEMA)
    assert [reading.sql for reading in readings.readings] == ["beds headed", "names headed"]
    assert readings.best is not None
    assert readings.best.says == "says beds"
    assert readings.best.confidence > THRESHOLD
    assert readings.readings[1].confidence < 0.5


def test_an_unread_word_is_named_and_keeps_the_answer_back() -> None:
    readings = reader(candidate(NAMES, (mention(0, 1, NAME.ref), "shown"), unread=[3])).read("?", SCHEMA)
    assert readings.unlinked == ("quickly",)
    assert readings.best is not None
    assert readings.best.confidence < THRESHOLD
    assert [(link.name, link.detail) for link in readings.best.links] == [("name", "plants.name")]


def test_candidates_are_tried_on_a_small_source_and_the_same_rows_are_one_answer() -> None:
    asked = Asked()
    same = reader(candidate(NAMES), candidate(BEDS), ask=lambda source, sql: [("fern",)]).read("?", SCHEMA)
    assert len(same.readings) == 1
    reader(candidate(NAMES), ask=asked).read("?", SCHEMA)
    assert asked.statements == ["SELECT * FROM (names) AS probe LIMIT 21"]


def test_a_question_that_was_looked_at_over_more_tables_is_not_profiled_anew() -> None:
    wide = replace(SCHEMA, tables=(Table(name="plants"), Table(name="beds")))
    narrow, other = replace(SCHEMA, tables=wide.tables[:1]), replace(SCHEMA, tables=(Table(name="tools"),))
    profiled: list[Schema] = []
    one = reader(candidate(NAMES), profiled=profiled)
    one.lattice(one.question("?"), wide)
    assert one.read("?", narrow).readings and profiled == [wide]
    one.lattice(one.question("?"), narrow)
    one.read("?", other)
    assert profiled == [wide, narrow, other]


def test_a_source_that_has_changed_is_profiled_anew_for_the_same_question() -> None:
    profiled: list[Schema] = []
    one, changed = reader(candidate(NAMES), profiled=profiled), replace(SCHEMA, fingerprint="2")
    one.lattice(one.question("?"), SCHEMA)
    one.read("?", changed)
    assert profiled == [SCHEMA, changed]


def test_a_large_source_is_not_tried() -> None:
    asked = Asked()
    large = replace(SCHEMA, tables=(Table(name="plants", row_estimate=3_000_000),))
    assert len(reader(candidate(NAMES), ask=asked).read("?", large).readings) == 1
    assert asked.statements == []


def test_what_failed_before_is_not_read_again() -> None:
    readings = reader(candidate(NAMES), candidate(BEDS)).read("?", SCHEMA, failed=[("names headed", "no such table")])
    assert [reading.sql for reading in readings.readings] == ["beds headed"]


def test_no_candidate_means_no_reading_and_every_word_unlinked() -> None:
    readings = reader().read("?", SCHEMA)
    assert readings.readings == ()
    assert readings.unlinked == ("name", "Plants", "quickly")


def test_the_catalogue_is_made_once_for_each_fingerprint() -> None:
    profiled: list[Schema] = []
    with_profile = QuestionReader(None, lambda: TODAY, lambda: stages(candidate(NAMES), profiled=profiled))
    for fingerprint in ("1", "1", "2"):
        with_profile.read("?", replace(SCHEMA, fingerprint=fingerprint))
    assert [schema.fingerprint for schema in profiled] == ["1", "2"]


def test_what_a_profile_asked_is_not_asked_again_for_another_choice_of_tables() -> None:
    asked: list[str] = []

    def ask_each(source: str, statements: Sequence[str], seconds: float, enough: int) -> list[Any]:
        asked.extend(statements)
        return [None if sql == "fails" else [(sql,)] for sql in statements]

    def profile(schema: Schema, ask: Any, ask_each: Any, today: date) -> Any:
        told.append(ask_each(["size of plants", "fails", *(table.name for table in schema.tables)], 0.0, 9))
        return catalogue()

    told: list[Any] = []
    read = QuestionReader(None, lambda: TODAY, lambda: replace(stages(), profile=profile), ask_each)
    read.catalogue(SCHEMA)
    read.catalogue(replace(SCHEMA, tables=(Table(name="beds"),)))
    assert asked == ["size of plants", "fails", "beds"]
    assert told[1] == [[("size of plants",)], None, [("beds",)]]
    read.catalogue(replace(SCHEMA, fingerprint="2"))
    assert asked[3:] == ["size of plants", "fails"]


def test_neighbouring_chinese_characters_are_one_unread_word() -> None:
    tokens = tuple(Token(text, i, i + 1, text, text, "han", text != "的") for i, text in enumerate("北京的花"))
    asked = replace(question("x"), tokens=tokens)
    assert unread_words(asked, [0, 1, 2, 3]) == ("北京", "花")


@pytest.mark.parametrize(
    ("query", "kind"),
    [
        (NAMES, "detail"),
        (structs.replace(NAMES, where=(Cond(BED, "=", "north"),)), "filter"),
        (structs.replace(NAMES, where=(Cond(BED, "in", BEDS),)), "nested"),
        (COUNT, "aggregation"),
        (structs.replace(COUNT, group=(BED,)), "group"),
        (structs.replace(NAMES, order=(Order(NAME),), limit=3), "top_n"),
        (structs.replace(NAMES, set_op="except", other=BEDS), "set"),
        (Query((NAME, Col(Ref("gardeners", "name")))), "join"),
    ],
)
def test_statements_have_a_kind(query: Query, kind: str) -> None:
    assert kind_of(query) == kind


def test_a_change_of_an_earlier_question_is_offered_and_not_answered_alone() -> None:
    memory = Memory("CREATE TABLE queues(id INTEGER PRIMARY KEY, title TEXT);")
    memory.fill("queues", [(n, title) for n, title in enumerate(("Bugs", "Billing", "Support"), 1)])
    reader = QuestionReader(lambda _source, sql: memory.ask(sql), lambda: TODAY, shipped_stages)
    found = reader.read("only bugs", memory.schema)
    assert found.readings[0].confidence < THRESHOLD
    assert "fragment" in found.objections
