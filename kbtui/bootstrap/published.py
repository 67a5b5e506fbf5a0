"""The published collection of a backend: the generation in use, and preparing the next one in the background."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator
from datetime import date
from typing import TYPE_CHECKING
from weakref import WeakMethod

from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import IndexCorrupt, KbtuiError, RemoteError
from kbtui.publishing.base import PublishedBase
from kbtui.publishing.collection import Collection, Generation
from kbtui.settings.model import Settings

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase

log = logging.getLogger(__name__)


class PublishedSide:
    """Provides each question with the newest ready generation, which the question keeps until its end.

    Args:
        url: Address of the collection.
        today: As of `BackendParts`.
    """

    def __init__(self, url: str, settings: Settings, today: Callable[[], date]) -> None:
        self._settings = settings
        self._today = today
        self._collection = Collection(url, settings.published)
        self._lock = threading.RLock()
        self._base: PublishedBase | None = None
        self._next: PublishedBase | None = None
        self._questions = 0
        self._follows = False

    @contextlib.contextmanager
    def question(self, emit: Emit, cancel: CancelToken) -> Iterator[None]:
        """Keep the same generation within the block; a warning says where it may not be the newest.

        Raises:
            RemoteError: The copy of the collection on this machine was damaged within the block; the next question
                fetches it anew.
            KbtuiError: As `Collection.open`, where no generation was opened before.
        """
        with self._lock:
            self.base(emit, cancel)
            self._questions += 1
        try:
            if (warning := self._collection.warning()) is not None:
                emit(warning)
            yield
        except IndexCorrupt as error:
            with self._lock:
                self._base = self._next = None
                self._collection.drop()
            raise RemoteError(
                f"The copy of {self._collection.url} on this machine was damaged.", "Ask again: it is fetched anew."
            ) from error
        finally:
            with self._lock:
                self._questions -= 1

    def base(self, emit: Emit = lambda _: None, cancel: CancelToken | None = None) -> KnowledgeBase:
        """The generation that is asked.

        Raises:
            KbtuiError: As `question`.
        """
        with self._lock:
            if self._base is None:
                generation = self._collection.open(emit, cancel or CancelToken())
                self._base = PublishedBase(generation, self._settings)
                if not self._follows:
                    self._collection.follow(WeakMethod(self._prepare))
                    self._follows = True
            elif self._next is not None and not self._questions:
                self._base, self._next = self._next, None
            return self._base

    def look(self) -> None:
        """Look for a newer generation now; blocks."""
        if self._base is not None and (generation := self._collection.look()) is not None:
            self._prepare(generation)

    def _prepare(self, generation: Generation) -> None:
        """Open a newer generation, so that the question that switches to it does not wait."""
        from kbtui.records.opened import reader_of

        if self._base is None:
            return
        base = PublishedBase(generation, self._settings)
        base.share_model(self._base)
        try:
            base.warm()
            reader_of(base, self._today).warm()
        except KbtuiError as error:
            log.warning("the generation %s cannot be used: %s", generation.pointer.generation, error)
            return
        with self._lock:
            self._next = base
