"""Build the eight databases of people_4. Standard library only, fixed seeds. Usage: python3 build.py [folder]"""

import os
import random
import sqlite3
import sys
from datetime import date, datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
END = date(2026, 11, 12)


def make(name, ddl, tables):
    path = os.path.join(OUT, name + ".sqlite")
    if os.path.exists(path):
        os.remove(path)
    con = sqlite3.connect(path)
    con.executescript(ddl)
    for t, rows in tables.items():
        rows = list(rows)
        con.executemany('INSERT INTO "%s" VALUES (%s)' % (t, ",".join("?" * len(rows[0]))), rows)
    con.commit()
    con.execute("VACUUM")
    con.close()


def day(r, a, b=END):
    return a + timedelta(days=r.randrange((b - a).days + 1))


def pick(r, pairs):
    return r.choices([p[0] for p in pairs], [p[1] for p in pairs])[0]


def peaks():
    r = random.Random(41)
    ct = [
        ("VA", "Valdria", "Vald City", 8420000, 212400),
        ("OS", "Osmark", "Osthaven", 3150000, 98700),
        ("KE", "Kelthen", "Kelmouth", 1270000, 41300),
        ("BR", "Brunovia", "Brunstadt", 15600000, 330800),
        ("TA", "Tarsk", "Tarskgrad", 5480000, 167900),
        ("IL", "Ilmora", "Port Ilma", 640000, 18250),
        ("SU", "Sundre", "Sundvik", 2210000, 120600),
        ("MA", "Maranth", "Maran", 22300000, 402100),
        ("QU", "Quelland", "Quellsby", 930000, 27500),
        ("NO", "Norhaven", "Norholm", 410000, 9300),
    ]
    rn = [
        "Iron Teeth",
        "Grey Mantle",
        "Sable Range",
        "Windspires",
        "Orrin Alps",
        "Halden Massif",
        "Copper Hills",
        "Long Ridge",
        "Frostmarch",
        "Teal Highlands",
        "Dragonback",
        "Saint Vell Range",
        "Ember Chain",
        "Low Barrows",
    ]
    rg = []
    for i, n in enumerate(rn, 1):
        rg.append(
            (
                i,
                n,
                ct[[0, 0, 1, 7, 7, 3, 2, 3, 4, 6, 4, 5, 8, 1][i - 1]][0],
                r.randrange(60, 900),
                r.choice(["fold", "fault-block", "volcanic", "dome"]),
            )
        )
    a = [
        "Ash",
        "Bald",
        "Crow",
        "Dun",
        "Eld",
        "Falk",
        "Gorm",
        "Hart",
        "Ice",
        "Jarl",
        "Kest",
        "Lorn",
        "Mist",
        "Nar",
        "Oak",
        "Pell",
        "Quern",
        "Rook",
        "Storm",
        "Thorn",
        "Ulf",
        "Vard",
        "Wolf",
        "Yar",
        "Zeld",
    ]
    b = ["horn", "berg", "fell", "spire", "tooth", "crag", "cap", "stack", "brow", "kamm"]
    names = [x + y for x in a for y in b]
    r.shuffle(names)
    by = [
        "H. Brandt",
        "M. Oduya",
        "L. Svard",
        "T. Kessel",
        "A. Ruiz",
        "P. Novak",
        "I. Wray",
        "the Halden Club",
        "an army survey party",
    ]
    peak, used = [], set()
    for i in range(1, 236):
        g = rg[min(int(r.random() ** 1.3 * 14), 13)]
        while True:
            e = int(r.triangular(820, 6400 if g[4] != "dome" else 3300, 2100))
            if e not in used:
                used.add(e)
                break
        un = r.random() < (0.35 if e > 4500 else 0.06)
        peak.append(
            (
                i,
                names[i - 1],
                g[0],
                g[2],
                e,
                int(e * r.uniform(0.05, 0.8)),
                None if un else r.randrange(1786, 2019),
                None if un or r.random() < 0.15 else r.choice(by),
                0 if un or e < 2500 else int(r.expovariate(1 / 9)),
                1 if g[4] == "volcanic" and r.random() < 0.8 else 0,
                "Y" if e > 3400 and r.random() < 0.8 else "N",
            )
        )
    kd = [("G", "glacial"), ("T", "tectonic"), ("R", "reservoir"), ("V", "volcanic"), ("O", "oxbow"), ("K", "karst")]
    la = [
        "Arn",
        "Bel",
        "Cald",
        "Dove",
        "Esk",
        "Fenn",
        "Glim",
        "Holm",
        "Inch",
        "Juni",
        "Kyle",
        "Luna",
        "Mere",
        "Nyx",
        "Orla",
        "Pike",
        "Reed",
        "Silver",
        "Tarn",
        "Umber",
        "Vesper",
        "Willow",
    ]
    lb = ["Lake %s", "%s Water", "%s Mere", "Upper %s", "%s Reservoir", "Lac %s"]
    ln = [y % x for x in la for y in lb]
    r.shuffle(ln)
    lake = []
    for i, n in enumerate(ln, 1):
        k = "R" if "Reservoir" in n else pick(r, [("G", 5), ("T", 2), ("V", 1), ("O", 1.5)])
        d = round(r.uniform(3, 60) if k in "OR" else r.lognormvariate(4, 0.8), 1)
        lake.append(
            (
                i,
                n,
                pick(r, [(c[0], c[4] ** 0.6) for c in ct[:-1]]),
                k,
                round(r.lognormvariate(2.2, 1.4) + 0.1, 2),
                d,
                round(d * r.uniform(0.2, 0.6), 1) if r.random() < 0.88 else None,
                r.randrange(4, 2900),
                1 if (r.random() < 0.08 and k == "T") or r.random() < 0.02 else 0,
                r.choice("YYN"),
            )
        )
    hut = []
    hn = ["Refuge", "Hut", "Shelter", "Lodge", "Bivouac"]
    ps = r.sample(peak, 62)
    for i, p in enumerate(ps, 1):
        t = r.choice(hn)
        hut.append(
            (
                i,
                p[1] + " " + t,
                p[0],
                r.randrange(4, 12) if t in ("Bivouac", "Shelter") else r.randrange(12, 120),
                int(p[4] * r.uniform(0.45, 0.8)),
                0.0 if t == "Bivouac" else round(r.uniform(12, 78) * 2) / 2,
                1 if t in ("Lodge", "Refuge", "Hut") and r.random() < 0.7 else 0,
                None if t == "Bivouac" else r.choice(["Alpine Union", "Halden Club", "private", "Parks Service"]),
            )
        )
    asc = []
    pop = [p for p in peak if p[6]]
    w = [r.random() ** 3 + 0.01 for _ in pop]
    for i in range(1, 1301):
        p = r.choices(pop, w)[0]
        while True:
            d = day(r, date(2023, 1, 2))
            if r.random() < [0.2, 0.2, 0.3, 0.4, 0.6, 0.9, 1, 1, 0.8, 0.4, 0.2, 0.15][d.month - 1]:
                break
        asc.append(
            (
                i,
                p[0],
                d.isoformat(),
                r.choice(["normal", "north face", "south ridge", "east couloir", "west rib"])
                if r.random() < 0.9
                else None,
                r.choices([1, 2, 3, 4, 5, 6, 8, 11], [4, 12, 7, 6, 3, 2, 1, 0.6])[0],
                1 if r.random() < 0.74 - p[4] / 15000 else 0,
                "Y" if r.random() < 0.35 else "N",
                round(r.uniform(3.5, 26), 1),
            )
        )
    asc.sort(key=lambda x: x[2])
    asc = [(i,) + x[1:] for i, x in enumerate(asc, 1)]
    make(
        "peaks",
        """
CREATE TABLE ctry (cc TEXT PRIMARY KEY, name TEXT, capital TEXT, pop INTEGER, area_km2 INTEGER);
CREATE TABLE mtn_range (id INTEGER PRIMARY KEY, name TEXT, cc TEXT, length_km INTEGER, geology TEXT);
CREATE TABLE peak (id INTEGER PRIMARY KEY, name TEXT, range_id INTEGER, cc TEXT, elev_m INTEGER, prom_m INTEGER, first_asc_yr INTEGER, first_asc_by TEXT, deaths INTEGER, volcano INTEGER, glaciated TEXT);
CREATE TABLE lake_kind (code TEXT PRIMARY KEY, descr TEXT);
CREATE TABLE lake (id INTEGER PRIMARY KEY, name TEXT, cc TEXT, kind TEXT, area_km2 REAL, max_depth_m REAL, avg_depth_m REAL, elev_m INTEGER, salt INTEGER, freezes TEXT);
CREATE TABLE hut (id INTEGER PRIMARY KEY, name TEXT, peak_id INTEGER, beds INTEGER, elev_m INTEGER, price_night REAL, staffed INTEGER, owner TEXT);
CREATE TABLE ascent (id INTEGER PRIMARY KEY, peak_id INTEGER, dt TEXT, route TEXT, party_size INTEGER, success INTEGER, guided TEXT, hrs REAL);
""",
        dict(ctry=ct, mtn_range=rg, peak=peak, lake_kind=kd, lake=lake, hut=hut, ascent=asc),
    )


