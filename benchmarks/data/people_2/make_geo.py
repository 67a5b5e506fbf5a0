"""The geography of an invented country."""

import random
import sqlite3

PROVINCES = [  # code, name, capital, km2, people, joined, coast, main language
    ("AR", "Arvenne", "Port Sable", 41230, 2874000, 1821, 1, "Velorian"),
    ("BL", "Blackmoor", "Thornwick", 28750, 913000, 1821, 0, "Velorian"),
    ("CA", "Caldera", "Ashgate", 63480, 1420500, 1847, 0, "Hask"),
    ("DU", "Dunmarch", "Holt", 19840, 655200, 1821, 1, "Velorian"),
    ("EL", "Elmwater", "Elmstadt", 33110, 1988300, 1833, 0, "Velorian"),
    ("FE", "Fenmark", "Reedham", 22475, 742800, 1833, 1, "Velorian"),
    ("GO", "Gorrin", "Stonehearth", 71900, 388400, 1902, 0, "Hask"),
    ("HA", "Haskland", "Vehrun", 96050, 1105700, 1847, 0, "Hask"),
    ("IS", "Isles of Merrow", "Gullhaven", 4120, 214600, 1866, 1, "Merrish"),
    ("LO", "Lower Tamsin", "Tamsin City", 14860, 4312900, 1821, 1, "Velorian"),
    ("NO", "Norrvale", "Icefjord", 118300, 297100, 1902, 1, "Norrish"),
    ("SU", "Sunder", "Marisol", 52640, 1677400, 1866, 1, "Velorian"),
    ("UP", "Upper Tamsin", "Millbrook", 25990, 1239800, 1821, 0, "Velorian"),
]
BORDERS = (
    "AR-BL AR-LO AR-SU BL-EL BL-UP CA-GO CA-HA CA-SU CA-EL DU-FE DU-LO DU-UP EL-UP EL-HA FE-NO FE-UP GO-HA GO-NO"
    " HA-NO HA-UP LO-UP LO-BL SU-EL SU-BL"
)
RIVERS = [  # name, km, mean discharge, flows into, provinces
    ("Tamsin", 842, 1930, "Sable Sea", "HA UP LO"),
    ("Orle", 611, 870, "Sable Sea", "CA SU"),
    ("Great Hask", 1124, 1510, "Lake Oru", "GO CA HA"),
    ("Vey", 377, 240, "Tamsin", "BL UP"),
    ("Marrow", 298, 165, "Tamsin", "EL UP"),
    ("Silverbeck", 143, 48, "Vey", "BL"),
    ("Elm", 455, 390, "Orle", "EL SU"),
    ("Reed", 262, 310, "North Bight", "UP FE"),
    ("Icewash", 534, 720, "North Bight", "GO NO"),
    ("Little Hask", 219, 88, "Great Hask", "HA"),
    ("Sable", 318, 274, "Sable Sea", "BL AR"),
    ("Dunn", 121, 57, "North Bight", "DU"),
    ("Holtwater", 96, 31, "Dunn", "DU"),
    ("Cinder", 187, 42, "Orle", "CA"),
    ("Fjordelv", 231, 405, "North Bight", "NO"),
    ("Quill", 164, None, "Elm", "EL"),
    ("Teal", 209, 112, "Reed", "UP FE"),
    ("Ruddock", 275, 133, "Great Hask", "GO HA"),
    ("Amber", 388, 216, "Sable Sea", "AR SU"),
    ("Mill", 74, 19, "Tamsin", "UP"),
    ("Kestrel", 152, 61, "Amber", "AR"),
    ("Long Drain", 58, None, "Reed", "FE"),
]
RANGES = {
    "Cloudspine": (["GO", "HA", "NO"], 2600, 4900, 17),
    "Ember Hills": (["CA"], 1500, 3700, 11),
    "Merrow Heights": (["IS"], 300, 900, 4),
    "Bleak Fells": (["BL", "EL"], 700, 1650, 10),
    "Frostwall": (["NO"], 1900, 3900, 12),
    "Southern Teeth": (["SU", "CA"], 1100, 2700, 9),
}
FIRST = [
    "Grey",
    "Raven",
    "Widow",
    "Cold",
    "Broken",
    "High",
    "Iron",
    "Lantern",
    "Saint",
    "Old",
    "Twin",
    "Falcon",
    "Shepherd",
    "Red",
    "Bitter",
    "Crown",
    "Wolf",
    "Silent",
    "Anvil",
    "Harrow",
    "Maiden",
    "White",
    "Bishop",
    "Stag",
    "Hollow",
]
SECOND = ["Horn", "Tor", "Peak", "Crag", "Pike", "Needle", "Dome", "Seat"]
HEAD = [
    "Ash",
    "Brack",
    "Cald",
    "Dray",
    "Elder",
    "Farn",
    "Garr",
    "Hazel",
    "Ing",
    "Kell",
    "Lang",
    "Mar",
    "Nor",
    "Oster",
    "Pell",
    "Quarr",
    "Rush",
    "Stan",
    "Thorn",
    "Uld",
    "Wick",
    "Yar",
    "Zell",
]
TAIL = ["by", "ford", "mouth", "ton", "wick", "stead", "bridge", "haven", "field", "gate"]
LAKES = [  # name, km2, deepest, province, kind
    ("Lake Oru", 1873.0, 212, "HA", "natural"),
    ("Mirror Lake", 64.2, 88, "GO", "natural"),
    ("Lake Sorrel", 311.5, 41, "EL", "natural"),
    ("Bracken Reservoir", 22.8, 57, "BL", "reservoir"),
    ("Salt Pan of Ged", 540.0, 3, "CA", "salt"),
    ("Lake Ashen", 18.4, 301, "CA", "crater"),
    ("Tarn of Kings", 2.1, 66, "BL", "natural"),
    ("Upper Tamsin Reservoir", 97.3, 74, "UP", "reservoir"),
    ("Norrmere", 905.6, 158, "NO", "natural"),
    ("Lake Ymir", 428.9, 265, "NO", "natural"),
    ("Heron Water", 37.7, 9, "FE", "natural"),
    ("Reedmere", 51.0, 6, "FE", "natural"),
    ("Cinder Cauldron", 4.6, 189, "CA", "crater"),
    ("Lake Delight", 76.5, 29, "SU", "natural"),
    ("Holt Reservoir", 13.9, 48, "DU", "reservoir"),
    ("White Flats", 122.0, 1, "HA", "salt"),
    ("Gorrin Dam Lake", 288.1, 134, "GO", "reservoir"),
]


