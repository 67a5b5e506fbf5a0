#!/usr/bin/env python3
"""Write eight small SQLite databases to databases/ (or the folder given). Standard library only, fixed seeds."""

import os
import random
import sqlite3
import sys
from datetime import UTC, date, datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
D = date
LAST = D(2026, 11, 28)
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
FIRST = [
    "Aaron",
    "Bethan",
    "Carlos",
    "Daria",
    "Elliot",
    "Farah",
    "Gareth",
    "Hana",
    "Imran",
    "Jolene",
    "Keith",
    "Leila",
    "Marcus",
    "Nadia",
    "Oscar",
    "Priya",
    "Quentin",
    "Rhian",
    "Samir",
    "Tessa",
    "Umar",
    "Violet",
    "Will",
    "Xena",
    "Yasmin",
    "Zack",
    "Amara",
    "Boris",
    "Chloe",
    "Dev",
    "Esther",
    "Felix",
]
FAMILY = [
    "Akhtar",
    "Bowen",
    "Castillo",
    "Drummond",
    "Ellery",
    "Fontaine",
    "Grady",
    "Huxley",
    "Ibbotson",
    "Jarvis",
    "Kapoor",
    "Lomax",
    "Marsh",
    "Novak",
    "Osborne",
    "Petrov",
    "Quigley",
    "Rahman",
    "Sutton",
    "Tremlett",
    "Upton",
    "Vickers",
    "Walsh",
    "Xu",
    "Yates",
    "Zielinski",
]
XING = "陈李张吴周徐孙朱胡何沈韩杨许吕苏卢蒋"
MING = [
    "建华",
    "欣怡",
    "浩然",
    "雅婷",
    "俊杰",
    "梓涵",
    "晓东",
    "文静",
    "海涛",
    "思琪",
    "立新",
    "佳慧",
    "明轩",
    "艳红",
    "子豪",
    "春梅",
    "伟强",
    "诗雨",
    "志远",
    "丹丹",
]


def make(name, ddl, data):
    path = os.path.join(OUT, name + ".sqlite")
    if os.path.exists(path):
        os.remove(path)
    c = sqlite3.connect(path)
    c.executescript(ddl)
    for t, rows in data.items():
        c.executemany('INSERT INTO "%s" VALUES (%s)' % (t, ",".join("?" * len(rows[0]))), rows)
    c.commit()
    c.execute("VACUUM")
    c.close()


def export(name, table, columns, rows):
    """One table, as a file of comma-separated values comes out when it is imported; all is text but `*` columns."""
    types = [(c.lstrip("*"), "NUMERIC" if c[0] == "*" else "TEXT") for c in columns]
    make(name, 'CREATE TABLE "%s"(%s);' % (table, ", ".join('"%s" %s' % t for t in types)), {table: rows})


def pick(r, weights):
    return r.choices(list(weights), list(weights.values()))[0]


def day(r, a, b):
    return a + timedelta(days=r.randrange((b - a).days + 1))


def at(r, d, first=8, last=20):
    return datetime(d.year, d.month, d.day, r.randrange(first, last), r.randrange(60), r.randrange(60))


def names(r, n, first=FIRST, family=FAMILY, form="{0} {1}"):
    out = []
    while len(out) < n:
        x = form.format(r.choice(first), r.choice(family))
        if x not in out:
            out.append(x)
    return out


def token(r, prefix, n=14):
    return prefix + "".join(r.choices("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz0123456789", k=n))


def clock(t):
    return "%d:%02d %s" % (t.hour % 12 or 12, t.minute, "AM" if t.hour < 12 else "PM")


