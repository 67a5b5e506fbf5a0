#!/usr/bin/env python3
"""Write four CSV files as business tools export them, and a DuckDB file with the same rows clean. Fixed seeds."""

import csv
import os
import random
import sys
from datetime import date, datetime, timedelta

import duckdb

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "files")
LAST = date(2026, 11, 19)
FIRST = [
    "Amara",
    "Ben",
    "Carla",
    "Diego",
    "Elin",
    "Farah",
    "Gus",
    "Hana",
    "Igor",
    "Jade",
    "Kofi",
    "Lena",
    "Marco",
    "Nadia",
    "Omar",
    "Priya",
    "Quinn",
    "Rosa",
    "Sven",
    "Tara",
]
FAMILY = [
    "Okafor",
    "Lindqvist",
    "Brandt",
    "Mercer",
    "Novak",
    "Hashimi",
    "Pryce",
    "Tanaka",
    "Costa",
    "Whitlock",
    "Delgado",
    "Iyer",
    "Voss",
    "Kowalski",
    "Banks",
]
COMPANIES = [
    a + " " + b
    for a in [
        "Alder",
        "Birch",
        "Cobalt",
        "Delta",
        "Ember",
        "Fathom",
        "Granite",
        "Harbor",
        "Indigo",
        "Juniper",
        "Keystone",
        "Lumen",
        "Marlin",
        "Nimbus",
        "Onyx",
        "Pioneer",
    ]
    for b in ("Logistics", "Health", "Labs", "Foods")
]


def person(r):
    return f"{r.choice(FIRST)} {r.choice(FAMILY)}"


def day(r, low, high=LAST):
    return low + timedelta(days=r.randrange((high - low).days + 1))


def moment(r, low, high=LAST):
    return datetime.combine(day(r, low, high), datetime.min.time()) + timedelta(seconds=r.randrange(86400))


def weighted(r, **weights):
    return r.choices(list(weights), list(weights.values()))[0]


def pick(r, pairs):
    return r.choices([p[0] for p in pairs], [p[1] for p in pairs])[0]


def money(value):
    return "" if value is None else f"{value:,.2f}"


def issues(r):
    authors = ["mona-k", "tjw", "ana-pereira", "devon3", "ruthie", "kbx", "sam-l", "oyelaran"]
    staff = ["mona-k", "tjw", "ana-pereira", "devon3"]
    labels = ["bug", "enhancement", "documentation", "good first issue", "performance", "question"]
    out = []
    for _ in range(1100):
        created = moment(r, date(2025, 2, 1))
        label = r.sample(labels, r.choices([0, 1, 2], [15, 60, 25])[0])
        done = created + timedelta(hours=r.lognormvariate(5.0 if "bug" in label else 5.8, 1.1))
        closed = done if r.random() < 0.8 and done.date() <= LAST else None
        out.append(
            dict(
                number=0,
                title=r.choice(
                    [
                        "Crash on startup",
                        "Add dark mode",
                        "Docs typo",
                        "Slow query",
                        "Memory leak in worker",
                        "Support Python 3.14",
                        "Broken link",
                        "Flaky test",
                    ]
                ),
                state="closed" if closed else "open",
                reason=pick(r, [("completed", 78), ("not_planned", 16), ("duplicate", 6)]) if closed else None,
                author=r.choice(authors),
                assignee=r.choice(staff) if r.random() < 0.7 else None,
                labels=", ".join(label) or None,
                milestone=r.choice(["v2.0", "v2.1", "v3.0"]) if r.random() < 0.5 else None,
                comments=r.choices(range(9), [30, 20, 15, 10, 8, 6, 5, 4, 2])[0],
                reactions=r.choices(range(5), [60, 20, 10, 6, 4])[0],
                created=created,
                updated=(closed or created) + timedelta(hours=r.randint(0, 30)),
                closed=closed,
                url="",
            )
        )
    out.sort(key=lambda row: row["created"])
    for number, row in enumerate(out):
        row["number"] = 310 + number
        row["url"] = f"https://github.com/northbeam/core/issues/{row['number']}"
    heads = [
        "number",
        "title",
        "state",
        "state_reason",
        "user.login",
        "assignee.login",
        "labels",
        "milestone.title",
        "comments",
        "reactions",
        "created_at",
        "updated_at",
        "closed_at",
        "html_url",
    ]

    def shown(row):
        row = dict(row)
        for name in ("created", "updated", "closed"):
            row[name] = f"{row[name]:%Y-%m-%dT%H:%M:%SZ}" if row[name] else ""
        return ["" if value is None else value for value in row.values()]

    return [], heads, out, shown, []


