#!/usr/bin/env python3
"""Write three small SQLite databases to databases/ (or the folder given). Standard library only, fixed seeds."""

import os
import random
import sqlite3
import sys
from datetime import date, datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
LAST = date(2026, 11, 27)


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


def weighted(r, weights):
    return r.choices(list(weights), list(weights.values()))[0]


FERRIES = """
CREATE TABLE operators(operator_id INTEGER PRIMARY KEY, name TEXT, country TEXT, founded INTEGER);
CREATE TABLE ports(port_id TEXT PRIMARY KEY, name TEXT, country TEXT, is_island INTEGER, berths INTEGER);
CREATE TABLE vessels(vessel_id INTEGER PRIMARY KEY, name TEXT, operator_id INTEGER REFERENCES operators, type TEXT,
  built INTEGER, max_pax INTEGER, max_cars INTEGER, top_speed REAL);
CREATE TABLE routes(route_id INTEGER PRIMARY KEY, from_port TEXT REFERENCES ports, to_port TEXT REFERENCES ports,
  distance_nm REAL, duration_min INTEGER, seasonal TEXT);
CREATE TABLE sailings(sailing_id INTEGER PRIMARY KEY, route_id INTEGER REFERENCES routes,
  vessel_id INTEGER REFERENCES vessels, departure TEXT, status TEXT, delay_min INTEGER, cancel_reason TEXT,
  pax INTEGER, cars INTEGER, revenue REAL);
"""
PORTS = [
    ("ARD", "Ardvik", "Norsel", 0, 6),
    ("BRU", "Bruma", "Norsel", 1, 2),
    ("CAL", "Calder Bay", "Albany", 0, 8),
    ("DUN", "Dunmoor", "Albany", 0, 4),
    ("EIL", "Eilan", "Albany", 1, 1),
    ("FAR", "Farholm", "Norsel", 1, 3),
    ("GOR", "Gorey Head", "Albany", 1, 2),
    ("HAV", "Havsund", "Norsel", 0, 5),
    ("IVE", "Ivesand", "Albany", 1, 1),
]
VESSELS = [
    (1, "Sea Lark", 1, "conventional", 1994, 620, 140, 19.5),
    (2, "Sea Heron", 1, "conventional", 2003, 840, 210, 21.0),
    (3, "Sea Swift", 1, "fast", 2016, 380, 80, 36.5),
    (4, "Northern Light", 2, "conventional", 1988, 510, 120, 17.0),
    (5, "Northern Star", 2, "conventional", 2011, 910, 260, 22.5),
    (6, "Island Maid", 3, "conventional", 1979, 220, 36, 14.0),
    (7, "Island Pearl", 3, "fast", 2019, 290, 0, 34.0),
    (8, "Cargo Kate", 2, "freight", 2007, 12, 95, 16.5),
    (9, "Tern", 4, "fast", 2022, 340, 60, 38.0),
    (10, "Old Bessie", 3, "conventional", 1966, 150, 18, 11.5),
]
ROUTES = [
    (1, "ARD", "BRU", 18.5, 75, "N", 3),
    (2, "ARD", "FAR", 41.0, 150, "N", 2),
    (3, "CAL", "DUN", 32.0, 110, "N", 3),
    (4, "CAL", "EIL", 9.5, 40, "N", 4),
    (5, "DUN", "GOR", 22.0, 85, "Y", 2),
    (6, "HAV", "CAL", 126.0, 420, "N", 2),
    (7, "ARD", "HAV", 57.5, 190, "N", 2),
    (8, "GOR", "EIL", 14.0, 55, "Y", 1),
    (9, "BRU", "FAR", 27.0, 100, "N", 1),
    (10, "HAV", "DUN", 118.0, 395, "Y", 1),
]


