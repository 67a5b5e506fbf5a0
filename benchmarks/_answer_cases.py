"""Questions with what the program found for them, for fitting how sentences of an answer are chosen.

Each question goes through the Engine up to the writer; what the writer is given is kept in a file, so that fitting anew
takes minutes, not hours.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _facts import facts_stated


@dataclass
class Case:
    """A question of a folder, the writer's brief, and how a text is judged.

    Attributes:
        corpus: Name of the folder.
        root: The folder.
        gold_files: Paths below it (ends of them), any of which is proof.
        facts: Wordings of each fact.
        brief: What the writer was given; None where the run ended before it.
    """

    id: str
    corpus: str
    root: Path
    kind: str
    question: str
    answerable: bool
    facts: list[list[str]]
    gold_files: list[str]
    brief: Any = None

    def is_gold(self, path: str) -> bool:
        return any(path == one or path.endswith(f"/{one}") for one in self.gold_files)

    def stated(self, text: str) -> list[bool]:
        """For each fact whether ``text`` states it."""
        return facts_stated(text, self.facts)


def answers_cases(questions: Sequence[Mapping[str, Any]], roots: Mapping[str, Path]) -> list[Case]:
    """The questions of a folder in answers_dev's form."""
    return [
        Case(
            id=q["id"],
            corpus=q["corpus"],
            root=roots[q["corpus"]],
            kind=q["kind"],
            question=q["question"],
            answerable=q["answerable"],
            facts=q["facts"],
            gold_files=q["gold_files"],
        )
        for q in questions
        if q["corpus"] in roots
    ]


def collect(cases: Iterable[Case], keep: Path) -> list[Case]:
    """The cases with their briefs; those that ``keep`` has already are taken from there."""
    known: dict[tuple[str, str], Case] = {}
    if keep.is_file():
        known = {(case.corpus, case.id): case for case in pickle.loads(keep.read_bytes())}
    done = []
    asks: dict[Path, Callable[[str], Any]] = {}
    for case in cases:
        key = (case.corpus, case.id)
        if key not in known:
            if case.root not in asks:
                asks.clear()
                asks[case.root] = brief_asker(case.root)
            case.brief = asks[case.root](case.question)
            known[key] = case
            print(f"{case.corpus} {case.id}: {len(case.brief.found) if case.brief else '-'} passages", file=sys.stderr)
        done.append(known[key])
    keep.write_bytes(pickle.dumps(list(known.values())))
    return done


def brief_asker(root: Path) -> Callable[[str], Any]:
    """Gives the brief of a question over a folder, None where none was made."""
    from kbtui.bootstrap import Engine
    from kbtui.domain.answer import WrittenAnswer
    from kbtui.domain.ports import CancelToken
    from kbtui.reasoning.offline.writer import OfflineWriter
    from kbtui.settings.model import Settings

    engine = Engine(Settings(), kb=root, record=False)
    backend: Any = engine._backend
    backend.knowledge.complete(lambda _: None, CancelToken())
    engine.warm()
    caught: list[Any] = []

    def write(_writer: OfflineWriter, brief: Any, _emit: Any, _cancel: Any) -> WrittenAnswer:
        caught.append(brief)
        return WrittenAnswer(markdown="", outcome="not_found")

    def ask(question: str) -> Any:
        caught.clear()
        engine.new_conversation()
        own, OfflineWriter.write = OfflineWriter.write, write  # type: ignore[method-assign]
        try:
            engine.answer_query(question)
        finally:
            OfflineWriter.write = own  # type: ignore[method-assign]
        return caught[0] if caught else None

    return ask
