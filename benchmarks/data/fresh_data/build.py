#!/usr/bin/env python3
"""Write the five invented databases of the frozen question set.

python3 build.py [FOLDER]    FOLDER is `databases` beside this file unless named
"""

import random
import sqlite3
import sys
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path

TODAY = date(2026, 11, 20)
Rows = Iterable[Sequence[object]]


def days(start: date, end: date, rng: random.Random) -> date:
    return start + timedelta(days=rng.randrange((end - start).days + 1))


def dotted(day: date) -> str:
    return day.strftime("%d.%m.%Y")


def slashed(day: date) -> str:
    return f"{day.year}/{day.month}/{day.day}"


def money(value: float) -> str:
    return f"${value:,.2f}"


def save(folder: Path, name: str, ddl: str, tables: dict[str, Rows]) -> None:
    path = folder / f"{name}.sqlite"
    path.unlink(missing_ok=True)
    con = sqlite3.connect(path)
    con.executescript(ddl)
    for table, rows in tables.items():
        kept = [tuple(r) for r in rows]
        con.executemany(f'INSERT INTO "{table}" VALUES ({",".join("?" * len(kept[0]))})', kept)
    con.commit()
    con.execute("VACUUM")
    con.close()


# --- street trees -----------------------------------------------------------------------------------------------------

TREES_DDL = """
CREATE TABLE ward (ward_cd TEXT PRIMARY KEY, ward_name TEXT, residents INTEGER);
CREATE TABLE species (sp_cd TEXT PRIMARY KEY, common_name TEXT, latin TEXT, evergreen TEXT);
CREATE TABLE tree (
  tree_no TEXT PRIMARY KEY, nickname TEXT, sp_cd TEXT REFERENCES species(sp_cd), ward_cd TEXT REFERENCES ward(ward_cd),
  street TEXT, ht_m REAL, girth_cm INTEGER, crown_m REAL, planted_yr INTEGER, health TEXT, protected TEXT);
CREATE TABLE inspection (
  insp_id INTEGER PRIMARY KEY, tree_no TEXT REFERENCES tree(tree_no), insp_dt TEXT, inspector TEXT,
  score INTEGER, followup INTEGER);
CREATE TABLE works (
  work_id INTEGER PRIMARY KEY, tree_no TEXT REFERENCES tree(tree_no), kind TEXT, done_dt TEXT, crew TEXT,
  hrs REAL, cost REAL);
"""

WARDS = [
    ("HB", "Harbourside", 14210),
    ("OT", "Old Town", 9875),
    ("MH", "Mill Hill", 18340),
    ("QP", "Queens Park", 12655),
    ("SB", "Southbank", 21090),
    ("RF", "Riverfield", 7420),
    ("KG", "Kingsgate", 16480),
]
SPECIES = [
    ("PLA", "London Plane", "Platanus x hispanica", "N", 24, 9, 190),
    ("LIM", "Small-leaved Lime", "Tilia cordata", "N", 18, 7, 140),
    ("OAK", "English Oak", "Quercus robur", "N", 19, 10, 230),
    ("HOL", "Holm Oak", "Quercus ilex", "Y", 14, 8, 150),
    ("CHE", "Wild Cherry", "Prunus avium", "N", 9, 5, 70),
    ("ROW", "Rowan", "Sorbus aucuparia", "N", 7, 3, 50),
    ("BIR", "Silver Birch", "Betula pendula", "N", 13, 4, 65),
    ("YEW", "Common Yew", "Taxus baccata", "Y", 10, 7, 180),
    ("PIN", "Scots Pine", "Pinus sylvestris", "Y", 17, 5, 120),
    ("MAP", "Field Maple", "Acer campestre", "N", 10, 5, 85),
    ("GIN", "Ginkgo", "Ginkgo biloba", "N", 11, 4, 60),
    ("HOR", "Horse Chestnut", "Aesculus hippocastanum", "N", 17, 9, 200),
    ("HOY", "Holly", "Ilex aquifolium", "Y", 6, 3, 45),
]
STREETS = {
    "HB": ["Quay Road", "Anchor Street", "Customs Lane"],
    "OT": ["Castle Street", "Minster Yard", "Cloth Row", "St Anne's Square"],
    "MH": ["Mill Lane", "Weavers Way", "Chapel Hill"],
    "QP": ["Park Avenue", "Bandstand Walk", "Queens Road"],
    "SB": ["South Bank Road", "Ferry Street", "Tannery Road"],
    "RF": ["River Terrace", "Meadow Close"],
    "KG": ["Kingsgate Road", "Station Approach", "Albert Street"],
}
NICKNAMES = ["Old Tom", "The Bishop", "Crooked Mary", "The Hanging Tree", "Queen Anne's Oak", "Big Bertha", "The Twins"]


