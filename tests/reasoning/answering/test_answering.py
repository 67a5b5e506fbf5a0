"""What is chosen of documents, and what belongs to it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import SubQuestion
from kbtui.nl2sql.trees import LEAF, Trees
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.offline.answering import Selection, asked_of, knowing, scorer, selected
from kbtui.reasoning.offline.answering.candidates import Candidate, candidates_of, documents_of
from kbtui.reasoning.offline.answering.composing import chosen_of, composed, near_duplicate, shape_of
from kbtui.reasoning.offline.answering.features import beside_best, lexical, plain
from kbtui.reasoning.offline.answering.scorer import Scored
from kbtui.reasoning.offline.answering.signs import SECTIONS, SIGNS, section_kinds, signs_of
from kbtui.reasoning.offline.rendering import rendered
from tests.reasoning.conftest import Lines

KILN = """---
owner: Mara
---
# The kiln

The kiln fires clay in the yard behind the shop.

## Limits

It may be heated to 1,240 °C.
It is opened below 90 °C only.

## Firing

To fire it:

1. Close the damper.
2. Light the burner.
3. Wait for an hour.

## History

It was bought from a school in Bergen.
"""
GLAZES = """# Glazes

A glaze melts at the heat of the kiln.
"""
FILES = {"kiln.md": KILN, "glazes.md": GLAZES}


def evidence(*places: tuple[str, int, float]) -> list[Evidence]:
    found = []
    for number, (path, line, score) in enumerate(places):
        text = FILES[path].split("\n")[line - 1]
        hit = Hit(
            path=path,
            start_line=line,
            end_line=line,
            text=text,
            score=score,
            tool="hybrid_search",
            title=FILES[path].split("# ")[1].split("\n")[0],
        )
        found.append(Evidence(evidence_id=f"e{number}", hit=hit, sub_question="", score=score, kept=True))
    return found


def chosen(question: str, *places: tuple[str, int, float]) -> Selection:
    return selected(
        SubQuestion(semantic_intent=question),
        question,
        evidence(*places),
        Citations(Lines(dict(FILES))),
        lambda: None,
        None,
        CancelToken(),
    )


def shown(selection: Selection) -> str:
    return "\n".join(unit.text for run in selection.runs for unit in run.units)


def test_what_answers_is_found_beside_the_passage_that_was_found() -> None:
    assert "1,240 °C" in shown(chosen("how hot may the kiln be heated?", ("kiln.md", 6, 0.8)))


def test_fields_at_the_head_of_a_document_are_no_sentences_of_it() -> None:
    documents = documents_of(evidence(("kiln.md", 6, 0.8)))
    texts = [one.unit.text for one in candidates_of(documents, Citations(Lines(dict(FILES))), CancelToken())]
    assert not any("Mara" in text for text in texts)
    assert "It was bought from a school in Bergen." in texts


def test_documents_are_ranked_by_their_best_passage() -> None:
    found = documents_of(evidence(("glazes.md", 3, 0.4), ("kiln.md", 6, 0.3), ("kiln.md", 10, 0.9)))
    assert [(document.path, document.rank, len(document.passages)) for document in found] == [
        ("kiln.md", 0, 2),
        ("glazes.md", 1, 1),
    ]


def test_an_item_brings_its_list_and_what_announces_it() -> None:
    question = "how do I fire the kiln?"
    citations = Citations(Lines(dict(FILES)))
    documents = documents_of(evidence(("kiln.md", 6, 0.8)))
    every = candidates_of(documents, citations, CancelToken())
    burner = next(one for one in every if one.unit.text == "Light the burner.")
    best = Scored(candidates=(burner,), scores=(0.9,), features={})
    kinds = asked_of(SubQuestion(semantic_intent=question), question).kinds
    texts = [unit.text for unit, _ in chosen_of(best, every, shape_of(kinds))]
    assert texts == ["To fire it:", "Close the damper.", "Light the burner.", "Wait for an hour."]


def test_an_item_that_says_only_what_is_asked_stays_in_its_list() -> None:
    found = chosen("how do I fire the kiln when I light the burner?", ("kiln.md", 15, 0.8), ("kiln.md", 6, 0.7))
    texts = [unit.text for run in found.runs for unit in run.units]
    assert texts[texts.index("Close the damper.") :][:3] == [
        "Close the damper.",
        "Light the burner.",
        "Wait for an hour.",
    ]


TIERS = """# Support of platforms

