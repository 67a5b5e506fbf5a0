#!/usr/bin/env python3
"""Write six CSV files as business tools export them, and a DuckDB file with the same rows clean. Fixed seeds."""

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


def stripe(r):
    customers = []
    for number in range(420):
        name = person(r)
        customers.append(
            (
                f"cus_{r.getrandbits(56):014x}",
                name,
                f"{name.lower().replace(' ', '.')}{number}@{r.choice(['gmail.com', 'outlook.com', 'fathom.io', 'lumen.co'])}",
                pick(r, [("US", 50), ("GB", 18), ("DE", 12), ("CA", 10), ("AU", 6), ("FR", 4)]),
            )
        )
    out = []
    for _ in range(2200):
        customer = r.choice(customers)
        created = moment(r, date(2025, 1, 1))
        plan, price = pick(
            r,
            [
                (("Starter plan", 19.0), 40),
                (("Team plan", 79.0), 30),
                (("Business plan", 249.0), 15),
                (("Annual Team plan", 790.0), 5),
                (("Extra seats", None), 10),
            ],
        )
        amount = price or 15.0 * r.randint(1, 12)
        status = pick(r, [("Paid", 84), ("Failed", 9), ("Refunded", 7)])
        part = status == "Paid" and r.random() < 0.03
        refunded = amount if status == "Refunded" else round(amount * r.choice([0.25, 0.5]), 2) if part else 0.0
        refunded_at = created + timedelta(days=r.randint(1, 20), seconds=r.randrange(9999)) if refunded else None
        if refunded_at and refunded_at.date() > LAST:
            refunded_at = datetime.combine(LAST, datetime.min.time())
        disputed = status == "Paid" and not part and r.random() < 0.02
        out.append(
            dict(
                id=f"ch_{r.getrandbits(96):024x}"[:27],
                description=plan,
                seller_message="Payment complete."
                if status != "Failed"
                else pick(
                    r,
                    [
                        ("The bank returned the decline code `insufficient_funds`.", 6),
                        ("The bank did not return any further details with this decline.", 3),
                        ("Stripe blocked this payment as too risky.", 1),
                    ],
                ),
                created=created,
                amount=amount,
                refunded=refunded,
                currency="usd",
                fee=round(amount * 0.029 + 0.3, 2) if status != "Failed" else 0.0,
                mode="Live",
                status=status,
                descriptor="NORTHBEAM.IO",
                customer_id=customer[0],
                customer=customer[1],
                email=customer[2],
                captured=status != "Failed",
                last4=f"{r.randrange(10000):04d}",
                brand=pick(r, [("Visa", 52), ("MasterCard", 30), ("American Express", 12), ("Discover", 6)]),
                funding=pick(r, [("credit", 66), ("debit", 30), ("prepaid", 4)]),
                exp_month=r.randint(1, 12),
                exp_year=r.randint(2026, 2031),
                country=customer[3],
                disputed=amount if disputed else None,
                dispute_status=pick(r, [("won", 3), ("lost", 4), ("needs_response", 2)]) if disputed else None,
                refunded_at=refunded_at,
                invoice=f"in_{r.getrandbits(56):014x}" if r.random() < 0.8 else None,
            )
        )
    out.sort(key=lambda row: row["created"], reverse=True)
    heads = [
        "id",
        "Description",
        "Seller Message",
        "Created date (UTC)",
        "Amount",
        "Amount Refunded",
        "Currency",
        "Fee",
        "Mode",
        "Status",
        "Statement Descriptor",
        "Customer ID",
        "Customer Description",
        "Customer Email",
        "Captured",
        "Card Last4",
        "Card Brand",
        "Card Funding",
        "Card Exp Month",
        "Card Exp Year",
        "Card Issue Country",
        "Disputed Amount",
        "Dispute Status",
        "Refunded date (UTC)",
        "Invoice ID",
    ]

    def shown(row):
        row = dict(row, captured="true" if row["captured"] else "false")
        for name in ("created", "refunded_at"):
            row[name] = f"{row[name]:%Y-%m-%d %H:%M:%S}" if row[name] else ""
        for name in ("amount", "refunded", "fee", "disputed"):
            row[name] = "" if row[name] is None else f"{row[name]:.2f}"
        return list(row.values())

    return [], heads, out, shown, []


