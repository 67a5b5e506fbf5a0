"""Chooses the source of a question: by its name, by its tables, and if these tie by the confidence of the reading."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kbtui.analysis.context import AnalysisContext
from kbtui.analysis.naming import name_stems
from kbtui.analysis.relevance import question_words, table_scores
from kbtui.analysis.structure import FindTableMentions, StructureRequest, read_request
from kbtui.domain.analysis import Classified
from kbtui.domain.events import Warned
from kbtui.domain.ports import Emit
from kbtui.domain.routing import Signal
from kbtui.errors import DataSourceError

if TYPE_CHECKING:
    from kbtui.analysis.schema_manager import SchemaManager

_NAME_SCORE = 4.0
"""Score of a source that the question names."""

_MAX_READ = 4
_NEAR_BEST = 0.7
"""Share of the best score from which a source is read in detail."""


def choose_source(query: str, classified: Classified, context: AnalysisContext, emit: Emit) -> str:
    """The name of the source to ask; empty where there is none.

    A source that cannot be reached is left out with a warning.

    Raises:
        DataSourceError: None of the sources can be reached.
    """
    manager = context.schema_manager
    names = manager.names
    if classified.source in names:
        return classified.source
    if len(names) < 2 or classified.request_type == "consultation":
        return _default_source(query, names)
    terms = tuple(context.terms(query))
    words = question_words(query, terms)
    scores: dict[str, float] = {}
    failures: list[DataSourceError] = []
    for name in names:
        try:
            basic = manager.peek(name, "basic")
        except DataSourceError as error:
            failures.append(error)
            emit(Warned(message=f"The source {name} was left out: {error.message}", where="data"))
            continue
        score = sum(sorted(table_scores(query, basic.tables, terms).values(), reverse=True)[:3])
        scores[name] = score + (_NAME_SCORE if name_stems(name) & words else 0.0)
    if not scores:
        raise failures[0]
    best = max(scores.values())
    likely = [name for name, score in scores.items() if score >= best * _NEAR_BEST][:_MAX_READ]
    if len(likely) == 1:
        return likely[0]
    return max(likely, key=lambda name: (_best_confidence(query, name, context), scores[name]))


def find_structure_request(
    query: str, manager: SchemaManager, find_mentions: FindTableMentions | None = None
) -> Classified | None:
    """The request of a question about structure, with its source; None for other questions.

    A source that cannot be reached is left out.

    Args:
        find_mentions: See `read_request`.
    """
    without_names = query
    for name in sorted(manager.names, key=len, reverse=True):
        without_names = re.sub(
            rf"(?<![\w.]){re.escape(name)}(?:\.\w{{2,7}})?(?![\w.])", " data ", without_names, flags=re.I
        )
    requests: list[tuple[str, StructureRequest]] = []
    for name in manager.names:
        try:
            schema = manager.peek(name, "detailed", manager.tables_for_question(name, query))
        except DataSourceError:
            continue
        ways = dict.fromkeys(((query, None), (without_names, None), (query, find_mentions)))
        request = next(filter(None, (read_request(text, schema, by) for text, by in ways)), None)
        if request is not None:
            requests.append((name, request))
    if not requests:
        return None
    matching = [entry for entry in requests if entry[0] in _named_sources(query, manager.names)] or [
        entry for entry in requests if entry[1].tables
    ]
    source, request = (matching or requests)[0]
    if not matching and len(manager.names) > 1:
        # Without a name the question is about all sources, which no single statement covers.
        source, request = "", StructureRequest(about="tables" if request.about == "count" else request.about)
    signals = (Signal(name="structure", detail=request.about),)
    return Classified(request_type="data_query", signals=signals, source=source, details={"structure": request})


def _best_confidence(query: str, source: str, context: AnalysisContext) -> float:
    """The confidence of the best reading over a source."""
    manager = context.schema_manager
    schema = manager.peek(source, "detailed", manager.tables_for_question(source, query, context.terms(query)))
    # The offline reader if there is one: a chat model would be called for each source.
    best = (context.reader or context.sql_writer).read(query, schema).best
    return best.confidence if best is not None else 0.0


def _default_source(query: str, names: tuple[str, ...]) -> str:
    """The named source, or the first one: a consultation reads the structure of one source only."""
    return (_named_sources(query, names) or list(names) or [""])[0]


def _named_sources(query: str, names: Sequence[str]) -> list[str]:
    words = question_words(query)
    return [name for name in names if name.lower() in query.lower() or name_stems(name) & words]
