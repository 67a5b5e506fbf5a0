from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbtui.domain import events as ev
from kbtui.view.folding import reduce_all
from kbtui.view.player import MAX_SPEED, SPEEDS, Player
from kbtui.view.timeline import LONGEST_PAUSE_S, SHORTEST_PAUSE_S
from kbtui.view.view_state import EMPTY
from tests.sessions.runs import START, answered, cancelled, stamp


class Clock:
    """Seconds that pass only when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def long_run(run_id: str = "r9", deltas: int = 300) -> list[ev.Event]:
    """A streamed answer, long enough for several checkpoints."""
    facts: list[ev.Event] = [ev.RunStarted(query="long")]
    facts += [ev.AnswerDelta(text=f"{n} ") for n in range(deltas)]
    return stamp([*facts, ev.RunCompleted(duration_ms=1.0)], run_id)


SESSION = [*answered(), *cancelled(), *long_run()]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@settings(deadline=None)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("seek"), st.integers(-5, len(SESSION) + 5)),
            st.tuples(st.just("step"), st.integers(-80, 80)),
            st.tuples(st.sampled_from(["next_stage", "previous_stage", "toggle", "faster", "slower"]), st.none()),
            st.tuples(st.just("to_run"), st.integers(-1, 4)),
            st.tuples(st.just("wait"), st.floats(0, 3)),
        ),
        max_size=12,
    )
)
def test_wherever_it_goes_the_state_is_the_reduction_of_the_events_before(moves: list[tuple[str, float]]) -> None:
    clock = Clock()
    player = Player(SESSION, clock=clock)
    for name, argument in moves:
        if name == "wait":
            clock.now += argument
            player.advance()
        elif argument is None:
            getattr(player, name)()
        else:
            getattr(player, name)(argument)
        assert 0 <= player.position <= player.total
        assert player.state == reduce_all(player.events[: player.position])


def test_it_ends_in_the_state_the_live_run_ended_in(clock: Clock) -> None:
    live = reduce_all(answered())
    player = Player(answered(), clock=clock, speed=MAX_SPEED)
    player.play()
    player.advance()
    assert player.state == live
    assert not player.playing


def test_every_position_is_reached_by_stepping_forward_and_back() -> None:
    player = Player(answered())
    forward = []
    for _ in range(player.total):
        player.step(1)
        forward.append(player.state)
    for expected in reversed(forward):
        assert player.state == expected
        player.step(-1)
    assert player.state == EMPTY


def test_going_back_in_a_long_run_is_exact_from_any_checkpoint() -> None:
    player = Player(SESSION)
    for position in (player.total, 300, 200, 150, 280, 90, 22, 5):
        player.seek(position)
        assert player.state == reduce_all(player.events[:position])


def test_events_are_due_as_they_were_recorded(clock: Clock) -> None:
    events = stamp([ev.RunStarted(query="q"), ev.Warned(message="a"), ev.Warned(message="b")], step_s=1.0)
    player = Player(events, clock=clock)
    player.play()
    player.advance()
    seen = [player.position]
    for _ in range(4):
        clock.now += 0.5
        player.advance()
        seen.append(player.position)
    assert seen == [1, 1, 2, 2, 3]


@pytest.mark.parametrize("speed", [0.25, 2.0, 16.0])
def test_speed_divides_the_time(clock: Clock, speed: float) -> None:
    player = Player(stamp([ev.RunStarted(query="q"), ev.Warned(message="a")], step_s=2.0), clock=clock, speed=speed)
    player.play()
    player.advance()
    clock.now += 1.99 / speed
    player.advance()
    assert player.position == 1
    clock.now += 0.02 / speed
    player.advance()
    assert player.position == 2


def test_a_change_of_speed_keeps_the_place_in_time(clock: Clock) -> None:
    player = Player(stamp([ev.RunStarted(query="q"), ev.Warned(message="a")], step_s=2.0), clock=clock)
    player.play()
    clock.now += 1.0
    player.set_speed(2.0)
    assert player.wait_s == pytest.approx(0.5)


def test_speeds_stop_at_both_ends(clock: Clock) -> None:
    player = Player(answered(), clock=clock)
    seen = []
    for _ in SPEEDS:
        player.slower()
    for _ in range(len(SPEEDS) + 1):
        seen.append(player.speed)
        player.faster()
    assert seen == [*SPEEDS, MAX_SPEED]
    for _ in SPEEDS:
        player.slower()
    assert player.speed == SPEEDS[0]


def test_long_waits_are_cut_and_a_short_run_is_slow_enough_to_see(clock: Clock) -> None:
    slow = Player(stamp([ev.RunStarted(query="q"), ev.Warned(message="a")], step_s=3600.0), clock=clock)
    slow.play()
    slow.advance()
    assert slow.wait_s == pytest.approx(LONGEST_PAUSE_S)
    fast = Player(stamp([ev.RunStarted(query="q"), ev.Warned(message="a")], step_s=0.0001), clock=clock)
    fast.play()
    fast.advance()
    assert fast.wait_s == pytest.approx(SHORTEST_PAUSE_S)


def test_a_pause_between_two_questions_is_not_waited_out(clock: Clock) -> None:
    player = Player([*answered(), *cancelled(start=START + timedelta(days=2))], clock=clock)
    player.seek(player.runs[0].stop)
    player.play()
    assert player.wait_s == pytest.approx(LONGEST_PAUSE_S)
    assert player.run_length_s < 10


def test_a_clock_that_was_set_back_does_not_stop_the_replay(clock: Clock) -> None:
    first, second, third = stamp([ev.RunStarted(query="q"), ev.Warned(message="a"), ev.Warned(message="b")])
    odd = ev.stamped(second, run_id="r1", seq=1, at=(START - timedelta(hours=1)).isoformat())
    player = Player([first, odd, third], clock=clock)
    player.play()
    clock.now += 10
    player.advance()
    assert player.at_end
    assert list(player.recorded_s) == sorted(player.recorded_s)


def test_play_at_the_end_begins_again_and_stops_at_the_end(clock: Clock) -> None:
    player = Player(answered(), clock=clock)
    player.seek(player.total)
    player.play()
    assert (player.position, player.playing) == (0, True)
    clock.now += 3600
    assert player.advance()
    assert (player.at_end, player.playing, player.wait_s) == (True, False, None)
    assert not player.advance()


def test_stages_are_jumped_to_in_the_order_they_came() -> None:
    player = Player(answered())
    kinds = []
    while not player.at_end:
        player.next_stage()
        kinds.append(player.events[player.position - 1].kind)
    assert kinds == [
        "run_started",
        "request_classified",
        "query_routed",
        "plan_created",
        "tool_started",
        "evidence_graded",
        "plan_created",
        "tool_started",
        "evidence_graded",
        "answer_delta",
        "run_completed",
    ]
    back = []
    while player.position:
        player.previous_stage()
        back.append(player.events[player.position - 1].kind if player.position else "")
    assert back == ["", *kinds[:-1]][::-1]


def test_runs_are_switched_to_at_their_question() -> None:
    player = Player([*answered(), *cancelled()])
    assert [player.events[span.start].query for span in player.runs] == ["how are deploys rolled back?", "stop me"]
    player.to_run(1)
    assert (player.run, player.state.query, player.state.events) == (1, "stop me", 1)
    player.to_run(-3)
    assert (player.run, player.state.events) == (0, 1)


def test_runs_written_side_by_side_are_played_one_after_the_other() -> None:
    one, two = answered(), cancelled()
    player = Player([one[0], two[0], one[1], two[1], two[2], *one[2:]])
    assert player.events == (*one, *two)


def test_nothing_to_play_is_no_error(clock: Clock) -> None:
    player = Player([], clock=clock)
    player.play()
    player.advance()
    player.next_stage()
    player.to_run(3)
    assert (player.state, player.run, player.run_length_s, player.elapsed_s) == (EMPTY, 0, 0.0, 0.0)


def test_a_speed_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError):
        Player(answered()).set_speed(0)
