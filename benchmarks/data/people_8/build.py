#!/usr/bin/env python3
"""Writes nine small invented SQLite databases. python3 build.py [folder]. Fixed seeds, standard library only."""

import os
import random
import sqlite3
import sys
from datetime import date, datetime, timedelta

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "databases")
os.makedirs(OUT, exist_ok=True)
END = date(2026, 11, 13)


def new(name, ddl):
    p = os.path.join(OUT, name + ".sqlite")
    if os.path.exists(p):
        os.remove(p)
    c = sqlite3.connect(p)
    c.executescript(ddl)
    return c


def put(c, t, rows):
    if rows:
        c.executemany('INSERT INTO "%s" VALUES (%s)' % (t, ",".join("?" * len(rows[0]))), rows)


def fin(c):
    c.commit()
    c.execute("VACUUM")
    c.close()


def rd(r, a, b):
    return a + timedelta(days=r.randrange((b - a).days + 1))


def usd(x):
    return f"${x:,.2f}"


FIRST = [
    "Anna",
    "Ben",
    "Carla",
    "Dmitri",
    "Elsa",
    "Farid",
    "Grace",
    "Hugo",
    "Ines",
    "Jonas",
    "Kira",
    "Liam",
    "Mona",
    "Nils",
    "Olga",
    "Pedro",
    "Quinn",
    "Rosa",
    "Sam",
    "Tessa",
    "Umar",
    "Vera",
    "Will",
    "Xenia",
    "Yusuf",
    "Zoe",
    "Aiden",
    "Bella",
    "Cyrus",
    "Daphne",
    "Emil",
    "Fiona",
    "Gavin",
    "Helga",
    "Ivan",
    "Judy",
]
LAST = [
    "Abbott",
    "Brandt",
    "Castillo",
    "Dunne",
    "Eklund",
    "Farrow",
    "Gruber",
    "Hussain",
    "Iversen",
    "Jansen",
    "Kowalski",
    "Lindqvist",
    "Mbeki",
    "Novak",
    "Okafor",
    "Petrov",
    "Quigley",
    "Rossi",
    "Svensson",
    "Tanaka",
    "Ueda",
    "Varga",
    "Wagner",
    "Xu",
    "Yates",
    "Zeller",
]


def names(r, n):
    s, out = set(), []
    while len(out) < n:
        x = r.choice(FIRST) + " " + r.choice(LAST)
        if x not in s:
            s.add(x)
            out.append(x)
    return out


# 1 plain sales table -------------------------------------------------------
r = random.Random(801)
c = new(
    "deskco_sales",
    """CREATE TABLE sales(date TEXT, region TEXT, rep TEXT, product TEXT, category TEXT, channel TEXT,
 customer TEXT, qty INTEGER, unit_price REAL, disc_pct REAL, amount REAL, paid TEXT);""",
)
P = [
    ("Oak Desk", "Desks", 640),
    ("Sit-Stand Desk", "Desks", 890),
    ("Corner Desk", "Desks", 520),
    ("Swivel Chair", "Seating", 210),
    ("Mesh Chair", "Seating", 275),
    ("Visitor Bench", "Seating", 330),
    ("Bookcase", "Storage", 180),
    ("Filing Cabinet", "Storage", 240),
    ("Locker", "Storage", 155),
    ("Desk Lamp", "Accessories", 45),
    ("Monitor Arm", "Accessories", 95),
    ("Whiteboard", "Accessories", 120),
]
reps = {
    "North": ["Dana Whitfield", "Marcus Oyelaran"],
    "South": ["Priya Nair", "Tom Becker"],
    "East": ["Lena Sato", "Gus Moreno"],
    "West": ["Holly Pratt", "Dana Whitfield"],
}
cust = [
    "Acorn Dental",
    "Bluebird Media",
    "City Library",
    "Delta Freight",
    "Evergreen School",
    "Fjord Design",
    "Granite Bank",
    "Harbor Council",
    "Ivy Publishing",
    "Juniper Health",
    "Kestrel Air",
    "Lumen Energy",
]
rows, d = [], date(2024, 9, 2)
while d <= END:
    for _ in range(r.choice([0, 0, 1, 1, 2, 3]) if d.weekday() < 5 else r.choice([0, 0, 0, 1])):
        reg = r.choices(list(reps), [5, 3, 4, 2])[0]
        p = r.choices(P, [4, 6, 2, 9, 7, 2, 4, 4, 3, 9, 6, 3])[0]
        q = r.choice([1, 1, 2, 2, 3, 4, 5, 8, 10, 12, 20]) if p[2] < 300 else r.choice([1, 1, 2, 3, 4, 6])
        disc = r.choice([0, 0, 0, 0, 5, 5, 10, 15, 20])
        up = round(p[2] * (1 if d.year < 2026 else 1.04), 2)
        ch = r.choices(["Online", "Phone", "Showroom"], [5, 3, 2])[0]
        paid = "N" if (d > date(2026, 9, 1) and r.random() < 0.4) or r.random() < 0.03 else "Y"
        if p[0] == "Visitor Bench" and reg == "West":
            continue
        rows.append(
            (
                d.isoformat(),
                reg,
                r.choice(reps[reg]),
                p[0],
                p[1],
                ch,
                r.choice(cust),
                q,
                up,
                disc,
                round(q * up * (1 - disc / 100), 2),
                paid,
            )
        )
    d += timedelta(days=1)
put(c, "sales", rows)
fin(c)

