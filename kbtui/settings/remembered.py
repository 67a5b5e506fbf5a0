"""Values that are kept between runs in a file of JSON: small ones that are found out again where the file is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from kbtui.settings.private import private_folder
from kbtui.whole_file import write_whole

_MAX_ENTRIES: Final = 200


class Remembered:
    """Values by key, kept on disk.

    A file that cannot be read or written counts as empty, so the next run finds the values out again. Of two processes
    that write at once the later one wins.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last_read: tuple[tuple[int, int], dict[str, Any]] = (0, 0), {}

    def get(self, key: str) -> Any:
        """The value of a key, as JSON has it; None if there is none."""
        return self._read().get(key)

    def put(self, key: str, value: object) -> None:
        """Keep a value; the newest of too many stay."""
        values = dict(self._read())
        values.pop(key, None)
        newest = dict([*values.items(), (key, value)][-_MAX_ENTRIES:])
        try:
            private_folder(self._path.parent)
            write_whole(self._path, json.dumps(newest, indent=1).encode())
        except OSError:
            return

    def _read(self) -> dict[str, Any]:
        """The values by key, parsed again only where the file is another one: a question asks for a dozen."""
        try:
            status = self._path.stat()
            version = status.st_mtime_ns, status.st_ino
            if version != self._last_read[0]:
                values = json.loads(self._path.read_bytes())
                self._last_read = version, values if isinstance(values, dict) else {}
        except (OSError, ValueError):
            return {}
        return self._last_read[1]
