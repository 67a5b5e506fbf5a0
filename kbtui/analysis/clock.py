"""Answers questions about the clock: the time here and elsewhere, zones, spans of hours, time stamps.

Functions have the names of their questions in ``dates.toml``.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from datetime import time as clock_time
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from kbtui.analysis.date_answers import DateAnswer, DateQuestion, date_answer
from kbtui.text.numbers import with_digits
from kbtui.text.word_lists import toml_in

_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?(\d{2}))?")
_NOISE = re.compile(
    r"^(?:the|in|at|for|of)\s+|\s*(?:standard|daylight|local)?\s*(?:time\s?zones?|time)$|\s*(?:standard|daylight)$"
)


@cache
def _places() -> dict[str, str]:
    """Zone keys by lower-case name: those of the database by city, then what ``zones.toml`` adds and overrules."""
    keys: dict[str, str] = {}
    for key in sorted(available_timezones()):
        region, _, city = key.rpartition("/")
        if region and region != "Etc":
            keys.setdefault(city.replace("_", " ").lower(), key)
    table = toml_in(__package__, "zones.toml")
    for section, between in (("places", "|"), ("zh", " ")):
        for key, names in table[section].items():
            keys |= dict.fromkeys((name.strip() for name in names.split(between)), key)
    return keys


def zone_of(place: str) -> str:
    """The key of the zone of ``place`` (lower case): ``Asia/Tokyo`` or ``UTC+05:30``; empty where it is not known."""
    name = place.strip(" ,.?")
    if (offset := _OFFSET.fullmatch(name)) and int(offset[2]) <= 14:
        return f"UTC{offset[1]}{int(offset[2]):02d}:{offset[3] or '00'}"
    before = ""
    while name != before:
        before, name = name, _NOISE.sub("", name).strip()
    for candidate in (
        name,
        name.removesuffix("'s"),
        name.removesuffix("市").removesuffix("当地"),
        *reversed(name.split(", ")),
    ):
        # "houston, tx" is houston; "adelaide, australia" is adelaide, and australia where that is not known.
        first = candidate.split(", ")[0]
        if first in _places():
            return _places()[first]
    first = name.split(", ")[0]
    return _places().get(first) or next((_places()[part] for part in name.split(", ")[1:] if part in _places()), "")


def time_now(question: DateQuestion) -> DateAnswer:
    return _time_answer(question.now, ("", ""), question.now.tzname() or "UTC")


def _time_answer(moment: datetime, place: tuple[str, str], zone: str) -> DateAnswer:
    value = moment.isoformat(timespec="minutes")
    return date_answer("now", value, "time", moment=moment, place=place, day=moment.date(), zone=zone)


def _in_zone(moment: datetime, key: str) -> datetime | None:
    if match := re.fullmatch(r"UTC([+-])(\d\d):(\d\d)", key):
        offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return moment.astimezone(timezone(-offset if match[1] == "-" else offset))
    try:
        return moment.astimezone(ZoneInfo(key))
    except (ZoneInfoNotFoundError, ValueError):
        # This system's database lacks it.
        return None


_HERE = re.compile(r"here|home|at home|this (?:place|city|area)|my (?:city|area|place|location)|这里|这儿|本地|当地")


def time_there(question: DateQuestion) -> DateAnswer | None:
    place = question.match["place"].strip(" ,")
    if _HERE.fullmatch(place):
        return time_now(question)
    key = zone_of(place)
    there = _in_zone(question.now, key) if key else None
    if there is not None:
        shown = _titled(place)
        return _time_answer(there, (f"in {shown} ", shown), f"{key}, {_offset(there)}")
    # "in the logs", "in section 3", "in utils.py": no place has such a name.
    if not question.match.groupdict().get("sure") or re.search(r"^the\b|\d|[._/]", place) or len(place.split()) > 3:
        return None
    return date_answer("no_zone", None, "time", place=(_titled(place), place))


def _titled(place: str) -> str:
    name = re.sub(r"^the\s+|\s*(?:standard )?time\s?zones?$|\s+time$|市$|当地$", "", place).removesuffix("'s")
    return name.upper() if len(name) <= 4 and name.isascii() and zone_of(name) and name not in _WORDS else name.title()


_WORDS = frozenset(
    {"lima", "rome", "oslo", "iran", "peru", "cuba", "fiji", "guam", "mali", "chad", "togo", "rio", "reno", "bonn"}
)


def _offset(moment: datetime) -> str:
    minutes = int((moment.utcoffset() or timedelta()).total_seconds() // 60)
    sign = "-" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{sign}{hours}" + (f":{rest:02d}" if rest else "")


def zone_here(question: DateQuestion) -> DateAnswer:
    name = str(question.now.tzinfo or "UTC")
    return date_answer("zone_here", name, "time", zone=name, offset=_offset(question.now))


def zone_there(question: DateQuestion) -> DateAnswer | None:
    place = question.match["place"].strip(" ,")
    if _HERE.fullmatch(place) or place in ("we", "we currently", "i", "there", "over there"):
        return zone_here(question)
    key = zone_of(place)
    there = _in_zone(question.now, key) if key else None
    if there is None:
        return None
    return date_answer("zone_there", key, "time", place=_titled(place), zone=key, offset=_offset(there), there=there)


_MAX_MINUTES: Final = 60_000
CLOCK_TIME: Final = (
    r"(?:\d{1,2}(?::\d{2})?\s?(?:a\.?m\.?|p\.?m\.?|o'clock)?|noon|midnight|午夜|正午|(?:早上|上午|中午|下午"
    r"|晚上|凌晨)?\d{1,2}(?:点半|点\d{0,2}分?|:\d{2}))"
)


def read_clock(text: str) -> clock_time | None:
    """The time of day in ``3 pm``, ``15:30``, ``下午三点半``; None where there is none."""
    text = with_digits(text.strip())
    if text in ("noon", "midnight", "中午", "正午", "午夜"):
        return clock_time(0 if text in ("midnight", "午夜") else 12)
    match = re.fullmatch(
        r"(早上|上午|中午|下午|晚上|凌晨)?(\d{1,2})(?::(\d{2})|点(半|\d{1,2})?分?)?\s?(a\.?m\.?|p\.?m\.?|o'clock)?",
        text,
    )
    if match is None:
        return None
    hour, minute = int(match[2]), 30 if match[4] == "半" else int(match[3] or match[4] or 0)
    late = (match[5] or "").startswith("p") or match[1] in ("下午", "晚上")
    if late and hour < 12:
        hour += 12
    elif (match[5] or "").startswith("a") and hour == 12:
        hour = 0
    return clock_time(hour, minute) if hour < 24 and minute < 60 else None


def clock_elsewhere(question: DateQuestion) -> DateAnswer | None:
    """What time is 3 pm of one place in another?"""
    time_of_day = read_clock(question.match["clock"])
    groups = question.match.groupdict()
    source = zone_of(groups["source"]) if groups.get("source") else ""
    target = zone_of(groups["target"])
    if time_of_day is None or not target or (groups.get("source") and not source):
        return None
    source_time = _in_zone(question.now, source) if source else question.now
    if source_time is None:
        return None
    target_time = _in_zone(datetime.combine(source_time.date(), time_of_day, tzinfo=source_time.tzinfo), target)
    if target_time is None:
        return None
    name = _titled(groups["source"]) if groups.get("source") else ""
    return date_answer(
        "elsewhere",
        target_time.isoformat(timespec="minutes"),
        "time",
        at=time_of_day,
        there=target_time,
        source=(f"in {name}", name) if name else ("here", "这里"),
        target=_titled(groups["target"]),
        days=_DAY_OFFSETS.get((target_time.date() - source_time.date()).days, ("", "")),
        from_offset=_offset(source_time),
        to_offset=_offset(target_time),
    )


_DAY_OFFSETS: Final = {0: ("", ""), 1: (", the next day", "（次日）"), -1: (", the day before", "（前一日）")}


def difference(question: DateQuestion) -> DateAnswer | None:
    """The time difference between two places."""
    keys = [zone_of(question.match[name].strip()) for name in ("one", "other")]
    moments = [_in_zone(question.now, key) if key else None for key in keys]
    if moments[0] is None or moments[1] is None:
        return None
    minutes = int(
        ((moments[1].utcoffset() or timedelta()) - (moments[0].utcoffset() or timedelta())).total_seconds() // 60
    )
    hours = f"{abs(minutes) / 60:g}"
    first_place, second_place = (_titled(question.match[name].strip()) for name in ("one", "other"))
    if minutes == 0:
        return date_answer("same_time", 0, "time", one=first_place, other=second_place)
    ahead = ("ahead of", "早") if minutes > 0 else ("behind", "晚")
    return date_answer("difference", minutes, "time", one=first_place, other=second_place, hours=hours, ahead=ahead)


def unix_now(question: DateQuestion) -> DateAnswer:
    stamp = int(question.now.timestamp())
    return date_answer("unix", stamp, "time", stamp=stamp)


def from_unix(question: DateQuestion) -> DateAnswer | None:
    digits = question.match["stamp"]
    seconds = int(digits) / (1000 if len(digits) >= 13 else 1)
    if seconds > 253_402_300_799:
        return None
    moment = datetime.fromtimestamp(seconds, UTC)
    shown = moment.isoformat(timespec="milliseconds" if len(digits) >= 13 else "seconds").replace("+00:00", "Z")
    here = moment.astimezone(question.now.tzinfo)
    name = "from_unix_here" if here.utcoffset() else "from_unix"
    return date_answer(name, shown, "time", digits=digits, shown=shown, here=here, day=here.date())


def clock_span(question: DateQuestion) -> DateAnswer | None:
    start, end = read_clock(question.match["start_clock"]), read_clock(question.match["end_clock"])
    if start is None or end is None:
        return None
    minutes = (end.hour * 60 + end.minute - start.hour * 60 - start.minute) % 1440
    hours, rest = divmod(minutes, 60)
    return date_answer("span", minutes, "time", hours=hours, rest=rest, start=start, end=end)


def until_clock(question: DateQuestion) -> DateAnswer | None:
    """How long it is until a time of day, today's or tomorrow's."""
    clock_text = question.match["clock"]
    time_of_day = None if clock_text.isdigit() else read_clock(clock_text)
    if time_of_day is None:
        return None
    moment = datetime.combine(question.today, time_of_day, tzinfo=question.now.tzinfo)
    if moment <= question.now:
        moment = datetime.combine(question.today + timedelta(days=1), time_of_day, tzinfo=question.now.tzinfo)
    # Through UTC: a night may have 23 or 25 hours.
    minutes = -(-int((moment.astimezone(UTC) - question.now.astimezone(UTC)).total_seconds()) // 60)
    hours, rest = divmod(minutes, 60)
    return date_answer("until_clock", minutes, "time", hours=hours, rest=rest, then=moment)


def clock_moved(question: DateQuestion) -> DateAnswer | None:
    """The time some hours or minutes before or after another, or after now."""
    groups = question.match.groupdict()
    amount = {"半": 0.5, "an": 1.0, "a": 1.0, "half an": 0.5}.get(question.match["amount"]) or float(
        question.match["amount"]
    )
    minutes = amount * (60 if re.match(r"h|个?小时|个?钟", question.match["unit"]) else 1)
    if minutes > _MAX_MINUTES:
        return None
    time_of_day = read_clock(groups["clock"]) if groups.get("clock") else None
    if groups.get("clock") and (time_of_day is None or groups["clock"].isdigit()):
        return None
    start = (
        question.now
        if time_of_day is None
        else datetime.combine(question.today, time_of_day, tzinfo=question.now.tzinfo)
    )
    is_backward = re.fullmatch(r"before|to|ago|earlier|minus|-|减去?|之?前|以前", groups["how"] or "")
    offset = timedelta(minutes=-minutes if is_backward else minutes)
    moment = (start.astimezone(UTC) + offset).astimezone(question.now.tzinfo)
    value, days = moment.isoformat(timespec="minutes"), (moment.date() - start.date()).days
    if days in _DAY_OFFSETS:
        return date_answer("moved", value, "time", then=moment, days=_DAY_OFFSETS[days])
    return date_answer("moved_far", value, "time", then=moment, day=moment.date())