# 2 plain expenses table ----------------------------------------------------
r = random.Random(802)
c = new(
    "office_expenses",
    """CREATE TABLE expenses(exp_id INTEGER PRIMARY KEY, exp_date TEXT, employee TEXT, dept TEXT, category TEXT, vendor TEXT, descr TEXT,
 amount TEXT, pay_method TEXT, receipt INTEGER, reimbursed TEXT, reimb_date TEXT, approved_by TEXT, project TEXT);""",
)
V = {
    "Travel": (["Northern Rail", "SkyHop Airlines", "Metro Cabs"], 30, 900),
    "Meals": (["Bistro Lux", "Noodle Corner", "Daily Grind"], 8, 160),
    "Office Supplies": (["PaperMart", "Inkwell"], 5, 220),
    "Software": (["Cloudly", "PixelSoft", "Notely"], 15, 600),
    "Lodging": (["Hotel Aurora", "StayEasy"], 90, 780),
    "Training": (["SkillForge"], 120, 1900),
    "Postage": (["QuickParcel"], 4, 70),
}
D = {
    "Marketing": ["Amy Lund", "Chris Doyle", "Sofia Pak"],
    "Engineering": ["Ravi Menon", "Jules Carter", "Mei Lin", "Oskar Brandt"],
    "Finance": ["Helen Shaw", "Paul Ortiz"],
    "Support": ["Nina Kaya", "Bob Tully", "Iris Vance"],
}
boss = {"Marketing": "Greta Holm", "Engineering": "Alan Reyes", "Finance": "Greta Holm", "Support": "Alan Reyes"}
ds = sorted(rd(r, date(2025, 1, 6), date(2026, 11, 12)) for _ in range(720))
rows = []
for i, d in enumerate(ds, 1):
    dep = r.choices(list(D), [4, 5, 1, 3])[0]
    cat = r.choices(list(V), [5, 8, 4, 4, 3, 1, 2])[0]
    if cat == "Training" and dep == "Finance":
        cat = "Meals"
    v, lo, hi = V[cat]
    a = round(lo + (hi - lo) * r.random() ** 2, 2)
    re = "N" if (d > date(2026, 9, 20) and r.random() < 0.6) or r.random() < 0.05 else "Y"
    rows.append(
        (
            i,
            d.isoformat(),
            r.choice(D[dep]),
            dep,
            cat,
            r.choice(v),
            {"Travel": "trip", "Meals": "team lunch", "Lodging": "overnight stay"}.get(cat),
            usd(a),
            r.choices(["Card", "Cash", "Bank transfer"], [6, 3, 1])[0],
            int(r.random() > 0.12),
            re,
            (d + timedelta(days=r.randrange(4, 40))).isoformat() if re == "Y" else None,
            boss[dep] if re == "Y" or r.random() < 0.4 else None,
            r.choice([None, None, "Atlas", "Borealis", "Comet"]),
        )
    )
put(c, "expenses", rows)
fin(c)

# 3 web shop (yarn and knitting) -------------------------------------------
r = random.Random(803)
c = new(
    "yarnshop",
    """CREATE TABLE customers(cust_id INTEGER PRIMARY KEY, name TEXT, email TEXT, city TEXT, country TEXT, signup_date TEXT, newsletter INTEGER);
CREATE TABLE order_status(code TEXT PRIMARY KEY, label TEXT);
CREATE TABLE products(sku TEXT PRIMARY KEY, title TEXT, cat TEXT, list_price REAL, stock INTEGER, active INTEGER);
CREATE TABLE orders(order_no INTEGER PRIMARY KEY, cust_id INTEGER, order_dt TEXT, status TEXT, pay_method TEXT, ship_fee REAL, total REAL, voucher TEXT);
CREATE TABLE order_lines(order_no INTEGER, line_no INTEGER, sku TEXT, qty INTEGER, price REAL, line_total REAL);
CREATE TABLE refunds(refund_id INTEGER PRIMARY KEY, order_no INTEGER, refund_dt TEXT, amount REAL, reason TEXT);""",
)
put(c, "order_status", [("P", "Pending"), ("S", "Shipped"), ("D", "Delivered"), ("C", "Cancelled")])
T = [
    ("Merino Soft", "Yarn", 7.9),
    ("Alpaca Cloud", "Yarn", 11.5),
    ("Cotton Breeze", "Yarn", 4.6),
    ("Sock Twist", "Yarn", 9.2),
    ("Chunky Wool", "Yarn", 8.4),
    ("Silk Blend", "Yarn", 14.8),
    ("Mohair Mist", "Yarn", 12.3),
    ("Linen Thread", "Yarn", 6.7),
    ("Bamboo Needles 4mm", "Needles", 8.5),
    ("Bamboo Needles 6mm", "Needles", 8.9),
    ("Circular Needle Set", "Needles", 49.0),
    ("Crochet Hook Set", "Needles", 22.5),
    ("Sock Pattern Booklet", "Patterns", 5.5),
    ("Cable Sweater Pattern", "Patterns", 6.9),
    ("Baby Blanket Pattern", "Patterns", 4.9),
    ("Beginner Scarf Kit", "Kits", 29.9),
    ("Hat Kit", "Kits", 24.5),
    ("Amigurumi Fox Kit", "Kits", 27.0),
    ("Project Bag", "Accessories", 18.0),
    ("Stitch Markers", "Accessories", 3.9),
    ("Yarn Bowl", "Accessories", 34.0),
    ("Row Counter", "Accessories", 6.2),
    ("Pom Pom Maker", "Accessories", 9.9),
    ("Wool Wash", "Accessories", 12.0),
]
prods = [("YS%03d" % (101 + i), t, k, p, r.randrange(0, 180), int(i not in (7, 21))) for i, (t, k, p) in enumerate(T)]
prods[5] = prods[5][:4] + (0, 1)
prods[16] = prods[16][:4] + (0, 1)
put(c, "products", prods)
W = {
    "DE": ["Berlin", "Hamburg", "Leipzig"],
    "GB": ["London", "Leeds", "Bristol"],
    "FR": ["Paris", "Lyon"],
    "NL": ["Utrecht", "Delft"],
    "US": ["Portland", "Boston"],
    "SE": ["Malmo"],
}
cs = []
for i, n in enumerate(names(r, 230), 1):
    k = r.choices(list(W), [6, 7, 3, 2, 4, 1])[0]
    cs.append(
        (
            i,
            n,
            n.lower().replace(" ", ".") + "@example.org" if r.random() > 0.05 else None,
            r.choice(W[k]),
            k,
            rd(r, date(2023, 5, 1), date(2026, 11, 5)).isoformat(),
            int(r.random() < 0.45),
        )
    )
