"""Runs in which the model calls tools until it has enough, over the real program and a scripted server."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kbtui.agent.loop.drafting import unwrapped
from kbtui.domain.events import (
    AnswerDelta,
    Event,
    EvidenceGraded,
    PlanCreated,
    QueryRouted,
    RequestClassified,
    ToolFinished,
    ToolStarted,
    Warned,
)
from kbtui.errors import Cancelled
from kbtui.settings.model import AgentSettings
from tests.llm.running import (
    ANSWER,
    GUARD_S,
    HASTY_S,
    KEY,
    Run,
    ask,
    assert_cited,
    assert_kept_secret,
    engine_of,
    warmed,
)
from tests.support.looping_model import Looper, calls, id_of, saying
from tests.support.model_request import Reply, Request
from tests.support.model_server import ModelServer
from tests.support.perfect_model import OPENING

PROVIDERS = ("openai", "ollama", "anthropic", "google_genai")
EACH = pytest.mark.parametrize("provider", PROVIDERS)
RULE = "Roll back when the error rate stays above two percent for five minutes"
SAYS = saying(RULE, "above two percent")


def loop(folder: Path, server: ModelServer, provider: str = "openai", **more: Any) -> Any:
    return engine_of(folder, server, provider, **{"mode": "loop", **more})


def tools_of(run: Run) -> list[str]:
    return [event.tool for event in run.of(ToolStarted)]


def assert_offline(run: Run, folder: Path, why: str) -> None:
    """The offline answer, and one warning that says why."""
    assert run.failure is None
    assert_cited(run.answer, folder)
    assert ANSWER in run.answer.markdown
    assert len(run.warnings) == 1, run.warnings
    assert why in run.warnings[0]
    assert "offline" in run.warnings[0]


# What it costs and what is shown.


@EACH
def test_an_easy_question_costs_one_call(provider: str, folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(SAYS)
    run = ask(loop(folder, server, provider))
    assert server.stages == ["loop"]
    assert run.completed.llm_calls == 1
    assert RULE in run.answer.markdown
    assert run.answer.outcome == "answered"
    assert run.answer.citations[0].path == "runbooks/rollback.md"
    assert_cited(run.answer, folder)
    assert not run.warnings


@EACH
def test_a_usual_question_costs_two_and_tools_run_side_by_side(
    provider: str, folder: Path, server: ModelServer
) -> None:
    look = calls(("grep", {"pattern": "MAX_RETRIES"}), ("read", {"path": "adr/0002-migrations.md"}), before="A look.")
    server.behaviour = Looper(look, saying("The limit is MAX_RETRIES = 5", "MAX_RETRIES = 5"))
    run = ask(loop(folder, server, provider), "What is the limit of attempts, and what was decided on migrations?")
    assert run.completed.llm_calls == 2
    assert {"grep", "read"} < set(tools_of(run))
    assert run.answer.citations[0].path == "config.py"
    assert "A migration runs with the deploy" in server.chats[1].said
    assert "A look." not in "".join(event.text for event in run.of(AnswerDelta))


def test_every_stage_has_something_to_show(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(calls(("grep", {"pattern": "error rate"})), SAYS)
    run = ask(loop(folder, server))
    assert len(run.of(RequestClassified)) == 1
    (routed,) = run.of(QueryRouted)
    assert (routed.reasoner, routed.routing_plan.query_type) == ("llm", "conceptual")
    planned = [step.tool for event in run.of(PlanCreated) for step in event.steps]
    assert planned == tools_of(run) == ["hybrid_search", "grep"]
    assert [event.tool for event in run.of(ToolFinished)] == planned
    last = run.of(EvidenceGraded)[-1]
    assert last.action == "GENERATE"
    used = {item.path for item in last.items if item.signals["used"]}
    assert used == {"runbooks/rollback.md"}
    assert all(item.kept for item in last.items if item.signals["used"])
    assert any(not item.signals["used"] for item in last.items)


def test_finishing_by_a_call_is_an_answer(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(
        lambda request: calls(("finish", {"answer": f"{RULE} [{id_of(request, 'above two percent')}]."}))
    )
    run = ask(loop(folder, server))
    assert RULE in run.answer.markdown
    assert_cited(run.answer, folder)
    assert len(server.chats) == 1
    assert RULE in "".join(event.text for event in run.of(AnswerDelta))


def test_the_answer_is_shown_as_it_comes_and_its_ids_as_numbers(folder: Path, server: ModelServer) -> None:
    long = "It is written in the handbook, in plain words that everybody may read, what is to be done and when. " * 2
    server.behaviour = Looper(lambda request: Reply(content=f"{long}{SAYS(request).content}", piece_chars=7))
    run = ask(loop(folder, server, loop_calls=1))
    deltas = [event.text for event in run.of(AnswerDelta)]
    assert len(deltas) > 5
    assert "[p" not in "".join(deltas)
    assert RULE in "".join(deltas)


def test_where_nothing_answers_that_is_said(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(calls(("search", {"query": "tungsten"})), "NOT_FOUND")
    run = ask(loop(folder, server), "What is the boiling point of tungsten?")
    assert run.answer.outcome == "not_found"
    assert "NOT_FOUND" not in run.answer.markdown + "".join(event.text for event in run.of(AnswerDelta))


@pytest.mark.parametrize(
    "wrapping",
    [
        lambda answer: json.dumps({"answer": answer}),
        lambda answer: f"```json\n{json.dumps({'answer': answer, 'confidence': 0.9})}\n```",
        lambda answer: f"```markdown\n{answer}\n```",
        lambda answer: f"NOT_FOUND\n\nHowever, {answer}",
    ],
)
def test_what_is_put_around_an_answer_is_taken_off(
    wrapping: Callable[[str], str], folder: Path, server: ModelServer
) -> None:
    server.behaviour = Looper(
        lambda request: Reply(content=wrapping(f"{RULE} [{id_of(request, 'above two percent')}]."))
    )
    run = ask(loop(folder, server))
    shown = "".join(event.text for event in run.of(AnswerDelta))
    for text in (run.answer.markdown, shown):
        assert RULE in text
        assert not any(sign in text for sign in ("{", "```", "NOT_FOUND"))
    assert run.answer.outcome == "answered"
    assert_cited(run.answer, folder)
    assert not run.warnings


def test_an_answer_that_is_code_stays_a_block_of_code() -> None:
    for text in ("```sql\nSELECT 1\n```", '{"retries": 5}', "```toml\nretries = 5\n```\nThat is all [p1]."):
        assert unwrapped(text) == text


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("I could not find the answer in the given documents.", "not_found"),
        (f"{RULE} [{{id}}]. I could not find who decided that.", "partial"),
        (f"{RULE} [{{id}}].", "answered"),
    ],
)
def test_what_was_not_found_is_told_by_the_outcome(said: str, outcome: str, folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(lambda request: Reply(content=said.format(id=id_of(request, "above two percent"))))
    assert ask(loop(folder, server)).answer.outcome == outcome


def test_a_chinese_question_is_answered_in_the_loop(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(saying("值班每周三上午十点交接", "每周三上午十点"))
    run = ask(loop(folder, server), "值班什么时候交接？")
    assert run.answer.citations[0].path == "中文/值班.md"


def test_what_it_was_given_says_what_there_is_and_today(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(SAYS)
    ask(loop(folder, server))
    said = server.chats[0].said
    assert "Today is 20" in said
    assert "Folder 'handbook': 6 files." in said
    assert str(folder) not in said


# Claims.


INVENTED = "The head of engineering must sign the rollback form in triplicate"


def test_what_lacks_support_goes_back_once_and_is_mended(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(lambda request: Reply(content=f"{SAYS(request).content} {INVENTED} [p1]."), SAYS)
    run = ask(loop(folder, server))
    assert run.completed.llm_calls == 2
    assert INVENTED in server.chats[1].said
    assert "lack support" in server.chats[1].said
    assert INVENTED not in run.answer.markdown
    assert not run.answer.unsupported


def test_what_is_said_again_is_marked_and_not_sent_back_again(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(lambda request: Reply(content=f"{SAYS(request).content} {INVENTED} [p1]."))
    run = ask(loop(folder, server))
    assert run.completed.llm_calls == 2
    assert run.answer.outcome == "partial"
    assert any(INVENTED in sentence for sentence in run.answer.unsupported)
    assert "[?]" in run.answer.markdown


def test_a_model_that_keeps_inventing_is_marked_wherever_it_leaves_the_words_of_its_lines(
    folder: Path, server: ModelServer
) -> None:
    server.behaviour = Looper(lambda request: Reply(content=f"{SAYS(request).content} {INVENTED} [p1]."))
    runs = [ask(loop(folder, server)) for _ in range(3)]
    assert [any("often lack support" in message for message in run.warnings) for run in runs] == [False, True, True]
    server.behaviour = Looper(saying(f"{RULE}, unless the approver of the rollback is away", "above two percent"))
    assert any("unless" in sentence for sentence in ask(loop(folder, server)).answer.unsupported)


def test_an_answer_without_any_support_is_written_offline(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(f"{INVENTED}.")
    assert_offline(ask(loop(folder, server)), folder, "wrote nothing that a passage supports")


# Conversation.


def test_a_wish_about_the_last_answer_needs_no_search(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(
        SAYS, lambda request: Reply(content=f"Above two percent, five minutes [{_last(request)}].")
    )
    engine = loop(folder, server)
    ask(engine)
    run = ask(engine, "shorter please")
    assert tools_of(run) == []
    assert RULE in server.chats[1].said
    assert run.answer.citations[0].path == "runbooks/rollback.md"
    assert_cited(run.answer, folder)


def _last(request: Request) -> str:
    """The id in the last answer as the model is shown it."""
    return request.said.partition("Answered:")[2].partition("[")[2].partition("]")[0]


def test_a_follow_up_is_searched_for_as_it_was_meant(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(SAYS, SAYS)
    engine = loop(folder, server)
    ask(engine)
    run = ask(engine, "and what is announced before that?")
    assert "hybrid_search" in tools_of(run)
    assert "Conversation so far" in server.chats[1].said


# Which mode.


def test_a_model_is_asked_once_whether_it_calls_tools(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(SAYS)
    run = ask(loop(folder, server, mode="auto"))
    assert server.stages == ["probe", "loop"]
    assert run.completed.llm_calls == 2
    ask(loop(folder, server, mode="auto"))
    assert server.stages == ["probe", "loop", "loop"]


@pytest.mark.parametrize("refuses", [False, True])
def test_a_model_that_calls_no_tool_gets_the_pipeline(refuses: bool, folder: Path, server: ModelServer) -> None:
    looper = Looper(calls_tools=False)
    server.behaviour = lambda request: (
        Reply(status=400, content="tools are not supported")
        if refuses and request.stage == "probe"
        else looper(request)
    )
    run = ask(loop(folder, server, mode="auto"))
    assert OPENING in run.answer.markdown
    assert server.stages[-3:] == ["route", "grade", "write"]
    probes = server.stages.count("probe")
    assert ask(loop(folder, server, mode="auto")).answer.markdown == run.answer.markdown
    assert server.stages.count("probe") == probes


def test_a_probe_that_fails_for_another_reason_is_no_answer(folder: Path, server: ModelServer) -> None:
    server.behaviour = lambda _request: Reply(status=401, content="no")
    run = ask(loop(folder, server, mode="auto"))
    assert_offline(run, folder, "refused the key")
    assert len(server.chats) == 1
    server.behaviour = Looper(SAYS)
    assert RULE in ask(loop(folder, server, mode="auto")).answer.markdown


def test_small_talk_probes_nobody(folder: Path, server: ModelServer) -> None:
    assert ask(loop(folder, server, mode="auto"), "hello!").answer.markdown
    assert not server.chats


def test_the_linear_graph_is_forced_as_before(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(SAYS)
    run = ask(loop(folder, server, agent=AgentSettings(use_adaptive_rag=False)))
    assert "loop" not in server.stages
    assert set(tools_of(run)) == {"grep_search", "vector_search"}


# Misbehaviours.


def test_a_model_that_never_stops_calling_is_told_to_end(folder: Path, server: ModelServer) -> None:
    def restless(request: Request) -> Reply:
        if not request.body.get("tools"):
            return SAYS(request)
        return calls(("grep", {"pattern": f"deploy|nothing{request.number}"}))

    server.behaviour = Looper(restless)
    run = ask(loop(folder, server, loop_calls=4))
    assert run.completed.llm_calls == 4
    assert "No further tool can be called" in server.chats[-1].said
    assert RULE in run.answer.markdown


def test_one_that_calls_even_then_is_answered_for_offline(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(lambda request: calls(("grep", {"pattern": f"deploy|x{request.number}"})))
    run = ask(loop(folder, server, loop_calls=3))
    assert_offline(run, folder, "asked for tools to the end")
    assert len(server.chats) == 3


def test_the_same_call_is_made_once_and_ends_soon(folder: Path, server: ModelServer) -> None:
    def stubborn(request: Request) -> Reply:
        return calls(("grep", {"pattern": "deploy"})) if request.body.get("tools") else SAYS(request)

    server.behaviour = Looper(stubborn)
    run = ask(loop(folder, server))
    assert tools_of(run).count("grep") == 1
    assert "The same call as before" in server.chats[2].said
    assert len(server.chats) == 4
    assert RULE in run.answer.markdown


def test_unknown_tools_and_wrong_arguments_are_told(folder: Path, server: ModelServer) -> None:
    wrong = Reply(
        calls=(
            ("delete_everything", "{}"),
            ("read", '{"file": "x"}'),
            ("read", '{"path": "adr/0002-migrations.md", "start": "soon"}'),
            ("grep", "no json at all"),
            ("read", '{"path": "../../etc/passwd"}'),
            ("grep_search", '{"keywords": "deploy"}'),
        )
    )
    server.behaviour = Looper(wrong, SAYS)
    run = ask(loop(folder, server))
    said = server.chats[1].said
    assert "There is no tool 'delete_everything'" in said
    assert "path: Field required" in said
    assert "start: Input should be a valid integer" in said
    assert "no JSON object" in said
    assert "There is no tool 'grep_search'" in said
    assert "read failed" in said
    assert "root:" not in said
    assert tools_of(run) == ["hybrid_search", "read"]
    assert RULE in run.answer.markdown
    assert not run.warnings
    assert not [event for event in run.of(Warned) if event.where == "tool_exec"]


def test_two_hundred_calls_at_once_are_eight(folder: Path, server: ModelServer) -> None:
    many = Reply(calls=tuple(("grep", json.dumps({"pattern": f"deploy|{n}"})) for n in range(200)))
    server.behaviour = Looper(many, SAYS)
    run = ask(loop(folder, server))
    assert tools_of(run).count("grep") == 8
    assert "192 further calls were not made" in server.chats[1].said
    assert RULE in run.answer.markdown


@pytest.mark.parametrize(
    "written",
    [
        '<tool_call>{"name": "grep", "arguments": {"pattern": "MAX_RETRIES"}}</tool_call>',
        '```json\n{"tool": "grep", "parameters": {"pattern": "MAX_RETRIES"}}\n```',
        '[TOOL_CALLS][{"name": "grep", "arguments": {"pattern": "MAX_RETRIES"}}]',
        '<function=grep>{"pattern": "MAX_RETRIES"}</function>',
        'grep(pattern="MAX_RETRIES")',
        '<think>I will look.</think>{"name": "grep", "arguments": "{\\"pattern\\": \\"MAX_RETRIES\\"}"}',
    ],
)
def test_calls_written_as_text_are_calls(written: str, folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(written, SAYS)
    run = ask(loop(folder, server))
    assert tools_of(run) == ["hybrid_search", "grep"]
    assert "MAX_RETRIES = 5" in server.chats[1].said
    assert "MAX_RETRIES" not in "".join(event.text for event in run.of(AnswerDelta))
    assert RULE in run.answer.markdown


def test_an_answer_that_is_cut_off_is_used_and_told(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(lambda request: Reply(content=SAYS(request).content, finish_reason="length"))
    run = ask(loop(folder, server))
    assert RULE in run.answer.markdown
    assert run.answer.outcome == "partial"
    assert any("cut off" in warning for warning in run.warnings)
    assert len(server.chats) == 1


def test_arguments_that_are_cut_off_are_asked_for_again(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(Reply(calls=(("grep", "["),), finish_reason="length"), SAYS)
    run = ask(loop(folder, server))
    assert "were cut off" in server.chats[1].said
    assert RULE in run.answer.markdown


@pytest.mark.parametrize("empty", [Reply(), Reply(content="   \n"), Reply(content="<think>Hm.</think>")])
def test_a_reply_of_nothing_is_asked_for_again_once(empty: Reply, folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(empty, SAYS)
    run = ask(loop(folder, server))
    assert RULE in run.answer.markdown
    assert len(server.chats) == 2
    server.behaviour = Looper(empty)
    server.requests.clear()
    assert_offline(ask(loop(folder, server)), folder, "gave an empty answer")
    assert len(server.chats) == 2


def test_a_refusal_is_answered_for_offline(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(Reply(content="I cannot help with that.", finish_reason="content_filter"))
    assert_offline(ask(loop(folder, server)), folder, "declined")


@EACH
def test_a_server_that_is_not_there_costs_one_warning(provider: str, folder: Path, server: ModelServer) -> None:
    server.kill()
    assert_offline(ask(loop(folder, server, provider)), folder, "cannot be reached")


@pytest.mark.parametrize(("status", "said"), [(401, "refused the key"), (404, "404"), (500, "500"), (529, "529")])
def test_a_server_that_fails_leaves_the_answer_to_the_rules(
    status: int, said: str, folder: Path, server: ModelServer
) -> None:
    server.behaviour = lambda _request: Reply(status=status, content="no")
    run = ask(loop(folder, server))
    assert_offline(run, folder, said)
    assert len(server.chats) <= 2


@EACH
def test_a_server_that_dies_between_two_calls_leaves_it_to_the_rules(
    provider: str, folder: Path, server: ModelServer
) -> None:
    server.behaviour = Looper(calls(("grep", {"pattern": "deploy"})), SAYS)

    def on_event(event: Event) -> None:
        if isinstance(event, ToolFinished) and event.tool == "grep":
            server.kill()

    run = ask(loop(folder, server, provider), on_event=on_event)
    assert_offline(run, folder, "cannot be reached" if provider != "google_genai" else "")


def test_one_that_stalls_is_hung_up_on(folder: Path, server: ModelServer) -> None:
    warmed(folder, "openai")
    server.behaviour = lambda _request: Reply(stall_after=0)
    run = ask(loop(folder, server, timeout_s=HASTY_S))
    assert_offline(run, folder, "did not answer")
    assert server.chats[0].over.wait(GUARD_S / 2)
    assert server.chats[0].hung_up


def test_a_second_answer_that_never_comes_leaves_the_first_with_marks(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(
        lambda request: Reply(content=f"{SAYS(request).content} {INVENTED} [p1]."), Reply(status=500, content="no")
    )
    run = ask(loop(folder, server))
    assert RULE in run.answer.markdown
    assert any(INVENTED in sentence for sentence in run.answer.unsupported)


def test_cancelling_hangs_up(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(Reply(stall_after=0))
    engine = loop(folder, server)
    run_id = ""

    def on_event(event: Event) -> None:
        nonlocal run_id
        run_id = event.run_id

    server.before = lambda _request: threading.Timer(0.1, lambda: engine.cancel(run_id)).start()
    run = ask(engine, on_event=on_event)
    assert isinstance(run.failure, Cancelled)
    assert server.chats[0].over.wait(GUARD_S / 2)
    assert server.chats[0].hung_up


def test_past_the_calls_of_a_run_it_is_told_to_end(folder: Path, server: ModelServer) -> None:
    server.behaviour = Looper(lambda r: SAYS(r) if not r.body.get("tools") else calls(("grep", {"pattern": "deploy"})))
    run = ask(loop(folder, server, max_calls=2))
    assert run.completed.llm_calls == 2
    assert RULE in run.answer.markdown


@pytest.mark.parametrize(
    "limits",
    [{"loop_tokens": 700}, {"max_run_tokens": 1000}, {"max_run_usd": 0.000001, "price_in": 0.001}],
)
def test_near_its_tokens_or_money_it_is_told_to_end(
    limits: dict[str, float], folder: Path, server: ModelServer
) -> None:
    server.behaviour = Looper(
        lambda r: SAYS(r) if not r.body.get("tools") else calls(("grep", {"pattern": f"deploy|{r.number}"}))
    )
    run = ask(loop(folder, server, **limits))
    assert run.completed.llm_calls == 2
    assert RULE in run.answer.markdown


def test_keys_are_kept_secret_in_the_loop(
    folder: Path, home: Path, indexed: tuple[Path, Path], server: ModelServer
) -> None:
    def tells(request: Request) -> Reply:
        if request.number == 1:
            return calls(("grep", {"pattern": KEY}), before=KEY)
        return Reply(content=f"{SAYS(request).content} The key is {KEY} [p1].")

    server.behaviour = Looper(tells)
    run = ask(loop(folder, server))
    assert_kept_secret(KEY, run, home, indexed[1])
