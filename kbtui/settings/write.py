"""Changes single values in the settings file of the user, and keeps the rest of the file with its comments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbtui.errors import SettingsError, StorageError
from kbtui.settings import paths
from kbtui.settings.private import user_mode, user_opener
from kbtui.settings.reference import sample_config
from kbtui.settings.secrets import redact
from kbtui.whole_file import write_whole

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

Value = str | bool | int | float | Sequence[str] | Mapping[str, Any]


def set_user_value(section: str, key: str, value: Value) -> Path:
    """Set ``section.key`` in ``config.toml``, creating the file if necessary; an empty section is the top level.

    A new key is inserted below the line that has it commented out (`sample_config`), else after the other keys of its
    section.

    Returns:
        Path of the file.

    Raises:
        SettingsError: The file is not valid TOML, or ``section`` is no table in it; the file is unchanged.
        StorageError: The file cannot be read or written.
    """
    import tomlkit  # imported late: it takes 15 ms

    path = paths.config_file()
    text, document = _read(path)
    table: Any = _table(path, document, section)
    if table is None:
        table = tomlkit.table()
        document[section] = table
    is_new = key not in table
    _assign(table, key, value)
    with_key_inserted = _insert_key(text, document, section, key) if is_new else None
    _write(path, with_key_inserted or tomlkit.dumps(document))
    return path


def unset_user_value(section: str, key: str) -> Path:
    """Remove ``section.key`` from ``config.toml`` with the comment on its line; a table is emptied instead.

    Returns:
        Path of the file.

    Raises:
        SettingsError: As `set_user_value`.
        StorageError: As `set_user_value`.
    """
    import tomlkit

    path = paths.config_file()
    _, document = _read(path)
    table = _table(path, document, section)
    if table is not None and key in table:
        if isinstance(table[key], dict):
            _assign(table, key, {})
        else:
            del table[key]
        _write(path, tomlkit.dumps(document))
    return path


def start_user_file() -> Path:
    """Create ``config.toml`` with every default, each commented out.

    Returns:
        Path of the file.

    Raises:
        SettingsError: The file exists already; it is unchanged.
        StorageError: The file cannot be written.
    """
    path = paths.config_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "x", encoding="utf-8", opener=user_opener) as stream:
            stream.write(sample_config())
    except FileExistsError as error:
        raise SettingsError(
            f"{path} exists already; it was left as it is.", "Edit it, or move it away first."
        ) from error
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror}.", "Check the permissions of its folder."
        ) from error
    return path


def _read(path: Path) -> tuple[str, TOMLDocument]:
    """The text of the file and the parsed document; both empty where there is no file."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        target = path.resolve()
        text = target.read_bytes().decode("utf-8") if target.exists() else ""
        return text, tomlkit.parse(text)
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror or error}.", "Check its permissions.") from error
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}.", "Mend that line; nothing was changed.") from error


def _table(path: Path, document: TOMLDocument, section: str) -> Any:
    table = document.get(section) if section else document
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{path}: {section} is not a table.", f"Write it as [{section}]; nothing was changed.")
    return table


def _assign(table: Any, key: str, value: Value) -> None:
    """Assign ``value`` to ``key``; in a list or table only differences are changed, to keep the comments in it."""
    current = table.get(key)
    if isinstance(value, Mapping):
        if not isinstance(current, dict):
            table[key] = dict(value)
            return
        for name in [name for name in current if name not in value]:
            del current[name]
        for name, item in value.items():
            if current.get(name) != item:
                current[name] = item
    elif isinstance(value, str | bool | int | float):
        table[key] = value
    elif not (isinstance(current, list) and _update_list(current, list(value))):
        table[key] = list(value)


def _update_list(items: list[Any], target: list[str]) -> bool:
    """Make ``items`` equal to ``wanted`` by removing and appending items; False where that is not possible."""
    unchanged = [item for item in items if item in target]
    if unchanged != target[: len(unchanged)] or len(set(target)) != len(target):
        return False
    for item in [item for item in items if item not in target]:
        items.remove(item)
    items.extend(target[len(unchanged) :])
    return True


def _insert_key(text: str, document: TOMLDocument, section: str, key: str) -> str | None:
    """``text`` with the new key of ``document`` inserted next to related lines.

    tomlkit inserts it after the last comment of the section, which often belongs to the section after it.

    Returns:
        The text; None where it would not parse to the same values as ``document``.
    """
    import tomllib

    import tomlkit

    value = document[section][key] if section else document[key]
    if isinstance(value, dict):
        return None
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)  # with their line ends; in TOML only \n ends a line
    index = _insertion_line(lines, section, key)
    if index is None:
        return None
    end = "\r\n" if text.count("\r\n") else "\n"
    if index and not lines[index - 1].endswith("\n"):
        lines[index - 1] += end
    statement = tomlkit.document()
    statement[key] = value.unwrap() if hasattr(value, "unwrap") else value
    lines.insert(index, tomlkit.dumps(statement).rstrip("\n") + end)
    with_key = "".join(lines)
    try:
        return with_key if tomllib.loads(with_key) == document.unwrap() else None
    except tomllib.TOMLDecodeError:
        return None


def _insertion_line(lines: Sequence[str], section: str, key: str) -> int | None:
    """Index of the line before which to insert a new key of the section; None where the section has no header."""
    headers = [number for number, line in enumerate(lines) if line.lstrip().startswith("[")]
    start = 0
    if section:
        header = re.compile(rf"\s*\[\s*{re.escape(section)}\s*\]")
        header_line = next((number for number in headers if header.match(lines[number])), None)
        if header_line is None:
            return None
        start = header_line + 1
    section_end = next((number for number in headers if number >= start), len(lines))
    commented_out = re.compile(rf"\s*#\s*{re.escape(key)}\s*=")
    inside = range(start, section_end)
    last = max((number for number in inside if lines[number].strip() and lines[number].lstrip()[0] != "#"), default=-1)
    previous = max((number for number in inside if commented_out.match(lines[number])), default=last)
    if previous < 0 and not section and lines[:1] and lines[0].lstrip().startswith("#"):
        # After the introductory comment of the file, which ends with an empty line.
        previous = next((number - 1 for number in inside if not lines[number].strip()), previous)
    return max(start, previous + 1)


def _write(path: Path, text: str) -> None:
    target = path.resolve()  # a link into a dotfiles folder stays a link
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = user_mode(target)
        # A database URL can contain a password, so that the file is made private.
        write_whole(target, text.encode("utf-8"), mode=mode & 0o700 if redact(text) != text else mode)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror or error}.", "Check the permissions and the space on its disk."
        ) from error