put(c, "customers", cs)
buyers = [x for x in cs if r.random() > 0.12]
O, L, R = [], [], []
for i in range(980):
    x = r.choice(buyers)
    lo = max(date.fromisoformat(x[5]), date(2024, 7, 1))
    O.append((rd(r, lo, END), x))
O.sort(key=lambda z: (z[0], z[1][0]))
rows = []
rid = 0
for i, (d, x) in enumerate(O, 50001):
    tot = 0
    for ln, p in enumerate(r.sample(prods[:-1], r.choice([1, 1, 2, 2, 3, 4])), 1):
        q = r.choice([1, 1, 2, 3, 4, 6]) if p[2] == "Yarn" else r.choice([1, 1, 1, 2])
        pr = round(p[3] * r.choice([1, 1, 1, 0.9]), 2)
        lt = round(q * pr, 2)
        tot += lt
        L.append((i, ln, p[0], q, pr, lt))
    st = (
        ("P" if r.random() < 0.6 else "S")
        if d > date(2026, 11, 4)
        else "C"
        if r.random() < 0.06
        else "S"
        if d > date(2026, 10, 25)
        else "D"
    )
    fee = 0.0 if tot > 60 else 4.95 if x[4] in ("GB", "DE", "NL", "FR") else 9.5
    rows.append(
        (
            i,
            x[0],
            "%s %02d:%02d"
            % (
                d,
                r.choices(range(24), [1, 1, 1, 0, 0, 0, 1, 2, 4, 6, 6, 5, 6, 5, 4, 4, 5, 6, 8, 9, 11, 8, 5, 3])[0],
                r.randrange(60),
            ),
            st,
            r.choices(["card", "paypal", "invoice"], [6, 5, 2])[0],
            fee,
            round(tot + fee, 2),
            r.choice([None] * 6 + ["KNIT10", "WELCOME"]),
        )
    )
    if st == "D" and r.random() < 0.09:
        rid += 1
        R.append(
            (
                rid,
                i,
                (d + timedelta(days=r.randrange(3, 21))).isoformat(),
                round(tot * r.choice([1, 1, 0.5, 0.3]), 2),
                r.choices(["wrong colour", "damaged", "changed mind", "arrived late"], [4, 3, 6, 2])[0],
            )
        )
put(c, "orders", rows)
put(c, "order_lines", L)
put(c, "refunds", [x for x in R if x[2] <= END.isoformat()])
fin(c)

# 4 subscriptions (toy boxes) ----------------------------------------------
r = random.Random(804)
c = new(
    "toybox_subs",
    """CREATE TABLE plans(plan_id INTEGER PRIMARY KEY, plan_name TEXT, age_band TEXT, fee_month REAL, toys_per_box INTEGER, retired INTEGER);
CREATE TABLE families(fam_id INTEGER PRIMARY KEY, fam_name TEXT, town TEXT, kids INTEGER, joined TEXT, found_us TEXT);
CREATE TABLE subscriptions(sub_id INTEGER PRIMARY KEY, fam_id INTEGER, plan_id INTEGER, start_date TEXT, end_date TEXT, cancel_reason TEXT, auto_renew TEXT);
CREATE TABLE invoices(inv_no TEXT PRIMARY KEY, sub_id INTEGER, issued TEXT, due TEXT, amt REAL, status TEXT, paid_on TEXT);""",
)
plans = [
    (1, "Tiny", "0-1", 14.0, 3, 0),
    (2, "Explorer", "1-3", 19.0, 4, 0),
    (3, "Builder", "3-5", 24.0, 5, 0),
    (4, "Inventor", "5-8", 29.5, 5, 0),
    (5, "Mega Mix", "1-8", 39.0, 9, 0),
    (6, "Classic", "1-5", 17.0, 4, 1),
]
put(c, "plans", plans)
towns = ["Ashford", "Brockham", "Cranleigh", "Dorking", "Epsom", "Farnham"]
fams = [
    (
        i,
        l,
        r.choices(towns, [5, 2, 3, 6, 4, 3])[0],
        r.choices([1, 2, 3, 4], [6, 6, 2, 1])[0],
        rd(r, date(2024, 1, 5), date(2026, 10, 28)).isoformat(),
        r.choice(["friend", "instagram", "flyer", "search", None]),
    )
    for i, l in enumerate(["The " + x.split()[1] + "s (" + x.split()[0] + ")" for x in names(r, 190)], 1)
]
put(c, "families", fams)
S, I, sid, n = [], [], 0, 0
for f in fams:
    if r.random() < 0.07:
        continue
    s = date.fromisoformat(f[4])
    for k in range(r.choice([1, 1, 1, 2])):
        if s > date(2026, 11, 1):
            break
        sid += 1
        p = plans[5] if s < date(2024, 12, 1) and r.random() < 0.4 else r.choices(plans[:5], [2, 5, 4, 3, 2])[0]
        e = s + timedelta(days=r.randrange(40, 620)) if r.random() < 0.55 else None
        if e and e > END:
            e = None
        S.append(
            (
                sid,
                f[0],
                p[0],
                s.isoformat(),
                e.isoformat() if e else None,
                r.choice(["too expensive", "child outgrew", "moved away", None]) if e else None,
                r.choice("YYN") if not e else "N",
            )
        )
        m = s
        while m <= (e or END):
            n += 1
            du = m + timedelta(days=14)
            z = r.random()
            if du > date(2026, 11, 20):
                stt = "paid" if z < 0.4 else "unpaid"
            elif m > date(2026, 6, 1):
                stt = "paid" if z < 0.85 else "overdue"
            else:
                stt = "paid" if z < 0.985 else "overdue"
            I.append(
                [
                    "",
                    sid,
                    m.isoformat(),
                    du.isoformat(),
                    p[3],
                    stt,
                    min(m + timedelta(days=r.randrange(0, 24)), date(2026, 11, 19)).isoformat()
                    if stt == "paid"
                    else None,
                ]
            )
            m = (m.replace(day=1) + timedelta(days=32)).replace(day=min(s.day, 28))
        if not e:
            break
        s = e + timedelta(days=r.randrange(10, 90))
