"""Answers of a model that says more than its sources: what is made up is marked and named, and gets no citation."""

from __future__ import annotations

from functools import cache

import pytest

from kbtui.demo import handbook_path
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.embedding import open_embedder
from kbtui.reasoning.checking import AnswerChecker, CheckedAnswer, Source
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.offline.grader import Encodes
from kbtui.settings.model import Settings

FILES = (
    "runbooks/rollback.md",
    "runbooks/on-call.md",
    "runbooks/README.md",
    "adr/0007-two-step-migrations.md",
    "tickets/HL-131.md",
    "中文/台北试点.md",
)
HONEST = "The on-call engineer may roll back any service without asking its team"


@cache
def embedder() -> Encodes:
    return open_embedder(Settings().embedding)


def checked(markdown: str) -> tuple[CheckedAnswer, Citations]:
    texts = [(path, (handbook_path() / path).read_text(encoding="utf-8")) for path in FILES]
    sources = [
        Source(n=n, hit=Hit(path=path, start_line=1, end_line=len(text.split("\n")), text=text))
        for n, (path, text) in enumerate(texts, start=1)
    ]
    citations = Citations(None)
    return AnswerChecker(embedder).check(markdown, sources, citations, CancelToken()), citations


INVENTED = (
    # Words that all stand in the sources, in no sentence of theirs.
    "The pager stays silent for an hour after a rollback.",
    "A renamed column pages the team that announced the deploy.",
    "Every migration is announced by the on-call engineer on Deploys.",
    # The opposite of what a source says.
    "The on-call engineer may not roll back any service without asking its team.",
    "The on-call engineer may no longer roll back any service without asking its team.",
    "台北试点不从 2025 年 11 月 3 日开始。",
    # Another number or name in a sentence of a source.
    "Watch the error rate for twenty minutes on the Deploys dashboard.",
    "Watch the error rate for ten minutes on the Frankfurt dashboard.",
    "台北试点从 2025 年 12 月 3 日开始，共 24 个柜机，分布在六个车站。",
    # The beginning of one, the end of another.
    "The on-call engineer may rename a column two deploys later.",
)


@pytest.mark.parametrize(
    "layout", ["- {honest} [1].\n\n{invented}", "{honest} [1]. {invented}", "{invented}\n\n{honest} [1]."]
)
@pytest.mark.parametrize("invented", INVENTED)
def test_what_is_made_up_gets_no_citation_and_is_named(invented: str, layout: str) -> None:
    answer, citations = checked(layout.format(honest=HONEST, invented=invented))
    assert answer.unsupported == (invented,)
    assert answer.markdown.count("[?]") == 1
    assert [(one.path, one.n) for one in citations.all] == [("runbooks/rollback.md", 1)]


@pytest.mark.parametrize("mark", ["[9]", "[5]", "[SOURCE:no/such.md:L3]"])
def test_a_mark_that_proves_nothing_is_no_way_to_a_citation(mark: str) -> None:
    invented = "The pager stays silent for an hour after a rollback"
    answer, citations = checked(f"{HONEST} [1].\n\n{invented} {mark}.")
    assert len(answer.unsupported) == 1
    assert len(citations.all) <= 2
    assert answer.markdown.endswith("[?]")


@pytest.mark.parametrize(
    "true",
    [
        "Watch the error rate for ten minutes on the Deploys dashboard.",
        "The error rate is watched on the Deploys dashboard for ten minutes.",
        "台北试点从 2025 年 11 月 3 日开始，共 24 个柜机，分布在六个车站。",
    ],
)
def test_what_one_place_says_is_given_that_place_alone(true: str) -> None:
    answer, citations = checked(f"{HONEST} [1].\n\n{true}")
    assert answer.unsupported == ()
    assert len(citations.all) == 2
