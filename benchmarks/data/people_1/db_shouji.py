"""Phone shops in Chinese, with dates as 2026/3/5: shops, goods, members, sales with their lines, repairs."""

import datetime
import random
import sqlite3

from common import between, chinese_people, day, fill, later, pick

SHOPS = [
    ("S01", "中山路店", "南京", "2018/5/1", "许静"),
    ("S02", "新街口店", "南京", "2019/9/12", "曹勇"),
    ("S03", "观前街店", "苏州", "2020/11/8", "林敏"),
    ("S04", "湖滨店", "杭州", "2022/3/18", "高洋"),
    ("S05", "滨江店", "杭州", "2026/10/28", "唐杰"),
]
GOODS = [
    ("P101", "星辰X10", "星辰", "手机", 3100, 3999, "是"),
    ("P102", "星辰X10 Pro", "星辰", "手机", 4200, 5499, "是"),
    ("P103", "星辰A5", "星辰", "手机", 980, 1399, "是"),
    ("P104", "云途Note8", "云途", "手机", 1650, 2199, "是"),
    ("P105", "云途S3", "云途", "手机", 2300, 2999, "是"),
    ("P106", "极光M1", "极光", "手机", 1200, 1699, "否"),
    ("P107", "极光Fold", "极光", "手机", 6900, 8999, "是"),
    ("P201", "硅胶手机壳", "酷壳", "配件", 9, 39, "是"),
    ("P202", "钢化膜", "酷壳", "配件", 4, 25, "是"),
    ("P203", "65W快充头", "能电", "配件", 42, 99, "是"),
    ("P204", "Type-C数据线", "能电", "配件", 7, 29, "是"),
    ("P205", "移动电源20000", "能电", "配件", 78, 159, "是"),
    ("P301", "蓝牙耳机Air", "云途", "穿戴", 210, 399, "是"),
    ("P302", "运动手表W2", "星辰", "穿戴", 480, 799, "是"),
    ("P303", "儿童手表K1", "极光", "穿戴", 260, 449, "否"),
    ("P304", "智能戒指R1", "极光", "穿戴", 390, 699, "是"),
]
DRAW = [12, 7, 14, 11, 8, 3, 2, 30, 34, 14, 18, 9, 13, 8, 4]
STAFF = {
    "S01": ["小丁", "阿凯", "莉莉"],
    "S02": ["大鹏", "小周"],
    "S03": ["圆圆", "阿成"],
    "S04": ["小米", "老蒋"],
    "S05": ["小谷"],
}
FAULTS = {"换屏": 40, "换电池": 28, "进水": 12, "主板": 8, "充电口": 12}
PRICES = {"换屏": 480, "换电池": 160, "进水": 300, "主板": 850, "充电口": 90}


def slashed(date: datetime.date) -> str:
    return f"{date.year}/{date.month}/{date.day}"


def build(con: sqlite3.Connection) -> None:
    rng = random.Random(707)
    members, sales, lines, repairs = [], [], [], []
    for number, name in enumerate(chinese_people(rng, 130), 1):
        level = pick(rng, {"普通": 62, "银卡": 26, "金卡": 12})
        phone = None if rng.random() < 0.05 else f"13{rng.randint(100000000, 999999999)}"
        joined = slashed(between(rng, "2023-02-01", "2026-11-10"))
        members.append((f"M{number:04d}", name, phone, level, joined, rng.randint(0, 60) * 50))
    for date in sorted(between(rng, "2025-01-02", "2026-11-17") for _ in range(1050)):
        shop = pick(rng, {"S01": 34, "S02": 26, "S03": 20, "S04": 20})
        if date >= day("2026-10-28") and rng.random() < 0.25:
            shop = "S05"
        card = rng.choice(members[:118])[0] if rng.random() < 0.46 else None
        how = pick(rng, {"微信": 50, "支付宝": 30, "刷卡": 12, "现金": 8})
        back = "是" if rng.random() < 0.035 else "否"
        number = f"XS{len(sales) + 1:05d}"
        sales.append((number, slashed(date), shop, rng.choice(STAFF[shop]), card, how, back))
        chosen = sorted(set(rng.choices(range(len(GOODS) - 1), DRAW, k=rng.choice([1, 1, 2, 2, 3, 4]))))
        for line, at in enumerate(chosen, 1):
            goods = GOODS[at]
            count = rng.choice([1, 1, 2, 3]) if goods[3] == "配件" else 1
            cut = rng.choice([1, 1, 1, 0.95, 0.9])
            lines.append((number, line, goods[0], count, goods[5], cut, round(count * goods[5] * cut, 2)))
    for number, date in enumerate(sorted(between(rng, "2025-03-01", "2026-11-18") for _ in range(260)), 1):
        fault = pick(rng, FAULTS)
        covered = "是" if rng.random() < 0.22 else "否"
        fee = 0 if covered == "是" else PRICES[fault] + rng.choice([-20, 0, 0, 30, 60])
        done = later(date, rng.choice([0, 1, 1, 2, 3, 5, 8]))
        taken = None if done > day("2026-11-19") or rng.random() < 0.03 else slashed(done)
        shop = pick(rng, {"S01": 40, "S02": 25, "S03": 20, "S04": 15})
        model = rng.choice([goods[1] for goods in GOODS if goods[3] == "手机"])
        repairs.append((f"R{number:04d}", slashed(date), shop, model, fault, covered, fee, taken))
    fill(con, "门店 (门店编号 TEXT PRIMARY KEY, 店名 TEXT, 城市 TEXT, 开业日期 TEXT, 店长 TEXT)", SHOPS)
    fill(
        con,
        "商品 (货号 TEXT PRIMARY KEY, 品名 TEXT, 品牌 TEXT, 类别 TEXT, 进价 REAL, 售价 REAL, 在售 TEXT)",
        GOODS,
    )
    fill(
        con,
        "会员 (会员号 TEXT PRIMARY KEY, 姓名 TEXT, 手机 TEXT, 等级 TEXT, 入会日期 TEXT, 积分 INTEGER)",
        members,
    )
    fill(
        con,
        "销售单 (单号 TEXT PRIMARY KEY, 日期 TEXT, 门店编号 TEXT, 店员 TEXT, 会员号 TEXT, 支付方式 TEXT, 已退货 TEXT)",
        sales,
    )
    fill(
        con,
        "销售明细 (单号 TEXT, 行号 INTEGER, 货号 TEXT, 数量 INTEGER, 单价 REAL, 折扣 REAL, 金额 REAL)",
        lines,
    )
    fill(
        con,
        "维修单 (维修号 TEXT PRIMARY KEY, 送修日期 TEXT, 门店编号 TEXT, 机型 TEXT, 故障 TEXT, 保修内 TEXT, 费用 REAL,"
        " 取机日期 TEXT)",
        repairs,
    )
