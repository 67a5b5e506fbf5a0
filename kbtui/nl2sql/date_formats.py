"""Formats of date columns: which are epoch timestamps, and which have a time of day."""

from __future__ import annotations

import re
from typing import Final

from kbtui.nl2sql.catalogue import ColumnInfo

EPOCHS: Final = {"unix": 1, "unix_ms": 1000}
"""Names of epoch formats, with the number of units in a second."""
OR_ISO: Final = "|%Y-%m-%d"
"""End of the format of a column of which some dates are in ISO 8601."""
FIELD: Final = re.compile(r"%-?([A-Za-z0-9])")
"""A field of a strptime format."""
_CLOCK: Final = re.compile(r"(?:,?[ T]+(?:at +)?)?%[HI].*")
_TIME_FIELDS: Final = frozenset("HIMSpf")


def has_time(info: ColumnInfo) -> bool:
    """Whether values may have a time of day, so that they compare as later than the bare date."""
    if info.date_format in EPOCHS:
        return True
    if info.date_format:
        return any(field in _TIME_FIELDS for field in FIELD.findall(info.date_format))
    return info.has_time or any(len(str(value)) > 10 for value, _ in info.values[:20])


def split_clock(form: str) -> tuple[str, str]:
    """A strptime format as that of the day and that of the time of day, with what is before it."""
    clock = _CLOCK.search(form)
    return (form[: clock.start()], clock[0]) if clock else (form, "")
