#!/usr/bin/env python3
"""Write four databases as applications keep them to databases/ (or the folder given). Standard library only, fixed seeds."""

import json
import os
import random
import sqlite3
import sys
from datetime import datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
NOW = datetime(2026, 11, 19, 18)
FIRST = [
    "Anna",
    "Ben",
    "Carla",
    "David",
    "Elena",
    "Felix",
    "Gina",
    "Hassan",
    "Irene",
    "Jakob",
    "Kofi",
    "Laura",
    "Marco",
    "Nadia",
    "Oscar",
    "Priya",
    "Quentin",
    "Rita",
    "Samir",
    "Tara",
    "Uma",
    "Victor",
    "Wanda",
    "Xavier",
    "Yara",
    "Zoltan",
]
LAST = [
    "Adler",
    "Brandt",
    "Costa",
    "Dietz",
    "Egger",
    "Fontana",
    "Grau",
    "Huber",
    "Ismail",
    "Jensen",
    "Kraus",
    "Lindt",
    "Moretti",
    "Novak",
    "Okafor",
    "Peters",
    "Quist",
    "Roth",
    "Silva",
    "Tanaka",
    "Urban",
    "Vogel",
    "Weiss",
    "Yilmaz",
    "Zorn",
]


def people(rng, count):
    """Different full names."""
    names = [(first, last) for first in FIRST for last in LAST]
    rng.shuffle(names)
    return names[:count]


def moment(rng, start=datetime(2024, 10, 1), end=NOW):
    """A second of the working day, later ones somewhat more often."""
    span = (end - start).total_seconds()
    return start + timedelta(seconds=int(span * rng.random() ** 0.8))


def stamp(at):
    """A time stamp as Django and Rails store it."""
    return at.strftime("%Y-%m-%d %H:%M:%S") if at else None


def insert(db, table, rows):
    """All rows of a table."""
    db.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(rows[0]))})", rows)


