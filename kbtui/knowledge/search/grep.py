"""grep_search: passages around the lines ripgrep finds, ranked by BM25 (spec 003, D2).

BM25 over the passages that were found would think every keyword common, since each of them holds one. How rare a
keyword is comes from ripgrep's counts over the whole folder instead.

Work is bounded: whatever the keywords, at most `MAX_LINES` matching lines are looked at, in the files that promise
most, rarest keyword first, and at most `MAX_SCORED` passages are ranked. A common word beside a rare one still counts
in the ranking, even where its lines were not looked at.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kbtui.domain.document import FileRecord
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.errors import KbtuiError
from kbtui.knowledge.reading.source import SourceReader
from kbtui.knowledge.search.grep_ranking import K1, Candidate, name_tokens, ranked
from kbtui.knowledge.search.keywords import MAX_TERMS, Term, first_terms, second_terms, split_keywords
from kbtui.knowledge.search.naming import FileNames
from kbtui.knowledge.search.passages import Passage, best_passages, passage_text
from kbtui.knowledge.search.ripgrep import (
    LinePattern,
    PythonFinder,
    Ripgrep,
    WrittenPattern,
    escape,
    matching_lines,
    open_finder,
)
from kbtui.text.tokenise import tokens

if TYPE_CHECKING:
    from kbtui.knowledge.search.translator import Translator

MAX_LINES: Final = 3000
"""Matching lines that are looked at in one search."""

MAX_SCORED: Final = 230
"""Passages that are ranked in one search; fewer for a small ``k``."""

_FILES: Final = 40
# Of each file at first; of the files that are chosen, the rest is fetched as far as `MAX_LINES` goes.
_FIRST_LINES: Final = 50
_PASSAGES_A_FILE: Final = 3
# Long files hold more of every word; their passages are ranked on their own later, so the length counts less here.
_FILE_B: Final = 0.4
_TITLE_WORTH: Final = 0.5


Lines = dict[str, list[int]]
"""Numbers of matching lines by path."""


class GrepSearcher:
    """Searches the files of a folder for keywords.

    Args:
        root: The folder.
        source: Lines of its files as cited.
        files: The files the index knows; asked at each search.
        finder: What finds the lines; ripgrep, or Python where that is missing.
        translator: Adds the keywords in the other language of the folder, where it has one.
    """

    def __init__(
        self,
        root: Path,
        source: SourceReader,
        files: Callable[[], Sequence[FileRecord]],
        finder: PythonFinder | Ripgrep | None = None,
        translator: Translator | None = None,
    ) -> None:
        self._source = source
        self._files = files
        self._names = FileNames(files)
        self._translator = translator
        self._finder = finder or open_finder(root, source)
        self._pool = ThreadPoolExecutor(max(2, os.cpu_count() or 2), thread_name_prefix="grep")

    @property
    def note(self) -> str:
        """Says so when ripgrep is missing; else empty."""
        return self._finder.note

    def warm(self) -> None:
        """Import what ranking needs, so that the first search does not wait for it."""
        import rank_bm25  # noqa: F401

        tokens("warm")

    def search(self, keywords: str | Sequence[str], k: int, cancel: CancelToken | None = None) -> list[Hit]:
        """The best passages, best first.

        Args:
            keywords: Separated by spaces or commas, phrases in double quotes; or one keyword an item.
            k: How many at most.

        Returns:
            Hits of at most 2,000 characters, with the lines that match and the signals ``bm25``, ``coverage`` (share
            of the keywords present, 0 to 1) and ``exact`` (share present as written, case and all).

        Raises:
            ToolError: The search took too long or could not be run.
            Cancelled: The run was stopped.
        """
        cancel = cancel or CancelToken()
        asked = split_keywords(keywords)
        files = list(self._files())
        if not asked or not files or k < 1:
            return []
        if self._translator is not None:
            given = " ".join(keyword for keyword, _ in asked)
            asked = split_keywords(
                [*(keyword for keyword, _ in asked), *self._translator.translated(given).text.split()]
            )
        labelled = self._names.called([keyword for keyword, _ in asked])
        terms, found = self._found(first_terms(asked), files, labelled, cancel, _FIRST_LINES)
        if not terms:
            return []
        worth = _worth(terms, found, files)
        chosen = _best_files(files, terms, found, worth, labelled, most=max(_FILES, 20 + k))
        texts = _Texts(self._source)
        matches = self._matches(texts, chosen, terms, found, worth, labelled, cancel)
        candidates = _candidates(texts, chosen, terms, matches, worth, k)
        return ranked(candidates, terms, worth, asked, labelled, k)

    def best_files(self, keywords: Sequence[str], most: int, cancel: CancelToken | None = None) -> list[str]:
        """Paths of the files that promise most, best first.

        Raises:
            ToolError: The search took too long or could not be run.
            Cancelled: The run was stopped.
        """
        asked = split_keywords(list(keywords))
        files = list(self._files())
        if not asked or not files:
            return []
        labelled = self._names.called([keyword for keyword, _ in asked])
        terms, found = self._found(first_terms(asked), files, labelled, cancel or CancelToken(), _FIRST_LINES)
        if not terms:
            return []
        worth = _worth(terms, found, files)
        return [record.path for record in _best_files(files, terms, found, worth, labelled, most)]

    def count_files(self, keywords: Sequence[str], cancel: CancelToken | None = None) -> dict[str, dict[str, int]]:
        """Matching lines by path for each keyword that some file holds, by the keyword as given.

        A Chinese keyword that is nowhere whole is counted where all its pairs of characters are.
        """
        asked = split_keywords(list(keywords))
        files = list(self._files())
        if not asked or not files:
            return {}
        whole = [term for term in first_terms(asked) if term.whole]
        terms, found = self._found(whole, files, {}, cancel or CancelToken(), None)
        parts: dict[int, list[Lines]] = {}
        for term, lines in zip(terms, found, strict=True):
            parts.setdefault(term.keyword, []).append(lines)
        return {
            asked[keyword][0]: {
                path: min(len(lines[path]) for lines in founds) for path in set.intersection(*map(set, founds))
            }
            for keyword, founds in parts.items()
        }

    def holding(self, texts: Sequence[str]) -> frozenset[str]:
        """Paths of the files that hold all of these texts, in any case.

        Raises:
            ToolError: The search took too long or could not be run.
        """
        files = list(self._files())
        # What few files hold is looked for first, and the rest in those alone.
        for text in sorted(texts, key=len, reverse=True):
            found = self._finder.lines(LinePattern(escape(text)), files, CancelToken(), 1)
            files = [record for record in files if record.path in found]
        return frozenset(record.path for record in files)

    def matching(
        self, pattern: str, files: Sequence[FileRecord], cancel: CancelToken | None = None
    ) -> tuple[dict[str, list[int]], bool]:
        """Numbers of all lines that match a regular expression, by path, and whether it was taken as plain text.

        What is no expression that takes linear time is looked for as it stands.

        Raises:
            ToolError: The search took too long or could not be run.
            Cancelled: The run was stopped.
        """
        written = WrittenPattern.of(pattern)
        found = self._finder.lines(written or LinePattern(escape(pattern)), files, cancel or CancelToken(), None)
        return {path: numbers for path, numbers in found.items() if numbers}, written is None

    def _found(
        self,
        terms: list[Term],
        files: Sequence[FileRecord],
        labelled: Mapping[str, set[int]],
        cancel: CancelToken,
        most: int | None,
    ) -> tuple[list[Term], list[Lines]]:
        """The terms that some file holds, with the lines that match; a file that is named holds its name in line 1."""

        def find(term: Term) -> Lines:
            return self._finder.lines(term.pattern, files, cancel, most)

        found = list(zip(terms, self._pool.map(find, terms), strict=True))
        for term, lines in found:
            for path, keywords in labelled.items():
                if term.whole and term.keyword in keywords and 1 not in lines.get(path, ()):
                    lines[path] = [1, *lines.get(path, ())]
        missing = [term for term, lines in found if not lines]
        others = second_terms(missing, MAX_TERMS - len(terms) + len(missing))
        found += zip(others, self._pool.map(find, others), strict=True)
        kept = [(term, lines) for term, lines in found if lines]
        whole = {term.keyword for term, _ in kept if term.whole}
        # A part counts in full where its keyword is nowhere whole.
        return (
            [term if term.whole or term.keyword in whole else replace(term, weight=1.0) for term, _ in kept],
            [lines for _, lines in kept],
        )

    def _matches(
        self,
        texts: _Texts,
        chosen: Sequence[FileRecord],
        terms: Sequence[Term],
        found: Sequence[Lines],
        worth: Sequence[float],
        labelled: Mapping[str, set[int]],
        cancel: CancelToken,
    ) -> dict[str, dict[int, list[int]]]:
        """Indexes of the matching terms by path and line, for the terms that are worth most."""
        room = MAX_LINES
        result: dict[str, dict[int, list[int]]] = {record.path: {} for record in chosen}
        for index in sorted(range(len(terms)), key=lambda position: -worth[position]):
            if room <= 0:
                break
            term = terms[index]
            cut = [record for record in chosen if len(found[index].get(record.path, ())) >= _FIRST_LINES]
            rest = self._finder.lines(term.pattern, cut, cancel, max(_FIRST_LINES, room // len(cut))) if cut else {}
            for record in chosen:
                if numbers := rest.get(record.path) or found[index].get(record.path):
                    room -= len(numbers)
                    is_named = term.whole and term.keyword in labelled.get(record.path, ())
                    for number in _as_cited(term, texts[record.path], numbers, is_named):
                        result[record.path].setdefault(number, []).append(index)
        return result


class _Texts(dict[str, Sequence[str]]):
    """The lines of the files one search looks at, each file read once; of one that is gone, none."""

    def __init__(self, source: SourceReader) -> None:
        super().__init__()
        self._source = source

    def __missing__(self, path: str) -> Sequence[str]:
        try:
            lines: Sequence[str] = self._source.lines(path)
        except (OSError, KbtuiError):
            lines = ()
        self[path] = lines
        return lines


def _as_cited(term: Term, lines: Sequence[str], numbers: list[int], is_named: bool) -> list[int]:
    """The numbers, counted again where ripgrep counts lines differently (a lone carriage return ends ours)."""
    if numbers[-1] <= len(lines) and term.pattern.python.search(lines[numbers[-1] - 1]):
        return numbers
    return matching_lines(term.pattern, lines)[:MAX_LINES] or ([1] if is_named else [])


def _candidates(
    texts: _Texts,
    chosen: Sequence[FileRecord],
    terms: Sequence[Term],
    matches: Mapping[str, Mapping[int, Sequence[int]]],
    worth: Sequence[float],
    k: int,
) -> list[Candidate]:
    found: list[tuple[float, int, FileRecord, Passage]] = []
    for position, record in enumerate(chosen):
        if by_line := matches.get(record.path):
            passages = best_passages(texts[record.path], by_line, worth, _PASSAGES_A_FILE + k // 50)
            found += [(passage.worth, position, record, passage) for passage in passages]
    found.sort(key=lambda item: (-item[0], item[1], item[3].start))
    result = []
    for _, _, record, passage in found[: min(MAX_SCORED, 30 + k)]:
        patterns = [terms[index].pattern for index in passage.terms]
        result.append(Candidate(record, passage, passage_text(texts[record.path], passage, patterns)))
    return result


def _worth(terms: Sequence[Term], found: Sequence[Lines], files: Sequence[FileRecord]) -> list[float]:
    """Weight times rarity, for each term: BM25's inverse document frequency, counted in chunks, so that five long files
    are not five documents.

    ``n`` matching lines scattered over the ``c`` chunks of a file are expected in ``c (1 - (1 - 1/c)^n)`` of them.
    """
    chunks = {record.path: max(record.chunk_count, 1) for record in files}
    total = sum(chunks.values())
    worth = []
    for term, lines in zip(terms, found, strict=True):
        held = ((chunks[path], len(numbers)) for path, numbers in lines.items() if path in chunks)
        # Summed exactly: the order of the files is that in which the search came upon them.
        holding = math.fsum(count * (1 - (1 - 1 / count) ** number) for count, number in held)
        worth.append(term.weight * math.log(1 + (total - holding + 0.5) / (holding + 0.5)))
    return worth


def _best_files(
    files: Sequence[FileRecord],
    terms: Sequence[Term],
    found: Sequence[Lines],
    worth: Sequence[float],
    labelled: Mapping[str, set[int]],
    most: int,
) -> list[FileRecord]:
    """The files that promise most by how often they hold which terms, best first."""
    average = max(sum(record.line_count for record in files) / len(files), 1.0)
    lengths = {record.path: K1 * (1 - _FILE_B + _FILE_B * record.line_count / average) for record in files}
    scores: dict[str, float] = {}
    for index, by_path in enumerate(found):
        for path, lines in by_path.items():
            number = len(lines)
            scores[path] = scores.get(path, 0.0) + worth[index] * number * (K1 + 1) / (number + lengths[path])
    records = {record.path: record for record in files}
    best = max(worth)
    for path in scores:
        scores[path] += 2 * best * len(labelled.get(path, ()))
    if len(scores) > most:
        for path in scores:
            scores[path] += _named(records[path], terms, worth)
    order = sorted(scores, key=lambda path: (-scores[path], path))
    return [records[path] for path in order[:most]]


def _named(record: FileRecord, terms: Sequence[Term], worth: Sequence[float]) -> float:
    """What the terms in the title and the path add."""
    name = name_tokens(record.title, record.path)
    return sum(_TITLE_WORTH * worth[index] for index, term in enumerate(terms) if term.token and term.token in name)
