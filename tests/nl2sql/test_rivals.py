from __future__ import annotations

from msgspec import structs
from msgspec.structs import replace

from kbtui.nl2sql.candidate import Role, Use
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Col, Cond, Query, Ref
from kbtui.nl2sql.rivals import Rivals
from tests.nl2sql.garden import catalogue, column, lattice, mention, question

PLANTS, WATER, BED, NAME = Ref("plants", "*"), Ref("plants", "water"), Ref("plants", "bed"), Ref("plants", "name")


def features(linked: Lattice, *uses: tuple[Mention, Role]) -> dict[str, float]:
    return Rivals(linked).features(Query((Col(PLANTS),)), [Use(m, r) for m, r in uses])


def test_words_of_a_table_that_also_name_a_measure_are_told() -> None:
    table, measure = mention(0, 1, PLANTS, 0.9), mention(0, 1, WATER, 0.8)
    linked = lattice(question("watering by bed"), table, measure)
    assert features(linked, (table, "subject"))["rival_measure"] == 0.8
    assert "rival_measure" not in features(linked, (table, "subject"), (measure, "measure"))


def test_a_better_and_a_longer_reading_of_the_same_words_are_told() -> None:
    weak, strong, longer = mention(1, 2, BED, 0.6), mention(1, 2, NAME, 0.9), mention(0, 2, WATER, 1.0)
    found = features(lattice(question("flower name here"), weak, strong, longer), (weak, "shown"))
    assert round(found["rival_better"], 2) == 0.3
    assert found["rival_longer"] == 1.0
    assert found["rival_same_kind"] == 1.0


def test_a_mention_that_is_alone_has_no_rivals() -> None:
    only = mention(1, 2, BED)
    assert set(features(lattice(question("the bed"), only), (only, "group"))) == {"mention_chars"}


def test_a_value_made_of_stop_words_is_told() -> None:
    value = mention(0, 2, NAME, 0.8, kind="value", values=("of the", "of these"))
    found = features(lattice(question("of the bed"), value), (value, "filter"))
    assert found["mention_stop"] == 1.0
    assert found["mention_values"] > 1.0


def test_words_that_would_restrict_are_no_name() -> None:
    ferns, kind = mention(2, 3, PLANTS, 0.8, how="concept"), mention(2, 3, NAME, 0.9, kind="value", values=("fern",))
    water, long = mention(0, 1, WATER), mention(0, 3, WATER, 0.9, how="concept")
    linked = lattice(question("water of ferns"), ferns, kind, water, long)
    assert features(linked, (water, "measure"), (ferns, "subject"))["restriction_dropped"] == 1.0
    assert features(linked, (long, "measure"))["restriction_dropped"] == 1.0
    assert "restriction_dropped" not in features(linked, (water, "measure"), (kind, "filter"))


def test_the_name_itself_may_be_a_value_too() -> None:
    plants, value = mention(0, 1, PLANTS), mention(0, 1, NAME, 0.9, kind="value", values=("Plant",))
    assert "restriction_dropped" not in features(lattice(question("plants"), plants, value), (plants, "subject"))


def test_another_column_that_fits_the_words_better_is_told() -> None:
    weak, strong = mention(1, 2, BED, 0.6), mention(1, 2, NAME, 0.8)
    linked = lattice(question("list names now"), weak, strong)
    assert round(features(linked, (weak, "shown"))["rival_better_column"], 2) == 0.2
    assert "rival_better_column" not in features(linked, (strong, "shown"))


def test_words_that_are_a_name_and_read_as_something_else_are_told() -> None:
    exact, other = mention(1, 2, NAME, 1.0), mention(1, 2, BED, 0.8)
    linked = lattice(question("list names now"), exact, other)
    assert features(linked, (other, "shown"))["exact_unused"] == 1.0
    assert "exact_unused" not in features(linked, (exact, "shown"))


def test_words_inside_a_name_restrict_nothing() -> None:
    name, value = mention(0, 2, WATER), mention(0, 1, NAME, kind="value", values=("Unit",))
    assert "restriction_dropped" not in features(lattice(question("unit water"), name, value), (name, "measure"))
    apart = mention(0, 3, WATER)
    dropped = features(lattice(question("unit of water"), apart, value), (apart, "measure"))
    assert dropped["restriction_dropped"] == 1.0


