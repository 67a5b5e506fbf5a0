#!/usr/bin/env python3
"""Write five small SQLite databases to databases/ (or the folder given), and zoom_meetings.csv to exports/ beside it.

Standard library only, fixed seeds.
"""

import csv
import os
import random
import sqlite3
import sys
from datetime import date, datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
EXPORTS = os.path.join(os.path.dirname(os.path.abspath(OUT)), "exports")
D = date
LAST = D(2026, 11, 27)
FIRST = [
    "Abigail",
    "Bruno",
    "Clara",
    "Dennis",
    "Elsie",
    "Farid",
    "Gemma",
    "Hassan",
    "Ingrid",
    "Jerome",
    "Keira",
    "Lewis",
    "Martha",
    "Nadia",
    "Oscar",
    "Polly",
    "Quentin",
    "Rhona",
    "Simon",
    "Tessa",
    "Usman",
    "Violet",
    "Wesley",
    "Xenia",
    "Yolanda",
    "Zach",
    "Aaron",
    "Bethan",
    "Callum",
    "Daphne",
    "Ewan",
    "Flora",
    "Gavin",
    "Hattie",
    "Ian",
    "Joyce",
    "Kieran",
    "Leanne",
    "Mustafa",
    "Nell",
]
FAMILY = [
    "Ainsworth",
    "Barlow",
    "Clegg",
    "Duckworth",
    "Entwistle",
    "Fielding",
    "Grimshaw",
    "Holden",
    "Ibbotson",
    "Jolley",
    "Kay",
    "Livesey",
    "Marsden",
    "Nuttall",
    "Ormerod",
    "Parkinson",
    "Quayle",
    "Rigby",
    "Standish",
    "Tattersall",
    "Unsworth",
    "Valentine",
    "Walmsley",
    "Yates",
    "Aspinall",
    "Bleasdale",
    "Catterall",
    "Dewhurst",
    "Eccles",
    "Fazackerley",
    "Gorton",
]
XING = "孙胡朱高林何郭马罗梁宋郑谢韩唐许邓沈"
MING = [
    "建华",
    "春梅",
    "志强",
    "海燕",
    "雪梅",
    "文杰",
    "丽萍",
    "立新",
    "红霞",
    "浩然",
    "小红",
    "爱军",
    "玉兰",
    "思远",
    "淑芬",
    "俊杰",
    "凤英",
    "嘉怡",
    "明辉",
    "彩霞",
    "雨桐",
    "秋菊",
    "翠花",
    "秀珍",
    "桂香",
    "美华",
    "水莲",
    "春花",
    "金枝",
    "月娥",
]


def make(name, ddl, data):
    path = os.path.join(OUT, name + ".sqlite")
    if os.path.exists(path):
        os.remove(path)
    c = sqlite3.connect(path)
    c.executescript(ddl)
    for t, rows in data.items():
        c.executemany('INSERT INTO "%s" VALUES (%s)' % (t, ",".join("?" * len(rows[0]))), rows)
    c.commit()
    c.execute("VACUUM")
    c.close()


def pick(r, weights):
    return r.choices(list(weights), list(weights.values()))[0]


def day(r, a, b):
    return a + timedelta(days=r.randrange((b - a).days + 1))


def names(r, n):
    every = [a + " " + b for a in FIRST for b in FAMILY]
    return r.sample(every, n)


def skewed(r, items, power):
    """Weights that fall off, over a shuffled order, so that a first and a last stand out."""
    order = list(items)
    r.shuffle(order)
    return {x: 1 / (i + 2) ** power for i, x in enumerate(order)}


