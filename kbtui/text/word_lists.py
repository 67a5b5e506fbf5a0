"""Tables beside the code that reads them: TOML, or a line a row, tabs between its parts, ``#`` before comments."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any


def toml_in(package: str, name: str) -> dict[str, Any]:
    """The TOML file ``name`` of a package, parsed anew at each call: callers keep what they make of it."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))


def rows_in(package: str, name: str) -> list[list[str]]:
    """The rows of the file ``name`` of a package."""
    return rows_of(files(package).joinpath(name).read_text(encoding="utf-8"))


def rows_of(text: str) -> list[list[str]]:
    """The rows of a text; empty lines and comments are none."""
    return [line.split("\t") for line in text.split("\n") if line.strip() and not line.startswith("#")]
