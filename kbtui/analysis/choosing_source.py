"""Which of several sources a question is about: by its name, by its tables, and where those tie by how it reads."""

from __future__ import annotations

from kbtui.analysis.context import AnalysisContext
from kbtui.analysis.naming import name_stems
from kbtui.analysis.relevance import asked_words, table_scores
from kbtui.domain.analysis import Classified
from kbtui.domain.events import Warned
from kbtui.domain.ports import Emit
from kbtui.errors import DataSourceError

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


def _readable(query: str, source: str, context: AnalysisContext) -> float:
    """The confidence of the best reading over a source."""
    manager = context.schema_manager
    schema = manager.peek(source, "detailed", manager.for_question(source, query, context.terms(query)))
    # A chat model would be asked once for each source.
    best = (context.reader or context.sql_writer).read(query, schema).best
    return best.confidence if best is not None else 0.0


def _named(query: str, names: tuple[str, ...]) -> str:
    """The source that is named, or else the first: a consultation may look at one only, and need not read to choose."""
    asked = asked_words(query)
    said = [name for name in names if name.lower() in query.lower() or name_stems(name) & asked]
    return (said or list(names) or [""])[0]
