"""The cross-encoder reads question and text together, each text by itself, and is refused when it is not whole."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from kbtui.errors import EmbeddingError
from kbtui.knowledge.embedding import open_embedder
from kbtui.knowledge.embedding.cross import shared_cross
from kbtui.knowledge.embedding.model_files import CROSS_FILE, CROSS_FOLDER, read_cross
from kbtui.knowledge.embedding.port import Vectors
from kbtui.knowledge.embedding.runner import Runner
from kbtui.knowledge.embedding.runtimes import States
from kbtui.settings.model import EmbeddingSettings

QUESTION = "how long are deleted files kept?"
TEXTS = (
    "Backups: The job runs at three in the morning and takes an hour.",
    "Trash: Files that were removed stay there for 30 days and are then gone for good.",
    "Files: A file has an owner, a name and a size.",
    "Install: Run `pip install files` in the folder.",
)


def test_the_sentence_that_answers_has_the_highest_logit() -> None:
    logits = open_embedder(EmbeddingSettings()).relevance(QUESTION, TEXTS)[1]
    assert int(logits.argmax()) == 1


def test_a_text_has_the_same_result_whatever_is_read_beside_it() -> None:
    embedder = open_embedder(EmbeddingSettings())
    together = embedder.relevance(QUESTION, TEXTS)[1]
    apart = np.concatenate([embedder.relevance(QUESTION, [text])[1] for text in TEXTS])
    assert (together == apart).all()


def test_a_sentence_of_two_parts_of_a_question_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    early = Runner.early

    def counted(runner: Runner, text: str, most_tokens: int) -> tuple[Vectors, States]:
        read.append(text)
        return early(runner, text, most_tokens)

    monkeypatch.setattr(Runner, "early", counted)
    embedder = open_embedder(EmbeddingSettings())
    first = embedder.relevance(QUESTION, TEXTS[:3])[1]
    again = embedder.relevance("who owns a file?", TEXTS)[1]
    assert sorted(read) == sorted([QUESTION, "who owns a file?", *TEXTS])
    assert (embedder.relevance(QUESTION, TEXTS[:3])[1] == first).all()
    assert again.argmax() == 2


def test_cosines_are_those_of_the_embedding_model() -> None:
    embedder = open_embedder(EmbeddingSettings())
    cosines = embedder.relevance(QUESTION, TEXTS)[0]
    assert np.allclose(cosines, embedder.encode(TEXTS) @ embedder.query(QUESTION), atol=1e-5)


def test_another_embedder_has_the_same_logits() -> None:
    logits = open_embedder(EmbeddingSettings()).relevance(QUESTION, TEXTS)[1]
    assert (shared_cross().read(QUESTION, TEXTS)[1] == logits).all()


def test_nothing_is_read_of_no_texts() -> None:
    cosines, logits = open_embedder(EmbeddingSettings()).relevance(QUESTION, [])
    assert cosines.shape == logits.shape == (0,)


def test_a_long_question_and_a_long_text_are_cut() -> None:
    logits = open_embedder(EmbeddingSettings()).relevance(QUESTION * 50, [TEXTS[1] * 100])[1]
    assert np.isfinite(logits).all()


def test_the_committed_file_is_the_one_that_was_made() -> None:
    sums = json.loads((CROSS_FOLDER / "meta.json").read_text())["files"]
    assert hashlib.sha256(read_cross()).hexdigest() == sums[CROSS_FILE]


def test_a_damaged_file_is_named_with_a_way_out(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(CROSS_FOLDER, tmp_path / "cross"))
    (folder / CROSS_FILE).write_bytes((folder / CROSS_FILE).read_bytes()[:-1])
    with pytest.raises(EmbeddingError, match=r"cross\.onnx is not the one kbtui came with") as caught:
        read_cross(folder)
    assert "pip install" in caught.value.hint
