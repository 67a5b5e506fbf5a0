"""The tables of an OpenCart shop, in miniature: the names are its own, the rows are invented, the values Chinese."""

import random
import sqlite3
from datetime import datetime, timedelta

SCHEMA = """
CREATE TABLE oc_manufacturer (manufacturer_id INTEGER PRIMARY KEY, name TEXT, sort_order INTEGER);
CREATE TABLE oc_product (product_id INTEGER PRIMARY KEY, model TEXT, sku TEXT, quantity INTEGER,
  manufacturer_id INTEGER, price REAL, weight REAL, minimum INTEGER, status INTEGER, viewed INTEGER, date_added TEXT);
CREATE TABLE oc_product_description (product_id INTEGER, language_id INTEGER, name TEXT, tag TEXT);
CREATE TABLE oc_customer (customer_id INTEGER PRIMARY KEY, customer_group_id INTEGER, firstname TEXT, lastname TEXT,
  email TEXT, telephone TEXT, newsletter INTEGER, status INTEGER, date_added TEXT);
CREATE TABLE oc_order_status (order_status_id INTEGER, language_id INTEGER, name TEXT);
CREATE TABLE oc_order (order_id INTEGER PRIMARY KEY, customer_id INTEGER, firstname TEXT, lastname TEXT,
  shipping_zone TEXT, shipping_city TEXT, payment_method TEXT, shipping_method TEXT, comment TEXT, total REAL,
  order_status_id INTEGER, currency_code TEXT, date_added TEXT, date_modified TEXT);
CREATE TABLE oc_order_product (order_product_id INTEGER PRIMARY KEY, order_id INTEGER, product_id INTEGER, name TEXT,
  model TEXT, quantity INTEGER, price REAL, total REAL);
CREATE TABLE oc_review (review_id INTEGER PRIMARY KEY, product_id INTEGER, customer_id INTEGER, author TEXT, text TEXT,
  rating INTEGER, status INTEGER, date_added TEXT);
"""
MAKERS = ["山云茶业", "陶然居", "润和堂", "青竹坊", "一品香"]
PRODUCTS = [  # name, maker, price, tag, popularity, on sale
    ("西湖龙井 250g", 1, 268.0, "绿茶", 18, 1),
    ("碧螺春 200g", 1, 198.0, "绿茶", 11, 1),
    ("黄山毛峰 250g", 1, 158.0, "绿茶", 9, 1),
    ("安溪铁观音 500g", 5, 236.0, "乌龙茶", 15, 1),
    ("武夷大红袍 125g", 5, 328.0, "乌龙茶", 8, 1),
    ("云南普洱熟饼 357g", 3, 188.0, "普洱", 13, 1),
    ("老班章生普 357g", 3, 1680.0, "普洱", 2, 1),
    ("正山小种 250g", 5, 146.0, "红茶", 10, 1),
    ("祁门红茶 200g", 1, 128.0, "红茶", 6, 1),
    ("白毫银针 100g", 3, 298.0, "白茶", 5, 1),
    ("茉莉花茶 500g", 5, 88.0, "花茶", 12, 1),
    ("宜兴紫砂壶 200ml", 2, 560.0, "茶具", 5, 1),
    ("白瓷盖碗", 2, 68.0, "茶具", 9, 1),
    ("玻璃公道杯", 2, 45.0, "茶具", 8, 1),
    ("竹制茶盘 大号", 4, 219.0, "茶具", 4, 1),
    ("旅行茶具套装", 2, 139.0, "茶具", 7, 1),
    ("锡制茶叶罐", 4, 96.0, "茶具", 5, 1),
    ("桂花糕礼盒", 3, 59.0, "茶点", 7, 1),
    ("绿豆饼 12枚", 3, 36.0, "茶点", 6, 1),
    ("陈皮话梅", 3, 22.5, "茶点", 5, 0),
    ("手工竹茶则", 4, 32.0, "茶具", 0, 0),
]
STATUSES = [(1, "待付款"), (2, "处理中"), (3, "已发货"), (5, "已完成"), (7, "已取消"), (11, "已退款")]
PLACES = [
    ("上海市", "上海", 17),
    ("浙江省", "杭州", 14),
    ("浙江省", "宁波", 6),
    ("广东省", "深圳", 13),
    ("广东省", "广州", 12),
    ("北京市", "北京", 16),
    ("四川省", "成都", 9),
    ("江苏省", "南京", 7),
    ("湖北省", "武汉", 6),
    ("福建省", "厦门", 4),
]
SURNAMES = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗"
GIVEN = "伟芳娜敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂英华玉兰婷雪梅子轩雨桐浩然思远佳怡"
TEXTS = [
    "茶香很足,会回购",
    "包装破损",
    "物流太慢了",
    "送长辈很体面",
    "味道一般",
    "性价比高",
    "壶嘴有点漏水",
    "颜色和图片不一样",
]


