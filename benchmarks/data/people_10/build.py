#!/usr/bin/env python3
"""Write nine small SQLite databases to databases/ (or the folder given). Standard library only, fixed seeds."""

import os
import random
import sqlite3
import sys
from datetime import date, datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "databases")
D = date


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


def rd(r, a, b, skew=1.0):
    return a + timedelta(days=int((b - a).days * r.random() ** (1 / skew)))


def w(r, d):
    return r.choices(list(d), list(d.values()))[0]


def z(d):
    return "%d/%d/%d" % (d.year, d.month, d.day)


def zhnames(r, n):
    a, b = (
        "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗",
        [
            "伟",
            "芳",
            "娜",
            "敏",
            "静",
            "磊",
            "洋",
            "艳",
            "勇",
            "杰",
            "娟",
            "涛",
            "晓明",
            "秀英",
            "子涵",
            "雨桐",
            "浩然",
            "思远",
            "佳怡",
            "梓萱",
            "志强",
            "建国",
            "丽华",
            "文博",
            "可欣",
        ],
    )
    out = []
    while len(out) < n:
        x = r.choice(a) + r.choice(b)
        if x not in out:
            out.append(x)
    return out


def ennames(r, n):
    a = [
        "Ava",
        "Ben",
        "Cara",
        "Dylan",
        "Elsa",
        "Finn",
        "Gwen",
        "Hugo",
        "Iris",
        "Joel",
        "Kira",
        "Leo",
        "Mona",
        "Nate",
        "Opal",
        "Pete",
        "Quinn",
        "Rosa",
        "Seth",
        "Tara",
        "Umar",
        "Vera",
        "Wade",
        "Xena",
        "Yuri",
        "Zoe",
        "Amir",
        "Bella",
        "Cyrus",
        "Dora",
        "Emil",
        "Faye",
        "Gus",
        "Hana",
        "Igor",
        "Jade",
    ]
    b = [
        "Abbott",
        "Barker",
        "Castle",
        "Dunn",
        "Ellery",
        "Foster",
        "Grant",
        "Hobbs",
        "Ingram",
        "Jarvis",
        "Keane",
        "Lowe",
        "Mercer",
        "Nolan",
        "Orton",
        "Pruitt",
        "Quigley",
        "Rhodes",
        "Sutton",
        "Tully",
        "Upton",
        "Vance",
        "Walsh",
        "Yates",
        "Zeller",
        "Okafor",
        "Silva",
        "Novak",
        "Haas",
        "Moreau",
    ]
    out = []
    while len(out) < n:
        x = r.choice(a) + " " + r.choice(b)
        if x not in out:
            out.append(x)
    return out


def jianshen():
    r = random.Random(101)
    nm = zhnames(r, 200)
    shops = {"万象店": 5, "滨江店": 4, "大学城店": 3}
    coach = [
        (
            i + 1,
            [
                "罗志强",
                "马浩然",
                "林可欣",
                "何涛",
                "郭静",
                "孙磊",
                "高雨桐",
                "朱勇",
                "徐敏",
                "胡杰",
                "周艳",
                "吴文博",
                "黄娜",
            ][i],
            ["男", "男", "女", "男", "女", "男", "女", "男", "女", "男", "女", "男", "女"][i],
            ["明星", "高级", "高级", "中级", "中级", "中级", "初级", "初级", "中级", "高级", "初级", "初级", "初级"][i],
            [
                "万象店",
                "万象店",
                "滨江店",
                "滨江店",
                "大学城店",
                "万象店",
                "万象店",
                "滨江店",
                "滨江店",
                "大学城店",
                "大学城店",
                "万象店",
                "大学城店",
            ][i],
            str(D(2021, 3, 1) + timedelta(days=157 * i)),
            "否" if i in (7, 10) else "是",
            [260, 220, 210, 180, 175, 170, 130, 125, 165, 200, 120, 115, 110][i],
        )
        for i in range(13)
    ]
    used = [n for n in nm if n not in {c[1] for c in coach}][:160]
    mem = []
    for i, n in enumerate(used):
        mem.append(
            (
                1001 + i,
                n,
                r.choice("男女女"),
                "13%09d" % r.randrange(10**9) if r.random() > 0.08 else None,
                r.randrange(1968, 2006),
                w(r, {"抖音": 5, "朋友介绍": 4, "路过": 3, "美团": 2, "地推": 1.3}),
                w(r, shops),
                str(rd(r, D(2024, 1, 5), D(2026, 11, 10))),
                w(r, {"正常": 7, "冻结": 1, "流失": 3}),
            )
        )
    orders, cls, k, j = [], [], 0, 0
    for m in mem:
        if r.random() < 0.13:
            continue
        for _ in range(w(r, {1: 6, 2: 4, 3: 2, 4: 1})):
            k += 1
            c = r.choices(coach[:12], [9, 7, 6, 5, 4, 4, 3, 2.5, 3, 3.5, 2, 1.2])[0]
            d = rd(r, D.fromisoformat(m[7]), D(2026, 11, 12))
            n = w(r, {12: 4, 24: 4, 36: 2, 48: 1, 72: 0.4})
            typ = w(r, {"增肌": 5, "减脂": 7, "普拉提": 3, "拉伸": 2, "康复": 1.2})
            amt = round(n * c[7] * 1.6 * r.choice([1, 0.95, 0.9, 0.85]) / 10) * 10
            orders.append(
                (
                    "KB%04d" % k,
                    m[0],
                    c[0],
                    typ,
                    n,
                    amt,
                    w(r, {"微信": 6, "支付宝": 3, "刷卡": 2, "现金": 0.6}),
                    str(d),
                    str(d + timedelta(days=n * 8)),
                    1 if r.random() < 0.06 else 0,
                )
            )
            for _ in range(int(n * r.random() * 0.55)):
                dd = d + timedelta(days=r.randrange(1, n * 7))
                if dd > D(2026, 11, 15):
                    continue
                j += 1
                st = w(r, {"已上": 16, "取消": 2, "爽约": 1.2})
                cls.append(
                    (
                        j,
                        "KB%04d" % k,
                        m[0],
                        c[0] if r.random() < 0.93 else r.choice(coach[:12])[0],
                        str(dd),
                        w(r, {"上午": 3, "下午": 3, "晚上": 6}),
                        w(r, {60: 8, 90: 2, 45: 1}),
                        st,
                        w(r, {5: 9, 4: 5, 3: 2, 2: 0.6, 1: 0.3}) if st == "已上" and r.random() < 0.7 else None,
                    )
                )
    body = []
    for m in mem:
        if r.random() < 0.25:
            continue
        kg, fat, d = r.uniform(50, 98), r.uniform(17, 36), D.fromisoformat(m[7])
        for _ in range(r.randrange(1, 5)):
            if d > D(2026, 11, 14):
                break
            body.append((m[0], str(d), round(kg, 1), round(fat, 1)))
            d, kg, fat = d + timedelta(days=r.randrange(30, 90)), kg + r.uniform(-4, 1.5), fat + r.uniform(-2.4, 0.9)
    make(
        "jianshen",
        """CREATE TABLE 教练(编号 INTEGER PRIMARY KEY, 姓名 TEXT, 性别 TEXT, 级别 TEXT, 门店 TEXT, 入职日期 TEXT, 在职 TEXT, 课时费 REAL);
CREATE TABLE 会员(会员号 INTEGER PRIMARY KEY, 姓名 TEXT, 性别 TEXT, 手机 TEXT, 出生年 INTEGER, 来源 TEXT, 门店 TEXT, 办卡日期 TEXT, 状态 TEXT);
CREATE TABLE 课包订单(单号 TEXT PRIMARY KEY, 会员号 INTEGER, 教练编号 INTEGER, 课程 TEXT, 节数 INTEGER, 金额 REAL, 付款方式 TEXT, 购买日期 TEXT, 到期日 TEXT, 已退 INTEGER);
CREATE TABLE 上课记录(流水 INTEGER PRIMARY KEY, 单号 TEXT, 会员号 INTEGER, 教练编号 INTEGER, 上课日期 TEXT, 时段 TEXT, 时长 INTEGER, 状态 TEXT, 评分 INTEGER);
CREATE TABLE 体测(会员号 INTEGER, 日期 TEXT, 体重 REAL, 体脂率 REAL);""",
        {"教练": coach, "会员": mem, "课包订单": orders, "上课记录": cls, "体测": body},
    )


