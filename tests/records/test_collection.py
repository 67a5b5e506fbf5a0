"""Things, and what they state about themselves."""

from __future__ import annotations

import pytest

from kbtui.records.asking import RecordsReader
from kbtui.records.collection import Collection
from kbtui.records.kinds import Fact, Thing, kinds_of
from kbtui.records.tables import Tables
from tests.records.folders import linked, links
from tests.records.relation_corpora import links_of


@pytest.fixture(scope="module")
def collection() -> Collection:
    return Collection(links())


def test_each_convention_becomes_a_kind_of_things(collection: Collection) -> None:
    assert {kind.name: len(kind.things) for kind in collection.kinds} == {"plan": 4, "ticket": 4, "pond": 3, "产品": 3}


def test_a_folder_and_the_file_that_describes_it_are_one_thing(collection: Collection) -> None:
    thing = collection.thing_at("plans/storage/11-cold-starts/README.md")
    assert thing is not None
    assert thing is collection.thing_at("plans/storage/11-cold-starts/meta.yaml")
    assert (thing.title, thing.number, thing.path) == ("Cold starts", 11, "plans/storage/11-cold-starts/meta.yaml")


def test_a_fact_knows_its_line_and_the_thing_it_names(collection: Collection) -> None:
    thing = collection.thing_at("plans/storage/14-warm-pools")
    assert thing is not None
    (replaces,) = thing.facts["replaces"]
    assert (replaces.line, replaces.target) == (9, "plans/storage/11-cold-starts")
    (stable,) = thing.facts["milestone-stable"]
    assert (stable.value, stable.line) == ("v1.4", 11)


def test_a_table_of_facts_states_fields_and_its_first_row_none(collection: Collection) -> None:
    pond = collection.thing_at("ponds/Mill_Pond.md")
    assert pond is not None
    assert {name: facts[0].value for name, facts in pond.facts.items()} == {"town": "Easton", "maximum-depth": "12 m"}


def test_fields_are_columns_and_fields_with_several_values_tables(collection: Collection) -> None:
    tables = {table.name: table for table in Tables(collection).schema.tables}
    assert [column.name for column in tables["ticket"].columns] == ["number", "title", "status", "assignee"]
    assert {column.name: column.kind for column in tables["pond"].columns}["maximum_depth"] == "number"
    assert {column.name: column.kind for column in tables["plan"].columns}["creation_date"] == "date"
    assert [key.referred_table for key in tables["blocks"].foreign_keys] == ["ticket", "ticket"]
    assert [key.referred_table for key in tables["authors"].foreign_keys] == ["plan"]


def test_files_in_many_folders_that_state_the_same_fields_are_one_kind() -> None:
    files = {
        f"rules/{name[0]}/{name}.md": f"---\nrule: {name}\nlevel: {level}\ngroup: wires\nsince: {year}\n---\n"
        for name, level, year in (("arc", "high", 2019), ("bend", "low", 2020), ("coil", "high", 2021))
    }
    (kind,) = Collection(links_of(files)).kinds
    # The field that repeats the name of the file says what such a thing is.
    assert (kind.name, len(kind.things)) == ("rule", 3)


def test_a_field_that_a_third_of_some_files_state_counts_among_their_usual_ones() -> None:
    head = "kind: page\nform: plain\n"
    first = {f"one/{name}.txt": f"{head}made: 2011-01-0{name}\n\nText.\n" for name in "123"}
    second = {f"two/{name}.txt": f"{head}\nText.\n" for name in "123"} | {
        "two/4.txt": f"{head}made: 2012-01-01\n\nText.\n"
    }
    assert [len(kind.things) for kind in Collection(links_of(first | second)).kinds] == [4, 3]
    second["two/5.txt"] = f"{head}made: 2013-01-01\n\nText.\n"
    assert [len(kind.things) for kind in Collection(links_of(first | second)).kinds] == [8]


def test_a_dot_in_a_name_parts_no_file_from_those_beside_it() -> None:
    names = ("lang.Merge", "os.Stat", "merge", "stat", "2.0")
    files = {f"functions/{name}.md": f"---\nowner: Ann\nsince: v{at}\n---\n" for at, name in enumerate(names)}
    assert [len(kind.things) for kind in Collection(links_of(files)).kinds] == [5]


def test_files_that_share_few_fields_stay_what_their_folders_say() -> None:
    files = {
        f"{folder}/{number}.md": f"---\nowner: Ann\nrelated: x{number}\n---\n"
        for folder in ("guides", "runbooks")
        for number in range(3)
    }
    assert {kind.name for kind in Collection(links_of(files)).kinds} == {"guide", "runbook"}


@pytest.mark.parametrize("title", ["NEP 2 — Warnings", "NEP-2: Warnings", "Warnings"])
def test_a_thing_is_called_by_its_name_once(title: str) -> None:
    assert Thing(key="nep-2.rst", path="nep-2.rst", name="NEP 2", title=title).display_name == "NEP 2: Warnings"


def test_of_words_that_all_titles_share_the_last_ones_name_the_kind() -> None:
    facts = {"contact": [Fact(field="contact", value="Mara", path="a.md", line=1)]}
    things = [
        Thing(key=f"{n}.md", path=f"{n}.md", title=f"Northern Harbour Basin Safety Notice {n}", facts=facts)
        for n in ("a", "b", "c")
    ]
    (kind,) = kinds_of(things, frozenset())
    words = [word for word in (kind.name, *kind.words) if word in things[0].title.lower()]
    assert words == ["notice", "safety", "basin"]


