"""Settings from environment variables: ``KBTUI_SECTION__KEY``, and the two names that the specifications fix.

pydantic-settings decodes the variables. Its import takes 0.1 s, so it is imported only where there is one to decode.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any

from kbtui.settings.reference import AGENT_VARIABLES, OTHER_VARIABLES, Setting

PREFIX = "KBTUI_"
MAX_NAME_CHARS = 100
"""Characters of an unknown name that are compared and printed."""


def from_environment(
    environ: Mapping[str, str], known: Mapping[str, Setting]
) -> tuple[dict[str, tuple[Any, str]], list[str]]:
    """The settings that the environment sets; empty variables count as not set.

    Returns:
        The value and the variable of each key, and a warning for each variable with the prefix ``KBTUI_`` that is no
        setting. That is no error, because variables outlive the version and the script that they were set for.
    """
    keys = {setting.variable: key for key, setting in known.items()}
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
    if variables:
        decoded = _decode({canonical: environ[name] for canonical, name in variables.items()})
        for canonical, name in variables.items():
            section, _, key = keys[canonical].rpartition(".")
            values[keys[canonical]] = (decoded[section][key] if section else decoded[key], name)
    return values, warnings


def _decode(variables: Mapping[str, str]) -> dict[str, Any]:
    """The variables as the nested mapping from which `Settings` is validated."""
    from pydantic.fields import FieldInfo
    from pydantic_settings import BaseSettings, EnvSettingsSource

    from kbtui.settings.model import Settings

    # Both bases declare ``model_config``, with different types; pydantic merges them.
    class _FromVariables(BaseSettings, Settings):  # type: ignore[misc]
        pass

    class _Source(EnvSettingsSource):
        def _load_env_vars(self) -> Mapping[str, str | None]:
            return {name.lower(): value for name, value in variables.items()}

        def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:  # noqa: ARG002
            try:
                decoded = json.loads(value)
            except (ValueError, RecursionError):
                return [value]
            return decoded if isinstance(decoded, list | dict) else [value]

    source = _Source(_FromVariables, case_sensitive=False, env_prefix=PREFIX, env_nested_delimiter="__")
    return source()


def _unknown_variable_warning(name: str, names: list[str]) -> str:
    similar = difflib.get_close_matches(name.upper()[:MAX_NAME_CHARS], names, n=1, cutoff=0.5)
    hint = f"Did you mean {similar[0]}?" if similar else "`kbtui config show` lists every setting."
    return f"The environment variable {name[:MAX_NAME_CHARS]} sets nothing that kbtui knows. {hint}"
