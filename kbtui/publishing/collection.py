"""A published collection, opened for reading: its newest generation, and those that follow it.

Reading takes no lock on the storage and writes nothing there. Where the storage fails, the last generation that was
verified serves, and `Collection.warning` says so.
"""

from __future__ import annotations

import logging
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Final
from weakref import WeakMethod

from kbtui import __version__
from kbtui.domain.events import Warned
from kbtui.domain.ports import CancelToken, Emit
from kbtui.errors import Cancelled, KbtuiError, RemoteError
from kbtui.knowledge.store.index_tables import SCHEMA_VERSION
from kbtui.knowledge.store.locks import LockTimeout, exclusive_lock
from kbtui.publishing.cache import GENERATION_PREFIX, Cache, point_at, use
from kbtui.publishing.fetch import fetch, is_intact, read_current, read_local
from kbtui.publishing.manifest import Manifest, Pointer
from kbtui.publishing.storage import Storage
from kbtui.settings.model import PublishedSettings
from kbtui.settings.published import home_of, local_root
from kbtui.text.terminal import one_line

log = logging.getLogger(__name__)

_PATIENCE_S: Final = 600.0
"""How long another process may fetch a generation of the same collection."""


@dataclass(frozen=True, kw_only=True)
class Generation:
    """A generation on this machine; it stays there while this object exists.

    Attributes:
        root: The folder with its files.
    """

    root: Path
    pointer: Pointer
    url: str
    in_use: IO[bytes]

    @cached_property
    def manifest(self) -> Manifest:
        """What it consists of.

        Raises:
            RemoteError: It was changed on this machine.
            OSError: It was removed from this machine.
        """
        return read_local(self.root.parent, self.url)[1]


class Collection:
    """The generations of one collection; safe to use from several threads.

    Args:
        url: Its address.
    """

    def __init__(self, url: str, settings: PublishedSettings) -> None:
        self.url = url
        self._problem = ""
        self._settings = settings
        self._root = local_root(url)
        self._home = home_of(url)
        self._cache = Cache(settings.cache_mb)
        self._lock = threading.Lock()
        self._storage: Storage | None = None
        self._newest: Generation | None = None

    def open(self, emit: Emit, cancel: CancelToken) -> Generation:
        """Fetch the newest generation where it is not there yet, and return it.

        Where that fails, the last one that was verified is returned, and `warning` says so.

        Args:
            emit: Receives `Progress`, stage ``fetch``.

        Raises:
            RemoteError: None was ever fetched, and none can be.
            StorageError: The cache has no room for the first one.
            Cancelled: ``cancel`` was set.
        """
        with self._lock:
            if self._newest is None:
                self._newest = self._local()
            try:
                self._newest = self._fetched(emit, cancel)
                self._problem = ""
            except Cancelled:
                raise
            except KbtuiError as error:
                if self._newest is None:
                    raise
                log.info("the newest generation was not fetched: %s", error)
                self._problem = error.message
            return self._newest

    def drop(self) -> None:
        """Forget the generation that was opened; the next `open` looks whether its copy is still what was fetched."""
        with self._lock:
            self._newest = None

    def warning(self) -> Warned | None:
        """That the newest generation could not be fetched when it was last looked for, and why."""
        problem, newest = self._problem, self._newest
        if not problem or newest is None:
            return None
        published_at = one_line(newest.pointer.published_at, 16).replace("T", " ")
        return Warned(
            message=f"{problem} The answer is from what was published on {published_at} UTC.", where="published"
        )

    def follow(self, use_generation: WeakMethod[Callable[[Generation], None]]) -> None:
        """Look for newer generations in the background from now on, as long as the method's object exists.

        Args:
            use_generation: Called with each, in the thread that fetched it.
        """
        every_s, collection = self._settings.check_s, weakref.ref(self)

        def look() -> None:
            while True:
                time.sleep(every_s)
                this, take = collection(), use_generation()
                if this is None or take is None:
                    return
                if (newer := this.look()) is not None:
                    take(newer)
                del this, take

        threading.Thread(target=look, name="kbtui-published", daemon=True).start()

    def look(self) -> Generation | None:
        """Fetch a newer generation and return it; None where there is none. A failure is told by `warning`."""
        before = self._newest
        try:
            generation = self.open(lambda _: None, CancelToken())
        except KbtuiError as error:
            log.info("no newer generation was looked for: %s", error)
            return None
        return generation if generation is not before else None

    def _local(self) -> Generation | None:
        """The generation that was fetched last; None where there is none that can be used."""
        try:
            name = self._root.readlink().parts[0]
            if not name.startswith(GENERATION_PREFIX) or not is_intact(self._home / name, self.url):
                return None
            return self._used(self._home / name)
        except (OSError, RemoteError) as error:
            log.info("the generation in the cache cannot be used: %s", error)
            return None

    def _used(self, generation: Path) -> Generation:
        """A generation of this machine, kept from being removed.

        Raises:
            RemoteError: Its manifest was changed, or another version of kbtui published it.
            OSError: It was removed.
        """
        in_use = use(generation)
        pointer, manifest = read_local(generation, self.url)
        _check_version(manifest, self.url)
        return Generation(root=generation / self._root.name, pointer=pointer, url=self.url, in_use=in_use)

    def _fetched(self, emit: Emit, cancel: CancelToken) -> Generation:
        if self._storage is None:
            self._storage = Storage(self.url)
        pointer = read_current(self._storage)
        if self._newest is not None and self._newest.pointer == pointer:
            return self._newest
        try:
            with exclusive_lock(self._home / "lock", lambda: None, cancel, _PATIENCE_S):
                generation = fetch(self._storage, pointer, self._cache, self._home, self._root.name, emit, cancel)
                newest = self._used(generation)
                point_at(self._root, f"{generation.name}/{self._root.name}")
        except LockTimeout as error:
            raise RemoteError(
                f"Another kbtui has been fetching {self.url} for too long.", "Ask again later."
            ) from error
        return newest


def _check_version(manifest: Manifest, url: str) -> None:
    if manifest.schema != SCHEMA_VERSION:
        raise RemoteError(
            f"{url} was published by kbtui {manifest.program}, whose index this version ({__version__}) cannot read.",
            "Publish it again with this version, or use that one.",
        )
