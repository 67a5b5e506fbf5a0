"""A sales export of a coffee wholesaler: one table, one row an order."""

import random
import sqlite3
from datetime import date, timedelta

REPS = {
    "Dana Whitlock": ("North", 9),
    "Marcus Oyelaran": ("South", 7),
    "Priya Raman": ("West", 8),
    "Tom Fairley": ("East", 4),
    "Ilse Brandt": ("Export", 3),
    "Jo Kettering": ("North", 5),
    "Owen Pryce": ("West", 2),
}
ITEMS = [
    ("House Blend 1kg", "Beans", 14.5, 30),
    ("Ethiopia Guji 1kg", "Beans", 23.9, 14),
    ("Decaf Sumatra 1kg", "Beans", 19.2, 7),
    ("Espresso Forte 1kg", "Beans", 16.8, 22),
    ("Duo 2-Group Machine", "Machines", 3890.0, 2),
    ("Solo Compact Machine", "Machines", 1240.0, 4),
    ("Burr Grinder X2", "Machines", 615.0, 5),
    ("Milk Jug 600ml", "Accessories", 11.9, 9),
    ("Barista Scale", "Accessories", 48.0, 6),
    ("Paper Cups (case)", "Accessories", 37.5, 16),
    ("Water Filter", "Accessories", 62.0, 8),
    ("Annual Service Visit", "Service", 180.0, 5),
]
CUSTOMERS = [
    ("Alder & Oak Cafe", "Cafe"),
    ("Bluebell Bakery", "Cafe"),
    ("Cobalt Coworking", "Office"),
    ("Drayton Hotel", "Hotel"),
    ("Eastgate Deli", "Retail"),
    ("Foundry Lofts", "Office"),
    ("Grand Meridian", "Hotel"),
    ("Harbour Roasters", "Retail"),
    ("Ivy Street Books", "Cafe"),
    ("Juniper Clinic", "Office"),
    ("Kettle Lane", "Cafe"),
    ("Larkfield College", "Office"),
    ("Mossy Bottom Farm Shop", "Retail"),
    ("Northlight Studios", "Office"),
    ("Old Mill Inn", "Hotel"),
    ("Pepper Tree", "Cafe"),
    ("Quayside Kiosk", "Cafe"),
    ("Rosebank Spa", "Hotel"),
    ("Saltmarsh Stores", "Retail"),
    ("Tideway Rowing Club", "Office"),
    ("Umber Gallery", "Cafe"),
    ("Vantage Legal", "Office"),
]


def text(day: date) -> str:
    return f"{day.year}/{day.month}/{day.day}"


def coffee_sales(con: sqlite3.Connection) -> None:
    rng = random.Random(4101)
    con.execute(
        "CREATE TABLE sales_export (OrderNo TEXT, SaleDate TEXT, Territory TEXT, Rep TEXT, Customer TEXT,"
        " CustType TEXT, Channel TEXT, Item TEXT, ItemGroup TEXT, Units INTEGER, UnitPrice REAL, DiscPct REAL,"
        " NetAmt REAL, ShipDate TEXT, Paid TEXT, Returned TEXT)"
    )
    first, last = date(2024, 7, 1), date(2026, 11, 14)
    days = sorted(first + timedelta(rng.randint(0, (last - first).days)) for _ in range(1750))
    rows = []
    for number, day in enumerate((d for d in days if d.weekday() < 6 or rng.random() < 0.2), 1):
        rep = rng.choices(list(REPS), [w for _, w in REPS.values()])[0]
        territory = REPS[rep][0] if rng.random() < 0.985 else None
        customer, kind = rng.choices(CUSTOMERS[:21], [22 - i * 0.8 for i in range(21)])[0]
        if customer == "Umber Gallery" and day.year == 2026:
            customer, kind = CUSTOMERS[0]
        item, group, price, _ = rng.choices(ITEMS, [w for *_, w in ITEMS])[0]
        units = {"Beans": rng.randint(2, 40), "Accessories": rng.randint(1, 20)}.get(group, rng.choice([1, 1, 1, 2]))
        price = round(price * (1.04 if day.year == 2026 else 1.0), 2)
        disc = rng.choices([0, 5, 10, 15, 20], [60, 18, 12, 7, 3])[0]
        age = (last - day).days
        ship = day + timedelta(rng.choice([1, 1, 2, 2, 3, 4, 6, 9]))
        shipped = text(ship) if ship <= last and rng.random() < 0.985 else None
        paid = "Y" if rng.random() < (0.97 if age > 60 else 0.55) else "N"
        returned = "Y" if shipped and rng.random() < (0.06 if group == "Machines" else 0.03) else "N"
        channel = rng.choices(["Web", "Phone", "Field"], [55, 20, 25])[0]
        net = round(units * price * (100 - disc) / 100, 2)
        rows.append(
            (
                f"SO-{20000 + number}",
                text(day),
                territory,
                rep,
                customer,
                kind,
                channel,
                item,
                group,
                units,
                price,
                disc,
                net,
                shipped,
                paid,
                returned,
            )
        )
    con.executemany(f"INSERT INTO sales_export VALUES ({','.join('?' * 16)})", rows)