def huadian():
    r = random.Random(202)
    shops = [
        ("S1", "花间总店", "鼓楼区", "叶青", "2018/5/1"),
        ("S2", "城南店", "秦淮区", "唐婉", "2020/9/12"),
        ("S3", "河西店", "建邺区", "沈一鸣", "2021/3/8"),
        ("S4", "江北店", "浦口区", "叶青", "2023/11/11"),
        ("S5", "仙林店", "栖霞区", None, "2026/10/25"),
    ]
    fl = [
        ("红玫瑰", "玫瑰", "枝", 3.2, 8, "云南", 7),
        ("白玫瑰", "玫瑰", "枝", 3.5, 9, "云南", 7),
        ("粉玫瑰", "玫瑰", "枝", 3.4, 8.5, "云南", 6),
        ("厄瓜多尔玫瑰", "玫瑰", "枝", 14, 32, "进口", 10),
        ("香水百合", "百合", "枝", 7, 16, "云南", 9),
        ("粉百合", "百合", "枝", 6.5, 15, "福建", 9),
        ("向日葵", "其他鲜花", "枝", 4, 10, "山东", 8),
        ("康乃馨", "其他鲜花", "枝", 1.5, 4, "云南", 12),
        ("满天星", "配花", "扎", 9, 22, "云南", 14),
        ("尤加利叶", "配花", "扎", 8, 18, "福建", 15),
        ("郁金香", "其他鲜花", "枝", 6, 14, "进口", 5),
        ("绣球", "其他鲜花", "枝", 12, 28, "云南", 6),
        ("蝴蝶兰", "盆栽", "盆", 65, 148, "广东", 60),
        ("绿萝", "盆栽", "盆", 12, 29, "广东", 365),
        ("发财树", "盆栽", "盆", 120, 268, "广东", 365),
        ("多肉组合", "盆栽", "盆", 18, 45, "山东", 365),
        ("永生花礼盒", "礼盒", "盒", 90, 239, "进口", 720),
        ("玫瑰礼盒", "礼盒", "盒", 75, 199, "云南", 7),
        ("小熊花束", "礼盒", "盒", 40, 99, "浙江", 10),
        ("龟背竹", "盆栽", "盆", 35, 79, None, 300),
    ]
    items = [("H%02d" % (i + 1),) + f for i, f in enumerate(fl)]
    nm = zhnames(r, 150)
    cust = [
        (
            i + 1,
            n,
            "15%09d" % r.randrange(10**9),
            w(r, {"普通": 7, "银卡": 3, "金卡": 1.5, "黑卡": 0.4}),
            "%02d-%02d" % (r.randrange(1, 13), r.randrange(1, 29)),
            z(rd(r, D(2024, 2, 1), D(2026, 11, 8))),
        )
        for i, n in enumerate(nm)
    ]
    od, ln, ref = [], [], []
    wt = [1.2, 3.5, 1.6, 1.2, 2, 1.5, 1.1, 1.3, 1.2, 1.4, 1.2, 1.5]
    for i in range(950):
        while True:
            d = rd(r, D(2024, 9, 1), D(2026, 11, 18), 1.25)
            if r.random() < wt[d.month - 1] / 3.5:
                break
        no = "DD%05d" % (i + 1)
        way = w(r, {"自提": 4, "同城配送": 6, "快递": 1})
        late = (D(2026, 11, 20) - d).days
        st = (
            "已取消"
            if r.random() < 0.07
            else (
                "待发" if late < 12 and r.random() < 0.5 else "配送中" if late < 12 and r.random() < 0.5 else "已完成"
            )
        )
        sd = d + timedelta(days=r.randrange(0, 6))
        od.append(
            (
                no,
                r.choices(["S1", "S2", "S3", "S4"], [5, 3, 3.4, 1.6])[0],
                None if r.random() < 0.14 else int(140 * r.random() ** 1.7) + 1,
                z(d),
                None if way == "自提" else z(sd),
                way,
                None
                if way == "自提"
                else w(r, {"鼓楼区": 5, "秦淮区": 4, "建邺区": 4, "玄武区": 3, "浦口区": 2, "栖霞区": 1.5}),
                w(r, {"门店": 4, "小程序": 5, "美团": 3, "电话": 1}),
                st,
                0 if way == "自提" else r.choice([8, 10, 12, 15, 0]),
                r.choice([0, 0, 0, 5, 10, 20, 30]),
                r.choice([None, None, "生日快乐", "妈妈辛苦了", "我爱你", "开业大吉", "早日康复"]),
            )
        )
        amt = 0
        for x, it in enumerate(
            r.choices(items[:19], [12, 5, 7, 2, 5, 3, 6, 8, 6, 4, 3, 3, 3, 4, 1, 3.4, 1.3, 3, 2.5], k=r.randrange(1, 5))
        ):
            q = r.choice([1, 1, 2, 3, 5, 9, 11, 19]) if it[3] == "枝" else r.choice([1, 1, 1, 2])
            p = it[5] if r.random() < 0.8 else round(it[5] * 0.9, 1)
            ln.append((no, x + 1, it[0], q, p))
            amt += q * p
        if st == "已完成" and r.random() < 0.06:
            ref.append(
                (
                    no,
                    z(d + timedelta(days=r.randrange(1, 9))),
                    round(amt * r.choice([1, 0.5, 0.3]), 2),
                    w(r, {"花不新鲜": 5, "送晚了": 4, "货不对板": 2, "买错了": 1}),
                )
            )
    ref = [x for x in ref if D(*map(int, x[1].split("/"))) < D(2026, 11, 19)]
    make(
        "huadian",
        """CREATE TABLE 门店(店号 TEXT PRIMARY KEY, 店名 TEXT, 区 TEXT, 店长 TEXT, 开业日期 TEXT);
CREATE TABLE 花材(货号 TEXT PRIMARY KEY, 品名 TEXT, 类别 TEXT, 单位 TEXT, 进价 REAL, 售价 REAL, 产地 TEXT, 保鲜天数 INTEGER);
CREATE TABLE 顾客(顾客号 INTEGER PRIMARY KEY, 姓名 TEXT, 电话 TEXT, 会员等级 TEXT, 生日 TEXT, 注册日期 TEXT);
CREATE TABLE 订单(单号 TEXT PRIMARY KEY, 店号 TEXT, 顾客号 INTEGER, 下单日期 TEXT, 配送日期 TEXT, 取货方式 TEXT, 收货区 TEXT, 渠道 TEXT, 状态 TEXT, 运费 REAL, 优惠 REAL, 贺卡 TEXT);
CREATE TABLE 订单明细(单号 TEXT, 行号 INTEGER, 货号 TEXT, 数量 INTEGER, 单价 REAL);
CREATE TABLE 退款(单号 TEXT, 日期 TEXT, 金额 REAL, 原因 TEXT);""",
        {"门店": shops, "花材": items, "顾客": cust, "订单": od, "订单明细": ln, "退款": ref},
    )