put(c, "subscriptions", S)
I.sort(key=lambda x: (x[2], x[1]))
for k, x in enumerate(I, 1):
    x[0] = "TB-%05d" % k
put(c, "invoices", [tuple(x) for x in I])
fin(c)

# 5 warehouse ---------------------------------------------------------------
r = random.Random(805)
c = new(
    "whse",
    """CREATE TABLE loc(loc_code TEXT PRIMARY KEY, zone TEXT, loc_type TEXT, max_pallets INTEGER, blocked TEXT);
CREATE TABLE item(item_no TEXT PRIMARY KEY, descr TEXT, grp TEXT, uom TEXT, wt_kg REAL, min_stk INTEGER);
CREATE TABLE operator(op_id INTEGER PRIMARY KEY, op_name TEXT, shift TEXT, forklift INTEGER);
CREATE TABLE mvmt(mv_id INTEGER PRIMARY KEY, mv_ts TEXT, mv_type TEXT, item_no TEXT, from_loc TEXT, to_loc TEXT, qty INTEGER, op_id INTEGER, note TEXT);
CREATE TABLE mv_types(code TEXT PRIMARY KEY, meaning TEXT);""",
)
put(
    c,
    "mv_types",
    [("IN", "goods received"), ("OUT", "dispatched"), ("TRF", "moved inside"), ("ADJ", "stock correction")],
)
locs = [
    ("%s-%02d" % (z, k), z, t, m, "Y" if (z, k) in (("B", 3), ("C", 5)) else "N")
    for z, t, m, nn in [("A", "rack", 12, 8), ("B", "rack", 10, 8), ("C", "cold", 6, 5), ("F", "floor", 30, 4)]
    for k in range(1, nn + 1)
] + [("DOCK-1", "D", "dock", 20, "N"), ("DOCK-2", "D", "dock", 16, "N")]
put(c, "loc", locs)
it = [
    "Olive Oil 5L",
    "Sunflower Oil 10L",
    "Basmati Rice 20kg",
    "Flour 25kg",
    "Sugar 25kg",
    "Tinned Tomatoes x24",
    "Chickpeas x24",
    "Frozen Peas 10kg",
    "Frozen Fries 12kg",
    "Ice Cream Tub x8",
    "Butter 10kg",
    "Dish Soap x12",
    "Bleach x6",
    "Paper Towels x18",
    "Bin Bags x50",
    "Napkins x40",
    "Paper Cups x1000",
    "Sea Salt 10kg",
    "Honey x12",
    "Soy Sauce x12",
]
gr = ["Dry"] * 7 + ["Cold"] * 4 + ["Cleaning"] * 2 + ["Paper"] * 4 + ["Dry"] * 3
gr[14] = "Cleaning"
items = [
    (
        "I%04d" % (2001 + i),
        t,
        g,
        r.choice(["case", "bag", "box"]),
        round(r.uniform(3, 26), 1),
        r.choice([20, 30, 40, 60]),
    )
    for i, (t, g) in enumerate(zip(it, gr))
]
put(c, "item", items)
ops = [
    (i, n, s, f)
    for i, (n, s, f) in enumerate(
        [
            ("Kofi Addo", "early", 1),
            ("Marta Zielinska", "early", 1),
            ("Steve Hollis", "late", 0),
            ("Anh Tran", "late", 1),
            ("Bea Costa", "night", 0),
            ("Igor Pavlov", "night", 1),
            ("Lou Marsh", "early", 0),
        ],
        1,
    )
]
put(c, "operator", ops)
lc = [x[0] for x in locs if x[1] != "D" and x[4] == "N" and x[0] != "F-04"]
cold = [x for x in lc if x[0] == "C"]
dry = [x for x in lc if x[0] != "C"]
stock, rows, d, k = {}, [], date(2025, 10, 1), 0
while d <= END:
    for _ in range(r.choice([2, 3, 4, 5, 6]) if d.weekday() < 6 else r.choice([0, 1])):
        x = r.choice(items[:-1])
        pool = cold if x[2] == "Cold" else dry
        have = [l for l in pool if stock.get((x[0], l), 0) > 3]
        z = r.random()
        ts = datetime(d.year, d.month, d.day, r.randrange(6, 22), r.randrange(60)).strftime("%Y-%m-%d %H:%M")
        op = r.choices(ops[:6], [6, 5, 4, 4, 2, 2])[0][0]
        if not have or z < 0.36:
            t = r.choice(pool)
            q = r.choice([24, 30, 36, 48, 60])
            stock[x[0], t] = stock.get((x[0], t), 0) + q
            row = ["IN", x[0], r.choice(["DOCK-1", "DOCK-1", "DOCK-2"]), t, q, op, None]
        else:
            f = r.choice(have)
            q = r.randrange(2, max(3, stock[x[0], f]))
            q = min(q, stock[x[0], f])
            stock[x[0], f] -= q
            if z < 0.8:
                row = ["OUT", x[0], f, r.choice(["DOCK-1", "DOCK-2"]), q, op, None]
            elif z < 0.96:
                t = r.choice([l for l in pool if l != f])
                stock[x[0], t] = stock.get((x[0], t), 0) + q
                row = ["TRF", x[0], f, t, q, op, r.choice([None, None, "make room"])]
            else:
                row = ["ADJ", x[0], f, None, min(q, 5), op, r.choice(["damaged", "expired", "count error"])]
                stock[x[0], f] += q - min(q, 5)
        rows.append([ts] + row)
    d += timedelta(days=1)
