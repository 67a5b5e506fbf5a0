"""Keeps the lexicon of a folder in a file beside its index, and brings it up to date with what is committed.

Nothing depends on the file: one that is gone, broken or of another time costs a second of counting, no more. Whoever
reads the index writes it, in one step; of a folder that is read for the first time it is made beside the word index.
"""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from kbtui.knowledge.store.lexicon import EMPTY, Lexicon, counted, joined
from kbtui.whole_file import write_whole

if TYPE_CHECKING:
    import pyarrow as pa

log = logging.getLogger(__name__)

_ARRAYS: Final = ("starts", "documents", "counts", "passages", "lengths", "sizes")
_TEXTS: Final = ("terms", "stamps")

ReadTerms = Callable[[Collection[str]], "pa.Table"]
"""Gives the columns ``terms`` and ``stamp`` of the passages under these stamps."""


def up_to_date(file: Path, stamps: frozenset[str], read: ReadTerms) -> Lexicon:
    """The lexicon of the documents under these stamps, from the file as far as it knows them.

    Args:
        file: Where it is kept; it need not be there.
        stamps: Of every document that has a passage.
        read: Asked for what the file does not know.
    """
    known = _loaded(file)
    held = frozenset(known.stamps)
    if held == stamps:
        return known
    new = stamps - held
    table = read(new) if new else None
    fresh = counted(table["terms"], table["stamp"]) if table is not None else EMPTY
    lexicon = joined(known, fresh, stamps) if held & stamps else fresh
    try:
        write_whole(file, _packed(lexicon))
    except OSError as error:
        log.info("the lexicon was not kept: %s", error)
    return lexicon


def _packed(lexicon: Lexicon) -> bytes:
    arrays = {name: getattr(lexicon, name) for name in _ARRAYS}
    texts = {name: np.frombuffer("\n".join(getattr(lexicon, name)).encode(), dtype=np.uint8) for name in _TEXTS}
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays, **texts)
    return buffer.getvalue()


def _loaded(file: Path) -> Lexicon:
    """What the file holds; the empty lexicon where it does not hold together."""
    try:
        with np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in _ARRAYS}
            texts = {name: stored[name].tobytes().decode().split("\n") for name in _TEXTS}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, UnicodeDecodeError):
        return EMPTY
    lexicon = Lexicon(terms=texts["terms"], stamps=tuple(texts["stamps"]), **arrays)
    return lexicon if _is_whole(lexicon) else EMPTY


def _is_whole(lexicon: Lexicon) -> bool:
    postings = len(lexicon.documents)
    return (
        len(lexicon.starts) == len(lexicon.terms) + 1
        and int(lexicon.starts[-1]) == postings == len(lexicon.counts) == len(lexicon.passages)
        and len(lexicon.stamps) == len(lexicon.lengths) == len(lexicon.sizes)
        and postings > 0
        and 0 <= int(lexicon.documents.min()) <= int(lexicon.documents.max()) < len(lexicon.stamps)
    )
