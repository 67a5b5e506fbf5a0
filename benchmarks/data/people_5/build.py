"""Nine small SQLite databases, all invented. Standard library only, fixed seeds. python3 build.py [folder]"""

import os
import sqlite3
import sys
from datetime import date, datetime, timedelta
from random import Random

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
os.makedirs(OUT, exist_ok=True)
TODAY = date(2026, 11, 20)
FIRST = [
    "Aileen",
    "Bruno",
    "Carla",
    "Dmitri",
    "Esther",
    "Farid",
    "Greta",
    "Hamish",
    "Ines",
    "Jonas",
    "Kirsten",
    "Luca",
    "Maeve",
    "Nadia",
    "Oskar",
    "Petra",
    "Quentin",
    "Rosa",
    "Stefan",
    "Tamar",
    "Ulla",
    "Viktor",
    "Wanda",
    "Xenia",
    "Yusuf",
    "Zelda",
]
LAST = [
    "Abbott",
    "Brandt",
    "Castell",
    "Dorsey",
    "Eklund",
    "Farrow",
    "Grieve",
    "Halloran",
    "Ibsen",
    "Jurado",
    "Kessler",
    "Lomax",
    "Marchetti",
    "Nyberg",
    "Okoro",
    "Pruitt",
    "Quill",
    "Rasmussen",
    "Sadler",
    "Thorne",
    "Underhill",
    "Voss",
    "Whitlock",
    "Yates",
    "Zoric",
]
TOWNS = ["Ashby", "Brackwell", "Corran", "Dunmore", "Eastleigh", "Fernhill", "Garrow", "Hexby"]
ZF = "王李张刘陈杨赵黄周吴徐孙马朱胡郭何林罗高"
ZG = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂英建华玉兰海燕"


def names(r, n):
    out = []
    while len(out) < n:
        x = r.choice(FIRST) + " " + r.choice(LAST)
        if x not in out:
            out.append(x)
    return out


def znames(r, n):
    out = []
    while len(out) < n:
        x = r.choice(ZF) + "".join(r.choice(ZG) for _ in range(r.choice([1, 2, 2])))
        if x not in out:
            out.append(x)
    return out


def day(r, a, b):
    return a + timedelta(days=r.randrange((b - a).days + 1))


def make(name, ddl, rows):
    p = os.path.join(OUT, name + ".sqlite")
    if os.path.exists(p):
        os.remove(p)
    c = sqlite3.connect(p)
    c.executescript(ddl)
    for t, rs in rows.items():
        c.executemany('INSERT INTO "%s" VALUES (%s)' % (t, ",".join("?" * len(rs[0]))), rs)
    c.commit()
    c.execute("VACUUM")
    c.close()


def museum():
    r = Random(501)
    inst = [
        (1, "Harrow Street Museum", "Leeds", "UK"),
        (2, "Kunsthalle Bremen Nord", "Bremen", "Germany"),
        (3, "Musee du Quai Vert", "Lyon", "France"),
        (4, "Rijkshuis", "Utrecht", "Netherlands"),
        (5, "Galleria Sant'Elmo", "Naples", "Italy"),
        (6, "Tide Gallery", "Bristol", "UK"),
        (7, "Orchard House", "York", "UK"),
        (8, "Museo Azul", "Seville", "Spain"),
        (9, "Stadtmuseum Linz", "Linz", "Austria"),
        (10, "Fjord Art Centre", "Bergen", "Norway"),
        (11, "Maison des Arts", "Lille", "France"),
        (12, "Pavilion North", "Aberdeen", "UK"),
        (13, "Schloss Altenau", "Kassel", "Germany"),
    ]
    kind = [
        ("PNT", "Painting"),
        ("SCU", "Sculpture"),
        ("PRN", "Print"),
        ("TEX", "Textile"),
        ("CER", "Ceramic"),
        ("PHO", "Photograph"),
        ("JWL", "Jewellery"),
    ]
    gal = [
        (1, "Founders Hall", 0),
        (2, "Long Gallery", 1),
        (3, "Blue Room", 1),
        (4, "Print Cabinet", 2),
        (5, "Courtyard Wing", 0),
        (6, "Attic Store", 3),
        (7, "East Annex", 2),
    ]
    art = names(r, 28) + ["Unknown"]
    w1 = [
        "Harbour",
        "Woman",
        "Boy",
        "Orchard",
        "Bridge",
        "Winter",
        "Morning",
        "River",
        "Shepherd",
        "Garden",
        "Storm",
        "Market",
        "Dancer",
        "Mill",
        "Chapel",
        "Bowl",
        "Lantern",
        "Fox",
    ]
    w2 = [
        "at Dusk",
        "with Hat",
        "in Snow",
        "no. 2",
        "(study)",
        "by the Sea",
        "after Rain",
        "in Blue",
        "at Rest",
        "with Dog",
    ]
    obj = []
    used = set()
    while len(obj) < 260:
        t = r.choice(w1) + " " + r.choice(w2)
        if t in used and len(used) < 170:
            continue
        if t in used:
            t = t + " II"
            if t in used:
                continue
        used.add(t)
        k = r.choices([x[0] for x in kind[:6]], [9, 4, 6, 3, 5, 4])[0]
        disp = "Y" if r.random() < 0.58 else "N"
        obj.append(
            (
                "HS.%04d" % (len(obj) + 101),
                t,
                k,
                r.choice([None] * 1 + list(range(1620, 1985)) * 1) if r.random() > 0.06 else None,
                r.choice(art),
                round(r.lognormvariate(9.3, 1.1), -1) if r.random() > 0.04 else None,
                r.choice([1, 2, 3, 4, 5, 7]) if disp == "Y" else 6,
                disp,
                r.randint(3, 10),
            )
        )
    loan = []
    for i in range(420):
        o = r.choice(obj[:210])[0]
        f = 1 if r.random() < 0.62 else r.randint(2, 13)
        t = r.choice([x for x in range(1, 13) if x != f])
        d = day(r, date(2023, 1, 5), date(2026, 11, 10))
        due = d + timedelta(days=r.choice([60, 90, 120, 180]))
        ret = due + timedelta(days=r.randint(-30, 25))
        if ret > date(2026, 11, 15) or (d.year == 2026 and r.random() < 0.08):
            ret = None
        loan.append(
            (
                4000 + i,
                o,
                f,
                t,
                d.isoformat(),
                due.isoformat(),
                ret.isoformat() if ret else None,
                r.choice([0, 250, 400, 650, 900, 1200, 1500]) + r.randint(0, 49),
                r.choice(["Momart", "Hasenkamp", "Crown Fine Art", "own van", None]),
            )
        )
    vis = []
    d = date(2025, 1, 1)
    while d <= date(2026, 11, 15):
        if d.weekday() != 0:
            b = (
                130
                + (110 if d.weekday() >= 5 else 0)
                + (50 if d.month in (7, 8) else 0)
                + (25 if d.year == 2026 else 0)
            )
            a = max(10, int(r.gauss(b, 35)))
            k = max(0, int(r.gauss(b / 3, 14)))
            vis.append((d.isoformat(), a, k, round((a + k) * r.uniform(1.1, 2.6), 2)))
        d += timedelta(days=1)
    make(
        "museum",
        """CREATE TABLE inst(inst_id INTEGER PRIMARY KEY, nm TEXT, city TEXT, cntry TEXT);
CREATE TABLE kind(kind_cd TEXT PRIMARY KEY, descr TEXT);
CREATE TABLE gallery(gal_id INTEGER PRIMARY KEY, gal_name TEXT, floor INTEGER);
CREATE TABLE obj(acc_no TEXT PRIMARY KEY, ttl TEXT, kind_cd TEXT, yr_made INTEGER, artist TEXT, ins_val REAL, gal_id INTEGER, on_disp TEXT, cond_score INTEGER);
CREATE TABLE loan(loan_id INTEGER PRIMARY KEY, acc_no TEXT, from_inst INTEGER, to_inst INTEGER, out_dt TEXT, due_dt TEXT, ret_dt TEXT, fee REAL, courier TEXT);
CREATE TABLE visit_day(d TEXT PRIMARY KEY, adults INTEGER, kids INTEGER, shop_take REAL);""",
        {"inst": inst, "kind": kind, "gallery": gal, "obj": obj, "loan": loan, "visit_day": vis},
    )


