"""Fits how the sentences of an answer are chosen, and when nothing is answered; judged on folders left out.

    python benchmarks/fit_answers.py DIR... [--folders NAME=DIR…] [--cache DIR] [--work DIR] [--folds FILE] [--stated]
                                     [--write]

Each ``DIR`` is in answers_dev's form (see `whole_answers.py`). What the writer is given for each question is kept in
``--work``. Every folder of all sets is answered by weights fitted without it; ``--folds`` writes these weights down for
``whole_answers.py --weights``, ``--write`` fits on all folders and puts the weights where the program reads them;
``--stated`` leaves the models that choose sentences as the program has them. Needs lightgbm. The cross-encoder has seen
none of these folders (`fit_cross.py`).

A candidate is right when it states one of the question's facts in a gold file. Questions of retrieval sets were tried
as well and made the answers from long documents worse. When an answer is one is learned from the questions that have
none (`_knowing.py`); whether a folder is about a question at all, by `fit_subject.py`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from _answer_cases import Case, answers_cases, collect
from _fitting import exported
from _knowing import Known, declined, fit_stated, threshold
from sklearn.linear_model import LogisticRegression
from whole_answers import folders, read_questions

from kbtui.nl2sql.trees import Trees
from kbtui.question.answer_kinds import KINDS
from kbtui.reasoning.offline.answering.scorer import TREES

Model = dict[str, float]

STRENGTH = {"first": 0.02, "second": 0.02}
"""Of each model: the inverse of the penalty on the squares of its weights."""

RANKER = {
    "objective": "lambdarank", "learning_rate": 0.04, "num_leaves": 8, "min_data_in_leaf": 60, "feature_fraction": 0.3,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 10, "verbose": -1, "seed": 7, "num_threads": 2,
    "deterministic": True, "force_row_wise": True,
}  # fmt: skip
RANKER_TREES = 300

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
        rarity: How rare words are in the folder, for those that were asked about.
    """

    case: Case
    asked: Any
    documents: list[Any]
    candidates: list[Any]
    names: list[str]
    matrix: Any
    states: Any
    gold: Any
    rarity: Any = None

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
        rarity = Remembered(knowledge.index.rarity)
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
                names, matrix = beside_best(*lexical(asked, candidates, documents, rarity, near))
                states = np.array([case.stated(one.unit.text) for one in candidates], bool).reshape(
                    len(candidates), len(case.facts)
                )
                gold = np.array([case.is_gold(one.unit.excerpt.path) for one in candidates], bool)
                found.append(Part(case, asked, documents, candidates, names, matrix, states, gold, rarity))
        rarity.detach()
    return found


class Remembered:
    """How rare words are in a folder, asked once for each word; once detached it needs no index any more."""

    def __init__(self, rarity: Any) -> None:
        self._rarity = rarity
        self._known: dict[str, float] = {}

    def __call__(self, terms: Iterable[str]) -> dict[str, float]:
        wanted = tuple(terms)
        if self._rarity and (new := [term for term in wanted if term not in self._known]):
            self._known.update(self._rarity(new))
        return {term: self._known[term] for term in wanted if term in self._known}

    def detach(self) -> None:
        self._rarity = None


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


def fit_both(parts: Sequence[Part], embed: Any) -> tuple[dict[str, Model], Trees]:
    """The two models, the second learned from what the first leaves, and the trees beside the second."""
    names = parts[0].names
    rows = [first_rows(part) for part in parts]
    first = fitted(
        parts, rows, [part.matrix[own] for part, own in zip(parts, rows, strict=True)], names, STRENGTH["first"]
    )
    seen = [second_view(part, first, embed) for part in parts]
    rows = [kept for kept, _, _ in seen]
    matrices = [matrix for _, _, matrix in seen]
    second = fitted(parts, rows, matrices, seen[0][1], STRENGTH["second"])
    return {"first": first, "second": second}, grown(parts, rows, matrices, seen[0][1])


def grown(parts: Sequence[Part], rows: Sequence[Any], matrices: Sequence[Any], names: list[str]) -> Trees:
    """Trees that rank the candidates of a question, seen as the second model sees them."""
    usable = [at for at, part in enumerate(parts) if part.labels[rows[at]].any() and not part.labels[rows[at]].all()]
    data = lightgbm.Dataset(
        np.concatenate([matrices[at] for at in usable]),
        np.concatenate([parts[at].labels[rows[at]] for at in usable]),
        group=[len(rows[at]) for at in usable],
    )
    return exported(lightgbm.train(RANKER, data, RANKER_TREES), names)


def second_view(part: Part, first: Model, embed: Any) -> tuple[Any, list[str], Any]:
    """What the second model sees of a part: rows, names, matrix."""
    from kbtui.reasoning.offline.answering.features import with_relevance
    from kbtui.reasoning.offline.answering.scorer import CONSIDERED, applied

    scores = applied(first, part.names, part.matrix)
    kept = np.argsort(-scores, kind="stable")[:CONSIDERED]
    plain = [name for name in part.names if not name.endswith(":below")]
    matrix = part.matrix[kept][:, [part.names.index(name) for name in plain]]
    names, matrix = with_relevance(plain, matrix, *embed(part, [part.candidates[at] for at in kept]))
    return kept, names, matrix


