"""Builds the nine small SQLite databases (standard library only, fixed seeds)."""

import os
import random
import sqlite3
import sys
from datetime import date, datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
os.makedirs(OUT, exist_ok=True)
D = date


def db(name, ddl):
    p = os.path.join(OUT, name + ".sqlite")
    if os.path.exists(p):
        os.remove(p)
    c = sqlite3.connect(p)
    c.executescript(ddl)
    return c


def ins(c, t, rows):
    rows = list(rows)
    c.executemany('INSERT INTO "%s" VALUES (%s)' % (t, ",".join("?" * len(rows[0]))), rows)


def done(c):
    c.commit()
    c.execute("VACUUM")
    c.close()


def rday(r, a, b):
    return a + timedelta(days=r.randrange((b - a).days + 1))


FN = [
    "Anna",
    "Ben",
    "Carla",
    "David",
    "Elena",
    "Frank",
    "Grace",
    "Hugo",
    "Irene",
    "Jack",
    "Kavya",
    "Leo",
    "Maria",
    "Nick",
    "Olga",
    "Paul",
    "Quinn",
    "Rosa",
    "Sam",
    "Tina",
    "Umar",
    "Vera",
    "Will",
    "Xenia",
    "Yusuf",
    "Zoe",
]
LN = [
    "Abbott",
    "Berg",
    "Costa",
    "Dunn",
    "Evans",
    "Fischer",
    "Grant",
    "Hughes",
    "Ito",
    "Jansen",
    "Kumar",
    "Lopez",
    "Moore",
    "Novak",
    "Olsen",
    "Patel",
    "Quist",
    "Reyes",
    "Silva",
    "Turner",
    "Ueda",
    "Vega",
    "Walsh",
    "Young",
    "Zhang",
]


def names(r, n):
    s = []
    while len(s) < n:
        x = r.choice(FN) + " " + r.choice(LN)
        if x not in s:
            s.append(x)
    return s


# 1 ---------------------------------------------------------------- furniture sales log: one table
r = random.Random(601)
c = db(
    "sales_log",
    """CREATE TABLE sales (id INTEGER PRIMARY KEY, date TEXT, region TEXT, salesperson TEXT, product TEXT, category TEXT,
 quantity INTEGER, unit_price REAL, discount_pct REAL, amount REAL, channel TEXT, paid TEXT, customer TEXT);""",
)
PR = {
    "Oak Desk": ("Desks", 420),
    "Standing Desk": ("Desks", 615),
    "Mesh Chair": ("Chairs", 189),
    "Leather Chair": ("Chairs", 349.5),
    "Stool": ("Chairs", 59.9),
    "Bookcase": ("Storage", 230),
    "Filing Cabinet": ("Storage", 165),
    "Desk Lamp": ("Lighting", 44.5),
    "Floor Lamp": ("Lighting", 92),
    "Monitor Arm": ("Accessories", 78),
}
SP = {
    "Priya Shah": "North",
    "Tom Baker": "North",
    "Lucy Chen": "South",
    "Omar Haddad": "South",
    "Greta Lind": "East",
    "Mike O'Neill": "West",
    "Sara Conti": "West",
}
CU = [
    "Acme Studios",
    "Bluebird Ltd",
    "Cedar & Co",
    "Delta Labs",
    "Everline",
    "Foxglove",
    "Granite Group",
    "Harbor Media",
    "Ironwood",
    "Juniper Inc",
    "Kestrel",
    "Lumen Works",
]
rows = []
for i in range(1, 1601):
    d = rday(r, D(2024, 1, 2), D(2026, 11, 13))
    s = r.choices(list(SP), [9, 7, 8, 5, 6, 7, 4])[0]
    p = r.choices(list(PR), [8, 6, 12, 5, 9, 7, 6, 11, 5, 8])[0]
    q = r.choice([1, 1, 1, 2, 2, 3, 4, 5, 6, 8, 10, 12])
    ds = r.choice([0, 0, 0, 0, 5, 10, 15])
    pr = PR[p][1] * {2024: 1, 2025: 1.04, 2026: 1.08}[d.year]
    pr = round(pr, 2)
    paid = "N" if (d > D(2026, 9, 1) and r.random() < 0.35) or r.random() < 0.03 else "Y"
    rows.append(
        (
            d.isoformat(),
            SP[s] if r.random() < 0.9 else r.choice(["North", "South", "East", "West"]),
            s,
            p,
            PR[p][0],
            q,
            pr,
            ds,
            round(q * pr * (1 - ds / 100), 2),
            r.choices(["Online", "Store", "Phone"], [5, 4, 2])[0],
            paid,
            r.choice(CU) if r.random() < 0.94 else None,
        )
    )
rows.sort()
ins(c, "sales", [(i + 1,) + x for i, x in enumerate(rows)])
done(c)