def films():
    r = random.Random(42)
    gn = [
        "Drama",
        "Comedy",
        "Thriller",
        "Horror",
        "Sci-Fi",
        "Romance",
        "Animation",
        "Documentary",
        "Western",
        "Musical",
    ]
    st = [
        (1, "Bluebird Pictures", "London", 1931),
        (2, "Northlight", "Toronto", 1988),
        (3, "Harrow & Finch", "New York", 1954),
        (4, "Red Anchor Films", "Los Angeles", 1972),
        (5, "Studio Kaede", "Tokyo", 1963),
        (6, "Lumen House", "Paris", 2001),
        (7, "Paper Moon", "Los Angeles", 2009),
        (8, "Old Mill", "Dublin", 1997),
    ]
    fn = [
        "Ada",
        "Ben",
        "Clara",
        "Dario",
        "Elena",
        "Felix",
        "Grace",
        "Hugo",
        "Iris",
        "Jonas",
        "Kira",
        "Leo",
        "Mara",
        "Nico",
        "Olga",
        "Pablo",
        "Quinn",
        "Rosa",
        "Sam",
        "Tessa",
        "Umar",
        "Vera",
        "Will",
        "Yuki",
        "Zane",
    ]
    sn = [
        "Abara",
        "Bellweather",
        "Castor",
        "Dunmore",
        "Eriksen",
        "Fontaine",
        "Garrick",
        "Hollis",
        "Imamura",
        "Jessop",
        "Kowal",
        "Lindqvist",
        "Marchetti",
        "Nakata",
        "Okafor",
        "Pereira",
        "Quist",
        "Rourke",
        "Sandoval",
        "Thackeray",
        "Ueda",
        "Valmont",
        "Whitlock",
        "Yarrow",
    ]
    nm = [a + " " + b for a in fn for b in sn]
    r.shuffle(nm)
    fem = set(["Ada", "Clara", "Elena", "Grace", "Iris", "Kira", "Mara", "Olga", "Rosa", "Tessa", "Vera", "Yuki"])
    cc = ["USA", "UK", "France", "Japan", "Canada", "Ireland", "Italy", "Nigeria", "Sweden"]
    per = []
    for i in range(1, 241):
        y = r.randrange(1928, 2006)
        d = date(y, r.randrange(1, 13), r.randrange(1, 29))
        dd = None
        if r.random() < (2026 - y - 40) / 90:
            dd = day(r, date(min(y + 45, 2024), 1, 1), date(2026, 10, 20)).isoformat()
        n = nm[i - 1]
        per.append(
            (
                i,
                n,
                d.isoformat(),
                dd,
                "F" if n.split()[0] in fem else "M",
                pick(r, [(c, 9 - j) for j, c in enumerate(cc)]),
                r.randrange(152, 199) if r.random() < 0.85 else None,
            )
        )
    t1 = [
        "The Last",
        "A Quiet",
        "Crimson",
        "Beyond the",
        "Midnight",
        "The Forgotten",
        "Paper",
        "Golden",
        "The Glass",
        "Broken",
        "Winter",
        "The Long",
        "Silent",
        "Electric",
        "My Brother's",
        "No More",
        "The Secret",
    ]
    t2 = [
        "Harbor",
        "Lighthouse",
        "Orchard",
        "Train",
        "Garden",
        "Letter",
        "River",
        "Waltz",
        "Summer",
        "Detective",
        "Machine",
        "Island",
        "Kingdom",
        "Road",
        "Promise",
        "Shadow",
        "Mirror",
    ]
    tt = [a + " " + b for a in t1 for b in t2]
    r.shuffle(tt)
    drs = r.sample(range(1, 241), 38)
    wrs = r.sample(range(1, 241), 50) + drs[:12]
    film = []
    for i in range(1, 251):
        y = min(1958 + int((r.random() ** 0.55) * 69), 2026)
        d = date(y, r.randrange(1, 13 if y < 2026 else 12), r.randrange(1, 29 if y < 2026 else 13))
        g = pick(r, list(zip(range(1, 11), [9, 7, 5, 4, 3, 4, 2, 2, 1, 1])))
        bud = round(r.lognormvariate(2.6, 0.9), 1) if r.random() < 0.9 else None
        gro = round((bud or 8) * r.lognormvariate(0.6, 0.9), 1) if r.random() < 0.93 else None
        old = [f for f in film if f[2] < d.isoformat() and not f[14] and not any(x[14] == f[0] for x in film)]
        seq = r.choice(old)[0] if old and r.random() < 0.08 else None
        film.append(
            (
                i,
                tt[i - 1] if not seq else film[seq - 1][1] + " II",
                d.isoformat(),
                g,
                r.randrange(1, 9),
                r.choices(drs, [k + 1 for k in range(38)])[0],
                r.choice(wrs),
                int(r.gauss(112, 19)),
                bud,
                gro,
                round(min(9.4, max(2.1, r.gauss(6.4, 1.15))), 1),
                int(r.lognormvariate(8.5, 1.4)),
                pick(r, [("English", 12), ("French", 3), ("Japanese", 3), ("Italian", 1), ("Spanish", 1)]),
                r.choice(["G", "PG", "PG-13", "PG-13", "R", "R"]) if r.random() < 0.95 else None,
                seq,
                1 if y < 1968 and r.random() < 0.6 else 0,
            )
        )
    cast, aw = [], []
    ac = [p for p in per]
    wt = [r.random() ** 2 for _ in ac]
    wt[7] = 0
    rl = [
        "Detective",
        "The Stranger",
        "Mrs. Poole",
        "Captain",
        "Jack",
        "Nora",
        "The Doctor",
        "Old Tom",
        "Sister Agnes",
        "Lena",
        "Mayor",
        "Himself",
        "Thief",
        "Narrator",
        "Edith",
    ]
    for f in film:
        s = []
        fy = int(f[2][:4])
        while len(s) < r.choice([3, 4, 5, 6]):
            p = r.choices(ac, wt)[0]
            if p not in s and int(p[2][:4]) + 6 <= fy and (not p[3] or int(p[3][:4]) >= fy):
                s.append(p)
            elif r.random() < 0.02:
                break
        for k, p in enumerate(s, 1):
            cast.append(
                (f[0], p[0], r.choice(rl), k, round(r.lognormvariate(0, 1) / k, 2) if r.random() < 0.8 else None)
            )
    n = 0
    cm = {}
    for c in cast:
        cm.setdefault(c[0], []).append(c[1])
    for y in range(1975, 2026):
        fs = [f for f in film if f[2][:4] == str(y)]
        for ab, cats in (
            ("Golden Reel", ["Best Picture", "Best Director", "Best Actor", "Best Actress"]),
            ("Critics Circle", ["Best Picture", "Best Screenplay"]),
        ):
            for c in cats:
                cand = sorted(fs, key=lambda f: -f[10] + r.random() * 2)[:3]
                if not cand:
                    continue
                w = r.choice(cand)
                for f in cand:
                    pid = None
                    if c == "Best Director":
                        pid = f[5]
                    elif c == "Best Screenplay":
                        pid = f[6]
                    elif c != "Best Picture":
                        m = [p for p in cm.get(f[0], []) if per[p - 1][4] == ("F" if c == "Best Actress" else "M")]
                        if not m:
                            continue
                        pid = m[0]
                    n += 1
                    aw.append((n, ab, c, y + 1, f[0], pid, 1 if f is w else 0))
    make(
        "films",
        """
CREATE TABLE genre (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE studio (id INTEGER PRIMARY KEY, name TEXT, city TEXT, founded INTEGER);
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, born TEXT, died TEXT, sex TEXT, birth_country TEXT, height_cm INTEGER);
CREATE TABLE film (id INTEGER PRIMARY KEY, title TEXT, rel_date TEXT, genre_id INTEGER REFERENCES genre(id), studio_id INTEGER REFERENCES studio(id), director_id INTEGER REFERENCES person(id), writer_id INTEGER REFERENCES person(id),
  runtime_min INTEGER, budget_m REAL, gross_m REAL, rating REAL, votes INTEGER, language TEXT, cert TEXT, sequel_of INTEGER, bw INTEGER);
CREATE TABLE film_cast (film_id INTEGER, person_id INTEGER, role TEXT, billing INTEGER, fee_m REAL);
CREATE TABLE award_nom (id INTEGER PRIMARY KEY, award TEXT, category TEXT, yr INTEGER, film_id INTEGER, person_id INTEGER, won INTEGER);
""",
        dict(genre=list(enumerate(gn, 1)), studio=st, person=per, film=film, film_cast=cast, award_nom=aw),
    )