def ferries():
    r = random.Random(1501)
    operators = [
        (1, "Seabird Lines", "Albany", 1961),
        (2, "Norsel Ferries", "Norsel", 1948),
        (3, "Islander Co-op", "Albany", 1983),
        (4, "Ternway", "Norsel", 2020),
        (5, "Blue Funnel", "Albany", 1999),
    ]
    crews = {
        1: [6, 4],
        2: [4, 5],
        3: [1, 3],
        4: [6, 10, 7],
        5: [7, 1],
        6: [5, 2, 8],
        7: [9, 4],
        8: [7, 6],
        9: [4],
        10: [2],
    }
    rows, number = [], 1
    day = date(2025, 9, 1)
    while day <= LAST:
        for route in ROUTES:
            if route[5] == "Y" and not 4 <= day.month <= 9:
                continue
            for _ in range(route[6]):
                if r.random() < 0.72:
                    continue
                vessel = VESSELS[r.choice(crews[route[0]]) - 1]
                leaves = datetime(
                    day.year, day.month, day.day, r.choice([6, 7, 9, 12, 15, 17, 19, 21]), r.choice([0, 15, 30, 45])
                )
                bad = 0.13 if day.month in (11, 12, 1, 2) else 0.04
                draw = r.random()
                if draw < bad:
                    reason = weighted(r, {"weather": 60, "technical": 25, "crew shortage": 10, None: 5})
                    rows.append((number, route[0], vessel[0], str(leaves), "cancelled", None, reason, 0, 0, 0.0))
                else:
                    late = 0 if r.random() < 0.55 else int(r.expovariate(1 / (14 if vessel[3] == "fast" else 24))) + 1
                    full = min(1.0, max(0.05, r.gauss(0.75 if day.month in (6, 7, 8) else 0.45, 0.2)))
                    pax, cars = int(vessel[5] * full), int(vessel[6] * min(1, full * r.uniform(0.6, 1.2)))
                    money = round(pax * (4 + route[3] * 0.22) + cars * (11 + route[3] * 0.5), 2)
                    status = "diverted" if r.random() < 0.02 else "arrived"
                    rows.append((number, route[0], vessel[0], str(leaves), status, late, None, pax, cars, money))
                number += 1
        day += timedelta(1)
    make(
        "ferries",
        FERRIES,
        {
            "operators": operators,
            "ports": PORTS,
            "vessels": VESSELS,
            "routes": [x[:6] for x in ROUTES],
            "sailings": rows,
        },
    )


CARS = {
    "Vaux": {"Corsa": 7200, "Astra": 9400, "Mokka": 12800},
    "Fjord": {"Fiesta": 8100, "Kuga": 15600, "Transit": 14300},
    "Toyoda": {"Yaris": 9900, "Corolla": 13900, "RAV": 19800},
    "Bayern": {"320": 17200, "X3": 24900, "M4": 46500},
    "Kiya": {"Picanto": 6900, "Niro": 18700},
    "Lada": {"Niva": 3100},
}
COLUMNS = """Lot No|Sale Date|Auction Centre|Lane|Vendor|Vendor Type|Make|Model|Body|Fuel|Gearbox|Colour|Reg Year|Mileage|
Grade|Former Keepers|Service History|Keys|MOT Expiry|VAT Status|Guide Price|Reserve|Opening Bid|Bids|Hammer Price|
Buyer Fee|Buyer|Bid Channel|Result|Days On Site""".replace("\n", "").split("|")


