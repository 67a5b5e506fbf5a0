"""Merges flags, environment, the file of the knowledge base, the file of the user and the defaults into one `Settings`.

The origin of each value is recorded, because a setting without the expected effect is usually set in two places.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct, ValidationError

from kbtui.errors import SettingsError, nearest
from kbtui.regular_files import read_regular
from kbtui.settings import paths
from kbtui.settings.model import Settings, settings_of
from kbtui.settings.reference import AGENT_VARIABLES, MAX_FILE_BYTES, OTHER_VARIABLES, Setting, all_settings, toml_value
from kbtui.text.terminal import one_line

MAX_KEY_PARTS = 64
"""Parts of a dotted key, whose square determines the time of the parser."""

MAX_PRINTED_CHARS = 60
"""Characters of a value in a message."""

_BOOLEANS = dict.fromkeys(("true", "yes", "on", "1", "t", "y"), True) | dict.fromkeys(
    ("false", "no", "off", "0", "f", "n"), False
)

_QUOTES_AND_SPACES = str.maketrans("", "", "\"' \t")

OriginKind = Literal["default", "user", "folder", "environment", "flag"]
PREFIX = "KBTUI_"
MAX_NAME_CHARS = 100
"""Characters of an unknown name that are compared and printed."""


class Origin(Struct, frozen=True, kw_only=True):
    """The origin of a value: its kind, and the file, variable or flag."""

    kind: OriginKind = "default"
    where: str = "default"

    def __str__(self) -> str:
        return f"environment variable {self.where}" if self.kind == "environment" else self.where


class LoadedSettings(Struct, frozen=True, kw_only=True):
    """The settings in effect.

    Attributes:
        origins: Origin of the value of every setting, by ``section.key``.
        warnings: One sentence for each value that was ignored, with the reason.
    """

    settings: Settings
    origins: Mapping[str, Origin]
    warnings: tuple[str, ...] = ()


def load_settings(
    kb: Path | None = None, flags: Mapping[str, Any] | None = None, environ: Mapping[str, str] = os.environ
) -> LoadedSettings:
    """Read all settings for one knowledge base.

    Args:
        kb: The folder whose ``.kbtui.toml`` is read; None for commands without a folder.
        flags: Values by ``section.key``; None means that the flag was not given.

    Raises:
        SettingsError: A file is not valid TOML, a key is unknown, or a value is not allowed. The message names the file
            (with the line) or the variable.
    """
    settings_by_key = all_settings()
    values: dict[str, Any] = {}
    origins = {key: Origin() for key in settings_by_key}
    warnings: list[str] = []

    def set_value(key: str, value: Any, kind: OriginKind, where: str) -> None:
        values[key] = value
        origins[key] = Origin(kind=kind, where=where)

    user_file = paths.config_file()
    for key, value in _file_values(user_file, settings_by_key):
        set_value(key, value, "user", str(user_file))
    if kb is not None:
        folder_file = paths.folder_file(kb)
        user_settings = _validate(values, origins, settings_by_key)
        for key, value in _file_values(folder_file, settings_by_key):
            if not settings_by_key[key].in_folder:
                warnings.append(f"{folder_file} may not set {key}; it was left out. Set it in {user_file} instead.")
                continue
            if settings_by_key[key].folder_may_lower and _exceeds(value, cap := value_of(user_settings, key)):
                warnings.append(
                    f"{folder_file} sets {key} = {_printable(value)}, which is more than your {toml_value(cap)}; "
                    f"{toml_value(cap)} is used. Raise it in {user_file} if you want to."
                )
                continue
            set_value(key, value, "folder", str(folder_file))
    from_variables, unknown_warnings = from_environment(environ, settings_by_key)
    warnings += unknown_warnings
    for key, (value, variable) in from_variables.items():
        set_value(key, value, "environment", variable)
    for key, value in (flags or {}).items():
        if value is not None:
            set_value(key, value, "flag", "command line")
    return LoadedSettings(
        settings=_validate(values, origins, settings_by_key),
        origins=MappingProxyType(origins),
        warnings=tuple(warnings),
    )


def allowed_value(key: str, value: Any) -> Any:
    """``value`` converted to the type of the setting; a number may be given as text.

    Raises:
        SettingsError: The value is not allowed.
    """
    settings_by_key = all_settings()
    origin = Origin(kind="user", where="what was typed")
    return value_of(_validate({key: value}, {key: origin}, settings_by_key), key)


def line_of(key: str) -> int:
    """The line in the file of the user that sets ``section.key``, or opens its section; 1 where there is none."""
    section, _, name = key.rpartition(".")
    try:
        return _line_of(_file_text(paths.config_file()) or "", section, name) or 1
    except SettingsError:
        return 1


def _file_values(file: Path, settings_by_key: Mapping[str, Setting]) -> Iterator[tuple[str, Any]]:
    """The settings of a file, as ``section.key`` and value; none where there is no such file."""
    text = _file_text(file)
    if text is None:
        return
    _check_keys(file, text)
    import tomllib

    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is no valid TOML: {error}", _toml_hint(text, str(error))) from error
    except (ValueError, RecursionError) as error:
        # A number of thousands of digits, or deeply nested brackets.
        raise SettingsError(
            f"{file} cannot be read as settings: {type(error).__name__}.", "Check its values."
        ) from error
    for key, value in _flatten(tables, settings_by_key):
        if key not in settings_by_key:
            if any(name.startswith(f"{key}.") for name in settings_by_key):
                raise SettingsError(
                    f"{file}: {key} is a table of settings, not a value.", f"Write [{key}] above its keys."
                )
            raise _unknown_setting(file, text, key, settings_by_key)
        yield key, value


def _check_keys(file: Path, text: str) -> None:
    """Raise `SettingsError` for a dotted key of too many parts, before the parser reads it.

    Keys are in front of a ``=`` or in a header.
    """
    for number, line in enumerate(text.split("\n"), 1):
        *keys, last = line.split("=")
        if line.lstrip(" \t").startswith("["):
            keys.append(last)
        if any(key.count(".") >= MAX_KEY_PARTS for key in keys):
            raise SettingsError(f"{file}, line {number}: a key has too many parts.", "Write [section] above its keys.")


def _file_text(file: Path) -> str | None:
    """The text of a settings file; None where there is none. Pipes and devices are refused without waiting."""
    try:
        data = read_regular(file, MAX_FILE_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        if file.is_symlink():
            raise _not_a_file(file) from None
        return None
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise SettingsError(f"{file} is too large for a settings file.", "Keep only settings in it.") from error
        # ELOOP is a link to itself, EINVAL something other than a regular file.
        raise _not_a_file(file) if error.errno in (errno.ELOOP, errno.EINVAL) else _unreadable(file, error) from error
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file} is not UTF-8 text (byte {error.start}).", "Save it as UTF-8.") from error


def _not_a_file(file: Path) -> SettingsError:
    return SettingsError(f"{file} is not a file.", "Move it away, or make it a TOML file.")


def _unreadable(file: Path, error: OSError) -> SettingsError:
    return SettingsError(f"{file} cannot be read: {error.strerror}.", "Check its permissions.")


def value_of(settings: Settings, key: str) -> Any:
    """The value of ``section.key``."""
    for part in key.split("."):
        settings = getattr(settings, part)
    return settings


def _exceeds(value: Any, limit: float) -> bool:
    """Whether a value of a file is a number above ``limit``, in any form of numbers that the model accepts."""
    try:
        number = float(value) if isinstance(value, str) else value
        return isinstance(number, (int, float)) and number > limit
    except ValueError:
        return False


def _printable(value: Any) -> str:
    """A value of a file for a message, cut to `MAX_PRINTED_CHARS`."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits has no repr
        text = f"a very large {type(value).__name__}"
    return text if len(text) <= MAX_PRINTED_CHARS else f"{text[: MAX_PRINTED_CHARS - 1]}…"