def opportunities(r):
    owners = [
        ("Jordan Blake", "West"),
        ("Mia Torres", "West"),
        ("Sam Whitfield", "East"),
        ("Aisha Rahman", "East"),
        ("Paul Kessler", "EMEA"),
        ("Ingrid Solberg", "EMEA"),
        ("Kenji Mori", "APAC"),
    ]
    odds = {
        "Prospecting": 10,
        "Qualification": 20,
        "Needs Analysis": 40,
        "Proposal/Price Quote": 65,
        "Negotiation/Review": 80,
        "Closed Won": 100,
        "Closed Lost": 0,
    }
    out = []
    for number in range(640):
        owner, team = r.choice(owners)
        created = day(r, date(2025, 1, 3), date(2026, 11, 10))
        close = created + timedelta(days=r.randint(15, 190))
        stage = (
            pick(r, [("Closed Won", 38), ("Closed Lost", 62)])
            if close <= LAST
            else pick(
                r,
                [
                    ("Prospecting", 25),
                    ("Qualification", 25),
                    ("Needs Analysis", 20),
                    ("Proposal/Price Quote", 18),
                    ("Negotiation/Review", 12),
                ],
            )
        )
        kind = pick(r, [("New Business", 55), ("Existing Business", 30), ("Renewal", 15)])
        account = r.choice(COMPANIES)
        amount = None if r.random() < 0.05 else float(round(r.lognormvariate(9.9, 0.8), -2))
        age = ((close if stage.startswith("Closed") else LAST) - created).days
        out.append(
            dict(
                owner=owner,
                role=f"{team} Sales",
                account=account,
                name=f"{account} - {r.choice(['Platform', 'Pilot', 'Expansion', 'Seats', 'Support'])} {created.year}",
                stage=stage,
                period=f"Q{(close.month - 1) // 3 + 1}-{close.year}",
                amount=amount,
                expected=None if amount is None else amount * odds[stage] / 100,
                probability=odds[stage],
                age=age,
                close=close,
                created=created,
                step=r.choice(["", "", "Send quote", "Demo", "Legal review", "Call CFO"]),
                source=pick(
                    r,
                    [
                        ("Web", 30),
                        ("Partner Referral", 20),
                        ("Trade Show", 12),
                        ("Phone Inquiry", 18),
                        ("Purchased List", 8),
                        ("Employee Referral", 12),
                    ],
                ),
                kind=kind,
                id=f"006{r.getrandbits(60):015X}",
                lost_reason=pick(r, [("Price", 40), ("Competitor", 25), ("No Budget", 20), ("No Decision", 15)])
                if stage == "Closed Lost"
                else None,
            )
        )
    heads = [
        "Opportunity Owner",
        "Owner Role",
        "Account Name",
        "Opportunity Name",
        "Stage",
        "Fiscal Period",
        "Amount",
        "Expected Revenue",
        "Probability (%)",
        "Age",
        "Close Date",
        "Created Date",
        "Next Step",
        "Lead Source",
        "Type",
        "Opportunity ID",
        "Loss Reason",
    ]

    def shown(row):
        row = dict(row)
        for name in ("close", "created"):
            row[name] = f"{row[name].month}/{row[name].day}/{row[name].year}"
        return ["" if value is None else value for value in row.values()]

    return (
        [],
        heads,
        out,
        shown,
        [
            [],
            ["Pipeline by owner"],
            ["Copyright (c) 2000-2026 salesforce.com, inc. All rights reserved."],
            ["Confidential Information - Do Not Distribute"],
        ],
    )


def invoices(r):
    customers = COMPANIES[5:38]
    services = [
        ("Drain cleaning", 180),
        ("Boiler service", 240),
        ("Leak repair", 150),
        ("Bathroom refit", 4200),
        ("Water heater install", 1850),
        ("Backflow test", 95),
        ("Emergency call-out", 320),
    ]
    out = []
    for number in range(900):
        when = day(r, date(2025, 1, 2))
        service, price = pick(r, [(s, 10) for s in services])
        qty = 1 if price > 1000 else r.randint(1, 4)
        terms = pick(r, [("Net 30", 55), ("Net 15", 30), ("Due on receipt", 15)])
        due = when + timedelta(days={"Net 30": 30, "Net 15": 15}.get(terms, 0))
        amount = round(price * qty * r.uniform(0.9, 1.15), 2)
        late = (LAST - due).days
        settled = r.random() < (0.93 if late > 30 else 0.7 if late > 0 else 0.35)
        part = not settled and r.random() < 0.2
        balance = 0.0 if settled else round(amount / 2, 2) if part else amount
        out.append(
            dict(
                when=when,
                type="Invoice",
                num=0,
                customer=r.choice(customers),
                memo=r.choice(["", "", "Thank you for your business", "PO on file", "Second visit"]),
                service=service,
                qty=qty,
                rate=round(amount / qty, 2),
                due=due,
                terms=terms,
                amount=amount,
                balance=balance,
                status="Paid" if settled else "Overdue" if due < LAST else "Open",
                rep=r.choice(["Dana", "Luis", "Petra", "Tom"]),
                sent=r.choice(["Sent", "Sent", "Not sent"]),
            )
        )
    out.sort(key=lambda row: row["when"])
    for number, row in enumerate(out):
        row["num"] = 2001 + number
    heads = [
        "Date",
        "Transaction Type",
        "Num",
        "Customer",
        "Memo/Description",
        "Product/Service",
        "Qty",
        "Rate",
        "Due Date",
        "Terms",
        "Amount",
        "Open Balance",
        "A/R Paid",
        "Sales Rep",
        "Delivery Status",
    ]

    def shown(row):
        row = dict(row)
        for name in ("when", "due"):
            row[name] = f"{row[name]:%m/%d/%Y}"
        for name in ("rate", "amount", "balance"):
            row[name] = money(row[name])
        return list(row.values())

    total = (
        ["TOTAL"]
        + [""] * 9
        + [money(sum(row["amount"] for row in out)), money(sum(row["balance"] for row in out)), "", "", ""]
    )
    return (
        [["Brightwater Plumbing LLC"], ["Invoice List by Date"], ["January 2025 - November 2026"], []],
        heads,
        out,
        shown,
        [total],
    )


