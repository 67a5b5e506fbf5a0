"""The content of a folder and its data: documents, kinds, tables and suggested questions."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, Protocol

from kbtui.domain.analysis import Table
from kbtui.domain.holdings import HeldDocument, HeldField, HeldHeading, HeldKind, HeldSource, Holdings
from kbtui.errors import DataSourceError, KbtuiError
from kbtui.view.view_state import RunView

if TYPE_CHECKING:
    from kbtui.bootstrap.data import DataSide
    from kbtui.domain.document import FileRecord
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.records.collection import Collection
    from kbtui.records.kinds import Kind, Thing


class AskAside(Protocol):
    """Answers a question that no user asked."""

    def __call__(self, query: str, *, data_only: bool) -> RunView: ...


_MAX_FIELDS: Final = 6
_MAX_TEXT_BYTES: Final = 1 << 20
"""Larger texts have too many headings for a list."""
_MIN_STATED_SHARE: Final = 0.5
"""Least share of the documents of a kind that state a field for the field to be listed."""


class FolderLibrary:
    """The documents and tables of a folder and its data sources, and questions to ask about them.

    Args:
        knowledge: The folder, opened; None where only the data are asked, or the folder was never indexed.
        data: The sources.
        ask: Answers a question offline and unrecorded; from the data alone where that is wanted.
        today: The day that questions are asked on.
    """

    def __init__(
        self,
        knowledge: Callable[[], KnowledgeBase | None],
        data: DataSide,
        ask: AskAside,
        today: Callable[[], date],
    ) -> None:
        self._knowledge = knowledge
        self._data = data
        self._ask = ask
        self._today = today

    def holdings(self) -> Holdings:
        """The documents, kinds and sources, as they are indexed now."""
        collection = self._collection()
        sources = tuple(self._sources())
        if collection is None:
            return Holdings(sources=sources)
        kinds = (kind for kind in collection.kinds if not (kind.is_series or kind.is_listed))
        return Holdings(files=tuple(collection.links.files), kinds=tuple(map(_held_kind, kinds)), sources=sources)

    def document(self, path: str) -> HeldDocument:
        """The title, fields and headings of a document."""
        collection = self._collection()
        record = collection.links.records.get(path) if collection is not None else None
        if collection is None or record is None:
            return HeldDocument(path=path)
        item = collection.thing_at(path)
        return HeldDocument(
            path=path,
            title=record.title,
            fields=tuple(_fields(item, path)) if item is not None else (),
            headings=tuple(self._headings(record)),
        )

    def table(self, source: str, name: str) -> Table | None:
        """One table with its columns; None where it cannot be read."""
        with suppress(DataSourceError):
            return self._data.sources.manager().peek(source, "detailed", (name,)).table(name)
        return None

    def questions(
        self, language: Literal["en", "zh"], stopped: Callable[[], bool], *, data_only: bool = False
    ) -> Iterator[str]:
        """Suggested questions over the data and the documents in turn, each of which was answered well when tried.

        They are cached until the folder, the structure of a source or the version of the program changes.
        """
        from kbtui.bootstrap.suggesting import suggested_questions, suggestion_cache, suggestion_key

        collection, knowledge = (None, None) if data_only else (self._collection(), self._knowledge())
        schemas = [source.schema for source in self._sources() if source.schema is not None]
        scope = (knowledge.root if knowledge is not None else "", *(schema.source for schema in schemas))
        state = (knowledge.index.version if knowledge is not None else "", *(schema.fingerprint for schema in schemas))
        cache, key = suggestion_cache(), suggestion_key((*map(str, scope), language), state)
        if (cached := cache.get(key)) is not None:
            yield from cached
            return
        catalogues = [self._data.catalogue(schema) for schema in schemas if schema.level == "detailed"]
        questions, ask = [], partial(self._ask, data_only=data_only)
        for question in suggested_questions(collection, schemas, catalogues, language, ask, stopped):
            questions.append(question)
            yield question
        if not stopped():
            cache.put(key, questions)

    def _collection(self) -> Collection | None:
        from kbtui.records.opened import reader_of

        knowledge = self._knowledge()
        return None if knowledge is None else reader_of(knowledge, self._today).collection

    def _headings(self, record: FileRecord) -> Iterator[HeldHeading]:
        """The headings of a text, without its title."""
        from kbtui.knowledge.reading.loaders.prose import parse_prose

        knowledge = self._knowledge()
        if knowledge is None or record.kind not in ("markdown", "rst", "text") or record.size > _MAX_TEXT_BYTES:
            return
        with suppress(KbtuiError):
            lines = knowledge.source.lines(record.path)
            for heading in parse_prose("\n".join(lines), record.kind).headings:
                if heading.text != record.title:
                    yield HeldHeading(text=heading.text, level=heading.level, line=heading.line)

    def _sources(self) -> Iterator[HeldSource]:
        opened = self._data.sources
        if not opened.entries:
            return
        opened.open_missing()
        for entry in opened.entries:
            try:
                schema = opened.structure(entry.name)
            except DataSourceError as error:
                yield HeldSource(title=entry.name, problem=error.message)
            else:
                yield HeldSource(title=opened.manager().title(entry.name), schema=schema)


def _held_kind(kind: Kind) -> HeldKind:
    folders = [posixpath.dirname(item.key) for item in kind.things]
    shared = posixpath.commonpath(folders) if folders else ""
    stated = [name for name, count in kind.fields.items() if count >= _MIN_STATED_SHARE * len(kind.things)]
    return HeldKind(
        name=kind.name,
        count=len(kind.things),
        example=kind.things[len(kind.things) // 2].path,
        folder=f"{shared}/" if shared else "",
        fields=tuple(stated[:_MAX_FIELDS]),
    )


def _fields(item: Thing, path: str) -> Iterator[HeldField]:
    """The fields that ``path`` states; mentions and links in its text are no fields."""
    from kbtui.records.series import TEXTUAL_RELATIONS

    facts = [
        fact
        for name, facts in item.facts.items()
        if name not in TEXTUAL_RELATIONS
        for fact in facts
        if fact.path == path
    ]
    for fact in sorted(facts, key=lambda fact: fact.line):
        yield HeldField(name=fact.field, value=fact.value, line=fact.line)
