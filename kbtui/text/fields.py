"""``Key: value`` headers: front matter, RFC 822 blocks, reStructuredText field lists, bulleted and bold keys, and the
``key:: value`` of outliners.

Both the sentences of a document and its loader need them, with the lines that state each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from kbtui.text.language import CJK
from kbtui.text.word_lists import toml_in


class Field(Struct, frozen=True, kw_only=True):
    """One ``key: value``; ``start`` and ``end`` are indexes into the lines, both inclusive."""

    key: str
    value: str
    start: int
    end: int


class FieldBlock(Struct, frozen=True, kw_only=True):
    """Adjacent fields; ``start`` and ``end`` include the fences of front matter."""

    fields: tuple[Field, ...]
    start: int
    end: int


_WORD = f"[\\w{CJK}]"
_KEY = f"{_WORD}[\\w .()/&+'’-]{{0,38}}"
_FIELD = re.compile(
    r"(?P<indent>\s{0,3})(?P<bullet>[-*+]\s+)?(?:"
    rf":(?P<rst>{_KEY}):(?:\s+|$)"
    rf"|(?P<mark>\*\*|__)(?P<bold>{_KEY}?)\s?(?:[:：](?P=mark)|(?P=mark)\s?[:：])\s*"
    rf"|(?P<plain>{_KEY}?)\s?(?:::\s+(?=\S)|:(?:\s+|$)|：\s*)"
    r")(?P<value>.*)"
)
_OUTLINED = re.compile(rf"(?P<plain>{_KEY}?)::(?P<value>[^\s:].*)")
"""``key::value`` without a space, which further down would as well be a name in code."""
_MAX_WORDS = 4
_ALONE = frozenset(toml_in(__package__, "fields.toml")["alone"].split())
_TOP_KEY = re.compile(rf"(?P<key>{_WORD}[\w .-]{{0,60}}?)\s*[:=](?:\s+|$)(?P<value>.*)")
_BULLET = re.compile(r"\s*[-*+]\s+")
_MAX_FRONT_MATTER = 400


def front_matter(lines: Sequence[str]) -> FieldBlock | None:
    """YAML (``---``) or TOML (``+++``) front matter at the very top, values as written; None when there is none."""
    if not lines or lines[0].rstrip() not in ("---", "+++"):
        return None
    fence = lines[0].rstrip()
    closing = (fence, "...") if fence == "---" else (fence,)
    end = next((i for i in range(1, min(len(lines), _MAX_FRONT_MATTER)) if lines[i].rstrip() in closing), None)
    if end is None:
        return None
    fields: list[Field] = []
    for index in range(1, end):
        line = lines[index]
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _TOP_KEY.match(line)
        if match:
            fields.append(Field(key=match["key"], value=_unquoted(match["value"]), start=index, end=index))
        elif fields:
            fields[-1] = _continued(fields[-1], line, index)
        else:
            return None
    return FieldBlock(fields=tuple(fields), start=0, end=end) if fields else None


def header_block(lines: Sequence[str], start: int) -> FieldBlock | None:
    """The header fields that begin on the line ``start``; None when that is no header.

    A header is a block of at least two fields and nothing else, one field under a usual name, or at least three fields
    before other text.
    """
    fields: list[Field] = []
    other = False
    base = 0
    index = start
    while index < len(lines) and lines[index].strip():
        line = lines[index]
        indent = len(line) - len(line.lstrip())
        match = _FIELD.fullmatch(line) or (_OUTLINED.fullmatch(line) if start == 0 else None)
        if match and (not fields or indent <= base) and len(_key(match).split()) <= _MAX_WORDS:
            if not fields:
                base = indent
            fields.append(Field(key=_key(match), value=_unquoted(match["value"]), start=index, end=index))
        elif fields and indent > base:
            fields[-1] = _continued(fields[-1], line, index)
        else:
            other = True
            break
        index += 1
    enough = len(fields) >= 3 or (
        not other and (len(fields) == 2 or (len(fields) == 1 and fields[0].key.lower() in _ALONE))
    )
    return FieldBlock(fields=tuple(fields), start=start, end=fields[-1].end) if enough else None


def _key(match: re.Match[str]) -> str:
    return next(filter(None, map(match.groupdict().get, ("rst", "bold", "plain"))), "").strip()


def _continued(field: Field, line: str, index: int) -> Field:
    more = _unquoted(_BULLET.sub("", line, count=1) if _BULLET.match(line) else line)
    joint = ", " if _BULLET.match(line) else " "
    value = f"{field.value}{joint}{more}" if field.value and more else field.value or more
    return Field(key=field.key, value=value, start=field.start, end=index)


def _unquoted(value: str) -> str:
    value = value.strip()
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
