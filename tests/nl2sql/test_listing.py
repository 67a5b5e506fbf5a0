"""What rows of a table show to a reader."""

from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.listing import row_columns, row_names
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.query import Ref
from tests.nl2sql.atlas import atlas
from tests.nl2sql.shop import catalogue
from tests.nl2sql.sources import TODAY, Memory


def test_rows_show_their_name_then_their_key_then_the_rest():
    shop = catalogue()
    shown = [ref.column for ref in row_columns(shop, shop.tables["customer"])]
    assert shown[0] == row_names(shop, shop.tables["customer"])[0].column == "name"
    assert shown[1] == "id"
    assert set(shown) == {column.ref.column for column in shop.tables["customer"].columns}


def test_references_come_last():
    shop = catalogue()
    kinds = [shop.column(ref).kind for ref in row_columns(shop, shop.tables["orders"])]
    assert kinds[-1] == "reference"
    assert kinds.index("reference") > kinds.index("measure")


def test_rows_that_are_people_of_another_table_have_their_names():
    source = Memory("""
    CREATE TABLE people (person_id INTEGER PRIMARY KEY, name TEXT, born INTEGER);
    CREATE TABLE students (student_id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES people, mark INTEGER);
    CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES people, minutes INTEGER);
    INSERT INTO people VALUES (1, 'Ada Lind', 1990), (2, 'Bo Ek', 1985), (3, 'Cy Dahl', 1979);
    INSERT INTO students VALUES (11, 2, 70), (12, 3, 81);
    INSERT INTO visits VALUES (21, 1, 30), (22, 2, 45), (23, 3, 45);
    """)
    known = profile(source.schema, source.ask, today=TODAY, concepts_of=concepts_of)
    assert row_names(known, known.tables["students"]) == (Ref("people", "name"),)
    assert row_names(known, known.tables["visits"]) != (Ref("people", "name"),)


def test_rows_of_a_junction_have_the_names_of_what_they_link():
    _, known = atlas()
    assert row_names(known, known.tables["led_by"]) == (Ref("expedition", "title"), Ref("explorer", "name"))
    assert row_names(known, known.tables["crew"]) == (Ref("crew", "id"),)
