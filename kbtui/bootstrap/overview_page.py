"""The overview answer: the kinds of documents, the folders, and the tables of each data source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from kbtui.analysis.markdown import escape
from kbtui.analysis.structure import StructureRequest, describe_structure
from kbtui.domain.answer import Citation, WrittenAnswer
from kbtui.domain.document import FileRecord
from kbtui.domain.holdings import HeldKind, Holdings
from kbtui.text.phrases import Phrases
from kbtui.text.plurals import plural
from kbtui.text.terminal import one_line

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
