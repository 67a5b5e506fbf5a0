"""What is remembered of chat models between runs, by name and address: the mode they work in, and their record."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from kbtui.reasoning.checking.trust import Record
from kbtui.settings import paths
from kbtui.settings.model import ModelSettings
from kbtui.settings.remembered import Remembered

MODES_FILE: Final = "model_modes.json"
RECORDS_FILE: Final = "model_records.json"
"""Names of the files in the cache folder."""


def mode_of(settings: ModelSettings) -> Any:
    """The mode that a model works in: ``loop``, ``pipeline``, or anything else where it is not known."""
    return _file(MODES_FILE).get(_key(settings))


def keep_mode(settings: ModelSettings, mode: str) -> None:
    """Keep the mode of a model."""
    _file(MODES_FILE).put(_key(settings), mode)


def record_of(settings: ModelSettings) -> Record:
    """The record of a model; an empty one if nothing is known of it."""
    odds = _file(RECORDS_FILE).get(_key(settings))
    return Record(float(odds)) if isinstance(odds, (int, float)) and odds == odds else Record()


def keep_record(settings: ModelSettings, record: Record) -> None:
    """Keep the record of a model."""
    _file(RECORDS_FILE).put(_key(settings), round(record.odds, 2))


def _file(name: str) -> Remembered:
    return Remembered(paths.cache_dir() / name)


def _key(settings: ModelSettings) -> str:
    return hashlib.sha256(f"{settings.name.strip()} {settings.base_url.strip()}".encode()).hexdigest()[:24]
