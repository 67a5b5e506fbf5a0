"""The parcel company's books as a SQLite database: made on first use, the same on every machine."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from datetime import date, timedelta
from pathlib import Path

from kbtui.errors import StorageError
from kbtui.settings import paths
from kbtui.settings.private import private_folder
from kbtui.text.word_lists import text_in

_SEED = 20251103
_PARCELS = 4000
_FIRST_DAY = date(2025, 1, 1)
_DAYS = 365

_SITES = 8
_FIRST = ("Anna", "Bo", "Chen", "Dara", "Elin", "Farid", "Greta", "Hugo", "Iris", "Jin", "Karl", "Lena")
_LAST = ("Berg", "Dahl", "Ek", "Holm", "Lund", "Nyström", "Quist", "Strand", "Wang", "Zhao")
_COMPANIES = ("Papermoon", "Kettle & Co", "Northbound Cycles", "Lumen Optics", "Saltwater Books")
_BASE = {"S": 3.20, "M": 4.60, "L": 7.90}


def sample_database() -> Path:
    """The database file, made if it is not there yet.

    Raises:
        StorageError: The data folder cannot be written.
    """
    target = paths.data_dir() / "demo" / "harbourlight.sqlite"
    if target.exists():
        return target
    try:
        private_folder(target.parent)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            draft = Path(folder) / target.name
            _build(draft)
            draft.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise StorageError(
            f"The sample database cannot be written to {target.parent}: {error}.",
            "Free some space or set XDG_DATA_HOME.",
        ) from error
    return target


def _build(path: Path) -> None:
    chance = random.Random(_SEED)  # noqa: S311 (sample data, the same everywhere)
    connection = sqlite3.connect(path)
    try:
        with connection:
            connection.executescript(text_in(__package__, "sample.sql"))
            lockers = _lockers(chance)
            connection.executemany("insert into lockers values (?, ?, ?, ?, ?)", lockers)
            customers = _customers(chance)
            connection.executemany("insert into customers values (?, ?, ?)", customers)
            parcels = _parcels(chance, [row[0] for row in lockers], len(customers))
            connection.executemany("insert into parcels values (?, ?, ?, ?, ?, ?)", parcels)
            connection.executemany("insert into charges values (?, ?, ?, ?, ?)", _charges(chance, parcels))
            connection.executemany("insert into incidents values (?, ?, ?, ?, ?)", _incidents(chance, lockers))
    finally:
        connection.close()


def _lockers(chance: random.Random) -> list[tuple[str, int, int, str, str]]:
    return [
        (
            f"L{number:03d}",
            chance.randint(1, _SITES),
            chance.choice((24, 48, 96)),
            chance.choice(("4.5", "4.6", "4.7")),
            str(_FIRST_DAY - timedelta(days=chance.randint(30, 900))),
        )
        for number in range(1, 61)
    ]


def _customers(chance: random.Random) -> list[tuple[int, str, str]]:
    people = [(f"{chance.choice(_FIRST)} {chance.choice(_LAST)}", "private") for _ in range(295)]
    companies = [(name, "business") for name in _COMPANIES]
    return [(number, *row) for number, row in enumerate(people + companies, 1)]


def _parcels(
    chance: random.Random, lockers: list[str], customers: int
) -> list[tuple[int, str, int, str, str, str | None]]:
    rows = []
    for number in range(1, _PARCELS + 1):
        # More parcels towards the end of the year, as in the trade.
        day = int(_DAYS * chance.betavariate(1.6, 1.2))
        dropped = _FIRST_DAY + timedelta(days=min(day, _DAYS - 1))
        waited = min(10, int(chance.expovariate(0.6)))
        picked = None if chance.random() < 0.03 else str(dropped + timedelta(days=waited))
        size = chance.choices(("S", "M", "L"), weights=(5, 3, 1))[0]
        rows.append((number, chance.choice(lockers), chance.randint(1, customers), size, str(dropped), picked))
    return rows


def _charges(
    chance: random.Random, parcels: list[tuple[int, str, int, str, str, str | None]]
) -> list[tuple[int, int, str, float, str]]:
    rows: list[tuple[int, int, str, float, str]] = []
    for parcel, _locker, _customer, size, dropped, picked in parcels:
        rows.append((len(rows) + 1, parcel, "base", _BASE[size], dropped))
        days = (date.fromisoformat(picked) - date.fromisoformat(dropped)).days if picked else 0
        if picked and days > 3:
            rows.append((len(rows) + 1, parcel, "storage", round(0.80 * (days - 3), 2), picked))
        if chance.random() < 0.01:
            rows.append((len(rows) + 1, parcel, "refund", -_BASE[size], dropped))
    return rows


def _incidents(
    chance: random.Random, lockers: list[tuple[str, int, int, str, str]]
) -> list[tuple[int, str, str, str, int]]:
    codes = ("HL-E042", "HL-E042", "HL-E042", "HL-E051", "HL-E063", "HL-E077", "HL-E090")
    return [
        (
            number,
            chance.choice(lockers)[0],
            chance.choice(codes),
            str(_FIRST_DAY + timedelta(days=chance.randint(0, _DAYS - 1))),
            chance.randint(3, 540),
        )
        for number in range(1, 181)
    ]
