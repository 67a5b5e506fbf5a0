"""Texts embedded on a cluster: an `Embedder` whose texts become vectors on every core of it, or on its GPUs.

The model is loaded once by each process of Ray, which keeps it between tasks. A text has the vector that this machine
would give it (`runner.Runner` says how exactly), and a machine with another model is noticed by its fingerprint.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from kbtui.cluster.connection import Cluster, cluster_errors
from kbtui.domain.ports import CancelToken
from kbtui.errors import RemoteError
from kbtui.knowledge.embedding import BUNDLED, Embedder, Notify, OnBatch, Span, Vectors, open_embedder
from kbtui.settings.model import EmbeddingSettings

if TYPE_CHECKING:
    import pyarrow as pa

_LEAST_TEXTS: Final = 16
_MOST_TEXTS: Final = 128
_MOST_TEXTS_OF_A_GPU: Final = 2048
_TASKS_A_CORE: Final = 4
"""Tasks for each core, so that a slow machine does not hold up all others."""


class ClusterEmbedder:
    """An embedder whose passages are embedded on a cluster; all else is left to that of this machine.

    Args:
        cluster: The connected cluster.
        settings: Those of the folder; each machine opens its embedder by them.
    """

    def __init__(self, cluster: Cluster, settings: EmbeddingSettings) -> None:
        self._cluster = cluster
        self._own: Embedder = open_embedder(settings)
        # The bundled model is made for processors; any other runs on a GPU where its library finds one.
        self._on_gpu = cluster.gpus > 0 and settings.model != BUNDLED
        self._settings = settings if self._on_gpu else msgspec.structs.replace(settings, threads=1)

    @property
    def fingerprint(self) -> str:
        return self._own.fingerprint

    @property
    def dimension(self) -> int:
        return self._own.dimension

    def trust(self, text: str) -> float:
        """See `Embedder.trust`."""
        return self._own.trust(text)

    def load(self, notify: Notify | None = None) -> None:
        """Load nothing here: the machines of the cluster load the model for their first text."""

    def encode(
        self, texts: Sequence[str], on_batch: OnBatch | None = None, cancel: CancelToken | None = None
    ) -> Vectors:
        return self.encode_with_windows(texts, [()] * len(texts), on_batch, cancel)[0]

    def encode_with_windows(
        self,
        texts: Sequence[str],
        spans: Sequence[Sequence[Span]],
        on_batch: OnBatch | None = None,
        cancel: CancelToken | None = None,
    ) -> tuple[Vectors, list[Vectors]]:
        """See `Embedder.encode_with_windows`.

        Raises:
            RemoteError: The cluster could not do its part, or has another model.
            EmbeddingError: A machine cannot load the model.
            Cancelled: ``cancel`` was set; checked after each task.
        """
        vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        windows: list[Vectors] = [vectors[:0]] * len(texts)
        if not texts:
            return vectors, windows
        with cluster_errors():
            for table in self._tables(texts, spans):
                if cancel is not None:
                    cancel.check()
                for row in table.to_pylist():
                    if row["fingerprint"] != self.fingerprint:
                        raise RemoteError(
                            "A machine of the cluster has another embedding model.",
                            "Install the same version of kbtui[ray], and the same model, on every machine.",
                        )
                    made = np.frombuffer(row["vectors"], dtype=np.float32).reshape(-1, self.dimension)
                    vectors[row["number"]], windows[row["number"]] = made[0], made[1:]
                if on_batch is not None:
                    on_batch(table.num_rows)
        return vectors, windows

    def _tables(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> Any:
        import pyarrow as pa
        import ray.data

        places = self._cluster.gpus if self._on_gpu else self._cluster.cores
        most = _MOST_TEXTS_OF_A_GPU if self._on_gpu else _MOST_TEXTS
        size = min(max(len(texts) // (places * _TASKS_A_CORE), _LEAST_TEXTS), most)
        table = pa.table(
            {
                "number": pa.array(range(len(texts)), type=pa.int64()),
                "text": pa.array(texts, type=pa.large_string()),
                "spans": pa.array(map(msgspec.msgpack.encode, spans), type=pa.binary()),
            }
        )
        # Ray would end the process of a task with a GPU after each task, and the model with it.
        resources: dict[str, Any] = {"num_gpus": 1, "max_calls": 0} if self._on_gpu else {"num_cpus": 1}
        return (
            ray.data.from_arrow([table.slice(start, size) for start in range(0, len(texts), size)])
            .map_batches(partial(_embed, settings=self._settings), batch_size=size, batch_format="pyarrow", **resources)
            .iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=1)
        )

    # Questions are not put to the cluster ---------------------------------------------------------------------------

    def query(self, text: str, *, to_cjk: bool | None = None) -> Vectors:
        return self._own.query(text, to_cjk=to_cjk)

    def relevance(self, question: str, texts: Sequence[str]) -> tuple[Vectors, Vectors]:
        """See `Embedder.relevance`."""
        return self._own.relevance(question, texts)

    def across_languages(self, question: str, texts: Sequence[str]) -> Vectors:
        """See `Embedder.across_languages`."""
        return self._own.across_languages(question, texts)

    def knows_word(self, word: str) -> bool:
        return self._own.knows_word(word)


# The stage ----------------------------------------------------------------------------------------------------------


def _embed(texts: pa.Table, *, settings: EmbeddingSettings) -> pa.Table:
    """The vector of each text and those of its windows, as bytes; on any machine."""
    import pyarrow as pa

    embedder = _embedder_of_process(msgspec.json.encode(settings))
    spans = [msgspec.msgpack.decode(data, type=list[Span]) for data in texts["spans"].to_pylist()]
    vectors, windows = embedder.encode_with_windows(texts["text"].to_pylist(), spans)
    rows = [
        np.concatenate([vector[None], parts]).astype(np.float32).tobytes()
        for vector, parts in zip(vectors, windows, strict=True)
    ]
    return pa.table(
        {
            "number": texts["number"],
            "vectors": pa.array(rows, type=pa.large_binary()),
            "fingerprint": [embedder.fingerprint] * len(rows),
        }
    )


@cache
def _embedder_of_process(settings: bytes) -> Embedder:
    embedder = open_embedder(msgspec.json.decode(settings, type=EmbeddingSettings))
    embedder.load()
    return embedder
