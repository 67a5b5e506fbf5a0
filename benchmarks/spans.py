"""How much of what answers a question is on the screen, and how much else: characters found, lines cited.

    python benchmarks/spans.py DIR [--json] [--limit N] [--keep FOLDER] [--retrieval]

DIR holds ``corpora/`` (long documents) and ``queries.jsonl {id, text, file, spans: [{start, end}]}``, the spans being
characters of the file that answer the question. The documents go through the real index; a question is asked as a
person would ask it.

Retrieval: the best five passages of ``hybrid_search`` as it is by default, each cut to 800 characters. ``recall`` is
the share of the gold characters that they hold, ``precision`` the share of theirs that is gold, ``iou`` the gold they
hold over all that is gold or theirs; a character that two passages hold counts once as found and twice as shown. Means
over the questions. This is the token-wise measure of Smith and Troynikov, "Evaluating Chunking Strategies for
Retrieval" (Chroma, 2024), with characters for tokens, five passages, and a length that no passage may exceed.
Beside them, from plain parts: windows of 800 characters without overlap, the best five by cosine of the embedding
model, by BM25 (rank-bm25), and by the mean of both (each scaled to 0..1).

Citing: one whole offline answer through the Engine. ``lines_iou`` compares the cited lines with the lines the gold
stands on, ``characters_iou`` all characters of the cited lines with the gold ones; a question that gets no answer
counts 0, one that gets none or cites another file too. Beside it: the lines of the best window of the best baseline.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from _common import machine

MOST_PASSAGES = 5
MOST_CHARACTERS = 800

Span = tuple[str, int, int]
"""A file and a range of its characters, the end exclusive."""


@dataclass(frozen=True)
class Text:
    """A document; ``starts`` holds the offset of each of its lines and that of its end."""

    text: str
    starts: list[int] = field(default_factory=list)

    @classmethod
    def read(cls, file: Path) -> Text:
        text = file.read_bytes().decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        return cls(text, [0, *accumulate(len(line) + 1 for line in text.split("\n"))])

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Of the lines ``first`` to ``last``, without the last one's end."""
        return self.starts[first - 1], self.starts[min(last, len(self.starts) - 1)] - 1

    def lines(self, start: int, end: int) -> range:
        """The numbers of the lines that hold the characters ``start`` to ``end``."""
        return range(bisect_right(self.starts, start), bisect_right(self.starts, max(start, end - 1)) + 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="one object")
    parser.add_argument("--limit", type=int, help="only N questions, evenly spread")
    parser.add_argument("--keep", type=Path, help="keep documents and index here, to run again faster")
    parser.add_argument("--retrieval", action="store_true", help="leave out the whole answers")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        result = evaluate(arguments.folder, arguments.keep or Path(scratch), arguments.limit, not arguments.retrieval)
    if arguments.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        print_table(result)


