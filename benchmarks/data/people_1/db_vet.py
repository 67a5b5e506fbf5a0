"""A vet clinic: owners, animals, vets, appointments and the lines of the bills."""

import random
import sqlite3

from common import between, day, fill, later, people, pick

SPECIES = [("DG", "Dog"), ("CT", "Cat"), ("RB", "Rabbit"), ("BD", "Bird"), ("GP", "Guinea pig"), ("RP", "Reptile")]
BREEDS = {
    "DG": ["Labrador", "Beagle", "Poodle", "Collie", "Mixed", "Greyhound", "Terrier"],
    "CT": ["Domestic Shorthair", "Maine Coon", "Siamese", "Ragdoll", "Mixed"],
    "RB": ["Lionhead", "Dutch"],
    "BD": ["Budgie", "Cockatiel"],
    "GP": ["Abyssinian"],
    "RP": ["Leopard gecko", "Corn snake"],
}
WEIGHT = {"DG": (4, 42), "CT": (2.5, 8), "RB": (1, 3), "BD": (0.03, 0.12), "GP": (0.7, 1.2), "RP": (0.05, 1.5)}
_PETS = (
    "Biscuit Luna Max Bella Charlie Milo Coco Rocky Daisy Oreo Simba Nala Teddy Poppy Ziggy Pepper Shadow "
    "Willow Loki Hazel Bruno Misty Gus Olive Rex Smudge Tiger Maple Pip Waffle"
)
PETS = _PETS.split()
TOWNS = {"Ashford": 34, "Brookfield": 25, "Corley": 18, "Dunmere": 12, "Eastwick": 8, "Fenby": 4}
VETS = [
    (1, "Dr Helen Pryce", "2016-04-01", 0),
    (2, "Dr Raj Malik", "2019-09-16", 0),
    (3, "Dr Sofia Lindt", "2022-01-10", 1),
    (4, "Dr Owen Tate", "2024-06-03", 0),
    (5, "Dr Priya Nair", "2026-09-01", 1),
]
REASONS = {"Check-up": 30, "Vaccination": 28, "Dental": 12, "Injury": 11, "Surgery": 6, "Skin": 10, "Nail trim": 7}
ITEMS = {
    "Check-up": ("Consultation", "Service", 42.0),
    "Vaccination": ("Booster jab", "Medicine", 31.5),
    "Dental": ("Dental clean", "Service", 145.0),
    "Injury": ("X-ray", "Imaging", 98.0),
    "Surgery": ("Operation", "Service", 420.0),
    "Skin": ("Skin cream", "Medicine", 18.75),
    "Nail trim": ("Nail trim", "Service", 12.0),
}
EXTRAS = [
    ("Flea tablets", "Medicine", 9.9),
    ("Wormer", "Medicine", 7.25),
    ("Cone collar", "Shop", 11.0),
    ("Dry food 2kg", "Shop", 16.4),
    ("Blood test", "Lab", 64.0),
    ("Painkillers", "Medicine", 13.6),
]


def lines_of(rng: random.Random, reason: str) -> list[tuple[str, str, int, float]]:
    """Return what one bill lists: item, category, quantity and price of one."""
    lines = []
    if reason not in ("Check-up", "Nail trim"):
        lines.append(("Consultation", "Service", 1, 42.0))
    item, category, price = ITEMS[reason]
    lines.append((item, category, 1, price))
    for item, category, price in rng.sample(EXTRAS, rng.choice([0, 0, 1, 1, 2])):
        lines.append((item, category, rng.choice([1, 1, 1, 2, 3]), price))
    return lines