def incidents(r):
    services = [
        ("Checkout API", "Payments"),
        ("Ledger", "Payments"),
        ("Search", "Platform"),
        ("Auth", "Platform"),
        ("Data Pipeline", "Data"),
        ("Mobile Gateway", "Apps"),
    ]
    people = ["Ines Park", "Rob Tully", "Yara Haddad", "Max Stein", "Lila Moss"]
    out = []
    for _ in range(1300):
        service, team = pick(r, [(s, w) for s, w in zip(services, (30, 10, 20, 15, 18, 7))])
        created = moment(r, date(2025, 4, 1))
        urgency = pick(r, [("high", 62), ("low", 38)])
        ack = int(r.lognormvariate(4.8 if urgency == "high" else 6.5, 0.9))
        resolve = ack + int(r.lognormvariate(7.6, 1.0))
        done = (created + timedelta(seconds=resolve)) if r.random() < 0.985 else None
        if done is not None and done.date() > LAST:
            done = None
        auto = done is not None and r.random() < 0.3
        noack = auto and r.random() < 0.6
        out.append(
            dict(
                number=0,
                id="",
                description=r.choice(
                    [
                        "CPU above 90%",
                        "p95 latency above 2 s",
                        "Disk almost full",
                        "5xx rate high",
                        "Certificate expires",
                        "Queue backlog",
                    ]
                ),
                service=service,
                policy=f"{team} on-call",
                created=created,
                resolved=done,
                urgency=urgency,
                priority=pick(r, [("P1", 6), ("P2", 18), ("P3", 46), ("P4", 30)]),
                status="resolved" if done else pick(r, [("acknowledged", 6), ("triggered", 4)]),
                assigned=r.choice(people),
                auto=auto,
                ack=None if noack else ack,
                resolve=resolve if done else None,
                escalations=r.choices([0, 1, 2], [85, 12, 3])[0],
                reassigns=r.choices([0, 1, 2], [80, 15, 5])[0],
                team=team,
                resolver=None if auto or not done else r.choice(people),
            )
        )
    out.sort(key=lambda row: row["created"])
    for number, row in enumerate(out):
        row["number"], row["id"] = 88110 + number, f"Q{r.getrandbits(52):013X}"
    heads = [
        "Incident Number",
        "ID",
        "Description",
        "Service Name",
        "Escalation Policy Name",
        "Created On",
        "Resolved On",
        "Urgency",
        "Priority",
        "Status",
        "Assigned To",
        "Auto Resolved",
        "Seconds To First Ack",
        "Seconds To Resolve",
        "Auto Escalations",
        "Reassigns",
        "Teams",
        "Resolved By",
    ]

    def shown(row):
        row = dict(row, auto="TRUE" if row["auto"] else "FALSE")
        for name in ("created", "resolved"):
            row[name] = f"{row[name]:%Y-%m-%dT%H:%M:%S-05:00}" if row[name] else ""
        return ["" if value is None else value for value in row.values()]

    return [], heads, out, shown, []