def gongjiao():
    r = random.Random(303)
    br = [("A", "东城分公司"), ("B", "西郊分公司"), ("C", "南湖分公司")]
    sn = [
        "火车站",
        "汽车东站",
        "人民广场",
        "体育中心",
        "市医院",
        "大学城",
        "南湖公园",
        "高新园区",
        "机场",
        "动物园",
        "博物馆",
        "会展中心",
        "老码头",
        "西郊枢纽",
        "科技馆",
        "新港",
        "青年路口",
        "市民中心",
    ]
    st = [
        (
            i + 1,
            n,
            r.choice(["东城区", "东城区", "西郊区", "南湖区", "高新区"]),
            int(r.random() < 0.65),
            r.randrange(1, 5),
        )
        for i, n in enumerate(sn)
    ]
    ln = []
    spec = [
        ("1路", "A", 1, 8, 14.5, 2, "普通"),
        ("3路", "A", 3, 10, 9.8, 2, "普通"),
        ("8路", "B", 14, 1, 16.2, 2, "普通"),
        ("12路", "C", 7, 5, 11.3, 2, "普通"),
        ("16路", "C", 6, 3, 13.7, 2, "普通"),
        ("21路", "B", 14, 13, 18.9, 3, "普通"),
        ("K1", "A", 1, 9, 32.5, 10, "快线"),
        ("K5", "C", 6, 8, 24.1, 5, "快线"),
        ("夜1路", "A", 1, 6, 15.8, 3, "夜班"),
        ("夜2路", "C", 7, 14, 20.4, 3, "夜班"),
        ("支3", "B", 15, 11, 4.6, 1, "支线"),
        ("支7", "C", 7, 18, 3.9, 1, "支线"),
        ("33路", "B", 16, 12, 12.6, 2, "普通"),
        ("支9", "A", 17, 4, 5.2, 1, "支线"),
    ]
    for i, s in enumerate(spec):
        night = s[6] == "夜班"
        ln.append(
            (i + 1,)
            + s
            + (
                "22:30" if night else ["05:30", "06:00", "06:20"][i % 3],
                "05:00" if night else ["22:00", "21:30", "23:00", "20:40"][i % 4],
                "否" if i in (1, 10, 12) else "是",
            )
        )
    cars, k = [], 0
    for l in ln[:13]:
        for _ in range(3 if l[7] == "支线" else 4 + (l[0] % 3)):
            k += 1
            cars.append(
                (
                    k,
                    "苏E%05d" % r.randrange(10000, 99999),
                    l[0] if r.random() < 0.93 else None,
                    w(r, {"纯电": 6, "混动": 2.5, "柴油": 1.6, "氢能": 0.5}),
                    r.choice([24, 28, 32, 36, 40]),
                    str(rd(r, D(2014, 3, 1), D(2026, 6, 1))),
                    w(r, {"运营": 10, "维修": 1.5, "报废": 0.7}),
                )
            )
    nm = zhnames(r, 46)
    dr = [
        (
            500 + i,
            n,
            r.choice("男男男女"),
            r.choice("AABBC"),
            str(rd(r, D(2008, 1, 1), D(2026, 5, 1))),
            r.randrange(2, 31),
            w(r, {"A1": 5, "A3": 4}),
        )
        for i, n in enumerate(nm)
    ]
    rw = [10, 7, 6, 6.5, 5, 4, 3.6, 4.4, 2, 1.5, 2.4, 2.1, 3]
    trips = []
    dl = {l[0]: r.choice([2, 3, 4, 5, 7]) for l in ln}
    for i in range(2600):
        l = r.choices(ln[:13], rw)[0]
        d = rd(r, D(2025, 3, 1), D(2026, 11, 15), 1.15)
        h = (
            r.choice([22, 23, 0, 1, 2, 4])
            if l[7] == "夜班"
            else r.choices(range(6, 22), [6, 9, 9, 5, 4, 4, 4, 4, 4, 4, 5, 9, 9, 6, 4, 3])[0]
        )
        c = r.choice([x for x in cars if x[2] == l[0]])
        cancel = r.random() < 0.035
        late = max(0, int(r.gauss(dl[l[0]] + (3 if h in (7, 8, 17, 18) else 0), 4)))
        pax = max(3, int(r.gauss({"普通": 48, "快线": 36, "夜班": 14, "支线": 19}[l[7]] + l[0], 13)))
        trips.append(
            (
                i + 1,
                str(d),
                l[0],
                c[0],
                dr[int(44 * r.random() ** 1.3)][0],
                "%02d:%02d" % (h, r.choice([0, 10, 20, 30, 45])),
                None if cancel else late,
                None if cancel else pax,
                None if cancel else round(pax * l[6] * r.choice([0.9, 0.85, 0.8]), 1),
                "取消" if cancel else "完成",
            )
        )
    comp = []
    for i in range(190):
        d = rd(r, D(2025, 3, 10), D(2026, 11, 16))
        s = w(r, {"已办结": 8, "处理中": 1.6, "不受理": 1})
        e = d + timedelta(days=r.randrange(1, 20))
        if e > D(2026, 11, 18) and s == "已办结":
            s = "处理中"
        comp.append(
            (
                i + 1,
                str(d),
                r.choices(ln[:13], rw)[0][0],
                dr[int(40 * r.random() ** 1.5)][0] if r.random() < 0.7 else None,
                w(r, {"晚点": 6, "甩站": 3, "服务态度": 4, "车内卫生": 1.5, "空调": 2}),
                w(r, {"12345热线": 5, "微信": 4, "电话": 2, "现场": 0.7}),
                s,
                str(e) if s == "已办结" else None,
            )
        )
    make(
        "gongjiao",
        """CREATE TABLE 分公司(代码 TEXT PRIMARY KEY, 名称 TEXT);
CREATE TABLE 站点(站号 INTEGER PRIMARY KEY, 站名 TEXT, 区 TEXT, 雨棚 INTEGER, 站牌数 INTEGER);
CREATE TABLE 线路(线路id INTEGER PRIMARY KEY, 线路名 TEXT, 分公司 TEXT, 起点站 INTEGER, 终点站 INTEGER, 里程 REAL, 票价 REAL, 类型 TEXT, 首班 TEXT, 末班 TEXT, 空调 TEXT);
CREATE TABLE 车辆(车号 INTEGER PRIMARY KEY, 车牌 TEXT, 线路id INTEGER, 能源 TEXT, 座位数 INTEGER, 投运日期 TEXT, 状态 TEXT);
CREATE TABLE 司机(工号 INTEGER PRIMARY KEY, 姓名 TEXT, 性别 TEXT, 分公司 TEXT, 入职日期 TEXT, 驾龄 INTEGER, 准驾 TEXT);
CREATE TABLE 班次(班次号 INTEGER PRIMARY KEY, 日期 TEXT, 线路id INTEGER, 车号 INTEGER, 司机工号 INTEGER, 计划发车 TEXT, 晚点分钟 INTEGER, 客流 INTEGER, 票款 REAL, 状态 TEXT);
CREATE TABLE 投诉(编号 INTEGER PRIMARY KEY, 日期 TEXT, 线路id INTEGER, 司机工号 INTEGER, 类型 TEXT, 渠道 TEXT, 结果 TEXT, 办结日期 TEXT);""",
        {"分公司": br, "站点": st, "线路": ln, "车辆": cars, "司机": dr, "班次": trips, "投诉": comp},
    )


