"""Texts in Chinese, Japanese and Korean have vectors that tell them apart, beside those of English texts."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from kbtui.errors import EmbeddingError
from kbtui.knowledge.embedding import open_embedder
from kbtui.knowledge.embedding.model_files import MULTILINGUAL_FILE, MULTILINGUAL_FOLDER
from kbtui.knowledge.embedding.multilingual import MultilingualEncoder, shared_multilingual
from kbtui.settings.model import EmbeddingSettings

ROLLBACK, HOLIDAYS = (
    "部署出错时，先把镜像改回上一个绿色版本，再通知值班的人。",
    "员工每年有三十天假期，值班一周后的第二天放假。",
)


@pytest.mark.parametrize(
    ("question", "nearest"),
    [
        ("怎么回滚一次失败的发布？", ROLLBACK),
        ("一年可以休息多少天？", HOLIDAYS),
        ("How many days of vacation do employees have?", HOLIDAYS),
        ("休暇は年に何日ありますか。", HOLIDAYS),
    ],
)
def test_a_question_is_nearer_to_the_text_that_answers_it_whatever_its_words(question: str, nearest: str) -> None:
    texts = [ROLLBACK, HOLIDAYS]
    cosines = open_embedder(EmbeddingSettings()).across_languages(question, texts)
    assert texts[int(cosines.argmax())] == nearest
    assert np.ptp(cosines) > 0.05


def test_a_text_has_the_same_vector_whatever_is_encoded_beside_it() -> None:
    encoder = shared_multilingual()
    together = encoder.encode([ROLLBACK, HOLIDAYS, ""])
    assert (together[:1] == encoder.encode([ROLLBACK])).all()
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-5)


def test_each_text_of_a_batch_is_encoded_by_the_model_of_its_language() -> None:
    embedder = open_embedder(EmbeddingSettings())
    texts = ["Roll back the deploy.", ROLLBACK, "Call the on-call engineer.", HOLIDAYS]
    vectors, windows = embedder.encode_with_windows(texts, [[(0, 9)], [(0, 8), (8, 20)], [], []])
    alone = [embedder.encode([text])[0] for text in texts]
    assert all((vectors[at] == alone[at]).all() for at in range(4))
    assert [len(own) for own in windows] == [1, 2, 0, 0]
    assert (windows[1][0] == embedder.encode([ROLLBACK[:8]])[0]).all()
    assert embedder.query("怎么回滚？") @ vectors[1] > embedder.query("怎么回滚？") @ vectors[3]
    assert (embedder.query("vacation", to_cjk=True) == shared_multilingual().encode(["vacation"])[0]).all()


def test_the_committed_files_are_the_ones_that_were_made() -> None:
    sums = json.loads((MULTILINGUAL_FOLDER / "meta.json").read_text())["files"]
    made = {name: hashlib.sha256((MULTILINGUAL_FOLDER / name).read_bytes()).hexdigest() for name in sums}
    assert made == sums
    assert sum(file.stat().st_size for file in MULTILINGUAL_FOLDER.iterdir()) < 33_000_000


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(MULTILINGUAL_FOLDER, tmp_path / "multilingual"))
    with (folder / MULTILINGUAL_FILE).open("ab") as file:
        file.write(b"x")
    with pytest.raises(EmbeddingError, match=r"multilingual\.onnx is not the one kbtui came with") as caught:
        MultilingualEncoder(folder)
    assert "force-reinstall" in caught.value.hint
