"""grep_search: passages around the lines ripgrep finds, ranked by BM25 (spec 003, D2).

BM25 over the passages that were found would think every keyword common, since each of them holds one. How rare a
keyword is comes from ripgrep's counts over the whole folder instead.

Work is bounded: whatever the keywords, at most `MAX_LINES` matching lines are looked at, in the files that promise
most, rarest keyword first, and at most `MAX_SCORED` passages are ranked. A common word beside a rare one still counts
in the ranking; alone, it gives the passages of the files it is most frequent in.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kbtui.domain.document import FileRecord
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.errors import KbtuiError
from kbtui.knowledge.keywords import MAX_TERMS, Term, first_terms, second_terms, split_keywords
from kbtui.knowledge.passages import Passage, best_passages, passage_text
from kbtui.knowledge.ripgrep import LineFinder, TextLines, matching_lines, open_finder
from kbtui.text.tokenise import tokens

MAX_LINES: Final = 3000
"""Matching lines that are looked at in one search."""

MAX_SCORED: Final = 400
"""Passages that are ranked in one search; fewer for a small ``k``."""

_FILES: Final = 40
_PASSAGES_A_FILE: Final = 3
_NOISE: Final = 0.15
_K1: Final = 1.2
_B: Final = 0.75
# Long files hold more of every word; their passages are ranked on their own later, so the length counts less here.
_FILE_B: Final = 0.4
_TITLE_WORTH: Final = 0.5


@dataclass(frozen=True, slots=True)
class _Candidate:
    record: FileRecord
    passage: Passage
    text: str


class GrepSearcher:
    """Searches the files of a folder for keywords.

    Args:
        root: The folder.
        source: Lines of its files as cited.
        files: The files the index knows; asked at each search.
        finder: What finds the lines; ripgrep, or Python where that is missing.
    """

    def __init__(
        self,
        root: Path,
        source: TextLines,
        files: Callable[[], Sequence[FileRecord]],
        finder: LineFinder | None = None,
    ) -> None:
        self._source = source
        self._files = files
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
        terms, counts = self._counted(first_terms(asked), files, cancel)
        labelled = _labelled(asked, files)
        terms, counts = _with_labels(terms, counts, labelled, files)
        if not terms:
            return []
        worth = [term.weight * _rarity(found, files) for term, found in zip(terms, counts, strict=True)]
        chosen = _best_files(files, terms, counts, worth, labelled, most=max(_FILES, 2 * k))
        matches = self._matches(chosen, terms, counts, worth, labelled, cancel)
        candidates = self._candidates(chosen, terms, matches, worth, k)
        return _ranked(candidates, terms, worth, asked, labelled, k)

    def count_files(self, keywords: Sequence[str], cancel: CancelToken | None = None) -> dict[str, dict[str, int]]:
        """Matching lines by path for each keyword that some file holds, by the keyword as given.

        A Chinese keyword that is nowhere whole is counted where all its pairs of characters are.
        """
        asked = split_keywords(list(keywords))
        files = list(self._files())
        if not asked or not files:
            return {}
        whole = [term for term in first_terms(asked) if term.whole]
        terms, counts = self._counted(whole, files, cancel or CancelToken())
        parts: dict[int, list[dict[str, int]]] = {}
        for term, found in zip(terms, counts, strict=True):
            parts.setdefault(term.keyword, []).append(found)
        return {
            asked[keyword][0]: {
                path: min(found[path] for found in founds) for path in set.intersection(*map(set, founds))
            }
            for keyword, founds in parts.items()
        }

    def _counted(
        self, terms: list[Term], files: Sequence[FileRecord], cancel: CancelToken
    ) -> tuple[list[Term], list[dict[str, int]]]:
        """The terms that some file holds, with the count of matching lines by path."""

        def count(term: Term) -> dict[str, int]:
            return self._finder.count(term.pattern, files, cancel)

        found = list(zip(terms, self._pool.map(count, terms), strict=True))
        missing = [term for term, counts in found if not counts]
        others = second_terms(missing, MAX_TERMS - len(terms) + len(missing))
        found += zip(others, self._pool.map(count, others), strict=True)
        kept = [(term, counts) for term, counts in found if counts]
        whole = {term.keyword for term, _ in kept if term.whole}
        # A part counts in full where its keyword is nowhere whole.
        kept = [(term if term.whole or term.keyword in whole else _in_full(term), counts) for term, counts in kept]
        return [term for term, _ in kept], [counts for _, counts in kept]

    def _matches(
        self,
        chosen: Sequence[FileRecord],
        terms: Sequence[Term],
        counts: Sequence[Mapping[str, int]],
        worth: Sequence[float],
        labelled: Mapping[str, set[int]],
        cancel: CancelToken,
    ) -> dict[str, dict[int, list[int]]]:
        """Indexes of the matching terms by path and line, for the terms that are worth most."""
        room = MAX_LINES
        wanted: list[tuple[int, list[FileRecord], int | None]] = []
        for index in sorted(range(len(terms)), key=lambda position: -worth[position]):
            holding = [record for record in chosen if record.path in counts[index]]
            needed = sum(counts[index][record.path] for record in holding)
            most = None
            if needed > room:
                if wanted or not holding:
                    continue
                most = max(1, room // len(holding))
            wanted.append((index, holding, most))
            room -= needed

        def find(job: tuple[int, list[FileRecord], int | None]) -> dict[str, list[int]]:
            index, holding, most = job
            return self._finder.lines(terms[index].pattern, holding, cancel, most) if holding else {}

        result: dict[str, dict[int, list[int]]] = {}
        for (index, _, most), found in zip(wanted, self._pool.map(find, wanted), strict=True):
            for path, numbers in found.items():
                by_line = result.setdefault(path, {})
                for number in self._as_cited(terms[index], path, numbers, most):
                    by_line.setdefault(number, []).append(index)
        for record in chosen:
            if record.path in labelled:
                by_line = result.setdefault(record.path, {})
                for index, term in enumerate(terms):
                    if term.whole and term.keyword in labelled[record.path]:
                        by_line.setdefault(1, [])
                        if index not in by_line[1]:
                            by_line[1].append(index)
        return result

    def _as_cited(self, term: Term, path: str, numbers: list[int], most: int | None) -> list[int]:
        """The numbers, counted again where ripgrep counts lines differently (a lone carriage return ends ours)."""
        lines = self._lines(path)
        search = term.pattern.python.search
        if all(number <= len(lines) and search(lines[number - 1]) for number in (numbers[0], numbers[-1])):
            return numbers
        return matching_lines(term.pattern, lines)[:most]

    def _candidates(
        self,
        chosen: Sequence[FileRecord],
        terms: Sequence[Term],
        matches: Mapping[str, Mapping[int, Sequence[int]]],
        worth: Sequence[float],
        k: int,
    ) -> list[_Candidate]:
        """The passages worth ranking."""
        found: list[tuple[float, int, FileRecord, Passage]] = []
        for position, record in enumerate(chosen):
            if by_line := matches.get(record.path):
                passages = best_passages(self._lines(record.path), by_line, worth, max(_PASSAGES_A_FILE, k // 10))
                found += [(passage.worth, position, record, passage) for passage in passages]
        found.sort(key=lambda item: (-item[0], item[1], item[3].start))
        result = []
        for _, _, record, passage in found[: min(MAX_SCORED, 30 + 2 * k)]:
            patterns = [terms[index].pattern for index in passage.terms]
            result.append(_Candidate(record, passage, passage_text(self._lines(record.path), passage, patterns)))
        return result

    def _lines(self, path: str) -> Sequence[str]:
        try:
            return self._source.lines(path)
        except (OSError, KbtuiError):
            return ()


def _in_full(term: Term) -> Term:
    return Term(term.text, term.pattern, term.keyword, term.token, whole=False)


def _rarity(counts: Mapping[str, int], files: Sequence[FileRecord]) -> float:
    """BM25's inverse document frequency, counted in chunks, so that five long files are not five documents.

    ``n`` matching lines scattered over the ``c`` chunks of a file are expected in ``c (1 - (1 - 1/c)^n)`` of them.
    """
    total = sum(max(record.chunk_count, 1) for record in files)
    chunks = {record.path: max(record.chunk_count, 1) for record in files if record.path in counts}
    holding = sum(size * (1 - (1 - 1 / size) ** counts[path]) for path, size in chunks.items())
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def _labelled(asked: Sequence[tuple[str, bool]], files: Sequence[FileRecord]) -> dict[str, set[int]]:
    """Keywords that name a file (its label, its name or its whole title), by path."""
    wanted = {keyword.casefold(): position for position, (keyword, _) in enumerate(asked)}
    result: dict[str, set[int]] = {}
    for record in files:
        name = record.path.rsplit("/", 1)[-1]
        for known in (*record.labels, record.path, name, name.rsplit(".", 1)[0], record.title):
            if (position := wanted.get(known.casefold())) is not None:
                result.setdefault(record.path, set()).add(position)
    return result


def _with_labels(
    terms: list[Term],
    counts: list[dict[str, int]],
    labelled: Mapping[str, set[int]],
    files: Sequence[FileRecord],
) -> tuple[list[Term], list[dict[str, int]]]:
    """Counts in which a file that is named holds its name at least once."""
    known = {record.path for record in files}
    for term, found in zip(terms, counts, strict=True):
        for path, positions in labelled.items():
            if term.whole and term.keyword in positions and path in known:
                found.setdefault(path, 1)
    return terms, counts


def _best_files(
    files: Sequence[FileRecord],
    terms: Sequence[Term],
    counts: Sequence[Mapping[str, int]],
    worth: Sequence[float],
    labelled: Mapping[str, set[int]],
    most: int,
) -> list[FileRecord]:
    """The files that promise most by how often they hold which terms, best first."""
    average = max(sum(record.line_count for record in files) / len(files), 1.0)
    lengths = {record.path: _K1 * (1 - _FILE_B + _FILE_B * record.line_count / average) for record in files}
    scores: dict[str, float] = {}
    for index, found in enumerate(counts):
        for path, number in found.items():
            if path in lengths:
                scores[path] = scores.get(path, 0.0) + worth[index] * number * (_K1 + 1) / (number + lengths[path])
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
    name = _name_tokens(record)
    return sum(_TITLE_WORTH * worth[index] for index, term in enumerate(terms) if term.token and term.token in name)


def _name_tokens(record: FileRecord) -> set[str]:
    stem = record.path.rsplit(".", 1)[0].replace("/", " ")
    return set(tokens(f"{record.title} {stem}"))


def _ranked(
    candidates: Sequence[_Candidate],
    terms: Sequence[Term],
    worth: Sequence[float],
    asked: Sequence[tuple[str, bool]],
    labelled: Mapping[str, set[int]],
    k: int,
) -> list[Hit]:
    """BM25 over the candidates, with the folder's own rarities; noise dropped."""
    if not candidates:
        return []
    from rank_bm25 import BM25Okapi

    names = [_marker(index) for index in range(len(terms))]
    bags = [_bag(candidate, terms, names, labelled.get(candidate.record.path, set())) for candidate in candidates]
    bm25: Any = BM25Okapi(bags, k1=_K1, b=_B)
    bm25.idf = dict(zip(names, worth, strict=True))
    scores = bm25.get_scores(names)
    found: list[Hit] = []
    for position, candidate in enumerate(candidates):
        record, passage = candidate.record, candidate.passage
        present = {index for index, name in enumerate(names) if bm25.doc_freqs[position].get(name)}
        coverage = _coverage(present, terms, len(asked))
        exact = sum(keyword in candidate.text for keyword, _ in asked) / len(asked)
        named = len(labelled.get(record.path, ())) / len(asked) if 1 in passage.matched else 0.0
        score = float(scores[position]) * (0.7 + 0.3 * coverage) * (1 + 0.15 * exact + 0.3 * named)
        found.append(
            Hit(
                path=record.path,
                start_line=passage.start,
                end_line=passage.end,
                text=candidate.text,
                score=round(score, 6),
                tool="grep_search",
                title=record.title,
                signals={"bm25": round(float(scores[position]), 4), "coverage": coverage, "exact": round(exact, 4)},
                matched_lines=passage.matched,
            )
        )
    found.sort(key=lambda hit: (-hit.score, hit.path, hit.start_line))
    return [hit for hit in found if hit.score >= _NOISE * found[0].score][:k]


