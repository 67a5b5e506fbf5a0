"""A car rental with dates as 05.03.2026: branches, cars, classes, customers, hires from branch to branch and damage."""

import datetime
import random
import sqlite3

from common import between, day, fill, later, people, pick

BRANCHES = [
    ("MUC", "Munich", "Y", 2009),
    ("BER", "Berlin", "Y", 2012),
    ("HAM", "Hamburg", "N", 2014),
    ("KOL", "Cologne", "N", 2018),
    ("DRS", "Dresden", "N", 2023),
]
CLASSES = [
    ("E", "Economy", 5),
    ("C", "Compact", 5),
    ("S", "SUV", 5),
    ("V", "Van", 9),
    ("L", "Luxury", 4),
    ("T", "Convertible", 4),
]
MODELS = {
    "E": [("Fiat", "Panda"), ("VW", "Polo"), ("Opel", "Corsa")],
    "C": [("VW", "Golf"), ("Ford", "Focus"), ("Skoda", "Octavia")],
    "S": [("Skoda", "Kodiaq"), ("VW", "Tiguan"), ("Ford", "Kuga")],
    "V": [("VW", "Caravelle"), ("Ford", "Transit")],
    "L": [("BMW", "5er"), ("Audi", "A6")],
}
RATES = {"E": 34, "C": 46, "S": 69, "V": 88, "L": 124}
COUNTRIES = {"DE": 58, "AT": 9, "NL": 8, "FR": 7, "GB": 9, "US": 6, "PL": 3}
PARTS = {"Bumper": 30, "Windscreen": 18, "Wing mirror": 22, "Tyre": 16, "Door": 14}
CITIES = {"MUC": 36, "BER": 28, "HAM": 17, "KOL": 13, "DRS": 6}


def dotted(date: datetime.date | None) -> str | None:
    return date.strftime("%d.%m.%Y") if date else None


def build(con: sqlite3.Connection) -> None:
    rng = random.Random(606)
    cars, clients, hires, damage = [], [], [], []
    for number in range(1, 66):
        group = pick(rng, {"E": 26, "C": 32, "S": 20, "V": 10, "L": 12})
        make, model = rng.choice(MODELS[group])
        home = pick(rng, CITIES)
        fuel = pick(rng, {"petrol": 48, "diesel": 28, "electric": 14, "hybrid": 10})
        rate = RATES[group] + rng.choice([-4, 0, 0, 3, 6]) + 0.9
        state = pick(rng, {"ok": 84, "workshop": 9, "sold": 7})
        plate = f"{home[0]}-KB {1000 + number * 7}"
        made = rng.randint(2018, 2026)
        cars.append(
            (plate, make, model, group, made, (2027 - made) * rng.randint(9000, 21000), rate, fuel, state, home)
        )
    for number, name in enumerate(people(rng, 190), 1):
        club = pick(rng, {"none": 60, "silver": 28, "gold": 12})
        clients.append((5000 + number, name, pick(rng, COUNTRIES), club, "Y" if rng.random() < 0.24 else "N"))
    busy = [rng.choice([0, 1, 1, 2, 4, 7]) for _ in clients]
    for car in cars[:-3]:
        when = between(rng, "2025-01-03", "2025-03-20")
        while when <= day("2026-11-18"):
            days = rng.choice([1, 2, 2, 3, 3, 4, 5, 7, 7, 10, 14])
            due = later(when, days)
            back: datetime.date | None = later(due, rng.choice([0] * 12 + [-1, 1, 1, 2, 4]))
            back = max(back, later(when, 1)) if back else None
            if back and back > day("2026-11-19"):
                back = None
            client = rng.choices(clients, busy)[0]
            out = car[9] if rng.random() < 0.78 else pick(rng, CITIES)
            into = out if rng.random() < 0.72 else pick(rng, CITIES)
            amount = round(car[6] * days * (0.9 if client[3] == "gold" else 1), 2)
            paid = 0 if rng.random() < (0.4 if when > day("2026-10-20") else 0.02) else 1
            km = None if back is None else rng.randint(30, 240) * days
            score = None if back is None or rng.random() < 0.35 else rng.choices([1, 2, 3, 4, 5], [2, 4, 14, 40, 40])[0]
            hires.append([when, car[0], client[0], out, into, due, back, km, amount, paid, score])
            gap = rng.choice([2, 6, 11, 19, 30]) if when.month in (6, 7, 8) else rng.choice([5, 14, 24, 36, 60])
            when = later(due, 5 + gap)
    hires.sort(key=lambda row: str(row[0]))
    for number, hire in enumerate(hires, 1):
        if hire[6] and rng.random() < 0.075:
            part = pick(rng, PARTS)
            cost = round(rng.uniform(80, 900), 2) if rng.random() < 0.9 else None
            charged = rng.choice(["Y", "Y", "N"])
            damage.append((len(damage) + 1, number + 20000, dotted(hire[6]), part, cost, charged))
    fill(con, "branches (br_cd TEXT PRIMARY KEY, city TEXT, airport TEXT, opened INTEGER)", BRANCHES)
    fill(con, "car_class (class_cd TEXT PRIMARY KEY, descr TEXT, seats INTEGER)", CLASSES)
    fill(
        con,
        "cars (plate TEXT PRIMARY KEY, make TEXT, model TEXT, class_cd TEXT, yr INTEGER, odo_km INTEGER,"
        " day_rate REAL, fuel TEXT, state TEXT, home_br TEXT)",
        cars,
    )
    fill(
        con,
        "clients (cust_no INTEGER PRIMARY KEY, cust_name TEXT, country TEXT, loyalty TEXT, business TEXT)",
        clients,
    )
    fill(
        con,
        "hires (hire_no INTEGER PRIMARY KEY, out_dt TEXT, plate TEXT, cust_no INTEGER, out_br TEXT, in_br TEXT,"
        " due_dt TEXT, back_dt TEXT, km INTEGER, amount REAL, paid INTEGER, score INTEGER)",
        ((20000 + n, dotted(r[0]), *r[1:5], dotted(r[5]), dotted(r[6]), *r[7:]) for n, r in enumerate(hires, 1)),
    )
    fill(
        con,
        "damage (dmg_id INTEGER PRIMARY KEY, hire_no INTEGER, found_dt TEXT, part TEXT, cost REAL, charged TEXT)",
        damage,
    )
