"""Which sentences of an answer that cite nothing are given a citation, and which are marked ``[?]``?

    python benchmarks/uncited.py DIR... [--json] [--limit N]

The sets are those of ``citations.py``. A sentence stands in an answer without a mark, beside a cited one in a paragraph
of its own; the answer has the passages of its document, of the most similar document and of random ones, as many as
answers have (``citations.MOST_SOURCES``). It is true, and should be given lines of its document, or it is invented:

    number, name        a true sentence with one number or name exchanged, as in ``citations.py``
    negated             a true sentence that denies what it said, or no longer does
    grafted             the beginning of a true sentence, and what another document says of something else
    elsewhere           a true sentence of a document that the answer does not have; where the sections of a set repeat
                        each other (`REPEATED`) it counts as neither true nor invented
    gold taken away     a claim of people whose lines are taken out of their page (wice)
    claims: not         a claim of people that its page does not support, or only in part (``claims: partly``; wice)

With ``--miscited`` each sentence cites a passage of another document instead of nothing.

``cited`` is the share that is given a citation, ``places`` the share of these that are given several places at once,
``own`` the share of the true ones that are given lines of their document.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _common import machine
from citations import (
    BEYOND,
    MOST_SOURCES,
    SHORTEST,
    Case,
    Rarity,
    drawn,
    neighbours,
    open_model,
    rarity_of,
    sources_of,
)

from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking.checker import AnswerChecker
from kbtui.reasoning.checking.passages import Passage
from kbtui.reasoning.citing import Citations
from kbtui.text.language import has_cjk
from kbtui.text.terminal import one_line

REPEATED = "elsewhere, sections repeat"
INVENTED_CLAIMS = {"not": "claims: not", "partly": "claims: partly", "gold taken away": "gold taken away"}

_NEGATED_EN = re.compile(r"\b(is|are|was|were|can|could|will|would|has|have|had|should|may|must) (?:(not|never)\b )?")
_NEGATED_ZH = re.compile(r"(?<![不没未])(是|可以|能够|会|位于|属于|曾|被|在)(?![不没])")
_VERB = re.compile(r"\b(?:is|are|was|were|can|could|will|would|has|have|had|should|may|must)\b")


@dataclass(frozen=True)
class Uncited:
    """A sentence of an answer that cites nothing.

    Attributes:
        kind: ``true: …``, or how it was invented.
        document: What it is about.
        sources: The passages of the answer, those of its document first.
        own: How many of them are of its document.
        question: What is answered, and what stood before the sentence where it was taken from.
    """

    kind: str
    document: str
    text: str
    sources: tuple[Passage, ...]
    own: int
    question: str

    @property
    def is_true(self) -> bool:
        return self.kind.startswith("true")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="one object a set")
    parser.add_argument("--limit", type=int, help="only N sentences of each kind")
    parser.add_argument("--miscited", action="store_true", help="the sentences cite a wrong passage")
    options = parser.parse_args()
    embedder = open_model()
    for folder in options.folders:
        cases = drawn(folder, 0)
        result = {
            "set": folder.name,
            **evaluate(limited(list(uncited(cases)), options.limit), embedder, rarity_of(cases), options.miscited),
            **machine(),
        }
        if options.json:
            print(json.dumps(result, ensure_ascii=False), flush=True)
        else:
            print_table(result)


def limited(those: Sequence[Uncited], limit: int | None) -> list[Uncited]:
    """At most ``limit`` sentences of each kind, picked at random."""
    if limit is None:
        return list(those)
    shuffled = random.Random(21).sample(list(those), len(those))
    seen: dict[str, int] = {}
    found = []
    for one in shuffled:
        seen[one.kind] = seen.get(one.kind, 0) + 1
        if seen[one.kind] <= limit:
            found.append(one)
    return found


# Sentences ------------------------------------------------------------------------------------------------------------


def uncited(cases: Sequence[Case]) -> Iterator[Uncited]:
    """The sentences of a set, each with the passages of an answer."""
    chance = random.Random(20)
    true = [one for one in cases if one.group == "corrupted" and one.kind.startswith("true")]
    passages = {one.document: one.cited for one in cases if one.kind in ("not", "partly")}
    passages |= {one.document: one.cited for one in true}
    names = sorted(passages)
    nearest = neighbours(
        {name: {"title": "", "text": "\n".join(one.excerpt.text for one in passages[name])} for name in names}
    )
    by_document: dict[str, list[str]] = {}
    for one in true:
        by_document.setdefault(one.document, []).append(one.text)

    def answer(case: Case, kind: str, text: str, own: tuple[Passage, ...]) -> Uncited:
        others = [nearest[case.document], *chance.sample(names, min(len(names), MOST_SOURCES))]
        shown = [*own, *(one for name in others if name != case.document for one in passages[name][:2])]
        said = f"{case.question} {case.before}".strip()
        return Uncited(kind, case.document, text, tuple(shown[: max(MOST_SOURCES, len(own))]), len(own), said)

    for case in cases:
        if case.group == "claims" and case.kind in INVENTED_CLAIMS:
            yield answer(case, INVENTED_CLAIMS[case.kind], case.text, case.cited)
        if case.group != "corrupted" or case.kind == BEYOND or case.kind.startswith("citation"):
            continue
        yield answer(case, case.kind, case.text, case.cited)
        if not case.kind.startswith("true"):
            continue
        if denied := negated(case.text, chance):
            yield answer(case, "negated", denied, case.cited)
        other = nearest[case.document] if chance.random() < 0.5 else chance.choice(names)
        if (graft := grafted(case.text, chance.choice(by_document.get(other, [""])))) and other != case.document:
            yield answer(case, "grafted", graft, case.cited)
        # Cases without a title are of questions with several gold sections.
        yield answer(case, "elsewhere" if case.title else REPEATED, case.text, ())


def negated(text: str, chance: random.Random) -> str | None:
    """The opposite of a sentence; None where no rule knows how to say it."""
    if has_cjk(text):
        found = _NEGATED_ZH.search(text)
        if found is None:
            return None
        return f"{text[: found.start()]}{'从未' if found[1] in '曾被' else '不'}{text[found.start() :]}"
    found = _NEGATED_EN.search(text)
    if found is None:
        return None
    denies = "" if found[2] else chance.choice(["not ", "never ", "no longer "])
    return f"{text[: found.start()]}{found[1]} {denies}{text[found.end() :]}"


def grafted(text: str, other: str) -> str | None:
    """The beginning of one sentence with the end of another; None where they have no joint."""
    if has_cjk(text):
        first, _, rest = text.partition("，")
        _, _, end = other.partition("，")
        return f"{first}，{end}" if rest and len(end) >= 6 else None
    own, foreign = _VERB.search(text), _VERB.search(other)
    if own is None or foreign is None or own.start() < 6 or len(other) - foreign.end() < SHORTEST:
        return None
    return text[: own.start()] + other[foreign.start() :]


# Figures --------------------------------------------------------------------------------------------------------------


def evaluate(those: Sequence[Uncited], embedder: Any, rarity: Rarity, miscited: bool = False) -> dict[str, Any]:
    """All figures of one set."""
    checker = AnswerChecker(lambda: embedder, rarity)
    rows: dict[str, list[tuple[bool, bool, bool]]] = {}
    for one in those:
        rows.setdefault(one.kind, []).append(given(one, checker, miscited))
    true = [row for kind, found in rows.items() if kind.startswith("true") for row in found]
    invented = [
        row for kind, found in rows.items() if not kind.startswith("true") and kind != REPEATED for row in found
    ]
    return {
        "kinds": {kind: figures(found) for kind, found in sorted(rows.items())},
        "true": figures(true),
        "invented": figures(invented),
    }


def given(one: Uncited, checker: AnswerChecker, miscited: bool) -> tuple[bool, bool, bool]:
    """Whether a sentence is given a citation, whether of several places, whether of lines of its document."""
    citations = Citations(None)
    last = len(one.sources)
    beside = next((unit.text for unit in one.sources[-1].units if len(unit.text) >= SHORTEST), "It is so.")
    text = f"{one_line(beside)} [{last}]\n\n{one_line(one.text)}{f' [{last}]' if miscited else ''}"
    checked = checker.check(text, sources_of(one.sources), citations, CancelToken(), one.question)
    marks = checked.markdown.rpartition("\n\n")[2]
    numbers = [int(number) for number in re.findall(r"\[(\d+)\]", marks) if f"[{number}]" not in one.text]
    paths = {citation.path for citation in citations.all if citation.n in numbers}
    mine = {f"{n}.txt" for n in range(1, one.own + 1)}
    return bool(numbers) and "[?]" not in marks, "][" in marks, bool(paths) and paths <= mine


def figures(rows: Sequence[tuple[bool, bool, bool]]) -> dict[str, Any]:
    cited = [row for row in rows if row[0]]
    return {
        "n": len(rows),
        "cited": round(len(cited) / max(1, len(rows)), 4),
        "places": round(sum(row[1] for row in cited) / max(1, len(cited)), 4),
        "own": round(sum(row[2] for row in cited) / max(1, len(rows)), 4),
    }


def print_table(result: dict[str, Any]) -> None:
    print(result["set"])
    for kind, row in [*result["kinds"].items(), ("all true", result["true"]), ("all invented", result["invented"])]:
        own = f"  own {row['own']:.3f}" if "true" in kind else ""
        print(f"  {kind:<26} n {row['n']:<5} cited {row['cited']:.3f}  places {row['places']:.3f}{own}")
    print("", end="", flush=True)


if __name__ == "__main__":
    main()
