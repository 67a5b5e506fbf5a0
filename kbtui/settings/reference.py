"""Descriptions of all settings, derived from the model, so that docs, errors and sample config agree with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct
from pydantic.fields import FieldInfo

from kbtui.i18n import N_, _
from kbtui.settings.model import Section, Settings

MAX_FILE_BYTES = 64_000
"""A larger file is no settings file."""

FOLDER_ALLOWED = (
    "index.*",
    "retrieval.*",
    "agent.max_iterations",
    "agent.timeout_s",
    "agent.use_adaptive_rag",
    "embedding.precision",
    "ui.theme",
)
"""Settings that the file of a knowledge base may set.

A folder may be untrusted, so its file must not run commands, reach the network, name models or data sources, use more
resources, or decide what is recorded. A setting that is not listed here is refused in it."""

FOLDER_MAY_LOWER = ("index.max_file_mb", "agent.max_iterations", "agent.timeout_s")
"""Limits of memory, calls and time, for which a value of the folder above that of the user is ignored.

The other numbers that a folder may set only influence what is found, and are safe over their whole range."""

AGENT_VARIABLES = {
    "KB_AGENT_MAX_ITERATIONS": "agent.max_iterations",
    "KB_AGENT_USE_ADAPTIVE_RAG": "agent.use_adaptive_rag",
}
"""Environment variables whose names the specifications fix (spec 003)."""

OTHER_VARIABLES = {
    "KBTUI_EDITOR": "Command of the editor, before `VISUAL` and `EDITOR`; may hold `{path}` and `{line}`.",
    "KBTUI_LOG": "How much the log file says: `debug`, `info` (default), `warning` or `error`.",
}
"""Environment variables with the prefix of kbtui that are no settings."""

Kind = Literal["choice", "number", "text", "texts", "table"]


class Setting(Struct, frozen=True, kw_only=True):
    """One setting.

    Attributes:
        key: ``section.key``, or ``key`` at the top level.
        default: Its default as a Python value.
        allowed: The allowed values, in words.
        description: Its meaning.
        kind: Kind of its values.
        choices: All allowed values, where they are few; else empty.
    """

    key: str
    default: Any
    allowed: str
    description: str
    kind: Kind = "text"
    choices: tuple[str | bool, ...] = ()

    @property
    def section(self) -> str:
        """Name of its table in the file; empty at the top level."""
        return self.key.rpartition(".")[0]

    @property
    def name(self) -> str:
        """Its name within its table."""
        return self.key.rpartition(".")[2]

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "KBTUI_" + self.key.upper().replace(".", "__")

    @property
    def in_folder(self) -> bool:
        """Whether the file of a knowledge base may set it."""
        section = self.key.partition(".")[0]
        return self.key in FOLDER_ALLOWED or f"{section}.*" in FOLDER_ALLOWED

    @property
    def folder_may_lower(self) -> bool:
        """Whether it is a limit, which the file of a knowledge base may lower but not raise."""
        return self.key in FOLDER_MAY_LOWER


def all_settings() -> dict[str, Setting]:
    """Every setting by key, in the order of the model."""
    return {setting.key: setting for setting in _iterate_settings()}


def toml_value(value: Any) -> str:
    """A value in the syntax of TOML."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml_value(name)} = {toml_value(item)}" for name, item in value.items()) + "}"
    if isinstance(value, str):
        # A JSON string is a TOML basic string, except that TOML requires DEL to be escaped.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)


def sample_config() -> str:
    """The text of a config file with every default, each commented out."""
    lines = [
        "# Settings of kbtui. Every line shows a default; remove the `#` in front of a key to change it.",
        "# `kbtui config show` says which value is in effect and where it came from.",
    ]
    section = ""
    for setting in sorted(all_settings().values(), key=lambda setting: "." in setting.key):
        table, _, key = setting.key.rpartition(".")
        if table != section:
            section = table
            lines += ["", f"[{section}]"]
        lines += ["", f"# {setting.description}", f"# Allowed: {setting.allowed}."]
        lines.append(f"# {key} = {toml_value(setting.default)}")
    return "\n".join(lines) + "\n"


def _iterate_settings() -> Iterator[Setting]:
    for name, field in Settings.model_fields.items():
        annotation = field.annotation
        if isinstance(annotation, type) and issubclass(annotation, Section):
            for key, inner in annotation.model_fields.items():
                yield _setting(f"{name}.{key}", inner)
        else:
            yield _setting(name, field)


def _setting(key: str, field: FieldInfo) -> Setting:
    default = field.get_default(call_default_factory=True)
    return Setting(
        key=key,
        default=default,
        allowed=_allowed_values(field),
        description=field.description or "",
        kind=_kind(field),
        choices=_choices(field),
    )


def _choices(field: FieldInfo) -> tuple[str | bool, ...]:
    if field.annotation is bool:
        return (True, False)
    return get_args(field.annotation) if get_origin(field.annotation) is Literal else ()


def _kind(field: FieldInfo) -> Kind:
    if _choices(field):
        return "choice"
    if field.annotation in (int, float):
        return "number"
    kinds: dict[Any, Kind] = {tuple: "texts", list: "texts", dict: "table"}
    return kinds.get(get_origin(field.annotation), "text")


def _allowed_values(field: FieldInfo) -> str:
    """``a whole number from 1 to 10``, ``one of auto, rrf, convex``, ``true or false`` …"""
    annotation = field.annotation
    if get_origin(annotation) is Literal:
        return _("one of {choices}", choices=", ".join(f"`{choice}`" for choice in get_args(annotation)))
    if annotation is bool:
        return _("`true` or `false`")
    if annotation is str:
        return _("text")
    if annotation in (int, float):
        return (_("a whole number") if annotation is int else _("a number")) + _bounds(field)
    if get_origin(annotation) in (tuple, list):
        return _("a list of texts")
    if get_origin(annotation) is dict:
        return _("a table of texts")
    return _("a value")


def _bounds(field: FieldInfo) -> str:
    limits: dict[str, Any] = {}
    for constraint in field.metadata:
        for name in ("ge", "gt", "le", "lt"):
            if getattr(constraint, name, None) is not None:
                limits[name] = getattr(constraint, name)
    if "ge" in limits and "le" in limits:
        return _(" from {least} to {most}", least=limits["ge"], most=limits["le"])
    words = {
        "ge": N_("at least {limit}"),
        "gt": N_("above {limit}"),
        "le": N_("at most {limit}"),
        "lt": N_("below {limit}"),
    }
    parts = [_(words[name], limit=limit) for name, limit in limits.items()]
    return (" " if parts else "") + _(" and ").join(parts)
