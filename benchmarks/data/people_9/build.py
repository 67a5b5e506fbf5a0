#!/usr/bin/env python3
"""Build the nine invented databases of people_9 (standard library only, fixed seeds).  python3 build.py [folder]"""

import datetime as D
import os
import random
import sqlite3
import sys

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
os.makedirs(OUT, exist_ok=True)


def make(name, tables):
    p = os.path.join(OUT, name + ".sqlite")
    if os.path.exists(p):
        os.remove(p)
    c = sqlite3.connect(p)
    for t, cols, rows in tables:
        c.execute('CREATE TABLE "%s" (%s)' % (t, cols))
        if rows:
            c.executemany('INSERT INTO "%s" VALUES (%s)' % (t, ",".join("?" * len(rows[0]))), rows)
    c.commit()
    c.execute("VACUUM")
    c.close()


def day(r, a, b):
    a, b = D.date.fromisoformat(a), D.date.fromisoformat(b)
    return a + D.timedelta(days=r.randint(0, (b - a).days))


def wc(r, items):
    return r.choices([i[0] for i in items], [i[1] for i in items])[0]


FIRST = [
    "Anna",
    "Ben",
    "Carla",
    "Dmitri",
    "Elena",
    "Femi",
    "Grace",
    "Hugo",
    "Irina",
    "Jonas",
    "Keiko",
    "Liam",
    "Maya",
    "Noor",
    "Oscar",
    "Priya",
    "Quentin",
    "Rosa",
    "Samir",
    "Tara",
    "Uma",
    "Victor",
    "Wendy",
    "Xavier",
    "Yara",
    "Zoe",
    "Adele",
    "Bruno",
    "Chidi",
    "Dora",
]
LAST = [
    "Abbott",
    "Becker",
    "Castillo",
    "Dubois",
    "Eriksen",
    "Fontaine",
    "Gupta",
    "Haddad",
    "Ivanova",
    "Jansen",
    "Kimura",
    "Lopez",
    "Moreau",
    "Nakamura",
    "Okafor",
    "Petrov",
    "Quinn",
    "Rossi",
    "Schmidt",
    "Tanaka",
    "Ueda",
    "Vargas",
    "Weber",
    "Yilmaz",
    "Zhang",
]


def names(r, n):
    s = []
    while len(s) < n:
        x = r.choice(FIRST) + " " + r.choice(LAST)
        if x not in s:
            s.append(x)
    return s


def space():
    r = random.Random(901)
    stars = [
        (1, "Aster", "G", 5710, 4.6),
        (2, "Borealis", "K", 4480, 11.2),
        (3, "Cindra", "M", 3120, 8.9),
        (4, "Dorval", "F", 6650, 23.7),
    ]
    pn = [
        "Arlo",
        "Brenna",
        "Calyx",
        "Druun",
        "Esker",
        "Fenna",
        "Galdor",
        "Hespa",
        "Ixion",
        "Jorvik",
        "Kaldera",
        "Lumen",
        "Marrow",
        "Nessa",
        "Orin",
        "Pella",
        "Quill",
        "Rhea",
        "Sorrel",
        "Tamsin",
        "Umbra",
        "Vesper",
        "Wyre",
        "Yonder",
    ]
    planets, moons = [], []
    mk = [
        "Ae",
        "Bo",
        "Ci",
        "Du",
        "El",
        "Fa",
        "Gi",
        "Ho",
        "Iu",
        "Ka",
        "Lo",
        "Mi",
        "Na",
        "Or",
        "Pe",
        "Ry",
        "Sa",
        "Te",
        "Vi",
        "Zu",
    ]
    mt = ["ra", "nis", "mon", "thea", "dor", "lia", "bus", "sha", "ton", "vra"]
    used = set(pn)
    for i, n in enumerate(pn, 1):
        k = wc(r, [("rocky", 10), ("gas giant", 6), ("ice giant", 4), ("dwarf", 4)])
        rad = {"rocky": (2400, 9000), "gas giant": (42000, 82000), "ice giant": (19000, 31000), "dwarf": (380, 1300)}[k]
        rad = r.randint(*rad)
        dist = round(r.uniform(40, 5200), 1)
        planets.append(
            (
                i,
                n,
                1 + (i * 7) % 4 if i > 6 else 1,
                k,
                rad,
                round((rad / 6371) ** 2.4, 3),
                dist,
                round(365 * (dist / 150) ** 1.5, 1),
                round(r.uniform(8, 900), 1),
                round(430 - 95 * (dist**0.25) + r.uniform(-20, 20), 1),
                int(k in ("gas giant", "ice giant") and r.random() < 0.5),
                None if i <= 5 else r.randint(1801, 2019),
                None if i <= 5 else r.choice(["H. Okafor", "L. Jansen", "M. Vargas", "Kimura Survey", "Tanaka Survey"]),
            )
        )
        for _ in range(0 if i in (3, 9, 17) else r.randint(1, 3) if k in ("rocky", "dwarf") else r.randint(4, 11)):
            while True:
                m = r.choice(mk) + r.choice(mt)
                if m not in used:
                    break
            used.add(m)
            moons.append(
                (
                    len(moons) + 1,
                    m,
                    i,
                    r.randint(12, 5400) if r.random() < 0.5 else r.randint(12, 600),
                    round(r.uniform(0.4, 220), 2),
                    r.randint(1805, 2024),
                    int(r.random() < 0.16),
                )
            )
    ag = [
        ("ESU", "European Space Union", "Belgium", 1975),
        ("NSB", "Northern Space Bureau", "Norway", 1988),
        ("JAX", "Japan Explorer Agency", "Japan", 1969),
        ("AUS", "Austral Space Office", "Australia", 1994),
        ("INX", "India Exploration Directorate", "India", 1972),
        ("BRZ", "Brazil Orbital Institute", "Brazil", 1996),
        ("CAN", "Canada Deep Space", "Canada", 2001),
    ]
    w = [9, 4, 7, 2, 6, 2, 0]
    base = [
        "Pathfinder",
        "Lantern",
        "Heron",
        "Kestrel",
        "Mariner",
        "Beacon",
        "Odessa",
        "Pilgrim",
        "Sentinel",
        "Courier",
        "Aurora",
        "Nomad",
        "Harbinger",
        "Compass",
        "Tempest",
    ]
    cnt, ms = {}, []
    for d in sorted(day(r, "2009-01-10", "2026-11-12") for _ in range(230)):
        b = r.choice(base)
        cnt[b] = cnt.get(b, 0) + 1
        st = wc(r, [("completed", 65), ("lost", 11), ("active", 24 if d.year > 2017 else 4)])
        end = (
            None if st == "active" else min(d + D.timedelta(days=r.randint(20, 1900)), D.date(2026, 11, 15)).isoformat()
        )
        ms.append(
            [
                len(ms) + 1,
                "%s %d" % (b, cnt[b]),
                r.choices([a[0] for a in ag], w)[0],
                r.choice([x for x in range(1, 25) if x not in (17, 20)]),
                d.isoformat(),
                end,
                round(r.uniform(35, 2900), 1),
                st,
                "N",
            ]
        )
    ast = [
        (
            i,
            n,
            r.choice(["Belgian", "Norwegian", "Japanese", "Indian", "Australian", "Brazilian", "Japanese", "Indian"]),
            r.randint(1952, 1996),
            r.choice([a[0] for a in ag[:6]]),
            int(r.random() < 0.35),
            r.choice("FM"),
        )
        for i, n in enumerate(names(r, 90), 1)
    ]
    crew = []
    for m in ms:
        if r.random() < 0.42:
            m[8] = "Y"
            for j, a in enumerate(r.sample(range(1, 85), r.randint(2, 7))):
                crew.append(
                    (
                        m[0],
                        a,
                        ["commander", "pilot", "engineer", "scientist", "scientist", "medic", "engineer"][j],
                        r.choice([0, 0, round(r.uniform(1, 30), 1)]),
                        r.randint(6, 410),
                    )
                )
    make(
        "space",
        [
            ("stars", "id INTEGER PRIMARY KEY, name TEXT, spectral_type TEXT, temp_k INTEGER, dist_ly REAL", stars),
            (
                "planets",
                "id INTEGER PRIMARY KEY, name TEXT, star_id INTEGER, kind TEXT, radius_km INTEGER, mass_earths REAL, dist_mkm REAL, year_days REAL, day_hrs REAL, avg_temp_c REAL, has_rings INTEGER, discovered_year INTEGER, discovered_by TEXT",
                planets,
            ),
            (
                "moons",
                "id INTEGER PRIMARY KEY, name TEXT, planet_id INTEGER REFERENCES planets(id), diameter_km INTEGER, orbit_days REAL, discovered_year INTEGER, has_ocean INTEGER",
                moons,
            ),
            ("agencies", "code TEXT PRIMARY KEY, name TEXT, country TEXT, founded INTEGER", ag),
            (
                "missions",
                "id INTEGER PRIMARY KEY, name TEXT, agency_code TEXT, planet_id INTEGER, launch_date TEXT, end_date TEXT, cost_musd REAL, status TEXT, crewed TEXT",
                ms,
            ),
            (
                "astronauts",
                "id INTEGER PRIMARY KEY, name TEXT, nationality TEXT, birth_year INTEGER, agency_code TEXT, retired INTEGER, gender TEXT",
                ast,
            ),
            (
                "crew",
                "mission_id INTEGER, astronaut_id INTEGER, role TEXT, spacewalk_hrs REAL, days_in_space INTEGER",
                crew,
            ),
        ],
    )


