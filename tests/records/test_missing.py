"""Things that a question names and the folder does not have."""

from __future__ import annotations

import pytest

from kbtui.records.collection import Collection
from kbtui.records.vocabulary import Vocabulary
from tests.records.folders import linked

_NOTES = {
    f"notes/iwn-{number:03}.md": f"# IWN {number}: On {word}\n\n- Status: open\n- Editor: Ann Lee\n\nSee IWN-90.\n"
    for number, word in ((1, "locks"), (2, "gates"), (3, "weirs"), (7, "boats"))
}


@pytest.fixture(scope="module")
def words() -> Vocabulary:
    return Vocabulary(Collection(linked(_NOTES), "notes"))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What does IWN-55 say about locks?", ("IWN-55",)),
        ("what is the purpose of ticket 55?", ("ticket 55",)),
        ("IWN-55 和 IWN-56 规定了什么？", ("IWN-55", "IWN-56")),
    ],
)
def test_a_name_of_the_series_that_nothing_has_is_missing(
    words: Vocabulary, question: str, names: tuple[str, ...]
) -> None:
    missing = words.missing(question)
    assert missing is not None
    assert missing.names == names


@pytest.mark.parametrize(
    "question",
    [
        "What does IWN-7 say about locks?",
        "Where is IWN-90 mentioned?",
        "How do IWN-1 and IWN-55 differ?",
        "What does RFC 9999 say?",
        "Is a ticket 30 days old still open?",
    ],
)
def test_known_names_and_those_of_other_series_are_left_to_the_search(words: Vocabulary, question: str) -> None:
    assert words.missing(question) is None


def test_codes_with_several_numbers_are_names_where_files_have_them() -> None:
    contracts = {f"HT-2026-0{n}.md": f"# Contract {n}\n\n- Price: {n} euros\n- State: open\n" for n in (1, 2, 3)}
    contract_words = Vocabulary(Collection(linked(contracts), "contracts"))
    missing = contract_words.missing("HT-2026-19 的金额是多少？")
    assert missing is not None
    assert missing.names == ("HT-2026-19",)
    assert contract_words.missing("HT-2026-02 的金额是多少？") is None
    assert contract_words.missing("What does AB-2026-19 cost?") is None
