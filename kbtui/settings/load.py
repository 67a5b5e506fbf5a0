"""Joins flags, environment, the knowledge base's file, the user's file and the defaults into one `Settings`, and
remembers where each value came from: a setting that does not do what its owner expects is usually set twice.
"""

from __future__ import annotations

import difflib
import errno
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from msgspec import Struct, ValidationError

from kbtui.errors import SettingsError
from kbtui.regular_files import read_regular
from kbtui.settings import paths
from kbtui.settings.environment import from_environment
from kbtui.settings.model import Settings, settings_of
from kbtui.settings.reference import MAX_FILE_BYTES, Setting, all_settings, toml_value
from kbtui.text.terminal import one_line

MAX_KEY_PARTS = 64
"""Parts of a dotted key; the parser's time grows with their square."""

SHOWN_CHARS = 60
"""Of a value, in a message."""

_TRUTH = dict.fromkeys(("true", "yes", "on", "1", "t", "y"), True) | dict.fromkeys(
    ("false", "no", "off", "0", "f", "n"), False
)

_QUOTES_AND_SPACES = str.maketrans("", "", "\"' \t")

OriginKind = Literal["default", "user", "folder", "environment", "flag"]


class Origin(Struct, frozen=True, kw_only=True):
    """Where a value came from: the kind of place, and the file, variable or flag."""

    kind: OriginKind = "default"
    where: str = "default"

    def __str__(self) -> str:
        return f"environment variable {self.where}" if self.kind == "environment" else self.where


class LoadedSettings(Struct, frozen=True, kw_only=True):
    """The settings in effect.

    Attributes:
        origins: ``section.key`` to where its value came from, for every setting.
        warnings: What was left out, and why; one sentence each.
    """

    settings: Settings
    origins: Mapping[str, Origin]
    warnings: tuple[str, ...] = ()


def load_settings(
    kb: Path | None = None, flags: Mapping[str, Any] | None = None, environ: Mapping[str, str] = os.environ
) -> LoadedSettings:
    """Read all settings for one knowledge base.

    Args:
        kb: The folder whose ``.kbtui.toml`` counts; None for commands about no folder.
        flags: ``section.key`` to value; a value of None means the flag was not given.

    Raises:
        SettingsError: A file is no TOML, a key of it is unknown, or a value is not allowed. The message names the file
            (with the line) or the variable.
    """
    known = all_settings()
    values: dict[str, Any] = {}
    origins = {key: Origin() for key in known}
    warnings: list[str] = []

    def take(key: str, value: Any, kind: OriginKind, where: str) -> None:
        values[key] = value
        origins[key] = Origin(kind=kind, where=where)

    user = paths.config_file()
    for key, value in _file_values(user, known):
        take(key, value, "user", str(user))
    if kb is not None:
        folder = paths.folder_file(kb)
        own = _validated(values, origins, known)
        for key, value in _file_values(folder, known):
            if not known[key].in_folder:
                warnings.append(f"{folder} may not set {key}; it was left out. Set it in {user} instead.")
                continue
            if known[key].folder_may_lower and _exceeds(value, cap := value_of(own, key)):
                warnings.append(
                    f"{folder} sets {key} = {_shown(value)}, which is more than your {toml_value(cap)}; "
                    f"{toml_value(cap)} is used. Raise it in {user} if you want to."
                )
                continue
            take(key, value, "folder", str(folder))
    from_variables, unknown = from_environment(environ, known)
    warnings += unknown
    for key, (value, variable) in from_variables.items():
        take(key, value, "environment", variable)
    for key, value in (flags or {}).items():
        if value is not None:
            take(key, value, "flag", "command line")
    return LoadedSettings(
        settings=_validated(values, origins, known), origins=MappingProxyType(origins), warnings=tuple(warnings)
    )


def allowed_value(key: str, value: Any) -> Any:
    """``value`` as the settings hold it, whoever wrote it: a number may still be text.

    Raises:
        SettingsError: It is not allowed, in the words in which a settings file is refused.
    """
    known = all_settings()
    typed = Origin(kind="user", where="what was typed")
    return value_of(_validated({key: value}, {key: typed}, known), key)


def line_of(key: str) -> int:
    """The line of the user's file that states ``section.key``, or opens its section; 1 where there is none."""
    section, _, name = key.rpartition(".")
    try:
        return _line_of(_file_text(paths.config_file()) or "", section, name) or 1
    except SettingsError:
        return 1


def _file_values(file: Path, known: Mapping[str, Setting]) -> Iterator[tuple[str, Any]]:
    """The settings a file holds, as ``section.key`` and value; nothing when there is no such file."""
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
        # A number of thousands of digits, or brackets nested as deep.
        raise SettingsError(
            f"{file} cannot be read as settings: {type(error).__name__}.", "Check its values."
        ) from error
    for key, value in _flat(tables, known):
        if key not in known:
            if any(one.startswith(f"{key}.") for one in known):
                raise SettingsError(
                    f"{file}: {key} is a table of settings, not a value.", f"Write [{key}] above its keys."
                )
            raise _unknown(file, text, key, known)
        yield key, value


def _check_keys(file: Path, text: str) -> None:
    """Refuse dotted keys of many parts before the parser meets them. A key stands before a ``=`` or in a header."""
    for number, line in enumerate(text.split("\n"), 1):
        *keys, last = line.split("=")
        if line.lstrip(" \t").startswith("["):
            keys.append(last)
        if any(key.count(".") >= MAX_KEY_PARTS for key in keys):
            raise SettingsError(f"{file}, line {number}: a key has too many parts.", "Write [section] above its keys.")


