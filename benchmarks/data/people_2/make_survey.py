"""A survey of the members of a chain of gyms, as the survey service exports it: one wide Chinese table."""

import random
import sqlite3
from datetime import datetime, timedelta

COLUMNS = (
    "答卷编号 INTEGER,提交时间 TEXT,来源渠道 TEXT,用时秒 INTEGER,性别 TEXT,年龄段 TEXT,"
    "城市 TEXT,门店 TEXT,会员类型 TEXT,入会年份 INTEGER,每周次数 INTEGER,常去时段 TEXT,"
    "月均消费 TEXT,环境评分 INTEGER,器械评分 INTEGER,教练评分 INTEGER,课程评分 INTEGER,价格评分 INTEGER,"
    "总体满意度 INTEGER,推荐意愿 INTEGER,最喜欢的课程 TEXT,是否请私教 TEXT,是否续卡 TEXT,主要不满 TEXT,"
    "愿意回访 TEXT,建议 TEXT"
)
SHOPS = [  # city, shop, weight, how good it is
    ("上海", "静安店", 16, 0.3),
    ("上海", "徐汇店", 13, 0.0),
    ("上海", "浦东店", 12, -0.2),
    ("杭州", "西湖店", 14, 0.5),
    ("杭州", "滨江店", 9, 0.1),
    ("南京", "新街口店", 11, -0.5),
    ("苏州", "园区店", 8, 0.2),
    ("成都", "春熙店", 10, 0.0),
    ("成都", "高新店", 7, -0.3),
]
ADVICE = [
    "希望延长周末营业时间",
    "淋浴间热水不稳定",
    "多开一些晚间课程",
    "停车太难了",
    "储物柜太小",
    "教练很专业",
    "空调太冷",
]


def weighted(rng: random.Random, options: str) -> str:
    pairs = [o.split(":") for o in options.split()]
    return rng.choices([p[0] for p in pairs], [float(p[1]) for p in pairs])[0]


def gym_survey(con: sqlite3.Connection) -> None:
    rng = random.Random(4104)
    con.execute(f"CREATE TABLE 会员问卷 ({COLUMNS})")
    start, minutes = datetime(2025, 1, 5, 8), 675 * 24 * 60
    moments = sorted(start + timedelta(minutes=rng.randint(0, minutes)) for _ in range(960))
    for number, moment in enumerate(moments, 1001):
        city, shop, _, good = rng.choices(SHOPS, [s[2] for s in SHOPS])[0]
        card = weighted(rng, "年卡:48 季卡:20 月卡:22 次卡:10")
        often = {"次卡": [0, 1, 1], "月卡": [1, 2, 3]}.get(card, [1, 2, 3, 3, 4, 5, 6])
        times = rng.choice(often)

        def score(shift: float, base: float = good) -> int:
            return min(5, max(1, round(rng.gauss(3.7 + base + shift, 0.9))))

        price = score(-0.6)
        overall = min(5, max(1, round(rng.gauss(3.7 + good * 1.3, 0.8))))
        coach = weighted(rng, "是:31 否:69")
        spend = {"年卡": 320, "季卡": 410, "月卡": 520, "次卡": 240}[card] * rng.uniform(0.7, 1.4)
        spend += rng.uniform(600, 1500) if coach == "是" else 0
        unhappy = weighted(rng, "价格高:24 人太多:27 设备旧:15 距离远:9 课程少:12 无:18")
        willing = min(10, max(0, overall * 2 + rng.choice([-2, -1, 0, 0, 1])))
        renew = weighted(rng, f"是:{overall * 12} 否:{(6 - overall) * 6} 考虑中:18")
        row = [number, moment.strftime("%Y-%m-%d %H:%M"), weighted(rng, "微信:55 短信:15 门店扫码:22 官网:8")]
        row += [rng.randint(48, 900), weighted(rng, "男:46 女:51 不愿透露:3")]
        row += [
            weighted(rng, "18-24:17 25-34:39 35-44:26 45-54:12 55以上:6"),
            city,
            shop,
            card,
            rng.randint(2017, 2026),
        ]
        row[-1] = min(row[-1], moment.year)
        row += [times, weighted(rng, "早上:17 中午:12 晚上:58 周末白天:13"), f"{round(spend, -1):,.0f}元"]
        row += [
            score(0.2),
            score(-0.1),
            score(0.3) if rng.random() < 0.9 else None,
            score(0.0),
            price,
            overall,
            willing,
        ]
        row += [
            weighted(rng, "瑜伽:27 动感单车:21 搏击操:14 游泳:11 力量训练:18 普拉提:9") if rng.random() < 0.93 else None
        ]
        row += [coach, renew, None if unhappy == "无" else unhappy, weighted(rng, "是:41 否:59")]
        row += [rng.choice(ADVICE) if rng.random() < 0.2 else None]
        con.execute(f"INSERT INTO 会员问卷 VALUES ({','.join('?' * 26)})", row)
