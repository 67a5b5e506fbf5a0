"""Files of data as trees, and what these state."""

from __future__ import annotations

import pytest

from kbtui.knowledge.reading.loaders import parse
from kbtui.knowledge.relations import extract_relations
from kbtui.knowledge.relations.structure import structure_of

_WRAPPED = """DOCUMENTATION:
  name: oil
  author: Ada Hope (@ada)
  aliases: [grease, lubricate]
  options:
    amount:
      type: int
      required: true
    brand:
      type: str
      required: false
  seealso:
    - plugin_type: tool
      plugin: bike.tools.wash
    - plugin_type: tool
      plugin: bike.tools.wipe
EXAMPLES: |
  - oil: {amount: 3}
RETURN:
  _value:
    type: int
"""


def stated(text: str, path: str) -> list[tuple[str, str, int]]:
    found = extract_relations(parse(text.encode(), path))
    return [(one.relation, one.target, one.line) for one in found if not one.relation.startswith("mentions")]


def test_the_key_that_wraps_a_document_is_no_part_of_what_it_states() -> None:
    assert ("author", "Ada Hope", 3) in stated(_WRAPPED, "oil.yml")


def test_records_in_a_list_are_named_by_what_says_which_they_are() -> None:
    named = [one for one in stated(_WRAPPED, "oil.yml") if one[0] == "see-also"]
    assert named == [("see-also", "bike.tools.wash", 14), ("see-also", "bike.tools.wipe", 16)]


def test_the_keys_of_records_under_names_are_values_on_their_own_lines() -> None:
    found = stated(_WRAPPED, "oil.yml")
    assert [one for one in found if one[0] in ("options", "aliases")] == [
        ("aliases", "grease", 4),
        ("aliases", "lubricate", 4),
        ("options", "amount", 6),
        ("options", "brand", 9),
    ]


def test_what_stands_in_a_block_of_text_states_nothing() -> None:
    assert not any("oil-amount" in one[0] or one[1] == "3" for one in stated(_WRAPPED, "oil.yml"))


def test_where_values_stand_outside_nothing_wraps_them() -> None:
    found = stated("kind: bell\nmilestone:\n  stable: v1.3\n", "bell.yaml")
    assert found == [("kind", "bell", 1), ("milestone-stable", "v1.3", 3)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("crate.toml", 'made-by = "Ada"\nparts = [\n  "bell",\n  "lamp",\n]\n[shop]\ntown = "Easton"\n'),
        ("crate.json", '{\n "made-by": "Ada", "parts": [\n  "bell", "lamp"\n ],\n "shop": {\n  "town": "Easton"}}\n'),
    ],
)
def test_toml_and_json_state_the_same_in_their_own_signs(path: str, text: str) -> None:
    found = {(relation, target) for relation, target, _ in stated(text, path)}
    assert found == {("made-by", "Ada"), ("parts", "bell"), ("parts", "lamp"), ("shop-town", "Easton")}


def test_what_was_read_before_a_mistake_is_kept() -> None:
    assert ("town", "Easton", 1) in stated("town: Easton\nparts: [bell\n: {\n", "shop.yaml")


@pytest.mark.parametrize("text", ["[" * 5000, "{" * 5000, "a: &a [*a, *a]\n", "\x00\x01"])
def test_no_text_is_too_deep_or_refers_to_itself(text: str) -> None:
    structure_of(parse(text.encode(), "x.yaml"))


def test_a_file_of_keys_below_sections_states_its_values() -> None:
    text = "[info]\n; as it was\nname = Aztec\nauthor = Enrique Candelario\nboundaries = None\nlicense = GPL v2.0\n"
    assert stated(text, "aztec/info.ini") == [("author", "Enrique Candelario", 4), ("license", "GPL v2.0", 6)]
    assert stated(text, "aztec/info.conf") == [], "other programs have other forms of such files"
