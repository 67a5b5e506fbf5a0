"""Settings from environment variables: ``KBTUI_SECTION__KEY`` and the two names the specifications fix."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any

from kbtui.settings.reference import AGENT_VARIABLES, OTHER_VARIABLES, Setting

PREFIX = "KBTUI_"
MAX_NAME_CHARS = 100
"""Of an unknown name, as it is compared and shown."""


def from_environment(
    environ: Mapping[str, str], known: Mapping[str, Setting]
) -> tuple[dict[str, tuple[Any, str]], list[str]]:
    """What the environment sets; empty variables count as not set.

    Returns:
        Key to value and the name of the variable; and a warning for each variable that begins with ``KBTUI_`` and
        names no setting. It is no error: variables outlive the version, and the script, that they were set for.
    """
    keys = {setting.variable: key for key, setting in known.items()}
    named: dict[str, str] = {}
    warnings: list[str] = []
    for name in sorted(environ):
        canonical = name.upper()
        if not environ[name] or not canonical.startswith(PREFIX) or canonical in OTHER_VARIABLES:
            continue
        if canonical in keys:
            named[canonical] = name
        else:
            warnings.append(_unknown(name, [*keys, *OTHER_VARIABLES]))
    found: dict[str, tuple[Any, str]] = {
        key: (environ[name], name) for name, key in AGENT_VARIABLES.items() if environ.get(name)
    }
    for canonical, name in named.items():
        found[keys[canonical]] = (_decoded(known[keys[canonical]], environ[name]), name)
    return found, warnings


def _decoded(setting: Setting, text: str) -> Any:
    """The value of a variable: of a list or table its JSON, or one text; else the text, as `Settings` takes it."""
    if setting.kind not in ("texts", "table"):
        return text
    try:
        decoded = json.loads(text)
    except (ValueError, RecursionError):
        return [text]
    return decoded if isinstance(decoded, list | dict) else [text]


def _unknown(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name.upper()[:MAX_NAME_CHARS], names, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]}?" if near else "`kbtui config show` lists every setting."
    return f"The environment variable {name[:MAX_NAME_CHARS]} sets nothing that kbtui knows. {hint}"
