"""How well the searches rank: nDCG@10, MRR@10 and recall on sets of documents, questions and judgements.

    python benchmarks/retrieval.py DIR... [--json] [--limit N] [--keep FOLDER]
    python benchmarks/retrieval.py --answers DIR [--folder NAME=DIR]… [--json] [--limit N] [--keep FOLDER]

A set is a folder with ``corpus.jsonl {id,title,text}``, ``queries.jsonl {id,text}``, ``qrels.tsv (qid, docid, rel)``.
Its documents are written into a folder, one file each, and go through the real index, tools and fusion. A question
gives the keywords that the program itself takes from it. A document's rank is that of its best passage.

Beside them, in the same run and over the same documents, what plain parts give: bm25s with its own English tokens (its
stop words, Snowball stems; characters and pairs for Chinese, as it has no tokens for that), the cosine of
sentence-transformers over the beginning of each document, RRF (k = 60) of the two, and txtai's hybrid index.

``default`` is what ``hybrid_search`` does with no settings changed.

With ``--answers``, the questions of `whole_answers.py` that have an answer are put to ``hybrid_search`` over their
folders: how often a gold file is the first file, among the first three, and among the first five.
"""

from __future__ import annotations

import functools
import json
import math
import os
import re
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from _common import machine, over_sets, percentile, set_parser

DEPTH = 100
# A document has several passages; more of them have to be ranked to see 100 documents.
PASSAGES = 200


def main() -> None:
    parser = set_parser(__doc__, "only the first N questions", least="*")
    parser.add_argument("--answers", type=Path, metavar="DIR")
    parser.add_argument("--folder", action="append", default=[], metavar="NAME=DIR", help="where a folder is")
    arguments = parser.parse_args()
    if arguments.answers is None:
        over_sets(arguments, evaluate, print_table)
        return
    result = gold_files(arguments.answers, arguments.folder, arguments.keep, arguments.limit)
    print(json.dumps(result, ensure_ascii=False) if arguments.json else gold_table(result))


def gold_files(base: Path, given: list[str], keep: Path | None, limit: int | None) -> dict[str, Any]:
    """For each folder, and for all, the share of questions with a gold file among the first files found."""
    from whole_answers import folders, read_questions

    from kbtui.domain.ports import CancelToken
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.question.keywords import search_keywords
    from kbtui.settings.model import Settings

    if keep is not None:
        os.environ["XDG_CACHE_HOME"] = str(keep / "cache")
    questions = [question for question in read_questions([base]) if question["answerable"]][:limit]
    rows = []
    places: list[int] = []
    for name, root in sorted(folders([base], {question["corpus"] for question in questions}, given).items()):
        knowledge = KnowledgeBase(root, Settings())
        knowledge.complete(lambda _: None, CancelToken())
        own = []
        for question in questions:
            if question["corpus"] != name:
                continue
            text = knowledge.respelt(question["question"]).text
            hits, _ = knowledge.hybrid.search(text, search_keywords(text) or text, PASSAGES)
            found = list(dict.fromkeys(hit.path for hit in hits))
            own.append(min((found.index(path) for path in question["gold_files"] if path in found), default=DEPTH))
        rows.append({"folder": name, "questions": len(own), **firsts(own)})
        places += own
    return {"set": base.name, "folders": [*rows, {"folder": "all", "questions": len(places), **firsts(places)}]}


def firsts(places: list[int]) -> dict[str, float]:
    """Shares of the questions whose first gold file is among the first so many."""
    return {f"first_{n}": round(sum(place < n for place in places) / max(len(places), 1), 4) for n in (1, 3, 5)}


def gold_table(result: dict[str, Any]) -> str:
    names = ("questions", "first_1", "first_3", "first_5")
    lines = [f"{result['set']:<20}" + "".join(f"{name:>11}" for name in names)]
    lines += [f"{row['folder']:<20}" + "".join(f"{row[name]:>11}" for name in names) for row in result["folders"]]
    return "\n".join(lines)


