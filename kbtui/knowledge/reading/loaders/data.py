"""Loaders of CSV, JSON, YAML and TOML, which read line by line.

Only outer keys with their lines are needed, and parsers of the standard library do not give line numbers. Reading by
lines can neither recurse, nor expand aliases, nor fail on an incomplete file.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from kbtui.domain.document import HeaderField, Heading
from kbtui.knowledge.reading.loaders.base import Loader, Parsed, by_suffix, field_value
from kbtui.text.tables import delimiter_of

_MAX_KEYS = 2_000
_MAX_LINE_CHARS = 2_000
_MAX_VALUE_CHARS = 300

_JSON_KEY = re.compile(r'(\s*)"((?:[^"\\]|\\.){1,200})"\s*:\s*(.*?),?\s*$')
_YAML_KEY = re.compile(
    r"""(\s*)(?:- )?("[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s#:{}\[\],&*!|>%@`"'-][^:#\n]{0,199}?)\s*:(?:\s+(.*))?$"""
)
_TOML_TABLE = re.compile(r"\s*\[\[?\s*([^\[\]]{1,200}?)\s*\]\]?\s*(?:#.*)?$")
_TOML_KEY = re.compile(r"""\s*("[^"\n]{1,200}"|'[^'\n]{1,200}'|[\w.-]{1,200})\s*=\s*(.*)$""")


def _parse_csv(text: str, path: str) -> Parsed:
    """The header row is the only heading, since it applies to every row below."""
    first, _, _ = text.partition("\n")
    columns = [column.strip() for column in next(csv.reader([first[:20_000]], delimiter=delimiter_of(first, path)), [])]
    names = ", ".join(column for column in columns if column)
    # A row with a number is data, not the names of columns.
    if not names or any(_is_number(column) for column in columns):
        return Parsed()
    return Parsed(
        headings=(Heading(level=1, text=names[:500], line=1),),
        fields=(HeaderField(key="columns", value=names, start_line=1, end_line=1),),
    )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _parse_json(text: str, path: str) -> Parsed:
    if path.lower().endswith((".jsonl", ".ndjson")):
        return Parsed()
    return _parsed_keys(_json_keys(text))


def _json_keys(text: str) -> Iterator[tuple[int, int, str, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) <= _MAX_LINE_CHARS and (match := _JSON_KEY.match(line)):
            value = match[3].strip()
            if value[:1] in ("{", "["):
                value = "" if value in ("{", "[") else value
            else:
                value = value.strip('"')
            yield number, len(match[1].expandtabs(4)), match[2], value


def _parse_yaml(text: str, _path: str) -> Parsed:
    return _parsed_keys(_yaml_keys(text))


def _yaml_keys(text: str) -> Iterator[tuple[int, int, str, str]]:
    block: int | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or len(line) > _MAX_LINE_CHARS:
            continue
        indent = len(line) - len(line.lstrip(" "))
        if block is not None:
            if indent > block:
                continue
            block = None
        if match := _YAML_KEY.match(line):
            value = (match[3] or "").strip()
            # Lines after | or > are text, even if they look like keys.
            if re.match(r"[|>][+-]?\d?\s*(?:#.*)?$", value):
                block, value = indent, ""
            yield number, indent, match[2].strip("\"'"), value.strip("\"'")


def _parsed_keys(keys: Iterator[tuple[int, int, str, str]]) -> Parsed:
    """Keys of the two outermost levels: keys with nested values are headings, other outermost keys are fields."""
    headings: list[Heading] = []
    fields: list[HeaderField] = []
    outer: int | None = None
    inner: int | None = None
    for number, indent, key, value in keys:
        if outer is None:
            outer = indent
        if indent <= outer:
            inner = None
            level = 1
        elif inner is None or indent == inner:
            inner = indent
            level = 2
        else:
            continue
        if len(headings) + len(fields) >= _MAX_KEYS:
            break
        if not value:
            headings.append(Heading(level=level, text=key, line=number))
        elif level == 1:
            fields.append(HeaderField(key=key, value=value[:_MAX_VALUE_CHARS], start_line=number, end_line=number))
    header_fields = tuple(fields)
    return Parsed(title=field_value(header_fields, "title", "name"), headings=tuple(headings), fields=header_fields)


def parse_toml(text: str, _path: str) -> Parsed:
    """The tables of a TOML file as headings, the keys above them as fields; files of INI have the same form."""
    headings: list[Heading] = []
    fields: list[HeaderField] = []
    names: list[HeaderField] = []
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _MAX_LINE_CHARS or len(headings) + len(fields) >= _MAX_KEYS:
            continue
        if table := _TOML_TABLE.match(line):
            headings.append(Heading(level=1, text=table[1], line=number))
        elif pair := _TOML_KEY.match(line):
            key, value = pair[1].strip("\"'"), pair[2].strip().strip("\"'")
            field = HeaderField(key=key, value=value[:_MAX_VALUE_CHARS], start_line=number, end_line=number)
            if not headings:
                fields.append(field)
            elif len(headings) == 1:
                names.append(field)
    title = field_value(tuple(fields), "title", "name") or field_value(tuple(names), "name", "title")
    return Parsed(title=title, headings=tuple(headings), fields=tuple(fields))


CSV = Loader(kind="csv", matches=by_suffix(".csv", ".tsv", ".tab"), parse=_parse_csv)
JSON = Loader(
    kind="json",
    matches=by_suffix(".json", ".jsonl", ".ndjson", ".json5", ".jsonc", ".geojson", ".webmanifest"),
    parse=_parse_json,
)
YAML = Loader(kind="yaml", matches=by_suffix(".yaml", ".yml"), parse=_parse_yaml)
TOML = Loader(kind="toml", matches=by_suffix(".toml", "poetry.lock", "cargo.lock", "uv.lock"), parse=parse_toml)
