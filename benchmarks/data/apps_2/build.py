#!/usr/bin/env python3
"""Write two databases as applications keep them to databases/ (or the folder given). Standard library only, fixed seeds."""

import json
import os
import random
import sqlite3
import sys
from datetime import datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
NOW = datetime(2026, 11, 19, 18)
FIRST = [
    "Ada",
    "Bjorn",
    "Chiara",
    "Dan",
    "Edith",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Juri",
    "Kim",
    "Lena",
    "Milan",
    "Noor",
    "Otto",
    "Pia",
    "Rafael",
    "Sven",
    "Tessa",
    "Ugo",
]
LAST = [
    "Ahrens",
    "Bauer",
    "Conti",
    "Duval",
    "Ek",
    "Fuchs",
    "Gallo",
    "Hoff",
    "Iversen",
    "Jansen",
    "Kern",
    "Lopez",
    "Mertens",
    "Nagy",
    "Ortega",
    "Pohl",
    "Rossi",
    "Stein",
]


def moment(rng, start=datetime(2025, 1, 1), end=NOW):
    """A second between two, later ones somewhat more often."""
    return start + timedelta(seconds=int((end - start).total_seconds() * rng.random() ** 0.8))


def stamp(at):
    """A time stamp as Rails stores it."""
    return at.strftime("%Y-%m-%d %H:%M:%S") if at else None


def names(rng, count):
    """Different first and last names."""
    found = [(first, last) for first in FIRST for last in LAST]
    rng.shuffle(found)
    return found[:count]


def insert(db, table, rows):
    """All rows of a table."""
    db.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(rows[0]))})", rows)


