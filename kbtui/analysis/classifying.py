"""The request classifier of the sources there are, made once for as long as their structures stay what they are."""

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

_Known = dict[str, tuple[Schema, Schema | None]]


class Classifiers:
    """Gives the classifier for the structures as they are now. Safe to call from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: tuple[object, RequestClassifier] = (None, RequestClassifier(()))

    def now(self, manager: SchemaManager | None, tell: Callable[[DataSourceError], None]) -> RequestClassifier:
        """The classifier for the sources of ``manager``; for None, that of no source.

        Nothing is read in detail for it: a request may need no more than the names of the tables (spec 004,
        requirement 2.1). Where columns and values are known from an earlier question, they count.

        Args:
            tell: Told of each source that cannot be read; it is left out.
        """
        known = {} if manager is None else _known(manager, tell)
        key = tuple((name, basic.fingerprint, whole is not None) for name, (basic, whole) in known.items())
        with self._lock:
            if self._made[0] != key:
                self._made = (key, _made(known))
            return self._made[1]


def _known(manager: SchemaManager, tell: Callable[[DataSourceError], None]) -> _Known:
    """By source, its structure, and that in detail where it is kept whole."""
    known: _Known = {}
    for name in manager.names:
        try:
            basic = manager.peek(name, "basic")
        except DataSourceError as error:
            tell(error)
        else:
            known[name] = (basic, manager.known_whole(basic))
    return known


def _made(known: _Known) -> RequestClassifier:
    names = {name: names_in(whole or basic) for name, (basic, whole) in known.items()}
    values = {name: values_in(whole) for name, (_, whole) in known.items() if whole is not None}
    return RequestClassifier(tuple(names), names, values)