def roster(r):
    families = [
        ("Engineering", 34, 118000),
        ("Sales", 22, 84000),
        ("Customer Support", 18, 56000),
        ("Finance", 8, 92000),
        ("People", 6, 78000),
        ("Marketing", 12, 81000),
    ]
    places = [("Denver", 40), ("Austin", 25), ("London", 20), ("Remote - US", 15)]
    managers = {family: [person(r) for _ in range(3)] for family, *_ in families}
    out = []
    for number in range(720):
        family, _, base = pick(r, [(f, f[1]) for f in families])
        level = pick(r, [("Individual Contributor", 76), ("Manager", 17), ("Director", 6), ("Vice President", 1)])
        hired = day(r, date(2016, 1, 4), date(2026, 11, 10))
        gone = r.random() < 0.24
        left = hired + timedelta(days=r.randint(60, 1800)) if gone else None
        if left and left > LAST:
            left = None
        kind = pick(r, [("Regular", 88), ("Contractor", 9), ("Intern", 3)])
        part = r.random() < 0.09
        pay = float(
            round(
                base
                * {"Individual Contributor": 1, "Manager": 1.35, "Director": 1.8, "Vice President": 2.4}[level]
                * r.uniform(0.8, 1.25),
                -2,
            )
        )
        out.append(
            dict(
                id=f"{100245 + number}",
                worker=person(r),
                title=f"{family} {level if level != 'Individual Contributor' else 'Specialist'}",
                family=family,
                level=level,
                organization=f"{family} ({r.choice(managers[family])})",
                location=pick(r, places),
                hired=hired,
                left=left,
                reason=pick(r, [("Voluntary", 65), ("Involuntary", 25), ("End of Contract", 10)]) if left else None,
                kind=kind,
                time="Part time" if part else "Full time",
                fte=round(r.choice([0.5, 0.6, 0.8]), 1) if part else 1.0,
                manager=r.choice(managers[family]),
                pay=None if kind == "Contractor" else pay,
                currency="GBP" if False else "USD",
                grade=f"G{r.randint(3, 9)}",
                gender=pick(r, [("Female", 47), ("Male", 50), ("Not Declared", 3)]),
                born=day(r, date(1962, 1, 1), date(2003, 12, 31)),
                remote=pick(r, [("Yes", 35), ("No", 65)]),
            )
        )
    heads = [
        "Employee ID",
        "Worker",
        "Business Title",
        "Job Family",
        "Management Level",
        "Supervisory Organization",
        "Location",
        "Hire Date",
        "Termination Date",
        "Termination Reason",
        "Worker Type",
        "Time Type",
        "FTE",
        "Manager",
        "Annual Base Pay",
        "Currency",
        "Compensation Grade",
        "Gender",
        "Date of Birth",
        "Works Remotely?",
    ]

    def shown(row):
        row = dict(row)
        for name in ("hired", "left", "born"):
            row[name] = f"{row[name]:%m/%d/%Y}" if row[name] else ""
        row["pay"] = money(row["pay"])
        return ["" if value is None else value for value in row.values()]

    return [["Headcount - Active and Terminated Workers"], ["Effective as of 11/20/2026"], []], heads, out, shown, []