# 2 ---------------------------------------------------------------- supermarket survey: one wide table, money as text
r = random.Random(602)
c = db(
    "survey_export",
    """CREATE TABLE responses ("Response ID" INTEGER PRIMARY KEY, "Submitted On" TEXT, "Store" TEXT, "Age Group" TEXT, "Gender" TEXT, "Home City" TEXT,
 "Member" TEXT, "Member Since" INTEGER, "Visits Per Month" INTEGER, "Spend Last Visit" TEXT, "Minutes In Store" INTEGER, "Main Reason" TEXT, "Payment" TEXT, "Overall Score" INTEGER,
 "Price Score" INTEGER, "Staff Score" INTEGER, "Cleanliness Score" INTEGER, "Parking Score" INTEGER, "Would Recommend" TEXT, "Used Self Checkout" TEXT, "Found Everything" TEXT,
 "Device" TEXT, "Survey Language" TEXT, "Comment" TEXT);""",
)
ST = ["Riverside", "Old Town", "Station", "Hillcrest"]
CM = [
    "queue too long",
    "friendly staff",
    "parking was full",
    "good prices",
    "no fresh bread left",
    "self checkout broken",
    "love the bakery",
    "too expensive",
    "clean and tidy",
    "fruit not fresh",
]
rows = []
for i in range(620):
    d = rday(r, D(2025, 1, 3), D(2026, 11, 10))
    st = r.choices(ST, [5, 3, 4, 2])[0]
    m = r.random() < 0.55
    b = {"Riverside": 7.4, "Old Town": 6.3, "Station": 6.9, "Hillcrest": 7.8}[st]
    sc = lambda: max(1, min(10, round(r.gauss(b, 1.9))))
    ov = sc()
    sp = round(r.lognormvariate(3.7, 0.8), 2)
    rows.append(
        (
            d.isoformat(),
            st,
            r.choices(["18-24", "25-34", "35-44", "45-54", "55-64", "65+"], [2, 4, 5, 4, 3, 3])[0],
            r.choices(["Female", "Male", "Other", None], [52, 42, 2, 4])[0],
            r.choice(["Ashford", "Milton", "Kingsley", "Ashford", "Porton", "Dale"]),
            "Yes" if m else "No",
            r.randint(2016, 2026) if m else None,
            r.choice([1, 1, 2, 3, 4, 4, 6, 8, 12]),
            f"${sp * (9 if r.random() < 0.02 else 1):,.2f}" if r.random() < 0.95 else None,
            r.randint(5, 85),
            r.choices(["Weekly shop", "Quick top-up", "Offer", "Lunch"], [5, 4, 2, 2])[0],
            r.choices(["Card", "Cash", "Phone"], [6, 2, 3])[0],
            ov,
            sc(),
            sc(),
            sc(),
            sc() if r.random() < 0.7 else None,
            "Yes" if ov >= 7 or r.random() < 0.2 else "No",
            r.choice(["Yes", "No"]),
            "Yes" if r.random() < 0.78 else "No",
            r.choices(["Mobile", "Desktop", "Tablet"], [7, 3, 1])[0],
            r.choices(["English", "Spanish", "Polish"], [10, 2, 1])[0],
            r.choice(CM) if r.random() < 0.35 else None,
        )
    )
rows.sort(key=lambda x: x[0])
ins(c, "responses", [(10001 + i,) + x for i, x in enumerate(rows)])
done(c)

# 3 ---------------------------------------------------------------- weather stations
r = random.Random(603)
c = db(
    "weather_log",
    """CREATE TABLE stn (code TEXT PRIMARY KEY, name TEXT, county TEXT, elev_m INTEGER, opened TEXT, active INTEGER);
CREATE TABLE obs (stn TEXT, dt TEXT, tmax REAL, tmin REAL, rain_mm REAL, wind_kmh REAL, gust_kmh REAL, hum_pct INTEGER, snow_cm REAL, cond TEXT);
CREATE TABLE faults (id INTEGER PRIMARY KEY, stn TEXT, reported TEXT, fixed TEXT, sensor TEXT, note TEXT);""",
)
SN = [
    ("AX1", "Alder Bay", "Coastal", 6, "1998-05-01", 1),
    ("BR2", "Brackwood", "Inland", 140, "2004-09-15", 1),
    ("CM3", "Cairn Moor", "Upland", 612, "2011-03-20", 1),
    ("DF4", "Dunfell Airport", "Inland", 88, "1987-01-10", 1),
    ("EK5", "Eskholm", "Coastal", 12, "2015-06-01", 0),
    ("FP6", "Fallow Peak", "Upland", 845, "2026-08-01", 1),
]
ins(c, "stn", SN)
import math

rows = []
for code, n, co, el, op, ac in SN[:5]:
    d = D(2024, 7, 1)
    while d <= D(2026, 11, 15):
        if code == "EK5" and d > D(2025, 9, 30):
            break
        if r.random() > 0.03:
            s = 10.5 - 7.5 * math.cos((d.timetuple().tm_yday - 20) / 365 * 6.283) - el * 0.006
            tx = round(r.gauss(s + 4, 3), 1)
            tn = round(tx - r.uniform(3, 10), 1)
            rain = 0.0 if r.random() < 0.55 else round(r.expovariate(1 / 5.5), 1)
            w = round(abs(r.gauss(18 if co == "Coastal" else 13, 8)), 1)
            snow = round(r.uniform(0.5, 9), 1) if rain > 1 and tn < 0 and tx < 4 else 0.0
            cond = (
                "Snow"
                if snow
                else "Rain"
                if rain > 1
                else r.choice(["Sunny", "Cloudy", "Cloudy", "Fog"])
                if rain == 0
                else "Cloudy"
            )
            rows.append(
                (
                    code,
                    d.isoformat(),
                    tx if r.random() > 0.01 else None,
                    tn,
                    rain,
                    w,
                    round(w * r.uniform(1.3, 2.1), 1),
                    r.randint(45, 99),
                    snow,
                    cond,
                )
            )
        d += timedelta(days=1)