def hotel():
    r = random.Random(43)
    m = lambda x: "$" + format(x, ",.2f")
    fn = [
        "Oliver",
        "Amelia",
        "Noah",
        "Sofia",
        "Lucas",
        "Emma",
        "Mateo",
        "Hana",
        "Ivan",
        "Priya",
        "Chen",
        "Fatima",
        "Pierre",
        "Greta",
        "Kofi",
        "Laura",
        "Diego",
        "Ingrid",
        "Tom",
        "Aisha",
        "Marco",
        "Yuki",
        "Sean",
        "Nadia",
    ]
    sn = [
        "Smith",
        "Garcia",
        "Müller",
        "Rossi",
        "Dubois",
        "Tanaka",
        "Kowalski",
        "Hansen",
        "O'Brien",
        "Patel",
        "Silva",
        "Ivanov",
        "Nguyen",
        "Cohen",
        "Larsen",
        "Okoye",
        "Brown",
        "Moreau",
        "Jensen",
        "Weber",
    ]
    hotels = [("Harbour View", 5), ("Old Town Inn", 3), ("Parkside Suites", 2.5), ("Airport Lodge", 1.6)]
    rt = {"Single": 88, "Double": 129, "Twin": 124, "Family": 189, "Suite": 310}
    guests = []
    for _ in range(420):
        a, b = r.choice(fn), r.choice(sn)
        guests.append(
            (
                a + " " + b,
                pick(
                    r,
                    [
                        ("USA", 8),
                        ("UK", 6),
                        ("Germany", 5),
                        ("France", 4),
                        ("Japan", 2),
                        ("Italy", 2),
                        ("Canada", 2),
                        ("Brazil", 1),
                    ],
                ),
                None
                if r.random() < 0.06
                else (a[0] + "." + b.replace("'", "") + str(r.randrange(99))).lower()
                + "@"
                + r.choice(["gmail.com", "outlook.com", "corp.example", "yahoo.com"]),
                pick(r, [(None, 6), ("Silver", 2), ("Gold", 1.2), ("Platinum", 0.4)]),
            )
        )
    rows = []
    for i in range(1250):
        ci = day(r, date(2024, 7, 1), date(2026, 12, 10))
        bo = ci - timedelta(days=int(r.expovariate(1 / 24)))
        if bo > date(2026, 11, 15):
            bo = date(2026, 11, 15) - timedelta(days=r.randrange(9))
        n = r.choices([1, 2, 3, 4, 5, 7, 10, 14], [5, 8, 6, 3, 2, 2, 0.6, 0.3])[0]
        g = r.choice(guests)
        h = pick(r, hotels)
        t = pick(r, [("Single", 3), ("Double", 6), ("Twin", 2.5), ("Family", 2), ("Suite", 0.9)])
        rate = round(rt[t] * r.uniform(0.75, 1.5) * (1.2 if ci.month in (6, 7, 8) else 1), 2)
        tot = round(rate * n, 2)
        ex = round(r.choice([0, 0, 0, 18.5, 42, 65, 120, 33.75]) * r.choice([1, 1, 2]), 2)
        di = round(tot * r.choice([0, 0, 0, 0, 0.05, 0.1, 0.15]), 2)
        tax = round((tot + ex - di) * 0.085, 2)
        gt = round(tot + ex - di + tax, 2)
        co = ci + timedelta(days=n)
        if co <= date(2026, 11, 15):
            s = pick(r, [("Checked Out", 80), ("Cancelled", 14), ("No Show", 4)])
        elif ci <= date(2026, 11, 15):
            s = "In House"
        else:
            s = pick(r, [("Confirmed", 85), ("Cancelled", 14)])
        paid = (
            gt
            if s == "Checked Out" and r.random() < 0.95
            else (0 if s in ("Cancelled", "No Show") else round(gt * r.choice([0, 0.3, 0.5, 1]), 2))
        )
        bal = 0 if s == "Cancelled" else round(gt - paid, 2)
        can = None
        if s == "Cancelled":
            can = min(bo + timedelta(days=r.randrange(0, max(1, (ci - bo).days + 1))), date(2026, 11, 15)).strftime(
                "%Y/%m/%d"
            )
        ch = pick(
            r, [("Booking.com", 6), ("Direct", 5), ("Expedia", 3), ("Phone", 2), ("Walk-in", 1), ("Corporate", 1.6)]
        )
        ad = 1 if t == "Single" else r.choice([1, 2, 2, 2, 3] if t != "Family" else [2, 2, 3])
        rows.append(
            (
                bo,
                ci,
                co,
                n,
                g[0],
                g[1],
                g[2],
                ad,
                r.choice([1, 2, 3]) if t == "Family" else r.choices([0, 1], [9, 1])[0],
                t,
                str(r.randrange(1, 7)) + format(r.randrange(1, 25), "02d"),
                pick(r, [("Flexible", 5), ("Non-refundable", 3), ("Corporate", 1.5), ("Package", 1)]),
                ch,
                m(rate),
                m(tot),
                pick(r, [("Yes", 5), ("No", 5)]),
                m(ex),
                m(di),
                m(tax),
                m(gt),
                m(paid),
                m(bal),
                "USD",
                pick(r, [("Visa", 5), ("Mastercard", 4), ("Amex", 1.5), ("Cash", 1), ("Bank transfer", 0.8)])
                if paid
                else None,
                s,
                can,
                g[3],
                pick(r, [("Leisure", 6), ("Business", 4), ("Event", 1)]) if r.random() < 0.92 else None,
                r.choice(["late arrival", "high floor", "baby cot", "quiet room", "airport pickup", "extra pillows"])
                if r.random() < 0.28
                else None,
                r.choice(["web", "maria", "web", "tom", "web", "lena"]),
                r.choices([1, 2, 3, 4, 5], [1, 2, 4, 9, 8])[0] if s == "Checked Out" and r.random() < 0.45 else None,
                h,
            )
        )
    rows.sort(key=lambda x: (x[0], x[4]))
    rows = [
        ("BK%05d" % (20100 + i),) + tuple(x.strftime("%Y/%m/%d") if isinstance(x, date) else x for x in y)
        for i, y in enumerate(rows)
    ]
    cols = [
        "Booking No",
        "Booked On",
        "Check In",
        "Check Out",
        "Nights",
        "Guest Name",
        "Guest Country",
        "Guest Email",
        "Adults",
        "Children",
        "Room Type",
        "Room No",
        "Rate Plan",
        "Channel",
        "Room Rate",
        "Room Total",
        "Breakfast",
        "Extras Total",
        "Discount",
        "Tax",
        "Grand Total",
        "Paid Amount",
        "Balance Due",
        "Currency",
        "Payment Method",
        "Status",
        "Cancelled On",
        "Loyalty Tier",
        "Trip Purpose",
        "Special Requests",
        "Booked By",
        "Review Score",
        "Hotel",
    ]
    ty = {"Nights": "INTEGER", "Adults": "INTEGER", "Children": "INTEGER", "Review Score": "INTEGER"}
    make(
        "hotel_export",
        "CREATE TABLE bookings_export (%s);" % ", ".join('"%s" %s' % (c, ty.get(c, "TEXT")) for c in cols),
        dict(bookings_export=rows),
    )