def forge(db):
    """A code forge in the manner of GitLab: states as integers explained in comments, authors and assignees, soft deletes."""
    rng = random.Random(21)
    db.executescript("""
CREATE TABLE schema_migrations (version TEXT);
CREATE TABLE users (id INTEGER PRIMARY KEY, username TEXT, name TEXT, email TEXT, admin BOOLEAN, state TEXT, created_at DATETIME, last_activity_on DATE);
CREATE TABLE namespaces (id INTEGER PRIMARY KEY, name TEXT, path TEXT, owner_id INTEGER, type TEXT);
CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT, namespace_id INTEGER, creator_id INTEGER,
  visibility_level INTEGER, -- 0=private, 10=internal, 20=public
  star_count INTEGER, archived BOOLEAN, created_at DATETIME, deleted_at DATETIME);
CREATE TABLE milestones (id INTEGER PRIMARY KEY, project_id INTEGER, title TEXT, due_date DATE, state TEXT);
CREATE TABLE issues (id INTEGER PRIMARY KEY, iid INTEGER, project_id INTEGER, title TEXT, author_id INTEGER, closed_by_id INTEGER, milestone_id INTEGER,
  state_id INTEGER, -- 1: opened, 2: closed
  weight INTEGER, confidential BOOLEAN, created_at DATETIME, closed_at DATETIME);
CREATE TABLE issue_assignees (issue_id INTEGER, user_id INTEGER);
CREATE TABLE labels (id INTEGER PRIMARY KEY, title TEXT, color TEXT);
CREATE TABLE label_links (id INTEGER PRIMARY KEY, label_id INTEGER, issue_id INTEGER);
CREATE TABLE merge_requests (id INTEGER PRIMARY KEY, iid INTEGER, target_project_id INTEGER, title TEXT, author_id INTEGER, merge_user_id INTEGER, state TEXT,
  created_at DATETIME, merged_at DATETIME, additions INTEGER, deletions INTEGER);
CREATE TABLE notes (id INTEGER PRIMARY KEY, noteable_type TEXT, noteable_id INTEGER, author_id INTEGER, note TEXT, created_at DATETIME);
CREATE TABLE ci_runners (id INTEGER PRIMARY KEY, description TEXT, active BOOLEAN);
CREATE TABLE ci_pipelines (id INTEGER PRIMARY KEY, project_id INTEGER, user_id INTEGER, ref TEXT, status TEXT, duration INTEGER, created_at DATETIME);
CREATE TABLE ci_builds (id INTEGER PRIMARY KEY, pipeline_id INTEGER, name TEXT, stage TEXT, status TEXT, runner_id INTEGER, started_at INTEGER, finished_at INTEGER);
CREATE TABLE subscriptions (id INTEGER PRIMARY KEY, namespace_id INTEGER, plan TEXT, seats INTEGER, price_cents INTEGER, starts_on DATE, ends_on DATE);
""")
    insert(db, "schema_migrations", [(f"2025{n:010d}",) for n in range(12)])
    users = []
    for n, (first, last) in enumerate(names(rng, 140), 1):
        users.append(
            (
                n,
                f"{first[0]}{last}".lower() + str(n),
                f"{first} {last}",
                f"{first}.{last}@example.org".lower(),
                int(n < 4),
                rng.choice(["active"] * 8 + ["blocked", "deactivated"]),
                stamp(moment(rng, datetime(2023, 1, 1))),
                moment(rng, datetime(2026, 6, 1)).strftime("%Y-%m-%d"),
            )
        )
    insert(db, "users", users)
    groups = ["Payments", "Platform", "Mobile", "Data", "Website", "Research"]
    insert(
        db, "namespaces", [(n + 1, name, name.lower(), rng.randint(1, 30), "Group") for n, name in enumerate(groups)]
    )
    parts = ["api", "worker", "ui", "docs", "gateway", "ledger", "charts", "auth", "sdk"]
    projects = []
    for n in range(1, 43):
        projects.append(
            (
                n,
                f"{parts[n % 9]}-{n}",
                rng.randint(1, 6),
                rng.randint(1, 60),
                rng.choice([0, 0, 10, 20]),
                rng.randint(0, 90),
                int(rng.random() < 0.15),
                stamp(moment(rng, datetime(2023, 6, 1), datetime(2026, 3, 1))),
                stamp(moment(rng, datetime(2026, 3, 1))) if rng.random() < 0.07 else None,
            )
        )
    insert(db, "projects", projects)
    insert(
        db,
        "milestones",
        [
            (
                n,
                rng.randint(1, 42),
                f"v{n // 10}.{n % 10}",
                moment(rng, datetime(2026, 1, 1), datetime(2027, 2, 1)).strftime("%Y-%m-%d"),
                rng.choice(["active", "closed"]),
            )
            for n in range(10, 60)
        ],
    )
    labels = ["bug", "feature", "security", "documentation", "performance", "good first issue"]
    insert(db, "labels", [(n + 1, title, "#ff0000") for n, title in enumerate(labels)])
    issues, assignees, links = [], [], []
    for n in range(1, 1301):
        made = moment(rng)
        closed = made + timedelta(hours=rng.expovariate(1 / 200)) if rng.random() < 0.65 else None
        closed = closed if closed and closed < NOW else None
        issues.append(
            (
                n,
                n,
                min(42, 1 + int(rng.expovariate(1 / 12))),
                f"Issue about {rng.choice(parts)}",
                rng.randint(1, 130),
                rng.randint(1, 40) if closed else None,
                rng.choice([None, None, rng.randint(10, 59)]),
                2 if closed else 1,
                rng.choice([None, 1, 2, 3, 5, 8]),
                int(rng.random() < 0.05),
                stamp(made),
                stamp(closed),
            )
        )
        assignees += [(n, user) for user in rng.sample(range(1, 41), rng.choice([0, 1, 1, 1, 2]))]
        for label in rng.sample(range(1, 7), rng.choice([0, 1, 1, 2])):
            links.append((len(links) + 1, label, n))
    insert(db, "issues", issues)
    insert(db, "issue_assignees", assignees)
    insert(db, "label_links", links)
    requests = []
    for n in range(1, 901):
        made = moment(rng)
        state = rng.choice(["merged", "merged", "merged", "opened", "closed"])
        merged = min(NOW, made + timedelta(hours=rng.expovariate(1 / 50))) if state == "merged" else None
        requests.append(
            (
                n,
                n,
                min(42, 1 + int(rng.expovariate(1 / 12))),
                f"Change {rng.choice(parts)}",
                rng.randint(1, 60),
                rng.randint(1, 25) if merged else None,
                state,
                stamp(made),
                stamp(merged),
                rng.randint(1, 900),
                rng.randint(0, 400),
            )
        )
    insert(db, "merge_requests", requests)
    insert(
        db,
        "notes",
        [
            (
                n,
                rng.choice(["Issue", "Issue", "MergeRequest"]),
                rng.randint(1, 900),
                rng.randint(1, 130),
                "…",
                stamp(moment(rng)),
            )
            for n in range(1, 2001)
        ],
    )
    insert(
        db,
        "ci_runners",
        [
            (n, f"runner-{name}", int(n != 4))
            for n, name in enumerate(["linux-1", "linux-2", "mac-1", "windows-1", "gpu-1"], 1)
        ],
    )
    pipelines, builds = [], []
    for n in range(1, 901):
        at = moment(rng)
        status = rng.choice(["success"] * 6 + ["failed", "failed", "canceled"])
        pipelines.append(
            (
                n,
                min(42, 1 + int(rng.expovariate(1 / 12))),
                rng.randint(1, 60),
                rng.choice(["main", "main", "develop", "feature"]),
                status,
                rng.randint(60, 3000),
                stamp(at),
            )
        )
        for stage, name in (("build", "compile"), ("test", "unit tests"), ("deploy", "deploy staging")):
            begun = int(at.timestamp()) + rng.randint(1, 400)
            builds.append(
                (
                    len(builds) + 1,
                    n,
                    name,
                    stage,
                    "failed" if status == "failed" and stage == "test" else "success",
                    rng.randint(1, 5),
                    begun,
                    begun + rng.randint(10, 900),
                )
            )
    insert(db, "ci_pipelines", pipelines)
    insert(db, "ci_builds", builds)
    plans = {"premium": 2900, "ultimate": 9900}
    insert(
        db,
        "subscriptions",
        [
            (n, n, plan, seats, plans[plan] * seats, "2026-01-01", "2026-12-31")
            for n, (plan, seats) in enumerate(
                [("premium", 20), ("ultimate", 12), ("premium", 8), ("premium", 31), ("ultimate", 5)], 1
            )
        ],
    )


