"""Suggested questions, made from typed columns, kinds of documents and titles.

Each question is asked before it is suggested, and suggested only where it is answered well.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any, Final, Literal

from kbtui import __version__
from kbtui.analysis.consultation import suggestions
from kbtui.analysis.naming import as_phrase
from kbtui.domain.analysis import Schema
from kbtui.errors import KbtuiError
from kbtui.settings import paths
from kbtui.settings.json_store import JsonStore
from kbtui.text.inflection import lemma
from kbtui.text.language import has_cjk
from kbtui.text.phrases import Phrases
from kbtui.text.plurals import plural
from kbtui.view.view_state import RunView

if TYPE_CHECKING:
    from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, TableInfo
    from kbtui.records.collection import Collection
    from kbtui.records.kinds import Kind

Language = Literal["en", "zh"]

MAX_QUESTIONS: Final = 3
_MAX_TRIED: Final = 8
"""Questions tried of each sort: where none of them is answered well, a further one will hardly be."""
_MIN_ROWS: Final = 2
_MAX_ROWS: Final = 31
_MAX_GROUPS: Final = 30
_MAX_QUESTION_CHARS: Final = 70
_MAX_TITLE_CHARS: Final = 40
"""Longest question, and longest title within a question, that fit into a line of the screen."""
_MAX_TABLES: Final = 6
_MAX_CACHE_BYTES: Final = 1 << 20
_REPEATED_WORD: Final = re.compile(r"\b([a-z]+) \1\b", re.IGNORECASE)


def suggestion_cache() -> JsonStore[list[str]]:
    """Suggested questions by `suggestion_key`."""
    return JsonStore(paths.cache_dir() / "suggestions", list[str], max_bytes=_MAX_CACHE_BYTES)


def suggestion_key(scope: Sequence[str], state: Sequence[str]) -> str:
    """The key of suggested questions.

    Args:
        scope: The folder, the sources and the language.
        state: Versions of the index and the structures.
    """
    return hashlib.sha256("\0".join((__version__, *scope, *state)).encode()).hexdigest()[:32]


def suggested_questions(
    collection: Collection | None,
    schemas: Sequence[Schema],
    catalogues: Sequence[Catalogue],
    language: Language,
    ask: Callable[[str], RunView],
    stopped: Callable[[], bool],
) -> Iterator[str]:
    """Yield up to three questions, of data and documents in turn, each as soon as it was answered well."""
    typed = _interleave(data_questions(catalogue, language) for catalogue in catalogues)
    data = chain(typed, _interleave(suggestions(schema, language).queries for schema in schemas))
    documents = document_questions(collection, language) if collection is not None else iter(())
    answered_well = (
        _well_answered(questions, is_good, ask, stopped)
        for questions, is_good in ((data, shows_figures), (documents, is_answered_well))
    )
    return islice(_interleave(answered_well), MAX_QUESTIONS)


def data_questions(catalogue: Catalogue, language: Language) -> Iterator[str]:
    """Questions for figures by category and by month, interleaved over the tables, largest table first.

    They are in Chinese where the tables have Chinese names.
    """
    tables = [table for table in catalogue.tables.values() if not table.role_of and table.rows]
    tables.sort(key=lambda table: (catalogue.is_lookup(table.name), -table.rows))
    if tables and all(has_cjk(table.name) for table in tables):
        language = "zh"
    return _interleave(_table_questions(table, language, is_only=len(tables) == 1) for table in tables[:_MAX_TABLES])


def document_questions(collection: Collection, language: Language) -> Iterator[str]:
    """Titles that are questions, counts of what documents of a kind state, and what single documents are about."""
    titles = list(dict.fromkeys(record.title for record in collection.links.files if record.title))
    question_titles = [title for title in titles if title.endswith(("?", "？")) and len(title) <= _MAX_QUESTION_CHARS]
    kinds = [kind for kind in collection.kinds if not (kind.is_series or kind.is_listed)]
    counts = _interleave(_count_questions(kind, language) for kind in kinds)
    names = [item.name or item.title for kind in kinds for item in _sample(kind.things)]
    about = _words(language).about
    abouts = (about.format(title=name) for name in names or titles if 3 < len(name) <= _MAX_TITLE_CHARS)
    return _interleave((question_titles, counts, abouts))


def _table_questions(table: TableInfo, language: Language, *, is_only: bool) -> Iterator[str]:
    words, table_name = _words(language), as_phrase(table.name)
    of = "" if is_only else words.of_table.format(table=table_name)
    groups = [
        _column_name(column)
        for column in table.columns
        if column.kind == "category" and 1 < column.distinct <= _MAX_GROUPS
    ]
    measures = sorted(
        (column for column in table.columns if column.kind == "measure"), key=lambda column: column.ref != table.amount
    )
    averages = [_column_name(column) for column in table.columns if column.kind == "rate"]
    sums = [_column_name(column) for column in measures]
    grouped = (
        template.format(amount=amount, of=of, name=group)
        for amounts, template in ((sums, words.total), (averages, words.average), (sums, words.highest))
        for amount in amounts
        for group in groups
    )
    monthly = (words.monthly.format(amount=amount, of=of) for amount in sums if table.dates)
    rows = table_name
    if language == "en" and lemma(last := table_name.rpartition(" ")[2]) == last:
        rows = plural(table_name)
    counts = [words.count_by.format(table=rows, name=group) for group in groups]
    return _interleave((grouped, monthly, counts))


def _count_questions(kind: Kind, language: Language) -> Iterator[str]:
    """Questions for how many documents of a kind state the most frequent value of a field."""
    words, kind_name = _words(language), plural(kind.name) if language == "en" else kind.name
    for name in kind.fields:
        counts: dict[str, int] = {}
        for item in kind.things:
            for fact in item.facts.get(name, ())[:1]:
                counts[fact.value] = counts.get(fact.value, 0) + 1
        if 1 < len(counts) <= _MAX_GROUPS and len(counts) < len(kind.things) / 2:
            most_frequent = max(counts, key=lambda value: counts[value])
            yield words.count_stated.format(kind=kind_name, field=name.replace("-", " "), value=most_frequent)


def _well_answered(
    questions: Iterable[str],
    is_good: Callable[[RunView], bool],
    ask: Callable[[str], RunView],
    stopped: Callable[[], bool],
) -> Iterator[str]:
    # A template doubles a word of some names: "total total" of a column called total is no question.
    readable = (question for question in questions if not _REPEATED_WORD.search(question))
    for question in islice(readable, _MAX_TRIED):
        if stopped():
            return
        try:
            run = ask(question)
        except KbtuiError:
            continue
        if is_good(run):
            yield question


def is_answered_well(run: RunView) -> bool:
    """Whether an answer is complete and cited, with no unsupported sentence and no other reading offered."""
    answer = run.answer
    if answer is None or answer.outcome != "answered" or not answer.citations:
        return False
    return not answer.unsupported and not run.offered


def shows_figures(run: RunView) -> bool:
    """Whether an answer from data is good: a few rows without empty cells, whose figures are not all the same.

    Where a chart was asked for, there must be one.
    """
    if not is_answered_well(run) or not run.tables or (run.request_type == "visualization" and not run.charts):
        return False
    rows = run.tables[-1].rows
    figures = {row[-1] for row in rows}
    is_complete = all(cell is not None and cell != "" for row in rows for cell in row)
    return _MIN_ROWS <= len(rows) <= _MAX_ROWS and len(figures) > 1 and is_complete


def _column_name(column: ColumnInfo) -> str:
    return "".join(column.words) if len(column.words) == 1 else " ".join(column.words)


def _sample(items: Sequence[Any]) -> Sequence[Any]:
    """Up to twice `_MAX_TRIED` things at equal distances, so that they are of all parts of the kind."""
    return items[:: max(1, len(items) // _MAX_TRIED)]


def _interleave(sorts: Iterable[Iterable[str]]) -> Iterator[str]:
    """The first item of each sort, then the second of each, and so on, without duplicates."""
    missing = object()
    yielded: set[str] = set()
    for item in chain.from_iterable(zip_longest(*sorts, fillvalue=missing)):
        if item is not missing and item not in yielded:
            yielded.add(item)  # type: ignore[arg-type]
            yield item  # type: ignore[misc]


@cache
def _words(language: Language) -> Phrases:
    return Phrases(__package__, "overview.toml", language)