def payments():
    """A web tool's payments, as Stripe exports them: converted amounts beside those of the customer's currency."""
    r = random.Random(1401)
    people = []
    for k, n in enumerate(names(r, 95)):
        country = pick(r, {"US": 10, "GB": 4, "DE": 3, "FR": 2, "CA": 2, "AU": 1})
        joined = day(r, D(2025, 1, 2), D(2026, 11, 20))
        plan = pick(r, {"Starter": 8, "Team": 5, "Business": 2})
        mail = n.lower().replace(" ", ".") + "@example." + r.choice(["com", "com", "org", "net"])
        card = (
            "%04d" % r.randrange(10000),
            pick(r, {"Visa": 8, "MasterCard": 5, "American Express": 2, "Discover": 0.6}),
            pick(r, {"credit": 6, "debit": 5, "prepaid": 0.6}),
            str(r.randrange(1, 13)),
            str(r.randrange(2026, 2031)),
            country,
        )
        end = joined + timedelta(days=int(r.expovariate(1 / 420))) if r.random() < 0.5 else LAST
        people.append((token(r, "cus_"), n, mail, country, joined, min(end, LAST), plan, card, k))
    rows = []
    rate = {"usd": 1.0, "gbp": 1.27, "eur": 1.09}
    for cid, name, mail, country, joined, end, plan, card, k in people:
        currency = {"GB": "gbp", "DE": "eur", "FR": "eur"}.get(country, "usd")
        d, n = joined, 0
        kind = pick(r, {"card": 12, "link": 2, "us_bank_account": 2 if country == "US" else 0})
        while d <= end:
            n += 1
            amount = {"Starter": 19, "Team": 79, "Business": 249}[plan] * r.choice([1, 1, 1, 1, 1, 1, 1.5, 2])
            note = "Subscription update" if n > 1 else "Subscription creation"
            if r.random() < 0.05:
                amount, note = r.choice([450, 900, 1200, 1800]), "Onboarding workshop"
            u = r.random()
            status = "Failed" if u < 0.09 else "Refunded" if u < 0.135 else "canceled" if u < 0.145 else "Paid"
            t = at(r, d, 0, 24)
            back, back_at, why, said = 0, "", "", "Payment complete."
            if status == "Refunded" or (status == "Paid" and r.random() < 0.02):
                back = amount if status == "Refunded" else round(amount / 2, 2)
                back_at = str(min(t + timedelta(days=r.randrange(1, 20)), datetime(2026, 11, 28, 9)))
            if status == "Failed":
                why = pick(r, {"insufficient_funds": 6, "generic_decline": 4, "expired_card": 3, "do_not_honor": 2})
                said = {
                    "insufficient_funds": "The bank returned the decline code `insufficient_funds`.",
                    "expired_card": "The bank returned the decline code `expired_card`.",
                }.get(why, "The bank did not return any further details with this decline.")
            if status == "canceled":
                said = ""
            good = status in ("Paid", "Refunded")
            quarrel = ("", "", "", "")
            if status == "Paid" and r.random() < 0.022:
                quarrel = (
                    "%.2f" % amount,
                    str(min(t + timedelta(days=r.randrange(5, 40)), datetime(2026, 11, 27, 8))),
                    pick(r, {"fraudulent": 4, "product_not_received": 1, "subscription_canceled": 3, "duplicate": 1}),
                    pick(r, {"won": 2, "lost": 4, "under_review": 1}),
                )
            x = rate[currency]
            is_card = kind != "us_bank_account"
            rows.append(
                (
                    token(r, "py_" if kind == "us_bank_account" else "ch_3", 20),
                    str(t),
                    "%.2f" % amount,
                    "%.2f" % back,
                    currency,
                    "true" if good else "false",
                    "%.2f" % (amount * x),
                    "%.2f" % (back * x),
                    "usd",
                    why,
                    note,
                    "%.2f" % (amount * x * (0.029 if country == "US" else 0.039) + 0.3 if good else 0),
                    "Live",
                    token(r, "pi_3", 20),
                    kind,
                    back_at,
                    "PINELEAF APP",
                    status,
                    said,
                    *(card if is_card else [""] * 6),
                    cid,
                    name if k % 6 else "",
                    mail,
                    *quarrel,
                    "%s-%04d" % (token(random.Random(k), "", 8).upper(), n) if note != "Onboarding workshop" else "",
                    plan,
                )
            )
            d += timedelta(days=r.choice([30, 30, 31]))
    rows.sort(key=lambda x: x[1], reverse=True)
    columns = """id|Created date (UTC)|Amount|Amount Refunded|Currency|Captured|Converted Amount|Converted Amount Refunded
|Converted Currency|Decline Reason|Description|Fee|Mode|PaymentIntent ID|Payment Source Type|Refunded date (UTC)
|Statement Descriptor|Status|Seller Message|Card Last4|Card Brand|Card Funding|Card Exp Month|Card Exp Year
|Card Issue Country|Customer ID|Customer Description|Customer Email|Disputed Amount|Dispute Date (UTC)|Dispute Reason
|Dispute Status|Invoice Number|plan (metadata)"""
    export("stripe_payments", "unified_payments", columns.replace("\n", "").split("|"), rows)


def activities():
    """One person's training, as Strava exports it: two columns each of distance (km, m) and of elapsed time."""
    r = random.Random(1402)
    rows = []
    d, number = D(2024, 9, 2), 12200300400
    gear = {"Run": ["Pegasus 40", "Pegasus 40", "Speedgoat 5"], "Ride": ["Canyon Endurace", "Brompton"]}
    while d <= LAST:
        p = 0.5 + (0.16 if d.weekday() >= 5 else 0) + (0.1 if d.year == 2026 else 0)
        for _ in range((r.random() < p) + (r.random() < 0.12)):
            sort = pick(
                r, {"Run": 10, "Ride": 7, "Walk": 3, "Swim": 2, "Weight Training": 2.4, "Hike": 0.8, "Virtual Ride": 1}
            )
            if sort == "Hike" and d.weekday() < 5:
                sort = "Walk"
            km = {"Run": 8.2, "Ride": 31, "Walk": 4.1, "Swim": 1.6, "Hike": 13, "Virtual Ride": 22}.get(sort, 0)
            km = round(km * r.lognormvariate(0, 0.42), 2)
            to_work = sort == "Ride" and d.weekday() < 5 and r.random() < 0.55
            if to_work:
                km = round(r.uniform(6.1, 7.4), 2)
            pace = {"Run": 11.0, "Ride": 24, "Walk": 5.2, "Swim": 2.7, "Hike": 4.1, "Virtual Ride": 29}.get(sort, 1)
            moving = int(3600 * km / (pace * r.uniform(0.88, 1.13))) if km else r.randrange(1500, 4200)
            elapsed = int(moving * r.uniform(1.0, 1.28))
            hour = 7 if to_work else r.choice([6, 6, 7, 8, 12, 17, 18, 18, 19])
            t = datetime(d.year, d.month, d.day, hour, r.randrange(60), r.randrange(60))
            when = "Morning" if hour < 11 else "Lunch" if hour < 14 else "Afternoon" if hour < 18 else "Evening"
            name = "%s %s" % (when, sort)
            if to_work:
                name = "Commute"
            elif sort == "Run" and r.random() < 0.2:
                name = r.choice(["Parkrun", "Intervals", "Tempo", "Long run with Jo", "Hill reps"])
            heart = None if sort in ("Swim", "Walk") and r.random() < 0.6 else r.randrange(96, 162)
            climb = round(km * {"Run": 9, "Ride": 11, "Walk": 6, "Hike": 48}.get(sort, 0) * r.uniform(0.3, 1.9), 1)
            number += r.randrange(4_000_000, 19_000_000)
            rows.append(
                (
                    number,
                    "%s %d, %d, %d:%02d:%02d %s"
                    % (MONTHS[d.month - 1], d.day, d.year, hour % 12 or 12, t.minute, t.second, t.strftime("%p")),
                    name,
                    sort,
                    r.choice(
                        ["legs heavy", "windy", "felt great", "with the club", "rain all the way", "knee a bit sore"]
                    )
                    if r.random() < 0.12
                    else None,
                    elapsed,
                    "%.2f" % km,
                    heart and heart + r.randrange(8, 30),
                    heart and int(moving / 60 * (heart - 80) / 45),
                    "true" if to_work else "false",
                    ("Brompton" if to_work else r.choice(gear[sort])) if sort in gear and r.random() < 0.92 else None,
                    "activities/%d.fit.gz" % (number + 1111),
                    round(74.5 - (d - D(2024, 9, 2)).days * 0.004, 1),
                    elapsed,
                    moving,
                    round(km * 1000, 1),
                    round(km * 1000 / moving * r.uniform(1.2, 1.9), 2) if km else None,
                    round(km * 1000 / moving, 3) if km else None,
                    climb if km and sort != "Swim" else None,
                    heart,
                    round(r.uniform(130, 235), 1) if "Ride" in sort and not to_work else None,
                    int(moving / 3600 * {"Run": 720, "Ride": 560, "Swim": 480}.get(sort, 320) * r.uniform(0.9, 1.1)),
                    r.randrange(-1, 29) if sort in ("Run", "Ride") else None,
                )
            )
        d += timedelta(days=1)
    columns = """*Activity ID|Activity Date|Activity Name|Activity Type|Activity Description|*Elapsed Time|Distance
|*Max Heart Rate|*Relative Effort|Commute|Activity Gear|Filename|*Athlete Weight|*Elapsed Time.1|*Moving Time
|*Distance.1|*Max Speed|*Average Speed|*Elevation Gain|*Average Heart Rate|*Average Watts|*Calories
|*Average Temperature"""
    export("strava_activities", "activities", columns.replace("\n", "").split("|"), rows)