rows.sort(key=lambda x: x[0][:10])
put(c, "mvmt", [tuple([i] + x) for i, x in enumerate(rows, 1)])
fin(c)

# 6 school ------------------------------------------------------------------
r = random.Random(806)
c = new(
    "hillview_school",
    """CREATE TABLE teachers(tid INTEGER PRIMARY KEY, name TEXT, main_subj TEXT, since INTEGER);
CREATE TABLE classes(cls TEXT PRIMARY KEY, year_grp INTEGER, form_tutor INTEGER, room TEXT);
CREATE TABLE pupils(pid INTEGER PRIMARY KEY, fname TEXT, lname TEXT, sex TEXT, dob TEXT, cls TEXT, lunch TEXT, bus INTEGER, left_on TEXT);
CREATE TABLE subjects(code TEXT PRIMARY KEY, subject TEXT);
CREATE TABLE marks(mark_id INTEGER PRIMARY KEY, pid INTEGER, subj TEXT, tested TEXT, score INTEGER, tid INTEGER);
CREATE TABLE absences(abs_id INTEGER PRIMARY KEY, pid INTEGER, abs_date TEXT, days REAL, reason TEXT, excused INTEGER);""",
)
sub = [("MAT", "Maths"), ("ENG", "English"), ("SCI", "Science"), ("HIS", "History"), ("ART", "Art"), ("FRE", "French")]
put(c, "subjects", sub)
te = [
    (i, n, s, y)
    for i, (n, s, y) in enumerate(
        [
            ("Mr Barlow", "MAT", 2009),
            ("Ms Okoye", "ENG", 2016),
            ("Mrs Finch", "SCI", 2012),
            ("Mr Lindgren", "HIS", 2019),
            ("Ms Duarte", "ART", 2021),
            ("Mme Roche", "FRE", 2014),
            ("Mr Singh", "MAT", 2023),
            ("Ms Pell", "SCI", 2024),
        ],
        1,
    )
]
put(c, "teachers", te)
cl = [
    ("7A", 7, 1, "R12"),
    ("7B", 7, 2, "R14"),
    ("8A", 8, 3, "Lab 1"),
    ("8B", 8, 4, "R20"),
    ("9A", 9, 6, "R21"),
    ("9B", 9, 7, "R22"),
]
put(c, "classes", cl)
pu = []
for i, n in enumerate(names(r, 150), 1):
    k = r.choice(cl)
    y = 2022 - k[1] + 0
    pu.append(
        (
            i,
            n.split()[0],
            n.split()[1],
            r.choice("MF"),
            rd(r, date(2021 - k[1], 9, 1), date(2022 - k[1], 8, 31)).isoformat(),
            k[0],
            r.choices(["school", "packed", "home"], [5, 4, 1])[0],
            int(r.random() < 0.35),
            rd(r, date(2026, 1, 10), date(2026, 10, 30)).isoformat() if r.random() < 0.05 else None,
        )
    )
put(c, "pupils", pu)
M, A = [], []
tests = [
    date(2025, 10, 14),
    date(2025, 12, 9),
    date(2026, 2, 17),
    date(2026, 4, 28),
    date(2026, 6, 16),
    date(2026, 9, 29),
    date(2026, 11, 3),
]
for p in pu:
    ab = r.gauss(66, 11)
    for s, _ in sub:
        for t in tests:
            t2 = t + timedelta(days=[x[0] for x in sub].index(s))
            if r.random() < 0.55 and (not p[8] or t2.isoformat() < p[8]):
                tt = [x[0] for x in te if x[2] == s]
                M.append(
                    (
                        p[0],
                        s,
                        t2.isoformat(),
                        max(12, min(100, int(r.gauss(ab + {"MAT": -5, "ART": 8, "FRE": -3}.get(s, 0), 10)))),
                        tt[p[0] % len(tt)],
                    )
                )
    for _ in range(int(r.expovariate(0.34))):
        d = rd(r, date(2025, 9, 8), date(2026, 11, 12))
        if d.weekday() > 4 or d.month in (7, 8) or (p[8] and d.isoformat() > p[8]):
            continue
        rs = r.choices(["ill", "dentist", "holiday", "family", None], [8, 2, 2, 2, 3])[0]
        A.append((p[0], d.isoformat(), r.choice([0.5, 1, 1, 1, 2, 3]), rs, int(rs in ("ill", "dentist", "family"))))