def test_a_name_is_no_value_that_only_has_it_in_part() -> None:
    height, plants = mention(0, 3, WATER), mention(2, 3, PLANTS)
    part = mention(2, 3, NAME, 0.7, kind="value", values=("Plants of the north",), how="part")
    linked = lattice(question("water of plants"), height, plants, part)
    assert "restriction_dropped" not in features(linked, (height, "measure"))


def test_a_restriction_that_fits_the_words_less_than_the_name_is_none() -> None:
    plants, kind = mention(0, 1, PLANTS, 0.8, how="concept"), mention(0, 1, NAME, 0.6, kind="value", values=("bush",))
    assert "restriction_dropped" not in features(lattice(question("shrubs"), plants, kind), (plants, "subject"))
    part = mention(0, 1, NAME, 0.85, kind="value", values=("sea bush",), how="part")
    assert "restriction_dropped" not in features(lattice(question("shrubs"), plants, part), (plants, "subject"))


def test_a_restriction_that_the_statement_has_all_the_same_is_not_dropped() -> None:
    ferns, kind = mention(0, 1, PLANTS, 0.8, how="concept"), mention(0, 1, NAME, 0.9, kind="value", values=("fern",))
    linked, uses = lattice(question("ferns"), ferns, kind), [Use(ferns, "subject")]
    every = Query((Col(PLANTS),))
    assert "restriction_dropped" in Rivals(linked).features(every, uses)
    unlike = Cond(Col(NAME), "!=", "fern")
    for query in (structs.replace(every, where=(unlike,)), Query((Col(NAME),), group=(Col(NAME),))):
        assert "restriction_dropped" not in Rivals(linked).features(query, uses)


def test_a_state_of_rows_that_are_not_read_restricts_nothing() -> None:
    table = mention(0, 1, PLANTS, 0.8, how="concept")
    for ref, dropped in ((Ref("gardeners", "name"), False), (Ref("plants", "bed"), True)):
        state = mention(0, 1, ref, 0.9, kind="state", cond=Cond(Col(ref), "=", "north"))
        found = features(lattice(question("growing"), table, state), (table, "subject"))
        assert ("restriction_dropped" in found) == dropped


def test_a_part_of_a_value_inside_of_longer_words_of_a_name_restricts() -> None:
    crew, ada = mention(0, 2, PLANTS, 0.8, how="concept"), mention(0, 1, NAME, 0.78, kind="value", values=("Ada B",))
    for how in ("part", "exact"):
        linked = lattice(question("adas crew"), crew, replace(ada, how=how))
        assert features(linked, (crew, "subject"))["restriction_dropped"] == 1.0


def test_a_flag_restricts_by_the_words_of_its_own_name() -> None:
    flag = Ref("plants", "potted")
    known = catalogue()
    plants = known.tables["plants"]
    plants = replace(plants, columns=(*plants.columns, column("plants", "potted", "flag")))
    named = mention(2, 3, flag, 0.96, how="stem")
    state = mention(2, 3, flag, 0.94, how="stem", kind="state", cond=Cond(Col(flag), "=", 1))
    height = mention(0, 3, WATER, 0.8, how="concept")
    linked = Lattice(
        question=question("height of potted"),
        catalogue=replace(known, tables={**known.tables, "plants": plants}),
        mentions=(height, named, state),
    )
    assert features(linked, (height, "measure"))["restriction_dropped"] == 1.0


def test_a_table_read_around_the_exact_name_of_another_is_told() -> None:
    gardeners, around = mention(1, 2, Ref("gardeners", "*")), mention(1, 3, PLANTS, 0.8, how="concept")
    linked = lattice(question("the gardener plots"), gardeners, around)
    assert features(linked, (around, "subject"))["name_inside"] == 1.0
    assert "name_inside" not in features(linked, (gardeners, "subject"))


def test_a_state_that_is_read_as_a_denial_of_one_of_its_words_is_dropped() -> None:
    unwatered = replace(mention(0, 2, WATER, 0.9, kind="state"), cond=Cond(Col(WATER), "null"))
    water = mention(1, 2, BED, 0.8)
    linked = lattice(question("not watered plants"), unwatered, water)
    assert features(linked, (water, "filter"))["restriction_dropped"] == 1.0
    assert "restriction_dropped" not in features(linked, (unwatered, "filter"))
