"""local_file_qa: which files there are, by name, kind, time, size, and by what they are about.

A file is about something when its name or title says so, and less when only its text does; the text counts by how
often, for its length, it speaks of it. The vector side adds files that say the same in other words.
"""

from __future__ import annotations

import fnmatch
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from operator import mul
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from kbtui.domain.document import FileRecord
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import Translated
from kbtui.errors import Cancelled, KbtuiError
from kbtui.knowledge.search.grep_ranking import NAMES_KEPT
from kbtui.question.file_query import FileQuery, parse_file_query
from kbtui.text.language import has_cjk, simplified
from kbtui.text.tokenise import content_words, stem, tokens

if TYPE_CHECKING:
    from kbtui.knowledge.reading.source import SourceReader
    from kbtui.knowledge.search.grep import GrepSearcher
    from kbtui.knowledge.search.translator import Translator
    from kbtui.knowledge.search.vectors import VectorSearcher

TOOL: Final = "local_file_qa"

_K1: Final = 1.2
_B: Final = 0.6
_NAME_WORTH: Final = 1.0
_CONTENT_WORTH: Final = 1.0
_VECTOR_WORTH: Final = 0.6
_TRANSLATED_SHARE: Final = 0.8
_LEAST_HELD: Final = 0.3
"""Share of a topic's words, the rare ones counting more, that a file about it has; or how near it comes in meaning."""

_NOISE: Final = 0.2
_EVERYWHERE: Final = 0.8
_COSINE_FROM: Final = 0.3
_COSINE_TO: Final = 0.7
_NEAREST_CHUNKS: Final = 60
_LONGEST_LINE: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFiles:
    """The files found, one hit each, and how many there are beyond those."""

    hits: list[Hit]
    total: int


@dataclass(slots=True)
class _Concept:
    """A part of the topic, in every wording we know: 类型注解, type annotation, type hint."""

    wordings: tuple[str, ...]
    asked: str
    # Lines that speak of it, by path: of the wording that is there most.
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.wordings[0]


class FileCatalogue:
    """Finds files.

    Args:
        files: The files the index knows; asked at each search.
        grep: Counts words in them.
        source: Their lines as cited.
        vectors: Finds them by meaning; left out when there is none.
        translator: Puts a topic in the other language of the folder, where it has one.
        now: The time, with its zone.
    """

    def __init__(
        self,
        files: Callable[[], Sequence[FileRecord]],
        grep: GrepSearcher,
        source: SourceReader,
        vectors: VectorSearcher | None = None,
        translator: Translator | None = None,
        now: Callable[[], datetime] = lambda: datetime.now().astimezone(),
    ) -> None:
        self._files = files
        self._grep = grep
        self._source = source
        self._vectors = vectors
        self._translator = translator
        self._now = now

    def search(self, query: str, k: int, cancel: CancelToken | None = None) -> FoundFiles:
        """Files that fit every condition of the question, best first.

        Returns:
            For each a hit that points at the line which says what the file is (its ``summary_line``); the note says why
            it was found.

        Raises:
            ToolError: The search of the contents took too long.
            Cancelled: The run was stopped.
        """
        now = self._now()
        asked = parse_file_query(query, now)
        files = list(self._files())
        _names_or_topic(asked, files)
        reasons = {record.path: _conditions(asked, record, now) for record in files if _fits(asked, record)}
        fitting = [record for record in files if record.path in reasons]
        if asked.topic:
            scored = self._about(asked.topic, fitting, cancel or CancelToken())
            if asked.order:
                places = {path: place for place, (_, path, _) in enumerate(_ordered(asked, fitting))}
                scored.sort(key=lambda item: places[item[1]])
        elif asked.has_filters or _wants_all(query):
            scored = _ordered(asked, fitting)
        else:
            scored = []
        records = {record.path: record for record in fitting}
        most = min(k, asked.limit or k)
        hits = [
            self._hit(records[path], score, "; ".join([*filter(None, [why]), *reasons[path]]))
            for score, path, why in scored[:most]
        ]
        return FoundFiles(hits=hits, total=min(len(scored), asked.limit or len(scored)))

    def _about(self, topic: str, files: Sequence[FileRecord], cancel: CancelToken) -> list[tuple[float, str, str]]:
        """Score (0 to 1), path and reason of the files that are about ``topic``, best first."""
        concepts = _concepts(topic, self._translator.translated(topic).words if self._translator else ())
        if not concepts:
            return []
        wordings = list(dict.fromkeys(wording for concept in concepts for wording in concept.wordings))
        counted = {name.casefold(): counts for name, counts in self._grep.count_files(wordings, cancel).items()}
        for concept in concepts:
            for wording in concept.wordings:
                for path, number in counted.get(wording.casefold(), {}).items():
                    concept.counts[path] = max(number, concept.counts.get(path, 0))
        concepts = _telling(concepts, files)
        nearest = self._nearest(topic)
        average = max(sum(record.line_count for record in files) / len(files), 1.0) if files else 1.0
        rarities = [math.log(1 + (len(files) + 0.5) / (len(concept.counts) + 0.5)) for concept in concepts]
        total = sum(rarities)
        whole = total * (_NAME_WORTH + _CONTENT_WORTH) + max(rarities) * _VECTOR_WORTH
        words = [_words(concept) for concept in concepts]
        found = []
        for record in files:
            shares = [_named_share(concept, asked, record) for concept, asked in zip(concepts, words, strict=True)]
            named = [concept for concept, share in zip(concepts, shares, strict=True) if share]
            score = sum(map(mul, rarities, shares)) * _NAME_WORTH
            length = _K1 * (1 - _B + _B * record.line_count / average)
            held = 0.0
            for concept, rarity, share in zip(concepts, rarities, shares, strict=True):
                number = concept.counts.get(record.path, 0)
                score += rarity * _CONTENT_WORTH * number / (number + length) if number else 0.0
                held += rarity if number or share else 0.0
            score += max(rarities) * _VECTOR_WORTH * nearest.get(record.path, 0.0)
            if max(held / total, nearest.get(record.path, 0.0)) >= _LEAST_HELD:
                found.append((score / whole, record.path, _why(concepts, named, record, record.path in nearest)))
        found.sort(key=lambda item: (-item[0], item[1]))
        return [item for item in found if item[0] >= _NOISE * found[0][0]]

    def _nearest(self, topic: str) -> dict[str, float]:
        """How near the nearest chunk of each file is to the topic, 0 to 1; empty without a model that can tell."""
        if self._vectors is None:
            return {}
        try:
            hits = self._vectors.search(topic, _NEAREST_CHUNKS)
        except Cancelled:
            raise
        except KbtuiError:
            return {}
        nearest: dict[str, float] = {}
        for hit in hits:
            share = min(1.0, (hit.score - _COSINE_FROM) / (_COSINE_TO - _COSINE_FROM))
            if share > 0:
                nearest[hit.path] = max(share, nearest.get(hit.path, 0.0))
        return nearest

    def _hit(self, record: FileRecord, score: float, note: str) -> Hit:
        try:
            lines: Sequence[str] = self._source.lines(record.path)
        except (OSError, KbtuiError):
            lines = ()
        number = record.summary_line if 1 <= record.summary_line <= len(lines) else 1
        if lines and not lines[number - 1].strip():
            number = next((at for at, line in enumerate(lines, 1) if line.strip()), 1)
        text = lines[number - 1] if lines else record.summary
        return Hit(
            path=record.path,
            start_line=number,
            end_line=number,
            text=text[:_LONGEST_LINE],
            score=round(score, 6),
            tool=TOOL,
            title=record.title,
            signals={"file": round(score, 4)},
            note=note,
        )


