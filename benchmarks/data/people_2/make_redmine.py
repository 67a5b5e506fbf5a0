"""The tables of a Redmine installation, in miniature: the names are its own, the rows are invented."""

import random
import sqlite3
from datetime import date, datetime, timedelta

SCHEMA = """
CREATE TABLE projects (id INTEGER PRIMARY KEY, name TEXT, identifier TEXT, is_public INTEGER, parent_id INTEGER,
  status INTEGER, created_on TEXT);
CREATE TABLE trackers (id INTEGER PRIMARY KEY, name TEXT, position INTEGER);
CREATE TABLE issue_statuses (id INTEGER PRIMARY KEY, name TEXT, is_closed INTEGER, position INTEGER);
CREATE TABLE enumerations (id INTEGER PRIMARY KEY, name TEXT, position INTEGER, is_default INTEGER, type TEXT,
  active INTEGER);
CREATE TABLE users (id INTEGER PRIMARY KEY, login TEXT, firstname TEXT, lastname TEXT, admin INTEGER, status INTEGER,
  last_login_on TEXT, created_on TEXT);
CREATE TABLE versions (id INTEGER PRIMARY KEY, project_id INTEGER, name TEXT, effective_date TEXT, status TEXT);
CREATE TABLE issues (id INTEGER PRIMARY KEY, tracker_id INTEGER, project_id INTEGER, subject TEXT, due_date TEXT,
  status_id INTEGER, assigned_to_id INTEGER, priority_id INTEGER, fixed_version_id INTEGER, author_id INTEGER,
  created_on TEXT, updated_on TEXT, start_date TEXT, done_ratio INTEGER, estimated_hours REAL, parent_id INTEGER,
  closed_on TEXT);
CREATE TABLE time_entries (id INTEGER PRIMARY KEY, project_id INTEGER, user_id INTEGER, issue_id INTEGER, hours REAL,
  comments TEXT, activity_id INTEGER, spent_on TEXT);
"""
PROJECTS = [  # name, identifier, public, parent, status (1 active, 5 closed, 9 archived), share
    ("Customer Portal", "portal", 0, None, 1, 26),
    ("Mobile App", "mobile", 0, 1, 1, 20),
    ("Billing Engine", "billing", 0, None, 1, 17),
    ("Data Warehouse", "dwh", 0, None, 1, 12),
    ("Office IT", "office-it", 1, None, 1, 14),
    ("Legacy Intranet", "intranet", 0, None, 5, 6),
    ("Website Relaunch", "relaunch", 1, 1, 9, 5),
]
STATUSES = [("New", 0), ("In Progress", 0), ("Resolved", 0), ("Feedback", 0), ("Closed", 1), ("Rejected", 1)]
PRIORITIES = [("Low", 15), ("Normal", 52), ("High", 20), ("Urgent", 9), ("Immediate", 4)]
ACTIVITIES = [("Design", 12), ("Development", 48), ("Testing", 22), ("Meeting", 12), ("Documentation", 6)]
USERS = [  # login, first name, last name, admin, status (1 active, 3 locked), weight
    ("admin", "Redmine", "Admin", 1, 1, 1),
    ("hbauer", "Hanna", "Bauer", 0, 1, 16),
    ("tmoreno", "Tomas", "Moreno", 0, 1, 14),
    ("skhan", "Sadia", "Khan", 1, 1, 12),
    ("jlowe", "Jasper", "Lowe", 0, 1, 9),
    ("apetrov", "Anton", "Petrov", 0, 1, 13),
    ("mfischer", "Mara", "Fischer", 0, 1, 7),
    ("dnguyen", "Duc", "Nguyen", 0, 1, 10),
    ("cwright", "Colleen", "Wright", 0, 3, 5),
    ("rsato", "Ren", "Sato", 0, 1, 6),
    ("oldbot", "Import", "Robot", 0, 3, 0),
    ("bhall", "Becky", "Hall", 0, 1, 0),
]
VERBS = ["Fix", "Add", "Remove", "Speed up", "Rework", "Translate", "Document", "Investigate", "Test"]
THINGS = [
    "login page",
    "password reset",
    "CSV export",
    "invoice PDF",
    "dashboard chart",
    "search index",
    "push notifications",
    "nightly import",
    "user avatars",
    "tax rounding",
    "printer on floor 2",
    "VPN access",
    "session timeout",
    "dark mode",
    "API rate limit",
    "backup job",
]


def moment(day: date, rng: random.Random) -> str:
    at = datetime(day.year, day.month, day.day, rng.randint(7, 18), rng.randint(0, 59), rng.randint(0, 59))
    return at.strftime("%Y-%m-%d %H:%M:%S")


