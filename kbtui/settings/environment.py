"""Settings from environment variables: ``KBTUI_SECTION__KEY`` and the two names the specifications fix.

pydantic-settings decodes the variables; it takes 0.1 s to import, so that is done only when there is one to decode.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any

from kbtui.errors import SettingsError
from kbtui.settings.reference import AGENT_VARIABLES, OTHER_VARIABLES, Setting

PREFIX = "KBTUI_"


def from_environment(environ: Mapping[str, str], known: Mapping[str, Setting]) -> dict[str, tuple[Any, str]]:
    """What the environment sets: key to value and the name of the variable. Empty variables count as not set.

    Raises:
        SettingsError: A variable begins with ``KBTUI_`` but names no setting.
    """
    keys = {setting.variable: key for key, setting in known.items()}
    named: dict[str, str] = {}
    for name in sorted(environ):
        canonical = name.upper()
        if not canonical.startswith(PREFIX) or canonical in OTHER_VARIABLES:
            continue
        if canonical not in keys:
            raise _unknown(name, [*keys, *OTHER_VARIABLES])
        if environ[name]:
            named[canonical] = name
    found: dict[str, tuple[Any, str]] = {
        key: (environ[name], name) for name, key in AGENT_VARIABLES.items() if environ.get(name)
    }
    if named:
        decoded = _decoded({canonical: environ[name] for canonical, name in named.items()})
        for canonical, name in named.items():
            section, _, key = keys[canonical].rpartition(".")
            found[keys[canonical]] = (decoded[section][key] if section else decoded[key], name)
    return found


def _decoded(variables: Mapping[str, str]) -> dict[str, Any]:
    """The variables as the nested mapping that `Settings` is validated from."""
    from pydantic.fields import FieldInfo
    from pydantic_settings import BaseSettings, EnvSettingsSource

    from kbtui.settings.model import Settings

    # Both bases declare ``model_config``, as dictionaries of two types; pydantic merges them.
    class _FromVariables(BaseSettings, Settings):  # type: ignore[misc]
        pass

    class _Source(EnvSettingsSource):
        def _load_env_vars(self) -> Mapping[str, str | None]:
            return {name.lower(): value for name, value in variables.items()}

        def decode_complex_value(self, field_name: str, field: FieldInfo, value: Any) -> Any:  # noqa: ARG002
            try:
                decoded = json.loads(value)
            except ValueError:
                return [value]
            return decoded if isinstance(decoded, list) else [value]

    source = _Source(_FromVariables, case_sensitive=False, env_prefix=PREFIX, env_nested_delimiter="__")
    return source()


def _unknown(name: str, names: list[str]) -> SettingsError:
    near = difflib.get_close_matches(name.upper(), names, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]}?" if near else "`kbtui config show` lists every setting."
    return SettingsError(f"The environment variable {name} sets nothing that kbtui knows.", hint)