M.sort(key=lambda x: (x[2], x[0]))
A.sort(key=lambda x: (x[1], x[0]))
put(c, "marks", [(i,) + x for i, x in enumerate(M, 1)])
put(c, "absences", [(i,) + x for i, x in enumerate(A, 1)])
fin(c)

# 7 personal finance --------------------------------------------------------
r = random.Random(807)
c = new(
    "my_money",
    """CREATE TABLE accounts(acc_id INTEGER PRIMARY KEY, acc_name TEXT, bank TEXT, acc_type TEXT, opening_bal REAL, opened TEXT, closed TEXT);
CREATE TABLE categories(cat_id INTEGER PRIMARY KEY, cat_name TEXT, kind TEXT, monthly_budget REAL);
CREATE TABLE transactions(txn_id INTEGER PRIMARY KEY, acc_id INTEGER, txn_date TEXT, payee TEXT, amount REAL, cat_id INTEGER, cleared INTEGER, memo TEXT);
CREATE TABLE transfers(tr_id INTEGER PRIMARY KEY, tr_date TEXT, from_acc INTEGER, to_acc INTEGER, amount REAL);""",
)
put(
    c,
    "accounts",
    [
        (1, "Everyday", "Northbank", "checking", 1240.55, "2019-03-11", None),
        (2, "Joint", "Northbank", "checking", 860.0, "2021-06-02", None),
        (3, "Rainy Day", "Clearwater", "savings", 5200.0, "2020-01-20", None),
        (4, "Visa Gold", "Clearwater", "credit", -310.2, "2022-08-15", None),
        (5, "Old Savings", "Harbour Trust", "savings", 95.0, "2015-04-01", "2025-12-30"),
        (6, "Holiday Pot", "Clearwater", "savings", 400.0, "2024-02-10", None),
    ],
)
K = [
    (1, "Salary", "income", None),
    (2, "Freelance", "income", None),
    (3, "Interest", "income", None),
    (4, "Groceries", "expense", 450),
    (5, "Rent", "expense", 1150),
    (6, "Eating Out", "expense", 180),
    (7, "Transport", "expense", 120),
    (8, "Utilities", "expense", 210),
    (9, "Clothes", "expense", 90),
    (10, "Fun", "expense", 100),
    (11, "Health", "expense", 60),
    (12, "Gifts", "expense", 50),
    (13, "Pets", "expense", None),
]
put(c, "categories", K)
pay = {
    4: (["Greenmart", "Aldo's Market", "Corner Deli", "FreshBasket"], 6, 118),
    6: (["Pizza Nova", "Ramen Bar", "Cafe Lola", "Burger Yard"], 5, 74),
    7: (["City Transit", "FuelStop", "RideNow"], 2.5, 66),
    9: (["Threadz", "Shoe Barn"], 15, 140),
    10: (["Cinema Rex", "Streamly", "GameNest"], 6, 65),
    11: (["Dr Kim", "WellLife Pharmacy"], 8, 130),
    12: (["Bloom Florist", "BookNook"], 10, 95),
}
T, X, d = [], [], date(2025, 1, 1)
while d <= END:
    if d.day == 1:
        T.append((2, d, "Oakfield Lettings", -1150.0 if d < date(2026, 4, 1) else -1195.0, 5, None))
    if d.day == 25:
        T.append((1, d, "Brightside Ltd", 3150.0 if d.year < 2026 else 3290.0, 1, None))
    if d.day == 8:
        T.append((2, d, "PowerCo", -round(r.uniform(70, 160), 2), 8, None))
    if d.day == 12:
        T.append((2, d, "FibreNet", -38.99, 8, "internet"))
    if d.day == 28 and d.month % 3 == 0:
        T.append((3, d, "Clearwater", round(r.uniform(18, 33), 2), 3, None))
    if r.random() < 0.045:
        T.append((1, d, r.choice(["Studio Vega", "Lakeside Press"]), round(r.uniform(120, 780), 2), 2, None))
    for _ in range(r.choice([0, 0, 1, 1, 2, 2, 3])):
        k = r.choices(list(pay), [9, 6, 5, 1, 3, 1, 1])[0]
        p, lo, hi = pay[k]
        pp = r.choice(p)
        cat = k if r.random() > 0.03 else None
        T.append(
            (
                r.choices([1, 2, 4], [4, 3, 4])[0],
                d,
                pp,
                -round(lo + (hi - lo) * r.random() ** 1.8, 2),
                cat,
                r.choice([None] * 5 + ["with Jo", "birthday"]),
            )
        )
    if d.day == 26:
        X.append((d.isoformat(), 1, 2, 900.0 if d.year == 2025 else 950.0))
        X.append((d.isoformat(), 1, 3, float(r.choice([150, 200, 250, 300]))))
    if d.day == 15:
        X.append((d.isoformat(), 1, 4, round(r.uniform(250, 600), 2)))
    if d.day == 3 and d.month % 2:
        X.append((d.isoformat(), 3, 6, float(r.choice([60, 80, 120]))))
    if d == date(2025, 12, 29):
        X.append((d.isoformat(), 5, 3, 95.0))
    d += timedelta(days=1)