ins(c, "obs", rows)
fl = []
for i in range(1, 61):
    d = rday(r, D(2024, 7, 5), D(2026, 11, 12))
    s = r.choice(["AX1", "BR2", "CM3", "CM3", "CM3", "DF4"])
    f = d + timedelta(days=r.randint(0, 25))
    fl.append(
        (
            d,
            s,
            None if f > D(2026, 11, 15) or r.random() < 0.08 else f.isoformat(),
            r.choice(["rain gauge", "anemometer", "thermometer", "hygrometer"]),
            r.choice(["no signal", "drift", "iced up", "battery low", "blocked"]),
        )
    )
fl.sort(key=lambda x: x[0])
ins(c, "faults", [(i + 1, x[1], x[0].isoformat(), x[2], x[3], x[4]) for i, x in enumerate(fl)])
done(c)

# 4 ---------------------------------------------------------------- ticketing
r = random.Random(604)
c = db(
    "event_tix",
    """CREATE TABLE venue (ven_id INTEGER PRIMARY KEY, nm TEXT, city TEXT, cap INTEGER);
CREATE TABLE evt_st (cd TEXT PRIMARY KEY, descr TEXT);
CREATE TABLE evt (evt_id INTEGER PRIMARY KEY, title TEXT, cat TEXT, ven_id INTEGER, evt_dt TEXT, st_cd TEXT);
CREATE TABLE cust (cust_id INTEGER PRIMARY KEY, nm TEXT, city TEXT, joined TEXT, vip INTEGER);
CREATE TABLE ord (ord_no INTEGER PRIMARY KEY, cust_id INTEGER, ord_dt TEXT, chan TEXT, pay_st TEXT);
CREATE TABLE ord_ln (ord_no INTEGER, ln INTEGER, evt_id INTEGER, tier TEXT, qty INTEGER, price REAL);""",
)
VN = [
    ("Apollo Hall", "Leeds", 900),
    ("Dockside Arena", "Hull", 4200),
    ("The Lantern", "York", 250),
    ("Old Mill", "Leeds", 380),
    ("City Dome", "Sheffield", 6000),
    ("Garden Stage", "York", 1500),
    ("Pier Pavilion", "Whitby", 700),
]
ins(c, "venue", [(i + 1,) + v for i, v in enumerate(VN)])
ins(c, "evt_st", [("H", "Held"), ("U", "Upcoming"), ("X", "Cancelled"), ("P", "Postponed")])
CA = {
    "Music": ["Brass Night", "Indie Weekender", "Jazz Supper", "Choir Gala", "Folk Fest", "Synth Live"],
    "Comedy": ["Stand-up Special", "Open Mic", "Improv Battle"],
    "Talk": ["Space Talk", "Food Writers", "History Hour"],
    "Fair": ["Craft Fair", "Vinyl Fair", "Plant Fair"],
    "Family": ["Puppet Day", "Magic Show"],
}
ev = []
for i in range(96):
    d = rday(r, D(2025, 1, 10), D(2026, 12, 28))
    ca = r.choices(list(CA), [6, 3, 3, 2, 2])[0]
    ev.append((d, r.choice(CA[ca]), ca))
ev.sort(key=lambda x: x[0])
E = []
cnt = {}
for i, (d, t, ca) in enumerate(ev):
    cnt[t] = cnt.get(t, 0) + 1
    x = r.random()
    E.append(
        (
            i + 1,
            t + " " + str(cnt[t]),
            ca,
            r.randint(1, 6),
            d.isoformat(),
            ("X" if x < 0.08 else "P" if x < 0.12 else "U") if d > D(2026, 11, 20) else ("X" if x < 0.08 else "H"),
        )
    )
ins(c, "evt", E)
nm = names(r, 180)
ins(
    c,
    "cust",
    [
        (
            i + 1,
            n,
            r.choice(["Leeds", "York", "Hull", "Sheffield", "Whitby", "Bradford"]),
            rday(r, D(2023, 2, 1), D(2026, 10, 30)).isoformat(),
            1 if r.random() < 0.14 else 0,
        )
        for i, n in enumerate(nm)
    ],
)
O = []
for i in range(1150):
    e = r.choice(E)
    d = date.fromisoformat(e[4])
    hi = min(D(2026, 11, 16), d)
    lo = d - timedelta(days=70)
    if lo > hi:
        continue
    O.append((rday(r, lo, hi).isoformat(), e))
O.sort()
ol = []
oo = []
for i, (d, e) in enumerate(O):
    no = 5001 + i
    oo.append(
        (
            no,
            r.randint(1, 165),
            d,
            r.choices(["Web", "App", "Box office"], [5, 4, 2])[0],
            r.choices(["Paid", "Refunded", "Pending"], [90, 6, 4])[0],
        )
    )
    base = {"Music": 32, "Comedy": 22, "Talk": 14, "Fair": 8, "Family": 12}[e[2]]
    for ln, t in enumerate(r.sample(["Standard", "Premium", "Concession"], r.choice([1, 1, 1, 2]))):
        ol.append(
            (
                no,
                ln + 1,
                e[0],
                t,
                r.choice([1, 2, 2, 2, 3, 4, 5]),
                round(base * {"Standard": 1, "Premium": 1.8, "Concession": 0.7}[t], 2),
            )
        )