def helpdesk(db):
    """A help desk in the manner of Django: table prefixes of apps, keys without declaration, choices as integers."""
    rng = random.Random(1)
    db.executescript("""
CREATE TABLE django_migrations (id INTEGER PRIMARY KEY, app TEXT, name TEXT, applied TEXT);
CREATE TABLE django_content_type (id INTEGER PRIMARY KEY, app_label TEXT, model TEXT);
CREATE TABLE auth_group (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE auth_user (id INTEGER PRIMARY KEY, password TEXT, last_login TEXT, is_superuser INTEGER, username TEXT,
  first_name TEXT, last_name TEXT, email TEXT, is_staff INTEGER, is_active INTEGER, date_joined TEXT);
CREATE TABLE auth_user_groups (id INTEGER PRIMARY KEY, user_id INTEGER, group_id INTEGER);
CREATE TABLE accounts_organization (id INTEGER PRIMARY KEY, name TEXT, plan TEXT, country_code TEXT, is_deleted INTEGER,
  created_at TEXT);
CREATE TABLE desk_queue (id INTEGER PRIMARY KEY, slug TEXT, title TEXT);
CREATE TABLE desk_ticketstatus (id INTEGER PRIMARY KEY, code TEXT, label TEXT, is_closed INTEGER);
CREATE TABLE desk_ticket (id INTEGER PRIMARY KEY, subject TEXT, queue_id INTEGER, organization_id INTEGER, created_by_id INTEGER,
  assigned_to_id INTEGER, status_id INTEGER,
  priority INTEGER, -- 1=low, 2=normal, 3=high, 4=urgent
  channel VARCHAR(10), created_at TEXT, updated_at TEXT, resolved_at TEXT, is_deleted INTEGER, extra TEXT);
CREATE TABLE desk_comment (id INTEGER PRIMARY KEY, ticket_id INTEGER, author_id INTEGER, body TEXT, is_internal INTEGER,
  created_at TEXT);
CREATE TABLE desk_tag (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE desk_ticket_tags (id INTEGER PRIMARY KEY, ticket_id INTEGER, tag_id INTEGER);
CREATE TABLE desk_satisfaction (id INTEGER PRIMARY KEY, ticket_id INTEGER, score INTEGER, comment TEXT, created_at TEXT);
CREATE TABLE billing_invoice (id INTEGER PRIMARY KEY, number TEXT, organization_id INTEGER, amount_cents INTEGER, currency TEXT,
  issued_on TEXT, due_on TEXT, paid_at TEXT);
CREATE TABLE billing_payment (id INTEGER PRIMARY KEY, invoice_id INTEGER, amount_cents INTEGER, method TEXT, received_at INTEGER);
CREATE TABLE time_entry (id INTEGER PRIMARY KEY, ticket_id INTEGER, user_id INTEGER, minutes INTEGER, billable INTEGER,
  entry_date TEXT);
""")
    apps = ["auth", "desk", "billing", "accounts"]
    insert(db, "django_migrations", [(n + 1, apps[n % 4], f"00{n:02d}_auto", stamp(moment(rng))) for n in range(24)])
    insert(db, "django_content_type", [(n + 1, apps[n % 4], f"model{n}") for n in range(12)])
    groups = ["Agents", "Team leads", "Billing", "Customers"]
    insert(db, "auth_group", [(n + 1, name) for n, name in enumerate(groups)])
    users, memberships = [], []
    for n, (first, last) in enumerate(people(rng, 160), 1):
        staff = int(n <= 18)
        joined = moment(rng, datetime(2023, 1, 1))
        login = None if rng.random() < 0.1 else stamp(moment(rng, max(joined, datetime(2026, 5, 1))))
        users.append(
            (
                n,
                "pbkdf2$x",
                login,
                int(n == 1),
                f"{first[0]}{last}".lower(),
                first,
                last,
                f"{first}.{last}@example.org".lower(),
                staff,
                int(rng.random() > 0.12),
                stamp(joined),
            )
        )
        group = rng.choice([1, 1, 1, 2, 3]) if staff else 4
        memberships.append((n, n, group))
    insert(db, "auth_user", users)
    insert(db, "auth_user_groups", memberships)
    names = [
        "Alpenglow",
        "Brightwater",
        "Cobalt Labs",
        "Dunmore",
        "Everline",
        "Foxglove",
        "Granite Bay",
        "Hartwell",
        "Ironbridge",
        "Juniper",
        "Kestrel",
        "Lakeside",
        "Montrose",
        "Northgate",
        "Oakfield",
        "Pinecrest",
        "Quarry Bank",
        "Riverstone",
        "Summit",
        "Thornbury",
        "Umberto",
        "Valleyview",
        "Westmark",
        "Yarrow",
        "Zenith",
        "Ashgrove",
        "Birchwood",
        "Cedarville",
    ]
    insert(
        db,
        "accounts_organization",
        [
            (
                n + 1,
                name,
                rng.choice(["free", "starter", "business", "business", "enterprise"]),
                rng.choice(["DE", "FR", "GB", "US", "US"]),
                int(rng.random() < 0.12),
                stamp(moment(rng, datetime(2023, 1, 1))),
            )
            for n, name in enumerate(names)
        ],
    )
    queues = [("support", "Support"), ("billing", "Billing"), ("bugs", "Bugs"), ("onboarding", "Onboarding")]
    insert(db, "desk_queue", [(n + 1, *queue) for n, queue in enumerate(queues)])
    states = [
        ("new", "New", 0),
        ("open", "Open", 0),
        ("pending", "Waiting for customer", 0),
        ("solved", "Solved", 1),
        ("closed", "Closed", 1),
    ]
    insert(db, "desk_ticketstatus", [(n + 1, *state) for n, state in enumerate(states)])
    tags = ["refund", "login", "outage", "feature-request", "vip", "api", "mobile"]
    insert(db, "desk_tag", [(n + 1, name) for n, name in enumerate(tags)])
    subjects = [
        "Cannot log in",
        "Invoice is wrong",
        "App crashes",
        "Please add export",
        "Slow dashboard",
        "Wrong address",
        "Password reset",
    ]
    tickets, comments, tagged, scores, entries = [], [], [], [], []
    for n in range(1, 1401):
        created = moment(rng)
        status = rng.choice([4, 4, 5, 5, 5, 5, 2, 3, 1])
        resolved = created + timedelta(hours=rng.expovariate(1 / 40)) if status > 3 else None
        if resolved and resolved > NOW:
            resolved = NOW
        agent = None if status == 1 or rng.random() < 0.05 else rng.randint(1, 16)
        tickets.append(
            (
                n,
                rng.choice(subjects),
                rng.choice([1, 1, 1, 2, 3, 3, 4]),
                rng.choice([*range(1, 27), 3, 3, 9, 9, 12]),
                rng.randint(19, 150),
                agent,
                status,
                rng.choice([1, 2, 2, 2, 3, 3, 4]),
                rng.choice(["email", "email", "web", "phone", "chat"]),
                stamp(created),
                stamp(resolved or created),
                stamp(resolved),
                int(rng.random() < 0.04),
                json.dumps({"browser": rng.choice(["firefox", "chrome"])}),
            )
        )
        for _ in range(rng.randint(0, 3)):
            comments.append(
                (len(comments) + 1, n, rng.randint(1, 150), "…", int(rng.random() < 0.3), stamp(moment(rng, created)))
            )
        for tag in rng.sample(range(1, 8), rng.choice([0, 0, 1, 1, 2])):
            tagged.append((len(tagged) + 1, n, tag))
        if resolved and rng.random() < 0.35:
            scores.append((len(scores) + 1, n, rng.choice([1, 2, 3, 4, 4, 5, 5]), None, stamp(resolved)))
        if agent and rng.random() < 0.8:
            entries.append(
                (
                    len(entries) + 1,
                    n,
                    agent,
                    rng.choice([5, 10, 15, 30, 45, 60]),
                    int(rng.random() < 0.6),
                    created.strftime("%Y-%m-%d"),
                )
            )
    for table, rows in (
        ("desk_ticket", tickets),
        ("desk_comment", comments),
        ("desk_ticket_tags", tagged),
        ("desk_satisfaction", scores),
        ("time_entry", entries),
    ):
        insert(db, table, rows)
    invoices, payments = [], []
    for n in range(1, 421):
        issued = moment(rng)
        paid = issued + timedelta(days=rng.randint(2, 50)) if rng.random() < 0.82 else None
        paid = paid if paid and paid < NOW else None
        amount = rng.choice([4900, 9900, 19900, 49900]) * rng.randint(1, 4)
        invoices.append(
            (
                n,
                f"INV-{n:05d}",
                rng.randint(1, 28),
                amount,
                "EUR",
                issued.strftime("%Y-%m-%d"),
                (issued + timedelta(days=30)).strftime("%Y-%m-%d"),
                stamp(paid),
            )
        )
        if paid:
            payments.append(
                (
                    len(payments) + 1,
                    n,
                    amount,
                    rng.choice(["card", "card", "transfer", "paypal"]),
                    int(paid.timestamp()),
                )
            )
    insert(db, "billing_invoice", invoices)
    insert(db, "billing_payment", payments)