def ads(r):
    campaigns = [
        ("Brand - Search", "Search", 0.09, 0.9, "Enabled"),
        ("Generic - Search", "Search", 0.03, 2.4, "Enabled"),
        ("Remarketing", "Display", 0.006, 0.5, "Enabled"),
        ("Summer Sale 2026", "Performance Max", 0.02, 1.1, "Paused"),
        ("YouTube Awareness", "Video", 0.004, 0.12, "Enabled"),
        ("Competitors - Search", "Search", 0.018, 3.6, "Paused"),
        ("Shopping - All products", "Shopping", 0.012, 0.7, "Enabled"),
    ]
    out = []
    when = date(2026, 1, 1)
    while when <= LAST:
        for name, kind, ctr, cpc, state in campaigns:
            if name.startswith("Summer") and not 5 <= when.month <= 8:
                continue
            if name.startswith("Competitors") and when > date(2026, 9, 30):
                continue
            for device, share in (("Computers", 0.38), ("Mobile phones", 0.54), ("Tablets", 0.08)):
                if device == "Tablets" and r.random() < 0.5:
                    continue
                impressions = int(r.uniform(2000, 9000) * share * (3 if kind in ("Display", "Video") else 1))
                clicks = min(impressions, int(impressions * ctr * r.uniform(0.7, 1.3)))
                cost = round(clicks * cpc * r.uniform(0.85, 1.2), 2)
                conversions = round(
                    clicks * {"Computers": 0.05, "Mobile phones": 0.025, "Tablets": 0.03}[device] * r.uniform(0.4, 1.6),
                    2,
                )
                value = round(conversions * r.uniform(40, 90), 2)
                out.append(
                    dict(
                        day=when,
                        campaign=name,
                        state=state,
                        kind=kind,
                        device=device,
                        currency="USD",
                        clicks=clicks,
                        impressions=impressions,
                        ctr=clicks / impressions,
                        cpc=round(cost / clicks, 2) if clicks else None,
                        cost=cost,
                        conversions=conversions,
                        cpa=round(cost / conversions, 2) if conversions else None,
                        rate=conversions / clicks if clicks else None,
                        value=value,
                    )
                )
        when += timedelta(days=3)
    heads = [
        "Day",
        "Campaign",
        "Campaign state",
        "Campaign type",
        "Device",
        "Currency code",
        "Clicks",
        "Impr.",
        "CTR",
        "Avg. CPC",
        "Cost",
        "Conversions",
        "Cost / conv.",
        "Conv. rate",
        "Conv. value",
    ]

    def shown(row):
        row = dict(
            row,
            impressions=f"{row['impressions']:,}",
            clicks=f"{row['clicks']:,}",
            ctr=f"{row['ctr']:.2%}",
            rate=" --" if row["rate"] is None else f"{row['rate']:.2%}",
            cost=money(row["cost"]),
            value=money(row["value"]),
            conversions=f"{row['conversions']:.2f}",
        )
        for name in ("cpc", "cpa"):
            row[name] = " --" if row[name] is None else f"{row[name]:.2f}"
        return list(row.values())

    return [["Campaign performance"], ["January 1, 2026 - November 19, 2026"]], heads, out, shown, []