def music():
    r = random.Random(902)
    gen = [
        (1, "Rock"),
        (2, "Pop"),
        (3, "Jazz"),
        (4, "Electronic"),
        (5, "Hip-Hop"),
        (6, "Folk"),
        (7, "Metal"),
        (8, "Reggae"),
    ]
    lab = [
        (1, "Bluebird Records", "UK"),
        (2, "Nightjar", "US"),
        (3, "Solstice Sound", "Germany"),
        (4, "Paper Moon", "France"),
        (5, "Tin Roof", "US"),
        (6, "Kite & Key", "UK"),
    ]
    a1 = [
        "Velvet",
        "Hollow",
        "Silver",
        "Paper",
        "Electric",
        "Midnight",
        "Crooked",
        "Golden",
        "Static",
        "Ivory",
        "Scarlet",
        "Quiet",
    ]
    a2 = ["Foxes", "Harbour", "Lanterns", "Motel", "Tigers", "Parade", "Engine", "Sparrows", "Orchard", "Wolves"]
    arts, seen = [], set()
    solo = names(r, 26)
    for i in range(1, 61):
        if i <= 26:
            n, t = solo[i - 1], "solo"
        else:
            while True:
                n = (
                    "The %s %s" % (r.choice(a1), r.choice(a2))
                    if r.random() < 0.5
                    else "%s %s" % (r.choice(a1), r.choice(a2))
                )
                if n not in seen:
                    break
            t = "band" if r.random() < 0.85 else "duo"
        seen.add(n)
        arts.append(
            (
                i,
                n,
                t,
                r.choice(["UK", "US", "US", "Germany", "France", "Sweden", "Japan", "Nigeria"]),
                r.choices(range(1, 9), [9, 9, 4, 6, 5, 4, 3, 0])[0],
                r.randint(1978, 2021),
                int(r.random() < 0.75),
            )
        )
    w1 = [
        "Broken",
        "Empty",
        "Distant",
        "Sleeping",
        "Burning",
        "Lost",
        "Northern",
        "Hidden",
        "Plastic",
        "Second",
        "Lonely",
        "Rolling",
        "Frozen",
        "Open",
        "Borrowed",
    ]
    w2 = [
        "Roads",
        "Windows",
        "Summer",
        "Letters",
        "Rivers",
        "Satellites",
        "Mirrors",
        "Streets",
        "Gardens",
        "Signals",
        "Tides",
        "Machines",
        "Skies",
        "Ghosts",
        "Money",
        "Weekend",
    ]
    albums, tracks = [], []
    ttl = set()

    def title():
        for _ in range(999):
            t = r.choice(
                [
                    r.choice(w1) + " " + r.choice(w2),
                    r.choice(w2) + " of " + r.choice(w2),
                    r.choice(w1) + " " + r.choice(w2) + " " + r.choice(["Pt. 2", "Again", "Tonight", "Blues"]),
                ]
            )
            if t not in ttl:
                ttl.add(t)
                return t
        return None

    for d in sorted(
        day(r, "1996-01-05", "2026-11-06") if r.random() < 0.6 else day(r, "2018-01-05", "2026-11-06")
        for _ in range(150)
    ):
        aid = len(albums) + 1
        f = r.choices(["LP", "EP", "Live"], [7, 2, 1])[0]
        albums.append(
            (
                aid,
                r.randint(1, 55),
                title(),
                d.isoformat(),
                r.randint(1, 5),
                f,
                r.randint(900, 940000),
                r.choice([None, r.randint(31, 98), r.randint(31, 98)]),
            )
        )
        for k in range(1, (r.randint(3, 5) if f == "EP" else r.randint(6, 9)) + 1):
            tracks.append((len(tracks) + 1, aid, k, title(), r.randint(96, 540), "Y" if r.random() < 0.17 else "N"))
    for k, v in ((44, 561), (333, 557), (612, 552), (808, 88)):
        tracks[k] = tracks[k][:4] + (v,) + tracks[k][5:]
    top = r.sample(range(1, len(tracks) + 1), 170)
    chart, d = [], D.date(2025, 1, 3)
    cur = top[:10]
    while d <= D.date(2026, 11, 13):
        for k in range(r.randint(0, 3)):
            cur[r.randint(3, 9)] = r.choice([x for x in top if x not in cur])
        i, j = r.sample(range(10), 2)
        cur[i], cur[j] = cur[j], cur[i]
        i = r.randint(0, 8)
        cur[i], cur[i + 1] = cur[i + 1], cur[i]
        for p, t in enumerate(cur, 1):
            chart.append((d.isoformat(), p, t, r.randint(180000, 400000) + (11 - p) * 210000))
        d += D.timedelta(days=7)
    aw = []
    for y in range(2010, 2027):
        for c in ["Album of the Year", "Best New Artist", "Best Live Act", "Song of the Year"]:
            n = r.sample(range(1, 50), 4)
            for k, a in enumerate(n):
                aw.append((len(aw) + 1, y, c, a, int(k == 0)))
    make(
        "music",
        [
            ("genres", "id INTEGER PRIMARY KEY, name TEXT", gen),
            ("labels", "id INTEGER PRIMARY KEY, name TEXT, country TEXT", lab),
            (
                "artists",
                "id INTEGER PRIMARY KEY, name TEXT, type TEXT, country TEXT, genre_id INTEGER, started INTEGER, active INTEGER",
                arts,
            ),
            (
                "albums",
                "id INTEGER PRIMARY KEY, artist_id INTEGER, title TEXT, released TEXT, label_id INTEGER, format TEXT, copies_sold INTEGER, critic_score INTEGER",
                albums,
            ),
            (
                "tracks",
                "id INTEGER PRIMARY KEY, album_id INTEGER, track_no INTEGER, title TEXT, secs INTEGER, explicit TEXT",
                tracks,
            ),
            ("chart_entries", "week TEXT, pos INTEGER, track_id INTEGER, streams INTEGER", chart),
            ("awards", "id INTEGER PRIMARY KEY, year INTEGER, award TEXT, artist_id INTEGER, won INTEGER", aw),
        ],
    )


