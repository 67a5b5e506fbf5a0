"""Fit the weights by which hybrid_search ranks (``search/ranking.toml``), and show what each reason adds.

    python benchmarks/fit_ranking.py DIR... [--answers DIR] [--folders NAME=DIR…] [--keep FOLDER] [--limit N] [--json]

Each DIR is a retrieval set as `retrieval.py` takes it. With ``--answers`` each folder that the questions of
`whole_answers.py` are put to is one more set, whose documents are its files and whose judgements are the gold files.
The weights are found on all sets but one and measured on that one, in turns; the table shows nDCG@10 so measured, with
every reason, without those of documents, with the weights `BEFORE` and those in the file, and of BM25 and the vector
each alone. The last line is fitted on all sets, and is what belongs into the file.

Taken are the weights, of those in `GRID`, with the highest sum of nDCG@10 and recall@20 over the sets, each against
what the weights `BEFORE` reach. A loss counts `LOSS` times: nobody's folder is to pay for another one. Sets count
alike from `ENOUGH` questions on, and by their number below: one question of nine is an accident. Chinese questions, of
which the bundled model knows nothing, say nothing of a weight for meaning: leave Chinese sets out.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from _common import machine
from retrieval import load, write

from kbtui.knowledge.search.ranking import fitted_weights, names_something, ranked

REASONS = ("vector", "lexical", "phrase", "document_lexical", "document_vector")
# The weight of the words is the unit. Meaning is weighed apart in questions that name something and in those that do
# not, so that the two are searched for one after the other.
GRID = {
    "vector": (0.7, 0.85, 1.0, 1.1, 1.2, 1.4, 1.7, 2.0, 2.4, 2.8, 4.0),
    "lexical": (1.0,),
    "phrase": (0.25, 0.5, 0.75),
    "document_lexical": (0.0, 0.25, 0.5, 0.75, 1.0),
    "document_vector": (0.0, 0.15, 0.3, 0.5, 1.0),
}
LOSS = 2.0
ENOUGH = 100
# What there was before documents counted, and before questions that name nothing were told apart.
BEFORE = (1.0, 1.0, 0.5, 0.0, 0.0)
ALONE = {"words alone": (0.0, 1.0, 0.0, 0.0, 0.0), "vectors alone": (1.0, 0.0, 0.0, 0.0, 0.0)}


@dataclass
class Question:
    """Candidates of one question: reasons ``(n, 5)``, the document of each, and which documents are gold."""

    reasons: np.ndarray
    documents: list[str]
    gold: set[str]
    plain: bool


@dataclass
class Measured:
    """nDCG@10 and recall@20 of the questions of one set for each of `every_weight` and then of `ALONE`, summed over
    each kind of question ``(2, n, 2)``: first those that name something, then those that do not."""

    sums: np.ndarray
    count: int

    def value(self, named: int, plain: int) -> np.ndarray:
        """The two means with one choice of weights for each kind of question."""
        return (self.sums[0, named] + self.sums[1, plain]) / self.count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders_of_sets", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--answers", type=Path, metavar="DIR", help="questions with gold files, as whole_answers.py")
    parser.add_argument("--folders", nargs="*", default=[], metavar="NAME=DIR")
    parser.add_argument("--keep", type=Path, help="keep documents and index here, to run again faster")
    parser.add_argument("--limit", type=int, default=400, help="about so many questions of a set, evenly drawn")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        keep = arguments.keep or Path(scratch)
        os.environ["XDG_CACHE_HOME"] = str(keep / "cache")
        sets = {folder.name: of_set(folder, keep, arguments.limit) for folder in arguments.folders_of_sets}
        if arguments.answers:
            sets |= of_answers(arguments.answers, arguments.folders)
    known = {name: measured(questions) for name, questions in sets.items()}
    choices = every_weight()
    without = [place for place, row in enumerate(choices) if not row[3:].any()]
    inside = list(range(len(choices)))
    row = next(place for place, choice in enumerate(choices) if tuple(choice) == BEFORE)
    present, in_file = (row, row), nearest_to_file()
    table: dict[str, dict[str, float]] = {"before": {}, "fitted": {}, "without documents": {}, "in the file": {}}
    for held in sets:
        others = [known[name] for name in sets if name != held] or [known[held]]
        table["before"][held] = round(float(known[held].value(*present)[0]), 4)
        table["in the file"][held] = round(float(known[held].value(*in_file)[0]), 4)
        table["fitted"][held] = round(float(known[held].value(*best(others, inside, present))[0]), 4)
        for place, name in enumerate(ALONE, len(choices)):
            table.setdefault(name, {})[held] = round(float(known[held].value(place, place)[0]), 4)
        table["without documents"][held] = round(float(known[held].value(*best(others, without, present))[0]), 4)
    named, plain = best(list(known.values()), inside, present)
    # Of the document's reasons only some part counts; the others sum to 1.
    total = choices[named][:3].sum()
    weights = {reason: round(float(part / total), 3) for reason, part in zip(REASONS, choices[named], strict=True)}
    weights["plain"] = round(float(choices[plain][0] / choices[named][0]), 2)
    result: dict[str, Any] = {"ndcg@10": table, "weights": weights, **machine()}
    result["fitted on all"] = {name: round(float(one.value(named, plain)[0]), 4) for name, one in known.items()}
    if arguments.json:
        print(json.dumps(result))
        return
    print(f"{'nDCG@10, held out':<20}" + "".join(f"{name[:14]:>15}" for name in sets))
    for label, row in (*table.items(), ("fitted on all", result["fitted on all"])):
        print(f"{label:<20}" + "".join(f"{row[name]:>15.4f}" for name in sets))
    print("weights", weights)


def of_set(folder: Path, scratch: Path, limit: int) -> list[Question]:
    """The questions of a retrieval set."""
    documents, questions, relevant = load(folder)
    questions = questions[:: max(1, round(len(questions) / limit))]
    root = scratch / folder.name
    ids = write(documents, root)
    return list(collected(root, ((question["text"], relevant[question["id"]]) for question in questions), ids))


def of_answers(base: Path, given: Sequence[str]) -> dict[str, list[Question]]:
    """The questions put to each folder, with its gold files."""
    from whole_answers import folders, read_questions

    questions = [question for question in read_questions([base]) if question["answerable"]]
    roots = folders([base], {question["corpus"] for question in questions}, given)
    return {
        f"answers:{name}": list(
            collected(root, ((q["question"], set(q["gold_files"])) for q in questions if q["corpus"] == name))
        )
        for name, root in sorted(roots.items())
    }


def collected(
    root: Path, questions: Iterable[tuple[str, set[str]]], ids: dict[str, str] | None = None
) -> Iterable[Question]:
    """What the real index says of each candidate of each question; documents by id, else by path."""
    from kbtui.domain.ports import CancelToken
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.knowledge.reading.terms import query_terms
    from kbtui.knowledge.search.hybrid import DEPTH
    from kbtui.question.keywords import search_keywords
    from kbtui.settings.model import Settings

    knowledge = KnowledgeBase(root, Settings())
    knowledge.complete(lambda _: None, CancelToken())
    units = dict.fromkeys(REASONS, 1.0)
    for text, gold in questions:
        keywords = search_keywords(text) or text
        vector, trust = knowledge.vectors.vector_of(text), knowledge.vectors.trust(text)
        found = ranked(knowledge.index, vector, query_terms(keywords), DEPTH, 2 * DEPTH, trust, weights=units)
        if found:
            yield Question(
                reasons=np.array([[one.signals.get(f"part_{name}", 0.0) for name in REASONS] for _, one in found]),
                documents=[ids[chunk.path] if ids else chunk.path for chunk, _ in found],
                gold=gold,
                plain=not names_something(text),
            )


def every_weight() -> np.ndarray:
    """Every choice of weights in `GRID` ``(n, 5)``."""
    return np.array(list(product(*(GRID[reason] for reason in REASONS))))


def nearest_to_file() -> tuple[int, int]:
    """The choices that the weights in the file come to, for questions that name something and for the others."""
    weights = fitted_weights()
    unit = weights["lexical"]
    row = np.array([weights[reason] / unit for reason in REASONS])
    plain = row * np.array([weights["plain"], 1, 1, 1, 1])
    choices = every_weight()
    return int(np.abs(choices - row).sum(axis=1).argmin()), int(np.abs(choices - plain).sum(axis=1).argmin())


def measured(questions: list[Question]) -> Measured:
    """How well each choice of weights ranks; a document ranks as its best candidate does."""
    choices = np.vstack([every_weight(), *ALONE.values()])
    sums = np.zeros((2, len(choices), 2))
    for question in questions:
        names = sorted(set(question.documents))
        place = {name: number for number, name in enumerate(names)}
        order = np.argsort([place[name] for name in question.documents], kind="stable")
        begins = np.searchsorted([place[question.documents[at]] for at in order], range(len(names)))
        worth = np.maximum.reduceat(question.reasons[order] @ choices.T, begins, axis=0)
        ideal = sum(1 / np.log2(rank + 2) for rank in range(min(10, len(question.gold))))
        for name in question.gold & place.keys():
            rank = (worth > worth[place[name]]).sum(axis=0)
            sums[int(question.plain), :, 0] += (rank < 10) / np.log2(rank + 2) / ideal
            sums[int(question.plain), :, 1] += (rank < 20) / len(question.gold)
    return Measured(sums, len(questions))


def best(sets: Sequence[Measured], allowed: Sequence[int], present: tuple[int, int]) -> tuple[int, int]:
    """The choices for the two kinds of question. Only the weight of the vector may differ between them."""
    choices = every_weight()
    groups: dict[tuple[float, ...], list[int]] = {}
    for place in allowed:
        groups.setdefault(tuple(choices[place][1:]), []).append(place)
    found: tuple[float, tuple[int, int]] = (-np.inf, present)
    for group in groups.values():
        for named, plain in product(group, repeat=2):
            if choices[plain][0] >= choices[named][0]:
                found = max(found, (gain(sets, (named, plain), present), (named, plain)))
    return found[1]


def gain(sets: Sequence[Measured], choice: tuple[int, int], present: tuple[int, int]) -> float:
    """What a choice brings over the present one, summed over the sets, losses counted `LOSS` times."""
    gains = np.array([(one.value(*choice) - one.value(*present)) * min(1.0, one.count / ENOUGH) for one in sets])
    return float(np.where(gains < 0, LOSS * gains, gains).sum())


if __name__ == "__main__":
    main()