def evaluate(folder: Path, scratch: Path, limit: int | None, answers: bool) -> dict[str, Any]:
    """Retrieval and citing on one set, with the baselines."""
    from kbtui.bootstrap import Engine, KnowledgeBackend
    from kbtui.domain.ports import CancelToken
    from kbtui.question.keywords import search_keywords
    from kbtui.settings.model import Settings

    os.environ["XDG_CACHE_HOME"] = str(scratch / "cache")
    root = scratch / "corpora"
    shutil.copytree(folder / "corpora", root, dirs_exist_ok=True)
    texts = {file.name: Text.read(file) for file in sorted(root.iterdir())}
    rows = (folder / "queries.jsonl").read_text("utf-8").split("\n")
    questions = [json.loads(row) for row in rows if row.strip()]
    if limit:
        questions = [questions[len(questions) * at // limit] for at in range(min(limit, len(questions)))]
    gold = [[(q["file"], span["start"], span["end"]) for span in q["spans"]] for q in questions]

    settings = Settings()
    knowledge = KnowledgeBackend(root, settings).knowledge
    knowledge.complete(lambda _: None, CancelToken())
    knowledge.warm()

    def found(text: str) -> list[Span]:
        hits, _ = knowledge.hybrid.search(text, search_keywords(text) or text, MOST_PASSAGES)
        return [shown(hit, texts[hit.path]) for hit in hits]

    by_cosine, by_words, by_both = plain_windows(texts, knowledge.embedder)
    systems: dict[str, Callable[[str], Iterable[Span]]] = {
        "windows_minilm": by_cosine,
        "windows_bm25": by_words,
        "windows_both": by_both,
        "default": found,
    }
    retrieval = []
    for name, system in systems.items():
        retrieved = [list(system(question["text"])) for question in questions]
        retrieval.append({"name": name, **mean([overlap(*pair) for pair in zip(retrieved, gold, strict=True)])})
        by_file = {}
        for file in texts:
            own = [o for o in zip(retrieved, gold, strict=True) if o[1][0][0] == file]
            if own:
                by_file[file] = mean([overlap(*pair) for pair in own])["recall"]
        retrieval[-1]["recall_by_file"] = by_file

    citing = cited(Engine(settings, root, record=False), questions, gold, texts, by_both) if answers else []
    return {
        "set": folder.name,
        "documents": len(texts),
        "questions": len(questions),
        "chunks": knowledge.index.stats().chunks,
        "retrieval": retrieval,
        "citing": citing,
        **machine(),
    }


def cited(
    engine: Any,
    questions: Sequence[dict[str, Any]],
    gold: Sequence[Sequence[Span]],
    texts: dict[str, Text],
    windows: Callable[[str], list[Span]],
) -> list[dict[str, Any]]:
    """The lines of one answer to each question, beside those of the best window."""
    baseline = [[widened(windows(question["text"])[0], texts)] for question in questions]
    answers = [engine.answer_query(question["text"]) for question in questions]
    lines = [[span for c in answer.citations if (span := whole_lines(c, texts))] for answer in answers]
    rows: list[dict[str, Any]] = [
        {"name": name, **mean([line_overlap(*pair, texts) for pair in zip(spans, gold, strict=True)])}
        for name, spans in (("windows_both", baseline), ("answer", lines))
    ]
    rows[-1]["answered"] = round(sum(map(bool, lines)) / len(lines), 4)
    rows[-1]["citations"] = round(sum(map(len, lines)) / len(lines), 2)
    return rows


def shown(hit: Any, text: Text) -> Span:
    """Where the first `MOST_CHARACTERS` characters of a hit stand, looked for within its lines."""
    start, end = text.span(hit.start_line, hit.end_line)
    words = hit.text[:MOST_CHARACTERS]
    at = text.text.find(words, start, end + 1)
    if at < 0:
        raise SystemExit(f"{hit.path}:{hit.start_line}-{hit.end_line} does not hold the text of its hit")
    return hit.path, at, at + len(words)


def plain_windows(texts: dict[str, Text], embedder: Any) -> tuple[Callable[[str], list[Span]], ...]:
    """The best windows by cosine, by BM25, and by the mean of both."""
    from rank_bm25 import BM25Okapi

    from kbtui.text.tokenise import tokens

    spans = [
        (name, start, min(start + MOST_CHARACTERS, len(text.text)))
        for name, text in texts.items()
        for start in range(0, len(text.text), MOST_CHARACTERS)
    ]
    passages = [texts[name].text[start:end] for name, start, end in spans]
    matrix = embedder.encode(passages)
    bm25 = BM25Okapi([tokens(passage) or ["-"] for passage in passages])

    def cosine(query: str) -> Any:
        return matrix @ embedder.query(query)

    def words(query: str) -> Any:
        return bm25.get_scores(tokens(query))

    def both(query: str) -> Any:
        return sum((s - s.min()) / (float(np.ptp(s)) or 1.0) for s in (cosine(query), words(query)))

    def best(score: Callable[[str], Any]) -> Callable[[str], list[Span]]:
        return lambda query: [spans[at] for at in np.argsort(-score(query), kind="stable")[:MOST_PASSAGES]]

    return best(cosine), best(words), best(both)


def whole_lines(citation: Any, texts: dict[str, Text]) -> Span | None:
    """The characters of the lines that a citation names."""
    if citation.path not in texts or citation.start_line is None:
        return None
    return (citation.path, *texts[citation.path].span(citation.start_line, citation.end_line or citation.start_line))


def widened(span: Span, texts: dict[str, Text]) -> Span:
    """``span`` grown to whole lines."""
    text = texts[span[0]]
    lines = text.lines(span[1], span[2])
    return (span[0], *text.span(lines[0], lines[-1]))


def overlap(retrieved: Sequence[Span], gold: Sequence[Span]) -> dict[str, float]:
    """Recall, precision and IoU in characters."""
    wanted = places(gold)
    hit = len(wanted & places(retrieved))
    displayed = sum(end - start for _, start, end in retrieved)
    return {
        "recall": hit / len(wanted),
        "precision": hit / displayed if displayed else 0.0,
        "iou": hit / (len(wanted) + displayed - hit),
    }


def line_overlap(cited: Sequence[Span], gold: Sequence[Span], texts: dict[str, Text]) -> dict[str, float]:
    """IoU, recall and precision in lines, and IoU in the characters of those lines; each line counts once."""
    lines = [{(f, n) for f, start, end in spans for n in texts[f].lines(start, end)} for spans in (cited, gold)]
    hit = len(lines[0] & lines[1])
    characters = places(cited), places(gold)
    return {
        "lines_iou": hit / len(lines[0] | lines[1]),
        "lines_recall": hit / len(lines[1]),
        "lines_precision": hit / len(lines[0]) if lines[0] else 0.0,
        "characters_iou": len(characters[0] & characters[1]) / len(characters[0] | characters[1]),
    }


def places(spans: Iterable[Span]) -> set[tuple[str, int]]:
    return {(name, at) for name, start, end in spans for at in range(start, end)}


def mean(rows: Sequence[dict[str, float]]) -> dict[str, Any]:
    return {name: round(sum(row[name] for row in rows) / len(rows), 4) for name in rows[0]}


def print_table(result: dict[str, Any]) -> None:
    print(
        f"{result['set']}: {result['documents']} documents, {result['questions']} questions, {result['chunks']} chunks"
    )
    for part, title in (("retrieval", f"best {MOST_PASSAGES}, characters"), ("citing", "cited by one answer")):
        rows = result[part]
        if not rows:
            continue
        names = [name for name in rows[-1] if name not in ("name", "recall_by_file")]
        width = max(map(len, names)) + 2
        print(f"  {title:<24}" + "".join(f"{name:>{width}}" for name in names))
        for row in rows:
            print(f"  {row['name']:<24}" + "".join(f"{row.get(name, ''):>{width}}" for name in names))
    for row in result["retrieval"]:
        print(f"  recall of {row['name']}: " + ", ".join(f"{k} {v}" for k, v in row["recall_by_file"].items()))


if __name__ == "__main__":
    main()