def taxi():
    r = Random(502)
    nm = names(r, 34)
    drv = [
        (
            700 + i,
            nm[i],
            day(r, date(2016, 1, 1), date(2026, 8, 30)).isoformat(),
            r.choice("DDN"),
            1 if r.random() < 0.82 else 0,
            "07700 900%03d" % r.randint(100, 999) if r.random() > 0.1 else None,
        )
        for i in range(34)
    ]
    mk = [
        ("Toyota", "Prius", "hybrid", 4),
        ("Skoda", "Octavia", "diesel", 4),
        ("Kia", "e-Niro", "electric", 4),
        ("Ford", "Tourneo", "diesel", 8),
        ("Mercedes", "Vito", "diesel", 7),
        ("Tesla", "Model 3", "electric", 4),
    ]
    cab = []
    for i in range(26):
        m = r.choices(mk, [8, 6, 4, 3, 2, 2])[0]
        cab.append(
            (
                "TX%02d%s" % (10 + i, r.choice("ABCDEF") + r.choice("KLMNP")),
                m[0],
                m[1],
                r.randint(2014, 2025),
                m[3],
                m[2],
            )
        )
    zn = [
        "Airport",
        "Station",
        "Old Town",
        "Docks",
        "University",
        "Hospital",
        "Retail Park",
        "Northgate",
        "Southfield",
        "Riverside",
        "Stadium",
        "Hilltop",
    ]
    bo = ["West", "Central", "Central", "East", "Central", "North", "West", "North", "South", "East", "South", "North"]
    zone = [(i + 1, zn[i], bo[i]) for i in range(12)]
    pc = [(1, "cash"), (2, "card"), (3, "account"), (4, "app"), (5, "voucher")]
    ride = []
    for i in range(2600):
        d = day(r, date(2025, 1, 1), date(2026, 11, 14))
        h = r.choices(range(24), [5, 4, 3, 2, 2, 3, 5, 9, 11, 8, 6, 6, 7, 6, 6, 7, 8, 10, 9, 8, 8, 8, 9, 8])[0]
        a, b = r.choices(range(1, 13), [9, 8, 7, 3, 4, 4, 3, 3, 2, 3, 2, 2])[0], r.randint(1, 12)
        st = r.choices(["done", "cancelled", "no-show"], [88, 8, 4])[0]
        km = round(r.uniform(1.2, 9) + (9 if 1 in (a, b) else 0), 1)
        dr = r.choice(drv[:31])
        ok = st == "done"
        ride.append(
            (
                i + 1,
                "%s %02d:%02d" % (d.isoformat(), h, r.randint(0, 59)),
                dr[0],
                r.choice(cab[:24])[0],
                a,
                b,
                km if ok else None,
                round(3.2 + km * 1.75 + r.uniform(0, 2), 2) if ok else None,
                (r.choice([0, 0, 0, 1, 1.5, 2, 3, 5]) if ok else None),
                r.choices([1, 2, 3, 4], [3, 5, 1, 4])[0] if ok else None,
                st,
                r.choices([1, 2, 3, 4, 6], [6, 4, 2, 1, 0.4])[0],
                r.choices([None, 5, 4, 3, 2, 1], [5, 6, 4, 2, 1, 0.6])[0] if ok else None,
            )
        )
    rs = r.sample([x for x in ride], 95)
    com = [
        (
            i + 1,
            x[0],
            x[1][:10],
            r.choice(["late", "rude", "route", "overcharged", "dirty car", "lost item"]),
            1 if r.random() < 0.7 else 0,
        )
        for i, x in enumerate(sorted(rs))
    ]
    make(
        "taxi",
        """CREATE TABLE drv(drv_no INTEGER PRIMARY KEY, full_name TEXT, hired TEXT, shift TEXT, active INTEGER, phone TEXT);
CREATE TABLE cab(plate TEXT PRIMARY KEY, make TEXT, model TEXT, yr INTEGER, seats INTEGER, fuel TEXT);
CREATE TABLE zone(zid INTEGER PRIMARY KEY, zname TEXT, borough TEXT);
CREATE TABLE paycode(cd INTEGER PRIMARY KEY, label TEXT);
CREATE TABLE ride(id INTEGER PRIMARY KEY, req_ts TEXT, drv_no INTEGER, plate TEXT, pu_zone INTEGER, do_zone INTEGER, dist_km REAL, fare REAL, tip REAL, pay_cd INTEGER, stat TEXT, pax INTEGER, rating INTEGER);
CREATE TABLE complaint(cid INTEGER PRIMARY KEY, ride_id INTEGER, dt TEXT, reason TEXT, closed INTEGER);""",
        {"drv": drv, "cab": cab, "zone": zone, "paycode": pc, "ride": ride, "complaint": com},
    )