def _flatten(tables: Mapping[str, Any], settings_by_key: Mapping[str, Setting]) -> Iterator[tuple[str, Any]]:
    sections = {key.partition(".")[0] for key in settings_by_key if "." in key}
    for name, value in tables.items():
        if name in sections and isinstance(value, dict):
            for key, inner in value.items():
                yield f"{name}.{key}", inner
        elif isinstance(value, dict) and name not in settings_by_key:
            # The first key of an unknown table is reported, because its line is the one to correct.
            yield (f"{name}.{next(iter(value))}" if value else name), value
        else:
            yield name, value


def _unknown_setting(file: Path, text: str, key: str, settings_by_key: Mapping[str, Setting]) -> SettingsError:
    section, _, name = key.rpartition(".")
    line = _line_of(text, section, name)
    position = f"{file}, line {line}" if line else str(file)
    siblings = [candidate for candidate in settings_by_key if candidate.rpartition(".")[0] == section]
    # A key in the wrong table is suggested by its name: `max_iterations` without [agent].
    elsewhere = next((candidate for candidate in settings_by_key if candidate.rpartition(".")[2] == name), "")
    similar = nearest(key, siblings, 0.5) or nearest(key, settings_by_key, 0.5) or elsewhere
    hint = f"Did you mean {similar}?" if similar else "`kbtui config show` lists every setting."
    return SettingsError(f"{position}: there is no setting {key}.", hint)


