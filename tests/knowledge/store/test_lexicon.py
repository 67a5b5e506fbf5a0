"""The words of whole documents: counting, joining, keeping."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pyarrow as pa
import pytest

from kbtui.knowledge.store import index_writer, lexicon_store
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.lexicon import EMPTY, Lexicon, build_lexicon, merge_lexicons
from kbtui.knowledge.store.lexicon_store import updated_lexicon
from kbtui.settings.model import Settings
from tests.knowledge.indexing import run, write_folder

PASSAGES = [("a", "valve pump valve"), ("a", "pump seal"), ("b", "valve"), ("c", "gasket seal seal")]


def batch(*passages: tuple[str, str]) -> pa.Table:
    return pa.table({"stamp": [stamp for stamp, _ in passages], "terms": [terms for _, terms in passages]})


def made(*passages: tuple[str, str]) -> Lexicon:
    return build_lexicon([batch(*passages)])


def facts(lexicon: Lexicon) -> dict[str, dict[str, tuple[int, int]]]:
    """Of each term and document how often, and in how many passages."""
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for place, term in enumerate(lexicon.terms):
        for at in range(int(lexicon.starts[place]), int(lexicon.starts[place + 1])):
            own = found.setdefault(term, {})
            own[lexicon.stamps[lexicon.documents[at]]] = (int(lexicon.counts[at]), int(lexicon.passages[at]))
    return found


def test_terms_are_counted_by_document_and_by_passage() -> None:
    lexicon = made(*PASSAGES)
    assert facts(lexicon) == {
        "gasket": {"c": (1, 1)},
        "pump": {"a": (2, 2)},
        "seal": {"a": (1, 1), "c": (2, 1)},
        "valve": {"a": (2, 1), "b": (1, 1)},
    }
    assert (lexicon.passages_with("pump"), "bolt" in lexicon) == (2, False)


def test_passages_of_one_document_need_not_stand_together() -> None:
    assert facts(made(*PASSAGES)) == facts(made(PASSAGES[1], PASSAGES[3], PASSAGES[0], PASSAGES[2]))


@pytest.mark.parametrize("size", [1, 2, 3])
def test_what_is_read_in_batches_is_counted_as_if_read_at_once(size: int) -> None:
    batches = (batch(*PASSAGES[start : start + size]) for start in range(0, len(PASSAGES), size))
    lexicon = build_lexicon(batches)
    assert facts(lexicon) == facts(made(*PASSAGES))
    assert dict(zip(lexicon.stamps, lexicon.lengths.tolist(), strict=True)) == {"a": 5, "b": 1, "c": 3}
    assert dict(zip(lexicon.stamps, lexicon.sizes.tolist(), strict=True)) == {"a": 2, "b": 1, "c": 1}
    assert facts(build_lexicon([])) == {}


def test_joining_is_counting_what_is_left_and_what_is_new() -> None:
    both = merge_lexicons(made(*PASSAGES), made(("d", "valve bolt")), frozenset({"b", "c", "d"}))
    assert facts(both) == facts(made(*PASSAGES[2:], ("d", "valve bolt")))
    assert "pump" not in both.terms


def test_a_document_with_both_words_is_worth_more_than_one_with_either() -> None:
    lexicon = made(*PASSAGES)
    shares = dict(zip(lexicon.stamps, lexicon.shares(["pump", "seal"]).tolist(), strict=True))
    assert 1 >= shares["a"] > shares["c"] > shares["b"] == 0


def test_a_share_counts_documents_half_of_whose_passages_hold_a_word() -> None:
    assert made(*PASSAGES).share_with(["pump"]) == 0.5
    assert made(*PASSAGES).share_with(["gasket", "absent"]) == 0.25
    assert made(*PASSAGES, ("a", "lid")).share_with(["seal"]) == 0.2
    assert EMPTY.share_with(["pump"]) == 0.0


def test_nothing_is_a_lexicon_too() -> None:
    assert (EMPTY.rarity(["pump"]), EMPTY.shares(["pump"]).tolist(), EMPTY.passages_with("pump")) == ({}, [], 0)


def test_only_what_the_file_does_not_know_is_read_again(tmp_path: Path) -> None:
    asked: list[Collection[str]] = []

    def read(stamps: Collection[str]) -> list[pa.Table]:
        asked.append(sorted(stamps))
        return [batch(*(pair for pair in [*PASSAGES, ("d", "bolt")] if pair[0] in stamps))]

    file = tmp_path / "lexicon.npz"
    first = updated_lexicon(file, frozenset("abc"), read)
    assert facts(updated_lexicon(file, frozenset("abc"), read)) == facts(first)
    assert facts(updated_lexicon(file, frozenset("bcd"), read)) == facts(made(*PASSAGES[2:], ("d", "bolt")))
    assert asked == [["a", "b", "c"], ["d"]]


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no archive", b"half"])
def test_a_broken_file_costs_a_count_and_nothing_else(tmp_path: Path, damage: bytes) -> None:
    def read(stamps: Collection[str]) -> list[pa.Table]:
        return [batch(("b", "valve"))]

    file = tmp_path / "lexicon.npz"
    updated_lexicon(file, frozenset("b"), read)
    file.write_bytes(file.read_bytes()[:200] if damage == b"half" else damage)
    assert facts(updated_lexicon(file, frozenset("b"), read)) == {"valve": {"b": (1, 1)}}


def test_the_lexicon_follows_the_folder(tmp_path: Path) -> None:
    root = write_folder(tmp_path / "kb", {"a.txt": "the valve leaks", "b.txt": "the pump hums"})
    run(root)
    assert Index(root, Settings()).rarity(["valv", "gasket"])["gasket"] == 1
    write_folder(root, {"a.txt": "the gasket leaks"})
    run(root)
    found = Index(root, Settings()).rarity(["valv", "gasket", "pump"])
    assert found["valv"] == 1 > found["gasket"] == found["pump"]


def test_of_a_folder_read_for_the_first_time_the_lexicon_is_there_before_anybody_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_folder(tmp_path / "kb", {"a.md": "# Storage\n\nThe gateway stores packets.\n"})
    run(root)
    monkeypatch.setattr(lexicon_store, "build_lexicon", lambda *_: pytest.fail("it was counted again"))
    assert Index(root, Settings()).rarity(["gateway"])["gateway"] < 1


def test_of_many_passages_the_lexicon_is_made_before_the_full_text_index_and_not_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_folder(tmp_path / "kb", {"a.md": "# Storage\n\nThe gateway stores packets.\n"})
    made_before: list[bool] = []
    config = index_writer.tables.full_text_config

    def noted() -> object:
        made_before.append(bool(list(Index(root, Settings()).directory.rglob("lexicon.npz"))))
        return config()

    monkeypatch.setattr(index_writer, "_MANY", 1)
    monkeypatch.setattr(index_writer.tables, "full_text_config", noted)
    run(root)
    assert made_before[-1]
