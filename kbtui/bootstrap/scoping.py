"""Conditions of a question (``@kind:ticket``, ``@status:open``, ``@after:2025``) on the documents of a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kbtui.records.filtering import field_name
from kbtui.records.scoping import FileScopes, similar_fields
from kbtui.text.language import has_cjk
from kbtui.text.mentions import DATES, KIND, Named
from kbtui.text.terminal import one_line

_MAX_LISTED: Final = 12
"""Most names or values that a message lists, and most years that are offered for a date."""
_MAX_FIELDS: Final = 30
"""Most fields whose values are offered."""


class Keys:
    """What a condition may be on: ``kind``, a date, a field of the folder, or a misspelling of a field."""

    def __init__(self, scopes: FileScopes) -> None:
        self._scopes = scopes

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and (
            key in (KIND, *DATES) or self._scopes.has_field(key) or bool(similar_fields(key, self._scopes.fields))
        )


def offered_conditions(scopes: FileScopes) -> Iterator[Named]:
    """The conditions to choose from: every kind, the years of the documents, the fields with few values."""
    yield from (Named(f"{KIND}:{kind}", "kind") for kind in scopes.kinds)
    yield from (Named(f"{bound}:{year}", "date") for bound in DATES for year in scopes.years[:_MAX_LISTED])
    for field in scopes.fields[:_MAX_FIELDS]:
        yield from (Named(f"{field}:{value}", "field") for value in scopes.values(field))


def nothing_left(scopes: FileScopes, matches: Sequence[tuple[str, frozenset[str]]], query: str) -> str:
    """Says that no file meets all conditions, how many meet each, and which values the fields have."""
    is_chinese = has_cjk(query)
    lines = [
        "没有文档同时满足全部条件，因此没有搜索任何内容。" if is_chinese
        else "No document meets every condition, so nothing was searched."
    ]  # fmt: skip
    for words, paths in matches:
        counted = f"{len(paths)} 个文件" if is_chinese else f"{len(paths)} {'file' if len(paths) == 1 else 'files'}"
        values = scopes.values(field_name(words.partition(":")[0])) if not paths else ()
        listed = ", ".join(one_line(value, 40) for value in values[:_MAX_LISTED])
        values_text = (f"；已有的值：{listed}" if is_chinese else f"; the values are {listed}") if listed else ""
        lines.append(f"- `{words}`: {counted}{values_text}")
    return "\n".join((lines[0], "", *lines[1:]))
