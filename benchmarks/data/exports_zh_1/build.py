#!/usr/bin/env python3
"""Write six files as Chinese programs export them, and databases of the same rows for the gold statements.

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


def alipay():
    r = random.Random(101)
    shops = {
        "餐饮美食": ["瑞幸咖啡", "肯德基", "沙县小吃(文三路店)", "海底捞", "蜜雪冰城", "老乡鸡", "饿了么"],
        "交通出行": ["滴滴出行", "杭州地铁", "哈啰出行", "中国铁路12306"],
        "日用百货": ["盒马", "天猫超市", "名创优品", "永辉超市"],
        "服饰装扮": ["优衣库", "淘宝卖家-晴川衣铺"],
        "充值缴费": ["国家电网", "中国移动", "华润燃气"],
        "文化休闲": ["大麦网", "万达影城", "得到"],
        "医疗健康": ["阿里健康大药房", "浙二医院"],
        "转账红包": ["陈嘉豪", "妈妈", "沈雨桐"],
        "收入": ["陈嘉豪", "闲鱼买家小鹿", "杭州云栖科技有限公司"],
        "投资理财": ["余额宝", "蚂蚁财富"],
    }
    price = {
        "餐饮美食": (6, 180),
        "交通出行": (2, 90),
        "日用百货": (9, 260),
        "服饰装扮": (59, 699),
        "充值缴费": (30, 300),
        "文化休闲": (25, 480),
        "医疗健康": (15, 420),
        "转账红包": (10, 1200),
        "收入": (20, 2600),
        "投资理财": (0.05, 4),
    }
    weights = {
        **{"餐饮美食": 300, "交通出行": 150, "日用百货": 120, "服饰装扮": 30, "充值缴费": 30, "文化休闲": 35},
        **{"医疗健康": 15, "转账红包": 40, "收入": 25, "投资理财": 60},
    }
    rows = []
    for _ in range(1150):
        kind = pick(r, weights)
        other = r.choice(shops[kind])
        way = "收入" if kind == "收入" else "不计收支" if kind == "投资理财" else "支出"
        amount = round(r.uniform(*price[kind]), 2)
        status = "交易成功"
        if way == "支出" and kind != "转账红包":
            status = pick(r, {"交易成功": 93, "交易关闭": 3, "退款成功": 4})
        if status != "交易成功":
            way = "不计收支"
        if kind == "收入" and other == "杭州云栖科技有限公司":
            amount, status = round(r.uniform(9000, 12000), 2), "交易成功"
        source = pick(r, {"花呗": 40, "余额宝": 25, "招商银行储蓄卡(8812)": 20, "余额": 15})
        when = moment(r, D(2026, 3, 1), D(2026, 11, 20, 11))
        note = {"餐饮美食": "外卖订单" if other == "饿了么" else "到店消费", "交通出行": "出行"}.get(kind, kind)
        rows.append([when, kind, other, note, way, amount, source, status, f"2026{r.randrange(10**16):016d}"])
    rows.sort(key=lambda row: row[0], reverse=True)
    header = [
        *("交易时间", "交易分类", "交易对方", "对方账号", "商品说明", "收/支", "金额", "收/付款方式", "交易状态"),
        *("交易订单号", "商家订单号", "备注", ""),
    ]
    written = [
        [f"{when:%Y-%m-%d %H:%M:%S}", kind, other, "/" if way == "收入" else f"{other[:1]}***@alipay.com"]
        + [note, way, f"{amount:.2f}", "" if status == "交易关闭" else source, status, number + "\t", "\t", "", ""]
        for when, kind, other, note, way, amount, source, status, number in rows
    ]
    line = "-" * 24
    above = [
        line + "支付宝支付科技有限公司  电子客户回单" + line,
        *(
            "导出信息：",
            "姓名：林晓明",
            "支付宝账户：139****2048",
            "起始时间：[2026-03-01 00:00:00]    终止时间：[2026-11-20 11:00:00]",
        ),
        *("导出交易类型：[全部]", "导出时间：[2026-11-20 11:03:22]", f"共{len(rows)}笔记录"),
        *("收入：27笔 118208.11元", "支出：690笔 70310.42元", "不计收支：111笔 3023.00元", "", "特别提示："),
        "1.本回单内容可表明支付宝受理了相应支付交易申请，非支付机构实际清算凭证；",
        "2.支付宝快捷支付等非余额支付方式可能既产生支付宝交易也同步产生银行交易，因此请勿使用本回单进行重复记账；",
        *(
            "3.本回单如经任何涂改、编造，均立即失去效力；",
            "4.部分账单如充值提现、账户转存或者个人设置收支等不计入为收入或者支出，记为不计收支类；",
        ),
        *(
            "5.因统计逻辑不同，明细金额直接累加后，可能会和下方统计金额不一致，请以实际交易金额为准；",
            "",
            line + "支付宝支付科技有限公司  电子客户回单" + line,
        ),
    ]
    export("支付宝交易明细", header, written, "gb18030", above)
    columns = ["交易时间", "交易分类", "交易对方", "商品说明", "收支", "金额", "付款方式", "交易状态", "订单号"]
    database("支付宝交易明细", columns, [[f"{row[0]:%Y-%m-%d %H:%M:%S}", *row[1:]] for row in rows])


def taobao():
    r = random.Random(102)
    goods = {
        **{
            "手冲咖啡壶家用不锈钢细口壶 600ml": 129,
            "意式拼配咖啡豆 新鲜烘焙 454g": 78,
            "云南小粒咖啡豆 中度烘焙 250g": 45,
        },
        **{"V60滤杯陶瓷手冲滤杯 01号": 58, "咖啡滤纸 100片装": 15, "手摇磨豆机 便携": 199, "电子秤 手冲计时": 89},
        **{"挂耳咖啡 20包 混合装": 69, "冷萃壶 1000ml": 76, "咖啡豆密封罐": 39},
    }
    buyers = ["tb" + f"{r.randrange(10**8):08d}" for _ in range(300)] + [f"{a}{b}" for a in "小阿老" for b in XING[:12]]
    places = [
        "浙江省 杭州市",
        "广东省 深圳市",
        "江苏省 苏州市",
        "上海 上海市",
        "北京 北京市",
        "四川省 成都市",
        "湖北省 武汉市",
        "陕西省 西安市",
    ]
    rows = []
    for _ in range(1300):
        title = r.choices(list(goods), [12, 20, 15, 8, 18, 6, 5, 22, 5, 7])[0]
        pieces = pick(r, {1: 70, 2: 20, 3: 7, 5: 3})
        when = moment(r, D(2026, 1, 4), D(2026, 11, 19))
        if r.random() < 0.09:
            when = D(2026, 11, 11, r.randrange(24), r.randrange(60), r.randrange(60))
        if r.random() < 0.07:
            when = moment(r, D(2025, 10, 20), D(2025, 11, 28))
        post = pick(r, {0: 80, 8: 15, 15: 5})
        due = goods[title] * pieces
        status = pick(
            r,
            {
                "交易成功": 70,
                "卖家已发货，等待买家确认": 8,
                "买家已付款，等待卖家发货": 5,
                "等待买家付款": 4,
                "交易关闭": 13,
            },
        )
        if when < D(2026, 11, 1) and status not in ("交易成功", "交易关闭"):
            status = "交易成功"
        closed = (
            pick(r, {"订单未及时付款": 35, "买家未收到货，退款": 15, "买家已收到货，退货退款": 30, "买家不想要了": 20})
            if status == "交易关闭"
            else None
        )
        paid = status != "等待买家付款" and closed not in ("订单未及时付款", "买家不想要了")
        pay = when + timedelta(seconds=r.randrange(20, 3000)) if paid else None
        refund = due + post if closed and "退款" in closed else 0
        if status == "交易成功" and r.random() < 0.04:
            refund = round(due * 0.2, 2)
        sent = pay + timedelta(hours=r.randrange(3, 60)) if paid and "等待卖家" not in status else None
        firm = pick(r, {"中通快递": 45, "圆通速递": 30, "顺丰速运": 15, "申通快递": 10}) if sent else None
        province, city = r.choice(places).split()
        rows.append(
            [
                f"{r.randrange(10**18, 10**19)}",
                r.choice(buyers),
                due,
                post,
                due + post,
                due + post if paid else 0,
                refund,
            ]
            + [status, closed, r.choice(XING) + r.choice(MING), province, city, when, pay, sent, title, pieces, firm]
        )
    rows.sort(key=lambda row: row[12], reverse=True)
    header = [
        *(
            "订单编号",
            "买家会员名",
            "买家应付货款",
            "买家应付邮费",
            "总金额",
            "买家实际支付金额",
            "退款金额",
            "订单状态",
        ),
        *("订单关闭原因", "收货人姓名", "收货地址", "联系手机", "订单创建时间", "订单付款时间", "发货时间"),
        *("宝贝标题", "宝贝总数量", "物流公司", "物流单号", "买家留言", "卖家备注"),
    ]
    written = []
    for (
        number,
        buyer,
        due,
        post,
        total,
        paid,
        refund,
        status,
        closed,
        name,
        province,
        city,
        when,
        pay,
        sent,
        title,
        pieces,
        firm,
    ) in rows:
        times = [f"{t:%Y-%m-%d %H:%M:%S}" if t else "" for t in (when, pay, sent)]
        address = f"{province} {city} {r.choice('东西南北')}湖区文一路{r.randrange(1, 400)}号"
        written.append(
            [f'="{number}"', buyer, f"{due:.2f}", f"{post:.2f}", f"{total:.2f}", f"{paid:.2f}", f"{refund:.2f}", status]
            + [closed or "", name, address, f"'1{r.randrange(3 * 10**9, 9 * 10**9)}", *times, title, pieces, firm or ""]
            + [f"No:{r.randrange(10**12, 10**13)}" if firm else "", "尽快发货" if r.random() < 0.04 else "", ""]
        )
    export("ExportOrderList202611191612", header, written, "gb18030")
    columns = [
        *(
            "订单编号",
            "买家",
            "应付货款",
            "邮费",
            "总金额",
            "实付",
            "退款",
            "状态",
            "关闭原因",
            "收货人",
            "省",
            "市",
            "创建",
            "付款",
        ),
        *("发货", "标题", "数量", "物流"),
    ]
    clean = [[f"{v:%Y-%m-%d %H:%M:%S}" if isinstance(v, D) else v for v in row] for row in rows]
    database("ExportOrderList202611191612", columns, clean)


def dingtalk():
    r = random.Random(103)
    staff = []
    groups = {"研发部": 14, "销售部": 10, "客服部": 8, "行政人事部": 4, "财务部": 4}
    names = iter(people(r, sum(groups.values())))
    for department, size in groups.items():
        for number in range(size):
            job = (
                "经理"
                if not number
                else {"研发部": "工程师", "销售部": "销售专员", "客服部": "客服专员"}.get(department, "专员")
            )
            staff.append((next(names), department, f"DD{len(staff) + 101}", job, r.uniform(0.02, 0.22)))
    rows, written = [], []
    week = "一二三四五六日"
    for offset in range(50):
        day = D(2026, 10, 1) + timedelta(days=offset)
        holiday = day.weekday() > 4 or day < D(2026, 10, 8)
        for name, department, number, job, lazy in staff:
            late = minutes = early = missing = absent = leave = 0
            begin = end = begin_result = end_result = kind = None
            if not holiday:
                chance = r.random()
                if chance < 0.03:
                    leave, kind = 1, pick(r, {"年假": 4, "病假": 3, "事假": 4, "调休": 2})
                elif chance < 0.035:
                    absent = 1
                else:
                    begin = day + timedelta(hours=8, minutes=r.randrange(25, 60))
                    begin_result = "正常"
                    if r.random() < lazy:
                        late, minutes = 1, r.randrange(1, 55)
                        begin, begin_result = day + timedelta(hours=9, minutes=minutes), "迟到"
                    end, end_result = day + timedelta(hours=18, minutes=r.randrange(0, 190)), "正常"
                    if r.random() < 0.03:
                        early = 1
                        end, end_result = day + timedelta(hours=17, minutes=r.randrange(5, 58)), "早退"
                    elif r.random() < 0.04:
                        missing, end, end_result = 1, None, "缺卡"
            elif department == "研发部" and r.random() < 0.08:
                begin, end = day + timedelta(hours=10), day + timedelta(hours=16, minutes=r.randrange(60))
            worked = int((end - begin).total_seconds() // 60) if begin and end else 0
            over = max(0, worked - 540) if not holiday else worked
            present = int(bool(begin))
            shift = "休息" if holiday else "A 09:00-18:00"
            rows.append(
                [
                    name,
                    department,
                    number,
                    job,
                    f"{day:%Y-%m-%d}",
                    day.weekday(),
                    shift,
                    begin and f"{begin:%H:%M}",
                    begin_result,
                ]
                + [
                    end and f"{end:%H:%M}",
                    end_result,
                    kind,
                    present,
                    worked,
                    late,
                    minutes,
                    early,
                    missing,
                    absent,
                    round(over / 60, 1),
                    leave,
                ]
            )
            written.append(
                [name, "默认考勤组", department, number, job, f"{day:%y-%m-%d} 星期{week[day.weekday()]}", shift]
                + [begin and f"{begin:%H:%M}", begin_result, end and f"{end:%H:%M}", end_result]
                + [f"{kind}{day:%m-%d} 09:00到{day:%m-%d} 18:00 1天" if kind else "", present, int(holiday), worked]
                + [
                    late or "",
                    minutes or "",
                    early or "",
                    missing or "",
                    absent or "",
                    round(over / 60, 1) or "",
                    leave or "",
                ]
            )
    header = [
        *(
            "姓名",
            "考勤组",
            "部门",
            "工号",
            "职位",
            "日期",
            "班次",
            "上班1打卡时间",
            "上班1打卡结果",
            "下班1打卡时间",
            "下班1打卡结果",
        ),
        *(
            "关联的审批单",
            "出勤天数",
            "休息天数",
            "工作时长(分钟)",
            "迟到次数",
            "迟到时长(分钟)",
            "早退次数",
            "下班缺卡次数",
        ),
        *("旷工天数", "加班总时长(小时)", "请假(天)"),
    ]
    above = ["每日统计表 统计日期：2026-10-01 至 2026-11-19" + "," * 21, "报表生成时间：2026-11-20 09:12" + "," * 21]
    export("钉钉考勤每日统计", header, written, above=above)
    columns = [
        *(
            "姓名",
            "部门",
            "工号",
            "职位",
            "日期",
            "星期",
            "班次",
            "上班",
            "上班结果",
            "下班",
            "下班结果",
            "假种",
            "出勤",
            "工作分钟",
        ),
        *("迟到", "迟到分钟", "早退", "缺卡", "旷工", "加班小时", "请假天"),
    ]
    database("钉钉考勤每日统计", columns, rows)


def grades():
    r = random.Random(104)
    courses = [
        *(
            ("高等数学A", "MA1001", 5, "必修", "严立新"),
            ("大学英语(三)", "EN1003", 3, "必修", "吕美玲"),
            ("数据结构", "CS2001", 4, "必修", "魏振华"),
        ),
        *(
            ("线性代数", "MA1002", 3, "必修", "严立新"),
            ("操作系统", "CS2003", 3.5, "必修", "孔文博"),
            ("电影赏析", "GE1010", 1, "公选", "姜诗雨"),
        ),
        *(
            ("机器学习导论", "CS3010", 2, "选修", "孔文博"),
            ("体育(羽毛球)", "PE1004", 1, "必修", "施国栋"),
            ("会计学原理", "AC2001", 3, "必修", "曹雅静"),
        ),
        ("管理学", "MG1001", 2, "选修", "曹雅静"),
    ]
    majors = {
        "计算机学院": ["计算机科学与技术", "软件工程"],
        "经济管理学院": ["会计学", "工商管理"],
        "数学学院": ["应用数学"],
    }
    students = []
    for name in people(r, 160):
        college = pick(r, {"计算机学院": 5, "经济管理学院": 4, "数学学院": 2})
        major = r.choice(majors[college])
        students.append(
            (
                name,
                f"2024{len(students) + 1:05d}",
                r.choice("男女"),
                college,
                major,
                f"{major[:2]}24{r.randrange(1, 4):02d}",
                r.gauss(76, 9),
            )
        )
    rows, written = [], []
    for student in students:
        name, number, sex, college, major, group, level = student
        for course, code, credit, nature, teacher in r.sample(courses, 8):
            term = r.choice(["2024-2025-1", "2024-2025-2", "2025-2026-1", "2025-2026-2"])
            hard = {"高等数学A": -7, "数据结构": -4, "电影赏析": 8, "体育(羽毛球)": 6}.get(course, 0)
            score = max(12, min(100, round(r.gauss(level + hard, 8))))
            shown = str(score)
            state = "正常考试"
            if course == "电影赏析":
                shown = (
                    "优秀"
                    if score >= 90
                    else "良好"
                    if score >= 80
                    else "中等"
                    if score >= 70
                    else "及格"
                    if score >= 60
                    else "不及格"
                )
            chance = r.random()
            if chance < 0.02:
                shown, score = "缺考", 0
            elif chance < 0.03:
                shown, score, state = "", None, "缓考"
            point = None if score is None else 0 if score < 60 else round(score / 10 - 5, 1)
            passed = "否" if score is None or score < 60 else "是"
            row = [
                term,
                number,
                name,
                sex,
                college,
                major,
                group,
                code,
                course,
                nature,
                credit,
                shown,
                score,
                point,
                state,
                teacher,
                passed,
            ]
            attempts = [row]
            if passed == "否" and state == "正常考试" and r.random() < 0.7:
                again = max(30, min(75, round(r.gauss(62, 8))))
                more = [again, 0 if again < 60 else 1.0, "补考", teacher, "是" if again >= 60 else "否"]
                attempts.append([*row[:11], str(again), *more])
            for one in attempts:
                rows.append(one)
                written.append([*one[:12], one[13] if one[13] is not None else "", *one[14:]])
    header = [
        *(
            "开课学期",
            "学号",
            "姓名",
            "性别",
            "学院",
            "专业",
            "行政班级",
            "课程代码",
            "课程名称",
            "课程性质",
            "学分",
            "成绩",
            "绩点",
        ),
        *("考试性质", "任课教师", "是否及格"),
    ]
    export("学生成绩查询", header, written, "gb18030")
    columns = [
        *(
            "学期",
            "学号",
            "姓名",
            "性别",
            "学院",
            "专业",
            "班级",
            "代码",
            "课程",
            "性质",
            "学分",
            "成绩",
            "分数",
            "绩点",
            "考试性质",
        ),
        *("教师", "及格"),
    ]
    database("学生成绩查询", columns, rows)


def stock():
    r = random.Random(105)
    goods = [
        *(
            ("SP001", "农夫山泉550ml", "24瓶/箱", "箱", 24, 30),
            ("SP002", "可口可乐330ml", "24罐/箱", "箱", 42, 52),
            ("SP003", "康师傅红烧牛肉面", "12桶/箱", "箱", 38, 48),
        ),
        *(
            ("SP004", "金龙鱼调和油5L", "4桶/箱", "箱", 220, 262),
            ("SP005", "五常大米10kg", "1袋", "袋", 58, 75),
            ("SP006", "清风抽纸", "20包/提", "提", 27, 36),
        ),
        *(
            ("SP007", "蓝月亮洗衣液3kg", "4瓶/箱", "箱", 120, 150),
            ("SP008", "青岛啤酒500ml", "12瓶/箱", "箱", 40, 55),
            ("SP009", "伊利纯牛奶", "16盒/箱", "箱", 45, 58),
        ),
        ("SP010", "老干妈辣酱", "24瓶/箱", "箱", 168, 205),
    ]
    suppliers = ["杭州众邦商贸有限公司", "宁波恒达食品批发部", "义乌市百汇贸易行"]
    customers = ["城西便利店", "好又多超市(滨江店)", "学苑小卖部", "东站批发市场赵老板", "联华加盟店", "幸福里生鲜"]
    weights = {"采购入库单": 22, "销售出库单": 66, "销售退货单": 6, "其他出库单": 4, "盘盈单": 2}
    rows, written = [], []
    clerks = ["许海燕", "何俊杰", "陶玉兰"]
    dates = sorted(D(2026, 1, 5) + timedelta(days=r.randrange(319)) for _ in range(1500))
    for number, day in enumerate(dates):
        code, name, size, unit, cost, price = r.choice(goods)
        kind = pick(r, weights)
        store = pick(r, {"总仓": 6, "城北仓": 3, "冷库": 1})
        pieces = r.randrange(20, 200) if kind == "采购入库单" else r.randrange(1, 30)
        other = r.choice(suppliers) if kind == "采购入库单" else r.choice(customers) if "销售" in kind else None
        each = (
            cost if kind in ("采购入库单", "其他出库单", "盘盈单") else round(price * r.choice([1, 1, 1, 0.95, 0.9]), 2)
        )
        amount = round(pieces * each, 2)
        profit = round(amount - pieces * cost, 2) if kind == "销售出库单" else None
        clerk = r.choice(clerks)
        prefix = {"采购入库单": "CG", "销售出库单": "XS", "销售退货单": "TH", "其他出库单": "QT", "盘盈单": "PY"}[kind]
        bill = f"{prefix}-{day:%Y%m%d}-{number:04d}"
        paid = None if not other else pick(r, {"已结清": 75, "部分结算": 10, "未结算": 15})
        rows.append(
            [
                f"{day:%Y-%m-%d}",
                bill,
                kind,
                other,
                store,
                code,
                name,
                size,
                unit,
                pieces,
                each,
                amount,
                profit,
                paid,
                clerk,
            ]
        )
        written.append(
            [
                f"{day.year}/{day.month}/{day.day}",
                bill,
                kind,
                other or "",
                store,
                code,
                name,
                size,
                unit,
                f"{pieces:.2f}",
                f"{each:,.2f}",
            ]
            + [
                f"{amount:,.2f}",
                "" if profit is None else f"{profit:,.2f}",
                paid or "",
                clerk,
                "破损" if kind == "其他出库单" else "",
            ]
        )
    total = [
        "合计",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        f"{sum(row[9] for row in rows):,.2f}",
        "",
        f"{sum(row[11] for row in rows):,.2f}",
        "",
        "",
        "",
        "",
    ]
    header = [
        *(
            "单据日期",
            "单据编号",
            "单据类型",
            "往来单位",
            "仓库",
            "商品编号",
            "商品名称",
            "规格",
            "单位",
            "数量",
            "单价",
            "金额",
        ),
        *("毛利", "结算状态", "经手人", "摘要"),
    ]
    export("进销存明细账", header, [*written, total], "gb18030")
    columns = [
        *(
            "日期",
            "单号",
            "类型",
            "往来单位",
            "仓库",
            "编号",
            "商品",
            "规格",
            "单位",
            "数量",
            "单价",
            "金额",
            "毛利",
            "结算",
            "经手人",
        ),
    ]
    database("进销存明细账", columns, rows)


def houses():
    r = random.Random(106)
    areas = {
        "余杭区": (["未来科技城", "良渚", "老余杭"], 3.1),
        "西湖区": (["文教", "古墩路", "转塘"], 4.6),
        "滨江区": (["长河", "浦沿", "奥体"], 4.8),
        "拱墅区": (["大关", "运河新城"], 3.6),
        "萧山区": (["市北", "蜀山"], 2.5),
    }
    estates = {
        trade: [
            r.choice(["翡翠", "金地", "绿城", "滨江", "融创", "万科", "中海", "西溪"])
            + r.choice(["花园", "华庭", "云邸", "里", "公馆", "名苑"])
            + r.choice(["", "一期", "二期", "北区"])
            for _ in range(6)
        ]
        for trades, _ in areas.values()
        for trade in trades
    }
    agents = dict(
        zip(people(r, 14), r.choices(["文三路店", "未来科技城一店", "江南大道店", "市北店"], k=14), strict=True)
    )
    rows, written = [], []
    for number in range(820):
        district = pick(r, {"余杭区": 5, "西湖区": 4, "滨江区": 3, "拱墅区": 2, "萧山区": 4})
        trade = r.choice(areas[district][0])
        estate = r.choice(estates[trade])
        rooms = pick(r, {1: 8, 2: 30, 3: 42, 4: 17, 5: 3})
        halls, baths = (1, 1) if rooms < 3 else (2, min(rooms - 1, 3))
        size = round(rooms * r.uniform(27, 37) + 12, 1)
        each = areas[district][1] * r.uniform(0.75, 1.35) * 10000
        price = round(size * each / 10000)
        each = round(price * 10000 / size)
        floor, floors = r.choice("低中高"), r.choice([6, 11, 18, 26, 33])
        year = r.randrange(1996, 2023)
        fit = pick(r, {"精装": 45, "简装": 30, "毛坯": 12, "豪装": 8, "未知": 5})
        side = pick(r, {"南": 50, "南北": 30, "东南": 10, "西": 5, "北": 5})
        listed = D(2026, 1, 1) + timedelta(days=r.randrange(322))
        state = pick(r, {"在售": 66, "已成交": 20, "已下架": 14})
        sold = listed + timedelta(days=r.randrange(5, 150)) if state == "已成交" else None
        if sold and sold > D(2026, 11, 19):
            state, sold = "在售", None
        deal = round(price * r.uniform(0.88, 1)) if sold else None
        shows, follows = r.randrange(0, 40), r.randrange(0, 300)
        if r.random() < 0.1:
            shows = 0
        metro = "是" if r.random() < 0.45 else "否"
        only = pick(r, {"满五唯一": 3, "满两年": 4, "不满两年": 2})
        agent = r.choice(list(agents))
        code = f"HZ{103800000 + number * 37}"
        rows.append(
            [
                code,
                estate,
                district,
                trade,
                rooms,
                size,
                side,
                fit,
                floor + "楼层",
                floors,
                year,
                price,
                each,
                f"{listed:%Y-%m-%d}",
                state,
                sold and f"{sold:%Y-%m-%d}",
                deal,
                shows,
                follows,
                metro,
                only,
                agent,
                agents[agent],
            ]
        )
        written.append(
            [
                code,
                estate,
                district,
                trade,
                f"{rooms}室{halls}厅1厨{baths}卫",
                f"{size}㎡",
                side,
                fit,
                f"{floor}楼层 (共{floors}层)",
                f"{year}年建",
            ]
            + [
                f"{price}万",
                f"{each:,}元/平",
                f"{listed:%Y.%m.%d}",
                state,
                f"{sold:%Y.%m.%d}" if sold else "",
                f"{deal}万" if deal else "",
                shows,
                follows,
                metro,
                only,
                agent,
                agents[agent],
            ]
        )
    header = [
        *(
            "房源编号",
            "小区名称",
            "城区",
            "商圈",
            "户型",
            "建筑面积",
            "朝向",
            "装修情况",
            "所在楼层",
            "建成年代",
            "挂牌总价",
            "挂牌单价",
        ),
        *(
            "挂牌时间",
            "房源状态",
            "成交时间",
            "成交总价",
            "带看次数",
            "关注人数",
            "近地铁",
            "房本年限",
            "维护人",
            "所属门店",
        ),
    ]
    export("二手房源列表", header, written)
    columns = [
        *(
            "编号",
            "小区",
            "城区",
            "商圈",
            "室",
            "面积",
            "朝向",
            "装修",
            "楼层",
            "总层数",
            "年代",
            "总价",
            "单价",
            "挂牌",
            "状态",
            "成交",
            "成交价",
        ),
        *("带看", "关注", "近地铁", "年限", "经纪人", "门店"),
    ]
    database("二手房源列表", columns, rows)


for write in (alipay, taobao, dingtalk, grades, stock, houses):
    write()