def odoo(db):
    """An ERP in the manner of Odoo: states as short codes, names as JSON, one table of partners in several roles."""
    rng = random.Random(2)
    db.executescript("""
CREATE TABLE res_country (id INTEGER PRIMARY KEY, name TEXT, code TEXT);
CREATE TABLE res_company (id INTEGER PRIMARY KEY, name TEXT, partner_id INTEGER);
CREATE TABLE res_partner (id INTEGER PRIMARY KEY, name TEXT, display_name TEXT, email TEXT, city TEXT, country_id INTEGER, is_company INTEGER,
  customer_rank INTEGER, supplier_rank INTEGER, active INTEGER, create_date TEXT);
CREATE TABLE res_users (id INTEGER PRIMARY KEY, login TEXT, partner_id INTEGER, active INTEGER);
CREATE TABLE crm_team (id INTEGER PRIMARY KEY, name TEXT, user_id INTEGER);
CREATE TABLE crm_stage (id INTEGER PRIMARY KEY, name TEXT, sequence INTEGER, is_won INTEGER);
CREATE TABLE crm_lead (id INTEGER PRIMARY KEY, name TEXT, partner_id INTEGER, user_id INTEGER, team_id INTEGER, stage_id INTEGER,
  expected_revenue REAL, probability REAL, active INTEGER, create_date TEXT, date_closed TEXT);
CREATE TABLE product_category (id INTEGER PRIMARY KEY, name TEXT, parent_id INTEGER);
CREATE TABLE product_template (id INTEGER PRIMARY KEY, name TEXT, categ_id INTEGER, list_price REAL, type TEXT, active INTEGER);
CREATE TABLE product_product (id INTEGER PRIMARY KEY, product_tmpl_id INTEGER, default_code TEXT, barcode TEXT);
CREATE TABLE sale_order (id INTEGER PRIMARY KEY, name TEXT, partner_id INTEGER, user_id INTEGER, team_id INTEGER, state TEXT,
  date_order TEXT, amount_untaxed REAL, amount_tax REAL, amount_total REAL, invoice_status TEXT);
CREATE TABLE sale_order_line (id INTEGER PRIMARY KEY, order_id INTEGER, product_id INTEGER, product_uom_qty REAL, qty_delivered REAL,
  price_unit REAL, discount REAL, price_subtotal REAL);
CREATE TABLE purchase_order (id INTEGER PRIMARY KEY, name TEXT, partner_id INTEGER, user_id INTEGER, state TEXT, date_order TEXT, amount_total REAL);
CREATE TABLE stock_warehouse (id INTEGER PRIMARY KEY, name TEXT, code TEXT);
CREATE TABLE stock_picking (id INTEGER PRIMARY KEY, name TEXT, partner_id INTEGER, warehouse_id INTEGER, sale_id INTEGER, state TEXT,
  scheduled_date TEXT, date_done TEXT);
CREATE TABLE account_move (id INTEGER PRIMARY KEY, name TEXT, move_type TEXT, partner_id INTEGER, state TEXT, payment_state TEXT,
  invoice_date TEXT, invoice_date_due TEXT, amount_total REAL, amount_residual REAL);
""")
    countries = [
        ("Germany", "DE"),
        ("France", "FR"),
        ("Belgium", "BE"),
        ("Italy", "IT"),
        ("Austria", "AT"),
        ("Spain", "ES"),
    ]
    insert(db, "res_country", [(n + 1, *country) for n, country in enumerate(countries)])
    cities = {
        1: ["Berlin", "Hamburg"],
        2: ["Lyon", "Paris"],
        3: ["Ghent"],
        4: ["Turin", "Milan"],
        5: ["Graz"],
        6: ["Bilbao"],
    }
    partners = [
        (
            1,
            "Moosberg GmbH",
            "Moosberg GmbH",
            "info@moosberg.example",
            "Berlin",
            1,
            1,
            0,
            0,
            1,
            stamp(datetime(2022, 1, 3)),
        )
    ]
    insert(db, "res_company", [(1, "Moosberg GmbH", 1)])
    staff = people(rng, 120)
    for n in range(2, 10):
        name = " ".join(staff[n])
        partners.append((n, name, name, f"{n}@moosberg.example", "Berlin", 1, 0, 0, 0, 1, stamp(datetime(2022, 1, 4))))
    insert(db, "res_users", [(n - 1, f"{staff[n][0]}.{staff[n][1]}".lower(), n, int(n != 9)) for n in range(2, 10)])
    firms = [
        a + b
        for a in ["Nord", "Süd", "Alpen", "Rhein", "Terra", "Luna", "Silva", "Porto"]
        for b in ["bau", "tec", "mobil", "haus", "werk"]
    ]
    for n in range(10, 130):
        company = n < 50
        country = rng.choice([1, 1, 1, 2, 2, 3, 4, 4, 5, 6])
        name = firms[n - 10] if company else " ".join(staff[n - 50 + 30])
        supplier = company and n % 4 == 0
        partners.append(
            (
                n,
                name,
                name,
                f"mail{n}@example.org" if rng.random() > 0.1 else None,
                rng.choice(cities[country]),
                country,
                int(company),
                0 if supplier else rng.randint(1, 9),
                int(supplier),
                int(rng.random() > 0.06),
                stamp(moment(rng, datetime(2023, 1, 1))),
            )
        )
    insert(db, "res_partner", partners)
    customers = [p[0] for p in partners if p[7]]
    suppliers = [p[0] for p in partners if p[8]]
    insert(db, "crm_team", [(1, "Inside Sales", 2), (2, "Field Sales", 3), (3, "Website", None)])
    stages = [("New", 1, 0), ("Qualified", 2, 0), ("Proposition", 3, 0), ("Won", 4, 1)]
    insert(db, "crm_stage", [(n + 1, *stage) for n, stage in enumerate(stages)])
    leads = []
    for n in range(1, 501):
        made = moment(rng)
        stage = rng.choice([1, 1, 2, 2, 3, 4, 4])
        lost = stage < 4 and rng.random() < 0.25
        closed = made + timedelta(days=rng.randint(3, 60)) if stage == 4 or lost else None
        leads.append(
            (
                n,
                f"Office fit-out {n}",
                rng.choice(customers),
                rng.randint(1, 7),
                rng.choice([1, 1, 2, 3]),
                stage,
                round(rng.uniform(300, 20000), 2),
                100.0 if stage == 4 else 0.0 if lost else rng.choice([10.0, 25.0, 50.0, 75.0]),
                int(not lost),
                stamp(made),
                stamp(min(closed, NOW)) if closed else None,
            )
        )
    insert(db, "crm_lead", leads)
    insert(
        db,
        "product_category",
        [
            (1, "All", None),
            (2, "Furniture", 1),
            (3, "Desks", 2),
            (4, "Chairs", 2),
            (5, "Lighting", 1),
            (6, "Services", 1),
        ],
    )
    goods = [
        ("Standing desk", 3, 489),
        ("Corner desk", 3, 359),
        ("Folding desk", 3, 129),
        ("Office chair", 4, 219),
        ("Visitor chair", 4, 89),
        ("Bar stool", 4, 69),
        ("Desk lamp", 5, 39),
        ("Floor lamp", 5, 99),
        ("LED panel", 5, 149),
        ("Assembly", 6, 60),
        ("Delivery", 6, 35),
        ("Cabinet", 2, 279),
        ("Bookshelf", 2, 159),
        ("Meeting table", 2, 690),
    ]
    insert(
        db,
        "product_template",
        [
            (
                n + 1,
                json.dumps({"en_US": name}),
                cat,
                float(price),
                "service" if cat == 6 else "consu",
                int(name != "Bar stool"),
            )
            for n, (name, cat, price) in enumerate(goods)
        ],
    )
    variants = []
    for n in range(len(goods)):
        for k in range(1 if goods[n][1] == 6 else 2):
            variants.append((len(variants) + 1, n + 1, f"P{n + 1:02d}-{'AB'[k]}", str(40000000 + len(variants))))
    insert(db, "product_product", variants)
    orders, lines, pickings = [], [], []
    for n in range(1, 1001):
        at = moment(rng)
        state = rng.choice(["sale", "sale", "sale", "sale", "sale", "draft", "sent", "cancel"])
        customer = rng.choice(customers)
        net = 0.0
        for _ in range(rng.randint(1, 4)):
            variant = rng.choice(variants)
            price = float(goods[variant[1] - 1][2])
            qty, discount = float(rng.randint(1, 8)), float(rng.choice([0, 0, 0, 5, 10]))
            subtotal = round(price * qty * (1 - discount / 100), 2)
            net += subtotal
            lines.append(
                (
                    len(lines) + 1,
                    n,
                    variant[0],
                    qty,
                    qty if state == "sale" and rng.random() < 0.85 else 0.0,
                    price,
                    discount,
                    subtotal,
                )
            )
        orders.append(
            (
                n,
                f"S{n:05d}",
                customer,
                rng.choice([None, 1, 2, 3, 4, 5, 6, 7]),
                rng.choice([1, 1, 2, 3]),
                state,
                stamp(at),
                round(net, 2),
                round(net * 0.19, 2),
                round(net * 1.19, 2),
                {"sale": rng.choice(["invoiced", "to invoice"])}.get(state, "no"),
            )
        )
        if state == "sale":
            done = rng.random() < 0.85
            due = at + timedelta(days=rng.randint(2, 10))
            pickings.append(
                (
                    len(pickings) + 1,
                    f"WH/OUT/{n:05d}",
                    customer,
                    rng.choice([1, 1, 2]),
                    n,
                    "done" if done else rng.choice(["assigned", "waiting", "cancel"]),
                    stamp(due),
                    stamp(min(NOW, due + timedelta(days=rng.choice([-1, 0, 0, 1, 4])))) if done else None,
                )
            )
    insert(db, "sale_order", orders)
    insert(db, "sale_order_line", lines)
    insert(db, "stock_warehouse", [(1, "Berlin depot", "BER"), (2, "Lyon depot", "LYO")])
    insert(db, "stock_picking", pickings)
    insert(
        db,
        "purchase_order",
        [
            (
                n,
                f"P{n:05d}",
                rng.choice(suppliers),
                rng.randint(1, 7),
                rng.choice(["purchase", "purchase", "purchase", "draft", "cancel"]),
                stamp(moment(rng)),
                round(rng.uniform(200, 9000), 2),
            )
            for n in range(1, 261)
        ],
    )
    moves = []
    for n in range(1, 701):
        at = moment(rng)
        kind = rng.choice(["out_invoice", "out_invoice", "out_invoice", "out_refund", "in_invoice"])
        state = rng.choice(["posted"] * 8 + ["draft", "cancel"])
        total = round(rng.uniform(50, 6000), 2)
        pay = rng.choice(["paid", "paid", "paid", "not_paid", "partial"]) if state == "posted" else "not_paid"
        rest = {"paid": 0.0, "not_paid": total, "partial": round(total * 0.4, 2)}[pay]
        moves.append(
            (
                n,
                f"{'BILL' if kind == 'in_invoice' else 'INV'}/{at.year}/{n:04d}",
                kind,
                rng.choice(suppliers if kind == "in_invoice" else customers),
                state,
                pay,
                at.strftime("%Y-%m-%d"),
                (at + timedelta(days=30)).strftime("%Y-%m-%d"),
                total,
                rest,
            )
        )
    insert(db, "account_move", moves)


