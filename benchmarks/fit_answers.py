"""Fits how the sentences of an answer are chosen, and when nothing is answered; judged on folders left out.

    python benchmarks/fit_answers.py DIR... [--folders NAME=DIR…] [--cache DIR] [--work DIR] [--folds FILE] [--write]

Each ``DIR`` is in answers_dev's form (see `whole_answers.py`). What the writer is given for each question is kept in
``--work``. Every folder of all sets is answered by weights fitted without it; ``--folds`` writes these weights down for
``whole_answers.py --weights``, ``--write`` fits on all folders and puts the weights where the program reads them.

A candidate is right when it states one of the question's facts in a gold file. Questions of retrieval sets were tried
as well and made the answers from long documents worse.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _answer_cases import Case, answers_cases, collect
from sklearn.linear_model import LogisticRegression
from whole_answers import folders, read_questions

from kbtui.question.answer_kinds import KINDS

Model = dict[str, float]

STRENGTH = {"first": 0.02, "second": 0.02}
"""Of each model: the inverse of the penalty on the squares of its weights."""

NOT_ANSWERED, NOT_FOUND = 0.1, 0.05
"""Shares of the answerable questions that are said to be not stated or are not found, and of the latter alone."""

INTERACTION = 0.5
"""Scale of the features that hold for one kind of question: the penalty on their weights is as much larger."""

NEGATIVES = 250
"""Candidates of a question that state nothing which are learned from, the best by its words and by nearness."""

OF_RECORDS = ("whole_folder", "relational")
"""Kinds of questions that no sentence answers."""


@dataclass
class Part:
    """One part of a question with its candidates.

    Attributes:
        states: For each candidate and fact whether it states it.
        gold: For each candidate whether it stands in a gold file.
    """

    case: Case
    asked: Any
    documents: list[Any]
    candidates: list[Any]
    names: list[str]
    matrix: Any
    states: Any
    gold: Any

    @property
    def labels(self) -> Any:
        return (self.states.any(1) & self.gold).astype(int) if self.states.shape[1] else np.zeros(len(self.gold), int)


def parts_of(cases: Sequence[Case]) -> list[Part]:
    """The parts of all questions with evidence, folder by folder."""
    from kbtui.bootstrap import KnowledgeBackend
    from kbtui.domain.ports import CancelToken
    from kbtui.domain.routing import SubQuestion
    from kbtui.reasoning.citing import Citations
    from kbtui.reasoning.offline.answering import asked_of
    from kbtui.reasoning.offline.answering.candidates import candidates_of, documents_of, saying_more
    from kbtui.reasoning.offline.answering.features import beside_best, lexical
    from kbtui.reasoning.offline.answering.nearness import nearness
    from kbtui.settings.model import Settings

    found = []
    by_root: dict[Path, list[Case]] = defaultdict(list)
    for case in cases:
        by_root[case.root].append(case)
    for root, own in by_root.items():
        knowledge = KnowledgeBackend(root, Settings()).knowledge
        knowledge.complete(lambda _: None, CancelToken())
        for case in own:
            if case.brief is None:
                continue
            questions = case.brief.routing.plan.sub_questions or (SubQuestion(semantic_intent=case.question),)
            for question in questions:
                evidence = [
                    one
                    for one in case.brief.found
                    if len(questions) == 1 or one.sub_question == question.semantic_intent
                ]
                documents = documents_of(evidence)
                candidates = saying_more(
                    candidates_of(documents, Citations(knowledge.source), CancelToken()), question.semantic_intent
                )
                if not candidates:
                    continue
                asked = asked_of(question, case.question)
                near = nearness(question, candidates, documents, knowledge.near_places)
                names, matrix = beside_best(*lexical(asked, candidates, documents, knowledge.index.rarity, near))
                states = np.array([case.stated(one.unit.text) for one in candidates], bool).reshape(
                    len(candidates), len(case.facts)
                )
                gold = np.array([case.is_gold(one.unit.excerpt.path) for one in candidates], bool)
                found.append(Part(case, asked, documents, candidates, names, matrix, states, gold))
    return found


def fitted(parts: Sequence[Part], rows: Sequence[Any], matrices: Sequence[Any], names: list[str], c: float) -> Model:
    """A logistic model over standardised features, written for features as they are."""
    usable = [at for at, part in enumerate(parts) if part.labels[rows[at]].any() and not part.labels[rows[at]].all()]
    matrix = np.concatenate([matrices[at] for at in usable])
    labels = np.concatenate([parts[at].labels[rows[at]] for at in usable])
    weights = np.concatenate([_weights(parts[at], rows[at]) for at in usable])
    sizes = defaultdict(float)
    for at in usable:
        sizes[parts[at].case.corpus] += 1
    worth = [1 / np.sqrt(sizes[parts[at].case.corpus]) for at in usable]
    weights *= np.repeat(worth, [len(rows[at]) for at in usable])
    weights *= len(usable) / weights.sum()
    mean, scale = matrix.mean(0), matrix.std(0)
    scale = np.where(scale < 1e-6, np.inf, np.maximum(scale, 0.03))
    is_kind = np.array([name.partition(":")[0] in KINDS for name in names])
    scale = np.where(is_kind, scale / INTERACTION, scale)
    model = LogisticRegression(C=c, max_iter=400)
    model.fit((matrix - mean) / scale, labels, sample_weight=weights)
    raw = model.coef_[0] / scale
    result = {name: round(float(value), 4) for name, value in zip(names, raw, strict=True) if abs(value) > 1e-4}
    return {"intercept": round(float(model.intercept_[0] - (raw * mean).sum()), 4), **result}


def _weights(part: Part, rows: Any) -> Any:
    """Each question weighs 1: half for the rest, half for what states its facts, an equal share for each fact."""
    states = part.states[rows] & part.gold[rows][:, None]
    shares = (states / np.maximum(states.sum(0), 1)).sum(1)
    return np.where(shares > 0, 0.5 * shares / shares.sum(), 0.5 / max((shares == 0).sum(), 1))


def first_rows(part: Part) -> Any:
    """Candidates that the first model learns from: those that state something, and the best of the rest."""
    around, words, near = (part.matrix[:, part.names.index(name)] for name in ("cov_around", "cov", "near"))
    order = np.argsort(-(around + words + 1.5 * near), kind="stable")[:NEGATIVES]
    return np.unique(np.concatenate([order, np.flatnonzero(part.labels)]))


def fit_both(parts: Sequence[Part], embed: Any) -> dict[str, Model]:
    """The two models, the second learned from what the first leaves when it has not learned from the folder."""
    names = parts[0].names
    rows = [first_rows(part) for part in parts]
    first = fitted(
        parts, rows, [part.matrix[own] for part, own in zip(parts, rows, strict=True)], names, STRENGTH["first"]
    )
    seen = [second_view(part, first, embed) for part in parts]
    rows = [kept for kept, _, _ in seen]
    second = fitted(parts, rows, [matrix for _, _, matrix in seen], seen[0][1], STRENGTH["second"])
    return {"first": first, "second": second}


def second_view(part: Part, first: Model, embed: Any) -> tuple[Any, list[str], Any]:
    """What the second model sees of a part: rows, names, matrix."""
    from kbtui.reasoning.offline.answering.features import with_cosines
    from kbtui.reasoning.offline.answering.scorer import CONSIDERED, applied

    scores = applied(first, part.names, part.matrix)
    kept = np.argsort(-scores, kind="stable")[:CONSIDERED]
    plain = [name for name in part.names if not name.endswith(":below")]
    matrix = part.matrix[kept][:, [part.names.index(name) for name in plain]]
    names, matrix = with_cosines(plain, matrix, *embed(part, [part.candidates[at] for at in kept]))
    return kept, names, matrix


class Embedding:
    """Cosines of candidates; vectors are kept by their text."""

    def __init__(self) -> None:
        self._vectors: dict[str, Any] = {}
        self._model: Any = None

    def __call__(self, part: Part, candidates: Sequence[Any]) -> tuple[Any, Any]:
        from kbtui.reasoning.offline.answering.scorer import cosines

        return cosines(part.asked, candidates, lambda: self)

    @property
    def is_multilingual(self) -> bool:
        return False

    def _opened(self) -> Any:
        if self._model is None:
            from kbtui.knowledge.base import KnowledgeBase
            from kbtui.settings.model import Settings

            self._model = KnowledgeBase(Path(__file__).parent, Settings()).embedder
        return self._model

    def encode(self, texts: Sequence[str]) -> Any:
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        if new:
            self._vectors.update(zip(new, self._opened().encode(new), strict=True))
        return np.stack([self._vectors[text] for text in texts])

    def query(self, text: str) -> Any:
        key = f"query {text}"
        if key not in self._vectors:
            self._vectors[key] = self._opened().query(text)
        return self._vectors[key]


def shown(part: Part, models: Mapping[str, Model], embed: Embedding) -> str:
    """What is shown for one part, chosen by the models."""
    from kbtui.reasoning.offline.answering.composing import chosen_of, shape_of
    from kbtui.reasoning.offline.answering.scorer import Scored, applied

    kept, names, matrix = second_view(part, models["first"], embed)
    scores = applied(models["second"], names, matrix)
    order = np.argsort(-scores, kind="stable")
    found = Scored(
        candidates=tuple(part.candidates[kept[at]] for at in order),
        scores=tuple(float(scores[at]) for at in order),
        features={},
    )
    units = [unit for unit, _ in chosen_of(found, part.candidates, shape_of(part.asked.kinds))]
    return "\n".join(unit.text for unit in units)


def best_grades(parts: Sequence[Part]) -> dict[tuple[str, str], tuple[bool, float]]:
    """For each question whether it can be answered, and the best grade of a passage."""
    found: dict[tuple[str, str], tuple[bool, float]] = {}
    for part in parts:
        key = part.case.corpus, part.case.id
        grade = max(document.grade for document in part.documents)
        found[key] = part.case.answerable, max(grade, found.get(key, (False, 0.0))[1])
    return found


def thresholds(parts: Sequence[Part]) -> Model:
    """The least grades of an answer, and of what is shown as near."""
    yes = sorted(grade for answerable, grade in best_grades(parts).values() if answerable)
    return {
        "answered": round(yes[int(len(yes) * NOT_ANSWERED)], 4),
        "near": round(yes[int(len(yes) * NOT_FOUND)], 4),
    }


def report(name: str, parts: Sequence[Part], weights: Mapping[str, Model], embed: Embedding) -> list[tuple[bool, Any]]:
    """Print what held-out weights do to a folder, and give what they decline of each question."""
    texts: dict[str, list[str]] = defaultdict(list)
    own = {part.case.id: part.case for part in parts}
    for part in parts:
        texts[part.case.id].append(shown(part, weights, embed))
    recall = [np.mean(case.stated("\n".join(texts[key]))) for key, case in own.items() if case.answerable]
    print(f"{name}: fact recall {np.mean(recall):.3f} of {len(recall)} in what is chosen", flush=True)
    least = weights["thresholds"]
    return [(yes, [grade < least["answered"], grade < least["near"]]) for yes, grade in best_grades(parts).values()]


def toml_of(weights: Mapping[str, Model], prefix: str = "") -> str:
    """The tables of weights, features by name."""
    lines = []
    for table, model in weights.items():
        lines.append(f"[{prefix}{table}]")
        lines += [f'"{name}" = {value}' for name, value in sorted(model.items(), key=lambda row: row[0] != "intercept")]
        lines.append("")
    return "\n".join(lines)


WEIGHTS = Path(__file__).parent.parent / "kbtui" / "reasoning" / "offline" / "answering" / "weights.toml"
HEAD = "# Weights of features that choose what an answer says: made by benchmarks/fit_answers.py.\n\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dirs", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--folders", nargs="*", default=[], action="extend", metavar="NAME=DIR")
    parser.add_argument("--cache", type=Path, help="where indexes are kept; the user's own cache without it")
    parser.add_argument("--work", type=Path, default=Path(), help="where what the writer is given is kept")
    parser.add_argument("--folds", type=Path, help="write the weights that leave a folder out, a table for each folder")
    parser.add_argument("--write", action="store_true", help="write the weights that the program reads")
    args = parser.parse_args()
    if args.cache:
        os.environ["XDG_CACHE_HOME"] = str(args.cache.resolve())
    questions = read_questions(args.dirs)
    roots = folders(args.dirs, {question["corpus"] for question in questions}, args.folders)
    cases = []
    for corpus in sorted(roots):
        own = [question for question in questions if question["corpus"] == corpus]
        cases += collect(answers_cases(own, roots), args.work / f"briefs_{corpus}.pkl")
    fit(parts_of(cases), args.folds, write=args.write)
    return 0


def fit(parts: Sequence[Part], folds: Path | None, *, write: bool) -> None:
    """Fit and judge on every folder held out; write what is wanted."""
    embed = Embedding()
    names = sorted({part.case.corpus for part in parts})
    every, texts = [], []
    for name in names:
        weights = fit_all([part for part in parts if part.case.corpus != name], embed)
        every += report(name, [part for part in parts if part.case.corpus == name], weights, embed)
        texts.append(toml_of(weights, f'"{name}".'))
    yes, no = ([said for answerable, said in every if answerable is wanted] for wanted in (True, False))
    print(f"not answered, not found: {np.mean(yes, 0)} of the answerable, {np.mean(no, 0)} of the others", flush=True)
    if folds:
        folds.write_text(HEAD + "\n".join(texts), "utf-8")
    if write:
        WEIGHTS.write_text(HEAD + toml_of(fit_all(parts, embed)), "utf-8")


def fit_all(parts: Sequence[Part], embed: Embedding) -> dict[str, Model]:
    """All weights from these parts."""
    stated = [part for part in parts if part.labels.any() and part.case.kind not in OF_RECORDS]
    return {**fit_both(stated, embed), "thresholds": thresholds(parts)}


if __name__ == "__main__":
    sys.exit(main())