def saas():
    r = random.Random(44)
    pl = [
        ("FREE", "Free", 0, 3),
        ("STR", "Starter", 12, 10),
        ("GRW", "Growth", 29, 50),
        ("PRO", "Professional", 49, 250),
        ("ENT", "Enterprise", 79, None),
    ]
    em = [
        (1, "Hilde Brok", "Support", None),
        (2, "Raj Menon", "Support", 1),
        (3, "Tilly Ford", "Support", 1),
        (4, "Bo Lindt", "Support", 1),
        (5, "Carmen Diaz", "Success", None),
        (6, "Owen Platt", "Success", 5),
        (7, "Suki Ito", "Success", 5),
        (8, "Nils Aho", "Success", 5),
        (9, "Petra Kohl", "Support", 1),
        (10, "Ravi Sen", "Billing", None),
        (11, "Dana Wu", "Billing", 10),
    ]
    w1 = [
        "Acorn",
        "Bright",
        "Cobalt",
        "Delta",
        "Ember",
        "Falcon",
        "Gable",
        "Helix",
        "Indigo",
        "Juniper",
        "Kite",
        "Lattice",
        "Maple",
        "Nimbus",
        "Onyx",
        "Piper",
        "Quarry",
        "Ridge",
        "Summit",
        "Tidal",
        "Umbra",
        "Vertex",
        "Willow",
        "Zephyr",
    ]
    w2 = ["Labs", "Media", "Logistics", "Foods", "Health", "Systems", "Partners", "Studio"]
    nm = [a + " " + b for a in w1 for b in w2]
    r.shuffle(nm)
    acct, subs, inv, usr, tkt = [], [], [], [], []
    sid, iid, uid = 3000, 50000, 0
    for i in range(1, 171):
        seg = pick(r, [("SMB", 6), ("MM", 3), ("ENT", 1)])
        cr = day(r, date(2023, 1, 5), date(2026, 10, 20))
        p = pick(
            r,
            {
                "SMB": [("FREE", 3), ("STR", 5), ("GRW", 3)],
                "MM": [("GRW", 4), ("PRO", 4)],
                "ENT": [("PRO", 1), ("ENT", 4)],
            }[seg],
        )
        ch = None
        if r.random() < 0.24 and cr < date(2026, 6, 1):
            ch = day(r, cr + timedelta(days=45), date(2026, 10, 31))
        acct.append(
            (
                i,
                nm[i - 1],
                seg,
                pick(r, [("US", 6), ("GB", 3), ("DE", 2), ("CA", 2), ("AU", 1), ("SG", 1)]),
                r.choice(["Software", "Retail", "Health", "Media", "Finance", None]),
                r.choice([5, 6, 6, 7, 7, 7, 8]) if seg != "SMB" or r.random() < 0.4 else None,
                cr.isoformat(),
                ch.isoformat() if ch else None,
            )
        )
        pc = {x[0]: x for x in pl}
        chain = [(p, cr, ch)]
        if r.random() < 0.3 and (ch or END) - cr > timedelta(days=200) and p in ("STR", "GRW", "PRO"):
            mid = day(r, cr + timedelta(days=90), (ch or END) - timedelta(days=60))
            chain = [(p, cr, mid), ({"STR": "GRW", "GRW": "PRO", "PRO": "ENT"}[p], mid, ch)]
        for q, a, b in chain:
            sid += 1
            seats = {
                "FREE": r.randrange(1, 4),
                "STR": r.randrange(2, 11),
                "GRW": r.randrange(5, 51),
                "PRO": r.randrange(20, 200),
                "ENT": r.randrange(80, 600),
            }[q]
            bi = "Y" if r.random() < 0.35 and q != "FREE" else "M"
            dp = r.choice([0, 0, 0, 0, 5, 10, 20]) if q != "FREE" else 0
            s = (
                "canceled"
                if b
                else ("trialing" if a > date(2026, 10, 25) else pick(r, [("active", 14), ("past_due", 1.3)]))
            )
            subs.append(
                (
                    sid,
                    i,
                    q,
                    s,
                    seats,
                    pc[q][2],
                    bi,
                    a.isoformat(),
                    b.isoformat() if b else None,
                    0 if s == "canceled" or r.random() < 0.2 else 1,
                    dp,
                )
            )
            if q == "FREE":
                continue
            d = a
            while d < (b or END):
                am = round(seats * pc[q][2] * (1 - dp / 100) * (10 if bi == "Y" else 1), 2)
                due = d + timedelta(days=30 if seg == "ENT" else 14)
                u = r.random()
                if due < date(2026, 9, 1):
                    st = "paid" if u < 0.955 else ("void" if u < 0.975 else "uncollectible")
                else:
                    st = "paid" if u < 0.7 else "open"
                pd = min(d + timedelta(days=int(r.expovariate(1 / 12))), END).isoformat() if st == "paid" else None
                iid += 1
                inv.append((iid, i, sid, d.isoformat(), due.isoformat(), pd, am, round(am * 0.08, 2), st))
                if bi == "Y":
                    d = d + timedelta(days=365)
                else:
                    d = d + timedelta(days=30)
        us = []
        for k in range(r.choice([1, 2, 3, 3, 4, 5])):
            uid += 1
            us.append(uid)
            usr.append(
                (
                    uid,
                    i,
                    "user%d@%s.example" % (uid, nm[i - 1].split()[0].lower()),
                    r.choice(["owner"] if k == 0 else ["member", "member", "viewer"]),
                    day(r, max(cr, date(2025, 9, 1)), ch if ch and ch > date(2025, 9, 1) else END).isoformat()
                    if r.random() < 0.87 and not (ch and ch < date(2025, 9, 1))
                    else None,
                    1 if k == 0 else 0,
                )
            )
        for _ in range(int(r.expovariate(1 / {"SMB": 3, "MM": 7, "ENT": 14}[seg]))):
            a = day(r, max(cr, date(2024, 6, 1)), END)
            tkt.append([i, r.choice(us), a])
    tkt.sort(key=lambda x: x[2])
    T = []
    su = [
        "cannot log in",
        "invoice question",
        "export fails",
        "api rate limit",
        "password reset",
        "feature request",
        "slow dashboard",
        "webhook errors",
        "add seats",
        "refund request",
    ]
    for k, (a, u, d) in enumerate(tkt):
        t = datetime(d.year, d.month, d.day, r.randrange(7, 20), r.randrange(60), 0)
        st = (
            pick(r, [("C", 70), ("S", 24), ("P", 2), ("O", 2)])
            if d < date(2026, 10, 10)
            else pick(r, [("N", 3), ("O", 4), ("P", 3), ("S", 5)])
        )
        sv = t + timedelta(hours=r.lognormvariate(2.8, 1.1)) if st in "SC" else None
        T.append(
            (
                8001 + k,
                a,
                u,
                None if st == "N" else r.choice([1, 2, 2, 2, 3, 3, 4, 9, 9, 10, 11]),
                pick(r, [(1, 1), (2, 2.5), (3, 5), (4, 2)]),
                st,
                pick(r, [("email", 5), ("chat", 3), ("web", 3), ("phone", 1)]),
                r.choice(su),
                t.strftime("%Y-%m-%d %H:%M:%S"),
                int(r.lognormvariate(4, 1)) if st != "N" else None,
                sv.strftime("%Y-%m-%d %H:%M:%S") if sv else None,
                r.choices([1, 2, 3, 4, 5], [1, 1, 2, 5, 6])[0] if sv and r.random() < 0.5 else None,
            )
        )
    make(
        "saas_ops",
        """
CREATE TABLE cr_acct (acct_id INTEGER PRIMARY KEY, acct_nm TEXT, seg_cd TEXT, ctry TEXT, ind TEXT, csm_id INTEGER, crt_dt TEXT, churn_dt TEXT);
CREATE TABLE bl_pln (pln_cd TEXT PRIMARY KEY, pln_nm TEXT, seat_prc REAL, seat_max INTEGER);
CREATE TABLE bl_subs (sub_id INTEGER PRIMARY KEY, acct_id INTEGER, pln_cd TEXT, sts TEXT, seat_qty INTEGER, seat_prc REAL, bill_int TEXT, strt_dt TEXT, end_dt TEXT, auto_rnw INTEGER, disc_pct REAL);
CREATE TABLE bl_inv (inv_id INTEGER PRIMARY KEY, acct_id INTEGER, sub_id INTEGER, iss_dt TEXT, due_dt TEXT, pd_dt TEXT, amt REAL, tax REAL, sts TEXT);
CREATE TABLE hd_emp (emp_id INTEGER PRIMARY KEY, nm TEXT, team TEXT, mgr_id INTEGER);
CREATE TABLE cr_usr (usr_id INTEGER PRIMARY KEY, acct_id INTEGER, email TEXT, role TEXT, last_login TEXT, is_adm INTEGER);
CREATE TABLE hd_prio (prio INTEGER PRIMARY KEY, lbl TEXT, tgt_hrs INTEGER);
CREATE TABLE hd_sts (st_cd TEXT PRIMARY KEY, lbl TEXT, is_open INTEGER);
CREATE TABLE hd_tkt (tkt_id INTEGER PRIMARY KEY, acct_id INTEGER, rqst_by INTEGER, asgn_id INTEGER, prio INTEGER, st_cd TEXT, chnl TEXT, subj TEXT, crt_ts TEXT, frst_rsp_min INTEGER, slv_ts TEXT, csat INTEGER);
""",
        dict(
            cr_acct=acct,
            bl_pln=pl,
            bl_subs=subs,
            bl_inv=inv,
            hd_emp=em,
            cr_usr=usr,
            hd_prio=[(1, "Urgent", 4), (2, "High", 24), (3, "Normal", 72), (4, "Low", 168)],
            hd_sts=[("N", "New", 1), ("O", "Open", 1), ("P", "Pending", 1), ("S", "Solved", 0), ("C", "Closed", 0)],
            hd_tkt=T,
        ),
    )


