"""Answers questions about the clock: the time here and elsewhere, zones, spans of hours, time stamps."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from datetime import time as clock_time
from typing import Final

from kbtui.analysis.asked import Asked, Handler, Told, in_chinese, in_english
from kbtui.analysis.zones import loaded, zone_of
from kbtui.text.numbers import with_digits


def _time_now(asked: Asked) -> Told:
    return _clock(asked.now, "", _zone_name(asked.now))


def _zone_name(moment: datetime) -> str:
    return moment.tzname() or "UTC"


def _clock(moment: datetime, place: str, zone: str) -> Told:
    en = f"It is **{moment:%H:%M}** {f'in {place} ' if place else ''}on {in_english(moment.date())} ({zone})."
    zh = f"{place or ''}现在是 **{moment:%H:%M}**，{in_chinese(moment.date())}（{zone}）。"
    return Told(en=en, zh=zh, value=moment.isoformat(timespec="minutes"), kind="time")


def _at(moment: datetime, key: str) -> datetime | None:
    if match := re.fullmatch(r"UTC([+-])(\d\d):(\d\d)", key):
        offset = timedelta(hours=int(match[2]), minutes=int(match[3]))
        return moment.astimezone(timezone(-offset if match[1] == "-" else offset))
    zone = loaded(key)
    return moment.astimezone(zone) if zone else None


_HERE = re.compile(r"here|home|at home|this (?:place|city|area)|my (?:city|area|place|location)|这里|这儿|本地|当地")


def _time_there(asked: Asked) -> Told | None:
    place = asked.match["place"].strip(" ,")
    if _HERE.fullmatch(place):
        return _time_now(asked)
    key = zone_of(place)
    there = _at(asked.now, key) if key else None
    if there is not None:
        return _clock(there, _titled(place), f"{key}, {_offset(there)}")
    # "in the logs", "in section 3", "in utils.py": no place has such a name.
    if not asked.match.groupdict().get("sure") or re.search(r"^the\b|\d|[._/]", place) or len(place.split()) > 3:
        return None
    return Told(
        en=f"I know no time zone for “{_titled(place)}”. A larger city near it, a country or an offset (UTC+2) works.",
        zh=f"我不知道“{place}”的时区。可以换成附近的大城市、国家，或时差（UTC+8）。",
        value=None,
        kind="time",
    )


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


def _zone_here(asked: Asked) -> Told:
    name, offset = str(asked.now.tzinfo or "UTC"), _offset(asked.now)
    return Told(
        en=f"Your clock is on **{name}** ({offset}).",
        zh=f"你的时钟用的是 **{name}**（{offset}）。",
        value=name,
        kind="time",
    )


def _zone_there(asked: Asked) -> Told | None:
    place = asked.match["place"].strip(" ,")
    if _HERE.fullmatch(place) or place in ("we", "we currently", "i", "there", "over there"):
        return _zone_here(asked)
    key = zone_of(place)
    there = _at(asked.now, key) if key else None
    if there is None:
        return None
    shown = _titled(place)
    return Told(
        en=f"{shown} is in **{key}**, now {_offset(there)} ({there:%H:%M} there).",
        zh=f"{shown}的时区是 **{key}**，现在为 {_offset(there)}（当地 {there:%H:%M}）。",
        value=key,
        kind="time",
    )


def _in_zone(asked: Asked) -> Told | None:
    """Is a place in a zone? Both must be known."""
    one, other = zone_of(asked.match["place"].strip()), zone_of(asked.match["zone"].strip())
    there, expected = (_at(asked.now, key) if key else None for key in (one, other))
    if there is None or expected is None:
        return None
    is_same = there.utcoffset() == expected.utcoffset()
    return Told(
        en=f"**{'Yes' if is_same else 'No'}**: {_titled(asked.match['place'])} is in {one}, now {_offset(there)}.",
        zh=f"**{'是' if is_same else '不是'}**：{_titled(asked.match['place'])}在 {one}，现在为 {_offset(there)}。",
        value=is_same,
        kind="time",
    )


_MOST_MINUTES: Final = 60_000
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


def _clock_elsewhere(asked: Asked) -> Told | None:
    """What time is 3 pm of one place in another?"""
    at = read_clock(asked.match["clock"])
    groups = asked.match.groupdict()
    source = zone_of(groups["source"]) if groups.get("source") else ""
    target = zone_of(groups["target"])
    if at is None or not target or (groups.get("source") and not source):
        return None
    here = _at(asked.now, source) if source else asked.now
    if here is None:
        return None
    there = _at(datetime.combine(here.date(), at, tzinfo=here.tzinfo), target)
    if there is None:
        return None
    days = (there.date() - here.date()).days
    extra_en = {1: ", the next day", -1: ", the day before"}.get(days, "")
    extra_zh = {1: "（次日）", -1: "（前一日）"}.get(days, "")
    given_en = f"{at:%H:%M} {f'in {_titled(source_name)}' if (source_name := groups.get('source')) else 'here'}"
    return Told(
        en=f"{given_en} is **{there:%H:%M}** in {_titled(groups['target'])}{extra_en} ({_offset(here)} → "
        f"{_offset(there)}).",
        zh=f"{_titled(source_name) if source_name else '这里'} {at:%H:%M} 是{_titled(groups['target'])} "
        f"**{there:%H:%M}**{extra_zh}"
        f"（{_offset(here)} → {_offset(there)}）。",
        value=there.isoformat(timespec="minutes"),
        kind="time",
    )


def _difference(asked: Asked) -> Told | None:
    """The time difference between two places."""
    keys = [zone_of(asked.match[name].strip()) for name in ("one", "other")]
    moments = [_at(asked.now, key) if key else None for key in keys]
    if moments[0] is None or moments[1] is None:
        return None
    minutes = int(
        ((moments[1].utcoffset() or timedelta()) - (moments[0].utcoffset() or timedelta())).total_seconds() // 60
    )
    hours = f"{abs(minutes) / 60:g}"
    one, other = (_titled(asked.match[name].strip()) for name in ("one", "other"))
    if minutes == 0:
        return Told(
            en=f"{one} and {other} have the **same time** now.",
            zh=f"{one}和{other}现在**没有时差**。",
            value=0,
            kind="time",
        )
    return Told(
        en=f"{other} is **{hours} hours {'ahead of' if minutes > 0 else 'behind'}** {one} now.",
        zh=f"{other}现在比{one}**{'早' if minutes > 0 else '晚'} {hours} 小时**。",
        value=minutes,
        kind="time",
    )


def _unix_now(asked: Asked) -> Told:
    stamp = int(asked.now.timestamp())
    return Told(en=f"The Unix time is **{stamp}**.", zh=f"当前的 Unix 时间戳是 **{stamp}**。", value=stamp, kind="time")


def _from_unix(asked: Asked) -> Told | None:
    digits = asked.match["stamp"]
    seconds = int(digits) / (1000 if len(digits) >= 13 else 1)
    if seconds > 253_402_300_799:
        return None
    moment = datetime.fromtimestamp(seconds, UTC)
    shown = moment.isoformat(timespec="milliseconds" if len(digits) >= 13 else "seconds").replace("+00:00", "Z")
    here = moment.astimezone(asked.now.tzinfo)
    is_here = here.utcoffset() != timedelta()
    here_en = f" ({here:%H:%M} on {in_english(here.date())} here)" if is_here else f", {in_english(moment.date())}"
    here_zh = f"（本地 {in_chinese(here.date())} {here:%H:%M}）" if is_here else f"，{in_chinese(moment.date())}"
    return Told(
        en=f"{digits} is **{shown}**{here_en}.",
        zh=f"{digits} 是 **{shown}**{here_zh}。",
        value=shown,
        kind="time",
    )


def _clock_span(asked: Asked) -> Told | None:
    start, end = read_clock(asked.match["start_clock"]), read_clock(asked.match["end_clock"])
    if start is None or end is None:
        return None
    minutes = (end.hour * 60 + end.minute - start.hour * 60 - start.minute) % 1440
    hours, rest = divmod(minutes, 60)
    return Told(
        en=f"**{hours} h {rest} min** from {start:%H:%M} to {end:%H:%M}.",
        zh=f"从 {start:%H:%M} 到 {end:%H:%M} 有 **{hours} 小时 {rest} 分钟**。",
        value=minutes,
        kind="time",
    )


def _until_clock(asked: Asked) -> Told | None:
    """How long it is until a time of day, today's or tomorrow's."""
    said = asked.match["clock"]
    at = None if said.isdigit() else read_clock(said)
    if at is None:
        return None
    then = datetime.combine(asked.today, at, tzinfo=asked.now.tzinfo)
    if then <= asked.now:
        then = datetime.combine(asked.today + timedelta(days=1), at, tzinfo=asked.now.tzinfo)
    # Through UTC: a night may have 23 or 25 hours.
    minutes = -(-int((then.astimezone(UTC) - asked.now.astimezone(UTC)).total_seconds()) // 60)
    hours, rest = divmod(minutes, 60)
    return Told(
        en=f"**{hours} h {rest} min** until {then:%H:%M}.",
        zh=f"离 {then:%H:%M} 还有 **{hours} 小时 {rest} 分钟**。",
        value=minutes,
        kind="time",
    )


def _clock_moved(asked: Asked) -> Told | None:
    """The time some hours or minutes before or after another, or after now."""
    groups = asked.match.groupdict()
    amount = {"半": 0.5, "an": 1.0, "a": 1.0, "half an": 0.5}.get(asked.match["amount"]) or float(asked.match["amount"])
    minutes = amount * (60 if re.match(r"h|个?小时|个?钟", asked.match["unit"]) else 1)
    if minutes > _MOST_MINUTES:
        return None
    at = read_clock(groups["clock"]) if groups.get("clock") else None
    if groups.get("clock") and (at is None or groups["clock"].isdigit()):
        return None
    start = asked.now if at is None else datetime.combine(asked.today, at, tzinfo=asked.now.tzinfo)
    back = re.fullmatch(r"before|to|ago|earlier|minus|-|减去?|之?前|以前", groups["how"] or "")
    moved = timedelta(minutes=-minutes if back else minutes)
    then = (start.astimezone(UTC) + moved).astimezone(asked.now.tzinfo)
    days = (then.date() - start.date()).days
    extra_en = {0: "", 1: ", the next day", -1: ", the day before"}.get(days, f", on {in_english(then.date())}")
    extra_zh = {0: "", 1: "（次日）", -1: "（前一日）"}.get(days, f"（{in_chinese(then.date())}）")
    return Told(
        en=f"It is **{then:%H:%M}**{extra_en}.",
        zh=f"是 **{then:%H:%M}**{extra_zh}。",
        value=then.isoformat(timespec="minutes"),
        kind="time",
    )


HANDLERS: Final[dict[str, Handler]] = {
    "clock_elsewhere": _clock_elsewhere,
    "clock_moved": _clock_moved,
    "clock_span": _clock_span,
    "difference": _difference,
    "from_unix": _from_unix,
    "in_zone": _in_zone,
    "time_now": _time_now,
    "time_there": _time_there,
    "unix_now": _unix_now,
    "until_clock": _until_clock,
    "zone_here": _zone_here,
    "zone_there": _zone_there,
}
