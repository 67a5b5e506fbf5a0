"""Several folders as one: a folder of the user's data with a link to each, named as the folder is cited.

``docs/setup.md`` below it is a file like any other: editors, previews and replays need know nothing of the links. The
folder is named after its members and lies below a hash of them, so that the same folders give the same one again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final

from msgspec import Struct

from kbtui.errors import StorageError, UsageError
from kbtui.settings import paths
from kbtui.settings.private import private_folder
from kbtui.settings.published import url_of
from kbtui.text.terminal import one_line

_MAX_NAME: Final = 40
_MAX_TITLE: Final = 100
MAX_FOLDERS: Final = 60


class NamedFolder(Struct, frozen=True):
    """A folder and the name that its files are cited by; without one it is named after its last part."""

    path: Path
    name: str = ""


def joined_folder(folders: Sequence[NamedFolder]) -> Path:
    """The folder that stands for these: the folder itself where there is one, else a folder of links to them.

    Raises:
        UsageError: Two have one name, a name is no part of a path, or one folder lies in another.
        StorageError: The links cannot be made.
    """
    distinct = {folder.path.resolve(): folder for folder in reversed(folders)}
    folders = [folder for folder in folders if distinct[folder.path.resolve()] is folder]
    if len(folders) == 1:
        return folders[0].path
    if url := next(filter(None, map(url_of, distinct)), ""):
        raise UsageError(f"{one_line(url, 200)} is a published collection.", "A collection is asked by itself.")
    if len(folders) > MAX_FOLDERS:
        raise UsageError(f"These are {len(folders)} folders.", f"At most {MAX_FOLDERS} are asked at once.")
    for outer in distinct:
        for inner in distinct:
            if inner != outer and inner.is_relative_to(outer):
                raise UsageError(f"{inner} lies in {outer}, which is given too.", "Leave one of them out.")
    names = _unique_names(folders)
    targets = {name: folder.path.resolve() for name, folder in zip(names, folders, strict=True)}
    digest = paths.short_digest(
        "\0".join(f"{name}={target}" for name, target in targets.items()).encode("utf-8", "replace")
    )
    title = " + ".join(names)
    title = title if len(title) <= _MAX_TITLE else f"{title[:_MAX_TITLE]}…"
    place = paths.joined_dir() / digest / title
    try:
        private_folder(place)
        for name, target in targets.items():
            link = place / name
            if not (link.is_symlink() and link.readlink() == target):
                link.unlink(missing_ok=True)
                with suppress(FileExistsError):
                    link.symlink_to(target, target_is_directory=True)
    except OSError as error:
        raise StorageError(
            f"The folders cannot be joined in {paths.joined_dir()}: {error.strerror or error}.",
            "Check its permissions.",
        ) from error
    return place.resolve()


def members_of(root: Path) -> Mapping[str, Path]:
    """The folders that a folder of links stands for, by name; empty for any other folder."""
    try:
        if root.parent.parent != paths.joined_dir().resolve():
            return {}
        links = [Path(entry.path) for entry in os.scandir(root) if entry.is_symlink()]
    except (OSError, RuntimeError):
        return {}
    # In the order of the paths of their files: "docs-2/" comes before "docs/".
    return {link.name: link.resolve() for link in sorted(links, key=lambda link: f"{link.name}/")}


def file_in(root: Path, path: str) -> Path:
    """The place of a path relative to a folder: of several folders, in the one that it begins with."""
    name, _, within = path.partition("/")
    member = members_of(root).get(name)
    return member / within if member is not None else root / path


def is_within(root: Path, path: str) -> bool:
    """Whether a path relative to a folder leads to a place inside it, or inside one of the folders it stands for."""
    try:
        target = (root / path).resolve()
        member = members_of(root).get(PurePosixPath(path).parts[0]) if path else None
        return target.is_relative_to(member if member is not None else root.resolve())
    except (OSError, ValueError, RuntimeError, IndexError):
        return False


def _unique_names(folders: Sequence[NamedFolder]) -> list[str]:
    """The given names, and names made of the last part of each other path: ``docs``, ``docs-2``."""
    explicit_names = [folder.name for folder in folders if folder.name]
    for name in explicit_names:
        if (
            name in (".", "..")
            or "/" in name
            or "\\" in name
            or len(name) > _MAX_NAME
            or name != one_line(name).strip()
        ):
            raise UsageError(
                f"{one_line(name, 80)!r} is no name for a folder.", "A name is one part of a path: docs=PATH."
            )
        if explicit_names.count(name) > 1:
            raise UsageError(f"Two folders are named {name}.", "Give each a name of its own: docs=PATH.")
    used, names = {name.casefold() for name in explicit_names}, []
    for folder in folders:
        name = folder.name
        if not name:
            base = one_line(folder.path.resolve().name).strip().lstrip(".")[:_MAX_NAME] or "folder"
            name = next(
                choice
                for choice in (base, *(f"{base}-{number}" for number in range(2, MAX_FOLDERS + 2)))
                if choice.casefold() not in used
            )
            used.add(name.casefold())
        names.append(name)
    return names