def trees(folder: Path) -> None:
    rng = random.Random(4101)
    wards = rng.choices([w[0] for w in WARDS], [15, 12, 22, 26, 18, 5, 14], k=560)
    weights = [20, 17, 10, 4, 12, 8, 9, 4, 5, 7, 3, 6, 3]
    rows: list[list[object]] = []
    for i, ward in enumerate(wards, 1):
        code, _, _, _, height, crown, girth = rng.choices(SPECIES, weights)[0]
        grown = rng.uniform(0.25, 1.35)
        year: int | None = int(2026 - grown * rng.uniform(38, 95))
        if i % 9 == 4:
            year = None
        health = rng.choices(["good", "fair", "poor", "dead"], [58, 28, 11, 3])[0]
        guarded = "Y" if girth * grown > 215 or rng.random() < 0.04 else "N"
        street = rng.choice(STREETS[ward])
        rows.append([f"T{i:04d}", None, code, ward, street, round(height * grown, 1), int(girth * grown)])
        rows[-1] += [round(crown * grown * rng.uniform(0.8, 1.3), 1), year, health, guarded]
    for name, at in zip(NICKNAMES, [37, 118, 201, 266, 340, 415, 502], strict=True):
        rows[at][1] = name
        rows[at][10] = "Y"
    rows[340][2], rows[340][5], rows[340][6], rows[340][8], rows[340][9] = "OAK", 22.6, 611, 1708, "fair"
    rows[37][8] = 1840
    rows[334][6] = 312
    inspectors = ["R. Adeyemi", "Moira Flint", "J. Castellanos", "Piotr Wilk"]
    inspections: list[tuple[object, ...]] = []
    seen = [r for r in rows if rng.random() < 0.93]
    for i in range(1, 1201):
        tree = rng.choice(seen)
        top = {"good": 5, "fair": 4, "poor": 3, "dead": 1}[str(tree[9])]
        score = max(1, top - rng.choices([0, 1, 2], [60, 30, 10])[0])
        day = days(date(2024, 1, 8), date(2026, 11, 13), rng)
        who = rng.choices(inspectors, [40, 28, 20, 12])[0]
        inspections.append((i, tree[0], dotted(day), who, score, int(score <= 2 or rng.random() < 0.06)))
    works: list[tuple[object, ...]] = []
    kinds = ["pruning", "crown reduction", "staking", "watering", "pest treatment"]
    for i in range(1, 521):
        tree = rng.choice(rows)
        kind = rng.choices(kinds, [36, 14, 12, 28, 10])[0]
        hrs = rng.choice([0.5, 1, 1.5, 2, 2.5, 3]) * (2.5 if kind == "crown reduction" else 1)
        cost = round(hrs * rng.uniform(48, 75) + (140 if kind == "crown reduction" else 0), 2)
        day = days(date(2024, 2, 1), date(2026, 11, 16), rng)
        crew = rng.choices(["North crew", "South crew", "Greenleaf Ltd"], [5, 4, 2])[0]
        works.append((i, tree[0], kind, dotted(day), crew, hrs, cost if i % 31 else None))
    species = [s[:4] for s in SPECIES]
    save(
        folder,
        "trees",
        TREES_DDL,
        {"ward": WARDS, "species": species, "tree": rows, "inspection": inspections, "works": works},
    )


# --- marina: one wide export ------------------------------------------------------------------------------------------

MARINA = [
    "Booking Ref",
    "Booked On",
    "Booked Via",
    "Vessel Name",
    "Vessel Type",
    "LOA (m)",
    "Flag",
    "Home Port",
    "Skipper",
    "Crew",
    "Arrival",
    "Departure",
    "Nights",
    "Pontoon",
    "Berth No",
    "Nightly Rate",
    "Berth Fee",
    "Electricity",
    "Water",
    "Fuel Litres",
    "Fuel Charge",
    "Discount %",
    "Total Due",
    "Amount Paid",
    "Pay Method",
    "Status",
    "Rating",
    "Remarks",
]
REALS = {"LOA (m)", "Fuel Litres", "Discount %"}
WHOLE = {"Crew", "Nights", "Rating"}
PORTS = {
    "Croatia": ["Split", "Zadar", "Pula"],
    "Italy": ["Trieste", "Ancona", "Venice"],
    "Germany": ["Kiel", "Rostock"],
    "Austria": ["Linz"],
    "Slovenia": ["Koper", "Izola"],
    "United Kingdom": ["Southampton", "Cowes"],
    "Netherlands": ["Rotterdam", "Enkhuizen"],
}
VESSELS = [
    "Albatross",
    "Blue Moon",
    "Calypso",
    "Dolce Vita",
    "Elara",
    "Falcon",
    "Galatea",
    "Halcyon",
    "Isabella",
    "Jolly Roger",
    "Kittiwake",
    "La Perla",
    "Maestral",
    "Nautilus",
    "Odyssey",
    "Penelope",
    "Queen Bee",
    "Rosalia",
    "Sea Breeze",
    "Tramontana",
    "Undine",
    "Valhalla",
    "Wanderer",
    "Xenia",
    "Yellow Fin",
    "Zephyr",
    "Amica",
    "Bonaventura",
    "Cormorant",
    "Daybreak",
    "Esperanza",
    "Freya",
    "Gipsy Queen",
    "Hula",
    "Ithaca",
    "Juno",
    "Karma",
    "Lorelei",
    "Meltemi",
    "Northern Light",
]
DRY = {"Hula", "Esperanza", "Undine", "Lorelei"}  # these never buy fuel
FIRST = [
    "Ana",
    "Marco",
    "Luca",
    "Ingrid",
    "Petra",
    "Hans",
    "Willem",
    "Sophie",
    "Giulia",
    "Ivan",
    "Nikola",
    "Clara",
    "Dieter",
    "Oliver",
    "Freek",
    "Tanja",
]
LAST = [
    "Horvat",
    "Rossi",
    "Novak",
    "Bianchi",
    "Schmidt",
    "de Vries",
    "Kovac",
    "Taylor",
    "Gruber",
    "Moretti",
    "Bauer",
    "Jansen",
    "Babic",
    "Wright",
]


