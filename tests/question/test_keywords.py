"""Spec 001, D1: what the lexical side is given."""

from __future__ import annotations

from kbtui.question.keywords import expand_keywords, search_keywords, split_terms


def test_names_stay_whole_and_come_first() -> None:
    assert search_keywords("where is KB_AGENT_MAX_ITERATIONS defined in config/app.toml").split()[:2] == [
        "KB_AGENT_MAX_ITERATIONS",
        "config/app.toml",
    ]


def test_a_term_with_a_space_stands_in_quotes() -> None:
    assert search_keywords('what does PEP 703 say about "reference counting"?').startswith(
        '"PEP 703" "reference counting"'
    )


def test_words_that_only_frame_the_question_are_left_out() -> None:
    assert search_keywords("can you explain how the retry queue works?") == "retry queue"


def test_a_document_number_does_not_leave_its_series_behind() -> None:
    assert search_keywords("Which PEP superseded PEP 509?") == '"PEP 509" superseded'


def test_people_are_one_term() -> None:
    assert '"Guido van Rossum"' in search_keywords("which documents did Guido van Rossum write")


def test_chinese_is_cut_at_function_words() -> None:
    assert split_terms(search_keywords("什么是类型注解")) == ["类型注解"]


def test_file_words_are_what_is_looked_for_only_when_files_are_not() -> None:
    assert search_keywords("find files about packaging") == "packaging"
    assert "files" in search_keywords("how are temporary files deleted")


def test_there_is_always_something_to_look_for() -> None:
    assert search_keywords("what is it?") != ""


def test_a_second_try_uses_parts_stems_and_synonyms_that_were_not_tried() -> None:
    tried = search_keywords("why do deployments of getUserById fail")
    fresh = expand_keywords("why do deployments of getUserById fail", [tried])
    assert "getUserById" not in fresh
    assert {"User", "release"} <= set(fresh)


def test_a_long_chinese_term_is_tried_in_pieces() -> None:
    assert {"报销", "流程"} <= set(expand_keywords("报销流程", ["报销流程"]))


def test_a_chinese_name_with_a_function_character_in_it_stays_whole() -> None:
    assert "阿尔及尔" in split_terms(search_keywords("阿尔及尔有多少人"))


def test_a_long_question_keeps_its_last_words() -> None:
    question = (
        "what key success metrics matter when evaluating ticket routing accuracy latency cost and rare edge cases"
    )
    assert {"rare", "edge", "cases"} <= set(split_terms(search_keywords(question)))