def lab():
    r = Random(503)
    cn = [
        "Brook Water Co",
        "Fenland Dairies",
        "Greenacre Soils",
        "Halden Foods",
        "Istra Chemicals",
        "Juniper Homes",
        "Kestrel Farms",
        "Lowmoor Council",
        "Mersey Paints",
        "Norland Fish",
        "Oakham School Trust",
        "Pike Breweries",
        "Quarrymen Ltd",
        "Ridgeway Spa",
    ]
    se = [
        "utility",
        "food",
        "agri",
        "food",
        "industry",
        "housing",
        "agri",
        "public",
        "industry",
        "food",
        "public",
        "food",
        "industry",
        "leisure",
    ]
    client = [(i + 1, cn[i], se[i], r.choice(TOWNS)) for i in range(14)]
    an = names(r, 9)
    analyst = [(i + 1, an[i], ["Wet chem", "Micro", "Metals"][i % 3]) for i in range(9)]
    method = [
        ("PH", "pH", "", 12.0),
        ("TURB", "Turbidity", "NTU", 14.5),
        ("PB", "Lead", "ug/L", 38.0),
        ("NO3", "Nitrate", "mg/L", 22.0),
        ("ECOL", "E. coli", "cfu/100ml", 45.0),
        ("CU", "Copper", "ug/L", 36.0),
        ("COD", "Chemical oxygen demand", "mg/L", 30.0),
        ("LIST", "Listeria", "cfu/g", 62.0),
        ("HG", "Mercury", "ug/L", 55.0),
    ]
    sam, res = [], []
    ds = sorted(day(r, date(2025, 1, 6), date(2026, 11, 13)) for _ in range(700))
    for i, d in enumerate(ds):
        pr = "rush" if r.random() < 0.2 else "std"
        due = d + timedelta(days=3 if pr == "rush" else 10)
        rep = due + timedelta(days=r.randint(-4, 4) if pr == "std" else r.randint(-1, 2))
        st = "reported"
        if rep > date(2026, 11, 13) or (d > date(2026, 10, 1) and r.random() < 0.2):
            rep, st = None, r.choice(["in progress", "received"])
        elif r.random() < 0.03:
            rep, st = None, "rejected"
        cl = r.choice(client[:13])
        mx = r.choices(["water", "soil", "food", "air"], [5, 3, 3, 1])[0]
        sid = "S%s-%04d" % (str(d.year)[2:], i + 1)
        sam.append((sid, cl[0], mx, d.isoformat(), due.isoformat(), rep.isoformat() if rep else None, pr, st))
        if st in ("received", "rejected"):
            continue
        for m in r.sample(method[:8], r.randint(1, 4)):
            v = {
                "PH": r.gauss(7.1, 0.6),
                "TURB": abs(r.gauss(2, 1.5)),
                "PB": abs(r.gauss(6, 5)),
                "NO3": abs(r.gauss(28, 14)),
                "ECOL": abs(r.gauss(4, 9)),
                "CU": abs(r.gauss(700, 500)),
                "COD": abs(r.gauss(90, 40)),
                "LIST": abs(r.gauss(5, 20)),
            }[m[0]]
            res.append(
                (
                    len(res) + 1,
                    sid,
                    m[0],
                    r.randint(1, 9),
                    (d + timedelta(days=r.randint(0, 3))).isoformat(),
                    round(v, 2),
                    "F" if r.random() < 0.11 else "P",
                    1 if r.random() < 0.07 else 0,
                )
            )
    make(
        "lab",
        """CREATE TABLE client(cl_id INTEGER PRIMARY KEY, cl_name TEXT, sector TEXT, town TEXT);
CREATE TABLE analyst(a_id INTEGER PRIMARY KEY, a_name TEXT, team TEXT);
CREATE TABLE method(m_code TEXT PRIMARY KEY, m_name TEXT, unit TEXT, price REAL);
CREATE TABLE sample(s_id TEXT PRIMARY KEY, cl_id INTEGER, matrix TEXT, recv_dt TEXT, due_dt TEXT, rep_dt TEXT, prio TEXT, status TEXT);
CREATE TABLE result(r_id INTEGER PRIMARY KEY, s_id TEXT, m_code TEXT, a_id INTEGER, run_dt TEXT, val REAL, pass_fl TEXT, rerun INTEGER);""",
        {"client": client, "analyst": analyst, "method": method, "sample": sam, "result": res},
    )


