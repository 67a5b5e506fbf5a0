"""Misspelt words of a question."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.search.spelling import Respelling, Speller, spellings_in
from kbtui.knowledge.store.lexicon import build_lexicon
from kbtui.settings.model import Settings
from kbtui.text.tokenise import stem, tokens
from tests.knowledge.indexing import run, write_folder

TEXT = "The gateway retries a message twice. Set the length of the queue; tracking starts at receipt. Tracing is off."
ENGLISH = frozenset(["the", "gate", "form", "from", "longer", "house", "trace"])


def speller(text: str = TEXT, times: int = 2) -> Speller:
    lexicon = build_lexicon([pa.table({"terms": [" ".join(tokens(text))] * times, "stamp": ["s"] * times})])
    return Speller(lexicon, ENGLISH.__contains__, lambda one: spellings_in(text, one))


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("how often does the gatway retry?", "how often does the gateway retry?"),
        ("queue lenght", "queue length"),
        ("when does traking start", "when does tracking start"),  # a letter left out is likelier than another one
        ("Gatewya retries", "Gateway retries"),
        ("what is a mesage", "what is a message"),
        ("wich message is retried", "which message is retried"),  # a question word, which no folder has to have
    ],
)
def test_a_word_nobody_knows_is_read_as_the_one_of_the_folder(typed: str, read: str) -> None:
    assert speller().respelt(typed).text == read


@pytest.mark.parametrize(
    "typed",
    [
        "who keeps the house",  # a word, though not of this folder
        "the gateway form",
        "a wish list of the house",
        "does Gatwey pay for it",  # a name
        "what does `gatway` do",
        'where does "gatway" stand',
        "open docs/gatway.md",
        "set GATWAY_URL or gatwayUrl",
        "sidecar proxies",
        "网关 gatwa 在哪",
    ],
)
def test_what_may_be_meant_as_it_is_stays(typed: str) -> None:
    found = speller().respelt(typed)
    assert (found.text, found.changes) == (typed, ())


def test_what_was_changed_is_told_once() -> None:
    found = speller().respelt("gatway to gatway")
    assert found.text == "gateway to gateway"
    assert found.changes == (Respelling(written="gatway", read="gateway"),)


def test_a_word_that_one_passage_alone_has_is_too_little_to_read_another_as() -> None:
    assert speller(times=1).respelt("gatway").changes == ()


def test_all_spellings_of_a_stem_are_found() -> None:
    assert spellings_in("Retries, retried and retry: trial", stem("retries")) == {"retries", "retried", "retry"}


def test_a_folder_reads_questions_with_its_own_words(tmp_path: Path) -> None:
    root = write_folder(tmp_path / "kb", {f"{n}.txt": f"{TEXT} Part {n}." for n in range(3)})
    run(root)
    knowledge = KnowledgeBase(root, Settings())
    assert knowledge.respelt("how does the gatway work?").text == "how does the gateway work?"
    assert knowledge.respelt("how does the house work?").changes == ()


def test_without_an_index_a_question_stays(tmp_path: Path) -> None:
    root = write_folder(tmp_path / "kb", {})
    assert KnowledgeBase(root, Settings()).respelt("the gatway").text == "the gatway"