def tickets(r):
    agents = [
        ("Bea Lund", "Tier 1"),
        ("Chidi Eze", "Tier 1"),
        ("Dora Pike", "Tier 1"),
        ("Evan Roth", "Tier 2"),
        ("Fay Ono", "Tier 2"),
        ("Gil Amos", "Billing"),
    ]
    orgs = COMPANIES[::3]
    out = []
    for number in range(1500):
        agent, group = r.choice(agents)
        created = moment(r, date(2025, 6, 1))
        priority = weighted(r, Low=20, Normal=50, High=22, Urgent=8)
        solve = created + timedelta(
            hours=r.lognormvariate({"Low": 4.2, "Normal": 3.6, "High": 3.0, "Urgent": 2.2}[priority], 0.8)
        )
        done = solve.date() <= LAST and r.random() < 0.95
        status = (
            pick(r, [("Closed", 70), ("Solved", 30)]) if done else weighted(r, New=15, Open=45, Pending=30, Hold=10)
        )
        score = weighted(r, Offered=40, Good=32, Bad=8, Unoffered=20) if done else "Unoffered"
        unassigned = status == "New"
        out.append(
            dict(
                id=48211 + number,
                subject=r.choice(
                    [
                        "Cannot log in",
                        "Refund request",
                        "Export fails",
                        "Invoice is wrong",
                        "App crashes on start",
                        "How do I add a user?",
                        "Slow dashboard",
                        "Password reset mail missing",
                    ]
                ),
                status=status,
                priority=priority,
                kind=weighted(r, Question=40, Problem=30, Incident=20, Task=10),
                via=pick(r, [("Email", 45), ("Web form", 25), ("Chat", 20), ("Phone", 10)]),
                requester=person(r),
                org=r.choice(orgs) if r.random() < 0.85 else None,
                assignee=None if unassigned else agent,
                group=group,
                tags=" ".join(r.sample(["billing", "login", "mobile", "vip", "bug", "how_to"], r.randint(0, 2))),
                created=created,
                updated=min(
                    datetime.combine(LAST, datetime.min.time()),
                    (solve if done else created) + timedelta(hours=r.randint(1, 40)),
                ),
                solved=solve if done else None,
                score=score,
                first_reply=None
                if unassigned
                else int(r.lognormvariate({"Low": 5.3, "Normal": 4.6, "High": 3.8, "Urgent": 2.9}[priority], 0.7)),
                resolution=int((solve - created).total_seconds() // 60) if done else None,
                reopens=r.choices([0, 1, 2], [86, 11, 3])[0],
                replies=r.randint(1, 9),
            )
        )
    out.sort(key=lambda row: row["created"])
    for number, row in enumerate(out):
        row["id"] = 48211 + number
    heads = [
        "Ticket ID",
        "Subject",
        "Ticket status",
        "Priority",
        "Type",
        "Channel",
        "Requester name",
        "Organization",
        "Assignee name",
        "Group",
        "Tags",
        "Created at",
        "Updated at",
        "Solved at",
        "Satisfaction rating",
        "First reply time (min)",
        "Full resolution time (min)",
        "Reopens",
        "Agent replies",
    ]

    def shown(row):
        row = dict(row)
        for name in ("created", "updated", "solved"):
            row[name] = f"{row[name]:%Y-%m-%dT%H:%M:%SZ}" if row[name] else ""
        return ["-" if value is None else value for value in row.values()]

    return [], heads, out, shown, []


def orders(r):
    products = [
        ("Linen Shirt", 59.0, "LS"),
        ("Canvas Tote", 24.0, "CT"),
        ("Wool Beanie", 29.0, "WB"),
        ("Denim Jacket", 119.0, "DJ"),
        ("Crew Socks 3-Pack", 18.0, "CS"),
        ("Rain Coat", 149.0, "RC"),
        ("Gift Card", 50.0, "GC"),
    ]
    cities = [
        ("Portland", "US"),
        ("Austin", "US"),
        ("Chicago", "US"),
        ("Toronto", "CA"),
        ("Vancouver", "CA"),
        ("London", "GB"),
        ("Leeds", "GB"),
        ("Berlin", "DE"),
        ("Dublin", "IE"),
    ]
    people = []
    for number in range(380):
        name = person(r)
        people.append(
            (
                name,
                f"{name.split()[0].lower()}{number}@{r.choice(['gmail.com', 'icloud.com', 'yahoo.com'])}",
                r.choice(cities),
                r.random() < 0.6,
            )
        )
    times = sorted(moment(r, date(2025, 3, 1)) for _ in range(1150))
    out = []
    for number, created in enumerate(times):
        name, email, (city, country), marketing = r.choice(people)
        lines = r.choices(products, k=r.choices([1, 2, 3], [65, 25, 10])[0])
        lines = list({line[0]: line for line in lines}.values())
        quantities = [r.choices([1, 2, 3], [78, 17, 5])[0] for _ in lines]
        subtotal = sum(line[1] * quantity for line, quantity in zip(lines, quantities))
        code = pick(r, [(None, 78), ("WELCOME10", 14), ("FALL20", 8)])
        discount = round(subtotal * {"WELCOME10": 0.1, "FALL20": 0.2}.get(code, 0), 2)
        shipping = pick(r, [("Standard", 70), ("Express", 20), ("Pickup", 10)])
        cost = {"Standard": 6.0, "Express": 15.0, "Pickup": 0.0}[shipping]
        taxes = round((subtotal - discount) * 0.08, 2)
        total = round(subtotal - discount + cost + taxes, 2)
        status = pick(r, [("paid", 86), ("refunded", 5), ("partially_refunded", 3), ("pending", 4), ("voided", 2)])
        age = (LAST - created.date()).days
        fulfilled = status not in ("pending", "voided") and r.random() < (0.98 if age > 7 else 0.4)
        cancelled = created + timedelta(hours=5) if status == "voided" else None
        refund = total if status == "refunded" else round(total / 3, 2) if status == "partially_refunded" else 0.0
        for at, (line, quantity) in enumerate(zip(lines, quantities)):
            head = at == 0
            out.append(
                dict(
                    name=f"#{1001 + number}",
                    email=email,
                    status=status if head else None,
                    paid=created + timedelta(minutes=2)
                    if head and status != "pending" and status != "voided"
                    else None,
                    fulfillment=("fulfilled" if fulfilled else "unfulfilled") if head else None,
                    fulfilled=created + timedelta(days=r.randint(1, 4)) if head and fulfilled else None,
                    marketing=("yes" if marketing else "no") if head else None,
                    currency="USD" if head else None,
                    subtotal=subtotal - discount if head else None,
                    shipping=cost if head else None,
                    taxes=taxes if head else None,
                    total=total if head else None,
                    code=code if head else None,
                    discount=discount if head else None,
                    method=shipping if head else None,
                    created=created,
                    quantity=quantity,
                    product=line[0],
                    price=line[1],
                    sku=f"{line[2]}-{r.choice(['S', 'M', 'L'])}",
                    vendor="Fernwood" if line[0] != "Gift Card" else "Shop",
                    billing=name if head else None,
                    city=city if head else None,
                    country=country if head else None,
                    cancelled=cancelled if head else None,
                    payment=pick(r, [("Shopify Payments", 74), ("PayPal Express Checkout", 20), ("Gift Card", 6)])
                    if head
                    else None,
                    refund=refund if head else None,
                    source=pick(r, [("web", 80), ("pos", 15), ("shopify_draft_order", 5)]) if head else None,
                )
            )
    out.reverse()
    out.sort(key=lambda row: int(row["name"][1:]), reverse=True)
    # The first line of an order has what belongs to the order.
    grouped = {}
    for row in out:
        grouped.setdefault(row["name"], []).append(row)
    out = [row for rows in grouped.values() for row in sorted(rows, key=lambda row: row["total"] is None)]
    heads = [
        "Name",
        "Email",
        "Financial Status",
        "Paid at",
        "Fulfillment Status",
        "Fulfilled at",
        "Accepts Marketing",
        "Currency",
        "Subtotal",
        "Shipping",
        "Taxes",
        "Total",
        "Discount Code",
        "Discount Amount",
        "Shipping Method",
        "Created at",
        "Lineitem quantity",
        "Lineitem name",
        "Lineitem price",
        "Lineitem sku",
        "Vendor",
        "Billing Name",
        "Billing City",
        "Billing Country",
        "Cancelled at",
        "Payment Method",
        "Refunded Amount",
        "Source",
    ]

    def shown(row):
        row = dict(row)
        for name in ("paid", "fulfilled", "created", "cancelled"):
            row[name] = f"{row[name]:%Y-%m-%d %H:%M:%S} -0500" if row[name] else ""
        for name in ("subtotal", "shipping", "taxes", "total", "discount", "price", "refund"):
            row[name] = "" if row[name] is None else f"{row[name]:.2f}"
        return ["" if value is None else value for value in row.values()]

    return [], heads, out, shown, []


FILES = {
    "stripe": stripe,
    "opportunities": opportunities,
    "invoices": invoices,
    "ads": ads,
    "tickets": tickets,
    "orders": orders,
}
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
        before, heads, rows, shown, after = make(random.Random(1200 + at))
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
