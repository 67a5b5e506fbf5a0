"""Answers a question that names files, tables or conditions on documents behind an ``@`` from these alone."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final, Self

from msgspec import Struct
from msgspec.structs import replace

from kbtui.bootstrap.backend import KnowledgeBackend
from kbtui.bootstrap.backend_parts import ActiveRun
from kbtui.domain.events import AnswerCompleted, RequestClassified
from kbtui.domain.ports import RunSummary
from kbtui.domain.routing import Signal
from kbtui.errors import ScopeError
from kbtui.text.mentions import (
    Condition,
    Named,
    condition_in,
    may_mention,
    may_state_condition,
    mentions,
    names_of_files,
)
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.records.scoping import FileScopes

_WILDCARDS: Final = "*?["
_ALL_LEFT: Final = "which files are there?"
"""The question about the files that meet the conditions, if the user's question has only conditions."""


class _Limits(Struct, frozen=True, kw_only=True):
    """The limits of a question.

    Attributes:
        text: The question without its limits.
        names: All limits, as written.
        paths: The files that are left; None where only tables are named.
        message: Says which conditions leave no file; empty where some are left.
        is_of_files: Files or folders are named, without conditions on documents.
    """

    text: str
    names: tuple[str, ...]
    paths: frozenset[str] | None = None
    message: str = ""
    is_of_files: bool = True


class _Known:
    """The names that may stand behind an ``@``: those given, and patterns of paths that some file matches."""

    def __init__(self, names: Collection[str], paths: Collection[str]) -> None:
        self._names = names
        self._paths = paths

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self._names or bool(_matching(name, self._paths)))


class NarrowingBackend(KnowledgeBackend):
    """Answers from the files, or from the tables, that a question names; from everything where it names none.

    Files go before tables: a question that names both is asked of the files.
    """

    def names(self) -> tuple[Named, ...]:
        """The files, folders, tables and columns that a question can mention, and the conditions on documents."""
        from kbtui.bootstrap.scoping import offered_conditions

        if not self.knowledge.index.exists:
            return tuple(self._data.names())
        files = names_of_files(record.path for record in self.knowledge.file_records())
        conditions = list(offered_conditions(self._scopes()))
        return (
            *(mention for mention in files if mention.kind == "folder"),
            *(mention for mention in conditions if mention.kind == "kind"),
            *(mention for mention in files if mention.kind == "file"),
            *self._data.names(),
            *(mention for mention in conditions if mention.kind != "kind"),
        )

    def _scopes(self) -> FileScopes:
        from kbtui.knowledge.history.log import history_of
        from kbtui.records.opened import reader_of
        from kbtui.records.scoping import FileScopes

        knowledge = self.knowledge
        return FileScopes(reader_of(knowledge, self._today).collection, lambda: history_of(knowledge))

    def _answer(self, run: ActiveRun) -> RunSummary:
        limits = self._limits(run)
        if limits is None:
            return super()._answer(run)
        run = replace(run, query=limits.text)
        if limits.paths is not None:
            return self._answer_from_files(limits, run)
        backend = copy(self)
        backend._asks_folder = not limits.names
        return super(NarrowingBackend, backend)._answer(run)

    def _limits(self, run: ActiveRun) -> _Limits | None:
        """What the question is limited to; None where nothing in it is written like a limit.

        Raises:
            ScopeError: An option names what is not there, or a condition an unknown kind or field.
        """
        if not may_mention(run.query):
            return None
        if self._has_documents():
            self.knowledge.ensure_fresh(run.emit, run.cancel)
        scopes = self._scopes() if may_state_condition(run.query) and self.knowledge.index.exists else None
        files = self.knowledge.file_records() if self.knowledge.index.exists else []
        paths = {record.path for record in files}
        file_kinds = {mention.name: mention.kind for mention in names_of_files(paths)}
        data_names = {mention.name for mention in self._data.names()} - file_kinds.keys()
        keys: Container[str] = ()
        conditions = {}
        if scopes is not None:
            from kbtui.bootstrap.scoping import Keys, offered_conditions

            keys = Keys(scopes)
            conditions = {mention.name: condition_in(mention.name) for mention in offered_conditions(scopes)}
        known_names = _Known({*file_kinds, *data_names, *conditions}, paths)
        mentioned = mentions(run.query, known_names, spoken=data_names, keys=keys)
        if unknown := [name for name in run.scope if name not in mentioned.names]:
            raise _unknown_scope(unknown[0])
        path_names = [name for name in mentioned.names if name in file_kinds or _matching(name, paths)]
        stated = [
            condition
            for name in mentioned.names
            if name not in path_names and name not in data_names and (condition := condition_in(name)) is not None
        ]
        limits = _Limits(text=mentioned.text, names=mentioned.names, is_of_files=not stated)
        if path_names:
            folders = tuple(name for name in path_names if file_kinds.get(name) == "folder")
            chosen = {path for path in paths if path in path_names or path.startswith(folders)}
            limits = replace(limits, paths=frozenset(chosen.union(*(_matching(name, paths) for name in path_names))))
        return _with_conditions(limits, scopes, stated, run.query) if scopes is not None and stated else limits

    def _answer_from_files(self, limits: _Limits, run: ActiveRun) -> RunSummary:
        """Answer from the files that are left alone."""
        detail = ", ".join(limits.names)
        run.emit(RequestClassified(request_type="knowledge", signals=(Signal(name="mentioned", detail=detail),)))
        if limits.message:
            run.emit(AnswerCompleted(markdown=limits.message, outcome="not_found"))
            return RunSummary()
        with self._restricted_to(limits.paths or (), run) as restricted:
            # A question of nothing but names asks what is stored under them.
            run = replace(run, query=run.query or (detail if limits.is_of_files else _ALL_LEFT))
            return restricted._answer_from_documents(restricted._begin(run))

    @contextmanager
    def _restricted_to(self, paths: Collection[str], run: ActiveRun) -> Iterator[Self]:
        """A copy of this backend over these indexed files alone, valid within the block."""
        from kbtui.knowledge.search.first_look import narrowed

        with narrowed(self.knowledge, self._settings, paths, run.emit, run.cancel) as knowledge:
            backend = copy(self)
            backend._knowledge, backend._reasoner, backend._answer_checker = knowledge, None, None
            backend._warns_of_vectors = False
            backend._published = None
            yield backend


def _with_conditions(limits: _Limits, scopes: FileScopes, stated: Sequence[Condition], query: str) -> _Limits:
    """The limits with the files left out that do not meet the conditions on documents."""
    from kbtui.bootstrap.scoping import nothing_left
    from kbtui.records.scoping import files_left

    matching = files_left(scopes, stated)
    if limits.paths is not None:
        path_names = " ".join(name for name in limits.names if condition_in(name) not in stated)
        matching.insert(0, (path_names, limits.paths))
    paths = frozenset.intersection(*(files for _, files in matching))
    return replace(limits, paths=paths, message="" if paths else nothing_left(scopes, matching, query))


def _matching(pattern: str, paths: Collection[str]) -> set[str]:
    """The paths that match a pattern such as ``adr/*.md``; none where the name is no pattern."""
    if not any(sign in pattern for sign in _WILDCARDS):
        return set()
    return {path for path in paths if fnmatchcase(path, pattern)}


def _unknown_scope(name: str) -> ScopeError:
    text = one_line(name, 200)
    if condition_in(name) is not None:
        return ScopeError(f"No document states the field {text.partition(':')[0]}.", "There are no documents.")
    return ScopeError(f"{text} holds no file that is indexed.", "`kbtui index` says which files are left out, and why.")
