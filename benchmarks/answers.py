"""How good whole offline answers are: the right sentences, honest citations, and a no where nothing answers.

    python benchmarks/answers.py DIR... [--json] [--limit N] [--keep FOLDER] [--show N]

Each ``DIR`` is a retrieval set with answers: ``gold_sentences`` (clapnq), ``answers`` that are strings of the passage
(squad-shaped), or reference answers in other words. It is written out as a folder and asked through the Engine, no chat
model. Where the set marks no question unanswerable, every fourth document is left out of the folder, and the
questions whose gold is left out with it count as unanswerable.

    sentence P/R/F1   sentences shown that are gold, gold sentences that are shown; mean over answerable questions, an
                      answer that refuses counts 0. A shown sentence is a gold one when, spaces and punctuation aside,
                      one holds the other or their words overlap by 0.8 (F1)
    words P/R/F1      the same by words, for the whole answer against all gold text (bags, stop words left out)
    contains          share of answerable questions whose answer shows the gold string
    cited P/R         sentences that stand in the lines they cite; sentences that cite anything
    gold cited        share of answered questions that cite a gold document
    refused           share of unanswerable questions refused; ``falsely``: of answerable ones
    refused at 10 %   the same when every answer below the evidence score that refuses a tenth of the answerable
                      questions is refused too

Beside it, over the passages of the same search: the first two sentences of the best passage, and the two sentences
with the most of the question's words by BM25.
"""

from __future__ import annotations

import functools
import hashlib
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from _cases import SHOWN, Folder, open_folder
from _common import machine, over_sets, percentile, set_parser
from sklearn.metrics import roc_auc_score

SAME = 0.8
FALSE_REFUSALS = 0.1
_MARK = re.compile(r"\s*((?:\[\d+\]\s*)+)$")


@dataclass(frozen=True)
class Shown:
    """An answer as a reader sees it.

    Attributes:
        sentences: Text and the citation numbers it carries.
        quotes: Cited lines by number.
        paths: Cited files.
        score: Best evidence score of the last grading.
    """

    sentences: tuple[tuple[str, tuple[int, ...]], ...]
    refused: bool
    quotes: dict[int, str] = field(default_factory=dict)
    paths: frozenset[str] = frozenset()
    score: float = 0.0
    seconds: float = 0.0
    thinking: float = 0.0

    @property
    def text(self) -> str:
        return "\n".join(text for text, _ in self.sentences)


def main() -> None:
    parser = set_parser(__doc__, "only N questions, from all over the set")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N answers, from all over the set")
    arguments = parser.parse_args()
    over_sets(arguments, functools.partial(evaluate, show=arguments.show), print_table)


def evaluate(folder: Path, scratch: Path, limit: int | None, show: int = 0) -> dict[str, Any]:
    """The program and the baselines on one set."""
    opened = open_folder(folder, scratch, limit, withhold=is_withheld if all_answerable(folder) else None)
    asked = [(question, is_answerable(question, opened)) for question in opened.questions]
    systems: dict[str, Callable[[str], Shown]] = {
        "kbtui": program(opened),
        "first two sentences": first_two(opened),
        "two by BM25": best_two(opened),
    }
    rows, own = [], []
    for name, answer in systems.items():
        shown = [answer(question["text"]) for question, _ in asked]
        own = own or shown
        rows.append({"name": name, **figures(asked, shown, opened)})
    for at in range(show):
        question, answerable = asked[int(at * len(asked) / show)]
        print(f"## {question['text']} ({'answerable' if answerable else 'unanswerable'})\n", file=sys.stderr)
        print(own[int(at * len(asked) / show)].text + "\n", file=sys.stderr)
    seconds = [one.seconds * 1000 for one in own]
    thinking = [one.thinking * 1000 for one in own]
    return {
        "set": folder.name,
        "answerable": sum(yes for _, yes in asked),
        "unanswerable": sum(not yes for _, yes in asked),
        "systems": rows,
        "answer_ms": {"p50": round(percentile(seconds, 50), 1), "p95": round(percentile(seconds, 95), 1)},
        "beyond_tools_ms": {"p50": round(percentile(thinking, 50), 1), "p95": round(percentile(thinking, 95), 1)},
        **machine(),
    }


def all_answerable(folder: Path) -> bool:
    return '"answerable": false' not in (folder / "queries.jsonl").read_text("utf-8")


def is_withheld(document: dict[str, Any]) -> bool:
    """Every fourth document, by a hash of its id."""
    return hashlib.sha256(str(document["id"]).encode()).digest()[0] % 4 == 0