def bikeshare():
    r = Random(504)
    sn = [
        "Central Station",
        "City Hall",
        "Harbour Front",
        "Linden Park",
        "Mill Bridge",
        "Museum Quarter",
        "North Campus",
        "South Campus",
        "Opera",
        "Pine Street",
        "Quayside",
        "Rose Garden",
        "Spring Hill",
        "Tech Park",
        "Union Square",
        "Velodrome",
        "West Market",
        "Zoo",
    ]
    di = [
        "Centre",
        "Centre",
        "Harbour",
        "East",
        "East",
        "Centre",
        "Uni",
        "Uni",
        "Centre",
        "East",
        "Harbour",
        "East",
        "West",
        "West",
        "Centre",
        "West",
        "West",
        "East",
    ]
    st = [
        (100 + i, sn[i], r.choice([12, 16, 20, 24, 30]), di[i], day(r, date(2021, 3, 1), date(2026, 5, 1)).isoformat())
        for i in range(18)
    ]
    bikes = [
        (
            "B%03d" % (i + 1),
            r.choices(["classic", "e-bike", "cargo"], [6, 4, 1])[0],
            1 if r.random() < 0.87 else 0,
            day(r, date(2021, 3, 1), date(2026, 6, 1)).isoformat(),
        )
        for i in range(130)
    ]
    trip = []
    for i in range(3400):
        d = day(r, date(2025, 3, 1), date(2026, 11, 12))
        if d.month in (12, 1, 2) and r.random() < 0.5:
            d = day(r, date(2026, 5, 1), date(2026, 9, 30))
        t = datetime(
            d.year,
            d.month,
            d.day,
            r.choices(range(6, 24), [3, 8, 10, 6, 4, 4, 5, 5, 5, 6, 8, 11, 9, 6, 4, 3, 2, 1])[0],
            r.randint(0, 59),
            r.randint(0, 59),
        )
        s = int(r.lognormvariate(6.6, 0.6))
        e = t + timedelta(seconds=s)
        lost = r.random() < 0.012
        trip.append(
            (
                50000 + i,
                str(t),
                None if lost else str(e),
                100 + r.choices(range(17), [9, 7, 6, 4, 4, 5, 6, 4, 4, 2, 4, 3, 2, 3, 6, 2, 2])[0],
                None if lost else 100 + r.randint(0, 17),
                r.choice(bikes[:122])[0],
                "member" if r.random() < 0.68 else "casual",
                None if lost else s,
            )
        )
    rep = []
    for i in range(240):
        d = day(r, date(2025, 3, 1), date(2026, 11, 12))
        f = d + timedelta(days=r.randint(0, 14))
        if f > date(2026, 11, 12) or (d > date(2026, 9, 15) and r.random() < 0.3):
            f = None
        rep.append(
            (
                i + 1,
                r.choice(bikes)[0],
                d.isoformat(),
                f.isoformat() if f else None,
                r.choices(["brake", "chain", "tyre", "battery", "saddle", "lock"], [4, 4, 6, 3, 1, 2])[0],
                round(r.uniform(8, 95), 2) if f else None,
            )
        )
    make(
        "bikeshare",
        """CREATE TABLE station(station_id INTEGER PRIMARY KEY, name TEXT, docks INTEGER, district TEXT, opened TEXT);
CREATE TABLE bike(bike_no TEXT PRIMARY KEY, type TEXT, in_service INTEGER, bought TEXT);
CREATE TABLE trip(trip_id INTEGER PRIMARY KEY, started_at TEXT, ended_at TEXT, start_station_id INTEGER, end_station_id INTEGER, bike_no TEXT, member_type TEXT, duration_sec INTEGER);
CREATE TABLE repair(repair_id INTEGER PRIMARY KEY, bike_no TEXT, reported TEXT, fixed TEXT, part TEXT, cost REAL);""",
        {"station": st, "bike": bikes, "trip": trip, "repair": rep},
    )