def playlog():
    r = random.Random(404)
    games = [
        (1, "Star Forge", "strategy", "2024-04-18", "multi"),
        (2, "Puddle Jump", "casual", "2024-11-05", "mobile"),
        (3, "Iron Rally", "racing", "2025-06-20", "multi"),
        (4, "Moss Kingdom", "rpg", "2023-09-01", "pc"),
        (5, "Tile Witch", "puzzle", "2026-02-14", "mobile"),
        (6, "Deep Signal", "rpg", "2027-03-01", "pc"),
    ]
    sku = [
        ("GEM100", "100 Gems", "currency", 0.99),
        ("GEM550", "550 Gems", "currency", 4.99),
        ("GEM1200", "1200 Gems", "currency", 9.99),
        ("PASS_S", "Season Pass", "pass", 12.99),
        ("SKIN_R", "Rare Skin", "cosmetic", 6.99),
        ("SKIN_L", "Legendary Skin", "cosmetic", 19.99),
        ("BOOST7", "7-day Boost", "boost", 3.49),
        ("STARTER", "Starter Pack", "bundle", 2.99),
        ("NOADS", "Remove Ads", "utility", 5.49),
    ]
    pre, suf = (
        [
            "Neo",
            "Dark",
            "Sly",
            "Blue",
            "Iron",
            "Lazy",
            "Mad",
            "Tiny",
            "Zen",
            "Wild",
            "Foxy",
            "Void",
            "Hot",
            "Ghost",
            "Rapid",
        ],
        [
            "Wolf",
            "Panda",
            "Ninja",
            "Mage",
            "Otter",
            "Rook",
            "Comet",
            "Toast",
            "Viper",
            "Knight",
            "Noodle",
            "Pixel",
            "Crow",
        ],
    )
    nick = []
    while len(nick) < 170:
        n = r.choice(pre) + r.choice(suf) + r.choice(["", "", "7", "99", "x"])
        if n not in nick:
            nick.append(n)
    pl = [
        (
            i + 1,
            n,
            w(r, {"US": 5, "CN": 4, "DE": 2, "BR": 2, "JP": 2.4, "KR": 1.2, "FR": 1}),
            w(r, {"ios": 4, "android": 5, "pc": 3, "switch": 0.7}),
            str(rd(r, D(2024, 5, 1), D(2026, 11, 5))),
            int(r.random() < 0.12),
            w(r, {"organic": 5, "ads": 4, "friend": 2, "streamer": 1.5}),
            int(r.random() < 0.05),
        )
        for i, n in enumerate(nick)
    ]
    ss, ip, du, lv = [], [], [], []

    def when(p):
        d = rd(r, max(D.fromisoformat(p[4]), D(2025, 1, 1)), D(2026, 11, 17))
        return "%s %02d:%02d" % (
            d,
            r.choices(range(24), [4, 2, 1, 1, 1, 1, 2, 3, 3, 3, 3, 4, 5, 4, 4, 4, 5, 6, 7, 9, 11, 11, 9, 6])[0],
            r.randrange(60),
        )

    gw = {1: 6, 2: 5, 3: 4, 4: 3, 5: 3.3}

    def game(ts):
        while True:
            g = w(r, gw)
            if games[g - 1][3] <= ts[:10]:
                return g

    for i in range(2600):
        p = pl[int(160 * r.random() ** 1.6)]
        ts = when(p)
        ss.append(
            (
                i + 1,
                p[0],
                game(ts),
                ts,
                max(1, int(r.expovariate(1 / 34))),
                p[3],
                w(r, {"1.8": 3, "1.9": 4, "2.0": 5, "2.1": 2}),
                int(r.random() < 0.045),
            )
        )
    for i in range(640):
        p = pl[int(110 * r.random() ** 1.8)]
        ts = when(p)
        s = r.choices(sku, [8, 6, 3, 3, 3, 1.2, 3, 4, 2])[0]
        q = r.choice([1, 1, 1, 1, 2, 3])
        ip.append(
            (
                "T%05d" % (i + 1),
                p[0],
                game(ts),
                s[0],
                q,
                round(q * s[3] * r.choice([1, 1, 1, 0.8]), 2),
                ts,
                "Y" if r.random() < 0.05 else "N",
            )
        )
    for i in range(420):
        a, b = pl[int(90 * r.random() ** 1.5)], pl[int(120 * r.random() ** 1.2)]
        if a == b:
            b = pl[(a[0] + 3) % 170]
        ts = when(max(a, b, key=lambda x: x[4]))
        du.append((i + 1, ts, w(r, {1: 4, 3: 5}) if ts[:10] >= "2025-06-20" else 1, a[0], b[0], r.randrange(1, 8)))
    for i in range(900):
        p = pl[int(150 * r.random() ** 1.4)]
        ts = when(p)
        l = r.randrange(1, 21)
        g = 2 if ts[:10] < "2026-02-14" else r.choice([2, 5])
        lv.append(
            (
                i + 1,
                p[0],
                g,
                l,
                "win" if r.random() > 0.2 + l * 0.025 else r.choice(["fail", "fail", "quit"]),
                1 + int(r.expovariate(1 / (1 + l / 5))),
                ts,
            )
        )
    make(
        "playlog",
        """CREATE TABLE games(game_id INTEGER PRIMARY KEY, title TEXT, genre TEXT, launch_dt TEXT, plat TEXT);
CREATE TABLE players(pid INTEGER PRIMARY KEY, nick TEXT, ctry TEXT, device TEXT, signup_dt TEXT, vip INTEGER, ref_src TEXT, banned INTEGER);
CREATE TABLE sess(sess_id INTEGER PRIMARY KEY, pid INTEGER, game_id INTEGER, start_ts TEXT, dur_min INTEGER, device TEXT, app_ver TEXT, crashed INTEGER);
CREATE TABLE sku_ref(sku TEXT PRIMARY KEY, item_nm TEXT, cat TEXT, list_usd REAL);
CREATE TABLE iap(txn TEXT PRIMARY KEY, pid INTEGER, game_id INTEGER, sku TEXT, qty INTEGER, usd REAL, ts TEXT, refunded TEXT);
CREATE TABLE duels(duel_id INTEGER PRIMARY KEY, ts TEXT, game_id INTEGER, winner_pid INTEGER, loser_pid INTEGER, rounds INTEGER);
CREATE TABLE lvl_evt(evt_id INTEGER PRIMARY KEY, pid INTEGER, game_id INTEGER, lvl INTEGER, result TEXT, tries INTEGER, ts TEXT);""",
        {"games": games, "players": pl, "sess": ss, "sku_ref": sku, "iap": ip, "duels": du, "lvl_evt": lv},
    )


def cowork():
    r = random.Random(505)
    sites = [
        ("HBR", "Harbour House", "Bristol", "2021-02-01", 120),
        ("MIL", "The Mill", "Leeds", "2022-06-15", 85),
        ("STN", "Station Works", "Bristol", "2023-09-04", 60),
        ("LOF", "Loft 9", "York", "2025-01-13", 40),
    ]
    rm = [
        ("Anchor", 0, "meeting", 8, 28),
        ("Beacon", 0, "meeting", 12, 38),
        ("Cabin", 0, "phone", 1, 8),
        ("Deckhall", 0, "event", 60, 120),
        ("Spindle", 1, "meeting", 6, 22),
        ("Loom", 1, "meeting", 10, 30),
        ("Bobbin", 1, "phone", 1, 7),
        ("Weaver Hall", 1, "event", 45, 95),
        ("Platform 1", 2, "meeting", 6, 24),
        ("Platform 2", 2, "meeting", 14, 42),
        ("Signal Box", 2, "phone", 2, 9),
        ("Attic", 3, "meeting", 5, 18),
        ("Skylight", 3, "studio", 4, 35),
        ("Old Vault", 2, "studio", 6, 40),
    ]
    rooms = [
        (i + 1, sites[x[1]][0], x[0], x[2], x[3], x[4], "N" if x[2] == "phone" else r.choice("YYYN"))
        for i, x in enumerate(rm)
    ]
    plans = [
        ("HOT", "Hot Desk", 149, 4),
        ("DED", "Dedicated Desk", 279, 10),
        ("OFF", "Private Office", 890, 30),
        ("VIR", "Virtual", 35, 0),
        ("DAY", "Day Pass", 22, 0),
    ]
    fee = {p[0]: p[2] for p in plans}
    nm = ennames(r, 130)
    co = [
        "Kestrel Studio",
        "Bluefin Labs",
        "Oak & Ash",
        "Pixelwright",
        "Northlight",
        "Fern Digital",
        "Copperline",
        "Tandem Copy",
        "Juniper Health",
        "Lanternfish",
    ]
    mem = []
    for i, n in enumerate(nm):
        j = rd(r, D(2023, 3, 1), D(2026, 11, 6))
        e = rd(r, j + timedelta(days=40), D(2027, 3, 1)) if r.random() < 0.38 else None
        if e and e > D(2026, 11, 15):
            e = None
        mem.append(
            (
                2000 + i,
                n,
                r.choice(co) if r.random() < 0.72 else None,
                w(r, {"HOT": 6, "DED": 4, "OFF": 1.6, "VIR": 2}),
                str(j),
                str(e) if e else None,
                w(r, {"HBR": 5, "MIL": 4, "STN": 3, "LOF": 1.5}),
                2000 + r.randrange(i) if i > 10 and r.random() < 0.2 else None,
            )
        )
    bk, inv = [], []
    for i in range(1500):
        m = mem[int(118 * r.random() ** 1.4)]
        e = D.fromisoformat(m[5]) if m[5] else D(2026, 12, 5)
        d = rd(r, max(D(2025, 1, 6), D.fromisoformat(m[4])), max(e, D(2025, 2, 1)))
        if d.weekday() >= 5 and r.random() < 0.8:
            d -= timedelta(days=2)
        loc = [x for x in rooms[:13] if x[1] == m[6]] if r.random() < 0.8 else rooms[:13]
        x = r.choice(loc)
        bk.append(
            (
                i + 1,
                m[0],
                x[0],
                str(d),
                r.choices(range(8, 19), [2, 6, 8, 7, 4, 3, 6, 6, 5, 3, 1])[0],
                w(r, {1: 6, 2: 5, 3: 2, 4: 1.4, 0.5: 2, 8: 0.4}),
                w(r, {"confirmed": 17, "cancelled": 2, "no_show": 1}),
            )
        )
    k = 0
    for m in mem:
        d = max(D(2025, 1, 1), D.fromisoformat(m[4]).replace(day=1))
        e = D.fromisoformat(m[5]) if m[5] else D(2026, 11, 15)
        while d <= e:
            k += 1
            amt = fee[m[3]] + r.choice([0, 0, 0, 12.5, 28, 44, 60.75, 95])
            due = d + timedelta(days=14)
            p = due + timedelta(days=int(r.gauss(-3, 7))) if r.random() > 0.03 else None
            if p and p < d:
                p = d
            if p and p > D(2026, 11, 18):
                p = None
            if d >= D(2026, 10, 1) and r.random() < 0.2:
                p = None
            inv.append(
                (
                    "INV-%05d" % k,
                    m[0],
                    str(d),
                    str(due),
                    "${:,.2f}".format(amt * (1.2 if m[3] == "OFF" and r.random() < 0.3 else 1)),
                    str(p) if p else None,
                    w(r, {"card": 6, "transfer": 4, "direct debit": 5}) if p else None,
                )
            )
            d = (d + timedelta(days=32)).replace(day=1)
    make(
        "cowork",
        """CREATE TABLE sites(site_cd TEXT PRIMARY KEY, site_nm TEXT, city TEXT, opened TEXT, desks INTEGER);
CREATE TABLE rooms(room_id INTEGER PRIMARY KEY, site_cd TEXT, room_nm TEXT, rtype TEXT, seats INTEGER, hr_rate REAL, screen TEXT);
CREATE TABLE plans(plan_cd TEXT PRIMARY KEY, plan_nm TEXT, mth_fee REAL, incl_hrs INTEGER);
CREATE TABLE members(mem_no INTEGER PRIMARY KEY, full_nm TEXT, company TEXT, plan_cd TEXT, joined TEXT, left_on TEXT, home_site TEXT, ref_by INTEGER);
CREATE TABLE bookings(bk_id INTEGER PRIMARY KEY, mem_no INTEGER, room_id INTEGER, bk_date TEXT, start_hr INTEGER, hrs REAL, status TEXT);
CREATE TABLE invoices(inv_no TEXT PRIMARY KEY, mem_no INTEGER, issued TEXT, due TEXT, amount TEXT, paid_on TEXT, method TEXT);""",
        {"sites": sites, "rooms": rooms, "plans": plans, "members": mem, "bookings": bk, "invoices": inv},
    )