def marina(folder: Path) -> None:
    rng = random.Random(4202)
    row: tuple[object, ...]
    kinds = {"Sailing yacht": (9, 16), "Motor yacht": (10, 24), "Catamaran": (11, 18), "RIB": (5, 8)}
    fleet = []
    for name in VESSELS:
        kind = rng.choices(list(kinds), [50, 25, 16, 9])[0]
        flag = rng.choices(list(PORTS), [24, 22, 17, 9, 12, 6, 10])[0]
        skipper = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        port = rng.choice(PORTS[flag])
        fleet.append((name, kind, round(rng.uniform(*kinds[kind]), 1), flag, port, skipper, rng.uniform(0.3, 2.2)))
    arrivals = []
    month_weight = [1, 1, 2, 5, 9, 14, 20, 22, 12, 6, 2, 1]
    for year, size in ((2024, 250), (2025, 300), (2026, 345)):
        for month in rng.choices(range(1, 13), month_weight, k=size):
            day = date(year, month, rng.randrange(1, 29))
            if day <= date(2026, 11, 8):
                arrivals.append(day)
    arrivals += [date(2026, 11, 13), date(2026, 11, 14), date(2026, 11, 16), date(2026, 11, 17), date(2026, 11, 18)]
    arrivals += [date(2026, 11, 24), date(2026, 11, 28), date(2026, 12, 5), date(2026, 12, 19), date(2026, 12, 27)]
    arrivals.sort()
    rates = {"A": 4.2, "B": 3.6, "C": 3.1, "D": 5.5}
    rows: list[tuple[object, ...]] = []
    for i, day in enumerate(arrivals, 1):
        name, kind, length, flag, port, skipper, _ = rng.choices(fleet, [f[6] for f in fleet])[0]
        nights = rng.choices([1, 2, 3, 4, 5, 7, 10, 14], [26, 24, 16, 9, 7, 10, 5, 3])[0]
        now = date(2026, 11, 13) <= day <= date(2026, 11, 18)
        if now:
            nights = (TODAY - day).days + rng.choice([2, 3, 5, 9])
        pontoon = rng.choices("ABCD", [30, 34, 24, 12])[0]
        rate = round(length * rates[pontoon], 2)
        fee = round(rate * nights, 2)
        status = "Checked out"
        if day > TODAY:
            status = "Reserved"
        elif now:
            status = "In berth"
        elif rng.random() < 0.09:
            status = "Cancelled"
        elif rng.random() < 0.03:
            status = "No show"
        here = status in ("Checked out", "In berth")
        power = round(nights * rng.uniform(3, 9), 2) if here and rng.random() < 0.8 else 0.0
        water = round(nights * rng.uniform(1, 4), 2) if here and rng.random() < 0.7 else 0.0
        litres = float(rng.randrange(40, 900, 10)) if here and rng.random() < 0.3 else 0.0
        if name in DRY:
            litres = 0.0
        fuel = round(litres * (1.62 if day.year < 2026 else 1.74), 2)
        off = rng.choices([0.0, 5.0, 10.0, 15.0], [70, 14, 12, 4])[0]
        due = round(fee * (1 - off / 100) + power + water + fuel, 2)
        if status in ("Cancelled", "No show"):
            fee, due = 0.0, 0.0
        paid = due
        if status == "Reserved" or now or (here and rng.random() < 0.05):
            paid = 0.0
        way = rng.choices(["Card", "Cash", "Bank transfer"], [62, 21, 17])[0] if paid else None
        via = rng.choices(["Phone", "Website", "VHF radio", "BoatBooker app", "Walk-in"], [22, 31, 10, 27, 10])[0]
        booked = day if via in ("VHF radio", "Walk-in") else day - timedelta(days=int(rng.expovariate(1 / 25)))
        booked = min(booked, TODAY - timedelta(days=1))
        rating = rng.choices([1, 2, 3, 4, 5], [2, 4, 13, 40, 41])[0] if status == "Checked out" else None
        if rng.random() < 0.45:
            rating = None
        note = rng.choices([None, "late arrival", "needs crane", "dog on board", "wants quiet berth"], [80, 7, 4, 5, 4])
        berth = f"{pontoon}{rng.randrange(1, 25):02d}"
        row = (f"MB{i + 10000}", booked.isoformat(), via, name, kind, length, flag, port, skipper)
        row += (rng.randrange(1, 4 if kind == "RIB" else 9), day.isoformat())
        row += ((day + timedelta(days=nights)).isoformat(), nights, pontoon, berth, money(rate), money(fee))
        row += (money(power), money(water), litres, money(fuel), off, money(due), money(paid), way, status, rating)
        rows.append((*row, note[0]))
    cols = ", ".join(f'"{c}" {"REAL" if c in REALS else "INTEGER" if c in WHOLE else "TEXT"}' for c in MARINA)
    save(folder, "marina", f"CREATE TABLE berth_bookings_export ({cols});", {"berth_bookings_export": rows})


