"""A charity: the wide export of its gifts, with money as text, and its volunteers with their shifts."""

import random
import sqlite3

from common import between, fill, later, people, pick

CAMPAIGNS = {"Winter Shelter": 34, "Clean Water": 26, "School Meals": 22, "Emergency Fund": 12, "Legacy": 6}
TOWNS = {
    ("Leeds", "West Yorkshire"): 24,
    ("York", "North Yorkshire"): 18,
    ("Hull", "East Yorkshire"): 13,
    ("Bath", "Somerset"): 9,
    ("Derby", "Derbyshire"): 15,
    ("Exeter", "Devon"): 8,
    ("Harrogate", "North Yorkshire"): 11,
}
COMPANIES = ["Beacon Foods Ltd", "Tarn Engineering", "Juniper & Sons", "Oakline Print", "Copper Kettle Cafe"]
TRUSTS = ["The Alder Trust", "Whitmore Foundation", "St Hilda Fund"]
ROLES = {"Driver": 16, "Kitchen": 30, "Fundraising": 22, "Shop": 24, "Admin": 8}
COLUMNS = {
    "Gift ID": "TEXT",
    "Gift Date": "TEXT",
    "Donor ID": "INTEGER",
    "Donor Name": "TEXT",
    "Donor Type": "TEXT",
    "Email": "TEXT",
    "Donor Town": "TEXT",
    "Donor County": "TEXT",
    "First Gift": "TEXT",
    "Campaign": "TEXT",
    "Fund Code": "TEXT",
    "Channel": "TEXT",
    "Payment Method": "TEXT",
    "Gift Amount": "TEXT",
    "Card Fee": "TEXT",
    "Net Amount": "TEXT",
    "Gift Aid": "TEXT",
    "Recurring": "TEXT",
    "Anonymous": "TEXT",
    "Thank You Sent": "TEXT",
    "Refunded": "TEXT",
    "Receipt No": "INTEGER",
    "Entered By": "TEXT",
    "Notes": "TEXT",
}


def money(value: float) -> str:
    return f"${value:,.2f}"


def build(con: sqlite3.Connection) -> None:
    rng = random.Random(505)
    names = people(rng, 172)
    donors = [(name, "Individual") for name in names[:132]]
    donors += [(name, "Company") for name in COMPANIES] + [(name, "Trust") for name in TRUSTS]
    homes = [rng.choices(list(TOWNS), list(TOWNS.values()))[0] for _ in donors]
    keen = [rng.choice([1, 1, 2, 3, 5, 9, 16]) for _ in donors]
    seen: set[int] = set()
    gifts: list[tuple[object, ...]] = []
    dates = sorted(str(between(rng, "2024-01-04", "2026-11-16")) for _ in range(1150))
    dates += [str(between(rng, f"{year}-12-01", f"{year}-12-28")) for year in (2024, 2025) for _ in range(60)]
    for number, date in enumerate(sorted(dates), 1):
        who = rng.choices(range(len(donors)), keen)[0]
        name, kind = donors[who]
        campaign = pick(rng, CAMPAIGNS)
        if kind == "Individual":
            amount = float(rng.choice([5, 10, 10, 15, 20, 25, 25, 50, 75, 100, 150, 250]))
        else:
            amount = float(rng.choice([400, 750, 1000, 1250, 2500, 5000])) + rng.choice([0, 0, 0, 34.5])
        if campaign == "Legacy":
            amount += 1500
        how = pick(rng, {"Card": 48, "Direct Debit": 26, "Bank Transfer": 14, "Cash": 8, "Cheque": 4})
        fee = round(amount * 0.014 + 0.2, 2) if how == "Card" else 0.0
        first = "N" if who in seen else "Y"
        seen.add(who)
        email = None if who % 9 == 4 else f"{name.split()[0].lower()}{who}@mail.example"
        thanked = "N" if rng.random() < (0.4 if date > "2026-10-15" else 0.04) else "Y"
        channel = pick(rng, {"Website": 46, "Post": 18, "Street": 12, "Event": 14, "Phone": 10})
        aid = "Y" if kind == "Individual" and rng.random() < 0.58 else "N"
        regular = "Y" if how == "Direct Debit" else "N"
        hidden, back = ("Y" if rng.random() < 0.06 else "N"), ("Y" if rng.random() < 0.018 else "N")
        clerk = pick(rng, {"Moira": 45, "Stefan": 35, "Web": 20})
        note = rng.choice(["in memory of dad", "raffle", "marathon", "please call first"]) if number % 17 == 0 else None
        fund = {"Winter Shelter": "WS", "Clean Water": "CW", "School Meals": "SM", "Emergency Fund": "EF"}
        donor = (who + 1, name, kind, email, *homes[who], first)
        given = (channel, how, money(amount), money(fee), money(amount - fee), aid, regular, hidden, thanked, back)
        code = fund.get(campaign, "LG")
        gifts.append((f"G{number:05d}", date, *donor, campaign, code, *given, 30000 + number, clerk, note))
    helpers, shifts = [], []
    for number, name in enumerate(names[132:], 1):
        started = between(rng, "2023-02-01", "2026-10-20")
        stopped = later(started, rng.randint(60, 300)) if rng.random() < 0.2 and started.year < 2026 else None
        checked = rng.choice(["Y", "Y", "Y", "N"])
        home = rng.choices(list(TOWNS), list(TOWNS.values()))[0][0]
        helpers.append((number, name, home, pick(rng, ROLES), started, stopped, checked))
        for _ in range(rng.choice([0, 3, 8, 14, 25, 38])):
            when = between(rng, max(str(started), "2025-01-02"), max(str(stopped or "2026-11-15"), "2025-01-03"))
            if started <= when and (not stopped or when <= stopped):
                shifts.append((str(when), number, rng.choice([2, 2.5, 3, 3, 4, 4, 6])))
    shifts.sort()
    columns = ", ".join(f'"{name}" {kind}' for name, kind in COLUMNS.items())
    fill(con, f"gifts_export ({columns})", gifts)
    fill(
        con,
        "volunteers (vol_id INTEGER PRIMARY KEY, vol_name TEXT, town TEXT, main_role TEXT, started TEXT, stopped TEXT,"
        " bg_check TEXT)",
        helpers,
    )
    fill(con, "shifts (shift_dt TEXT, vol_id INTEGER, hrs REAL)", shifts)
