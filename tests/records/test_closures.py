"""What rests on a thing, or what it rests on, through fields whose values name things of the same kind."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import Collection
from tests.records.folders import linked

_SERVICES = {
    f"services/{name}.yaml": f"name: {name}\nowner: {owner}\nneeds: [{needs}]\n"
    for name, owner, needs in (
        ("shop", "Ann", "login, basket"),
        ("login", "Bo", "people-db"),
        ("basket", "Ann", "cache"),
        ("cache", "Bo", ""),
        ("people-db", "Cy", ""),
        ("mails", "Cy", "login"),
    )
}
_TICKETS = {
    "tickets.csv": (
        "key,title,state,blocked_by\nT-1,paint,open,T-2\nT-2,sand,open,T-3\nT-3,buy paper,open,\nT-4,lock,done,\n"
    )
}
_PERSONS = (("方岚", "经理", "总部"), ("许诺", "主管", "方岚"), ("戴维", "电工", "许诺"), ("唐果", "前台", "方岚"))
_STAFF = {
    "人员.md": "# 人员\n\n" + "".join(f"## {name}\n岗位：{job}\n上级：{above}\n\n" for name, job, above in _PERSONS)
}


def _names(files: dict[str, str], question: str) -> list[str]:
    reader = RecordsReader(Collection(linked(files), "work"), lambda: date(2026, 11, 28))
    answer = reader.read(question)
    assert isinstance(answer, TableAnswer), question
    return sorted(thing.title for row in answer.result.rows for thing in row.things)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what breaks when people-db is down", ["login", "mails", "shop"]),
        ("If login goes away, which services are hit?", ["mails", "shop"]),
    ],
)
def test_a_field_is_followed_in_the_direction_that_the_question_asks_for(question: str, names: list[str]) -> None:
    assert _names(_SERVICES, question) == names


def test_rows_of_a_table_that_name_each_other_are_followed_as_documents_are() -> None:
    assert _names(_TICKETS, "what is blocked by T-3, also indirectly") == ["T-1", "T-2"]
    assert _names(_TICKETS, "which tickets are blocked by T-3") == ["T-2"]


def test_who_is_below_whom_is_read_in_chinese_with_those_further_down_where_it_says_so() -> None:
    assert _names(_STAFF, "归方岚管的有哪些人") == sorted(["许诺", "唐果"])
    assert _names(_STAFF, "直接或间接归方岚管的人有哪些") == sorted(["许诺", "唐果", "戴维"])


def test_each_thing_is_cited_by_the_line_that_names_the_thing_before_it() -> None:
    reader = RecordsReader(Collection(linked(_TICKETS), "work"), lambda: date(2026, 11, 28))
    answer = reader.read("what is blocked by T-3, also indirectly")
    assert isinstance(answer, TableAnswer)
    proofs = [proof for row in answer.result.rows for proof in row.proofs]
    assert [(proof.field, proof.value, proof.line) for proof in proofs if proof is not None] == [
        ("blocked-by", "T-2", 2),
        ("blocked-by", "T-3", 3),
    ]


@pytest.mark.parametrize(
    "question", ["what does shop cost", "why is login down", "which services need login and are written in Go"]
)
def test_a_question_that_says_more_than_that_is_not_answered_by_a_closure(question: str) -> None:
    reader = RecordsReader(Collection(linked(_SERVICES), "work"), lambda: date(2026, 11, 28))
    assert reader.read(question) is None


def test_a_cycle_ends() -> None:
    rows = "key,state,blocked_by\nC-1,open,C-2\nC-2,open,C-3\nC-3,open,C-1\n"
    assert _names({"work.csv": rows}, "what is blocked by C-1, directly or indirectly") == ["C-2", "C-3"]