put(
    c,
    "transactions",
    [
        (i, a, x.isoformat(), p, m, k, int(x < date(2026, 11, 6) or i % 3 == 0), n)
        for i, (a, x, p, m, k, n) in enumerate(T, 1)
    ],
)
put(c, "transfers", [(i,) + x for i, x in enumerate(X, 1)])
fin(c)

# 8 图书借阅 -----------------------------------------------------------------
r = random.Random(808)
c = new(
    "tushu_jieyue",
    """CREATE TABLE 读者(读者编号 TEXT PRIMARY KEY, 姓名 TEXT, 性别 TEXT, 院系 TEXT, 读者类型 TEXT, 办证日期 TEXT, 是否停用 TEXT);
CREATE TABLE 分类(分类号 TEXT PRIMARY KEY, 分类名称 TEXT);
CREATE TABLE 图书(书号 TEXT PRIMARY KEY, 书名 TEXT, 作者 TEXT, 分类号 TEXT, 出版社 TEXT, 出版年 INTEGER, 定价 REAL, 馆藏册数 INTEGER);
CREATE TABLE 借阅(借阅号 INTEGER PRIMARY KEY, 读者编号 TEXT, 书号 TEXT, 借出日期 TEXT, 应还日期 TEXT, 归还日期 TEXT, 续借次数 INTEGER);
CREATE TABLE 罚款(罚款号 INTEGER PRIMARY KEY, 借阅号 INTEGER, 金额 REAL, 是否缴纳 TEXT, 缴款日期 TEXT);""",
)
put(
    c,
    "分类",
    [
        ("I", "文学"),
        ("K", "历史地理"),
        ("TP", "计算机"),
        ("F", "经济"),
        ("B", "哲学心理"),
        ("J", "艺术"),
        ("O", "数理化"),
        ("Z", "综合"),
    ],
)
sur, giv = (
    "王李张刘陈杨赵黄周吴徐孙马朱胡林郭何高罗",
    [
        "伟",
        "芳",
        "娜",
        "敏",
        "静",
        "磊",
        "洋",
        "艳",
        "勇",
        "杰",
        "娟",
        "涛",
        "明",
        "超",
        "霞",
        "思远",
        "雨桐",
        "子涵",
        "浩然",
        "晓彤",
        "文博",
        "佳怡",
        "志强",
        "梦瑶",
    ],
)


def zh(n):
    o, s = [], set()
    while len(o) < n:
        x = r.choice(sur) + r.choice(giv)
        if x not in s:
            s.add(x)
            o.append(x)
    return o


RD = [
    (
        "D%04d" % i,
        n,
        r.choice("男女"),
        r.choices(["中文系", "计算机学院", "经管学院", "外语学院", "艺术学院"], [3, 6, 5, 3, 2])[0],
        r.choices(["本科生", "研究生", "教师"], [7, 3, 2])[0],
        rd(r, date(2022, 9, 1), date(2026, 10, 10)).isoformat(),
        "是" if r.random() < 0.06 else "否",
    )
    for i, n in enumerate(zh(170), 1)
]
RD[:3] = [x[:5] + ("2022-09-0%d" % (j + 1), x[6]) for j, x in enumerate(RD[:3])]
put(c, "读者", RD)
BK = "I:夜航船上 南方的雪 长街旧梦 蝉鸣之夏 白石镇 归途有灯 海上书简;K:丝路纪行 大明驿站 城墙与河流 地图的故事 唐人日常;TP:算法十讲 数据库入门 编程之路 网络安全实践 机器学习漫谈 操作系统笔记 前端开发手册;F:货币简史 市场与人 会计基础 消费的秘密;B:情绪地图 沉思片段 思考的艺术;J:水墨入门 电影语言 设计的边界;O:趣味数学 化学元素谈 物理之美 概率漫步"
pub = ["青山出版社", "江河出版社", "星海出版社", "学林书局"]
au = zh(20)
B = []
for g in BK.split(";"):
    k, t = g.split(":")
    for n in t.split():
        B.append(
            (
                "B%03d" % (len(B) + 1),
                n,
                r.choice(au),
                k,
                r.choice(pub),
                r.randrange(2008, 2026),
                round(r.uniform(18, 96), 1),
                r.choice([1, 2, 3, 4, 5, 6]),
            )
        )
put(c, "图书", B)
J, F = [], []
ds = sorted(rd(r, date(2024, 9, 2), END) for _ in range(1250))
act = [x for x in RD if r.random() > 0.1]
for i, d in enumerate(ds, 1):
    x = r.choice(act)
    if d.isoformat() < x[5]:
        x = RD[r.randrange(3)]
    b = r.choices(B[:-2], [1 + (j * 7) % 5 for j in range(len(B) - 2)])[0]
    xu = r.choice([0, 0, 0, 1, 2])
    due = d + timedelta(days=(60 if x[4] == "教师" else 30) + 15 * xu)
    back = d + timedelta(days=int(r.triangular(2, 80, 26)))
    if back > END or r.random() < 0.01:
        back = None
    J.append((i, x[0], b[0], d.isoformat(), due.isoformat(), back.isoformat() if back else None, xu))
    if back and back > due:
        p = r.random() < 0.8
        F.append(
            (
                len(F) + 1,
                i,
                round(0.2 * (back - due).days, 1),
                "是" if p else "否",
                min(back + timedelta(days=r.randrange(0, 9)), END).isoformat() if p else None,
            )
        )