def evaluate(folder: Path, scratch: Path, limit: int | None) -> dict[str, Any]:
    """All systems on one set."""
    from kbtui.domain.ports import CancelToken
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.knowledge.search.fusion import convex, rrf
    from kbtui.question.keywords import search_keywords
    from kbtui.settings.model import Settings

    os.environ["XDG_CACHE_HOME"] = str(scratch / "cache")
    documents, questions, relevant = load(folder)
    questions = questions[:limit]
    root = scratch / folder.name
    ids = write(documents, root)
    settings = Settings()
    knowledge = KnowledgeBase(root, settings)
    knowledge.complete(lambda _: None, CancelToken())
    knowledge.warm()
    hybrid = knowledge.hybrid
    keywords = {question["id"]: search_keywords(question["text"]) or question["text"] for question in questions}

    def by_rank(text: str, words: str) -> Iterable[str]:
        return paths(rrf([knowledge.vectors.search(text, PASSAGES), knowledge.lexical.search(words, PASSAGES)]))

    def by_score(text: str, words: str) -> Iterable[str]:
        vector_hits, grep_hits = knowledge.vectors.search(text, PASSAGES), knowledge.lexical.search(words, PASSAGES)
        return paths(convex(vector_hits, grep_hits, settings.retrieval.vector_weight))

    systems: dict[str, Callable[[str, str], Iterable[str]]] = {
        **plain_systems(root, ids),
        "grep_search": lambda _, words: paths(knowledge.grep.search(words, PASSAGES)),
        "lexical": lambda _, words: paths(knowledge.lexical.search(words, PASSAGES)),
        "vector_search": lambda text, _: paths(knowledge.vectors.search(text, PASSAGES)),
        "rrf": by_rank,
        "convex": by_score,
        "default": lambda text, words: paths(hybrid.search(text, words, PASSAGES)[0]),
    }
    rows = []
    for name, system in systems.items():
        runs = {}
        for question in questions:
            ranked = dict.fromkeys(system(question["text"], keywords[question["id"]]))
            runs[question["id"]] = [ids[path] for path in ranked][:DEPTH]
        rows.append({"name": name, **scores(runs, relevant)})
    taken = []
    for question in questions:
        start = time.perf_counter()
        hybrid.search(question["text"], keywords[question["id"]], settings.retrieval.top_k)
        taken.append((time.perf_counter() - start) * 1000)
    return {
        "set": folder.name,
        "documents": len(documents),
        "questions": len(questions),
        "systems": rows,
        "default_p50_ms": round(percentile(taken, 50), 1),
        "default_p95_ms": round(percentile(taken, 95), 1),
        **machine(),
    }


def load(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]], dict[str, set[str]]]:
    """Documents, the questions that have a relevant one, and the ids of those."""
    relevant: dict[str, set[str]] = {}
    for line in lines(folder / "qrels.tsv"):
        question, document, grade = line.split("\t")[:3]
        if grade.strip().lstrip("-").isdigit() and int(grade) > 0:
            relevant.setdefault(question, set()).add(document)
    documents = [json.loads(line) for line in lines(folder / "corpus.jsonl")]
    questions = [json.loads(line) for line in lines(folder / "queries.jsonl")]
    return documents, [question for question in questions if question["id"] in relevant], relevant


def lines(file: Path) -> list[str]:
    return [line for line in file.read_text("utf-8").split("\n") if line.strip()]


def write(documents: list[dict[str, Any]], root: Path) -> dict[str, str]:
    """One file a document, its title in front where the text does not begin with it; the ids by path."""
    root.mkdir(parents=True, exist_ok=True)
    ids = {}
    for number, document in enumerate(documents):
        title, text = document.get("title") or "", document["text"]
        path = f"{number:06}.txt"
        whole = text if not title or text.startswith(title) else f"{title}\n\n{text}"
        file = root / path
        if not file.is_file() or file.read_text("utf-8") != whole:
            file.write_text(whole, "utf-8")
        ids[path] = document["id"]
    return ids


def paths(hits: Iterable[Any]) -> Iterable[str]:
    return (hit.path for hit in hits)


