#!/usr/bin/env python3
"""Writes the eight invented databases (standard library only, fixed seeds). "Today" is 2026-11-20."""

import os
import random
import sqlite3
import sys
from datetime import date, timedelta

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "databases")
TODAY = date(2026, 11, 20)
FIRST = [
    "Alice",
    "Ben",
    "Carla",
    "Dev",
    "Edith",
    "Farid",
    "Gwen",
    "Hugo",
    "Imogen",
    "Jack",
    "Kirsty",
    "Liam",
    "Mona",
    "Niall",
    "Olga",
    "Priya",
    "Quentin",
    "Rosa",
    "Sam",
    "Tess",
    "Umar",
    "Vera",
    "Will",
    "Xenia",
    "Yusuf",
    "Zoe",
]
LAST = [
    "Abbott",
    "Barker",
    "Chandra",
    "Doyle",
    "Evans",
    "Fenwick",
    "Grady",
    "Hussain",
    "Ibbotson",
    "Jarvis",
    "Keane",
    "Lomax",
    "Mercer",
    "Nolan",
    "Osei",
    "Pratt",
    "Quigley",
    "Rudd",
    "Sharma",
    "Tolley",
    "Upton",
    "Vickers",
    "Walsh",
    "Yates",
]


def make(name, script):
    p = os.path.join(OUT, name + ".sqlite")
    if os.path.exists(p):
        os.remove(p)
    c = sqlite3.connect(p)
    c.executescript(script)
    return c


def put(c, table, rows):
    rows = list(rows)
    c.executemany('INSERT INTO "%s" VALUES (%s)' % (table, ",".join("?" * len(rows[0]))), rows)


def day(r, a, b):
    return a + timedelta(days=r.randrange((b - a).days + 1))


def names(r, n):
    got = []
    seen = set()
    while len(got) < n:
        x = (r.choice(FIRST), r.choice(LAST))
        if x not in seen:
            seen.add(x)
            got.append(x)
    return got


def outpatient():
    r = random.Random(101)
    c = make(
        "outpatient",
        """
CREATE TABLE pt (pt_id INTEGER PRIMARY KEY, fname TEXT, lname TEXT, dob TEXT, sex TEXT, town TEXT, gp_practice TEXT, mobile TEXT, reg_dt TEXT);
CREATE TABLE clinic (clinic_cd TEXT PRIMARY KEY, clinic_nm TEXT, flr INTEGER, room_cnt INTEGER);
CREATE TABLE cons (cons_id INTEGER PRIMARY KEY, cons_nm TEXT, grade TEXT, clinic_cd TEXT);
CREATE TABLE appt_status (st_cd TEXT PRIMARY KEY, st_desc TEXT);
CREATE TABLE appt (appt_id INTEGER PRIMARY KEY, pt_id INTEGER, clinic_cd TEXT, cons_id INTEGER, appt_dt TEXT, appt_tm TEXT, booked_dt TEXT, st_cd TEXT, visit_type TEXT, wait_min INTEGER, transport_yn TEXT);
CREATE TABLE letter (letter_id INTEGER PRIMARY KEY, appt_id INTEGER, letter_type TEXT, typed_dt TEXT, sent_dt TEXT);
""",
    )
    towns = ["Harfield", "Brockley Cross", "Netherby", "Sandwick", "Old Marsh", "Tilling"]
    gps = ["Mill Lane Surgery", "The Priory", "Station Road Practice", "Netherby Health Centre"]
    pts = []
    for i, (f, l) in enumerate(names(r, 320), 1):
        pts.append(
            (
                i,
                f,
                l,
                day(r, date(1934, 1, 1), date(2019, 12, 31)).isoformat(),
                r.choice("MFF" if i % 3 else "MF"),
                r.choices(towns, [9, 6, 5, 3, 2, 2])[0],
                r.choice(gps),
                None if r.random() < 0.18 else "07%09d" % r.randrange(10**9),
                day(r, date(2023, 1, 5), date(2026, 11, 12)).isoformat(),
            )
        )
    put(c, "pt", pts)
    cl = [
        ("DER", "Dermatology", 1, 4),
        ("ORT", "Orthopaedics", 0, 6),
        ("CAR", "Cardiology", 2, 5),
        ("ENT", "Ear Nose & Throat", 1, 3),
        ("OPH", "Eye Clinic", 0, 4),
        ("RHE", "Rheumatology", 2, 2),
        ("PAI", "Pain Clinic", 3, 2),
    ]
    put(c, "clinic", cl)
    cons = []
    for i, n in enumerate(
        [
            "Dr Adeyemi",
            "Mr Blackwood",
            "Dr Castellano",
            "Miss Dunmore",
            "Dr Eriksen",
            "Mr Fairhurst",
            "Dr Gupta",
            "Dr Halloran",
            "Mrs Iveson",
            "Dr Jankowski",
            "Mr Kerrigan",
            "Dr Lindqvist",
            "Dr Moyo",
        ],
        1,
    ):
        cons.append((i, n, r.choice(["Consultant", "Consultant", "Registrar", "Specialty doctor"]), cl[(i - 1) % 6][0]))
    put(c, "cons", cons)
    put(
        c,
        "appt_status",
        [
            ("B", "Booked"),
            ("A", "Attended"),
            ("D", "Did not attend"),
            ("CP", "Cancelled by patient"),
            ("CH", "Cancelled by hospital"),
        ],
    )
    ap, le, ln = [], [], 1
    for i in range(1, 1501):
        co = r.choices(cons, [3, 9, 4, 5, 6, 2, 7, 8, 3, 4, 6, 5, 0])[0]
        d = day(r, date(2024, 9, 2), date(2027, 1, 15))
        while d.weekday() > 4 or (d > TODAY and r.random() < 0.4):
            d = day(r, date(2024, 9, 2), date(2027, 1, 15))
        b = d - timedelta(days=r.randrange(6, 130))
        b = min(b, date(2026, 11, 18))
        if d > date(2026, 11, 19):
            st = r.choices(["B", "CP"], [93, 7])[0]
        else:
            st = r.choices(["A", "D", "CP", "CH"], [76, 11, 8, 5])[0]
        ap.append(
            (
                i,
                r.choice(pts[:300])[0],
                co[3],
                co[0],
                d.isoformat(),
                "%02d:%02d" % (r.randrange(9, 17), r.choice([0, 20, 40])),
                b.isoformat(),
                st,
                r.choices(["New", "Follow-up"], [4, 7])[0],
                int(r.gammavariate(3, 9)) if st == "A" else None,
                r.choices("NY", [6, 1])[0],
            )
        )
        if st == "A" and r.random() < 0.8:
            t = d + timedelta(days=r.randrange(1, 12))
            if t <= TODAY:
                s = t + timedelta(days=r.randrange(0, 9))
                le.append(
                    (
                        ln,
                        i,
                        r.choice(["GP letter", "GP letter", "Discharge", "Referral on"]),
                        t.isoformat(),
                        s.isoformat() if s <= TODAY and r.random() < 0.9 else None,
                    )
                )
                ln += 1
    put(c, "appt", ap)
    put(c, "letter", le)
    c.commit()


