"""Task items and rows of tables in texts as things, with the lines that state them."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.records.asking import RecordsReader
from kbtui.records.collection import Collection
from tests.records.folders import linked

_MINUTES = {
    "2026-03-02.md": "# Club meeting, 2026-03-02\n\nChair: Ann Keller\n\n## Action items\n\n"
    "- [ ] Bram: book the room (due 2026-03-12)\n- [x] Ann: order crates (due 2026-03-09)\n",
    "2026-04-06.md": "# Club meeting, 2026-04-06\n\nChair: Bram Osei\n\n## Action items\n\n"
    "- [ ] **Bram** - count the bottles, due 4 May 2026\n- [ ] @chidi thank the donors [due:: 2026-12-24]\n"
    "- [-] write to Note: nobody (by 2026-04-20)\n",
    "2026-05-04.md": "# Club meeting, 2026-05-04\n\nChair: Ann Keller\n\n## Action items\n\n"
    "- [x] send the bill 📅 2026-05-11 #money\n- [ ] 李强：核对库存（截止 2026-05-30）\n",
}
_ACTIONS = "\n".join(
    (
        "## Actions",
        "",
        "| No | Action | Owner | Due | State |",
        "|---|---|---|---|---|",
        "| 1 | Renew the {0} key | Lea Brandt | 2026-02-20 | {1} |",
        "| 2 | Watch the {0} queue | Omar Haddad | 2027-03-01 | open |",
        "",
    )
)
_REVIEWS = {
    f"reviews/{number}.md": f"# Review {number}\n\nStatus: closed\nService: shop\n\n{_ACTIONS.format(word, state)}"
    for number, word, state in ((1, "blue", "done"), (2, "red", "open"), (3, "green", "open"))
}


def _reader(files: dict[str, str]) -> RecordsReader:
    return RecordsReader(Collection(linked(files), "club"), lambda: date(2026, 11, 28))


@pytest.fixture(scope="module")
def minutes() -> RecordsReader:
    return _reader(_MINUTES)


@pytest.fixture(scope="module")
def reviews() -> RecordsReader:
    return _reader(_REVIEWS)


def _titles(reader: RecordsReader, question: str) -> list[str]:
    answer = reader.answer(question)
    assert answer is not None, question
    return [thing.title for row in answer.result.rows for thing in row.things]


def test_a_task_has_an_owner_a_due_date_and_a_state_in_whatever_way_they_are_written(minutes: RecordsReader) -> None:
    tasks = next(kind for kind in minutes.collection.kinds if kind.name == "task")
    stated = {
        thing.title: tuple(
            ", ".join(fact.value for fact in thing.facts.get(name, ())) for name in ("owner", "due", "state", "tags")
        )
        for thing in tasks.things
    }
    assert stated == {
        "book the room": ("Bram", "2026-03-12", "open", ""),
        "order crates": ("Ann", "2026-03-09", "done", ""),
        "count the bottles": ("Bram", "2026-05-04", "open", ""),
        "thank the donors": ("chidi", "2026-12-24", "open", ""),
        "write to Note: nobody": ("", "2026-04-20", "cancelled", ""),
        "send the bill": ("", "2026-05-11", "done", "money"),
        "核对库存": ("李强", "2026-05-30", "open", ""),
    }


def test_words_in_capitals_begin_tasks_with_the_days_below_them() -> None:
    reader = _reader(
        {
            "journals/2026_03_05.md": "- TODO [#A] Order ropes for [[Sauna boat]]\n  DEADLINE: <2026-03-20 Fri>\n"
            "- DONE Call Ada\n- WAITING Reply of Ada\n- TODOs are no tasks\n- Done is done\n",
            "field.md": "# TODO Write the log\nSCHEDULED: <2026-03-18 Wed> DEADLINE: <2026-04-01 Wed>\n\n"
            "## DONE Count the ropes\nCLOSED: [2026-03-04 Wed 10:00]\n",
        }
    )
    titles = {
        question: [thing.title for row in reader.read(question).result.rows for thing in row.things]
        for question in (
            "which tasks are open?",
            "which tasks are done?",
            "what is due on 1 April 2026?",
            "what is waiting?",
        )
    }
    assert titles == {
        "which tasks are open?": ["Order ropes for Sauna boat", "Write the log"],
        "which tasks are done?": ["Call Ada", "Count the ropes"],
        "what is due on 1 April 2026?": ["Write the log"],
        "what is waiting?": ["Reply of Ada"],
    }


@pytest.mark.parametrize(
    "question",
    ["which tasks are done?", "show the done tasks", "which tasks have been done?", "list tasks already done"],
)
def test_done_is_a_state_like_any_other(minutes: RecordsReader, question: str) -> None:
    answer = minutes.read(question)
    assert answer is not None
    assert [thing.title for row in answer.result.rows for thing in row.things] == ["order crates", "send the bill"]


def test_references_and_marks_of_what_works_are_no_tasks() -> None:
    text = "# Tool\n\n- [1] a book\n- [2] a paper\n- [3] a page\n\n- ✅ fast\n- ✅ small\n- ✅ free\n- [ ] todo\n"
    assert _reader({"README.md": text}).collection.kinds == ()


def test_overdue_are_those_past_their_due_date_that_are_not_over(minutes: RecordsReader) -> None:
    assert _titles(minutes, "Which action items are overdue?") == ["book the room", "count the bottles", "核对库存"]
    assert _titles(minutes, "哪些待办已经逾期？") == ["book the room", "count the bottles", "核对库存"]


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("What does Bram still have to do?", ["book the room", "count the bottles"]),
        ("Which task is due next?", ["thank the donors"]),
    ],
)
def test_what_is_left_to_do_is_open(minutes: RecordsReader, question: str, titles: list[str]) -> None:
    assert _titles(minutes, question) == titles


def test_the_person_with_the_most_open_tasks_is_told(minutes: RecordsReader) -> None:
    answer = minutes.answer("谁的未完成待办最多？")
    assert answer is not None
    assert [row.cells for row in answer.result.rows] == [("Bram", 2)]


def test_tasks_are_no_fields_of_their_documents(minutes: RecordsReader) -> None:
    meetings = next(kind for kind in minutes.collection.kinds if kind.name == "meeting")
    assert set(meetings.fields) == {"chair", "date"}


def test_rows_of_tables_with_the_same_columns_are_things_beside_their_documents(reviews: RecordsReader) -> None:
    kinds = {kind.name: len(kind.things) for kind in reviews.collection.kinds}
    assert kinds == {"action": 6, "review": 3}
    answer = reviews.answer("Which actions are overdue?")
    assert answer is not None
    things = [thing for row in answer.result.rows for thing in row.things]
    assert [(thing.title, thing.path) for thing in things] == [
        ("Renew the red key", "reviews/2.md"),
        ("Renew the green key", "reviews/3.md"),
    ]
    assert {proof.line for row in answer.result.rows for proof in row.proofs if proof is not None} == {10}


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("Which action items came from the meeting on 2026-04-06?", ["count the bottles", "thank the donors"]),
        ("Which open tasks belong to Club meeting, 2026-03-02?", ["book the room"]),
    ],
)
def test_records_are_asked_for_by_their_document(minutes: RecordsReader, question: str, titles: list[str]) -> None:
    assert _titles(minutes, question)[: len(titles)] == titles


def test_a_record_states_its_document(reviews: RecordsReader) -> None:
    actions = next(kind for kind in reviews.collection.kinds if kind.name == "action")
    assert {thing.facts["review"][0].value for thing in actions.things} == {"Review 1", "Review 2", "Review 3"}


@pytest.mark.parametrize(
    ("question", "cells"),
    [
        ("Who is to thank the donors?", ("thank the donors", "chidi")),
        ("By when must the room be booked?", ("book the room", "2026-03-12")),
        ("谁负责核对库存？", ("核对库存", "李强")),
    ],
)
def test_a_person_or_a_day_is_that_of_the_record_that_all_words_describe(
    minutes: RecordsReader, question: str, cells: tuple[str, str]
) -> None:
    answer = minutes.answer(question)
    assert answer is not None
    assert [row.cells for row in answer.result.rows] == [cells]


def test_words_that_no_record_has_are_left_to_the_search(minutes: RecordsReader) -> None:
    assert minutes.answer("Who is to thank the donors of milk?") is None


def test_entries_of_logs_have_a_day_and_a_person() -> None:
    entries = "- 2026-05-01 — Ann — moved the shelf\n- 2026-05-03 — it fell\n- 2026-05-04 — Bo — put it up\n"
    reader = _reader({"shelf.md": f"# Shelf\n\n## Log\n\n{entries}"})
    answer = reader.answer("Who decided that the shelf was moved?")
    assert answer is not None
    assert [row.cells for row in answer.result.rows] == [("moved the shelf", "Ann")]
    assert reader.answer("Who moved the cupboard?") is None


def test_data_files_state_fields_of_the_texts_with_their_names() -> None:
    files = {}
    for number, state, share in ((1, "failed", 12.5), (2, "running", 80.25), (3, "running", 40.5)):
        head = f"---\nid: EXP-{number:03}\ntitle: Trial {number}\nstatus: {state}\n---\n\nText.\n"
        files[f"experiments/EXP-{number:03}.md"] = head
        files[f"experiments/EXP-{number:03}.json"] = f'{{"share": {share}, "lamp": "L{number}"}}'
    reader = _reader(files)
    assert [len(kind.things) for kind in reader.collection.kinds] == [3]
    assert _titles(reader, "Which experiments are running?") == ["Trial 2", "Trial 3"]
    assert _titles(reader, "Which experiment has the highest share?") == ["Trial 2"]


def test_fields_within_the_text_of_a_note_are_fields_of_it() -> None:
    notes = {
        f"people/{name}.md": f"city:: {city}\n\n#person\n\n- Lunch (last contact:: {day})\n- [ ] call [due:: {day}]\n"
        for name, city, day in (
            ("Ann", "Brno", "2026-01-02"),
            ("Bo", "Lyon", "2026-02-03"),
            ("Cy", "Brno", "2026-03-04"),
        )
    }
    reader = _reader(notes)
    people = next(kind for kind in reader.collection.kinds if kind.name == "people")
    assert {thing.title: thing.facts["last-contact"][0].value for thing in people.things}["Bo"] == "2026-02-03"
    assert "due" not in people.fields
    assert _titles(reader, "Who lives in Brno?") == ["Ann", "Cy"]


def test_a_table_of_facts_makes_no_things() -> None:
    tables = {
        f"ponds/{name}.md": f"# {name}\n\n| Fact | Value |\n|---|---|\n| Town | Easton |\n| Depth | {depth} m |\n"
        for name, depth in (("Mill", 3), ("Goose", 4), ("Tarn", 9))
    }
    assert [kind.name for kind in _reader(tables).collection.kinds] == ["pond"]


def test_tickets_of_one_folder_with_the_same_fields_are_of_one_kind() -> None:
    rules = {
        f"规定/{key}-{title}.md": f"# {title}\n\n编号：{key}\n责任部门：{unit}\n状态：{state}\n版本：V1\n\n正文。\n"
        for key, title, unit, state in (
            ("HR-001", "考勤办法", "人事部", "现行"),
            ("HR-002", "休假规定", "人事部", "废止"),
            ("FIN-001", "报销制度", "财务部", "现行"),
            ("FIN-002", "发票办法", "财务部", "现行"),
        )
    }
    answer = _reader(rules).answer("现行的规定有多少个？")
    assert answer is not None
    assert answer.result.rows[0].cells == (3,)