def aws_costs(r):
    services = [
        ("AmazonEC2", "BoxUsage:m5.large", "Hrs", 0.096, 700),
        ("AmazonEC2", "BoxUsage:c6i.xlarge", "Hrs", 0.17, 500),
        ("AmazonS3", "TimedStorage-ByteHrs", "GB-Mo", 0.023, 9000),
        ("AmazonRDS", "InstanceUsage:db.r5.large", "Hrs", 0.24, 400),
        ("AWSLambda", "Lambda-GB-Second", "Second", 0.0000167, 4000000),
        ("AmazonCloudWatch", "CW:MetricMonitorUsage", "Metrics", 0.3, 120),
        ("AWSDataTransfer", "DataTransfer-Out-Bytes", "GB", 0.09, 900),
    ]
    accounts = [("production", 60), ("staging", 25), ("sandbox", 15)]
    out = []
    for month in range(1, 12):
        for _ in range(190):
            product, usage, unit, rate, typical = r.choice(services)
            account = pick(r, accounts)
            when = datetime(2026, month, r.randint(1, 19 if month == 11 else 28), r.randrange(24))
            amount = round(
                typical / 30 * r.uniform(0.2, 1.8) * {"production": 1, "staging": 0.4, "sandbox": 0.15}[account], 4
            )
            kind = pick(r, [("Usage", 88), ("Tax", 5), ("Credit", 4), ("Refund", 3)])
            cost = round(amount * rate, 6)
            cost = {"Usage": cost, "Tax": round(cost * 0.08, 6), "Credit": -round(cost * 0.5, 6), "Refund": -cost}[kind]
            out.append(
                dict(
                    id=f"{r.getrandbits(80):020x}",
                    bill=datetime(2026, month, 1),
                    account={"production": "402113977201", "staging": "519004418827", "sandbox": "733190275540"}[
                        account
                    ],
                    account_name=account,
                    kind=kind,
                    start=when,
                    product=product,
                    usage=usage,
                    region=pick(r, [("us-east-1", 55), ("eu-west-1", 30), ("ap-southeast-2", 15)]),
                    amount=amount,
                    unit=unit,
                    rate=rate,
                    cost=cost,
                    currency="USD",
                    environment={"production": "prod", "staging": "stage", "sandbox": "dev"}[account]
                    if r.random() < 0.85
                    else None,
                    team=pick(r, [("checkout", 30), ("search", 30), ("data", 25), ("mobile", 15)])
                    if r.random() < 0.8
                    else None,
                )
            )
    heads = [
        "identity/LineItemId",
        "bill/BillingPeriodStartDate",
        "lineItem/UsageAccountId",
        "lineItem/UsageAccountName",
        "lineItem/LineItemType",
        "lineItem/UsageStartDate",
        "lineItem/ProductCode",
        "lineItem/UsageType",
        "product/region",
        "lineItem/UsageAmount",
        "pricing/unit",
        "lineItem/UnblendedRate",
        "lineItem/UnblendedCost",
        "lineItem/CurrencyCode",
        "resourceTags/user:Environment",
        "resourceTags/user:Team",
    ]

    def shown(row):
        row = dict(row, rate=f"{row['rate']:.10f}", cost=f"{row['cost']:.10f}")
        for name in ("bill", "start"):
            row[name] = f"{row[name]:%Y-%m-%dT%H:%M:%SZ}"
        return ["" if value is None else value for value in row.values()]

    return [], heads, out, shown, []


FILES = {"issues": issues, "incidents": incidents, "roster": roster, "aws_costs": aws_costs}
SQL_TYPES = {str: "VARCHAR", float: "DOUBLE", int: "BIGINT", bool: "BOOLEAN", datetime: "TIMESTAMP", date: "DATE"}


def _columns(kinds):
    return ", ".join(f'"{column}" {SQL_TYPES[kind]}' for column, kind in kinds.items())


def main():
    os.makedirs(OUT, exist_ok=True)
    gold = os.path.join(OUT, "gold.duckdb")
    if os.path.exists(gold):
        os.remove(gold)
    connection = duckdb.connect(gold)
    for at, (name, make) in enumerate(FILES.items()):
        before, heads, rows, shown, after = make(random.Random(2200 + at))
        with open(os.path.join(OUT, f"{name}.csv"), "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            for line in before:
                writer.writerow(line)
            writer.writerow(heads)
            for row in rows:
                writer.writerow(shown(row))
            for line in after:
                writer.writerow(line)
        kinds = {
            column: next((type(row[column]) for row in rows if row[column] is not None), str) for column in rows[0]
        }
        connection.execute(f"CREATE TABLE {name} ({_columns(kinds)})")
        clean = os.path.join(OUT, f"{name}.clean")
        with open(clean, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows(
                [["" if row[column] is None else row[column] for column in kinds] for row in rows]
            )
        connection.execute(f"COPY {name} FROM '{clean}' (FORMAT csv, HEADER false)")
        os.remove(clean)
    connection.close()


if __name__ == "__main__":
    main()
