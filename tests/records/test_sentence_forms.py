"""Fields that documents of a folder state in sentences of one form, and in XML."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import Collection
from kbtui.records.relating import RelationAnswer
from tests.records.folders import linked

BOATS = {
    "auk": ("Ada Moor", "2001", "See also the “Bittern” and “Coot” boats."),
    "bittern": ("Ada Moor and Bo Lind", "2004", "It floats."),
    "coot": ("Bo Lind", "2004", "See also the “Auk” boat."),
    "diver": ("Cy Rand", "1998", "See also the “Coot” boat."),
    "eider": ("Cy Rand", "2010", "See also the “Auk” boat."),
    "fulmar": ("Ada Moor", "2010", "It floats as well."),
}


def boats() -> dict[str, str]:
    return {
        f"sailcrafts/{name}.md": f"# {name.capitalize()}\n\nA small one.\n\n{more}\n\nDrawn by {people}; {year}.\n"
        for name, (people, year, more) in BOATS.items()
    }


def savers() -> dict[str, str]:
    return {
        f"savers/{name}.xml": f'<?xml version="1.0"?>\n<boat name="{name}" _label="The {name}" sail="{sail}">\n'
        f'  <part id="keel" length="{size}"/>\n  <_text>\nLong text.\n  </_text>\n</boat>\n'
        for name, sail, size in (("auk", "yes", 3), ("coot", "no", 4), ("diver", "yes", 5))
    }


def facts(files: Mapping[str, str], key: str) -> dict[str, list[str]]:
    thing = Collection(linked(files)).thing_at(key)
    assert thing is not None
    return {field: [fact.value for fact in stated] for field, stated in thing.facts.items()}


def answered(files: Mapping[str, str], question: str) -> set[str]:
    answer = RecordsReader(Collection(linked(files))).read(question)
    assert isinstance(answer, TableAnswer), question
    return {thing.base for row in answer.result.rows for thing in row.things}


def test_a_sentence_of_one_form_states_persons_a_year_and_what_it_quotes() -> None:
    stated = facts(boats(), "sailcrafts/bittern.md")
    assert (stated["drawn-by"], stated["drawn"]) == (["Ada Moor", "Bo Lind"], ["2004"])
    assert facts(boats(), "sailcrafts/auk.md")["see-also"] == ["Bittern", "Coot"]


def test_a_form_that_too_few_documents_have_states_nothing() -> None:
    few = dict(list(boats().items())[:3])
    assert facts(few, "sailcrafts/auk.md") == {}


def test_a_figure_before_a_clause_is_no_value_of_the_document() -> None:
    files = {
        path: f"{text}\nBeginning with Sloop {number}.2, the mast may be laid down before a bridge comes near it.\n"
        for number, (path, text) in enumerate(boats().items())
    }
    assert "beginning-with-sloop" not in facts(files, "sailcrafts/auk.md")
    whole = {
        path: text.replace(", the mast may be laid down before a bridge comes near it", "")
        for path, text in files.items()
    }
    assert facts(whole, "sailcrafts/auk.md")["beginning-with-sloop"] == ["0.2"]


def test_a_chinese_sentence_of_one_form_states_a_person() -> None:
    people = ("王小明", "李雷", "韩梅梅", "陈静", "赵敏")
    files = {f"文档/{n}.md": f"# 文档{n}\n\n本页负责人为{name}，有问题请找他。\n" for n, name in enumerate(people)}
    assert facts(files, "文档/1.md")["负责人"] == ["李雷"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("crafts drawn by Bo Lind", {"bittern", "coot"}),
        ("crafts from 2004", {"bittern", "coot"}),
        ("newest crafts", {"eider", "fulmar"}),
        ("which craft is the oldest and what year", {"diver"}),
        ("Ada Moor crafts from 2010", {"fulmar"}),
    ],
)
def test_questions_are_answered_from_sentences_of_one_form(question: str, names: set[str]) -> None:
    assert answered(boats(), question) == names


def test_when_one_thing_was_made_is_answered_with_its_year() -> None:
    answer = RecordsReader(Collection(linked(boats()))).read("when was Diver drawn")
    assert isinstance(answer, RelationAnswer)
    assert [step.item.label for step in answer.steps] == ["1998"]


def test_a_year_is_no_bound_of_a_count() -> None:
    answer = RecordsReader(Collection(linked(boats()))).read("crafts whose drawn by goes up to 2004")
    assert not isinstance(answer, TableAnswer) or "HAVING" not in answer.reading.sql


def test_attributes_of_xml_are_fields_and_its_root_says_what_the_files_are() -> None:
    stated = facts(savers(), "savers/coot.xml")
    assert (stated["sail"], stated["label"], stated["part"]) == (["no"], ["The coot"], ["keel"])
    assert "boat" in {name for kind in Collection(linked(savers())).kinds for name in (kind.name, *kind.words)}


def test_items_of_a_section_that_name_documents_refer_to_them() -> None:
    files = {
        f"cmds/{name}.md": f"# {name} - do it\n\nThis command does it.\n\n## Related\n\n"
        f"- the {other} command, which does something else that is told there at some length\n"
        for name, other in (("pushd", "popd"), ("popd", "dirs"), ("dirs", "pushd"), ("cdh", "dirs"))
    }
    assert facts(files, "cmds/cdh.md")["related"] == ["dirs"]
    assert answered(files, "how many commands are there") == {"pushd", "popd", "dirs", "cdh"}


def test_labels_near_the_end_of_documents_are_fields_with_the_value_below_them_or_behind() -> None:
    files = {
        f"pages/{name}.txt": f"{name.upper()}(8)\n\nIt does what its name says, and a little more than that.\n\n"
        f"[Keeper]\n    {keeper} <{name}@example.org>\n\n[Checked] {day}\n\n[Once] only\n"
        for name, keeper, day in (
            ("quotaon", "Ada Moor", "2001/7/13"),
            ("swapon", "Bo Lind", "2001/11/18"),
            ("mkfs", "Ada Moor", "2002/1/5"),
            ("dmesg", "Cy Rand", "2003/2/1"),
        )
    }
    files["pages/mkfs.txt"] = files["pages/mkfs.txt"].replace("[Once] only", "")
    stated = facts(files, "pages/swapon.txt")
    assert (stated["keeper"], stated["checked"]) == (["Bo Lind"], ["2001/11/18"])
    assert "once" not in stated
    assert answered(files, "pages with keeper Ada Moor") == {"quotaon", "mkfs"}


def test_a_text_of_keys_and_values_is_data_whatever_its_suffix() -> None:
    files = {
        f"cores/{name}.info": f'# About\ndisplay = "{name.upper()}"\nauthors = "{authors}"\nexperimental = "{flag}"\n'
        for name, authors, flag in (("a", "Ann|Bob", "true"), ("b", "Bob", "false"), ("c", "Cid", "true"))
    }
    assert facts(files, "cores/a.info") == {"display": ["A"], "authors": ["Ann", "Bob"], "experimental": ["true"]}
    assert answered(files, "how many cores are experimental") == {"a", "c"}
