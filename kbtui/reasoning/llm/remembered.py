"""What is remembered of chat models between runs, by name and address: the mode they work in, and their record."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from kbtui.reasoning.checking.trust import Record
from kbtui.settings import paths
from kbtui.settings.model import ModelSettings
from kbtui.settings.private import private_folder
from kbtui.whole_file import write_whole

MODES_FILE: Final = "model_modes.json"
RECORDS_FILE: Final = "model_records.json"
"""Names of the files in the cache folder."""

_MAX_ENTRIES: Final = 200


class Remembered:
    """One value for each model, kept on disk.

    A file that cannot be read or written counts as empty, so the next run finds the value out again.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, settings: ModelSettings) -> Any:
        """The value for the model of these settings, as JSON has it; None if there is none."""
        return self._read().get(_key(settings))

    def put(self, settings: ModelSettings, value: object) -> None:
        """Keep a value; the newest of too many stay."""
        values = self._read()
        values.pop(_key(settings), None)
        newest = dict([*values.items(), (_key(settings), value)][-_MAX_ENTRIES:])
        try:
            private_folder(self._path.parent)
            write_whole(self._path, json.dumps(newest, indent=1).encode())
        except OSError:
            return

    def _read(self) -> dict[str, Any]:
        try:
            values = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return {}
        return values if isinstance(values, dict) else {}


def remembered(name: str) -> Remembered:
    """What this user's runs remember under a name (`MODES_FILE`, `RECORDS_FILE`)."""
    return Remembered(paths.cache_dir() / name)


def record_of(settings: ModelSettings) -> Record:
    """The record of a model; an empty one if nothing is known of it."""
    odds = remembered(RECORDS_FILE).get(settings)
    return Record(float(odds)) if isinstance(odds, (int, float)) and odds == odds else Record()


def keep_record(settings: ModelSettings, record: Record) -> None:
    """Keep the record of a model."""
    remembered(RECORDS_FILE).put(settings, round(record.odds, 2))


def _key(settings: ModelSettings) -> str:
    return hashlib.sha256(f"{settings.name.strip()} {settings.base_url.strip()}".encode()).hexdigest()[:24]
