"""Fits how the sentences of an answer are chosen, and when nothing is answered; judged on folders left out.

    python benchmarks/fit_answers.py DIR [--folders NAME=DIR…] [--cache DIR] [--work DIR] [--sets DIR… [--limit N]]
                                     [--folds FILE] [--write]

``DIR`` is in answers_dev's form (see `whole_answers.py`). What the writer is given for each question is kept in
``--work``. Every folder is answered by weights fitted without it; ``--folds`` writes these weights down for
``whole_answers.py --weights``, ``--write`` fits on all folders and puts the weights where the program reads them.

A candidate is right when it states one of the question's facts in a gold file. ``--sets`` are retrieval sets from
which only the last model learns, which tells answerable questions from others: their questions as they are, and with
their gold documents taken away. A Chinese one is needed, as few folders are Chinese. For choosing sentences they were
tried as well and made the answers from long documents worse.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from _answer_cases import Case, answers_cases, collect, set_cases, withheld
from sklearn.linear_model import LogisticRegression
from whole_answers import folders, read_questions

from kbtui.question.answer_kinds import KINDS

Model = dict[str, float]

STRENGTH = {"first": 0.1, "second": 0.1, "knowing": 0.05}
"""Of each model: the inverse of the penalty on the squares of its weights."""

FALSE_REFUSALS, FALSE_SILENCES = 0.05, 0.02
"""Shares of the answerable questions that are said to be not stated, or are not found, out of fold at most."""

SET_WEIGHT = 0.2
"""Of a question of a retrieval set beside one of the folders."""

WITHHELD_WEIGHT = 0.4
"""Of a question whose gold documents are taken away beside one that nothing answers."""

INTERACTION = 0.5
"""Scale of the features that hold for one kind of question: the penalty on their weights is as much larger."""

NEGATIVES = 150
"""Candidates of a question that state nothing which are learned from, the best by the words of the question."""


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
                names, matrix = beside_best(*lexical(asked, candidates, documents, knowledge.index.rarity))
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
    weights = np.concatenate([_weights(parts[at].labels[rows[at]]) for at in usable])
    sizes = defaultdict(float)
    for at in usable:
        sizes[parts[at].case.corpus] += 1
    worth = [_worth(parts[at].case) / np.sqrt(sizes[parts[at].case.corpus]) for at in usable]
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


def _worth(case: Case) -> float:
    return SET_WEIGHT if case.kind == "set" else 1.0


def _weights(labels: Any) -> Any:
    """Each question weighs 1: half for what states something, half for the rest."""
    positive = labels.sum()
    return np.where(labels == 1, 0.5 / positive, 0.5 / max(len(labels) - positive, 1))


def first_rows(part: Part) -> Any:
    """Candidates that the first model learns from: those that state something, and the best of the rest by words."""
    words = part.matrix[:, part.names.index("cov_around")] + part.matrix[:, part.names.index("cov")]
    order = np.argsort(-words, kind="stable")[:NEGATIVES]
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


@dataclass(frozen=True)
class Judged:
    """What a folder's model makes of one part: the features of the selection and what its answer says."""

    part: Part
    features: dict[str, float]
    text: str


def judged(part: Part, models: Mapping[str, Model], embed: Embedding) -> Judged:
    """One part, chosen by the models."""
    from kbtui.reasoning.offline.answering.composing import chosen_of, shape_of
    from kbtui.reasoning.offline.answering.knowing import seen
    from kbtui.reasoning.offline.answering.scorer import Scored, applied

    kept, names, matrix = second_view(part, models["first"], embed)
    scores = applied(models["second"], names, matrix)
    order = np.argsort(-scores, kind="stable")
    found = Scored(
        candidates=tuple(part.candidates[kept[at]] for at in order),
        scores=tuple(float(scores[at]) for at in order),
        features={name: matrix[order, at] for at, name in enumerate(names)},
    )
    units = [unit for unit, _ in chosen_of(found, part.candidates, shape_of(part.asked.kinds))]
    return Judged(part, seen(part.asked, found, part.documents), "\n".join(unit.text for unit in units))


def fit_knowing(cases: Sequence[Judged]) -> dict[str, Model]:
    """The model that tells answerable questions from others, and its thresholds."""
    names = list(cases[0].features)
    matrix = np.array([[one.features[name] for name in names] for one in cases])
    labels = np.array([one.part.case.answerable for one in cases], int)
    mean, scale = matrix.mean(0), np.maximum(matrix.std(0), 0.03)
    each = np.array([_worth(one.part.case) * (WITHHELD_WEIGHT if is_withheld(one) else 1.0) for one in cases])
    each /= np.where(labels == 1, (each * labels).sum(), (each * (1 - labels)).sum())
    each *= len(labels) / 2
    model = LogisticRegression(C=STRENGTH["knowing"], max_iter=400)
    model.fit((matrix - mean) / scale, labels, sample_weight=each)
    raw = model.coef_[0] / scale
    known = {name: round(float(value), 4) for name, value in zip(names, raw, strict=True)}
    return {"knowing": {"intercept": round(float(model.intercept_[0] - (raw * mean).sum()), 4), **known}}


def is_withheld(one: Judged) -> bool:
    return one.part.case.id.endswith(" withheld")


def is_judged(part: Part) -> bool:
    """A question of a folder as it was asked."""
    return part.case.kind != "set" and not part.case.id.endswith(" withheld")