def forum(db):
    """A forum in the manner of Rails: deleted_at, lookup tables with codes, trust levels, counters, visits by day."""
    rng = random.Random(3)
    db.executescript("""
CREATE TABLE schema_migrations (version TEXT);
CREATE TABLE users (id INTEGER PRIMARY KEY, username TEXT, name TEXT, created_at DATETIME, last_seen_at DATETIME, trust_level INTEGER, admin BOOLEAN,
  moderator BOOLEAN, suspended_till DATETIME, invited_by_id INTEGER);
CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT, slug TEXT, parent_category_id INTEGER, read_restricted BOOLEAN);
CREATE TABLE topics (id INTEGER PRIMARY KEY, title TEXT, user_id INTEGER, category_id INTEGER, last_post_user_id INTEGER, views INTEGER, posts_count INTEGER,
  like_count INTEGER, closed BOOLEAN, pinned_at DATETIME, archetype TEXT, created_at DATETIME, deleted_at DATETIME, deleted_by_id INTEGER);
CREATE TABLE posts (id INTEGER PRIMARY KEY, topic_id INTEGER, user_id INTEGER, post_number INTEGER, reply_to_post_number INTEGER, raw TEXT, word_count INTEGER,
  like_count INTEGER, created_at DATETIME, deleted_at DATETIME);
CREATE TABLE post_action_types (id INTEGER PRIMARY KEY, name_key TEXT, is_flag BOOLEAN);
CREATE TABLE post_actions (id INTEGER PRIMARY KEY, post_id INTEGER, user_id INTEGER, post_action_type_id INTEGER, created_at DATETIME, deleted_at DATETIME);
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE topic_tags (topic_id INTEGER, tag_id INTEGER);
CREATE TABLE badges (id INTEGER PRIMARY KEY, name TEXT, badge_type_id INTEGER);
CREATE TABLE badge_types (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE user_badges (id INTEGER PRIMARY KEY, badge_id INTEGER, user_id INTEGER, granted_at DATETIME);
CREATE TABLE user_visits (id INTEGER PRIMARY KEY, user_id INTEGER, visited_at DATE, posts_read INTEGER, mobile BOOLEAN);
CREATE TABLE groups (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE group_users (group_id INTEGER, user_id INTEGER, owner BOOLEAN);
""")
    insert(db, "schema_migrations", [(f"2024{n:010d}",) for n in range(20)])
    users = []
    for n, (first, last) in enumerate(people(rng, 220), 1):
        made = moment(rng, datetime(2023, 6, 1))
        users.append(
            (
                n,
                f"{first.lower()}{last[:2].lower()}{n}",
                f"{first} {last}" if rng.random() > 0.1 else None,
                stamp(made),
                stamp(moment(rng, made)),
                rng.choice([0, 1, 1, 2, 2, 3, 4]),
                int(n <= 2),
                int(n in (3, 4, 5)),
                stamp(datetime(2027, 6, 1)) if rng.random() < 0.03 else None,
                rng.randint(1, 30) if rng.random() < 0.4 else None,
            )
        )
    insert(db, "users", users)
    insert(
        db,
        "categories",
        [
            (1, "General", "general", None, 0),
            (2, "Help", "help", None, 0),
            (3, "Installation", "installation", 2, 0),
            (4, "Showcase", "showcase", None, 0),
            (5, "Staff", "staff", None, 1),
            (6, "Feedback", "feedback", None, 0),
        ],
    )
    names = ["beginner", "linux", "windows", "bug", "idea", "hardware", "solved"]
    insert(db, "tags", [(n + 1, name) for n, name in enumerate(names)])
    words = ["How to", "Problem with", "Idea for", "Show your", "Update on", "Question about"]
    things = ["themes", "plugins", "backups", "search", "email", "images", "badges", "imports"]
    topics, posts, tagged = [], [], []
    for n in range(1, 701):
        made = moment(rng)
        author = rng.randint(1, 180)
        count = min(12, 1 + int(rng.expovariate(1 / 3)))
        gone = moment(rng, made) if rng.random() < 0.05 else None
        last = author
        likes = 0
        for k in range(1, count + 1):
            last = author if k == 1 else rng.randint(1, 200)
            got = rng.choice([0, 0, 1, 2, 5])
            likes += got
            at = made if k == 1 else moment(rng, made)
            posts.append(
                (
                    len(posts) + 1,
                    n,
                    last,
                    k,
                    rng.choice([None, 1]) if k > 2 else None,
                    "…",
                    rng.randint(5, 400),
                    got,
                    stamp(at),
                    stamp(at + timedelta(days=1)) if rng.random() < 0.04 else None,
                )
            )
        topics.append(
            (
                n,
                f"{rng.choice(words)} {rng.choice(things)}",
                author,
                rng.choice([1, 1, 2, 2, 2, 3, 3, 4, 5, 6]),
                last,
                rng.randint(3, 4000),
                count,
                likes,
                int(rng.random() < 0.15),
                stamp(made) if rng.random() < 0.01 else None,
                rng.choice(["regular"] * 9 + ["private_message"]),
                stamp(made),
                stamp(gone),
                rng.randint(1, 5) if gone else None,
            )
        )
        tagged += [(n, tag) for tag in rng.sample(range(1, 8), rng.choice([0, 1, 1, 2]))]
    insert(db, "topics", topics)
    insert(db, "posts", posts)
    insert(db, "topic_tags", tagged)
    insert(
        db,
        "post_action_types",
        [(1, "bookmark", 0), (2, "like", 0), (3, "off_topic", 1), (4, "inappropriate", 1), (8, "spam", 1)],
    )
    insert(
        db,
        "post_actions",
        [
            (
                n,
                rng.randint(1, len(posts)),
                rng.randint(1, 200),
                rng.choice([1, 2, 2, 2, 2, 2, 3, 4, 8]),
                stamp(moment(rng)),
                stamp(NOW) if rng.random() < 0.05 else None,
            )
            for n in range(1, 3001)
        ],
    )
    insert(db, "badge_types", [(1, "Gold"), (2, "Silver"), (3, "Bronze")])
    badges = [
        ("Basic", 3),
        ("Regular", 3),
        ("Leader", 1),
        ("Good Answer", 2),
        ("Great Answer", 1),
        ("First Like", 3),
        ("Anniversary", 2),
    ]
    insert(db, "badges", [(n + 1, *badge) for n, badge in enumerate(badges)])
    insert(
        db,
        "user_badges",
        [(n, rng.choice([1, 1, 2, 3, 4, 5, 6, 6, 7]), rng.randint(1, 200), stamp(moment(rng))) for n in range(1, 601)],
    )
    insert(
        db,
        "user_visits",
        [
            (n, rng.randint(1, 210), moment(rng).strftime("%Y-%m-%d"), rng.randint(0, 60), int(rng.random() < 0.4))
            for n in range(1, 3001)
        ],
    )
    insert(db, "groups", [(1, "admins"), (2, "moderators"), (3, "translators"), (4, "testers")])
    members = sorted({(rng.randint(1, 4), rng.randint(1, 200)) for _ in range(70)})
    insert(db, "group_users", [(group, user, int(rng.random() < 0.1)) for group, user in members])


