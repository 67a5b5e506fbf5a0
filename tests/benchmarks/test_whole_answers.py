from __future__ import annotations

import json
from pathlib import Path

import pytest
from _facts import facts_stated, states, without_footer, word_count
from whole_answers import Verdict, ask_all, figures, folders, read_questions, verdict_of

from kbtui.domain.answer import Answer, Citation, Outcome


def answered(markdown: str, outcome: Outcome = "answered", path: str = "docs/kiln.md") -> Answer:
    citations = (Citation(n=1, path=path, start_line=3, end_line=4),)
    return Answer(query="", markdown=markdown, outcome=outcome, run_id="r", session_id="", citations=citations)


QUESTION = {
    "id": "k-1",
    "corpus": "pottery",
    "kind": "number",
    "lang": "en",
    "question": "How hot may the kiln get?",
    "answerable": True,
    "facts": [["1,240 °C", "1240 °C"], ["cone 6"]],
    "gold_files": ["docs/kiln.md"],
    "must_not": ["1,300"],
}


@pytest.mark.parametrize(
    ("text", "piece", "expected"),
    [
        ("It fires at **1,240** °C.", "1,240 °C", True),
        ("It fires at 11,240 °C.", "1,240 °C", False),
        ("within 12 days", "2 days", False),
        ("version 3.12.4", "3.12", False),
        ("a “green” image", '"green" image', True),
        ("the mailbox", "mail", False),
        ("two vets came", "vet", True),
        ("call `kiln\\_open`", "kiln_open", True),
    ],
)
def test_a_string_stands_in_a_text_only_as_a_whole_number_or_word(text: str, piece: str, expected: bool) -> None:
    assert states(text, piece) is expected


def test_one_wording_of_a_fact_is_enough() -> None:
    assert facts_stated("It gets 1240 °C hot.", QUESTION["facts"]) == [True, False]  # type: ignore[arg-type]


def test_a_path_in_the_footer_states_nothing() -> None:
    markdown = "Fire slowly. [1]\n\n---\n[1] docs/cone 6.md:L3-L4"
    assert not states(without_footer(markdown), "cone 6")


def test_marks_are_no_words_and_a_chinese_character_is_one() -> None:
    assert word_count("Fire it slowly [1].\n\n窑温 [2]") == 5


def test_an_answer_with_all_facts_and_a_gold_file_is_full_and_cited() -> None:
    verdict = verdict_of(QUESTION, answered("Up to 1,240 °C, which is cone 6. [1]"))
    assert (verdict.recall, verdict.full, verdict.cited_gold, verdict.violations) == (1.0, True, True, ())


def test_a_refusal_states_no_fact_and_violates_nothing() -> None:
    verdict = verdict_of(QUESTION, answered("Nothing tells of 1,240 °C or 1,300.", "not_found"))
    assert (verdict.recall, verdict.refused, verdict.violations) == (0.0, True, ())


def test_a_partial_answer_that_says_so_is_near_and_another_is_not() -> None:
    near = verdict_of(QUESTION, answered("Not stated here. What comes nearest:\n\n> Let it cool. [1]", "partial"))
    half = verdict_of(QUESTION, answered("Up to 1,240 °C. [1]", "partial"))
    assert (near.near, half.near) == (True, False)
    respelt = "*Read as: kiln (for klin)*\n\nNot stated here. What comes nearest:\n\n> Let it cool. [1]"
    assert verdict_of(QUESTION, answered(respelt, "partial")).near


def test_figures_count_refusals_of_each_side_apart() -> None:
    impossible = {**QUESTION, "id": "k-2", "answerable": False, "facts": [], "gold_files": []}
    verdicts = [
        verdict_of(QUESTION, answered("1,240 °C and cone 6")),
        verdict_of(QUESTION, answered("", "not_found")),
        verdict_of(impossible, answered("", "not_found")),
        verdict_of(impossible, answered("1,300 kg")),
    ]
    found = figures(verdicts)
    assert (found["recall"], found["refused"], found["false_refusals"], found["must_not"]) == (0.5, 0.5, 0.5, 0.25)


def test_each_question_is_asked_of_its_folder() -> None:
    asked = []

    def ask(name: str, question: str) -> Answer:
        asked.append((name, question))
        return answered("cone 6")

    other = {**QUESTION, "id": "k-3", "corpus": "garden", "question": "When are roses cut?"}
    verdicts: list[Verdict] = ask_all([QUESTION, other], ask)
    assert asked == [("garden", "When are roses cut?"), ("pottery", "How hot may the kiln get?")]
    assert [verdict.recall for verdict in verdicts] == [0.5, 0.5]


def test_the_folders_of_several_sets_are_found_each_beside_its_own_questions(tmp_path: Path) -> None:
    for name in ("one/folders/pottery", "two", "garden/corpora"):
        (tmp_path / name).mkdir(parents=True)
    for name, corpus in (("one", "pottery"), ("two", "garden")):
        (tmp_path / name / "questions.jsonl").write_text(json.dumps(QUESTION | {"corpus": corpus}))
    bases = [tmp_path / "one", tmp_path / "two"]
    assert [question["corpus"] for question in read_questions(bases)] == ["pottery", "garden"]
    assert folders(bases, {"pottery", "garden"}) == {
        "pottery": tmp_path / "one" / "folders" / "pottery",
        "garden": tmp_path / "garden" / "corpora",
    }


def test_a_folder_is_found_beside_the_questions_or_where_it_is_said_to_be(tmp_path: Path) -> None:
    for name in ("set", "pottery/tree", "elsewhere"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "set" / "questions.jsonl").write_text(json.dumps(QUESTION))
    roots = folders([tmp_path / "set"], {"pottery", "garden", "nowhere"}, [f"garden={tmp_path / 'elsewhere'}"])
    assert roots == {"pottery": tmp_path / "pottery" / "tree", "garden": tmp_path / "elsewhere"}
