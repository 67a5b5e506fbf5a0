"""Packages of somebody else that are installed for a test: modules with the metadata of entry points."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from kbtui.knowledge.reading.folder_worker import POOL
from kbtui.text.file_formats import plugin_formats


def write_package(site: Path, name: str, code: str, groups: Mapping[str, Mapping[str, str]]) -> None:
    """Write a module and its metadata into a folder, as an installer does.

    Args:
        groups: The entry points: values by name, by group.
    """
    site.mkdir(parents=True, exist_ok=True)
    (site / f"{name}.py").write_text(code, "utf-8")
    metadata = site / f"{name}-1.2.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n", "utf-8")
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in rows.items()) for group, rows in groups.items()
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines), "utf-8")


@contextmanager
def installed(site: Path) -> Iterator[None]:
    """The packages in ``site`` are there for this process and for the workers that it starts."""
    modules = set(sys.modules)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(site))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH", "")))))
        POOL.close()
        plugin_formats.cache_clear()
        try:
            yield
        finally:
            POOL.close()
            plugin_formats.cache_clear()
            for name in set(sys.modules) - modules:
                if (
                    getattr(sys.modules[name], "__file__", None)
                    and Path(str(sys.modules[name].__file__)).parent == site
                ):
                    del sys.modules[name]
