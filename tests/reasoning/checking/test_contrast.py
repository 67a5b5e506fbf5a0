"""What a sentence states beside what its lines state: the opposite, turned round, or beyond them."""

import pytest

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking import AnswerChecker, Source
from kbtui.reasoning.checking.contrast import beyond, contradiction
from kbtui.reasoning.checking.passages import Passage, passage
from kbtui.reasoning.checking.support import claim_of
from kbtui.reasoning.citing import Citations

LINES = """---
id: KN-12
title: Moving the kennel list
status: done
author: Ada Novak
sponsor: Rui Matos
created: 2022-03-04
---
# Moving the kennel list

The kennel list stays in the old register. Visitors may not enter the ward without a nurse.
The vet arrives before the feeding round. Two cats a week leave for new homes.
Gates close at six, as foxes were seen in the yard. Ferry tickets were replaced by yard passes.
Dogs bark more often than cats. The invoices are written by the office.
登记表由前台保存。体检前先通知主人。逾期费不退。
"""


def lines(text: str = LINES, path: str = "notes/kn-12.md") -> list[Passage]:
    hit = Hit(path=path, start_line=1, end_line=text.count("\n") + 1, text=text)
    return [passage(1, Citations(None).excerpt(hit), "", title="Moving the kennel list", label=path)]


def is_contradicted(text: str) -> bool:
    return bool(contradiction(claim_of(text, text), lines()))


def what_is_beyond(text: str) -> str:
    return beyond(claim_of(text, text), lines())


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The kennel list is kept in the old register.", "The kennel list is removed from the old register."),
        ("No visitor may enter the ward without a nurse.", "Visitors may enter the ward at any time."),
        ("The list is not taken out of the old register.", "The list no longer stays in the old register."),
        ("逾期费是不退的。", "逾期费可以退。"),
    ],
)
def test_a_denial_of_what_the_lines_say_is_seen_in_other_words_too(right: str, wrong: str) -> None:
    assert not is_contradicted(right)
    assert is_contradicted(wrong)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The feeding round starts after the vet arrives.", "The vet arrives after the feeding round."),
        ("Before the feeding round, the vet arrives.", "After the feeding round, the vet arrives."),
        ("Yard passes replaced ferry tickets.", "Ferry tickets replaced yard passes."),
        ("Cats bark less often than dogs.", "Cats bark more often than dogs."),
    ],
)
def test_two_sides_that_are_turned_round_are_seen(right: str, wrong: str) -> None:
    assert not is_contradicted(right)
    assert is_contradicted(wrong)


@pytest.mark.parametrize(
    ("supported", "further"),
    [
        ("Gates close at six because of foxes in the yard.", "Two cats leave because foxes were seen in the yard."),
        ("The invoices are written by the office.", "The invoices are written by the nurses."),
        ("Ada Novak wrote KN-12.", "Rui Matos wrote KN-12."),
        ("Rui Matos sponsored KN-12.", "Ada Novak repaired the gate."),
        ("Rui Matos is the sponsor of KN 12.", "Sponsor 12 was turned down by Rui Matos."),
    ],
)
def test_a_reason_an_agent_and_a_role_need_words_of_their_own(supported: str, further: str) -> None:
    assert what_is_beyond(supported) == ""
    assert what_is_beyond(further)


SERVICES = """[gate]
depends_on = ["queue"]

[kennel-list]
port = 8403
depends_on = ["feed-queue", "register"]
refund: a claim above 500 euro for a lost dog needs two names, within 24 hours
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("The kennel list depends on the feed queue.", "The kennel list depends only on the feed queue."),
        ("The gate depends only on the queue.", "The kennel list on port 8403 depends on the register alone."),
        ("A claim for a lost dog above 500 euro needs two names.", "A claim for a lost dog up to 500 euro is paid."),
        (
            "A refund claim needs two names in at most 24 hours.",
            "A refund claim needs two names in more than 24 hours.",
        ),
    ],
)
def test_only_of_several_and_a_bound_from_the_other_side_are_seen(right: str, wrong: str) -> None:
    passages = lines(SERVICES, "config/services.toml")
    assert not contradiction(claim_of(right, right), passages)
    assert contradiction(claim_of(wrong, wrong), passages)


def test_what_is_not_done_any_more_has_stopped() -> None:
    text = lines("The nightly round remains for the cats.\n")
    for said, is_wrong in (
        ("The nightly round does not run any more for the cats.", True),
        ("The nightly round goes on for the cats.", False),
    ):
        assert bool(contradiction(claim_of(said, said), text)) == is_wrong


def test_what_is_not_done_before_another_thing_is_done_after_it() -> None:
    text = lines("Do not open the gate a second time before the list has been compared with the register.\n")
    right = "Before the gate is opened a second time, the list has to be compared with the register."
    wrong = "Before the list is compared with the register, the gate is opened a second time."
    assert not contradiction(claim_of(right, right), text)
    assert contradiction(claim_of(wrong, wrong), text)


def test_a_condition_denies_nothing() -> None:
    text = "- A door that does not answer in five seconds is opened by hand.\n"
    said = "The door has five seconds to answer."
    assert not contradiction(claim_of(said, said), lines(text))


def test_a_status_of_another_thing_is_refuted_where_one_header_was_given() -> None:
    checked = AnswerChecker(lambda: None).check(
        "KN-12 was rejected [1].", [source(LINES)], Citations(None), CancelToken()
    )
    assert checked.doubts
    assert checked.doubts[0].is_refuted


def test_a_citation_lands_on_lines_that_state_something() -> None:
    citations = Citations(None)
    AnswerChecker(lambda: None).check(
        "Ada Novak is the author of KN-12 [1].", [source(LINES)], citations, CancelToken()
    )
    assert [LINES.split("\n")[each.start_line - 1] for each in citations.all] == ["author: Ada Novak"]


def source(text: str) -> Source:
    return Source(n=1, hit=Hit(path="notes/kn-12.md", start_line=1, end_line=text.count("\n") + 1, text=text))