def email():
    r = random.Random(903)
    cols = [
        "Campaign ID",
        "Campaign Name",
        "Subject Line",
        "From Name",
        "Owner",
        "Campaign Type",
        "Audience",
        "Country",
        "Language",
        "Template",
        "Send Date",
        "Send Hour",
        "A/B Test",
        "Status",
        "Recipients",
        "Delivered",
        "Hard Bounces",
        "Soft Bounces",
        "Unique Opens",
        "Total Opens",
        "Unique Clicks",
        "Total Clicks",
        "Unsubscribes",
        "Spam Complaints",
        "Orders",
        "Revenue",
        "Cost",
        "Open Rate",
        "Click Rate",
        "Notes",
    ]
    typ = ["TEXT"] * 11 + ["INTEGER", "TEXT", "TEXT"] + ["INTEGER"] * 11 + ["REAL", "REAL", "REAL", "REAL", "TEXT"]
    rows = []
    for i, d in enumerate(sorted(day(r, "2024-06-03", "2026-11-17") for _ in range(620)), 1):
        t = wc(
            r,
            [
                ("Newsletter", 30),
                ("Promo", 30),
                ("Win-back", 12),
                ("Welcome", 10),
                ("Abandoned Cart", 12),
                ("Product Launch", 6),
            ],
        )
        au = wc(
            r,
            [("All Subscribers", 20), ("VIP", 12), ("New Customers", 18), ("Lapsed 90d", 15), ("Loyalty Members", 20)],
        )
        co, la = wc(
            r,
            [
                (("US", "English"), 40),
                (("UK", "English"), 25),
                (("Germany", "German"), 15),
                (("France", "French"), 10),
                (("Canada", "English"), 7),
                (("Canada", "French"), 3),
            ],
        )
        st = wc(r, [("Sent", 90), ("Cancelled", 5), ("Draft", 5)])
        ow = wc(r, [("Megan Holt", 30), ("Luis Ortega", 25), ("Priya Nair", 22), ("Tom Fisk", 13)])
        subj = r.choice(
            [
                "Don't miss out",
                "Your weekly roundup",
                "Last chance: %d%% off" % r.choice([10, 15, 20, 30]),
                "We miss you",
                "New in this week",
                "Free shipping ends tonight",
                "You left something behind",
                "Thanks for joining us",
                "A gift for you",
            ]
        )
        row = [
            "CMP-%04d" % i,
            "%s %s %s %d" % (co, t, d.strftime("%b %Y"), i % 97),
            subj,
            r.choice(["Alder & Co", "Alder & Co", "Megan from Alder", "Alder Support"]),
            ow,
            t,
            au,
            co,
            la,
            r.choice(["Classic", "Hero Image", "Plain Text", "Grid 3-up"]),
            d.isoformat(),
            r.choice([7, 8, 9, 9, 10, 10, 11, 13, 15, 17, 19]),
            "Y" if r.random() < 0.28 else "N",
            st,
        ]
        if st == "Sent":
            n = r.randint(800, 48000)
            hb, sb = int(n * r.uniform(0.001, 0.02)), int(n * r.uniform(0.001, 0.03))
            de = n - hb - sb
            op = int(de * r.uniform(0.09, 0.48))
            cl = int(op * r.uniform(0.03, 0.3))
            od = int(cl * r.uniform(0, 0.16))
            row += [
                n,
                de,
                hb,
                sb,
                op,
                int(op * r.uniform(1.1, 2)),
                cl,
                int(cl * r.uniform(1, 1.6)),
                int(de * r.uniform(0, 0.006)),
                int(de * r.uniform(0, 0.0006)),
                od,
                round(od * r.uniform(28, 96), 2),
                round(n * 0.0021 + r.uniform(5, 90), 2),
                round(100 * op / de, 2),
                round(100 * cl / de, 2),
                r.choice([None] * 6 + ["resend to non-openers", "legal approved", "test subject B won"]),
            ]
        else:
            row += [r.randint(800, 30000)] + [None] * 14 + [None]
        rows.append(row)
    make("email_export", [("email_campaigns", ", ".join('"%s" %s' % x for x in zip(cols, typ)), rows)])