def paper():
    r = Random(505)
    f = lambda d: d.strftime("%Y/%m/%d")
    nm = names(r, 380)
    sub = [
        (
            30001 + i,
            nm[i],
            r.choices(TOWNS, [6, 5, 4, 4, 3, 3, 2, 1])[0],
            f(day(r, date(2018, 1, 1), date(2026, 10, 30))),
            r.choice(["web", "phone", "kiosk", "friend", "web"]),
            r.choice("YYN"),
        )
        for i in range(380)
    ]
    plan = [
        ("PD", "Print daily", 32.0, 0),
        ("PW", "Print weekend", 14.5, 0),
        ("DG", "Digital", 9.9, 1),
        ("BU", "Print + digital", 38.0, 1),
        ("ST", "Student digital", 4.9, 1),
        ("GV", "Gift voucher", 25.0, 0),
    ]
    ss, pay = [], []
    for i in range(460):
        s = r.choice(sub[:350])
        j = date(*map(int, s[3].split("/")))
        d = max(j, day(r, date(2023, 1, 1), date(2026, 10, 31)))
        p = r.choices(plan[:5], [5, 4, 6, 3, 2])[0]
        e = None
        if r.random() < 0.38:
            e = d + timedelta(days=r.randint(30, 700))
            if e > date(2026, 11, 10):
                e = None
        ss.append(
            (
                i + 1,
                s[0],
                p[0],
                f(d),
                f(e) if e else None,
                r.choice(["price", "moved", "late delivery", "no time", "content", None]) if e else None,
                r.choice("YYYN"),
            )
        )
        m = max(d, date(2025, 9, 1))
        while m <= (e or date(2026, 11, 12)):
            pay.append(
                (
                    len(pay) + 1,
                    i + 1,
                    f(m),
                    p[2] if r.random() > 0.05 else round(p[2] / 2, 2),
                    r.choices(["direct debit", "card", "cash", "paypal"], [6, 4, 1, 2])[0],
                    1 if r.random() < 0.04 else 0,
                )
            )
            m += timedelta(days=30)
    gr = [
        (
            i + 1,
            r.choice(sub[:300])[0],
            f(day(r, date(2025, 1, 1), date(2026, 11, 14))),
            r.choices(["late", "missing", "wet", "wrong edition", "torn"], [5, 6, 2, 2, 1])[0],
            r.choice("YYYN"),
        )
        for i in range(310)
    ]
    make(
        "newspaper",
        """CREATE TABLE subscriber(sub_no INTEGER PRIMARY KEY, name TEXT, town TEXT, joined TEXT, channel TEXT, email_ok TEXT);
CREATE TABLE plan(plan_cd TEXT PRIMARY KEY, plan_name TEXT, px_month REAL, digital INTEGER);
CREATE TABLE subscription(id INTEGER PRIMARY KEY, sub_no INTEGER, plan_cd TEXT, start_dt TEXT, end_dt TEXT, cancel_rsn TEXT, auto_renew TEXT);
CREATE TABLE payment(pay_id INTEGER PRIMARY KEY, subscription_id INTEGER, paid_on TEXT, amt REAL, how TEXT, failed INTEGER);
CREATE TABLE delivery_gripe(id INTEGER PRIMARY KEY, sub_no INTEGER, logged TEXT, type TEXT, fixed TEXT);""",
        {"subscriber": sub, "plan": plan, "subscription": ss, "payment": pay, "delivery_gripe": gr},
    )


def brewery():
    r = Random(506)
    f = lambda d: d.strftime("%d.%m.%Y")
    beer = [
        (1, "Old Heron", "bitter", 4.2, "Y"),
        (2, "Pale Rider", "pale ale", 4.6, "Y"),
        (3, "Night Shift", "stout", 5.4, "Y"),
        (4, "Hop Parade", "IPA", 6.1, "Y"),
        (5, "Sunday Best", "mild", 3.4, "N"),
        (6, "Wheatsheaf", "wheat", 5.0, "Y"),
        (7, "Double Trouble", "IPA", 8.2, "N"),
        (8, "Cold Snap", "lager", 4.8, "Y"),
        (9, "Plum Porter", "stout", 5.8, "N"),
        (10, "Little Wren", "pale ale", 2.8, "N"),
        (11, "Harvest Ghost", "saison", 6.4, "N"),
    ]
    tank = [
        ("T%d" % i, [1000, 1000, 2000, 2000, 4000, 4000, 500, 2000][i - 1], "Mill Lane" if i < 6 else "Dock Road")
        for i in range(1, 9)
    ]
    br = ["Agnes", "Bertil", "Colm", "Dilys", "Enzo"]
    ba = []
    ds = sorted(day(r, date(2024, 1, 3), date(2026, 11, 9)) for _ in range(360))
    for i, d in enumerate(ds):
        b = r.choices(beer[:10], [7, 8, 5, 7, 2, 4, 2, 6, 2, 2])[0]
        t = r.choice(tank[:7])
        li = int(t[1] * r.uniform(0.7, 1))
        dump = 1 if r.random() < 0.04 else 0
        pk = d + timedelta(days=r.randint(12, 35))
        pk = None if pk > date(2026, 11, 12) or dump else pk
        ba.append(
            (
                "%d-%03d" % (d.year, i + 1),
                b[0],
                t[0],
                r.choice(br),
                f(d),
                f(pk) if pk else None,
                li,
                int(li * r.uniform(0.84, 0.96)) if pk else None,
                round(b[3] + r.gauss(0, 0.25), 1),
                r.randint(12, 70),
                round(r.uniform(5, 9.8), 1) if pk else None,
                dump,
            )
        )
    pn = [
        "The Anchor",
        "Bell & Book",
        "Crooked Billet",
        "Dog Inn",
        "Elm Tree",
        "Fox & Goose",
        "Golden Lamb",
        "Hare",
        "Ivy House",
        "Jolly Miller",
        "King's Head",
        "Lamplighter",
        "Moon & Sixpence",
        "Nag's Head",
    ]
    pub = [(i + 1, pn[i], r.choice(TOWNS[:6]), r.choice("YNN")) for i in range(14)]
    sale = []
    no = 9000
    while len(sale) < 1700:
        no += 1
        d = day(r, date(2025, 1, 2), date(2026, 11, 13))
        p = r.choice(pub[:13])
        for b in r.sample(beer[:10], r.randint(1, 4)):
            sale.append((no, f(d), p[0], b[0], r.randint(1, 8), 78 + b[3] * 6 + r.choice([0, 0, -4])))
    make(
        "brewery",
        """CREATE TABLE beer(beer_id INTEGER PRIMARY KEY, beer TEXT, style TEXT, target_abv REAL, core TEXT);
CREATE TABLE tank(tank_no TEXT PRIMARY KEY, litres INTEGER, site TEXT);
CREATE TABLE batch(batch_no TEXT PRIMARY KEY, beer_id INTEGER, tank_no TEXT, brewer TEXT, brew_date TEXT, pkg_date TEXT, litres_in INTEGER, litres_out INTEGER, abv REAL, ibu INTEGER, taste_score REAL, dumped INTEGER);
CREATE TABLE pub(pub_id INTEGER PRIMARY KEY, pub TEXT, town TEXT, tied TEXT);
CREATE TABLE sale(sale_no INTEGER, sdate TEXT, pub_id INTEGER, beer_id INTEGER, kegs INTEGER, keg_px REAL);""",
        {"beer": beer, "tank": tank, "batch": ba, "pub": pub, "sale": sale},
    )


