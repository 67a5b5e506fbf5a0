"""Questions over what documents state about themselves: exact, over all of them, with the stating lines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from kbtui.domain.analysis import AnsweredStatement
from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import SOURCE, Collection
from kbtui.records.follow_ups import follow, statement_of
from kbtui.records.lines import hits_of_answer
from kbtui.records.links import Links
from kbtui.records.relating import RelationAnswer, answer_relations, check_value
from tests.records.folders import linked, links


@pytest.fixture(scope="module")
def relations() -> Links:
    return links()


@pytest.fixture(scope="module")
def reader(relations: Links) -> RecordsReader:
    return RecordsReader(Collection(relations), lambda: date(2026, 11, 20))


def answered(reader: RecordsReader, question: str) -> TableAnswer:
    found = reader.answer(question)
    assert found is not None, question
    return found


def _statement(sql: str, says: str = "", question: str = "") -> AnsweredStatement:
    return AnsweredStatement(source=SOURCE, sql=sql, says=says, question=question)


def named(found: TableAnswer) -> list[str]:
    return [thing.title for row in found.result.rows for thing in row.things]


def test_a_count_is_over_all_and_proved_by_the_lines_that_state_it(reader: RecordsReader) -> None:
    found = answered(reader, "How many proposals are still provisional?")
    (row,) = found.result.rows
    assert row.cells == (2,)
    assert [(proof.path, proof.line) for proof in row.proofs if proof is not None] == [
        ("plans/storage/11-cold-starts/meta.yaml", 5),
        ("plans/network/19-shared-leases/meta.yaml", 5),
    ]


def test_each_condition_of_a_question_has_a_line_of_its_own(reader: RecordsReader) -> None:
    found = answered(reader, "Which tickets are open and assigned to Cleo Ott?")
    assert named(found) == ["BIKE-3: Bell rings twice"]
    notes = [hit.note for hit in hits_of_answer(found, None)]
    assert sorted(notes) == ["BIKE-3: Bell rings twice: assignee Cleo Ott", "BIKE-3: Bell rings twice: status open"]


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("Which proposal is the newest?", ["Shared leases"]),
        (
            "Which tickets are assigned to Cleo Ott?",
            ["BIKE-3: Bell rings twice", "BIKE-8: Chain slips", "BIKE-9: Lamp flickers"],
        ),
        ("Which tickets are open, and which ones?", ["BIKE-3: Bell rings twice", "BIKE-5: Brake squeals"]),
        ("Which pond is the deepest?", ["Tarn Pond"]),
        ("Which proposal is the newest and from what date is it?", ["Shared leases"]),
        ("Which ponds are in Easton?", ["Mill Pond", "Tarn Pond"]),
        ("Which tickets have the assignee named Dan Poe?", ["BIKE-5: Brake squeals"]),
        ("哪些工单的 status 是 closed？", ["BIKE-8: Chain slips"]),
        ("李明负责哪些模块？", ["刹车模块", "车灯模块"]),
        ("最近更新的模块是哪个？", ["刹车模块"]),
        (
            "Which tickets are still open (status open, not closed)?",
            ["BIKE-3: Bell rings twice", "BIKE-5: Brake squeals"],
        ),
    ],
)
def test_rows_are_the_things_that_are_asked_for(reader: RecordsReader, question: str, titles: list[str]) -> None:
    assert named(answered(reader, question)) == titles


_RULES = {
    "rules/lint/loose-bolt.txt": "Name: loose-bolt\nSeverity: error\nRenamed-From:\n bolt-missing\n bolt-shaky\n",
    "rules/lint/flat-tyre.txt": "Name: flat-tyre\nSeverity: warning\nRenamed-From: no-air\n\nPump.\n",
    "rules/lint/dull-lamp.txt": "Name: dull-lamp\nSeverity: info\n\nCharge.\n",
}


@pytest.fixture(scope="module")
def rules() -> RecordsReader:
    return RecordsReader(Collection(linked(_RULES), "lint"), lambda: date(2026, 11, 20))


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("What was loose-bolt called before?", ["bolt-missing", "bolt-shaky"]),
        ("Which older rules were folded into loose-bolt?", ["bolt-missing", "bolt-shaky"]),
        ("What is no-air called today?", ["rules/lint/flat-tyre.txt"]),
        ("My notes still speak of no-air. What is its name today?", ["rules/lint/flat-tyre.txt"]),
        ("How severe does lint rate a loose-bolt?", ["error"]),
    ],
)
def test_names_and_ranks_are_asked_for_in_many_words(rules: RecordsReader, question: str, labels: list[str]) -> None:
    found = rules.read(question)
    assert isinstance(found, RelationAnswer), question
    assert [step.item.label for step in found.steps] == labels


def test_a_thing_called_by_its_kind_alone_is_the_one_told_of_before(reader: RecordsReader) -> None:
    found, cited_paths = ["desk/BIKE-9.md"], ["desk/BIKE-3.md"]

    def assignee(question: str, cited_paths: list[str]) -> list[str]:
        stated = reader.read_fields_of(question, found, cited_paths)
        return [step.item.label for step in stated.steps] if stated is not None else []

    assert assignee("What is the ticket's status?", cited_paths) == ["open"]
    assert assignee("What is the ticket's status?", []) == ["blocked"]
    assert assignee("What is the status of the ticket about lamps?", cited_paths) == ["blocked"]
    assert assignee("Which tickets have a status?", cited_paths) == []


_CHECKS = {
    f"checks/{name}/{name}.metadata.json": (
        f'{{\n  "CheckID": "{name}",\n  "Severity": "{severity}",\n  "Categories": [\n    {listed}\n  ],\n'
        f'  "RelatedTo": [{related}]\n}}\n'
    )
    for name, severity, listed, related in (
        ("door_open", "high", '"doors",\n    "night"', '"door_alarm"'),
        ("door_alarm", "low", '"doors"', ""),
        ("lamp_lit", "low", '"night"', ""),
        ("lamp_bright", "low", '"lamps"', ""),
        *((f"bolt_{number}_loose", "low", '"bolts"', "") for number in range(12)),
    )
}


@pytest.fixture(scope="module")
def checks() -> RecordsReader:
    return RecordsReader(Collection(linked(_CHECKS)), lambda: date(2026, 11, 20))


def test_no_value_that_things_share_is_lost_where_few_have_several(checks: RecordsReader) -> None:
    assert answered(checks, "How many checks have the category night?").result.rows[0].cells == (2,)


def test_a_file_is_what_its_data_call_it(checks: RecordsReader) -> None:
    found = checks.read("What other checks is door_open related to?")
    assert isinstance(found, RelationAnswer)
    assert found.steps[0].item.label == "checks/door_alarm/door_alarm.metadata.json"
    assert "door_open" not in [step.item.label for step in found.steps]


def test_what_a_thing_is_called_is_no_answer(checks: RecordsReader) -> None:
    assert checks.read_fields_of("Which check is the one about doors?", list(_CHECKS)) is None


def test_a_second_question_about_them_is_none_of_the_same_statement(reader: RecordsReader) -> None:
    assert reader.read("How many tickets are open, and which of them is assigned to Dan Poe?") is None


def test_words_of_a_compound_name_of_a_field_are_known(reader: RecordsReader) -> None:
    assert reader.words.unknown("proposals by owning group, glossy") == ["glossy"]


def test_the_day_that_most_things_state_is_meant_by_a_date() -> None:
    days = {f"notes/{at}.md": f"# Note {at}\n\n- Kind: memo\n- Created: 2024-01-0{at}\n" for at in range(1, 10)}
    days["notes/3.md"] += "- Date: 1999-05-05\n"
    few = RecordsReader(Collection(linked(days)), lambda: date(2026, 11, 20))

    assert named(answered(few, "Which note is the oldest and what is its date?")) == ["Note 1"]


def test_groups_count_the_things_of_each(reader: RecordsReader) -> None:
    found = answered(reader, "how many tickets does each assignee have")
    assert {row.cells: len(row.things) for row in found.result.rows} == {("Cleo Ott", 3): 3, ("Dan Poe", 1): 1}


@pytest.mark.parametrize(
    "question",
    [
        "How do I put the chain back on a bike?",
        "Which tickets block the chain?",
        "What is a lease?",
        "Which tickets mention a leaking pipe?",
        "Why was the lease audit withdrawn after the third review?",
    ],
)
def test_what_is_half_understood_is_left_to_the_search(reader: RecordsReader, question: str) -> None:
    assert reader.answer(question) is None


def test_a_follow_up_filters_the_set_that_was_answered(reader: RecordsReader) -> None:
    before = answered(reader, "Which tickets are assigned to Cleo Ott?")
    found = follow(
        reader, "which of them are closed?", _statement(before.reading.sql, before.reading.says, before.question)
    )
    assert found is not None
    assert named(found) == ["BIKE-8: Chain slips"]


def test_what_is_blocked_states_by_what_and_is_not_what_blocks() -> None:
    stated = ("blocks: J-2\n", "blocked-by: J-1\n", "", "", "blocked-by: J-3\n", "")
    jobs = {
        f"jobs/J-{at}.md": f"---\nid: J-{at}\ntitle: Job {at}\nstatus: {status}\n{more}---\n# Job {at}\n"
        for at, (more, status) in enumerate(zip(stated, ["open"] * 3 + ["done"] * 3, strict=True), start=1)
    }
    tracker = RecordsReader(Collection(linked(jobs)), lambda: date(2026, 11, 20))
    assert named(answered(tracker, "Which jobs are blocked?")) == ["Job 2", "Job 5"]
    before = answered(tracker, "Which jobs are open?")
    found = follow(
        tracker, "which of them are blocked?", _statement(before.reading.sql, before.reading.says, before.question)
    )
    assert found is not None
    assert named(found) == ["Job 2"]


def test_a_follow_up_filters_the_things_that_an_answer_cites(reader: RecordsReader) -> None:
    sql = statement_of(reader, ["desk/BIKE-3.md", "desk/BIKE-8.md"])
    found = follow(reader, "which of them are closed?", _statement(sql))
    assert found is not None
    assert named(found) == ["BIKE-8: Chain slips"]
    assert statement_of(reader, ["desk/BIKE-3.md", "ponds/Mill_Pond.md"]) == ""


def steps(found: RelationAnswer | None) -> list[tuple[str, int]]:
    assert found is not None
    return [(step.item.label, step.depth) for step in found.steps]


@pytest.mark.parametrize(
    ("question", "reached"),
    [
        ("What does BIKE-3 block?", [("BIKE-5", 1)]),
        ("What does BIKE-3 block, directly or through others?", [("BIKE-5", 1), ("BIKE-8", 2)]),
        ("Which tickets block BIKE-8, directly or indirectly?", [("BIKE-5", 1), ("BIKE-3", 2)]),
        ("What replaced cold starts?", [("Warm pools", 1)]),
        (
            "Which proposals does shared leases replace, directly and through others?",
            [("Warm pools", 1), ("Cold starts", 2)],
        ),
        ("When did warm pools become stable?", [("v1.4", 1)]),
        ("Which group owns lease audit?", [("group-network", 1)]),
        ("BIKE-8 被哪些工单阻塞？", [("BIKE-5", 1)]),
        ("Everything that BIKE-5 blocks", [("BIKE-8", 1)]),
        ("How deep is Goose Pond?", [("4 m", 1)]),
        ("刹车模块的负责人是谁？", [("李明", 1)]),
    ],
)
def test_relations_are_followed_as_far_as_is_asked(
    relations: Links, question: str, reached: list[tuple[str, int]]
) -> None:
    assert steps(answer_relations(relations, question)) == reached


def test_a_chain_that_closes_on_itself_ends() -> None:
    from kbtui.domain.document import FileRecord, Relation

    files = [FileRecord(path=f"{n}.md", kind="markdown", title="", labels=(f"ADR-{n}",)) for n in (1, 2, 3)]
    stated = [
        Relation(source_path=f"{n}.md", relation="requires", target=f"ADR-{n % 3 + 1}", text="requires")
        for n in (1, 2, 3)
    ]
    found = answer_relations(Links(files, stated), "What does ADR-1 require, directly and indirectly?")
    assert steps(found) == [("ADR-2", 1), ("ADR-3", 2)]


def test_a_word_that_nothing_reads_makes_a_relation_half_understood(reader: RecordsReader) -> None:
    question = "Which rusty tickets does BIKE-3 block?"
    assert reader.read(question) is None
    assert isinstance(reader.read(question, loosely=True), RelationAnswer)


def test_nothing_is_read_where_nothing_asks(reader: RecordsReader, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> Callable[[], None]:
        raise AssertionError("the tables were made")

    monkeypatch.setattr("kbtui.records.tables.Tables", never)
    assert RecordsReader(reader.collection).answer("explain the retry policy") is None


def test_no_statement_is_composed_for_words_that_none_can_read(
    reader: RecordsReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def composed(*_: object) -> None:
        raise AssertionError("statements were composed")

    monkeypatch.setattr("kbtui.nl2sql.reader.QuestionReader.candidates", composed)
    assert reader.answer("How many proposals need a quorum?") is None
    with pytest.raises(AssertionError, match="composed"):
        reader.answer("How many proposals are still provisional?")


def test_a_value_that_is_named_word_for_word_is_the_only_one_meant(reader: RecordsReader) -> None:
    found = answered(reader, "How many tickets are still open?")
    assert found.result.rows[0].cells == (2,)
    assert "blocked" not in found.reading.says


@pytest.mark.parametrize(
    ("question", "value", "holds"),
    [
        ("Is lease audit withdrawn?", "withdrawn", True),
        ("Was proposal 14 withdrawn?", "implemented", False),
        ("Was warm pools ever withdrawn?", "implemented", None),
        ("Is BIKE-8 closed?", "closed", True),
    ],
)
def test_whether_a_thing_has_a_value_is_what_it_states(
    reader: RecordsReader, question: str, value: str, holds: bool | None
) -> None:
    found = check_value(reader.collection, reader.words.numbered.by_name(question))
    assert found is not None
    assert (found.fact.value, found.holds) == (value, holds)


@pytest.mark.parametrize(
    "question", ["Is BIKE-8 loud?", "Is it closed?", "Was 99 withdrawn?", "Which tickets are closed?"]
)
def test_no_other_question_is_a_check(reader: RecordsReader, question: str) -> None:
    assert check_value(reader.collection, reader.words.numbered.by_name(question)) is None


def test_a_number_names_a_thing_only_where_it_counts_nothing(reader: RecordsReader) -> None:
    assert reader.words.numbered.by_name("who wrote proposal 14?") == 'who wrote "Warm pools"?'
    for question in ("authors of more than 3 tickets", "the 3 newest tickets", "tickets of 2019"):
        assert reader.words.numbered.by_name(question) == question


def test_words_that_are_no_values_are_looked_for_in_titles(reader: RecordsReader) -> None:
    found = answered(reader, "How many tickets about brakes are open?")
    assert (found.result.rows[0].cells, named(found)) == ((1,), ["BIKE-5: Brake squeals"])
    assert "brakes in the title" in found.reading.says


def test_all_that_share_the_first_place_are_given(reader: RecordsReader) -> None:
    found = answered(reader, "Which group owns the most proposals?")
    assert {row.cells for row in found.result.rows} == {("group-network", 2), ("group-storage", 2)}


def test_a_field_that_is_named_in_full_is_what_is_asked_for(reader: RecordsReader) -> None:
    fields = answered(reader, "Which pond is the deepest?").result.fields
    assert not reader.words.leaves_field("ponds by maximum depth", fields)
    assert reader.words.leaves_field("proposals by creation date", fields)


@pytest.mark.parametrize(
    ("question", "stated"),
    [
        ("status and assignee of BIKE-8?", {"status": "closed", "assignee": "Cleo Ott"}),
        ("Bell rings twice, the open one: who is its assignee?", {"assignee": "Cleo Ott"}),
    ],
)
def test_several_fields_of_one_thing_are_asked_for_at_once(
    reader: RecordsReader, question: str, stated: dict[str, str]
) -> None:
    found = reader.read(question)
    assert isinstance(found, RelationAnswer)
    assert {step.item.relation: step.item.label for step in found.steps} == stated


def test_a_field_is_read_of_the_document_that_was_found_for_a_description(reader: RecordsReader) -> None:
    paths = ["ponds/Mill_Pond.md", "plans/storage/11-cold-starts/README.md", "plans/storage/14-warm-pools/README.md"]
    found = reader.read_fields_of("What is the status of the proposal that speeds up beginnings?", paths)
    assert found is not None
    assert [step.item.label for step in found.steps] == ["provisional"]
    assert reader.read_fields_of("How does the proposal speed up beginnings?", paths) is None
    assert reader.read_fields_of("What is the status of the ticket about beginnings?", paths) is None


def test_a_question_is_read_once_for_itself_and_for_the_part_it_is(
    reader: RecordsReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    stated = RecordsReader._read_exact_and_loose

    def counted(self: RecordsReader, question: str) -> object:
        asked.append(question)
        return stated(self, question)

    monkeypatch.setattr(RecordsReader, "_read_exact_and_loose", counted)
    first = reader.read("what is the colour of nothing?")
    assert reader.read("what is the colour of nothing?") == first
    reader.read("what is the colour of nothing?", loosely=True)
    reader.read("what is the colour of anything?")
    assert asked == ["what is the colour of nothing?", "what is the colour of anything?"]


@pytest.fixture(scope="module")
def manual() -> RecordsReader:
    """Two folders of pages alike, neither of which has most of them."""
    pages = {
        f"{folder}/{name}.md": f"# {name.title()}\n\n- Owner: {owner}\n- Topic: {topic}\n\nText.\n"
        for folder, rows in {
            "guides": [("moor", "Ann Lee", "Water>Ropes"), ("dive", "Bo Day", "Water"), ("sail", "Bo Day", "Wind")],
            "tours": [("cave", "Ann Lee", "Rock"), ("reef", "Cy Fox", "Water"), ("cliff", "Cy Fox", "Water>Ropes")],
        }.items()
        for name, owner, topic in rows
    }
    return RecordsReader(Collection(linked(pages)), lambda: date(2026, 11, 20))


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("Which documents are owned by Ann Lee?", ["Moor", "Cave"]),
        ("which pages have the topic Water", ["Dive", "Reef"]),
        ("which guides have the topic Water", ["Dive"]),
        ("which documents have the topic Water>Ropes?", ["Moor", "Cliff"]),
        ("Which documents state `Topic: Rock`?", ["Cave"]),
    ],
)
def test_a_general_word_or_none_means_the_documents_of_all_folders(
    manual: RecordsReader, question: str, titles: list[str]
) -> None:
    assert named(answered(manual, question)) == titles


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("pages without an owner", ["Fog"]),
        ("documents that name no owner", ["Fog"]),
        ("Which page is the newest one, going by its date?", ["Ash"]),
        ("What was created in 2021?", ["Oak", "Fog"]),
        ("Oak pages - everything but the drafts", []),
        ("pages by Ann Lee, everything but the final ones", ["Oak"]),
        ("everything but the final ones", ["Oak", "Fir"]),
    ],
)
def test_what_is_said_in_many_ways_is_read_in_the_usual_way(question: str, titles: list[str]) -> None:
    rows = [
        ("oak", "Ann Lee", "draft", "2021-04-02"),
        ("ash", "Bo Day", "final", "2024-05-01"),
        ("elm", "Ann Lee", "final", "2022-01-09"),
        ("fir", "Bo Day", "draft", "2023-08-30"),
        ("fog", "", "final", "2021-11-11"),
    ]
    texts = {
        f"pages/{name}.md": f"# {name.title()}\n\n"
        + (f"- Owner: {owner}\n" if owner else "")
        + f"- Status: {status}\n- Created: {day}\n\nText.\n"
        for name, owner, status, day in rows
    }
    found = RecordsReader(Collection(linked(texts)), lambda: date(2026, 11, 20)).answer(question)
    assert (named(found) if found is not None else []) == titles


@pytest.mark.parametrize("question", ["When was Fog made?", "Who wrote Fog?", "By whom is Fog?"])
def test_a_day_or_a_person_that_is_not_stated_is_not_told_by_another_field(question: str) -> None:
    texts = {
        f"pages/{name}.md": f"# {name.title()}\n\n{header}- Status: final\n\nText.\n"
        for name, header in [
            ("oak", "- Owner: Ann Lee\n- Created: 2021-04-02\n"),
            ("ash", "- Owner: Bo Day\n- Created: 2024-05-01\n"),
            ("elm", "- Owner: Bo Day\n- Created: 2022-05-01\n"),
            ("fog", ""),
        ]
    }
    assert RecordsReader(Collection(linked(texts)), lambda: date(2026, 11, 20)).answer(question) is None


def _plans() -> dict[str, str]:
    """Files that begin alike and state fields, beside others that do neither."""
    found = {f"{name}.rst": f"{name.title()}\n=====\n\nHow it is done.\n" for name in ("install", "glossary", "hooks")}
    for number, (subject, status, releases) in enumerate(
        (
            ("bells", "Draft", "2.1, 2.2"),
            ("brakes", "Final", "2.1"),
            ("chains", "Final", "2.1"),
            ("dynamos", "", "2.2"),
            ("forks", "Final", "2.3"),
        )
    ):
        stated = f":Created: 201{number}-Mar-0{number + 1}\n" + (f":Status: {status}\n" if status else "")
        found[f"plan-{subject}.rst"] = f"{subject.title()}\n======\n\n{stated}:Bike-Version: {releases}\n\nText.\n"
    return found


@pytest.fixture(scope="module")
def plans() -> RecordsReader:
    return RecordsReader(Collection(linked(_plans()), "bike"), lambda: date(2026, 11, 20))


@pytest.mark.parametrize(
    "question", ["How many have a status?", "How many plans have a status?", "Number of plans with a status"]
)
def test_where_those_are_counted_that_have_a_value_its_kinds_are_not(plans: RecordsReader, question: str) -> None:
    assert answered(plans, question).result.rows[0].cells == (4,)


def test_what_most_things_name_is_not_the_thing_that_names_most(plans: RecordsReader) -> None:
    found = answered(plans, "Which bike version is named by the most plans?")
    assert [row.cells for row in found.result.rows] == [("2.1", 3)]


def test_files_that_begin_alike_are_things_called_by_that_word(plans: RecordsReader) -> None:
    found = answered(plans, "How many plans are there?")
    assert found.result.rows[0].cells == (5,)


def test_a_general_word_behind_what_a_thing_is_called_says_nothing_more(plans: RecordsReader) -> None:
    assert named(answered(plans, "Which plan document is the newest?")) == ["Forks"]


def test_a_count_beside_what_is_asked_for_is_no_second_question(plans: RecordsReader) -> None:
    assert answered(plans, "Which status is most common, and how many are there?").result.rows[0].cells == ("Final", 3)


def test_when_a_thing_was_changed_is_not_when_it_was_made(plans: RecordsReader) -> None:
    assert plans.read("When was the Chains plan last changed?") is None
    assert plans.read("When was the Chains plan created?") is not None
