"""Three and a half seasons of an invented football league."""

import random
import sqlite3
from datetime import date, timedelta

CLUBS = [  # name, nickname, town, founded, strength
    ("Harrowgate Rovers", "The Ploughmen", "Harrowgate", 1893, 1.15),
    ("Stellan Athletic", "The Stars", "Stellan", 1901, 1.45),
    ("Port Marlow FC", "The Gulls", "Port Marlow", 1888, 1.3),
    ("Kingsmere United", "The Crowns", "Kingsmere", 1910, 1.7),
    ("Dunley Town", "The Foxes", "Dunley", 1927, 0.85),
    ("Ashby Vale", "The Smiths", "Ashby", 1899, 1.0),
    ("Wexcombe Wanderers", "The Tramps", "Wexcombe", 1884, 1.2),
    ("Larkhall FC", "The Larks", "Larkhall", 1935, 0.9),
    ("Tarn Valley", "The Herons", "Tarnside", 1948, 0.7),
    ("Old Forge", "The Hammers", "Forgeton", 1906, 1.1),
    ("Kingsmere City", "The Bridge", "Kingsmere", 1953, 1.05),
    ("Brightsea Albion", "The Sailors", "Brightsea", 1919, 1.25),
]
GROUNDS = [
    ("Mill Lane", 14200, 1903, "grass"),
    ("Observatory Park", 31800, 1998, "hybrid"),
    ("Harbour Road", 22450, 1911, "grass"),
    ("Royal Meadow", 48100, 2007, "hybrid"),
    ("The Warren", 7900, 1931, "artificial"),
    ("Anvil Park", 11350, 1922, "grass"),
    ("Turnpike Ground", 18600, 1896, "grass"),
    ("Skylark Field", 9100, 1964, "artificial"),
    ("Waterside", 6200, 1951, "grass"),
    ("Bellows Lane", 15900, 1929, "grass"),
    ("Bridge Street", 20300, 1976, "hybrid"),
    ("Lighthouse Stadium", 27700, 2014, "hybrid"),
]
FIRST = [
    "Adam",
    "Ben",
    "Callum",
    "Dario",
    "Eduard",
    "Felix",
    "Goran",
    "Harvey",
    "Ivan",
    "Jonas",
    "Kofi",
    "Liam",
    "Mateo",
    "Nils",
    "Oscar",
    "Pavel",
    "Quentin",
    "Rafael",
    "Samuel",
    "Tariq",
    "Umar",
    "Viktor",
    "Wes",
    "Xavi",
    "Yannick",
    "Zach",
    "Emil",
    "Luca",
    "Moses",
    "Theo",
]
LAST = [
    "Abbott",
    "Bergqvist",
    "Castellan",
    "Dutton",
    "Ekwueme",
    "Farrow",
    "Grbac",
    "Holloway",
    "Iversen",
    "Jarvis",
    "Kovar",
    "Lindqvist",
    "Moreau",
    "Ndiaye",
    "Okafor",
    "Pascoe",
    "Quist",
    "Rask",
    "Silva",
    "Tembo",
    "Underhill",
    "Varga",
    "Winslow",
    "Yates",
    "Zoric",
    "Marchetti",
    "Penrose",
    "Adeyemi",
    "Hartmann",
    "Bellweather",
]
REFS = ["Alan Pryor", "Hettie Mbeki", "Colin Strand", "Joss Albright", "Marta Weiss", "Neville Oyston", "Rhys Carmody"]
COACHES = [
    "Graham Tolley",
    "Sven Aldin",
    "Pat Quigley",
    "Ruben Cardo",
    "Mick Sharrow",
    "Dean Farley",
    "Alexei Morn",
    "Carl Ostrow",
    "Bill Tansey",
    "Iain Roper",
    "Luis Prado",
    "Frank Deller",
    "Hugh Vane",
    "Otto Keller",
    "Rob Latham",
    "Stan Mears",
    "Nadia Corso",
]
SEASONS = [("2023-24", 2023), ("2024-25", 2024), ("2025-26", 2025), ("2026-27", 2026)]
LAST_PLAYED = date(2026, 11, 14)
SCHEMA = """
CREATE TABLE ground (id INTEGER PRIMARY KEY, gname TEXT, capacity INTEGER, opened INTEGER, surface TEXT);
CREATE TABLE club (id INTEGER PRIMARY KEY, cname TEXT, nick TEXT, town TEXT, founded INTEGER,
  ground_id INTEGER REFERENCES ground);
CREATE TABLE player (id INTEGER PRIMARY KEY, pname TEXT, club_id INTEGER REFERENCES club, pos TEXT, born TEXT,
  nat TEXT, height_cm INTEGER, foot TEXT, shirt INTEGER, wk_wage INTEGER);
CREATE TABLE manager (id INTEGER PRIMARY KEY, mname TEXT, club_id INTEGER REFERENCES club, since TEXT, until TEXT);
CREATE TABLE referee (id INTEGER PRIMARY KEY, rname TEXT, lic_yr INTEGER);
CREATE TABLE fixture (id INTEGER PRIMARY KEY, season TEXT, rnd INTEGER, played_on TEXT,
  home_id INTEGER REFERENCES club, away_id INTEGER REFERENCES club, hg INTEGER, ag INTEGER, crowd INTEGER,
  ref_id INTEGER REFERENCES referee);
CREATE TABLE goal (id INTEGER PRIMARY KEY, fixture_id INTEGER REFERENCES fixture, club_id INTEGER REFERENCES club,
  player_id INTEGER REFERENCES player, minute INTEGER, pen INTEGER);
"""


