"""The entry points of installed packages for one of kbtui's groups.

``importlib.metadata`` reads the metadata of every installed package, which takes longer than kbtui may to start. Here
only their ``entry_points.txt`` is searched for the names of the groups. Nothing of a package is imported before `load`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import Any, Final, NamedTuple

_GROUP: Final = b"[kbtui."
_MAX_BYTES: Final = 1 << 20
_ENTRY: Final = r"([^=#]+?)\s*=\s*([\w.]+)\s*(?::\s*([\w.]+))?\s*(?:\[[^\]]*\])?$"


class EntryPoint(NamedTuple):
    """One entry point.

    Attributes:
        package: Name and version of the package that has it: ``kbtui_todos-0.1.0``.
        module: Module of its value.
        attribute: Dotted attribute of that module; empty where the value is the module.
    """

    package: str
    group: str
    name: str
    module: str
    attribute: str = ""

    def load(self) -> Any:
        """Import its module and return its value, by code of a third party.

        Raises:
            Exception: Whatever that code raises.
        """
        value: Any = import_module(self.module)
        for name in filter(None, self.attribute.split(".")):
            value = getattr(value, name)
        return value


def entry_points(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, in the order of ``sys.path`` and of their files."""
    return tuple(entry for entry in _all_entry_points(tuple(sys.path)) if entry.group == group)


@cache
def _all_entry_points(path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    packages: set[str] = set()
    entries: list[EntryPoint] = []
    for folder in path:
        for place, package in _packages(folder):
            name = package.partition("-")[0].lower().replace(".", "_")
            if name in packages:
                continue  # the same package further back in the path is hidden by this one
            packages.add(name)
            entries += _entries(place, package)
    return tuple(entries)


def _packages(folder: str) -> Iterator[tuple[str, str]]:
    """Folder of the metadata, and name with version, of each package in a folder of ``sys.path``."""
    with suppress(OSError):
        for entry in sorted(os.scandir(folder or "."), key=lambda entry: entry.name):
            if entry.name.endswith((".dist-info", ".egg-info")):
                yield entry.path, entry.name.rpartition(".")[0]


def _entries(place: str, package: str) -> Iterator[EntryPoint]:
    try:
        descriptor = os.open(f"{place}/entry_points.txt", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return
    try:
        data = os.read(descriptor, _MAX_BYTES)
    except OSError:
        return
    finally:
        os.close(descriptor)
    if _GROUP not in data:
        return
    group = ""
    for line in data.decode("utf-8", "replace").split("\n"):
        if (text := line.strip()).startswith("["):
            group = text.strip("[] \t")
        elif group.startswith("kbtui.") and (match := re.match(_ENTRY, text)):
            yield EntryPoint(package, group, match[1], match[2], match[3] or "")
