"""The background of a folder: what search makes there of questions that it does not answer.

The score of the best passage grows with the folder: among twenty thousand passages some hold the words of any question.
So a fixed set of questions on many subjects (``background.toml``) is put to the folder, and what their best passages
score on average is what chance brings there. A question that the folder is about stands out from that.

It is measured once, in a second or less, and again when the folder has changed much.
"""

from __future__ import annotations

import contextlib
import json
import logging
import threading
import zlib
from collections.abc import Callable
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING, Final

import msgspec

from kbtui.errors import KbtuiError
from kbtui.knowledge.store.index_tables import write_text
from kbtui.question.keywords import search_keywords
from kbtui.settings import paths
from kbtui.settings.private import private_folder
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.knowledge.search.hybrid import HybridSearcher
    from kbtui.knowledge.store.index import Index

log = logging.getLogger(__name__)

_FILE: Final = "background.json"
_CHANGED: Final = 0.1
"""Share of the passages by which a folder has to grow or shrink to be measured again."""


class _Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A background, and what it was measured of.

    Attributes:
        chunks: The number of passages.
        fingerprint: Of the model of their vectors; empty where there were none.
        questions: A checksum of the questions.
    """

    score: float
    chunks: int
    fingerprint: str
    questions: int

    def holds_for(self, other: _Measured) -> bool:
        same = (self.fingerprint, self.questions) == (other.fingerprint, other.questions)
        return same and abs(self.chunks - other.chunks) <= _CHANGED * self.chunks


class Background:
    """The background of one folder, kept beside its index. Safe to use from several threads.

    Args:
        hybrid: Gives the search over that index.
    """

    def __init__(self, index: Index, hybrid: Callable[[], HybridSearcher]) -> None:
        self._index = index
        self._hybrid = hybrid
        self._lock = threading.Lock()
        self._known: _Measured | None = None

    def score(self) -> float | None:
        """The mean of the best scores, 0 to about 1.

        None for an index that is thrown away after a run, which would not repay it, and for one that cannot be read.
        """
        if self._index.directory != paths.index_dir(self._index.root):
            return None
        try:
            with self._lock:
                now = self._now()
                known = self._known or self._kept()
                if known is None or not known.holds_for(now):
                    known = self._measured(now)
                self._known = known
                return known.score
        except KbtuiError as error:
            # Whoever searches meets the same error, and tells of it.
            log.info("the background was not measured: %s", error.message)
            return None

    def _now(self) -> _Measured:
        fingerprint = self._index.fingerprint if self._index.vector_share() >= 1 - _CHANGED else ""
        return _Measured(score=0.0, chunks=self._index.chunk_count, fingerprint=fingerprint, questions=_checksum())

    def _kept(self) -> _Measured | None:
        try:
            return msgspec.json.decode((self._index.directory / _FILE).read_bytes(), type=_Measured)
        except (OSError, msgspec.MsgspecError):
            return None

    def _measured(self, now: _Measured) -> _Measured:
        questions = _questions()["zh" if (self._index.chinese_share() or 0.0) > 0.5 else "en"]
        hybrid = self._hybrid()
        score = fmean(hybrid.best_score(question, search_keywords(question)) for question in questions)
        found = msgspec.structs.replace(now, score=round(score, 4))
        # What is not kept is measured again by the next program.
        with contextlib.suppress(OSError):
            # The index of several folders has no files of its own.
            private_folder(self._index.directory)
            write_text(self._index.directory / _FILE, msgspec.json.encode(found).decode("ascii"))
        return found


@cache
def _questions() -> dict[str, list[str]]:
    return {language: list(texts) for language, texts in toml_in(__package__, "background.toml").items()}


@cache
def _checksum() -> int:
    return zlib.crc32(json.dumps(_questions(), sort_keys=True).encode())
