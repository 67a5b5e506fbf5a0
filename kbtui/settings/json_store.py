"""Values that are kept between runs in a folder of the cache: a file of JSON each, never pickle, which can run code.

Nothing depends on a value that was kept: what cannot be read is missing, and what cannot be written is not kept.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, Generic, TypeVar

import msgspec

from kbtui.settings.private import private_folder
from kbtui.settings.secrets import without_known_secrets
from kbtui.whole_file import write_whole

Value = TypeVar("Value")

_FAILURES: Final = (OSError, ValueError, TypeError, OverflowError, RecursionError, msgspec.MsgspecError)


class JsonStore(Generic[Value]):
    """Values of one type by key.

    Args:
        folder: Created when the first value is kept; only its owner may read it, for values are as private as the data.
        value: The type of a value.
        max_bytes: Total size of the files; the oldest are deleted above it.
        max_age_s: Age from which files are deleted, when another value is kept.
    """

    def __init__(self, folder: Path, value: type[Value], *, max_bytes: int, max_age_s: float = float("inf")) -> None:
        self._folder = folder
        self._decoder = msgspec.json.Decoder(value)
        self._max_bytes = max_bytes
        self._max_age_s = max_age_s

    def get(self, key: str) -> Value | None:
        """The value of a key, which is fit to be the name of a file; None if there is none."""
        try:
            return self._decoder.decode(self._file(key).read_bytes())
        except _FAILURES:
            return None

    def put(self, key: str, value: Value) -> None:
        """Keep a value, with the secrets of this process masked: a server may repeat a key in its answer."""
        try:
            private_folder(self._folder)
            write_whole(self._file(key), without_known_secrets(msgspec.json.encode(value).decode()).encode())
            self._delete_old()
        except _FAILURES as error:
            logging.getLogger(__name__).warning("%s: a value was not kept: %s", self._folder.name, type(error).__name__)

    def delete(self, key: str) -> None:
        """Delete the value of a key, if there is one."""
        with suppress(OSError):
            self._file(key).unlink(missing_ok=True)

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _delete_old(self) -> None:
        # Whatever is in the folder, earlier versions kept their values in other files.
        files = [(file.stat(), file) for file in self._folder.rglob("*") if file.is_file()]
        oldest, size = time.time() - self._max_age_s, 0
        for status, file in sorted(files, key=lambda entry: -entry[0].st_mtime):
            size += status.st_size
            if size > self._max_bytes or status.st_mtime < oldest:
                file.unlink(missing_ok=True)