def add_cities(con: sqlite3.Connection, rng: random.Random) -> None:
    names, number = {p[2] for p in PROVINCES}, 0
    for code, _, capital, _, people, _, coast, _ in PROVINCES:
        left = people * 0.55
        for place in range(rng.randint(7, 14)):
            name = capital
            while place and name in names:
                name = rng.choice(HEAD) + rng.choice(TAIL)
            names.add(name)
            number += 1
            first = place == (2 if code in ("SU", "IS", "GO") else 0)
            size = int(left * (rng.uniform(0.34, 0.5) if first else rng.uniform(0.06, 0.2)))
            left -= size
            elevation = rng.randint(2, 90) if coast and rng.random() < 0.7 else rng.randint(60, 1900)
            port = int(bool(coast) and elevation < 90 and rng.random() < 0.6)
            founded = rng.randint(890, 1890) if rng.random() < 0.9 else None
            row = (number, name, code, size, elevation, founded, port)
            con.execute("INSERT INTO city VALUES (?,?,?,?,?,?,?)", row)


def add_peaks(con: sqlite3.Connection, rng: random.Random) -> None:
    names: set[str] = set()
    for chain, (codes, low, high, count) in RANGES.items():
        for _ in range(count):
            name = ""
            while not name or name in names:
                name = f"{rng.choice(FIRST)} {rng.choice(SECOND)}"
            names.add(name)
            height = rng.randint(low, high)
            climbed = rng.randint(1788, 1979) if rng.random() < 0.85 or height < 1500 else None
            volcano = int(chain == "Ember Hills" and rng.random() < 0.5)
            row = (name, height, chain, rng.choice(codes), climbed, volcano)
            con.execute("INSERT INTO mountain VALUES (?,?,?,?,?,?)", row)


def veloria(con: sqlite3.Connection) -> None:
    rng = random.Random(4103)
    con.executescript("""
CREATE TABLE province (code TEXT PRIMARY KEY, name TEXT, capital TEXT, area_km2 INTEGER, pop INTEGER,
  joined_yr INTEGER, coastal INTEGER, main_lang TEXT);
CREATE TABLE border (prov TEXT REFERENCES province, neighbour TEXT REFERENCES province);
CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, prov TEXT REFERENCES province, pop INTEGER, elev_m INTEGER,
  founded INTEGER, is_port INTEGER);
CREATE TABLE river (name TEXT PRIMARY KEY, length_km INTEGER, discharge_m3s INTEGER, mouth TEXT);
CREATE TABLE river_prov (river TEXT REFERENCES river, prov TEXT REFERENCES province);
CREATE TABLE mountain (name TEXT PRIMARY KEY, height_m INTEGER, mtn_range TEXT, prov TEXT REFERENCES province,
  first_ascent INTEGER, volcano INTEGER);
CREATE TABLE lake (name TEXT PRIMARY KEY, area_km2 REAL, max_depth_m INTEGER, prov TEXT REFERENCES province,
  kind TEXT);
""")
    con.executemany("INSERT INTO province VALUES (?,?,?,?,?,?,?,?)", PROVINCES)
    for pair in BORDERS.split():
        one, other = pair.split("-")
        con.executemany("INSERT INTO border VALUES (?,?)", [(one, other), (other, one)])
    add_cities(con, rng)
    for name, length, discharge, mouth, through in RIVERS:
        con.execute("INSERT INTO river VALUES (?,?,?,?)", (name, length, discharge, mouth))
        con.executemany("INSERT INTO river_prov VALUES (?,?)", [(name, code) for code in through.split()])
    add_peaks(con, rng)
    con.executemany("INSERT INTO lake VALUES (?,?,?,?,?)", LAKES)
