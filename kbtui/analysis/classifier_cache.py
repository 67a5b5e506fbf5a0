"""Caches the request classifier until the structures of the sources change."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from kbtui.analysis.request_classifier import RequestClassifier
from kbtui.analysis.source_names import names_in, values_in
from kbtui.domain.analysis import Schema
from kbtui.errors import DataSourceError

if TYPE_CHECKING:
    from kbtui.analysis.schema_manager import SchemaManager

_Structures = dict[str, tuple[Schema, Schema | None]]


class ClassifierCache:
    """The classifier for the current structures of the sources. Safe to call from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cached: tuple[object, RequestClassifier] = (None, RequestClassifier(()))

    def get(self, manager: SchemaManager | None, on_error: Callable[[DataSourceError], None]) -> RequestClassifier:
        """The classifier for the sources of ``manager``, or for no source.

        Columns are not read for it: a request may need no more than the names of tables (spec 004, requirement 2.1).
        Columns and values that are cached from an earlier question are used.

        Args:
            on_error: Called with the error of each source that cannot be read; such a source is left out.
        """
        structures = {} if manager is None else _read_structures(manager, on_error)
        key = tuple((name, basic.fingerprint, detailed is not None) for name, (basic, detailed) in structures.items())
        with self._lock:
            if self._cached[0] != key:
                self._cached = (key, _make_classifier(structures))
            return self._cached[1]


def _read_structures(manager: SchemaManager, on_error: Callable[[DataSourceError], None]) -> _Structures:
    """The basic structure of each source, with the detailed one if all of it is cached."""
    structures: _Structures = {}
    for name in manager.names:
        try:
            basic = manager.peek(name, "basic")
        except DataSourceError as error:
            on_error(error)
        else:
            structures[name] = (basic, manager.cached_detail(basic))
    return structures


def _make_classifier(structures: _Structures) -> RequestClassifier:
    names = {name: names_in(detailed or basic) for name, (basic, detailed) in structures.items()}
    values = {name: values_in(detailed) for name, (_, detailed) in structures.items() if detailed is not None}
    return RequestClassifier(tuple(names), names, values)