# --- tool hire: bill lines, no declared keys --------------------------------------------------------------------------

HIRE_DDL = """
CREATE TABLE cust (cno INTEGER, nm TEXT, typ TEXT, town TEXT, acct_bal REAL, stop_fl TEXT, since TEXT);
CREATE TABLE depot (dep TEXT, dname TEXT, mgr TEXT, opened TEXT);
CREATE TABLE cat_lu (cat TEXT, cat_nm TEXT);
CREATE TABLE st_lu (st TEXT, meaning TEXT);
CREATE TABLE item (icode TEXT, descr TEXT, cat TEXT, mk TEXT, day_rate REAL, deposit REAL, wt_kg REAL);
CREATE TABLE hire_ln (
  cntr INTEGER, ln INTEGER, cno INTEGER, dep TEXT, out_dt TEXT, due_dt TEXT, ret_dt TEXT, icode TEXT,
  qty INTEGER, days INTEGER, rate REAL, amt REAL, st TEXT);
CREATE TABLE xfer (xid INTEGER, icode TEXT, fr_dep TEXT, to_dep TEXT, qty INTEGER, xdt TEXT);
"""
DEPOTS = [
    ("D1", "Canal Street", "Gwen Parry", "2009-04-01"),
    ("D2", "Foundry Park", "Imran Sheikh", "2014-09-15"),
    ("D3", "Eastgate", "Lottie Marsh", "2019-02-11"),
    ("D4", "Harlow Cross", "Ben Okafor", "2023-06-05"),
]
CATS = [
    ("BRK", "Breaking & Drilling"),
    ("CUT", "Cutting & Grinding"),
    ("ACC", "Access & Ladders"),
    ("GRD", "Garden"),
    ("PWR", "Power & Lighting"),
    ("CLN", "Cleaning"),
    ("LFT", "Lifting"),
]
ITEMS = [
    ("BR010", "Demolition hammer", "BRK", "Hilti", 38, 150, 15.2),
    ("BR020", "Rotary hammer drill", "BRK", "Bosch", 22, 80, 6.1),
    ("BR030", "Core drill 150mm", "BRK", "Hilti", 45, 200, 11.8),
    ("CU010", "Angle grinder 9in", "CUT", "Makita", 14, 50, 5.4),
    ("CU020", "Petrol disc cutter", "CUT", "Stihl", 32, 120, 9.6),
    ("CU030", "Tile cutter", "CUT", "Rubi", 18, 60, 21.0),
    ("AC010", "Scaffold tower 5m", "ACC", "Boss", 48, 250, 118.0),
    ("AC020", "Extension ladder", "ACC", "Youngman", 11, 30, 17.5),
    ("AC030", "Podium step", "ACC", "Boss", 16, 60, 29.0),
    ("GR010", "Rotavator", "GRD", "Honda", 52, 200, 62.0),
    ("GR020", "Hedge trimmer", "GRD", "Stihl", 19, 60, 5.8),
    ("GR030", "Turf cutter", "GRD", "Camon", 65, 250, 95.0),
    ("GR040", "Wood chipper", "GRD", "Timberwolf", 130, 500, 480.0),
    ("PW010", "Generator 3kVA", "PWR", "Honda", 36, 200, 44.0),
    ("PW020", "Site light LED", "PWR", "Defender", 9, 20, 4.2),
    ("PW030", "Transformer 110V", "PWR", "Defender", 8, 25, 14.0),
    ("CL010", "Pressure washer", "CLN", "Karcher", 34, 120, 38.0),
    ("CL020", "Carpet cleaner", "CLN", "Rug Doctor", 24, 50, 17.0),
    ("CL030", "Wet & dry vac", "CLN", "Karcher", 17, 40, 11.0),
    ("LF010", "Chain hoist 1t", "LFT", "Yale", 21, 90, 13.5),
    ("LF020", "Pallet truck", "LFT", "Yale", 26, 100, 75.0),
    ("LF030", "Plasterboard lifter", "LFT", "Probst", 23, 80, 42.0),
]
FIRMS = [
    "Ashdown Builders",
    "Brickworks Bros",
    "Carver & Sons",
    "Dale Roofing",
    "Elm Groundworks",
    "Fenwick Joinery",
    "Greenfingers Ltd",
    "Hollis Plumbing",
    "Ivory Interiors",
    "Jarvis Construction",
    "Kestrel Electrical",
    "Lomax Paving",
    "Meridian Fitouts",
    "Northgate Maintenance",
    "Oakley Landscapes",
    "Pryce Property",
    "Quayside Restorations",
    "Redfern Scaffolding",
]
PEOPLE = [
    "Alan Pike",
    "Bridget Shaw",
    "Colin Mbeki",
    "Dora Finch",
    "Ed Lister",
    "Faye Donnelly",
    "Graham Yeo",
    "Hetty Brand",
    "Ian Prosser",
    "Joan Wicks",
    "Karl Amis",
    "Lena Stubbs",
    "Mick Tranter",
    "Nora Quill",
    "Omar Reid",
    "Pam Hobday",
    "Roy Catlin",
    "Sue Blunt",
    "Ted Nash",
    "Una Frost",
    "Vic Salter",
    "Wendy Cope",
]


