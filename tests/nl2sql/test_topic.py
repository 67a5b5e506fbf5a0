"""The tables of what a question asks for."""

from __future__ import annotations

from msgspec.structs import replace

from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.topic import head_tables
from kbtui.question.model import TokenSpan
from tests.nl2sql.garden import catalogue, lattice, mention, question

PLANTS, GARDENERS = Ref("plants", "*"), Ref("gardeners", "*")


def test_the_first_noun_is_asked_for_in_english_and_the_last_one_in_chinese() -> None:
    known = lattice(question("plants of the gardener"), mention(0, 1, PLANTS), mention(3, 4, GARDENERS))
    assert head_tables(known) == {"plants"}
    assert head_tables(replace(known, question=replace(known.question, language="zh"))) == {"gardeners"}


def test_the_noun_behind_which_is_asked_for_wherever_it_stands() -> None:
    asked = question("north plants which gardener", cues=((2, 3, "wh", {}),))
    assert head_tables(lattice(asked, mention(1, 2, PLANTS), mention(3, 4, GARDENERS))) == {"gardeners"}


def test_a_value_may_be_the_noun_but_not_inside_an_operator_or_a_longer_name() -> None:
    north = Mention(span=TokenSpan(0, 1), kind="value", ref=Ref("plants", "bed"), values=("north",))
    asked = question("north of the gardener")
    assert head_tables(lattice(asked, north, mention(3, 4, GARDENERS))) == {"plants"}
    taken = question("north of the gardener", cues=((0, 1, "most", {}),))
    assert head_tables(lattice(taken, north, mention(3, 4, GARDENERS))) == {"gardeners"}


def test_no_noun_is_no_head() -> None:
    assert head_tables(Lattice(question=question("how many"), catalogue=catalogue(), mentions=())) == set()
