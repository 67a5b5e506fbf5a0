#!/usr/bin/env python3
"""Write eight small SQLite databases to databases/ (or the folder given). Standard library only, fixed seeds."""

import math
import os
import random
import sqlite3
import sys
from datetime import date, datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
D = date
LAST = D(2026, 11, 15)
FIRST = [
    "Agnes",
    "Bruno",
    "Celia",
    "Dario",
    "Edda",
    "Fergus",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Katya",
    "Leon",
    "Mira",
    "Nils",
    "Olga",
    "Pavel",
    "Rosa",
    "Stellan",
    "Thea",
    "Ugo",
    "Vera",
    "Wendell",
    "Ximena",
    "Yusuf",
    "Zora",
    "Anton",
    "Birgit",
    "Caspar",
    "Delia",
    "Emil",
    "Frida",
    "Gideon",
    "Hanne",
    "Ivo",
    "Juno",
    "Kasimir",
    "Lotte",
    "Magnus",
]
FAMILY = [
    "Abelson",
    "Barrow",
    "Corbin",
    "Dace",
    "Elwood",
    "Farrow",
    "Gantry",
    "Hollis",
    "Ivers",
    "Jessop",
    "Kirkby",
    "Lunn",
    "Mossop",
    "Nettle",
    "Orchard",
    "Pryor",
    "Quill",
    "Rook",
    "Sorley",
    "Thorne",
    "Umber",
    "Varley",
    "Wick",
    "Yarrow",
    "Zeller",
    "Ambler",
    "Birch",
    "Crane",
    "Dunn",
    "Egerton",
]
XING = "赵王刘马高林罗梁宋郑谢唐董萧程曹袁邓傅潘"
MING = [
    "丽华",
    "秀珍",
    "国强",
    "晓燕",
    "志明",
    "婉清",
    "少芬",
    "永福",
    "佩兰",
    "思远",
    "若男",
    "淑贞",
    "家骏",
    "月娥",
    "静怡",
    "振邦",
    "素琴",
    "宝珠",
    "一帆",
    "雪梅",
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


def blood_drive():
    """One table, an export with 29 columns of a mobile blood donation service."""
    r = random.Random(1301)
    venues = {
        "Guildhall": ("Ashby", "hall", 9),
        "St Anne's Church": ("Ashby", "church", 4),
        "Weaver College": ("Corley", "school", 7),
        "Corley Fire Station": ("Corley", "fire station", 4),
        "Mill Street Gym": ("Dunmere", "gym", 5),
        "Dunmere Town Hall": ("Dunmere", "hall", 6),
        "Brightwater Offices": ("Eastlow", "office", 5),
        "Eastlow Library": ("Eastlow", "library", 3),
        "Bloodmobile": ("Furness End", "bus", 4),
    }
    groups = {"O+": 36, "A+": 30, "B+": 8, "AB+": 2.6, "O-": 9, "A-": 8, "B-": 2.4, "AB-": 0.9}
    nurses = {"Nurse Pell": 6, "Nurse Okoro": 5, "Nurse Vance": 4, "Nurse Lind": 3, "Nurse Hart": 2}
    donors = [
        (
            "DN%04d" % (401 + i),
            n,
            r.choice("FM"),
            r.randrange(18, 67),
            pick(r, groups),
            pick(r, {k: v[2] for k, v in venues.items()}),
            r.randrange(51, 112),
            r.lognormvariate(0, 0.7),
        )
        for i, n in enumerate(names(r, 620))
    ]
    sessions = []
    d = D(2024, 9, 2)
    while d <= D(2026, 11, 14):
        if d.weekday() < 6 and r.random() < 0.42:
            sessions.append((d, pick(r, {k: v[2] for k, v in venues.items()})))
        d += timedelta(days=1)
    rows, ready, seen = [], {}, set()
    for d, venue in sessions:
        town, kind, pull = venues[venue]
        ok = [p for p in donors if ready.get(p[0], d) <= d]
        weights = [p[7] * (6 if p[5] == venue else 2 if venues[p[5]][0] == town else 0.5) for p in ok]
        n = min(len(ok), int(pull * r.uniform(0.7, 1.5)) + (2 if d.month in (1, 6) else 0))
        chosen = {p[0]: p for p in r.choices(ok, weights, k=n)}
        for p in chosen.values():
            hb = round(r.gauss(136 if p[2] == "F" else 150, 11))
            kindof = pick(r, {"Whole blood": 9, "Plasma": 2.4, "Platelets": 0.9})
            outcome, why = "Donated", None
            if hb < (125 if p[2] == "F" else 135):
                outcome, why = "Deferred", "Low iron"
            elif r.random() < 0.07:
                outcome, why = "Deferred", pick(r, {"Recent tattoo": 3, "Travel": 4, "Medication": 3, "Cold or flu": 4})
            elif r.random() < 0.03:
                outcome = "Left before donating"
            elif r.random() < 0.03:
                outcome = "Incomplete"
            took = outcome in ("Donated", "Incomplete")
            full = {"Whole blood": 470, "Plasma": 600, "Platelets": 300}[kindof]
            ml = full if outcome == "Donated" else r.randrange(60, full - 120, 10) if took else None
            new = p[0] not in seen and r.random() < 0.45
            seen.add(p[0])
            at = datetime(
                d.year,
                d.month,
                d.day,
                pick(r, {9: 4, 10: 5, 11: 4, 12: 3, 14: 4, 15: 3, 16: 4, 17: 3}),
                r.randrange(60),
            )
            gap = {"Whole blood": 84, "Plasma": 14, "Platelets": 28}[kindof] if took else 30 if why else 1
            ready[p[0]] = d + timedelta(days=gap)
            rows.append(
                [
                    None,
                    p[0],
                    p[1],
                    p[2],
                    p[3] + (1 if d.year == 2026 else 0),
                    p[4],
                    "Yes" if new else "No",
                    str(d),
                    at.strftime("%H:%M"),
                    int(r.lognormvariate(2.7, 0.5)) + (6 if kind == "hall" else 0),
                    venue,
                    town,
                    kind,
                    pick(r, nurses),
                    hb,
                    int(r.gauss(72, 8)),
                    int(r.gauss(126, 12)),
                    int(r.gauss(79, 8)),
                    p[6],
                    kindof,
                    ml,
                    round(r.gauss({"Whole blood": 9, "Plasma": 38, "Platelets": 71}[kindof], 2.2), 1) if took else None,
                    outcome,
                    why,
                    pick(r, {"None": 20, "Bruise": 1.6, "Faint": 1.2 if p[3] > 24 else 4, "Nausea": 0.8})
                    if took
                    else None,
                    pick(r, {"Biscuits": 6, "Crisps": 3, "Flapjack": 2, "Fruit": 1.2}) if took else None,
                    str(ready[p[0]]) if took or why else None,
                    pick(r, {"App": 6, "Phone": 2, "Website": 4, "Walk-in": 2}),
                    pick(r, {5: 8, 4: 5, 3: 2, 2: 0.6, 1: 0.3}) if r.random() < 0.6 else None,
                ]
            )
    rows.sort(key=lambda x: (x[7], x[8]))
    for k, x in enumerate(rows):
        x[0] = "G%05d" % (10001 + k)
    make(
        "blooddrive",
        """CREATE TABLE donation_export("Donation ID" TEXT, "Donor ID" TEXT, "Donor Name" TEXT, "Sex" TEXT, "Age" INTEGER,
 "Blood Group" TEXT, "First Time?" TEXT, "Session Date" TEXT, "Check-in" TEXT, "Wait (min)" INTEGER, "Venue" TEXT,
 "Town" TEXT, "Venue Type" TEXT, "Nurse" TEXT, "Hb (g/L)" INTEGER, "Pulse" INTEGER, "BP Sys" INTEGER, "BP Dia" INTEGER,
 "Weight (kg)" INTEGER, "Donation Type" TEXT, "Volume (ml)" INTEGER, "Needle Time (min)" REAL, "Outcome" TEXT,
 "Deferral Reason" TEXT, "Reaction" TEXT, "Snack" TEXT, "Next Eligible" TEXT, "Booked Via" TEXT, "Rating" INTEGER);""",
        {"donation_export": rows},
    )


def scrapyard():
    """One table, the weighbridge log of a scrap yard: two ways of writing dates and money, materials in any case."""
    r = random.Random(1302)
    prices = {
        "copper": (5.9, 4, 90),
        "brass": (3.6, 3, 60),
        "aluminium": (0.95, 6, 140),
        "steel": (0.16, 8, 1100),
        "lead": (1.25, 2, 180),
        "cable": (2.1, 3, 120),
        "car battery": (0.55, 3, 70),
        "stainless": (0.88, 2, 160),
        "catalytic converter": (38, 0.6, 6),
    }
    sellers = {
        n: (
            r.lognormvariate(0, 0.8),
            pick(r, {"plumber": 3, "electrician": 3, "builder": 3, "garage": 2, "private": 6}),
        )
        for n in names(r, 70)
    }
    sellers["Tolland Demolition"] = (9, "builder")
    sellers["Hexby Motors"] = (7, "garage")
    sellers["Kerr & Sons"] = (6, "plumber")
    days = sorted(d for d in (day(r, D(2025, 1, 6), D(2026, 11, 14)) for _ in range(2300)) if d.weekday() < 6)
    rows = []
    for k, d in enumerate(days):
        who = pick(r, {n: v[0] for n, v in sellers.items()})
        tilt = {
            "plumber": ("copper", "lead", "brass"),
            "electrician": ("cable", "copper"),
            "builder": ("steel", "aluminium"),
            "garage": ("car battery", "catalytic converter", "steel"),
        }
        m = pick(r, {x: v[1] * (3 if x in tilt.get(sellers[who][1], ()) else 1) for x, v in prices.items()})
        net = max(3, int(prices[m][2] * r.lognormvariate(0, 0.7) * (2 if sellers[who][0] > 5 else 1)))
        tare = r.randrange(1180, 3400, 20)
        rate = round(prices[m][0] * r.uniform(0.88, 1.1) * (1.12 if d.year == 2026 and m == "copper" else 1), 2)
        refused = r.random() < 0.035
        amount = None if refused else round(net * rate, 2)
        rows.append(
            (
                "W-%05d" % (7001 + k),
                str(d) if r.random() < 0.35 else d.strftime("%d/%m/%Y"),
                "%02d:%02d" % (r.randrange(7, 17), r.randrange(60)),
                who,
                sellers[who][1],
                "%s%02d %s"
                % (r.choice(["KV", "PD", "RX", "HB"]), r.randrange(10, 74), "".join(r.choices("BDFGHJKLMN", k=3)))
                if r.random() < 0.93
                else "-",
                r.choice([m, m, m.capitalize(), m.upper() if r.random() < 0.3 else m]),
                format(net + tare, ",") + " kg",
                format(tare, ",") + " kg",
                format(net, ",") + " kg",
                "£%.2f" % rate,
                "-" if amount is None else "£" + format(amount, ",.2f") if r.random() < 0.7 else "%.2f" % amount,
                "-" if refused else pick(r, {"bank transfer": 7, "cheque": 2, "prepaid card": 2}),
                pick(r, {"Moira": 5, "Stan": 4, "Perry": 2, "Gail": 1}),
                pick(r, {"asbestos": 1, "no ID": 4, "looks stolen": 2, "radioactive": 0.5})
                if refused
                else None
                if r.random() < 0.85
                else pick(r, {"regular": 4, "wet load": 3, "mixed, sorted by us": 3}),
                "N" if refused else "Y" if r.random() < 0.97 else "N",
            )
        )
    make(
        "scrapyard",
        """CREATE TABLE weighbridge_log(ticket TEXT, dt TEXT, time_in TEXT, seller TEXT, trade TEXT, reg_plate TEXT,
 material TEXT, gross TEXT, tare TEXT, net TEXT, price_per_kg TEXT, paid TEXT, pay_method TEXT, weighed_by TEXT,
 remarks TEXT, id_checked TEXT);""",
        {"weighbridge_log": rows},
    )


def choir():
    """Nine tables, three of them junctions: an amateur choir, its pieces, rehearsals and concerts."""
    r = random.Random(1303)
    singers = []
    for i, n in enumerate(names(r, 64)):
        joined = day(r, D(2014, 9, 1), D(2026, 3, 1)) if i < 61 else day(r, D(2026, 9, 1), D(2026, 10, 10))
        left = (
            day(r, max(joined, D(2025, 1, 10)) + timedelta(days=40), D(2026, 10, 1))
            if i < 61 and r.random() < 0.17 and joined < D(2025, 9, 1)
            else None
        )
        singers.append(
            (
                i + 1,
                n,
                pick(r, {"Soprano": 5, "Alto": 5, "Tenor": 2, "Bass": 3}),
                str(joined),
                text(left),
                r.choice(["Hallam", "Hallam", "Greaves", "Pitstow", "Orme"]),
            )
        )
    composers = [
        (1, "Ludmila Marsova", 1871, "Bohemia"),
        (2, "Edwin Cathcart", 1848, "England"),
        (3, "Tomaso Brelli", 1567, "Italy"),
        (4, "Johann Adler", 1690, "Germany"),
        (5, "Clementine Roux", 1902, "France"),
        (6, "Iain Dunbar", 1961, "Scotland"),
        (7, "Anneke Vos", 1979, "Netherlands"),
        (8, "Heinrich Lauterbach", 1797, "Germany"),
        (9, "Giulia Ferrante", 1988, "Italy"),
    ]
    titles = [
        "Evening Hymn|2|English",
        "Lauda Novella|3|Latin",
        "Missa Aurora|4|Latin",
        "The Salt Wind|6|English",
        "Three Harvest Songs|2|English",
        "O Silent Stars|7|English",
        "Nachtgesang|8|German",
        "Agnus Dei in F|4|Latin",
        "Madrigal of the Fountain|3|Italian",
        "Winter Carol|2|English",
        "Chanson du Port|5|French",
        "Ave Stella|9|Latin",
        "Requiem for the Miners|6|English",
        "Psalm 98|4|German",
        "Lullaby for a Fox|7|English",
        "Te Deum Breve|1|Latin",
        "Frühlingslied|8|German",
        "Magnificat|4|Latin",
        "The Heron|6|English",
        "Pastorale|5|French",
        "Canticle of Rain|9|Italian",
        "Herr bleibe|8|German",
        "Vespers of St Orme|1|Latin",
        "Sea Shanty Suite|2|English",
        "Veni Lux|7|Latin",
        "Song of the Weavers|6|English",
    ]
    pieces = []
    for i, t in enumerate(titles):
        a, b, lang = t.split("|")
        pieces.append(
            (
                i + 1,
                a,
                int(b),
                round(r.choice([r.uniform(2.5, 7), r.uniform(5, 14), r.uniform(18, 46)]), 1),
                lang,
                r.randrange(1, 6),
                r.randrange(20, 75),
            )
        )
    names_of = [
        "Spring Concert",
        "Summer Serenade",
        "Harvest Concert",
        "Carols by Candlelight",
        "Lent Recital",
        "Open Air Night",
        "Come and Sing",
    ]
    halls = {"St Orme's": 5, "Hallam Town Hall": 3, "The Old Brewery": 2, "Greaves Chapel": 2}
    concerts, programme, solos = [], [], []
    dates = [D(2024, 3, 16), D(2024, 6, 22), D(2024, 10, 5), D(2024, 12, 14), D(2024, 12, 21), D(2025, 3, 22), D(2025, 5, 10), D(2025, 6, 28), D(2025, 8, 2),
             D(2025, 10, 4), D(2025, 12, 13), D(2025, 12, 20), D(2026, 2, 28), D(2026, 3, 28), D(2026, 5, 9), D(2026, 6, 27), D(2026, 8, 1), D(2026, 9, 12), D(2026, 10, 3), D(2026, 11, 7)]  # fmt: skip
    for k, d in enumerate(dates):
        title = {
            12: names_of[3],
            3: names_of[0],
            6: names_of[1],
            10: names_of[2],
            2: names_of[4],
            8: names_of[5],
            5: names_of[6],
        }.get(d.month, r.choice(["Charity Gala", "Remembrance Concert"]))
        tickets = int(r.gauss(210 if d.month == 12 else 132, 34))
        price = r.choice([10, 12, 12, 15])
        costs = round(r.uniform(260, 1750), 2)
        concerts.append(
            (
                k + 1,
                title,
                str(d),
                pick(r, halls),
                tickets,
                price,
                costs,
                round(r.lognormvariate(4.9, 0.6), 2) if r.random() < 0.8 else None,
            )
        )
        chosen = r.sample(pieces[:24], r.randrange(5, 9))
        for p, x in enumerate(chosen):
            programme.append((k + 1, x[0], p + 1))
            if r.random() < 0.4:
                able = [s for s in singers if s[3] < str(d) and (s[4] is None or s[4] > str(d)) and s[0] % 3 == 0]
                for s in r.sample(able, r.choice([1, 1, 2])):
                    solos.append((k + 1, x[0], s[0]))
    keen = {s[0]: min(0.99, max(0.25, r.gauss(0.78, 0.15))) for s in singers}
    rehearsals, attendance = [], []
    d = D(2024, 1, 9)
    while d <= D(2026, 11, 17):
        if d.month != 8 and r.random() < 0.93 and d <= D(2026, 11, 12):
            n = len(rehearsals) + 1
            boss = pick(r, {"Marit Solberg": 7, "Piers Tennant": 2, "guest": 0.5})
            rehearsals.append(
                (
                    n,
                    str(d),
                    r.choice([90, 120, 120, 120, 150]),
                    boss,
                    r.choice(["Church hall", "Church hall", "School gym"]),
                )
            )
            for s in singers:
                if (
                    s[3] <= str(d)
                    and (s[4] is None or s[4] >= str(d))
                    and r.random() < keen[s[0]] * (0.8 if d.month in (1, 7) else 1)
                ):
                    attendance.append((n, s[0], 1 if r.random() < 0.09 else 0))
        d += timedelta(days=7)
    fees = []
    for s in singers:
        for y in (2024, 2025, 2026):
            if s[3] < "%d-10-01" % y and (s[4] is None or s[4] > "%d-02-01" % y) and r.random() < 0.9:
                paid = D(y, 1, 5) + timedelta(days=int(r.expovariate(1 / 40)))
                if str(paid) < s[3]:
                    paid = D.fromisoformat(s[3]) + timedelta(days=r.randrange(3, 40))
                if paid <= LAST:
                    fees.append((s[0], y, pick(r, {120: 6, 60: 2, 90: 1}), str(paid)))
    make(
        "choir",
        """CREATE TABLE singers(singer_id INTEGER PRIMARY KEY, full_name TEXT, voice TEXT, joined_on TEXT,
  left_on TEXT, village TEXT);
CREATE TABLE composers(composer_id INTEGER PRIMARY KEY, composer_name TEXT, born INTEGER, country TEXT);
CREATE TABLE pieces(piece_id INTEGER PRIMARY KEY, title TEXT, composer_id INTEGER REFERENCES composers, minutes REAL,
  language TEXT, difficulty INTEGER, copies_owned INTEGER);
CREATE TABLE concerts(concert_id INTEGER PRIMARY KEY, concert_name TEXT, held_on TEXT, venue TEXT, tickets_sold INTEGER,
  ticket_price INTEGER, costs REAL, collection REAL);
CREATE TABLE programme(concert_id INTEGER REFERENCES concerts, piece_id INTEGER REFERENCES pieces, position INTEGER,
  PRIMARY KEY (concert_id, piece_id));
CREATE TABLE solos(concert_id INTEGER REFERENCES concerts, piece_id INTEGER REFERENCES pieces,
  singer_id INTEGER REFERENCES singers);
CREATE TABLE rehearsals(rehearsal_id INTEGER PRIMARY KEY, held_on TEXT, minutes INTEGER, led_by TEXT, room TEXT);
CREATE TABLE attendance(rehearsal_id INTEGER REFERENCES rehearsals, singer_id INTEGER REFERENCES singers, late INTEGER,
  PRIMARY KEY (rehearsal_id, singer_id)) WITHOUT ROWID;
CREATE TABLE membership_fees(singer_id INTEGER REFERENCES singers, fee_year INTEGER, amount INTEGER, paid_on TEXT);""",
        { "singers": singers, "composers": composers, "pieces": pieces, "concerts": concerts, "programme": programme,
         "solos": solos, "rehearsals": rehearsals, "attendance": attendance, "membership_fees": fees},
    )  # fmt: skip


def party_hire():
    """CamelCase tables, abbreviated columns: a firm that hires out things for parties."""
    r = random.Random(1304)
    cats = [
        ("TNT", "Tents"),
        ("FRN", "Tables and chairs"),
        ("CTR", "Catering gear"),
        ("SND", "Sound and light"),
        ("FUN", "Bouncy castles"),
        ("DEC", "Decoration"),
    ]
    goods = [
        "Marquee 6x12|TNT|240|6|2",
        "Gazebo 3x3|TNT|38|24|6",
        "Pagoda 5x5|TNT|110|8|2",
        "Folding Chair|FRN|1.2|900|0",
        "Trestle Table|FRN|7|160|0",
        "Bar Stool|FRN|4.5|80|0",
        "Sofa Lounge Set|FRN|85|5|1",
        "Coffee Urn|CTR|14|20|4",
        "Chafing Dish|CTR|9|40|5",
        "Chocolate Fountain|CTR|55|4|3",
        "BBQ Grill|CTR|48|9|5",
        "PA System|SND|120|7|3",
        "Disco Ball|SND|15|12|2",
        "Smoke Machine|SND|28|8|3",
        "Karaoke Box|SND|60|4|2",
        "Pirate Castle|FUN|145|3|2",
        "Mini Slide|FUN|95|4|2",
        "Sumo Suits|FUN|70|3|1",
        "String Lights|DEC|6|90|0",
        "Balloon Arch|DEC|45|10|3",
        "Red Carpet|DEC|22|6|2",
        "Ice Sculpture Stand|DEC|33|2|0",
    ]
    itm = []
    for i, g in enumerate(goods):
        a, b, c, q, w = g.split("|")
        itm.append((101 + i, a, b, float(c), int(q), str(day(r, D(2017, 1, 1), D(2025, 3, 1))), float(w)))
    cust = []
    firms = [
        "Larkfield Primary",
        "Borrow Hotel",
        "Quint Weddings",
        "Tarn Rugby Club",
        "Mosaic Events",
        "Ferrier Bank",
        "St Bride's Parish",
        "Lido Cafe",
    ]
    for i, n in enumerate(firms + names(r, 150)):
        typ = pick(r, {"B2B": 5, "NPO": 3}) if i < 8 else "PRV"
        cust.append(
            (
                2001 + i,
                n,
                typ,
                pick(r, {"Tarnmouth": 6, "Bexhill": 3, "Lowfold": 3, "Saltby": 1.5}),
                str(day(r, D(2022, 1, 3), D(2026, 8, 1))),
                r.choice(["Y", "N", "N"]),
            )
        )
    pull = [r.lognormvariate(0, 0.6) * (9 if i < 8 else 1) for i in range(len(cust))]
    pull[-4:] = [0] * 4
    hdr, ln = [], []
    starts = []
    for _ in range(1000):
        m = pick(r, {1: 2, 2: 2, 3: 3, 4: 5, 5: 9, 6: 12, 7: 13, 8: 12, 9: 8, 10: 5, 11: 3, 12: 6})
        d = D(pick(r, {2024: 3, 2025: 3.6, 2026: 3.6}), m, r.randrange(1, 29))
        if d > D(2026, 11, 18):
            d = (
                D(2026, 11, 21) + timedelta(days=r.randrange(0, 38))
                if r.random() < 0.5
                else D(2026, r.choice([10, 11]), r.randrange(1, 17))
            )
        starts.append(d)
    for k, d in enumerate(sorted(starts)):
        no = 50001 + k
        c = r.choices(cust, pull)[0]
        days = pick(r, {1: 4, 2: 6, 3: 4, 4: 1, 7: 0.8})
        booked = d - timedelta(days=1 + int(r.expovariate(1 / 25)))
        due = d + timedelta(days=days)
        back = due + timedelta(days=0 if r.random() < 0.84 else 1 + int(r.expovariate(1 / 2)))
        st = (
            "CANC"
            if r.random() < 0.06
            else "BKD"
            if d > D(2026, 11, 20)
            else "OUT"
            if back > D(2026, 11, 19) or (k > 900 and r.random() < 0.03)
            else "RTND"
        )
        total = 0
        for n, x in enumerate(r.sample(itm[:21], pick(r, {1: 4, 2: 5, 3: 4, 4: 2, 5: 1}))):
            qty = {
                "Folding Chair": r.randrange(20, 160, 10),
                "Trestle Table": r.randrange(4, 26, 2),
                "String Lights": r.randrange(2, 14),
                "Bar Stool": r.randrange(4, 24, 2),
                "Gazebo 3x3": r.randrange(1, 5),
                "Chafing Dish": r.randrange(2, 8),
            }.get(x[1], 1)
            amt = round(qty * x[3] * days**0.8, 2)
            dmg = round(x[3] * r.uniform(0.5, 4), 2) if st == "RTND" and r.random() < 0.05 else 0
            total += amt
            ln.append((no, n + 1, x[0], qty, amt, dmg))
        deliv = r.choice([0, 0, 25, 25, 40])
        hdr.append(
            (
                no,
                c[0],
                str(booked),
                str(d),
                str(due),
                str(back) if st == "RTND" else None,
                "DLV" if deliv else "PUP",
                deliv,
                round(total + deliv, 2),
                round(total * 0.3, 2),
                st,
                pick(r, {"Rudi": 5, "Shona": 4, "Abel": 2}),
            )
        )
    make(
        "partyhire",
        """CREATE TABLE CatCd(cat_cd TEXT PRIMARY KEY, cat_dsc TEXT);
CREATE TABLE ItmMst(ItmId INTEGER PRIMARY KEY, itm_nm TEXT, cat_cd TEXT, day_rt_usd REAL, qty_own INTEGER, buy_dt TEXT, setup_hrs REAL);
CREATE TABLE CustMst(CustId INTEGER PRIMARY KEY, cust_nm TEXT, cust_typ TEXT, cty TEXT, reg_dt TEXT, news_yn TEXT);
CREATE TABLE HireHdr(HireNo INTEGER PRIMARY KEY, CustId INTEGER, bk_dt TEXT, out_dt TEXT, due_dt TEXT, ret_dt TEXT, dlv_cd TEXT,
  dlv_usd REAL, amt_usd REAL, dep_usd REAL, st_cd TEXT, emp_nm TEXT);
CREATE TABLE HireLn(HireNo INTEGER, LnNo INTEGER, ItmId INTEGER, qty INTEGER, ln_amt_usd REAL, dmg_usd REAL);""",
        {"CatCd": cats, "ItmMst": itm, "CustMst": cust, "HireHdr": hdr, "HireLn": ln},
    )


def translate():
    """A translation agency: translator and reviewer are both staff, source and target both languages, mentors of staff."""
    r = random.Random(1305)
    langs = [
        ("EN", "English"),
        ("DE", "German"),
        ("FR", "French"),
        ("PT", "Portuguese"),
        ("PL", "Polish"),
        ("JA", "Japanese"),
        ("TR", "Turkish"),
        ("FI", "Finnish"),
        ("EL", "Greek"),
    ]
    staff, speaks = [], []
    for i, n in enumerate(names(r, 24)):
        mentor = None if i < 4 else r.randrange(1, 5) if i < 14 else r.randrange(3, 12)
        since = day(r, D(2011 + i // 3, 1, 5), D(2013 + i // 2, 12, 1)) if i < 23 else D(2026, 10, 19)
        staff.append(
            (
                i + 1,
                n,
                mentor,
                pick(r, {"Bristol": 4, "Lisbon": 3, "Krakow": 3, "remote": 4}),
                str(since),
                "2026-05-29" if i == 9 else None,
                pick(r, {"employee": 4, "freelance": 6}),
            )
        )
        for c in r.sample([x[0] for x in langs[1:]], pick(r, {1: 3, 2: 5, 3: 3})):
            speaks.append((i + 1, c))
        speaks.append((i + 1, "EN"))
    sectors = [
        "medical",
        "legal",
        "software",
        "tourism",
        "food",
        "legal",
        "software",
        "tourism",
        "food",
        "medical",
        "food",
        "medical",
        "legal",
        "software",
    ]
    sectors += ["tourism", "tourism", "tourism", "legal", "software", "food"]
    firms = [
        "Orvane Pharma",
        "Castell Law",
        "Brightpath Apps",
        "Hotel Solene",
        "Nordfisk",
        "Pemberton LLP",
        "Zephyr Games",
        "Villa Tours",
        "Almond & Rye",
        "Kestrel Devices",
        "Tarragon Foods",
        "Lumen Health",
        "Gatehouse Legal",
        "Picnic Software",
        "Skerry Cruises",
        "Mundo Maps",
        "Blue Door Inns",
        "Quartz Patents",
        "Sable Studios",
        "Fennel Kitchens",
    ]
    clients = []
    for i, n in enumerate(firms):
        clients.append(
            (
                i + 1,
                n,
                sectors[i],
                r.choice(["UK", "UK", "Germany", "France", "Portugal", "Norway"]),
                r.randrange(1, i) if i > 4 and r.random() < 0.45 else None,
                str(day(r, D(2018, 2, 1), D(2024, 1, 1)) if i < 18 else D(2026, 4, 7)),
            )
        )
    can = {c: [s for s, x in speaks if x == c] for c, _ in langs}
    jobs = []
    pull = [r.lognormvariate(0, 0.7) for _ in firms]
    pull[17] = 0
    for _ in range(1450):
        d = day(r, D(2024, 1, 3), D(2026, 11, 14))
        if d.weekday() > 4:
            d -= timedelta(days=2)
        c = r.choices(clients, [p if x[5] <= str(d) else 0 for p, x in zip(pull, clients)])[0]
        other = pick(r, {"DE": 6, "FR": 5, "PT": 4, "PL": 3, "JA": 2, "TR": 1.4, "FI": 0.8})
        a, b = ("EN", other) if r.random() < 0.62 else (other, "EN")
        able = [s for s in can[other] if s != 24 and not (s == 10 and str(d) > "2026-05-01")]
        t = r.choice(able)
        rest = [s for s in able if s != t]
        rev = r.choice(rest) if rest and r.random() < 0.82 else None
        words = int(r.lognormvariate(7.2, 0.8))
        due = d + timedelta(days=2 + words // 900)
        done = due + timedelta(days=r.choices([-2, -1, 0, 1, 2, 5], [2, 5, 8, 2, 1, 0.4])[0])
        done = max(done, d)
        status = "cancelled" if r.random() < 0.03 else "delivered" if done <= LAST else "in progress"
        rate = round(
            {"JA": 0.19, "FI": 0.17, "TR": 0.14}.get(other, 0.11)
            * r.uniform(0.85, 1.2)
            * (1.2 if c[2] in ("legal", "medical") else 1),
            3,
        )
        errs = max(0, int(r.gauss(words / 500, 1.6))) if rev and status == "delivered" else None
        jobs.append(
            [
                0,
                c[0],
                a,
                b,
                t,
                rev,
                words,
                rate,
                round(words * rate, 2),
                str(d),
                str(due),
                str(done) if status == "delivered" else None,
                status,
                errs,
                1 if r.random() < 0.12 else 0,
            ]
        )
    jobs.sort(key=lambda x: x[9])
    for k, x in enumerate(jobs):
        x[0] = k + 1
    make(
        "translate",
        """CREATE TABLE languages(lang_code TEXT PRIMARY KEY, lang_name TEXT);
CREATE TABLE staff(staff_id INTEGER PRIMARY KEY, staff_name TEXT, mentor_id INTEGER REFERENCES staff(staff_id), base TEXT,
  started_on TEXT, left_on TEXT, contract TEXT);
CREATE TABLE staff_languages(staff_id INTEGER REFERENCES staff, lang_code TEXT REFERENCES languages);
CREATE TABLE clients(client_id INTEGER PRIMARY KEY, client_name TEXT, sector TEXT, country TEXT,
  referred_by INTEGER REFERENCES clients(client_id), since TEXT);
CREATE TABLE jobs(job_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients, source_lang TEXT REFERENCES languages,
  target_lang TEXT REFERENCES languages, translator_id INTEGER REFERENCES staff(staff_id),
  reviewer_id INTEGER REFERENCES staff(staff_id), words INTEGER, rate_per_word REAL, price_eur REAL, received_on TEXT,
  due_on TEXT, delivered_on TEXT, status TEXT, errors_found INTEGER, rush INTEGER);""",
        {"languages": langs, "staff": staff, "staff_languages": speaks, "clients": clients, "jobs": jobs},
    )


def visa_office():
    """Status codes with a table of what they mean, and a log of the changes."""
    r = random.Random(1306)
    codes = [
        ("10", "Received", "N"),
        ("20", "Documents missing", "N"),
        ("30", "Interview", "N"),
        ("40", "With embassy", "N"),
        ("50", "Granted", "Y"),
        ("60", "Refused", "Y"),
        ("70", "Withdrawn", "Y"),
    ]
    types = [
        ("T", "Tourist", 60, 15),
        ("B", "Business", 90, 12),
        ("S", "Student", 75, 30),
        ("W", "Work", 140, 45),
        ("F", "Family", 110, 60),
        ("M", "Medical", 0, 5),
    ]
    centres = [
        (1, "Larne Street", "Velmont", 6),
        (2, "Harbour Gate", "Port Isel", 4),
        (3, "Airport Desk", "Velmont", 2),
        (4, "Kirova", "Tamsk", 3),
        (5, "New Hall", "Osterby", 2),
    ]
    nations = {"Kasmiran": 8, "Ludovian": 6, "Tresk": 5, "Ombari": 4, "Sandorian": 3, "Pellish": 2, "Varnese": 1}
    apps, log = [], []
    people = names(r, 1050)
    for k in range(1500):
        m = pick(r, {1: 3, 2: 3, 3: 4, 4: 5, 5: 7, 6: 8, 7: 7, 8: 6, 9: 5, 10: 4, 11: 3, 12: 3})
        d = D(pick(r, {2024: 2.6, 2025: 3.4, 2026: 3.6}), m, r.randrange(1, 29))
        if d > D(2026, 11, 13):
            d = D(2026, r.choice([8, 9, 10, 11]), r.randrange(2, 13))
        t = r.choices(types, [8, 4, 5, 3, 2, 0.6])[0]
        c = r.choices(centres, [6, 4, 2, 3, 0])[0]
        nat = pick(r, nations)
        express = 1 if r.random() < 0.14 and t[0] in "TB" else 0
        steps, at = [("10", d)], d
        if r.random() < 0.24:
            at += timedelta(days=r.randrange(1, 6))
            steps.append(("20", at))
            at += timedelta(days=r.randrange(3, 25))
        if t[0] in "SWF" and r.random() < 0.7:
            at += timedelta(days=r.randrange(2, 16))
            steps.append(("30", at))
        at += timedelta(days=r.randrange(1, 6))
        steps.append(("40", at))
        at += timedelta(days=max(1, int(t[3] * r.uniform(0.15, 0.95) * (0.4 if express else 1))))
        p = 0.1 + {"W": 0.1, "F": 0.06, "T": 0.02}.get(t[0], 0) + {"Tresk": 0.12, "Ombari": 0.06}.get(nat, 0)
        x = r.random()
        steps.append(("60" if x < p else "70" if x < p + 0.05 else "50", at))
        steps = [s for s in steps if s[1] <= LAST]
        last = steps[-1]
        apps.append(
            [
                None,
                r.choice(people),
                nat,
                r.randrange(1, 79),
                t[0],
                c[0],
                str(d),
                str(last[1]) if last[0] >= "50" else None,
                last[0],
                t[2] + (50 if express else 0),
                express,
                pick(r, {"online": 6, "counter": 4, "agent": 2}),
                steps,
            ]
        )
    apps.sort(key=lambda a: a[6])
    for k, a in enumerate(apps):
        a[0] = 80001 + k
        log += [(a[0], s, str(t)) for s, t in a[12]]
    make(
        "visaoffice",
        """CREATE TABLE status_codes(st_code TEXT PRIMARY KEY, meaning TEXT, is_final TEXT);
CREATE TABLE visa_types(type_code TEXT PRIMARY KEY, type_name TEXT, fee INTEGER, promised_days INTEGER);
CREATE TABLE centres(centre_id INTEGER PRIMARY KEY, centre_name TEXT, city TEXT, counters INTEGER);
CREATE TABLE applications(app_no INTEGER PRIMARY KEY, applicant TEXT, nationality TEXT, age INTEGER,
  type_code TEXT REFERENCES visa_types, centre_id INTEGER REFERENCES centres, lodged_on TEXT, decided_on TEXT,
  st_code TEXT REFERENCES status_codes, fee_paid INTEGER, express INTEGER, channel TEXT);
CREATE TABLE status_log(app_no INTEGER REFERENCES applications, st_code TEXT REFERENCES status_codes, changed_on TEXT);""",
        {
            "status_codes": codes,
            "visa_types": types,
            "centres": centres,
            "applications": [a[:12] for a in apps],
            "status_log": log,
        },
    )


def fish_ponds():
    """Readings of the water of fish ponds, morning and evening, with feeding and catches."""
    r = random.Random(1307)
    ponds = [
        (1, "东塘", 12.5, 1.8, "草鱼", "2025-03-10"),
        (2, "西塘", 9.0, 1.6, "鲫鱼", "2025-03-12"),
        (3, "老塘", 20.0, 2.2, "鲢鱼", "2024-11-20"),
        (4, "新塘", 15.5, 2.0, "鲈鱼", "2025-04-02"),
        (5, "竹林塘", 6.5, 1.5, "黄颡鱼", "2025-04-18"),
        (6, "路边塘", 8.0, 1.7, "鲫鱼", "2025-03-25"),
        (7, "试验塘", 3.0, 1.4, None, None),
    ]
    readings, feeds, catches = [], [], []
    d = D(2026, 1, 1)
    while d <= LAST:
        season = math.cos((d.timetuple().tm_yday - 205) / 365 * 2 * math.pi)
        for p in ponds[:6]:
            for hour in (6, 18):
                t = 17.5 + 11 * season + (1.6 if hour == 18 else -1.2) + r.gauss(0, 1.1)
                oxy = 9.6 - t * 0.13 + (1.5 if hour == 18 else -0.7) + r.gauss(0, 0.7) - {5: 0.8, 3: 0.3}.get(p[0], 0)
                ammonia = max(0.02, 0.12 + 0.012 * t * r.uniform(0.3, 1.4) + {4: 0.1}.get(p[0], 0))
                off = r.random() < 0.012 or (p[0] == 6 and D(2026, 5, 3) <= d <= D(2026, 5, 9))
                readings.append(
                    (
                        p[0],
                        "%s %02d:%02d" % (d, hour, r.choice([0, 0, 5, 10])),
                        *(
                            (None,) * 4
                            if off
                            else (round(oxy, 2), round(t, 1), round(r.gauss(7.7, 0.3), 2), round(ammonia, 3))
                        ),
                    )
                )
            if season > -0.75 and r.random() < 0.45 + 0.3 * season:
                kind = pick(r, {"颗粒料": 6, "膨化料": 3, "青草": 2})
                kg = round(p[2] * r.uniform(2.2, 6.5) * (1 + 0.5 * season), 1)
                feeds.append(
                    (
                        0,
                        str(d),
                        p[0],
                        kind,
                        kg,
                        round(kg * {"颗粒料": 4.6, "膨化料": 6.9, "青草": 0.5}[kind] * r.uniform(0.95, 1.05), 2),
                        pick(r, {"老罗": 5, "阿萍": 4, "小邓": 2}),
                    )
                )
        d += timedelta(days=1)
    buyers = {"城北水产批发": 5, "好味酒楼": 3, "鲜又多超市": 4, "零散客户": 3}
    price = {"草鱼": 13, "鲫鱼": 17, "鲢鱼": 8, "鲈鱼": 34, "黄颡鱼": 29}
    for _ in range(190):
        d = day(r, D(2026, 1, 8), D(2026, 11, 13))
        p = r.choices(ponds[:5], [5, 4, 6, 4, 2])[0]
        kg = round(r.lognormvariate(4.9, 0.7), 1)
        unit = round(price[p[4]] * r.uniform(0.88, 1.15), 1)
        paid = d + timedelta(days=int(r.expovariate(1 / 12)))
        catches.append(
            (
                0,
                str(d),
                p[0],
                kg,
                unit,
                round(kg * unit, 2),
                pick(r, buyers),
                str(paid) if paid <= LAST and r.random() < 0.93 else None,
            )
        )
    catches = [(k + 1, *x[1:]) for k, x in enumerate(sorted(catches, key=lambda x: x[1]))]
    feeds = [(k + 1, *x[1:]) for k, x in enumerate(feeds)]
    aerators = [
        (
            i + 1,
            [1, 1, 2, 3, 3, 3, 4, 4, 5, 6][i],
            r.choice([1.5, 2.2, 3.0]),
            pick(r, {"叶轮式": 4, "水车式": 3}),
            "故障" if i in (4, 9) else "正常",
            str(day(r, D(2021, 3, 1), D(2025, 6, 1))),
        )
        for i in range(10)
    ]
    make(
        "鱼塘",
        """CREATE TABLE 池塘(塘号 INTEGER PRIMARY KEY, 塘名 TEXT, 面积亩 REAL, 水深米 REAL, 鱼种 TEXT, 投苗日期 TEXT);
CREATE TABLE 水质读数(塘号 INTEGER REFERENCES 池塘, 测量时间 TEXT, 溶氧 REAL, 水温 REAL, pH REAL, 氨氮 REAL);
CREATE TABLE 投喂(投喂编号 INTEGER PRIMARY KEY, 日期 TEXT, 塘号 INTEGER REFERENCES 池塘, 饲料 TEXT, 公斤 REAL, 费用 REAL, 饲养员 TEXT);
CREATE TABLE 捕捞(捕捞编号 INTEGER PRIMARY KEY, 日期 TEXT, 塘号 INTEGER REFERENCES 池塘, 重量公斤 REAL, 单价 REAL, 金额 REAL, 买家 TEXT, 收款日期 TEXT);
CREATE TABLE 增氧机(机号 INTEGER PRIMARY KEY, 塘号 INTEGER REFERENCES 池塘, 功率千瓦 REAL, 型式 TEXT, 状态 TEXT, 安装日期 TEXT);""",
        {"池塘": ponds, "水质读数": readings, "投喂": feeds, "捕捞": catches, "增氧机": aerators},
    )


def qipao():
    """A tailor of qipao: days written 20260305, customers brought by customers."""
    r = random.Random(1308)

    def short(d):
        return d.strftime("%Y%m%d") if d else None

    masters = []
    for i, n in enumerate(zhnames(r, 8)):
        masters.append(
            (
                i + 1,
                n,
                ["裁剪", "缝制", "缝制", "盘扣", "刺绣", "缝制", "裁剪", "学徒"][i],
                short(day(r, D(2009, 3, 1), D(2021, 9, 1)) if i < 7 else D(2026, 9, 7)),
                r.choice([5200, 6000, 6800, 7500]) if i < 7 else 2600,
            )
        )
    cloths = []
    for i, (n, m, p) in enumerate(
        [
            ("墨绿香云纱", "真丝", 260),
            ("藕粉重磅绉", "真丝", 190),
            ("宝蓝织锦缎", "织锦缎", 145),
            ("大红织锦缎", "织锦缎", 150),
            ("月白棉麻", "棉麻", 48),
            ("青花棉布", "棉麻", 42),
            ("酒红丝绒", "丝绒", 98),
            ("黑色丝绒", "丝绒", 92),
            ("烟灰羊毛呢", "羊毛", 168),
            ("杏色蕾丝", "蕾丝", 88),
            ("银灰提花", "织锦缎", 135),
        ]
    ):
        cloths.append((i + 1, n, m, p, round(r.uniform(3, 60), 1)))
    guests = []
    for i, n in enumerate(zhnames(r, 240)):
        first = day(r, D(2023, 5, 1), D(2026, 11, 1))
        guests.append(
            [
                i + 1,
                n,
                pick(r, {"苏州": 6, "上海": 5, "杭州": 3, "无锡": 2, "外地": 1}),
                None,
                first,
                r.randrange(20, 71),
            ]
        )
    guests.sort(key=lambda g: g[4])
    for k, g in enumerate(guests):
        g[0] = k + 1
        g[3] = int(min(k, r.expovariate(1 / 25) + 1)) if k > 6 and r.random() < 0.38 else None
    orders, fixes = [], []
    for _ in range(760):
        g = r.choice(guests)
        d = g[4] if r.random() < 0.35 else day(r, g[4], D(2026, 11, 14))
        style = pick(r, {"长款旗袍": 5, "短款旗袍": 4, "改良旗袍": 5, "婚礼旗袍": 2, "旗袍上衣": 2})
        c = r.choices(cloths, [4, 4, 3, 5 if style == "婚礼旗袍" else 2, 4, 3, 3, 3, 2, 2, 0])[0]
        metres = round({"长款旗袍": 3.4, "婚礼旗袍": 3.8, "旗袍上衣": 1.6}.get(style, 2.4) * r.uniform(0.9, 1.15), 1)
        labour = round({"长款旗袍": 900, "婚礼旗袍": 1700, "旗袍上衣": 460}.get(style, 680) * r.uniform(0.85, 1.3), -1)
        total = round(labour + metres * c[3] * 1.6, -1)
        promised = d + timedelta(days=r.choice([20, 25, 30, 30, 45]))
        took = promised + timedelta(days=int(r.gauss(0, 5)))
        who = r.choices(masters[:7], [4, 6, 5, 2, 2, 3, 3])[0]
        if r.random() < 0.04:
            st, took = "已取消", None
        elif took <= LAST:
            st = "已取衣"
        else:
            st, took = ("待取衣" if promised <= LAST else "制作中"), None
        orders.append(
            [
                0,
                g[0],
                who[0],
                c[0],
                style,
                metres,
                labour,
                total,
                round(total * r.choice([0.3, 0.3, 0.5]), -1),
                d,
                promised,
                took,
                st,
                pick(r, {5: 7, 4: 4, 3: 1.2, 2: 0.4}) if st == "已取衣" and r.random() < 0.55 else None,
            ]
        )
    orders.sort(key=lambda o: o[9])
    for k, o in enumerate(orders):
        o[0] = k + 1
        for _ in range(pick(r, {0: 8, 1: 2, 2: 0.5}) if o[11] else 0):
            fixes.append(
                (
                    0,
                    o[0],
                    day(r, o[11], min(LAST, o[11] + timedelta(days=30))),
                    pick(r, {"腰身": 5, "下摆": 3, "领口": 2, "袖口": 2, "盘扣": 1.5}),
                    pick(r, {"尺寸不合": 5, "顾客变胖": 3, "想换样子": 2, "做工问题": 1.5}),
                    r.choice([0, 0, 50, 80, 120]),
                )
            )
    fixes.sort(key=lambda x: x[2])
    make(
        "旗袍店",
        """CREATE TABLE 师傅(师傅编号 INTEGER PRIMARY KEY, 姓名 TEXT, 工种 TEXT, 入店日期 TEXT, 月薪 INTEGER);
CREATE TABLE 布料(布料编号 INTEGER PRIMARY KEY, 名称 TEXT, 材质 TEXT, 每米进价 INTEGER, 库存米数 REAL);
CREATE TABLE 顾客(顾客编号 INTEGER PRIMARY KEY, 姓名 TEXT, 城市 TEXT, 介绍人编号 INTEGER REFERENCES 顾客(顾客编号), 首次到店 TEXT, 年龄 INTEGER);
CREATE TABLE 订单(订单号 INTEGER PRIMARY KEY, 顾客编号 INTEGER REFERENCES 顾客, 师傅编号 INTEGER REFERENCES 师傅, 布料编号 INTEGER REFERENCES 布料,
  款式 TEXT, 用料米数 REAL, 工费 REAL, 总价 REAL, 定金 REAL, 下单日期 TEXT, 约定取衣 TEXT, 实际取衣 TEXT, 状态 TEXT, 评分 INTEGER);
CREATE TABLE 修改(修改编号 INTEGER PRIMARY KEY, 订单号 INTEGER REFERENCES 订单, 修改日期 TEXT, 部位 TEXT, 原因 TEXT, 收费 INTEGER);""",
        {
            "师傅": masters,
            "布料": cloths,
            "顾客": [(*g[:4], short(g[4]), g[5]) for g in guests],
            "订单": [(*o[:9], short(o[9]), short(o[10]), short(o[11]), o[12], o[13]) for o in orders],
            "修改": [(k + 1, x[1], short(x[2]), *x[3:]) for k, x in enumerate(fixes)],
        },
    )


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    for build in (blood_drive, scrapyard, choir, party_hire, translate, visa_office, fish_ponds, qipao):
        build()