def toolhire(folder: Path) -> None:
    rng = random.Random(4303)
    row: tuple[object, ...]
    towns = ["Harlow", "Bishopton", "Wexley", "Marsham", "Thornbury"]
    custs: list[tuple[object, ...]] = []
    for i, name in enumerate(FIRMS + PEOPLE, 1):
        trade = i <= len(FIRMS)
        bal = round(rng.uniform(0, 2400), 2) if trade and rng.random() < 0.7 else 0.0
        stop = "Y" if i in (4, 11, 16, 29) else "N"
        since = days(date(2012, 1, 1), date(2025, 12, 1), rng).isoformat()
        custs.append((700 + i, name, "T" if trade else "R", rng.choices(towns, [9, 6, 5, 3, 2])[0], bal, stop, since))
    hirers = [c for c in custs if c[0] not in (717, 733, 739)]
    pull = [rng.uniform(2, 9) if c[2] == "T" else rng.uniform(0.4, 1.6) for c in hirers]
    rented = [x for x in ITEMS if x[0] != "LF010"]
    liked = [rng.uniform(1, 8) for _ in rented]
    outs = sorted(days(date(2024, 1, 3), date(2026, 11, 18), rng) for _ in range(930))
    lines: list[tuple[object, ...]] = []
    for i, out in enumerate(outs):
        cntr, cust = 50001 + i, rng.choices(hirers, pull)[0]
        dep = rng.choices([d[0] for d in DEPOTS], [38, 27, 21, 14])[0]
        length = rng.choices([1, 2, 3, 5, 7, 14, 28], [20, 22, 16, 10, 20, 9, 3])[0]
        due = out + timedelta(days=length)
        count = rng.choices([1, 2, 3, 4], [42, 31, 18, 9])[0]
        picks: list[str] = []
        while len(picks) < count:
            code = rng.choices([x[0] for x in rented], liked)[0]
            if code not in picks:
                picks.append(code)
        late = rng.choices([0, 1, 2, 4, 9], [74, 11, 7, 5, 3])[0]
        for n, code in enumerate(picks, 1):
            item = next(x for x in rented if x[0] == code)
            qty = rng.choices([1, 2, 4], [80, 14, 6])[0] if item[4] < 60 else 1
            rate = float(item[4]) * (0.9 if cust[2] == "T" else 1.0)
            back = due + timedelta(days=late)
            state, ret = "R", back.isoformat()
            if back > date(2026, 11, 19) or (out > date(2026, 9, 1) and rng.random() < 0.04):
                state, ret = "O", ""
            elif rng.random() < 0.006:
                state, ret = "L", ""
            row = (cntr, n, cust[0], dep, out.isoformat(), due.isoformat(), ret or None, code, qty, length)
            lines.append((*row, round(rate, 2), round(rate * qty * length, 2), state))
    moves: list[tuple[object, ...]] = []
    for i in range(1, 181):
        src, dst = rng.sample(DEPOTS, 2)
        if rng.random() < 0.35:
            src = DEPOTS[0]
            dst = rng.choice(DEPOTS[1:])
        day = days(date(2025, 1, 6), date(2026, 11, 12), rng).isoformat()
        moves.append((i, rng.choice(ITEMS)[0], src[0], dst[0], rng.choices([1, 2, 3, 5], [55, 25, 12, 8])[0], day))
    states = [("O", "on hire"), ("R", "returned"), ("L", "lost")]
    tables: dict[str, Rows] = {"cust": custs, "depot": DEPOTS, "cat_lu": CATS, "st_lu": states, "item": ITEMS}
    save(folder, "toolhire", HIRE_DDL, {**tables, "hire_ln": lines, "xfer": moves})


# --- 茶厂: all in Chinese ---------------------------------------------------------------------------------------------