def auction():
    r = random.Random(1502)
    rows, number = [], 40211
    day = date(2026, 1, 6)
    buyers = {
        "Hartley Motors": 22,
        "Gable Car Sales": 16,
        "Webuy247": 30,
        "Penrose & Son": 9,
        "Cooper Trade": 12,
        "M. Oduya": 4,
    }
    while day <= LAST:
        for _ in range(r.randint(7, 13)):
            make_ = weighted(r, {"Vaux": 26, "Fjord": 30, "Toyoda": 16, "Bayern": 14, "Kiya": 9, "Lada": 2})
            model = r.choice(list(CARS[make_]))
            year = r.choices(range(2009, 2026), [1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 8, 8, 7, 6, 4, 2])[0]
            age = 2026 - year
            miles = int(max(900, r.gauss(9300 * age, 2600 * age**0.5 + 1500)))
            guide = max(350, int(CARS[make_][model] * 0.86**age * r.uniform(0.85, 1.15) / 50) * 50)
            vendor = weighted(
                r,
                {
                    "Leaseway": 30,
                    "Arrow Rentals": 18,
                    "City Council": 5,
                    "Motorpoint Px": 25,
                    "Private": 12,
                    "Black Horse Fin": 10,
                },
            )
            kind = {
                "Leaseway": "Fleet",
                "Arrow Rentals": "Rental",
                "City Council": "Public",
                "Motorpoint Px": "Dealer",
                "Private": "Private",
                "Black Horse Fin": "Finance",
            }[vendor]
            grade = weighted(r, {"1": 20, "2": 32, "3": 26, "4": 14, "5": 5, "U": 3})
            reserve = None if kind in ("Public",) or r.random() < 0.12 else int(guide * r.uniform(0.88, 1.0) / 25) * 25
            draw = r.random()
            opening = int(guide * 0.6 / 50) * 50
            if draw < 0.04:
                result, bids, hammer = "Withdrawn", 0, None
            else:
                bids = max(0, int(r.gauss(11, 6)))
                offer = int(guide * (0.74 + 0.022 * bids) * r.uniform(0.94, 1.06) / 10) * 10 + r.randint(0, 9)
                if bids == 0 or (reserve and offer < reserve * 0.9):
                    result, hammer = "Unsold", None
                elif reserve and offer < reserve:
                    result, hammer = "Provisional", offer
                else:
                    result, hammer = "Sold", offer
            buyer = weighted(r, buyers) if result in ("Sold", "Provisional") else None
            rows.append(
                (
                    number,
                    str(day),
                    weighted(r, {"Leeds": 40, "Bristol": 30, "Paisley": 18, "Norwich": 12}),
                    r.choice("ABC"),
                    vendor,
                    kind,
                    make_,
                    model,
                    {
                        "Transit": "Van",
                        "Kuga": "SUV",
                        "RAV": "SUV",
                        "X3": "SUV",
                        "Mokka": "SUV",
                        "Niro": "SUV",
                        "M4": "Coupe",
                        "320": "Saloon",
                        "Niva": "SUV",
                    }.get(model, "Hatchback"),
                    "Hybrid"
                    if model in ("Niro", "Yaris", "RAV") and year > 2015
                    else weighted(r, {"Petrol": 60, "Diesel": 33, "Electric": 7}),
                    weighted(r, {"Manual": 68, "Automatic": 32}),
                    weighted(
                        r,
                        {"Black": 25, "Grey": 24, "White": 20, "Blue": 14, "Red": 9, "Silver": 6, "Yellow": 1, None: 1},
                    ),
                    year,
                    miles,
                    grade,
                    weighted(r, {1: 45, 2: 30, 3: 15, 4: 7, 6: 3}),
                    weighted(r, {"Full": 45, "Part": 30, "None": 25}),
                    weighted(r, {2: 60, 1: 38, 0: 2}),
                    str(day + timedelta(r.randint(-40, 360))) if r.random() < 0.9 else None,
                    weighted(r, {"Margin": 70, "Qualifying": 30}),
                    guide,
                    reserve,
                    opening,
                    bids,
                    hammer,
                    None if hammer is None else round(95 + hammer * 0.035, 2),
                    buyer,
                    None if buyer is None else weighted(r, {"Online": 64, "Hall": 33, "Proxy": 3}),
                    result,
                    max(1, int(r.expovariate(1 / 16))),
                )
            )
            number += 1
        day += timedelta(r.choice([2, 3, 5]))
    figures = {
        "Lot No",
        "Reg Year",
        "Mileage",
        "Former Keepers",
        "Keys",
        "Guide Price",
        "Reserve",
        "Opening Bid",
        "Bids",
    }
    figures |= {"Hammer Price", "Buyer Fee", "Days On Site"}
    typed = ['"%s" %s' % (c, "NUMERIC" if c in figures else "TEXT") for c in COLUMNS]
    ddl = "CREATE TABLE auction_lots(%s);" % ", ".join(typed)
    make("auction_lots", ddl, {"auction_lots": rows})


MARATHON = """
CREATE TABLE 赛事(赛事编号 INTEGER PRIMARY KEY, 赛事名称 TEXT, 城市 TEXT, 省份 TEXT, 比赛日期 TEXT, 报名费 REAL, 人数上限 INTEGER, 主赞助商 TEXT);
CREATE TABLE 跑团(跑团编号 INTEGER PRIMARY KEY, 跑团名称 TEXT, 所在城市 TEXT, 成立年份 INTEGER, 团长 TEXT);
CREATE TABLE 选手(选手编号 INTEGER PRIMARY KEY, 姓名 TEXT, 性别 TEXT, 出生年份 INTEGER, 职业 TEXT, 跑团编号 INTEGER REFERENCES 跑团(跑团编号));
CREATE TABLE 成绩(成绩编号 INTEGER PRIMARY KEY, 赛事编号 INTEGER REFERENCES 赛事(赛事编号), 选手编号 INTEGER REFERENCES 选手(选手编号),
  组别 TEXT, 状态 TEXT, 用时分钟 REAL, 名次 INTEGER, 奖金 REAL);
CREATE TABLE 补给站(补给站编号 INTEGER PRIMARY KEY, 赛事编号 INTEGER REFERENCES 赛事(赛事编号), 公里数 REAL, 饮料 TEXT, 志愿者人数 INTEGER);
"""
RACES = [
    (1, "滨湖马拉松", "合川", "江右", "2025-10-19", 120, 30000, "清源饮料"),
    (2, "古城半程跑", "临泽", "河东", "2025-11-16", 80, 8000, None),
    (3, "春桃马拉松", "桃溪", "江右", "2026-03-15", 100, 15000, "飞步鞋业"),
    (4, "海岸马拉松", "北屿", "海东", "2026-04-12", 160, 25000, "飞步鞋业"),
    (5, "山城越野赛", "云岭", "西川", "2026-05-24", 200, 3000, None),
    (6, "高原马拉松", "格桑", "西川", "2026-07-12", 180, 6000, "雪域矿泉"),
    (7, "稻香半程跑", "临泽", "河东", "2026-09-20", 60, 5000, "清源饮料"),
    (8, "滨湖马拉松", "合川", "江右", "2026-10-18", 130, 32000, "清源饮料"),
    (9, "海岸夜跑", "北屿", "海东", "2026-11-07", 50, 4000, None),
    (10, "冰雪马拉松", "漠河湾", "北原", "2027-01-03", 150, 5000, "雪域矿泉"),
]