def callcentre():
    r = random.Random(202)
    c = make(
        "callcentre",
        """
CREATE TABLE agents (agent_id INTEGER PRIMARY KEY, agent_name TEXT, team TEXT, site TEXT, lead_id INTEGER, start_date TEXT, active INTEGER, hourly_rate REAL);
CREATE TABLE queues (q_cd TEXT PRIMARY KEY, q_label TEXT, sla_sec INTEGER);
CREATE TABLE calls (call_id INTEGER PRIMARY KEY, started_at TEXT, direction TEXT, q_cd TEXT, agent_id INTEGER, wait_sec INTEGER, dur_sec INTEGER, outcome TEXT, csat INTEGER, caller_no TEXT);
CREATE TABLE transfers (transfer_id INTEGER PRIMARY KEY, call_id INTEGER, from_agent INTEGER, to_agent INTEGER, reason TEXT);
CREATE TABLE callbacks (cb_id INTEGER PRIMARY KEY, call_id INTEGER, agent_id INTEGER, due_date TEXT, done TEXT, done_date TEXT);
""",
    )
    ag = []
    teams = ["Sales", "Support", "Billing", "Retention"]
    for i, (f, l) in enumerate(names(r, 28), 1):
        team = teams[(i - 1) % 4]
        ag.append(
            (
                i,
                f + " " + l,
                team,
                r.choice(["Leeds", "Cardiff", "Derry"]),
                None if i <= 4 else (i - 1) % 4 + 1,
                day(r, date(2018, 3, 1), date(2026, 9, 30)).isoformat(),
                0 if i in (9, 14, 23) else 1,
                round(12 + r.random() * 7, 2),
            )
        )
    put(c, "agents", ag)
    qs = [
        ("BIL", "Billing questions", 60),
        ("TEC", "Technical help", 90),
        ("NEW", "New customers", 30),
        ("CAN", "Cancellations", 45),
        ("GEN", "General", 60),
        ("VIP", "Priority line", 20),
    ]
    put(c, "queues", qs)
    rows, tr, cb = [], [], []
    nums = ["0%d" % r.randrange(1130000000, 1139999999) for _ in range(900)]
    for i in range(1, 2201):
        d = day(r, date(2025, 8, 1), date(2026, 11, 19))
        while d.weekday() == 6 or (d.weekday() == 5 and r.random() < 0.6):
            d = day(r, date(2025, 8, 1), date(2026, 11, 19))
        h = r.choices(range(8, 20), [4, 8, 11, 12, 9, 7, 8, 9, 8, 6, 4, 2])[0]
        at = "%s %02d:%02d:%02d" % (d.isoformat(), h, r.randrange(60), r.randrange(60))
        dr = r.choices(["IN", "OUT"], [5, 1])[0]
        q = r.choices(qs[:5] + [qs[5]], [6, 8, 4, 3, 5, 0 if d < date(2026, 2, 1) else 1])[0][0] if dr == "IN" else None
        w = int(r.expovariate(1 / 55)) if dr == "IN" else None
        ab = dr == "IN" and w > 60 and r.random() < 0.3
        a = None if ab else r.choices(ag, [1 if not x[6] else 3 + x[0] % 4 for x in ag])[0][0]
        oc = (
            "abandoned"
            if ab
            else r.choices(
                ["resolved", "follow-up", "voicemail" if dr == "OUT" else "resolved", "complaint", "sale"],
                [10, 4, 3, 1, 2],
            )[0]
        )
        rows.append(
            (
                i,
                at,
                dr,
                q,
                a,
                w,
                0 if ab else int(r.gammavariate(2.2, 150)) + 20,
                oc,
                r.choices([1, 2, 3, 4, 5], [1, 2, 4, 7, 6])[0] if not ab and r.random() < 0.4 else None,
                r.choice(nums),
            )
        )
        if not ab and dr == "IN" and r.random() < 0.12:
            t = r.choice([x[0] for x in ag if x[0] != a])
            tr.append(
                (len(tr) + 1, i, a, t, r.choice(["wrong queue", "needs specialist", "customer asked", "shift end"]))
            )
        if oc == "follow-up" and r.random() < 0.8:
            due = d + timedelta(days=r.randrange(1, 6))
            dn = r.random() < (0.88 if due < date(2026, 11, 10) else 0.3)
            dd = due + timedelta(days=r.choice([-1, 0, 0, 0, 1, 3]))
            if dd > date(2026, 11, 19):
                dn = False
            cb.append((len(cb) + 1, i, a, due.isoformat(), "Y" if dn else "N", dd.isoformat() if dn else None))
    rows.sort(key=lambda x: x[0])
    put(c, "calls", rows)
    put(c, "transfers", tr)
    put(c, "callbacks", cb)
    c.commit()


