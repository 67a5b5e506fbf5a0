from __future__ import annotations

from typing import Any

import pytest

from kbtui.nl2sql.candidate import Role, Use
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Agg, Col, Cond, Order, Query, Ref
from kbtui.nl2sql.redundant_words import RedundantWords
from kbtui.question.model import TokenSpan
from tests.nl2sql.garden import lattice, mention, question

PLANTS, BED, WATER, PLANTED = (Ref("plants", name) for name in ("*", "bed", "water", "planted"))
GARDENERS, NAME = Ref("gardeners", "*"), Ref("gardeners", "name")
COUNTED, SUMMED = Agg("count", Col(PLANTS)), Agg("sum", Col(WATER))


def redundant(linked: Lattice, query: Query, *unread: int, uses: tuple[tuple[Mention, Role], ...] = ()) -> list[str]:
    tokens = linked.question.tokens
    found = RedundantWords(linked).redundant(unread, query, [Use(m, role) for m, role in uses])
    return [tokens[at].norm for at in sorted(found)]


def light(text: str, at: int, needs: str, *mentions: Mention, **more: Any) -> Lattice:
    return lattice(question(text, cues=[(at, at + 1, "ignore", {"needs": needs})], **more), *mentions)


def test_a_light_verb_needs_rows_that_happen_or_relate_others() -> None:
    asked = light("gardeners that take plants", 2, "event")
    assert redundant(asked, Query((COUNTED,)), 2) == ["take"]
    assert redundant(asked, Query((Col(NAME),)), 2) == []
    assert redundant(asked, Query((Col(NAME),), (Cond(Col(BED), "=", "north"),)), 2) == ["take"]


def test_a_light_word_that_names_what_is_not_read_is_unread() -> None:
    gardener = mention(2, 3, GARDENERS, 0.8)
    asked = light("plants that tend beds", 2, "event", gardener)
    assert redundant(asked, Query((COUNTED,)), 2) == []
    assert redundant(asked, Query((COUNTED,), (Cond(Col(NAME), "=", "Ada"),)), 2) == ["tend"]


def test_people_in_general_are_not_counted_as_rows() -> None:
    asked = light("how much do people water", 3, "figure")
    assert redundant(asked, Query((SUMMED,)), 3) == ["people"]
    assert redundant(asked, Query((COUNTED,)), 3) == []
    assert redundant(asked, Query((Col(BED),)), 3) == []


def test_words_of_several_groups_need_groups() -> None:
    asked = light("north and south how many each", 5, "groups")
    assert redundant(asked, Query((Col(BED), COUNTED), group=(Col(BED),)), 5) == ["each"]
    assert redundant(asked, Query((COUNTED,)), 5) == []


def test_a_general_noun_needs_a_column_right_before_it() -> None:
    bed = mention(2, 3, BED)
    asked = light("plants per bed type", 3, "column", bed)
    grouped = Query((Col(BED), COUNTED), group=(Col(BED),))
    assert redundant(asked, grouped, 3, uses=((bed, "group"),)) == ["type"]
    assert redundant(asked, grouped, 3) == []


def test_a_word_says_again_what_other_words_read() -> None:
    again = mention(1, 2, BED, 0.7, how="concept")
    asked = lattice(question("north patches watered"), again)
    assert redundant(asked, Query((SUMMED,), (Cond(Col(BED), "=", "north"),)), 1, 2) == ["patches"]
    assert redundant(asked, Query((SUMMED,)), 1, 2) == []


def test_a_word_with_a_better_meaning_that_is_not_read_is_unread() -> None:
    weak, value = mention(1, 2, PLANTS, 0.6), mention(1, 2, NAME, 0.9, kind="value", values=("Fern",))
    asked = lattice(question("count fern"), weak, value)
    assert redundant(asked, Query((COUNTED,)), 1) == []
    assert redundant(asked, Query((COUNTED,), (Cond(Col(NAME), "=", "Fern"),)), 1) == ["fern"]


def test_columns_of_a_list_that_nothing_asks_for_read_no_word() -> None:
    planted = mention(1, 2, PLANTED, 0.7)
    asked = lattice(question("plants started"), planted)
    assert redundant(asked, Query((Col(PLANTED), Col(BED))), 1) == []
    assert redundant(asked, Query((Col(BED),), order=(Order(Col(PLANTED)),)), 1) == ["started"]


def test_an_adjective_is_read_by_an_order_alone() -> None:
    tallest = mention(0, 1, WATER, 0.8, order="desc")
    asked = lattice(question("thirstiest plants"), tallest)
    assert redundant(asked, Query((SUMMED,)), 0) == []
    assert redundant(asked, Query((Col(BED),), order=(Order(Col(WATER), desc=True),)), 0) == ["thirstiest"]


@pytest.mark.parametrize(("role", "found"), [("filter", ["shady"]), ("measure", ["shady"]), ("shown", [])])
def test_a_bracket_defines_the_words_before_it(role: Role, found: list[str]) -> None:
    bed = mention(3, 4, BED)
    asked = lattice(question("shady plants ( bed north )", asides=(TokenSpan(3, 5),)), bed)
    query = Query((Col(PLANTED),))
    assert redundant(asked, query, 0, uses=((bed, role),)) == found
    assert redundant(asked, query, 0, 4, uses=((bed, role),)) == []


def test_a_number_is_never_needless() -> None:
    named = mention(1, 2, BED, 0.9)
    asked = lattice(question("plants 7"), named)
    assert redundant(asked, Query((SUMMED,), (Cond(Col(BED), "=", "north"),)), 1) == []
