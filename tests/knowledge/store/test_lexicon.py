"""The words of whole documents: counting, joining, keeping."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pyarrow as pa
import pytest

from kbtui.knowledge.store import lexicon_store
from kbtui.knowledge.store.index import Index
from kbtui.knowledge.store.lexicon import EMPTY, Lexicon, build_lexicon, merge_lexicons
from kbtui.knowledge.store.lexicon_store import updated_lexicon
from kbtui.settings.model import Settings
from tests.knowledge.indexing import run, write_folder

PASSAGES = [("a", "valve pump valve"), ("a", "pump seal"), ("b", "valve"), ("c", "gasket seal seal")]


def made(*passages: tuple[str, str]) -> Lexicon:
    stamps, terms = zip(*passages, strict=True)
    return build_lexicon(pa.chunked_array([list(terms)]), pa.chunked_array([list(stamps)]))


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

    def read(stamps: Collection[str]) -> pa.Table:
        asked.append(sorted(stamps))
        rows = [pair for pair in [*PASSAGES, ("d", "bolt")] if pair[0] in stamps]
        return pa.table({"stamp": [row[0] for row in rows], "terms": [row[1] for row in rows]})

    file = tmp_path / "lexicon.npz"
    first = updated_lexicon(file, frozenset("abc"), read)
    assert facts(updated_lexicon(file, frozenset("abc"), read)) == facts(first)
    assert facts(updated_lexicon(file, frozenset("bcd"), read)) == facts(made(*PASSAGES[2:], ("d", "bolt")))
    assert asked == [["a", "b", "c"], ["d"]]


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no archive", b"half"])
def test_a_broken_file_costs_a_count_and_nothing_else(tmp_path: Path, damage: bytes) -> None:
    def read(stamps: Collection[str]) -> pa.Table:
        return pa.table({"stamp": ["b"], "terms": ["valve"]})

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
