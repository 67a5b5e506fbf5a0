"""A folder as a retriever of LangChain."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from pydantic import ValidationError

import kbtui
from kbtui.errors import FolderNotFound


def test_passages_come_with_their_places(kb: Path) -> None:
    retriever = kbtui.as_retriever(kb, k=3)
    assert isinstance(retriever, BaseRetriever)
    found = retriever.invoke("How do I pin the last green image?")
    assert 1 <= len(found) <= 3
    best = found[0]
    assert best.metadata["path"] == "runbooks/rollback.md"
    lines = (kb / best.metadata["path"]).read_text().split("\n")
    start, end = best.metadata["start_line"], best.metadata["end_line"]
    assert best.page_content == "\n".join(lines[start - 1 : end])
    assert best.metadata["source"] == f"runbooks/rollback.md:L{start}-L{end}"
    scores = [document.metadata["score"] for document in found]
    assert scores == sorted(scores, reverse=True)


async def test_it_is_a_part_of_a_chain_and_sees_what_was_written_meanwhile(kb: Path, home: Path) -> None:
    chain = kbtui.as_retriever(kb, tool="grep_search") | RunnableLambda(
        lambda found: [d.metadata["path"] for d in found]
    )
    assert "marmot.md" not in await chain.ainvoke("marmot")
    (kb / "marmot.md").write_text("# Marmot\n\nThe marmot sleeps in winter.\n")
    retriever = kbtui.as_retriever(kb, tool="grep_search")
    assert retriever.invoke("marmot")[0].metadata["path"] == "marmot.md"
    assert not list((home / "data").rglob("*.jsonl")), "searches are no sessions"


def test_more_passages_than_the_settings_say_are_brought_when_asked_for(kb: Path) -> None:
    for number in range(30):
        (kb / f"heron-{number}.md").write_text(f"# Heron {number}\n\nThe heron number {number} wades.\n")
    assert len(kbtui.as_retriever(kb, k=25, tool="grep_search").invoke("heron wades")) == 25


def test_what_makes_no_sense_is_refused(kb: Path, tmp_path: Path) -> None:
    with pytest.raises(FolderNotFound):
        kbtui.as_retriever(tmp_path / "nowhere")
    for wrong in ({"k": 0}, {"k": 1000}, {"tool": "rm"}):
        with pytest.raises(ValidationError):
            kbtui.as_retriever(kb, **wrong)


def test_importing_kbtui_loads_nothing_of_it() -> None:
    heavy = "{'langchain_core', 'pydantic', 'numpy', 'lancedb', 'textual'}"
    code = f"import sys, kbtui; print(sorted({{name.partition('.')[0] for name in sys.modules}} & {heavy}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