def bikes(db):
    """A bicycle hire as an old desktop application keeps it: cryptic short names, codes with a table of their own, pence, epochs."""
    rng = random.Random(4)
    db.executescript("""
CREATE TABLE tblCust (CustID INTEGER PRIMARY KEY, FName TEXT, SName TEXT, DOB TEXT, Town TEXT, CustTypeCd TEXT, RegDt INTEGER, MktOptIn TEXT, DelFlg TEXT);
CREATE TABLE tlkCustType (Cd TEXT PRIMARY KEY, Descr TEXT);
CREATE TABLE tblStn (StnID INTEGER PRIMARY KEY, StnNm TEXT, Lat REAL, Lng REAL, Cap INTEGER, OpenDt TEXT);
CREATE TABLE tblBike (BikeID INTEGER PRIMARY KEY, FrameNo TEXT, ModelID INTEGER, PurchDt TEXT, PurchPrc REAL, StatCd INTEGER, HomeStnID INTEGER);
CREATE TABLE tlkBikeStat (StatCd INTEGER PRIMARY KEY, StatDesc TEXT);
CREATE TABLE tblModel (ModelID INTEGER PRIMARY KEY, ModelNm TEXT, MfrNm TEXT, ElecYN TEXT);
CREATE TABLE tblHire (HireID INTEGER PRIMARY KEY, CustID INTEGER, BikeID INTEGER, FromStnID INTEGER, ToStnID INTEGER, StartTs INTEGER, EndTs INTEGER, DistM INTEGER,
  FeePence INTEGER, PromoCd TEXT);
CREATE TABLE tblRepair (RepID INTEGER PRIMARY KEY, BikeID INTEGER, MechID INTEGER, FaultCd TEXT, RepDt TEXT, LabMin INTEGER, PartsPence INTEGER);
CREATE TABLE tlkFault (FaultCd TEXT PRIMARY KEY, FaultDesc TEXT);
CREATE TABLE tblMech (MechID INTEGER PRIMARY KEY, MechNm TEXT, StartDt TEXT, LeaveDt TEXT);
CREATE TABLE tblPmt (PmtID INTEGER PRIMARY KEY, HireID INTEGER, AmtPence INTEGER, PmtTs INTEGER, PmtMeth TEXT, OkYN TEXT);
""")
    kinds = [("A", "Annual member"), ("M", "Monthly member"), ("P", "Pay as you go"), ("S", "Student")]
    insert(db, "tlkCustType", kinds)
    towns = ["Ludlow", "Hereford", "Leominster", "Ross", "Malvern"]
    insert(
        db,
        "tblCust",
        [
            (
                n,
                first,
                last,
                f"{rng.randint(1950, 2007)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
                rng.choice([*towns, "Hereford", "Hereford", None]),
                rng.choice("AAMPPPS"),
                int(moment(rng, datetime(2023, 1, 1)).timestamp()),
                rng.choice("YN"),
                "Y" if rng.random() < 0.06 else "N",
            )
            for n, (first, last) in enumerate(people(rng, 240), 1)
        ],
    )
    stations = [
        "Castle Street",
        "High Town",
        "Station Road",
        "Riverside",
        "University",
        "Hospital",
        "Market Hall",
        "Belmont",
    ]
    insert(
        db,
        "tblStn",
        [
            (
                n + 1,
                name,
                52.05 + n / 100,
                -2.7 - n / 100,
                rng.choice([10, 15, 20, 30]),
                f"202{rng.randint(3, 5)}-0{rng.randint(1, 9)}-01",
            )
            for n, name in enumerate(stations)
        ],
    )
    insert(
        db,
        "tblModel",
        [
            (1, "Metro 3", "Raleigh", "N"),
            (2, "Metro 7", "Raleigh", "N"),
            (3, "Volt", "Gazelle", "Y"),
            (4, "Volt Plus", "Gazelle", "Y"),
            (5, "Cargo One", "Urban Arrow", "Y"),
        ],
    )
    insert(db, "tlkBikeStat", [(1, "In service"), (2, "In repair"), (3, "Stolen"), (9, "Scrapped")])
    insert(
        db,
        "tblBike",
        [
            (
                n,
                f"FR{n:05d}",
                rng.choice([1, 1, 2, 2, 3, 3, 4, 5]),
                moment(rng, datetime(2023, 1, 1)).strftime("%Y-%m-%d"),
                float(rng.choice([420, 560, 1450, 1890, 3900])),
                rng.choice([1] * 8 + [2, 2, 3, 9]),
                rng.randint(1, 8),
            )
            for n in range(1, 121)
        ],
    )
    hires, payments = [], []
    for n in range(1, 2601):
        at = moment(rng)
        minutes = 4 + int(rng.expovariate(1 / 25))
        open_hire = n % 400 == 0
        fee = 100 + 15 * minutes
        hires.append(
            (
                n,
                rng.choice([rng.randint(1, 230), rng.randint(1, 40)]),
                rng.randint(1, 115),
                rng.choice([1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8]),
                None if open_hire else rng.choice([1, 2, 3, 3, 4, 5, 5, 6, 7, 8]),
                int(at.timestamp()),
                None if open_hire else int((at + timedelta(minutes=minutes)).timestamp()),
                None if open_hire else minutes * rng.randint(120, 260),
                fee,
                rng.choice([None, None, None, "SPRING", "UNI10"]),
            )
        )
        if not open_hire:
            ok = "Y" if rng.random() > 0.05 else "N"
            payments.append(
                (
                    len(payments) + 1,
                    n,
                    fee,
                    int((at + timedelta(minutes=minutes)).timestamp()),
                    rng.choice(["CARD", "CARD", "APP", "CASH"]),
                    ok,
                )
            )
    insert(db, "tblHire", hires)
    insert(db, "tblPmt", payments)
    insert(
        db,
        "tlkFault",
        [("BRK", "Brakes"), ("TYR", "Puncture"), ("CHN", "Chain"), ("ELC", "Electrics"), ("FRM", "Frame")],
    )
    insert(
        db,
        "tblMech",
        [
            (1, "Dai Probert", "2023-02-01", None),
            (2, "Sue Wilding", "2023-05-15", None),
            (3, "Tom Hince", "2023-03-01", "2026-03-31"),
            (4, "Ola Berg", "2025-09-01", None),
        ],
    )
    insert(
        db,
        "tblRepair",
        [
            (
                n,
                rng.randint(1, 110),
                rng.choice([1, 1, 2, 3, 4, 4]),
                rng.choice(["BRK", "TYR", "TYR", "TYR", "CHN", "ELC", "FRM"]),
                moment(rng).strftime("%Y-%m-%d"),
                rng.choice([10, 15, 20, 30, 60, 90]),
                rng.choice([0, 250, 400, 1200, 3500]),
            )
            for n in range(1, 461)
        ],
    )


def main():
    """Each database anew."""
    os.makedirs(OUT, exist_ok=True)
    for make in (helpdesk, odoo, forum, bikes):
        path = os.path.join(OUT, f"{make.__name__}.sqlite")
        if os.path.exists(path):
            os.remove(path)
        db = sqlite3.connect(path)
        make(db)
        db.commit()
        db.close()


main()