def clinic(db):
    """A practice in the manner of Django and Oracle: prefixes of apps, patients and doctors as people, codes in lookup tables, pence."""
    rng = random.Random(22)
    db.executescript("""
CREATE TABLE core_person (id INTEGER PRIMARY KEY, given_name TEXT, family_name TEXT, sex CHAR(1), birth_date TEXT, town TEXT, phone TEXT);
CREATE TABLE clinic_patient (id INTEGER PRIMARY KEY, person_id INTEGER, nhs_no TEXT, gp_id INTEGER, registered_on TEXT, is_active INTEGER, deceased_at TEXT);
CREATE TABLE clinic_practitioner (id INTEGER PRIMARY KEY, person_id INTEGER, specialty_id INTEGER, hired_on TEXT, left_on TEXT);
CREATE TABLE clinic_specialty (id INTEGER PRIMARY KEY, code TEXT, label TEXT);
CREATE TABLE clinic_room (id INTEGER PRIMARY KEY, name TEXT, floor INTEGER);
CREATE TABLE clinic_appointment (id INTEGER PRIMARY KEY, patient_id INTEGER, practitioner_id INTEGER, room_id INTEGER, status_cd TEXT, booked_at INTEGER,
  starts_at TEXT, ends_at TEXT, reason_id INTEGER, referred_by_id INTEGER, is_deleted INTEGER);
CREATE TABLE clinic_apptstatus (status_cd TEXT PRIMARY KEY, description TEXT);
CREATE TABLE clinic_reason (id INTEGER PRIMARY KEY, label TEXT);
CREATE TABLE rx_drug (id INTEGER PRIMARY KEY, name TEXT, form TEXT, unit_price_pence INTEGER);
CREATE TABLE rx_prescription (id INTEGER PRIMARY KEY, appointment_id INTEGER, drug_id INTEGER, quantity INTEGER, repeats INTEGER, issued_on TEXT);
CREATE TABLE lab_test (id INTEGER PRIMARY KEY, code TEXT, name TEXT);
CREATE TABLE lab_result (id INTEGER PRIMARY KEY, patient_id INTEGER, test_id INTEGER, requested_by_id INTEGER, value REAL,
  flag INTEGER, -- 0=normal, 1=high, 2=low
  reported_at TEXT);
CREATE TABLE billing_invoice (id INTEGER PRIMARY KEY, invoice_no TEXT, patient_id INTEGER, appointment_id INTEGER, total_pence INTEGER, issued_on TEXT, paid_on TEXT, meta TEXT);
CREATE TABLE django_session (session_key TEXT, expire_date TEXT);
""")
    people = names(rng, 330)
    towns = ["Ashby", "Ashby", "Brayton", "Corfe", "Dunwich"]
    insert(
        db,
        "core_person",
        [
            (
                n,
                first,
                last,
                rng.choice("FM"),
                f"{rng.randint(1935, 2022)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
                rng.choice(towns),
                f"01632 {n:06d}",
            )
            for n, (first, last) in enumerate(people, 1)
        ],
    )
    insert(
        db,
        "clinic_specialty",
        [
            (1, "GP", "General practice"),
            (2, "PED", "Paediatrics"),
            (3, "DERM", "Dermatology"),
            (4, "PHYS", "Physiotherapy"),
        ],
    )
    insert(
        db,
        "clinic_practitioner",
        [
            (
                n,
                n,
                rng.choice([1, 1, 1, 2, 3, 4]) if n > 4 else n,
                f"20{rng.randint(18, 24)}-0{rng.randint(1, 9)}-01",
                "2026-05-31" if n == 9 else None,
            )
            for n in range(1, 13)
        ],
    )
    insert(
        db,
        "clinic_patient",
        [
            (
                n,
                n + 15,
                f"943 {n:03d} {rng.randint(1000, 9999)}",
                rng.randint(1, 12),
                moment(rng, datetime(2022, 1, 1)).strftime("%Y-%m-%d"),
                int(rng.random() > 0.1),
                stamp(moment(rng)) if rng.random() < 0.02 else None,
            )
            for n in range(1, 301)
        ],
    )
    insert(
        db,
        "clinic_room",
        [(1, "Blue room", 0), (2, "Green room", 0), (3, "Treatment room", 1), (4, "Physio studio", 1)],
    )
    insert(
        db, "clinic_apptstatus", [("BK", "Booked"), ("AT", "Attended"), ("DNA", "Did not attend"), ("CX", "Cancelled")]
    )
    insert(
        db, "clinic_reason", [(1, "Check-up"), (2, "Vaccination"), (3, "Back pain"), (4, "Skin rash"), (5, "Follow-up")]
    )
    appointments, prescriptions, invoices = [], [], []
    for n in range(1, 2001):
        start = moment(rng, datetime(2025, 1, 1), datetime(2026, 12, 10)).replace(
            minute=rng.choice([0, 15, 30, 45]), second=0, hour=rng.randint(8, 17)
        )
        past = start < NOW
        status = rng.choice(["AT"] * 8 + ["DNA", "CX"]) if past else rng.choice(["BK", "BK", "BK", "CX"])
        patient = rng.choice([rng.randint(1, 290), rng.randint(1, 60)])
        booked = min(start, NOW) - timedelta(days=rng.randint(0, 40))
        appointments.append(
            (
                n,
                patient,
                rng.choice([1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11]),
                rng.randint(1, 4),
                status,
                int(booked.timestamp()),
                stamp(start),
                stamp(start + timedelta(minutes=rng.choice([10, 15, 20, 30]))),
                rng.choice([1, 1, 2, 3, 4, 5]),
                rng.randint(1, 12) if rng.random() < 0.3 else None,
                int(rng.random() < 0.02),
            )
        )
        if status == "AT":
            for _ in range(rng.choice([0, 0, 1, 2])):
                prescriptions.append(
                    (
                        len(prescriptions) + 1,
                        n,
                        rng.randint(1, 9),
                        rng.choice([14, 28, 56]),
                        rng.choice([0, 0, 1, 3]),
                        start.strftime("%Y-%m-%d"),
                    )
                )
            if rng.random() < 0.5:
                issued = start + timedelta(days=1)
                paid = issued + timedelta(days=rng.randint(1, 40)) if rng.random() < 0.8 else None
                paid = paid if paid and paid < NOW else None
                invoices.append(
                    (
                        len(invoices) + 1,
                        f"INV{10000 + len(invoices)}",
                        patient,
                        n,
                        rng.choice([2500, 4000, 6550, 9000, 12075]),
                        issued.strftime("%Y-%m-%d"),
                        paid.strftime("%Y-%m-%d") if paid else None,
                        json.dumps({"v": 1}),
                    )
                )
    insert(db, "clinic_appointment", appointments)
    insert(
        db,
        "rx_drug",
        [
            (n, name, form, pence)
            for n, (name, form, pence) in enumerate(
                [
                    ("Amoxicillin", "capsule", 12),
                    ("Ibuprofen", "tablet", 4),
                    ("Paracetamol", "tablet", 3),
                    ("Salbutamol", "inhaler", 350),
                    ("Omeprazole", "capsule", 9),
                    ("Cetirizine", "tablet", 5),
                    ("Hydrocortisone", "cream", 210),
                    ("Atorvastatin", "tablet", 11),
                    ("Metformin", "tablet", 6),
                ],
                1,
            )
        ],
    )
    insert(db, "rx_prescription", prescriptions)
    insert(
        db,
        "lab_test",
        [
            (1, "HBA1C", "Glycated haemoglobin"),
            (2, "TSH", "Thyroid"),
            (3, "CRP", "C-reactive protein"),
            (4, "CHOL", "Cholesterol"),
        ],
    )
    insert(
        db,
        "lab_result",
        [
            (
                n,
                rng.randint(1, 200),
                rng.randint(1, 4),
                rng.randint(1, 12),
                round(rng.uniform(1, 90), 1),
                rng.choice([0, 0, 0, 1, 2]),
                stamp(moment(rng)),
            )
            for n in range(1, 801)
        ],
    )
    insert(db, "billing_invoice", invoices)
    insert(db, "django_session", [(f"s{n}", stamp(NOW)) for n in range(30)])


def main():
    """Each database anew."""
    os.makedirs(OUT, exist_ok=True)
    for make in (forge, clinic):
        path = os.path.join(OUT, f"{make.__name__}.sqlite")
        if os.path.exists(path):
            os.remove(path)
        db = sqlite3.connect(path)
        make(db)
        db.commit()
        db.close()


main()
