"""Values that a question writes as documents do."""

from __future__ import annotations

import pytest

from kbtui.records.collection import Collection
from kbtui.records.literals import Literals
from tests.records.folders import linked


@pytest.fixture(scope="module")
def literals() -> Literals:
    header = "---\nstatus: {}\ncategory: {}\nwiki-format: zim 0.{}\ncreated: 2020-01-0{}\n---\n"
    rows = [("Draft", "Platform>macOS", 4, 1), ("Final", "Language", 6, 2), ("Draft", "Language>OOP", 6, 3)]
    return Literals(Collection(linked({f"{at}.md": header.format(*row) for at, row in enumerate(rows)})))


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("which pages are in Platform>macOS?", 'which pages are in "Platform>macOS"?'),
        ("how many are language>oop, not Language", 'how many are "language>oop", not Language'),
        ("which say Wiki-Format: zim 0.6", 'which say Wiki-Format "zim 0.6"'),
        ("pages with 'Wiki Format: zim 0.6' at the top", 'pages with Wiki Format "zim 0.6" at the top'),
        ("which are Status:Draft now", 'which are Status "Draft" now'),
        ('which are in "Platform>macOS"', 'which are in "Platform>macOS"'),
    ],
)
def test_values_as_documents_write_them_are_quoted(literals: Literals, question: str, read: str) -> None:
    assert literals.quote_values(question) == read


@pytest.mark.parametrize(
    "question", ["which are drafts", "made on 2020-01-02", "status: is it done?", "zim 0.65", "in Platform>macOS>x"]
)
def test_other_words_days_and_parts_of_longer_values_are_left_alone(literals: Literals, question: str) -> None:
    assert literals.quote_values(question) == question
