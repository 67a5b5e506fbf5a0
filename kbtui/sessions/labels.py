"""Names and pins that users give to sessions, in one file beside the recordings, which are never changed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from kbtui.errors import StorageError
from kbtui.regular_files import read_regular
from kbtui.sessions.locking import file_lock
from kbtui.settings.private import private_folder
from kbtui.text.terminal import one_line
from kbtui.whole_file import write_whole

FILE: Final = "labels.json"
MAX_NAME_CHARS: Final = 200
_MAX_FILE_BYTES: Final = 16 << 20


class Label(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The name and the pin that a user gave a session."""

    name: str = ""
    pinned: bool = False


class Labels:
    """The labels of the sessions in ``folder``, by their ids."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE

    def read(self) -> Mapping[str, Label]:
        """All labels by session id; empty where the file cannot be read, since lists work without labels."""
        try:
            return self._load()
        except (OSError, msgspec.MsgspecError):
            return {}

    def rename(self, session_id: str, name: str) -> None:
        """Give a session a name; an empty ``name`` removes it.

        Raises:
            StorageError: The file cannot be read or written; it is unchanged.
        """
        with self._edit() as labels:
            old = labels.get(session_id, Label())
            labels[session_id] = msgspec.structs.replace(old, name=one_line(name).strip()[:MAX_NAME_CHARS])

    def pin(self, session_id: str, pinned: bool) -> None:
        """Pin a session to the top of lists, or unpin it.

        Raises:
            StorageError: The file cannot be read or written; it is unchanged.
        """
        with self._edit() as labels:
            labels[session_id] = msgspec.structs.replace(labels.get(session_id, Label()), pinned=pinned)

    def forget(self, session_id: str) -> None:
        """Remove the label of a session.

        Raises:
            StorageError: The file cannot be read or written; it is unchanged.
        """
        if session_id in self.read():
            with self._edit() as labels:
                del labels[session_id]

    def _load(self) -> dict[str, Label]:
        try:
            data = read_regular(self.path, _MAX_FILE_BYTES)
        except FileNotFoundError:
            return {}
        return msgspec.json.decode(data, type=dict[str, Label])

    @contextlib.contextmanager
    def _edit(self) -> Iterator[dict[str, Label]]:
        """The labels, written back after the block; a lock makes two programs that change them wait for each other."""
        try:
            with _folder_lock(private_folder(self.path.parent)):
                labels = self._load()
                yield labels
                kept = {name: label for name, label in sorted(labels.items()) if label != Label()}
                write_whole(self.path, msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
        except msgspec.MsgspecError as error:
            raise StorageError(f"{self.path} is damaged: {error}.", "Mend it, or move it away.") from error
        except OSError as error:
            raise StorageError(
                f"{self.path} cannot be written: {error.strerror or error}.", f"Check {self.path.parent}."
            ) from error


@contextlib.contextmanager
def _folder_lock(folder: Path) -> Iterator[None]:
    fd = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with file_lock(fd):
            yield
    finally:
        os.close(fd)