def chat():
    r = random.Random(904)
    cols = [
        "Chat ID",
        "Date",
        "Start Time",
        "Weekday",
        "Agent",
        "Team",
        "Queue",
        "Channel",
        "Language",
        "Customer Name",
        "Customer ID",
        "Customer Tier",
        "Country",
        "Device",
        "Topic",
        "Sub Topic",
        "Wait Secs",
        "Duration Mins",
        "Messages",
        "Transfers",
        "Bot Handled",
        "Resolved",
        "CSAT",
        "NPS",
        "Order No",
        "Order Value",
        "Refund Amount",
        "Tags",
        "Escalated To",
        "Closed By",
    ]
    typ = ["TEXT"] * 16 + ["INTEGER", "REAL", "INTEGER", "INTEGER", "TEXT", "TEXT", "INTEGER", "INTEGER"] + ["TEXT"] * 6
    ags = [
        (n, t)
        for n, t in zip(
            [
                "Aisha Bell",
                "Colin Marsh",
                "Dana Kruse",
                "Eddie Lam",
                "Fiona Grant",
                "Gus Romero",
                "Hana Sato",
                "Ivo Novak",
                "Jess Tran",
                "Kofi Mensah",
            ],
            ["North", "North", "North", "South", "South", "South", "Night", "Night", "South", "North"],
        )
    ]
    cust = [
        (
            n,
            "C%04d" % (1000 + 7 * i),
            wc(r, [("Basic", 60), ("Plus", 28), ("Gold", 12)]),
            wc(r, [("US", 50), ("Canada", 18), ("UK", 20), ("Ireland", 6), ("Mexico", 6)]),
        )
        for i, n in enumerate(names(r, 210))
    ]
    top = {
        "Delivery": ["Late parcel", "Lost parcel", "Wrong address"],
        "Returns": ["Refund status", "Exchange"],
        "Payment": ["Card declined", "Double charge"],
        "Product": ["Defective", "Sizing", "How to use"],
        "Account": ["Login", "Close account"],
    }
    usd = lambda v: f"${v:,.2f}"
    rows = []
    for i, d in enumerate(sorted(day(r, "2025-03-01", "2026-11-18") for _ in range(1300)), 1):
        c = r.choice(cust)
        t = wc(r, [("Delivery", 36), ("Returns", 24), ("Payment", 14), ("Product", 17), ("Account", 9)])
        bot = r.random() < 0.22
        a = r.choices(ags, [10, 7, 9, 6, 12, 8, 5, 4, 9, 3])[0]
        res = r.random() < 0.78
        has = r.random() < 0.66 and t != "Account"
        val = round(r.lognormvariate(4.6, 0.9), 2)
        ref = has and t in ("Returns", "Product", "Delivery") and r.random() < 0.3
        h = r.choices(range(24), [1] * 7 + [3, 6, 8, 9, 9, 7, 8, 9, 8, 7, 6, 6, 5, 4, 3, 2, 1])[0]
        esc = None if bot or r.random() > 0.1 else r.choice(["Supervisor", "Billing", "Warehouse"])
        rows.append(
            (
                "CH%05d" % (i + 20000),
                "%d/%d/%d" % (d.year, d.month, d.day),
                "%02d:%02d" % (h, r.randint(0, 59)),
                d.strftime("%a"),
                None if bot else a[0],
                None if bot else a[1],
                r.choice(["General", "General", "Priority", "Billing"]),
                wc(r, [("Web", 55), ("App", 25), ("WhatsApp", 20)]),
                wc(r, [("English", 80), ("Spanish", 13), ("French", 7)]),
                c[0],
                c[1],
                c[2],
                c[3],
                r.choice(["Mobile", "Mobile", "Desktop", "Tablet"]),
                t,
                r.choice(top[t]),
                r.randint(0, 5) if bot else r.randint(3, 900),
                round(r.uniform(0.8, 9) if bot else r.uniform(2, 55), 1),
                r.randint(2, 60),
                0 if bot else r.choice([0, 0, 0, 0, 1, 1, 2, 3]),
                "Yes" if bot else "No",
                "Yes" if res else "No",
                r.choices([None, 1, 2, 3, 4, 5], [45, 5, 5, 8, 16, 21])[0],
                r.choice([None, None, None, r.randint(0, 10)]),
                "ORD-%d" % r.randint(50000, 99999) if has else None,
                usd(val) if has else None,
                usd(round(val * r.choice([1, 1, 0.5, 0.3]), 2)) if ref else None,
                r.choice([None, None, "vip", "repeat", "complaint", "praise"]),
                esc,
                "bot" if bot else r.choice(["agent", "agent", "customer", "timeout"]),
            )
        )
    make("chat_export", [("chats", ", ".join('"%s" %s' % x for x in zip(cols, typ)), rows)])


def crm():
    r = random.Random(905)
    ind = [
        ("MFG", "Manufacturing"),
        ("RTL", "Retail"),
        ("EDU", "Education"),
        ("FIN", "Financial Services"),
        ("LOG", "Logistics"),
        ("AGR", "Agriculture"),
        ("GOV", "Government"),
    ]
    stg = [
        ("10", "Prospecting", 1, 0, 0),
        ("20", "Qualified", 2, 0, 0),
        ("30", "Proposal", 3, 0, 0),
        ("40", "Negotiation", 4, 0, 0),
        ("90", "Closed Won", 5, 1, 1),
        ("95", "Closed Lost", 6, 0, 1),
    ]
    src = [("WEB", "Website"), ("REF", "Referral"), ("EVT", "Trade show"), ("OUT", "Cold outreach"), ("PTN", "Partner")]
    un = [
        "Nadia Frost",
        "Owen Blake",
        "Paula Reyes",
        "Rafael Costa",
        "Sonia Wirth",
        "Theo Lang",
        "Ulla Berg",
        "Vince Hardy",
        "Wanda Pike",
    ]
    usr = [
        (
            i,
            n,
            ["Enterprise", "Enterprise", "Mid-Market", "Mid-Market", "Mid-Market", "SMB", "SMB", "SMB", "Mgmt"][i - 1],
            None if i == 9 else 9 if i in (1, 3, 6) else {2: 1, 4: 3, 5: 3, 7: 6, 8: 6}[i],
        )
        for i, n in enumerate(un, 1)
    ]
    p1 = [
        "Acorn",
        "Bexley",
        "Corvus",
        "Dunmore",
        "Eastgate",
        "Fairway",
        "Granite",
        "Holloway",
        "Ironbridge",
        "Juniper",
        "Kestner",
        "Larkfield",
        "Meridian",
        "Norwood",
        "Oakham",
        "Pinnacle",
        "Quarry",
        "Redwood",
        "Sterling",
        "Thornton",
        "Upland",
        "Vantage",
        "Westbrook",
        "Yarrow",
    ]
    p2 = ["Ltd", "Group", "Holdings", "Systems", "Partners", "Foods", "Supply", "Works"]
    acct, used = [], set()
    for i in range(1, 141):
        while True:
            n = r.choice(p1) + " " + r.choice(p2)
            if n not in used:
                break
        used.add(n)
        acct.append(
            (
                i,
                n,
                r.choices([x[0] for x in ind], [9, 8, 4, 6, 5, 3, 0])[0],
                r.choice(["EMEA", "EMEA", "AMER", "AMER", "APAC"]),
                r.choice([None, r.randint(8, 9200), r.randint(8, 900), r.randint(8, 900)]),
                r.randint(1, 8),
                day(r, "2021-02-01", "2026-11-10").isoformat(),
                "Y" if r.random() < 0.85 else "N",
            )
        )
    cn, _cid = [], 0
    nm = names(r, 260)
    for i in range(260):
        f, l = nm[i].split()
        cn.append(
            (
                i + 1,
                r.randint(1, 128),
                f,
                l,
                r.choice(["CEO", "CFO", "Buyer", "Buyer", "IT Manager", "Ops Manager", "Owner", None]),
                (f[0] + l + str(i) + "@example.com").lower() if r.random() < 0.88 else None,
                "Y" if r.random() < 0.14 else "N",
            )
        )
    op = []
    for d in sorted(day(r, "2024-01-08", "2026-11-16") for _ in range(640)):
        cl = d + D.timedelta(days=r.randint(12, 190))
        today = D.date(2026, 11, 20)
        s = (
            r.choices(["90", "95"], [4, 6])[0]
            if cl < today and r.random() < 0.93
            else r.choice(["10", "20", "30", "40"])
        )
        a = r.randint(1, 122)
        op.append(
            (
                len(op) + 1,
                a,
                acct[a - 1][1].split()[0]
                + " - "
                + r.choice(["renewal", "new licences", "upgrade", "pilot", "support plan", "rollout"]),
                s,
                round(r.lognormvariate(9.6, 1), 2) if r.random() < 0.96 else None,
                d.isoformat(),
                cl.isoformat(),
                acct[a - 1][5] if r.random() < 0.8 else r.randint(1, 7),
                r.choices([x[0] for x in src], [8, 5, 3, 6, 2])[0],
                {"10": 10, "20": 25, "30": 50, "40": 75, "90": 100, "95": 0}[s],
            )
        )
    ac = []
    for i in range(1, 1901):
        o = r.choice(op[:600])
        d = min(D.date.fromisoformat(o[5]) + D.timedelta(days=r.randint(0, 150)), D.date(2026, 11, 19))
        ac.append(
            (
                i,
                o[0],
                r.randint(1, 240) if r.random() < 0.8 else None,
                wc(r, [("CALL", 45), ("EMAIL", 30), ("MTG", 17), ("DEMO", 8)]),
                d.isoformat(),
                r.randint(3, 120),
                "Y" if r.random() < 0.86 else "N",
                o[7] if r.random() < 0.85 else r.randint(1, 8),
            )
        )
    make(
        "crm_mini",
        [
            ("ind", "ind_cd TEXT, ind_nm TEXT", ind),
            ("stg", "stg_cd TEXT, stg_nm TEXT, sort_no INTEGER, is_won INTEGER, is_clsd INTEGER", stg),
            ("src", "src_cd TEXT, src_nm TEXT", src),
            ("usr", "usr_id INTEGER, usr_nm TEXT, team TEXT, mgr_id INTEGER", usr),
            (
                "acct",
                "acct_id INTEGER, acct_nm TEXT, ind_cd TEXT, rgn TEXT, emp_cnt INTEGER, own_id INTEGER, crt_dt TEXT, actv_flg TEXT",
                acct,
            ),
            (
                "cntct",
                "cntct_id INTEGER, acct_id INTEGER, fst_nm TEXT, lst_nm TEXT, ttl TEXT, email TEXT, opt_out TEXT",
                cn,
            ),
            (
                "oppty",
                "opp_id INTEGER, acct_id INTEGER, opp_nm TEXT, stg_cd TEXT, amt REAL, crt_dt TEXT, cls_dt TEXT, own_id INTEGER, src_cd TEXT, prob INTEGER",
                op,
            ),
            (
                "actv",
                "act_id INTEGER, opp_id INTEGER, cntct_id INTEGER, act_typ TEXT, act_dt TEXT, dur_min INTEGER, done_flg TEXT, own_id INTEGER",
                ac,
            ),
        ],
    )


