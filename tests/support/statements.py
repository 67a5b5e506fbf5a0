"""Statements kept in text files, one a line, for the guard: attacks by dialect, and what must pass."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_ESCAPE = re.compile(r"\\(?:u\{([0-9a-f]+)\}|([nt\\]))")
_SIMPLE = {"n": "\n", "t": "\t", "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Statement:
    """``tries`` is what an attack tries; ``sql`` may hold ``{file}``, a path that must stay as it is."""

    tries: str
    sql: str

    def at(self, file: Path) -> str:
        return self.sql.replace("{file}", str(file))


def statements(path: Path) -> list[Statement]:
    """The statements of a file; lines with # in front are comments."""
    found = []
    for line in path.read_text("utf-8").split("\n"):
        if line and not line.startswith("#"):
            tries, _, sql = line.partition(":")
            found.append(Statement(tries, _ESCAPE.sub(_written, sql.removeprefix(" "))))
    return found


def _written(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else _SIMPLE[match[2]]