def issues():
    """A team's tickets, as Jira exports them: times like 03/Nov/26 9:14 AM, estimates in seconds."""
    r = random.Random(1403)
    team = ["%s %s" % n for n in zip(r.sample(FIRST, 11), r.sample(FAMILY, 11))]
    parts = ["Checkout", "Search", "Mobile app", "Accounts", "Reporting", "API"]
    things = "date picker|login page|PDF receipt|export button|coupon field|push message|search index|avatar|rate limit"
    troubles = {
        "Bug": [
            "is broken on Safari",
            "shows the wrong total",
            "crashes when empty",
            "times out",
            "ignores the locale",
        ],
        "Story": ["for guests", "with saved filters", "in dark mode", "for several currencies", "by voice"],
        "Task": ["clean-up", "documentation", "upgrade of libraries", "alerts"],
        "Sub-task": ["tests", "translations", "review"],
        "Spike": ["options", "cost of hosting"],
    }

    def stamp(t):
        return "%02d/%s/%02d %s" % (t.day, MONTHS[t.month - 1], t.year % 100, clock(t)) if t else ""

    created = sorted(at(r, day(r, D(2025, 6, 2), D(2026, 11, 27)), 8, 19) for _ in range(460))
    rows = []
    for k, t in enumerate(created):
        sort = pick(r, {"Bug": 9, "Story": 7, "Task": 6, "Sub-task": 3, "Spike": 0.8})
        priority = pick(r, {"Highest": 1, "High": 3, "Medium": 8, "Low": 4, "Lowest": 1})
        wait = r.expovariate(1 / {"Highest": 5, "High": 16, "Medium": 48, "Low": 110, "Lowest": 160}[priority])
        solved = t + timedelta(days=wait, minutes=r.randrange(600))
        solved = solved.replace(hour=9 + solved.hour % 9)
        state, result = "Done", "Done"
        if solved <= t or solved > datetime(2026, 11, 28):
            solved = None
            state, result = pick(r, {"To Do": 5, "In Progress": 4, "In Review": 2, "Blocked": 1}), ""
        elif r.random() < 0.14:
            state, result = "Closed", pick(r, {"Won't Do": 4, "Duplicate": 3, "Cannot Reproduce": 3})
        who = r.choices(team[:9], [9, 7, 6, 5, 5, 4, 3, 2, 1])[0] if r.random() < 0.88 else ""
        seen = solved or min(t + timedelta(days=r.expovariate(1 / 15)), datetime(2026, 11, 27, 18))
        due = t.date() + timedelta(days=r.randrange(5, 60)) if r.random() < 0.4 else None
        estimate = r.choice([1, 2, 4, 8, 16, 24]) * 3600 if r.random() < 0.55 else ""
        spent = int(estimate * r.uniform(0.4, 1.9) // 900 * 900) if estimate and state != "To Do" else ""
        sprint = 1 + (seen.date() - D(2025, 6, 2)).days // 14
        rows.append(
            (
                "%s %s" % (r.choice(things.split("|")).capitalize(), r.choice(troubles[sort])),
                "SHOP-%d" % (k + 101),
                20400 + k * 3,
                sort,
                state,
                "SHOP",
                "Web shop",
                priority,
                result,
                who,
                r.choices(team, [2, 2, 2, 2, 2, 2, 2, 2, 2, 9, 7])[0],
                stamp(t),
                stamp(seen),
                stamp(solved),
                r.choice(["3.%d" % (i // 3) for i in range(24)]) if sort == "Bug" and r.random() < 0.6 else "",
                "3.%d.0" % min(17, (solved - datetime(2025, 6, 1)).days // 32) if solved and state == "Done" else "",
                r.choices(parts, [6, 4, 5, 3, 3, 2])[0] if r.random() < 0.93 else "",
                "%02d/%s/%02d 12:00 AM" % (due.day, MONTHS[due.month - 1], due.year % 100) if due else "",
                pick(r, {0: 14, 1: 3, 2: 2, 3: 1, 5: 0.5}),
                r.choice(["customer-reported", "tech-debt", "a11y", "security"]) if r.random() < 0.35 else "",
                estimate,
                spent,
                pick(r, {"1.0": 3, "2.0": 5, "3.0": 5, "5.0": 4, "8.0": 2, "13.0": 0.7}) if sort == "Story" else "",
                "Sprint %d" % sprint if state != "To Do" else "",
            )
        )
    rows.reverse()
    columns = """Summary|Issue key|*Issue id|Issue Type|Status|Project key|Project name|Priority|Resolution|Assignee
|Reporter|Created|Updated|Resolved|Affects versions|Fix versions|Components|Due date|*Votes|Labels
|Original estimate|Time Spent|Custom field (Story Points)|Sprint"""
    export("jira_export", "jira_issues", columns.replace("\n", "").split("|"), rows)


def alipay():
    """One person's 支付宝 bill: amounts without a sign, 收/支 tells which way; order numbers end in a tab."""
    r = random.Random(1404)
    shops = {
        "餐饮美食": (["美团", "饿了么", "瑞幸咖啡", "沙县小吃", "海底捞"], 38, 9, "外卖订单 外卖订单 咖啡 午餐 火锅"),
        "交通出行": (["滴滴出行", "杭州地铁", "哈啰出行", "中国铁路12306"], 24, 6, "打车 地铁乘车 骑行 火车票"),
        "日用百货": (["天猫超市", "盒马", "全家便利店"], 62, 4, "日用品 生鲜 零食"),
        "服饰装扮": (["优衣库", "淘宝卖家小鹿家"], 210, 1.2, "T恤 羽绒服"),
        "数码电器": (["京东", "小米之家"], 640, 0.6, "键盘 耳机"),
        "充值缴费": (["中国移动", "杭州燃气"], 70, 1.2, "话费充值 燃气费"),
        "文化休闲": (["猫眼电影", "爱奇艺", "得到"], 45, 1.3, "电影票 会员月费 课程"),
        "医疗健康": (["浙一医院", "叮当快药"], 120, 0.5, "挂号费 药品"),
    }
    pays = {"花呗": 5, "余额宝": 4, "招商银行信用卡(3310)": 4, "建设银行储蓄卡(8821)": 2, "账户余额": 1}
    rows = []

    def add(t, sort, whom, thing, way, amount, pay, state, note=""):
        number = t.strftime("%Y%m%d") + "2200" + "%016d" % r.randrange(10**16) + "\t"
        own = "T%dP%d\t" % (r.randrange(10**9), r.randrange(10**12)) if way != "收入" and "转账" not in sort else ""
        account = token(r, "", 3).lower() + "***@example.com" if r.random() < 0.6 else "/"
        rows.append((str(t), sort, whom, account, thing, way, "%.2f" % amount, pay, state, number, own, note))

    d = D(2025, 1, 1)
    while d <= LAST:
        for _ in range(pick(r, {0: 3, 1: 5, 2: 2.4, 3: 0.7}) + (d.month == 11 and d.day == 11) * 6):
            sort = r.choices(list(shops), [s[2] for s in shops.values()])[0]
            if (d.month, d.day) == (11, 11) and r.random() < 0.7:
                sort = r.choice(["日用百货", "服饰装扮", "数码电器"])
            whom, mid, _w, goods = shops[sort]
            amount = max(1.5, mid * r.lognormvariate(0, 0.7))
            u, t, pay = r.random(), at(r, d, 7, 23), pick(r, pays)
            fresh = (LAST - d).days < 19 and sort in ("服饰装扮", "数码电器", "日用百货")
            state = "交易关闭" if u < 0.03 else "交易成功"
            way = "不计收支" if state == "交易关闭" else "支出"
            shop, thing = r.choice(list(zip(whom, goods.split())))
            fresh = fresh and shop in ("天猫超市", "淘宝卖家小鹿家", "京东")
            state = "等待确认收货" if fresh and state == "交易成功" else state
            add(t, sort, shop, thing, way, amount, pay if state != "交易关闭" else "", state)
            if state == "交易成功" and r.random() < 0.045:
                add(
                    min(t + timedelta(days=2), datetime(2026, 11, 28, 8)),
                    "退款",
                    shop,
                    "退款-" + thing,
                    "不计收支",
                    amount,
                    pay,
                    "退款成功",
                )
        if d.day == 5:
            add(
                at(r, d),
                "住房物业",
                "房东王阿姨",
                "房租",
                "支出",
                3200 if d.year == 2025 else 3400,
                "建设银行储蓄卡(8821)",
                "交易成功",
            )
        if d.day == 9:
            add(at(r, d), "信用借还", "花呗", "花呗主动还款", "不计收支", r.uniform(600, 2400), "余额宝", "还款成功")
        if d.day == 10:
            add(
                at(r, d),
                "工资薪金",
                "杭州云栖软件有限公司",
                "工资",
                "收入",
                r.uniform(13200, 13900),
                "账户余额",
                "交易成功",
            )
        if d.day == 18:
            heat = 1.9 if d.month in (1, 2, 7, 8, 12) else 1
            add(
                at(r, d),
                "充值缴费",
                "国网浙江电力",
                "电费",
                "支出",
                85 * heat * r.uniform(0.8, 1.25),
                "余额宝",
                "交易成功",
            )
        if d.day == 11:
            add(
                at(r, d),
                "投资理财",
                "余额宝",
                "余额宝-转入",
                "不计收支",
                r.choice([3000, 4000, 5000]),
                "账户余额",
                "交易成功",
            )
        if r.random() < 0.05:
            friend = r.choice(["小美", "阿强", "妈妈", "室友老周"])
            way = pick(r, {"支出": 5, "收入": 4})
            add(at(r, d), "转账红包", friend, r.choice(["转账", "收红包" if way == "收入" else "发红包", "AA收款"]), way,
                r.choice([20, 50, 66, 88.8, 100, 200, 520]), "账户余额" if way == "收入" else pick(r, pays), "交易成功",
                r.choice(["", "", "饭钱", "生日"]))  # fmt: skip
        d += timedelta(days=1)
    rows.sort(reverse=True)
    columns = [
        "交易时间",
        "交易分类",
        "交易对方",
        "对方账号",
        "商品说明",
        "收/支",
        "金额",
        "收/付款方式",
        "交易状态",
        "交易订单号",
        "商家订单号",
        "备注",
    ]
    export("支付宝账单", "支付宝交易明细", columns, rows)


def attendance():
    """An office's daily attendance, as 钉钉 exports it: dates like 26-11-03 星期二, results in words, minutes as text."""
    r = random.Random(1405)
    people = names(r, 27, MING, XING, "{1}{0}")
    teams = ["研发部"] * 10 + ["市场部"] * 5 + ["客服部"] * 6 + ["财务部"] * 3 + ["人事行政部"] * 3
    jobs = {"研发部": "工程师", "市场部": "市场专员", "客服部": "客服", "财务部": "会计", "人事行政部": "行政专员"}
    habit = [r.uniform(0.01, 0.17) for _ in people]
    holidays = {D(2026, 9, 25), *(D(2026, 10, k) for k in range(1, 8))}
    rows = []
    for k, (name, team) in enumerate(zip(people, teams)):
        d, away = (D(2026, 9, 1) if k != 25 else D(2026, 10, 12)), (None, None)
        while d <= LAST:
            free = d in holidays or d.weekday() >= 5
            label = "%s 星期%s" % (d.strftime("%y-%m-%d"), "一二三四五六日"[d.weekday()])
            start = datetime(d.year, d.month, d.day, 9)
            end = start + timedelta(hours=9)
            shift = "休息" if free else "A 09:00-18:00"
            come = go = first = second = form = None
            late = early = extra = 0
            if away[1] and d <= away[1] and not free:
                first = second = away[0]
                form = "%s %s 09:00到%s 18:00" % (away[0], d.strftime("%m-%d"), d.strftime("%m-%d"))
            elif free:
                if team in ("研发部", "客服部") and d not in holidays and r.random() < 0.07:
                    come = start + timedelta(minutes=r.randrange(10, 90))
                    go = come + timedelta(minutes=r.randrange(150, 500))
                    first = second = "正常"
                    extra = int((go - come).seconds / 60)
            else:
                u = r.random()
                if u < 0.016:
                    away = (r.choice(["事假", "年假", "年假", "病假", "出差"]), d + timedelta(days=r.randrange(4)))
                    continue
                if u < 0.025:
                    first = second = "旷工" if r.random() < 0.35 else "缺卡"
                else:
                    come = start + timedelta(minutes=r.randrange(-28, 1))
                    go = end + timedelta(minutes=int(r.expovariate(1 / (70 if team == "研发部" else 25))))
                    first = second = "正常"
                    if r.random() < habit[k]:
                        late = 1 + int(r.expovariate(1 / 14))
                        come, first = start + timedelta(minutes=late), "严重迟到" if late > 30 else "迟到"
                    if r.random() < 0.02:
                        early = r.randrange(5, 80)
                        go, second = end - timedelta(minutes=early), "早退"
                    if r.random() < 0.02:
                        go, second = None, "缺卡"
                    if team in ("市场部", "研发部") and r.random() < 0.03:
                        first = "外勤"
                        late = 0
                    if go and go >= end + timedelta(minutes=60):
                        extra = int((go - end).seconds / 60)
            hours = (go - come).seconds / 3600 if come and go else 0
            rows.append(
                (
                    name,
                    "云帆科技",
                    team,
                    "YF%03d" % (k * 3 + 12),
                    ("主管" if k in (0, 10, 15, 21, 24) else jobs[team]),
                    label,
                    shift,
                    come and come.strftime("%H:%M"),
                    first,
                    go and go.strftime("%H:%M"),
                    second,
                    form,
                    0 if free else 1,
                    "%.2f" % (max(0, hours - (1 if hours > 5 else 0))),
                    int(first == "迟到" or first == "严重迟到"),
                    late,
                    int(second == "早退"),
                    early,
                    int(first == "缺卡"),
                    int(second == "缺卡"),
                    "%.1f" % (extra / 60),
                )
            )
            d += timedelta(days=1)
    columns = """姓名 考勤组 部门 工号 职位 日期 班次 上班1打卡时间 上班1打卡结果 下班1打卡时间 下班1打卡结果 关联的审批单 *应出勤天数
工作时长(小时) *迟到次数 *迟到时长(分钟) *早退次数 *早退时长(分钟) *上班缺卡次数 *下班缺卡次数 加班时长(小时)"""
    export("钉钉考勤", "每日统计", columns.split(), rows)


def moodle():
    """A small college's courses in tables named as Moodle names them: times in epoch seconds, grade -1 is not graded."""
    r = random.Random(1406)

    def epoch(t):
        return int(t.replace(tzinfo=UTC).timestamp())

    roles = [(3, "editingteacher", "Teacher"), (4, "teacher", "Non-editing teacher"), (5, "student", "Student")]
    groups = [(1, "Sciences", 0), (2, "Humanities", 0), (3, "Computing", 1), (4, "Biology", 1), (5, "Languages", 2)]
    people = []
    for k, n in enumerate(names(r, 118)):
        a, b = n.split()
        made = at(r, day(r, D(2025, 8, 20), D(2025, 9, 20)) if k < 70 else day(r, D(2026, 8, 18), D(2026, 9, 18)))
        seen = epoch(at(r, day(r, D(2026, 9, 25), D(2026, 11, 27)))) if r.random() < 0.93 else 0
        people.append(
            (
                k + 2,
                (a[0] + b).lower() + str(k),
                a,
                b,
                "%s.%s@example.edu" % (a.lower(), b.lower()),
                pick(r, {"Leeds": 9, "Bradford": 4, "York": 3, "Harrogate": 2, "": 2}),
                seen,
                epoch(made),
                int(r.random() < 0.04),
            )
        )
    teachers, pupils = people[:9], people[9:]
    titles = [
        (3, "Introduction to Programming", "CS101"),
        (3, "Databases", "CS210"),
        (3, "Web Development", "CS220"),
        (4, "Cell Biology", "BIO110"),
        (4, "Genetics", "BIO230"),
        (1, "Statistics for Scientists", "STA150"),
        (5, "Spanish for Beginners", "SPA100"),
        (5, "French Conversation", "FRE205"),
        (2, "Medieval History", "HIS140"),
        (2, "Academic Writing", "WRI100"),
    ]
    courses, joined, tasks, sent, marks, posts = [], [], [], [], [], []
    for year in (2025, 2026):
        for group, title, short in titles:
            if (year, short) in ((2025, "CS220"), (2026, "HIS140")):
                continue
            begin, end = datetime(year, 9, 22, 9), datetime(year + (year < 2026), 1 if year < 2026 else 12, 16, 17)
            cid = len(courses) + 2
            courses.append((cid, group, "%s %d" % (title, year), "%s-%d" % (short, year % 100), epoch(begin), epoch(end),
                            int(short != "FRE205")))  # fmt: skip
            lead = r.choice(teachers)
            members = r.sample(pupils[:61] if year < 2026 else pupils[20:106], r.randrange(14, 31))
            for role, who in [(3, lead), (4, r.choice([t for t in teachers if t != lead]))] + [(5, m) for m in members]:
                t = epoch(at(r, begin.date() + timedelta(days=r.randrange(-14, 10))))
                joined.append((len(joined) + 1, cid, who[0], role, t, int(role == 5 and r.random() < 0.06)))
            keen = {m[0]: r.gauss(0, 1) for m in members}
            for w, what in enumerate(
                ["Essay 1", "Problem set", "Lab report", "Project", "Final essay"][: r.choice([4, 5])]
            ):
                due = begin + timedelta(days=14 + 16 * w, hours=14)
                top = r.choice([100, 100, 50, 20])
                tid = len(tasks) + 1
                tasks.append((tid, cid, what, epoch(due), top))
                for m in members:
                    t = due + timedelta(hours=r.gauss(-20 - 9 * keen[m[0]], 30))
                    if r.random() < 0.11 - 0.05 * keen[m[0]] or t > datetime(2026, 11, 28, 9):
                        continue
                    draft = r.random() < 0.05
                    sent.append(
                        (len(sent) + 1, tid, m[0], epoch(t), "draft" if draft else "submitted", int(r.random() < 0.06))
                    )
                    back = t + timedelta(days=r.uniform(2, 19))
                    if not draft:
                        ready = back < datetime(2026, 11, 28)
                        score = round(min(1, max(0.08, 0.64 + 0.12 * keen[m[0]] + r.gauss(0, 0.11))) * top * 2) / 2
                        marks.append((len(marks) + 1, tid, m[0], lead[0], score if ready else -1.0,
                                      epoch(back if ready else t)))  # fmt: skip
            first = []
            for _ in range(r.randrange(12, 46)):
                t = min(begin + timedelta(days=r.uniform(0, 85)), datetime(2026, 11, 27, 20))
                parent = r.choice(first) if first and r.random() < 0.6 else 0
                subject = r.choice(["Deadline?", "Lecture notes", "Study group", "Reading list", "Exam room"])
                posts.append((len(posts) + 1, cid, r.choice(members + [lead])[0], parent,
                              ("Re: " if parent else "") + subject, epoch(t)))  # fmt: skip
                if not parent:
                    first.append(len(posts))
    make(
        "moodle",
        """CREATE TABLE mdl_role(id INTEGER PRIMARY KEY, shortname TEXT, name TEXT);
CREATE TABLE mdl_course_categories(id INTEGER PRIMARY KEY, name TEXT, parent INTEGER);
CREATE TABLE mdl_user(id INTEGER PRIMARY KEY, username TEXT, firstname TEXT, lastname TEXT, email TEXT, city TEXT,
  lastaccess INTEGER, timecreated INTEGER, suspended INTEGER);
CREATE TABLE mdl_course(id INTEGER PRIMARY KEY, category INTEGER, fullname TEXT, shortname TEXT, startdate INTEGER,
  enddate INTEGER, visible INTEGER);
CREATE TABLE mdl_enrolment(id INTEGER PRIMARY KEY, courseid INTEGER, userid INTEGER, roleid INTEGER, timestart INTEGER,
  status INTEGER /* 0 active, 1 suspended */);
CREATE TABLE mdl_assign(id INTEGER PRIMARY KEY, course INTEGER, name TEXT, duedate INTEGER, grade INTEGER);
CREATE TABLE mdl_assign_submission(id INTEGER PRIMARY KEY, assignment INTEGER, userid INTEGER, timemodified INTEGER,
  status TEXT, attemptnumber INTEGER);
CREATE TABLE mdl_assign_grades(id INTEGER PRIMARY KEY, assignment INTEGER, userid INTEGER, grader INTEGER, grade REAL,
  timemodified INTEGER);
CREATE TABLE mdl_forum_posts(id INTEGER PRIMARY KEY, course INTEGER, userid INTEGER, parent INTEGER, subject TEXT,
  created INTEGER);""",
        {
            "mdl_role": roles,
            "mdl_course_categories": groups,
            "mdl_user": people,
            "mdl_course": courses,
            "mdl_enrolment": joined,
            "mdl_assign": tasks,
            "mdl_assign_submission": sent,
            "mdl_assign_grades": marks,
            "mdl_forum_posts": posts,
        },
    )


def dental():
    """A dentist's booking system: money in pence, times with a T, deleted patients kept with the day of deletion."""
    r = random.Random(1407)
    staff = [
        (1, "Dr", "Helena Marsh", "dentist", "2016-04-11", None),
        (2, "Dr", "Imran Akhtar", "dentist", "2019-09-02", None),
        (3, "Dr", "Sophie Lomax", "orthodontist", "2021-01-18", None),
        (4, "Ms", "Tessa Bowen", "hygienist", "2020-06-01", None),
        (5, "Mr", "Carlos Novak", "hygienist", "2024-02-12", None),
        (6, "Dr", "Gareth Upton", "dentist", "2017-03-06", "2026-03-31"),
        (7, "Dr", "Yasmin Kapoor", "dentist", "2026-09-14", None),
    ]
    services = [
        (1, "Check-up", "preventive", 20, 4800, 1),
        (2, "Hygiene visit", "preventive", 30, 6900, 1),
        (3, "White filling", "restorative", 40, 13500, 0),
        (4, "Root canal", "restorative", 75, 48000, 0),
        (5, "Crown", "restorative", 60, 69500, 0),
        (6, "Extraction", "surgical", 40, 15500, 0),
        (7, "Emergency appointment", "urgent", 20, 7500, 1),
        (8, "Brace adjustment", "orthodontic", 20, 9000, 0),
        (9, "Whitening", "cosmetic", 60, 32000, 1),
        (10, "Dental implant", "surgical", 90, 245000, 0),
    ]
    patients, visits, bills, paid = [], [], [], []
    for k, n in enumerate(names(r, 190)):
        a, b = n.split()
        patients.append(
            [
                k + 1,
                a,
                b,
                str(day(r, D(1941, 1, 1), D(2021, 12, 31))),
                pick(r, {"F": 11, "M": 10, None: 1}),
                "%s.%s%d@example.com" % (a.lower(), b.lower(), k) if r.random() < 0.85 else None,
                pick(r, {"Monthly plan": 4, "Pay as you go": 6, "Insured": 2}),
                day(r, D(2019, 1, 3), D(2024, 12, 31)) if k < 130 else day(r, D(2025, 1, 2), D(2026, 11, 26)),
                pick(r, {6: 7, 12: 4, 24: 1}),
                int(r.random() < 0.46),
                None,
            ]
        )
    for p in patients[:170]:
        d = max(p[7], D(2025, 1, 2)) + timedelta(days=r.randrange(400 if p[0] % 2 else 40))
        wants = r.choices(services, [14, 9, 6, 1, 1.4, 1.4, 2, 4 if p[3] > "2005" else 0, 0.7, 0.3], k=9)
        for s in wants[: r.randrange(1, 10)]:
            while d.weekday() == 6 or (d.weekday() == 5 and r.random() < 0.75):
                d += timedelta(days=1)
            if d > D(2026, 12, 23):
                break
            who = {2: r.choice([4, 4, 5]), 8: 3}.get(s[0]) or r.choices(
                [1, 2, 6 if d <= D(2026, 3, 31) else 7], [4, 3, 2]
            )[0]
            if who == 7 and d < D(2026, 9, 14):
                who = 1
            t = datetime(d.year, d.month, d.day, r.choice([9, 9, 10, 11, 14, 15, 16, 17]), r.choice([0, 0, 20, 30, 40]))
            booked = max(d - timedelta(days=int(r.expovariate(1 / 16))) if s[0] != 7 else d, p[7])
            booked = min(booked, D(2026, 11, 27))
            u = r.random()
            if d > LAST:
                state = "booked" if u > 0.06 else "cancelled"
            else:
                state = "dna" if u < 0.055 else "cancelled" if u < 0.13 else "completed"
            visits.append([0, p[0], who, s[0], t, state, pick(r, {"phone": 5, "online": 6, "front desk": 2}), booked,
                           r.choice(["work", "ill", "no reason given", "found another time"]) if state == "cancelled" else None,
                           s])  # fmt: skip
            d += timedelta(days=r.choice([14, 40, 90, 182, 182, 200]))
        if r.random() < 0.2:
            t = datetime(2026, 11, 30, r.choice([9, 11, 14, 16])) + timedelta(
                days=r.choice([0, 1, 2, 3, 4, 7, 8, 10, 15])
            )
            visits.append([0, p[0], r.choice([1, 1, 2, 7]), 1, t, "booked", r.choice(["phone", "online"]),
                           day(r, max(p[7], D(2026, 10, 20)), D(2026, 11, 27)), None, services[0]])  # fmt: skip
    for k in (7, 31, 58, 90, 121, 149):
        patients[k][10] = str(day(r, max(patients[k][7], D(2025, 6, 1)), D(2026, 10, 30)))
    visits.sort(key=lambda v: v[4])
    for k, v in enumerate(visits):
        v[0] = k + 1
        if v[5] != "completed":
            continue
        total = int(v[9][4] * r.choice([1, 1, 1, 0.9, 1.15]))
        day_of = v[4].date()
        age = (LAST - day_of).days
        bid = len(bills) + 1
        left, part = total, r.random()
        if part > (0.97 if age > 60 else 0.7):
            left = 0 if r.random() < 0.7 else total // 2
        status = "paid" if left == total else "part paid" if left else "open"
        if status == "open" and r.random() < 0.15:
            status = "void"
        bills.append(
            (bid, "INV-%05d" % (bid + 20400), v[0], v[1], str(day_of), str(day_of + timedelta(days=30)), total, status)
        )
        while left:
            piece = left if left < 40000 or r.random() < 0.6 else left // 2
            on = min(day_of + timedelta(days=pick(r, {0: 8, 6: 2, 25: 2, 44: 1})), D(2026, 11, 28))
            paid.append(
                (len(paid) + 1, bid, str(on), piece, pick(r, {"card": 9, "cash": 2, "bank transfer": 2, "insurer": 2}))
            )
            left -= piece
    make(
        "dental",
        """CREATE TABLE practitioners(id INTEGER PRIMARY KEY, title TEXT, full_name TEXT, role TEXT, started_on TEXT, left_on TEXT);
CREATE TABLE services(id INTEGER PRIMARY KEY, name TEXT, category TEXT, minutes INTEGER, price_pence INTEGER,
  bookable_online INTEGER);
CREATE TABLE patients(id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, date_of_birth TEXT, gender TEXT, email TEXT,
  payment_type TEXT, registered_on TEXT, recall_months INTEGER, marketing_opt_in INTEGER, deleted_at TEXT);
CREATE TABLE appointments(id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patients(id),
  practitioner_id INTEGER REFERENCES practitioners(id), service_id INTEGER REFERENCES services(id), starts_at TEXT,
  status TEXT, channel TEXT, booked_on TEXT, cancel_reason TEXT);
CREATE TABLE invoices(id INTEGER PRIMARY KEY, number TEXT, appointment_id INTEGER REFERENCES appointments(id),
  patient_id INTEGER REFERENCES patients(id), issued_on TEXT, due_on TEXT, total_pence INTEGER, status TEXT);
CREATE TABLE payments(id INTEGER PRIMARY KEY, invoice_id INTEGER REFERENCES invoices(id), paid_on TEXT,
  amount_pence INTEGER, method TEXT);""",
        {
            "practitioners": staff,
            "services": services,
            "patients": [(*p[:7], str(p[7]), *p[8:]) for p in patients],
            "appointments": [(*v[:4], v[4].isoformat(), v[5], v[6], str(v[7]), v[8]) for v in visits],
            "invoices": bills,
            "payments": paid,
        },
    )


def expenses():
    """A company's 报销: claims with their lines, and a log of approvals; 主管 of staff, departments under departments."""
    r = random.Random(1408)
    teams = [
        (1, "总经办", None),
        (2, "销售中心", 1),
        (3, "华东销售部", 2),
        (4, "华南销售部", 2),
        (5, "产品研发部", 1),
        (6, "财务部", 1),
        (7, "行政部", 1),
        (8, "法务部", 1),
    ]
    sorts = [
        (1, "差旅交通", 3000),
        (2, "住宿", 2400),
        (3, "业务招待", 2000),
        (4, "市内交通", 300),
        (5, "办公用品", 1000),
        (6, "通讯费", 200),
        (7, "培训费", 5000),
        (8, "快递费", 200),
    ]
    staff = []
    home = [1, 2, 3, 4, 5, 6, 7] + r.choices([3, 4, 5, 6, 7, 8], [8, 7, 9, 3, 2, 1], k=29)
    for k, (n, team) in enumerate(zip(names(r, 36, MING, XING, "{1}{0}"), home)):
        boss = (
            None
            if k == 0
            else 1
            if team in (1, 2, 5, 6, 7, 8) and k < 7
            else 2
            if k in (2, 3)
            else home.index(team) + 1
        )
        boss = 1 if boss == k + 1 else boss
        left = k in (17, 26, 33)
        grade = "总监" if k < 2 else "经理" if k < 7 else r.choice(["专员", "专员", "高级专员", "主管"])
        staff.append((k + 1, n, team, grade, boss, day(r, D(2015, 3, 1), D(2026, 7, 1)), "离职" if left else "在职"))
    claims, lines, log = [], [], []
    weights = [0.3 + (2.2 if s[2] in (3, 4) else 0.8 if s[2] == 5 else 0.4) * r.random() for s in staff]
    weights[12] = weights[20] = 0
    days = sorted(day(r, D(2025, 3, 3), D(2026, 11, 27)) for _ in range(420))
    days = sorted(days + [day(r, D(2026, 11, 2), D(2026, 11, 27)) for _ in range(11)])
    counts = {}
    for d in days:
        s = r.choices(staff, weights)[0]
        if s[5] > d:
            continue
        month = d.strftime("%Y%m")
        counts[month] = counts.get(month, 0) + 1
        number = "BX%s-%03d" % (month, counts[month])
        travels = s[2] in (2, 3, 4) and r.random() < 0.75
        why = (
            r.choice(["拜访客户", "参加展会", "项目驻场"])
            if travels
            else r.choice(["日常办公", "部门团建", "培训学习", "加班打车"])
        )
        total = 0
        for _ in range(r.randrange(1, 6)):
            sort = r.choices(sorts, [6, 5, 4, 4, 0.5, 1, 0.3, 0.3] if travels else [0.4, 0.3, 1, 6, 4, 3, 1.2, 2])[0]
            mid = {1: 620, 2: 780, 3: 560, 4: 58, 5: 210, 6: 96, 7: 1700, 8: 34}[sort[0]]
            money = round(mid * r.lognormvariate(0, 0.55), 2)
            total += money
            lines.append((len(lines) + 1, number, sort[0], str(d - timedelta(days=r.randrange(1, 32))), money,
                          r.randrange(1, 5), r.choice([None, None, None, "发票后补", "含税", "两人同行"])))  # fmt: skip
        steps = [s[4] or 1, home.index(6) + 1] + ([1] if total > 3000 else [])
        t, state, pay = at(r, d, 9, 18), "已付款", None
        for step, who in enumerate(dict.fromkeys(steps)):
            t += timedelta(hours=r.expovariate(1 / 44))
            t = t.replace(hour=9 + t.hour % 9)
            if t > datetime(2026, 11, 28) or (d > D(2026, 10, 25) and r.random() < 0.12):
                state = "审批中"
                break
            bad = r.random() < 0.045
            log.append((len(log) + 1, number, who, str(t.replace(microsecond=0)), "驳回" if bad else "同意",
                        r.choice(["发票抬头有误", "超标准", "缺少附件"]) if bad else None))  # fmt: skip
            if bad:
                state = "已驳回"
                break
        if state == "已付款":
            pay = t.date() + timedelta(days=r.randrange(3, 19))
            if pay > D(2026, 11, 27):
                state, pay = "待付款", None
        elif state == "审批中" and r.random() < 0.1:
            state = "已撤回"
        claims.append((number, s[0], why, str(d), round(total, 2), state, pay and str(pay)))
    make(
        "报销系统",
        """CREATE TABLE 部门(部门编号 INTEGER PRIMARY KEY, 部门名称 TEXT, 上级部门编号 INTEGER REFERENCES 部门(部门编号));
CREATE TABLE 员工(工号 INTEGER PRIMARY KEY, 姓名 TEXT, 部门编号 INTEGER REFERENCES 部门(部门编号), 职级 TEXT,
  直属上级工号 INTEGER REFERENCES 员工(工号), 入职日期 TEXT, 在职状态 TEXT);
CREATE TABLE 费用类型(类型编号 INTEGER PRIMARY KEY, 类型名称 TEXT, 单笔限额 INTEGER);
CREATE TABLE 报销单(报销单号 TEXT PRIMARY KEY, 申请人工号 INTEGER REFERENCES 员工(工号), 事由 TEXT, 提交日期 TEXT, 总金额 REAL,
  状态 TEXT, 付款日期 TEXT);
CREATE TABLE 报销明细(明细编号 INTEGER PRIMARY KEY, 报销单号 TEXT REFERENCES 报销单(报销单号),
  类型编号 INTEGER REFERENCES 费用类型(类型编号), 发生日期 TEXT, 金额 REAL, 发票张数 INTEGER, 备注 TEXT);
CREATE TABLE 审批记录(记录编号 INTEGER PRIMARY KEY, 报销单号 TEXT REFERENCES 报销单(报销单号),
  审批人工号 INTEGER REFERENCES 员工(工号), 审批时间 TEXT, 结果 TEXT, 意见 TEXT);""",
        {
            "部门": teams,
            "员工": [(*s[:5], str(s[5]), s[6]) for s in staff],
            "费用类型": sorts,
            "报销单": claims,
            "报销明细": lines,
            "审批记录": log,
        },
    )


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    for build in (payments, activities, issues, alipay, attendance, moodle, dental, expenses):
        build()