ins(c, "ord", oo)
ins(c, "ord_ln", ol)
done(c)

# 5 ---------------------------------------------------------------- law firm
r = random.Random(605)
c = db(
    "law_firm",
    """CREATE TABLE area (cd TEXT PRIMARY KEY, nm TEXT);
CREATE TABLE client (client_id INTEGER PRIMARY KEY, name TEXT, type TEXT, city TEXT, since TEXT);
CREATE TABLE atty (atty_id INTEGER PRIMARY KEY, name TEXT, title TEXT, std_rate REAL, office TEXT, start_dt TEXT, left_dt TEXT);
CREATE TABLE matter (m_no TEXT PRIMARY KEY, client_id INTEGER, title TEXT, area_cd TEXT, lead_id INTEGER, opened_by INTEGER, opened TEXT, closed TEXT, budget REAL);
CREATE TABLE time_entry (te_id INTEGER PRIMARY KEY, m_no TEXT, atty_id INTEGER, work_dt TEXT, hrs REAL, rate REAL, bill_fl TEXT, task TEXT);
CREATE TABLE invoice (inv_no INTEGER PRIMARY KEY, m_no TEXT, inv_dt TEXT, due_dt TEXT, amt REAL, paid_dt TEXT);""",
)
AR = [
    ("COR", "Corporate"),
    ("EMP", "Employment"),
    ("FAM", "Family"),
    ("IPR", "Intellectual Property"),
    ("LIT", "Litigation"),
    ("REA", "Real Estate"),
    ("TAX", "Tax"),
]
ins(c, "area", AR)
CL = [
    "Northwind Foods",
    "Halden Steel",
    "Marlow Trust",
    "Pinecrest Homes",
    "Quantix Labs",
    "Rook & Sons",
    "Solent Marine",
    "Tarn Energy",
    "Umbra Films",
    "Vireo Health",
    "Wexford Dairy",
    "Yarrow Textiles",
]
cl = [(n, "Company") for n in CL] + [(n, "Individual") for n in names(r, 22)]
ins(
    c,
    "client",
    [
        (
            i + 1,
            n,
            t,
            r.choice(["Boston", "Chicago", "Denver", "Boston", "Austin"]),
            rday(r, D(2016, 1, 4), D(2025, 12, 1)).isoformat(),
        )
        for i, (n, t) in enumerate(cl)
    ],
)
AT = [
    ("Helen Marsh", "Partner", 520, "Boston"),
    ("Victor Cole", "Partner", 495, "Chicago"),
    ("Amara Obi", "Partner", 540, "Boston"),
    ("Jonas Weber", "Associate", 310, "Boston"),
    ("Lily Tran", "Associate", 295, "Chicago"),
    ("Peter Nash", "Associate", 320, "Denver"),
    ("Ruth Stein", "Of Counsel", 410, "Denver"),
    ("Diego Ramos", "Paralegal", 140, "Boston"),
    ("Fay Green", "Paralegal", 135, "Chicago"),
    ("Ken Doyle", "Associate", 305, "Chicago"),
]
ins(
    c,
    "atty",
    [
        (
            i + 1,
            n,
            t,
            p,
            o,
            rday(r, D(2008, 1, 1), D(2024, 6, 1)).isoformat(),
            "2026-05-29" if n == "Ken Doyle" else None,
        )
        for i, (n, t, p, o) in enumerate(AT)
    ],
)
MT = {
    "COR": "Merger review,Share purchase,Board advice",
    "EMP": "Dismissal claim,Contract review",
    "FAM": "Divorce,Custody",
    "IPR": "Trademark filing,Patent dispute",
    "LIT": "Breach of contract,Debt recovery,Injury claim",
    "REA": "Office lease,Land purchase",
    "TAX": "Tax audit,VAT appeal",
}
M = []
for i in range(118):
    o = rday(r, D(2023, 3, 1), D(2026, 10, 28))
    a = r.choices([x[0] for x in AR], [6, 4, 3, 3, 6, 4, 2])[0]
    k = r.randint(1, 31) if a != "FAM" else r.randint(13, 31)
    cd = o + timedelta(days=r.randint(40, 600))
    M.append([o, k, a, cd if cd < D(2026, 11, 10) else None])
M.sort(key=lambda x: x[0])
mm = []
for i, (o, k, a, cd) in enumerate(M):
    mm.append(
        (
            "M-%04d" % (301 + i),
            k,
            r.choice(MT[a].split(",")),
            a,
            r.choice([1, 2, 3, 4, 5, 6, 7]),
            r.choice([4, 5, 6, 8, 9]),
            o.isoformat(),
            cd.isoformat() if cd else None,
            r.choice([None, 5000, 8000, 12000, 15000, 20000, 30000, 45000]),
        )
    )
ins(c, "matter", mm)
te = []
for m in mm[:-3]:
    o = date.fromisoformat(m[6])
    e = date.fromisoformat(m[7]) if m[7] else D(2026, 11, 17)
    for j in range(r.randint(4, 34)):
        d = rday(r, o, e)
        if d.weekday() > 4:
            d -= timedelta(days=2)
            if d < o:
                d += timedelta(days=3)
        a = m[4] if r.random() < 0.4 else r.randint(1, 10)
        if a == 10 and d > D(2026, 5, 29):
            a = 4
        te.append(
            (
                d.isoformat(),
                m[0],
                a,
                r.choice([0.2, 0.3, 0.5, 0.7, 1, 1, 1.5, 2, 2.5, 3, 4.5, 6]),
                AT[a - 1][2],
                "Y" if r.random() < 0.82 else "N",
                r.choice(["Research", "Drafting", "Call", "Meeting", "Court", "Review"]),
            )
        )
