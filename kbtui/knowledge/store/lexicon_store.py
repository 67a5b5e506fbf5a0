"""Stores the lexicon of a folder in a file next to its index, and updates it with committed documents.

The file is a cache: where it is missing, damaged or outdated, the lexicon is counted again, which takes about a second.
Readers of the index write it, atomically; for a new folder it is made while the full-text index is built.
"""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from kbtui.knowledge.store.lexicon import EMPTY, Lexicon, build_lexicon, merge_lexicons
from kbtui.whole_file import write_whole

if TYPE_CHECKING:
    import pyarrow as pa

log = logging.getLogger(__name__)

_ARRAYS: Final = ("starts", "documents", "counts", "passages", "lengths", "sizes")
_TEXTS: Final = ("terms", "stamps")

ReadTerms = Callable[[Collection[str]], "Iterable[pa.Table]"]
"""Returns the columns ``terms`` and ``stamp`` of the passages with these stamps, in batches."""


def updated_lexicon(file: Path, stamps: frozenset[str], read: ReadTerms) -> Lexicon:
    """The lexicon of the documents with these stamps, from the stored file as far as possible.

    Args:
        file: Path of the stored lexicon; it need not exist.
        stamps: The stamp of every document with a passage.
        read: Called for documents that the stored lexicon lacks.
    """
    stored = _load(file)
    stored_stamps = frozenset(stored.stamps)
    if stored_stamps == stamps:
        return stored
    new = stamps - stored_stamps
    new_lexicon = build_lexicon(read(new)) if new else EMPTY
    lexicon = merge_lexicons(stored, new_lexicon, stamps) if stored_stamps & stamps else new_lexicon
    try:
        write_whole(file, _encode(lexicon))
    except OSError as error:
        log.info("the lexicon was not kept: %s", error)
    return lexicon


def _encode(lexicon: Lexicon) -> bytes:
    arrays = {name: getattr(lexicon, name) for name in _ARRAYS}
    texts = {name: np.frombuffer("\n".join(getattr(lexicon, name)).encode(), dtype=np.uint8) for name in _TEXTS}
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays, **texts)
    return buffer.getvalue()


def _load(file: Path) -> Lexicon:
    """The stored lexicon; the empty one where the file is missing or inconsistent."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in _ARRAYS}
            texts = {name: stored[name].tobytes().decode().split("\n") for name in _TEXTS}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, UnicodeDecodeError):
        return EMPTY
    lexicon = Lexicon(terms=texts["terms"], stamps=tuple(texts["stamps"]), **arrays)
    return lexicon if _is_consistent(lexicon) else EMPTY


def _is_consistent(lexicon: Lexicon) -> bool:
    postings = len(lexicon.documents)
    return (
        len(lexicon.starts) == len(lexicon.terms) + 1
        and int(lexicon.starts[-1]) == postings == len(lexicon.counts) == len(lexicon.passages)
        and len(lexicon.stamps) == len(lexicon.lengths) == len(lexicon.sizes)
        and postings > 0
        and 0 <= int(lexicon.documents.min()) <= int(lexicon.documents.max()) < len(lexicon.stamps)
    )
