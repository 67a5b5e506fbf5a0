"""Indexers that read and embed on a cluster, and write here.

What is kept, committed, continued after a killed run and indexed at the end is decided by the indexer of one machine
(`store/indexer.py`): a cluster changes where files are cut and texts embedded, and nothing of what comes out.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from kbtui.cluster.connection import connected
from kbtui.cluster.embedding import ClusterEmbedder
from kbtui.cluster.reading import cut_on
from kbtui.knowledge.store.indexer import Indexer
from kbtui.settings.model import Settings

_TEXTS_A_CORE: Final = 512
_MOST_TEXTS: Final = 16_384
"""Texts embedded between two commits: with their vectors and those of their windows, 200 MB."""


@contextlib.contextmanager
def cluster_indexers(address: str) -> Iterator[Callable[[Path, Settings], Indexer]]:
    """Makes indexers of folders that work on the cluster at ``address``, which is connected for the block.

    Raises:
        UsageError: It is no address of a cluster.
        RemoteError: Ray is not installed, or the cluster cannot be reached or used.
    """
    with connected(address) as cluster:

        def make(folder: Path, settings: Settings) -> Indexer:
            return Indexer(
                folder,
                settings,
                open_embedder=partial(ClusterEmbedder, cluster),
                cut=partial(cut_on, cluster),
                texts_at_once=min(_TEXTS_A_CORE * cluster.cores, _MOST_TEXTS),
            )

        yield make
