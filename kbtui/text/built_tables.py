"""Tables that ``benchmarks/make_tables.py`` makes of the package's word files and keeps as package data.

A file is lines of UTF-8, ``key TAB value as JSON``, sorted by key. Lines are found by binary search and values parsed
when they are asked for, because a question needs few of them. The word files themselves are not read.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

import msgspec

from kbtui.text.word_lists import bytes_in

Value = TypeVar("Value")
_TAB: Final = b"\t"
WHOLE: Final = "file"
"""Key of what a TOML file holds."""


class Section(Mapping[str, Value]):
    """Entries of a table whose keys begin with a prefix, by the rest of their keys.

    Args:
        lines: Of the whole table, sorted.
        value: The type of a value.
    """

    def __init__(self, lines: Sequence[bytes], prefix: str, value: type[Value]) -> None:
        self._lines = lines
        self._prefix = prefix.encode()
        self._decoder = msgspec.json.Decoder(value)
        self._made: dict[str, Value | None] = {}

    def __getitem__(self, key: str) -> Value:
        value: Value | None = self.get(key)
        if value is None:
            raise KeyError(key)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        if key not in self._made:
            line = self._line(key)
            self._made[key] = None if line is None else self._decoder.decode(line.partition(_TAB)[2])
        value = self._made[key]
        return default if value is None else value

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and (self._made.get(key) is not None or self._line(key) is not None)

    def __iter__(self) -> Iterator[str]:
        for number in range(bisect_left(self._lines, self._prefix), len(self._lines)):
            if not self._lines[number].startswith(self._prefix):
                return
            yield self._lines[number].partition(_TAB)[0][len(self._prefix) :].decode()

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _line(self, key: str) -> bytes | None:
        start = self._prefix + key.encode("utf-8", "surrogatepass") + _TAB
        at = bisect_left(self._lines, start)
        return self._lines[at] if at < len(self._lines) and self._lines[at].startswith(start) else None


def built_table(package: str, name: str) -> list[bytes]:
    """The lines of a table of a package, for `Section`."""
    return bytes_in(package, name).split(b"\n")


def toml_file_of(name: str) -> str:
    """The table of a whole TOML file."""
    return f"{name.removesuffix('.toml')}.table"


def built_toml(package: str, name: str) -> dict[str, Any]:
    """A TOML file of what a screen needs before its first frame, by its table: to parse it takes ten times as long."""
    return Section(built_table(package, toml_file_of(name)), "", dict[str, Any])[WHOLE]