def marathon():
    r = random.Random(1503)
    clubs = [
        (1, "追风跑团", "合川", 2012, "陆远"),
        (2, "晨曦跑团", "合川", 2018, "何静"),
        (3, "北屿海鸥", "北屿", 2015, "戴文涛"),
        (4, "铁腿俱乐部", "临泽", 2009, "孟刚"),
        (5, "慢跑的猫", "桃溪", 2021, "宋小满"),
        (6, "云端越野", "云岭", 2016, "扎西"),
        (7, "夜行者", "格桑", 2023, None),
    ]
    family, given = (
        "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许",
        ["志强", "秀兰", "子轩", "雨桐", "国栋", "丽娜", "晓峰", "嘉怡", "大勇", "梦瑶", "立群", "雪梅"],
    )
    names, people = set(), []
    while len(people) < 150:
        name = r.choice(family) + r.choice(given)
        if name in names:
            continue
        names.add(name)
        female = name[1:] in ("秀兰", "雨桐", "丽娜", "嘉怡", "梦瑶", "雪梅")
        people.append(
            (
                len(people) + 1,
                name,
                "女" if female else "男",
                r.randint(1955, 2007),
                weighted(
                    r,
                    {"教师": 14, "工程师": 22, "医生": 9, "学生": 15, "公务员": 13, "自由职业": 10, "退休": 8, None: 6},
                ),
                None if r.random() < 0.2 else weighted(r, {1: 30, 2: 22, 3: 15, 4: 14, 5: 10, 6: 6}),
            )
        )
    results, number = [], 1
    skill = {p[0]: r.gauss(0, 1) for p in people}
    for race in RACES[:9]:
        groups = {"全程": 55, "半程": 35, "迷你": 10} if "马拉松" in race[1] else {"半程": 80, "迷你": 20}
        if race[0] == 5:
            groups = {"全程": 40, "半程": 60}
        times = []
        for p in r.sample(people, r.randint(40, 75)):
            group = weighted(r, groups)
            state = weighted(r, {"完赛": 84, "退赛": 8, "弃赛": 6, "违规取消": 2})
            base = {"全程": 252, "半程": 122, "迷你": 38}[group] * (1.25 if race[0] in (5, 6) else 1)
            age = 2026 - p[3]
            minutes = round(
                base
                * (1 - 0.09 * skill[p[0]] + 0.004 * max(0, age - 35) + (0.07 if p[2] == "女" else 0))
                * r.uniform(0.95, 1.08),
                1,
            )
            times.append([group, p[0], state, minutes if state == "完赛" else None])
        for group in groups:
            done = sorted((t for t in times if t[0] == group and t[3]), key=lambda t: t[3])
            rank = {t[1]: i + 1 for i, t in enumerate(done)}
            for t in times:
                if t[0] == group:
                    place = rank.get(t[1])
                    prize = (
                        {1: 10000, 2: 6000, 3: 3000}.get(place)
                        if group == "全程"
                        else {1: 3000, 2: 1500, 3: 800}.get(place)
                        if group == "半程"
                        else None
                    )
                    results.append((number, race[0], t[1], group, t[2], t[3], place, prize))
                    number += 1
    stations, number = [], 1
    for race in RACES:
        for km in range(5, 40 if "马拉松" in race[1] else 20, 5):
            if r.random() < 0.85:
                stations.append(
                    (
                        number,
                        race[0],
                        km,
                        weighted(r, {"矿泉水": 50, "电解质水": 30, "可乐": 10, None: 10}),
                        r.randint(6, 45),
                    )
                )
                number += 1
    make("马拉松", MARATHON, {"赛事": RACES, "跑团": clubs, "选手": people, "成绩": results, "补给站": stations})


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    ferries()
    auction()
    marathon()