def is_answerable(question: dict[str, Any], opened: Folder) -> bool:
    there = set(opened.ids.values())
    return question.get("answerable") is not False and bool(opened.relevant.get(question["id"], set()) & there)


def program(opened: Folder) -> Callable[[str], Shown]:
    """The whole program."""
    from kbtui.bootstrap import Engine
    from kbtui.domain.events import EvidenceGraded, ToolFinished

    engine = Engine(kb=opened.root, record=False)
    engine.warm()

    def ask(question: str) -> Shown:
        best = tools = 0.0

        def follow(event: Any) -> None:
            nonlocal best, tools
            if isinstance(event, EvidenceGraded):
                best = max((item.score for item in event.items), default=0.0)
            elif isinstance(event, ToolFinished):
                tools += event.duration_ms / 1000

        start = time.perf_counter()
        answer = engine.answer_query(question, follow)
        taken = time.perf_counter() - start
        refused = answer.outcome == "not_found"
        return Shown(
            sentences=() if refused else shown_sentences(answer.markdown),
            refused=refused,
            quotes={citation.n: citation.quote or "" for citation in answer.citations},
            paths=frozenset(citation.path for citation in answer.citations if citation.path),
            score=best,
            seconds=taken,
            thinking=taken - tools,
        )

    return ask


