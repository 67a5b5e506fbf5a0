"""How rare a word is in a folder, as grading and answering ask for it."""

from __future__ import annotations

from pathlib import Path

from kbtui.knowledge.store.index import Index
from kbtui.settings.model import Settings
from tests.knowledge.indexing import run, write_folder


def test_a_word_in_every_passage_is_common_and_one_in_none_is_rarest(tmp_path: Path) -> None:
    texts = {f"{n}.txt": f"the deploy guide\n\nround {n}\n\ndeploy" for n in range(8)}
    root = write_folder(tmp_path / "kb", texts | {"z.txt": "deploy 回滚步骤"})
    run(root)
    found = Index(root, Settings()).rarity(["deploy", "guid", "回滚", "tungsten"])
    assert 0 <= found["deploy"] < found["guid"] < found["回滚"] < found["tungsten"] == 1


def test_a_word_inside_of_another_is_not_that_word(tmp_path: Path) -> None:
    root = write_folder(tmp_path / "kb", {"a.txt": "redeployment of everything"})
    run(root)
    assert Index(root, Settings()).rarity(["deploy"]) == {"deploy": 1.0}


def test_without_an_index_nothing_is_known(tmp_path: Path) -> None:
    assert Index(write_folder(tmp_path / "kb", {}), Settings()).rarity(["deploy"]) == {}
