"""Calls of a model that answers, fails, refuses and hangs; over a real connection."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from kbtui.domain.events import Progress
from kbtui.errors import Cancelled, ModelError
from kbtui.reasoning.llm.client import CallFailed, ModelClient, reply_cache
from kbtui.reasoning.llm.conversation import question_to_model
from tests.reasoning.llm.conftest import Talk, Talks
from tests.support.model_request import Reply, Request

WRITE = question_to_model("write", "Say it.", "Say it.")
SCHEMA: dict[str, Any] = {
    "title": "Plan",
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "required": ["a"],
}


def said(text: str, **more: Any) -> Any:
    return lambda _request: Reply(content=text, **more)


def write(talk: Talk) -> tuple[str, list[str]]:
    pieces: list[str] = []
    reply = talk.client.write(WRITE, pieces.append, talk.client.deadline())
    return reply.text, pieces


def decide(talk: Talk) -> Any:
    return talk.client.decide(question_to_model("route", "Plan.", "Say it."), SCHEMA, talk.client.deadline())


def test_an_answer_comes_in_pieces_and_is_counted(talk: Talks) -> None:
    one = talk(said("It is done by a pin.", piece_chars=5), price_in=1.0, price_out=2.0)
    text, pieces = write(one)
    assert text == "It is done by a pin." == "".join(pieces)
    assert len(pieces) > 2
    used = one.client.usage
    assert (used.calls, used.tokens_in > 0, used.tokens_out > 0) == (1, True, True)
    assert used.cost_usd == pytest.approx((used.tokens_in + 2 * used.tokens_out) / 1e6)


def test_a_price_that_nobody_gave_is_not_known(talk: Talks) -> None:
    one = talk(said("Yes."))
    write(one)
    assert one.client.usage.cost_usd is None


def test_a_call_says_when_it_begins_and_when_it_ends(talk: Talks) -> None:
    one = talk(said("Yes."))
    write(one)
    told = [(event.stage, event.done, event.message) for event in one.events if isinstance(event, Progress)]
    assert told == [("llm", 0, "write: openai:scripted"), ("llm", 1, "write: openai:scripted")]


def test_prompt_and_raw_answer_are_audited(talk: Talks) -> None:
    one = talk(said("Yes."))
    write(one)
    (entry,) = one.audit
    assert entry["prompt"][0] == {"role": "system", "content": "Task: write\n\nSay it."}
    assert (entry["answer"], entry["model"], entry["stage"]) == ("Yes.", "openai:scripted", "write")


def test_a_server_that_cannot_stream_is_asked_for_the_whole(talk: Talks) -> None:
    def behaviour(request: Request) -> Reply:
        return Reply(content="no streaming", status=400) if request.streamed else Reply(content="Whole.")

    one = talk(behaviour)
    assert write(one)[0] == "Whole."
    assert write(one)[0] == "Whole."
    # What was learned is kept: the second answer cost one request.
    assert [chat.streamed for chat in one.server.chats] == [True, False, False]


@pytest.mark.parametrize(("refuses", "method"), [({"schema"}, "tools"), ({"schema", "tools"}, "text")])
def test_a_shape_is_asked_for_in_the_way_the_server_takes(talk: Talks, refuses: set[str], method: str) -> None:
    def behaviour(request: Request) -> Reply:
        if request.structured in refuses:
            return Reply(content="not supported", status=400)
        return Reply(content='{"a": 1}', as_tool_call=request.tool if request.structured == "tools" else None)

    one = talk(behaviour)
    reply = decide(one)
    assert (reply.data or reply.text) in ({"a": 1}, '{"a": 1}')
    decide(one)
    assert [chat.structured for chat in one.server.chats][-1] == method
    assert len(one.server.chats) == len(refuses) + 2


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_what_may_pass_is_tried_once_more(talk: Talks, status: int) -> None:
    def behaviour(request: Request) -> Reply:
        if request.number == 1:
            return Reply(content="busy", status=status, headers={"retry-after": "0"} if status == 429 else {})
        return Reply(content="Now.")

    one = talk(behaviour)
    assert write(one)[0] == "Now."
    assert one.client.usage.calls == 2


@pytest.mark.parametrize(
    ("status", "says"), [(401, "key"), (403, "may not use"), (404, "knows no"), (429, "limit"), (500, "failed")]
)
def test_a_failure_that_stays_is_said_once_and_not_met_again(talk: Talks, status: int, says: str) -> None:
    one = talk(said("no", status=status, headers={"retry-after": "3600"} if status == 429 else {}))
    with pytest.raises(CallFailed, match=says) as first:
        write(one)
    asked = len(one.server.chats)
    with pytest.raises(CallFailed) as second:
        write(one)
    assert len(one.server.chats) == asked
    assert (first.value.told, second.value.told) == (False, True)


def test_an_error_page_is_told_in_one_line_without_markup(talk: Talks) -> None:
    page = b"<html><body><h1>Bad gateway</h1>" + b"<p>x</p>" * 500 + b"</body></html>"
    one = talk(said("", status=502, raw=page, content_type="text/html"))
    with pytest.raises(CallFailed) as caught:
        write(one)
    message = caught.value.failure.message
    assert "502" in message
    assert "<" not in message
    assert len(message) < 300


def test_a_model_that_stalls_is_left_when_the_stage_is_over(talk: Talks) -> None:
    one = talk(said("Never.", stall_after=0), timeout_s=0.5)
    with pytest.raises(CallFailed, match=r"within 0\.5 s"):
        write(one)
    request = one.server.chats[0]
    assert request.over.wait(10)
    assert request.hung_up


def test_a_cancelled_run_closes_the_connection(talk: Talks) -> None:
    one = talk(said("word " * 200, between_s=0.05, piece_chars=5), timeout_s=60.0)
    pieces: list[str] = []

    def stop_after_two(piece: str) -> None:
        pieces.append(piece)
        if len(pieces) == 2:
            one.cancel.cancel()

    with pytest.raises(Cancelled):
        one.client.write(WRITE, stop_after_two, one.client.deadline())
    request = one.server.chats[0]
    assert request.over.wait(10)
    assert request.hung_up


def test_a_run_makes_no_more_calls_than_it_may(talk: Talks) -> None:
    one = talk(said("Yes."), max_calls=2)
    write(one)
    write(one)
    with pytest.raises(CallFailed, match="max_calls"):
        write(one)
    assert len(one.server.chats) == 2


def test_a_run_uses_no_more_tokens_than_it_may(talk: Talks) -> None:
    one = talk(said("Yes."), max_run_tokens=1)
    write(one)
    with pytest.raises(CallFailed, match="max_run_tokens"):
        write(one)


def test_an_answer_without_end_is_cut(talk: Talks) -> None:
    one = talk(said("x" * 1_000_000, piece_chars=4000))
    reply = one.client.write(WRITE, lambda _piece: None, one.client.deadline())
    assert reply.cut
    assert len(reply.text) == 60_000


def test_runs_side_by_side_do_not_wait_for_each_other(talk: Talks) -> None:
    slow = talk(
        lambda request: Reply(content="Late.", stall_after=0) if "slow" in request.said else Reply(content="Now.")
    )
    prompt = question_to_model("write", "", "slow")
    ended = threading.Event()

    def wait() -> None:
        with pytest.raises(Cancelled):
            slow.client.write(prompt, lambda _piece: None, slow.client.deadline())
        ended.set()

    threading.Thread(target=wait, daemon=True).start()
    other = ModelClient(
        slow.client.settings,
        slow.client._open,
        emit=lambda _e: None,
        cancel=type(slow.cancel)(),
        audit=lambda _e: None,
    )
    assert other.write(WRITE, lambda _piece: None, other.deadline()).text == "Now."
    slow.cancel.cancel()
    assert ended.wait(10)


def test_a_model_that_cannot_be_opened_is_a_failure_and_not_a_crash(talk: Talks) -> None:
    one = talk()

    def missing(_role: str) -> Any:
        raise ModelError("The package for openai is not installed.", "pip install 'kbtui[openai]'")

    one.client._open = missing
    with pytest.raises(CallFailed, match="not installed"):
        write(one)


def test_kept_answers_are_used_for_equal_prompts_only(talk: Talks, tmp_path: Any) -> None:
    one = talk(said("Kept."))
    one.client._cache = reply_cache(tmp_path / "answers")
    write(one)
    assert write(one) == ("Kept.", ["Kept."])
    assert len(one.server.chats) == 1
    other = question_to_model("write", "Say it.", "Say something else.")
    one.client.write(other, lambda _piece: None, one.client.deadline())
    assert len(one.server.chats) == 2


def test_a_cache_that_cannot_be_written_costs_nothing(talk: Talks, tmp_path: Any) -> None:
    (tmp_path / "answers").write_text("a file in its place")
    one = talk(said("Yes."))
    one.client._cache = reply_cache(tmp_path / "answers")
    assert write(one)[0] == "Yes."