def plant():
    r = random.Random(906)
    lines = [(1, "Stamping"), (2, "Molding"), (3, "Assembly"), (4, "Painting"), (5, "Packing")]
    mcs = []
    for i in range(1, 29):
        l = 1 + i % 5
        mcs.append(
            (
                i,
                "%s-%02d" % (["ST", "MO", "AS", "PA", "PK"][l - 1], i),
                {1: "Press", 2: "Injection unit", 3: "Robot cell", 4: "Spray booth", 5: "Wrapper"}[l] + " %d" % i,
                l,
                r.choice(["Kruger", "Amada-X", "Hallmark", "Sunwei"]),
                day(r, "2008-03-01", "2025-09-01").isoformat(),
                round(r.uniform(4, 95), 1),
                "N" if i in (7, 19) else "Y",
            )
        )
    sh = [("E", "Early", "06:00", "14:00"), ("L", "Late", "14:00", "22:00"), ("N", "Night", "22:00", "06:00")]
    rc = [
        ("R01", "Tool change", "Planned"),
        ("R02", "Breakdown", "Unplanned"),
        ("R03", "No material", "Unplanned"),
        ("R04", "Cleaning", "Planned"),
        ("R05", "Jam", "Unplanned"),
        ("R06", "No operator", "Unplanned"),
        ("R07", "Maintenance", "Planned"),
        ("R08", "Power cut", "Unplanned"),
    ]
    ops = [
        (
            101 + i,
            n,
            r.choice("EELLN"),
            day(r, "2009-01-05", "2026-08-20").isoformat(),
            round(r.uniform(16, 34), 2),
            None if r.random() < 0.87 else "2026-0%d-15" % r.randint(1, 9),
        )
        for i, n in enumerate(names(r, 46))
    ]
    parts = [
        ("P-%d" % (200 + 5 * i), n)
        for i, n in enumerate(
            [
                "Bracket",
                "Hinge",
                "Housing",
                "Lid",
                "Handle",
                "Clip",
                "Base plate",
                "Spacer",
                "Cover",
                "Frame",
                "Knob",
                "Tray",
            ]
        )
    ]
    wo = []
    act = [m for m in mcs if m[0] not in (7, 23)]
    for d in sorted(day(r, "2025-01-02", "2026-11-18") for _ in range(1500)):
        p = r.randint(50, 900)
        late = d > D.date(2026, 11, 8)
        s = wc(r, [("open", 3), ("running", 3), ("done", 1)]) if late else wc(r, [("done", 94), ("cancelled", 6)])
        good = (
            int(p * r.uniform(0.8, 1.02))
            if s == "done"
            else 0
            if s in ("open", "cancelled")
            else int(p * r.uniform(0.1, 0.6))
        )
        scrap = int(p * r.uniform(0, 0.09)) if good else 0
        shc = r.choices("ELN", [5, 4, 2])[0]
        h = {"E": 6, "L": 14, "N": 22}[shc] + r.randint(0, 1)
        wo.append(
            (
                70001 + len(wo),
                r.choice(act)[0],
                r.choice(parts[:11])[0],
                p,
                good,
                scrap,
                r.choice(ops[:43])[0],
                shc,
                "%s %02d:%02d" % (d, h, r.randint(0, 59)),
                s,
                (d + D.timedelta(days=r.randint(-2, 12))).isoformat(),
                round(r.uniform(0.4, 7.8), 2) if s == "done" else None,
            )
        )
    dt = []
    for d in sorted(day(r, "2025-01-02", "2026-11-18") for _ in range(900)):
        k = r.choices(rc, [20, 12, 9, 14, 16, 4, 8, 0])[0]
        dt.append(
            (
                len(dt) + 1,
                r.choice(mcs[:27])[0],
                r.choice(ops[:43])[0] if r.random() < 0.93 else None,
                r.choices("ELN", [5, 4, 4])[0],
                d.isoformat(),
                r.randint(3, 60) if k[0] != "R02" else r.randint(15, 480),
                k[0],
            )
        )
    make(
        "plant",
        [
            ("prod_lines", "line_id INTEGER, line_name TEXT", lines),
            (
                "machines",
                "mc_id INTEGER PRIMARY KEY, mc_code TEXT, mc_name TEXT, line_id INTEGER, maker TEXT, bought_on TEXT, power_kw REAL, in_use TEXT",
                mcs,
            ),
            ("shifts", "shift_cd TEXT, shift_name TEXT, from_hr TEXT, to_hr TEXT", sh),
            ("reasons", "reason_cd TEXT, descr TEXT, category TEXT", rc),
            (
                "operators",
                "op_id INTEGER PRIMARY KEY, op_name TEXT, home_shift TEXT, hired_on TEXT, hourly_wage REAL, left_on TEXT",
                ops,
            ),
            ("parts", "part_no TEXT, part_name TEXT", parts),
            (
                "work_orders",
                "wo_no INTEGER PRIMARY KEY, mc_id INTEGER, part_no TEXT, qty_plan INTEGER, qty_good INTEGER, qty_scrap INTEGER, op_id INTEGER, shift_cd TEXT, start_ts TEXT, status TEXT, due_dt TEXT, run_hrs REAL",
                wo,
            ),
            (
                "downtime",
                "dt_id INTEGER PRIMARY KEY, mc_id INTEGER, op_id INTEGER, shift_cd TEXT, dt_date TEXT, mins INTEGER, reason_cd TEXT",
                dt,
            ),
        ],
    )


