import sqlite3
from datetime import date

import pytest

from kbtui.errors import DataSourceError
from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, TableInfo
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.live_values import with_live_values
from kbtui.nl2sql.query import Ref
from kbtui.question.reader import read

NAME = Ref("firms", "title")


@pytest.fixture(scope="module")
def rows():
    rows = sqlite3.connect(":memory:")
    rows.execute("CREATE TABLE firms(title TEXT)")
    rows.executemany("INSERT INTO firms VALUES (?)", [("Brunvoll Hull",), ("Kestrelby",), ("青禾渔业",), ("Alta",)])
    yield rows
    rows.close()


def firms(*, complete=False):
    column = ColumnInfo(
        ref=NAME, kind="name", words=("title",), own=("title",), values=(("Alta", 1),), complete=complete, distinct=900
    )
    table = TableInfo(name="firms", words=("firm",), columns=(column,), naming=(NAME,), rows=900)
    return Catalogue(source="s", dialect="sqlite", tables={"firms": table})


def looked_up(catalogue, rows, text):
    sent = []

    def ask(statements, seconds, enough):
        sent.extend(statements)
        return [rows.execute(sql).fetchall() for sql in statements]

    lattice = link(read(text, today=date(2026, 11, 20)), catalogue)
    found = with_live_values(lattice, lambda query: sql_of(query, catalogue), ask)
    new = [mention for mention in found.mentions if mention not in lattice.mentions]
    return {(found.question.words(m.span), m.ref, m.values): m.score for m in new}, sent


def test_a_value_beyond_the_list_is_found_in_its_column(rows):
    found, _ = looked_up(firms(), rows, "how many firms like Kestrelby are there")
    assert found == {("Kestrelby", NAME, ("Kestrelby",)): 1.0}


def test_a_part_of_a_value_is_found_by_its_words_alone(rows):
    found, _ = looked_up(firms(), rows, "show the firm brunvoll")
    assert found == {("brunvoll", NAME, ("Brunvoll Hull",)): 0.72}
    assert looked_up(firms(), rows, "show the firm strelb")[0] == {}


def test_chinese_is_found_inside_of_a_value(rows):
    found, _ = looked_up(firms(), rows, "青禾有几个")
    assert found == {("青禾", NAME, ("青禾渔业",)): 0.72}


def test_nothing_is_asked_where_all_values_are_listed_or_every_word_is_known(rows):
    assert looked_up(firms(complete=True), rows, "the firm Kestrelby") == ({}, [])
    assert looked_up(firms(), rows, "how many firms") == ({}, [])


def test_a_source_that_does_not_answer_leaves_the_question_as_it_is():
    def broken(statements, seconds, enough):
        raise DataSourceError("gone")

    catalogue = firms()
    lattice = link(read("the firm Kestrelby", today=date(2026, 11, 20)), catalogue)
    assert with_live_values(lattice, lambda query: sql_of(query, catalogue), broken) is lattice
