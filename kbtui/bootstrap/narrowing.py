"""A question that mentions files or tables behind an ``@`` is asked of these alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Self

from kbtui.bootstrap.backend import KnowledgeBackend
from kbtui.domain.conversation import Turn
from kbtui.domain.events import RequestClassified
from kbtui.domain.ports import CancelToken, Emit, RunSummary
from kbtui.domain.routing import Signal
from kbtui.runs.audit import Audit
from kbtui.text.mentions import Named, may_mention, mentions, names_of_files


class NarrowingBackend(KnowledgeBackend):
    """Answers from the files, or from the tables, that a question mentions; from everything where it mentions none.

    Files go before tables: a question that mentions both is asked of the files.
    """

    def names(self) -> tuple[Named, ...]:
        """What a question can mention."""
        files = self.knowledge.file_records() if self.knowledge.index.exists else []
        return (*names_of_files(record.path for record in files), *self._data.names())

    def _answered(
        self, query: str, emit: Emit, cancel: CancelToken, history: tuple[Turn, ...], audit: Audit
    ) -> RunSummary:
        if not may_mention(query):
            return super()._answered(query, emit, cancel, history, audit)
        if self._has_documents():
            self.knowledge.ensure_fresh(emit, cancel)
        named = {one.name: one.kind for one in self.names()}
        of_data = [name for name, kind in named.items() if kind in ("table", "column")]
        found = mentions(query, named, spoken=of_data)
        wanted = {name: named[name] for name in found.names if name not in of_data}
        if wanted:
            return self._asked_of(wanted, found.text, emit, cancel, history, audit)
        side = copy(self)
        side._asks_folder = not found.names
        return super(NarrowingBackend, side)._answered(found.text, emit, cancel, history, audit)

    def _asked_of(
        self,
        wanted: Mapping[str, str],
        query: str,
        emit: Emit,
        cancel: CancelToken,
        history: tuple[Turn, ...],
        audit: Audit,
    ) -> RunSummary:
        """One run over these files and folders alone."""
        detail = ", ".join(wanted)
        emit(RequestClassified(request_type="knowledge", signals=(Signal(name="mentioned", detail=detail),)))
        folders = tuple(name for name, kind in wanted.items() if kind == "folder")
        records = self.knowledge.file_records()
        paths = [record.path for record in records if record.path in wanted or record.path.startswith(folders)]
        with self._over(paths, emit, cancel) as side:
            client = side._models.client(emit, cancel, audit)
            # A name alone asks what there is under it.
            return side._asked(query or detail, emit, cancel, history, client, audit, side._toolbox(emit, cancel))

    @contextmanager
    def _over(self, paths: Sequence[str], emit: Emit, cancel: CancelToken) -> Iterator[Self]:
        """The same backend over these indexed files alone, within the block."""
        from kbtui.knowledge.search.first_look import narrowed

        with narrowed(self.knowledge, self._settings, paths, emit, cancel) as look:
            side = copy(self)
            side._knowledge, side._reasoner, side._answer_checker = look, None, None
            side._tells_of_vectors = False
            yield side