def aid():
    r = random.Random(907)
    g = lambda d: d.strftime("%d.%m.%Y")
    wh = [
        ("NBO", "Nairobi Main", "Kenya", 12500),
        ("MBA", "Mombasa Port", "Kenya", 8200),
        ("KLA", "Kampala Hub", "Uganda", 6400),
        ("GUL", "Gulu Depot", "Uganda", 1500),
        ("JUB", "Juba Depot", "South Sudan", 2300),
        ("ADD", "Addis Hub", "Ethiopia", 7100),
        ("DIR", "Dire Dawa Store", "Ethiopia", 1800),
        ("HRG", "Hargeisa Store", "Somalia", 950),
        ("KIS", "Kisumu Overflow", "Kenya", 700),
    ]
    it = [
        ("TNT4", "Family tent", "Shelter", "pcs", 185.0),
        ("TARP", "Tarpaulin", "Shelter", "pcs", 14.5),
        ("BLK", "Blanket", "Shelter", "pcs", 6.2),
        ("RIC25", "Rice 25kg", "Food", "bag", 19.75),
        ("BEAN", "Beans 10kg", "Food", "bag", 12.3),
        ("OIL5", "Cooking oil 5L", "Food", "can", 9.9),
        ("BIS", "High energy biscuits", "Food", "box", 22.4),
        ("JERRY", "Jerrycan 10L", "Water", "pcs", 3.1),
        ("AQTB", "Water tablets", "Water", "strip", 0.85),
        ("FILT", "Water filter", "Water", "pcs", 31.0),
        ("SOAP", "Soap bar", "Hygiene", "pcs", 0.6),
        ("HYG", "Hygiene kit", "Hygiene", "kit", 17.8),
        ("LAMP", "Solar lamp", "Household", "pcs", 11.25),
        ("KIT", "Kitchen set", "Household", "set", 27.6),
        ("SCH", "School kit", "Education", "kit", 8.4),
    ]
    sites = [
        (i + 1, n, c, w, p)
        for i, (n, c, w, p) in enumerate(
            [
                ("Kalobe Camp", "Kenya", "NBO", 48200),
                ("Dadu East", "Kenya", "MBA", 31750),
                ("Lodma Transit", "Kenya", "NBO", 4100),
                ("Bidi North", "Uganda", "GUL", 27300),
                ("Rhino Bend", "Uganda", "GUL", 15800),
                ("Kyan Settlement", "Uganda", "KLA", 19900),
                ("Mabor", "South Sudan", "JUB", 36400),
                ("Yida South", "South Sudan", "JUB", 12250),
                ("Pibo", "South Sudan", "JUB", 8700),
                ("Dolo Flats", "Ethiopia", "ADD", 22600),
                ("Kebri", "Ethiopia", "DIR", 14100),
                ("Awbar", "Ethiopia", "DIR", 9950),
                ("Burao Edge", "Somalia", "HRG", 11300),
                ("Sheikh Valley", "Somalia", "HRG", 3050),
            ]
        )
    ]
    tr, tl = [], []
    codes = [w[0] for w in wh]
    for d in sorted(day(r, "2025-01-06", "2026-11-16") for _ in range(420)):
        f = r.choices(codes, [9, 8, 5, 1, 1, 5, 1, 1, 0])[0]
        t = r.choices([c for c in codes if c != f], None)[0]
        if t == "KIS":
            t = "JUB" if f != "JUB" else "GUL"
        st = (
            "delivered"
            if d < D.date(2026, 11, 1) and r.random() < 0.95
            else r.choice(["in transit", "in transit", "cancelled"])
        )
        n = "TR%04d" % (len(tr) + 1)
        tr.append(
            (
                n,
                f,
                t,
                g(d),
                g(min(d + D.timedelta(days=r.randint(1, 21)), D.date(2026, 11, 18))) if st == "delivered" else None,
                st,
                r.choice(["Savanna Haul", "Rift Trucks", "Blue Nile Freight", "own truck"]),
                round(r.uniform(180, 6400), 2),
            )
        )
        for s in r.sample(it[:14], r.randint(1, 4)):
            q = r.randint(10, 1200)
            tl.append((n, s[0], q, int(q * r.uniform(0, 0.06)) if st == "delivered" and r.random() < 0.4 else 0))
    ho, hl = [], []
    for d in sorted(day(r, "2025-01-06", "2026-11-17") for _ in range(520)):
        s = r.choices(sites[:13], [9, 7, 1, 6, 4, 5, 8, 3, 2, 6, 4, 3, 3])[0]
        ho.append(
            (
                len(ho) + 1,
                s[0],
                s[3] if r.random() < 0.85 else r.choice(codes[:8]),
                g(d),
                r.randint(20, 1900),
                r.choice(["Aster Team", "Red Dune", "Hand in Hand", "Aster Team"]),
                r.choices(["Y", "N"], [8, 2])[0],
            )
        )
        for x in r.sample(it[:14], r.randint(1, 3)):
            hl.append((len(ho), x[0], r.randint(15, 1800)))
    don = [
        (i + 1, n, t, c)
        for i, (n, t, c) in enumerate(
            [
                ("Norland Ministry of Aid", "government", "Norway"),
                ("Larsen Foundation", "foundation", "Denmark"),
                ("Helping Tide", "foundation", "US"),
                ("Orbis Bank", "company", "UK"),
                ("Federal Relief Fund", "government", "Germany"),
                ("Kumo Electronics", "company", "Japan"),
                ("Sister Cities Appeal", "public appeal", "Canada"),
                ("Maple Trust", "foundation", "Canada"),
                ("Delta Shipping", "company", "Netherlands"),
                ("Open Hands", "public appeal", "UK"),
            ]
        )
    ]
    gr = [
        (
            i + 1,
            r.choices(range(1, 10), [6, 4, 3, 2, 6, 1, 5, 3, 1])[0],
            round(r.lognormvariate(10.6, 0.9), 2),
            g(d),
            r.choice([None, "food", "shelter", "water", "unrestricted"]),
            r.choices(["received", "pledged"], [8, 2])[0],
        )
        for i, d in enumerate(sorted(day(r, "2024-02-01", "2026-11-12") for _ in range(190)))
    ]
    make(
        "aid",
        [
            ("warehouses", "wh_cd TEXT PRIMARY KEY, wh_name TEXT, country TEXT, cap_m3 INTEGER", wh),
            ("items", "sku TEXT PRIMARY KEY, item_nm TEXT, cat TEXT, unit TEXT, unit_cost REAL", it),
            (
                "sites",
                "site_id INTEGER PRIMARY KEY, site_nm TEXT, country TEXT, home_wh TEXT, residents INTEGER",
                sites,
            ),
            (
                "transfers",
                "tr_no TEXT PRIMARY KEY, from_wh TEXT, to_wh TEXT, ship_dt TEXT, arr_dt TEXT, status TEXT, carrier TEXT, freight_usd REAL",
                tr,
            ),
            ("transfer_lines", "tr_no TEXT, sku TEXT, qty INTEGER, qty_lost INTEGER", tl),
            (
                "distributions",
                "dist_id INTEGER PRIMARY KEY, site_id INTEGER, wh_cd TEXT, dist_dt TEXT, households INTEGER, partner TEXT, signed_off TEXT",
                ho,
            ),
            ("distribution_lines", "dist_id INTEGER, sku TEXT, qty INTEGER", hl),
            ("donors", "donor_id INTEGER PRIMARY KEY, donor_nm TEXT, dtype TEXT, country TEXT", don),
            (
                "grants",
                "grant_id INTEGER PRIMARY KEY, donor_id INTEGER, amt_usd REAL, dt TEXT, purpose TEXT, state TEXT",
                gr,
            ),
        ],
    )


