"""Folders of forms that nobody foresaw: labels in bold, ``key:: value``, TOML beside texts, boxes of a wiki."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import Collection
from kbtui.records.identifiers import identified_things
from kbtui.records.relating import RelationAnswer
from tests.records.folders import linked

_REPAIRS = (
    ("R-21", "Winch slips", "Closed", "2024-02-03", "1.4.2", "Oona Falk", ""),
    ("R-22", "Winch slips again", "Closed", "2024-02-05", "", "Pim Roos", "R-21"),
    ("R-23", "Horn is hoarse", "Open", "", "", "Oona Falk", ""),
    ("R-24", "Ramp sticks", "Open", "", "", "Pim Roos", ""),
)
_TASKS = (("Caulk hull", ""), ("Launch hull", "Paint hull"), ("Paint hull", "Caulk hull"), ("Sew sails", ""))
_ROUNDS = (
    ("2024-03-01", "Oona Falk"),
    ("2024-04-05", "Pim Roos"),
    ("2024-05-03", "Oona Falk"),
    ("2024-06-07", "Oona Falk"),
)
_LAMPS = (
    ("KL-10", "小灯", "停产", "郑小雨", "79", 'successor = "KL-12"\n'),
    ("KL-12", "亮灯", "在售", "郑小雨", "99", ""),
    ("KL-20", "船灯", "预售", "何大山", "149", ""),
    ("KL-21", "塔灯", "在售", "何大山", "189", ""),
    ("KL-30", "桥灯", "在售", "郑小雨", "209", ""),
    ("KL-31", "岸灯", "停产", "何大山", "229", ""),
    ("KL-32", "雾灯", "在售", "郑小雨", "249", ""),
    ("KL-33", "航灯", "预售", "郑小雨", "269", ""),
)


@pytest.fixture(scope="module")
def reader() -> RecordsReader:
    files = {}
    for key, title, status, closed, fixed, person, same in _REPAIRS:
        fields = {"Status": status, "Closed": closed, "Fixed in": fixed, "Assignee": person, "Version": "1.4.0"}
        lines = [f"**{name}:** {value}  \n" for name, value in fields.items() if value]
        lines += [f"**Duplicate of:** [{same}]({same}.md)  \n"] if same else []
        files[f"repairs/{key}.md"] = f"# {key}: {title}\n\n{''.join(lines)}\nSeen twice.\n"
    for name, needs in _TASKS:
        more = f"needs:: [[{needs}]]\n" if needs else ""
        files[f"tasks/{name}.md"] = f"# {name}\n\nstate:: planned\nhours:: 12\n{more}\nIn the yard.\n"
    for day, person in _ROUNDS:
        files[f"rounds/{day}.md"] = (
            f"# Harbour round {day}\n\ndate:: {day}\npresent:: [[{person}]], [[Ida Berg]]\n\nDry.\n"
        )
    for number, (version, person) in enumerate((("3.0.1", "Oona Falk"), ("3.1.0", "Pim Roos"), ("3.2.0", "Ida Berg"))):
        files[f"charts/{version}.md"] = (
            f"# Sea chart {version}\n\n- Editor: {person}\n- Sheets: {number + 40}\n\nText.\n"
        )
    for model, name, status, owner, price, more in _LAMPS:
        files[f"灯具/{model}/lamp.toml"] = (
            f'model = "{model}"\nname = "{name}"\nstatus = "{status}"\nowner = "{owner}"\nprice = {price}\n{more}'
        )
        files[f"灯具/{model}/说明.md"] = f"# {name}\n\n照得很亮。\n"
    return RecordsReader(Collection(linked(files)), lambda: date(2026, 11, 20))


def _told(reader: RecordsReader, question: str) -> list[str]:
    found = reader.read(question)
    if isinstance(found, RelationAnswer):
        return [step.item.label for step in found.steps]
    assert isinstance(found, TableAnswer), question
    return [thing.title for row in found.result.rows for thing in row.things]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("R-21, when closed and fixed in what version", ["1.4.2", "2024-02-03", "1.4.0"]),
        ("the horn that is hoarse: who is on it, what status", ["Oona Falk", "Open"]),
        ("R-22: assignee + duplicate of what", ["R-21.md", "Pim Roos"]),
        ("who is the editor of 3.1.0 and what are its sheets", ["Pim Roos", "41"]),
    ],
)
def test_one_question_asks_for_several_fields_of_a_thing_in_words_of_its_own(
    reader: RecordsReader, question: str, told: list[str]
) -> None:
    found = [label.rpartition("/")[2] for label in _told(reader, question)]
    assert found[: len(told)] == told


def test_a_version_names_the_one_thing_that_has_it_in_its_name(reader: RecordsReader) -> None:
    assert _told(reader, "Who is the editor of 3.1.0?") == ["Pim Roos"]
    assert _told(reader, "Who is the editor of 3.0.1?") == ["Oona Falk"]


def test_what_is_late_holds_up_whatever_needs_it(reader: RecordsReader) -> None:
    direct = _told(reader, "if caulk hull is late, which tasks are held up?")
    assert direct == ["tasks/Paint hull.md"]
    further = _told(reader, "if caulk hull is late, which tasks are held up, directly or further down?")
    assert further == ["tasks/Paint hull.md", "tasks/Launch hull.md"]


def test_things_named_by_their_day_are_ordered_by_it(reader: RecordsReader) -> None:
    titles = [f"Harbour round {day}" for day in ("2024-06-07", "2024-05-03")]
    assert _told(reader, "the last two rounds Oona was at") == titles


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("目录里有哪些型号已经停产了？", ["小灯", "岸灯"]),
        ("KL-10 停产以后换成哪个型号，负责人是谁？", ["KL-12", "郑小雨"]),
        ("何大山预售的是哪款，卖多少钱？", ["船灯"]),
    ],
)
def test_values_that_identify_name_their_thing_in_chinese_too(
    reader: RecordsReader, question: str, told: list[str]
) -> None:
    assert _told(reader, question) == told


def test_a_date_that_is_not_stated_is_no_answer(reader: RecordsReader) -> None:
    assert reader.read("When was R-23 closed?") is None


def test_only_codes_that_are_stated_once_identify(reader: RecordsReader) -> None:
    links = reader.collection.links
    assert set(identified_things(links.edges, links.records)) == {
        "kl 10",
        "kl 12",
        "kl 20",
        "kl 21",
        "kl 30",
        "kl 31",
        "kl 32",
        "kl 33",
    }
