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
    "Ada",
    "Basil",
    "Cora",
    "Duncan",
    "Elspeth",
    "Felix",
    "Gwen",
    "Hector",
    "Isla",
    "Jasper",
    "Kitty",
    "Lorcan",
    "Mabel",
    "Niall",
    "Orla",
    "Piers",
    "Queenie",
    "Rufus",
    "Sybil",
    "Tobias",
    "Una",
    "Vernon",
    "Winnie",
    "Xander",
    "Yola",
    "Zeke",
    "Alma",
    "Barnaby",
    "Clover",
    "Dexter",
]
FAMILY = [
    "Ashdown",
    "Bracken",
    "Coates",
    "Dunmore",
    "Eagles",
    "Foxley",
    "Garside",
    "Heron",
    "Ingle",
    "Joyce",
    "Kettle",
    "Lomax",
    "Marsh",
    "Norcott",
    "Ogden",
    "Pike",
    "Quayle",
    "Rushby",
    "Salter",
    "Tansley",
    "Upton",
    "Venn",
    "Wrigley",
    "Yates",
]
XING = "钱孙李周吴郑冯陈沈韩杨朱秦许何吕施张孔曹严华"
MING = [
    "桂芳",
    "长根",
    "水生",
    "美玲",
    "德福",
    "阿根",
    "玉兰",
    "金宝",
    "文斌",
    "小军",
    "秋菊",
    "志远",
    "冬梅",
    "建平",
    "雅琴",
    "海生",
    "巧云",
    "正华",
    "春生",
    "慧敏",
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


def names(r, n, first=FIRST, family=FAMILY, form="{0} {1}"):
    out = []
    while len(out) < n:
        x = form.format(r.choice(first), r.choice(family))
        if x not in out:
            out.append(x)
    return out


def zhnames(r, n):
    return names(r, n, MING, XING, "{1}{0}")


def text(d):
    return str(d) if d else None


def chimney():
    """One table, an export of a chimney sweep's diary: dates like 14/03/2026, money like £1,234.50."""
    r = random.Random(1201)

    def uk(d):
        return d.strftime("%d/%m/%Y") if d else None

    def gbp(v):
        return "£" + format(v, ",.2f")

    people = [
        (
            n,
            "%d %s"
            % (r.randrange(1, 90), r.choice(["Mill Lane", "Church Row", "Tanner St", "Hill Rise", "The Green"])),
            pick(r, {"Buxworth": 6, "Calverdale": 5, "Netherby": 4, "Hopesend": 3, "Long Marling": 2}),
            pick(r, {"Terrace": 6, "Cottage": 6, "Farmhouse": 3, "Pub": 1.2, "Church": 0.5, "Manor": 0.4}),
            pick(r, {"Wood stove": 7, "Open fire": 6, "Range cooker": 2, "Oil boiler": 1.4}),
        )
        for n in names(r, 330)
    ]
    services = {
        "Sweep": (62, 45, 12),
        "CCTV survey": (120, 60, 1.6),
        "Nest removal": (95, 80, 1.5),
        "Cowl fitting": (85, 70, 1.8),
        "Smoke test": (40, 30, 1),
        "Relining": (980, 380, 0.35),
    }
    swept, rows = {}, []
    for k in range(1400):
        m = pick(r, {1: 4, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3, 7: 4, 8: 6, 9: 9, 10: 10, 11: 7, 12: 5})
        d = D(pick(r, {2024: 3, 2025: 3.5, 2026: 3.4}), m, r.randrange(1, 29))
        if D(2026, 11, 16) < d:
            d = D(2026, 11, r.randrange(1, 17))
        if k > 1372:
            d = D(2026, 11, 23) + timedelta(days=r.randrange(0, 19))
        rows.append(d)
    out = []
    for k, d in enumerate(sorted(rows)):
        if d.weekday() == 6:
            d += timedelta(days=1)
        who, street, town, prop, app = people[min(329, int(r.random() ** 1.5 * 330))]
        service = pick(r, {s: v[2] for s, v in services.items()})
        flues = pick(r, {1: 7, 2: 3, 3: 1}) + (2 if prop in ("Manor", "Church") else 0)
        sweep = pick(r, {"Dai": 5, "Margaret": 4, "Owen": 3, "Tilly": 2 if d > D(2025, 6, 1) else 0.01})
        labour = services[service][0] * (1 + 0.6 * (flues - 1)) * (1 + 0.04 * (d.year - 2024))
        parts = r.choice([28.5, 45, 62, 79.99]) if service == "Cowl fitting" else 0
        parts = round(r.uniform(300, 900), 2) if service == "Relining" else parts
        net = round(labour + parts, 2)
        vat = round(net * 0.2, 2)
        status = "Booked" if d > D(2026, 11, 16) else pick(r, {"Done": 91, "Cancelled": 5, "No access": 3})
        done = status == "Done"
        paid = done and r.random() < (0.97 if d < D(2026, 9, 1) else 0.78)
        booked = min(D(2026, 11, 16), d - timedelta(days=int(r.expovariate(1 / 16))))
        out.append(
            (
                "J%04d" % (2001 + k),
                uk(booked),
                uk(d),
                r.choice(["AM", "AM", "PM"]),
                who,
                street,
                town,
                prop,
                app,
                flues,
                round(r.uniform(5, 9) + (6 if prop in ("Manor", "Church") else 0), 1),
                uk(swept.get(who)),
                sweep,
                service,
                int(services[service][1] * flues**0.6 * r.uniform(0.8, 1.4)) if done else None,
                round(r.lognormvariate(0.6, 0.6) * flues, 1) if done and service in ("Sweep", "Nest removal") else None,
                gbp(round(labour, 2)),
                gbp(parts),
                gbp(vat),
                gbp(net + vat),
                pick(r, {"Card": 6, "Cash": 3, "Bank transfer": 3}) if paid else None,
                "Yes" if paid else "No",
                status,
                "CERT-%05d" % (40000 + k) if done and service in ("Sweep", "Smoke test") else None,
                pick(r, {"Repeat": 6, "Word of mouth": 3, "Web search": 3, "Leaflet": 1, "Facebook": 1}),
            )
        )
        if done and service == "Sweep":
            swept[who] = d
    make(
        "chimney",
        """CREATE TABLE sweep_jobs("Job No" TEXT, "Booked On" TEXT, "Job Date" TEXT, "Slot" TEXT, "Customer" TEXT,
 "Street" TEXT, "Town" TEXT, "Property Type" TEXT, "Appliance" TEXT, "Flues" INTEGER, "Flue Height (m)" REAL,
 "Last Swept" TEXT, "Sweep" TEXT, "Service" TEXT, "Minutes" INTEGER, "Soot (kg)" REAL, "Labour" TEXT, "Parts" TEXT,
 "VAT" TEXT, "Total" TEXT, "Payment Method" TEXT, "Paid?" TEXT, "Job Status" TEXT, "Certificate No" TEXT,
 "Found Us Via" TEXT);""",
        {"sweep_jobs": out},
    )


def lost_property():
    """One table, an export of a tram company's lost property office: dates like 05.03.2026, money like 1.234,50 €."""
    r = random.Random(1202)

    def eur(v):
        return format(v, ",.2f").replace(",", "_").replace(".", ",").replace("_", ".") + " €"

    def de(d):
        return d.strftime("%d.%m.%Y") if d else None

    kinds = {
        "umbrella": (12, 9, 0.12),
        "phone": (260, 8, 0.62),
        "bag": (40, 7, 0.4),
        "keys": (8, 5, 0.3),
        "glasses": (90, 4, 0.22),
        "clothing": (25, 9, 0.13),
        "wallet": (30, 4, 0.7),
        "musical instrument": (650, 0.6, 0.85),
        "pushchair": (120, 0.9, 0.5),
        "toy": (10, 3, 0.28),
        "crutches": (35, 0.7, 0.2),
    }
    colours = {"black": 8, "blue": 4, "red": 2, "grey": 3, "green": 1.5, "brown": 2, "yellow": 0.7}
    stops = ["Old Market", "Opera", "North Station", "Harbour", "University", "Stadium", "Lindenhof", "Depot"]
    out, days = [], sorted(day(r, D(2024, 1, 2), D(2026, 11, 15)) for _ in range(2600))
    for k, d in enumerate(days):
        kind = pick(r, {t: v[1] for t, v in kinds.items()})
        if kind == "umbrella" and d.month in (6, 7, 8) and r.random() < 0.6:
            kind = "clothing"
        line = pick(r, {"Tram 1": 6, "Tram 4": 5, "Tram 9": 3, "Bus 22": 4, "Bus 31": 2, "Funicular": 0.7})
        value = round(kinds[kind][0] * r.lognormvariate(0, 0.5))
        cash = round(r.lognormvariate(3, 0.9), 2) if kind in ("wallet", "bag") and r.random() < 0.5 else 0
        claimed = fee = price = None
        if r.random() < kinds[kind][2]:
            claimed = d + timedelta(days=1 + int(r.expovariate(1 / 9)))
            if claimed > D(2026, 11, 16):
                claimed = None
        held = (D(2026, 11, 16) - d).days
        if claimed:
            status, fee = "returned", 0 if kind == "crutches" else 4.5 if value < 100 else 9
        elif held < 95:
            status = "in store"
        else:
            status = pick(
                r,
                {"auctioned": 6, "donated": 3, "destroyed": 2, "in store": 0.4}
                if kind not in ("keys", "crutches", "glasses")
                else {"destroyed": 6, "donated": 3},
            )
        if kind in ("phone", "wallet") and status in ("donated", "destroyed"):
            status = "sent to police"
        if status == "auctioned":
            price = round(value * r.uniform(0.15, 0.8), 1)
        out.append(
            (
                "LP-%05d" % (30001 + k),
                de(d),
                "%02d:%02d"
                % (pick(r, {7: 4, 8: 6, 9: 3, 12: 3, 14: 2, 16: 5, 17: 6, 18: 4, 21: 2, 23: 2}), r.randrange(60)),
                line,
                r.choice(stops),
                pick(r, {"driver": 5, "cleaner": 4, "passenger": 3, "inspector": 1}),
                kind,
                pick(r, colours),
                eur(value),
                eur(cash),
                pick(r, {"Central": 5, "Harbour": 3, "North": 2}),
                r.choice("ABCDEF") + "%d" % r.randrange(1, 13),
                status,
                de(claimed),
                eur(fee) if fee is not None else None,
                eur(price) if price is not None else None,
                pick(r, {"Ms Adler": 4, "Mr Brandt": 3, "Ms Celik": 3, "Mr Dorn": 1}),
                "Y" if (kind == "phone" and r.random() < 0.7) or r.random() < 0.05 else "N",
            )
        )
    make(
        "lostproperty",
        """CREATE TABLE lost_items("Ref No" TEXT, "Found On" TEXT, "Found Time" TEXT, "Line" TEXT, "Stop" TEXT,
 "Handed In By" TEXT, "Item Type" TEXT, "Colour" TEXT, "Est. Value" TEXT, "Cash Inside" TEXT, "Office" TEXT,
 "Shelf" TEXT, "Status" TEXT, "Claimed On" TEXT, "Fee Charged" TEXT, "Auction Price" TEXT, "Clerk" TEXT,
 "Owner Traced?" TEXT);""",
        {"lost_items": out},
    )


def pigeons():
    r = random.Random(1203)
    lofty = "Hilltop,Back Lane,Old Forge,Mill Race,Whin Bank,Station Row,Crow Wood,Foundry,Top Field,Chapel,Sandpit"
    lofty = (lofty + ",Weir Side,Tollgate,New Close").split(",")
    lofts = []
    for i, n in enumerate(names(r, 14)):
        joined = day(r, D(2019, 3, 1), D(2024, 2, 1)) if i < 13 else D(2026, 9, 12)
        lofts.append(
            (
                i + 1,
                lofty[i],
                n,
                pick(r, {"Haddlewick": 4, "Coldbeck": 3, "Thorsby": 3, "Mirefoot": 1}),
                str(joined),
                None if r.random() < 0.3 else "07700 9%05d" % r.randrange(100000),
            )
        )
    bird_names = names(
        r,
        230,
        [
            "Silver",
            "Storm",
            "Misty",
            "Bold",
            "Rapid",
            "Velvet",
            "Copper",
            "Lucky",
            "Northern",
            "Cloud",
            "Dusty",
            "Royal",
            "Blue",
            "Steel",
            "Amber",
        ],
        [
            "Arrow",
            "Duke",
            "Lass",
            "Dream",
            "Comet",
            "Baron",
            "Queen",
            "Spirit",
            "Boy",
            "Girl",
            "Flash",
            "Prince",
            "Lady",
            "Ghost",
            "Star",
            "Whistler",
        ],
    )
    birds, skill = [], {}
    for k in range(230):
        loft = r.choices(range(1, 14), [5, 4, 6, 3, 3, 2, 4, 2, 3, 2, 1, 2, 1])[0]
        hatched = D(
            pick(r, {2021: 2, 2022: 3, 2023: 4, 2024: 4, 2025: 5, 2026: 5}), r.randrange(2, 6), r.randrange(1, 29)
        )
        fathers = [b for b in birds if b[3] == "cock" and b[4][:4] < str(hatched.year)]
        sire = r.choice(fathers[: 1 + len(fathers) // 3])[0] if fathers and r.random() < 0.6 else None
        status = pick(r, {"racing": 11, "breeding": 3, "lost": 2.4, "retired": 2, "sold": 1})
        if hatched.year == 2026:
            status = pick(r, {"racing": 9, "lost": 1})
        ring = "GB%02dH%04d" % (hatched.year % 100, 1000 + k * 7)
        skill[ring] = r.gauss(0, 45)
        birds.append(
            (
                ring,
                loft,
                bird_names[k] if r.random() < 0.8 else None,
                r.choice(["cock", "hen"]),
                str(hatched),
                pick(r, {"blue bar": 6, "chequer": 5, "mealy": 2, "red": 2, "white": 0.6}),
                sire,
                status,
            )
        )
    points = {
        "Fairmouth": 82,
        "Gullhaven": 146,
        "Port Lisle": 215,
        "Saint-Aubry": 348,
        "Rocheval": 467,
        "Montclair": 612,
    }
    races, clock, prizes = [], [], []
    for y in (2023, 2024, 2025, 2026):
        for w in range(20):
            d = D(y, 4, 15) + timedelta(days=7 * w)
            young = w >= 13
            point = r.choice(list(points)[:3] if young else list(points)[min(w // 3, 2) :])
            wind = pick(r, {"tail": 3, "head": 3, "cross": 3, "calm": 2})
            start = datetime(d.year, d.month, d.day, r.randrange(6, 10), r.choice([0, 15, 30, 45]))
            races.append(
                (
                    len(races) + 1,
                    point,
                    points[point],
                    start.strftime("%Y-%m-%d %H:%M"),
                    "young birds" if young else "old birds",
                    wind,
                    r.randrange(9, 29),
                )
            )
            if y == 2026 and w == 6:
                races[-1] = races[-1][:5] + ("head", 9)
                continue
            field = [
                b
                for b in birds
                if (int(b[4][:4]) == y) == young and int(b[4][:4]) <= y and b[7] != "breeding" and r.random() < 0.33
            ]
            base = {"tail": 1420, "head": 1080, "cross": 1230, "calm": 1290}[wind]
            times = []
            for b in field:
                speed = base + skill[b[0]] + r.gauss(0, 60)
                away = r.random() < 0.03 + points[point] / 9000
                times.append((None if away else round(speed, 2), b))
            times.sort(key=lambda t: -(t[0] or 0))
            for pos, (speed, b) in enumerate(times):
                home = start + timedelta(minutes=points[point] * 1000 / speed) if speed else None
                clock.append(
                    (
                        len(clock) + 1,
                        len(races),
                        b[0],
                        home.strftime("%Y-%m-%d %H:%M") if home else None,
                        speed,
                        pos + 1 if speed else None,
                        1.5 if points[point] < 200 else 2.5,
                    )
                )
                if pos < 3 and speed:
                    paid = d + timedelta(days=r.randrange(5, 40)) if r.random() < (0.93 if y < 2026 else 0.7) else None
                    prizes.append(
                        (
                            len(prizes) + 1,
                            len(races),
                            b[0],
                            [60, 30, 15][pos] * (2 if points[point] > 400 else 1),
                            text(paid),
                        )
                    )
    make(
        "pigeons",
        """CREATE TABLE lofts(loft_id INTEGER PRIMARY KEY, loft_name TEXT, owner TEXT, village TEXT, joined_on TEXT,
  phone TEXT);
CREATE TABLE birds(ring_no TEXT PRIMARY KEY, loft_id INTEGER REFERENCES lofts, bird_name TEXT, sex TEXT,
  hatched_on TEXT, colour TEXT, sire_ring TEXT REFERENCES birds(ring_no), status TEXT);
CREATE TABLE races(race_id INTEGER PRIMARY KEY, release_point TEXT, distance_km INTEGER, released_at TEXT,
  age_class TEXT, wind TEXT, temp_c INTEGER);
CREATE TABLE clockings(clocking_id INTEGER PRIMARY KEY, race_id INTEGER REFERENCES races,
  ring_no TEXT REFERENCES birds, arrived_at TEXT, speed_mpm REAL, position INTEGER, entry_fee REAL);
CREATE TABLE prizes(prize_id INTEGER PRIMARY KEY, race_id INTEGER REFERENCES races, ring_no TEXT REFERENCES birds,
  amount INTEGER, paid_on TEXT);""",
        {"lofts": lofts, "birds": birds, "races": races, "clockings": clock, "prizes": prizes},
    )


def puppets():
    r = random.Random(1204)
    venues = [
        (1, "Old Granary", "Wexcombe", "theatre", 180),
        (2, "St Brannoc Hall", "Pellmouth", "village hall", 90),
        (3, "Pier Pavilion", "Pellmouth", "theatre", 320),
        (4, "Lantern Barn", "Oakhanger", "barn", 70),
        (5, "Castle Green", "Wexcombe", "open air", 250),
        (6, "Tithe Yard", "Dunstow", "open air", 140),
        (7, "Mechanics Institute", "Harrowby", "village hall", 110),
        (8, "Playhouse Two", "Harrowby", "theatre", 210),
        (9, "Ferry Shed", "Skerrin", "barn", 60),
    ]
    plays = [
        (1, "The Fox Who Sold Rain", 4, 45, "2021-05-08", "no"),
        (2, "Captain Whisker", 3, 40, "2022-03-19", "no"),
        (3, "The Glass Mountain", 7, 70, "2022-10-01", "yes"),
        (4, "Moth and Moon", 5, 50, "2023-06-17", "no"),
        (5, "The Clockmaker's Ghost", 10, 85, "2024-02-03", "yes"),
        (6, "Seven Hungry Geese", 3, 35, "2025-04-12", "no"),
        (7, "A Bear in Winter", 6, 60, "2026-11-28", "yes"),
    ]
    dolls, who = (
        [],
        [
            "Fox",
            "Raincloud",
            "Captain",
            "Princess",
            "Glassblower",
            "Moth",
            "Moon",
            "Goose",
            "Ghost",
            "Clockmaker",
            "Bear",
            "Wolf",
            "Witch",
            "Mayor",
        ],
    )
    used = set()
    for k in range(64):
        n = r.choice(who) + r.choice(["", " (small)", " (night)", " II", " with hat", " old"])
        while n in used:
            n = r.choice(who) + r.choice(["", " (small)", " (night)", " II", " with hat", " old", " III", " masked"])
        used.add(n)
        play = r.choices([1, 2, 3, 4, 5, 6, 7, None], [9, 8, 11, 7, 12, 8, 5, 4])[0]
        dolls.append(
            (
                k + 1,
                n,
                play,
                pick(r, {"marionette": 5, "glove": 4, "rod": 3, "shadow": 2.5}),
                r.choice(["Hana", "Ruben", "Ruben", "Old Piet"]),
                str(day(r, D(2019, 1, 5), D(2026, 10, 20))),
                r.randrange(90, 4200, 10),
                "in store" if play is None else pick(r, {"on tour": 7, "in repair": 1.2, "in store": 1.5}),
            )
        )
    shows = []
    for _ in range(640):
        m = pick(r, {1: 3, 2: 4, 3: 4, 4: 5, 5: 5, 6: 5, 7: 7, 8: 7, 9: 4, 10: 6, 11: 5, 12: 9})
        d = D(pick(r, {2023: 2, 2024: 3, 2025: 3.4, 2026: 3.2}), m, r.randrange(1, 29))
        if d > D(2026, 12, 22) or (d.year == 2026 and d.month == 12 and r.random() < 0.5):
            continue
        play = r.choices(plays[:6], [4, 5, 3, 4, 2.4, 5])[0]
        if str(d) < play[4]:
            play = plays[r.randrange(3)]
        v = r.choices(venues, [5, 3, 4, 3, 3, 2, 2, 4, 1 if d.year < 2026 else 0.01])[0]
        if v[3] == "open air" and d.month not in (5, 6, 7, 8, 9):
            v = venues[r.choice([0, 1, 3, 7])]
        hour = r.choice(["11:00", "14:30", "14:30", "16:00", "19:30"]) if play[2] < 7 else r.choice(["16:00", "19:30"])
        planned = d > D(2026, 11, 16)
        status = "planned" if planned else pick(r, {"played": 92, "cancelled": 5, "postponed": 2.5})
        price = {3: 6, 4: 6.5, 5: 7, 6: 8, 7: 9, 10: 12}[play[2]] + (1 if d.year > 2024 else 0)
        fill = min(1, max(0.12, r.gauss(0.58 + (0.14 if m in (12, 7) else 0), 0.2)))
        sold = int(v[4] * fill * (0.4 if planned else 1))
        shows.append(
            [
                0,
                play[0],
                v[0],
                "%s %s" % (d, hour),
                r.choice(["Hana", "Ruben", "Ruben", "Lotte", "Milo"]),
                price,
                0 if status in ("cancelled", "postponed") else sold,
                pick(r, {250: 3, 320: 3, 450: 2}) if v[3] != "village hall" else 180,
                status,
            ]
        )
    shows.sort(key=lambda s: s[3])
    for k, s in enumerate(shows):
        s[0] = k + 1
    repairs = []
    for _ in range(150):
        p = r.choices(dolls, [1 + (i % 7 == 0) * 5 for i in range(64)])[0]
        a = day(r, max(D(2023, 1, 5), D.fromisoformat(p[5])), D(2026, 11, 12))
        b = a + timedelta(days=int(r.expovariate(1 / 18)) + 1)
        repairs.append(
            (
                0,
                p[0],
                str(a),
                str(b) if b <= LAST and r.random() < 0.96 else None,
                pick(r, {"broken string": 5, "torn cloth": 4, "loose joint": 4, "paint": 3, "cracked head": 1.4}),
                round(r.lognormvariate(2.9, 0.7), 2),
            )
        )
    repairs = [(k + 1, *x[1:]) for k, x in enumerate(sorted(repairs, key=lambda x: x[2]))]
    make(
        "puppets",
        """CREATE TABLE venues(venue_id INTEGER PRIMARY KEY, venue_name TEXT, town TEXT, kind TEXT, seats INTEGER);
CREATE TABLE plays(play_id INTEGER PRIMARY KEY, title TEXT, age_from INTEGER, minutes INTEGER, premiere TEXT,
  has_interval TEXT);
CREATE TABLE puppets(puppet_id INTEGER PRIMARY KEY, puppet_name TEXT, play_id INTEGER REFERENCES plays, technique TEXT,
  maker TEXT, made_on TEXT, weight_g INTEGER, status TEXT);
CREATE TABLE shows(show_id INTEGER PRIMARY KEY, play_id INTEGER REFERENCES plays, venue_id INTEGER REFERENCES venues,
  starts_at TEXT, lead TEXT, ticket_price REAL, tickets_sold INTEGER, hall_fee INTEGER, status TEXT);
CREATE TABLE repairs(repair_id INTEGER PRIMARY KEY, puppet_id INTEGER REFERENCES puppets, reported_on TEXT,
  fixed_on TEXT, fault TEXT, cost REAL);""",
        {"venues": venues, "plays": plays, "puppets": dolls, "shows": shows, "repairs": repairs},
    )


def saltworks():
    r = random.Random(1205)
    pans = []
    for k in range(24):
        sec = "NNNNNEEEEEEESSSSSSWWWWWW"[k]
        pans.append(
            (
                k + 1,
                "%s%d" % (sec, k + 1),
                {"N": "north", "E": "east", "S": "south", "W": "west"}[sec],
                r.randrange(60, 240, 4),
                r.choice(["clay", "clay", "slate", "liner"]),
                r.randrange(1962, 2024),
                str(day(r, D(2025, 1, 10), D(2026, 5, 1))) if k in (3, 16) else None,
            )
        )
    rakers = [
        (
            i + 1,
            n,
            str(day(r, D(2017, 3, 1), D(2025, 4, 1)) if i < 9 else D(2026, 10, 26)),
            str(day(r, D(2025, 3, 1), D(2026, 6, 1))) if i in (2, 6) else None,
            r.choice([96, 104, 104, 118, 125]),
        )
        for i, n in enumerate(names(r, 10))
    ]
    rich = {p[0]: r.uniform(0.6, 1.5) for p in pans}
    rake = []
    for y in (2024, 2025, 2026):
        for p in pans:
            d = D(y, 5, 4 + r.randrange(12))
            while d < D(y, 10, 12):
                gone = p[6] and str(d) > p[6]
                if not gone and r.random() > 0.12:
                    ok = [x for x in rakers if x[2] <= str(d) and not (x[3] and x[3] < str(d))]
                    grade = pick(r, {"coarse": 6, "grey": 4, "fleur": 2 if d.month in (7, 8) else 0.6})
                    kg = p[3] * rich[p[0]] * {"coarse": 1.1, "grey": 0.8, "fleur": 0.12}[grade]
                    kg *= {5: 0.5, 6: 0.9, 7: 1.2, 8: 1.25, 9: 0.8, 10: 0.4}[d.month] * {
                        2024: 1,
                        2025: 1.18,
                        2026: 0.87,
                    }[y]
                    rake.append(
                        [
                            0,
                            p[0],
                            r.choice(ok)[0],
                            str(d),
                            grade,
                            round(kg * r.uniform(0.75, 1.25), 1),
                            round(r.uniform(2.5, 9.5), 1) if r.random() < 0.9 else None,
                            pick(r, {"yes": 9, "no": 1}),
                        ]
                    )
                d += timedelta(days=r.randrange(9, 20))
    rake.sort(key=lambda x: x[3])
    for k, x in enumerate(rake):
        x[0] = k + 1
    firms = "Brasserie Nord,Halle Epices,Quay Smokehouse,Tanaka Foods,Bakers Union,Sel & Cie,Hotel Corvo,Fjordlaks"
    firms += ",The Larder,Cuero Tannery,Winter Roads Dept,Dorset Butchers,Mare Spa,Kombu House,Old Dairy"
    kinds = ["restaurant", "shop", "producer", "wholesaler", "producer", "shop", "restaurant", "producer"]
    kinds += ["shop", "producer", "public", "producer", "spa", "restaurant", "producer"]
    lands = ["France", "France", "UK", "Japan", "Belgium", "France", "Portugal", "Norway"]
    lands += ["UK", "Spain", "Belgium", "UK", "France", "Japan", "UK"]
    buyers = [(i + 1, f, lands[i], kinds[i], r.choice([14, 30, 30, 60])) for i, f in enumerate(firms.split(","))]
    orders = []
    for _ in range(720):
        b = r.choices(buyers, [6, 4, 5, 3, 4, 3, 2, 4, 3, 1, 1, 3, 1, 2, 0])[0]
        d = day(r, D(2024, 1, 8), D(2026, 11, 14))
        g = pick(r, {"coarse": 6, "grey": 4, "fleur": 3})
        kg = (
            round(r.lognormvariate({"coarse": 4.4, "grey": 3.6, "fleur": 1.9}[g], 0.6))
            + (400 if b[3] == "public" else 0)
            + 1
        )
        price = {"coarse": 1.9, "grey": 4.2, "fleur": 26}[g] * (1.06 if d.year == 2026 else 1)
        status = "cancelled" if r.random() < 0.05 else "open"
        ship = paid = None
        if status == "open":
            ship = d + timedelta(days=r.randrange(1, 15))
            ship = ship if ship <= LAST else None
            if ship:
                paid = ship + timedelta(days=int(b[4] * r.uniform(0.3, 1.6)))
                paid = paid if paid <= LAST and r.random() < 0.97 else None
                status = "paid" if paid else "shipped"
        orders.append([0, b[0], str(d), g, kg, round(kg * price, 2), text(ship), text(paid), status])
    orders.sort(key=lambda x: x[2])
    for k, x in enumerate(orders):
        x[0] = 5001 + k
    make(
        "saltworks",
        """CREATE TABLE pans(pan_id INTEGER PRIMARY KEY, pan_name TEXT, section TEXT, area_m2 INTEGER, floor TEXT,
  dug_in INTEGER, abandoned_on TEXT);
CREATE TABLE rakers(raker_id INTEGER PRIMARY KEY, raker_name TEXT, hired_on TEXT, left_on TEXT, day_rate INTEGER);
CREATE TABLE rakings(raking_id INTEGER PRIMARY KEY, pan_id INTEGER REFERENCES pans, raker_id INTEGER REFERENCES rakers,
  raked_on TEXT, grade TEXT, salt_kg REAL, moisture_pct REAL, passed_test TEXT);
CREATE TABLE buyers(buyer_id INTEGER PRIMARY KEY, buyer_name TEXT, country TEXT, kind TEXT, terms_days INTEGER);
CREATE TABLE orders(order_no INTEGER PRIMARY KEY, buyer_id INTEGER REFERENCES buyers, ordered_on TEXT, grade TEXT,
  kg INTEGER, amount_eur REAL, shipped_on TEXT, paid_on TEXT, status TEXT);""",
        {"pans": pans, "rakers": rakers, "rakings": rake, "buyers": buyers, "orders": orders},
    )


def hedgehogs():
    r = random.Random(1206)
    carers = [
        (
            i + 1,
            n,
            pick(r, {"Ivel": 4, "Marshgate": 3, "Potter's End": 3, "Cowslip": 2}),
            r.choice([2, 3, 4, 4, 6, 10]),
            str(day(r, D(2018, 4, 1), D(2024, 6, 1)) if i < 16 else D(2026, 9, 20)),
            "Y" if i not in (4, 9, 13) else "N",
        )
        for i, n in enumerate(names(r, 17))
    ]
    pets = names(r, 780, ["Mr", "Mrs", "Lady", "Sir", "Little", "Captain", "Miss", "Big", "Old", "Auntie", "Uncle", "Tiny", "Doctor", "Young", "Duke"],
                 ["Prickles", "Spike", "Conker", "Bramble", "Nettle", "Pin", "Thistle", "Teasel", "Bristle", "Snuffle", "Acorn", "Biscuit", "Truffle", "Bean", "Pickle", "Hazel", "Fern", "Moss", "Twiggy", "Clementine", "Figgy", "Pudding", "Nutmeg", "Chestnut", "Tuppence", "Bertie", "Mabel", "Olive", "Radish", "Turnip", "Crumpet", "Dumpling", "Waffle", "Noodle", "Sprout", "Pepper", "Mustard", "Ginger", "Sorrel", "Clove", "Juniper", "Willow", "Rowan", "Alder", "Bumble", "Otto", "Pip", "Dot", "Tansy", "Burdock", "Sedge", "Comfrey", "Yarrow", "Heather", "Gorse", "Pebble", "Cricket", "Beetle", "Minnow", "Rusty", "Smudge", "Button", "Tickle", "Velcro", "Bobbin", "Thimble", "Needle", "Pincushion", "Scratch", "Rumble", "Shuffle", "Tumble", "Wobble", "Whiskey", "Porter", "Cider", "Mead", "Sherry", "Brandy", "Treacle", "Custard", "Crumble", "Jelly", "Toffee", "Fudge", "Nougat", "Marzipan", "Pretzel", "Bagel"])  # fmt: skip
    hogs, weigh, meds = [], [], []
    for k in range(780):
        m = pick(r, {1: 2, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 8, 9: 11, 10: 13, 11: 9, 12: 3})
        d = D(pick(r, {2023: 2, 2024: 3, 2025: 4, 2026: 4}), m, r.randrange(1, 29))
        if d > D(2026, 11, 15):
            d = D(2026, r.choice([9, 10, 11]), r.randrange(1, 15))
        why = pick(
            r,
            {"out in daylight": 7, "strimmer": 2, "car": 2.4, "dog bite": 1.5, "orphan": 6, "lungworm": 3, "netting": 1,
             "too small for winter": 7 if m in (9, 10, 11, 12) else 0},
        )  # fmt: skip
        w = int(max(60, r.gauss({"orphan": 130, "too small for winter": 380}.get(why, 520), 90)))
        x = r.random()
        stay = int(r.lognormvariate(3.4, 0.6)) + 1
        dies = x < {"car": 0.5, "strimmer": 0.4, "lungworm": 0.3}.get(why, 0.16)
        end = d + timedelta(days=r.randrange(0, 9) if dies else stay)
        if end > LAST:
            outcome, end = "in care", None
        else:
            outcome = "died" if dies else "transferred" if x > 0.95 else "released"
        carer = r.choices(carers[:16], [1 + c[3] for c in carers[:16]])[0]
        gain = r.uniform(4, 13)
        out_w = min(int(w + gain * (end - d).days), 1180 - int(gain * 17)) if outcome == "released" else None
        hogs.append(
            [
                0,
                pets[k] if r.random() < 0.93 else None,
                r.choice(["F", "M", "M", "F", "?"]),
                str(d),
                pick(r, {"garden": 8, "road": 3, "park": 2, "building site": 1, "school": 0.7}),
                why,
                w,
                carer[0],
                outcome,
                text(end),
                out_w,
                gain,
            ]
        )
    hogs.sort(key=lambda h: h[3])
    for k, h in enumerate(hogs):
        h[0] = k + 1
        d, stop = D.fromisoformat(h[3]), D.fromisoformat(h[9]) if h[9] else LAST
        t = d
        while t <= stop and t < d + timedelta(days=60):
            weigh.append((h[0], str(t), max(50, int(h[6] + h[11] * (t - d).days + r.gauss(0, 8)))))
            t += timedelta(days=r.randrange(5, 12))
        for _ in range(pick(r, {0: 5, 1: 4, 2: 2, 3: 1}) + (2 if h[5] == "lungworm" else 0)):
            meds.append(
                (
                    0,
                    h[0],
                    str(day(r, d, min(stop, d + timedelta(days=10)))),
                    pick(r, {"levamisole": 5, "panacur": 3, "antibiotic": 4, "fluids": 4, "painkiller": 3}),
                    round(r.uniform(1.1, 9.8), 2),
                )
            )
    meds = [(k + 1, *x[1:]) for k, x in enumerate(sorted(meds, key=lambda x: x[2]))]
    make(
        "hedgehogs",
        """CREATE TABLE carers(carer_id INTEGER PRIMARY KEY, carer_name TEXT, town TEXT, max_hogs INTEGER, since TEXT,
  active TEXT);
CREATE TABLE hogs(hog_id INTEGER PRIMARY KEY, hog_name TEXT, sex TEXT, admitted_on TEXT, found_in TEXT, reason TEXT,
  weight_in_g INTEGER, carer_id INTEGER REFERENCES carers, outcome TEXT, outcome_on TEXT, weight_out_g INTEGER);
CREATE TABLE weighings(hog_id INTEGER REFERENCES hogs, weighed_on TEXT, grams INTEGER);
CREATE TABLE medication(med_id INTEGER PRIMARY KEY, hog_id INTEGER REFERENCES hogs, given_on TEXT, drug TEXT,
  cost REAL);""",
        {"carers": carers, "hogs": [h[:11] for h in hogs], "weighings": weigh, "medication": meds},
    )


def film_team():
    r = random.Random(1207)
    towns = ["青石镇", "白水乡", "柳林镇", "龙潭乡"]
    heads = [
        "上河",
        "下河",
        "石桥",
        "杨家湾",
        "李庄",
        "大塘",
        "枫树坪",
        "竹园",
        "桃花坞",
        "老屋场",
        "塔山",
        "双井",
        "铜锣寨",
        "油坊",
        "观音桥",
        "野猫冲",
        "月亮湾",
        "半山",
    ]
    villages = [
        (
            i + 1,
            h + "村",
            towns[i * 4 // 18],
            r.randrange(80, 640),
            r.randrange(260, 2300),
            r.choice(["有", "有", "无"]),
        )
        for i, h in enumerate(heads)
    ]
    titles = [
        "稻花香里",
        "红山口",
        "铁道暗哨",
        "丰收之后",
        "黑土情",
        "小村医",
        "雪岭追踪",
        "老井",
        "科学养猪",
        "防火常识",
        "孙猴子新传",
        "望郎坡",
        "大江儿女",
        "渡口",
        "喜上加喜",
        "春分前后",
        "护林员",
        "纸飞机",
    ]
    types = [
        "剧情",
        "战争",
        "战争",
        "剧情",
        "剧情",
        "剧情",
        "动作",
        "剧情",
        "科教",
        "科教",
        "动画",
        "戏曲",
        "战争",
        "动作",
        "喜剧",
        "剧情",
        "科教",
        "动画",
    ]
    films = [
        (
            i + 1,
            t,
            types[i],
            r.randrange(22, 45) if types[i] == "科教" else r.randrange(82, 128),
            r.randrange(1978, 2026),
            r.choice([0, 80, 100, 120, 150]) if types[i] != "科教" else 0,
        )
        for i, t in enumerate(titles)
    ]
    crew = [
        (
            "F%02d" % (i + 1),
            n,
            str(day(r, D(2012, 3, 1), D(2023, 5, 1)) if i < 6 else D(2026, 10, 8)),
            "2025-08-31" if i == 3 else None,
            r.choice([60, 70, 70, 80]),
        )
        for i, n in enumerate(zhnames(r, 7))
    ]
    shows = []
    for _ in range(1300):
        m = pick(r, {1: 3, 2: 3, 3: 4, 4: 6, 5: 7, 6: 8, 7: 11, 8: 11, 9: 9, 10: 8, 11: 4, 12: 3})
        d = D(pick(r, {2024: 3, 2025: 3.4, 2026: 3.4}), m, r.randrange(1, 29))
        if d > D(2026, 11, 15):
            continue
        v = r.choices(villages, [1 + (i * 7 % 5) for i in range(17)] + [0])[0]
        f = r.choices(films, [5, 6, 4, 2, 3, 3, 4, 2, 3, 2, 5, 3, 5, 1, 4, 2, 1, 0])[0]
        who = r.choice([c for c in crew[:6] if not (c[3] and str(d) > c[3])])
        sky = pick(r, {"晴": 6, "多云": 4, "小雨": 1.6, "大雨": 0.6, "大风": 0.6})
        bad = sky in ("大雨", "大风")
        status = "取消" if r.random() < (0.7 if bad else 0.03) else "已放映"
        n = int(v[4] * r.uniform(0.04, 0.2) * (0.5 if m in (12, 1, 2) else 1)) if status == "已放映" else None
        reason = {"大雨": "下雨", "大风": "刮风"}.get(sky, r.choice(["停电", "设备故障", "村里有事"]))
        shows.append([0, str(d), v[0], f[0], who[0], sky, status, reason if status == "取消" else None, n])
    shows.sort(key=lambda s: s[1])
    for k, s in enumerate(shows):
        s[0] = k + 1
    fixes = []
    for _ in range(120):
        a = day(r, D(2024, 1, 5), D(2026, 11, 12))
        b = a + timedelta(days=int(r.expovariate(1 / 9)) + 1)
        fixes.append(
            (
                0,
                pick(r, {"放映机": 5, "音箱": 4, "银幕": 2, "发电机": 4, "流动车": 2}),
                r.choice(crew[:6])[0],
                str(a),
                str(b) if b <= LAST and r.random() < 0.95 else None,
                round(r.lognormvariate(5, 0.8), 1),
            )
        )
    fixes = [(k + 1, *x[1:]) for k, x in enumerate(sorted(fixes, key=lambda x: x[3]))]
    make(
        "放映队",
        """CREATE TABLE 村庄(村庄编号 INTEGER PRIMARY KEY, 村名 TEXT, 乡镇 TEXT, 户数 INTEGER, 人口 INTEGER, 广场 TEXT);
CREATE TABLE 影片(影片编号 INTEGER PRIMARY KEY, 片名 TEXT, 类型 TEXT, 片长 INTEGER, 出品年份 INTEGER, 租片费 INTEGER);
CREATE TABLE 放映员(工号 TEXT PRIMARY KEY, 姓名 TEXT, 入队日期 TEXT, 离队日期 TEXT, 每场补贴 INTEGER);
CREATE TABLE 场次(场次编号 INTEGER PRIMARY KEY, 放映日期 TEXT, 村庄编号 INTEGER REFERENCES 村庄,
  影片编号 INTEGER REFERENCES 影片, 工号 TEXT REFERENCES 放映员, 天气 TEXT, 状态 TEXT, 取消原因 TEXT, 观众人数 INTEGER);
CREATE TABLE 报修(报修编号 INTEGER PRIMARY KEY, 设备 TEXT, 工号 TEXT REFERENCES 放映员, 报修日期 TEXT, 修好日期 TEXT,
  费用 REAL);""",
        {"村庄": villages, "影片": films, "放映员": crew, "场次": shows, "报修": fixes},
    )


def kiln():
    r = random.Random(1208)
    potters = []
    for i, n in enumerate(zhnames(r, 13)):
        potters.append(
            (
                i + 1,
                n,
                r.choice(["拉坯", "雕刻", "施釉", "拉坯"]),
                None if i < 4 else r.randrange(1, 5) if i < 9 else r.randrange(4, 9),
                1985 + i * 3 + r.randrange(3),
                "否" if i in (1, 7) else "是",
            )
        )
    shapes = {
        "茶碗": (160, 7),
        "花瓶": (420, 3),
        "茶壶": (560, 3),
        "盘子": (120, 5),
        "酒杯": (60, 5),
        "香炉": (680, 1.2),
    }
    glazes = {"天青": 5, "铁锈": 3, "月白": 3, "黑釉": 4, "窑变": 1.5}
    firings, pots, pid = [], [], 0
    d = D(2023, 1, 20)
    while d < D(2026, 11, 5):
        f = len(firings) + 1
        hot = r.randrange(1215, 1322)
        firings.append(
            (
                f,
                str(d),
                str(d + timedelta(days=r.randrange(4, 8))),
                r.randrange(3100, 6400, 10),
                hot,
                r.choice(potters[:6])[0],
                pick(r, {"松柴": 5, "杂木": 3}),
            )
        )
        for _ in range(r.randrange(38, 66)):
            pid += 1
            maker = r.choices(potters[:12], [3, 2, 4, 5, 3, 4, 2, 1, 3, 2, 2, 1])[0]
            s, g = pick(r, {k: v[1] for k, v in shapes.items()}), pick(r, glazes)
            spot = r.choice(["窑头", "窑中", "窑中", "窑尾"])
            bad = 0.1 + abs(hot - 1280) / 400 + (0.12 if spot == "窑尾" else 0) + (0.15 if g == "窑变" else 0)
            x = r.random()
            res = "废品" if x < bad * 0.6 else "次品" if x < bad else "成品"
            price = round(
                shapes[s][0] * r.lognormvariate(0, 0.35) * (2.4 if g == "窑变" else 1) * (0.4 if res == "次品" else 1),
                -1,
            )
            pots.append(
                (pid, f, maker[0], s, g, spot, r.randrange(90, 2600, 5), res, price + 10 if res != "废品" else None)
            )
        d += timedelta(days=r.randrange(19, 44))
    orders, lines, free = [], [], {p[0]: p for p in pots if p[7] != "废品"}
    opened = {f[0]: f[2] for f in firings}
    buyers = zhnames(r, 90) + ["云上茶舍", "青禾民宿", "半亩画廊", "山间书院"]
    for _ in range(820):
        d = day(r, D(2023, 3, 1), D(2026, 11, 14))
        ok = [p for p in free.values() if opened[p[1]] < str(d)]
        if len(ok) < 8:
            continue
        who = r.choices(buyers, [1] * 90 + [9, 6, 5, 3])[0]
        take = r.sample(ok, min(len(ok), pick(r, {1: 8, 2: 4, 3: 2, 6: 1})))
        status = pick(r, {"已发货": 12, "已退款": 0.8, "已取消": 0.6})
        if d > D(2026, 10, 20):
            status = pick(r, {"待付款": 2, "已付款": 3, "已发货": 4})
        no = "DD%05d" % (10001 + len(orders))
        total = 0
        for p in take:
            v = round(p[8] * r.choice([1, 1, 0.95, 0.9, 0.8]))
            total += v
            lines.append((no, p[0], v))
            if status not in ("已退款", "已取消"):
                free.pop(p[0])
        ship = d + timedelta(days=r.randrange(1, 8)) if status in ("已发货", "已退款") else None
        orders.append(
            (
                no,
                str(d),
                who,
                pick(r, {"门店": 4, "网店": 5, "直播": 3, "展会": 1}),
                total,
                status,
                text(min(ship, LAST)) if ship else None,
            )
        )
    make(
        "龙窑",
        """CREATE TABLE 匠人(匠人编号 INTEGER PRIMARY KEY, 姓名 TEXT, 擅长 TEXT, 师父编号 INTEGER REFERENCES 匠人(匠人编号),
  入行年份 INTEGER, 在职 TEXT);
CREATE TABLE 窑次(窑次编号 INTEGER PRIMARY KEY, 点火日期 TEXT, 开窑日期 TEXT, 用柴公斤 INTEGER, 最高温度 INTEGER,
  把桩师傅 INTEGER REFERENCES 匠人(匠人编号), 柴种 TEXT);
CREATE TABLE 器物(器物编号 INTEGER PRIMARY KEY, 窑次编号 INTEGER REFERENCES 窑次, 匠人编号 INTEGER REFERENCES 匠人,
  器型 TEXT, 釉色 TEXT, 窑位 TEXT, 重量克 INTEGER, 成色 TEXT, 定价 REAL);
CREATE TABLE 订单(订单号 TEXT PRIMARY KEY, 下单日期 TEXT, 买家 TEXT, 渠道 TEXT, 金额 REAL, 状态 TEXT, 发货日期 TEXT);
CREATE TABLE 订单明细(订单号 TEXT REFERENCES 订单, 器物编号 INTEGER REFERENCES 器物, 成交价 REAL);""",
        {"匠人": potters, "窑次": firings, "器物": pots, "订单": orders, "订单明细": lines},
    )


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    for build in (chimney, lost_property, pigeons, puppets, saltworks, hedgehogs, film_team, kiln):
        build()
