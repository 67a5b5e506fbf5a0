"""Tables beside the code that reads them: TOML, or a line a row, tabs between its parts, ``#`` before comments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any


def text_in(package: str, name: str) -> str:
    """The file ``name`` of a package."""
    return bytes_in(package, name).decode("utf-8")


def bytes_in(package: str, name: str) -> bytes:
    """The file ``name`` of a package.

    ``importlib.resources`` reads it in the same way, but is loaded with clients of archives, for 2 ms of each start.

    Raises:
        OSError: There is none.
    """
    spec: Any = import_module(package).__spec__
    data: bytes = spec.loader.get_data(str(Path(spec.origin).parent / name))
    return data


def toml_in(package: str, name: str) -> dict[str, Any]:
    """The TOML file ``name`` of a package, parsed anew at each call: callers keep what they make of it."""
    import tomllib

    return tomllib.loads(text_in(package, name))


toml_once = cache(toml_in)
"""As `toml_in`, but parsed once: for tables that are read where they lie."""


def filled(pattern: str, blanks: Mapping[str, str]) -> str:
    """A regular expression of such a file, with its ``<BLANKS>`` filled in and what was broken into lines joined."""
    return re.sub(r"\n *", "", re.sub(r"<([A-Z_]+)>", lambda blank: blanks[blank[1]], pattern))


def rows_in(package: str, name: str) -> list[list[str]]:
    """The rows of the file ``name`` of a package."""
    return rows_of(text_in(package, name))


def rows_of(text: str) -> list[list[str]]:
    """The rows of a text; empty lines and comments are none."""
    return [line.split("\t") for line in text.split("\n") if line.strip() and not line.startswith("#")]
