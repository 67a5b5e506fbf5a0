"""Fields that the shape of documents states: short sections of a template, and small files in folders alike."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import Collection
from kbtui.records.relating import RelationAnswer
from kbtui.records.templates import fields_of_templates
from tests.records.folders import linked

DECISIONS = {
    "pumps": ("Ada Moor, Bo Lind", "Accepted"),
    "seals": ("- Ada Moor\n- Cy Rand", "Rejected"),
    "tanks": ("Bo Lind", "Accepted"),
    "wires": ("Nobody signs this one before the summer, since the others are away.", "Accepted"),
}
PACKAGES = {
    "alder": ("library", "birch cedar elm", "MIT"),
    "birch": ("tool", "cedar", "GPL v2"),
    "cedar": ("library", "", "Eclipse License 1.0"),
    "damson": ("library", "birch alder elm", "Eclipse License 2.0"),
}
REMARK = "\n----------\nOnly the first line counts.\n"


def decisions() -> dict[str, str]:
    return {
        f"decisions/{name}.md": f"# Change the {name}\n\nWhy it is done is told here, at length and in prose.\n"
        f"\n## Deciders\n\n{deciders}\n\n## Status\n\n{status}\n\n## Reasons\n\nThe old {name} leak. So do others.\n"
        for name, (deciders, status) in DECISIONS.items()
    }


def packages() -> dict[str, str]:
    files: dict[str, str] = {}
    for name, (kind, needs, licence) in PACKAGES.items():
        files[f"{name}/ABOUT.rst"] = f"About {name}\n============\n\nLicense\n-------\n\n{licence}\n"
        files[f"{name}/type.txt"] = f"{kind}\n"
        files[f"{name}/package-version.txt"] = f"1.{len(name)}\n"
        if needs:
            files[f"{name}/dependencies.txt"] = f"{needs}\n{REMARK}"
    return files


def fields(files: Mapping[str, str], key: str) -> dict[str, list[str]]:
    thing = Collection(linked(files)).thing_at(key)
    assert thing is not None
    return {name: [fact.value for fact in facts] for name, facts in thing.facts.items()}


def test_a_short_section_that_documents_share_is_a_field_with_a_value_a_line_or_a_name() -> None:
    assert fields(decisions(), "decisions/pumps.md") == {"deciders": ["Ada Moor", "Bo Lind"], "status": ["Accepted"]}
    assert fields(decisions(), "decisions/seals.md")["deciders"] == ["Ada Moor", "Cy Rand"]


def test_the_sections_of_plain_texts_are_fields_too() -> None:
    names = ("pack", "pix", "bgra", "query")
    files = {
        f"plans/{name}.txt": f"Name\n\n    {name}\n\nContact\n\n    Ada Moor, Mill Ltd. (ada 'at' mill)\n\n"
        f"Status\n\n    {'Obsolete' if name == 'pix' else 'Shipping'}\n\nOverview\n\n    What {name} adds.\n"
        for name in names
    }
    answer = RecordsReader(Collection(linked(files))).read("how many plans are obsolete")
    assert isinstance(answer, TableAnswer)
    assert [row.cells for row in answer.result.rows] == [(1,)]


def test_a_file_of_keys_beside_a_text_describes_its_folder() -> None:
    files = {}
    for name, kind in (("aztec", "historical"), ("zulu", "ethnographic"), ("inuit", "ethnographic")):
        files[f"{name}/info.ini"] = f"[info]\nname = {name.title()}\nclassification = {kind}\n"
        files[f"{name}/description.md"] = f"# {name.title()}\n\nStars as they were seen from there.\n"
    assert fields(files, "zulu/description.md")["classification"] == ["ethnographic"]


def test_a_section_that_is_long_in_one_document_is_not_missing_there() -> None:
    assert fields(decisions(), "decisions/wires.md")["deciders"] == [DECISIONS["wires"][0]]


def test_a_section_of_one_document_is_no_field() -> None:
    files = decisions() | {"decisions/zinc.md": "# Zinc\n\nA text.\n\n## Cost\n\n12\n\n## Status\n\nAccepted\n"}
    assert fields(files, "decisions/zinc.md") == {"status": ["Accepted"]}


def test_a_header_that_states_a_field_keeps_it_from_a_section_of_that_name() -> None:
    files = {path: f"---\nstatus: Open\n---\n{text}" for path, text in decisions().items()}
    assert fields(files, "decisions/pumps.md")["status"] == ["Open"]


def test_folders_of_small_files_are_things_with_a_field_a_file() -> None:
    assert fields(packages(), "damson") == {
        "dependencies": ["birch", "alder", "elm"],
        "package-version": ["1.6"],
        "type": ["library"],
        "license": ["Eclipse License 2.0"],
    }
    (kind,) = Collection(linked(packages())).kinds
    assert (kind.name, len(kind.things)) == ("package", 4)


def test_words_of_a_small_file_that_name_nothing_stay_one_value() -> None:
    files = packages() | {
        f"{name}/motto.txt": f"the {name} of the {place}\n" for name, place in zip(PACKAGES, "abcd", strict=True)
    }
    assert fields(files, "alder")["motto"] == ["the alder of the a"]


def test_small_files_of_one_folder_alone_are_documents() -> None:
    files = {path: text for path, text in packages().items() if path.startswith("alder/")}
    assert list(fields_of_templates(linked(files).files, linked(files).relations, linked(files).described)) == []


@pytest.fixture(scope="module")
def reader() -> RecordsReader:
    return RecordsReader(Collection(linked(packages())))


@pytest.mark.parametrize(
    ("question", "paths"),
    [
        ("Which packages need elm?", {"alder/ABOUT.rst", "damson/ABOUT.rst"}),
        ("How many packages have the type library?", {"alder/ABOUT.rst", "cedar/ABOUT.rst", "damson/ABOUT.rst"}),
        ("Which packages have an Eclipse license?", {"cedar/ABOUT.rst", "damson/ABOUT.rst"}),
    ],
)
def test_questions_are_answered_from_such_fields(reader: RecordsReader, question: str, paths: set[str]) -> None:
    found = reader.read(question)
    assert isinstance(found, TableAnswer)
    assert {thing.path for row in found.result.rows for thing in row.things} == paths


def test_what_points_at_a_folder_of_small_files_is_told_by_its_title(reader: RecordsReader) -> None:
    related = reader.read("What depends on birch?")
    assert isinstance(related, RelationAnswer)
    assert {step.item.label for step in related.steps} == {"About alder", "About damson"}


DEVICES = {
    "anchor": ("1.5.0", "`/dev/usb`", "org.anchor"),
    "beacon": ("1.6.1", "`/dev/usb` and `/sys/class`", "org.beacon"),
    "capstan": ("1.5.0", "`/sys/class`", "org.anchor"),
    "dinghy": ("2.0.0", "`/proc`", "org.dinghy"),
}


def devices() -> dict[str, str]:
    """A readme in each folder, built alike; one says the same in other words, one does not say it."""
    found = {
        f"{name}/README.md": f"# {name.title()} support\n\nThis driver talks to the {name}.\n\n## Wire Format\n\n"
        f"Packets are small.\n\nThis driver speaks the following protocol name:\n\n* `{protocol}`\n\n"
        f"## Access\n\nThis driver requires access to {access}.\n\n"
        f"## Version Considerations\n\nThis driver has been there since version `{version}`.\n"
        for name, (version, access, protocol) in DEVICES.items()
    }
    head = "# {0} support\n\nThis driver talks to the {0}.\n\n## Access\n\nThis driver requires access to `/proc`.\n"
    found["engine/README.md"] = head.format("Engine") + "\n## Version Considerations\n\nNew in release `1.7.2`.\n"
    found["fender/README.md"] = head.format("Fender")
    return found


def test_folders_with_a_readme_each_are_things_with_what_differs_in_sentences_that_are_alike() -> None:
    assert fields(devices(), "beacon") == {
        "protocol-name": ["org.beacon"],
        "access": ["/dev/usb", "/sys/class"],
        "version-considerations": ["1.6.1"],
    }


def test_a_section_in_other_words_is_not_missing_and_one_that_is_not_there_is() -> None:
    assert fields(devices(), "engine")["version-considerations"] == ["1.7.2"]
    assert "version-considerations" not in fields(devices(), "fender")


def test_a_value_in_a_list_under_its_sentence_is_stated_by_its_own_line() -> None:
    thing = Collection(linked(devices())).thing_at("dinghy")
    assert thing is not None
    (fact,) = thing.facts["protocol-name"]
    line = devices()["dinghy/README.md"].split("\n")[fact.line - 1]
    assert line == "* `org.dinghy`"


def test_sentences_that_all_say_the_same_state_nothing() -> None:
    files = {path: text.replace(text.rpartition("`")[0].rpartition("`")[2], "1.0") for path, text in devices().items()}
    assert "version-considerations" not in fields(files, "anchor")


def test_things_go_by_the_word_that_their_documents_use_of_themselves() -> None:
    (kind,) = Collection(linked(devices())).kinds
    assert kind.name == "driver"
    documents = {path: text.replace("This driver", "This document") for path, text in devices().items()}
    (kind,) = Collection(linked(documents)).kinds
    assert "driver" not in (kind.name, *kind.words)


@pytest.mark.parametrize(
    ("question", "paths"),
    [
        ("which drivers use the protocol org.anchor?", {"anchor/README.md", "capstan/README.md"}),
        ("how many drivers need access to /sys/class?", {"beacon/README.md", "capstan/README.md"}),
        ("which drivers have no version?", {"fender/README.md"}),
    ],
)
def test_questions_are_answered_from_sentences_that_are_alike(question: str, paths: set[str]) -> None:
    found = RecordsReader(Collection(linked(devices()))).read(question)
    assert isinstance(found, TableAnswer)
    assert {thing.path for row in found.result.rows for thing in row.things} == paths


def test_a_folder_is_told_by_its_name_too_where_its_title_does_not_say_it() -> None:
    files = devices()
    files["engine/README.md"] = files["engine/README.md"].replace("# Engine support", "# Fender support")
    called = {key: thing.display_name for key, thing in Collection(linked(files)).things.items()}
    assert called["fender"] == "Fender support"
    assert called["engine"] == "Fender support (engine)"
