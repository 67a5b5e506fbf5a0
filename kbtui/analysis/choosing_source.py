"""Which of several sources a question is about: by its name, by its tables, and where those tie by how it reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kbtui.analysis.context import AnalysisContext
from kbtui.analysis.naming import name_stems
from kbtui.analysis.relevance import asked_words, table_scores
from kbtui.analysis.structure import Calling, StructureRequest, read_request
from kbtui.domain.analysis import Classified
from kbtui.domain.events import Warned
from kbtui.domain.ports import Emit
from kbtui.domain.routing import Signal
from kbtui.errors import DataSourceError

if TYPE_CHECKING:
    from kbtui.analysis.schema_manager import SchemaManager

_NAMED = 4.0
"""A question that says the name of a source is about it."""

_MOST_READ = 4
_NEAR = 0.7
"""Sources with at least this share of the best score are read in detail to tell them apart."""


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
        return _named(query, names)
    terms = tuple(context.terms(query))
    asked = asked_words(query, terms)
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
        scores[name] = score + (_NAMED if name_stems(name) & asked else 0.0)
    if not scores:
        raise failures[0]
    best = max(scores.values())
    near = [name for name, score in scores.items() if score >= best * _NEAR][:_MOST_READ]
    if len(near) == 1:
        return near[0]
    return max(near, key=lambda name: (_readable(query, name, context), scores[name]))


def structure_asked(query: str, manager: SchemaManager, calling: Calling | None = None) -> Classified | None:
    """The request for a question about structure, of the source that is named or has what is named; None for others.

    A source that cannot be reached is left out.

    Args:
        calling: See `read_request`.
    """
    bare = query
    for name in sorted(manager.names, key=len, reverse=True):
        bare = re.sub(rf"(?<![\w.]){re.escape(name)}(?:\.\w{{2,7}})?(?![\w.])", " data ", bare, flags=re.I)
    found: list[tuple[str, StructureRequest]] = []
    for name in manager.names:
        try:
            schema = manager.peek(name, "detailed", manager.for_question(name, query))
        except DataSourceError:
            continue
        ways = dict.fromkeys(((query, None), (bare, None), (query, calling)))
        request = next(filter(None, (read_request(text, schema, by) for text, by in ways)), None)
        if request is not None:
            found.append((name, request))
    if not found:
        return None
    named = [one for one in found if one[0] in _said(query, manager.names)] or [one for one in found if one[1].tables]
    source, request = (named or found)[0]
    if not named and len(manager.names) > 1:
        # Without a name, all sources are meant, and no one statement asks them all.
        source, request = "", StructureRequest(about="tables" if request.about == "count" else request.about)
    signals = (Signal(name="structure", detail=request.about),)
    return Classified(request_type="data_query", signals=signals, source=source, details={"structure": request})


def _readable(query: str, source: str, context: AnalysisContext) -> float:
    """The confidence of the best reading over a source."""
    manager = context.schema_manager
    schema = manager.peek(source, "detailed", manager.for_question(source, query, context.terms(query)))
    # A chat model would be asked once for each source.
    best = (context.reader or context.sql_writer).read(query, schema).best
    return best.confidence if best is not None else 0.0


def _named(query: str, names: tuple[str, ...]) -> str:
    """The source that is named, or else the first: a consultation may look at one only, and need not read to choose."""
    return (_said(query, names) or list(names) or [""])[0]


def _said(query: str, names: Sequence[str]) -> list[str]:
    asked = asked_words(query)
    return [name for name in names if name.lower() in query.lower() or name_stems(name) & asked]