te.sort()
ins(c, "time_entry", [(i + 1, x[1], x[2], x[0], x[3], x[4], x[5], x[6]) for i, x in enumerate(te)])
iv = []
for m in mm:
    o = date.fromisoformat(m[6])
    e = date.fromisoformat(m[7]) if m[7] else D(2026, 11, 12)
    for j in range(r.randint(0, 4)):
        d = rday(r, o, e)
        du = d + timedelta(days=30)
        pd = d + timedelta(days=r.randint(5, 75))
        iv.append(
            (
                d.isoformat(),
                m[0],
                du.isoformat(),
                round(r.uniform(350, 14500), 2),
                pd.isoformat() if pd <= D(2026, 11, 18) and r.random() < 0.93 else None,
            )
        )
iv.sort()
ins(c, "invoice", [(20001 + i, x[1], x[0], x[2], x[3], x[4]) for i, x in enumerate(iv)])
done(c)

# 6 ---------------------------------------------------------------- harbour register, slash dates
r = random.Random(606)
c = db(
    "port_register",
    """CREATE TABLE port (locode TEXT PRIMARY KEY, pname TEXT, country TEXT);
CREATE TABLE berth (bcode TEXT PRIMARY KEY, bname TEXT, depth_m REAL, len_m INTEGER);
CREATE TABLE vtype (tcode TEXT PRIMARY KEY, tdesc TEXT);
CREATE TABLE vessel (imo INTEGER PRIMARY KEY, vname TEXT, flag TEXT, tcode TEXT, gt INTEGER, loa_m REAL, built INTEGER, owner TEXT);
CREATE TABLE port_call (call_no INTEGER PRIMARY KEY, imo INTEGER, bcode TEXT, eta TEXT, arr TEXT, dep TEXT, from_port TEXT, to_port TEXT, cargo_in_t INTEGER, cargo_out_t INTEGER, pilot TEXT, dues REAL);""",
)
PO = [
    ("NLRTM", "Rotterdam", "Netherlands"),
    ("DEHAM", "Hamburg", "Germany"),
    ("BEANR", "Antwerp", "Belgium"),
    ("NOOSL", "Oslo", "Norway"),
    ("SEGOT", "Gothenburg", "Sweden"),
    ("PLGDN", "Gdansk", "Poland"),
    ("GBFXT", "Felixstowe", "United Kingdom"),
    ("FRLEH", "Le Havre", "France"),
    ("ESBIO", "Bilbao", "Spain"),
    ("DKAAR", "Aarhus", "Denmark"),
    ("NOBGO", "Bergen", "Norway"),
]
ins(c, "port", PO)
BE = [
    ("N1", "North Quay 1", 11.5, 240),
    ("N2", "North Quay 2", 11.5, 210),
    ("S1", "South Pier", 8.2, 150),
    ("OIL", "Oil Jetty", 13.8, 280),
    ("RO", "Ro-Ro Ramp", 7.5, 180),
    ("E9", "East Basin", 6.4, 120),
]
ins(c, "berth", BE)
VT = [
    ("CON", "Container"),
    ("TNK", "Tanker"),
    ("BLK", "Bulk carrier"),
    ("ROR", "Ro-Ro"),
    ("GEN", "General cargo"),
    ("PAS", "Passenger"),
]
ins(c, "vtype", VT)
A1 = ["Baltic", "Nordic", "Sea", "Ocean", "Polar", "Atlantic", "Silver", "Coral"]
A2 = ["Star", "Queen", "Trader", "Spirit", "Wind", "Pioneer", "Swan", "Falcon"]
vn = [a + " " + b for a in A1 for b in A2]
r.shuffle(vn)
V = []
for i in range(48):
    t = r.choices([x[0] for x in VT], [5, 4, 4, 3, 5, 2])[0]
    V.append(
        (
            9100007 + i * 1379,
            vn[i],
            r.choice(["Norway", "Malta", "Panama", "Netherlands", "Liberia", "Denmark"]),
            t,
            r.randint(1800, 62000),
            round(r.uniform(78, 270), 1),
            r.randint(1989, 2025),
            r.choice(["Hansa Lines", "Fjord Shipping", "Meridian Bulk", "Blue Anchor", "Kattegat Ferries", None]),
        )
    )
ins(c, "vessel", V)
pc = []
for i in range(900):
    d = rday(r, D(2024, 2, 1), D(2026, 11, 18))
    v = r.choice(V[:44])
    e = d - timedelta(days=r.choice([0, 0, 0, 0, 1, 1, 2, 3]))
    dp = d + timedelta(days=r.choice([0, 1, 1, 2, 2, 3, 5, 7]))
    fp, tp = r.sample(PO[:10], 2)
    f = lambda x: x.strftime("%Y/%m/%d")
    ps = v[3] == "PAS"
    pc.append(
        (
            f(d),
            v[0],
            "OIL" if v[3] == "TNK" else "RO" if v[3] == "ROR" else r.choice(["N1", "N2", "S1", "N1"]),
            f(e),
            None if dp > D(2026, 11, 19) else f(dp),
            fp[0],
            tp[0],
            0 if ps else r.choice([0, r.randint(200, 14000)]),
            0 if ps else r.choice([0, r.randint(150, 11000)]),
            r.choice(["Y", "Y", "N"]),
            round(v[4] * 0.11 + r.uniform(50, 900), 2),
        )
    )
