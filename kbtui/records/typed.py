"""Infers the type of a field (date, year, number, version, text) from its values, and parses them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from kbtui.text.days import day_of

ValueType = Literal["date", "year", "number", "version", "text"]

_MIN_SHARE: Final = 0.85
"""Share of the values that must have a type."""
_MIN_VERSION_SHARE: Final = 0.5
"""The same share for a field named *version*, some of whose values may be words (*historical*)."""
_SAMPLE_SIZE: Final = 400

_FIGURE = re.compile(
    r"[~≈]?\s*(?P<currency>[£$€¥￥]\s?)?(?P<value>[-+−]?\d{1,3}(?:[ ,]\d{3})+(?:\.\d+)?|[-+−]?\d+(?:\.\d+)?)"
    r"\s*(?P<unit>[^\d\s.,:/-][^\d]{0,11})?$"
)
_PERSON_FIELD: Final = re.compile(r"(?:er|or|ee|ant|lord|lead|by|contact|chair)s?$|[人者员]$")
_NAME: Final = re.compile(r"[A-Z][^\W\d_]+\.?(?:[ '’-](?:and )?[A-Z][^\W\d_]*\.?){0,3}|[\u4e00-\u9fff]{2,4}")
_FULL_NAME: Final = re.compile(r"[A-Z][a-zà-ÿ.'’-]+(?: (?:and )?[A-ZÀ-Ý][a-zà-ÿ.'’-]+){1,3}")
_VERSION = re.compile(
    r"[vV]?\.?\s?(?P<numbers>\d+(?:\.\d+)*)(?:[-._ ]?(?P<stage>[A-Za-z]+)[-._ ]?(?P<of>\d*))?(?:\.x)?"
)
_YEAR: Final = re.compile(r"(?:1[89]|20)\d\d")
_STAGES: Final = {
    -4: ("dev",),
    -3: ("a", "alpha"),
    -2: ("b", "beta"),
    -1: ("c", "rc", "pre", "preview"),
}


def figure_of(text: str) -> float | None:
    """The number of a value without its unit: 39 for ``39 m``, 875 for ``£875 per month``.

    None for versions, codes and prose.
    """
    match = _FIGURE.fullmatch(text.strip())
    if match is None or (text.strip().startswith("0") and text.strip().isdigit() and len(text.strip()) > 1):
        return None
    return float(re.sub(r"[ ,]", "", match["value"]).replace("−", "-"))


def unit_of(values: Iterable[str]) -> str:
    """The unit of all numbers; empty if there is none or more than one."""
    matches = (match for value in values if (match := _FIGURE.fullmatch(value.strip())))
    units = {" ".join(filter(None, (match["currency"], match["unit"]))).strip() for match in matches}
    return next(iter(units)) if len(units) == 1 else ""


def are_persons(field: str, values: Sequence[str]) -> bool:
    """Whether a field states persons, by its name (*inspector*, *managed-by*, 维修人) or by the form of its values."""
    named = _PERSON_FIELD.search(field) is not None
    pattern = _NAME if named else _FULL_NAME
    return 2 * sum(pattern.fullmatch(value.strip()) is not None for value in values) > len(values)


def type_of(values: Sequence[str], *, versions: bool = False) -> ValueType:
    """The type of a field, inferred from a sample of its values.

    Args:
        values: Values as written in the documents, with repetitions.
        versions: The name of the field says version, so its numbers are versions.
    """
    sample = values[:: max(1, len(values) // _SAMPLE_SIZE)]
    least = _MIN_SHARE * len(sample)
    if sample and sum(day_of(value) is not None for value in sample) >= least:
        return "date"
    if sample and sum(_YEAR.fullmatch(value.strip()) is not None for value in sample) >= least:
        return "year"
    if versions:
        least = _MIN_VERSION_SHARE * len(sample)
    elif sample and sum(figure_of(value) is not None for value in sample) >= least and _are_numbers(sample):
        return "number"
    if sample and sum(_VERSION.fullmatch(value.strip()) is not None for value in sample) >= least:
        return "version"
    return "text"


def version_key(text: str) -> tuple[tuple[int, ...], tuple[int, int]]:
    """Sort key of a version: its numbers without trailing zeros, then rank and number of its stage.

    ``1.10`` is above ``1.9``, ``2.0`` is ``2``, and ``1.2rc1`` is below ``1.2``.
    """
    match = _VERSION.match(text.strip())
    if match is None:
        return (), (0, 0)
    numbers = [int(part) for part in match["numbers"].split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    stage = (match["stage"] or "").lower()
    rank = next((rank for rank, names in _STAGES.items() if stage in names), 0)
    return tuple(numbers), (rank, int(match["of"] or 0))


def compare_versions(one: str, other: str) -> int:
    """Compare two versions: -1, 0 or 1, as an SQLite collation needs it."""
    first_key, second_key = version_key(one), version_key(other)
    return (first_key > second_key) - (first_key < second_key)


def _are_numbers(values: Sequence[str]) -> bool:
    """Whether values are numbers; two versions may differ in a final zero only (``3.1``, ``3.10``)."""
    texts = {value.strip() for value in values}
    return len({figure_of(text) for text in texts}) == len(texts)
