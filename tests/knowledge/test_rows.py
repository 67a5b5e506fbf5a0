"""Records of one shape in texts and files of rows: CSV, list items, logs without bullets, headed blocks."""

from __future__ import annotations

import pytest

from kbtui.knowledge.reading.loaders import parse
from kbtui.knowledge.relations import extract_relations
from kbtui.knowledge.relations.series import ITEM, LISTED_IN_TEXT
from kbtui.text.days import with_years

Records = dict[str, dict[str, list[str]]]


def _records(text: str, path: str) -> tuple[list[str], Records]:
    """The names of the lists of a document, and the fields of each record by its name."""
    names, records, last = [], Records(), ""
    for relation in extract_relations(parse(text.encode(), path)):
        if relation.relation == LISTED_IN_TEXT:
            names.append(relation.target)
        elif relation.relation == ITEM:
            last = relation.target
            records[last] = {}
        elif relation.relation.startswith(ITEM):
            records[last].setdefault(relation.relation.removeprefix(ITEM), []).append(relation.target)
    return names, records


def test_rows_of_a_csv_file_are_records_named_by_their_first_column_and_the_file() -> None:
    text = 'sample,made_by,room\nS-1,Ilse,F1\nS-2,"Ana, Bo","F\n2"\n'
    names, records = _records(text, "samples.csv")
    assert names == ["samples"]
    assert records["S-1"] == {"sample": ["S-1"], "made-by": ["Ilse"], "room": ["F1"]}
    assert records["S-2"] == {"sample": ["S-2"], "made-by": ["Ana", "Bo"], "room": ["F 2"]}


def test_rows_that_are_merely_numbered_are_named_by_their_number_with_its_column() -> None:
    _, records = _records("week\tfrom\tpager\n18\t28 April\tAna\n19\t5 May\tBo\n", "rota 2025.tsv")
    assert records["week 18"] == {"week": ["18"], "from": ["28 April 2025"], "pager": ["Ana"]}


@pytest.mark.parametrize(
    "text",
    [
        "1,2\n3,4\n5,6\n",
        "name,name\na,b\nc,d\n",
        "only\na\nb\n",
        "a,b\n" + "x,y\n" * 2_100,
        'a,b\n"never closed,1\n',
    ],
)
def test_a_file_without_named_columns_or_with_too_many_rows_has_no_records(text: str) -> None:
    assert _records(text, "data.csv") == ([], {})


def test_list_items_of_one_shape_are_records_with_keys_for_what_their_parts_share() -> None:
    text = (
        "# Clubs\n\n- Chess (Mr Amadi): Tuesday, free, 14 places\n- **Choir** (Miss Thorley): Monday, free, 40 places\n"
        "- Football (Mr Osgood): Friday, £1,200 a year, 22 places\n"
    )
    names, records = _records(text, "clubs.md")
    assert names == ["Clubs"]
    assert records["Choir"] == {"by": ["Miss Thorley"], "detail": ["Monday", "free"], "places": ["40"]}
    assert records["Football"]["detail"] == ["Friday", "£1,200 a year"]


def test_a_part_with_a_day_is_a_field_named_by_the_words_before_it() -> None:
    text = "\n".join(f"- {name} — Brandt, opened 2024-0{n}-02, expires 2025-0{n}-02" for n, name in enumerate("ABC", 1))
    assert _records(text, "reagents.md")[1]["B"] == {
        "detail": ["Brandt"],
        "opened": ["2024-02-02"],
        "expires": ["2025-02-02"],
    }


@pytest.mark.parametrize(
    "text",
    [
        "- Term: what it means.\n- Word: what that means.\n- Name: what this means.\n",
        "- one, two\n- three, four\n- five, six\n",
        "- A: b, c\n- D: e, f\n",
        f"- A: {'long ' * 20}, b\n- C: {'long ' * 20}, d\n- E: {'long ' * 20}, f\n",
    ],
)
def test_definitions_and_lists_without_a_common_shape_are_no_records(text: str) -> None:
    assert _records(text, "notes.md") == ([], {})


def test_lines_of_a_log_are_records_with_their_day_and_what_they_are_about() -> None:
    text = "2025-03-03 7 Mill Lane: Radek, £650 short\n2025-03-04 3 Rope Walk: Ana, paid\n2025-03-05 moved\n"
    _, records = _records(text, "late.log")
    assert records["7 Mill Lane: Radek, £650 short"] == {"date": ["2025-03-03"], "detail": ["7 Mill Lane", "Radek"]}
    assert records["moved"] == {"date": ["2025-03-05"]}


def test_sections_with_the_same_keys_are_records_and_sections_of_prose_are_not() -> None:
    text = "# Cast\n\n" + "".join(
        f"## {name}\nAge: {age}\nRole: clerk\n\nProse.\n\n" for name, age in (("Al", 3), ("Bo", 4), ("Cy", 5))
    )
    names, records = _records(text + "## Notes\n\nNothing: here is a sentence.\n", "cast.md")
    assert names == ["Cast"]
    assert records == {"Al": {"age": ["3"], "role": ["clerk"]}, "Bo": {"age": ["4"], "role": ["clerk"]},
                       "Cy": {"age": ["5"], "role": ["clerk"]}}  # fmt: skip


def test_paragraphs_that_begin_with_the_same_key_are_records_named_by_its_value() -> None:
    text = "".join(f"Name: {name}\nPhone: {phone}\n\n" for name, phone in (("Al Roe", 1), ("Bo Lee", 2), ("Cy Poe", 3)))
    names, records = _records(text, "people.txt")
    assert names == ["people"]
    assert records["Bo Lee"] == {"phone": ["2"]}


def test_days_without_a_year_have_the_only_year_that_the_document_names() -> None:
    rows = "| Mon 3 March | Ana |\n| Tue 4 March | Bo |\n| Wed 5 March | Cy |\n"
    text = f"# Duty, March 2025\n\n| Day | Who |\n|---|---|\n{rows}"
    assert _records(text, "duty.md")[1]["Tue 4 March"]["day"] == ["Tue 4 March 2025"]
    assert _records(text.replace("2025", "2024 and 2025"), "duty.md")[1]["Tue 4 March"]["day"] == ["Tue 4 March"]


@pytest.mark.parametrize(
    ("text", "dated"),
    [
        ("by 5 February", "by 5 February 2025"),
        ("Mon 3 March", "Mon 3 March 2025"),
        ("March 3", "March 3 2025"),
        ("5月1日", "2025年5月1日"),
        ("3 March 2024", "3 March 2024"),
        ("2024年5月1日", "2024年5月1日"),
        ("14 Places", "14 Places"),
        ("4 May Lane 3", "4 May 2025 Lane 3"),
    ],
)
def test_a_year_is_added_to_days_that_have_none(text: str, dated: str) -> None:
    assert with_years(text, 2025) == dated
    assert with_years(text, None) == text
