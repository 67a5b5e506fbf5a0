"""Questions to begin with: of typed columns, kinds of documents and titles, kept where they are answered well.

Every one was asked just before it is suggested, of the same parts that answer the user.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from kbtui import __version__
from kbtui.analysis.consultation import suggestions
from kbtui.analysis.naming import humanised
from kbtui.domain.analysis import Schema
from kbtui.errors import KbtuiError
from kbtui.settings import paths
from kbtui.settings.private import private_folder
from kbtui.text.inflection import lemma
from kbtui.text.language import has_cjk
from kbtui.text.phrases import Phrases
from kbtui.text.plurals import plural
from kbtui.view.view_state import RunView
from kbtui.whole_file import write_whole

if TYPE_CHECKING:
    from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, TableInfo
    from kbtui.records.collection import Collection
    from kbtui.records.kinds import Kind

Language = Literal["en", "zh"]

MOST: Final = 3
_MOST_TRIED: Final = 8
"""Of each sort: where so many are not answered well, no other one will be."""
_FEWEST_ROWS: Final = 2
_MOST_ROWS: Final = 31
_MOST_GROUPS: Final = 30
_LONGEST: Final = 70
_LONGEST_TITLE: Final = 40
"""Characters of a question and of a title in one that fit into a line."""
_FEW_TABLES: Final = 6
_TWICE: Final = re.compile(r"\b([a-z]+) \1\b", re.IGNORECASE)


class _Kept(msgspec.Struct):
    state: list[str]
    questions: list[str]


class KeptQuestions:
    """The questions that were found for one folder and its sources, in the cache.

    Args:
        held: What they are over, and their language.
        state: Another one makes them worthless.
    """

    def __init__(self, held: Sequence[str], state: Sequence[str]) -> None:
        name = hashlib.sha256("\0".join(held).encode()).hexdigest()[:32]
        self._path = paths.cache_dir() / "suggestions" / f"{name}.json"
        self._state = [__version__, *state]

    def read(self) -> list[str] | None:
        """What was found; None where that is not known."""
        try:
            kept = msgspec.json.decode(self._path.read_bytes(), type=_Kept)
        except (OSError, ValueError):
            return None
        return kept.questions if kept.state == self._state else None

    def write(self, questions: Sequence[str]) -> None:
        """Keep them; a cache that cannot be written costs the time to find them again."""
        with suppress(OSError, KbtuiError):
            private_folder(self._path.parent)
            write_whole(self._path, msgspec.json.encode(_Kept(state=self._state, questions=list(questions))))


def suggested(
    collection: Collection | None,
    schemas: Sequence[Schema],
    catalogues: Sequence[Catalogue],
    language: Language,
    ask: Callable[[str], RunView],
    stopped: Callable[[], bool],
) -> Iterator[str]:
    """Up to three questions, of data and documents in turn, each as soon as its answer is known to be good."""
    typed = _in_turn(data_questions(catalogue, language) for catalogue in catalogues)
    of_data = chain(typed, _in_turn(suggestions(schema, language).queries for schema in schemas))
    of_documents = document_questions(collection, language) if collection is not None else iter(())
    tried = (
        _answered(questions, is_good, ask, stopped)
        for questions, is_good in ((of_data, shows_figures), (of_documents, is_answered_well))
    )
    return islice(_in_turn(tried), MOST)


def data_questions(catalogue: Catalogue, language: Language) -> Iterator[str]:
    """Figures by category and by month, of the fullest tables first; one of each table before a second of any.

    In Chinese where the tables have Chinese names.
    """
    tables = [table for table in catalogue.tables.values() if not table.role_of and table.rows]
    tables.sort(key=lambda table: (catalogue.is_lookup(table.name), -table.rows))
    if tables and all(has_cjk(table.name) for table in tables):
        language = "zh"
    return _in_turn(_questions_of(table, language, is_only=len(tables) == 1) for table in tables[:_FEW_TABLES])


def document_questions(collection: Collection, language: Language) -> Iterator[str]:
    """Titles that are questions, what documents of a kind state, and what single ones are about."""
    titles = list(dict.fromkeys(record.title for record in collection.links.files if record.title))
    asked = [title for title in titles if title.endswith(("?", "？")) and len(title) <= _LONGEST]
    kinds = [kind for kind in collection.kinds if not (kind.is_series or kind.is_listed)]
    counted = _in_turn(_counts(kind, language) for kind in kinds)
    called = [thing.name or thing.title for kind in kinds for thing in _spread(kind.things)]
    about = _words(language).about
    told = (about.format(title=name) for name in called or titles if 3 < len(name) <= _LONGEST_TITLE)
    return _in_turn((asked, counted, told))


def _questions_of(table: TableInfo, language: Language, *, is_only: bool) -> Iterator[str]:
    words, said = _words(language), humanised(table.name)
    of = "" if is_only else words.of_table.format(table=said)
    groups = [_said(one) for one in table.columns if one.kind == "category" and 1 < one.distinct <= _MOST_GROUPS]
    totals = sorted((one for one in table.columns if one.kind == "measure"), key=lambda one: one.ref != table.amount)
    averages = [_said(one) for one in table.columns if one.kind == "rate"]
    sums = [_said(one) for one in totals]
    of_pairs = (
        template.format(amount=amount, of=of, name=group)
        for amounts, template in ((sums, words.total), (averages, words.average), (sums, words.highest))
        for amount in amounts
        for group in groups
    )
    monthly = (words.monthly.format(amount=amount, of=of) for amount in sums if table.dates)
    things = plural(said) if language == "en" and lemma(last := said.rpartition(" ")[2]) == last else said
    counted = [words.count_by.format(table=things, name=group) for group in groups]
    return _in_turn((of_pairs, monthly, counted))


def _counts(kind: Kind, language: Language) -> Iterator[str]:
    """How many of a kind state each of the frequent values of a field."""
    words, called = _words(language), plural(kind.name) if language == "en" else kind.name
    for name in kind.fields:
        values: dict[str, int] = {}
        for thing in kind.things:
            for fact in thing.facts.get(name, ())[:1]:
                values[fact.value] = values.get(fact.value, 0) + 1
        if 1 < len(values) <= _MOST_GROUPS and len(values) < len(kind.things) / 2:
            most = max(values, key=lambda value: values[value])
            yield words.count_stated.format(kind=called, field=name.replace("-", " "), value=most)


def _answered(
    questions: Iterable[str],
    is_good: Callable[[RunView], bool],
    ask: Callable[[str], RunView],
    stopped: Callable[[], bool],
) -> Iterator[str]:
    # A column that is called total has no total.
    sayable = (question for question in questions if not _TWICE.search(question))
    for question in islice(sayable, _MOST_TRIED):
        if stopped():
            return
        try:
            run = ask(question)
        except KbtuiError:
            continue
        if is_good(run):
            yield question


def is_answered_well(run: RunView) -> bool:
    """Whether an answer is whole, cited and beyond doubt."""
    answer = run.answer
    if answer is None or answer.outcome != "answered" or not answer.citations:
        return False
    return not answer.unsupported and not run.offered


def shows_figures(run: RunView) -> bool:
    """The same of an answer from data: a few rows without gaps, whose figures are not all the same.

    Where a chart is asked for, it is drawn.
    """
    if not is_answered_well(run) or not run.tables or (run.request_type == "visualization" and not run.charts):
        return False
    rows = run.tables[-1].rows
    figures = {row[-1] for row in rows}
    return _FEWEST_ROWS <= len(rows) <= _MOST_ROWS and len(figures) > 1 and all(_holds(row) for row in rows)


def _holds(row: Sequence[Any]) -> bool:
    return all(cell is not None and cell != "" for cell in row)


def _said(column: ColumnInfo) -> str:
    return "".join(column.words) if len(column.words) == 1 else " ".join(column.words)


def _spread(things: Sequence[Any]) -> Sequence[Any]:
    """A few of them from all over the kind."""
    return things[:: max(1, len(things) // _MOST_TRIED)]


def _in_turn(sorts: Iterable[Iterable[str]]) -> Iterator[str]:
    """One of each sort, then the second of each, and so on; none twice."""
    nothing = object()
    seen: set[str] = set()
    for one in chain.from_iterable(zip_longest(*sorts, fillvalue=nothing)):
        if one is not nothing and one not in seen:
            seen.add(one)  # type: ignore[arg-type]
            yield one  # type: ignore[misc]


@cache
def _words(language: Language) -> Phrases:
    return Phrases(__package__, "overview.toml", language)
