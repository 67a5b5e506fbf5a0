"""The value that a question asks for, and sentences that hold one."""

from __future__ import annotations

import pytest

from kbtui.reasoning.offline.answering.slots import fills, slot_of


@pytest.mark.parametrize(
    ("question", "slot"),
    [
        ("How much does a new kiln cost?", "money"),
        ("what's the yearly fee for a stall at the market", "money"),
        ("How many glazes are kept in the shed?", "count"),
        ("How much cobalt does the blue glaze hold?", "count"),
        ("How much does the wheel weigh?", "number"),
        ("How much hotter is the back of the kiln?", None),
        ("how many days does the clay have to dry?", "duration"),
        ("When was the kiln bought?", "date"),
        ("who repairs the wheel?", "person"),
        ("which firmware version does the controller run", "version"),
        ("max width of a shelf?", "number"),
        ("一个新窑炉多少钱？", "money"),
        ("展览有多少人参加？", "count"),
        ("黏土要晾多久？", "duration"),
        ("why is the kiln in the yard?", None),
        ("which company made the kiln?", "name"),
        ("what's the shortcut key for a new batch?", "keys"),
        ("wifi password of the studio", "secret"),
        ("when was the potter born?", "birth"),
        ("哪家工厂做的窑炉？", "name"),
        ("how do I glaze a bowl?", None),
    ],
)
def test_the_wording_tells_what_value_is_asked_for(question: str, slot: str | None) -> None:
    found = slot_of(question)
    assert (found.name if found else None) == slot


@pytest.mark.parametrize(
    ("question", "text", "is_filled"),
    [
        ("How much does a new kiln cost?", "A kiln costs €2,400.", True),
        ("How much does a new kiln cost?", "A kiln takes 40 bowls.", False),
        ("when does firmware 3.0 come out?", "The old format goes away in 3.0.", False),
        ("when does firmware 3.0 come out?", "It goes away in 3.0, in May 2027.", True),
        ("which company made the kiln?", "The kiln is a present from Nabertherm.", True),
        ("which company made the kiln?", "The kiln stands in the yard.", False),
        ("when was the potter born?", "The potter came in 2019.", False),
        ("How many bowls fit into the kiln?", "The kiln takes 40 bowls.", True),
        ("How many bowls fit into the kiln?", "The kiln is closed when bowls are fired in the yard.", False),
        ("How much cobalt does the blue glaze hold?", "| Cobalt | 4 |", True),
        ("How much cobalt does the blue glaze hold?", "It is fired in the yard.", False),
        ("how long does the clay dry?", "It dries for two days.", True),
        ("how long does the clay dry?", "It dries on shelf 2.", False),
        ("一个新窑炉多少钱？", "窑炉每台两千元。", True),
        ("一个新窑炉多少钱？", "窑炉有两扇门。", False),
    ],
)
def test_a_sentence_fills_a_slot_by_a_value_of_its_kind(question: str, text: str, is_filled: bool) -> None:
    slot = slot_of(question)
    assert slot is not None and fills(slot, text) is is_filled