TEA_DDL = """
CREATE TABLE 茶农 (农户编号 TEXT PRIMARY KEY, 姓名 TEXT, 村 TEXT, 茶园面积 REAL, 签约日期 TEXT, 是否社员 TEXT);
CREATE TABLE 收购 (
  单号 TEXT PRIMARY KEY, 日期 TEXT, 农户编号 TEXT REFERENCES 茶农(农户编号), 品种 TEXT, 等级 TEXT, 斤数 REAL,
  单价 REAL, 金额 REAL, 已付款 TEXT, 收购员 TEXT);
CREATE TABLE 加工批次 (
  批次号 TEXT PRIMARY KEY, 品种 TEXT, 开工日期 TEXT, 完工日期 TEXT, 投料斤数 REAL, 成茶斤数 REAL, 制茶师傅 TEXT,
  质检得分 INTEGER);
CREATE TABLE 客户 (客户编号 TEXT PRIMARY KEY, 客户名称 TEXT, 省份 TEXT, 类型 TEXT);
CREATE TABLE 销售 (
  销售单号 TEXT PRIMARY KEY, 日期 TEXT, 客户编号 TEXT REFERENCES 客户(客户编号), 品种 TEXT, 斤数 REAL, 单价 REAL,
  金额 REAL, 状态 TEXT);
"""
TEAS = {"铁观音": (26, 180), "毛蟹": (15, 95), "黄金桂": (21, 140), "本山": (17, 110), "肉桂": (34, 260)}
GRADES = {"特级": 1.7, "一级": 1.25, "二级": 1.0, "三级": 0.75}
SURNAMES = "陈林黄张李王吴刘蔡杨许郑谢郭洪"
GIVEN = [
    "建国",
    "秀英",
    "志强",
    "丽华",
    "文辉",
    "美珍",
    "水生",
    "金木",
    "阿福",
    "春兰",
    "永发",
    "玉梅",
    "德顺",
    "桂香",
    "火旺",
    "雪琴",
]
BUYERS = [
    ("鸿福茶行", "福建", "批发商"),
    ("清源茶馆", "福建", "茶馆"),
    ("羊城老茶铺", "广东", "批发商"),
    ("潮韵茶庄", "广东", "零售店"),
    ("陶陶居茶楼", "广东", "茶馆"),
    ("云上茗品旗舰店", "浙江", "电商"),
    ("西子茶坊", "浙江", "茶馆"),
    ("沪上茗轩", "上海", "零售店"),
    ("老城隍茶社", "上海", "茶馆"),
    ("京韵茶叶", "北京", "批发商"),
    ("马连道永盛", "北京", "批发商"),
    ("喝点好茶", "四川", "电商"),
    ("锦里茶铺", "四川", "零售店"),
    ("泉城茶业", "山东", "批发商"),
    ("岛城一品", "山东", "零售店"),
    ("茶小仙直播间", "浙江", "电商"),
]


def chachang(folder: Path) -> None:
    rng = random.Random(4404)
    row: tuple[object, ...]
    villages = ["龙涓村", "西坪村", "祥华村", "感德村", "虎邱村"]
    names: list[str] = []
    while len(names) < 64:
        name = rng.choice(SURNAMES) + rng.choice(GIVEN)
        if name not in names:
            names.append(name)
    farmers: list[tuple[object, ...]] = []
    for i, name in enumerate(names, 1):
        signed = slashed(days(date(2016, 2, 1), date(2026, 4, 20), rng))
        village = rng.choices(villages, [10, 16, 13, 9, 6])[0]
        farmers.append((f"N{i:03d}", name, village, round(rng.uniform(1.5, 28), 1), signed, rng.choice("是是是否否")))
    active = [f for f in farmers if f[0] not in ("N009", "N027", "N041", "N058")]
    strength = [rng.uniform(0.3, 3) for _ in active]
    months = {3: 5, 4: 20, 5: 24, 6: 9, 7: 5, 8: 8, 9: 16, 10: 20}
    bought: list[tuple[object, ...]] = []
    stamps: list[date] = []
    for year, size in ((2024, 380), (2025, 430), (2026, 490)):
        picked = rng.choices(list(months), list(months.values()), k=size)
        stamps += [date(year, month, rng.randrange(1, 31)) for month in picked]
    for i, day in enumerate(sorted(stamps), 1):
        farmer = rng.choices(active, strength)[0]
        tea = rng.choices(list(TEAS), [42, 15, 18, 12, 13])[0]
        grade = rng.choices(list(GRADES), [12, 33, 37, 18])[0]
        weight = round(rng.uniform(15, 190), 1)
        price = round(TEAS[tea][0] * GRADES[grade] * rng.uniform(0.9, 1.1) * (1 + 0.04 * (day.year - 2024)), 1)
        paid = "否" if day > date(2026, 9, 10) and rng.random() < 0.35 else "是"
        who = rng.choices(["周敏", "赖国平", "苏小曼"], [5, 4, 2])[0]
        row = (f"SG{day.year % 100}{i:04d}", slashed(day), farmer[0], tea, grade, weight, price)
        bought.append((*row, round(weight * price, 2), paid, who))
    batches: list[tuple[object, ...]] = []
    starts = sorted(days(date(2024, 3, 10), date(2026, 11, 8), rng) for _ in range(258))
    starts += [date(2026, 11, 10), date(2026, 11, 12), date(2026, 11, 15), date(2026, 11, 16)]
    masters = {"陈金发": 2, "魏师傅": 0, "林茂盛": -2, "高月娥": 4}
    for i, day in enumerate(starts, 1):
        tea = rng.choices(list(TEAS), [42, 15, 18, 12, 13])[0]
        put = round(rng.uniform(180, 900), 1)
        who = rng.choices(list(masters), [35, 30, 22, 13])[0]
        done = day + timedelta(days=rng.choices([2, 3, 4, 6, 9], [25, 34, 24, 12, 5])[0])
        row = (f"P{i:03d}", tea, slashed(day))
        if i > 258:
            batches.append((*row, None, put, None, who, None))
        else:
            score = min(100, max(58, int(rng.gauss(86, 6)) + masters[who]))
            batches.append((*row, slashed(done), put, round(put * rng.uniform(0.19, 0.26), 1), who, score))
    clients = [(f"K{i:02d}", *b) for i, b in enumerate(BUYERS, 1)]
    clients.append(("K17", "三坊茶舍", "福建", "茶馆"))
    sold: list[tuple[object, ...]] = []
    stamps = sorted(days(date(2024, 1, 5), date(2026, 11, 17), rng) for _ in range(760))
    share = [rng.uniform(0.5, 4) for _ in BUYERS]
    for i, day in enumerate(stamps, 1):
        client = rng.choices(clients[:16], share)[0]
        tea = rng.choices(list(TEAS), [38, 12, 17, 11, 22])[0]
        weight = float(rng.choice([5, 10, 10, 20, 20, 30, 50, 80, 100]))
        price = round(TEAS[tea][1] * rng.uniform(0.85, 1.2), 0)
        state = "待发货" if day > date(2026, 11, 5) and rng.random() < 0.8 else "已发货"
        if state == "已发货" and rng.random() < 0.04:
            state = "已退货"
        row = (f"XS{i:05d}", slashed(day), client[0], tea, weight, price, round(weight * price, 2))
        sold.append((*row, state))
    tables: dict[str, Rows] = {"茶农": farmers, "收购": bought, "加工批次": batches, "客户": clients, "销售": sold}
    save(folder, "chachang", TEA_DDL, tables)


