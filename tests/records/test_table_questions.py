"""Questions over the rows of files and lists: which kinds they are read over, and in which words."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import Collection
from tests.records.folders import linked

_FILES = {
    "incidents.csv": (
        "id,opened,service,severity,duration_min,lead,status\n"
        "INC-1,2025-01-07,shop,sev1,42,Ann,closed\nINC-2,2025-01-19,mails,sev3,310,Bo,closed\n"
        "INC-3,2025-02-02,login,sev1,97,Cy,draft\nINC-4,2025-04-15,shop,sev2,51,Ann,draft\n"
    ),
    "issues.csv": (
        "key,component,type,assignee,state,due\nP-1,login,task,Ann,in progress,2025-05-15\n"
        "P-2,shop,bug,Ann,done,2025-03-01\nP-3,shop,bug,Bo,in review,2025-04-20\n"
        "P-4,mails,bug,,in progress,2025-06-01\n"
    ),
    "场次表.csv": (
        "场次,地点,人物,页数,状态\n1,码头,阿水,2,已拍\n2,茶馆,何姐,1,未拍\n3,码头,阿水,3,未拍\n4,船上,阿水,2,已拍\n"
    ),
    **{
        f"minutes/2025-0{month}-03.md": f"# Meeting, 3 {name} 2025\n\nPresent: {present}\nChair: Ann\n\nTalk.\n"
        for month, name, present in ((1, "January", "Ann, Bo"), (2, "February", "Ann"), (3, "March", "Ann, Bo, Cy"))
    },
    "readme.md": "# The folder\n\nSee the files.\n",
}


@pytest.fixture(scope="module")
def reader() -> RecordsReader:
    return RecordsReader(Collection(linked(_FILES), "work"), lambda: date(2026, 11, 28))


def _answer(reader: RecordsReader, question: str) -> TableAnswer:
    answer = reader.read(question)
    assert isinstance(answer, TableAnswer), question
    return answer


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("how many sev1s have we had", ["INC-1", "INC-3"]),
        ("longest sev1 and who led it", ["INC-3"]),
        ("issues nobody is assigned to", ["P-4"]),
        ("还有哪几场没拍", ["场次 2", "场次 3"]),
        ("which meetings did bo miss", ["Meeting, 3 February 2025"]),
        ("meetings that bo missed", ["Meeting, 3 February 2025"]),
        ("which incidents arent closed yet", ["INC-3", "INC-4"]),
    ],
)
def test_a_question_that_names_no_kind_is_read_over_the_kind_that_has_its_words(
    reader: RecordsReader, question: str, titles: list[str]
) -> None:
    assert sorted(thing.title for row in _answer(reader, question).result.rows for thing in row.things) == titles


def test_what_is_overdue_on_a_day_was_due_before_it_and_is_not_done(reader: RecordsReader) -> None:
    rows = _answer(reader, "which issues were overdue on 1 may 2025").result.rows
    assert [thing.title for row in rows for thing in row.things] == ["P-3"]


def test_a_sum_is_over_the_rows_that_the_question_names(reader: RecordsReader) -> None:
    (row,) = _answer(reader, "total duration of the incidents of the shop service").result.rows
    assert row.cells == (93.0,)


@pytest.mark.parametrize(
    "question",
    ["what counts as a sev1", "what does a sev1 cost", "how do I open an issue", "name all the readme"],
)
def test_a_question_that_no_row_tells_is_left_to_the_search(reader: RecordsReader, question: str) -> None:
    assert reader.read(question) is None


def test_rows_below_a_heading_take_no_word_of_the_states_of_documents() -> None:
    tables = "\n".join(f"| {way} | 2025-0{at}-01 |" for at, way in enumerate(("Polling", "Sockets", "Mail"), 1))
    files = {
        f"notes/note-{at}.md": (
            f"---\nstatus: {status}\ncreated: 2025-01-0{at}\n---\n# Note {at}\n\nText.\n\n"
            f"## Rejected alternatives\n\n| Way | Date |\n|---|---|\n{tables}\n"
        )
        for at, status in enumerate(("Rejected", "Final", "Rejected", "Draft", "Final", "Draft"), 1)
    }
    reader = RecordsReader(Collection(linked(files), "work"), lambda: date(2026, 11, 28))
    assert _answer(reader, "how many notes were rejected").result.rows[0].cells == (2,)