def opencart(con: sqlite3.Connection) -> None:
    rng = random.Random(4108)
    con.executescript(SCHEMA)
    con.executemany("INSERT INTO oc_manufacturer VALUES (?,?,0)", list(enumerate(MAKERS, 1)))
    con.executemany("INSERT INTO oc_order_status VALUES (?,2,?)", STATUSES)
    start, end = datetime(2024, 9, 1), datetime(2026, 11, 12)
    for number, (name, maker, price, tag, weight, status) in enumerate(PRODUCTS, 1):
        stock = rng.choice([0, rng.randint(1, 9), *rng.sample(range(20, 400), 5)])
        added = start + timedelta(days=rng.randint(-200, 0) if number < 21 else 615, hours=10)
        row = (number, f"T{number:03d}", f"SKU{7000 + number * 3}", stock, maker, price, rng.randint(5, 90) / 100, 1)
        row = (*row, status, weight * rng.randint(150, 260) + rng.randint(0, 99), added.strftime("%Y-%m-%d %H:%M:%S"))
        con.execute("INSERT INTO oc_product VALUES (?,?,?,?,?,?,?,?,?,?,?)", row)
        con.execute("INSERT INTO oc_product_description VALUES (?,2,?,?)", (number, name, tag))
    people = []
    for number in range(1, 321):
        last, first = rng.choice(SURNAMES), "".join(rng.sample(GIVEN, rng.choice([1, 2, 2])))
        joined = start + timedelta(minutes=rng.randint(0, 60 * 24 * 790))
        people.append((number, first, last, joined, rng.choices(PLACES, [p[2] for p in PLACES])[0]))
        mail = f"u{number:04d}@example.com"
        phone = f"13{rng.randint(0, 9)}{rng.randint(10000000, 99999999)}"
        row = (number, rng.choices([1, 2], [88, 12])[0], first, last, mail, phone, int(rng.random() < 0.37))
        row = (*row, int(rng.random() < 0.96), joined.strftime("%Y-%m-%d %H:%M:%S"))
        con.execute("INSERT INTO oc_customer VALUES (?,?,?,?,?,?,?,?,?)", row)
    moments = sorted(start + timedelta(minutes=int(rng.random() ** 0.8 * 60 * 24 * 802)) for _ in range(1150))
    line = 0
    for order, moment in enumerate(moments, 50001):
        known = [p for p in people[:270] if p[3] < moment]
        customer = known[int(rng.random() ** 1.8 * len(known))] if known else people[0]
        number, first, last, _, (zone, city, _) = customer
        age = (end - moment).days
        weights = [5, 3, 4, 78, 7, 3] if age > 20 else [14, 30, 36, 14, 5, 1]
        status = rng.choices([s[0] for s in STATUSES], weights if age > 20 or rng.random() < 0.95 else [1] * 6)[0]
        total = 0.0
        for product in sorted(
            set(rng.choices(range(1, 22), [p[4] for p in PRODUCTS], k=rng.choice([1, 1, 2, 2, 3, 4])))
        ):
            line += 1
            name, _, price, *_ = PRODUCTS[product - 1]
            price = round(price * (0.9 if moment.year == 2024 else 1.0), 2)
            count = rng.choices([1, 2, 3, 6, 10], [66, 20, 8, 4, 2])[0] if price < 1000 else 1
            total += price * count
            row = (line, order, product, name, f"T{product:03d}", count, price, round(price * count, 2))
            con.execute("INSERT INTO oc_order_product VALUES (?,?,?,?,?,?,?,?)", row)
        method = rng.choices(["顺丰快递", "中通快递", "到店自提"], [35, 55, 10])[0]
        total += 0 if total > 199 or method == "到店自提" else 12
        pay = rng.choices(["微信支付", "支付宝", "银行转账", "货到付款"], [48, 38, 5, 9])[0]
        note = rng.choice([None] * 9 + ["请尽快发货", "送礼,请包装", "不要放快递柜"])
        changed = min(end, moment + timedelta(hours=rng.randint(1, 160)))
        row = (order, number, first, last, zone, city, pay, method, note, round(total, 2), status, "CNY")
        row = (*row, moment.strftime("%Y-%m-%d %H:%M:%S"), changed.strftime("%Y-%m-%d %H:%M:%S"))
        con.execute(f"INSERT INTO oc_order VALUES ({','.join('?' * 14)})", row)
    for review in range(1, 331):
        product = rng.choices(range(1, 21), [p[4] + 1 for p in PRODUCTS[:20]])[0]
        number, first, last, *_ = rng.choice(people[:200])
        rating = rng.choices([1, 2, 3, 4, 5], [5, 6, 14, 32, 43] if product not in (13, 16) else [20, 20, 25, 20, 15])[
            0
        ]
        when = start + timedelta(minutes=rng.randint(60 * 24 * 30, 60 * 24 * 800))
        row = (review, product, number, last + first, rng.choice(TEXTS), rating, int(rng.random() < 0.9))
        con.execute("INSERT INTO oc_review VALUES (?,?,?,?,?,?,?,?)", (*row, when.strftime("%Y-%m-%d %H:%M:%S")))
