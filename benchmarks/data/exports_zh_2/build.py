#!/usr/bin/env python3
"""Write four files as programs export them, and databases of the same rows for the gold statements.

    python build.py [FOLDER]

`exports/NAME.csv` is the file as it comes: its encoding, its lines above the header, its tabs, units and totals.
`databases/NAME.sqlite` has one table NAME with clean values. Standard library only, fixed seeds, invented people.
"""

import csv
import io
import os
import random
import sqlite3
import sys
from datetime import datetime, timedelta

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
D = datetime
XING = "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜"
MING = [
    *("子涵", "欣怡", "浩然", "梓轩", "雨桐", "思远", "佳怡", "志强", "丽娜", "建国", "晓明", "秀英", "海燕", "俊杰"),
    *("晨曦", "文博", "诗雨", "国栋", "美玲", "一鸣", "若曦", "天佑", "雅静", "振华", "春梅", "立新", "玉兰", "嘉豪"),
]


def people(r, n):
    chosen = []
    while len(chosen) < n:
        name = r.choice(XING) + r.choice(MING)
        if name not in chosen:
            chosen.append(name)
    return chosen


def pick(r, weights):
    return r.choices(list(weights), list(weights.values()))[0]


def moment(r, first, last):
    return first + timedelta(minutes=r.randrange(int((last - first).total_seconds() // 60)), seconds=r.randrange(60))


def export(name, header, rows, encoding="utf-8-sig", above=(), below=(), newline="\r\n"):
    stream = io.StringIO()
    for line in above:
        stream.write(line + newline)
    csv.writer(stream, lineterminator=newline).writerows([header, *rows])
    for line in below:
        stream.write(line + newline)
    os.makedirs(os.path.join(OUT, "exports"), exist_ok=True)
    with open(os.path.join(OUT, "exports", name + ".csv"), "wb") as file:
        file.write(stream.getvalue().encode(encoding))


def database(name, columns, rows):
    os.makedirs(os.path.join(OUT, "databases"), exist_ok=True)
    path = os.path.join(OUT, "databases", name + ".sqlite")
    if os.path.exists(path):
        os.remove(path)
    connection = sqlite3.connect(path)
    connection.execute('CREATE TABLE "%s" (%s)' % (name, ", ".join('"%s"' % column for column in columns)))
    connection.executemany('INSERT INTO "%s" VALUES (%s)' % (name, ",".join("?" * len(columns))), rows)
    connection.commit()
    connection.close()


def wechat():
    r = random.Random(201)
    kinds = {
        "商户消费": [
            "美团",
            "拼多多平台商户",
            "全家便利店",
            "茶百道(大学路店)",
            "山姆会员商店",
            "高德打车",
            "大润发",
            "肯德基",
            "中国石化",
        ],
        "扫二维码付款": ["老王早餐", "菜市场刘姐", "停车收费员", "李记水果"],
        "转账": ["许静", "房东周叔", "陈立"],
        "微信红包": ["许静", "家族群", "陈立", "发小群"],
        "微信红包-退款": ["发小群"],
        "零钱提现": ["招商银行(3301)"],
    }
    weights = {"商户消费": 520, "扫二维码付款": 260, "转账": 60, "微信红包": 70, "微信红包-退款": 5, "零钱提现": 14}
    goods = {"美团": "外卖订单", "高德打车": "打车费", "中国石化": "加油", "拼多多平台商户": "网购订单"}
    rows = []
    for _ in range(1200):
        kind = pick(r, weights)
        other = r.choice(kinds[kind])
        way = "支出"
        amount = {"商户消费": r.uniform(5, 260), "扫二维码付款": r.uniform(2, 60), "转账": r.uniform(50, 3200)}.get(
            kind, r.uniform(1, 88)
        )
        state = "支付成功"
        if kind in ("转账", "微信红包") and r.random() < 0.35:
            way, state = "收入", "已收钱" if kind == "转账" else "已存入零钱"
        elif kind == "转账":
            state = "对方已收钱"
        elif kind == "微信红包-退款":
            way, state = "收入", "已全额退款"
        elif kind == "零钱提现":
            way, state, amount = "/", "提现已到账", r.randrange(3, 30) * 100
        if kind == "商户消费" and r.random() < 0.05:
            state = "已全额退款"
        amount = round(amount, 2)
        source = "/" if way != "支出" else pick(r, {"零钱": 45, "招商银行(3301)": 35, "零钱通": 20})
        when = moment(r, D(2026, 5, 1), D(2026, 11, 20, 10))
        rows.append(
            [
                when,
                kind,
                other,
                goods.get(other, "转账备注" if kind == "转账" else "/"),
                way,
                amount,
                source,
                state,
                f"42000{r.randrange(10**17):017d}",
            ]
        )
    rows.sort(key=lambda row: row[0], reverse=True)
    header = [
        *(
            "交易时间",
            "交易类型",
            "交易对方",
            "商品",
            "收/支",
            "金额(元)",
            "支付方式",
            "当前状态",
            "交易单号",
            "商户单号",
            "备注",
        ),
    ]
    written = [
        [
            f"{row[0]:%Y-%m-%d %H:%M:%S}",
            *row[1:5],
            f"¥{row[5]:.2f}",
            row[6],
            row[7],
            row[8] + "\t",
            f"1000{r.randrange(10**12)}\t" if row[1] == "商户消费" else "/",
            "/",
        ]
        for row in rows
    ]
    line, tail = "-" * 22, "," * 8
    above = [
        *(
            "微信支付账单明细" + tail,
            "微信昵称：[小雨]" + tail,
            "起始时间：[2026-05-01 00:00:00] 终止时间：[2026-11-20 10:00:00]" + tail,
        ),
        *(
            "导出类型：[全部]" + tail,
            "导出时间：[2026-11-20 10:05:11]" + tail,
            tail,
            f"共{len(rows)}笔记录" + tail,
            "收入：63笔 40213.20元" + tail,
        ),
        *(
            "支出：1120笔 180213.66元" + tail,
            "中性交易：14笔 21000.00元" + tail,
            "注：" + tail,
            "1. 充值/提现/理财通购买/零钱通存取/信用卡还款等交易，将计入中性交易" + tail,
        ),
        *(
            "2. 本明细仅展示当前账单中的交易，不包括已删除的记录" + tail,
            "3. 本明细仅供个人对账使用" + tail,
            tail,
            line + "微信支付账单明细列表" + line + tail,
        ),
    ]
    export("微信支付账单(20260501-20261120)", header, written, above=above)
    columns = ["时间", "类型", "对方", "商品", "收支", "金额", "方式", "状态", "单号"]
    database("微信支付账单(20260501-20261120)", columns, [[f"{row[0]:%Y-%m-%d %H:%M:%S}", *row[1:]] for row in rows])


def meituan():
    r = random.Random(202)
    dishes = {
        "黄焖鸡米饭": 22,
        "招牌牛肉面": 26,
        "番茄鸡蛋盖饭": 18,
        "酸菜鱼套餐": 38,
        "卤肉饭": 20,
        "麻辣香锅": 42,
        "冰粉": 8,
        "酸梅汤": 6,
    }
    stores = ["川湘小馆(五道口店)", "川湘小馆(中关村店)", "川湘小馆(望京店)"]
    riders = people(r, 20)
    rows = []
    for number in range(1600):
        day = D(2026, 8, 1) + timedelta(days=r.randrange(111))
        hour = pick(r, {11: 20, 12: 25, 13: 10, 17: 12, 18: 20, 19: 12, 20: 6, 22: 4})
        when = day + timedelta(hours=hour, minutes=r.randrange(60), seconds=r.randrange(60))
        chosen = r.sample(list(dishes), pick(r, {1: 50, 2: 35, 3: 15}))
        total = sum(dishes[dish] for dish in chosen)
        box, ship = len(chosen), pick(r, {3: 5, 4: 3, 5: 2})
        off = pick(r, {0: 40, 3: 30, 6: 20, 10: 10}) if total > 20 else 0
        commission = round((total - off) * 0.18, 2)
        status = pick(r, {"已完成": 92, "已取消": 5, "已退款": 3})
        reason = pick(r, {"用户不想要了": 4, "商家缺货": 3, "超时未接单": 2}) if status != "已完成" else None
        income = round(total + box - off - commission, 2) if status == "已完成" else 0
        score = pick(r, {5: 60, 4: 20, 3: 8, 2: 4, 1: 8}) if status == "已完成" and r.random() < 0.4 else None
        took = r.randrange(18, 65) if status == "已完成" else None
        rows.append(
            [
                f"{when:%Y-%m-%d %H:%M:%S}",
                f"30{r.randrange(10**14):014d}",
                number % 97 + 1,
                r.choice(stores),
                "、".join(chosen),
                total,
                box,
                ship,
                off,
                commission,
                income,
                status,
                reason,
                r.choice(riders) if took else None,
                took,
                score,
            ]
        )
    rows.sort(key=lambda row: row[0])
    header = [
        *(
            "下单时间",
            "订单号",
            "当日序号",
            "门店名称",
            "菜品明细",
            "菜品原价(元)",
            "打包费(元)",
            "配送费(元)",
            "商家活动支出(元)",
            "平台佣金(元)",
        ),
        *("商家应收(元)", "订单状态", "取消原因", "骑手姓名", "配送时长(分钟)", "评价星级"),
    ]
    written = [
        [
            row[0],
            f"{row[1]}\t",
            f"#{row[2]}",
            *row[3:5],
            *(f"{value:.2f}" for value in row[5:11]),
            row[11],
            row[12] or "--",
            row[13] or "--",
            row[14] or "--",
            row[15] or "",
        ]
        for row in rows
    ]
    total = [
        "合计",
        "",
        "",
        "",
        "",
        *(f"{sum(row[at] for row in rows):.2f}" for at in range(5, 11)),
        "",
        "",
        "",
        "",
        "",
    ]
    export("美团外卖商家订单对账单", header, [*written, total], "gb18030")
    columns = [
        "时间",
        "订单号",
        "序号",
        "门店",
        "菜品",
        "原价",
        "打包费",
        "配送费",
        "活动",
        "佣金",
        "应收",
        "状态",
        "原因",
        "骑手",
        "时长",
        "星级",
    ]
    database("美团外卖商家订单对账单", columns, rows)


def tickets():
    r = random.Random(203)
    agents = dict(zip(people(r, 12), ["一线客服", "一线客服", "技术支持", "售后"] * 3, strict=True))
    rows, written = [], []
    for number in range(900):
        made = moment(r, D(2026, 6, 1), D(2026, 11, 19, 20))
        kind = pick(r, {"物流查询": 25, "退换货": 22, "产品咨询": 20, "故障报修": 15, "投诉": 10, "发票问题": 8})
        urgency = pick(r, {"低": 40, "中": 35, "高": 18, "紧急": 7})
        channel = pick(r, {"在线客服": 40, "电话": 30, "微信公众号": 20, "邮件": 10})
        agent = None if r.random() < 0.06 else r.choice(list(agents))
        state = "待分配" if not agent else pick(r, {"已关闭": 70, "处理中": 14, "待客户回复": 8, "已解决": 8})
        if made < D(2026, 10, 20) and agent:
            state = "已关闭"
        replied = made + timedelta(minutes=r.randrange(2, 240)) if agent else None
        closed = made + timedelta(hours=r.randrange(1, 120)) if state == "已关闭" else None
        score = (
            pick(r, {"非常满意": 35, "满意": 30, "一般": 15, "不满意": 12, "非常不满意": 8})
            if closed and r.random() < 0.5
            else None
        )
        late = "是" if closed and (closed - made).total_seconds() > 72 * 3600 else "否"
        minutes = int((replied - made).total_seconds() // 60) if replied else None
        region = pick(r, {"华东": 40, "华南": 25, "华北": 20, "西南": 15})
        rows.append(
            [
                f"GD2026{number:05d}",
                kind,
                urgency,
                channel,
                region,
                agent,
                agent and agents[agent],
                state,
                f"{made:%Y-%m-%d %H:%M:%S}",
                replied and f"{replied:%Y-%m-%d %H:%M:%S}",
                closed and f"{closed:%Y-%m-%d %H:%M:%S}",
                minutes,
                late,
                score,
                r.choice([0, 0, 0, 1, 2]),
            ]
        )
        written.append(
            [
                f"GD2026{number:05d}",
                f"{kind}-{r.choice(['请尽快处理', '客户催单', '咨询', '再次来电'])}",
                kind,
                urgency,
                channel,
                region,
                agent or "",
                agents.get(agent, "未分配"),
                state,
            ]
            + [
                f"{made:%Y/%m/%d %H:%M}",
                replied and f"{replied:%Y/%m/%d %H:%M}",
                closed and f"{closed:%Y/%m/%d %H:%M}",
                "" if minutes is None else f"{minutes}分钟",
                late,
                score or "未评价",
                rows[-1][-1],
            ]
        )
    header = [
        *(
            "工单编号",
            "工单标题",
            "工单类型",
            "优先级",
            "来源渠道",
            "客户区域",
            "受理客服",
            "受理组",
            "工单状态",
            "创建时间",
            "首次响应时间",
            "关闭时间",
        ),
        *("首响时长", "是否超时", "满意度", "转派次数"),
    ]
    export("工单导出_20261120", header, written)
    columns = [
        "编号",
        "类型",
        "优先级",
        "渠道",
        "区域",
        "客服",
        "组",
        "状态",
        "创建",
        "响应",
        "关闭",
        "首响分钟",
        "超时",
        "满意度",
        "转派",
    ]
    database("工单导出_20261120", columns, rows)


def shopify():
    r = random.Random(204)
    goods = {
        "Linen Apron": 38.0,
        "Ceramic Mug": 16.5,
        "Walnut Board": 54.0,
        "Tea Towel Set": 22.0,
        "Chef Knife": 89.0,
        "Salt Pig": 27.5,
    }
    names = [
        "Ava Clark",
        "Noah Reed",
        "Mia Stone",
        "Liam Fox",
        "Zoe Hart",
        "Owen Blake",
        "Ella Frost",
        "Jack Moss",
        "Ivy Lane",
        "Max Cole",
        "Ruby Nash",
        "Leo Grant",
    ]
    rows = []
    for number in range(950):
        when = moment(r, D(2025, 11, 1), D(2026, 11, 19))
        item = r.choices(list(goods), [10, 25, 12, 15, 8, 14])[0]
        pieces = pick(r, {1: 65, 2: 25, 4: 10})
        subtotal = goods[item] * pieces
        ship = 0 if subtotal > 75 else 6.9
        code = pick(r, {None: 75, "WELCOME10": 15, "AUTUMN15": 10})
        off = round(subtotal * {"WELCOME10": 0.1, "AUTUMN15": 0.15}.get(code, 0), 2)
        total = round(subtotal + ship - off, 2)
        paid = pick(r, {"paid": 85, "pending": 5, "refunded": 7, "voided": 3})
        sent = (
            "fulfilled"
            if paid in ("paid", "refunded") and when < D(2026, 11, 12)
            else pick(r, {"unfulfilled": 8, "partial": 2})
        )
        back = total if paid == "refunded" else 0
        country = pick(r, {"US": 55, "CA": 15, "GB": 18, "DE": 12})
        rows.append(
            [
                f"#{1001 + number}",
                r.choice(names),
                paid,
                sent,
                f"{when:%Y-%m-%d %H:%M:%S}",
                subtotal,
                ship,
                total,
                code,
                off,
                pick(r, {"Standard": 8, "Express": 2}),
                pieces,
                item,
                goods[item],
                country,
                pick(r, {"Shopify Payments": 7, "PayPal": 3}),
                back,
                pick(r, {"web": 75, "pos": 15, "instagram": 10}),
            ]
        )
    header = [
        *(
            "Name",
            "Email",
            "Financial Status",
            "Fulfillment Status",
            "Currency",
            "Subtotal",
            "Shipping",
            "Total",
            "Discount Code",
        ),
        *(
            "Discount Amount",
            "Shipping Method",
            "Created at",
            "Lineitem quantity",
            "Lineitem name",
            "Lineitem price",
            "Billing Name",
        ),
        *("Shipping Country", "Payment Method", "Refunded Amount", "Source"),
    ]
    written = [
        [
            row[0],
            row[1].lower().replace(" ", ".") + "@example.com",
            row[2],
            row[3],
            "USD",
            f"{row[5]:.2f}",
            f"{row[6]:.2f}",
            f"{row[7]:.2f}",
            row[8] or "",
        ]
        + [
            f"{row[9]:.2f}",
            row[10],
            row[4] + " -0500",
            row[11],
            row[12],
            f"{row[13]:.2f}",
            row[1],
            row[14],
            row[15],
            f"{row[16]:.2f}",
            row[17],
        ]
        for row in rows
    ]
    export("orders_export_1", header, written)
    columns = [
        "no",
        "buyer",
        "paid",
        "sent",
        "created",
        "subtotal",
        "ship",
        "total",
        "code",
        "off",
        "method",
        "pieces",
        "item",
        "price",
        "country",
        "payment",
        "back",
        "source",
    ]
    database("orders_export_1", columns, rows)


for write in (wechat, meituan, tickets, shopify):
    write()
