"""The files that conditions on the kind, the fields and the date of documents leave."""

from __future__ import annotations

import posixpath
from datetime import date

import pytest

from kbtui.errors import ScopeError
from kbtui.records.collection import Collection
from kbtui.records.scoping import FileScopes, day_bound, files_left
from kbtui.text.mentions import Condition
from tests.records.folders import links
from tests.records.relation_corpora import links_of


@pytest.fixture(scope="module")
def scopes() -> FileScopes:
    return FileScopes(Collection(links()))


def left(scopes: FileScopes, *conditions: str) -> set[str]:
    """Names of the files that meet all conditions, without folders."""
    pairs = [condition.partition(":") for condition in conditions]
    found = files_left(scopes, [Condition(key, value) for key, _, value in pairs])
    return {posixpath.basename(path) for path in frozenset.intersection(*(paths for _, paths in found))}


@pytest.mark.parametrize(
    ("conditions", "names"),
    [
        (["status:open"], {"BIKE-3.md", "BIKE-5.md"}),
        (["Status:Open", "assignee:Dan Poe"], {"BIKE-5.md"}),
        (["status:open", "status:blocked"], {"BIKE-3.md", "BIKE-5.md", "BIKE-9.md"}),
        (["status:!=open", "kind:ticket"], {"BIKE-8.md", "BIKE-9.md"}),
        (["kind:tickets"], {"BIKE-3.md", "BIKE-5.md", "BIKE-8.md", "BIKE-9.md"}),
        (["kind:pond", "maximum-depth:>10"], {"Mill_Pond.md", "Tarn_Pond.md"}),
        (["状态:草稿"], {"刹车模块.md"}),
        (["更新日期:>=2025-03-01", "更新日期:<2025-05"], {"车灯模块.md"}),
        (["status:mislaid"], set()),
    ],
)
def test_kinds_and_values_of_a_field_are_alternatives_and_all_else_holds_at_once(
    scopes: FileScopes, conditions: list[str], names: set[str]
) -> None:
    assert left(scopes, *conditions) == names


def test_a_folder_that_one_file_describes_is_left_with_all_its_files(scopes: FileScopes) -> None:
    assert scopes.with_field("status", "withdrawn") == {
        "plans/network/23-lease-audit/meta.yaml",
        "plans/network/23-lease-audit/README.md",
    }


def test_a_document_has_the_date_it_states_and_bounds_take_the_first_day_in_and_leave_the_last_out(
    scopes: FileScopes,
) -> None:
    modules = {path for path in scopes.dated(date(2025, 2, 1), date(2025, 5, 3)) if path.startswith("产品")}
    assert modules == {"产品/车铃模块.md", "产品/车灯模块.md"}
    assert {path.split("/")[1] for path in scopes.dated(None, date(2021, 1, 1)) if path.startswith("plans")} == {
        "network"
    }
    assert scopes.years[-1] == 1970, "files that were never on a disk"


def test_a_day_in_the_name_of_a_note_dates_it() -> None:
    scopes = FileScopes(
        Collection(links_of({"2025-03-04.md": "# Day\n", "2025_04_01.md": "x\n", "20250199.md": "x\n"}))
    )
    assert scopes.dated(date(2025, 1, 1), None) == {"2025-03-04.md", "2025_04_01.md"}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2025", date(2025, 1, 1)),
        ("2025-03", date(2025, 3, 1)),
        ("2025-03-31", date(2025, 3, 31)),
        ("1 May 2024", date(2024, 5, 1)),
        ("2025-13", None),
        ("2025-02-30", None),
        ("soon", None),
    ],
)
def test_a_bound_is_a_day_a_month_or_a_year(text: str, day: date | None) -> None:
    assert day_bound(text) == day


@pytest.mark.parametrize(
    ("condition", "message", "hint"),
    [
        ("kind:poem", "kind poem", "plan, ticket"),
        ("statu:open", "field statu", "The fields are status, "),
        ("after:soon", "soon is not a day", "2025-03"),
    ],
)
def test_an_unknown_kind_field_or_day_is_said_with_those_there_are(
    scopes: FileScopes, condition: str, message: str, hint: str
) -> None:
    with pytest.raises(ScopeError, match=message) as caught:
        left(scopes, condition)
    assert hint in caught.value.hint


def test_some_of_the_things_keep_the_kinds_of_the_whole_folder() -> None:
    whole = Collection(links())
    some = Collection(links_of({"desk/BIKE-8.md": "# BIKE-8: Chain slips\n\n- Status: closed\n"}), "", whole)
    assert [(kind.name, len(kind.things), dict(kind.fields)) for kind in some.kinds] == [("ticket", 1, {"status": 1})]


def test_fields_with_few_values_offer_them(scopes: FileScopes) -> None:
    assert set(scopes.values("status")) >= {"open", "blocked", "provisional"}
    assert scopes.values("maximum-depth") == ()
