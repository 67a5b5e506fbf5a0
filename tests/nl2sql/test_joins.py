"""Ways between tables over the key graph."""

from __future__ import annotations

import pytest

from kbtui.nl2sql.joins import Unjoinable, joins_of
from tests.nl2sql.sources import Memory

ESTATE = """
CREATE TABLE wardens(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE tenants(id INTEGER PRIMARY KEY, name TEXT, warden_id INTEGER REFERENCES wardens);
CREATE TABLE leases(id INTEGER PRIMARY KEY, tenant_id INTEGER REFERENCES tenants, rent REAL);
CREATE TABLE defects(
    id INTEGER PRIMARY KEY, warden_id INTEGER REFERENCES wardens, lease_id INTEGER REFERENCES leases, note TEXT
);
CREATE TABLE weather(day TEXT, mm REAL);
"""


def way(*tables: str) -> list[str]:
    memory = Memory(ESTATE)
    for name in ("wardens", "tenants", "leases", "defects"):
        width = len(memory.connection.execute(f"SELECT * FROM {name}").description)
        memory.fill(name, [(n, *[n // 2 + 1] * (width - 1)) for n in range(1, 20)])
    return [edge.right.table for edge in joins_of(memory.catalogue()).tree(tables)]


def test_of_two_ways_of_one_length_rows_go_down_rather_than_over_a_parent_in_common() -> None:
    assert way("tenants", "defects") == ["leases", "defects"]
    assert way("defects", "tenants") == ["leases", "tenants"]


def test_a_shorter_way_over_a_parent_stays() -> None:
    assert way("wardens", "defects") == ["defects"]
    assert way("wardens", "leases") == ["tenants", "leases"]


def test_tables_without_keys_join_nothing() -> None:
    with pytest.raises(Unjoinable):
        way("weather", "leases")
