from __future__ import annotations

from datetime import date

import pytest

from kbtui.knowledge.search.spelling import Respelling, Respelt
from kbtui.reasoning.day_names import with_day_names

TODAY = date(2025, 3, 5)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("what did I do on 4 March 2025?", "what did I do on 2025-03-04?"),
        ("what happened yesterday?", "what happened 2025-03-04?"),
        ("notes of March 4th", "notes of 2025-03-04"),
        ("2025年3月4日我做了什么？", "2025-03-04我做了什么？"),
        ("what did I do today?", "what did I do 2025_03_05?"),
        ("what did I do on 2025-03-04?", "what did I do on 2025-03-04?"),
        ("what did I do on 6 March 2025?", "what did I do on 6 March 2025?"),
        ("what changed since 4 March 2025?", "what changed since 4 March 2025?"),
    ],
)
def test_a_day_is_read_as_the_name_of_its_note(question: str, read: str) -> None:
    respelt = with_day_names(Respelt(text=question), ["daily/2025-03-04.md", "journals/2025_03_05.md"], TODAY)
    assert respelt.text == read


def test_what_was_read_as_what_is_said_beside_misspelt_words() -> None:
    spelt = Respelt(text="the keel on 4 March 2025", changes=(Respelling(written="kele", read="keel"),))
    respelt = with_day_names(spelt, ["2025-03-04.md"], TODAY)
    assert [(change.written, change.read) for change in respelt.changes] == [
        ("kele", "keel"),
        ("4 March 2025", "2025-03-04"),
    ]
