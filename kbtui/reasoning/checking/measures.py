"""What a number counts: 9 percent is not station 9, and 35 minutes are not 35 days."""

from __future__ import annotations

import re
from typing import Final

_WRITTEN: Final = """
percent % percent per cent pct percentage percents 百分点
dollar $ dollar dollars usd 美元
euro € euro euros eur 欧元
pound £ pound pounds lb lbs gbp 英镑
yuan 元 yuan rmb cny 人民币
millisecond ms millisecond milliseconds msec 毫秒
second s sec secs second seconds 秒 秒钟
minute min mins minute minutes 分钟
hour h hr hrs hour hours hourly 小时 个小时
day day days daily 天 日
week week weeks weekly 周 星期 个星期
month month months monthly 个月
year year years yr yrs yearly annual 年
byte byte bytes 字节
kilobyte kb kib kilobyte kilobytes
megabyte mb mib megabyte megabytes 兆
gigabyte gb gib gigabyte gigabytes
terabyte tb tib terabyte terabytes
kilometre km kilometre kilometres kilometer kilometers 公里 千米
metre metre metres meter meters 米
centimetre cm centimetre centimetres centimeter centimeters 厘米
millimetre mm millimetre millimetres 毫米
mile mi mile miles 英里
foot ft foot feet 英尺
kilogram kg kilogram kilograms kilo kilos 公斤 千克
gram gram grams 克
ton ton tons tonne tonnes 吨
degree ° degree degrees 度
"""
_MEASURES: Final = {
    word: line.split()[0] for line in _WRITTEN.strip().split("\n") for word in line.split()[1:] if word != "per"
}
_SIGNS: Final = {"$": "dollar", "€": "euro", "£": "pound", "¥": "yuan"}
_HAN_UNITS: Final = "|".join(
    sorted((word for word in _MEASURES if not word.isascii() and word not in "%$€£°"), key=len, reverse=True)
)
# What may stand between a number and what it counts: the rest of a range, a scale, a sign.
_AFTER: Final = re.compile(
    r"(?:\+|\s?(?:-|–|~|to|or|and|至|到)\s?[$€£]?\d[\d,.]*)?"
    r"(?:[ -](?:hundred|thousand|million|billion|trillion))?"
    rf"[\s-]?(?P<word>[%°]|{_HAN_UNITS}|per cent\b|[A-Za-z]+(?![\w]))?"
)
_YEAR: Final = re.compile(r"(?:1[0-9]|20)\d\d")


def measure(text: str, start: int, end: int) -> str:
    """What the number at ``start`` to ``end`` of a normalised text counts, where that is a measure; else ``""``."""
    if text.startswith("百分之", max(0, start - 3)) or text.startswith("百分之", start):
        return "percent"
    before = text[max(0, start - 2) : start].rstrip()[-1:]
    if before in _SIGNS:
        return _SIGNS[before]
    match = _AFTER.match(text, end, min(len(text), end + 40))
    word = (match["word"] or "").lower() if match else ""
    if word == "per cent":
        return "percent"
    found = _MEASURES.get(word, "")
    # 2024年 and 1980s name a year and count none.
    return "" if found in ("year", "second") and _YEAR.fullmatch(text[start:end]) else found
