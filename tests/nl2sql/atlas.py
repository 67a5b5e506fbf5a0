"""Provinces that border each other, with rivers and towns, and the crews of expeditions: names as keys, junctions."""

from __future__ import annotations

from functools import cache
from typing import Any

from kbtui.nl2sql.build import Unjoinable, sql_of
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.says import says
from kbtui.question.reader import read
from tests.nl2sql.sources import TODAY, Memory

SCRIPT = """
CREATE TABLE province (province_name TEXT PRIMARY KEY, area REAL, population INTEGER, capital TEXT);
CREATE TABLE border_info (province_name TEXT REFERENCES province, border TEXT REFERENCES province);
CREATE TABLE river (river_name TEXT, length INTEGER, traverse TEXT REFERENCES province);
CREATE TABLE town (town_name TEXT, population INTEGER, province_name TEXT REFERENCES province);
INSERT INTO province VALUES
    ('ardal', 900, 40000, 'brekka'), ('berg', 350, 95000, 'holmen'), ('corva', 500, 61000, 'lunde'),
    ('dunmar', 120, 15000, 'osen');
INSERT INTO border_info VALUES ('ardal', 'berg'), ('berg', 'ardal'), ('berg', 'corva'), ('corva', 'berg'),
    ('corva', 'dunmar'), ('dunmar', 'corva');
INSERT INTO river VALUES
    ('ardal', 310, 'berg'), ('ardal', 310, 'corva'), ('silda', 120, 'ardal'), ('tova', 205, 'berg');
INSERT INTO town VALUES ('brekka', 9000, 'ardal'), ('holmen', 44000, 'berg'), ('vik', 12000, 'berg'),
    ('lunde', 30000, 'corva'), ('osen', 7000, 'dunmar');
CREATE TABLE explorer (eid INTEGER PRIMARY KEY, name TEXT, nationality TEXT, birth_year INTEGER);
CREATE TABLE expedition (xid INTEGER PRIMARY KEY, title TEXT, year INTEGER, budget TEXT);
CREATE TABLE crew (
    id INTEGER PRIMARY KEY, xid INTEGER REFERENCES expedition, eid INTEGER REFERENCES explorer, role TEXT
);
CREATE TABLE led_by (id INTEGER PRIMARY KEY, xid INTEGER REFERENCES expedition, eid INTEGER REFERENCES explorer);
INSERT INTO explorer VALUES
    (1, 'Ada Lind', 'Norway', 1860), (2, 'Bo Ek', 'Sweden', 1871), (3, 'Cy Dahl', 'Norway', 1855),
    (4, 'Di Holm', 'Denmark', 1880);
INSERT INTO expedition VALUES (1, 'Northern Light', 1895, '9500000'), (2, 'White Cape', 1901, '12500000'),
    (3, 'Long Winter', 1901, '800000');
INSERT INTO crew VALUES (11, 1, 1, 'cook'), (12, 1, 2, 'doctor'), (13, 2, 2, 'mate'), (14, 2, 3, 'mate'),
    (15, 3, 3, 'cook'), (16, 3, 2, 'cook'), (17, 3, 4, 'pilot');
INSERT INTO led_by VALUES (31, 1, 3), (32, 2, 1), (33, 3, 1);
"""


@cache
def atlas() -> tuple[Memory, Catalogue]:
    """The source and its catalogue."""
    source = Memory(SCRIPT)
    return source, profile(source.schema, source.ask, today=TODAY, concepts_of=concepts_of)


def statements(question: str) -> list[str]:
    """The statements of the candidates, best prior first; each can be said in words."""
    _, catalogue = atlas()
    composed = []
    for candidate in candidates(link(read(question, today=TODAY), catalogue)):
        assert says(candidate.query, catalogue, "en")
        try:
            composed.append(sql_of(candidate.query, catalogue))
        except Unjoinable:
            continue
    return composed


def place_of(question: str, wanted: set[Any]) -> int | None:
    """The place of the first candidate that has these values in one of its columns, and no other rows."""
    source, _ = atlas()
    for place, sql in enumerate(statements(question)):
        rows = source.ask(sql)
        if rows and any(set(column) == wanted for column in zip(*rows, strict=True)):
            return place
    return None
