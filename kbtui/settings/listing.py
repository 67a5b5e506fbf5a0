"""Lists every setting with its value in effect and its value in the file of the user, and changes that file.

A flag, a variable or the file of the folder may override the file of the user; a change then has no effect here, of
which the user is to be told.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import fields

from kbtui.errors import SettingsError
from kbtui.i18n import _
from kbtui.settings.keys import key_variables
from kbtui.settings.load import LoadedSettings, Origin, allowed_value, load_settings, value_of
from kbtui.settings.model import ModelSettings, Section
from kbtui.settings.providers import nearest_provider, provider_of, split_name
from kbtui.settings.reference import Setting, all_settings, toml_value
from kbtui.settings.secrets import MASK, mask_value, redact
from kbtui.settings.write import set_user_value, unset_user_value


class ListedSetting(Struct, frozen=True, kw_only=True):
    """One setting with its values.

    Attributes:
        value: The value in effect.
        origin: Where that value comes from.
        own: The value in the file of the user; the default where the file does not set it.
        is_saved: Whether the file of the user sets it.
    """

    setting: Setting
    value: Any
    origin: Origin
    own: Any
    is_saved: bool = False

    @property
    def is_overridden(self) -> bool:
        """Whether another origin overrides the file of the user."""
        return self.origin.kind not in ("default", "user")


def list_settings(loaded: LoadedSettings) -> tuple[ListedSetting, ...]:
    """All settings of ``loaded``, those at the top level last.

    Raises:
        SettingsError: The file of the user is not valid.
    """
    saved = load_settings(environ={})
    return tuple(
        ListedSetting(
            setting=setting,
            value=value_of(loaded.settings, key),
            origin=loaded.origins[key],
            own=value_of(saved.settings, key),
            is_saved=saved.origins[key].kind == "user",
        )
        for key, setting in all_settings().items()
    )


def display_text(setting: Setting, value: Any) -> str:
    """A value in the syntax of the file, with secrets masked."""
    if setting.kind == "tables":
        return redact(toml_value(value))
    if isinstance(value, Mapping):
        return toml_value({name: mask_value("", item) for name, item in value.items()})
    return toml_value(mask_value(setting.key, value))


def editable_text(setting: Setting, value: Any) -> str:
    """A value for editing, with secrets masked: a line for each item of a list or table, and text without quotes."""
    if setting.kind == "tables":
        return "\n".join(map(redact, _table_lines(value)))
    if isinstance(value, Mapping):
        return "\n".join(f"{name} = {item}" for name, item in value.items())
    if isinstance(value, tuple | list):
        return "\n".join(str(mask_value(setting.key, item)) for item in value)
    return str(mask_value(setting.key, value)) if isinstance(value, str) else toml_value(value)


def parse_edited(setting: Setting, text: str, before: Any) -> Any:
    """The value of an edited text; a masked secret is taken from the value ``before``.

    Raises:
        SettingsError: The value is not allowed or would fail when used, or contains only part of a masked secret.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    value: Any = text.strip()
    if setting.kind == "tables":
        hidden = {redact(line): line for line in _table_lines(before)}
        value = _tables(setting, "\n".join(_unmask(setting, line, hidden) for line in lines))
    elif setting.kind == "table":
        value = dict(_pair(setting, line) for line in lines)
    elif setting.kind == "texts":
        hidden = {str(mask_value(setting.key, item)): item for item in before}
        value = [_unmask(setting, line, hidden) for line in lines]
    elif setting.kind == "text":
        value = _unmask(setting, value, {str(mask_value(setting.key, before)): str(before)})
    value = allowed_value(setting.key, value)
    _check_usable(setting, value)
    return value


def save(setting: Setting, value: Any) -> Path:
    """Write a value, even the default, into the file of the user.

    Returns:
        Path of the file.

    Raises:
        SettingsError: The value is not allowed, or the file is not valid TOML; it is unchanged.
        StorageError: The file cannot be read or written.
    """
    return set_user_value(setting.section, setting.name, _plain(allowed_value(setting.key, value)))


def _plain(value: Any) -> Any:
    """A value without the types of the model: of a table of settings what differs from the defaults."""
    if not isinstance(value, Mapping):
        return value
    tables = {name: item for name, item in value.items() if isinstance(item, Section)}
    changed = {
        name: {
            field.name: list(own) if isinstance(own, tuple) else own
            for field in fields(item)
            if (own := getattr(item, field.name)) != field.default
        }
        for name, item in tables.items()
    }
    return {**value, **changed}


def reset(setting: Setting) -> Path:
    """Remove a setting from the file of the user.

    Returns:
        Path of the file.

    Raises:
        SettingsError: The file is not valid TOML; it is unchanged.
        StorageError: The file cannot be read or written.
    """
    return unset_user_value(setting.section, setting.name)


def _pair(setting: Setting, line: str) -> tuple[str, str]:
    name, equals, value = line.partition("=")
    if not equals or not name.strip():
        raise SettingsError(
            _("{key}: {line} names no value.", key=setting.key, line=repr(line)), _("Write NAME = VALUE, one a line.")
        )
    return name.strip().strip("\"'"), value.strip().strip("\"'")


def _table_lines(tables: Mapping[str, Any]) -> list[str]:
    return [f"{name} = {toml_value(table)}" for name, table in tables.items()]


def _tables(setting: Setting, text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(
            _("{key}: {reason}", key=setting.key, reason=str(error)), _('Write NAME = { command = ["…"] }, one a line.')
        ) from error


def _unmask(setting: Setting, text: str, hidden: Mapping[str, str]) -> str:
    if text in hidden:
        return hidden[text]
    if MASK in text:
        raise SettingsError(
            _("{key}: the stars stand for a secret that is not shown.", key=setting.key),
            _("Type the whole value, secret and all."),
        )
    return text


def _check_usable(setting: Setting, value: Any) -> None:
    """Raise `SettingsError` for a value that the file may contain, but that would fail when used."""
    if setting.key == "model.api_key_env":
        key_variables("", ModelSettings(api_key_env=value))
    if setting.key in ("model.name", "model.small"):
        provider, _model = split_name(value)
        if provider and provider_of(provider) is None and (similar := nearest_provider(provider)):
            raise SettingsError(
                _("There is no provider {name}.", name=repr(provider)), _("Did you mean {name}?", name=similar)
            )