def broker():
    r = random.Random(45)
    f = lambda d: d.strftime("%d.%m.%Y") if d else None
    ag = [
        (1, "Nora Beck", "North", date(2027, 3, 31)),
        (2, "Julian Hale", "North", date(2026, 12, 15)),
        (3, "Mina Sorensen", "Harbour", date(2026, 9, 30)),
        (4, "Ted Ashby", "Harbour", date(2028, 1, 31)),
        (5, "Lucia Ferro", "West", date(2027, 8, 31)),
        (6, "Omar Said", "West", date(2027, 5, 31)),
        (7, "Greta Voss", "West", date(2026, 11, 30)),
    ]
    ins = [
        (1, "Atlas Mutual", "A+", 12.5),
        (2, "Northern Star", "A", 15.0),
        (3, "Hearth & Home", "A-", 14.0),
        (4, "Pinnacle", "BBB", 18.0),
        (5, "Seaguard", "A", 11.0),
        (6, "Orchid Life", "AA", 20.0),
    ]
    pr = [
        ("MTR", "Car", "Personal"),
        ("HOM", "Home contents", "Personal"),
        ("BLD", "Buildings", "Personal"),
        ("TRV", "Travel", "Personal"),
        ("PET", "Pet", "Personal"),
        ("LIA", "Public liability", "Commercial"),
        ("FLT", "Fleet", "Commercial"),
        ("CYB", "Cyber", "Commercial"),
        ("MAR", "Marine cargo", "Commercial"),
    ]
    fn = [
        "Alan",
        "Beth",
        "Colin",
        "Doris",
        "Ewan",
        "Fay",
        "Gina",
        "Hal",
        "Ines",
        "Jack",
        "Kay",
        "Liam",
        "Moira",
        "Ned",
        "Opal",
        "Paul",
        "Rita",
        "Stan",
        "Tara",
        "Vic",
        "Wendy",
    ]
    sn = [
        "Archer",
        "Barlow",
        "Crane",
        "Dyer",
        "Ellis",
        "Frost",
        "Gale",
        "Hobbs",
        "Irwin",
        "Kemp",
        "Lomax",
        "Marsh",
        "Noble",
        "Orton",
        "Pryce",
        "Rudd",
        "Shaw",
        "Tate",
        "Upton",
        "Vine",
    ]
    nm = [a + " " + b for a in fn for b in sn]
    r.shuffle(nm)
    bz = [
        a + " " + b
        for a in [
            "Harlow",
            "Kestrel",
            "Brook Street",
            "Ironbridge",
            "Sunny Vale",
            "Tideway",
            "Copperfield",
            "Westgate",
            "Bluebell",
        ]
        for b in ["Haulage", "Bakery", "Joinery", "Dental", "Marina", "Florists"]
    ]
    r.shuffle(bz)
    cl, pol, clm = [], [], []
    for i in range(1, 211):
        c = i % 5 == 0
        cl.append(
            (
                1000 + i,
                bz[i // 5 - 1] + " Ltd" if c else nm[i],
                "C" if c else "P",
                pick(r, [("Millport", 6), ("Easton", 4), ("Saltby", 3), ("Greyford", 2), ("Upper Lea", 1)]),
                None if c else f(day(r, date(1944, 1, 1), date(2004, 1, 1))),
                f(day(r, date(2015, 1, 1), date(2026, 10, 30))),
                r.randrange(1, 7),
                1000 + r.randrange(1, i) if i > 5 and r.random() < 0.2 else None,
                None if r.random() < 0.15 else "07%09d" % r.randrange(10**9),
                pick(r, [("Y", 5), ("N", 3)]),
            )
        )
    pn = 0
    for c in cl:
        for _ in range(r.choices([0, 1, 2, 3, 4, 5], [1.2, 4, 5, 3, 2, 1])[0]):
            p = r.choice(pr[5:] if c[2] == "C" and r.random() < 0.85 else pr[:5])
            pn += 1
            s = day(r, date(2022, 6, 1), date(2026, 11, 10))
            e = s + timedelta(days=364)
            base = dict(MTR=620, HOM=210, BLD=340, TRV=95, PET=260, LIA=1450, FLT=5200, CYB=2300, MAR=3900)[p[0]]
            prem = round(base * r.lognormvariate(0, 0.35), 2)
            st = pick(r, [("L", 12), ("C", 1)]) if e >= date(2026, 11, 20) else pick(r, [("E", 8), ("R", 9), ("C", 2)])
            if s > date(2026, 11, 20):
                st = "Q"
            ab = r.randrange(1, 8)
            pol.append(
                (
                    "P%05d" % (40000 + pn),
                    c[0],
                    pick(r, [(1, 5), (2, 4), (3, 3), (4, 2), (5, 1.5)]),
                    p[0],
                    f(s),
                    f(e),
                    prem,
                    round(prem * r.uniform(20, 130), -2),
                    r.choice([0, 100, 250, 250, 500, 1000]),
                    r.choice(["annual", "annual", "monthly", "quarterly"]),
                    st,
                    ab,
                    ab if r.random() < 0.6 else r.randrange(1, 8),
                )
            )
            if r.random() < 0.32:
                for _ in range(r.choice([1, 1, 1, 2, 3])):
                    l = day(r, s, min(e, date(2026, 11, 8)))
                    rp = min(l + timedelta(days=int(r.expovariate(1 / 6))), END)
                    es = round(r.lognormvariate(6.6, 1.1), 2)
                    sx = (
                        pick(r, [("settled", 7), ("denied", 1.5), ("open", 0.6)])
                        if rp < date(2026, 7, 1)
                        else pick(r, [("settled", 2), ("denied", 1), ("open", 6)])
                    )
                    clm.append(
                        (
                            "P%05d" % (40000 + pn),
                            l,
                            rp,
                            {
                                "MTR": r.choice(["collision", "theft", "windscreen"]),
                                "FLT": r.choice(["collision", "theft", "windscreen"]),
                                "TRV": r.choice(["cancellation", "medical", "lost baggage"]),
                                "PET": "vet fees",
                                "CYB": r.choice(["ransomware", "fraud"]),
                                "MAR": r.choice(["water damage", "theft"]),
                                "LIA": r.choice(["injury", "property damage"]),
                            }.get(p[0], r.choice(["fire", "water damage", "theft", "storm"])),
                            es,
                            round(es * r.uniform(0.5, 1.15), 2) if sx == "settled" else 0.0,
                            sx,
                            min(rp + timedelta(days=r.randrange(5, 120)), END) if sx != "open" else None,
                            r.randrange(1, 8),
                        )
                    )
    clm.sort(key=lambda x: x[2])
    make(
        "broker",
        """
CREATE TABLE agt (agt_id INTEGER PRIMARY KEY, nm TEXT, branch TEXT, lic_exp TEXT);
CREATE TABLE insr (insr_id INTEGER PRIMARY KEY, nm TEXT, rating TEXT, comm_pct REAL);
CREATE TABLE prod (prd_cd TEXT PRIMARY KEY, descr TEXT, line TEXT);
CREATE TABLE pol_st (cd TEXT PRIMARY KEY, meaning TEXT);
CREATE TABLE cli (cli_no INTEGER PRIMARY KEY, nm TEXT, typ TEXT, city TEXT, dob TEXT, since TEXT, agt_id INTEGER, ref_by INTEGER, phone TEXT, mktg_ok TEXT);
CREATE TABLE pol (pol_no TEXT PRIMARY KEY, cli_no INTEGER, insr_id INTEGER, prd_cd TEXT, incept TEXT, expiry TEXT, prem REAL, sum_ins REAL, excess REAL, pay_freq TEXT, st TEXT, sold_by INTEGER, serv_by INTEGER);
CREATE TABLE clm (clm_no INTEGER PRIMARY KEY, pol_no TEXT, loss_dt TEXT, rep_dt TEXT, peril TEXT, est REAL, paid REAL, st TEXT, closed_dt TEXT, handler INTEGER);
""",
        dict(
            agt=[a[:3] + (f(a[3]),) for a in ag],
            insr=ins,
            prod=pr,
            pol_st=[("L", "live"), ("E", "expired"), ("R", "renewed"), ("C", "cancelled")],
            cli=cl,
            pol=pol,
            clm=[
                (700 + i, c[0], f(c[1]), f(c[2]), c[3], c[4], c[5], c[6], f(c[7]), c[8]) for i, c in enumerate(clm, 1)
            ],
        ),
    )


def pubworks():
    r = random.Random(46)
    dp = [
        ("STR", "Streets & Paving", "R. Alvarado", 4200000),
        ("WTR", "Water & Sewer", "J. Pham", 6800000),
        ("SAN", "Sanitation", "D. Whitt", 3900000),
        ("PRK", "Parks & Trees", "M. Osei", 1750000),
        ("LGT", "Street Lighting", "C. Blum", 980000),
    ]
    ca = [
        ("POT", "Pothole", "STR", 7),
        ("SDW", "Broken sidewalk", "STR", 30),
        ("SGN", "Sign down", "STR", 3),
        ("LEK", "Water leak", "WTR", 1),
        ("SWR", "Sewer backup", "WTR", 1),
        ("HYD", "Hydrant problem", "WTR", 5),
        ("MIS", "Missed collection", "SAN", 2),
        ("DMP", "Illegal dumping", "SAN", 5),
        ("GRF", "Graffiti", "SAN", 10),
        ("TRE", "Fallen tree", "PRK", 3),
        ("PLY", "Playground damage", "PRK", 14),
        ("LMP", "Street light out", "LGT", 10),
        ("NOI", "Noise complaint", None, None),
    ]
    wd = [
        (1, "Downtown", 14200, "Ana Petrescu"),
        (2, "Riverside", 18900, "Joel Kirby"),
        (3, "Mill Hill", 22750, "Sandra Oyelaran"),
        (4, "Eastgate", 17300, "Phil Manning"),
        (5, "Oakdale", 25100, "Ruth Zielinski"),
        (6, "Harbor Point", 9800, "Joel Kirby"),
        (7, "Northfield", 12050, None),
    ]
    cw = [
        (1, "Paving A", "STR", 6, 1),
        (2, "Paving B", "STR", 5, 3),
        (3, "Signs", "STR", 2, 1),
        (4, "Mains 1", "WTR", 5, 2),
        (5, "Mains 2", "WTR", 4, 5),
        (6, "Haulers", "SAN", 8, 4),
        (7, "Cleanup", "SAN", 4, 1),
        (8, "Arborists", "PRK", 3, 5),
        (9, "Lamplighters", "LGT", 3, 2),
        (10, "Night Crew", "STR", 4, 6),
    ]
    sts = [
        "Main St",
        "Elm St",
        "Canal Rd",
        "Station Ave",
        "Foundry Ln",
        "Hill Rd",
        "Dock St",
        "Prospect Ave",
        "Mill Ln",
        "2nd Ave",
        "Orchard Dr",
        "Cedar St",
    ]
    sr, ln = [], []
    o = []
    for i in range(1600):
        d = day(r, date(2024, 1, 2), date(2026, 11, 14))
        o.append(
            datetime(
                d.year,
                d.month,
                d.day,
                r.choices(range(24), [1, 1, 1, 1, 1, 2, 5, 9, 12, 12, 11, 9, 8, 9, 9, 8, 8, 7, 5, 4, 3, 2, 1, 1])[0],
                r.randrange(60),
            )
        )
    o.sort()
    mt = [
        ("asphalt", 85),
        ("gravel", 22),
        ("pipe", 140),
        ("LED lamp", 95),
        ("paint", 18),
        ("concrete", 110),
        ("sign blank", 45),
        ("mulch", 12),
    ]
    k = 0
    for i, t in enumerate(o):
        c = pick(r, list(zip(ca, [14, 5, 3, 5, 3, 2, 9, 7, 5, 4, 2, 9, 2])))
        no = 260000 + i
        cr = [x for x in cw if x[2] == c[2] and (x[0] != 10 or r.random() < 0.4)]
        crew = r.choice(cr)[0] if cr and r.random() < 0.93 else None
        dup = r.choice(sr)[0] if sr and r.random() < 0.05 else None
        cl = None
        if c[3] and crew:
            cl = t + timedelta(hours=r.lognormvariate(0, 0.8) * c[3] * 20)
            if cl > datetime(2026, 11, 15) or r.random() < 0.03:
                cl = None
        st = "duplicate" if dup else ("closed" if cl else ("assigned" if crew else "new"))
        if dup:
            cl = t + timedelta(hours=r.randrange(1, 40))
            if cl > datetime(2026, 11, 15):
                cl = t
        es = round(r.lognormvariate(5.6, 0.8), 2) if crew and not dup else None
        ac = round(es * r.lognormvariate(0.05, 0.3), 2) if cl and es else None
        sr.append(
            (
                no,
                c[0],
                pick(r, [(w[0], w[2]) for w in wd]),
                str(r.randrange(1, 400)) + " " + r.choice(sts),
                t.strftime("%Y-%m-%d %H:%M"),
                cl.strftime("%Y-%m-%d %H:%M") if cl else None,
                st,
                pick(r, [("H", 2), ("M", 5), ("L", 3)]),
                pick(r, [("app", 5), ("phone", 4), ("web", 3), ("email", 1), ("council", 0.6)]),
                crew,
                es,
                ac,
                dup,
                1 if cl and not dup and r.random() < 0.06 else 0,
                r.choices([1, 2, 3, 4, 5], [2, 2, 3, 5, 4])[0] if cl and not dup and r.random() < 0.35 else None,
            )
        )
        if ac and r.random() < 0.55:
            for mm in r.sample(mt, r.choice([1, 1, 2, 3])):
                k += 1
                ln.append(
                    (
                        k,
                        no,
                        mm[0],
                        r.randrange(1, 14),
                        round(mm[1] * r.uniform(0.9, 1.15), 2),
                        round(r.uniform(0.5, 9), 1),
                    )
                )
    make(
        "pubworks",
        """
CREATE TABLE dept (dept_cd TEXT PRIMARY KEY, dept_nm TEXT, head TEXT, budget INTEGER);
CREATE TABLE cat (cat_cd TEXT PRIMARY KEY, descr TEXT, dept_cd TEXT, sla_days INTEGER);
CREATE TABLE ward (ward_no INTEGER PRIMARY KEY, ward_nm TEXT, pop INTEGER, cllr TEXT);
CREATE TABLE crew (crew_id INTEGER PRIMARY KEY, crew_nm TEXT, dept_cd TEXT, headcount INTEGER, base_ward INTEGER);
CREATE TABLE svc_req (sr_no INTEGER PRIMARY KEY, cat_cd TEXT, ward_no INTEGER, addr TEXT, opened TEXT, closed TEXT, status TEXT, prio TEXT, src TEXT, crew_id INTEGER, est_cost REAL, act_cost REAL, dup_of INTEGER, reopened INTEGER, rating INTEGER);
CREATE TABLE wo_line (line_id INTEGER PRIMARY KEY, sr_no INTEGER, matl TEXT, qty INTEGER, unit_cost REAL, labor_hrs REAL);
""",
        dict(dept=dp, cat=ca, ward=wd, crew=cw, svc_req=sr, wo_line=ln),
    )


def shouhou():
    r = random.Random(47)
    gy = [
        (1, "宁波海捷电器", "宁波", "周敏"),
        (2, "广州丽衣坊", "广州", "林少芬"),
        (3, "义乌小百货联盟", "义乌", "吴国强"),
        (4, "深圳声科", "深圳", "郑一鸣"),
        (5, "泉州跃步鞋业", "泉州", "蔡志伟"),
        (6, "成都麦香食品", "成都", None),
    ]
    g = "电热水壶:小家电:129:1 空气炸锅:小家电:299:1 吹风机:小家电:159:1 加湿器:小家电:89:1 连衣裙:服饰:219:2 羽绒服:服饰:599:2 牛仔裤:服饰:169:2 针织衫:服饰:139:2 收纳箱:家居:49.9:3 保温杯:家居:79:3 雨伞:家居:35:3 床上四件套:家居:268:3 蓝牙耳机:数码:199:4 智能手表:数码:499:4 充电宝:数码:109:4 蓝牙音箱:数码:239:4 跑步鞋:鞋靴:329:5 帆布鞋:鞋靴:119:5 马丁靴:鞋靴:389:5 坚果礼盒:食品:138:6 麻辣牛肉干:食品:68:6 曲奇饼干:食品:45:6"
    sp = [("SP%03d" % (i + 1),) + tuple(x.split(":")) for i, x in enumerate(g.split())]
    sp = [(a, b, c, float(d), int(e)) for a, b, c, d, e in sp]
    kf = [
        ("K01", "陈晓彤", "退款组", "2021-03-15", None),
        ("K02", "刘洋", "退款组", "2022-06-01", "K01"),
        ("K03", "王佳怡", "退款组", "2023-09-11", "K01"),
        ("K04", "赵磊", "换修组", "2020-11-02", None),
        ("K05", "孙悦", "换修组", "2024-02-26", "K04"),
        ("K06", "黄思琪", "投诉组", "2022-01-10", None),
        ("K07", "马强", "投诉组", "2025-07-07", "K06"),
        ("K08", "何静", "退款组", "2026-05-18", "K01"),
    ]
    pv = ["广东", "浙江", "江苏", "四川", "山东", "河南", "北京", "上海", "湖北"]
    n1 = ["小", "阿", "大", "老", "爱吃的", "快乐", "安静的", "路过的"]
    n2 = [
        "橘子",
        "熊猫",
        "叮当",
        "月亮",
        "青柠",
        "豆豆",
        "木木",
        "兔子",
        "海盐",
        "土豆",
        "星星",
        "石头",
        "桃子",
        "馒头",
        "可乐",
    ]
    nk = [a + b for a in n1 for b in n2]
    r.shuffle(nk)
    kh = [
        (
            2001 + i,
            nk[i % len(nk)] + ("" if i < len(nk) else str(r.randrange(10, 99))),
            pick(r, [(p, 10 - j) for j, p in enumerate(pv)]),
            pick(r, [("普通", 6), ("银卡", 3), ("金卡", 1.5), ("黑卡", 0.4)]),
            day(r, date(2020, 1, 1), date(2026, 9, 30)).isoformat(),
        )
        for i in range(260)
    ]
    zr = [("S", "供应商"), ("W", "仓库"), ("L", "物流"), ("C", "客户自身"), ("P", "平台")]
    rs = [
        ("质量问题", "S", 6),
        ("尺码不合适", "C", 4),
        ("发错货", "W", 2),
        ("运输破损", "L", 2.5),
        ("不喜欢", "C", 3.5),
        ("少件", "W", 1.2),
        ("与描述不符", "S", 2),
        ("七天无理由", "C", 4),
    ]
    sd, wl = [], []
    ts = sorted(day(r, date(2024, 3, 1), date(2026, 11, 14)) for _ in range(1150))
    heavy = [r.random() ** 2 + 0.03 for _ in kh]
    kd = ["顺丰", "中通", "圆通", "韵达", "京东物流", "邮政"]
    for i, d in enumerate(ts):
        t = datetime(d.year, d.month, d.day, r.randrange(8, 23), r.randrange(60), r.randrange(60))
        p = r.choices(
            sp, [1.2, 2, 1, 1, 3, 2.4, 1.6, 1, 0.7, 0.9, 0.4, 1.3, 2.8, 2.2, 1.1, 0.9, 2.6, 1.2, 1.4, 0.5, 0.4, 0.3]
        )[0]
        rea = pick(r, [(x, x[2]) for x in rs])
        ty = pick(
            r, [("仅退款", 4), ("退货退款", 6), ("换货", 2)] + ([("维修", 2)] if p[2] in ("小家电", "数码") else [])
        )
        s = (
            pick(r, [("已完成", 78), ("已拒绝", 8), ("已关闭", 7)])
            if d < date(2026, 10, 20)
            else pick(r, [("待审核", 3), ("待退货", 3), ("处理中", 3), ("已完成", 4)])
        )
        if d < date(2026, 10, 20) and r.random() < 0.012:
            s = "处理中"
        q = r.choices([1, 2, 3], [12, 2, 0.5])[0]
        sh = None if s == "待审核" else t + timedelta(hours=r.expovariate(1 / 9))
        wc = sh + timedelta(hours=r.lognormvariate(4, 0.7)) if s == "已完成" else None
        if wc and wc > datetime(2026, 11, 15):
            s, wc = "处理中", None
        am = (
            round(p[3] * q * r.choice([1, 1, 1, 0.5, 0.9]), 2)
            if ty in ("仅退款", "退货退款") and s not in ("已拒绝", "已关闭")
            else 0.0
        )
        no = "AS%06d" % (610000 + i)
        fm = lambda x: x.strftime("%Y-%m-%d %H:%M:%S") if x else None
        sd.append(
            (
                no,
                "DD%08d" % r.randrange(10**7, 10**8),
                r.choices(kh, heavy)[0][0],
                p[0],
                q,
                ty,
                rea[0],
                fm(t),
                fm(sh),
                fm(wc),
                s,
                am,
                None
                if s == "待审核"
                else r.choices(
                    [k[0] for k in kf if k[3] <= d.isoformat()],
                    [1 + (hash(k[0][1:]) * 0 + int(k[0][1:]) % 3) for k in kf if k[3] <= d.isoformat()],
                )[0],
                None if s == "待审核" else rea[1],
                pick(r, [("天猫", 5), ("京东", 3), ("抖音", 4), ("拼多多", 2)]),
                "是" if r.random() < 0.12 else "否",
                r.choices([1, 2, 3, 4, 5], [2, 2, 3, 5, 5])[0] if s == "已完成" and r.random() < 0.5 else None,
            )
        )
        if ty != "仅退款" and s not in ("待审核", "已拒绝", "已关闭"):
            jc = (sh + timedelta(days=r.randrange(1, 4))).date()
            if jc <= date(2026, 11, 15) and s != "待退货":
                qs = jc + timedelta(days=r.randrange(1, 7))
                wl.append(
                    (
                        len(wl) + 1,
                        no,
                        pick(r, list(zip(kd, [3, 5, 4, 3, 2, 1]))),
                        "YT%010d" % r.randrange(10**10),
                        r.choice([8, 10, 12, 12, 15, 18, 23]) * 1.0,
                        "客户" if rea[1] == "C" else "商家",
                        jc.isoformat(),
                        qs.isoformat() if qs <= date(2026, 11, 15) and r.random() < 0.97 else None,
                    )
                )
    make(
        "shouhou",
        """
CREATE TABLE 供应商 (编号 INTEGER PRIMARY KEY, 名称 TEXT, 城市 TEXT, 联系人 TEXT);
CREATE TABLE 商品 (商品编号 TEXT PRIMARY KEY, 商品名 TEXT, 类目 TEXT, 单价 REAL, 供应商编号 INTEGER);
CREATE TABLE 客服 (工号 TEXT PRIMARY KEY, 姓名 TEXT, 组别 TEXT, 入职日期 TEXT, 组长工号 TEXT);
CREATE TABLE 客户 (客户编号 INTEGER PRIMARY KEY, 昵称 TEXT, 省份 TEXT, 会员等级 TEXT, 注册日期 TEXT);
CREATE TABLE 责任代码 (代码 TEXT PRIMARY KEY, 含义 TEXT);
CREATE TABLE 售后单 (售后单号 TEXT PRIMARY KEY, 订单号 TEXT, 客户编号 INTEGER, 商品编号 TEXT, 件数 INTEGER, 类型 TEXT, 原因 TEXT, 申请时间 TEXT, 审核时间 TEXT, 完成时间 TEXT, 状态 TEXT, 退款金额 REAL, 处理人 TEXT, 责任方 TEXT, 平台 TEXT, 是否加急 TEXT, 满意度 INTEGER);
CREATE TABLE 退货物流 (id INTEGER PRIMARY KEY, 售后单号 TEXT, 快递公司 TEXT, 运单号 TEXT, 运费 REAL, 运费承担 TEXT, 寄出日期 TEXT, 签收日期 TEXT);
""",
        dict(供应商=gy, 商品=sp, 客服=kf, 客户=kh, 责任代码=zr, 售后单=sd, 退货物流=wl),
    )


def tuangou():
    r = random.Random(48)
    f = lambda d: "%d/%d/%d" % (d.year, d.month, d.day) if d else None
    zt = [
        (1, "东门水果店", "幸福路12号", "08:00-21:00"),
        (2, "好邻居便利店", "建设街88号", "07:00-23:00"),
        (3, "阳光驿站", "阳光花园3栋", "09:00-20:00"),
        (4, "物业中心", "翠湖苑大门", "09:00-18:00"),
        (5, "老王粮油店", "和平里6号", "07:30-20:30"),
        (6, "蜂巢柜", "星河湾北门", "全天"),
    ]
    xq = [
        ("阳光花园", "城东"),
        ("翠湖苑", "城西"),
        ("星河湾", "城东"),
        ("和平里", "城南"),
        ("幸福小区", "城东"),
        ("锦绣江南", "城西"),
        ("学府雅居", "城北"),
        ("金色家园", "城南"),
        ("梧桐里", "城北"),
        ("万科城", "城西"),
        ("丽景苑", "城南"),
        ("江畔人家", "城北"),
    ]
    nmz = [
        "张桂芳",
        "李秀梅",
        "王建国",
        "陈丽华",
        "刘玉兰",
        "杨芳",
        "赵红霞",
        "周海燕",
        "吴敏",
        "徐慧",
        "孙大勇",
        "何翠英",
        "郭静",
    ]
    tz = []
    for i, n in enumerate(nmz):
        x = xq[i % 12]
        tz.append(
            (
                "T%02d" % (i + 1),
                n,
                x[0],
                x[1],
                f(day(r, date(2023, 2, 1), date(2024, 12, 20))),
                r.choice([8, 10, 10, 12]) * 1.0,
                "停团" if i in (5, 10) else "正常",
                r.choice([1, 2, 3, 4, 5, 6]),
            )
        )
    tz[12] = tz[12][:4] + ("2026/11/3", 8.0, "正常", 2)
    g = "红富士苹果:水果:5斤装:22.5:32.8:山东烟台:20:否 赣南脐橙:水果:5斤装:19:29.9:江西赣州:25:否 阳光玫瑰葡萄:水果:2斤装:18:27.9:云南:7:是 麒麟西瓜:水果:1个:15:23.8:海南:10:否 海南芒果:水果:3斤装:16.5:25.9:海南:6:否 土鸡蛋:禽蛋:30枚:24:33.8:本地:30:否 鲜牛奶:乳品:950ml*2:19.8:26.9:本地:7:是 酸奶:乳品:12杯:21:29.9:本地:21:是 五花肉:肉类:2斤:26:35.8:本地:3:是 鸡胸肉:肉类:3斤:21.5:29.8:山东:180:是 牛腩:肉类:2斤:58:76:内蒙古:180:是 基围虾:水产:2斤:46:62.8:广东湛江:2:是 带鱼段:水产:3斤:33:45.9:浙江舟山:180:是 上海青:蔬菜:2斤:3.2:5.9:本地:3:否 西红柿:蔬菜:3斤:6.5:9.9:本地:6:否 土豆:蔬菜:5斤:6:9.8:甘肃:30:否 东北大米:粮油:10斤:28:38.8:黑龙江五常:365:否 花生油:粮油:5L:72:92:山东:540:否 抽纸:日用:24包:31:42.9:浙江:1095:否 洗衣液:日用:3kg:19.9:29.9:广东:1095:否 水饺:冷冻:2斤:17.5:25.8:河南:270:是 手抓饼:冷冻:20片:15:22.9:河南:270:是 螺蛳粉:方便食品:5包:29:41.9:广西柳州:180:否"
    sp = []
    for i, x in enumerate(g.split()):
        a, b, c, d, e, h, k, l = x.split(":")
        sp.append((101 + i, a, b, c, float(d), float(e), h, int(k), l))
    sp.append((124, "老干妈", "调味", "3瓶", 24.0, 31.5, "贵州", 540, "否"))
    gk = []
    sx = ["王", "李", "张", "刘", "陈", "杨", "黄", "赵", "吴", "周", "徐", "孙"]
    for i in range(1, 231):
        gk.append(
            (
                i,
                r.choice(sx) + r.choice(["女士", "先生", "阿姨", "姐", "大爷", "妈妈"]),
                r.choice(xq[:11])[0],
                str(r.randrange(1, 19)) + "栋",
                r.randrange(1, i) if i > 4 and r.random() < 0.28 else None,
                f(day(r, date(2024, 5, 1), date(2026, 10, 30))),
                "是" if r.random() < 0.3 else "否",
            )
        )
    w = [r.random() ** 2 + 0.03 for _ in gk]
    w[11] = w[60] = w[100] = 0
    tw = [6, 4, 5, 3, 3, 1, 2, 4, 2, 2, 0.6, 1.5, 0.4]
    dd, mx = [], []
    ds = sorted(day(r, date(2025, 1, 3), date(2026, 11, 15)) for _ in range(1000))
    wp = [3, 2.5, 2, 1.2, 1.3, 3.4, 2.2, 1.8, 2.4, 1.1, 0.9, 1.6, 0.8, 2, 2, 1.7, 1.5, 0.9, 1.9, 1, 1.4, 1.2, 0.8, 0]
    for i, d in enumerate(ds):
        no = "TG%05d" % (70001 + i)
        t = r.choices(tz, tw)[0]
        if t[0] == "T13" and d < date(2026, 11, 3):
            t = tz[0]
        its = r.choices(sp, wp, k=r.choice([1, 2, 2, 3, 4]))
        its = list(dict.fromkeys(its))
        tot = 0
        can = r.random() < 0.05
        for s in its:
            q = r.choices([1, 2, 3, 5], [10, 4, 1.2, 0.4])[0]
            pz = round(s[5] * r.choice([1, 1, 1, 0.9, 0.95]), 2)
            qh = 1 if r.random() < 0.035 else 0
            mx.append((no, s[0], q, pz, qh))
            tot += q * pz
        yh = r.choice([0, 0, 0, 2, 3, 5, 10]) if tot > 30 else 0
        if can:
            st, th = "已取消", None
        elif d < date(2026, 11, 8):
            st, th = (
                ("已提货", d + timedelta(days=r.choice([1, 1, 1, 2, 2, 3, 5])))
                if r.random() < 0.97
                else ("逾期未提", None)
            )
        else:
            st, th = pick(r, [("待发货", 2), ("待提货", 3), ("已提货", 2)]), None
            if st == "已提货":
                th = min(d + timedelta(days=1), date(2026, 11, 15))
        dd.append(
            (
                no,
                t[0],
                r.choices(gk, w)[0][0],
                f(d),
                t[7] if r.random() < 0.85 else r.randrange(1, 7),
                round(tot - yh, 2),
                yh * 1.0,
                pick(r, [("微信", 8), ("支付宝", 3), ("余额", 1)]),
                st,
                f(th),
            )
        )
    make(
        "tuangou",
        """
CREATE TABLE 自提点 (自提点ID INTEGER PRIMARY KEY, 名称 TEXT, 地址 TEXT, 营业时间 TEXT);
CREATE TABLE 团长 (团长ID TEXT PRIMARY KEY, 姓名 TEXT, 小区 TEXT, 片区 TEXT, 加入日期 TEXT, 佣金比例 REAL, 状态 TEXT, 默认自提点 INTEGER);
CREATE TABLE 商品档案 (编码 INTEGER PRIMARY KEY, 品名 TEXT, 分类 TEXT, 规格 TEXT, 进价 REAL, 售价 REAL, 产地 TEXT, 保质期天 INTEGER, 冷链 TEXT);
CREATE TABLE 顾客 (顾客ID INTEGER PRIMARY KEY, 称呼 TEXT, 小区 TEXT, 楼栋 TEXT, 推荐人 INTEGER, 注册日期 TEXT, 是否会员 TEXT);
CREATE TABLE 团购订单 (订单号 TEXT PRIMARY KEY, 团长ID TEXT, 顾客ID INTEGER, 下单日期 TEXT, 自提点ID INTEGER, 实付金额 REAL, 优惠 REAL, 支付方式 TEXT, 状态 TEXT, 提货日期 TEXT);
CREATE TABLE 订单明细 (订单号 TEXT, 商品编码 INTEGER, 数量 INTEGER, 单价 REAL, 缺货 INTEGER);
""",
        dict(自提点=zt, 团长=tz, 商品档案=sp, 顾客=gk, 团购订单=dd, 订单明细=mx),
    )


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    for fn in (peaks, films, hotel, saas, broker, pubworks, shouhou, tuangou):
        fn()