## What tier 1 platforms are for

A tier 1 platform is one that all releases are built for.
- Somebody is paid to look after it.

## Tier 1

| Target | Compiler |
|---|---|
| amd64-linux | gcc |
| arm64-darwin | clang |

## Roles

These are the roles.

### Keeper

Looks after a platform.

### Tester

Runs the tests.

### Packer

Makes the packages.
"""


def units_of_tiers(scores: dict[str, float], kinds: dict[str, float], *, outlines: bool = False) -> list[str]:
    """The texts that are chosen from `TIERS` where candidates with these beginnings have these scores."""
    hit = Hit(path="tiers.md", start_line=5, end_line=5, text=TIERS.split("\n")[4], score=0.8, tool="hybrid_search")
    documents = documents_of([Evidence(evidence_id="e", hit=hit, sub_question="", score=0.8, kept=True)])
    every = candidates_of(documents, Citations(Lines({"tiers.md": TIERS})), CancelToken(), outlines=outlines)
    found = [next(one for one in every if one.unit.text.startswith(begin)) for begin in scores]
    best = Scored(candidates=tuple(found), scores=tuple(scores.values()), features={})
    return [unit.text for unit, _ in chosen_of(best, every, shape_of(kinds))]


def test_a_list_that_is_asked_for_counts_as_a_whole_and_not_by_its_best_item() -> None:
    scores = {"Somebody": 0.5, "amd64": 0.4, "arm64": 0.4}
    rows = ["amd64-linux | gcc", "arm64-darwin | clang"]
    assert units_of_tiers(scores, {"list": 1.0})[:2] == rows
    assert "Somebody" in units_of_tiers(scores, {"number": 1.0})[0]


def test_headings_below_one_are_the_items_of_a_list() -> None:
    names = ["Keeper", "Tester", "Packer"]
    assert units_of_tiers({"Keeper; Tester": 0.9}, {"list": 1.0}, outlines=True)[-3:] == names
    documents = documents_of(evidence(("kiln.md", 6, 0.8)))
    plain = candidates_of(documents, Citations(Lines(dict(FILES))), CancelToken())
    assert not any(one.items for one in plain)


GOLEM = """# Steam golem

