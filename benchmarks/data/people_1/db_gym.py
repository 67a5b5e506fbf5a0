"""A gym with three sites: members, plans, classes, bookings, visits and monthly dues."""

import random
import sqlite3

from common import between, day, fill, later, months, people, pick

PLANS = [
    ("PAYG", "Pay as you go", 12.0, 0),
    ("OFFPK", "Off-peak", 24.5, 3),
    ("STD", "Standard", 36.0, 12),
    ("STU", "Student", 19.0, 6),
    ("PREM", "Premium", 59.0, 12),
]
CLASSES = [
    (1, "Spin", "Marta Ruiz", "Mon", "18:30", 18),
    (2, "Spin", "Marta Ruiz", "Thu", "07:00", 16),
    (3, "Yoga Flow", "Ines Lamb", "Tue", "19:00", 20),
    (4, "Yoga Flow", "Ines Lamb", "Sat", "09:30", 24),
    (5, "HIIT", "Dev Okoro", "Wed", "18:00", 15),
    (6, "HIIT", "Dev Okoro", "Fri", "06:45", 12),
    (7, "Pilates", "Ines Lamb", "Thu", "12:15", 14),
    (8, "Aqua Fit", "Tom Birch", "Wed", "10:00", 22),
    (9, "Boxing", "Dev Okoro", "Tue", "20:00", 10),
    (10, "Zumba", "Carla Nunes", "Fri", "18:00", 25),
    (11, "Stretch", "Carla Nunes", "Sun", "11:00", 20),
    (12, "Barre", "Carla Nunes", "Sun", "16:00", 12),
]
WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
DRAW = {1: 10, 2: 5, 3: 9, 4: 12, 5: 8, 6: 3, 7: 4, 8: 6, 9: 7, 10: 11, 11: 2}


def build(con: sqlite3.Connection) -> None:
    rng = random.Random(104)
    fee = {row[0]: row[2] for row in PLANS}
    members, dues, visits, bookings = [], [], [], []
    for number, name in enumerate(people(rng, 210), 1):
        plan = pick(rng, {"PAYG": 12, "OFFPK": 22, "STD": 40, "STU": 15, "PREM": 18})
        joined = between(rng, "2024-01-08", "2026-11-10")
        status = pick(rng, {"active": 70, "frozen": 8, "cancelled": 22})
        left = later(joined, rng.randint(40, 500)) if status == "cancelled" else None
        if left and left > day("2026-11-12"):
            status, left = "active", None
        born = between(rng, "1999-01-01", "2008-06-30") if plan == "STU" else between(rng, "1952-01-01", "2004-12-31")
        site = pick(rng, {"Harbour": 45, "Northgate": 33, "Mill Lane": 22})
        friend = rng.randint(1, number - 1) if number > 12 and rng.random() < 0.28 else None
        friend = 14 if friend and rng.random() < 0.12 else friend
        sex = pick(rng, {"F": 52, "M": 46, "": 4}) or None
        members.append((number, name, sex, born, joined, plan, status, left, friend, site))
        end = left or day("2026-11-15")
        for month in months(joined.isoformat()[:7], end.isoformat()[:7]):
            owed = fee[plan] + (5 if rng.random() < 0.06 else 0)
            unpaid = rng.random() < ({"2026-11": 0.35, "2026-10": 0.09}.get(month, 0.012))
            paid = None if unpaid else later(day(month + "-01"), rng.randint(0, 13))
            dues.append((number, month, owed, paid))
        keen = rng.choice([0, 2, 6, 14, 22, 30])
        for _ in range(keen and keen + rng.randint(0, 70)):
            when = between(rng, max(joined.isoformat(), "2025-06-01"), max(end.isoformat(), "2025-06-02"))
            if joined <= when <= end:
                hour = rng.choices(range(6, 21), [5, 9, 6, 3, 3, 2, 4, 3, 2, 2, 4, 11, 14, 8, 3])[0]
                where = site if rng.random() < 0.85 else rng.choice(["Harbour", "Northgate", "Mill Lane"])
                stamp = f"{when} {hour:02d}:{rng.randint(0, 59):02d}"
                visits.append((number, where, stamp, None if rng.random() < 0.05 else rng.randint(18, 125)))
        for _ in range(rng.choice([0, 0, 1, 4, 9, 16])):
            kind = rng.choices(list(DRAW), list(DRAW.values()))[0]
            when = between(rng, "2025-09-01", "2026-11-14")
            when = later(when, (WEEKDAYS.index(CLASSES[kind - 1][3]) - when.weekday()) % 7)
            if joined <= when <= min(end, day("2026-11-15")):
                dropped = int(rng.random() < 0.11)
                came = 0 if dropped else int(rng.random() < 0.84)
                bookings.append((kind, number, when, dropped, came))
    visits.sort(key=lambda row: str(row[2]))
    bookings.sort(key=lambda row: str(row[2]))
    fill(con, "plans (plan_cd TEXT PRIMARY KEY, plan_name TEXT, monthly_fee REAL, min_months INTEGER)", PLANS)
    fill(
        con,
        "members (mem_id INTEGER PRIMARY KEY, full_name TEXT, sex TEXT, dob TEXT, joined_on TEXT, plan_cd TEXT,"
        " status TEXT, left_on TEXT, ref_by INTEGER, home_site TEXT)",
        members,
    )
    fill(
        con,
        "classes (class_id INTEGER PRIMARY KEY, title TEXT, coach TEXT, wkday TEXT, start_time TEXT, capacity INTEGER)",
        CLASSES,
    )
    fill(
        con,
        "bookings (bk_id INTEGER PRIMARY KEY, class_id INTEGER, mem_id INTEGER, class_date TEXT, cancelled INTEGER,"
        " attended INTEGER)",
        ((n, *row) for n, row in enumerate(bookings, 1)),
    )
    fill(
        con,
        "visits (visit_id INTEGER PRIMARY KEY, mem_id INTEGER, site TEXT, in_at TEXT, mins INTEGER)",
        ((n, *row) for n, row in enumerate(visits, 1)),
    )
    fill(con, "dues (mem_id INTEGER, due_month TEXT, amount REAL, paid_on TEXT)", dues)
