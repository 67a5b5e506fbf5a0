"""A folder as a retriever of LangChain, for chains and agents of other programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from msgspec.structs import replace
from pydantic import Field, PrivateAttr

from kbtui.bootstrap import Engine, checked_folder
from kbtui.domain.answer import line_label
from kbtui.domain.events import Event
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.settings.model import Settings

SearchTool = Literal["hybrid_search", "vector_search", "grep_search"]


class FolderRetriever(BaseRetriever):
    """Passages of a folder, best first; the folder is brought up to date before each search.

    Each document's ``page_content`` is the passage. Its ``metadata``: ``path`` (relative to the folder), ``start_line``
    and ``end_line`` (from 1, inclusive; of a PDF, of its text), ``source`` (``path:L12-L18``, ``manual.pdf p.5``),
    ``locator`` (``p.5``; empty where lines need none), ``score`` (higher is better, comparable within one result
    alone), ``title``, ``headings`` (above the passage) and ``tool``.

    Attributes:
        k: Most passages for a query, 1 to 200.
        tool: ``hybrid_search`` (by meaning and words), ``vector_search`` (meaning) or ``grep_search`` (words).
    """

    k: int = Field(8, ge=1, le=200)
    tool: SearchTool = "hybrid_search"
    _engine: Engine = PrivateAttr()

    @property
    def engine(self) -> Engine:
        """The engine that searches; it answers questions, too."""
        return self._engine

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:  # noqa: ARG002
        from kbtui.tools import load_spec
        from kbtui.tools.searching import search_arguments

        args = search_arguments(load_spec(self.tool), query)
        output = self._engine.tools.call(self.tool, args, _ignore_event, CancelToken())
        return [_document(hit, self.tool) for hit in output.hits[: self.k]]


def as_retriever(
    folder: Path | str,
    *,
    k: int = 8,
    tool: SearchTool = "hybrid_search",
    settings: Settings | None = None,
    tags: Sequence[str] = (),
) -> FolderRetriever:
    """A folder as a LangChain retriever, which records nothing and needs no model.

    Args:
        folder: The folder; it is indexed by the first query.
        k: Most passages for a query, 1 to 200.
        tool: ``hybrid_search`` (by meaning and words), ``vector_search`` (meaning) or ``grep_search`` (words).
        settings: Settings in effect; read from files and environment when not given.
        tags: Tags of its runs in LangChain's tracing.

    Raises:
        FolderNotFound: There is no such folder.
        pydantic.ValidationError: ``k`` or ``tool`` is not valid.
    """
    retriever = FolderRetriever(k=k, tool=tool, tags=list(tags) or None)
    root = checked_folder(Path(folder))
    if settings is None:
        from kbtui.settings.load import load_settings

        settings = load_settings(root).settings
    retrieval = replace(settings.retrieval, top_k=max(k, settings.retrieval.top_k))
    retriever._engine = Engine(replace(settings, retrieval=retrieval), kb=root, record=False)
    return retriever


def _document(hit: Hit, tool: str) -> Document:
    return Document(
        page_content=hit.text,
        metadata={
            "source": line_label(hit.path, hit.start_line, hit.end_line, hit.locator),
            "path": hit.path,
            "start_line": hit.start_line,
            "end_line": hit.end_line,
            "locator": hit.locator,
            "score": hit.score,
            "title": hit.title,
            "headings": list(hit.heading_path),
            "tool": hit.tool or tool,
        },
    )


def _ignore_event(event: Event) -> None:
    """Drop the progress of indexing, which a retriever cannot report."""
