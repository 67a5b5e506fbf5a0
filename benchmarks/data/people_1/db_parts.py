"""A parts warehouse: items, groups, suppliers, places, stock on hand and every movement from place to place."""

import random
import sqlite3

from common import between, fill, pick

GROUPS = [("BRG", "Bearings"), ("FLT", "Filters"), ("BLT", "Belts"), ("HYD", "Hydraulics"), ("ELC", "Electrical")]
KINDS = {
    "BRG": ("Ball bearing", "Roller bearing", "Pillow block", "Thrust washer"),
    "FLT": ("Oil filter", "Air filter", "Fuel filter", "Cabin filter"),
    "BLT": ("V-belt", "Timing belt", "Flat belt"),
    "HYD": ("Hose", "Cylinder seal", "Gear pump", "Relief valve"),
    "ELC": ("Relay", "Limit switch", "Cable gland", "Fuse box", "Proximity sensor"),
}
SUPPLIERS = [
    (1, "Nordlager AB", "SE", 12, 4.4),
    (2, "Kestrel Filtration", "GB", 5, 4.1),
    (3, "Hansa Hydraulik", "DE", 9, 4.7),
    (4, "Pacific Belting", "TW", 34, 3.6),
    (5, "Volta Componenti", "IT", 14, 3.9),
    (6, "Brightway Trading", "CN", 41, 3.2),
    (7, "Old Mill Spares", "GB", 3, 2.8),
]
PLACES = [
    ("MN", "Main hall", "A"),
    ("MZ", "Mezzanine", "A"),
    ("CG", "Cage", "B"),
    ("YD", "Yard", "C"),
    ("VN", "Service van", "C"),
    ("QC", "Quarantine", "B"),
    ("OV", "Overflow", "D"),
]
SHARES = {"MN": 45, "MZ": 20, "CG": 14, "YD": 10, "VN": 8, "QC": 3}
COST = {"BRG": (3, 60), "FLT": (4, 35), "BLT": (6, 48), "HYD": (9, 310), "ELC": (2, 120)}


def build(con: sqlite3.Connection) -> None:
    rng = random.Random(404)
    items, stock, moves = [], [], []
    for number in range(1, 141):
        group = pick(rng, {"BRG": 28, "FLT": 24, "BLT": 14, "HYD": 16, "ELC": 18})
        kind = rng.choice(KINDS[group])
        low, high = COST[group]
        maker = rng.choice({"BRG": [1, 6], "FLT": [2, 2, 6], "BLT": [4], "HYD": [3, 3, 5], "ELC": [5, 6]}[group])
        unit = "m" if kind in ("Hose", "Flat belt") else "ea"
        gone = int(rng.random() < 0.11)
        least = rng.choice([0, 5, 10, 10, 20, 40])
        cost = None if rng.random() < 0.03 else round(rng.uniform(low, high), 2)
        items.append((f"{group}-{number:03d}", f"{kind} {rng.randint(10, 99)}", group, unit, cost, least, maker, gone))
    for item in items:
        for place in rng.sample(list(SHARES), rng.choice([0, 1, 1, 2, 2, 3])):
            held = rng.choice([0, 1, 3, 6, 9, 14, 22, 35, 60]) + rng.randint(0, 6) * (rng.random() < 0.7)
            stock.append((item[0], place, held, between(rng, "2026-01-08", "2026-11-13")))
    for _ in range(1900):
        item = rng.choice(items[:55] if rng.random() < 0.62 else items[:128])
        kind = pick(rng, {"ISS": 52, "RCV": 24, "TRF": 18, "ADJ": 4, "SCR": 2})
        source = pick(rng, SHARES) if kind != "RCV" else None
        target = pick(rng, {"MN": 60, "MZ": 15, "QC": 10, "CG": 15}) if kind == "RCV" else None
        if kind == "TRF":
            target = rng.choice([place for place in SHARES if place != source])
        when = between(rng, "2025-03-03", "2026-11-18")
        while when.weekday() > 4:
            when = between(rng, "2025-03-03", "2026-11-18")
        amount = rng.randint(20, 120) if kind == "RCV" else rng.choice([1, 1, 2, 2, 3, 4, 6, 10])
        who = pick(rng, {"jb": 40, "ktm": 30, "rosa": 18, "temp1": 12})
        moves.append((str(when), item[0], source, target, amount, kind, who))
    moves.sort(key=lambda row: row[0])
    fill(con, "grp (grp_cd TEXT PRIMARY KEY, grp_name TEXT)", GROUPS)
    fill(con, "sup (sup_id INTEGER PRIMARY KEY, sup_name TEXT, ctry TEXT, lead_days INTEGER, rating REAL)", SUPPLIERS)
    fill(con, "loc (loc_id TEXT PRIMARY KEY, loc_name TEXT, zone TEXT)", PLACES)
    fill(
        con,
        "items (sku TEXT PRIMARY KEY, descr TEXT, grp_cd TEXT, uom TEXT, unit_cost REAL, min_qty INTEGER,"
        " sup_id INTEGER, discontinued INTEGER)",
        items,
    )
    fill(con, "stk (sku TEXT, loc_id TEXT, qty_oh INTEGER, last_cnt TEXT)", stock)
    types = [("ISS", "Issued"), ("RCV", "Received"), ("TRF", "Transfer"), ("ADJ", "Adjustment"), ("SCR", "Scrapped")]
    meaning = dict(types)
    fill(
        con,
        "moves (mv_id INTEGER PRIMARY KEY, mv_dt TEXT, sku TEXT, from_loc TEXT, to_loc TEXT, qty INTEGER,"
        " mv_type TEXT, op TEXT)",
        ((n, *row[:5], meaning[row[5]], row[6]) for n, row in enumerate(moves, 1)),
    )