# --- lift maintenance: two languages ----------------------------------------------------------------------------------

LIFTS_DDL = """
CREATE TABLE site (site_id INTEGER PRIMARY KEY, 项目名称 TEXT, district TEXT, site_type TEXT, 物业公司 TEXT);
CREATE TABLE lift (
  lift_no TEXT PRIMARY KEY, site_id INTEGER REFERENCES site(site_id), brand TEXT, floors INTEGER, load_kg INTEGER,
  install_date TEXT, 年检到期日 TEXT, in_service INTEGER);
CREATE TABLE tech (
  tech_id INTEGER PRIMARY KEY, 姓名 TEXT, eng_name TEXT, team TEXT, level TEXT, hired TEXT, left_on TEXT);
CREATE TABLE fault_code (code TEXT PRIMARY KEY, 故障描述 TEXT, desc_en TEXT);
CREATE TABLE callout (
  call_id INTEGER PRIMARY KEY, lift_no TEXT REFERENCES lift(lift_no), call_time TEXT, arrive_time TEXT, fixed_time TEXT,
  fault_cd TEXT REFERENCES fault_code(code), 是否困人 INTEGER, trapped_cnt INTEGER,
  first_tech INTEGER REFERENCES tech(tech_id), closed_by INTEGER REFERENCES tech(tech_id), 维修费 REAL);
CREATE TABLE maint_visit (
  visit_id INTEGER PRIMARY KEY, lift_no TEXT REFERENCES lift(lift_no), tech_id INTEGER REFERENCES tech(tech_id),
  visit_date TEXT, 保养类型 TEXT, mins INTEGER, 结果 TEXT);
"""
SITES = [
    ("锦绣花园", "浦东", "住宅", "万安物业"),
    ("汇金中心", "浦东", "写字楼", "恒信物业"),
    ("张江创新港", "浦东", "写字楼", "恒信物业"),
    ("仁和医院", "静安", "医院", "自管"),
    ("静安丽都", "静安", "住宅", "万安物业"),
    ("嘉里广场", "静安", "商场", "嘉诚物业"),
    ("徐汇新苑", "徐汇", "住宅", "万安物业"),
    ("美罗时代", "徐汇", "商场", "嘉诚物业"),
    ("莘庄人家", "闵行", "住宅", "乐居物业"),
    ("虹桥天街", "闵行", "商场", "恒信物业"),
    ("七宝老年公寓", "闵行", "住宅", "乐居物业"),
    ("杨浦科技园", "杨浦", "写字楼", "乐居物业"),
    ("五角场购物城", "杨浦", "商场", "嘉诚物业"),
]
TECHS = [
    (1, "王大勇", "Dave Wang", "东区", "senior", "2015-03-02", None),
    (2, "李晓峰", "Leo Li", "东区", "junior", "2023-07-10", None),
    (3, "赵敏", "Mina Zhao", "西区", "master", "2011-06-20", None),
    (4, "孙浩", "Howard Sun", "西区", "senior", "2017-11-01", None),
    (5, "周磊", "Ray Zhou", "南区", "junior", "2024-02-19", None),
    (6, "吴海涛", "Tom Wu", "南区", "senior", "2016-08-08", "2026-03-31"),
    (7, "郑洁", "Jess Zheng", "西区", "junior", "2022-05-16", None),
    (8, "冯志远", "Frank Feng", "东区", "master", "2009-10-12", None),
    (9, "何俊", "Jun He", "南区", "junior", "2026-04-13", None),
]
FAULTS = [
    ("F01", "门系统故障", "door fault"),
    ("F02", "平层不准", "bad levelling"),
    ("F03", "控制板故障", "controller board"),
    ("F04", "钢丝绳磨损", "rope wear"),
    ("F05", "按钮失灵", "button failure"),
    ("F06", "供电中断", "power loss"),
    ("F07", "异响", "strange noise"),
    ("F08", "进水", "water in pit"),
]


