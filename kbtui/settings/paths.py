"""The files and folders of kbtui, in the XDG folders on every platform.

The environment is read at each call, so that a change of ``XDG_CACHE_HOME`` takes effect at once.
"""

from __future__ import annotations

import os
from pathlib import Path


def _xdg(variable: str, fallback: str) -> Path:
    """The folder of kbtui in an XDG base folder; a relative value is ignored, as the XDG specification says."""
    value = os.environ.get(variable, "")
    base = Path(value) if value and Path(value).is_absolute() else Path.home() / fallback
    return base / "kbtui"


def short_digest(data: bytes) -> str:
    """The first 16 hex digits of the SHA-256 of ``data``, for names of files."""
    # OpenSSL is loaded by this import, which takes milliseconds that the first frame of a screen does not need.
    import hashlib

    return hashlib.sha256(data).hexdigest()[:16]


def config_dir() -> Path:
    return _xdg("XDG_CONFIG_HOME", ".config")


def data_dir() -> Path:
    return _xdg("XDG_DATA_HOME", ".local/share")


def cache_dir() -> Path:
    return _xdg("XDG_CACHE_HOME", ".cache")


def state_dir() -> Path:
    return _xdg("XDG_STATE_HOME", ".local/state")


def config_file() -> Path:
    """The settings file of the user."""
    return config_dir() / "config.toml"


def folder_file(root: Path) -> Path:
    """The settings file of a knowledge base."""
    return root / ".kbtui.toml"


def themes_dir() -> Path:
    """The folder of the themes of the user."""
    return config_dir() / "themes"


def sessions_dir() -> Path:
    return data_dir() / "sessions"


def published_dir() -> Path:
    """The folder of what was fetched of published collections."""
    return cache_dir() / "published"


def joined_dir() -> Path:
    """The folder of the folders of links that stand for several folders."""
    return data_dir() / "joined"


def index_dir(root: Path) -> Path:
    """The folder of the index of a knowledge base, named after it and a hash of its absolute path.

    A generation of a published collection has its index beside it.
    """
    resolved = root.resolve()
    if len(resolved.parents) > 2 and resolved.parents[2] == published_dir().resolve():
        return resolved.parent / "index"
    digest = short_digest(str(resolved).encode("utf-8", "surrogateescape"))
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in resolved.name)[:40] or "root"
    return cache_dir() / "indexes" / f"{name}-{digest}"


def audit_file() -> Path:
    """The audit log with the decisions of each run."""
    return state_dir() / "audit.jsonl"