def bank():
    r = Random(507)
    cats = {
        "Groceries": (["Freshway", "Tesmore", "Corner Deli"], 8, 140, ["Supermarket", "Deli"]),
        "Rent": (["Maple Lettings"], 1450, 1450, ["Flat"]),
        "Utilities": (["Northern Power", "AquaNet", "FibreLine"], 25, 180, ["Power", "Water", "Internet"]),
        "Travel": (["RailGo", "SkyHop", "CityCab"], 4, 620, ["Train", "Flight", "Taxi"]),
        "Eating Out": (["Noodle Bar", "Luigi's", "Bean There"], 4, 95, ["Lunch", "Dinner", "Coffee"]),
        "Health": (["Boots & Co", "SmilePlus Dental"], 6, 240, ["Pharmacy", "Dentist"]),
        "Shopping": (["Amazonia", "Homebase One", "Threads"], 10, 900, ["Clothes", "Home", "Gadgets"]),
        "Salary": (["Orbit Systems"], 5200, 5350, ["Pay"]),
        "Interest": ([None], 2, 20, ["Savings"]),
        "Transfer": ([None], 50, 2500, ["Internal"]),
    }
    acc = [("100-2231", "Everyday"), ("100-2232", "Joint"), ("100-7745", "Savings"), ("200-0193", "Business")]
    bal = {"100-2231": 4200.0, "100-2232": 76100.0, "100-7745": 15000.0, "200-0193": 29800.0}
    m = lambda x: ("-" if x < 0 else "") + f"${abs(x):,.2f}"
    ev = []
    for y, mo in [(y, mo) for y in (2025, 2026) for mo in range(1, 13) if (y, mo) <= (2026, 11)]:
        ev += [(date(y, mo, 1), "Rent", 1), (date(y, mo, 3), "Utilities", 1), (date(y, mo, 12), "Utilities", 0)]
        if (y, mo) < (2026, 11):
            ev += [(date(y, mo, 25), "Salary", 0), (date(y, mo, 28), "Interest", 2)]
    for _ in range(1150):
        d = day(r, date(2025, 1, 2), date(2026, 11, 14))
        c = r.choices(
            ["Groceries", "Travel", "Eating Out", "Health", "Shopping", "Transfer", "Utilities"],
            [34, 12, 28, 5, 14, 4, 3],
        )[0]
        ev.append((d, c, r.choices([0, 1, 3], [6, 3, 2])[0]))
    ev.sort(key=lambda x: (x[0], x[1], x[2]))
    rows = []
    for i, (d, c, a) in enumerate(ev):
        mm, lo, hi, sc = cats[c]
        a = acc[a]
        k = r.randrange(len(mm))
        amt = round(
            r.uniform(lo, hi)
            if c in ("Salary", "Interest", "Transfer", "Rent")
            else lo + (hi - lo) * r.random() ** 2.2,
            2,
        )
        cr = (
            c in ("Salary", "Interest")
            or (c == "Transfer" and r.random() < 0.5)
            or (c == "Shopping" and r.random() < 0.06)
        )
        if c in ("Groceries", "Eating Out", "Shopping", "Health"):
            ty = "POS"
        else:
            ty = {
                "Rent": "Standing Order",
                "Utilities": "Direct Debit",
                "Salary": "Deposit",
                "Interest": "Deposit",
                "Transfer": "Transfer",
                "Travel": "POS",
            }[c]
        fee = r.choice([0, 0, 0, 0, 0.5, 1.5]) if c in ("Travel", "Transfer") else 0
        bal[a[0]] += (amt if cr else -amt) - fee
        late = d > date(2026, 11, 8) and r.random() < 0.6
        rows.append(
            (
                100001 + i,
                d.isoformat(),
                (d + timedelta(days=r.randint(0, 2))).isoformat(),
                a[0],
                a[1],
                r.choice(["High St", "High St", "Quay Rd", "Online"]),
                ty,
                ("REFUND " if cr and c == "Shopping" else "") + (mm[k] or c).upper() + " %04d" % r.randint(1, 9999),
                mm[k],
                c,
                sc[k % len(sc)],
                m(amt),
                "CR" if cr else "DR",
                fee,
                m(bal[a[0]]),
                r.choices(["USD", "EUR"], [30, 1])[0] if c == "Travel" else "USD",
                {"Everyday": "4471", "Joint": "8820", "Savings": None, "Business": "1093"}[a[1]]
                if ty == "POS"
                else None,
                r.choice(["chip", "tap", "tap", "web"]) if ty == "POS" else "auto",
                "J. Hale" if c == "Transfer" else None,
                "R%07d" % r.randint(1, 9999999),
                "No" if late else "Yes",
                "Yes" if r.random() < 0.02 and ty == "POS" else "No",
                r.choice(["Boston", "Boston", "Salem", "Lowell", "Quincy"]) if ty == "POS" else None,
                r.choice(["split with Ana", "reclaim", "gift"]) if r.random() < 0.05 else None,
            )
        )
    bud = [
        ("Groceries", 700),
        ("Rent", 1450),
        ("Utilities", 320),
        ("Travel", 250),
        ("Eating Out", 400),
        ("Health", 90),
        ("Shopping", 350),
        ("Charity", 50),
    ]
    cols = [
        "Txn ID",
        "Txn Date",
        "Value Date",
        "Account No",
        "Account Name",
        "Branch",
        "Txn Type",
        "Description",
        "Merchant",
        "Category",
        "Sub Category",
        "Amount",
        "Dr/Cr",
        "Fee",
        "Balance After",
        "Currency",
        "Card Last4",
        "Channel",
        "Counterparty",
        "Ref No",
        "Cleared",
        "Disputed",
        "City",
        "Note",
    ]
    ty = {"Txn ID": "INTEGER", "Fee": "REAL"}
    make(
        "bank_export",
        "CREATE TABLE statement_export("
        + ", ".join('"%s" %s' % (c, ty.get(c, "TEXT")) for c in cols)
        + ');\nCREATE TABLE budget("Category" TEXT, "Monthly Budget" REAL);',
        {"statement_export": rows, "budget": bud},
    )


