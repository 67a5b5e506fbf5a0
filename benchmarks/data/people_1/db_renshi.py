"""The staff of a small company in Chinese: departments, people, leave, quarterly scores and courses."""

import random
import sqlite3

from common import between, chinese_people, day, fill, later, pick

DEPARTMENTS = [
    ("D01", "总经办", None, "上海"),
    ("D02", "研发部", "D01", "上海"),
    ("D03", "市场部", "D01", "上海"),
    ("D04", "销售部", "D01", "广州"),
    ("D05", "财务部", "D01", "上海"),
    ("D06", "人事行政部", "D01", "上海"),
    ("D07", "客服部", "D04", "成都"),
    ("D08", "测试组", "D02", "成都"),
    ("D09", "海外部", "D01", "广州"),
]
POSTS = {
    "D01": ["总经理", "总助"],
    "D02": ["后端工程师", "前端工程师", "架构师"],
    "D03": ["市场专员", "设计师"],
    "D04": ["销售代表", "大客户经理"],
    "D05": ["会计", "出纳"],
    "D06": ["人事专员", "行政"],
    "D07": ["客服专员", "客服主管"],
    "D08": ["测试工程师"],
}
SIZE = {"D01": 2, "D02": 30, "D03": 14, "D04": 28, "D05": 8, "D06": 7, "D07": 24, "D08": 12}
PAY = {"P4": (6000, 9500), "P5": (9000, 14500), "P6": (14000, 21000), "P7": (22000, 32000), "P8": (36000, 52000)}
COURSES = [
    ("T01", "新员工入职", "2026-03-12", "胡霞"),
    ("T02", "数据安全", "2026-04-23", "外部讲师"),
    ("T03", "Excel进阶", "2026-06-18", "郑平"),
    ("T04", "客户沟通技巧", "2026-08-06", "外部讲师"),
    ("T05", "消防演练", "2026-10-15", "胡霞"),
    ("T06", "年度合规", "2026-12-03", "外部讲师"),
]
QUARTERS = [(2025, 1), (2025, 2), (2025, 3), (2025, 4), (2026, 1), (2026, 2), (2026, 3)]


def build(con: sqlite3.Connection) -> None:
    rng = random.Random(808)
    staff: list[tuple[object, ...]] = []
    leave, scores, signed = [], [], []
    heads: dict[str, str] = {}
    for name in chinese_people(rng, 150):
        number = f"E{len(staff) + 1:03d}"
        unit = list(SIZE)[len(staff)] if len(staff) < len(SIZE) else pick(rng, SIZE)
        first = unit not in heads
        grade = (
            "P8" if unit == "D01" and first else "P7" if first else pick(rng, {"P4": 36, "P5": 38, "P6": 22, "P7": 4})
        )
        low, high = PAY[grade]
        kind = "全职" if first else pick(rng, {"全职": 84, "兼职": 6, "实习": 10})
        pay: int | None = rng.randrange(low, high, 100) if kind == "全职" else rng.randrange(3000, 5500, 100)
        hired = between(rng, "2017-03-01", "2019-12-20") if first else between(rng, "2019-02-11", "2026-11-09")
        left = None
        if not first and rng.random() < 0.17:
            left = later(hired, rng.randint(90, 1300))
            left = None if left > day("2026-11-15") else left
        born = between(rng, "2001-01-01", "2005-12-31") if kind == "实习" else between(rng, "1972-01-01", "2001-12-31")
        degree = pick(rng, {"大专": 24, "本科": 54, "硕士": 19, "博士": 3})
        boss = heads.get(unit) or heads.get("D01")
        heads.setdefault(unit, number)
        if not first and rng.random() < 0.03:
            pay = None
        sex = pick(rng, {"男": 52, "女": 48})
        staff.append(
            (number, name, sex, born, hired, left, unit, rng.choice(POSTS[unit]), grade, kind, degree, pay, boss)
        )
    for person in staff:
        number, hired, left = str(person[0]), str(person[4]), str(person[5] or "2026-11-18")
        for _ in range(rng.choice([0, 1, 2, 3, 5, 8])):
            when = between(rng, "2025-01-06", "2026-12-04")
            if not hired <= str(when) <= left and not (person[5] is None and str(when) > left):
                continue
            sort = pick(rng, {"年假": 46, "病假": 22, "事假": 22, "婚假": 3, "产假": 2, "调休": 5})
            days = {"婚假": 10.0, "产假": 98.0}.get(sort) or rng.choice([0.5, 1, 1, 1, 2, 2, 3, 5])
            state = "待审批" if when > day("2026-11-12") else pick(rng, {"已批准": 90, "已驳回": 10})
            leave.append((number, sort, when, later(when, max(0, int(days) - 1)), days, state))
        for year, quarter in QUARTERS:
            if hired < f"{year}-{quarter * 3 - 2:02d}-01" and left > f"{year}-{quarter * 3:02d}-30":
                scores.append((number, year, quarter, min(100, max(52, round(rng.gauss(82, 8), 1)))))
        chosen = [course[0] for course in COURSES[:5] if hired <= course[2] <= left and rng.random() < 0.42]
        signed += [(course, number, "是" if rng.random() < 0.86 else "否") for course in chosen]
    leave.sort(key=lambda row: str(row[2]))
    fill(con, "部门 (部门编码 TEXT PRIMARY KEY, 部门名称 TEXT, 上级部门 TEXT, 办公地 TEXT)", DEPARTMENTS)
    fill(
        con,
        "员工 (工号 TEXT PRIMARY KEY, 姓名 TEXT, 性别 TEXT, 出生日期 TEXT, 入职日期 TEXT, 离职日期 TEXT, 部门编码 TEXT,"
        " 岗位 TEXT, 职级 TEXT, 用工类型 TEXT, 学历 TEXT, 月薪 REAL, 直属上级 TEXT)",
        staff,
    )
    fill(
        con,
        "请假 (编号 INTEGER PRIMARY KEY, 工号 TEXT, 假别 TEXT, 开始日期 TEXT, 结束日期 TEXT, 天数 REAL, 审批状态 TEXT)",
        ((n, *row) for n, row in enumerate(leave, 1)),
    )
    fill(con, "绩效 (工号 TEXT, 年度 INTEGER, 季度 INTEGER, 得分 REAL)", scores)
    fill(con, "培训 (培训编号 TEXT PRIMARY KEY, 课程 TEXT, 日期 TEXT, 讲师 TEXT)", COURSES)
    fill(con, "培训签到 (培训编号 TEXT, 工号 TEXT, 到场 TEXT)", signed)