def plain_systems(root: Path, ids: dict[str, str]) -> dict[str, Callable[[str, str], list[str]]]:
    """Rankings of whole documents by other people's parts; each gives paths, best first."""
    names = list(ids)
    texts = [(root / name).read_text("utf-8") for name in names]
    cosine = plain_cosine(texts)
    found: dict[str, Callable[[str], list[int]]] = {"sentence-transformers": cosine}
    try:
        bm25, txtai = plain_bm25(texts), plain_txtai(texts)
    except ImportError as error:
        print(f"Without {error.name}: `pip install --group bench` brings what to compare with.", file=sys.stderr)
        return named(found, names)

    def both(text: str) -> list[int]:
        worth: dict[int, float] = {}
        for ranked in (bm25(text)[:DEPTH], cosine(text)[:DEPTH]):
            for rank, index in enumerate(ranked, 1):
                worth[index] = worth.get(index, 0.0) + 1 / (60 + rank)
        return sorted(worth, key=lambda index: -worth[index])

    return named({"bm25s": bm25, **found, "rrf-60 of both": both, "txtai hybrid": txtai}, names)


def named(
    systems: dict[str, Callable[[str], list[int]]], names: list[str]
) -> dict[str, Callable[[str, str], list[str]]]:
    return {name: (lambda text, _, rank=rank: [names[index] for index in rank(text)]) for name, rank in systems.items()}


def plain_bm25(texts: list[str]) -> Callable[[str], list[int]]:
    import bm25s
    import snowballstemmer

    stem = snowballstemmer.stemmer("english").stemWord

    def cut(text: str) -> list[str]:
        found = []
        for run in re.findall(r"[\u3400-\u9fff]+|\w\w+", text.lower()):
            if "\u3400" <= run[0] <= "\u9fff":
                found += [*run, *map(str.__add__, run, run[1:])]
            elif run not in STOP_WORDS:
                found.append(stem(run))
        return found

    from bm25s.stopwords import STOPWORDS_EN_PLUS as STOP_WORDS

    retriever = bm25s.BM25()
    retriever.index([cut(text) for text in texts], show_progress=False)
    depth = min(PASSAGES, len(texts))

    def search(text: str) -> list[int]:
        words = cut(text)
        if not words:
            return []
        found, _ = retriever.retrieve([words], k=depth, show_progress=False)
        return [int(index) for index in found[0]]

    return search


def plain_cosine(texts: list[str]) -> Callable[[str], list[int]]:
    model = reference_model()
    matrix = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)

    def search(text: str) -> list[int]:
        nearness = matrix @ model.encode([text], normalize_embeddings=True, show_progress_bar=False)[0]
        return [int(index) for index in np.argsort(-nearness, kind="stable")[:PASSAGES]]

    return search


def plain_txtai(texts: list[str]) -> Callable[[str], list[int]]:
    from _original import original_folder
    from txtai import Embeddings

    embeddings = Embeddings({"path": str(original_folder()), "hybrid": True, "content": False})
    embeddings.index(list(enumerate(texts)))
    return lambda text: [index for index, _ in embeddings.search(text, PASSAGES)]


@functools.cache
def reference_model() -> Any:
    from _original import original_folder
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(original_folder()), device="cpu")


def scores(runs: dict[str, list[str]], relevant: dict[str, set[str]]) -> dict[str, float]:
    """Means over the questions; relevance is yes or no."""
    totals = dict.fromkeys(("ndcg@10", "mrr@10", "r@5", "r@10", "r@20", "r@100"), 0.0)
    for question, ranked in runs.items():
        gold = relevant[question]
        gain = sum(1 / math.log2(place + 2) for place, name in enumerate(ranked[:10]) if name in gold)
        totals["ndcg@10"] += gain / sum(1 / math.log2(place + 2) for place in range(min(10, len(gold))))
        totals["mrr@10"] += next((1 / (place + 1) for place, name in enumerate(ranked[:10]) if name in gold), 0.0)
        for depth in (5, 10, 20, 100):
            totals[f"r@{depth}"] += len(gold & set(ranked[:depth])) / len(gold)
    return {name: round(total / len(runs), 4) for name, total in totals.items()}


def print_table(result: dict[str, Any]) -> None:
    print(f"{result['set']}: {result['documents']} documents, {result['questions']} questions")
    names = [name for name in result["systems"][0] if name != "name"]
    print(f"  {'':<22}" + "".join(f"{name:>9}" for name in names))
    for row in result["systems"]:
        print(f"  {row['name']:<22}" + "".join(f"{row[name]:>9.4f}" for name in names))
    print(f"  hybrid_search: p50 {result['default_p50_ms']} ms, p95 {result['default_p95_ms']} ms", flush=True)


if __name__ == "__main__":
    main()
