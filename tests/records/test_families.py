"""Files whose names differ in numbers alone, and how questions call them."""

from __future__ import annotations

import pytest

from kbtui.records.families import find_members, group_families, names_without_beginnings, year_of

_PATHS = [
    "plans/0012-roadmap-2017.md",
    "plans/0040-roadmap-2018.md",
    "plans/0077-roadmap-2019.md",
    "plans/0078-fences.md",
    "news/whatsnew-5.0.rst",
    "news/whatsnew-5.1.rst",
    "news/whatsnew-6.0.rst",
    "pep-0001.rst",
    "pep-0002.rst",
    "pep-0003.rst",
]


def test_names_that_differ_in_numbers_alone_are_a_family() -> None:
    found = {family.name: family for family in group_families(_PATHS)}

    assert set(found) == {"roadmap", "whatsnew"}
    assert list(found["roadmap"].members.values()) == ["2017", "2018", "2019"]
    assert found["roadmap"].has_years
    assert not found["whatsnew"].has_years


def test_documents_of_a_numbered_series_are_no_family() -> None:
    assert not group_families([f"erfc-{number}.md" for number in range(5)], known={"erfc"})


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("Who wrote the what's new document for 5.1?", "news/whatsnew-5.1.rst"),
        ("When was the 2018 roadmap accepted?", "plans/0040-roadmap-2018.md"),
        ("What does roadmap 2019 want?", "plans/0077-roadmap-2019.md"),
    ],
)
def test_a_member_is_called_by_family_and_number(question: str, path: str) -> None:
    assert [paths for _, _, paths in find_members(question, group_families(_PATHS))] == [(path,)]


def test_another_number_names_no_member() -> None:
    assert not list(find_members("the roadmap of 2016, the what's new for 5.10", group_families(_PATHS)))


def test_the_year_of_a_name_is_told_where_it_has_one() -> None:
    assert year_of("plans/0012-roadmap-2017.md") == "2017"
    assert year_of("plans/2016-2017.md") == ""
    assert year_of("plans/0078-fences.md") == ""


def test_files_go_by_what_is_left_of_their_names_without_the_words_that_all_begin_with() -> None:
    paths = [f"docs/README_mod_{name}.md" for name in ("alarm", "bell", "chain", "dynamo", "fork_lock")]
    assert names_without_beginnings(paths)["docs/README_mod_fork_lock.md"] == ("mod_fork_lock", "fork_lock")
    assert names_without_beginnings([*paths, "docs/a-b.md", "docs/c-d.md"]) == {}
    assert names_without_beginnings(paths[:3]) == {}