def _bag(candidate: _Candidate, terms: Sequence[Term], names: Sequence[str], labels: set[int]) -> list[str]:
    """A passage as BM25 sees it: its tokens for its length, and a marker for each time it holds a term.

    Every passage of the file a keyword names holds that keyword, written or not: ``PEP 703`` seldom says ``PEP 703``.
    """
    bag = tokens(candidate.text)
    counted: dict[str, int] = {}
    for token in bag:
        counted[token] = counted.get(token, 0) + 1
    title = _name_tokens(candidate.record)
    marks: list[str] = []
    for index, term in enumerate(terms):
        number = max(counted.get(term.token, 0) if term.token else 0, candidate.passage.terms.get(index, 0))
        if (number and term.token in title) or (term.whole and term.keyword in labels):
            number += 1
        marks += [names[index]] * number
    return bag + marks


def _marker(index: int) -> str:
    """A token no text gives."""
    return f"\0{index}"


def _coverage(present: set[int], terms: Sequence[Term], asked: int) -> float:
    """Share of the keywords that are there; of one that is nowhere whole, the share of its parts."""
    by_keyword: dict[int, list[int]] = {}
    for index, term in enumerate(terms):
        by_keyword.setdefault(term.keyword, []).append(index)
    total = 0.0
    for indexes in by_keyword.values():
        parts = [index for index in indexes if not terms[index].whole]
        if any(terms[index].whole and index in present for index in indexes):
            total += 1.0
        elif parts:
            total += (
                sum(index in present for index in parts) / len(parts) * (1.0 if len(parts) == len(indexes) else 0.5)
            )
    return round(total / asked, 4)
