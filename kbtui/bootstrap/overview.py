"""Answers "what is here?" by an overview of the folder and the data: no single passage of them answers it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from functools import cache, cached_property
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from kbtui.analysis.markdown import escape
from kbtui.analysis.structure import StructureRequest, describe_structure
from kbtui.bootstrap.backend_parts import ActiveRun
from kbtui.bootstrap.models import ChatModels
from kbtui.bootstrap.narrowing import NarrowingBackend
from kbtui.domain.answer import Citation, WrittenAnswer
from kbtui.domain.document import FileRecord
from kbtui.domain.events import AnswerCompleted, Event, RequestClassified
from kbtui.domain.holdings import HeldKind, Holdings
from kbtui.domain.ports import CancelToken, RunSummary
from kbtui.domain.routing import Signal
from kbtui.errors import KbtuiError
from kbtui.runs.audit import AuditLog
from kbtui.runs.backend import RunRequest
from kbtui.settings.providers import OFFLINE
from kbtui.text.language import has_cjk
from kbtui.text.phrases import Phrases
from kbtui.text.plurals import plural
from kbtui.text.terminal import one_line
from kbtui.view.folding import reduce_all
from kbtui.view.view_state import RunView

if TYPE_CHECKING:
    from kbtui.bootstrap.calling import SingleCalls
    from kbtui.bootstrap.library import FolderLibrary

_MAX_CHARS: Final = 80
"""A longer question asks for more than an overview."""


@cache
def _word_pattern(language: str) -> re.Pattern[str]:
    """Matches one word of such a question, or one character between words; group ``strong`` is a deciding word."""
    words = Phrases(__package__, "overview.toml", language)
    strong, filler = (
        "|".join(map(re.escape, sorted(alternatives, key=len, reverse=True)))
        for alternatives in ((*words.strong.split(), *words.listing("phrases")), words.filler.split())
    )
    end = "" if language == "zh" else r"(?![\w'])"
    return re.compile(rf"(?:(?P<strong>{strong})|(?:{filler})){end}|\W", re.IGNORECASE)


def asks_overview(query: str) -> bool:
    """Whether a question asks for an overview: each of its words is known, and one of them decides."""
    if len(query) > _MAX_CHARS:
        return False
    text, at, is_strong = query.replace("’", "'"), 0, False
    word_pattern = _word_pattern("zh" if has_cjk(query) else "en")
    while at < len(text):
        match = word_pattern.match(text, at)
        if match is None:
            return False
        at, is_strong = match.end(), is_strong or match["strong"] is not None
    return is_strong


class OverviewBackend(NarrowingBackend):
    """Answers questions for an overview of the folder and the data; its base answers any other question."""

    @cached_property
    def library(self) -> FolderLibrary:
        """The documents, tables and suggested questions of the folder and the data."""
        from kbtui.bootstrap.library import FolderLibrary

        return FolderLibrary(
            lambda: self.knowledge if self._has_documents() and self.knowledge.index.exists else None,
            self._data,
            self._answer_aside,
            self._today,
        )

    @cached_property
    def tools(self) -> SingleCalls:
        """The tools, to be called one by one."""
        from kbtui.bootstrap.calling import SingleCalls

        return SingleCalls(lambda: self.knowledge, self._data, self._settings, self._today)

    def rehearse(self) -> None:
        """Answer a question offline and unrecorded; do nothing where the folder was never indexed."""
        if self._has_documents() and self.knowledge.index.exists:
            # A real question meets the same problem and reports it.
            with suppress(KbtuiError):
                self._answer_aside(f"how does {self._root.name} work?")

    def _answer_aside(self, query: str, *, data_only: bool = False) -> RunView:
        """The run of a question that no user asked: offline and unrecorded.

        Args:
            data_only: Ask the data alone, and not the folder.

        Raises:
            KbtuiError: There is no answer.
        """
        backend, events = copy(self), list[Event]()
        backend._models = ChatModels(replace(self._settings.model, name=OFFLINE))
        backend._problems = list
        backend._asks_folder = backend._asks_folder and not data_only
        backend.answer(RunRequest(query=query, emit=events.append, cancel=CancelToken(), audit=AuditLog().of("")))
        return reduce_all(events)

    def _answer(self, run: ActiveRun) -> RunSummary:
        if not asks_overview(run.query):
            return super()._answer(run)

        signal = Signal(name="overview", detail="every word asks what there is")
        run.emit(RequestClassified(request_type="knowledge", confidence=1.0, signals=(signal,)))
        if self._has_documents():
            self.knowledge.ensure_fresh(run.emit, run.cancel)
        page = OverviewPage(self._root.name, self.library.holdings(), "zh" if has_cjk(run.query) else "en")
        run.emit(AnswerCompleted.of(page.write()))
        return RunSummary()


_MAX_FOLDERS: Final = 12
_MAX_KINDS: Final = 8


class OverviewPage:
    """One overview answer, with a document of each kind as an example.

    Args:
        name: The name of the folder.
        holdings: The documents and tables to list.
        language: ``en`` or ``zh``.
    """

    def __init__(self, name: str, holdings: Holdings, language: str) -> None:
        self._name = name
        self._holdings = holdings
        self._words = Phrases(__package__, "overview.toml", language)
        self._citations: list[Citation] = []

    def write(self) -> WrittenAnswer:
        """The answer: the kinds of documents, the other folders, and the tables of each source."""
        blocks = [*self._documents(), *self._data()]
        if self._citations:
            blocks.append(
                "---\n" + "\n".join(f"[{citation.n}] {one_line(citation.label)}" for citation in self._citations)
            )
        return WrittenAnswer(
            markdown="\n\n".join(blocks) or self._words.nothing,
            outcome="answered" if blocks else "not_found",
            citations=tuple(self._citations),
        )

    def _documents(self) -> Iterator[str]:
        words, files = self._words, self._holdings.files
        if not files:
            return
        template = words.one_file if len(files) == 1 else words.files
        yield template.format(name=escape(self._name), count=f"{len(files):,}")
        kinds = self._holdings.kinds[:_MAX_KINDS]
        lines = [self._kind(kind) for kind in kinds]
        folders_of_kinds = {kind.folder for kind in kinds}
        folders = Counter(f"{file.path.partition('/')[0]}/" for file in files if "/" in file.path)
        others = [(folder, count) for folder, count in folders.most_common() if folder not in folders_of_kinds]
        for folder, count in others[:_MAX_FOLDERS]:
            example = next(file for file in files if file.path.startswith(folder))
            lines.append(words.folder.format(folder=folder, count=f"{count:,}", **self._example(example)))
        if len(others) > _MAX_FOLDERS:
            lines.append(words.folders_more.format(count=len(others) - _MAX_FOLDERS))
        if lines:
            yield "\n".join(lines)

    def _kind(self, kind: HeldKind) -> str:
        words = self._words
        fields = words.comma.join(escape(field) for field in kind.fields)
        record = next((file for file in self._holdings.files if file.path == kind.example), None)
        return words.kind.format(
            count=f"{kind.count:,}",
            name=escape(kind.name if kind.count == 1 else plural(kind.name)),
            place=words.place.format(folder=kind.folder) if kind.folder else "",
            fields=words.stated.format(fields=fields) if fields else "",
            **self._example(record),
        )

    def _example(self, record: FileRecord | None) -> dict[str, str]:
        """The template fields for an example document: its title, and the mark of the citation that is added for it."""
        if record is None:
            return {"example": "", "mark": ""}
        self._citations.append(
            Citation(
                n=len(self._citations) + 1,
                path=record.path,
                start_line=record.summary_line,
                end_line=record.summary_line,
                quote=record.summary or record.title,
            )
        )
        return {"example": escape(record.title or record.path), "mark": f"[{len(self._citations)}]"}

    def _data(self) -> Iterator[str]:
        request = StructureRequest(about="tables")
        for source in self._holdings.sources:
            if source.schema is None:
                yield self._words.problem.format(source=escape(source.title), problem=escape(source.problem))
            else:
                yield describe_structure(request, [source.schema], self._words.language)