def fleet():
    r = Random(508)
    f = lambda d: "%d/%d/%d" % (d.year, d.month, d.day)
    team = [(1, "华东一队", "上海"), (2, "华南车队", "广州"), (3, "西南车队", "成都"), (4, "华北二队", "天津")]
    ct = [
        ("SH", "上海", "上海"),
        ("GZ", "广州", "广东"),
        ("CD", "成都", "四川"),
        ("TJ", "天津", "天津"),
        ("HZ", "杭州", "浙江"),
        ("SZ", "深圳", "广东"),
        ("CQ", "重庆", "重庆"),
        ("WH", "武汉", "湖北"),
        ("NJ", "南京", "江苏"),
        ("XA", "西安", "陕西"),
        ("KM", "昆明", "云南"),
        ("NB", "宁波", "浙江"),
    ]
    car = [("沪A" if i % 4 == 0 else "粤B" if i % 4 == 1 else "川A" if i % 4 == 2 else "津C", i) for i in range(32)]
    veh = [
        (
            p + "%05d" % r.randint(10000, 99999),
            r.choices(["厢式货车", "冷藏车", "平板车", "危险品车"], [6, 3, 3, 1])[0],
            r.choice([5, 8, 10, 18, 25]),
            f(day(r, date(2017, 1, 1), date(2026, 6, 1))),
            r.choices(["正常", "维修中", "报废"], [9, 2, 1])[0],
            i % 4 + 1,
        )
        for p, i in car
    ]
    zn = znames(r, 40)
    dr = [
        (
            "D%03d" % (i + 1),
            zn[i],
            f(day(r, date(2015, 1, 1), date(2026, 9, 1))),
            r.choice(["A1", "A2", "A2", "B2"]),
            "是" if r.random() < 0.85 else "否",
            r.choice([1, 2, 3, 4]),
        )
        for i in range(40)
    ]
    cu = [
        "鼎丰食品",
        "海蓝水产",
        "宏达机械",
        "佳美家居",
        "康源药业",
        "联创电子",
        "绿野农业",
        "美信日化",
        "强盛建材",
        "顺通贸易",
        "泰和化工",
        "新宇服装",
        "远景光伏",
    ]
    cus = [
        ("K%02d" % (i + 1), cu[i] + ("有限公司" if i % 2 else ""), r.choice("AABC"), r.choice(ct)[0]) for i in range(13)
    ]
    wb = []
    ds = sorted(day(r, date(2025, 1, 3), date(2026, 11, 14)) for _ in range(1500))
    for i, d in enumerate(ds):
        a, b = r.sample(ct[:11], 2)
        st = r.choices(["已签收", "已取消"], [95, 4])[0]
        if d > date(2026, 11, 3) and st != "已取消":
            st = r.choice(["运输中", "待发车", "已签收"])
        sg = d + timedelta(days=r.randint(1, 5)) if st == "已签收" else None
        km = r.randint(150, 2300)
        w = round(r.uniform(0.8, 22), 1)
        wb.append(
            (
                "YD%s%04d" % (str(d.year)[2:], i + 1),
                f(d),
                r.choice(veh[:30])[0],
                r.choice(dr[:37])[0],
                r.choice(cus[:12])[0],
                a[0],
                b[0],
                r.choices(["食品", "电子", "建材", "药品", "服装", "化工"], [6, 4, 4, 3, 3, 1])[0],
                w,
                km,
                round(km * (1.2 + w * 0.14) + r.uniform(0, 200), 2),
                st,
                f(sg) if sg else None,
                ("是" if r.random() < 0.86 else "否") if sg else None,
            )
        )
    oil = [
        (i + 1, f(day(r, date(2025, 1, 1), date(2026, 11, 14))), r.choice(veh[:31])[0], None, None) for i in range(900)
    ]
    oil = [
        (a, b, c, l, round(l * r.uniform(7.1, 8.2), 2)) for a, b, c, _, _ in oil for l in [round(r.uniform(40, 260), 1)]
    ]
    fix = [
        (
            i + 1,
            f(day(r, date(2025, 1, 1), date(2026, 11, 14))),
            r.choice(veh[:28])[0],
            r.choices(["保养", "轮胎", "刹车", "发动机", "事故"], [8, 5, 3, 2, 1])[0],
            r.randint(200, 9000),
        )
        for i in range(260)
    ]
    make(
        "fleet_zh",
        """CREATE TABLE 车队(编号 INTEGER PRIMARY KEY, 队名 TEXT, 驻地 TEXT);
CREATE TABLE 城市(代码 TEXT PRIMARY KEY, 城市名 TEXT, 省份 TEXT);
CREATE TABLE 车辆(车牌 TEXT PRIMARY KEY, 车型 TEXT, 载重吨 REAL, 购入日期 TEXT, 状态 TEXT, 车队编号 INTEGER);
CREATE TABLE 司机(工号 TEXT PRIMARY KEY, 姓名 TEXT, 入职日期 TEXT, 驾照类型 TEXT, 在职 TEXT, 车队编号 INTEGER);
CREATE TABLE 客户(客户编号 TEXT PRIMARY KEY, 客户名 TEXT, 等级 TEXT, 城市代码 TEXT);
CREATE TABLE 运单(运单号 TEXT PRIMARY KEY, 发货日期 TEXT, 车牌 TEXT, 司机工号 TEXT, 客户编号 TEXT, 起点 TEXT, 终点 TEXT, 货物类型 TEXT, 重量吨 REAL, 里程 INTEGER, 运费 REAL, 状态 TEXT, 签收日期 TEXT, 准时 TEXT);
CREATE TABLE 加油(流水号 INTEGER PRIMARY KEY, 日期 TEXT, 车牌 TEXT, 升数 REAL, 金额 REAL);
CREATE TABLE 维修(编号 INTEGER PRIMARY KEY, 日期 TEXT, 车牌 TEXT, 项目 TEXT, 费用 INTEGER);""",
        {"车队": team, "城市": ct, "车辆": veh, "司机": dr, "客户": cus, "运单": wb, "加油": oil, "维修": fix},
    )