def letting():
    r = random.Random(606)
    st = [("AV", "Available"), ("LT", "Let"), ("UO", "Under Offer"), ("RP", "In Repair")]
    bl = [
        (1, "Larch Court", "14 Mill Lane", "Riverside", 1968, "N"),
        (2, "The Foundry", "2 Forge Street", "Old Town", 1912, "Y"),
        (3, "Quay House", "80 Dock Road", "Riverside", 2016, "Y"),
        (4, "Beech Mansions", "5 Park Row", "Parkside", 1934, "N"),
        (5, "Skyline One", "1 Station Square", "Centre", 2021, "Y"),
        (6, "Cooper Yard", "33 Barrel Street", "Old Town", 1988, "N"),
        (7, "Meadow View", "210 Ring Road", "Northgate", 2004, "Y"),
        (8, "Tannery Lofts", "9 Hide Lane", "Centre", 1899, "Y"),
        (9, "Garden Rise", "77 Ring Road", "Northgate", 2025, "Y"),
    ]
    base = {"Riverside": 780, "Old Town": 820, "Parkside": 900, "Centre": 1050, "Northgate": 620}
    fl, k = [], 0
    for b in bl[:8]:
        for u in range(r.randrange(8, 15)):
            k += 1
            beds = w(r, {0: 1.4, 1: 5, 2: 5, 3: 2, 4: 0.5})
            sqm = round(r.gauss(28 + beds * 19, 6), 1)
            fl.append(
                [
                    k,
                    b[0],
                    "%d%s" % (u // 3 + 1, "ABC"[u % 3]),
                    beds,
                    1 + (beds > 2),
                    sqm,
                    round((base[b[3]] + beds * 290 + sqm * 2 + r.gauss(0, 60)) / 5) * 5,
                    r.choice("YN"),
                    w(r, {"Y": 2, "N": 5, None: 0.7}),
                    "AV",
                ]
            )
    ag = [
        (i + 1, n, b, s)
        for i, (n, b, s) in enumerate(
            [
                ("Dana Whitlock", "Centre", "2019-05-06"),
                ("Marcus Bell", "Centre", "2021-01-11"),
                ("Priya Nair", "Riverside", "2020-08-03"),
                ("Tom Ferris", "Riverside", "2023-04-17"),
                ("Lena Vogt", "Northgate", "2022-10-24"),
                ("Oscar Pyne", "Northgate", "2024-07-01"),
                ("Jess Calder", "Centre", "2026-09-14"),
            ]
        )
    ]
    nm = ennames(r, 240)
    te = [
        (
            i + 1,
            n,
            w(r, {"nurse": 3, "student": 5, "engineer": 4, "teacher": 3, "chef": 2, "retired": 1.4, None: 2}),
            w(r, {"web": 6, "walk-in": 2, "referral": 3, "portal": 5}),
            str(rd(r, D(2024, 3, 1), D(2026, 11, 12))),
        )
        for i, n in enumerate(nm)
    ]
    le, pay, i = [], [], 0
    for f in fl:
        d = rd(r, D(2024, 3, 1), D(2025, 6, 1))
        while d < D(2026, 11, 10):
            i += 1
            term = w(r, {6: 2, 12: 6, 24: 1.3})
            m = d.month - 1 + term
            e = D(d.year + m // 12, m % 12 + 1, min(d.day, 28)) - timedelta(days=1)
            rent = round(f[6] * r.uniform(0.92, 1.04) / 5) * 5
            t = r.randrange(1, 200)
            le.append(
                (
                    i,
                    f[0],
                    t,
                    r.choices(ag[:6], [6, 4, 5, 3, 3.5, 2])[0][0],
                    str(d),
                    str(e),
                    rent,
                    rent * r.choice([1, 1, 1.5]),
                    r.choice([6, 8, 8, 10]),
                    r.choice("NNNNNY"),
                )
            )
            x = d
            while x <= min(e, D(2026, 11, 15)):
                if x >= D(2025, 6, 1):
                    p = x + timedelta(days=max(0, int(r.gauss(1, 4)))) if r.random() > 0.02 else None
                    if (p and p > D(2026, 11, 18)) or (x > D(2026, 10, 15) and r.random() < 0.12):
                        p = None
                    pay.append((i, str(x), rent, str(p) if p else None))
                x = (x.replace(day=1) + timedelta(days=32)).replace(day=min(d.day, 28))
            if e >= D(2026, 11, 20):
                f[9] = "LT"
            d = e + timedelta(days=r.randrange(2, 70))
        if f[9] != "LT":
            f[9] = w(r, {"AV": 5, "UO": 2, "RP": 1.5})
    vw = []
    for i in range(760):
        d = rd(r, D(2025, 1, 4), D(2026, 11, 17))
        vw.append(
            (
                i + 1,
                r.choice(fl[:-4])[0],
                r.choices(ag[:6], [6, 5, 4, 4, 3, 2])[0][0],
                r.randrange(1, 231),
                "%s %02d:%02d" % (d, r.randrange(9, 19), r.choice([0, 15, 30])),
                w(r, {"applied": 3, "not interested": 5, "no show": 1.5, "second viewing": 2, None: 1}),
            )
        )
    make(
        "letting",
        """CREATE TABLE buildings(bldg_id INTEGER PRIMARY KEY, bldg_name TEXT, street TEXT, area TEXT, built_yr INTEGER, lift TEXT);
CREATE TABLE status_ref(cd TEXT PRIMARY KEY, label TEXT);
CREATE TABLE flats(flat_id INTEGER PRIMARY KEY, bldg_id INTEGER, unit TEXT, beds INTEGER, baths INTEGER, sqm REAL, asking_pm REAL, furn TEXT, pets TEXT, status_cd TEXT);
CREATE TABLE agents(agent_id INTEGER PRIMARY KEY, agent_name TEXT, branch TEXT, started TEXT);
CREATE TABLE tenants(tenant_id INTEGER PRIMARY KEY, tenant_name TEXT, occupation TEXT, lead_src TEXT, registered TEXT);
CREATE TABLE viewings(view_id INTEGER PRIMARY KEY, flat_id INTEGER, agent_id INTEGER, tenant_id INTEGER, view_at TEXT, outcome TEXT);
CREATE TABLE leases(lease_id INTEGER PRIMARY KEY, flat_id INTEGER, tenant_id INTEGER, agent_id INTEGER, start_dt TEXT, end_dt TEXT, rent_pm REAL, deposit REAL, fee_pct REAL, guarantor TEXT);
CREATE TABLE rent_due(lease_id INTEGER, due_dt TEXT, amt REAL, paid_dt TEXT);""",
        {
            "buildings": bl,
            "status_ref": st,
            "flats": [tuple(f) for f in fl],
            "agents": ag,
            "tenants": te,
            "viewings": vw,
            "leases": le,
            "rent_due": pay,
        },
    )


def hiring():
    r = random.Random(707)
    src = [
        ("LI", "LinkedIn"),
        ("REF", "Employee referral"),
        ("JB", "Job board"),
        ("CF", "Career fair"),
        ("WEB", "Company site"),
        ("AG", "Agency"),
    ]
    sn = [
        ("Nora Blythe", "recruiter"),
        ("Caleb Stone", "recruiter"),
        ("Yuki Tanaka", "recruiter"),
        ("Sam Ortega", "recruiter"),
        ("Helen Marsh", "manager"),
        ("Viktor Lund", "manager"),
        ("Aisha Rahman", "manager"),
        ("Paul Denny", "manager"),
        ("Ingrid Falk", "manager"),
        ("Rob Tieman", "manager"),
    ]
    sf = [(i + 1, a, b, "N" if i == 3 else "Y") for i, (a, b) in enumerate(sn)]
    jt = [
        ("Backend Engineer", "Engineering", "Berlin"),
        ("Frontend Engineer", "Engineering", "Berlin"),
        ("Data Analyst", "Data", "Remote"),
        ("Data Engineer", "Data", "Berlin"),
        ("Product Designer", "Design", "Lisbon"),
        ("Account Executive", "Sales", "London"),
        ("Sales Development Rep", "Sales", "London"),
        ("Support Specialist", "Support", "Lisbon"),
        ("QA Engineer", "Engineering", "Remote"),
        ("Marketing Manager", "Marketing", "London"),
        ("Finance Controller", "Finance", "Berlin"),
        ("DevOps Engineer", "Engineering", "Remote"),
        ("UX Researcher", "Design", "Lisbon"),
        ("Support Team Lead", "Support", "Lisbon"),
        ("Account Manager", "Sales", "Berlin"),
        ("Content Writer", "Marketing", "Remote"),
        ("ML Engineer", "Data", "Berlin"),
        ("Payroll Clerk", "Finance", "London"),
    ]
    rq = []
    for i, j in enumerate(jt):
        o = rd(r, D(2025, 1, 10), D(2026, 8, 1)) if i < 17 else D(2026, 11, 9)
        c = o + timedelta(days=r.randrange(60, 190)) if i < 17 and r.random() < 0.6 else None
        if c and c > D(2026, 11, 10):
            c = None
        rq.append(
            (i + 1,) + j + (str(o), str(c) if c else None, r.choice([1, 1, 2, 3]), 1 + i % 4, 5 + (i * 5 + i // 3) % 6)
        )
    nm = ennames(r, 330)
    ca = [
        (
            i + 1,
            n,
            w(r, {"Berlin": 5, "London": 4, "Lisbon": 3, "Madrid": 2, "Warsaw": 2, None: 0.8}),
            r.randrange(0, 19),
            w(r, {"BSc": 5, "MSc": 4, "PhD": 1, "none": 1.5}),
            w(r, {"LI": 6, "REF": 3, "JB": 5, "CF": 1, "WEB": 3, "AG": 1.6}),
            str(rd(r, D(2025, 1, 12), D(2026, 11, 12))),
        )
        for i, n in enumerate(nm)
    ]
    ap, iv, of, a, v, o = [], [], [], 0, 0, 0
    for c in ca[:318]:
        for q in r.sample(rq[:17], w(r, {1: 6, 2: 2.5, 3: 1})):
            lo, hi = max(c[6], q[4]), q[5] or "2026-11-14"
            if lo >= hi:
                continue
            a += 1
            d = rd(r, D.fromisoformat(lo), D.fromisoformat(hi))
            stg = w(
                r,
                {
                    "applied": 3,
                    "screen": 3,
                    "interview": 2.5,
                    "offer": 1.2,
                    "hired": 1.6,
                    "rejected": 7,
                    "withdrawn": 1.3,
                },
            )
            ap.append(
                [
                    a,
                    c[0],
                    q[0],
                    str(d),
                    stg,
                    w(r, {"skills": 5, "salary": 2, "culture": 1.5, "no reply": 2}) if stg == "rejected" else None,
                    r.randrange(30, 100) if r.random() < 0.9 else None,
                ]
            )
            n = {
                "applied": 0,
                "screen": 1,
                "interview": 2,
                "offer": 3,
                "hired": 3,
                "rejected": r.choice([0, 1, 1, 2]),
                "withdrawn": r.choice([0, 1, 2]),
            }[stg]
            x = d
            for k in range(n):
                x += timedelta(days=r.randrange(2, 11))
                if x > D(2026, 11, 27):
                    break
                v += 1
                fut = x > D(2026, 11, 19)
                iv.append(
                    (
                        v,
                        a,
                        r.choices(sf, [5, 4, 4, 2, 3, 3, 2, 2, 2, 1.5])[0][0] if k else r.randrange(1, 5),
                        str(x),
                        k + 1,
                        w(r, {"video": 6, "onsite": 3, "phone": 3}),
                        None if fut or r.random() < 0.1 else r.randrange(1, 6),
                        None if fut else w(r, {"Y": 12, "N": 1}),
                    )
                )
            if stg in ("offer", "hired"):
                o += 1
                m = min(x + timedelta(days=r.randrange(2, 9)), D(2026, 11, 18))
                s = (
                    "accepted"
                    if stg == "hired"
                    else w(r, {"declined": 4, "withdrawn": 0.8, "pending": 1 if m < D(2026, 9, 1) else 6})
                )
                b = {
                    "Engineering": 72,
                    "Data": 68,
                    "Design": 58,
                    "Sales": 52,
                    "Support": 40,
                    "Marketing": 54,
                    "Finance": 60,
                }[q[2]]
                rep = m + timedelta(days=r.randrange(1, 12)) if s in ("accepted", "declined") else None
                of.append(
                    (
                        o,
                        a,
                        str(m),
                        int(r.gauss(b, 7)) * 1000 + r.choice([0, 500]),
                        r.choice([0, 0, 2000, 5000]),
                        s,
                        str(min(rep, D(2026, 11, 19))) if rep else None,
                        str(rep + timedelta(days=r.randrange(20, 80))) if s == "accepted" else None,
                    )
                )
    make(
        "hiring",
        """CREATE TABLE src_ref(cd TEXT PRIMARY KEY, label TEXT);
CREATE TABLE staff(staff_id INTEGER PRIMARY KEY, staff_name TEXT, role TEXT, active TEXT);
CREATE TABLE reqs(req_id INTEGER PRIMARY KEY, title TEXT, dept TEXT, loc TEXT, opened_on TEXT, closed_on TEXT, headcount INTEGER, recruiter_id INTEGER, hm_id INTEGER);
CREATE TABLE cands(cand_id INTEGER PRIMARY KEY, cand_name TEXT, city TEXT, yrs_exp INTEGER, degree TEXT, src_cd TEXT, added_on TEXT);
CREATE TABLE apps(app_id INTEGER PRIMARY KEY, cand_id INTEGER, req_id INTEGER, applied_on TEXT, stage TEXT, rej_reason TEXT, cv_score INTEGER);
CREATE TABLE ivws(ivw_id INTEGER PRIMARY KEY, app_id INTEGER, staff_id INTEGER, ivw_on TEXT, rnd INTEGER, mode TEXT, rating INTEGER, showed TEXT);
CREATE TABLE offers(offer_id INTEGER PRIMARY KEY, app_id INTEGER, made_on TEXT, salary REAL, bonus REAL, status TEXT, replied_on TEXT, start_on TEXT);""",
        {
            "src_ref": src,
            "staff": sf,
            "reqs": rq,
            "cands": ca,
            "apps": [tuple(x) for x in ap],
            "ivws": iv,
            "offers": of,
        },
    )


def eats():
    r = random.Random(808)
    zn = [
        ("N", "North End"),
        ("C", "City Core"),
        ("H", "Harbor"),
        ("U", "University"),
        ("W", "Westfield"),
        ("P", "Airport Park"),
    ]
    rs = [
        ("Golden Wok", "chinese", "C"),
        ("Pasta Nonna", "italian", "C"),
        ("Burger Barn", "american", "W"),
        ("Sakura Bento", "japanese", "U"),
        ("Taco Libre", "mexican", "U"),
        ("Curry Leaf", "indian", "N"),
        ("Green Bowl", "salads", "C"),
        ("Pho 88", "vietnamese", "H"),
        ("Pizza Porto", "italian", "H"),
        ("Dragon Noodle", "chinese", "U"),
        ("Smoke Shack", "american", "N"),
        ("Naan Stop", "indian", "W"),
        ("Sushi Go", "japanese", "C"),
        ("Falafel Yard", "middle eastern", "H"),
        ("Crepe Corner", "french", "C"),
    ]
    rest = [
        (i + 1,)
        + x
        + (str(D(2023, 8, 1) + timedelta(days=70 * i)), 0 if i in (10, 13) else 1, [15, 18, 20, 22, 25][i % 5])
        for i, x in enumerate(rs)
    ]
    dish = {
        "chinese": [("Kung Pao Chicken", 13.5), ("Dumplings", 8), ("Fried Rice", 9.5), ("Hot & Sour Soup", 6)],
        "italian": [("Margherita", 12), ("Carbonara", 14.5), ("Lasagna", 15), ("Tiramisu", 6.5)],
        "american": [("Cheeseburger", 11), ("Fries", 4.5), ("BBQ Ribs", 18), ("Milkshake", 5.5)],
        "japanese": [("Salmon Nigiri", 12), ("Bento Box", 15.5), ("Miso Soup", 3.5), ("Tempura", 11)],
        "mexican": [("Beef Tacos", 10.5), ("Burrito", 12), ("Guacamole", 6)],
        "indian": [("Butter Chicken", 14), ("Garlic Naan", 3.5), ("Veg Thali", 13), ("Samosa", 4)],
        "salads": [("Caesar Salad", 10), ("Poke Bowl", 14), ("Smoothie", 6.5)],
        "vietnamese": [("Beef Pho", 13), ("Spring Rolls", 6), ("Banh Mi", 9)],
        "middle eastern": [("Falafel Wrap", 9), ("Hummus", 5.5), ("Shawarma", 11)],
        "french": [("Nutella Crepe", 7)],
    }
    nm = ennames(r, 190)
    co = [
        (
            i + 1,
            n,
            w(r, {"bike": 4, "scooter": 5, "car": 3, "e-bike": 2}),
            r.choice("NCHUW"),
            str(rd(r, D(2023, 9, 1), D(2026, 10, 20))),
            str(rd(r, D(2026, 2, 1), D(2026, 11, 1))) if r.random() < 0.22 else None,
        )
        for i, n in enumerate(nm[:32])
    ]
    cu = [
        (i + 1, n, str(rd(r, D(2024, 1, 1), D(2026, 11, 10))), int(r.random() < 0.25)) for i, n in enumerate(nm[32:182])
    ]
    stn = [
        "Alder",
        "Ash",
        "Birch",
        "Cedar",
        "Elm",
        "Fir",
        "Holly",
        "Juniper",
        "Larch",
        "Maple",
        "Oak",
        "Pine",
        "Rowan",
        "Spruce",
        "Willow",
        "Yew",
    ]
    ad = [(i + 1, "%d %s St" % (r.randrange(1, 199), r.choice(stn)), rest[i][3], "restaurant") for i in range(15)]
    for i in range(170):
        ad.append(
            (
                16 + i,
                "%d %s %s" % (r.randrange(1, 299), r.choice(stn), r.choice(["St", "Ave", "Rd"])),
                w(r, {"N": 3, "C": 5, "H": 2, "U": 4, "W": 3}),
                w(r, {"home": 6, "office": 3, "hotel": 0.7}),
            )
        )
    od, ln, ra, tp, t = [], [], [], [], 0
    for i in range(1350):
        R = r.choices(rest[:14], [10, 8, 9, 7, 6, 6, 4, 5, 7, 4, 3, 3.4, 5.5, 2.5])[0]
        d = rd(r, D(2025, 2, 1), D(2026, 11, 16), 1.2)
        if r.random() < 0.25:
            d += timedelta(days=(4 - d.weekday()) % 7)
        if d > D(2026, 11, 16):
            d = D(2026, 11, 13)
        at = datetime(
            d.year,
            d.month,
            d.day,
            r.choices(range(10, 24), [1, 4, 8, 5, 2, 1, 2, 5, 10, 11, 8, 4, 2, 1])[0],
            r.randrange(60),
        )
        c = r.choices(co, [1 + (j * 7 % 11) for j in range(32)])[0]
        st = w(r, {"delivered": 18, "cancelled": 1.6, "failed": 0.5})
        to = r.choice(ad[15:180])
        mins = int(r.gauss({"bike": 37, "scooter": 29, "car": 33, "e-bike": 31}[c[2]] + (8 if to[2] != R[3] else 0), 8))
        sub, n = 0, r.randrange(1, 5)
        dl = dish[R[2]]
        for x, dd in enumerate(r.sample(dl, min(n, len(dl)))):
            q = r.choice([1, 1, 1, 2, 3])
            ln.append((i + 1, x + 1, dd[0], q, dd[1]))
            sub += q * dd[1]
        od.append(
            (
                i + 1,
                int(146 * r.random() ** 1.6) + 1,
                R[0],
                None if st == "cancelled" else c[0],
                R[0],
                to[0],
                at.strftime("%Y-%m-%d %H:%M"),
                (at + timedelta(minutes=max(12, mins))).strftime("%Y-%m-%d %H:%M") if st == "delivered" else None,
                st,
                sub,
                r.choice([0, 1.99, 2.99, 3.99, 4.99]),
                r.choice([0, 0, 0, 0, 3, 5]),
                w(r, {"card": 7, "wallet": 4, "cash": 1}),
            )
        )
        if st == "delivered":
            if r.random() < 0.5:
                b = [0, 0.2, -0.3, 0.3, 0, 0.1, 0.2, -0.2, -0.5, 0.4, -0.9, 0.1, 0.5, 0][R[0] - 1]
                ra.append(
                    (
                        i + 1,
                        max(1, min(5, round(r.gauss(4 + b, 1)))),
                        max(1, min(5, round(r.gauss(4.1, 0.9)))) if r.random() < 0.9 else None,
                        r.choice([None, None, "cold food", "great", "late", "missing item", "tasty"]),
                        str(min(d + timedelta(days=r.randrange(0, 3)), D(2026, 11, 18))),
                    )
                )
            if r.random() < 0.42:
                t += 1
                tp.append(
                    (
                        t,
                        i + 1,
                        r.choice([1, 2, 2, 3, 3, 4, 5, 8]) + r.choice([0, 0.5]),
                        r.choice(["app", "app", "app", "cash"]),
                    )
                )
    make(
        "eats",
        """CREATE TABLE zones(zone_cd TEXT PRIMARY KEY, zone_nm TEXT);
CREATE TABLE restaurants(rest_id INTEGER PRIMARY KEY, rest_nm TEXT, cuisine TEXT, zone_cd TEXT, joined_on TEXT, active INTEGER, comm_pct REAL);
CREATE TABLE couriers(cour_id INTEGER PRIMARY KEY, cour_nm TEXT, vehicle TEXT, zone_cd TEXT, hired_on TEXT, left_on TEXT);
CREATE TABLE customers(cust_id INTEGER PRIMARY KEY, cust_nm TEXT, signup TEXT, plus_mbr INTEGER);
CREATE TABLE addr(addr_id INTEGER PRIMARY KEY, street TEXT, zone_cd TEXT, kind TEXT);
CREATE TABLE orders(ord_id INTEGER PRIMARY KEY, cust_id INTEGER, rest_id INTEGER, cour_id INTEGER, from_addr INTEGER, to_addr INTEGER, placed_at TEXT, delivered_at TEXT, status TEXT, subtotal REAL, deliv_fee REAL, promo_off REAL, pay TEXT);
CREATE TABLE ord_lines(ord_id INTEGER, ln INTEGER, dish TEXT, qty INTEGER, price REAL);
CREATE TABLE ratings(ord_id INTEGER, food_stars INTEGER, cour_stars INTEGER, comment TEXT, rated_on TEXT);
CREATE TABLE tips(tip_id INTEGER PRIMARY KEY, ord_id INTEGER, amt REAL, via TEXT);""",
        {
            "zones": zn,
            "restaurants": rest,
            "couriers": co,
            "customers": cu,
            "addr": ad,
            "orders": od,
            "ord_lines": ln,
            "ratings": ra,
            "tips": tp,
        },
    )


def timesheet():
    r = random.Random(909)
    pj = [
        ("Atlas Migration", "ATL-01", "Corvid Bank", "Greta Holm", 2600, 310000),
        ("Mobile Banking App", "MBA-02", "Corvid Bank", "Ian Prowse", 1300, 150000),
        ("Store Locator", "STL-03", "Brightmart", "Greta Holm", 480, 52000),
        ("Loyalty Revamp", "LOY-04", "Brightmart", "Sunil Rao", 900, 118000),
        ("Claims Portal", "CLM-05", "Unison Mutual", "Sunil Rao", 2100, 240000),
        ("Fleet Dashboard", "FLT-06", "Haulwise", "Ian Prowse", 700, 81000),
        ("Brand Refresh", "BRD-07", "Pinecone Media", "Marta Velez", 350, 36000),
        ("Data Lake", "DLK-08", "Unison Mutual", "Greta Holm", 1500, 190000),
        ("Internal Tools", "INT-99", None, "Marta Velez", None, None),
        ("Kiosk Pilot", "KSK-09", "Brightmart", "Sunil Rao", 300, 40000),
    ]
    nm = [
        "Alan Reeve",
        "Bianca Toth",
        "Chidi Obi",
        "Delia Crane",
        "Eamon Fahy",
        "Freya Lind",
        "Gita Menon",
        "Hal Brandt",
        "Ines Duarte",
        "Jonas Weir",
        "Kofi Mensah",
        "Lucia Pardo",
        "Milo Hart",
        "Nina Sorel",
    ]
    tm = [
        "Backend",
        "Frontend",
        "Data",
        "Design",
        "Backend",
        "QA",
        "Data",
        "Backend",
        "Design",
        "Frontend",
        "Data",
        "QA",
        "Frontend",
        "Backend",
    ]
    of = [
        "Dublin",
        "Dublin",
        "Porto",
        "Porto",
        "Dublin",
        "Ghent",
        "Ghent",
        "Dublin",
        "Porto",
        "Dublin",
        "Ghent",
        "Porto",
        "Ghent",
        "Dublin",
    ]
    lv = [
        "Senior",
        "Mid",
        "Senior",
        "Mid",
        "Principal",
        "Junior",
        "Mid",
        "Junior",
        "Senior",
        "Mid",
        "Principal",
        "Mid",
        "Junior",
        "Senior",
    ]
    rate = {"Junior": 70, "Mid": 95, "Senior": 120, "Principal": 155}
    task = {
        "Backend": ["API work", "Bug fixing", "Code review"],
        "Frontend": ["UI build", "Bug fixing", "Code review"],
        "Data": ["ETL", "Modelling", "Reporting"],
        "Design": ["Wireframes", "Visual design", "User testing"],
        "QA": ["Test scripts", "Regression test", "Bug fixing"],
    }
    f = lambda d: d.strftime("%d.%m.%Y")
    rows = []
    for i in range(2300):
        e = r.choices(range(14), [5, 4, 5, 3, 4, 3, 4, 2, 3, 4, 3, 3, 2, 4])[0]
        d = rd(r, D(2025, 1, 6), D(2026, 11, 13), 1.1)
        if d.weekday() >= 5 and r.random() < 0.92:
            d -= timedelta(days=2)
        p = r.choices(
            pj[:9],
            [
                0 if 0 < x < 8 and (e * 3 + x * x) % 5 in ((0, 1) if x in (2, 6) else (0,)) else y
                for x, y in enumerate([8, 5, 2, 4, 6, 3, 1.5, 5, 3])
            ],
        )[0]
        t = r.choice(task[tm[e]] + ["Meeting"])
        h = r.choice([1, 1.5, 2, 3, 4, 4, 5, 6, 7.5, 8])
        ot = r.choice([0.5, 1, 2, 3]) if h >= 7.5 and r.random() < 0.25 else 0
        bill = "N" if p[1] == "INT-99" or (t == "Meeting" and r.random() < 0.4) or r.random() < 0.05 else "Y"
        br = rate[lv[e]] + (10 if p[2] == "Corvid Bank" else 0)
        cr = round(br * 0.55, 2)
        age = (D(2026, 11, 20) - d).days
        stt = w(
            r, {"Approved": 20, "Submitted": 4 if age < 45 else 0.2, "Rejected": 0.9, "Draft": 3 if age < 20 else 0.05}
        )
        sub = d + timedelta(days=r.randrange(0, 8))
        apd = sub + timedelta(days=r.randrange(1, 9))
        if apd > D(2026, 11, 19):
            apd = D(2026, 11, 19)
        sub = min(sub, D(2026, 11, 18))
        paid = stt == "Approved" and bill == "Y" and age > 35 and r.random() < 0.92
        rows.append(
            (
                i + 1,
                f(d),
                d.isocalendar()[1],
                nm[e],
                "E%03d" % (e + 11),
                tm[e],
                lv[e],
                "Contractor" if e in (7, 10, 12) else "Staff",
                of[e],
                p[2],
                p[0],
                p[1],
                p[3],
                w(r, {"Discovery": 2, "Build": 6, "Test": 3, "Rollout": 1.5}),
                t,
                bill,
                h,
                ot,
                br,
                cr,
                round((h + ot) * br, 2) if bill == "Y" else 0,
                round((h + ot) * cr, 2),
                w(r, {"office": 4, "home": 6, "client site": 2}),
                stt,
                None if stt == "Draft" else f(sub),
                p[3] if stt in ("Approved", "Rejected") else None,
                f(apd) if stt == "Approved" else None,
                "TS-%s%02d-%s" % (str(d.year)[2:], d.month, p[1][:3]) if paid else None,
            )
        )
    ddl = 'CREATE TABLE timesheet_export("Entry ID" INTEGER, "Work Date" TEXT, "Week No" INTEGER, "Employee" TEXT, "Emp No" TEXT, "Team" TEXT, "Grade" TEXT, "Contract Type" TEXT, "Office City" TEXT, "Client Name" TEXT, "Project" TEXT, "Project Code" TEXT, "Project Manager" TEXT, "Phase" TEXT, "Task" TEXT, "Billable" TEXT, "Hours" REAL, "Overtime Hrs" REAL, "Bill Rate" REAL, "Cost Rate" REAL, "Billed Amount" REAL, "Cost Amount" REAL, "Work Location" TEXT, "Approval Status" TEXT, "Submitted On" TEXT, "Approved By" TEXT, "Approved On" TEXT, "Invoice No" TEXT);'
    assert len(rows[0]) == 28
    make(
        "timesheet",
        ddl
        + 'CREATE TABLE project_budget("Project Code" TEXT, "Budget Hours" REAL, "Budget Amount" REAL, "Kickoff" TEXT, "Target End" TEXT);',
        {
            "timesheet_export": rows,
            "project_budget": [
                (
                    p[1],
                    p[4],
                    p[5],
                    f(D(2025, 1, 6) + timedelta(days=21 * i)),
                    f(D(2026, 6, 30) + timedelta(days=31 * i)),
                )
                for i, p in enumerate(pj)
                if p[4]
            ],
        },
    )


os.makedirs(OUT, exist_ok=True)
for fn in (jianshen, huadian, gongjiao, playlog, cowork, letting, hiring, eats, timesheet):
    fn()
