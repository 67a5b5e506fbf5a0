"""Changes one value of the user's settings file and leaves the rest of it, comments too, as it was."""

from __future__ import annotations

from pathlib import Path

from kbtui.errors import SettingsError, StorageError
from kbtui.settings import paths
from kbtui.settings.private import user_mode
from kbtui.settings.secrets import redact
from kbtui.whole_file import write_whole


def set_user_value(section: str, key: str, value: str | bool | int | float | list[str]) -> Path:
    """Set ``section.key`` in ``config.toml``, making the file when there is none; an empty section is the top level.

    Returns:
        The file written.

    Raises:
        SettingsError: The file is not valid TOML, or ``section`` is no table in it; the file is left alone.
        StorageError: The file cannot be read or written.
    """
    import tomlkit  # 15 ms: only whoever changes a setting pays for it
    from tomlkit.exceptions import TOMLKitError

    path = paths.config_file()
    target = path.resolve()  # a link into a dotfiles folder stays a link
    try:
        text = target.read_bytes().decode("utf-8") if target.exists() else ""
        document = tomlkit.parse(text)
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror or error}.", "Check its permissions.") from error
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}.", "Mend that line; nothing was changed.") from error
    table = document.get(section) if section else document
    if table is None:
        table = tomlkit.table()
        document[section] = table
    elif not isinstance(table, dict):
        raise SettingsError(f"{path}: {section} is not a table.", f"Write it as [{section}]; nothing was changed.")
    table[key] = value
    try:
        _write(target, tomlkit.dumps(document))
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written: {error.strerror or error}.", "Check the permissions and the space on its disk."
        ) from error
    return path


def _write(target: Path, text: str) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    mode = user_mode(target)
    # A database's address can hold its password.
    write_whole(target, text.encode("utf-8"), mode=mode & 0o700 if redact(text) != text else mode)