def _names_or_topic(asked: FileQuery, files: Sequence[FileRecord]) -> None:
    """What looks like a file name and names none is a topic: ``files about node.js``."""
    unknown = [
        name
        for name in asked.names
        if not set(name) & set("*?[") and not any(_is_called(name, record) for record in files)
    ]
    asked.names = [name for name in asked.names if name not in unknown]
    asked.topic = " ".join([*filter(None, [asked.topic]), *unknown])


def _fits(asked: FileQuery, record: FileRecord) -> bool:
    modified = record.mtime_ns / 1e9
    return (
        (not asked.kinds or any(_is_kind(kind, record) for kind in asked.kinds))
        and (not asked.names or any(_is_called(name, record) for name in asked.names))
        and all(_is_in(folder, record) for folder in asked.folders)
        and (asked.since is None or modified >= asked.since.timestamp())
        and (asked.until is None or modified < asked.until.timestamp())
        and (asked.larger is None or record.size > asked.larger)
        and (asked.smaller is None or record.size < asked.smaller)
    )


def _is_kind(kind: str, record: FileRecord) -> bool:
    if kind.startswith("."):
        return record.path.lower().endswith(kind)
    return kind in (record.kind, record.language.lower()) or (kind == "code" and bool(record.language))


def _is_called(name: str, record: FileRecord) -> bool:
    path, wanted = record.path.casefold(), name.casefold().removeprefix("./")
    file = path.rsplit("/", 1)[-1]
    if set(wanted) & set("*?["):
        return fnmatch.fnmatchcase(path if "/" in wanted else file, wanted.replace("**/", "*"))
    labels = {label.casefold() for label in record.labels}
    return wanted in (path, file, file.rsplit(".", 1)[0]) or path.endswith(f"/{wanted}") or wanted in labels


def _is_in(folder: str, record: FileRecord) -> bool:
    wanted, parent = folder.casefold(), str(PurePosixPath(record.path.casefold()).parent)
    return f"/{wanted}/" in f"/{parent}/"


