#!/usr/bin/env python3
"""Write eight small SQLite databases to databases/ (or the folder given). Standard library only, fixed seeds."""

import os
import random
import sqlite3
import sys
from datetime import date, datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
D = date
LAST = D(2026, 11, 16)
FIRST = [
    "Agnes",
    "Bram",
    "Celia",
    "Dougal",
    "Edith",
    "Fergus",
    "Greta",
    "Harvey",
    "Ingrid",
    "Jonah",
    "Keira",
    "Lionel",
    "Maeve",
    "Ned",
    "Olwen",
    "Percy",
    "Rhona",
    "Stan",
    "Thea",
    "Uli",
    "Violet",
    "Wilf",
    "Yvette",
    "Zadie",
    "Arlo",
    "Bess",
    "Clem",
    "Della",
    "Enzo",
    "Flora",
]
FAMILY = [
    "Appleby",
    "Birch",
    "Cullen",
    "Dray",
    "Eastman",
    "Fenn",
    "Gorse",
    "Hale",
    "Isham",
    "Jessop",
    "Kemp",
    "Larkin",
    "Moss",
    "Nye",
    "Oakes",
    "Penrose",
    "Quill",
    "Rudd",
    "Sorley",
    "Thorne",
    "Usher",
    "Varley",
    "Wick",
    "Yarrow",
]
XING, MING = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩",
    [
        "建军",
        "秀兰",
        "晓东",
        "海燕",
        "国强",
        "丽萍",
        "志明",
        "春梅",
        "俊杰",
        "雪",
        "鹏",
        "婷",
        "宇航",
        "欣怡",
        "立新",
        "红霞",
        "昊",
        "思琪",
        "永刚",
        "小燕",
    ],
)


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


def w(r, d):
    return r.choices(list(d), list(d.values()))[0]


def day(r, a, b):
    return a + timedelta(days=r.randrange((b - a).days + 1))


def names(r, n):
    out = []
    while len(out) < n:
        x = r.choice(FIRST) + " " + r.choice(FAMILY)
        if x not in out:
            out.append(x)
    return out


def zhnames(r, n):
    out = []
    while len(out) < n:
        x = r.choice(XING) + r.choice(MING)
        if x not in out:
            out.append(x)
    return out


def bees():
    r = random.Random(1101)
    ap = [
        (1, "Orchard End", "Malvern", "Mrs Tate", 62, "2019-04-10"),
        (2, "Quarry Bank", "Ledbury", "own land", 140, "2020-05-02"),
        (3, "Moor Top", "Clun", "Hughes & Son", 365, "2022-07-18"),
        (4, "Canal Allotments", "Worcester", "city council", 24, "2023-03-25"),
        (5, "Vicarage Garden", "Malvern", "St Anne's", 71, "2026-09-05"),
    ]
    hives, h = [], 0
    for a, n in ((1, 9), (2, 8), (3, 6), (4, 5)):
        for _ in range(n):
            h += 1
            inst = day(r, max(D(2022, 4, 1), D.fromisoformat(ap[a - 1][5])), D(2025, 7, 1))
            mothers = [x for x in hives if x[4] < str(inst) and x[7] is None]
            split = r.choice(mothers)[0] if mothers and r.random() < 0.42 else None
            lost = day(r, max(inst, D(2024, 1, 10)), D(2026, 4, 1)) if r.random() < 0.24 else None
            hives.append(
                [
                    h,
                    "H%02d" % h,
                    a,
                    w(r, {"National": 6, "Langstroth": 3, "Top bar": 1.5, "Warre": 1}),
                    str(inst),
                    split,
                    r.choice([2023, 2024, 2024, 2025, 2025, 2026]) if not lost else 2023,
                    str(lost) if lost else None,
                    w(r, {"starved": 2, "varroa": 3, "wasps": 1, "queen failure": 1.5}) if lost else None,
                ]
            )
    insp, harv, treat, sales, i = [], [], [], [], 0
    vigour = {x[0]: r.uniform(0.5, 1.7) for x in hives}
    for x in hives:
        d, end = max(D.fromisoformat(x[4]), D(2024, 1, 5)), D.fromisoformat(x[7]) if x[7] else LAST
        while True:
            d += timedelta(days=r.randrange(9, 26) if 3 < d.month < 10 else r.randrange(35, 70))
            if d > end:
                break
            i += 1
            warm = 3 < d.month < 10
            insp.append(
                (
                    i,
                    x[0],
                    str(d),
                    "Y" if r.random() < 0.71 else "N",
                    r.randrange(3, 10) if warm else r.randrange(0, 3),
                    max(0, int(r.gauss(9 if d.month > 7 else 4, 4))) if r.random() < 0.6 else None,
                    w(r, {1: 1, 2: 2, 3: 4, 4: 6, 5: 4}),
                    0 if warm or r.random() < 0.4 else r.choice([1, 1.5, 2, 2.5]),
                )
            )
        for y in (2024, 2025, 2026):
            for m, typ, kg in ((5, "rapeseed", 9), (7, "blossom", 13), (9, "heather" if x[2] == 3 else "ivy", 8)):
                hd = D(y, m, r.randrange(4, 28))
                if D.fromisoformat(x[4]) < hd - timedelta(days=60) and hd < end and r.random() < 0.62:
                    q = round(max(0.8, r.gauss(kg, 3)) * vigour[x[0]] * {2024: 1.0, 2025: 1.22, 2026: 0.93}[y], 1)
                    harv.append((len(harv) + 1, x[0], str(hd), q, typ))
            if r.random() < 0.75:
                td = D(y, r.choice([1, 8, 8, 9, 12]), r.randrange(1, 28))
                if x[4] < str(td) < str(min(end, LAST)):
                    treat.append(
                        (
                            len(treat) + 1,
                            x[0],
                            str(td),
                            w(r, {"Apivar": 4, "oxalic acid": 4, "Apiguard": 2}),
                            round(r.uniform(2.4, 7.9), 2),
                        )
                    )
    shops = ["Hop Pole Deli", "Priory Farm Shop", "The Green Grocer", "Severn Tea Rooms"]
    for k in range(420):
        sd = day(r, D(2024, 2, 1), D(2026, 11, 14))
        ch = w(r, {"market": 5, "online": 3, "wholesale": 2.5, "gate": 2})
        jar = w(r, {340: 6, 227: 3, 454: 2})
        n = r.randrange(12, 49) if ch == "wholesale" else r.randrange(1, 7)
        price = {340: 7.5, 227: 5.5, 454: 9}[jar] * (0.68 if ch == "wholesale" else 1)
        paid = sd if ch != "wholesale" else (sd + timedelta(days=r.randrange(5, 60)) if r.random() < 0.86 else None)
        sales.append(
            (
                k + 1,
                str(sd),
                ch,
                r.choice(shops) if ch == "wholesale" else None,
                w(r, {"blossom": 6, "rapeseed": 3, "heather": 2, "ivy": 1}),
                jar,
                n,
                round(n * price, 2),
                str(paid) if paid and paid <= LAST else None,
            )
        )
    make(
        "bees",
        """CREATE TABLE apiaries(apiary_id INTEGER PRIMARY KEY, apiary_name TEXT, town TEXT, landowner TEXT, elevation_m INTEGER, started_on TEXT);
CREATE TABLE hives(hive_id INTEGER PRIMARY KEY, label TEXT, apiary_id INTEGER REFERENCES apiaries, hive_type TEXT, installed_on TEXT, split_from INTEGER REFERENCES hives(hive_id), queen_year INTEGER, lost_on TEXT, lost_reason TEXT);
CREATE TABLE inspections(inspection_id INTEGER PRIMARY KEY, hive_id INTEGER REFERENCES hives, inspected_on TEXT, queen_seen TEXT, brood_frames INTEGER, varroa_count INTEGER, temper INTEGER, fed_litres REAL);
CREATE TABLE harvests(harvest_id INTEGER PRIMARY KEY, hive_id INTEGER REFERENCES hives, harvested_on TEXT, honey_kg REAL, honey_type TEXT);
CREATE TABLE treatments(treatment_id INTEGER PRIMARY KEY, hive_id INTEGER REFERENCES hives, applied_on TEXT, product TEXT, cost REAL);
CREATE TABLE honey_sales(sale_id INTEGER PRIMARY KEY, sold_on TEXT, channel TEXT, stockist TEXT, honey_type TEXT, jar_g INTEGER, jars INTEGER, amount REAL, paid_on TEXT);""",
        {
            "apiaries": ap,
            "hives": hives,
            "inspections": insp,
            "harvests": harv,
            "treatments": treat,
            "honey_sales": sales,
        },
    )