def garage():
    """A car workshop: customers, cars, jobs, parts, invoices."""
    r = random.Random(1701)
    people = names(r, 210)
    firms = [
        "Pennine Plumbing",
        "Swift Couriers",
        "Calder Taxis",
        "Brookfield Dairy",
        "Hilltop Roofing",
        "Bright Signs",
    ]
    customers = []
    for i in range(210):
        trade = i % 35 == 7
        name = firms[i // 35] if trade else people[i]
        mail = (
            None
            if r.random() < 0.21
            else "%s@%s" % (name.lower().replace(" ", "."), r.choice(["mail.example", "post.example"]))
        )
        customers.append(
            (i + 1, name, "trade" if trade else "private", "07%09d" % r.randrange(10**9), mail,
             pick(r, {"Bury": 8, "Rochdale": 5, "Bolton": 4, "Heywood": 2, "Ramsbottom": 3, "Radcliffe": 2}),
             day(r, D(2018, 1, 8), D(2026, 11, 14)).isoformat())
        )  # fmt: skip
    makes = {
        "Ford": ["Fiesta", "Focus", "Transit"], "Vauxhall": ["Corsa", "Astra"], "Volkswagen": ["Golf", "Polo"],
        "Toyota": ["Yaris", "Corolla"], "Nissan": ["Qashqai", "Leaf"], "BMW": ["320d", "X1"], "Skoda": ["Octavia", "Fabia"],
        "Kia": ["Sportage", "Picanto"], "Audi": ["A3"], "Volvo": ["XC40"],
    }  # fmt: skip
    weights = dict(zip(makes, [14, 11, 9, 7, 7, 5, 4, 4, 3, 2]))
    vehicles, regs = [], set()
    for c in customers:
        for _ in range(r.choice([5, 6, 8]) if c[2] == "trade" else pick(r, {1: 12, 2: 4, 3: 1})):
            make_ = "Ford" if c[2] == "trade" and r.random() < 0.6 else pick(r, weights)
            model = "Transit" if c[2] == "trade" and make_ == "Ford" else r.choice(makes[make_])
            fuel = "electric" if model == "Leaf" else "diesel" if model in ("320d", "Transit") else pick(
                r, {"petrol": 12, "diesel": 5, "hybrid": 3, "electric": 1})  # fmt: skip
            year = r.randrange(2008, 2025)
            while True:
                reg = "%s%s%02d %s" % (
                    r.choice("MPDY"),
                    r.choice("ABCDEFJKL"),
                    year % 100,
                    "".join(r.choices("ABCDEFGHJKLMNPRSTVWXY", k=3)),
                )
                if reg not in regs:
                    break
            regs.add(reg)
            vehicles.append((reg, c[0], make_, model, fuel, year, day(r, D(2026, 10, 20), D(2027, 11, 10)).isoformat()))
    mechanics = [
        (1, "Trevor Ogden", "master", "2011-03-07", None), (2, "Sadia Mirza", "technician", "2017-09-04", None),
        (3, "Kyle Brennan", "technician", "2019-01-14", None), (4, "Paula Whitworth", "master", "2015-06-01", None),
        (5, "Derek Stott", "technician", "2014-02-10", "2025-08-29"), (6, "Jamie Lomax", "apprentice", "2024-09-02", None),
        (7, "Connor Hague", "apprentice", "2026-09-07", None), (8, "Marek Nowak", "technician", "2025-10-06", None),
    ]  # fmt: skip
    suppliers = [(1, "Motorfactors North", "Manchester"), (2, "Eurospares", "Leeds"), (3, "Tyre Depot", "Bolton"),
                 (4, "Battery World", "Stockport"), (5, "Classic Trim Co", "Derby")]  # fmt: skip
    wares = """Oil filter|1|4.1|9.5;Air filter|1|6.3|14;Cabin filter|2|5.2|13.5;Engine oil 5L|1|18.4|39;Brake pads front|2|17.9|42
Brake pads rear|2|16.2|38.5;Brake discs pair|2|38|84;Spark plug|1|3.4|8.2;Wiper blade|1|5|12.5;Battery 12V|4|52|98;Battery AGM|4|88|155
Tyre 195/65 R15|3|39|62;Tyre 205/55 R16|3|44|71;Tyre van 215/65 R16|3|61|95;Clutch kit|2|118|229;Timing belt kit|2|74|139;Headlamp bulb|1|2.9|7.5
Coolant 5L|1|9.8|21;Exhaust rear box|2|66|128;Shock absorber|2|41|83;Wheel bearing|2|23|49;Alternator|4|121|235;Tyre 225/45 R17|3|52|86
Track rod end|2|12.6|29""".replace("\n", ";").split(";")
    parts = []
    for i, w in enumerate(wares):
        d, s, cost, sell = w.split("|")
        stock = r.choice([0, 1, 2, 3, 5, 6, 8, 12, 18, 25])
        parts.append(("P%04d" % (1010 + 7 * i), d, int(s), float(cost), float(sell), stock, r.choice([2, 4, 4, 6])))
    no = {p[1]: p for p in parts}
    uses = {
        "service": [("Oil filter", 1), ("Engine oil 5L", 0.9), ("Air filter", 0.6), ("Cabin filter", 0.4), ("Spark plug", 0.3), ("Wiper blade", 0.2)],
        "MOT": [("Wiper blade", 0.1), ("Headlamp bulb", 0.13)],
        "repair": [("Brake pads front", 0.24), ("Brake pads rear", 0.13), ("Brake discs pair", 0.2), ("Clutch kit", 0.07), ("Timing belt kit", 0.08),
                   ("Exhaust rear box", 0.1), ("Shock absorber", 0.12), ("Wheel bearing", 0.1), ("Alternator", 0.05), ("Battery 12V", 0.14), ("Coolant 5L", 0.12)],
        "tyres": [("Tyre 195/65 R15", 0.4), ("Tyre 205/55 R16", 0.42), ("Tyre van 215/65 R16", 0.12), ("Tyre 225/45 R17", 0.2)],
        "diagnostics": [("Battery AGM", 0.06)], "bodywork": [],
    }  # fmt: skip
    taste = {v[0]: r.random() ** 2 + 0.05 for v in vehicles}
    for reg in r.sample(sorted(taste), 17):
        taste[reg] = 0  # on the books, never brought in
    joined = {c[0]: c[6] for c in customers}
    speed = {1: 5, 2: 6, 3: 4, 4: 4.5, 5: 5, 6: 2, 7: 1.2, 8: 3.4}
    raw = []
    while len(raw) < 1850:
        v = r.choices(vehicles, [taste[x[0]] for x in vehicles])[0]
        d = day(r, D(2024, 1, 3), D(2026, 12, 18))
        if d.weekday() == 6 or (d.weekday() == 5 and r.random() < 0.6) or d.isoformat() < joined[v[1]]:
            continue
        if (d.year == 2024 and r.random() < 0.25) or (d > LAST and r.random() < 0.5):
            continue
        raw.append((d, v))
    raw.sort(key=lambda x: (x[0], x[1][0]))
    jobs, job_parts, invoices = [], [], []
    for i, (d, v) in enumerate(raw):
        jid = 5001 + i
        kind = pick(r, {"service": 9, "MOT": 8, "repair": 7, "tyres": 5, "diagnostics": 2, "bodywork": 1})
        able = [m for m in mechanics if m[3] <= d.isoformat() and (not m[4] or m[4] >= d.isoformat())]
        m = r.choices(able, [speed[x[0]] for x in able])[0]
        status = "collected"
        if d > LAST:
            status = pick(r, {"booked": 12, "cancelled": 1})
        elif d > D(2026, 11, 16):
            status = pick(r, {"in progress": 4, "waiting for parts": 3, "ready": 3, "collected": 9, "cancelled": 1})
        elif r.random() < 0.055:
            status = "cancelled"
        done = None
        if status in ("collected", "ready"):
            done = d + timedelta(days=pick(r, {0: 10, 1: 5, 2: 2, 3: 1, 6: 0.6}))
            done = min(done, LAST)
        hours = None
        if done:
            base = {"service": 1.6, "MOT": 0.8, "repair": 2.8, "tyres": 0.9, "diagnostics": 1.1, "bodywork": 6.5}[kind]
            hours = round(max(0.5, base * r.uniform(0.6, 1.7)) * 4) / 4
        charge = None if hours is None else 54.85 if kind == "MOT" else round(hours * (62 if d.year < 2026 else 68), 2)
        mot = None if kind != "MOT" or not done else "fail" if r.random() < (0.36 if v[5] < 2014 else 0.17) else "pass"
        miles = 9000 * (d.year - v[5]) + r.randrange(500, 9000) if status not in ("booked", "cancelled") else None
        jobs.append((jid, v[0], None if status == "cancelled" and r.random() < 0.5 else m[0], d.isoformat(),
                     done.isoformat() if done else None, kind, status, miles, hours, charge, mot))  # fmt: skip
        value = charge or 0
        if done or status == "in progress":
            used = {}
            for desc, chance in uses[kind]:
                if r.random() < chance:
                    qty = (
                        r.choice([1, 2, 2, 4])
                        if kind == "tyres"
                        else 4
                        if desc == "Spark plug"
                        else 2
                        if desc in ("Wiper blade", "Shock absorber")
                        else 1
                    )
                    used[desc] = qty
            if not used and kind == "tyres":
                used["Tyre 205/55 R16"] = 2
            for desc, qty in used.items():
                p = no[desc]
                price = round(p[4] * (0.9 if customers[v[1] - 1][2] == "trade" else 1), 2)
                job_parts.append((jid, p[0], qty, price))
                value += qty * price
        if done and status == "collected":
            trade = customers[v[1] - 1][2] == "trade"
            paid = done + timedelta(days=r.randrange(5, 50)) if trade else done
            if paid > LAST or (trade and r.random() < 0.04) or r.random() < 0.006:
                paid = None
            how = (
                None if not paid else "bank transfer" if trade else pick(r, {"card": 15, "cash": 4, "bank transfer": 2})
            )
            value = round(value, 2)
            invoices.append((20001 + len(invoices), jid, done.isoformat(), value, 0 if kind == "MOT" and value == 54.85 else round(value * 0.2, 2),
                             paid.isoformat() if paid else None, how))  # fmt: skip
    invoices = [(*i[:5], round(i[3] + i[4], 2), *i[5:]) for i in invoices]
    make(
        "garage",
        """
CREATE TABLE customers(customer_id INTEGER PRIMARY KEY, name TEXT, customer_type TEXT, phone TEXT, email TEXT, town TEXT, customer_since TEXT);
CREATE TABLE vehicles(reg TEXT PRIMARY KEY, customer_id INTEGER REFERENCES customers(customer_id), make TEXT, model TEXT, fuel TEXT, year INTEGER, mot_due TEXT);
CREATE TABLE mechanics(mechanic_id INTEGER PRIMARY KEY, name TEXT, grade TEXT, started_on TEXT, left_on TEXT);
CREATE TABLE suppliers(supplier_id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE parts(part_no TEXT PRIMARY KEY, description TEXT, supplier_id INTEGER REFERENCES suppliers(supplier_id), cost_price REAL, sell_price REAL, in_stock INTEGER, reorder_at INTEGER);
CREATE TABLE jobs(job_id INTEGER PRIMARY KEY, reg TEXT REFERENCES vehicles(reg), mechanic_id INTEGER REFERENCES mechanics(mechanic_id), booked_for TEXT, finished_on TEXT, job_type TEXT, status TEXT, mileage INTEGER, labour_hours REAL, labour_charge REAL, mot_result TEXT);
CREATE TABLE job_parts(job_id INTEGER REFERENCES jobs(job_id), part_no TEXT REFERENCES parts(part_no), qty INTEGER, unit_price REAL, PRIMARY KEY (job_id, part_no));
CREATE TABLE invoices(invoice_no INTEGER PRIMARY KEY, job_id INTEGER REFERENCES jobs(job_id), issued_on TEXT, net REAL, vat REAL, total REAL, paid_on TEXT, paid_by TEXT);
""",
        {"customers": customers, "vehicles": vehicles, "mechanics": mechanics, "suppliers": suppliers, "parts": parts,
         "jobs": jobs, "job_parts": job_parts, "invoices": invoices},
    )  # fmt: skip


def brigade():
    """A fire and rescue service: stations, appliances, crew, incidents, turnouts, drills."""
    r = random.Random(1702)
    stations = [
        ("S01", "Kelbrook", "wholetime", 1974, "North"), ("S02", "Marlow Bridge", "wholetime", 1988, "Central"),
        ("S03", "Thornley", "on-call", 1961, "North"), ("S04", "Eastcliff", "wholetime", 2009, "East"),
        ("S05", "Harle Docks", "day crewed", 1996, "East"), ("S06", "Pottergate", "on-call", 1955, "Central"),
        ("S07", "Windle Moor", "on-call", 1970, "North"), ("S08", "Saltmarsh", "volunteer", 2001, "East"),
    ]  # fmt: skip
    kinds = iter(
        [
            "ladder",
            "pump",
            "rescue tender",
            "pump",
            "ladder",
            "off-road",
            "pump",
            "off-road",
            "water carrier",
            "rescue tender",
            "pump",
            "water carrier",
            "pump",
            "off-road",
        ]
    )
    appliances = []
    for s in stations:
        count = 4 if s[2] == "wholetime" else 3 if s[2] == "day crewed" else 2 if s[2] == "on-call" else 1
        for i in range(count):
            kind = "pump" if i == 0 else next(kinds)
            state = "in service"
            appliances.append(["%sF%d" % (s[0][1:], i + 1), s[0], kind, r.randrange(2004, 2025), state])
    appliances[3][4] = "workshop"
    appliances[10][4] = "workshop"
    appliances[14][4] = "sold"
    appliances[6][4] = "reserve"
    who = names(r, 96)
    crew = []
    for i, n in enumerate(who):
        s = r.choices(stations, [5, 6, 3, 5, 4, 2.5, 2, 1.5])[0]
        rank = pick(r, {"firefighter": 14, "crew manager": 4, "watch manager": 2, "station manager": 1})
        joined = day(r, D(2001, 4, 1), D(2026, 9, 30))
        left = day(r, D(2023, 2, 1), D(2026, 11, 10)) if r.random() < 0.11 else None
        if left and left <= joined:
            left = None
        crew.append((301 + i, n, s[0], rank, joined.isoformat(), left.isoformat() if left else None, pick(r, {"Red": 5, "White": 5, "Blue": 5, "Green": 5})
                     if s[2] == "wholetime" else None))  # fmt: skip
    types = [("HF", "house fire", "fire"), ("CF", "car fire", "fire"), ("WF", "wildfire", "fire"), ("BF", "bin fire", "fire"),
             ("FA", "false alarm", "false alarm"), ("RTC", "road crash", "rescue"), ("FL", "flooding", "rescue"),
             ("AN", "animal rescue", "rescue"), ("LIFT", "stuck in lift", "rescue"), ("CHEM", "chemical spill", "hazard")]  # fmt: skip
    weight = {"HF": 9, "CF": 7, "WF": 3, "BF": 8, "FA": 24, "RTC": 13, "FL": 5, "AN": 4, "LIFT": 3, "CHEM": 1.2}
    towns = {"Kelbrook": ["S01"], "Marlow": ["S02", "S06"], "Thornley": ["S03"], "Eastcliff": ["S04"], "Harle": ["S05", "S04"], "Windle": ["S07", "S01"],
             "Saltmarsh": ["S08", "S05"], "Pottergate": ["S06", "S02"]}  # fmt: skip
    busy = dict(zip(towns, [15, 23, 6, 18, 12, 4, 3, 8]))
    sources = {"999": 14, "automatic alarm": 6, "police": 2, "walk-in": 0.6}
    incidents, turnouts = [], []
    stamp = []
    while len(stamp) < 2150:
        d = day(r, D(2024, 1, 1), LAST)
        hour = r.choices(range(24), [3, 2, 2, 1, 1, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 7, 8, 9, 9, 8, 7, 6, 5, 4])[0]
        if (d.month in (6, 7, 8) and r.random() < 0.2) or r.random() < (
            0.18 if d.year == 2024 else 0.05 if d.year == 2025 else 0
        ):
            continue
        stamp.append(datetime(d.year, d.month, d.day, hour, r.randrange(60), r.randrange(60)))
    stamp.sort()
    for i, t in enumerate(stamp):
        iid = 70001 + i
        w = dict(weight)
        if t.month in (4, 5, 7, 8):
            w["WF"] *= 3
        if t.month in (11, 12, 1, 2):
            w["FL"] *= 3
        code = pick(r, w)
        town = pick(r, busy)
        source = pick(r, sources) if code != "FA" else pick(r, {"automatic alarm": 14, "999": 7, "police": 0.5})
        injured = (
            0
            if code in ("FA", "BF", "LIFT", "AN")
            else pick(r, {0: 14, 1: 3, 2: 1, 3: 0.4})
            if code in ("RTC", "HF")
            else pick(r, {0: 30, 1: 1})
        )
        dead = 1 if code in ("RTC", "HF") and r.random() < 0.012 else 0
        span = r.expovariate(
            1
            / {
                "HF": 90,
                "CF": 45,
                "WF": 180,
                "BF": 20,
                "FA": 15,
                "RTC": 70,
                "FL": 95,
                "AN": 50,
                "LIFT": 35,
                "CHEM": 160,
            }[code]
        )
        closed = t + timedelta(minutes=8 + span)
        if closed > datetime(2026, 11, 28):
            closed = None
        fee = (
            350.0
            if code == "FA" and source == "automatic alarm" and r.random() < 0.4
            else 280.0
            if code == "LIFT" and r.random() < 0.6
            else None
        )
        incidents.append((iid, t.isoformat(sep=" "), closed.isoformat(sep=" ", timespec="seconds") if closed else None, code, town, source, injured, dead, fee,
                          None if fee is None else "waived" if r.random() < 0.07 else "paid" if r.random() < 0.78 else "unpaid"))  # fmt: skip
        if r.random() < 0.012:
            continue  # called off before anything left
        want = {
            "HF": 2.6,
            "CF": 1.2,
            "WF": 2.6,
            "BF": 1,
            "FA": 1.15,
            "RTC": 2.1,
            "FL": 1.3,
            "AN": 1.1,
            "LIFT": 1,
            "CHEM": 2.4,
        }[code]
        n = max(1, int(want + r.random() * 0.99))
        home = towns[town][0]
        pool = (
            [a for a in appliances if a[1] == home] * 3
            + [a for a in appliances if a[1] in towns[town]]
            + [a for a in appliances if r.random() < 0.06]
        )
        pool = [a for a in pool if a[4] != "sold" or t.year < 2026]
        chosen = []
        while len(chosen) < n and pool:
            a = r.choice(pool)
            pool = [x for x in pool if x[0] != a[0]]
            if a[4] != "reserve":
                chosen.append(a)
        for a in chosen:
            slow = {"wholetime": 1.4, "day crewed": 2.2, "on-call": 5, "volunteer": 7.5}[
                next(s[2] for s in stations if s[0] == a[1])
            ]
            left_at = t + timedelta(minutes=slow * r.uniform(0.6, 1.5))
            arrived = left_at + timedelta(minutes=r.uniform(3, 9) if a[1] == home else r.uniform(9, 22))
            gone = r.random() < 0.05
            turnouts.append((iid, a[0], left_at.isoformat(sep=" ", timespec="seconds"), None if gone else arrived.isoformat(sep=" ", timespec="seconds"),
                             r.choice([4, 4, 5, 5, 6])))  # fmt: skip
    courses = {
        "breathing apparatus": 6,
        "first aid": 6,
        "ladder drill": 4,
        "water rescue": 3,
        "driving": 3,
        "height rescue": 1,
    }
    drills = []
    for c in crew:
        if r.random() < 0.07:
            continue
        for _ in range(r.randrange(2, 9)):
            d = (
                day(r, max(D(2024, 1, 8), D.fromisoformat(c[4])), D.fromisoformat(c[5]) if c[5] else LAST)
                if not c[5] or c[5] > "2024-02-01"
                else None
            )
            if d:
                course = pick(r, courses)
                drills.append(
                    (c[0], course, d.isoformat(), r.choice([2, 2, 3, 4, 6, 8]), 0 if r.random() < 0.09 else 1)
                )
    drills.sort(key=lambda x: (x[2], x[0], x[1]))
    drills = [(i + 1, *x) for i, x in enumerate(drills)]
    make(
        "fire_brigade",
        """
CREATE TABLE station(station_id TEXT PRIMARY KEY, name TEXT, crewing TEXT, built INTEGER, area TEXT);
CREATE TABLE appliance(callsign TEXT PRIMARY KEY, station_id TEXT REFERENCES station(station_id), kind TEXT, built INTEGER, state TEXT);
CREATE TABLE crew(crew_id INTEGER PRIMARY KEY, full_name TEXT, station_id TEXT REFERENCES station(station_id), rank TEXT, joined TEXT, left_on TEXT, watch TEXT);
CREATE TABLE incident_type(code TEXT PRIMARY KEY, label TEXT, class TEXT);
CREATE TABLE incident(incident_id INTEGER PRIMARY KEY, called_at TEXT, closed_at TEXT, type_code TEXT REFERENCES incident_type(code), town TEXT, source TEXT, injured INTEGER, fatalities INTEGER, charge REAL, charge_status TEXT);
CREATE TABLE turnout(incident_id INTEGER REFERENCES incident(incident_id), callsign TEXT REFERENCES appliance(callsign), left_at TEXT, arrived_at TEXT, crew_count INTEGER, PRIMARY KEY (incident_id, callsign));
CREATE TABLE training(training_id INTEGER PRIMARY KEY, crew_id INTEGER REFERENCES crew(crew_id), course TEXT, held_on TEXT, hours INTEGER, passed INTEGER);
""",
        {"station": stations, "appliance": appliances, "crew": crew, "incident_type": types, "incident": incidents,
         "turnout": turnouts, "training": drills},
    )  # fmt: skip


def photos():
    """A family's photo collection as digiKam keeps it (its own names, a few columns left out; no declared keys)."""
    r = random.Random(1703)
    trips = """2023/Summer Cornwall|2023-07-22|9|Holidays;2023/Christmas|2023-12-20|9|Family;2024/Skiing Morzine|2024-02-10|7|Holidays
2024/Easter Grandma|2024-03-29|4|Family;2024/Lisbon|2024-05-18|5|Travel;2024/Summer Sweden|2024-08-03|14|Holidays;2024/School fair|2024-10-05|1|Family
2024/Christmas|2024-12-21|10|Family;2025/Allotment|2025-01-12|300|Garden;2025/Rome|2025-04-12|5|Travel;2025/Mias wedding|2025-06-14|2|Family
2025/Summer Norway|2025-07-26|15|Holidays;2025/Birthday Leo|2025-09-13|1|Family;2025/Autumn walks|2025-10-04|40|Nature;2025/Christmas|2025-12-22|8|Family
2026/Allotment|2026-01-18|310|Garden;2026/Skiing Morzine|2026-02-14|7|Holidays;2026/Birds|2026-03-07|230|Nature;2026/Edinburgh|2026-05-02|4|Travel
2026/Summer Croatia|2026-07-25|14|Holidays;2026/Birthday Leo|2026-09-13|1|Family;2026/Bonfire night|2026-11-05|1|Family;2026/Old scans|2026-10-10|2|""".replace(
        "\n", ";"
    ).split(";")
    many = [150, 90, 110, 45, 120, 230, 25, 105, 80, 140, 190, 260, 38, 75, 95, 70, 130, 175, 88, 245, 41, 22, 34]
    albums, start = [], []
    for i, t in enumerate(trips):
        path, d, span, collection = t.split("|")
        albums.append((i + 1, 1, "/" + path, d, None, collection or None))
        start.append((D.fromisoformat(d), int(span), many[i]))
    albums.append((24, 1, "/2026/To sort", "2026-11-21", None, None))  # an empty album
    place = {
        1: (50.2, -5.2),
        3: (46.2, 6.7),
        5: (38.7, -9.1),
        6: (58.4, 15.6),
        10: (41.9, 12.5),
        12: (61.5, 6.8),
        17: (46.2, 6.7),
        19: (55.9, -3.2),
        20: (43.5, 16.4),
    }
    tags = [(1, 0, "People"), (2, 0, "Places"), (3, 0, "Topics"), (4, 1, "Leo"), (5, 1, "Mia"), (6, 1, "Grandma"), (7, 1, "Tom"), (8, 1, "Ines"), (9, 1, "Uncle Pete"),
            (10, 2, "Beach"), (11, 2, "Mountains"), (12, 2, "Home"), (13, 3, "Food"), (14, 3, "Sunset"), (15, 3, "Flowers"), (16, 3, "Birds"), (17, 3, "Print this"),
            (18, 3, "Drone"), (19, 1, "Cousin Ella")]  # fmt: skip
    cameras = {
        ("Canon", "EOS R7"): 6,
        ("Apple", "iPhone 13"): 9,
        ("Apple", "iPhone 15 Pro"): 0,
        ("Fujifilm", "X-T30"): 4,
        ("DJI", "Mini 3"): 1,
    }
    lenses = {
        "EOS R7": ["RF-S 18-150mm", "RF 100-400mm", "RF-S 18-150mm"],
        "X-T30": ["XF 27mm", "XF 18-55mm", "XF 18-55mm"],
    }
    images, info, meta, pos, tagged = [], [], [], [], []
    n = 0
    for a, (first, span, count) in zip(albums, start):
        for _ in range(count):
            n += 1
            iid = 1000 + n
            cams = dict(cameras)
            if first >= D(2025, 5, 1):
                cams[("Apple", "iPhone 15 Pro")], cams[("Apple", "iPhone 13")] = 9, 2
            if "Birds" in a[2]:
                cams = {("Canon", "EOS R7"): 1}
            cam = None if "scans" in a[2] else pick(r, cams)
            d = first + timedelta(days=min(int(span * r.random()), (LAST - first).days))
            t = datetime(
                d.year,
                d.month,
                d.day,
                r.choice([8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 17, 18, 19, 20, 21]),
                r.randrange(60),
                r.randrange(60),
            )
            if "Bonfire" in a[2]:
                t = t.replace(hour=r.choice([18, 19, 20]))
            video = cam and cam[0] != "Canon" and r.random() < 0.09
            fmt = (
                pick(r, {"MP4": 1})
                if video
                else "TIFF"
                if not cam
                else "RAW-CR3"
                if cam[1] == "EOS R7" and r.random() < 0.5
                else "HEIF"
                if cam[0] == "Apple" and r.random() < 0.7
                else "JPG"
            )
            ext = {"MP4": "mp4", "TIFF": "tif", "RAW-CR3": "cr3", "HEIF": "heic", "JPG": "jpg"}[fmt]
            mb = (
                r.uniform(40, 380)
                if video
                else {"TIFF": 38, "RAW-CR3": 29, "HEIF": 2.4, "JPG": 6.1}[fmt] * r.uniform(0.6, 1.4)
            )
            stem = {"Canon": "IMG_", "Apple": "IMG_", "Fujifilm": "DSCF", "DJI": "DJI_"}[cam[0]] if cam else "scan_"
            status = 3 if r.random() < 0.035 else 1
            images.append((iid, a[0], "%s%04d.%s" % (stem, (iid * 7) % 10000, ext), status, 2 if video else 1,
                           min(t + timedelta(days=r.randrange(0, 12)), datetime(2026, 11, 27, 18, 5)).isoformat(timespec="milliseconds"), int(mb * 1_000_000)))  # fmt: skip
            rating = (
                pick(r, {-1: 3, 0: 10, 1: 1, 2: 2, 3: 4, 4: 3, 5: 1.3})
                if "Birds" not in a[2]
                else pick(r, {0: 6, 3: 3, 4: 4, 5: 3})
            )
            w, h = (
                {
                    "EOS R7": (6960, 4640),
                    "iPhone 13": (4032, 3024),
                    "iPhone 15 Pro": (5712, 4284),
                    "X-T30": (6240, 4160),
                    "Mini 3": (4000, 3000),
                }[cam[1]]
                if cam
                else (4200, 2800)
            )
            if video:
                w, h = 3840, 2160
            if not video and r.random() < 0.24:
                w, h = h, w
            taken = t if cam else datetime(r.randrange(1968, 1992), r.randrange(1, 13), r.randrange(1, 28), 12, 0, 0)
            info.append((iid, rating, taken.isoformat(timespec="milliseconds"), w, h, fmt))
            if cam and not video:
                phone = cam[0] in ("Apple", "DJI")
                lens = None if phone else r.choice(lenses[cam[1]]) if "Birds" not in a[2] else "RF 100-400mm"
                iso = pick(
                    r, {50: 6, 80: 5, 100: 8, 200: 7, 400: 6, 800: 4, 1600: 3, 3200: 2, 6400: 1 + 4 * (t.hour > 18)}
                )
                meta.append(
                    (
                        iid,
                        cam[0],
                        cam[1],
                        lens,
                        r.choice([1.8, 2.8, 4.0, 5.6, 8.0]),
                        6.9 if phone else 400.0 if lens == "RF 100-400mm" else float(r.choice([18, 27, 35, 55])),
                        iso,
                    )
                )
            if a[0] in place and cam and (cam[0] in ("Apple", "DJI") and r.random() < 0.93):
                la, lo = place[a[0]]
                pos.append(
                    (
                        iid,
                        round(la + r.uniform(-0.4, 0.4), 5),
                        round(lo + r.uniform(-0.4, 0.4), 5),
                        round(r.uniform(2, 90) if a[0] not in (3, 17) else r.uniform(900, 2450), 1),
                    )
                )
            chosen = set()
            if r.random() < 0.55:
                fam = a[5] == "Family"
                for _ in range(pick(r, {1: 6, 2: 3, 3: 1})):
                    chosen.add(pick(r, {4: 9 + 5 * fam, 5: 4 + 9 * ("wedding" in a[2]), 6: 5 * fam + 0.3, 7: 4, 8: 5, 9: 1.6 * fam + 0.05, 10: 4 * (a[0] in (1, 20, 12)),
                                        11: 5 * (a[0] in (3, 17, 12)), 12: 1 + 2 * fam, 13: 2.4, 14: 1.6, 15: 6 * (a[5] == "Garden") + 0.2, 16: 22 * ("Birds" in a[2]) + 0.05,
                                        17: 1.2, 18: 8 if cam and cam[0] == "DJI" else 0}))  # fmt: skip
            tagged += [(iid, x) for x in sorted(chosen)]
    make(
        "digikam4",
        """
CREATE TABLE Albums(id INTEGER PRIMARY KEY, albumRoot INTEGER, relativePath TEXT, date TEXT, caption TEXT, collection TEXT);
CREATE TABLE Images(id INTEGER PRIMARY KEY, album INTEGER, name TEXT, status INTEGER /* 1 visible, 2 hidden, 3 in the trash */, category INTEGER /* 1 photo, 2 video */, modificationDate TEXT, fileSize INTEGER);
CREATE TABLE ImageInformation(imageid INTEGER PRIMARY KEY, rating INTEGER /* 0 to 5 stars, -1 not rated */, creationDate TEXT, width INTEGER, height INTEGER, format TEXT);
CREATE TABLE ImageMetadata(imageid INTEGER PRIMARY KEY, make TEXT, model TEXT, lens TEXT, aperture REAL, focalLength REAL, sensitivity INTEGER);
CREATE TABLE ImagePositions(imageid INTEGER PRIMARY KEY, latitudeNumber REAL, longitudeNumber REAL, altitude REAL);
CREATE TABLE Tags(id INTEGER PRIMARY KEY, pid INTEGER, name TEXT);
CREATE TABLE ImageTags(imageid INTEGER, tagid INTEGER);
""",
        {"Albums": albums, "Images": images, "ImageInformation": info, "ImageMetadata": meta, "ImagePositions": pos, "Tags": tags, "ImageTags": tagged},
    )  # fmt: skip


def meetings():
    """A firm's list of video meetings: the CSV as Zoom's report has it, and the same rows with times that sort."""
    r = random.Random(1704)
    depts = {"Sales": 8, "Engineering": 7, "Marketing": 4, "Support": 4, "Finance": 2, "HR": 2}
    topics = {
        "Sales": ["Pipeline review", "Client demo", "Quarterly forecast", "Intro call"], "Engineering": ["Daily standup", "Sprint planning", "Retro", "Design review"],
        "Marketing": ["Campaign sync", "Content planning", "Agency call"], "Support": ["Ticket triage", "Handover", "Customer escalation"],
        "Finance": ["Month end close", "Budget review"], "HR": ["Interview", "Onboarding", "Benefits Q&A"],
    }  # fmt: skip
    hosts = []
    places = [x for x, n in depts.items() for _ in range(n)]
    r.shuffle(places)
    for n, place in zip(names(r, 27), places):
        hosts.append(
            (n, n.lower().replace(" ", ".") + "@larkspur.example", place, pick(r, {"Licensed": 5, "Basic": 2}))
        )
    keen = skewed(r, [h[0] for h in hosts], 0.7)
    rows = []
    while len(rows) < 980:
        h = r.choices(hosts, [keen[x[0]] for x in hosts])[0]
        d = day(r, D(2025, 6, 2), LAST)
        if (
            (d.weekday() > 4 and r.random() > 0.07)
            or (d.month == 8 and r.random() < 0.5)
            or (d.year == 2025 and r.random() < 0.2)
        ):
            continue
        topic = (
            r.choice(topics[h[2]])
            if r.random() < 0.75
            else "%s's Zoom Meeting" % h[0]
            if r.random() < 0.6
            else r.choice(["1:1", "Team catch-up", "All hands"])
        )
        start = datetime(
            d.year,
            d.month,
            d.day,
            r.choice([8, 9, 9, 10, 10, 11, 13, 14, 14, 15, 16, 17]),
            r.choice([0, 0, 1, 2, 29, 30, 30, 31, 45, 58]),
            r.randrange(60),
        )
        top = 40 if h[3] == "Basic" else 125
        span = max(
            1,
            min(
                top,
                int(
                    r.gammavariate(
                        3, {"All hands": 20, "Daily standup": 6, "Client demo": 16, "Retro": 19}.get(topic, 12)
                    )
                ),
            ),
        )
        n = (
            2
            if topic in ("1:1", "Intro call", "Interview")
            else r.randrange(24, 61)
            if topic == "All hands"
            else max(1, int(r.gammavariate(2.2, 2.4)))
        )
        rows.append((start, span, n, topic, h, pick(r, {"Zoom": 5, "Outlook Add-in": 6, "Google Calendar": 3, "Slack": 1.5}),
                     "Yes" if r.random() < (0.6 if topic in ("Client demo", "All hands") else 0.17) else "No",
                     "Yes" if r.random() < 0.46 else "No", "Yes" if r.random() < 0.72 else "No", "Yes" if r.random() < 0.08 else "No"))  # fmt: skip
    rows.sort(key=lambda x: (x[0], x[3]))
    head = ["Meeting ID", "Topic", "Host", "Email", "Department", "User Type", "Start Time", "End Time", "Duration (Minutes)", "Participants", "Total Participant Minutes",
            "Screen Sharing", "Video", "Recording", "Has Zoom Rooms?", "Source"]  # fmt: skip
    clean = []
    for start, span, n, topic, h, source, rec, share, video, room in rows:
        end = start + timedelta(minutes=span)
        total = n * span - sum(r.randrange(0, max(1, span // 3) + 1) for _ in range(n - 1)) if n > 1 else span
        number = "%03d %04d %04d" % (r.randrange(810, 999), r.randrange(10000), r.randrange(10000))
        clean.append(
            (
                number,
                topic,
                h[0],
                h[1],
                None if h[2] == "HR" and r.random() < 0.1 else h[2],
                h[3],
                start,
                end,
                span,
                n,
                total,
                share,
                video,
                rec,
                room,
                source,
            )
        )
    os.makedirs(EXPORTS, exist_ok=True)
    with open(os.path.join(EXPORTS, "zoom_meetings.csv"), "w", encoding="utf-8-sig", newline="") as f:
        out = csv.writer(f)
        out.writerow(head)
        for c in clean:
            out.writerow(
                [x.strftime("%m/%d/%Y %I:%M:%S %p") if isinstance(x, datetime) else "" if x is None else x for x in c]
            )
    types = dict.fromkeys(["Duration (Minutes)", "Participants", "Total Participant Minutes"], "INTEGER")
    make(
        "zoom_meetings",
        "CREATE TABLE zoom_meetings(%s)" % ", ".join('"%s" %s' % (x, types.get(x, "TEXT")) for x in head),
        {"zoom_meetings": [tuple(x.isoformat(sep=" ") if isinstance(x, datetime) else x for x in c) for c in clean]},
    )


def jiazheng():
    """A housekeeping agency in Chinese: workers, customers, services, orders, complaints, certificates."""
    r = random.Random(1705)
    services = [
        ("F01", "日常保洁", "保洁", 45, "小时"), ("F02", "深度保洁", "保洁", 65, "小时"), ("F03", "擦玻璃", "保洁", 55, "小时"), ("F04", "做饭阿姨", "做饭", 60, "小时"),
        ("F05", "钟点工", "保洁", 40, "小时"), ("F06", "月嫂", "母婴", 420, "天"), ("F07", "育儿嫂", "母婴", 280, "天"), ("F08", "老人陪护", "护理", 220, "天"),
        ("F09", "家电清洗", "清洗", 128, "台"), ("F10", "油烟机清洗", "清洗", 168, "台"), ("F11", "收纳整理", "收纳", 80, "小时"), ("F12", "搬家清洁", "保洁", 70, "小时"),
        ("F13", "宠物上门喂养", "宠物", 50, "次"),
    ]  # fmt: skip
    every = [x + m for x in XING for m in MING]
    r.shuffle(every)
    aunties = []
    for i in range(46):
        joined = day(r, D(2021, 3, 1), D(2026, 10, 20))
        left = day(r, D(2025, 1, 10), D(2026, 11, 1)) if r.random() < 0.17 else None
        if left and left <= joined:
            left = None
        aunties.append(("A%03d" % (i + 1), every[i], pick(r, {"安徽": 8, "四川": 7, "河南": 6, "湖北": 4, "江苏": 3, "甘肃": 1}), r.randrange(1966, 1996),
                        pick(r, {"初级": 6, "中级": 6, "高级": 3, "金牌": 1.4}), joined.isoformat(), left.isoformat() if left else None))  # fmt: skip
    areas = {
        "锦绣花园": "滨湖区",
        "万象城": "滨湖区",
        "翠湖湾": "滨湖区",
        "阳光里": "梁溪区",
        "春江名苑": "梁溪区",
        "学府苑": "梁溪区",
        "东方公馆": "新吴区",
        "枫林雅居": "新吴区",
        "惠泉山庄": "惠山区",
    }
    weight = dict(zip(areas, [12, 8, 7, 9, 5, 4, 6, 3, 2]))
    customers = []
    for i in range(260):
        estate = pick(r, weight)
        customers.append(("K%04d" % (i + 1), every[60 + i], estate, areas[estate], None if r.random() < 0.05 else "1%010d" % r.randrange(3 * 10**9, 9 * 10**9),
                          day(r, D(2023, 1, 5), D(2026, 11, 22)).isoformat(), pick(r, {"老客户介绍": 6, "美团": 5, "小程序": 5, "抖音": 3, "门店": 2}),
                          pick(r, {"普通": 10, "银卡": 4, "金卡": 2})))  # fmt: skip
    keen = {c[0]: r.random() ** 2.2 + 0.02 for c in customers}
    for k in r.sample(sorted(keen), 28):
        keen[k] = 0
    joined = {c[0]: c[5] for c in customers}
    does = {}
    for a in aunties:
        kind = pick(r, {"保洁": 10, "母婴": 4, "护理": 2, "做饭": 2})
        does[a[0]] = {
            "保洁": ["保洁", "清洗", "收纳", "宠物"],
            "母婴": ["母婴"],
            "护理": ["护理", "做饭"],
            "做饭": ["做饭", "保洁"],
        }[kind]
    able = skewed(r, [a[0] for a in aunties], 0.45)
    popular = dict(zip([s[0] for s in services], [24, 9, 6, 9, 13, 2.2, 2.6, 3.2, 5, 5.5, 3, 2, 0]))
    raw = []
    while len(raw) < 2300:
        k = r.choices(customers, [keen[c[0]] for c in customers])[0]
        d = day(r, D(2024, 1, 2), D(2026, 12, 12))
        if d.isoformat() < joined[k[0]] or (d.month == 2 and r.random() < 0.4) or (d > LAST and r.random() < 0.4):
            continue
        if d.month == 1 and r.random() < 0.1:
            continue
        s = r.choices(services, [popular[x[0]] for x in services])[0]
        if s[2] in ("母婴", "护理") and d > D(2026, 11, 10) and r.random() < 0.6:
            continue
        raw.append((d, k, s))
    raw.sort(key=lambda x: (x[0], x[1][0], x[2][0]))
    orders, complaints = [], []
    for i, (d, k, s) in enumerate(raw):
        no = "D%06d" % (240001 + i)
        placed = datetime(d.year, d.month, d.day, r.randrange(8, 22), r.randrange(60)) - timedelta(
            days=r.choice([1, 1, 2, 2, 3, 5, 9])
        )
        if placed > datetime(2026, 11, 27, 20):
            placed = datetime(2026, 11, 27, r.randrange(8, 20), r.randrange(60))
        qty = {
            "小时": r.choice([2, 2, 3, 3, 4]),
            "天": r.choice([3, 5, 7, 10, 26]),
            "台": r.choice([1, 1, 2, 3]),
            "次": 1,
        }[s[4]]
        state = "已完成"
        if d > LAST:
            state = pick(r, {"待上门": 14, "已取消": 1})
        elif r.random() < 0.07:
            state = "已取消"
        elif r.random() < 0.015:
            state = "已退款"
        fit = [
            a for a in aunties if s[2] in does[a[0]] and a[5] <= d.isoformat() and (not a[6] or a[6] >= d.isoformat())
        ]
        a = r.choices(fit, [able[x[0]] for x in fit])[0] if fit else None
        if (state == "已取消" and r.random() < 0.5) or (state == "待上门" and r.random() < 0.2):
            a = None
        amount = round(s[3] * qty * {"普通": 1, "银卡": 0.95, "金卡": 0.9}[k[7]], 2)
        score = None
        if state == "已完成" and r.random() < 0.62:
            score = pick(r, {5: 14, 4: 5, 3: 1.5, 2: 0.5, 1: 0.5})
        orders.append((no, k[0], s[0], a[0] if a else None, placed.isoformat(sep=" ", timespec="minutes"), d.isoformat(), qty, amount, state,
                       None if state == "已取消" else pick(r, {"微信": 9, "支付宝": 5, "储值卡": 3, "现金": 1}), score))  # fmt: skip
        if state in ("已完成", "已退款") and r.random() < (
            0.6 if state == "已退款" else 0.2 if score in (1, 2, 3) else 0.018
        ):
            when = d + timedelta(days=r.randrange(0, 4))
            if when <= LAST:
                late = when > D(2026, 11, 5)
                done = pick(r, {"处理中": 3, "已解决": 2}) if late else pick(r, {"处理中": 1, "已解决": 14})
                kind = pick(r, {"没打扫干净": 6, "迟到": 5, "损坏物品": 3, "态度不好": 2, "乱收费": 1})
                complaints.append((len(complaints) + 1, no, when.isoformat(), kind, done,
                                   round(r.choice([50, 80, 100, 200, 350]) * 1.0, 2) if kind == "损坏物品" and done == "已解决" else None))  # fmt: skip
    papers = []
    for a in aunties:
        for name, chance in [("健康证", 0.85), ("母婴护理证", 0.75 if "母婴" in does[a[0]] else 0.05), ("养老护理员证", 0.6 if "护理" in does[a[0]] else 0.04),
                             ("家政服务员证", 0.5), ("厨师证", 0.4 if "做饭" in does[a[0]] else 0.03)]:  # fmt: skip
            if r.random() < chance:
                got = day(r, D(2019, 1, 1), min(LAST, D(2026, 10, 1)))
                papers.append(
                    (a[0], name, got.isoformat(), (got + timedelta(days=365 * r.choice([3, 5, 8]))).isoformat())
                )
    make(
        "家政公司",
        """
CREATE TABLE 阿姨(工号 TEXT PRIMARY KEY, 姓名 TEXT, 籍贯 TEXT, 出生年份 INTEGER, 等级 TEXT, 入职日期 TEXT, 离职日期 TEXT);
CREATE TABLE 客户(客户编号 TEXT PRIMARY KEY, 姓名 TEXT, 小区 TEXT, 所在区 TEXT, 手机号 TEXT, 注册日期 TEXT, 来源渠道 TEXT, 会员等级 TEXT);
CREATE TABLE 服务项目(项目编号 TEXT PRIMARY KEY, 项目名称 TEXT, 类别 TEXT, 单价 REAL, 计价单位 TEXT);
CREATE TABLE 订单(订单号 TEXT PRIMARY KEY, 客户编号 TEXT REFERENCES 客户(客户编号), 项目编号 TEXT REFERENCES 服务项目(项目编号), 工号 TEXT REFERENCES 阿姨(工号), 下单时间 TEXT, 上门日期 TEXT, 数量 INTEGER, 金额 REAL, 状态 TEXT, 支付方式 TEXT, 评分 INTEGER);
CREATE TABLE 投诉(投诉编号 INTEGER PRIMARY KEY, 订单号 TEXT REFERENCES 订单(订单号), 投诉日期 TEXT, 投诉类型 TEXT, 处理状态 TEXT, 赔付金额 REAL);
CREATE TABLE 证书(工号 TEXT REFERENCES 阿姨(工号), 证书名称 TEXT, 发证日期 TEXT, 到期日期 TEXT);
""",
        {"阿姨": aunties, "客户": customers, "服务项目": services, "订单": orders, "投诉": complaints, "证书": papers},
    )


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    garage()
    brigade()
    photos()
    meetings()
    jiazheng()
