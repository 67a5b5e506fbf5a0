"""Addresses of published collections, and where their copies are kept on this machine.

A collection is an index with its texts on object storage (``s3://bucket/prefix``). On this machine it is a folder in
the cache: everything that takes the path of a folder takes it, and ``url_of`` tells it apart. Layout of the cache::

    published/objects/ab/ab12…          what was fetched, by its SHA-256
    published/<digest of the address>/url
    published/<digest>/<name>           a link to g-<generation>/<name>: the folder that is asked
    published/<digest>/g-<generation>/<name>, index, manifest.json

Nothing here reaches the network.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from kbtui.errors import UsageError
from kbtui.late_patterns import pattern
from kbtui.settings import paths
from kbtui.settings.private import private_folder
from kbtui.text.terminal import one_line
from kbtui.whole_file import write_whole

SCHEME: Final = "s3://"
URL_FILE: Final = "url"
NOTHING: Final = ".nothing"
"""The empty folder that a collection is until its first generation is fetched."""

_FORM: Final = "An address has the form s3://bucket/prefix."
_BUCKET: Final = pattern(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_MAX_URL_CHARS: Final = 1_000


def is_url(text: str) -> bool:
    """Whether ``text`` is meant as the address of a collection, well-formed or not."""
    return text.lower().startswith(SCHEME)


def split_url(url: str) -> tuple[str, str]:
    """The bucket and the prefix, without a slash at either end, of an address.

    Raises:
        UsageError: It is no address of a collection; a part that may be a password is not repeated.
    """
    bucket, _, prefix = url[len(SCHEME) :].partition("/")
    prefix = prefix.strip("/")
    if "@" in bucket:
        raise UsageError(
            "The address of a collection holds no credentials.",
            "Leave them out: they come from the environment, a profile (AWS_PROFILE) or the role of the machine.",
        )
    if len(url) > _MAX_URL_CHARS or not is_url(url) or not _BUCKET.fullmatch(bucket):
        raise UsageError(f"{one_line(url, 200)} is no address of a collection.", _FORM)
    if not prefix or not prefix.isprintable() or any(part in ("", ".", "..") for part in prefix.split("/")):
        raise UsageError(
            f"{one_line(url, 200)} has no prefix that a collection can have.",
            "Name the collection within its bucket: s3://bucket/prefix.",
        )
    return bucket, prefix


def collection_url(text: str, names: Mapping[str, str]) -> str:
    """The address that ``text`` means: itself, or that of the collection of this name; empty for a folder.

    Raises:
        UsageError: It is an address, or the name of one, that is not well-formed.
    """
    url = text if is_url(text) else names.get(text, "")
    if not url:
        return ""
    if not is_url(url):
        raise UsageError(f"The collection {one_line(text, 80)} has no address of object storage.", _FORM)
    bucket, prefix = split_url(url)
    return f"{SCHEME}{bucket}/{prefix}"


def local_root(url: str) -> Path:
    """The folder that stands for a collection on this machine; made where it is not there, empty at first.

    Raises:
        OSError: It cannot be made.
    """
    home = home_of(url)
    root = home / _name_of(url)
    if not root.is_symlink():
        private_folder(home / NOTHING)
        write_whole(home / URL_FILE, url.encode())
        # Another process may make it meanwhile.
        with contextlib.suppress(FileExistsError):
            root.symlink_to(NOTHING)
    return root


def home_of(url: str) -> Path:
    """Where the generations of a collection are kept; it need not exist."""
    return paths.published_dir() / paths.short_digest(url.encode())


def url_of(root: Path) -> str:
    """The address of the collection whose folder, or one of whose generations, is ``root``; empty for other folders."""
    top = paths.published_dir()
    for path in (root, root.resolve()):
        for base in (top, top.resolve()):
            if path.is_relative_to(base) and (parts := path.relative_to(base).parts):
                try:
                    return (base / parts[0] / URL_FILE).read_text("utf-8")
                except (OSError, UnicodeDecodeError):
                    return ""
    return ""


def location_of(root: Path) -> str:
    """What events and sessions call a folder: the address of a collection, else its path."""
    return url_of(root) or str(root)


def root_of(location: str) -> Path:
    """The folder of this machine for what `location_of` gave, perhaps elsewhere; it need not exist."""
    return home_of(location) / _name_of(location) if is_url(location) else Path(location)


def is_same_folder(location: str, root: Path) -> bool:
    """Whether `location_of` gave ``location`` for this very folder."""
    folder = root_of(location)
    return folder.is_absolute() and folder.resolve() == root.resolve()


def _name_of(url: str) -> str:
    """The last part of the prefix as the name of a folder."""
    name = "".join(c if c.isalnum() or c in "-_ ." else "-" for c in url.rpartition("/")[2])[:60].strip(". ")
    return f"{name}-" if not name or name.startswith("g-") or name == URL_FILE else name