def add_people(con: sqlite3.Connection, rng: random.Random) -> dict[int, list[tuple[int, float]]]:
    """The players and managers; who scores how easily, by club."""
    squads: dict[int, list[tuple[int, float]]] = {}
    names: set[str] = set()
    number = 0
    for club, strength in enumerate((c[4] for c in CLUBS), 1):
        squads[club] = []
        for shirt in sorted(rng.sample(range(1, 40), 19)):
            name = ""
            while not name or name in names:
                name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
            names.add(name)
            number += 1
            pos = rng.choices(["GK", "DF", "MF", "FW"], [2, 6, 7, 4])[0]
            born = date(1988, 1, 1) + timedelta(rng.randint(0, 19 * 365))
            nat = rng.choices(
                ["Kelder", "Norrish", "Brazil", "Ghana", "Croatia", "France", "Sweden"], [60, 10, 5, 7, 6, 7, 5]
            )[0]
            height = round(rng.gauss({"GK": 191, "DF": 186, "MF": 178, "FW": 181}[pos], 5))
            wage = round(rng.lognormvariate(0, 0.6) * strength**3 * 4200 / 50) * 50
            foot = rng.choices(["R", "L", "B"], [70, 24, 6])[0]
            row = (number, name, club, pos, born.isoformat(), nat, height, foot, shirt, wage)
            con.execute("INSERT INTO player VALUES (?,?,?,?,?,?,?,?,?,?)", row)
            squads[club].append((number, {"GK": 0.0, "DF": 0.5, "MF": 1.6, "FW": 4.0}[pos] * rng.uniform(0.3, 1.7)))
    for number, name in enumerate(COACHES, 1):
        club = number if number <= 12 else [3, 5, 5, 9, 11][number - 13]
        since = date(2019, 6, 1) + timedelta(rng.randint(0, 1500)) if number <= 12 else date(2024 + number % 3, 1, 9)
        con.execute("INSERT INTO manager VALUES (?,?,?,?,NULL)", (number, name, club, since.isoformat()))
    con.execute(
        "UPDATE manager SET until = (SELECT MIN(later.since) FROM manager later WHERE later.club_id = manager.club_id"
        " AND later.since > manager.since)"
    )
    return squads


def rounds(rng: random.Random) -> list[list[tuple[int, int]]]:
    ring, half = list(range(2, 13)), []
    rng.shuffle(ring)
    for number in range(11):
        order = [1, *ring]
        pairs = [(order[i], order[11 - i]) for i in range(6)]
        half.append([p if number % 2 else (p[1], p[0]) for p in pairs])
        ring = ring[1:] + ring[:1]
    return half + [[(b, a) for a, b in pairs] for pairs in half]


def kelder_league(con: sqlite3.Connection) -> None:
    rng = random.Random(4105)
    con.executescript(SCHEMA)
    for number, (ground, club) in enumerate(zip(GROUNDS, CLUBS, strict=True), 1):
        con.execute("INSERT INTO ground VALUES (?,?,?,?,?)", (number, *ground))
        con.execute("INSERT INTO club VALUES (?,?,?,?,?,?)", (number, *club[:4], number))
    for number, name in enumerate(REFS, 1):
        con.execute("INSERT INTO referee VALUES (?,?,?)", (number, name, rng.randint(2004, 2022)))
    squads, fixture = add_people(con, rng), 0
    for season, year in SEASONS:
        form = [c[4] * rng.uniform(0.85, 1.15) for c in CLUBS]
        for rnd, pairs in enumerate(rounds(rng), 1):
            for home, away in pairs:
                fixture += 1
                day = date(year, 8, 12) + timedelta(12 * (rnd - 1) + rng.randint(0, 2))
                played = day <= LAST_PLAYED
                means = form[home - 1] * 1.25, form[away - 1] * 0.95
                score = [min(6, sum(rng.random() < m / 12 for _ in range(12))) for m in means]
                full = rng.uniform(0.5, 0.85) + 0.1 * form[home - 1]
                crowd = min(GROUNDS[home - 1][1], int(GROUNDS[home - 1][1] * full))
                result = (*score, crowd) if played else (None, None, None)
                ref = rng.randint(1, 7) if played or rng.random() < 0.3 else None
                row = (fixture, season, rnd, day.isoformat(), home, away, *result, ref)
                con.execute("INSERT INTO fixture VALUES (?,?,?,?,?,?,?,?,?,?)", row)
                for club, goals in zip((home, away), score if played else (0, 0), strict=True):
                    for _ in range(goals):
                        who = rng.choices([p for p, _ in squads[club]], [w for _, w in squads[club]])[0]
                        values = (fixture, club, who, rng.randint(1, 93), int(rng.random() < 0.09))
                        con.execute("INSERT INTO goal VALUES (NULL,?,?,?,?,?)", values)
