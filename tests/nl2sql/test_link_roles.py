"""Values in roles of one table, over parcels between depots and people with superiors."""

from __future__ import annotations

import pytest

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import profile
from kbtui.question.reader import read
from tests.nl2sql.atlas import place_of, statements
from tests.nl2sql.sources import TODAY, Memory

SCRIPT = """
CREATE TABLE depots (depot_id INTEGER PRIMARY KEY, town TEXT);
CREATE TABLE parcels (
    parcel_id INTEGER PRIMARY KEY, origin_id INTEGER REFERENCES depots (depot_id),
    destination_id INTEGER REFERENCES depots (depot_id), kilos REAL
);
CREATE TABLE clerks (
    clerk_id INTEGER PRIMARY KEY, full_name TEXT, superior_id INTEGER REFERENCES clerks (clerk_id)
);
CREATE TABLE quays (quay_id INTEGER PRIMARY KEY, harbour TEXT);
CREATE TABLE tows (
    tow_id INTEGER PRIMARY KEY, orig_quay_id INTEGER REFERENCES quays (quay_id),
    dest_quay_id INTEGER REFERENCES quays (quay_id), price REAL
);
INSERT INTO quays VALUES (1, 'Ramsey'), (2, 'Peel');
INSERT INTO tows VALUES (1, 1, 2, 7), (2, 2, 1, 9), (3, 1, 2, 11);
CREATE TABLE ferries (ferry_id INTEGER PRIMARY KEY, origin TEXT, destination TEXT, fare REAL);
INSERT INTO ferries VALUES (1, 'Larne', 'Troon', 40), (2, 'Troon', 'Larne', 30), (3, 'Larne', 'Douglas', 55);
INSERT INTO depots VALUES (1, 'Bergen'), (2, 'Ghent'), (3, '宁波');
INSERT INTO parcels VALUES (1, 1, 2, 4.5), (2, 1, 2, 2), (3, 2, 1, 1), (4, 3, 2, 8), (5, 3, 1, 16), (6, 1, 3, 32);
INSERT INTO clerks VALUES (1, 'Ada Nilsen', NULL), (2, 'Bo Lund', 1), (3, 'Cy Berg', 1), (4, 'Di Holm', 2);
"""


@pytest.fixture(scope="module")
def office() -> tuple[Memory, Catalogue]:
    source = Memory(SCRIPT)
    return source, profile(source.schema, source.ask, today=TODAY, concepts_of=concepts_of)


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("total kilos from Bergen", 38.5),
        ("total kilos to Bergen", 17.0),
        ("total kilos from Bergen to Ghent", 6.5),
        ("average fare of ferries from Larne to Troon", 40.0),
        ("average fare of ferries to Larne", 30.0),
        ("average price of tows from Ramsey to Peel", 9.0),
        ("从宁波发出的parcels总kilos", 24.0),
        ("寄到宁波的parcels总kilos", 32.0),
    ],
)
def test_a_preposition_tells_the_role(office: tuple[Memory, Catalogue], text: str, figure: float) -> None:
    source, catalogue = office
    best = candidates(link(read(text, today=TODAY), catalogue))[0]
    assert source.ask(sql_of(best.query, catalogue))[0][0] == figure


def test_the_name_of_a_role_belongs_to_the_value_behind_it(office: tuple[Memory, Catalogue]) -> None:
    source, catalogue = office
    found = candidates(link(read("clerks with superior Ada Nilsen", today=TODAY), catalogue))[:5]
    names = [{row[0] for row in source.ask(sql_of(each.query, catalogue))} for each in found]
    assert {"Bo Lund", "Cy Berg"} in names


HIRES = """
CREATE TABLE stations (station_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE hires (
    hire_id INTEGER PRIMARY KEY, from_station_id INTEGER REFERENCES stations (station_id),
    to_station_id INTEGER REFERENCES stations (station_id), started_at TEXT, ended_at TEXT
);
INSERT INTO stations VALUES (1, 'Hospital'), (2, 'Market Hall'), (3, 'Riverside');
INSERT INTO hires VALUES
    (1, 1, 2, '2026-10-01 08:00:00', '2026-10-01 08:20:00'), (2, 2, 1, '2026-10-02 08:00:00', '2026-10-02 08:09:00'),
    (3, 2, 3, '2026-10-03 08:00:00', '2026-10-03 08:20:00'), (4, 2, 1, '2026-10-04 08:00:00', NULL);
"""


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("how many hires ended at the hospital", [(2,)]),
        ("how many hires started at the hospital", [(1,)]),
        ("hires by start station", [("Market Hall", 3), ("Hospital", 1)]),
        ("hires by destination station", [("Hospital", 2), ("Market Hall", 1), ("Riverside", 1)]),
    ],
)
def test_the_start_and_the_end_of_a_movement_are_its_roles_from_and_to(text: str, rows: list[tuple[object]]) -> None:
    memory = Memory(HIRES)
    catalogue = profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of)
    best = candidates(link(read(text, today=TODAY), catalogue))[0]
    assert sorted(memory.ask(sql_of(best.query, catalogue))) == sorted(rows)


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("which provinces does the ardal river run through", {"berg", "corva"}),
        ("what is the capital of the province of ardal", {"brekka"}),
        ("rivers in ardal", {"silda"}),
        ("population of berg", {95000}),
    ],
)
def test_a_name_of_several_things_is_that_of_the_thing_beside_it(asked: str, wanted: set[object]) -> None:
    place = place_of(asked, wanted)
    assert place is not None
    assert place < 3


def test_what_refers_to_a_place_is_not_the_place() -> None:
    first = statements("what is the capital of ardal")[:5]
    assert not any('"town"' in sql for sql in first)
