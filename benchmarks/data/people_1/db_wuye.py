"""A housing estate in Chinese: buildings, flats, monthly fees, repairs and parking places."""

import random
import sqlite3

from common import between, chinese_people, day, fill, later, months, pick

BUILDINGS = [
    ("A1", "海棠苑", 18, 2012, "陈静"),
    ("A2", "玉兰苑", 18, 2012, "陈静"),
    ("B1", "银杏苑", 26, 2016, "赵磊"),
    ("B2", "丁香苑", 26, 2017, "赵磊"),
    ("C1", "紫薇苑", 32, 2021, "孙婷"),
]
LAYOUTS = {"一室一厅": (45, 60, 20), "两室一厅": (70, 95, 45), "三室两厅": (105, 140, 28), "四室两厅": (150, 188, 7)}
KINDS = {"水管": 30, "电路": 20, "电梯": 12, "门窗": 14, "墙面渗水": 9, "下水道": 15}
WORKERS = {"老周": 38, "小马": 30, "刘师傅": 22, "何工": 10}


def build(con: sqlite3.Connection) -> None:
    rng = random.Random(303)
    names = iter(chinese_people(rng, 160))
    flats, fees, repairs, places = [], [], [], []
    for code, _, floors, year, _ in BUILDINGS:
        for _ in range(26):
            number = f"{code}-{rng.randint(1, floors):02d}{rng.randint(1, 4):02d}"
            if number in {flat[0] for flat in flats}:
                continue
            layout = rng.choices(list(LAYOUTS), [row[2] for row in LAYOUTS.values()])[0]
            low, high, _ = LAYOUTS[layout]
            state = pick(rng, {"自住": 64, "出租": 24, "空置": 12})
            moved = between(rng, f"{year + 1}-03-01", "2026-10-20") if state != "空置" else None
            phone = None if rng.random() < 0.06 else f"13{rng.randint(100000000, 999999999)}"
            pet = "是" if state != "空置" and rng.random() < 0.22 else "否"
            area = round(rng.uniform(low, high), 1)
            flats.append((number, code, layout, area, next(names), phone, moved, state, pet))
    late = set(rng.sample([flat[0] for flat in flats], 14))
    for flat in flats:
        price = {"A": 1.6, "B": 2.1, "C": 2.8}[flat[1][0]]
        for month in months("2025-01", "2026-11"):
            due = round(flat[3] * price, 2)
            chance = 0.4 if month == "2026-11" else 0.3 if flat[0] in late else 0.01
            if rng.random() < chance:
                fees.append((flat[0], month, due, 0, None, None))
                continue
            how = pick(rng, {"微信": 48, "支付宝": 27, "银行代扣": 18, "现金": 7})
            last = 17 if month == "2026-11" else 27
            fees.append((flat[0], month, due, due, later(day(month + "-01"), rng.randint(0, last)), how))
    for _ in range(420):
        flat = rng.choice(flats[:90] if rng.random() < 0.8 else flats)
        when = between(rng, "2025-01-03", "2026-11-16")
        kind, worker = pick(rng, KINDS), pick(rng, WORKERS)
        stamp = f"{when} {rng.randint(7, 21):02d}:{rng.randint(0, 59):02d}"
        open_ = when > day("2026-10-25") and rng.random() < 0.5
        done = None if open_ else later(when, rng.choice([0, 0, 1, 1, 2, 3, 5, 9]))
        if done and done > day("2026-11-19"):
            done = day("2026-11-19")
        state = pick(rng, {"待派单": 4, "处理中": 6}) if open_ else "已完成"
        score = None if open_ or rng.random() < 0.3 else rng.choices([1, 2, 3, 4, 5], [3, 5, 14, 38, 40])[0]
        cost = 0 if open_ or rng.random() < 0.45 else rng.choice([20, 35, 50, 80, 120, 260, 480])
        repairs.append((stamp, flat[0], kind, None if state == "待派单" else worker, state, done, cost, score))
    repairs.sort()
    for number in range(1, 91):
        kind = "地下" if number <= 60 else "地面"
        renter = rng.choice(flats)[0] if rng.random() < 0.74 else None
        rent = rng.choice([380, 420, 450]) if kind == "地下" else rng.choice([200, 240])
        until = between(rng, "2026-10-05", "2027-10-31") if renter else None
        places.append((f"P{number:03d}", kind, rent, renter, until))
    fill(con, "楼栋 (楼栋号 TEXT PRIMARY KEY, 名称 TEXT, 层数 INTEGER, 建成年份 INTEGER, 管家 TEXT)", BUILDINGS)
    fill(
        con,
        "房屋 (房号 TEXT PRIMARY KEY, 楼栋号 TEXT, 户型 TEXT, 面积 REAL, 业主 TEXT, 电话 TEXT, 入住日期 TEXT,"
        " 状态 TEXT, 养宠 TEXT)",
        flats,
    )
    fill(
        con,
        "物业费 (账单号 INTEGER PRIMARY KEY, 房号 TEXT, 账期 TEXT, 应收 REAL, 实收 REAL, 缴费日期 TEXT, 缴费方式 TEXT)",
        ((70000 + n, *row) for n, row in enumerate(fees, 1)),
    )
    fill(
        con,
        "报修 (工单号 TEXT PRIMARY KEY, 报修时间 TEXT, 房号 TEXT, 类别 TEXT, 维修工 TEXT, 状态 TEXT, 完成日期 TEXT,"
        " 收费 REAL, 评分 INTEGER)",
        ((f"WX{n:04d}", *row) for n, row in enumerate(repairs, 1)),
    )
    fill(con, "车位 (车位号 TEXT PRIMARY KEY, 类型 TEXT, 月租 REAL, 租用房号 TEXT, 到期日 TEXT)", places)