SUR = "王李张刘陈杨赵黄周吴徐孙马朱胡郭何林罗高"
GIV = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂英华建国玉兰志鹏晓燕海波"


def zname(r, n):
    s = []
    while len(s) < n:
        x = r.choice(SUR) + r.choice(GIV) + (r.choice(GIV) if r.random() < 0.6 else "")
        if x not in s:
            s.append(x)
    return s


def kaoqin():
    r = random.Random(908)
    dep = [
        ("D01", "冲压车间", "一号楼"),
        ("D02", "焊接车间", "一号楼"),
        ("D03", "涂装车间", "二号楼"),
        ("D04", "总装车间", "二号楼"),
        ("D05", "质检部", "三号楼"),
        ("D06", "仓储部", "三号楼"),
        ("D07", "设备部", "一号楼"),
        ("D08", "研发中心", "四号楼"),
    ]
    ban = [("A", "早班", "07:30", "15:30"), ("B", "中班", "15:30", "23:30"), ("C", "夜班", "23:30", "07:30")]
    emp = []
    for i, n in enumerate(zname(r, 88)):
        emp.append(
            (
                "G%04d" % (1001 + i),
                n,
                r.choices([d[0] for d in dep], [16, 14, 10, 24, 9, 8, 6, 0])[0],
                r.choice(["甲班", "乙班", "丙班"]),
                r.choice("男男女"),
                day(r, "2010-03-01", "2026-10-20").isoformat(),
                r.choice(["操作工", "操作工", "操作工", "技术员", "班组长"]),
                "否" if r.random() < 0.1 else "是",
                round(r.uniform(18, 46), 1),
            )
        )
    kq = []
    d = D.date(2026, 6, 1)
    lazy = {e[0]: r.uniform(0.01, 0.16) for e in emp}
    while d <= D.date(2026, 11, 18):
        if d.weekday() < 6:
            for e in emp[:85]:
                if e[5] > d.isoformat() or r.random() > 0.38:
                    continue
                b = r.choices("ABC", [5, 3, 2])[0]
                x, late, early, up, dn = r.random(), 0, 0, None, None
                hh = {"A": 450, "B": 930, "C": 1410}[b]
                if x < 0.03:
                    st = "缺勤"
                else:
                    st = "正常"
                    if r.random() < lazy[e[0]]:
                        late, st = r.randint(1, 75), "迟到"
                    elif r.random() < 0.03:
                        early, st = r.randint(5, 90), "早退"
                    a, z = hh + (late or -r.randint(1, 20)), hh + 480 - early + (0 if early else r.randint(0, 25))
                    up, dn = "%02d:%02d" % (a // 60 % 24, a % 60), "%02d:%02d" % (z // 60 % 24, z % 60)
                    if r.random() < 0.012:
                        dn = None
                kq.append((len(kq) + 1, e[0], d.isoformat(), b, up, dn, late, early, st))
        d += D.timedelta(days=1)
    qj = []
    for d in sorted(day(r, "2025-01-06", "2026-11-17") for _ in range(330)):
        n = r.choice([0.5, 1, 1, 1, 2, 2, 3, 5, 7])
        qj.append(
            (
                "QJ%04d" % (len(qj) + 1),
                r.choice(emp[:80])[0],
                r.choices(["事假", "病假", "年假", "婚假", "产假", "调休"], [20, 18, 24, 3, 0, 10])[0],
                d.isoformat(),
                (d + D.timedelta(days=max(0, int(n) - 1))).isoformat(),
                n,
                r.choices(["已批准", "待审批", "已驳回"], [8, 1 if d < D.date(2026, 9, 1) else 5, 1])[0],
            )
        )
    jb = [
        (
            "JB%04d" % (i + 1),
            r.choice(emp[:78])[0],
            d.isoformat(),
            r.choice([1, 1.5, 2, 2, 2.5, 3, 4, 6, 8]),
            "周末" if d.weekday() > 4 else r.choice(["平时", "平时", "平时", "平时", "平时", "平时", "节假日"]),
            "是" if d < D.date(2026, 10, 1) and r.random() < 0.95 else r.choice("是否否"),
        )
        for i, d in enumerate(sorted(day(r, "2025-01-04", "2026-11-17") for _ in range(760)))
    ]
    make(
        "工厂考勤",
        [
            ("部门", "部门编号 TEXT PRIMARY KEY, 部门名称 TEXT, 楼栋 TEXT", dep),
            ("班次", "班次代码 TEXT, 班次名称 TEXT, 开始时间 TEXT, 结束时间 TEXT", ban),
            (
                "员工",
                "工号 TEXT PRIMARY KEY, 姓名 TEXT, 部门编号 TEXT, 班组 TEXT, 性别 TEXT, 入职日期 TEXT, 工种 TEXT, 是否在职 TEXT, 时薪 REAL",
                emp,
            ),
            (
                "打卡记录",
                "编号 INTEGER PRIMARY KEY, 工号 TEXT, 日期 TEXT, 班次代码 TEXT, 上班时间 TEXT, 下班时间 TEXT, 迟到分钟 INTEGER, 早退分钟 INTEGER, 状态 TEXT",
                kq,
            ),
            (
                "请假单",
                "单号 TEXT PRIMARY KEY, 工号 TEXT, 假别 TEXT, 开始日期 TEXT, 结束日期 TEXT, 天数 REAL, 审批状态 TEXT",
                qj,
            ),
            ("加班单", "单号 TEXT PRIMARY KEY, 工号 TEXT, 日期 TEXT, 小时数 REAL, 类型 TEXT, 是否已付 TEXT", jb),
        ],
    )


def yingyuan():
    r = random.Random(909)
    yy = [
        ("Y1", "星河影城", "杭州", "2015-06-01"),
        ("Y2", "光影国际", "上海", "2012-09-15"),
        ("Y3", "万象影院", "南京", "2018-04-20"),
        ("Y4", "橙天影城", "上海", "2019-11-11"),
        ("Y5", "西湖大戏院", "杭州", "2008-01-18"),
        ("Y6", "蓝鲸影院", "宁波", "2021-05-01"),
    ]
    ting = []
    for y in yy:
        for k in range(1, r.randint(3, 6) + 1):
            ting.append(
                (
                    "%s-%d" % (y[0], k),
                    y[0],
                    "%d号厅" % k,
                    r.randint(58, 320),
                    r.choices(["普通", "IMAX", "杜比", "VIP"], [6, 1, 2, 1])[0],
                )
            )
    a, b = (
        [
            "长夜",
            "青山",
            "逆光",
            "归途",
            "落日",
            "无声",
            "深海",
            "追风",
            "春天",
            "狂想",
            "重返",
            "迷雾",
            "星尘",
            "最后",
            "孤城",
        ],
        ["行动", "之歌", "来信", "少年", "往事", "风暴", "密语", "列车", "法则", "回响"],
    )
    fm, s = [], set()
    while len(fm) < 52:
        t = r.choice(a) + r.choice(b)
        if t in s:
            continue
        s.add(t)
        fm.append(
            [
                0,
                t,
                r.choice(["剧情", "喜剧", "动作", "科幻", "动画", "悬疑", "爱情"]),
                r.randint(82, 178),
                day(r, "2025-01-01", "2026-11-14").isoformat(),
                r.choices(["中国", "美国", "日本", "法国", "韩国"], [26, 12, 6, 3, 3])[0],
                r.choice(zname(r, 1)) if r.random() < 0.95 else None,
                round(r.uniform(4.8, 9.5), 1),
            ]
        )
    fm.sort(key=lambda x: x[4])
    for i, f in enumerate(fm):
        f[0] = "M%03d" % (i + 1)
    cc = []
    for _ in range(1500):
        f = r.choice(fm[:50])
        d = D.date.fromisoformat(f[4]) + D.timedelta(days=int(r.triangular(0, 45, 3)))
        if d > D.date(2026, 11, 22):
            continue
        t = r.choices([x for x in ting if x[0] != "Y6-2"])[0]
        base = {"普通": 39.9, "IMAX": 79.9, "杜比": 65, "VIP": 128}[t[4]]
        cc.append(
            [
                f[0],
                t[0],
                d.isoformat(),
                "%02d:%02d"
                % (
                    r.choices(range(10, 24), [2, 2, 3, 4, 5, 5, 4, 5, 7, 9, 9, 7, 4, 2])[0],
                    r.choice([0, 10, 20, 30, 45]),
                ),
                round(base * r.choice([0.8, 1, 1, 1.2]), 1),
                t[3],
            ]
        )
    cc.sort(key=lambda x: (x[2], x[3]))
    hy = [
        (
            "V%04d" % (i + 1),
            n,
            r.choices(["普卡", "银卡", "金卡", "钻石卡"], [50, 30, 15, 5])[0],
            day(r, "2022-01-05", "2026-11-10").isoformat(),
            r.choice(["138", "139", "186", "177"]) + "%08d" % r.randint(0, 99999999),
            r.choice("男女"),
        )
        for i, n in enumerate(zname(r, 190))
    ]
    od, c2 = [], []
    for i, c in enumerate(cc, 1):
        c2.append((i, c[0], c[1], c[2], c[3], c[4]))
        for _ in range(r.choices([0, 1, 2, 3, 4, 5], [6, 16, 24, 24, 16, 14])[0]):
            n = r.choices([1, 2, 3, 4, 6], [25, 50, 12, 10, 3])[0]
            dd = D.date.fromisoformat(c[2]) - D.timedelta(days=r.choice([0, 0, 0, 1, 2, 3]))
            if dd > D.date(2026, 11, 19):
                continue
            ch = wc(r, [("猫眼", 35), ("淘票票", 28), ("小程序", 18), ("柜台", 14), ("抖音", 5)])
            od.append(
                (
                    len(od) + 1,
                    i,
                    n,
                    round(n * c[4] * r.choice([1, 1, 1, 0.9, 0.75]), 2),
                    ch,
                    "%s %02d:%02d" % (dd, min(int(c[3][:2]), r.randint(8, 22)), r.randint(0, 59)),
                    wc(r, [("已支付", 90), ("已退票", 7), ("未支付", 3)]),
                    r.choice(hy[:170])[0] if r.random() < 0.6 else None,
                )
            )
    make(
        "影院售票",
        [
            ("影院", "影院编号 TEXT PRIMARY KEY, 影院名称 TEXT, 城市 TEXT, 开业日期 TEXT", yy),
            ("影厅", "影厅编号 TEXT PRIMARY KEY, 影院编号 TEXT, 厅名 TEXT, 座位数 INTEGER, 厅型 TEXT", ting),
            (
                "影片",
                "影片编号 TEXT PRIMARY KEY, 片名 TEXT, 类型 TEXT, 片长 INTEGER, 上映日期 TEXT, 国别 TEXT, 导演 TEXT, 评分 REAL",
                fm,
            ),
            (
                "场次",
                "场次编号 INTEGER PRIMARY KEY, 影片编号 TEXT, 影厅编号 TEXT, 放映日期 TEXT, 开场时间 TEXT, 票价 REAL",
                c2,
            ),
            (
                "订单",
                "订单号 INTEGER PRIMARY KEY, 场次编号 INTEGER, 张数 INTEGER, 金额 REAL, 渠道 TEXT, 下单时间 TEXT, 订单状态 TEXT, 会员号 TEXT",
                od,
            ),
            ("会员", "会员号 TEXT PRIMARY KEY, 昵称 TEXT, 等级 TEXT, 注册日期 TEXT, 手机 TEXT, 性别 TEXT", hy),
        ],
    )


for f in (space, music, email, chat, crm, plant, aid, kaoqin, yingyuan):
    f()
