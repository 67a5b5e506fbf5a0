"""Where a provider's key is found: the environment first, then the system's keyring. It is never a setting.

A key read here is known to `settings.secrets` from then on, so that no log or error message can show it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import SecretStr

from kbtui.errors import SettingsError, StorageError
from kbtui.settings.model import ModelSettings
from kbtui.settings.providers import provider_of, split_name
from kbtui.settings.secrets import learn_secret

SERVICE: Final = "kbtui"
"""The keyring's service; the user name is the provider."""

KEYRING_INSTALL: Final = "pip install 'kbtui[keyring]'"
MAX_KEY_CHARS: Final = 4000

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A key and where it was found.

    Attributes:
        value: Shows itself as stars; ``get_secret_value()`` is the key.
        origin: ``environment variable NAME`` or ``keyring entry kbtui/PROVIDER``.
    """

    value: SecretStr
    origin: str


def api_key(provider: str, settings: ModelSettings, environ: Mapping[str, str] = os.environ) -> Secret | None:
    """The key for a provider: the variable that ``model.api_key_env`` names, the provider's own, then the keyring.

    ``api_key_env`` is meant for the provider of ``model.name``; a small model of another provider has its own key.

    Raises:
        SettingsError: ``model.api_key_env`` holds something that is no variable's name.
    """
    for variable in key_variables(provider, settings):
        if value := environ.get(variable, "").strip():
            return _secret(value, f"environment variable {variable}")
    if value := _stored(provider)[0]:
        return _secret(value, f"keyring entry {SERVICE}/{provider}")
    return None


def key_variables(provider: str, settings: ModelSettings) -> tuple[str, ...]:
    """The environment variables that may hold a provider's key, in the order in which they are looked at.

    Raises:
        SettingsError: ``model.api_key_env`` holds something that is no variable's name.
    """
    row = provider_of(provider)
    own = row.key_variables if row else (f"{provider.upper()}_API_KEY",)
    named = settings.api_key_env.strip()
    if not named or split_name(settings.name)[0] not in ("", provider):
        return own
    if not _VARIABLE.fullmatch(named):
        learn_secret(named)
        raise SettingsError(
            "model.api_key_env must be the name of an environment variable.",
            "Write the name of the variable there, for example OPENAI_API_KEY, never the key.",
        )
    return tuple(dict.fromkeys((named, *own)))


def where_to_put_key(provider: str, settings: ModelSettings) -> str:
    """What to do when there is no key, in one or two sentences."""
    row = provider_of(provider)
    variable = key_variables(provider, settings)[0]
    problem = _stored(provider)[1]
    place = "" if problem else f", or store it with `kbtui config key set {provider}`"
    page = f" Keys are had at {row.key_page}." if row and row.key_page else ""
    return f"Set {variable}{place}{f' ({problem})' if problem else ''}.{page}"


def password_entry(source: str) -> str:
    """Under what name the keyring keeps the password of a data source: apart from providers, whatever it is called."""
    return "data_" + re.sub(r"[^a-z0-9_]", "_", source.lower())


def stored_password(source: str) -> str:
    """The password that the keyring holds for a data source; empty for none."""
    password = _stored(password_entry(source))[0]
    learn_secret(password)
    return password


def keyring_problem() -> str:
    """Why the keyring cannot be used, in a few words; empty when it can."""
    return _stored("")[1]


def store_key(provider: str, key: str) -> str:
    """Keep a key in the system's keyring.

    Returns:
        The name of the keyring.

    Raises:
        SettingsError: The key is empty or no single line, or the package is missing.
        StorageError: The keyring refused it.
    """
    key = key.strip()
    if not key or len(key) > MAX_KEY_CHARS or any(not char.isprintable() or char.isspace() for char in key):
        raise SettingsError("That is no key: it must be one line without spaces.", "Nothing was stored.")
    learn_secret(key)
    keyring = _keyring_or_raise()
    try:
        keyring.set_password(SERVICE, provider, key)
    # Backends are other people's plug-ins, over D-Bus and the like; they fail in ways of their own.
    except Exception as error:
        raise _refused(error, "Set the environment variable instead.") from error
    return _backend_name(keyring)


def forget_key(provider: str) -> bool:
    """Delete a key from the keyring.

    Returns:
        False when there was none.

    Raises:
        SettingsError: The package is missing.
        StorageError: The keyring refused.
    """
    keyring = _keyring_or_raise()
    try:
        if keyring.get_password(SERVICE, provider) is None:
            return False
        keyring.delete_password(SERVICE, provider)
    except Exception as error:
        raise _refused(error, "Delete the entry with the keyring's own program.") from error
    return True


def _secret(value: str, origin: str) -> Secret:
    learn_secret(value)
    return Secret(value=SecretStr(value), origin=origin)


def _stored(provider: str) -> tuple[str, str]:
    """What the keyring holds for a provider (empty for nothing), and why it could not be asked (empty when it was)."""
    try:
        import keyring
    except ImportError:
        return "", f"the keyring needs {KEYRING_INSTALL}"
    try:
        backend = keyring.get_keyring()
        if getattr(backend, "priority", 1) <= 0:
            return "", "no keyring runs here"
        return ((keyring.get_password(SERVICE, provider) or "").strip() if provider else ""), ""
    # A locked or broken keyring is as good as none: the environment remains.
    except Exception as error:  # noqa: BLE001
        return "", f"the keyring cannot be opened: {type(error).__name__}"


def _keyring_or_raise() -> Any:
    try:
        import keyring
    except ImportError as error:
        raise SettingsError(
            "Keys are stored with the package keyring, which is not installed.", KEYRING_INSTALL
        ) from error
    return keyring


def _backend_name(keyring: Any) -> str:
    backend = keyring.get_keyring()
    return str(getattr(backend, "name", "") or type(backend).__name__)


def _refused(error: Exception, hint: str) -> StorageError:
    return StorageError(f"The keyring refused: {type(error).__name__}.", hint)