def _file_text(file: Path) -> str | None:
    """The text of a settings file; None when there is none. A pipe or device is never waited for."""
    try:
        data = read_regular(file, MAX_FILE_BYTES)
    except (FileNotFoundError, NotADirectoryError):
        if file.is_symlink():
            raise _no_file(file) from None
        return None
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise SettingsError(f"{file} is too large for a settings file.", "Keep only settings in it.") from error
        # A link to itself, or something that is no regular file.
        raise _no_file(file) if error.errno in (errno.ELOOP, errno.EINVAL) else _unreadable(file, error) from error
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file} is not UTF-8 text (byte {error.start}).", "Save it as UTF-8.") from error


def _no_file(file: Path) -> SettingsError:
    return SettingsError(f"{file} is not a file.", "Move it away, or make it a TOML file.")


def _unreadable(file: Path, error: OSError) -> SettingsError:
    return SettingsError(f"{file} cannot be read: {error.strerror}.", "Check its permissions.")


def value_of(settings: Settings, key: str) -> Any:
    """The value of ``section.key``."""
    for part in key.split("."):
        settings = getattr(settings, part)
    return settings


def _exceeds(value: Any, limit: float) -> bool:
    """Whether a value of a file is a number above ``limit``, in any of the forms that the model takes numbers in."""
    try:
        number = float(value) if isinstance(value, str) else value
        return isinstance(number, (int, float)) and number > limit
    except ValueError:
        return False


def _shown(value: Any) -> str:
    """A value of a file in a message: cut short, whatever its size."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits has no text
        text = f"a very large {type(value).__name__}"
    return text if len(text) <= SHOWN_CHARS else f"{text[: SHOWN_CHARS - 1]}…"


def _flat(tables: Mapping[str, Any], known: Mapping[str, Setting]) -> Iterator[tuple[str, Any]]:
    sections = {key.partition(".")[0] for key in known if "." in key}
    for name, value in tables.items():
        if name in sections and isinstance(value, dict):
            for key, inner in value.items():
                yield f"{name}.{key}", inner
        elif isinstance(value, dict) and name not in known:
            # The first key inside says more than the table's name alone: its line is the one to correct.
            yield (f"{name}.{next(iter(value))}" if value else name), value
        else:
            yield name, value


def _unknown(file: Path, text: str, key: str, known: Mapping[str, Setting]) -> SettingsError:
    section, _, name = key.rpartition(".")
    line = _line_of(text, section, name)
    at = f"{file}, line {line}" if line else str(file)
    beside = [one for one in known if one.rpartition(".")[0] == section]
    near = difflib.get_close_matches(key, beside, n=1, cutoff=0.5) or difflib.get_close_matches(
        key, list(known), n=1, cutoff=0.5
    )
    # A key in the wrong table is nearest by its own name: `max_iterations` without [agent].
    near = near or [one for one in known if one.rpartition(".")[2] == name][:1]
    hint = f"Did you mean {near[0]}?" if near else "`kbtui config show` lists every setting."
    return SettingsError(f"{at}: there is no setting {key}.", hint)


def _line_of(text: str, section: str, key: str) -> int | None:
    """The line that states a key (or opens its table), found without a TOML parser that keeps positions."""
    table, opened = "", None
    for number, line in enumerate(text.split("\n"), 1):
        head, is_stated, _ = line.strip().partition("=")
        if head.startswith("["):
            table = _bare(head.lstrip("[").partition("]")[0])
            if table in (section, key, f"{section}.{key}"):
                opened = number
        elif is_stated and f"{table}.{_bare(head)}".lstrip(".") == f"{section}.{key}".lstrip("."):
            return number
    return opened


def _bare(key: str) -> str:
    """A key as it is written, without quotes and spaces."""
    return key.translate(_QUOTES_AND_SPACES)


def _toml_hint(text: str, message: str) -> str:
    found = re.search(r"at line (\d+)", message)
    lines = text.split("\n")
    if found and int(found[1]) <= len(lines):
        line = one_line(lines[int(found[1]) - 1], 80)
        return f'Correct line {found[1]} ("{line}"): texts stand in quotes, true and false in small letters.'
    return "A line of it is unfinished: check quotes and brackets."


def _validated(values: Mapping[str, Any], origins: Mapping[str, Origin], known: Mapping[str, Setting]) -> Settings:
    nested: dict[str, Any] = {}
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        (nested.setdefault(section, {}) if section else nested)[name] = _as_given(value, known[key])
    try:
        return settings_of(nested)
    except ValidationError as error:
        # `$.section.key`, and of an item of a list its place behind that.
        place = str(error).rpartition("$.")[2]
        key = max((one for one in values if place.startswith(one)), key=len)
        raise SettingsError(
            f"{key} = {_shown(values[key])} is not allowed (from {origins[key]}).",
            f"It must be {known[key].allowed.replace('`', '')}; the default is {toml_value(known[key].default)}.",
        ) from error


def _as_given(value: Any, setting: Setting) -> Any:
    """A value that is text in the one form in which numbers and truth are read: no spaces, ``true`` for ``yes``."""
    if not isinstance(value, str):
        return value
    if setting.kind == "number":
        return value.strip().removeprefix("+")
    return _TRUTH.get(value.strip().lower(), value) if setting.choices == (True, False) else value
