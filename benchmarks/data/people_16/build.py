#!/usr/bin/env python3
"""Write five small SQLite databases to databases/ (or the folder given). Standard library only, fixed seeds."""

import os
import random
import sqlite3
import sys
from datetime import date, datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
D = date
LAST = D(2026, 11, 28)
FIRST = [
    "Alice",
    "Barnaby",
    "Catrin",
    "Dominic",
    "Edith",
    "Fergus",
    "Ginny",
    "Harvey",
    "Isla",
    "Jasper",
    "Kirsty",
    "Luca",
    "Mabel",
    "Neville",
    "Orla",
    "Piers",
    "Rosalind",
    "Stanley",
    "Thea",
    "Ursula",
    "Vince",
    "Winnie",
    "Yusra",
    "Zubair",
    "Anita",
    "Brendan",
    "Carys",
    "Delroy",
    "Eilidh",
    "Freddie",
    "Gloria",
    "Hamish",
    "Imogen",
    "Joaquin",
    "Kamal",
    "Lottie",
    "Magnus",
    "Niamh",
    "Owain",
    "Pandora",
]
FAMILY = [
    "Atherton",
    "Blackwood",
    "Cartwright",
    "Dunmore",
    "Eastwood",
    "Fairbairn",
    "Goodall",
    "Hargreaves",
    "Illingworth",
    "Jessop",
    "Kershaw",
    "Lockwood",
    "Midgley",
    "Naylor",
    "Oldroyd",
    "Pickles",
    "Ramsden",
    "Shackleton",
    "Thackray",
    "Umpleby",
    "Varley",
    "Whitaker",
    "Yeadon",
    "Armitage",
    "Beaumont",
    "Crowther",
    "Dyson",
    "Earnshaw",
    "Firth",
    "Greenwood",
    "Haigh",
]
XING = "王刘黄赵钱冯曹彭曾萧田董袁潘蔡余杜叶"
MING = [
    "国强",
    "桂英",
    "晨曦",
    "丽娜",
    "小波",
    "秀兰",
    "宇航",
    "静怡",
    "少华",
    "玉梅",
    "博文",
    "晓燕",
    "振宇",
    "美玲",
    "天佑",
    "素珍",
    "家豪",
    "婉清",
    "永福",
    "佩琪",
    "德明",
    "若彤",
    "金凤",
    "子轩",
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


def at(r, d, first=7, last=22):
    return datetime(d.year, d.month, d.day, r.randrange(first, last), r.randrange(60), r.randrange(60))


def names(r, n):
    every = [(a, b) for a in FIRST for b in FAMILY]
    return r.sample(every, n)


def skewed(r, items, power=1.6):
    """Weights that fall off, over a shuffled order, so that a first and a last stand out."""
    order = list(items)
    r.shuffle(order)
    return {x: 1 / (i + 2) ** (power - 1) for i, x in enumerate(order)}


def charging():
    """A network of charge points for cars, as its back office keeps it."""
    r = random.Random(1601)
    plans = [
        ("PAYG", "Pay as you go", 0.0, 0),
        ("LITE", "Lite", 3.99, 10),
        ("PLUS", "Plus", 8.99, 20),
        ("FLEET", "Fleet", 14.5, 25),
    ]
    towns = {"Leeds": 6, "Bradford": 3, "York": 4, "Hull": 3, "Sheffield": 4, "Harrogate": 2, "Whitby": 1}
    kinds = {"council": 5, "supermarket": 2, "private": 3}
    spots = """Station Road Car Park|Riverside Retail Park|Crown Hotel|Town Hall|Moorgate Multi-Storey|Kirkgate Market|Abbey Leisure Centre|Foss Bank
Monks Cross|Hawksworth Lane|Vicar Lane|Castle Quay|Priory Meadow|Old Brewery Yard|Parkway Services|Royal Spa Hotel|Dock Street|Canal Basin
The Shambles|Northfield Library|Granary Wharf|Cliffside Car Park|Elland Way""".replace("\n", "|").split("|")
    place = [t for t, n in towns.items() for _ in range(n)]
    r.shuffle(place)
    sites = []
    for i, s in enumerate(spots):
        kind = "hotel" if "Hotel" in s else "supermarket" if "Retail" in s or "Monks" in s else pick(r, kinds)
        opened = day(r, D(2022, 3, 1), D(2025, 12, 1))
        sites.append((i + 1, s, place[i], kind, opened.isoformat(), None))
    sites[9] = sites[9][:5] + ("2026-02-28",)
    sites[12] = sites[12][:5] + ("2025-10-31",)
    chargers, weight = [], {}
    models = {7: "Wallpod Eco", 22: "Voltera 22", 50: "Tritan RT50", 150: "Alpen HYC150"}
    shine = skewed(r, [s[0] for s in sites], 1.9)
    for s in sites:
        for _ in range(r.choice([2, 2, 3, 4, 4, 6])):
            kw = pick(r, {7: 4, 22: 4, 50: 3, 150: 2})
            status = "retired" if s[5] else pick(r, {"online": 14, "offline": 2, "faulted": 2})
            cid = len(chargers) + 101
            chargers.append(
                (
                    cid,
                    s[0],
                    "CP-%05d" % r.randrange(10000, 99999),
                    models[kw],
                    kw,
                    status,
                    day(r, D.fromisoformat(s[4]), min(LAST, D.fromisoformat(s[4]) + timedelta(200))).isoformat(),
                )
            )
            weight[cid] = shine[s[0]] * {7: 1, 22: 1.4, 50: 2.2, 150: 2}[kw]
    weight[chargers[17][0]] = weight[chargers[44][0]] = 0  # nobody has ever used these
    drivers = []
    for i, (a, b) in enumerate(names(r, 420)):
        mail = "%s.%s@%s" % (a.lower(), b.lower(), r.choice(["mail.example", "post.example", "inbox.example"]))
        drivers.append(
            (
                i + 1,
                a + " " + b,
                mail,
                None if r.random() < 0.12 else "07%09d" % r.randrange(10**9),
                pick(r, {"PAYG": 11, "LITE": 4, "PLUS": 4, "FLEET": 1.5}),
                at(r, day(r, D(2023, 1, 5), D(2026, 11, 20))).isoformat() + "Z",
                pick(r, {"active": 24, "suspended": 1}),
            )
        )
    drive = {d[0]: r.random() ** 3 for d in drivers}
    for i in r.sample(sorted(drive), 31):
        drive[i] = 0
    per = {"PAYG": 0, "LITE": 10, "PLUS": 20, "FLEET": 25}
    site_of = {s[0]: s for s in sites}
    sessions = []
    cw = [(c, weight[c[0]]) for c in chargers]
    ids, dw = [d[0] for d in drivers], [drive[d[0]] for d in drivers]
    while len(sessions) < 2900:
        c = r.choices([x for x, _ in cw], [w for _, w in cw])[0]
        start = at(r, LAST - timedelta(days=int(695 * r.random() ** 1.35)), 6, 23)
        end_of_site = site_of[c[1]][5]
        if (
            start.date().isoformat() < c[6]
            or (end_of_site and start.date().isoformat() > end_of_site)
            or start.date() == LAST
        ):
            continue
        who = None if r.random() < 0.17 else r.choices(ids, dw)[0]
        if who and drivers[who - 1][5] > start.isoformat():
            continue
        kw = c[4]
        stop = pick(r, {"completed": 12, "driver_stopped": 8, "fault": 1.2, "timeout": 0.8})
        hours = r.uniform(0.3, {7: 7, 22: 3.2, 50: 1.3, 150: 0.7}[kw]) * (0.3 if stop == "fault" else 1)
        kwh = round(kw * hours * r.uniform(0.55, 0.9), 2)
        rate = {7: 0.45, 22: 0.49, 50: 0.65, 150: 0.79}[kw] * (1 - per[drivers[who - 1][4]] / 100 if who else 1)
        sessions.append(
            [
                c[0],
                who,
                start,
                start + timedelta(hours=hours),
                kwh,
                round(kwh * rate, 2),
                "card" if not who else pick(r, {"app": 6, "rfid": 3, "card": 1}),
                stop,
            ]
        )
    sessions.sort(key=lambda s: s[2])
    sessions = [
        (40001 + i, s[0], s[1], s[2].isoformat() + "Z", s[3].isoformat(timespec="seconds") + "Z", *s[4:])
        for i, s in enumerate(sessions)
    ]
    codes = [
        ("E01", "no communication"),
        ("E04", "connector lock stuck"),
        ("E07", "screen dead"),
        ("E11", "earth fault"),
        ("E15", "card reader failure"),
        ("E20", "cable damaged"),
        ("E31", "overheating"),
    ]
    faults = []
    flaw = {c[0]: r.random() ** 2 * (2 if c[4] >= 50 else 1) for c in chargers}
    for i in r.sample(sorted(flaw), 14):
        flaw[i] = 0
    while len(faults) < 290:
        c = r.choices(chargers, [flaw[c[0]] for c in chargers])[0]
        t = at(r, day(r, D(2024, 12, 20), D(2026, 11, 26)))
        stop = site_of[c[1]][5]
        if t.date().isoformat() < c[6] or (stop and t.date().isoformat() > stop):
            continue
        fixed = t + timedelta(hours=r.expovariate(1 / 60) + 2)
        if fixed > datetime(2026, 11, 28) or (t > datetime(2026, 9, 20) and r.random() < 0.4):
            fixed = None
        code = pick(r, {"E01": 9, "E04": 4, "E07": 3, "E11": 2, "E15": 6, "E20": 5, "E31": 1})
        faults.append(
            (
                c[0],
                t,
                fixed,
                code,
                None
                if r.random() < 0.6
                else r.choice(
                    ["reported by driver", "seen on site visit", "vandalism suspected", "reset did not help"]
                ),
            )
        )
    faults.sort(key=lambda f: f[1])
    faults = [
        (i + 1, f[0], f[1].isoformat() + "Z", f[2].isoformat(timespec="seconds") + "Z" if f[2] else None, *f[3:])
        for i, f in enumerate(faults)
    ]
    make(
        "charging",
        """
CREATE TABLE plans(code TEXT PRIMARY KEY, name TEXT NOT NULL, monthly_fee REAL, discount_pct INTEGER);
CREATE TABLE sites(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, host_type TEXT, opened_on TEXT, closed_on TEXT);
CREATE TABLE chargers(id INTEGER PRIMARY KEY, site_id INTEGER NOT NULL REFERENCES sites(id), serial TEXT, model TEXT, power_kw INTEGER, status TEXT, installed_on TEXT);
CREATE TABLE drivers(id INTEGER PRIMARY KEY, full_name TEXT, email TEXT, phone TEXT, plan_code TEXT REFERENCES plans(code), signed_up_at TEXT, status TEXT);
CREATE TABLE sessions(id INTEGER PRIMARY KEY, charger_id INTEGER NOT NULL REFERENCES chargers(id), driver_id INTEGER REFERENCES drivers(id),
  started_at TEXT, ended_at TEXT, energy_kwh REAL, cost REAL, paid_with TEXT, stop_reason TEXT);
CREATE TABLE fault_codes(code TEXT PRIMARY KEY, description TEXT);
CREATE TABLE faults(id INTEGER PRIMARY KEY, charger_id INTEGER NOT NULL REFERENCES chargers(id), reported_at TEXT, fixed_at TEXT, code TEXT REFERENCES fault_codes(code), note TEXT);
CREATE INDEX ix_sessions_charger ON sessions(charger_id);
""",
        {
            "plans": plans,
            "sites": sites,
            "chargers": chargers,
            "drivers": drivers,
            "sessions": sessions,
            "fault_codes": codes,
            "faults": faults,
        },
    )


def auction():
    """An auction house: sales, lots with a vendor and perhaps a buyer, bids, tags."""
    r = random.Random(1602)
    depts = [
        (1, "Furniture"),
        (2, "Ceramics & Glass"),
        (3, "Jewellery"),
        (4, "Pictures"),
        (5, "Silver"),
        (6, "Books & Maps"),
        (7, "Clocks & Watches"),
    ]
    what = {
        1: (
            [
                "Chest of drawers",
                "Dining table",
                "Writing desk",
                "Wing armchair",
                "Bookcase",
                "Side table",
                "Set of six chairs",
            ],
            ["Georgian", "Victorian", "Regency", "Edwardian", "Art Deco"],
            260,
        ),
        2: (
            ["Vase", "Tea service", "Charger", "Decanter", "Bowl", "Figure of a shepherd", "Jug"],
            ["Staffordshire", "Delft", "Meissen", "Worcester", "Murano"],
            140,
        ),
        3: (
            ["Diamond ring", "Pearl necklace", "Gold bracelet", "Sapphire brooch", "Pair of cufflinks", "Locket"],
            ["Victorian", "Edwardian", "Art Deco", "Modern"],
            520,
        ),
        4: (
            ["Landscape", "Portrait of a lady", "Harbour scene", "Still life", "Engraving", "Seascape"],
            ["English School", "Dutch School", "French School", "Scottish School"],
            430,
        ),
        5: (
            ["Tea pot", "Candlesticks, a pair", "Salver", "Sugar caster", "Fish slice", "Tankard"],
            ["George III", "Victorian", "William IV"],
            210,
        ),
        6: (
            ["County map", "First edition novel", "Atlas", "Bible", "Natural history plates", "Letters, a bundle"],
            ["18th century", "19th century", "20th century"],
            95,
        ),
        7: (
            ["Longcase clock", "Carriage clock", "Pocket watch", "Wristwatch", "Mantel clock", "Barometer"],
            ["English", "French", "Swiss"],
            380,
        ),
    }
    clients = []
    towns = {"Ludlow": 5, "Hereford": 6, "Shrewsbury": 4, "Malvern": 3, "London": 6, "Cardiff": 3, "Bath": 2}
    for i, (a, b) in enumerate(names(r, 340)):
        abroad = r.random() < 0.09
        country = pick(r, {"Ireland": 3, "France": 2, "United States": 2, "Germany": 1}) if abroad else "United Kingdom"
        town = {"Ireland": "Dublin", "France": "Lyon", "United States": "Boston", "Germany": "Cologne"}.get(
            country
        ) or pick(r, towns)
        clients.append(
            (
                i + 1,
                a + " " + b,
                town,
                country,
                None if r.random() < 0.15 else "%s%d@clients.example" % (b.lower(), i + 1),
                1 if r.random() < 0.18 else 0,
                day(r, D(2019, 2, 1), D(2026, 11, 12)).isoformat(),
            )
        )
    sales, n = [], 210
    for y, m in [(2025, k) for k in range(1, 13)] + [(2026, k) for k in range(1, 13)]:
        if (m in (1, 8) and y == 2025) or m == 8:
            continue
        d = D(y, m, 1) + timedelta(days=(3 - D(y, m, 1).weekday()) % 7 + 7)
        title = {3: "Spring Fine Sale", 6: "Country House Sale", 10: "Autumn Fine Sale", 12: "Christmas Sale"}.get(
            m, "Monthly Antiques"
        )
        status = "upcoming" if d > LAST else "cancelled" if (y, m) in ((2025, 7), (2026, 2)) else "held"
        sales.append(
            (n, title, d.isoformat(), "Castle Street Saleroom" if m not in (6, 12) else "Brockhampton Hall", status)
        )
        n += 1
    vend, buy = {}, {}
    for c in clients:
        if c[6] < "2025-01-01" or r.random() < 0.2:
            vend[c[0]] = r.random() ** 4
        buy[c[0]] = r.random() ** 3 * (3 if c[5] else 1)
    never = r.sample(sorted(buy), 62)
    for i in never:
        buy[i] = 0
    tags = [
        (1, "restored"),
        (2, "signed"),
        (3, "export licence needed"),
        (4, "damaged"),
        (5, "with provenance"),
        (6, "no reserve"),
        (7, "on loan"),
    ]
    lots, bids, lot_tags = [], [], []
    since = {c[0]: c[6] for c in clients}
    for s in sales:
        if s[4] == "cancelled":
            continue
        fine = "Fine" in s[1] or "House" in s[1]
        for no in range(1, r.randrange(85, 125) if s[4] == "held" else 61):
            dep = pick(r, {1: 5, 2: 4, 3: 5, 4: 4, 5: 2.5, 6: 2, 7: 1.5})
            things, periods, base = what[dep]
            low = max(20, round(base * (1.9 if fine else 1) * r.lognormvariate(0, 0.75) / 10) * 10)
            high = round(low * r.choice([1.4, 1.5, 1.6, 2]) / 10) * 10
            lid = 5001 + len(lots)
            vid = r.choices([v for v in vend if since[v] <= s[2]], [vend[v] for v in vend if since[v] <= s[2]])[0]
            reserve = None if r.random() < 0.35 else round(low * 0.8 / 10) * 10 or 10
            status, price, buyer = "catalogued", None, None
            if s[4] == "held":
                status = (
                    "withdrawn"
                    if r.random() < 0.035
                    else pick(r, {"sold": 8 if reserve is None else 5.6, "unsold": 1 if reserve is None else 1.7})
                )
            many = (
                0
                if status in ("catalogued", "withdrawn")
                else r.choice([0, 1, 1, 2])
                if status == "unsold"
                else r.choice([1, 1, 2, 2, 2, 3, 4])
            )
            who = (
                r.choices(
                    sorted(b for b in buy if since[b] <= s[2] and b != vid),
                    [buy[b] for b in sorted(buy) if since[b] <= s[2] and b != vid],
                    k=many,
                )
                if many
                else []
            )
            price = reserve or max(10, round(low * r.uniform(0.5, 0.9) / 10) * 10)
            if status == "unsold":
                price = price * 0.6
            day_of = D.fromisoformat(s[2])
            t = datetime(day_of.year, day_of.month, day_of.day, 10) + timedelta(seconds=55 * no)
            for k, w in enumerate(who):
                amount = round(price / 5) * 5
                bids.append(
                    (
                        lid,
                        w,
                        max(5, amount),
                        (t + timedelta(seconds=9 * k)).strftime("%Y-%m-%d %H:%M:%S"),
                        pick(r, {"online": 9, "room": 5, "phone": 2, "commission": 2}),
                    )
                )
                if k + 1 < len(who):
                    price = price * r.uniform(1.08, 1.35) + 5
            hammer = max(5, round(price / 5) * 5) if status == "sold" else None
            buyer = who[-1] if status == "sold" else None
            lots.append(
                (
                    lid,
                    s[0],
                    no,
                    r.choice(periods) + " " + r.choice(things).lower(),
                    dep,
                    vid,
                    low,
                    high,
                    reserve,
                    hammer,
                    buyer,
                    status,
                )
            )
            for tag, p in ((1, 0.08), (2, 0.11), (3, 0.015), (4, 0.09), (5, 0.06)):
                if r.random() < p:
                    lot_tags.append((lid, tag))
            if reserve is None and r.random() < 0.5:
                lot_tags.append((lid, 6))
    bids = [(i + 1, *b) for i, b in enumerate(bids)]
    make(
        "auction",
        """
CREATE TABLE department(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE sale(sale_no INTEGER PRIMARY KEY, title TEXT, sale_date TEXT, venue TEXT, status TEXT);
CREATE TABLE client(id INTEGER PRIMARY KEY, name TEXT, town TEXT, country TEXT, email TEXT, is_trade INTEGER DEFAULT 0, registered_on TEXT);
CREATE TABLE lot(id INTEGER PRIMARY KEY, sale_no INTEGER REFERENCES sale(sale_no), lot_no INTEGER, title TEXT, department_id INTEGER REFERENCES department(id),
  vendor_id INTEGER REFERENCES client(id), estimate_low INTEGER, estimate_high INTEGER, reserve INTEGER, hammer_price INTEGER, buyer_id INTEGER REFERENCES client(id), status TEXT);
CREATE TABLE bid(id INTEGER PRIMARY KEY, lot_id INTEGER REFERENCES lot(id), client_id INTEGER REFERENCES client(id), amount INTEGER, placed_at TEXT, channel TEXT);
CREATE TABLE tag(id INTEGER PRIMARY KEY, label TEXT);
CREATE TABLE lot_tag(lot_id INTEGER REFERENCES lot(id), tag_id INTEGER REFERENCES tag(id), PRIMARY KEY(lot_id, tag_id));
""",
        {
            "department": depts,
            "sale": sales,
            "client": clients,
            "lot": lots,
            "bid": bids,
            "tag": tags,
            "lot_tag": lot_tags,
        },
    )


def lifts():
    """A firm that looks after lifts: visits of engineers, parts used on them; keys are not declared."""
    r = random.Random(1603)
    firms = [
        ("Harbour Housing Association", "housing"),
        ("Bellweather Hotels", "hotel"),
        ("St Brannock NHS Trust", "health"),
        ("Tolland County Council", "public"),
        ("Quayside Offices Ltd", "office"),
        ("Marlowe Retail Group", "retail"),
        ("Penrose Student Living", "housing"),
        ("Kestrel Logistics", "industrial"),
        ("Arden & Pryce LLP", "office"),
        ("Linden Care Homes", "health"),
        ("Foxhall University", "education"),
        ("Carrow Developments", "housing"),
    ]
    clients = [(i + 1, a, b) for i, (a, b) in enumerate(firms)]
    bn = """Albion House|Beacon Tower|Cedar Court|Dunbar Mill|Elmfield|Fountain Place|Gatehouse|Heron Point|Ivy Lodge|Jubilee Wing|Kingsmead|Lantern House
Mercury House|North Block|Orchard View|Palatine|Quadrant|Rotunda|Saltire Court|Tannery Lofts|Union Hall|Vantage Point|Waterside|Exchange|York Buildings|Zetland House
Ashgrove|Bramley Heights""".replace("\n", "|").split("|")
    buildings, w = [], skewed(r, [c[0] for c in clients], 1.7)
    cities = {"Bristol": 6, "Exeter": 4, "Plymouth": 4, "Bath": 2, "Taunton": 2}
    for i, b in enumerate(bn):
        owner = i + 1 if i < 11 else r.choices(list(w), list(w.values()))[0]
        buildings.append((i + 1, min(owner, 11), b, pick(r, cities), r.choice([3, 4, 5, 6, 7, 8, 9, 12, 14, 18])))
    lift = []
    for b in buildings:
        for k in range(r.choice([1, 2, 2, 3, 4, 5])):
            kind = pick(r, {"passenger": 8, "goods": 2, "platform": 1})
            made = pick(r, {"Otto & Kern": 5, "Schroeder": 4, "Lindqvist": 3, "Kestevan": 2})
            lift.append(
                (
                    "L%03d" % (len(lift) + 1),
                    b[0],
                    made,
                    kind,
                    r.randrange(1978, 2024) if r.random() > 0.05 else None,
                    {
                        "passenger": r.choice([450, 630, 800, 1000]),
                        "goods": r.choice([1500, 2000, 3000]),
                        "platform": 400,
                    }[kind],
                    None,
                )
            )
    for i, d in ((5, "2025-05-14"), (22, "2026-03-02"), (40, "2026-08-20")):
        lift[i] = lift[i][:6] + (d,)
    eng = []
    for i, (a, b) in enumerate(names(r, 19)):
        hired = day(r, D(2008, 1, 1), D(2025, 6, 1))
        eng.append(
            (
                i + 1,
                a + " " + b,
                pick(r, {"Bristol": 3, "Exeter": 2, "Plymouth": 2}),
                r.choice(["apprentice", "engineer", "engineer", "engineer", "senior"]),
                hired.isoformat(),
                None,
            )
        )
    eng[3] = eng[3][:5] + ("2025-11-30",)
    eng[11] = eng[11][:5] + ("2026-06-30",)
    eng[18] = (19, eng[18][1], "Exeter", "apprentice", "2026-11-02", None)
    ew = {e[0]: r.uniform(0.5, 1.6) for e in eng[:18]}
    parts = [
        ("DR-010", "Door roller", 18.4),
        ("DR-022", "Door operator belt", 46.0),
        ("BT-004", "Landing button", 23.75),
        ("CB-100", "Control board", 612.0),
        ("BR-007", "Brake lining set", 139.9),
        ("RP-013", "Suspension rope, 10 m", 88.5),
        ("LG-002", "LED car light", 14.2),
        ("SN-031", "Light curtain", 274.0),
        ("OL-001", "Guide oil, 1 l", 9.6),
        ("PH-009", "Emergency phone", 198.0),
        ("DP-055", "Floor display", 167.3),
        ("SW-016", "Limit switch", 35.1),
        ("GV-003", "Overspeed governor", 890.0),
    ]
    visits, used = [], []
    trouble = {x[0]: r.random() ** 1.7 * (1.5 if (x[4] or 2000) < 2000 else 0.8) + 0.05 for x in lift}
    rough = []
    for x in lift:
        if x[6] and x[6] < "2025-01-01":
            continue
        d = day(r, D(2024, 1, 4), D(2024, 4, 20))
        while d <= D(2026, 11, 27):
            if x[6] and d.isoformat() > x[6]:
                break
            rough.append((d, x[0], "service"))
            d += timedelta(days=r.randrange(80, 120))
        for y in (2024, 2025, 2026):
            d = D(y, r.randrange(1, 13), r.randrange(1, 28))
            if d <= D(2026, 11, 27) and not (x[6] and d.isoformat() > x[6]):
                rough.append((d, x[0], "inspection"))
    while sum(1 for v in rough if v[2] == "callout") < 1150:
        x = r.choices(lift, [trouble[x[0]] for x in lift])[0]
        d = day(r, D(2024, 1, 2), D(2026, 11, 27))
        if not (x[6] and d.isoformat() > x[6]) and r.random() < (1.0 if d.month in (1, 7, 11, 12) else 0.7):
            rough.append((d, x[0], "callout"))
    for d, x, kind in sorted(rough):
        while True:
            e = r.choices(list(ew), list(ew.values()))[0]
            row = eng[e - 1]
            if row[4] <= d.isoformat() and not (row[5] and d.isoformat() > row[5]):
                break
        hours = round(
            r.choice(
                [1, 1.5, 2, 2.5]
                if kind == "service"
                else [2, 2.5, 3]
                if kind == "inspection"
                else [0.5, 1, 1, 1.5, 2, 3, 4, 5.5]
            ),
            1,
        )
        out = pick(r, {"ok": 8, "follow_up": 1.6, "out_of_service": 0.3 if kind != "callout" else 1.5})
        trapped = 1 if kind == "callout" and r.random() < 0.14 else 0
        fee = (
            None
            if kind == "service"
            else 180.0
            if kind == "inspection"
            else round(95 + 62 * hours + (85 if trapped else 0), 2)
        )
        vid = 70001 + len(visits)
        visits.append(
            (
                vid,
                x,
                e,
                d.isoformat(),
                kind,
                hours,
                out,
                trapped,
                fee,
                None
                if r.random() < 0.7
                else r.choice(
                    ["doors reopening", "noise in shaft", "not levelling", "keyholder late", "greased rails"]
                ),
            )
        )
        many = 0 if kind == "inspection" else r.choice([0, 0, 0, 1]) if kind == "service" else r.choice([0, 1, 1, 2])
        pw = [9, 4, 6, 1.2, 2, 1.5, 7, 2.4, 6 if kind == "service" else 1, 1, 1.4, 3, 0]
        for p in sorted({r.choices([p[0] for p in parts], pw)[0] for _ in range(many)}):
            used.append((vid, p, r.choice([1, 1, 1, 2, 4])))
    make(
        "lifts",
        """
CREATE TABLE clients(client_id INTEGER PRIMARY KEY, client_name TEXT, sector TEXT);
CREATE TABLE buildings(building_id INTEGER PRIMARY KEY, client_id INTEGER, building_name TEXT, city TEXT, floors INTEGER);
CREATE TABLE lifts(lift_id TEXT PRIMARY KEY, building_id INTEGER, manufacturer TEXT, lift_type TEXT, install_year INTEGER, capacity_kg INTEGER, decommissioned_on TEXT);
CREATE TABLE engineers(engineer_id INTEGER PRIMARY KEY, name TEXT, depot TEXT, grade TEXT, hired_on TEXT, left_on TEXT);
CREATE TABLE visits(visit_id INTEGER PRIMARY KEY, lift_id TEXT, engineer_id INTEGER, visit_date TEXT, visit_type TEXT, hours REAL, outcome TEXT, people_trapped INTEGER, fee REAL, remarks TEXT);
CREATE TABLE parts(part_no TEXT PRIMARY KEY, description TEXT, unit_price REAL);
CREATE TABLE visit_parts(visit_id INTEGER, part_no TEXT, qty INTEGER);
""",
        {
            "clients": clients,
            "buildings": buildings,
            "lifts": lift,
            "engineers": eng,
            "visits": visits,
            "parts": parts,
            "visit_parts": used,
        },
    )


def kennels():
    """Boarding and day care for dogs and cats: bookings with extras, vaccinations with a day of expiry."""
    r = random.Random(1604)
    owners, towns = [], {"Otley": 5, "Ilkley": 4, "Skipton": 3, "Keighley": 3, "Guiseley": 2}
    for i, (a, b) in enumerate(names(r, 260)):
        owners.append(
            (
                i + 1,
                a,
                b,
                None if r.random() < 0.1 else "%s_%s@dogmail.example" % (a.lower(), b.lower()),
                "07%09d" % r.randrange(10**9),
                pick(r, towns) if r.random() > 0.03 else "otley",
                day(r, D(2021, 1, 10), D(2026, 11, 20)).isoformat(),
            )
        )
    breeds = {
        "Labrador": 9,
        "Cockapoo": 8,
        "Border Collie": 5,
        "French Bulldog": 5,
        "Whippet": 3,
        "Beagle": 2,
        "Great Dane": 1,
        "Dachshund": 4,
        None: 3,
    }
    cats = {"Domestic Shorthair": 6, "Ragdoll": 2, "Maine Coon": 2, "Siamese": 1}
    kilos = {
        "Labrador": 31,
        "Cockapoo": 11,
        "Border Collie": 18,
        "French Bulldog": 12,
        "Whippet": 13,
        "Beagle": 14,
        "Great Dane": 62,
        "Dachshund": 8,
        None: 17,
    }
    call = [
        "Bramble",
        "Otis",
        "Pepper",
        "Monty",
        "Nala",
        "Rufus",
        "Willow",
        "Dexter",
        "Poppy",
        "Archie",
        "Luna",
        "Biscuit",
        "Ziggy",
        "Mabel",
        "Teddy",
        "Hattie",
        "Gus",
        "Roxy",
        "Barney",
        "Olive",
        "Scout",
        "Juno",
        "Fudge",
        "Merlin",
        "Pickle",
        "Tilly",
        "Winston",
        "Nelly",
        "Bertie",
        "Skye",
    ]
    pets = []
    for o in owners:
        for _ in range(r.choice([1, 1, 1, 1, 2, 2, 3])):
            dog = r.random() < 0.8
            breed = pick(r, breeds if dog else cats)
            joined = D.fromisoformat(o[6])
            born = day(r, D(2011, 1, 1), min(joined, D(2026, 3, 1)))
            if joined - born > timedelta(365 * 11):
                born = joined - timedelta(days=r.randrange(200, 2600))
            died = day(r, max(joined, D(2025, 1, 1)), LAST) if born < D(2016, 1, 1) and r.random() < 0.3 else None
            kg = None if r.random() < 0.08 else round((kilos[breed] if dog else 4.6) * r.uniform(0.82, 1.2), 1)
            pets.append(
                (
                    len(pets) + 1,
                    o[0],
                    r.choice(call),
                    "dog" if dog else "cat",
                    breed,
                    r.choice("MF"),
                    born.isoformat(),
                    "Y" if r.random() < 0.7 else "N",
                    kg,
                    died.isoformat() if died else None,
                )
            )
    services = [
        ("BD", "Dog boarding", 32.0, "night"),
        ("BC", "Cat boarding", 18.5, "night"),
        ("DC", "Day care", 26.0, "day"),
        ("GR", "Grooming", 42.0, "visit"),
        ("WK", "Dog walk", 13.5, "visit"),
    ]
    price = {s[0]: s[2] for s in services}
    extras = [
        (1, "Bath", 15.0),
        (2, "Nail trim", 9.0),
        (3, "Extra walk", 7.5),
        (4, "Medication", 4.0),
        (5, "Webcam", 5.0),
        (6, "Collection", 12.0),
        (7, "Raw food", 3.5),
    ]
    rooms = ["K%02d" % i for i in range(1, 25)]
    bookings = []
    love = {p[0]: r.random() ** 2.4 for p in pets}
    for i in r.sample(sorted(love), 37):
        love[i] = 0
    own = {o[0]: o for o in owners}
    while len(bookings) < 2200:
        p = r.choices(pets, [love[p[0]] for p in pets])[0]
        code = "BC" if p[3] == "cat" else pick(r, {"BD": 6, "DC": 8, "GR": 3, "WK": 4})
        if p[3] == "cat" and r.random() < 0.25:
            code = "GR"
        d = LAST + timedelta(days=38) - timedelta(days=int(735 * r.random() ** 1.15))
        if code in ("BD", "BC") and r.random() > {7: 1, 8: 1, 12: 0.9, 4: 0.7}.get(d.month, 0.45):
            continue
        if (
            d.isoformat() < own[p[1]][6]
            or (p[9] and d.isoformat() > p[9])
            or (code in ("DC", "WK", "GR") and d.weekday() == 6)
            or (d > LAST and r.random() < 0.45)
        ):
            continue
        nights = r.choice([1, 2, 2, 3, 4, 5, 7, 7, 10, 14]) if code in ("BD", "BC") else 0
        end = d + timedelta(days=nights)
        made = max(D.fromisoformat(own[p[1]][6]), min(d, LAST) - timedelta(days=r.randrange(1, 60)))
        status = (
            pick(r, {"completed": 20, "cancelled": 2, "no_show": 0.7})
            if d < LAST
            else pick(r, {"booked": 9, "cancelled": 1})
        )
        if status == "completed" and end >= LAST:
            status = "checked_in"
        bookings.append(
            [
                p[0],
                code,
                d.isoformat(),
                end.isoformat(),
                status,
                r.choice(rooms) if code in ("BD", "BC") and status != "cancelled" else None,
                price[code] * max(1, nights),
                at(r, made, 8, 21).strftime("%Y-%m-%d %H:%M:%S"),
            ]
        )
    for p, room in zip(
        r.sample([p for p in pets if love[p[0]] > 0.3 and not p[9]], 9), r.sample(rooms, 9)
    ):  # those who are here now
        code, d, nights = (
            "BD" if p[3] == "dog" else "BC",
            LAST - timedelta(days=r.randrange(1, 6)),
            r.choice([6, 7, 7, 9, 10]),
        )
        made = at(r, d - timedelta(days=r.randrange(4, 40)), 8, 21).strftime("%Y-%m-%d %H:%M:%S")
        bookings.append(
            [
                p[0],
                code,
                d.isoformat(),
                (d + timedelta(days=nights)).isoformat(),
                "checked_in",
                room,
                price[code] * nights,
                made,
            ]
        )
    bookings.sort(key=lambda b: b[7])
    with_extras, out = [], []
    for i, b in enumerate(bookings):
        bid, total = 9001 + i, b[6]
        if b[4] != "cancelled":
            for e in sorted(
                {r.choices([1, 2, 3, 4, 5, 6], [5, 4, 5, 3, 2, 3])[0] for _ in range(r.choice([0, 0, 0, 1, 1, 2]))}
            ):
                q = r.choice([1, 1, 1, 2, 3]) if e in (3, 4) else 1
                with_extras.append((bid, e, q))
                total += extras[e - 1][2] * q
        paid = (
            "N"
            if b[4] in ("booked", "cancelled", "checked_in")
            else "N"
            if b[4] == "no_show" and r.random() < 0.7
            else "Y"
            if r.random() < (0.96 if b[2] < "2026-10-01" else 0.82)
            else "N"
        )
        out.append((bid, *b[:6], round(total, 2), paid, b[7]))
    shots = []
    for p in pets:
        for v in ("DHP", "Leptospirosis", "Kennel cough") if p[3] == "dog" else ("FVRCP", "FeLV"):
            if r.random() < 0.16:
                continue
            d = day(r, max(D(2024, 1, 1), D.fromisoformat(p[6])), D(2026, 5, 1))
            while d <= LAST and not (p[9] and d.isoformat() > p[9]):
                shots.append((p[0], v, d.isoformat(), (d + timedelta(days=365)).isoformat()))
                if r.random() < 0.22:
                    break
                d += timedelta(days=r.randrange(340, 390))
    shots.sort(key=lambda s: s[2])
    make(
        "kennels",
        """
CREATE TABLE owners(id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, email TEXT, phone TEXT, town TEXT, joined_on TEXT);
CREATE TABLE pets(id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners(id), name TEXT, species TEXT, breed TEXT, sex TEXT, born_on TEXT, neutered TEXT, weight_kg REAL, died_on TEXT);
CREATE TABLE services(code TEXT PRIMARY KEY, name TEXT, price REAL, price_per TEXT);
CREATE TABLE bookings(id INTEGER PRIMARY KEY, pet_id INTEGER REFERENCES pets(id), service_code TEXT REFERENCES services(code), start_date TEXT, end_date TEXT, status TEXT,
  room TEXT, total REAL, paid TEXT, created_at TEXT);
CREATE TABLE extras(id INTEGER PRIMARY KEY, name TEXT, price REAL);
CREATE TABLE booking_extras(booking_id INTEGER REFERENCES bookings(id), extra_id INTEGER REFERENCES extras(id), quantity INTEGER);
CREATE TABLE vaccinations(id INTEGER PRIMARY KEY, pet_id INTEGER REFERENCES pets(id), vaccine TEXT, given_on TEXT, expires_on TEXT);
""",
        {
            "owners": owners,
            "pets": pets,
            "services": services,
            "bookings": out,
            "extras": extras,
            "booking_extras": with_extras,
            "vaccinations": [(i + 1, *s) for i, s in enumerate(shots)],
        },
    )


def wuye():
    """物业公司的一个小区: 楼栋、房屋、业主、账单、报修。"""
    r = random.Random(1605)
    blocks = [
        ("A01", "海棠苑1号楼", 11, 2014),
        ("A02", "海棠苑2号楼", 11, 2014),
        ("A03", "海棠苑3号楼", 18, 2015),
        ("B01", "丁香苑1号楼", 26, 2018),
        ("B02", "丁香苑2号楼", 26, 2018),
        ("C01", "紫藤苑1号楼", 6, 2020),
    ]
    full = r.sample([x + m for x in XING for m in MING], 132)
    owners = [
        (
            "YZ%04d" % (i + 1),
            n,
            None if r.random() < 0.08 else "13%09d" % r.randrange(10**9),
            day(r, D(2014, 9, 1), D(2026, 10, 20)).isoformat(),
            pick(r, {"男": 1, "女": 1}),
        )
        for i, n in enumerate(full)
    ]
    area = {"一居": 52, "两居": 88, "三居": 118, "四居": 156}
    houses, k = [], 0
    for b in blocks:
        for _ in range(20 if b[2] < 10 else 28):
            while True:
                no = "%s-%02d%02d" % (b[0], r.randrange(1, b[2] + 1), r.randrange(1, 5))
                if no not in [h[0] for h in houses]:
                    break
            kind = pick(r, {"一居": 2, "两居": 5, "三居": 5, "四居": 1.3})
            empty = r.random() < 0.09
            if empty or k >= len(owners):
                who = None if empty else owners[r.randrange(len(owners))][0]
            else:
                who, k = owners[k][0], k + 1
            if who and r.random() < 0.04:
                who = owners[r.randrange(max(1, k))][0]
            houses.append(
                (
                    no,
                    b[0],
                    who,
                    kind,
                    round(area[kind] * r.uniform(0.9, 1.12), 1),
                    "未售" if not who else pick(r, {"自住": 7, "出租": 2.5, "空置": 1}),
                )
            )
    spaces = []
    sold = [h[0] for h in houses if h[2]]
    for i in range(90):
        zone = "地下一层" if i < 50 else "地下二层" if i < 78 else "地面"
        use = r.random() < 0.82
        spaces.append(
            (
                "P%03d" % (i + 1),
                zone,
                pick(r, {"产权": 2, "月租": 3}) if zone != "地面" else "月租",
                r.choice(sold) if use else None,
            )
        )
    staff, jobs = (
        [],
        [
            ("维修工", "工程部", 7),
            ("保安", "秩序部", 9),
            ("保洁员", "环境部", 8),
            ("客服", "客服部", 4),
            ("电工", "工程部", 3),
            ("项目经理", "办公室", 1),
        ],
    )
    other = r.sample([x + m for x in "马罗梁宋郑谢韩唐" for m in MING], 32)
    for job, dep, n in jobs:
        for _ in range(n):
            staff.append(
                (
                    "E%03d" % (len(staff) + 1),
                    other[len(staff)],
                    dep,
                    job,
                    day(r, D(2015, 1, 1), D(2025, 9, 1)).isoformat(),
                    None,
                )
            )
    for i, d in ((2, "2025-12-31"), (11, "2026-04-15"), (20, "2026-07-31")):
        staff[i] = staff[i][:5] + (d,)
    months = [(2025, m) for m in range(6, 13)] + [(2026, m) for m in range(1, 12)]
    lazy = {h: r.random() ** 4 * 0.75 for h in sold}
    bills = []
    since = {o[0]: o[3] for o in owners}
    for y, m in months:
        for h in houses:
            if not h[2] or since[h[2]][:7] > "%d-%02d" % (y, m):
                continue
            dues = [("物业费", round(h[4] * {"A": 2.2, "B": 2.8, "C": 3.5}[h[0][0]], 2))]
            dues += [("停车费", 260.0 if s[2] == "月租" else 80.0) for s in spaces if s[3] == h[0]]
            if m in (11, 12, 1, 2) and h[0][0] != "A" and r.random() < 0.5:
                dues.append(("公摊能耗费", round(r.uniform(18, 66), 2)))
            for kind, money in dues:
                d = D(y, m, 1) + timedelta(days=int(r.expovariate(1 / 16)))
                late = r.random() < lazy[h[0]]
                if late:
                    d += timedelta(days=r.randrange(40, 400))
                if d > LAST:
                    bills.append([h[0], kind, "%d-%02d" % (y, m), money, 0.0, None, None, "未缴"])
                elif r.random() < 0.012:
                    bills.append(
                        [h[0], kind, "%d-%02d" % (y, m), money, round(money / 2, 2), d.isoformat(), "现金", "部分缴纳"]
                    )
                else:
                    bills.append(
                        [
                            h[0],
                            kind,
                            "%d-%02d" % (y, m),
                            money,
                            money,
                            d.isoformat(),
                            pick(r, {"微信": 7, "支付宝": 4, "银行代扣": 4, "现金": 1}),
                            "已缴",
                        ]
                    )
    bills = [("ZD%06d" % (i + 1), *b) for i, b in enumerate(bills)]
    fix = [s for s in staff if s[3] in ("维修工", "电工")]
    fw = {s[0]: r.uniform(0.4, 1.6) for s in fix}
    tell = {
        "水管": ["厨房水管漏水", "下水道堵塞", "马桶漏水"],
        "电路": ["客厅跳闸", "插座没电", "楼道灯不亮"],
        "门窗": ["入户门锁坏", "窗户关不严"],
        "电梯": ["电梯异响", "电梯按键失灵"],
        "公共区域": ["楼道墙皮脱落", "单元门禁坏"],
        "燃气": ["燃气表报警"],
    }
    need = {h: r.random() ** 2 for h in sold}
    for h in r.sample(sold, 24):
        need[h] = 0
    orders = []
    while len(orders) < 880:
        h = r.choices(sold, [need[h] for h in sold])[0]
        t = at(r, day(r, D(2025, 1, 2), D(2026, 11, 27)), 7, 23)
        owner = next(x[2] for x in houses if x[0] == h)
        if since[owner] > t.date().isoformat():
            continue
        kind = pick(r, {"水管": 9, "电路": 6, "门窗": 4, "电梯": 3, "公共区域": 3, "燃气": 1})
        e = pick(
            r,
            {
                s[0]: fw[s[0]]
                for s in fix
                if s[4] <= t.date().isoformat() and not (s[5] and t.date().isoformat() > s[5])
            },
        )
        done = t + timedelta(hours=r.expovariate(1 / 26) + 0.5)
        status = pick(r, {"已完成": 30, "已取消": 1.6})
        if status == "已完成" and (done > datetime(2026, 11, 28) or (t > datetime(2026, 11, 5) and r.random() < 0.65)):
            status = pick(r, {"处理中": 3, "待派单": 2})
        orders.append(
            (
                t,
                h,
                kind,
                r.choice(tell[kind]),
                None if status == "待派单" else e,
                done if status == "已完成" else None,
                status,
                r.choices([5, 4, 3, 2, 1], [10, 6, 2.4, 1, 0.8])[0]
                if status == "已完成" and r.random() < 0.62
                else None,
            )
        )
    orders.sort(key=lambda x: x[0])
    fmt = "%Y-%m-%d %H:%M"
    orders = [
        (
            "BX%s%03d" % (o[0].strftime("%y%m"), i + 1),
            o[1],
            o[0].strftime(fmt),
            o[2],
            o[3],
            o[4],
            o[5].strftime(fmt) if o[5] else None,
            o[6],
            o[7],
        )
        for i, o in enumerate(orders)
    ]
    make(
        "物业管理",
        """
CREATE TABLE 楼栋(楼栋编号 TEXT PRIMARY KEY, 楼栋名称 TEXT, 楼层数 INTEGER, 建成年份 INTEGER);
CREATE TABLE 业主(业主编号 TEXT PRIMARY KEY, 姓名 TEXT, 电话 TEXT, 入住日期 TEXT, 性别 TEXT);
CREATE TABLE 房屋(房号 TEXT PRIMARY KEY, 楼栋编号 TEXT REFERENCES 楼栋(楼栋编号), 业主编号 TEXT REFERENCES 业主(业主编号), 户型 TEXT, 建筑面积 REAL, 使用状态 TEXT);
CREATE TABLE 车位(车位号 TEXT PRIMARY KEY, 区域 TEXT, 类型 TEXT, 房号 TEXT REFERENCES 房屋(房号));
CREATE TABLE 员工(工号 TEXT PRIMARY KEY, 姓名 TEXT, 部门 TEXT, 岗位 TEXT, 入职日期 TEXT, 离职日期 TEXT);
CREATE TABLE 账单(账单号 TEXT PRIMARY KEY, 房号 TEXT REFERENCES 房屋(房号), 费用类型 TEXT, 账期 TEXT, 应收金额 REAL, 实收金额 REAL, 缴费日期 TEXT, 缴费方式 TEXT, 状态 TEXT);
CREATE TABLE 报修单(单号 TEXT PRIMARY KEY, 房号 TEXT REFERENCES 房屋(房号), 报修时间 TEXT, 类别 TEXT, 描述 TEXT, 处理人 TEXT REFERENCES 员工(工号), 完成时间 TEXT, 状态 TEXT, 评分 INTEGER);
""",
        {
            "楼栋": blocks,
            "业主": owners,
            "房屋": houses,
            "车位": spaces,
            "员工": staff,
            "账单": bills,
            "报修单": orders,
        },
    )


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    charging()
    auction()
    lifts()
    kennels()
    wuye()
