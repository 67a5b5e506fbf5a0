"""API keys and passwords, from the environment first and then from the keyring of the system; they are never settings.

Every key read here is registered with `settings.secrets`, so that no log or error message can contain it.
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
"""Service name in the keyring; the user name is the provider."""

KEYRING_INSTALL: Final = "pip install 'kbtui[keyring]'"
MAX_KEY_CHARS: Final = 4000

_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A key with its origin.

    Attributes:
        value: Printed as stars; ``get_secret_value()`` is the key.
        origin: ``environment variable NAME`` or ``keyring entry kbtui/PROVIDER``.
    """

    value: SecretStr
    origin: str


def api_key(provider: str, settings: ModelSettings, environ: Mapping[str, str] = os.environ) -> Secret | None:
    """The key for a provider, from the variable in ``model.api_key_env``, those of the provider, or the keyring.

    ``api_key_env`` applies to the provider of ``model.name``; a small model of another provider has its own key.

    Raises:
        SettingsError: ``model.api_key_env`` is not the name of a variable.
    """
    for variable in key_variables(provider, settings):
        if value := environ.get(variable, "").strip():
            return _secret(value, f"environment variable {variable}")
    if value := _read_keyring(provider)[0]:
        return _secret(value, f"keyring entry {SERVICE}/{provider}")
    return None


def key_variables(provider: str, settings: ModelSettings) -> tuple[str, ...]:
    """The environment variables that may hold the key of a provider, in the order in which they are read.

    Raises:
        SettingsError: ``model.api_key_env`` is not the name of a variable.
    """
    row = provider_of(provider)
    provider_variables = row.key_variables if row else (f"{provider.upper()}_API_KEY",)
    configured = settings.api_key_env.strip()
    if not configured or split_name(settings.name)[0] not in ("", provider):
        return provider_variables
    if not _VARIABLE.fullmatch(configured):
        learn_secret(configured)
        raise SettingsError(
            "model.api_key_env must be the name of an environment variable.",
            "Write the name of the variable there, for example OPENAI_API_KEY, never the key.",
        )
    return tuple(dict.fromkeys((configured, *provider_variables)))


def missing_key_hint(provider: str, settings: ModelSettings) -> str:
    """One or two sentences on how to set the key of a provider."""
    row = provider_of(provider)
    variable = key_variables(provider, settings)[0]
    problem = _read_keyring(provider)[1]
    place = "" if problem else f", or store it with `kbtui config key set {provider}`"
    page = f" Keys are had at {row.key_page}." if row and row.key_page else ""
    return f"Set {variable}{place}{f' ({problem})' if problem else ''}.{page}"


def password_entry(source: str) -> str:
    """The user name in the keyring for the password of a data source; its prefix keeps it apart from providers."""
    return "data_" + re.sub(r"[^a-z0-9_]", "_", source.lower())


def stored_password(source: str) -> str:
    """The password of a data source in the keyring; empty where there is none."""
    password = _read_keyring(password_entry(source))[0]
    learn_secret(password)
    return password


def keyring_problem() -> str:
    """Why the keyring cannot be used, in a few words; empty where it can."""
    return _read_keyring("")[1]


def store_key(provider: str, key: str) -> str:
    """Store a key in the keyring of the system.

    Returns:
        The name of the keyring.

    Raises:
        SettingsError: The key is empty or not one line, or the package is missing.
        StorageError: The keyring refused it.
    """
    key = key.strip()
    if not key or len(key) > MAX_KEY_CHARS or any(not char.isprintable() or char.isspace() for char in key):
        raise SettingsError("That is no key: it must be one line without spaces.", "Nothing was stored.")
    learn_secret(key)
    keyring = _require_keyring()
    try:
        keyring.set_password(SERVICE, provider, key)
    # Backends are third-party plug-ins, which raise errors of their own.
    except Exception as error:
        raise _keyring_error(error, "Set the environment variable instead.") from error
    return _backend_name(keyring)


def forget_key(provider: str) -> bool:
    """Delete a key from the keyring.

    Returns:
        False where there was none.

    Raises:
        SettingsError: The package is missing.
        StorageError: The keyring refused.
    """
    keyring = _require_keyring()
    try:
        if keyring.get_password(SERVICE, provider) is None:
            return False
        keyring.delete_password(SERVICE, provider)
    except Exception as error:
        raise _keyring_error(error, "Delete the entry with the keyring's own program.") from error
    return True


def _secret(value: str, origin: str) -> Secret:
    learn_secret(value)
    return Secret(value=SecretStr(value), origin=origin)


def _read_keyring(provider: str) -> tuple[str, str]:
    """The keyring entry of a provider, and why the keyring could not be read; each is empty where there is none."""
    try:
        import keyring
    except ImportError:
        return "", f"the keyring needs {KEYRING_INSTALL}"
    try:
        backend = keyring.get_keyring()
        if getattr(backend, "priority", 1) <= 0:
            return "", "no keyring runs here"
        return ((keyring.get_password(SERVICE, provider) or "").strip() if provider else ""), ""
    # A locked or broken keyring counts as none, and the environment remains.
    except Exception as error:  # noqa: BLE001
        return "", f"the keyring cannot be opened: {type(error).__name__}"


def _require_keyring() -> Any:
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


def _keyring_error(error: Exception, hint: str) -> StorageError:
    return StorageError(f"The keyring refused: {type(error).__name__}.", hint)