def podcast():
    r = random.Random(303)
    cols = [
        "Line ID",
        "Campaign Name",
        "Advertiser",
        "Agency",
        "Agency Fee Pct",
        "Sales Rep",
        "Show Title",
        "Host",
        "Genre",
        "Episode No",
        "Episode Title",
        "Publish Date",
        "Ad Position",
        "Ad Length Sec",
        "Host Read",
        "Platform",
        "Country",
        "Impressions",
        "Clicks",
        "Conversions",
        "CPM Rate",
        "Gross Spend",
        "Invoice Status",
        "Paid Date",
        "Promo Code",
        "Completion Rate",
    ]
    c = make(
        "podcast_ads",
        "CREATE TABLE ad_export (%s);"
        % ", ".join(
            '"%s" %s'
            % (
                x,
                "INTEGER"
                if x in ("Line ID", "Episode No", "Ad Length Sec", "Impressions", "Clicks", "Conversions")
                else "REAL"
                if x in ("Agency Fee Pct", "CPM Rate", "Completion Rate")
                else "TEXT",
            )
            for x in cols
        ),
    )
    shows = [
        ("Cold Harbour Files", "Maya Lindt", "True Crime"),
        ("Kitchen Confessions", "Toby Marsh", "Food"),
        ("The Long Sprint", "Ana Duarte", "Sport"),
        ("Money for Breakfast", "Greg Oyelaran", "Business"),
        ("Night Bus Stories", "Maya Lindt", "Fiction"),
        ("Small Gods of Tech", "Ines Falk", "Technology"),
        ("Bones & Dust", "Raf Coleman", "History"),
        ("Half Time Oranges", "Ana Duarte", "Sport"),
    ]
    adv = [
        ("MattressMoon", "BrightSide Media"),
        ("FreshCrate", "BrightSide Media"),
        ("NordShield VPN", "Kite & Co"),
        ("Ledgerly", None),
        ("PawBox", "Kite & Co"),
        ("Brewline", None),
        ("Stride Insurance", "OMG North"),
        ("Lingo Leap", "OMG North"),
        ("Solara Energy", None),
        ("Tiny Tailor", "Kite & Co"),
    ]
    reps = {
        "MattressMoon": "Holly",
        "FreshCrate": "Holly",
        "NordShield VPN": "Dario",
        "Ledgerly": "Dario",
        "PawBox": "Sunil",
        "Brewline": "Sunil",
        "Stride Insurance": "Petra",
        "Lingo Leap": "Petra",
        "Solara Energy": "Dario",
        "Tiny Tailor": "Sunil",
    }
    camp = {}
    for a, _ in adv:
        camp[a] = [
            a + " " + x
            for x in r.sample(["Spring 26", "Summer 26", "Autumn 26", "Launch", "Brand 2025", "Retarget"], 2)
        ]
    rows = []
    for i in range(1, 901):
        s = r.choices(shows, [9, 6, 5, 7, 3, 4, 3, 2])[0]
        a = r.choices(adv, [8, 7, 9, 3, 4, 3, 5, 4, 2, 2])[0]
        d = day(r, date(2025, 1, 6), date(2026, 11, 16))
        imp = int(r.lognormvariate(9.3, 0.6))
        clicks = int(imp * r.uniform(0.003, 0.02))
        conv = int(clicks * r.uniform(0.0, 0.09))
        cpm = r.choice([14.0, 16.5, 18.0, 20.0, 22.5, 25.0, 28.0])
        sp = imp / 1000 * cpm
        st = (
            r.choices(["Paid", "Sent", "Overdue", "Draft"], [8, 2, 1, 0.5])[0]
            if d > date(2026, 7, 1)
            else r.choices(["Paid", "Overdue"], [30, 1])[0]
        )
        ep = 100 + (d - date(2025, 1, 6)).days // 7
        pd = min(d + timedelta(days=r.randrange(14, 60)), date(2026, 11, 18)) if st == "Paid" else None
        rows.append(
            (
                i,
                r.choice(camp[a[0]]),
                a[0],
                a[1],
                15.0 if a[1] == "OMG North" else 12.5 if a[1] else None,
                reps[a[0]],
                s[0],
                s[1],
                s[2],
                ep,
                "Ep %d: %s"
                % (
                    ep,
                    r.choice(
                        [
                            "The Letter",
                            "Second Chances",
                            "Live!",
                            "Mailbag",
                            "What We Missed",
                            "Gone by Monday",
                            "Deep End",
                        ]
                    ),
                ),
                d.isoformat(),
                r.choices(["pre-roll", "mid-roll", "post-roll"], [3, 5, 2])[0],
                r.choice([15, 30, 30, 60, 60, 90]),
                r.choice("YYN"),
                r.choices(["Spotify", "Apple Podcasts", "YouTube", "Overcast", "Web player"], [8, 7, 4, 1, 2])[0],
                r.choices(["US", "UK", "Canada", "Ireland", "Australia"], [9, 6, 3, 1, 2])[0],
                imp,
                clicks,
                conv,
                cpm,
                f"${sp:,.2f}",
                st,
                pd.isoformat() if pd else None,
                None if r.random() < 0.35 else s[0].split()[0].upper() + str(r.choice([10, 15, 20])),
                round(r.uniform(0.41, 0.97), 3),
            )
        )
    put(c, "ad_export", rows)
    c.commit()


