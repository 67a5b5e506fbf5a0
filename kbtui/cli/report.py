"""Writes a bug report: versions, checks, changed settings and the last warnings, without private data.

Keys and passwords are masked, the home folder is written as ``~``, and the names of the user and the machine are
removed. The report contains no questions, answers or documents.
"""

from __future__ import annotations

import os
import platform
import re
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from kbtui import __version__
from kbtui.domain.health import Check
from kbtui.errors import KbtuiError
from kbtui.regular_files import open_regular
from kbtui.settings.secrets import mask_value, redact
from kbtui.text.terminal import one_line
from kbtui.view.sharing import home_replacer

_PACKAGES: Final = ("textual", "rich", "click", "lancedb", "onnxruntime", "langgraph", "langchain", "duckdb", "mcp")
_VARIABLES: Final = ("TERM", "TERM_PROGRAM", "COLORTERM", "LANG", "LC_ALL", "TMUX", "SSH_CONNECTION", "NO_COLOR")
_PRESENT_ONLY: Final = ("TMUX", "SSH_CONNECTION")
"""Variables of which only the presence is reported, because their values are private."""
_MAX_WARNINGS: Final = 20
_TAIL_BYTES: Final = 256_000
_WARNING: Final = re.compile(r"\d{4}-\d\d-\d\d [\d:,]+ \d+ (?:WARNING|ERROR|CRITICAL) ")
_MAX_LINE_CHARS: Final = 300


def report(kb: Path, checks: Iterable[Check]) -> str:
    """The report as Markdown, to be pasted into an issue."""
    anonymise = _anonymiser(Path.home())
    lines = [
        "### kbtui",
        "",
        f"- kbtui {__version__}, Python {platform.python_version()} ({platform.python_implementation()})",
        f"- {platform.system()} {platform.release()}, {platform.machine()}, {os.cpu_count()} cores",
        f"- packages: {', '.join(_versions())}",
        f"- terminal: {', '.join(_terminal()) or 'nothing said'}",
        "",
        "### Checks",
        "",
        *(f"- {check.status}: {check.name}: {one_line(check.detail, _MAX_LINE_CHARS)}" for check in checks),
        "",
        "### Settings that are not the default",
        "",
        *(list(_settings(kb)) or ["- none"]),
        "",
        "### Last warnings in the log",
        "",
        "```text",
        *(_warnings() or ["none"]),
        "```",
    ]
    return anonymise("\n".join(lines)) + "\n"


def _anonymiser(home: Path) -> Callable[[str], str]:
    """A function that masks secrets, and names of the user and the machine."""
    names = {socket.gethostname(), home.name} - {"", "localhost", "root", "home"}
    private = re.compile("|".join(rf"(?<![\w.-]){re.escape(name)}(?![\w-])" for name in sorted(names)) or r"(?!)")
    tilde = home_replacer(home)
    return lambda text: private.sub("…", tilde(redact(text)))


def _versions() -> Iterator[str]:
    for name in _PACKAGES:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            continue


def _terminal() -> Iterator[str]:
    for name in _VARIABLES:
        if value := os.environ.get(name):
            yield f"{name} is set" if name in _PRESENT_ONLY else f"{name}={one_line(value, 60)}"


def _settings(kb: Path) -> Iterator[str]:
    from kbtui.settings.load import load_settings
    from kbtui.settings.reference import all_settings, toml_value

    try:
        loaded = load_settings(kb)
    except KbtuiError as error:
        yield f"- {one_line(error.message, _MAX_LINE_CHARS)}"
        return
    for key in all_settings():
        if loaded.origins[key].kind != "default":
            value = loaded.settings
            for part in key.split("."):
                value = getattr(value, part)
            printed_value = one_line(toml_value(mask_value(key, value)), _MAX_LINE_CHARS)
            yield f"- `{key}` = `{printed_value}` ({loaded.origins[key].kind})"


def _warnings() -> list[str]:
    from kbtui.cli.logs import log_file

    try:
        with open_regular(log_file()) as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - _TAIL_BYTES))
            lines = stream.read(_TAIL_BYTES).decode("utf-8", "replace").split("\n")
    except OSError:
        return []
    warnings = (one_line(line, _MAX_LINE_CHARS).replace("```", "'''") for line in lines if _WARNING.match(line))
    return list(deque(warnings, maxlen=_MAX_WARNINGS))