- [Summary](#summary)
- [Usage](#usage)

| Steam golem | |
|---|---|
| Type | Machine |
| Rarity | Epic |
| Weight | 90 |
| Tool | none |
| Since | 0.4 |
| Sound | low |
| Owner | nobody |

## Summary

A steam golem carries sixty stacks.

## Usage

Call it with a horn.

## History

It came with version 0.4.
"""


def golem(*, outlines: bool = False) -> list[Candidate]:
    hit = Hit(path="golem.md", start_line=18, end_line=18, text=GOLEM.split("\n")[17], score=0.8, tool="hybrid_search")
    documents = documents_of([Evidence(evidence_id="e", hit=hit, sub_question="", score=0.8, kept=True)])
    return candidates_of(documents, Citations(Lines({"golem.md": GOLEM})), CancelToken(), outlines=outlines)


def test_tables_of_contents_and_the_sections_of_any_document_are_no_candidates() -> None:
    every = golem(outlines=True)
    assert not any(candidate.items for candidate in every)
    assert not any("#summary" in candidate.unit.text for candidate in every)


@pytest.mark.parametrize(("kind", "fields"), [("definition", 1), ("number", 5)])
def test_few_fields_of_a_document_are_shown_beside_its_text(kind: str, fields: int) -> None:
    every = golem()
    scored = Scored(candidates=tuple(every), scores=tuple(0.9 for _ in every), features={})
    kinds = [unit.kind for unit, _ in chosen_of(scored, every, shape_of({kind: 1.0}))]
    assert kinds.count("table_row") == fields
    assert "sentence" in kinds


SIDES = """# Restarts

Restarts are soft or hard.

## Soft

A soft restart keeps doors.

## Hard

A hard restart locks doors.

## Costs

A soft restart costs nothing, says the manual of the gate.
A soft restart is free of charge in all of the years.
A soft restart is told of to nobody but to the one on call.
"""


def test_both_sides_of_a_comparison_are_shown_however_far_one_is_behind() -> None:
    hit = Hit(path="a.md", start_line=3, end_line=3, text="Restarts are soft or hard.", score=0.8, tool="hybrid_search")
    documents = documents_of([Evidence(evidence_id="e", hit=hit, sub_question="", score=0.8, kept=True)])
    every = candidates_of(documents, Citations(Lines({"a.md": SIDES})), CancelToken())
    ranked = sorted(every, key=lambda one: "soft" not in one.unit.text)
    scores = tuple(0.9 if "soft" in one.unit.text else 0.1 for one in ranked)
    best = Scored(candidates=tuple(ranked), scores=scores, features={})
    runs = composed(best, every, {"comparison": 1.0}, (), ("soft restart", "hard restart"))
    assert [
        (run.about, run.units[0].text) for run in runs if "keeps" in run.units[0].text or "locks" in run.units[0].text
    ] == [
        ("soft restart", "A soft restart keeps doors."),
        ("hard restart", "A hard restart locks doors."),
    ]
    assert runs[0].about == "", "what is said of both stands first"
    plain = composed(best, every, {"comparison": 1.0}, ())
    assert not any("hard restart" in unit.text for run in plain for unit in run.units)
    blocks = rendered(runs, Citations(None))
    assert blocks.index("**soft restart**") < blocks.index("**hard restart**")


def test_what_announces_something_that_is_not_shown_is_left_out() -> None:
    documents = documents_of(evidence(("kiln.md", 6, 0.8)))
    every = candidates_of(documents, Citations(Lines(dict(FILES))), CancelToken())
    announcing = next(one for one in every if one.unit.text == "To fire it:")
    other = next(one for one in every if one.unit.kind == "sentence" and one.section != announcing.section)
    alone = [replace(announcing, unit=structs.replace(announcing.unit, text="As follows:")), other]
    best = Scored(candidates=(other, alone[0]), scores=(0.9, 0.8), features={})
    assert [unit for unit, _ in chosen_of(best, alone, shape_of({}))] == [other.unit]
    only = Scored(candidates=(alone[0],), scores=(0.9,), features={})
    assert [unit.text for unit, _ in chosen_of(only, alone[:1], shape_of({}))] == ["As follows:"]


def test_a_sentence_brings_its_neighbours_and_no_other_section() -> None:
    citations = Citations(Lines(dict(FILES)))
    every = candidates_of(documents_of(evidence(("kiln.md", 6, 0.8))), citations, CancelToken())
    opened = next(one for one in every if one.unit.text.startswith("It is opened"))
    best = Scored(candidates=(opened,), scores=(0.9,), features={})
    texts = [unit.text for unit, _ in chosen_of(best, every, shape_of({"number": 1.0}))]
    assert texts == ["It may be heated to 1,240 °C.", "It is opened below 90 °C only."]


def test_a_sentence_does_not_bring_the_items_of_a_list_beside_it() -> None:
    files = {"kiln.md": "# Kiln\n\nIt is fired on Monday.\n\n- Bring wood.\n- Bring gloves.\n"}
    hit = Hit(path="kiln.md", start_line=3, end_line=3, text="It is fired on Monday.", score=0.8, tool="hybrid_search")
    documents = documents_of([Evidence(evidence_id="e", hit=hit, sub_question="", score=0.8, kept=True)])
    every = candidates_of(documents, Citations(Lines(files)), CancelToken())
    best = Scored(candidates=(every[0],), scores=(0.9,), features={})
    assert [unit.text for unit, _ in chosen_of(best, every, shape_of({"when": 1.0}))] == ["It is fired on Monday."]


def test_one_fact_that_is_asked_for_gets_few_words() -> None:
    fact, steps = (shape_of(kinds) for kinds in ({"number": 1.0}, {"how_to": 1.0, "number": 1.0}))
    assert fact.words < 80 < steps.words


def test_what_nothing_is_asked_more_clearly_than_gives_the_shape() -> None:
    assert shape_of({"list": 0.6}) is shape_of({"list": 1.0})
    assert shape_of({"list": 0.6, "number": 0.65}) is shape_of({"number": 1.0})


def test_features_are_numbers_without_holes_and_say_where_the_words_of_the_question_stand() -> None:
    question = "how hot may the kiln be heated?"
    documents = documents_of(evidence(("kiln.md", 6, 0.8), ("glazes.md", 3, 0.4)))
    every = candidates_of(documents, Citations(Lines(dict(FILES))), CancelToken())
    names, matrix = lexical(asked_of(SubQuestion(semantic_intent=question), question), every, documents, None)
    assert matrix.shape == (len(every), len(names)) and len(set(names)) == len(names)
    assert matrix.min() >= 0.0 and matrix.max() <= 1.5
    heated = next(at for at, one in enumerate(every) if "1,240" in one.unit.text)
    bought = next(at for at, one in enumerate(every) if "Bergen" in one.unit.text)
    cov, slot = names.index("cov"), names.index("number:slot")
    assert matrix[heated, cov] > matrix[bought, cov] and matrix[heated, slot] == 1.0


@pytest.mark.parametrize("weight", [-4.0, 0.5, 4.0])
def test_the_shortlist_is_that_of_the_first_model_over_all_features(
    weight: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "how hot may the kiln be heated?"
    asked = asked_of(SubQuestion(semantic_intent=question), question)
    documents = documents_of(evidence(("kiln.md", 6, 0.8), ("glazes.md", 3, 0.4)))
    every = candidates_of(documents, Citations(Lines(dict(FILES))), CancelToken())
    model = {"intercept": 0.0, "cov": 1.0, "cov:below": 0.5, "has_number": weight, "number:slot_cov": weight}
    columns = plain(asked, every, documents, None)
    wanted = np.argsort(
        -scorer.applied(model, *beside_best(*lexical(asked, every, documents, None))), kind="stable"
    ).tolist()
    assert scorer.shortlist(model, asked, every, columns).tolist() == wanted
    monkeypatch.setattr(scorer, "SEARCHED", 2)
    without = model | {"has_number": 0.0, "number:slot_cov": 0.0}
    best = scorer.shortlist(without, asked, every, columns).tolist()
    assert set(scorer.shortlist(model, asked, every, columns).tolist()) == set(best) and len(best) == 2


def test_without_a_passage_nothing_is_answered() -> None:
    selection = chosen("how hot may the kiln be heated?")
    assert (selection.verdict, selection.runs) == ("none", ())


PLAIN = {"stated": {"intercept": 1.0, "unreached": -2.0}, "thresholds": {"stated": 0.3}}


@pytest.mark.parametrize(
    ("is_about", "unreached", "said"),
    [(True, 0.0, "answered"), (True, 1.0, "near"), (False, 0.0, "none"), (False, 1.0, "none")],
)
def test_what_is_about_something_else_is_not_found_and_what_is_not_stated_is_near(
    is_about: bool, unreached: float, said: str
) -> None:
    scorer.use_weights(PLAIN)
    try:
        assert knowing.verdict({"unreached": unreached}, is_about=is_about) == said
    finally:
        scorer.use_weights(None)


@pytest.mark.parametrize(
    ("question", "reached"),
    [
        ("how hot may the kiln be heated?", True),
        ("how much does the kiln cost?", False),
        ("why is the kiln in the yard?", True),
        # Its page has a number and a date, of something else.
        ("how much does the kiln weigh?", False),
        ("when was the kiln insured?", False),
        # Asked in another form of the word.
        ("how much heat may the kiln take?", True),
    ],
)
def test_a_value_that_is_asked_for_has_to_stand_in_a_sentence_about_it(question: str, reached: bool) -> None:
    documents = documents_of(evidence(("kiln.md", 6, 0.8)))
    every = candidates_of(documents, Citations(Lines(dict(FILES))), CancelToken())
    asked = asked_of(SubQuestion(semantic_intent=question), question)
    best = scorer.scored(asked, every, documents, None, lambda: None)
    assert (knowing.signs(asked, best, documents, None)["unreached"] < 1.0) is reached


@pytest.mark.parametrize(
    ("question", "named"), [("why is the kiln in the yard?", True), ("why is the kiln insured in the yard?", False)]
)
def test_a_word_that_none_of_the_first_sentences_says_counts_against_an_answer(question: str, named: bool) -> None:
    documents = documents_of(evidence(("kiln.md", 6, 0.8)))
    every = candidates_of(documents, Citations(Lines(dict(FILES))), CancelToken())
    asked = asked_of(SubQuestion(semantic_intent=question), question)
    found = knowing.signs(asked, scorer.scored(asked, every, documents, None, lambda: None), documents, None)
    assert (found["unnamed"] == 0.0) is named
    assert found["unreached"] == 0.0


def test_signs_are_those_that_the_models_are_fitted_on() -> None:
    weights = scorer.weights()
    assert weights["stated"].keys() - {"intercept"} <= {*knowing.STATED, *knowing.MISSING}


@pytest.mark.parametrize("model", ["first", "second", "stated", "thresholds"])
def test_weights_are_kept_for_every_model(model: str) -> None:
    table = scorer.weights()[model]
    assert all(isinstance(value, float | int) for value in table.values())
    assert model == "thresholds" or "intercept" in table


def test_trees_move_the_log_odds_of_a_candidate_half_of_the_way() -> None:
    grown = Trees(
        names=("cov",),
        roots=np.array([0], np.int32),
        feature=np.array([0, LEAF, LEAF], np.int16),
        threshold=np.array([0.5, 0, 0], np.float32),
        left=np.array([1, 0, 0], np.int32),
        right=np.array([2, 0, 0], np.int32),
        value=np.array([0, -2, 2], np.float32),
    )
    chances = np.array([0.5, 0.5], np.float32)
    seen = np.array([[7.0, 0.2], [7.0, 0.9]], np.float32)
    assert scorer.beside_trees(chances, grown, ["other", "cov"], seen).tolist() == pytest.approx(
        [0.2689, 0.7311], abs=1e-3
    )
    assert scorer.beside_trees(chances, None, ["other", "cov"], seen) is chances


def test_trees_are_grown_on_features_that_candidates_have() -> None:
    documents = documents_of(evidence(("kiln.md", 6, 0.8)))
    every = candidates_of(documents, Citations(Lines(dict(FILES))), CancelToken())
    question = "how hot may the kiln be heated?"
    best = scorer.scored(
        asked_of(SubQuestion(semantic_intent=question), question), every, documents, None, lambda: None
    )
    grown = scorer.trees()
    assert grown is not None
    assert set(grown.names) <= best.features.keys()


def test_other_weights_can_be_used_and_taken_back() -> None:
    fitted = scorer.weights()
    other = {"first": {"intercept": 0.0}}
    scorer.use_weights(other)
    try:
        assert scorer.weights() is other
    finally:
        scorer.use_weights(None)
    assert scorer.weights() == fitted


def test_signs_and_sections_are_told_by_their_words() -> None:
    signs = dict(zip(SIGNS, signs_of("It fires at 1,240 °C because the clay needs it."), strict=True))
    assert signs["amount"] and signs["reason"] and not signs["date"]
    sections = dict(zip(SECTIONS, section_kinds("Rejected Ideas"), strict=True))
    assert sections["reason"] and not sections["opening"]


def test_sentences_that_share_nearly_all_words_say_the_same() -> None:
    assert near_duplicate("The kiln fires clay in the yard.", "In the yard the kiln fires clay.")
    assert not near_duplicate("The kiln fires clay.", "The kiln is sold.")
