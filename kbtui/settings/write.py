"""Changes one value of the user's settings file and leaves the rest of it, comments too, as it was."""

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

Value = str | bool | int | float | Sequence[str] | Mapping[str, str]


def set_user_value(section: str, key: str, value: Value) -> Path:
    """Set ``section.key`` in ``config.toml``, making the file when there is none; an empty section is the top level.

    A key that is new to the file stands under the line in which it is commented out (`sample_config`), else behind the
    other keys of its section.

    Returns:
        The file written.

    Raises:
        SettingsError: The file is not valid TOML, or ``section`` is no table in it; the file is left alone.
        StorageError: The file cannot be read or written.
    """
    import tomlkit  # 15 ms: only whoever changes a setting pays for it

    path = paths.config_file()
    text, document = _read(path)
    table: Any = _table(path, document, section)
    if table is None:
        table = tomlkit.table()
        document[section] = table
    is_new = key not in table
    _put(table, key, value)
    placed = _placed(text, document, section, key) if is_new else None
    _write(path, placed or tomlkit.dumps(document))
    return path


def unset_user_value(section: str, key: str) -> Path:
    """Take ``section.key`` out of ``config.toml``, with the comment behind it; of a table what it holds.

    Returns:
        The file.

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
            _put(table, key, {})
        else:
            del table[key]
        _write(path, tomlkit.dumps(document))
    return path


def start_user_file() -> Path:
    """Write ``config.toml`` with every default in it, each commented out.

    Returns:
        The file written.

    Raises:
        SettingsError: There is one already; it is left alone.
        StorageError: It cannot be written.
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
    """The text of the file, and what it says; both empty when there is none."""
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


def _put(table: Any, key: str, value: Value) -> None:
    """Give ``key`` this value; of a list and a table only what differs is changed, for the comments between."""
    before = table.get(key)
    if isinstance(value, Mapping):
        if not isinstance(before, dict):
            table[key] = dict(value)
            return
        for name in [name for name in before if name not in value]:
            del before[name]
        for name, item in value.items():
            if before.get(name) != item:
                before[name] = item
    elif isinstance(value, str | bool | int | float):
        table[key] = value
    elif not (isinstance(before, list) and _changed_in_place(before, list(value))):
        table[key] = list(value)


def _changed_in_place(items: list[Any], wanted: list[str]) -> bool:
    """Take out of ``items`` what is not wanted and add what is new; False where that does not give ``wanted``."""
    kept = [item for item in items if item in wanted]
    if kept != wanted[: len(kept)] or len(set(wanted)) != len(wanted):
        return False
    for item in [item for item in items if item not in wanted]:
        items.remove(item)
    items.extend(wanted[len(kept) :])
    return True


def _placed(text: str, document: TOMLDocument, section: str, key: str) -> str | None:
    """``text`` with the new key of ``document`` where a person would write it.

    tomlkit writes it behind the last comment of the section, which is often about the section after it.

    Returns:
        None where the text would not say the same as ``document``.
    """
    import tomllib

    import tomlkit

    value = document[section][key] if section else document[key]
    if isinstance(value, dict):
        return None
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)  # with their line ends, which are \n alone to TOML
    place = _place(lines, section, key)
    if place is None:
        return None
    end = "\r\n" if text.count("\r\n") else "\n"
    if place and not lines[place - 1].endswith("\n"):
        lines[place - 1] += end
    statement = tomlkit.document()
    statement[key] = value.unwrap() if hasattr(value, "unwrap") else value
    lines.insert(place, tomlkit.dumps(statement).rstrip("\n") + end)
    placed = "".join(lines)
    try:
        return placed if tomllib.loads(placed) == document.unwrap() else None
    except tomllib.TOMLDecodeError:
        return None


def _place(lines: Sequence[str], section: str, key: str) -> int | None:
    """Before which of the lines a new key of the section belongs; None where the section has no header."""
    headers = [number for number, line in enumerate(lines) if line.lstrip().startswith("[")]
    start = 0
    if section:
        header = re.compile(rf"\s*\[\s*{re.escape(section)}\s*\]")
        found = next((number for number in headers if header.match(lines[number])), None)
        if found is None:
            return None
        start = found + 1
    end = next((number for number in headers if number >= start), len(lines))
    commented_out = re.compile(rf"\s*#\s*{re.escape(key)}\s*=")
    inside = range(start, end)
    last = max((number for number in inside if lines[number].strip() and lines[number].lstrip()[0] != "#"), default=-1)
    beside = max((number for number in inside if commented_out.match(lines[number])), default=last)
    if beside < 0 and not section and lines[:1] and lines[0].lstrip().startswith("#"):
        # Behind what the file says of itself, which ends with an empty line.
        beside = next((number - 1 for number in inside if not lines[number].strip()), beside)
    return max(start, beside + 1)


def _write(path: Path, text: str) -> None:
    target = path.resolve()  # a link into a dotfiles folder stays a link
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = user_mode(target)
        # A database's address can hold its password.
        write_whole(target, text.encode("utf-8"), mode=mode & 0o700 if redact(text) != text else mode)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror or error}.", "Check the permissions and the space on its disk."
        ) from error
