"""Descriptions of all settings, derived from the model, so that docs, errors and sample config agree with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, get_args, get_origin

from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from kbtui.i18n import N_, _
from kbtui.settings.model import Section, Settings

MAX_FILE_BYTES = 64_000
"""A larger file is no settings file."""

FOLDER_ALLOWED = (
    "index.max_file_mb",
    "index.hidden",
    "index.exclude",
    "index.chunk_chars",
    "index.auto",
    "retrieval.*",
    "agent.max_iterations",
    "agent.timeout_s",
    "agent.use_adaptive_rag",
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

Kind = Literal["choice", "number", "text", "texts", "table", "tables"]


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
    """A value in the syntax of TOML; of a table of settings what differs from the defaults."""
    if isinstance(value, Section):
        value = {field.name: own for field in fields(value) if (own := getattr(value, field.name)) != field.default}
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml_value(name)} = {toml_value(item)}" for name, item in value.items()) + "}"
    import json

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
    for field in fields(Settings):
        if isinstance(field.type, type) and issubclass(field.type, Section):
            for inner in fields(field.type):
                yield _setting(f"{field.name}.{inner.name}", inner)
        else:
            yield _setting(field.name, field)


def _setting(key: str, field: FieldInfo) -> Setting:
    kind, *notes = get_args(field.type)
    metadata: dict[str, Any] = {}
    for note in notes:
        metadata |= {name: value for name in _META_FIELDS if (value := getattr(note, name)) is not None}
    return Setting(
        key=key,
        default=field.default if field.default is not NODEFAULT else field.default_factory(),
        allowed=_allowed_values(kind, metadata),
        description=metadata["description"],
        kind=_kind(kind),
        choices=_choices(kind),
    )


_META_FIELDS: Final = ("description", "ge", "gt", "le", "lt")


def _choices(kind: Any) -> tuple[str | bool, ...]:
    if kind is bool:
        return (True, False)
    return get_args(kind) if get_origin(kind) is Literal else ()


def _kind(kind: Any) -> Kind:
    if _choices(kind):
        return "choice"
    if kind in (int, float):
        return "number"
    if _is_of_sections(kind):
        return "tables"
    kinds: dict[Any, Kind] = {tuple: "texts", list: "texts", dict: "table"}
    return kinds.get(get_origin(kind), "text")


def _is_of_sections(kind: Any) -> bool:
    """Whether the values are tables of settings by name."""
    return get_origin(kind) is dict and isinstance(get_args(kind)[1], type) and issubclass(get_args(kind)[1], Section)


def _allowed_values(kind: Any, metadata: Mapping[str, Any]) -> str:
    """``a whole number from 1 to 10``, ``one of auto, rrf, convex``, ``true or false`` …"""
    if get_origin(kind) is Literal:
        return _("one of {choices}", choices=", ".join(f"`{choice}`" for choice in get_args(kind)))
    if kind is bool:
        return _("`true` or `false`")
    if kind is str:
        return _("text")
    if kind in (int, float):
        return (_("a whole number") if kind is int else _("a number")) + _bounds(metadata)
    if get_origin(kind) in (tuple, list):
        return _("a list of texts")
    if get_origin(kind) is dict:
        if not _is_of_sections(kind):
            return _("a table of texts")
        return _(
            "a table for each name, of {keys}", keys=", ".join(f"`{own.name}`" for own in fields(get_args(kind)[1]))
        )
    return _("a value")


def _bounds(metadata: Mapping[str, Any]) -> str:
    words = {
        "ge": N_("at least {limit}"),
        "gt": N_("above {limit}"),
        "le": N_("at most {limit}"),
        "lt": N_("below {limit}"),
    }
    limits = {name: metadata[name] for name in words if name in metadata}
    if "ge" in limits and "le" in limits:
        return _(" from {least} to {most}", least=limits["ge"], most=limits["le"])
    parts = [_(words[name], limit=limit) for name, limit in limits.items()]
    return (" " if parts else "") + _(" and ").join(parts)