pc.sort()
ins(
    c,
    "port_call",
    [(70001 + i, x[1], x[2], x[3], x[0], x[4], x[5], x[6], x[7], x[8], x[9], x[10]) for i, x in enumerate(pc)],
)
done(c)

# 7 ---------------------------------------------------------------- issue export
r = random.Random(607)
c = db(
    "issue_export",
    """CREATE TABLE issues (number INTEGER PRIMARY KEY, repo TEXT, title TEXT, is_pr INTEGER, state TEXT, author TEXT, assignee TEXT, milestone TEXT, priority TEXT, created_at TEXT, closed_at TEXT, comments INTEGER, reactions INTEGER, lines_changed INTEGER);
CREATE TABLE issue_labels (issue_no INTEGER, label TEXT);
CREATE TABLE people (login TEXT PRIMARY KEY, full_name TEXT, company TEXT, is_maintainer INTEGER, first_seen TEXT);""",
)
LG = [
    "akira-dev",
    "bluefin",
    "carol99",
    "dmitri-k",
    "evaluna",
    "fkoch",
    "greenbyte",
    "harpo",
    "inesm",
    "jlee",
    "kodiak",
    "lumenfox",
    "mbauer",
    "nightowl",
    "oskar-w",
    "pzhao",
]
nm = names(r, 16)
ins(
    c,
    "people",
    [
        (
            l,
            nm[i],
            r.choice(["Orbit Inc", "Freelance", "Nimbus", None, "Orbit Inc"]),
            1 if i in (0, 3, 5, 9, 12) else 0,
            rday(r, D(2021, 1, 1), D(2024, 9, 1)).isoformat(),
        )
        for i, l in enumerate(LG)
    ],
)
TT = [
    "Crash on startup",
    "Slow query on large files",
    "Typo in docs",
    "Add dark mode",
    "Login fails with SSO",
    "Export to CSV broken",
    "Memory leak in worker",
    "Support Python 3.14",
    "Wrong timezone in report",
    "Update dependencies",
    "Flaky test on Windows",
    "Improve error message",
    "Cannot upload file",
    "Add retry option",
    "Search ignores accents",
]
rows = []
for i in range(1100):
    t0 = datetime(2024, 1, 3) + timedelta(
        minutes=r.randrange(int((datetime(2026, 11, 17) - datetime(2024, 1, 3)).total_seconds() // 60))
    )
    pr = 1 if r.random() < 0.38 else 0
    cl = t0 + timedelta(minutes=int(r.lognormvariate(9.3, 1.6)))
    st = "closed" if cl < datetime(2026, 11, 18) and r.random() < 0.87 else "open"
    rows.append(
        (
            t0,
            r.choices(["core", "cli", "docs", "web-ui"], [5, 3, 2, 4])[0],
            r.choice(TT),
            pr,
            st,
            r.choices(LG[:15], range(20, 5, -1))[0],
            r.choice([LG[0], LG[3], LG[5], LG[9], LG[12], None, None]),
            r.choice([None, None, "v1.0", "v1.1", "v2.0", "v2.1"]),
            r.choices(["low", "medium", "high", "critical", None], [4, 6, 3, 1, 3])[0],
            cl if st == "closed" else None,
            int(r.expovariate(0.25)),
            int(r.expovariate(0.5)),
            r.randint(1, 1800) if pr else None,
        )
    )
rows.sort(key=lambda x: x[0])
g = lambda x: x.strftime("%Y-%m-%d %H:%M:%S") if x else None
ins(
    c,
    "issues",
    [
        (i + 1, x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], g(x[0]), g(x[9]), x[10], x[11], x[12])
        for i, x in enumerate(rows)
    ],
)
lb = []
for i in range(1, 1101):
    for l in r.sample(
        ["bug", "feature", "docs", "question", "good first issue", "performance", "security"],
        r.choice([0, 1, 1, 1, 2, 2]),
    ):
        lb.append((i, l))
ins(c, "issue_labels", lb)
done(c)

# 8 ---------------------------------------------------------------- 驾校
r = random.Random(608)
c = db(
    "jiaxiao",
    """CREATE TABLE 教练 (教练编号 TEXT PRIMARY KEY, 姓名 TEXT, 性别 TEXT, 场地 TEXT, 准教车型 TEXT, 入职日期 TEXT, 在职 TEXT);
CREATE TABLE 学员 (学号 INTEGER PRIMARY KEY, 姓名 TEXT, 性别 TEXT, 年龄 INTEGER, 报名日期 TEXT, 车型 TEXT, 教练编号 TEXT, 应缴学费 REAL, 已缴学费 REAL, 来源 TEXT, 状态 TEXT);
CREATE TABLE 考试记录 (记录号 INTEGER PRIMARY KEY, 学号 INTEGER, 科目 TEXT, 考试日期 TEXT, 成绩 INTEGER, 是否通过 TEXT);
CREATE TABLE 练车预约 (预约号 INTEGER PRIMARY KEY, 学号 INTEGER, 教练编号 TEXT, 练车日期 TEXT, 时段 TEXT, 学时 REAL, 到场 TEXT);""",
)
XS = "王李张刘陈杨赵黄周吴徐孙马朱胡"
MZ = "伟芳娜敏静强磊洋艳勇军杰娟涛明超霞平刚桂英华慧建文玲斌宇浩凯倩琳"


def zh(r, n, used=set()):
    out = []
    while len(out) < n:
        x = r.choice(XS) + r.choice(MZ) + (r.choice(MZ) if r.random() < 0.6 else "")
        if x not in used:
            used.add(x)
            out.append(x)
    return out


jn = zh(r, 11)
JL = []
for i, n in enumerate(jn):
    JL.append(
        (
            "J%02d" % (i + 1),
            n,
            "女" if i in (2, 6) else "男",
            ["东郊场", "西湖场", "南站场"][i % 3],
            "C2" if i in (4, 6) else "C1",
            rday(r, D(2014, 3, 1), D(2024, 5, 1)).isoformat(),
            "否" if i in (8, 10) else "是",
        )
    )
ins(c, "教练", JL)
xn = zh(r, 320)
S = []
K = []
Y = []
ds = sorted(rday(r, D(2024, 1, 5), D(2026, 11, 15)) for _ in xn)
for i, n in enumerate(xn):
    d = ds[i]
    cx = r.choices(["C1", "C2", "C1", "B2"], [4, 4, 2, 1])[0]
    fee = {"C1": 3680, "C2": 4280, "B2": 7800}[cx] + (200 if d.year == 2026 else 0)
    ysd = fee if r.random() < 0.8 else r.choice([1000, 2000, 500])
    stu = 26001 + i
    t = d
    st = "在学"
    okall = True
    for k, (nm_, th, rate) in enumerate(
        [("科目一", 90, 0.85), ("科目二", 80, 0.6), ("科目三", 80, 0.68), ("科目四", 90, 0.88)]
    ):
        ok = False
        for a in range(4):
            t = t + timedelta(days=r.randint(12, 60))
            if t > D(2026, 11, 18):
                break
            ok = r.random() < rate
            sc = r.randint(th, 100) if ok else r.randint(40, th - 1)
            K.append((t, stu, nm_, sc, "是" if ok else "否"))
            if ok:
                break
        if not ok:
            okall = False
            break
        if r.random() < 0.04:
            okall = False
            break
    st = "已拿证" if okall else ("退学" if r.random() < 0.07 else "在学")
    S.append(
        (
            stu,
            n,
            r.choice("男女"),
            r.choice([18, 18, 19, 20, 21, 22, 25, 28, 31, 35, 42, 50]),
            d.isoformat(),
            cx,
            None if r.random() < 0.04 else r.choice(JL[:10])[0],
            fee,
            ysd,
            r.choices(["朋友介绍", "抖音", "地推", "美团"], [5, 4, 2, 2])[0],
            st,
        )
    )
ins(c, "学员", S)
K.sort()
ins(c, "考试记录", [(i + 1, x[1], x[2], x[0].isoformat(), x[3], x[4]) for i, x in enumerate(K)])
for i in range(1700):
    s = r.choice(S[:300])
    d = date.fromisoformat(s[4]) + timedelta(days=r.randint(5, 200))
    if d > D(2026, 11, 19):
        continue
    Y.append(
        (
            d.isoformat(),
            s[0],
            s[6] if s[6] and r.random() < 0.8 else r.choice(JL[:10])[0],
            r.choice(["上午", "下午", "晚上"]),
            r.choice([1, 2, 2, 3]),
            "否" if r.random() < 0.11 else "是",
        )
    )
Y.sort()
ins(c, "练车预约", [(i + 1, x[1], x[2], x[0], x[3], x[4], x[5]) for i, x in enumerate(Y)])
done(c)

# 9 ---------------------------------------------------------------- 药店进销存
r = random.Random(609)
c = db(
    "yaodian",
    """CREATE TABLE 药品 (药品编码 TEXT PRIMARY KEY, 药品名称 TEXT, 规格 TEXT, 类别 TEXT, 是否处方药 TEXT, 零售价 REAL, 进价 REAL, 生产厂家 TEXT, 库存下限 INTEGER);
CREATE TABLE 供应商 (供应商编号 INTEGER PRIMARY KEY, 供应商名称 TEXT, 城市 TEXT, 账期天数 INTEGER);
CREATE TABLE 入库 (入库单号 INTEGER PRIMARY KEY, 入库日期 TEXT, 药品编码 TEXT, 供应商编号 INTEGER, 数量 INTEGER, 单价 REAL, 有效期至 TEXT, 付款状态 TEXT);
CREATE TABLE 销售明细 (单号 TEXT, 行号 INTEGER, 销售日期 TEXT, 门店 TEXT, 药品编码 TEXT, 数量 INTEGER, 金额 REAL, 支付方式 TEXT, 会员号 TEXT, 营业员 TEXT);
CREATE TABLE 库存 (门店 TEXT, 药品编码 TEXT, 库存数量 INTEGER, 盘点日期 TEXT);""",
)
YP = [
    ("阿莫西林胶囊", "0.25g*24粒", "抗生素", 1, 15.8, 9.2, "华北制药"),
    ("头孢克肟片", "0.1g*12片", "抗生素", 1, 32, 20.5, "白云山"),
    ("罗红霉素片", "150mg*12片", "抗生素", 1, 18.5, 11, "华北制药"),
    ("布洛芬缓释胶囊", "0.3g*20粒", "解热镇痛", 0, 22.5, 14.2, "中美史克"),
    ("对乙酰氨基酚片", "0.5g*10片", "解热镇痛", 0, 6.5, 3.1, "东北制药"),
    ("感冒灵颗粒", "10g*9袋", "感冒用药", 0, 14.9, 8.8, "999"),
    ("连花清瘟胶囊", "0.35g*24粒", "感冒用药", 0, 16.8, 10.9, "以岭药业"),
    ("板蓝根颗粒", "10g*20袋", "感冒用药", 0, 19.9, 11.5, "白云山"),
    ("维生素C片", "100mg*100片", "维生素", 0, 9.9, 4.2, "东北制药"),
    ("钙尔奇D片", "60片", "维生素", 0, 68, 47, "惠氏"),
    ("善存多维片", "100片", "维生素", 0, 118, 82, "惠氏"),
    ("硝苯地平缓释片", "20mg*30片", "心血管", 1, 26.8, 17.3, "拜耳"),
    ("阿司匹林肠溶片", "100mg*30片", "心血管", 0, 14.5, 9.6, "拜耳"),
    ("阿托伐他汀钙片", "20mg*7片", "心血管", 1, 42.6, 30.1, "辉瑞"),
    ("二甲双胍片", "0.5g*20片", "糖尿病", 1, 21.4, 13.9, "施贵宝"),
    ("奥美拉唑胶囊", "20mg*14粒", "胃药", 1, 17.6, 9.9, "阿斯利康"),
    ("蒙脱石散", "3g*10袋", "胃药", 0, 15.2, 8.4, "益普生"),
    ("健胃消食片", "0.8g*32片", "胃药", 0, 9.8, 5.5, "江中药业"),
    ("创可贴", "100片", "医疗器械", 0, 12, 5.8, "云南白药"),
    ("医用口罩", "50只", "医疗器械", 0, 19.8, 9, "稳健医疗"),
    ("电子体温计", "1支", "医疗器械", 0, 29.9, 17, "欧姆龙"),
    ("藿香正气水", "10ml*10支", "感冒用药", 0, 8.9, 4.6, "太极集团"),
]
P = [
    ("Y%03d" % (i + 1), a, b, cc, "是" if d else "否", e, f, g_, r.choice([20, 30, 40, 50]))
    for i, (a, b, cc, d, e, f, g_) in enumerate(YP)
]
ins(c, "药品", P)
GY = [
    (1, "国药控股", "上海", 60),
    (2, "九州通医药", "武汉", 45),
    (3, "华润医药", "北京", 60),
    (4, "南京医药", "南京", 30),
    (5, "康美批发", "广州", 30),
    (6, "海王星辰供应链", "深圳", 45),
]
ins(c, "供应商", GY)
rk = sorted(
    (
        rday(r, D(2025, 1, 4), D(2026, 11, 12)),
        r.randrange(22),
        r.randint(1, 5),
        r.choice([50, 80, 100, 150, 200, 300]),
        r.uniform(0.92, 1.08),
    )
    for _ in range(330)
)
ins(
    c,
    "入库",
    [
        (
            80001 + i,
            d.isoformat(),
            P[p][0],
            s,
            q,
            round(P[p][6] * k, 2),
            (d + timedelta(days=r.choice([240, 365, 540, 720]))).isoformat(),
            "未付" if (d > D(2026, 8, 15) and r.random() < 0.5) or r.random() < 0.03 else "已付",
        )
        for i, (d, p, s, q, k) in enumerate(rk)
    ],
)
xs = []
MD = ["人民路店", "大学城店", "火车站店", "滨江店"]
YY = {"人民路店": ["小周", "小林"], "大学城店": ["阿芳", "老郑"], "火车站店": ["小何", "小唐"], "滨江店": ["小宋"]}
dd = sorted(rday(r, D(2025, 1, 2), D(2026, 11, 18)) for _ in range(1500))
for i, d in enumerate(dd):
    md = r.choices(MD, [6, 4, 5, 2])[0]
    hy = "VIP%03d" % r.randint(1, 90) if r.random() < 0.45 else None
    zf = r.choices(["微信", "支付宝", "医保卡", "现金"], [6, 4, 5, 2])[0]
    yy = r.choice(YY[md])
    for ln, p in enumerate(r.sample(P[:21], r.choice([1, 1, 2, 2, 3]))):
        q = r.choice([1, 1, 1, 2, 2, 3])
        xs.append(
            (
                "X%s%04d" % (d.strftime("%y%m%d"), i),
                ln + 1,
                d.isoformat(),
                md,
                p[0],
                q,
                round(q * p[5] * (0.95 if hy else 1), 2),
                zf,
                hy,
                yy,
            )
        )
ins(c, "销售明细", xs)
ins(
    c,
    "库存",
    [
        (m, p[0], r.choice([0, 5, 12, 18, 25, 33, 47, 60, 85, 120]), "2026-10-31")
        for m in MD
        for p in P
        if r.random() < 0.93
    ],
)
done(c)