def _line_of(text: str, section: str, key: str) -> int | None:
    """The line that sets a key, or opens its table; searched in the text, since the parser gives no positions."""
    table, table_line = "", None
    for number, line in enumerate(text.split("\n"), 1):
        left_side, is_stated, _ = line.strip().partition("=")
        if left_side.startswith("["):
            table = _unquote(left_side.lstrip("[").partition("]")[0])
            if table in (section, key, f"{section}.{key}"):
                table_line = number
        elif is_stated and f"{table}.{_unquote(left_side)}".lstrip(".") == f"{section}.{key}".lstrip("."):
            return number
    return table_line


def _unquote(key: str) -> str:
    """A key without quotes and spaces."""
    return key.translate(_QUOTES_AND_SPACES)


def _toml_hint(text: str, message: str) -> str:
    match = re.search(r"at line (\d+)", message)
    lines = text.split("\n")
    if match and int(match[1]) <= len(lines):
        line = one_line(lines[int(match[1]) - 1], 80)
        return f'Correct line {match[1]} ("{line}"): texts stand in quotes, true and false in small letters.'
    return "A line of it is unfinished: check quotes and brackets."


def _validate(values: Mapping[str, Any], origins: Mapping[str, Origin], settings: Mapping[str, Setting]) -> Settings:
    nested: dict[str, Any] = {}
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        (nested.setdefault(section, {}) if section else nested)[name] = _normalise(value, settings[key])
    try:
        return settings_of(nested)
    except ValidationError as error:
        # `$.section.key`, and of an item of a list its index behind that.
        location = str(error).rpartition("$.")[2]
        key = max((name for name in values if location.startswith(name)), key=len)
        raise SettingsError(
            f"{key} = {_printable(values[key])} is not allowed (from {origins[key]}).",
            f"It must be {settings[key].allowed.replace('`', '')}; the default is {toml_value(settings[key].default)}.",
        ) from error


def _normalise(value: Any, setting: Setting) -> Any:
    """Text of a number without spaces and sign ``+``, and a boolean for ``yes`` or ``0``; other values unchanged."""
    if not isinstance(value, str):
        return value
    if setting.kind == "number":
        return value.strip().removeprefix("+")
    return _BOOLEANS.get(value.strip().lower(), value) if setting.choices == (True, False) else value


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
    similar = nearest(name.upper()[:MAX_NAME_CHARS], names, 0.5)
    hint = f"Did you mean {similar}?" if similar else "`kbtui config show` lists every setting."
    return f"The environment variable {name[:MAX_NAME_CHARS]} sets nothing that kbtui knows. {hint}"