def likely(cases: Sequence[Judged], model: Model) -> dict[tuple[str, str], tuple[bool, float]]:
    """For each question whether it can be answered, and the probability of its best part."""
    found: dict[tuple[str, str], tuple[bool, float]] = {}
    for one in cases:
        total = model["intercept"] + sum(model[name] * value for name, value in one.features.items())
        key = one.part.case.corpus, one.part.case.id
        chance = float(1 / (1 + np.exp(-total)))
        found[key] = one.part.case.answerable, max(chance, found.get(key, (False, 0.0))[1])
    return found


def thresholds(questions: Sequence[tuple[bool, float]]) -> Model:
    """The least probabilities of an answer, and of what is shown as near."""
    yes = sorted(chance for answerable, chance in questions if answerable)
    return {
        "answered": round(yes[int(len(yes) * FALSE_REFUSALS)], 4),
        "near": round(yes[int(len(yes) * FALSE_SILENCES)], 4),
    }


def fit_all(parts: Sequence[Part], embed: Embedding, models: Mapping[frozenset[str], Any]) -> dict[str, Model]:
    """All weights from these parts; ``models`` are those fitted without each set of folders."""
    own = frozenset(part.case.corpus for part in parts)
    everything = frozenset().union(*models)
    left_out = everything - own
    # A retrieval set is in every fit: what it counts for is little.
    cases = [judged(part, models.get(left_out | {part.case.corpus}, models[left_out]), embed) for part in parts]
    knowing = fit_knowing(cases)
    # The thresholds are out of fold as well: each folder by what the others give.
    chances: list[tuple[bool, float]] = []
    for corpus in sorted({part.case.corpus for part in parts if is_judged(part)}):
        model = fit_knowing([one for one in cases if one.part.case.corpus != corpus])["knowing"]
        chances += likely(
            [one for one in cases if one.part.case.corpus == corpus and is_judged(one.part)], model
        ).values()
    return {**models[left_out], **knowing, "thresholds": thresholds(chances)}


def report(name: str, parts: Sequence[Part], weights: Mapping[str, Model], embed: Embedding) -> list[tuple[bool, Any]]:
    """Print what held-out weights do to a folder: facts in what would be shown, questions refused."""
    texts: dict[str, list[str]] = defaultdict(list)
    own = {part.case.id: part.case for part in parts}
    cases = [judged(part, weights, embed) for part in parts]
    for one in cases:
        texts[one.part.case.id].append(one.text)
    recall = [np.mean(case.stated("\n".join(texts[key]))) for key, case in own.items() if case.answerable]
    chances = likely(cases, weights["knowing"])
    print(f"{name}: fact recall {np.mean(recall):.3f} of {len(recall)} in what is chosen", flush=True)
    least = weights["thresholds"]
    return [(yes, [chance >= least["answered"], chance >= least["near"]]) for yes, chance in chances.values()]


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
    parser.add_argument("dir", type=Path)
    parser.add_argument("--folders", nargs="*", default=[], metavar="NAME=DIR")
    parser.add_argument("--cache", type=Path, help="where indexes are kept; the user's own cache without it")
    parser.add_argument("--work", type=Path, default=Path(), help="where what the writer is given is kept")
    parser.add_argument("--sets", nargs="*", default=[], type=Path, metavar="DIR")
    parser.add_argument("--limit", type=int, default=70, help="questions of each set")
    parser.add_argument("--folds", type=Path, help="write the weights that leave a folder out, a table for each folder")
    parser.add_argument("--write", action="store_true", help="write the weights that the program reads")
    args = parser.parse_args()
    if args.cache:
        os.environ["XDG_CACHE_HOME"] = str(args.cache.resolve())
    questions = read_questions(args.dir)
    roots = folders(args.dir, {question["corpus"] for question in questions}, args.folders)
    cases = []
    for corpus in sorted(roots):
        own = [question for question in questions if question["corpus"] == corpus]
        cases += collect(answers_cases(own, roots), args.work / f"briefs_{corpus}.pkl")
    for folder in args.sets:
        cases += collect(set_cases(folder, args.work, args.limit), args.work / f"briefs_{folder.name}.pkl")
    cases += [withheld(case) for case in cases if case.kind == "set" and case.brief is not None]
    fit(parts_of(cases), args.folds, write=args.write)
    return 0


def fit(parts: Sequence[Part], folds: Path | None, *, write: bool) -> None:
    """Fit and judge on every folder held out; write what is wanted."""
    embed = Embedding()
    names = sorted({part.case.corpus for part in parts if is_judged(part)})
    subsets = [frozenset(left) for size in (0, 1, 2) for left in combinations(names, size)]
    learned = [part for part in parts if part.labels.any() and part.case.kind != "set"]
    models = {left: fit_both([part for part in learned if part.case.corpus not in left], embed) for left in subsets}
    every, texts = [], []
    for name in names:
        weights = fit_all([part for part in parts if part.case.corpus != name], embed, models)
        every += report(name, [part for part in parts if part.case.corpus == name and is_judged(part)], weights, embed)
        texts.append(toml_of(weights, f"{name}."))
    yes, no = ([said for answerable, said in every if answerable is wanted] for wanted in (True, False))
    print(f"answerable: {np.mean(yes, 0)} answered, near or answered; unanswerable: {np.mean(no, 0)}", flush=True)
    if folds:
        folds.write_text(HEAD + "\n".join(texts), "utf-8")
    if write:
        WEIGHTS.write_text(HEAD + toml_of(fit_all(parts, embed, models)), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
