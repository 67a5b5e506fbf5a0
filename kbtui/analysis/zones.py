"""Which time zone a place is in, in English or Chinese; the zones themselves are Python's own ``zoneinfo``."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?(\d{2}))?")
_NOISE = re.compile(
    r"^(?:the|in|at|for|of)\s+|\s*(?:standard|daylight|local)?\s*(?:time\s?zones?|time)$|\s*(?:standard|daylight)$"
)


@cache
def _places() -> dict[str, str]:
    """Zone keys by lower-case name: those of the database by city, then what ``zones.toml`` adds and overrules."""
    found: dict[str, str] = {}
    for key in sorted(available_timezones()):
        region, _, city = key.rpartition("/")
        if region and region != "Etc":
            found.setdefault(city.replace("_", " ").lower(), key)
    table = tomllib.loads(files("kbtui.analysis").joinpath("zones.toml").read_text(encoding="utf-8"))
    for section, between in (("places", "|"), ("zh", " ")):
        for key, names in table[section].items():
            found |= dict.fromkeys((name.strip() for name in names.split(between)), key)
    return found


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


def loaded(key: str) -> ZoneInfo | None:
    """The zone, or None where this system's database lacks it."""
    try:
        return ZoneInfo(key)
    except (ZoneInfoNotFoundError, ValueError):
        return None