def fill_lookups(con: sqlite3.Connection, rng: random.Random) -> None:
    for number, (name, ident, public, parent, status, _) in enumerate(PROJECTS, 1):
        made = moment(date(2024, 1, 8) + timedelta(number * 31), rng)
        con.execute("INSERT INTO projects VALUES (?,?,?,?,?,?,?)", (number, name, ident, public, parent, status, made))
    con.executemany("INSERT INTO trackers VALUES (?,?,?)", [(1, "Bug", 1), (2, "Feature", 2), (3, "Support", 3)])
    for number, (name, closed) in enumerate(STATUSES, 1):
        con.execute("INSERT INTO issue_statuses VALUES (?,?,?,?)", (number, name, closed, number))
    for number, (name, _) in enumerate(PRIORITIES, 1):
        row = (number, name, number, int(name == "Normal"), "IssuePriority", 1)
        con.execute("INSERT INTO enumerations VALUES (?,?,?,?,?,?)", row)
    for number, (name, _) in enumerate(ACTIVITIES, 1):
        row = (number + 7, name, number, int(name == "Development"), "TimeEntryActivity", 1)
        con.execute("INSERT INTO enumerations VALUES (?,?,?,?,?,?)", row)
    for number, (login, first, last, admin, status, weight) in enumerate(USERS, 1):
        seen = None if login in ("oldbot", "bhall") else date(2026, 11, 13) - timedelta(60 // (weight + 1))
        seen = date(2026, 2, 27) if login == "cwright" else seen
        made = moment(date(2024, 1, 4) + timedelta(number * 40), rng)
        row = (number, login, first, last, admin, status, moment(seen, rng) if seen else None, made)
        con.execute("INSERT INTO users VALUES (?,?,?,?,?,?,?,?)", row)
    number = 0
    for project in range(1, 6):
        for minor in range(1, 6):
            number += 1
            due = date(2025, 3, 31) + timedelta(minor * 135 + project * 9)
            status = "closed" if due < date(2026, 10, 1) else "open"
            row = (number, project, f"{project}.{minor}", due.isoformat() if minor < 5 else None, status)
            con.execute("INSERT INTO versions VALUES (?,?,?,?,?)", row)


def redmine(con: sqlite3.Connection) -> None:
    rng = random.Random(4106)
    con.executescript(SCHEMA)
    fill_lookups(con, rng)
    first, last = date(2024, 10, 1), date(2026, 11, 13)
    days = sorted(first + timedelta(rng.randint(0, (last - first).days)) for _ in range(880))
    entry = 0
    for number, day in enumerate((d for d in days if d.weekday() < 5 or rng.random() < 0.1), 3001):
        project = rng.choices(range(1, 8), [p[5] for p in PROJECTS])[0]
        if project > 5 and day > date(2025, 12, 31):
            project = 1
        tracker = 3 if project == 5 and rng.random() < 0.7 else rng.choices([1, 2, 3], [50, 35, 15])[0]
        priority = rng.choices(range(1, 6), [p[1] for p in PRIORITIES])[0]
        who = rng.choices(range(1, 13), [u[5] for u in USERS])[0] if rng.random() < 0.91 else None
        took = round(rng.lognormvariate(2.6, 1.0) * (1.6 - priority * 0.2))
        done = day + timedelta(took)
        closed = done <= last and rng.random() < 0.9
        status = rng.choices([5, 6], [88, 12])[0] if closed else rng.choices([1, 2, 3, 4], [40, 35, 12, 13])[0]
        due = day + timedelta(rng.randint(3, 45)) if rng.random() < 0.55 else None
        ratio = 100 if status in (3, 5) else 0 if status in (1, 6) else rng.choice([10, 20, 30, 50, 70, 80, 90])
        estimate = rng.choice([1, 2, 2, 4, 4, 8, 8, 16, 24, 40]) if rng.random() < 0.6 else None
        version = (project - 1) * 5 + rng.randint(1, 5) if project < 6 and rng.random() < 0.5 else None
        subject = f"{rng.choice(VERBS)} {rng.choice(THINGS)}"
        parent = number - rng.randint(1, 40) if number > 3100 and rng.random() < 0.08 else None
        until = moment(done, rng) if closed else None
        updated = until or moment(min(last, day + timedelta(rng.randint(0, 60))), rng)
        author = rng.choices(range(1, 13), [u[5] + 1 for u in USERS])[0]
        row = (
            number,
            tracker,
            project,
            subject,
            due.isoformat() if due else None,
            status,
            who,
            priority,
            version,
            author,
        )
        row = (*row, moment(day, rng), updated, day.isoformat(), ratio, estimate, parent, until)
        con.execute(f"INSERT INTO issues VALUES ({','.join('?' * 17)})", row)
        for _ in range(rng.choice([0, 1, 2, 3, 4]) if who and status != 1 else 0):
            entry += 1
            worker = who if rng.random() < 0.8 else rng.choices(range(1, 13), [u[5] for u in USERS])[0]
            spent = min(last, day + timedelta(rng.randint(0, max(1, min(took, 60)))))
            activity = rng.choices(range(8, 13), [a[1] for a in ACTIVITIES])[0]
            hours = rng.choice([0.25, 0.5, 0.5, 1, 1, 1.5, 2, 3, 4, 6])
            note = rng.choice([None, None, "follow-up", "call with customer", "review", "deploy"])
            row = (entry, project, worker, number, hours, note, activity, spent.isoformat())
            con.execute("INSERT INTO time_entries VALUES (?,?,?,?,?,?,?,?)", row)
