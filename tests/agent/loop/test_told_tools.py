"""What the tools bring from a folder that is really indexed, as a chat model is told it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

import pytest

from kbtui.agent.loop.act import RESULT_TOKENS, act
from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.loop.state import LoopContext, LoopState
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import SubQuestion
from kbtui.domain.tooling import ToolOutput
from kbtui.knowledge.base import KnowledgeBase
from kbtui.reasoning.llm.context import estimate_tokens
from kbtui.reasoning.llm.conversation import Conversation, Message
from kbtui.reasoning.llm.reply import ModelCall
from kbtui.settings.model import ModelSettings, Settings
from kbtui.tools import ToolContext, load_spec, loop_specs, run_spec

PROSE = [f"Line {number}: a module is kept where its users cannot install another one." for number in range(1, 400)]
RULES = ["=" * 79, "x = [(1, 2), (3, 4)]  # {a: b}, {c: d}", ""] * 60
CHINESE = [f"第{number}条：模块只有在用户无法另行安装替代品时才会保留在标准库中。" for number in range(1, 200)]
PAGES = {"prose.txt": PROSE, "rules.txt": RULES, "chinese.txt": CHINESE}
NOTES = {
    f"notes/{number:03}.md": (
        f"---\ntitle: Note {number}\nstatus: {'open' if number % 3 else 'closed'}\ntopic: {topic}\n---\n\nText.\n"
    )
    for number in range(1, 61)
    for topic in (("计费与退款的规则说明" * 8) if number % 2 else "deliveries to lockers",)
}


class Grader:
    def grade(self, _question: SubQuestion, hits: list[Hit]) -> list[float]:
        return [0.5] * len(hits)


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    root = tmp_path_factory.mktemp("told") / "library"
    root.mkdir()
    for name, text in ({name: "\n".join(lines) for name, lines in PAGES.items()} | NOTES).items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        opened = KnowledgeBase(root, Settings())
        opened.ensure_fresh(lambda _event: None, CancelToken())
        opened.index.files()
    return opened


@pytest.fixture
def told(knowledge: KnowledgeBase) -> Callable[..., str]:
    """What a model is told of one call, in a run of its own."""
    tools = ToolContext(knowledge=knowledge, settings=Settings())

    def call_tool(name: str, args: Mapping[str, Any]) -> ToolOutput:
        return run_spec(load_spec(name), tools, args)

    def tell(name: str, **args: Any) -> str:
        context = LoopContext(
            client=cast(Any, None),
            router=cast(Any, None),
            grader=cast(Any, Grader()),
            writer=cast(Any, None),
            tools=loop_specs(Settings()),
            call_tool=call_tool,
            emit=lambda _event: None,
            cancel=CancelToken(),
            settings=ModelSettings(),
            checker=cast(Any, None),
            source=knowledge.source,
            nonce="9f3c21aa70be",
        )
        state: LoopState = {
            "query": "what?",
            "shelf": Shelf(nonce="9f3c21aa70be"),
            "talk": Conversation(stage="loop", rules="", turns=(Message(speaker="user", text="go"),)),
            "question": SubQuestion(semantic_intent="what?"),
            "calls": (ModelCall(call_id="k1", tool=name, args=args),),
            "round": 1,
            "made": 0,
            "tried": {},
            "repeats": 0,
            "evidence": (),
        }
        return act(state, context)["talk"].turns[-1].text

    return tell


@pytest.mark.parametrize("name", ["prose.txt", "rules.txt", "chinese.txt"])
def test_reading_on_as_the_note_says_gives_every_line_of_a_file(told: Callable[..., str], name: str) -> None:
    given: list[str] = []
    start = 1
    for _call in range(30):
        text = told("read", path=name, start=start)
        assert estimate_tokens(text) < RESULT_TOKENS + 200
        block = re.search(r'<passage [^>]*lines="(\d+)-(\d+)"[^>]*>\n(.*?)\n</passage', text, re.DOTALL)
        assert block is not None
        first, last, lines = int(block[1]), int(block[2]), block[3].split("\n")
        assert (first, last - first + 1) == (start, len(lines))
        assert f"(lines {first} to {last} of {len(PAGES[name])}" in text
        given += lines
        following = re.search(rf"more: read\('{name}', start=(\d+)\)", text)
        if following is None:
            break
        assert int(following[1]) == last + 1
        start = last + 1
    assert given == PAGES[name]


def test_a_call_of_read_gives_as_many_lines_as_there_is_room_for(told: Callable[..., str]) -> None:
    assert 'lines="100-183"' in told("read", path="prose.txt", start=100, end=215)
    assert 'lines="100-140"' in told("read", path="prose.txt", start=100, end=140)


@pytest.mark.parametrize("where", [{}, {"status": "open"}, {"status": "open", "topic": "*"}])
def test_listing_on_as_the_note_says_gives_every_document(told: Callable[..., str], where: dict[str, str]) -> None:
    given: list[str] = []
    for _call in range(30):
        text = told("list_documents", kind="note", where=where, limit=40, offset=len(given), show=["topic"])
        assert estimate_tokens(text) < RESULT_TOKENS + 200
        assert "no room" not in text
        given += dict.fromkeys(re.findall(r"(notes/\d+\.md):", text))
        if f"more: offset={len(given)})" not in text:
            break
    assert given == [name for name, page in NOTES.items() if not where or "open" in page]