def test_large_folders_of_files_that_state_the_same_are_kinds_of_their_own() -> None:
    files = {
        f"{folder}/{letter}.yml": f"level: low\ngroup: wires\nsince: 20{at}\n"
        for folder in ("filter", "probe")
        for at, letter in enumerate("abcdefghijkl", start=10)
    }
    collection = Collection(links_of(files))
    assert [(kind.name, len(kind.things)) for kind in collection.kinds] == [("filter", 12), ("probe", 12)]
    assert collection.general is not None


def test_a_name_behind_those_of_what_it_is_in_is_that_of_a_file() -> None:
    files = {
        f"filter/{name}.yml": f"name: {name}\nkin: kit.builtin.{other}\n"
        for name, other in (("a1", "b1"), ("b1", "a1"))
    }
    assert {edge.target for edge in links_of(files).edges if edge.relation == "kin"} == {
        "filter/a1.yml",
        "filter/b1.yml",
    }


def test_fields_and_lists_that_are_called_as_the_files_are_have_tables_of_other_names() -> None:
    files = {
        f"jobs/{name}.md": f"---\njob: {name}\nfile: [{name}.sh, all.sh]\n---\n" for name in ("arc", "bend", "coil")
    }
    listed = "files:\n" + "".join(f"  - name: {name}\n    size: {n}\n" for n, name in enumerate(("up", "down", "mid")))
    tables = Tables(Collection(links_of({**files, "parts.yaml": listed})))
    names = [table.name for table in tables.every.tables]
    assert len(set(names)) == len(names)
    assert tables.ask("", f'SELECT count(*) FROM "{tables.every.tables[-1].name}"') == [(len(files) + 1,)]


def _wiki_page(title: str, part: str, fields: dict[str, str]) -> str:
    rows = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>\n" for name, value in fields.items())
    return (
        f"<html><title>Ferry : {title}</title><ol class='breadcrumb'><li>Ferry</li><li>{part}</li></ol>\n"
        f"<h1>{title}</h1><table>{rows}</table><p>Text of the page.</p></html>"
    )


def test_pages_of_a_site_are_kinds_by_the_part_of_it_that_they_lie_in() -> None:
    pages = {
        f"{name}.html": _wiki_page(name, part, {"Owner": owner, **more})
        for name, part, owner, more in (
            ("Fog", "Signal codes", "Ada Moss", {"Urgency": "high"}),
            ("Ice", "Signal codes", "Bo Lind", {"Urgency": "low"}),
            ("Gale", "Signal codes", "Bo Lind", {"Urgency": "high"}),
            ("Casting off", "Drills", "Ada Moss", {}),
            ("Man overboard", "Drills", "Cleo Ott", {}),
            ("Fire", "Drills", "Ada Moss", {}),
        )
    }
    kinds = {kind.name: kind for kind in Collection(linked(pages)).kinds}
    assert {name: sorted(thing.title for thing in kind.things) for name, kind in kinds.items()} == {
        "code": ["Fog", "Gale", "Ice"],
        "drill": ["Casting off", "Fire", "Man overboard"],
    }
    assert kinds["code"].words[0] == "signal"
    assert dict(kinds["code"].fields) == {"owner": 3, "urgency": 3}
    fact = next(thing for thing in kinds["code"].things if thing.title == "Fog").facts["urgency"][0]
    assert (fact.value, fact.line) == ("high", 3)


def test_rows_below_a_heading_with_a_question_word_are_not_called_by_it() -> None:
    rows = "".join(
        f"| {area} | {team} | #{team} |\n" for area, team in (("Doors", "red"), ("Bills", "blue"), ("Web", "red"))
    )
    text = f"# Teams\n\n## Who to ask\n\n| Area | Team | Channel |\n|---|---|---|\n{rows}"
    names = {word for kind in Collection(linked({"README.md": text})).kinds for word in (kind.name, *kind.words)}
    assert "ask" in names
    assert not names & {"who", "to"}


def test_a_value_that_begins_with_the_whole_value_of_another_thing_is_that_value_too() -> None:
    states = {"pump": "Obsolete", "seal": "Obsolete - see the pump", "tank": "Obsoleted", "wire": "Shipping (2.1)"}
    files = {f"plans/{name}.md": f"# {name}\n\nStatus: {state}\n\nWhat it is.\n" for name, state in states.items()}
    collection = Collection(linked(files))
    facts = {name: collection.things[f"plans/{name}.md"].facts["status"] for name in states}
    assert {name: [fact.value for fact in facts[name]] for name in states} == {
        "pump": ["Obsolete"],
        "seal": ["Obsolete - see the pump", "Obsolete"],
        "tank": ["Obsoleted"],
        "wire": ["Shipping (2.1)"],
    }


def test_folders_are_called_as_the_folder_that_they_lie_in_also_in_two_words() -> None:
    files = {}
    for name, kind in (("aztec", "historical"), ("zulu", "ethnographic"), ("inuit", "ethnographic")):
        files[f"{name}/info.ini"] = f"[info]\nname = {name.title()}\nclassification = {kind}\n"
        files[f"{name}/description.md"] = f"# {name.title()}\n\nStars as they were seen from there.\n"
    words = RecordsReader(Collection(linked(files), "skycultures")).words
    assert [kind.name for kind in words.kinds_in("how many sky cultures are ethnographic?")] == ["skyculture"]
    assert words.in_own_words("how many old sky cultures are there?") == "how many old skycultures are there?"