def homestay():
    r = Random(509)
    hn = znames(r, 20)
    host = [
        (i + 1, hn[i], r.choice(["是", "否", "否"]), day(r, date(2019, 1, 1), date(2026, 5, 1)).isoformat())
        for i in range(20)
    ]
    a1, a2 = (
        [
            "云海",
            "听雨",
            "半山",
            "花间",
            "竹里",
            "归园",
            "浮生",
            "拾光",
            "南枝",
            "青瓦",
            "星河",
            "渔歌",
            "暖阳",
            "蓝调",
            "松风",
        ],
        ["小院", "别院", "民宿", "客栈", "公寓"],
    )
    ca = {
        "大理": ["古城", "洱海边"],
        "丽江": ["古城", "束河"],
        "厦门": ["鼓浪屿", "曾厝垵"],
        "杭州": ["西湖", "灵隐"],
        "成都": ["宽窄巷", "锦里"],
        "三亚": ["亚龙湾", "海棠湾"],
    }
    rm, used = [], set()
    while len(rm) < 48:
        n = r.choice(a1) + r.choice(a2)
        if n in used:
            continue
        used.add(n)
        c = r.choice(list(ca))
        t = r.choices(["大床房", "双床房", "整套", "亲子房", "青旅床位"], [5, 4, 4, 2, 1])[0]
        rm.append(
            (
                "F%03d" % (len(rm) + 1),
                n,
                c,
                r.choice(ca[c]),
                t,
                r.choice([188, 228, 268, 328, 398, 468, 558, 688, 888]) + r.randint(0, 9)
                if t != "青旅床位"
                else 58 + len(rm),
                {"大床房": 2, "双床房": 2, "整套": 6, "亲子房": 3, "青旅床位": 1}[t],
                r.randint(1, 18),
                1 if r.random() < 0.88 else 0,
            )
        )
    gn = znames(r, 300)
    gs = [
        (1000 + i, gn[i], r.choice("男女"), r.choice(["上海", "北京", "广州", "深圳", "武汉", "南京", "西安", "海外"]))
        for i in range(300)
    ]
    bk, rv = [], []
    ds = sorted(day(r, date(2025, 1, 1), date(2026, 11, 16)) for _ in range(1400))
    for i, d in enumerate(ds):
        h = r.choice(rm[:45])
        ci = d + timedelta(days=r.randint(0, 40))
        n = r.choices([1, 2, 3, 4, 5, 7], [5, 6, 4, 2, 1, 1])[0]
        co = ci + timedelta(days=n)
        st = "已取消" if r.random() < 0.11 else ("已完成" if co <= TODAY else "入住中" if ci <= TODAY else "待入住")
        bk.append(
            (
                "DD%05d" % (i + 1),
                h[0],
                r.choice(gs[:270])[0],
                d.isoformat(),
                ci.isoformat(),
                co.isoformat(),
                n,
                r.randint(1, h[6]),
                round(n * h[5] * r.choice([1, 1, 0.9, 1.2]), 2),
                r.choices(["携程", "美团", "爱彼迎", "微信", "电话"], [6, 5, 3, 3, 1])[0],
                st,
                None if st == "已取消" else ("是" if r.random() < 0.3 else "否"),
            )
        )
        if st == "已完成" and r.random() < 0.5:
            rv.append(
                (
                    len(rv) + 1,
                    bk[-1][0],
                    r.choices([5, 4, 3, 2, 1], [9, 6, 3, 1, 1])[0],
                    r.choice(["很干净", "房东热情", "位置好", "有点吵", "隔音差", "性价比高", None]),
                    (co + timedelta(days=r.randint(0, 3))).isoformat(),
                )
            )
    make(
        "homestay_zh",
        """CREATE TABLE 房东(房东编号 INTEGER PRIMARY KEY, 姓名 TEXT, 超赞房东 TEXT, 加入日期 TEXT);
CREATE TABLE 房源(房源编号 TEXT PRIMARY KEY, 名称 TEXT, 城市 TEXT, 区域 TEXT, 房型 TEXT, 每晚价格 INTEGER, 可住人数 INTEGER, 房东编号 INTEGER, 上架 INTEGER);
CREATE TABLE 客人(客人编号 INTEGER PRIMARY KEY, 姓名 TEXT, 性别 TEXT, 来自 TEXT);
CREATE TABLE 预订(订单号 TEXT PRIMARY KEY, 房源编号 TEXT, 客人编号 INTEGER, 下单日期 TEXT, 入住日期 TEXT, 退房日期 TEXT, 晚数 INTEGER, 人数 INTEGER, 总价 REAL, 渠道 TEXT, 状态 TEXT, 含早 TEXT);
CREATE TABLE 评价(编号 INTEGER PRIMARY KEY, 订单号 TEXT, 评分 INTEGER, 内容 TEXT, 日期 TEXT);""",
        {"房东": host, "房源": rm, "客人": gs, "预订": bk, "评价": rv},
    )


for fn in (museum, taxi, lab, bikeshare, paper, brewery, bank, fleet, homestay):
    fn()