def _conditions(asked: FileQuery, record: FileRecord, now: datetime) -> list[str]:
    """Which conditions of the question the file fits, in words."""
    said = []
    if asked.names:
        said.append("its name matches")
    if asked.kinds:
        said.append(record.language or record.kind)
    if asked.folders:
        said.append(f"in {PurePosixPath(record.path).parent!s}/")
    if asked.since or asked.until or asked.order in ("newest", "oldest"):
        said.append(f"modified {_moment(record, now)}")
    if asked.larger is not None or asked.smaller is not None or asked.order in ("largest", "smallest"):
        said.append(_size(record.size))
    return said


def _moment(record: FileRecord, now: datetime) -> str:
    return datetime.fromtimestamp(record.mtime_ns / 1e9, tz=now.tzinfo).strftime("%Y-%m-%d %H:%M")


def _size(size: int) -> str:
    if size < 1024:
        return f"{size} bytes"
    return f"{size / 1024:.1f} KB" if size < 1024**2 else f"{size / 1024**2:.1f} MB"


def _wants_all(query: str) -> bool:
    """``list all files`` and the like, where nothing is left to narrow by."""
    words = set(tokens(query))
    return bool(words & {stem("files"), stem("documents")}) or "文件" in query or "文档" in query


def _ordered(asked: FileQuery, files: Sequence[FileRecord]) -> list[tuple[float, str, str]]:
    """All ``files`` in the order asked for; scores fall by place, so that the order survives whoever sorts by them."""
    match asked.order:
        case "newest":
            ordered = sorted(files, key=lambda record: (-record.mtime_ns, record.path))
        case "oldest":
            ordered = sorted(files, key=lambda record: (record.mtime_ns, record.path))
        case "largest":
            ordered = sorted(files, key=lambda record: (-record.size, record.path))
        case "smallest":
            ordered = sorted(files, key=lambda record: (record.size, record.path))
        case None:
            newest_first = asked.since is not None or asked.until is not None
            ordered = sorted(files, key=lambda record: (-record.mtime_ns if newest_first else 0, record.path))
    return [(1.0 - 0.2 * place / max(len(ordered), 1), record.path, "") for place, record in enumerate(ordered)]


def _concepts(topic: str, translated: Sequence[Translated]) -> list[_Concept]:
    """The parts of the topic: words that could be translated with their names, then every other content word."""
    known = {one.word: one.names for one in translated if one.word not in one.names}
    concepts = [_Concept((*names, word), word) for word, names in known.items()]
    rest = simplified(topic)
    for word in known:
        rest = rest.replace(word, " ")
    words = content_words(rest)
    joined: list[str] = []
    for word in words:
        # A name and its number are one thing (`PEP 484`).
        if joined and word.isdigit() and joined[-1].isalpha() and f"{joined[-1]} {word}" in rest:
            joined[-1] = f"{joined[-1]} {word}"
        else:
            joined.append(word)
    return concepts + [_Concept((word,), word) for word in dict.fromkeys(joined) if len(word) > 1 or not has_cjk(word)]


def _telling(concepts: list[_Concept], files: Sequence[FileRecord]) -> list[_Concept]:
    """Without those that nearly every file speaks of, unless nothing else is left: ``PEPs`` among PEPs."""
    telling = [
        concept
        for concept in concepts
        if sum(record.path in concept.counts for record in files) < _EVERYWHERE * max(len(files), 2)
    ]
    return telling or concepts


@lru_cache(maxsize=NAMES_KEPT)
def _name_of(title: str, path: str, labels: tuple[str, ...]) -> tuple[frozenset[str], str]:
    """The tokens of what a file is called by its title, path and labels, and all of it with case folded."""
    stem = path.rsplit(".", 1)[0].replace("/", " ").replace("_", " ").replace("-", " ")
    name = " ".join([title, stem, *labels])
    return frozenset(tokens(name)), name.casefold()


def _words(concept: _Concept) -> list[tuple[str, list[str]]]:
    """Every wording of a concept, as asked first, with its tokens; none where it is looked for as it stands."""
    wordings = (concept.asked, *concept.wordings)
    return [(wording, [] if has_cjk(wording) else tokens(wording)) for wording in wordings]


def _named_share(concept: _Concept, words: Sequence[tuple[str, list[str]]], record: FileRecord) -> float:
    """1 when title, path or a label holds all words of the concept as asked, less when of a translation; else 0."""
    known, lowered = _name_of(record.title, record.path, record.labels)
    for wording, wanted in words:
        if known.issuperset(wanted) if wanted else has_cjk(wording) and wording in lowered:
            return 1.0 if wording == concept.asked else _TRANSLATED_SHARE
    return 0.0


def _why(concepts: Sequence[_Concept], named: Sequence[_Concept], record: FileRecord, near: bool) -> str:
    parts = []
    if named:
        parts.append(f"named after {', '.join(concept.name for concept in named)}")
    spoken = [(concept.counts[record.path], concept.name) for concept in concepts if record.path in concept.counts]
    if spoken:
        parts.append("; ".join(f"{number} line{'s' if number > 1 else ''} on {name}" for number, name in spoken))
    if not parts and near:
        parts.append("close in meaning")
    return "; ".join(parts)
