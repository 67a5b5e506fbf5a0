"""Answers a question that mentions files or tables behind an ``@`` from these alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from typing import Self

from msgspec.structs import replace

from kbtui.bootstrap.backend import KnowledgeBackend
from kbtui.bootstrap.backend_parts import ActiveRun
from kbtui.domain.events import RequestClassified
from kbtui.domain.ports import RunSummary
from kbtui.domain.routing import Signal
from kbtui.text.mentions import Named, may_mention, mentions, names_of_files


class NarrowingBackend(KnowledgeBackend):
    """Answers from the files, or from the tables, that a question mentions; from everything where it mentions none.

    Files go before tables: a question that mentions both is asked of the files.
    """

    def names(self) -> tuple[Named, ...]:
        """The files, folders, tables and columns that a question can mention."""
        files = self.knowledge.file_records() if self.knowledge.index.exists else []
        return (*names_of_files(record.path for record in files), *self._data.names())

    def _answer(self, run: ActiveRun) -> RunSummary:
        if not may_mention(run.query):
            return super()._answer(run)
        if self._has_documents():
            self.knowledge.ensure_fresh(run.emit, run.cancel)
        kinds = {named.name: named.kind for named in self.names()}
        data_names = [name for name, kind in kinds.items() if kind in ("table", "column")]
        mentioned = mentions(run.query, kinds, spoken=data_names)
        file_kinds = {name: kinds[name] for name in mentioned.names if name not in data_names}
        run = replace(run, query=mentioned.text)
        if file_kinds:
            return self._answer_from_files(file_kinds, run)
        backend = copy(self)
        backend._asks_folder = not mentioned.names
        return super(NarrowingBackend, backend)._answer(run)

    def _answer_from_files(self, kinds: Mapping[str, str], run: ActiveRun) -> RunSummary:
        """Answer from the mentioned files and folders alone.

        Args:
            kinds: ``file`` or ``folder``, by path.
        """
        detail = ", ".join(kinds)
        run.emit(RequestClassified(request_type="knowledge", signals=(Signal(name="mentioned", detail=detail),)))
        folders = tuple(name for name, kind in kinds.items() if kind == "folder")
        records = self.knowledge.file_records()
        paths = [record.path for record in records if record.path in kinds or record.path.startswith(folders)]
        with self._restricted_to(paths, run) as restricted:
            # A question of nothing but names asks what is stored under them.
            run = replace(run, query=run.query or detail)
            return restricted._answer_from_documents(restricted._begin(run))

    @contextmanager
    def _restricted_to(self, paths: Sequence[str], run: ActiveRun) -> Iterator[Self]:
        """A copy of this backend over these indexed files alone, valid within the block."""
        from kbtui.knowledge.search.first_look import narrowed

        with narrowed(self.knowledge, self._settings, paths, run.emit, run.cancel) as knowledge:
            backend = copy(self)
            backend._knowledge, backend._reasoner, backend._answer_checker = knowledge, None, None
            backend._warns_of_vectors = False
            backend._published = None
            yield backend