def builders():
    r = random.Random(404)
    c = make(
        "builders",
        """
CREATE TABLE client (cl_id INTEGER PRIMARY KEY, cl_name TEXT, cl_type TEXT, town TEXT, phone TEXT);
CREATE TABLE crew (crew_id INTEGER PRIMARY KEY, nm TEXT, trade TEXT, day_rate REAL, hired TEXT, left_dt TEXT);
CREATE TABLE job (job_no TEXT PRIMARY KEY, cl_id INTEGER, descr TEXT, job_type TEXT, site_town TEXT, quoted_amt REAL, start_dt TEXT, due_dt TEXT, done_dt TEXT, stat TEXT, foreman_id INTEGER, estimator_id INTEGER);
CREATE TABLE inv (inv_no INTEGER PRIMARY KEY, job_no TEXT, inv_dt TEXT, due_dt TEXT, paid_dt TEXT, vat_pct REAL);
CREATE TABLE inv_ln (inv_no INTEGER, ln INTEGER, item TEXT, ln_kind TEXT, qty REAL, unit_price REAL, PRIMARY KEY (inv_no, ln));
CREATE TABLE tsheet (ts_id INTEGER PRIMARY KEY, crew_id INTEGER, job_no TEXT, work_dt TEXT, hrs REAL, overtime INTEGER);
""",
    )
    cn = [
        "Ashdown Primary School",
        "Patel & Sons",
        "Mrs J Whitcombe",
        "Harbour View Hotel",
        "Kelsey Parish Council",
        "Mr D Olufemi",
        "Greenacre Homes",
        "St Botolph's Church",
        "Lakeside Dental",
        "Mr & Mrs Trent",
        "The Crooked Billet",
        "Fenland Storage Ltd",
        "Miss R Achebe",
        "Oakley Nursery",
        "Wren Court Residents",
        "Bellamy Bakery",
        "Mr S Kowalski",
        "Riverside Motors",
        "Mrs P Danvers",
        "Thornhill Estates",
    ]
    towns = ["Kelsey", "Marham", "Otterbridge", "Wells End", "Great Saxby"]
    cls = []
    for i, n in enumerate(cn, 1):
        cls.append(
            (
                i,
                n,
                "private"
                if n[:2] in ("Mr", "Mi")
                else "public"
                if any(k in n for k in ("School", "Council", "Church"))
                else "business",
                r.choice(towns),
                None if i in (6, 13, 19) else "01553 %06d" % r.randrange(10**6),
            )
        )
    put(c, "client", cls)
    trades = ["bricklayer", "carpenter", "electrician", "plumber", "plasterer", "roofer", "labourer"]
    crew = []
    for i, (f, l) in enumerate(names(r, 18), 1):
        t = trades[i % 7]
        crew.append(
            (
                i,
                f + " " + l,
                t,
                {"labourer": 120, "roofer": 190, "electrician": 220, "plumber": 215}.get(t, 175)
                + r.choice([0, 5, 10, 15])
                + i / 4,
                day(r, date(2014, 1, 1), date(2026, 6, 1)).isoformat(),
                "2026-0%d-15" % r.randrange(2, 9) if i in (5, 12) else None,
            )
        )
    put(c, "crew", crew)
    jobs, inv, ln, ts = [], [], [], []
    jt = ["extension", "loft conversion", "reroof", "kitchen", "bathroom", "garden wall", "repairs"]
    used = cls[:17]
    for i in range(1, 141):
        t = r.choices(jt, [4, 3, 4, 5, 5, 3, 8])[0]
        s = day(r, date(2024, 3, 1), date(2027, 1, 10))
        if s > TODAY and r.random() < 0.5:
            s = day(r, date(2025, 6, 1), date(2026, 10, 30))
        base = {
            "extension": 42000,
            "loft conversion": 31000,
            "reroof": 14000,
            "kitchen": 12500,
            "bathroom": 7800,
            "garden wall": 3200,
            "repairs": 900,
        }[t]
        q = round(base * r.uniform(0.7, 1.5) / 10) * 10
        dur = {
            "extension": 70,
            "loft conversion": 50,
            "reroof": 14,
            "kitchen": 18,
            "bathroom": 10,
            "garden wall": 6,
            "repairs": 2,
        }[t]
        due = s + timedelta(days=dur)
        dn = due + timedelta(days=int(r.gauss(3, 6)))
        dn = max(dn, s + timedelta(days=1))
        if r.random() < 0.05:
            st, dn = "cancelled", None
        elif s > TODAY:
            st, dn = "booked", None
        elif dn > date(2026, 11, 18):
            st, dn = "on site", None
        elif s > date(2026, 8, 1) and r.random() < 0.2:
            st, dn = "on hold", None
        else:
            st = "done"
        no = "J%d-%03d" % (s.year, i)
        cl = r.choice(used)
        jobs.append(
            (
                no,
                cl[0],
                t.capitalize() + " at " + r.choice(["Mill Rd", "Church St", "The Green", "Station Ave", "High St"]),
                t,
                r.choice(towns),
                float(q),
                s.isoformat(),
                due.isoformat(),
                dn.isoformat() if dn else None,
                st,
                r.choice([1, 2, 3, 6, 8]),
                r.choice([2, 3, 4, 10]),
            )
        )
        if st in ("done", "on site"):
            k = r.choice([1, 1, 2])
            for j in range(k):
                if st == "done" and i % 23 == 0:
                    continue
                n = 1001 + len(inv)
                idt = (
                    (dn or s) + timedelta(days=r.randrange(1, 10))
                    if j == k - 1 and dn
                    else s + timedelta(days=r.randrange(0, 5))
                )
                idt = min(idt, date(2026, 11, 18))
                d2 = idt + timedelta(days=30)
                p = d2 + timedelta(days=r.choice([-20, -12, -5, -1, 0, 3, 9, 25]))
                paid = p.isoformat() if p <= date(2026, 11, 18) and r.random() < 0.93 else None
                inv.append((n, no, idt.isoformat(), d2.isoformat(), paid, 0.0 if cl[2] == "public" else 20.0))
                parts = r.randrange(2, 6)
                left = q / k
                for m in range(1, parts + 1):
                    kd = r.choice(["labour", "materials", "materials", "plant hire"])
                    qty = {
                        "labour": r.randrange(2, 20),
                        "materials": r.randrange(1, 40),
                        "plant hire": r.randrange(1, 8),
                    }[kd]
                    ln.append(
                        (
                            n,
                            m,
                            {
                                "labour": r.choice(["bricklaying days", "carpentry days", "general labour days"]),
                                "materials": r.choice(
                                    [
                                        "facing bricks (pack)",
                                        "plasterboard",
                                        "roof tiles (pack)",
                                        "sand & cement",
                                        "timber 4x2",
                                        "copper pipe 15mm",
                                    ]
                                ),
                                "plant hire": r.choice(["mini digger", "scaffold tower", "skip 8yd"]),
                            }[kd],
                            kd,
                            float(qty),
                            round(left / parts / qty, 2),
                        )
                    )
        if s <= date(2026, 11, 18) and st != "cancelled":
            for _ in range(min(dur, 24) // 2 + 2):
                w = day(r, s, min(dn or due, date(2026, 11, 18)) if (dn or due) >= s else s)
                if w.weekday() == 6:
                    continue
                cw = r.choice([x for x in crew[:17] if not x[5] or x[5] > w.isoformat()])
                ts.append(
                    (
                        len(ts) + 1,
                        cw[0],
                        no,
                        w.isoformat(),
                        r.choice([4, 6, 7.5, 8, 8, 8, 9.5]),
                        1 if w.weekday() == 5 else 0,
                    )
                )
    put(c, "job", jobs)
    put(c, "inv", inv)
    put(c, "inv_ln", ln)
    put(c, "tsheet", ts)
    c.commit()


def theatre():
    r = random.Random(505)
    c = make(
        "theatre",
        """
CREATE TABLE show (show_id INTEGER PRIMARY KEY, title TEXT, genre TEXT, run_mins INTEGER, age_min INTEGER, company TEXT);
CREATE TABLE hall (hall_id INTEGER PRIMARY KEY, hall_name TEXT, seats INTEGER, step_free INTEGER);
CREATE TABLE perf (perf_id INTEGER PRIMARY KEY, show_id INTEGER, hall_id INTEGER, starts_at TEXT, cancelled INTEGER);
CREATE TABLE patron (patron_id INTEGER PRIMARY KEY, full_name TEXT, email TEXT, city TEXT, is_member TEXT, joined_on TEXT);
CREATE TABLE booking (bk_id INTEGER PRIMARY KEY, perf_id INTEGER, patron_id INTEGER, booked_at TEXT, channel TEXT, status TEXT, promo TEXT);
CREATE TABLE tkt (tkt_id INTEGER PRIMARY KEY, bk_id INTEGER, seat TEXT, band TEXT, price REAL, scanned INTEGER);
""",
    )
    sh = [
        (1, "The Glass Orchard", "drama", 135, 12, "Harrow Players"),
        (2, "Pirates on the Pier", "musical", 150, 6, "Tidal Stage"),
        (3, "Laugh Riot", "comedy", 75, 18, "Corner Mic"),
        (4, "Macbeth", "drama", 160, 12, "Harrow Players"),
        (5, "The Snow Fox", "family", 60, 3, "Little Lantern"),
        (6, "Swan Lake", "dance", 145, 6, "Northern Ballet Works"),
        (7, "An Evening with Ida", "music", 90, None, "Ida Bell Trio"),
        (8, "Aladdin", "panto", 130, 4, "Tidal Stage"),
        (9, "Improv Night", "comedy", 70, 16, "Corner Mic"),
        (10, "The Quiet Engine", "drama", 95, 14, "Foundry"),
    ]
    put(c, "show", sh)
    put(c, "hall", [(1, "Main House", 420, 1), (2, "Studio", 90, 1), (3, "Cellar Bar", 60, 0)])
    pat = []
    for i, (f, l) in enumerate(names(r, 260), 1):
        pat.append(
            (
                i,
                f + " " + l,
                "%s.%s%d@%s" % (f.lower(), l.lower(), i, r.choice(["mailbox.example", "post.example", "inbox.example"]))
                if r.random() > 0.08
                else None,
                r.choices(["Northbridge", "Calder", "Easton", "Port Allen", "Whitby"], [9, 5, 3, 2, 1])[0],
                "Y" if i % 4 == 0 else "N",
                day(r, date(2021, 1, 1), date(2026, 11, 10)).isoformat(),
            )
        )
    put(c, "patron", pat)
    pf = []
    runs = [
        (1, 1, date(2025, 10, 3), 8),
        (2, 1, date(2026, 2, 6), 12),
        (3, 3, date(2025, 9, 5), 10),
        (4, 1, date(2026, 4, 10), 9),
        (5, 2, date(2025, 12, 6), 10),
        (6, 1, date(2026, 6, 5), 7),
        (7, 2, date(2026, 9, 18), 4),
        (8, 1, date(2026, 12, 4), 12),
        (9, 3, date(2026, 3, 6), 9),
        (10, 2, date(2026, 10, 2), 8),
        (3, 3, date(2026, 8, 7), 6),
    ]
    for sid, hall, d0, n in runs:
        d = d0
        for k in range(n):
            pf.append(
                (
                    len(pf) + 1,
                    sid,
                    hall,
                    d.isoformat() + (" 14:30" if k % 3 == 2 and sid not in (3, 9) else " 19:30"),
                    1 if r.random() < 0.05 else 0,
                )
            )
            d += timedelta(days=1 if k % 3 != 2 else 5)
    put(c, "perf", pf)
    bk, tk = [], []
    w = [{1: 5, 2: 9, 3: 4, 4: 6, 5: 4, 6: 5, 7: 2, 8: 6, 9: 3, 10: 3}[p[1]] for p in pf]
    for i in range(1, 951):
        p = r.choices(pf, w)[0]
        st = date.fromisoformat(p[3][:10])
        b = min(
            st - timedelta(days=r.randrange(0, 70)),
            date(2026, 11, 19) - timedelta(days=r.randrange(0, 12) if st > TODAY else 0),
        )
        status = (
            "refunded" if p[4] else r.choices(["paid", "reserved" if st > TODAY else "paid", "refunded"], [88, 8, 4])[0]
        )
        bk.append(
            (
                i,
                p[0],
                r.choice(pat[:235])[0],
                b.isoformat() + " %02d:%02d" % (r.randrange(9, 21), r.randrange(60)),
                r.choices(["online", "box office", "phone"], [7, 2, 1])[0],
                status,
                r.choice([None, None, None, None, "EARLY10", "STUDENT", "2FOR1"]),
            )
        )
        for k in range(r.choices([1, 2, 3, 4, 6], [3, 8, 2, 3, 1])[0]):
            band = r.choices("ABC", [3, 4, 2])[0]
            pr = {"A": 38.0, "B": 27.5, "C": 16.0}[band] if p[2] == 1 else {"A": 18.0, "B": 14.0, "C": 10.0}[band]
            tk.append(
                (
                    len(tk) + 1,
                    i,
                    "%s%d" % (r.choice("ABCDEFGHJK"), r.randrange(1, 31)),
                    band,
                    pr,
                    1 if st < TODAY and status == "paid" and r.random() < 0.93 else 0,
                )
            )
    put(c, "booking", bk)
    put(c, "tkt", tk)
    c.commit()


def coop():
    r = random.Random(606)
    c = make(
        "farm_coop",
        """
CREATE TABLE member (m_no INTEGER PRIMARY KEY, farm TEXT, holder TEXT, village TEXT, joined_yr INTEGER, acres REAL, organic TEXT);
CREATE TABLE crop (crop_cd TEXT PRIMARY KEY, crop_nm TEXT, fam TEXT);
CREATE TABLE delivery (del_id INTEGER PRIMARY KEY, m_no INTEGER, crop_cd TEXT, dlv_dt TEXT, kg REAL, moist_pct REAL, grade TEXT, price_kg REAL);
CREATE TABLE buyer (b_id INTEGER PRIMARY KEY, b_name TEXT, b_type TEXT, country TEXT);
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, b_id INTEGER, crop_cd TEXT, sale_dt TEXT, kg REAL, price_kg REAL, paid TEXT);
CREATE TABLE sub_fee (m_no INTEGER, yr INTEGER, amt REAL, paid_dt TEXT, PRIMARY KEY (m_no, yr));
CREATE TABLE machine_loan (loan_id INTEGER PRIMARY KEY, machine TEXT, m_no INTEGER, out_dt TEXT, back_dt TEXT);
""",
    )
    f = lambda d: d.strftime("%d.%m.%Y")
    farms = [
        "Hollow Farm",
        "Upper Leys",
        "Brookside",
        "Stonepit",
        "Long Acre",
        "Windmill Farm",
        "Fox Hill",
        "Three Oaks",
        "Marsh End",
        "Dairy House",
        "Kiln Farm",
        "Rookery",
        "Lower Ford",
        "Priory Farm",
        "Sheepcote",
        "Blackthorn",
        "Gatehouse",
        "Orchard View",
        "Cold Comfort",
        "Thistledown",
        "Meadowsweet",
        "Highfield",
        "Badger's Rest",
        "Clay Pits",
    ]
    mem = []
    nm = names(r, 24)
    for i, n in enumerate(farms, 1):
        mem.append(
            (
                i,
                n,
                nm[i - 1][0] + " " + nm[i - 1][1],
                r.choice(["Elmstead", "Cropwell", "Haddon", "Little Stour"]),
                r.randrange(1998, 2026),
                round(r.uniform(18, 410), 1),
                "Y" if r.random() < 0.35 else "N",
            )
        )
    put(c, "member", mem)
    crops = [
        ("WHT", "Wheat", "cereal"),
        ("BAR", "Barley", "cereal"),
        ("OAT", "Oats", "cereal"),
        ("POT", "Potatoes", "root"),
        ("CAR", "Carrots", "root"),
        ("APL", "Apples", "fruit"),
        ("PEA", "Peas", "legume"),
        ("RYE", "Rye", "cereal"),
    ]
    put(c, "crop", crops)
    pr = {"WHT": 0.24, "BAR": 0.21, "OAT": 0.26, "POT": 0.31, "CAR": 0.42, "APL": 0.88, "PEA": 0.55}
    rows = []
    for i in range(1, 851):
        cr = r.choices(crops[:7], [8, 5, 3, 6, 4, 3, 2])[0][0]
        d = day(r, date(2024, 2, 1), date(2026, 11, 14))
        rows.append(
            (
                i,
                r.choice(mem[:22])[0],
                cr,
                f(d),
                round(r.lognormvariate(7.2, 0.5) / 10) * 10.0,
                round(r.gauss(14.5, 1.8), 1) if cr in ("WHT", "BAR", "OAT") else None,
                r.choices(["A", "B", "C", None], [6, 4, 1.5, 0.5])[0],
                round(pr[cr] * r.uniform(0.85, 1.2), 3),
            )
        )
    put(c, "delivery", rows)
    buyers = [
        (1, "Norvale Mills", "mill", "UK"),
        (2, "Crispin Snacks", "processor", "UK"),
        (3, "Dubois & Fils", "wholesaler", "France"),
        (4, "Hearth Bakery", "bakery", "UK"),
        (5, "Emerald Foods", "processor", "Ireland"),
        (6, "Market Direct", "wholesaler", "UK"),
        (7, "Van Houten Agri", "wholesaler", "Netherlands"),
        (8, "Orchard Press", "cider maker", "UK"),
    ]
    put(c, "buyer", buyers)
    rows = []
    for i in range(1, 301):
        cr = r.choices(crops[:7], [8, 5, 3, 6, 4, 3, 2])[0][0]
        d = day(r, date(2024, 2, 10), date(2026, 11, 13))
        rows.append(
            (
                i,
                r.choices(buyers[:7], [6, 5, 4, 3, 2, 4, 1])[0][0] if cr != "APL" else 6,
                cr,
                f(d),
                round(r.lognormvariate(8.2, 0.4) / 50) * 50.0,
                round(pr[cr] * r.uniform(1.1, 1.5), 3),
                "N" if (d > date(2026, 8, 15) and r.random() < 0.4) or r.random() < 0.02 else "Y",
            )
        )
    put(c, "sale", rows)
    fee = []
    for m in mem:
        for y in (2024, 2025, 2026):
            if m[4] <= y:
                p = day(r, date(y, 1, 10), date(y, 6, 30))
                fee.append(
                    (m[0], y, 80.0 + round(m[5] * 0.5), f(p) if r.random() < (0.97 if y < 2026 else 0.78) else None)
                )
    put(c, "sub_fee", fee)
    ml = []
    for i in range(1, 131):
        d = day(r, date(2024, 3, 1), date(2026, 11, 15))
        b = d + timedelta(days=r.randrange(1, 15))
        ml.append(
            (
                i,
                r.choices(
                    ["seed drill", "baler", "muck spreader", "potato lifter", "sprayer", "chipper"], [4, 6, 3, 3, 5, 2]
                )[0],
                r.choice(mem)[0],
                f(d),
                f(b) if b <= date(2026, 11, 18) and r.random() < 0.96 else None,
            )
        )
    put(c, "machine_loan", ml)
    c.commit()


def zhnames(r, n):
    X, M = (
        "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗",
        [
            "子涵",
            "浩然",
            "欣怡",
            "雨桐",
            "思远",
            "佳琪",
            "明轩",
            "可馨",
            "志强",
            "丽华",
            "建国",
            "婷婷",
            "俊杰",
            "诗雨",
            "晓峰",
            "梦瑶",
            "文博",
            "静",
            "伟",
            "磊",
        ],
    )
    s = []
    while len(s) < n:
        x = r.choice(X) + r.choice(M)
        if x not in s:
            s.append(x)
    return s


def canting():
    r = random.Random(707)
    c = make(
        "canting",
        """
CREATE TABLE 门店 (门店号 TEXT PRIMARY KEY, 店名 TEXT, 城市 TEXT, 店长 TEXT, 开业日期 TEXT, 餐桌数 INTEGER);
CREATE TABLE 菜品 (菜号 INTEGER PRIMARY KEY, 菜名 TEXT, 分类 TEXT, 售价 REAL, 成本 REAL, 是否辣 TEXT, 状态 TEXT);
CREATE TABLE 会员 (会员号 TEXT PRIMARY KEY, 姓名 TEXT, 性别 TEXT, 等级 TEXT, 注册日期 TEXT, 储值余额 REAL);
CREATE TABLE 订单 (单号 INTEGER PRIMARY KEY, 门店号 TEXT, 下单时间 TEXT, 用餐方式 TEXT, 人数 INTEGER, 会员号 TEXT, 支付方式 TEXT, 优惠 REAL, 实付金额 REAL, 状态 TEXT, 评分 INTEGER);
CREATE TABLE 点单明细 (单号 INTEGER, 序号 INTEGER, 菜号 INTEGER, 份数 INTEGER, 单价 REAL, 口味备注 TEXT);
""",
    )
    st = [
        ("S1", "人民路店", "杭州", "王建国", "2019-05-01", 32),
        ("S2", "西湖店", "杭州", "李丽华", "2021-03-18", 24),
        ("S3", "观前街店", "苏州", "陈志强", "2020-09-09", 28),
        ("S4", "新街口店", "南京", "周婷婷", "2022-11-11", 40),
        ("S5", "大学城店", "南京", "孙晓峰", "2024-08-28", 18),
        ("S6", "机场店", "上海", "吴磊", "2026-10-20", 12),
    ]
    put(c, "门店", st)
    ds = [
        ("宫保鸡丁", "热菜", 38, 14, "是"),
        ("麻婆豆腐", "热菜", 26, 7, "是"),
        ("清蒸鲈鱼", "热菜", 88, 40, "否"),
        ("红烧肉", "热菜", 58, 24, "否"),
        ("水煮牛肉", "热菜", 68, 30, "是"),
        ("番茄炒蛋", "热菜", 22, 6, "否"),
        ("凉拌黄瓜", "凉菜", 16, 3, "否"),
        ("夫妻肺片", "凉菜", 36, 15, "是"),
        ("口水鸡", "凉菜", 39, 16, "是"),
        ("扬州炒饭", "主食", 24, 7, "否"),
        ("担担面", "主食", 18, 5, "是"),
        ("米饭", "主食", 3, 0.6, "否"),
        ("小笼包", "主食", 28, 9, "否"),
        ("酸辣汤", "汤羹", 20, 5, "是"),
        ("老鸭汤", "汤羹", 66, 28, "否"),
        ("酸梅汤", "饮品", 12, 2, "否"),
        ("青岛啤酒", "饮品", 15, 6, "否"),
        ("豆浆", "饮品", 8, 1.5, "否"),
        ("红豆圆子", "甜品", 18, 4, "否"),
        ("芒果布丁", "甜品", 16, 5, "否"),
        ("佛跳墙", "热菜", 198, 95, "否"),
    ]
    put(
        c,
        "菜品",
        [
            (i, a, b, float(p), float(k), l, "停售" if a in ("豆浆", "口水鸡") else "在售")
            for i, (a, b, p, k, l) in enumerate(ds, 101)
        ],
    )
    mem = []
    for i, n in enumerate(zhnames(r, 150), 1):
        mem.append(
            (
                "V%04d" % i,
                n,
                r.choice("男女女"),
                r.choices(["普通", "银卡", "金卡", "钻石"], [8, 4, 2, 1])[0],
                day(r, date(2022, 1, 1), date(2026, 11, 15)).isoformat(),
                0.0 if r.random() < 0.4 else r.randrange(10, 1200) + r.choice([0, 0.5]),
            )
        )
    put(c, "会员", mem)
    od, dt = [], []
    for i in range(1, 951):
        s = r.choices(st, [9, 7, 6, 8, 4, 0])[0]
        d = day(r, date(2025, 1, 3), date(2026, 11, 18))
        if r.random() < 0.06:
            d = day(r, date(2026, 11, 1), date(2026, 11, 19))
        if d >= date(2026, 10, 20) and r.random() < 0.1:
            s = st[5]
        h = r.choices([11, 12, 13, 17, 18, 19, 20, 21], [5, 8, 3, 4, 9, 7, 4, 1])[0]
        m = r.choice(mem[:130]) if r.random() < 0.55 else None
        if m and m[4] > d.isoformat():
            m = None
        way = r.choices(["堂食", "外卖", "自提"], [6, 3, 1])[0]
        tot = 0
        for k, x in enumerate(r.sample(range(20), r.randrange(1, 6)), 1):
            if d.year == 2026 and ds[x][0] in ("豆浆", "口水鸡"):
                continue
            q = r.choices([1, 2, 3], [7, 2, 1])[0]
            dt.append(
                (i, k, 101 + x, q, float(ds[x][2]), r.choice([None, None, None, "少辣", "不要香菜", "少盐", "加辣"]))
            )
            tot += q * ds[x][2]
        if not tot:
            dt.append((i, 1, 112, 2, 3.0, None))
            tot = 6
        off = float(r.choice([0, 0, 0, 5, 10, 15])) if tot > 40 else 0.0
        stt = r.choices(["已完成", "已取消", "已退款"], [92, 5, 3])[0]
        if d >= date(2026, 11, 19):
            stt = r.choice(["制作中", "待支付", "已完成"])
        od.append(
            (
                i,
                s[0],
                "%s %02d:%02d" % (d.isoformat(), h, r.randrange(60)),
                way,
                r.choices([1, 2, 3, 4, 6, 8], [3, 6, 3, 4, 2, 1])[0] if way == "堂食" else None,
                m[0] if m else None,
                r.choices(["微信", "支付宝", "现金", "储值卡" if m else "微信"], [6, 4, 1, 2])[0],
                off,
                tot - off,
                stt,
                r.choices([1, 2, 3, 4, 5], [1, 1, 3, 7, 9])[0] if r.random() < 0.5 and stt == "已完成" else None,
            )
        )
    put(c, "订单", od)
    put(c, "点单明细", dt)
    c.commit()


def peixun():
    r = random.Random(808)
    c = make(
        "peixun",
        """
CREATE TABLE 校区 (校区代码 TEXT PRIMARY KEY, 校区名 TEXT, 所在区 TEXT, 教室数 INTEGER);
CREATE TABLE 教师 (工号 TEXT PRIMARY KEY, 姓名 TEXT, 科目 TEXT, 课时费 REAL, 入职日期 TEXT, 是否全职 TEXT);
CREATE TABLE 学员 (学号 INTEGER PRIMARY KEY, 姓名 TEXT, 性别 TEXT, 年级 TEXT, 校区代码 TEXT, 家长电话 TEXT, 建档日期 TEXT);
CREATE TABLE 班级 (班号 TEXT PRIMARY KEY, 班名 TEXT, 科目 TEXT, 主讲 TEXT, 助教 TEXT, 校区代码 TEXT, 总课时 INTEGER, 学费 REAL, 容量 INTEGER, 开课日期 TEXT, 状态 TEXT);
CREATE TABLE 报名 (报名号 INTEGER PRIMARY KEY, 学号 INTEGER, 班号 TEXT, 报名日期 TEXT, 应缴 REAL, 已缴 REAL, 来源渠道 TEXT, 是否退费 TEXT);
CREATE TABLE 考勤 (记录号 INTEGER PRIMARY KEY, 学号 INTEGER, 班号 TEXT, 上课日期 TEXT, 出勤 TEXT);
CREATE TABLE 测验 (测验号 INTEGER PRIMARY KEY, 学号 INTEGER, 班号 TEXT, 测验日期 TEXT, 分数 REAL);
""",
    )
    f = lambda d: "%d/%d/%d" % (d.year, d.month, d.day)
    cp = [
        ("C01", "中关村校区", "海淀区", 8),
        ("C02", "望京校区", "朝阳区", 6),
        ("C03", "西单校区", "西城区", 5),
        ("C04", "回龙观校区", "昌平区", 4),
    ]
    put(c, "校区", cp)
    sub = ["数学", "英语", "语文", "物理", "编程", "美术"]
    nm = zhnames(r, 360)
    te = [
        (
            "T%02d" % i,
            nm[i],
            sub[(i - 1) % 6],
            float(r.choice([120, 150, 180, 200, 240, 280]) + i),
            f(day(r, date(2015, 6, 1), date(2026, 8, 20))),
            "否" if i % 4 == 0 else "是",
        )
        for i in range(1, 19)
    ]
    put(c, "教师", te)
    gr = ["三年级", "四年级", "五年级", "六年级", "初一", "初二", "初三"]
    stu = []
    for i in range(1, 301):
        stu.append(
            (
                20240000 + i,
                nm[20 + i],
                r.choice("男女"),
                r.choice(gr),
                r.choices(cp, [5, 4, 3, 1])[0][0],
                None if r.random() < 0.1 else "13%09d" % r.randrange(10**9),
                f(day(r, date(2024, 1, 5), date(2026, 11, 15))),
            )
        )
    put(c, "学员", stu)
    cls = []
    for i in range(1, 45):
        s = sub[i % 6] if i < 40 else r.choice(sub[:3])
        ts = [t for t in te[:17] if t[2] == s]
        t = r.choice(ts)
        a = r.choice([x for x in te if x[0] != t[0]])[0] if r.random() < 0.6 else None
        d = day(r, date(2025, 2, 10), date(2026, 12, 20))
        stt = "未开课" if d > TODAY else "已结课" if d < date(2026, 7, 20) else "进行中"
        cls.append(
            (
                "B%03d" % i,
                s + r.choice(["提高班", "基础班", "冲刺班", "启蒙班"]) + str(i),
                s,
                t[0],
                a,
                r.choices(cp, [5, 4, 3, 1])[0][0],
                r.choice([16, 20, 24, 32, 40]),
                float(r.choice([1980, 2400, 2880, 3600, 4800, 5600])),
                r.choice([8, 12, 15, 20, 25]),
                f(d),
                stt,
            )
        )
    put(c, "班级", cls)
    dd = {x[0]: date(*map(int, x[9].split("/"))) for x in cls}
    en, kq, cy, pairs = [], [], [], set()
    wts = [1 + (i * 7) % 5 for i in range(44)]
    wts[20] = 0
    while len(en) < 560:
        k = r.choices(cls, wts)[0]
        s = r.choice(stu[:285])
        if (s[0], k[0]) in pairs or sum(1 for p in pairs if p[1] == k[0]) >= k[8]:
            wts[cls.index(k)] = max(wts[cls.index(k)] - 0.05, 0.0)
            if sum(wts) < 0.5:
                break
            continue
        pairs.add((s[0], k[0]))
        d = min(dd[k[0]] - timedelta(days=r.randrange(0, 60)), date(2026, 11, 18))
        due = k[7] * r.choice([1, 1, 1, 0.9, 0.85])
        x = r.random()
        en.append(
            (
                len(en) + 1,
                s[0],
                k[0],
                f(d),
                due,
                due if x < 0.84 else round(due / 2) if x < 0.95 else 0.0,
                r.choices(["老带新", "公众号", "地推", "抖音", None], [5, 4, 2, 3, 1])[0],
                "是" if r.random() < 0.06 else "否",
            )
        )
        for j in range(4):
            w = dd[k[0]] + timedelta(days=7 * j)
            if w < TODAY:
                kq.append(
                    (len(kq) + 1, s[0], k[0], f(w), r.choices(["到课", "请假", "缺勤", "迟到"], [82, 8, 5, 5])[0])
                )
        if dd[k[0]] + timedelta(days=35) < TODAY and r.random() < 0.85:
            cy.append((len(cy) + 1, s[0], k[0], f(dd[k[0]] + timedelta(days=35)), min(100.0, round(r.gauss(79, 11)))))
    put(c, "报名", en)
    put(c, "考勤", kq)
    put(c, "测验", cy)
    c.commit()


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    for f in (outpatient, callcentre, podcast, builders, theatre, coop, canting, peixun):
        f()
