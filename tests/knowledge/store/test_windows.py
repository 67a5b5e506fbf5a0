"""Windows: where they are cut, and what is left of a vector as bytes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbtui.knowledge.store.windows import WINDOW_CHARS, best_cosines, pack_windows, window_spans


def cut(text: str) -> list[str]:
    return [text[start:stop] for start, stop in window_spans(text)]


def test_windows_are_whole_sentences_and_half_overlap() -> None:
    sentences = [f"Sentence number {number} says something of its own here." for number in range(12)]
    found = cut("Title\n" + " ".join(sentences))
    assert all(window.startswith("Sentence") and window.endswith("here.") for window in found)
    assert all(len(window) <= WINDOW_CHARS + len(sentences[-1]) for window in found)
    assert len(found) > 2
    for one, other in pairwise(found):
        assert other.split(". ")[0].rstrip(".") in one, "neighbours share a sentence"
    assert " ".join(sentences).endswith(found[-1])


def test_the_line_that_names_the_place_is_in_no_window() -> None:
    assert cut("Guide > Deploys\nRoll back first.\nThen announce.") == ["Roll back first.\nThen announce."]


def test_a_text_of_one_line_is_its_own_window() -> None:
    assert cut("only this") == ["only this"]
    assert window_spans("") == [(0, 0)]


def test_chinese_sentences_end_without_a_space() -> None:
    text = "标题\n" + "部署之前先通知值班的人。" * 40
    assert all(window.endswith("。") for window in cut(text))
    assert len(cut(text)) > 2


@given(st.text(alphabet="ab .\n。!?", max_size=900))
def test_windows_cover_every_word_after_the_first_line(text: str) -> None:
    spans = window_spans(text)
    assert all(0 <= start <= stop <= len(text) for start, stop in spans)
    covered = {place for start, stop in spans for place in range(start, stop)}
    body = text.find("\n") + 1
    body = body if text[body:].strip() else 0
    assert all(place in covered for place in range(body, len(text)) if text[place] in "ab")


def test_the_best_window_of_each_text_is_found_from_bytes() -> None:
    chance = np.random.default_rng(5)
    vectors = chance.standard_normal((7, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    best = best_cosines([pack_windows(vectors[:3]), b"", pack_windows(vectors[3:])], vectors[4])
    assert best == pytest.approx([float((vectors[:3] @ vectors[4]).max()), -1.0, 1.0], abs=0.002)
    assert best_cosines([b"", b""], vectors[0]) == [-1.0, -1.0]
    assert best_cosines([], vectors[0]) == []


def test_a_vector_of_zeros_has_no_cosine_and_breaks_nothing() -> None:
    assert best_cosines([pack_windows(np.zeros((1, 4), dtype=np.float32))], np.eye(4, dtype=np.float32)[0]) == [0.0]