def consign():
    r = random.Random(1102)
    usd = lambda v: "$%s" % format(v, ",.2f")
    people = []
    for i, n in enumerate(names(r, 90)):
        people.append(
            (
                i + 1,
                n,
                w(r, {"Easton": 5, "Millbrook": 4, "Harlow Bay": 3, "Pine Ridge": 2, "Dunmore": 1}),
                str(day(r, D(2023, 6, 1), D(2026, 11, 9))),
                w(r, {40: 2, 50: 7, 60: 2}),
                None if r.random() < 0.15 else "555-%04d" % r.randrange(10000),
            )
        )
    cats = {
        "dresses": (38, 12),
        "shoes": (34, 10),
        "handbags": (140, 6),
        "coats": (75, 5),
        "jewelry": (95, 5),
        "tops": (18, 12),
        "furniture": (420, 2),
    }
    brands = {"Corval": 3, "Lindqvist": 2, "Maison Ouse": 1.5, "Tidewell": 4, "Bramble & Co": 4, "Orso": 2, None: 2}
    items, rets, due = [], [], {}
    for k in range(1500):
        p = r.choices(people, [1.0 / (1 + j * 0.06) if j % 11 else 0 for j in range(90)])[0]
        cat = w(r, {c: v[1] for c, v in cats.items()})
        br = w(r, brands)
        got = day(r, max(D.fromisoformat(p[3]), D(2024, 1, 3)), D(2026, 11, 14))
        ask = max(
            6,
            round(
                cats[cat][0] * r.lognormvariate(0, 0.5) * {"Maison Ouse": 2.6, "Corval": 1.4, "Orso": 1.5}.get(br, 1)
            ),
        ) + r.choice([0, 0.5, 0.99])
        age = (LAST - got).days
        x = r.random()
        sold = sold_for = None
        if x < 0.66:
            d = got + timedelta(days=int(r.expovariate(1 / 34)) + 1)
            if d <= LAST:
                sold = d
        if sold:
            late = (sold - got).days
            v = round(ask * (1 if late < 30 else 0.8 if late < 60 else 0.6), 2)
            sold_for, status = v, "sold"
            key = (p[0], str(sold)[:7])
            due[key] = due.get(key, 0) + v * p[4] / 100
        else:
            status = "on floor" if age < 95 else w(r, {"on floor": 1, "returned": 4, "donated": 3})
        no = "C%05d" % (10001 + k)
        items.append(
            (
                no,
                p[0],
                cat,
                br,
                w(r, {"like new": 3, "good": 6, "fair": 2}),
                usd(ask),
                str(got),
                str(sold) if sold else None,
                usd(sold_for) if sold_for else None,
                status,
            )
        )
        if status == "sold" and r.random() < 0.045:
            rets.append(
                (
                    no,
                    str(min(LAST, sold + timedelta(days=r.randrange(1, 14)))),
                    w(r, {"wrong size": 4, "flaw found": 2, "changed mind": 3}),
                    usd(sold_for),
                )
            )
    pay = []
    for (pid, mon), v in sorted(due.items(), key=lambda t: (t[0][1], t[0][0])):
        y, m = int(mon[:4]), int(mon[5:])
        nxt = D(y + m // 12, m % 12 + 1, 1) + timedelta(days=r.randrange(4, 20))
        pay.append(
            (
                len(pay) + 1,
                pid,
                mon,
                usd(round(v, 2)),
                w(r, {"check": 4, "bank": 5, "store credit": 2}),
                str(nxt) if nxt <= LAST and r.random() < 0.96 else None,
            )
        )
    make(
        "consign",
        """CREATE TABLE consignors(consignor_id INTEGER PRIMARY KEY, full_name TEXT, town TEXT, joined_on TEXT, split_pct INTEGER, phone TEXT);
CREATE TABLE items(item_no TEXT PRIMARY KEY, consignor_id INTEGER REFERENCES consignors, category TEXT, brand TEXT, condition TEXT, asking_price TEXT, received_on TEXT, sold_on TEXT, sold_price TEXT, status TEXT);
CREATE TABLE customer_returns(item_no TEXT REFERENCES items, returned_on TEXT, reason TEXT, refund TEXT);
CREATE TABLE payouts(payout_id INTEGER PRIMARY KEY, consignor_id INTEGER REFERENCES consignors, sales_month TEXT, amount TEXT, method TEXT, paid_on TEXT);""",
        {"consignors": people, "items": items, "customer_returns": rets, "payouts": pay},
    )


def campsite():
    r = random.Random(1103)
    pool = names(r, 520)
    kinds = {
        "Tent": (24, 10),
        "Caravan": (31, 6),
        "Motorhome": (33, 5),
        "Glamping Pod": (72, 3),
        "Safari Tent": (98, 1.3),
    }
    zones = {
        "Tent": ["Meadow", "Woodland"],
        "Caravan": ["Terrace"],
        "Motorhome": ["Terrace", "Lakeside"],
        "Glamping Pod": ["Woodland", "Lakeside"],
        "Safari Tent": ["Lakeside"],
    }
    rows = []
    for k in range(1700):
        typ = w(r, {t: v[1] for t, v in kinds.items()})
        y = w(r, {2024: 3, 2025: 3.6, 2026: 3.7})
        m = w(r, {3: 1, 4: 3, 5: 5, 6: 6, 7: 9, 8: 11, 9: 4, 10: 2})
        arr = D(y, m, r.randrange(1, 29))
        if r.random() < 0.45:
            arr += timedelta(days=(4 - arr.weekday()) % 7)
        n = w(r, {1: 3, 2: 8, 3: 6, 4: 3, 5: 2, 7: 3, 10: 0.6, 14: 0.3})
        booked = arr - timedelta(days=int(r.expovariate(1 / 50)))
        ad, ch, dogs = w(r, {1: 1, 2: 8, 3: 1, 4: 1.4}), w(r, {0: 6, 1: 2, 2: 3, 3: 1}), w(r, {0: 7, 1: 3, 2: 0.7})
        rate = round(kinds[typ][0] * (1.35 if m in (7, 8) else 1) * (1 + 0.05 * (y - 2024)), 2)
        hook = (
            "Yes"
            if (typ in ("Caravan", "Motorhome") and r.random() < 0.9) or (typ == "Tent" and r.random() < 0.2)
            else "No"
        )
        extras = round((3.5 * dogs + (5 if hook == "Yes" else 0)) * n + (r.choice([0, 0, 0, 8, 15, 25])), 2)
        disc = w(r, {0: 8, 5: 1, 10: 1.6, 20: 0.4})
        total = round((rate * n + extras) * (1 - disc / 100), 2)
        can = None
        if r.random() < 0.09:
            can = booked + timedelta(days=r.randrange(0, max(1, (arr - booked).days) + 1))
        status = "Cancelled" if can else "No-show" if r.random() < 0.015 else "Checked out"
        paid = total if status != "Cancelled" else round(total * 0.25, 2)
        if status == "Checked out" and r.random() < 0.05:
            paid = round(total * 0.25, 2)
        rows.append(
            [
                "",
                str(booked),
                str(arr),
                str(arr + timedelta(days=n)),
                n,
                typ,
                r.choice(zones[typ]),
                typ[0] + "%d" % r.randrange(1, 29 if typ in ("Tent", "Caravan", "Motorhome") else 9),
                pool[min(519, int(r.random() ** 1.6 * 520))],
                w(r, {"UK": 14, "Ireland": 2, "Netherlands": 3, "Germany": 2, "France": 1.2, "Belgium": 0.8}),
                ad,
                ch,
                dogs,
                hook,
                w(r, {"Website": 8, "Phone": 3, "PitchFinder": 4, "Walk-in": 1.2 if booked == arr else 0.01}),
                w(r, {"Card": 9, "Cash": 1.5, "Bank transfer": 2}),
                rate,
                extras,
                disc,
                total,
                paid,
                round(total - paid, 2) if status != "Cancelled" else 0,
                status,
                str(can) if can else None,
                "Y" if r.random() < 0.62 else "N",
                w(r, {5: 9, 4: 7, 3: 3, 2: 1, 1: 0.5}) if status == "Checked out" and r.random() < 0.4 else None,
                r.choice(["late arrival", "quiet pitch please", "near toilets", "birthday", "extra car"])
                if r.random() < 0.13
                else None,
            ]
        )
    rows.sort(key=lambda x: x[1])
    for i, x in enumerate(rows):
        x[0] = "BK%05d" % (20400 + i)
    make(
        "campsite",
        """CREATE TABLE reservations_export("Booking Ref" TEXT, "Booked On" TEXT, "Arrival" TEXT, "Departure" TEXT, "Nights" INTEGER, "Pitch Type" TEXT, "Zone" TEXT, "Pitch" TEXT, "Lead Guest" TEXT, "Country" TEXT, "Adults" INTEGER, "Children" INTEGER, "Dogs" INTEGER, "Hook-up" TEXT, "Source" TEXT, "Payment" TEXT, "Rate per Night" REAL, "Extras" REAL, "Discount %" INTEGER, "Total" REAL, "Paid So Far" REAL, "Balance" REAL, "Status" TEXT, "Cancelled On" TEXT, "First Visit?" TEXT, "Review Stars" INTEGER, "Notes" TEXT);""",
        {"reservations_export": rows},
    )


def repaircafe():
    r = random.Random(1104)
    fmt = lambda d: d.strftime("%d-%b-%Y")
    venues = ["Tollgate Library", "St Brannock Hall", "Wharf Community Centre", "Elmsway School"]
    fx = names(r, 22)
    skills = [
        "electrical",
        "sewing",
        "bikes",
        "electronics",
        "woodwork",
        "electrical",
        "sewing",
        "general",
        "electronics",
        "bikes",
        "jewellery",
    ]
    fixers = []
    for i, n in enumerate(fx):
        j = day(r, D(2022, 9, 1), D(2026, 5, 30)) if i < 20 else day(r, D(2026, 9, 1), D(2026, 11, 1))
        left = day(r, D(2025, 2, 1), D(2026, 9, 1)) if i in (4, 9, 13, 17) else None
        fixers.append(
            (
                i + 1,
                n,
                skills[i % 11],
                fmt(j),
                fmt(left) if left and left > j else None,
                n.split()[0].lower() + "@repair.example" if r.random() < 0.8 else None,
            )
        )
    things = {
        "electrical": ["toaster", "kettle", "vacuum cleaner", "lamp", "hairdryer", "food mixer"],
        "electronics": ["radio", "laptop", "phone", "game console", "speaker"],
        "clothing": ["trousers", "jacket", "rucksack", "curtains", "dress"],
        "bicycle": ["kids bike", "road bike", "folding bike"],
        "furniture": ["chair", "stool", "drawer"],
        "other": ["clock", "umbrella", "toy train", "necklace", "garden shears"],
    }
    by = {
        "electrical": ["electrical", "general"],
        "electronics": ["electronics"],
        "clothing": ["sewing"],
        "bicycle": ["bikes"],
        "furniture": ["woodwork", "general"],
        "other": ["general", "jewellery", "woodwork"],
    }
    ses, jobs, parts = [], [], []
    d, s = D(2024, 1, 6), 0
    while d <= D(2026, 11, 14):
        s += 1
        if d.month != 8:
            canc = s in (9, 31)
            ses.append(
                (
                    s,
                    fmt(d),
                    venues[s % 4] if s % 7 else venues[0],
                    None if canc else r.randrange(24, 75),
                    "cancelled" if canc else "held",
                )
            )
            for _ in range(0 if canc else 41 if s == 57 else r.randrange(14, 34)):
                cat = w(
                    r, {"electrical": 9, "electronics": 5, "clothing": 6, "bicycle": 3, "furniture": 1.6, "other": 3}
                )
                ok = [
                    f
                    for f in fixers
                    if f[2] in by[cat]
                    and datetime.strptime(f[3], "%d-%b-%Y").date() <= d
                    and (not f[4] or datetime.strptime(f[4], "%d-%b-%Y").date() >= d)
                    and f[0] not in (19, 22)
                ]
                f = r.choices(ok, [1 / (1 + q * 0.5) for q in range(len(ok))])[0] if ok and r.random() < 0.96 else None
                out = (
                    w(
                        r,
                        {
                            "fixed": {"clothing": 12, "bicycle": 9, "electronics": 3.5}.get(cat, 6),
                            "not fixed": 2.6,
                            "needs part": 1.7,
                            "advice given": 1,
                        },
                    )
                    if f
                    else "not seen"
                )
                item = r.choices(things[cat], [5, 4, 3, 2.2, 1.6, 1.2][: len(things[cat])])[0]
                jobs.append(
                    (
                        len(jobs) + 1,
                        s,
                        f[0] if f else None,
                        item,
                        cat,
                        w(r, {"Philco": 2, "Bosk": 3, "Sonar": 2, "Hadley": 2, None: 4}),
                        r.randrange(1, 36) if r.random() < 0.8 else None,
                        out,
                        round(
                            {
                                "clothing": 0.7,
                                "bicycle": 12,
                                "furniture": 6,
                                "electrical": 2.4,
                                "electronics": 1.6,
                                "other": 0.8,
                            }[cat]
                            * r.uniform(0.5, 1.8),
                            2,
                        ),
                        r.randrange(10, 95) if f else None,
                        w(r, {0: 3, 2: 2, 3: 2, 5: 4, 10: 2, 20: 0.5}) if f else 0,
                    )
                )
                if out == "needs part" or (r.random() < 0.03 and f):
                    od = d + timedelta(days=r.randrange(1, 9))
                    if od <= LAST:
                        arr = od + timedelta(days=r.randrange(3, 30))
                        parts.append(
                            (
                                len(parts) + 1,
                                len(jobs),
                                r.choice(["fuse", "belt", "switch", "zip", "inner tube", "battery", "hinge"]),
                                round(r.uniform(1.5, 26), 2),
                                fmt(od),
                                fmt(arr) if arr <= LAST and r.random() < 0.88 else None,
                            )
                        )
        d += timedelta(days=14)
    make(
        "repaircafe",
        """CREATE TABLE sessions(session_no INTEGER PRIMARY KEY, held_on TEXT, venue TEXT, visitors INTEGER, status TEXT);
CREATE TABLE fixers(fixer_id INTEGER PRIMARY KEY, fixer_name TEXT, skill TEXT, joined TEXT, left_on TEXT, email TEXT);
CREATE TABLE jobs(job_no INTEGER PRIMARY KEY, session_no INTEGER REFERENCES sessions, fixer_id INTEGER REFERENCES fixers, item TEXT, category TEXT, brand TEXT, age_years INTEGER, outcome TEXT, weight_kg REAL, minutes INTEGER, donation REAL);
CREATE TABLE parts(part_id INTEGER PRIMARY KEY, job_no INTEGER REFERENCES jobs, part TEXT, cost REAL, ordered_on TEXT, arrived_on TEXT);""",
        {"sessions": ses, "fixers": fixers, "jobs": jobs, "parts": parts},
    )


def gamenight():
    r = random.Random(1175)
    base = [
        ("Harbour of Salt", "Ida Wren", 2019, 2, 4, 90, 2.9),
        ("Moss & Mortar", "Ida Wren", 2021, 1, 4, 75, 2.4),
        ("Ten Lanterns", "K. Osei", 2016, 2, 6, 40, 1.6),
        ("Iron Orchard", "Pavel Dusek", 2020, 2, 5, 150, 3.9),
        ("Goblin Post", "Lise Marchand", 2018, 3, 8, 25, 1.2),
        ("The Ninth Tram", "K. Osei", 2022, 2, 5, 60, 2.1),
        ("Saltmarsh Rescue", "Lise Marchand", 2023, 1, 5, 60, 2.5),
        ("Glass Parliament", "Pavel Dusek", 2024, 3, 6, 120, 3.5),
        ("Otter Market", "Ida Wren", 2024, 2, 5, 45, 1.8),
        ("Cinder Route", "Yumi Arai", 2017, 2, 4, 80, 3.1),
        ("Paper Kings", "Yumi Arai", 2014, 2, 7, 30, 1.4),
        ("Vault of Echoes", "R. Tolland", 2022, 1, 4, 100, 3.0),
        ("Bramble Run", "R. Tolland", 2025, 2, 6, 35, 1.5),
        ("Lighthouse Keepers", "Lise Marchand", 2015, 2, 4, 50, 2.2),
        ("Dust Caravan", "Pavel Dusek", 2013, 3, 5, 110, 3.3),
        ("Fjord Frenzy", "Yumi Arai", 2026, 2, 6, 50, 2.0),
    ]
    games = [
        [
            i + 1,
            *g,
            str(day(r, D(2022, 1, 10), D(2025, 12, 20))) if g[2] < 2026 else "2026-06-02",
            round(r.uniform(18, 92), 2),
            None,
        ]
        for i, g in enumerate(base)
    ]
    for t, b, y in (
        ("Harbour of Salt: Tides", 1, 2021),
        ("Harbour of Salt: Pirates", 1, 2023),
        ("Moss & Mortar: Bridges", 2, 2023),
        ("Iron Orchard: Winter", 4, 2022),
        ("Goblin Post: Express", 5, 2020),
        ("Vault of Echoes: Depths", 12, 2025),
    ):
        g = games[b - 1]
        games.append(
            [
                len(games) + 1,
                t,
                g[2],
                y,
                g[4],
                g[5] + (1 if y % 2 else 0),
                g[6] + 15,
                g[7],
                str(max(D.fromisoformat(g[8]), D(y, 3, 1)) + timedelta(days=r.randrange(20, 200))),
                round(r.uniform(15, 39), 2),
                b,
            ]
        )
    people = [
        (
            i + 1,
            n,
            w(r, {"north side": 3, "old town": 4, "riverside": 3, "out of town": 1}),
            str(day(r, D(2022, 1, 15), D(2025, 10, 1))) if i < 20 else "2026-10-2%d" % i,
            r.randrange(1971, 2006),
        )
        for i, n in enumerate(
            [
                "Ash",
                "Beatrix",
                "Coop",
                "Dina",
                "Eero",
                "Fitz",
                "Gia",
                "Hank",
                "Ines",
                "Jory",
                "Koko",
                "Lars",
                "Mimi",
                "Nox",
                "Oona",
                "Pip",
                "Rafe",
                "Suki",
                "Tully",
                "Vic",
                "Wynn",
                "Zeb",
            ]
        )
    ]
    pull = [13, 7, 10, 3.5, 8, 5.6, 4, 3, 3, 3, 4.5, 3, 2, 2, 0, 3, 2, 1.5, 1, 1.4, 1, 0]
    skill = {p[0]: r.uniform(-1, 1.6) for p in people}
    freq = {p[0]: r.uniform(0.3, 3) for p in people}
    drag = {g[0]: r.uniform(0.62, 1.32) for g in games}
    plays, scores = [], []
    d = D(2024, 1, 4)
    while d <= D(2026, 11, 14):
        for _ in range(w(r, {1: 3, 2: 5, 3: 3, 4: 1})):
            g = r.choices(games, pull)[0]
            if g[8] > str(d):
                continue
            ok = [p for p in people[:20] if p[3] <= str(d)]
            n = min(len(ok), r.randrange(max(2, g[4]), g[5] + 1))
            tab = []
            while len(tab) < n:
                p = r.choices(ok, [freq[x[0]] for x in ok])[0]
                if p not in tab:
                    tab.append(p)
            pid = len(plays) + 1
            coop = g[1] in ("Saltmarsh Rescue",) or g[1].startswith("Vault of Echoes")
            plays.append(
                (
                    pid,
                    g[0],
                    str(d),
                    w(r, {"Dina's place": 5, "The Crooked Spoon": 3, "library": 2, "online": 1}),
                    None if r.random() < 0.06 else max(10, int(g[6] * drag[g[0]] * r.uniform(0.75, 1.25))),
                    "Y" if coop else "N",
                )
            )
            if coop:
                win = 1 if r.random() < 0.55 else 0
                scores += [(pid, p[0], None, win) for p in tab]
            else:
                sc = {p[0]: int(r.gauss(52 + 9 * skill[p[0]], 14)) + g[0] for p in tab}
                top = max(sc.values())
                scores += [(pid, k, v, 1 if v == top else 0) for k, v in sc.items()]
        d += timedelta(days=r.choice([3, 4, 4, 7]))
    loans = []
    for _ in range(64):
        g = r.choice(games)
        a = max(D.fromisoformat(g[8]), D(2024, 1, 1)) + timedelta(days=r.randrange(5, 700))
        if a < LAST:
            b = a + timedelta(days=r.randrange(4, 75))
            loans.append(
                (len(loans) + 1, g[0], r.randrange(1, 20), str(a), str(b) if b <= LAST and r.random() < 0.9 else None)
            )
    make(
        "gamenight",
        """CREATE TABLE games(game_id INTEGER PRIMARY KEY, title TEXT, designer TEXT, year_published INTEGER, min_players INTEGER, max_players INTEGER, box_minutes INTEGER, complexity REAL, bought_on TEXT, price_paid REAL, expansion_of INTEGER REFERENCES games(game_id));
CREATE TABLE players(player_id INTEGER PRIMARY KEY, nickname TEXT, area TEXT, joined_on TEXT, birth_year INTEGER);
CREATE TABLE plays(play_id INTEGER PRIMARY KEY, game_id INTEGER REFERENCES games, played_on TEXT, location TEXT, minutes INTEGER, cooperative TEXT);
CREATE TABLE play_scores(play_id INTEGER REFERENCES plays, player_id INTEGER REFERENCES players, score INTEGER, won INTEGER);
CREATE TABLE loans(loan_id INTEGER PRIMARY KEY, game_id INTEGER REFERENCES games, player_id INTEGER REFERENCES players, lent_on TEXT, returned_on TEXT);""",
        {"games": games, "players": people, "plays": plays, "play_scores": scores, "loans": loans},
    )


def parking():
    r = random.Random(1106)
    lots = [
        ("A", "中山路地下停车场", "城东", 320, 6, 4, 48),
        ("B", "人民医院停车场", "城东", 180, 5, 5, 60),
        ("C", "火车站北停车场", "城北", 450, 8, 5, 70),
        ("D", "湖滨公园停车场", "城西", 150, 4, 2, 30),
        ("E", "万达西停车场", "城西", 260, 5, 3, 40),
    ]
    plate = lambda: (
        r.choice("苏苏苏苏沪浙皖")
        + r.choice("ABCEFK")
        + "·"
        + "".join(r.choice("0123456789ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(5))
    )
    owners = zhnames(r, 130)
    cards = []
    for i, n in enumerate(owners):
        a = day(r, D(2025, 1, 5), D(2026, 10, 28))
        lot = r.choices(lots, [5, 3, 3, 1, 4])[0]
        typ = w(r, {"月卡": 5, "季卡": 2, "年卡": 2})
        mon = {"月卡": 1, "季卡": 3, "年卡": 12}[typ]
        if typ == "月卡":
            mon = r.randrange(1, 13)
        cards.append(
            (
                3001 + i,
                plate(),
                n,
                lot[0],
                typ,
                {"A": 400, "B": 450, "C": 500, "D": 260, "E": 350}[lot[0]],
                str(a),
                str(a + timedelta(days=30 * mon)),
                None if r.random() < 0.12 else "13%09d" % r.randrange(10**9),
            )
        )
    some = [plate() for _ in range(900)]
    kind, rec = {}, []
    for k in range(5200):
        lot = r.choices(lots, [6, 5, 7, 2, 4])[0]
        d = day(r, D(2025, 1, 1), D(2026, 11, 15))
        if d.weekday() < 5 and lot[0] in "DE" and r.random() < 0.5:
            d += timedelta(days=5 - d.weekday())
        t = datetime(
            d.year,
            d.month,
            d.day,
            w(
                r,
                {
                    6: 1,
                    7: 3,
                    8: 6,
                    9: 7,
                    10: 6,
                    11: 5,
                    12: 4,
                    13: 4,
                    14: 5,
                    15: 4,
                    16: 3,
                    17: 4,
                    18: 6,
                    19: 5,
                    20: 3,
                    21: 2,
                    22: 1,
                },
            ),
            r.randrange(60),
            r.randrange(60),
        )
        stay = max(4, int(r.lognormvariate(4.7, 0.8)))
        card = r.choice(cards) if r.random() < 0.2 else None
        if card and not (card[6] <= str(d) <= card[7]):
            card = None
        if card:
            lot = next(x for x in lots if x[0] == card[3])
        h = -(-stay // 60)
        fee = 0 if stay <= 15 or card else min(lot[6], lot[4] + (h - 1) * lot[5])
        car = card[1] if card else r.choice(some)
        typ = kind.setdefault(car, w(r, {"小型车": 7, "新能源车": 3, "大型车": 0.3}))
        paid, why = fee, None
        if card:
            why = "月卡车"
        elif stay <= 15:
            why = "15分钟内"
        elif r.random() < 0.05:
            paid, why = 0, w(r, {"军警车": 1, "商户减免": 4, "设备故障抬杆": 2})
        elif typ == "新能源车" and fee and r.random() < 0.5:
            paid, why = round(fee * 0.5, 1), "新能源半价"
        out = t + timedelta(minutes=stay)
        if out > datetime(2026, 11, 15, 23, 59) or k % 640 == 7:
            rec.append((0, lot[0], car, typ, str(t), None, None, None, None, None))
            continue
        rec.append(
            (
                0,
                lot[0],
                car,
                typ,
                str(t),
                str(out),
                fee,
                paid,
                w(r, {"微信": 6, "支付宝": 4, "ETC": 2, "现金": 0.5}) if paid else None,
                why,
            )
        )
    rec.sort(key=lambda x: x[4])
    rec = [(80001 + i, *x[1:]) for i, x in enumerate(rec)]
    bad = []
    for k in range(96):
        a = datetime(2025, 1, 3) + timedelta(minutes=r.randrange(680 * 1440))
        lot = r.choices(lots, [4, 3, 5, 0, 2])[0]
        b = a + timedelta(minutes=int(r.lognormvariate(6, 1)))
        bad.append(
            (
                k + 1,
                lot[0],
                w(r, {"道闸": 5, "车牌识别": 6, "缴费机": 3, "地感线圈": 1}),
                str(a),
                None if r.random() < 0.07 else str(b),
                w(r, {"老化": 3, "撞坏": 2, "断网": 4, "进水": 1}),
            )
        )
    make(
        "停车场",
        """CREATE TABLE 车场(车场编号 TEXT PRIMARY KEY, 名称 TEXT, 片区 TEXT, 车位数 INTEGER, 首小时价 REAL, 续时价 REAL, 封顶价 REAL);
CREATE TABLE 月卡(卡号 INTEGER PRIMARY KEY, 车牌 TEXT, 车主 TEXT, 车场编号 TEXT REFERENCES 车场, 卡类型 TEXT, 月费 REAL, 开卡日期 TEXT, 到期日期 TEXT, 电话 TEXT);
CREATE TABLE 停车记录(流水号 INTEGER PRIMARY KEY, 车场编号 TEXT REFERENCES 车场, 车牌 TEXT, 车型 TEXT, 入场时间 TEXT, 出场时间 TEXT, 应收 REAL, 实收 REAL, 支付方式 TEXT, 减免原因 TEXT);
CREATE TABLE 设备故障(编号 INTEGER PRIMARY KEY, 车场编号 TEXT REFERENCES 车场, 设备 TEXT, 报修时间 TEXT, 修复时间 TEXT, 原因 TEXT);""",
        {"车场": lots, "月卡": cards, "停车记录": rec, "设备故障": bad},
    )


def murder():
    r = random.Random(1107)
    bk = [
        ("雾港旧事", "硬核推理", 6, 5, 128, None),
        ("长安夜宴", "古风", 7, 6, 148, None),
        ("妈妈的信", "情感", 6, 5, 138, None),
        ("鬼校钟声", "恐怖", 7, 5, 158, None),
        ("摸鱼办公室", "欢乐", 8, 4, 98, None),
        ("十二商会", "机制阵营", 9, 5, 128, None),
        ("雾港旧事2", "硬核推理", 6, 6, 158, 1),
        ("告别站台", "情感", 7, 5, 138, None),
        ("鬼校钟声之返校", "恐怖", 6, 5, 168, 4),
        ("沙漠邮差", "情感", 5, 4, 118, None),
        ("皇城密案", "古风", 8, 6, 148, 2),
        ("村口大乱斗", "欢乐", 7, 4, 98, None),
        ("零号列车", "硬核推理", 6, 5, 138, None),
        ("雾港旧事3", "硬核推理", 7, 6, 178, 7),
        ("盐与船", "机制阵营", 8, 5, 138, None),
        ("最后一班缆车", "恐怖", 6, 4, 148, None),
    ]
    books = [
        (i + 1, *b[:5], r.choice([580, 680, 880, 1280, 1680]), str(D(2024, 1, 10) + timedelta(days=60 * i)), b[5])
        for i, b in enumerate(bk)
    ]
    dm = [
        (
            i + 1,
            n,
            str(day(r, D(2023, 9, 1), D(2026, 3, 1))),
            str(D(2026, 5, 31) + timedelta(days=31 * (i - 6))) if i in (6, 8) else None,
            r.choice([3000, 3200, 3500, 4000]),
        )
        for i, n in enumerate(["阿哲", "小满", "老白", "苏苏", "大熊", "十七", "可乐", "阿蛮", "木子", "南风"])
    ]
    nick = [
        "橘子汽水",
        "夜行人",
        "阿飞",
        "柠檬不酸",
        "推土机",
        "小笼包",
        "二师兄",
        "月半",
        "北北",
        "咸鱼翻身",
        "嫌疑人X",
        "麦芽糖",
        "老王",
        "豆豆",
        "青团",
        "一只鹤",
        "鹿鸣",
        "番茄炒蛋",
        "凌晨三点",
        "沉默的羊",
    ]
    pl = []
    for i in range(260):
        pl.append(
            (
                5001 + i,
                nick[i % 20] + (str(i // 20) if i >= 20 else ""),
                w(r, {"女": 6, "男": 5}),
                "15%09d" % r.randrange(10**9) if r.random() > 0.1 else None,
                str(day(r, D(2024, 2, 1), D(2026, 11, 12))),
                w(r, {"小红书": 6, "大众点评": 5, "朋友拉来": 4, "抖音": 3, "路过": 1}),
            )
        )
    ses, reg = [], []
    for _ in range(760):
        t = day(r, D(2024, 3, 1), D(2026, 11, 29))
        if t.weekday() < 4 and r.random() < 0.5:
            t += timedelta(days=5 - t.weekday())
        ok = [b for b in books if b[7] <= str(t) and b[0] != 15]
        b = r.choices(ok, [{1: 8, 3: 9, 4: 6, 7: 7, 5: 6}.get(x[0], 3.2) for x in ok])[0]
        hosts = [x for x in dm if x[2] <= str(t) and (not x[3] or x[3] >= str(t)) and x[0] != 10]
        st = "待开" if t > LAST else w(r, {"已完成": 14, "取消": 2, "炸车": 0.8})
        ses.append(
            [
                0,
                b[0],
                r.choices(hosts, [1 / (1 + q * 0.22) for q in range(len(hosts))])[0][0] if hosts else 1,
                "%s %02d:30" % (t, w(r, {13: 5, 19: 8, 10: 1})),
                w(r, {"一号房": 4, "二号房": 4, "海盗屋": 3, "民国厅": 2}),
                st,
            ]
        )
    ses.sort(key=lambda x: x[3])
    for i, s in enumerate(ses):
        s[0] = 1 + i
        b = books[s[1] - 1]
        ok = [p for p in pl if p[4] <= s[3][:10]] or pl[:20]
        n = b[3] if s[5] == "已完成" else r.randrange(1, b[3])
        for p in r.sample(ok, min(n, len(ok))):
            v = round(b[5] * r.choice([1, 1, 1, 0.9, 0.85]))
            reg.append(
                (
                    len(reg) + 1,
                    s[0],
                    p[0],
                    v,
                    w(r, {"微信": 6, "支付宝": 2, "美团券": 3}),
                    1 if s[5] in ("取消", "炸车") or r.random() < 0.02 else 0,
                    w(r, {5: 8, 4: 5, 3: 2, 2: 0.7, 1: 0.3}) if s[5] == "已完成" and r.random() < 0.45 else None,
                )
            )
    make(
        "剧本杀",
        """CREATE TABLE 剧本(剧本编号 INTEGER PRIMARY KEY, 剧本名 TEXT, 类型 TEXT, 人数 INTEGER, 时长小时 INTEGER, 单价 REAL, 进价 REAL, 引进日期 TEXT, 前作编号 INTEGER REFERENCES 剧本(剧本编号));
CREATE TABLE 主持人(工号 INTEGER PRIMARY KEY, 艺名 TEXT, 入职日期 TEXT, 离职日期 TEXT, 底薪 REAL);
CREATE TABLE 玩家(玩家编号 INTEGER PRIMARY KEY, 昵称 TEXT, 性别 TEXT, 手机 TEXT, 注册日期 TEXT, 来源 TEXT);
CREATE TABLE 场次(场次号 INTEGER PRIMARY KEY, 剧本编号 INTEGER REFERENCES 剧本, 主持人工号 INTEGER REFERENCES 主持人(工号), 开场时间 TEXT, 房间 TEXT, 状态 TEXT);
CREATE TABLE 报名(报名号 INTEGER PRIMARY KEY, 场次号 INTEGER REFERENCES 场次, 玩家编号 INTEGER REFERENCES 玩家, 实付 REAL, 付款方式 TEXT, 已退款 INTEGER, 评分 INTEGER);""",
        {"剧本": books, "主持人": dm, "玩家": pl, "场次": ses, "报名": reg},
    )


def orchard():
    r = random.Random(1108)
    kinds = [
        (1, "红富士", "苹果", 9, 11, 3.2),
        (2, "嘎啦", "苹果", 7, 8, 2.8),
        (3, "秋月梨", "梨", 8, 9, 4.0),
        (4, "翠冠梨", "梨", 6, 7, 3.4),
        (5, "黄桃", "桃", 7, 8, 4.6),
        (6, "水蜜桃", "桃", 6, 7, 5.5),
        (7, "阳光玫瑰", "葡萄", 8, 10, 11.0),
        (8, "巨峰", "葡萄", 8, 9, 6.0),
        (9, "冬枣", "枣", 9, 10, 7.5),
    ]
    plots = []
    for i, (n, k) in enumerate(
        [
            ("东坡一号", 1),
            ("东坡二号", 1),
            ("东坡三号", 2),
            ("河边南", 3),
            ("河边北", 4),
            ("水库上", 5),
            ("水库下", 6),
            ("大棚甲", 7),
            ("大棚乙", 7),
            ("大棚丙", 8),
            ("西沟", 1),
            ("后山", 9),
            ("路口新地", 9),
        ]
    ):
        plots.append(
            (
                i + 1,
                n,
                k,
                round(r.uniform(2.5, 14), 1),
                r.randrange(2012, 2022) if i < 12 else 2026,
                "滴灌" if i in (3, 7, 8, 9, 5) else "漫灌" if i % 2 else "喷灌",
            )
        )
    wn = zhnames(r, 24)
    workers = [
        (
            i + 1,
            n,
            w(r, {"本村": 6, "邻村": 3, "外地": 2}),
            r.choice([120, 130, 140, 150, 160]),
            "否" if i in (5, 14, 20) else "是",
        )
        for i, n in enumerate(wn)
    ]
    pick = []
    for y in (2024, 2025, 2026):
        for p in plots[:12]:
            k = kinds[p[2] - 1]
            d, end = D(y, k[3], r.randrange(1, 14)), D(y, k[4], 20)
            if end > LAST:
                end = D(2026, 11, 12)
            while d <= end:
                for u in r.sample(workers[:22], r.randrange(1, 5)):
                    if u[4] == "否" and y == 2026:
                        continue
                    for g, q in (("一级", 210), ("二级", 98), ("次果", 34)):
                        if r.random() < {"一级": 0.95, "二级": 0.6, "次果": 0.35}[g]:
                            pick.append(
                                (
                                    len(pick) + 1,
                                    str(d),
                                    p[0],
                                    u[0],
                                    g,
                                    round(
                                        q
                                        * r.uniform(0.4, 1.6)
                                        * {2024: 1, 2025: 0.84, 2026: 1.12}[y]
                                        * (p[3] / 8 + 0.4),
                                        1,
                                    ),
                                )
                            )
                d += timedelta(days=r.randrange(3, 7))
    cust = [
        (i + 1, n, t, c)
        for i, (n, t, c) in enumerate(
            [
                ("鲜丰水果批发", "批发商", "西安"),
                ("王记果行", "批发商", "宝鸡"),
                ("百味超市", "超市", "西安"),
                ("邻里团购", "社区团购", "西安"),
                ("果小二网店", "电商", "杭州"),
                ("老李摊位", "零售摊", "眉县"),
                ("永安饭店", "单位", "宝鸡"),
                ("实验小学食堂", "单位", "眉县"),
                ("绿源商贸", "批发商", "兰州"),
                ("采摘游客", "散客", None),
                ("甜选团购", "社区团购", "咸阳"),
                ("新月超市", "超市", "咸阳"),
                ("海晟外贸", "批发商", "青岛"),
            ]
        )
    ]
    sale = []
    for _ in range(1250):
        k = r.choices(kinds, [6, 3, 3, 3, 3, 3, 4, 2, 1.5])[0]
        y = w(r, {2024: 3, 2025: 3.1, 2026: 3.7})
        d = D(y, k[3], 3) + timedelta(days=r.randrange(75))
        if d > D(2026, 11, 15):
            continue
        c = r.choices(cust[:12], [6, 4, 4, 5, 5, 3, 1.5, 1, 3, 4, 2, 2])[0]
        g = w(r, {"一级": 6, "二级": 3, "次果": 1})
        kg = round(
            r.uniform(3, 30) if c[2] == "散客" else r.uniform(60, 900) if c[2] == "批发商" else r.uniform(20, 260), 1
        )
        price = round(
            k[5]
            * {"一级": 1.3, "二级": 1, "次果": 0.45}[g]
            * {"散客": 1.8, "批发商": 0.85, "电商": 1.25}.get(c[2], 1.05)
            * {2024: 1, 2025: 1.06, 2026: 0.97}[y]
            * r.uniform(0.92, 1.08),
            2,
        )
        paid = d if c[2] == "散客" else d + timedelta(days=r.randrange(0, 45))
        sale.append(
            [
                0,
                str(d),
                c[0],
                k[0],
                g,
                kg,
                price,
                round(kg * price, 2),
                str(paid) if paid <= LAST and r.random() < 0.95 else None,
            ]
        )
    sale.sort(key=lambda x: x[1])
    for i, s in enumerate(sale):
        s[0] = "XS%04d" % (i + 1)
    cost = []
    for _ in range(260):
        d = day(r, D(2024, 1, 10), D(2026, 11, 10))
        t = w(r, {"化肥": 5, "农药": 5, "纸袋": 2, "水电": 3, "运费": 4, "农具": 1})
        cost.append(
            (
                len(cost) + 1,
                str(d),
                r.randrange(1, 13) if r.random() < 0.7 else None,
                t,
                round(r.lognormvariate(6, 0.8), 2),
            )
        )
    make(
        "果园",
        """CREATE TABLE 品种(品种编号 INTEGER PRIMARY KEY, 品种名 TEXT, 水果 TEXT, 开采月 INTEGER, 收尾月 INTEGER, 参考价 REAL);
CREATE TABLE 地块(地块编号 INTEGER PRIMARY KEY, 地块名 TEXT, 品种编号 INTEGER REFERENCES 品种, 亩数 REAL, 种植年份 INTEGER, 灌溉 TEXT);
CREATE TABLE 工人(工人编号 INTEGER PRIMARY KEY, 姓名 TEXT, 来自 TEXT, 日工资 REAL, 在岗 TEXT);
CREATE TABLE 采收(采收编号 INTEGER PRIMARY KEY, 日期 TEXT, 地块编号 INTEGER REFERENCES 地块, 工人编号 INTEGER REFERENCES 工人, 等级 TEXT, 公斤 REAL);
CREATE TABLE 客户(客户编号 INTEGER PRIMARY KEY, 客户名 TEXT, 类型 TEXT, 城市 TEXT);
CREATE TABLE 销售(单号 TEXT PRIMARY KEY, 日期 TEXT, 客户编号 INTEGER REFERENCES 客户, 品种编号 INTEGER REFERENCES 品种, 等级 TEXT, 公斤 REAL, 单价 REAL, 金额 REAL, 收款日期 TEXT);
CREATE TABLE 支出(编号 INTEGER PRIMARY KEY, 日期 TEXT, 地块编号 INTEGER REFERENCES 地块, 项目 TEXT, 金额 REAL);""",
        {"品种": kinds, "地块": plots, "工人": workers, "采收": pick, "客户": cust, "销售": sale, "支出": cost},
    )


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    for f in (bees, consign, campsite, repaircafe, gamenight, parking, murder, orchard):
        f()
