"""The bundled model and those of the extra, against sentence-transformers itself."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from _original import original_folder

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, EmbeddingError
from kbtui.knowledge.embedding import open_embedder, sentence
from kbtui.settings.model import EmbeddingSettings

PROJECT = Path(__file__).parents[3]
TEXTS = (
    "Deploys are rolled back by re-pinning the last green image.",
    "how do I roll back a deploy?",
    "rollback",
    "The cat sat on the mat. " * 200,
    "def parse(text):\n    return [int(part) for part in text.split(',')]",
)


# Each worker that ran some of these would load torch.
pytestmark = pytest.mark.xdist_group("embedding")


@pytest.fixture(scope="module")
def reference() -> Any:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(original_folder()), device="cpu")
    return np.asarray(model.encode(list(TEXTS), normalize_embeddings=True, show_progress_bar=False))


def test_the_bundled_model_agrees_with_sentence_transformers(reference: Any) -> None:
    vectors = open_embedder(EmbeddingSettings()).encode(TEXTS)
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert (vectors * reference).sum(axis=1).min() > 0.97


def test_parts_of_a_text_have_vectors_from_the_same_pass() -> None:
    text = "The deploy is rolled back by hand. Bananas are yellow when they are ripe."
    stop = text.index("Bananas")
    spans = [(0, stop), (stop, len(text))]
    for embedder in (
        open_embedder(EmbeddingSettings()),
        open_embedder(EmbeddingSettings(model=str(original_folder()))),
    ):
        vectors, parts = embedder.encode_with_windows([text, "", text], [spans, [], spans[:1]])
        assert np.allclose(vectors, embedder.encode([text, "", text]), atol=1e-3)
        assert [part.shape for part in parts] == [(2, 384), (0, 384), (1, 384)]
        assert np.allclose(np.linalg.norm(parts[0], axis=1), 1.0, atol=1e-4)
        fruit, release = embedder.query("ripe fruit"), embedder.query("revert a release")
        assert fruit @ parts[0][1] > fruit @ vectors[0] > fruit @ parts[0][0]
        assert release @ parts[0][0] > release @ parts[0][1]
        assert embedder.encode_with_windows([], [])[1] == []


def test_a_part_beyond_what_the_model_reads_has_the_vector_of_the_whole() -> None:
    text = "The cat sat on the mat. " * 200
    vectors, parts = open_embedder(EmbeddingSettings()).encode_with_windows([text], [[(len(text) - 20, len(text))]])
    assert np.array_equal(parts[0][0], vectors[0])


def test_a_text_has_one_vector_whatever_is_encoded_beside_it() -> None:
    embedder = open_embedder(EmbeddingSettings(threads=2))
    together = embedder.encode(TEXTS * 3)
    alone = np.concatenate([embedder.encode([text]) for text in TEXTS * 3])
    assert np.array_equal(together, alone)
    assert np.array_equal(open_embedder(EmbeddingSettings(threads=1)).encode(TEXTS), together[: len(TEXTS)])


def test_a_question_is_embedded_like_a_passage_and_only_once() -> None:
    embedder = open_embedder(EmbeddingSettings())
    vector = embedder.query(TEXTS[1])
    assert np.array_equal(vector, embedder.encode([TEXTS[1]])[0])
    assert embedder.query(TEXTS[1]) is vector
    assert embedder.encode([]).shape == (0, 384)


def test_encoding_counts_its_texts_and_stops_when_cancelled() -> None:
    embedder = open_embedder(EmbeddingSettings())
    counts: list[int] = []
    embedder.encode(TEXTS, counts.append)
    assert sum(counts) == len(TEXTS)
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        embedder.encode(TEXTS, cancel=cancel)


def test_asking_loads_no_torch_and_prints_nothing() -> None:
    code = (
        "import sys\n"
        "from kbtui.knowledge.embedding import open_embedder\n"
        "from kbtui.settings.model import EmbeddingSettings\n"
        "assert open_embedder(EmbeddingSettings()).query('where is it?').shape == (384,)\n"
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'onnx'} & sys.modules.keys()\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_model_runs_without_telling_anybody(home: Path) -> None:
    code = (
        "from kbtui.knowledge.embedding import open_embedder\n"
        "from kbtui.settings.model import EmbeddingSettings\n"
        "open_embedder(EmbeddingSettings()).query('where is it?')\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=PROJECT, check=True)
    # Telemetry would leave a device id and a database of events to send in the user's cache folder.
    assert [path for path in home.rglob("*") if path.is_file()] == []


def test_importing_the_package_loads_neither_library() -> None:
    code = (
        "import sys, kbtui.knowledge.store.indexer, kbtui.knowledge.search.vectors, kbtui.knowledge.embedding.bundled\n"
        "heavy = {'torch', 'transformers', 'onnxruntime', 'tokenizers', 'lancedb', 'pyarrow'} & sys.modules.keys()\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_any_sentence_transformers_folder_serves(reference: Any) -> None:
    folder = original_folder()
    embedder = open_embedder(EmbeddingSettings(model=str(folder)))
    assert (embedder.encode(TEXTS) * reference).sum(axis=1).min() > 0.9999
    assert embedder.query(TEXTS[1]) @ reference[1] > 0.9999
    assert (embedder.dimension, embedder.trust("roll back"), embedder.trust("回滚")) == (384, 1.0, 0.0)
    assert embedder.encode([]).shape == (0, 384)


def test_a_sentence_transformers_model_prints_nothing() -> None:
    code = (
        "import sys\n"
        "from kbtui.knowledge.embedding import open_embedder\n"
        "from kbtui.settings.model import EmbeddingSettings\n"
        "open_embedder(EmbeddingSettings(model=sys.argv[1])).encode(['one', 'two'])\n"
    )
    command = [sys.executable, "-c", code, str(original_folder())]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_fingerprint_of_a_folder_follows_its_weights(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(bytes(range(256)) * 16384)
    settings = EmbeddingSettings(model=str(folder))
    before = open_embedder(settings).fingerprint
    shutil.copytree(folder, tmp_path / "copy")
    assert open_embedder(EmbeddingSettings(model=str(tmp_path / "copy"))).fingerprint == before
    (folder / "model.safetensors").write_bytes(bytes(reversed(range(256))) * 16384)
    assert open_embedder(settings).fingerprint != before


def test_a_model_that_is_not_there_is_an_error_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError) as caught:
        open_embedder(EmbeddingSettings(model=str(tmp_path / "none")))
    assert "embedding.model" in caught.value.hint
    (tmp_path / "empty").mkdir()
    with pytest.raises(EmbeddingError) as caught:
        open_embedder(EmbeddingSettings(model=str(tmp_path / "empty"))).load()
    assert "bundled" in caught.value.hint


def test_a_model_by_name_without_the_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentence, "installed", lambda: False)
    with pytest.raises(EmbeddingError, match=r"all-mpnet-base-v2 needs the extra kbtui\[models\]") as caught:
        open_embedder(EmbeddingSettings(model="all-mpnet-base-v2"))
    assert "GPU: `pip install 'kbtui[models]'`" in caught.value.hint
    assert "CPU" in caught.value.hint