def build(con: sqlite3.Connection) -> None:
    rng = random.Random(202)
    owners, animals, appts, bills = [], [], [], []
    for number, name in enumerate(people(rng, 150), 1):
        first, last = name.split()
        phone = None if rng.random() < 0.07 else f"07{rng.randint(100000000, 999999999)}"
        since = between(rng, "2023-01-05", "2026-11-06")
        owners.append((number, first, last, phone, pick(rng, TOWNS), pick(rng, {"Y": 7, "N": 3}), since))
        for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3])):
            kind = pick(rng, {"DG": 44, "CT": 34, "RB": 9, "BD": 6, "GP": 5, "RP": 4})
            low, high = WEIGHT[kind]
            weight = None if rng.random() < 0.08 else round(rng.uniform(low, high), 2)
            born = between(rng, "2010-01-01", "2026-05-01")
            died = between(rng, "2025-01-10", "2026-11-01") if rng.random() < 0.06 and born.year < 2018 else None
            sex, fixed = rng.choice("MF"), pick(rng, {"Y": 6, "N": 4})
            breed = None if rng.random() < 0.05 else rng.choice(BREEDS[kind])
            animals.append((len(animals) + 1, number, rng.choice(PETS), kind, breed, sex, born, fixed, weight, died))
    for animal in animals:
        since = max(day("2024-06-01"), owners[animal[1] - 1][6], animal[6])
        for _ in range(rng.choice([0, 1, 3, 4, 6, 9])):
            when = between(rng, since.isoformat(), max("2026-12-11", since.isoformat()))
            if when.weekday() == 6 or (animal[9] and when > animal[9]):
                continue
            vet = int(pick(rng, {"1": 34, "2": 28, "3": 14, "4": 22}))
            if when > day("2026-09-10") and rng.random() < 0.2:
                vet = 5
            status = pick(rng, {"done": 84, "no-show": 7, "cancelled": 9})
            if when > day("2026-11-20"):
                status = "booked"
            elif when > day("2026-11-14"):
                when = later(when, -9)
            reason = pick(rng, REASONS)
            start = f"{rng.choice([8, 9, 9, 10, 10, 11, 13, 14, 15, 16, 17]):02d}:{rng.choice(['00', '20', '40'])}"
            appts.append((when, start, animal[0], vet, reason, status))
    appts.sort(key=lambda row: (str(row[0]), row[1]))
    for number, appt in enumerate(appts, 1):
        if appt[5] != "done":
            continue
        paid = "N" if rng.random() < (0.3 if appt[0] > day("2026-10-01") else 0.03) else "Y"
        discount = rng.choice([0, 0, 0, 0, 0.1])
        for line, (item, category, qty, price) in enumerate(lines_of(rng, appt[4]), 1):
            total = round(qty * price * (1 - discount), 2)
            bills.append((f"B{number + 4000}", line, number, item, category, qty, price, discount, total, paid))
    fill(con, "species (cd TEXT PRIMARY KEY, label TEXT)", SPECIES)
    fill(con, "vets (vet_id INTEGER PRIMARY KEY, vet_name TEXT, start_date TEXT, part_time INTEGER)", VETS)
    fill(
        con,
        "owners (owner_id INTEGER PRIMARY KEY, first_name TEXT, surname TEXT, phone TEXT, town TEXT, sms_ok TEXT,"
        " client_since TEXT)",
        owners,
    )
    fill(
        con,
        "animals (animal_id INTEGER PRIMARY KEY, owner_id INTEGER, name TEXT, species_cd TEXT, breed TEXT, sex TEXT,"
        " born TEXT, neutered TEXT, weight_kg REAL, died_on TEXT)",
        animals,
    )
    fill(
        con,
        "appts (appt_id INTEGER PRIMARY KEY, appt_date TEXT, start_tm TEXT, animal_id INTEGER, vet_id INTEGER,"
        " reason TEXT, status TEXT)",
        ((n, *row) for n, row in enumerate(appts, 1)),
    )
    fill(
        con,
        "bill_lines (bill_no TEXT, line_no INTEGER, appt_id INTEGER, item TEXT, category TEXT, qty INTEGER,"
        " unit_price REAL, disc REAL, line_total REAL, paid TEXT)",
        bills,
    )