def lifts(folder: Path) -> None:
    rng = random.Random(4505)
    row: tuple[object, ...]
    brands = ["三菱", "OTIS", "KONE", "日立", "Schindler"]
    units: list[tuple[object, ...]] = []
    for site in range(1, len(SITES) + 1):
        kind = SITES[site - 1][2]
        for _ in range(rng.randrange(4, 11)):
            no = f"L{len(units) + 1:03d}"
            floors = rng.randrange(18, 46) if kind == "写字楼" else rng.randrange(4, 9) if kind == "商场" else 0
            floors = floors or rng.randrange(8, 33)
            load = rng.choice([1600, 2000]) if kind == "医院" else rng.choice([630, 800, 1000, 1000, 1350])
            built = days(date(2003, 1, 1), date(2023, 12, 1), rng)
            due = days(date(2026, 9, 20), date(2027, 9, 30), rng)
            on = 0 if rng.random() < 0.07 else 1
            brand = rng.choices(brands, [30, 24, 20, 16, 10])[0]
            units.append((no, site, brand, floors, load, built.isoformat(), due.isoformat(), on))
    trouble = [rng.expovariate(1) + (0.6 if str(u[5]) < "2012" else 0.1) for u in units]
    trouble[10] = trouble[44] = trouble[60] = 0.0

    def crew(day: date) -> list[int]:
        return [t[0] for t in TECHS if t[5] <= day.isoformat() and (t[6] is None or t[6] >= day.isoformat())]

    calls: list[tuple[object, ...]] = []
    times = []
    for _ in range(880):
        day = days(date(2024, 1, 2), date(2026, 11, 17), rng)
        hour = rng.choices(range(24), [1, 1, 1, 1, 1, 2, 5, 9, 10, 7, 6, 6, 6, 6, 6, 6, 7, 9, 10, 8, 6, 4, 3, 2])[0]
        times.append(datetime(day.year, day.month, day.day, hour, rng.randrange(60)))
    times.sort()
    for i, when in enumerate(times, 1):
        unit = rng.choices(units, trouble)[0]
        code = rng.choices([f[0] for f in FAULTS], [32, 15, 11, 4, 14, 9, 12, 3])[0]
        stuck = int(rng.random() < 0.17 and code in ("F01", "F02", "F03", "F06"))
        there = when + timedelta(minutes=rng.randrange(8, 30) if stuck else rng.randrange(15, 110))
        hands = crew(when.date())
        first = rng.choices(hands, [6 if t % 2 else 4 for t in hands])[0]
        last = first if rng.random() < 0.8 else rng.choice([h for h in hands if h != first])
        fixed: datetime | None = there + timedelta(minutes=rng.randrange(15, 400))
        closer: int | None = last
        if when > datetime(2026, 11, 9) and rng.random() < 0.6:
            fixed, closer = None, None
        fee = float(rng.choice([0, 0, 0, 180, 260, 350, 480, 900, 1600, 2800])) if fixed else None
        row = (i, unit[0], when.strftime("%Y-%m-%d %H:%M"), there.strftime("%Y-%m-%d %H:%M"))
        end = fixed.strftime("%Y-%m-%d %H:%M") if fixed else None
        calls.append((*row, end, code, stuck, rng.randrange(1, 7) if stuck else 0, first, closer, fee))
    visits: list[tuple[object, ...]] = []
    stamps = sorted(days(date(2025, 1, 2), date(2026, 11, 18), rng) for _ in range(1700))
    for i, day in enumerate(stamps, 1):
        unit = rng.choice(units)
        kind, base = rng.choices([("半月保", 40), ("季保", 75), ("年保", 150)], [76, 17, 7])[0]
        bad = rng.random() < (0.07 if str(unit[5]) > "2012" else 0.13)
        row = (i, unit[0], rng.choice(crew(day)), day.isoformat(), kind)
        visits.append((*row, int(base * rng.uniform(0.7, 1.4)), "不合格" if bad else "合格"))
    sites = [(i, *s) for i, s in enumerate(SITES, 1)]
    tables: dict[str, Rows] = {"site": sites, "lift": units, "tech": TECHS, "fault_code": FAULTS, "callout": calls}
    save(folder, "lifts", LIFTS_DDL, {**tables, "maint_visit": visits})


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "databases"
    folder.mkdir(parents=True, exist_ok=True)
    for make in (trees, marina, toolhire, chachang, lifts):
        make(folder)


if __name__ == "__main__":
    main()
