"""Every setting with what is in effect, what the user's own file says, and a change of that file.

What is in effect may come from elsewhere: a flag, a variable, the folder's file. What is saved then changes nothing
here, and whoever changes it is to be told.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from kbtui.errors import SettingsError
from kbtui.settings.keys import key_variables
from kbtui.settings.load import LoadedSettings, Origin, allowed_value, load_settings, value_of
from kbtui.settings.model import ModelSettings
from kbtui.settings.providers import nearest_provider, provider_of, split_name
from kbtui.settings.reference import Setting, all_settings, toml_value
from kbtui.settings.secrets import MASK, masked
from kbtui.settings.write import set_user_value, unset_user_value


class ListedSetting(Struct, frozen=True, kw_only=True):
    """One setting here and now.

    Attributes:
        value: In effect.
        origin: Where that came from.
        own: What the user's file says; the default where it says nothing.
        is_saved: True when the user's file names it.
    """

    setting: Setting
    value: Any
    origin: Origin
    own: Any
    is_saved: bool = False

    @property
    def is_overridden(self) -> bool:
        """True when what the user's file says has no effect here."""
        return self.origin.kind not in ("default", "user")


def list_settings(loaded: LoadedSettings) -> tuple[ListedSetting, ...]:
    """All settings, those at the top level last, as ``loaded`` has them.

    Raises:
        SettingsError: The user's file is wrong.
    """
    own = load_settings(environ={})
    return tuple(
        ListedSetting(
            setting=setting,
            value=value_of(loaded.settings, key),
            origin=loaded.origins[key],
            own=value_of(own.settings, key),
            is_saved=own.origins[key].kind == "user",
        )
        for key, setting in all_settings().items()
    )


def shown(setting: Setting, value: Any) -> str:
    """A value as it stands in the file, without secrets."""
    if isinstance(value, Mapping):
        return toml_value({name: masked("", item) for name, item in value.items()})
    return toml_value(masked(setting.key, value))


def written(setting: Setting, value: Any) -> str:
    """A value as it is edited: an item a line for lists and tables, texts without quotes; without secrets."""
    if isinstance(value, Mapping):
        return "\n".join(f"{name} = {item}" for name, item in value.items())
    if isinstance(value, tuple | list):
        return "\n".join(str(masked(setting.key, item)) for item in value)
    return str(masked(setting.key, value)) if isinstance(value, str) else toml_value(value)


def read_written(setting: Setting, text: str, before: Any) -> Any:
    """What was written, as the settings hold it. A secret that was not shown is taken from ``before``.

    Raises:
        SettingsError: It is not allowed, or cannot be meant; or only a part of a hidden secret is left in it.
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    value: Any = text.strip()
    if setting.kind == "table":
        value = dict(_pair(setting, line) for line in lines)
    elif setting.kind == "texts":
        hidden = {str(masked(setting.key, item)): item for item in before}
        value = [_unmasked(setting, line, hidden) for line in lines]
    elif setting.kind == "text":
        value = _unmasked(setting, value, {str(masked(setting.key, before)): str(before)})
    value = allowed_value(setting.key, value)
    _check_meaning(setting, value)
    return value


def save(setting: Setting, value: Any) -> Path:
    """Write a value into the user's file, be it the default.

    Returns:
        The file.

    Raises:
        SettingsError: The value is not allowed, or the file is not valid TOML; it is left alone.
        StorageError: The file cannot be read or written.
    """
    return set_user_value(setting.section, setting.name, allowed_value(setting.key, value))


def reset(setting: Setting) -> Path:
    """Take a setting out of the user's file.

    Returns:
        The file.

    Raises:
        SettingsError: The file is not valid TOML; it is left alone.
        StorageError: The file cannot be read or written.
    """
    return unset_user_value(setting.section, setting.name)


def _pair(setting: Setting, line: str) -> tuple[str, str]:
    name, equals, value = line.partition("=")
    if not equals or not name.strip():
        raise SettingsError(f"{setting.key}: {line!r} names no value.", "Write NAME = VALUE, one a line.")
    return name.strip().strip("\"'"), value.strip().strip("\"'")


def _unmasked(setting: Setting, text: str, hidden: Mapping[str, str]) -> str:
    if text in hidden:
        return hidden[text]
    if MASK in text:
        raise SettingsError(
            f"{setting.key}: the stars stand for a secret that is not shown.", "Type the whole value, secret and all."
        )
    return text


def _check_meaning(setting: Setting, value: Any) -> None:
    """Refuse what is allowed in the file and fails when it is used."""
    if setting.key == "model.api_key_env":
        key_variables("", ModelSettings(api_key_env=value))
    if setting.key in ("model.name", "model.small"):
        provider, _ = split_name(value)
        if provider and provider_of(provider) is None and (near := nearest_provider(provider)):
            raise SettingsError(f"There is no provider {provider!r}.", f"Did you mean {near}?")