def shown_sentences(markdown: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The sentences of an answer with the marks of the block they stand in; the footer and headings left out."""
    from kbtui.text.sentences import sentences

    body = markdown.rsplit("\n\n---\n", 1)[0]
    found: list[tuple[str, tuple[int, ...]]] = []
    waiting = 0
    for block in re.split(r"\n\n(?![^\n]*```)|\n(?=- )", body):
        mark = _MARK.search(block)
        text = block[: mark.start()] if mark else block
        numbers = tuple(int(number) for number in re.findall(r"\d+", mark[1])) if mark else ()
        if re.fullmatch(r"\*\*.*\*\*", text.strip()):
            continue
        if not text.strip() and numbers:
            # The mark of a block of code stands below it.
            found[-waiting:] = [(one, numbers) for one, _ in found[-waiting:]]
            continue
        pieces = [piece.text for piece in sentences(text.strip(), 1, "markdown")]
        found += [(piece, numbers) for piece in pieces]
        waiting = len(pieces)
    return tuple(found)


def first_two(opened: Folder) -> Callable[[str], Shown]:
    """The first two sentences of the best passage."""

    def ask(question: str) -> Shown:
        hits = searched(opened, question)
        pieces = [piece for hit in hits[:1] for piece in prose(hit.text)[:2]]
        return plain(pieces, hits[:1])

    return ask


def best_two(opened: Folder) -> Callable[[str], Shown]:
    """The two sentences of the ten best passages that BM25 ranks first."""
    from rank_bm25 import BM25Okapi

    from kbtui.text.tokenise import tokens

    def ask(question: str) -> Shown:
        pieces = [(piece, hit) for hit in searched(opened, question) for piece in prose(hit.text)]
        if not pieces:
            return plain([], [])
        scores = BM25Okapi([tokens(piece) or [""] for piece, _ in pieces]).get_scores(tokens(question))
        ranked = sorted(range(len(pieces)), key=lambda at: -scores[at])[:2]
        return plain([pieces[at][0] for at in ranked], [pieces[at][1] for at in ranked])

    return ask


def searched(opened: Folder, question: str) -> list[Any]:
    from kbtui.question.keywords import search_keywords

    hits, _ = opened.knowledge.hybrid.search(question, search_keywords(question) or question, SHOWN)
    return list(hits)


def prose(text: str) -> list[str]:
    from kbtui.text.sentences import sentences

    return [piece.text for piece in sentences(text, 1, "text") if piece.kind != "heading"]


def plain(pieces: Sequence[str], hits: Sequence[Any]) -> Shown:
    return Shown(
        sentences=tuple((piece, (0,)) for piece in pieces),
        refused=not pieces,
        quotes={0: "\n".join(hit.text for hit in hits)},
        paths=frozenset(hit.path for hit in hits),
        score=max((hit.score for hit in hits), default=0.0),
    )


def figures(asked: Sequence[tuple[dict[str, Any], bool]], shown: Sequence[Shown], opened: Folder) -> dict[str, Any]:
    """All figures of one system."""
    totals: dict[str, list[float]] = {}

    def add(name: str, value: float) -> None:
        totals.setdefault(name, []).append(value)

    for (question, answerable), answer in zip(asked, shown, strict=True):
        add("refused" if not answerable else "falsely", float(answer.refused))
        for text, numbers in answer.sentences:
            add("cited R", float(bool(numbers)))
            if numbers:
                add("cited P", float(stands_in(text, "\n".join(answer.quotes.get(number, "") for number in numbers))))
        if not answerable:
            continue
        if answer.sentences:
            gold = opened.relevant[question["id"]]
            add("gold cited", float(any(opened.ids.get(path) in gold for path in answer.paths)))
            add("sentences", len(answer.sentences))
        texts = [text for text, _ in answer.sentences]
        if question.get("gold_sentences"):
            add_scores(totals, "sentence", sentence_match(texts, question["gold_sentences"]))
            add_scores(totals, "words", word_match(answer.text, " ".join(question["gold_sentences"])))
        elif opened.is_extractive:
            add("contains", float(any(squeezed(gold) in squeezed(answer.text) for gold in question["answers"])))
        elif question.get("answers"):
            add_scores(totals, "words", word_match(answer.text, question["answers"][0]))
    result = {name: round(sum(values) / len(values), 4) for name, values in totals.items()}
    return result | sweep([(answer, yes) for (_, yes), answer in zip(asked, shown, strict=True)])


def add_scores(totals: dict[str, list[float]], name: str, scores: tuple[float, float, float]) -> None:
    for kind, value in zip(("P", "R", "F1"), scores, strict=True):
        totals.setdefault(f"{name} {kind}", []).append(value)


def sweep(pairs: Sequence[tuple[Shown, bool]]) -> dict[str, float]:
    """How much would be refused if the evidence score alone refused a tenth of the answerable, and how it separates."""
    scores = [(0.0 if answer.refused else answer.score, yes) for answer, yes in pairs]
    answerable = sorted(score for score, yes in scores if yes)
    others = [score for score, yes in scores if not yes]
    if not answerable or not others:
        return {}
    cut = answerable[int(len(answerable) * FALSE_REFUSALS)]
    return {
        "refused at 10 %": round(sum(score < cut for score in others) / len(others), 4),
        "cut": round(cut, 3),
        "score AUROC": round(float(roc_auc_score([yes for _, yes in scores], [score for score, _ in scores])), 4),
    }


def squeezed(text: str) -> str:
    """Letters, digits and characters alone."""
    return re.sub(r"[\W_]+", "", text).casefold()


def stands_in(text: str, quote: str) -> bool:
    """Every piece of a shown sentence, cut where it was shortened, is in the cited lines."""
    source = squeezed(quote)
    pieces = [squeezed(piece) for piece in re.split(r"…", text)]
    return all(piece in source for piece in pieces) or word_match(text, quote)[0] >= 0.95


def words_of(text: str) -> Counter[str]:
    from kbtui.text.tokenise import tokens

    return Counter(tokens(text))


def word_match(text: str, gold: str) -> tuple[float, float, float]:
    """Precision, recall and F1 of words."""
    said, wanted = words_of(text), words_of(gold)
    shared = sum((said & wanted).values())
    if not shared:
        return 0.0, 0.0, 0.0
    precision, recall = shared / sum(said.values()), shared / sum(wanted.values())
    return precision, recall, 2 * precision * recall / (precision + recall)


def sentence_match(texts: Sequence[str], gold: Sequence[str]) -> tuple[float, float, float]:
    """Precision, recall and F1 of sentences."""
    if not texts:
        return 0.0, 0.0, 0.0
    same = [[is_same(text, one) for one in gold] for text in texts]
    precision = sum(any(row) for row in same) / len(texts)
    recall = sum(any(row[at] for row in same) for at in range(len(gold))) / len(gold)
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def is_same(text: str, gold: str) -> bool:
    first, second = squeezed(text), squeezed(gold)
    shorter = min(len(first), len(second))
    if shorter and shorter >= 0.5 * max(len(first), len(second)) and (first in second or second in first):
        return True
    return word_match(text, gold)[2] >= SAME


def print_table(result: dict[str, Any]) -> None:
    print(f"{result['set']}: {result['answerable']} answerable, {result['unanswerable']} unanswerable")
    names = list(dict.fromkeys(name for row in result["systems"] for name in row if name != "name"))
    print(f"  {'':<18}" + "".join(f"{row['name']:>21}" for row in result["systems"]))
    for name in names:
        cells = (row.get(name) for row in result["systems"])
        print(f"  {name:<18}" + "".join(f"{'-' if cell is None else f'{cell:.4f}':>21}" for cell in cells))
    print(
        f"  whole answer p50 {result['answer_ms']['p50']} ms, p95 {result['answer_ms']['p95']} ms; beyond its tools "
        f"p50 {result['beyond_tools_ms']['p50']} ms, p95 {result['beyond_tools_ms']['p95']} ms",
        flush=True,
    )


if __name__ == "__main__":
    main()