put(c, "借阅", J)
put(c, "罚款", F)
fin(c)

# 9 连锁超市 -----------------------------------------------------------------
r = random.Random(809)
c = new(
    "liansuo_chaoshi",
    """CREATE TABLE 门店(门店编号 TEXT PRIMARY KEY, 门店名称 TEXT, 城市 TEXT, 开业日期 TEXT, 面积 INTEGER, 店长 TEXT);
CREATE TABLE 商品(商品编码 TEXT PRIMARY KEY, 品名 TEXT, 大类 TEXT, 单位 TEXT, 进价 REAL, 售价 REAL, 是否下架 TEXT);
CREATE TABLE 会员(会员号 INTEGER PRIMARY KEY, 姓名 TEXT, 等级 TEXT, 入会日期 TEXT, 积分 INTEGER);
CREATE TABLE 销售明细(小票号 TEXT, 行号 INTEGER, 日期 TEXT, 门店编号 TEXT, 商品编码 TEXT, 数量 INTEGER, 金额 REAL, 支付方式 TEXT, 会员号 INTEGER);
CREATE TABLE 报损(报损号 INTEGER PRIMARY KEY, 日期 TEXT, 门店编号 TEXT, 商品编码 TEXT, 数量 INTEGER, 原因 TEXT);""",
)
sd = lambda d: "%d/%d/%d" % (d.year, d.month, d.day)
st = [
    ("S01", "人民路店", "杭州", "2018/5/20", 620, "钱海燕"),
    ("S02", "西湖店", "杭州", "2019/9/1", 480, "沈国平"),
    ("S03", "滨江店", "杭州", "2022/3/12", 350, "陆婷"),
    ("S04", "观前街店", "苏州", "2020/11/11", 540, "顾建华"),
    ("S05", "园区店", "苏州", "2023/6/18", 410, "沈国平"),
    ("S06", "老城店", "宁波", "2017/1/8", 700, "俞丽萍"),
    ("S07", "高铁站店", "宁波", "2026/11/10", 260, None),
]
put(c, "门店", st)
g = [
    ("纯牛奶", "乳品", "盒", 3.2, 4.5),
    ("酸奶", "乳品", "杯", 4.1, 6.5),
    ("奶酪棒", "乳品", "袋", 12, 19.9),
    ("苹果", "生鲜", "斤", 4, 6.8),
    ("香蕉", "生鲜", "斤", 2.5, 4.2),
    ("五花肉", "生鲜", "斤", 14, 19.8),
    ("鸡蛋", "生鲜", "盒", 9, 12.9),
    ("大米", "粮油", "袋", 32, 45),
    ("菜籽油", "粮油", "桶", 48, 65.5),
    ("挂面", "粮油", "包", 4.5, 7.2),
    ("薯片", "零食", "袋", 4.8, 8.5),
    ("巧克力", "零食", "盒", 16, 26.8),
    ("瓜子", "零食", "袋", 6, 9.9),
    ("矿泉水", "饮料", "瓶", 0.9, 2),
    ("可乐", "饮料", "瓶", 2.1, 3.5),
    ("绿茶饮料", "饮料", "瓶", 2.4, 4),
    ("洗衣液", "日用", "瓶", 19, 32.9),
    ("抽纸", "日用", "提", 11, 16.9),
    ("牙膏", "日用", "支", 7.5, 13.8),
    ("雨伞", "日用", "把", 18, 35),
]
gs = [("P%03d" % i,) + x + ("是" if x[0] == "奶酪棒" else "否",) for i, x in enumerate(g, 1)]
put(c, "商品", gs)
ms = [
    (
        8000 + i,
        n,
        r.choices(["普通", "银卡", "金卡"], [6, 3, 1])[0],
        sd(rd(r, date(2022, 1, 3), date(2026, 11, 8))),
        r.randrange(0, 5200),
    )
    for i, n in enumerate(zh(140), 1)
]
put(c, "会员", ms)
rows, ds = [], sorted(rd(r, date(2025, 3, 1), END) for _ in range(1150))
am = [m for m in ms if r.random() > 0.15]
for i, d in enumerate(ds, 1):
    s = r.choices(st[:6], [7, 5, 3, 5, 3, 6])[0]
    m = r.choice(am)[0] if r.random() < 0.55 else None
    z = r.choices(["微信", "支付宝", "现金", "银行卡"], [8, 6, 3, 2])[0]
    for ln, p in enumerate(r.sample(gs[:-1], r.choice([1, 1, 2, 2, 3, 4, 5])), 1):
        if p[1] == "奶酪棒" and d > date(2026, 6, 1):
            p = gs[0]
        q = r.choice([1, 1, 1, 2, 2, 3, 6])
        rows.append(
            ("X%06d" % (260000 + i), ln, sd(d), s[0], p[0], q, round(q * p[5] * r.choice([1, 1, 1, 0.9]), 2), z, m)
        )
put(c, "销售明细", rows)
bs = sorted(rd(r, date(2025, 3, 3), END) for _ in range(240))
put(
    c,
    "报损",
    [
        (
            i,
            sd(d),
            r.choice(st[:5])[0],
            r.choices(gs[:-1], [5, 6, 1, 9, 8, 5, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])[0][0],
            r.choice([1, 1, 2, 3, 5, 8]),
            r.choices(["过期", "破损", "变质"], [5, 3, 5])[0],
        )
        for i, d in enumerate(bs, 1)
    ],
)
fin(c)
