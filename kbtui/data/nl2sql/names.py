"""Words of names: ``customer_first_name``, ``BedType`` and ``stuid`` say what a question says in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from kbtui.text.inflection import lemma

_PARTS: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[\u3400-\u9fff]+")
_SHORT: Final[dict[str, tuple[str, ...]]] = {
    "fname": ("first", "name"), "lname": ("last", "name"), "firstname": ("first", "name"),
    "lastname": ("last", "name"), "surname": ("last", "name"), "forename": ("first", "name"),
    "addr": ("address",), "num": ("number",), "no": ("number",), "nr": ("number",), "qty": ("quantity",),
    "amt": ("amount",), "desc": ("description",), "dept": ("department",), "emp": ("employee",), "cust": ("customer",),
    "stu": ("student",), "avg": ("average",), "min": ("minimum",), "max": ("maximum",), "pct": ("percentage",),
    "dob": ("birth", "date"), "tel": ("phone",), "acc": ("account",), "acct": ("account",), "prof": ("professor",),
    "bal": ("balance",), "cnt": ("count",), "descr": ("description",), "mgr": ("manager",), "org": ("organization",),
    "prod": ("product",), "cat": ("category",), "yr": ("year",), "pos": ("position",), "lat": ("latitude",),
    "lng": ("longitude",), "inst": ("institution",), "univ": ("university",), "lang": ("language",),
    "loc": ("location",), "enr": ("enrollment",), "hs": ("hour",), "crs": ("course",), "fac": ("faculty",),
    "img": ("image",), "msg": ("message",), "temp": ("temperature",), "dest": ("destination",), "src": ("source",),
    "auth": ("author",), "perc": ("percentage",), "ssn": ("social", "security", "number"), "hq": ("headquarter",),
    "proc": ("procedure",), "med": ("medication",), "dist": ("distance",), "desig": ("designation",),
    "ref": ("reference",), "info": ("information",), "sem": ("semester",), "sec": ("section",), "bldg": ("building",),
}  # fmt: skip
_TAILS: Final = (
    "id",
    "name",
    "code",
    "type",
    "date",
    "number",
    "price",
    "time",
    "year",
    "no",
    "num",
    "desc",
    "details",
)
_WHOLE: Final = frozenset(
    (
        "paid",
        "said",
        "aid",
        "bid",
        "grid",
        "hybrid",
        "solid",
        "valid",
        "void",
        "avoid",
        "rapid",
        "liquid",
        "fluid",
        "acid",
        "kid",
        "squid",
        "asteroid",
        "update",
        "runtime",
        "casino",
        "piano",
        "domino",
        "vino",
        "latino",
        "candid",
        "filename",
        "username",
        "surname",
        "forename",
        "firstname",
        "lastname",
        "overtime",
        "lifetime",
        "nickname",
        "rename",
        "euclid",
        "druid",
        "david",
        "covid",
        "humid",
        "raid",
        "maid",
        "braid",
        "druid",
    )
)


@lru_cache(maxsize=20_000)
def name_words(name: str) -> tuple[str, ...]:
    """Lemmas of a name: split where cases, digits and separators change, well-known short forms written out."""
    whole = re.sub(r"[_\W]", "", name).lower()
    if whole in _SHORT and len(whole) > 3:
        return _SHORT[whole]
    found: list[str] = []
    for part in _PARTS.findall(name):
        word = part.lower()
        if word in _SHORT:
            found.extend(_SHORT[word])
            continue
        found.extend(_unglued(word))
    return tuple(found)


def _unglued(word: str) -> tuple[str, ...]:
    """``stuid`` is ``stu`` + ``id``: a common tail glued to something short."""
    if word in _WHOLE or lemma(word) in _TAILS:
        return (lemma(word),)
    for tail in _TAILS:
        head = word[: -len(tail)]
        if (
            word.endswith(tail)
            and 0 < len(head) <= (9 if tail in ("id", "name", "code", "type") else 4)
            and len(head + tail) > 4
        ):
            return (*_SHORT.get(head, (lemma(head),)), *_SHORT.get(tail, (tail,)))
    return (lemma(word),)


def prefixed(name: str, table: Sequence[str]) -> tuple[str, ...]:
    """Words of a name made of the first letters of its table and a tail: ``flno`` of flights, ``eid`` of employees."""
    whole, owner = name.lower(), "".join(table)
    for tail in _TAILS:
        head = whole[: -len(tail)]
        if (
            head
            and whole.endswith(tail)
            and whole != tail
            and owner.startswith(head)
            and (len(head) > 1 or tail == "id")
        ):
            return (*table, *_SHORT.get(tail, (lemma(tail),)))
    return ()


def shortens(short: str, word: str) -> bool:
    """``dept`` stands for ``department``: same first letter, the letters in order, clearly shorter."""
    if short == word or not short or not word or short[0] != word[0] or len(short) > len(word) - 2:
        return False
    if word.startswith(short):
        return len(short) >= 3
    rest = iter(word)
    return len(short) >= 3 and all(letter in rest for letter in short) and not set(short[1:]) & set("aeiou")