class Reading:
    """What the embedding model and the cross-encoder say of candidates; kept by question and text."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[float, float]] = {}
        self._model: Any = None

    def __call__(self, part: Part, candidates: Sequence[Any]) -> tuple[Any, Any, Any]:
        from kbtui.reasoning.offline.answering.scorer import relevance

        return relevance(part.asked, candidates, part.documents, lambda: self)

    def relevance(self, question: str, texts: Sequence[str]) -> tuple[Any, Any]:
        new = [text for text in dict.fromkeys(texts) if (question, text) not in self._known]
        if new:
            for text, *values in zip(new, *self._opened().relevance(question, new), strict=True):
                self._known[question, text] = (values[0], values[1])
        cosines, logits = zip(*(self._known[question, text] for text in texts), strict=True)
        return np.array(cosines, np.float32), np.array(logits, np.float32)

    def across_languages(self, question: str, texts: Sequence[str]) -> Any:
        return self._opened().across_languages(question, texts)

    def _opened(self) -> Any:
        from kbtui.knowledge.embedding import open_embedder
        from kbtui.settings.model import Settings

        if self._model is None:
            self._model = open_embedder(Settings().embedding)
        return self._model


def ranked(part: Part, models: Mapping[str, Model], trees: Trees, embed: Reading) -> Any:
    """The best candidates of a part as the models score them."""
    from kbtui.reasoning.offline.answering.scorer import Scored, applied, beside_trees

    kept, names, matrix = second_view(part, models["first"], embed)
    scores = beside_trees(applied(models["second"], names, matrix), trees, names, matrix)
    order = np.argsort(-scores, kind="stable")
    return Scored(
        candidates=tuple(part.candidates[kept[at]] for at in order),
        scores=tuple(float(scores[at]) for at in order),
        features={name: matrix[order, at] for at, name in enumerate(names)},
    )


def shown(part: Part, best: Any) -> str:
    """What is shown for one part."""
    from kbtui.reasoning.offline.answering.composing import chosen_of, shape_of

    units = [unit for unit, _ in chosen_of(best, part.candidates, shape_of(part.asked.kinds))]
    return "\n".join(unit.text for unit in units)


def known_of(parts: Sequence[Part], best: Sequence[Any]) -> list[Known]:
    """The parts as `knowing` sees them."""
    from kbtui.reasoning.offline.answering.knowing import signs

    counts = Counter((part.case.corpus, part.case.id) for part in parts)
    found = []
    for part, scored in zip(parts, best, strict=True):
        key = part.case.corpus, part.case.id
        seen = signs(part.asked, scored, part.documents, part.rarity)
        found.append(Known(key, part.case.answerable, seen, counts[key]))
    return found


def report(name: str, parts: Sequence[Part], best: Sequence[Any]) -> None:
    """Print what is chosen of a folder."""
    texts: dict[str, list[str]] = defaultdict(list)
    own = {part.case.id: part.case for part in parts if part.case.answerable}
    for part, scored in zip(parts, best, strict=True):
        if part.case.answerable:
            texts[part.case.id].append(shown(part, scored))
    recall = [np.mean(case.stated("\n".join(texts[key]))) for key, case in own.items()]
    print(f"{name}: fact recall {np.mean(recall):.3f} of {len(recall)} in what is chosen", flush=True)


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
    parser.add_argument("--stated", action="store_true", help="fit only when an answer is one")
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
    fit(parts_of(cases), args.folds, write=args.write, keep=args.stated)
    return 0


def fit(parts: Sequence[Part], folds: Path | None, *, write: bool, keep: bool) -> None:
    """Fit and judge on every folder held out; write what is wanted.

    Args:
        keep: Take the models that choose sentences as they are.
    """
    from kbtui.reasoning.offline.answering import scorer

    def both(some: Sequence[Part]) -> tuple[dict[str, Model], Trees]:
        if not keep:
            return fit_both(some, embed)
        return {name: dict(scorer.weights()[name]) for name in ("first", "second")}, scorer.trees()

    embed = Reading()
    names = sorted({part.case.corpus for part in parts})
    learned = [part for part in parts if part.labels.any() and part.case.kind not in OF_RECORDS]
    models, trees, known = {}, {}, []
    for name in names:
        models[name], trees[name] = both([part for part in learned if part.case.corpus != name])
        own = [part for part in parts if part.case.corpus == name]
        best = [ranked(part, models[name], trees[name], embed) for part in own]
        report(name, own, best)
        known += known_of(own, best)
    said, texts = [], []
    for name in names:
        weights = models[name] | with_thresholds([one for one in known if one.corpus != name])
        said += declined([one for one in known if one.corpus == name], weights)
        texts.append(toml_of(weights, f'"{name}".'))
    for is_answerable in (True, False):
        if rows := [row for one, row in said if one == is_answerable]:
            kind = "answerable" if is_answerable else "unanswerable"
            print(f"{kind}: {len(rows)}, not stated {np.mean(rows):.3f}", flush=True)
    if folds:
        folds.write_text(HEAD + "\n".join(texts), "utf-8")
        arrays = {key: array for name in names for key, array in trees[name].arrays(name).items()}
        np.savez_compressed(folds.with_suffix(".npz"), **arrays)
    if write:
        weights, own_trees = both(learned)
        WEIGHTS.write_text(HEAD + toml_of(weights | with_thresholds(known)), "utf-8")
        np.savez_compressed(WEIGHTS.with_name("trees.npz"), **own_trees.arrays(TREES))


def with_thresholds(known: Sequence[Known]) -> dict[str, Model]:
    """The model of `knowing` with its threshold."""
    return {"stated": fit_stated(known), "thresholds": {"stated": threshold(known)}}


if __name__ == "__main__":
    sys.exit(main())
