"""Settings from environment variables: ``KBTUI_SECTION__KEY`` and the two names the specifications fix."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from kbtui.settings.reference import AGENT_VARIABLES, OTHER_VARIABLES, Setting

PREFIX = "KBTUI_"
MAX_NAME_CHARS = 100
"""Characters of an unknown name that are compared and printed."""


def from_environment(
    environ: Mapping[str, str], settings: Mapping[str, Setting]
) -> tuple[dict[str, tuple[Any, str]], list[str]]:
    """The settings that the environment sets; empty variables count as not set.

    Returns:
        The value and the variable of each key, and a warning for each variable with the prefix ``KBTUI_`` that is no
        setting. That is no error, because variables outlive the version and the script that they were set for.
    """
    keys = {setting.variable: key for key, setting in settings.items()}
    variables: dict[str, str] = {}
    warnings: list[str] = []
    for name in sorted(environ):
        canonical = name.upper()
        if not environ[name] or not canonical.startswith(PREFIX) or canonical in OTHER_VARIABLES:
            continue
        if canonical in keys:
            variables[canonical] = name
        else:
            warnings.append(_unknown_variable_warning(name, [*keys, *OTHER_VARIABLES]))
    values: dict[str, tuple[Any, str]] = {
        key: (environ[name], name) for name, key in AGENT_VARIABLES.items() if environ.get(name)
    }
    for canonical, name in variables.items():
        values[keys[canonical]] = (_decode(settings[keys[canonical]], environ[name]), name)
    return values, warnings


def _decode(setting: Setting, text: str) -> Any:
    """The value of a variable: for a list or table its JSON, or a list of the text; else the text for `Settings`."""
    if setting.kind not in ("texts", "table", "tables"):
        return text
    import json

    try:
        decoded = json.loads(text)
    except (ValueError, RecursionError):
        return [text]
    return decoded if isinstance(decoded, list | dict) else [text]


def _unknown_variable_warning(name: str, names: list[str]) -> str:
    similar = difflib.get_close_matches(name.upper()[:MAX_NAME_CHARS], names, n=1, cutoff=0.5)
    hint = f"Did you mean {similar[0]}?" if similar else "`kbtui config show` lists every setting."
    return f"The environment variable {name[:MAX_NAME_CHARS]} sets nothing that kbtui knows. {hint}"
