"""Fits whether a folder is about what is asked (`reasoning.offline.answering.subject`); judged on folders left out.

    python benchmarks/fit_subject.py DIR... [--folders NAME=DIR…] [--own N] [--foreign N] [--cache DIR] [--write]

Each ``DIR`` is a retrieval set or a set of `whole_answers.py` (see `foreign.py`). Every folder is searched for N of its
own answerable questions and for N of the others', drawn at random, and the passages are graded. Questions that passages
do not answer (lists of files, relations, small talk) are left out.

A logistic model tells them apart, folders weighing the same; every sign may only be learned to speak for or against as
it should. The least chance is that below which `NOT_FOUND` of all folders' own questions fall, each judged by weights
fitted without its folder. ``--write`` puts weights of all folders where the program reads them.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from _knowing import fitted, worth_of
from foreign import family, sources
from sklearn.metrics import roc_auc_score

Model = dict[str, float]

NOT_FOUND = 0.03
"""Share of the folders' own questions below the least chance by one search; a run looks several times."""

AGAINST = frozenset({"guessed"})

TARGET = Path(__file__).parent.parent / "kbtui" / "reasoning" / "offline" / "answering" / "subject.toml"
HEAD = "# Weights of the signs that a folder is about what is asked: made by benchmarks/fit_subject.py.\n\n"


@dataclass(frozen=True)
class Searched:
    """A question that was put to a folder, and its signs."""

    folder: str
    origin: str
    question: str
    signs: Mapping[str, float]

    @property
    def is_own(self) -> bool:
        return self.folder == self.origin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dirs", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--folders", nargs="*", default=[], action="extend", metavar="NAME=DIR")
    parser.add_argument("--own", type=int, default=40, help="own questions of each folder")
    parser.add_argument("--foreign", type=int, default=70, help="questions of other folders that each is asked")
    parser.add_argument("--cache", type=Path, help="where indexes are kept; the user's own cache without it")
    parser.add_argument("--write", action="store_true", help="write the weights that the program reads")
    args = parser.parse_args()
    if args.cache:
        os.environ["XDG_CACHE_HOME"] = str(args.cache.resolve())
    with tempfile.TemporaryDirectory() as scratch:
        kept = args.cache / "sets" if args.cache else Path(scratch)
        roots, questions = sources(args.dirs, args.folders, kept)
        searched = []
        for name in sorted(roots):
            searched += search_all(name, roots[name], drawn(name, questions, args.own, args.foreign))
            print(f"{name}: searched", file=sys.stderr)
    least = judged(searched)
    if args.write:
        rows = [f'"{name}" = {value}' for name, value in fit(searched).items()]
        TARGET.write_text(
            HEAD + "\n".join(["[subject]", *rows, "", "[thresholds]", f'"subject" = {least:.4f}', ""]), "utf-8"
        )
    return 0


def drawn(name: str, questions: Mapping[str, Sequence[str]], own: int, foreign: int) -> list[tuple[str, str]]:
    """Where each question is from, and the question; the same ones each time."""
    chance = random.Random(zlib.crc32(name.encode()))
    others = [other for other in sorted(questions) if family(other) != family(name)]
    share = -(-foreign // max(len(others), 1)) + 1
    rows = [
        (other, text)
        for other in others
        for text in chance.sample(list(questions[other]), min(share, len(questions[other])))
    ]
    chance.shuffle(rows)
    mine = chance.sample(list(questions[name]), min(own, len(questions[name])))
    return [*((name, text) for text in mine), *rows[:foreign]]


def search_all(name: str, root: Path, questions: Sequence[tuple[str, str]]) -> list[Searched]:
    """The signs of the questions that passages of a folder may answer."""
    from kbtui.bootstrap import KnowledgeBackend
    from kbtui.domain.evidence import Evidence
    from kbtui.domain.ports import CancelToken
    from kbtui.domain.routing import SubQuestion
    from kbtui.knowledge.search.background import Background
    from kbtui.question.keywords import search_keywords
    from kbtui.question.understanding import small_talk_kind, understand
    from kbtui.reasoning.offline.answering.subject import subject_signs
    from kbtui.reasoning.offline.grader import OfflineGrader
    from kbtui.settings.model import Settings

    knowledge = KnowledgeBackend(root, Settings()).knowledge
    knowledge.complete(lambda _: None, CancelToken())
    grader = OfflineGrader(lambda: knowledge.embedder, knowledge.index.rarity)
    background = Background(knowledge.index, lambda: knowledge.hybrid).score()
    found = []
    for origin, text in questions:
        if small_talk_kind(text) or understand(text).query_type in ("file_discovery", "relational"):
            continue
        translation = knowledge.translator.translated(text)
        part = SubQuestion(
            semantic_intent=text,
            search_keywords=search_keywords(text),
            translated=translation.words,
            translated_share=translation.share if translation.words else 1.0,
        )
        hits, _ = knowledge.hybrid.search(text, part.search_keywords, Settings().retrieval.top_k)
        evidence = [
            Evidence(evidence_id=f"e{at}", hit=hit, sub_question=text, score=score, kept=True)
            for at, (hit, score) in enumerate(zip(hits, grader.grade(part, hits), strict=True))
        ]
        if evidence:
            found.append(Searched(name, origin, text, subject_signs(part, evidence, background)))
    return found


def fit(searched: Sequence[Searched]) -> Model:
    """The model over these questions."""
    from kbtui.reasoning.offline.answering.subject import SUBJECT, UNSEARCHED

    signs = [one.signs for one in searched]
    labels = np.array([1.0 if one.is_own else -1.0 for one in searched])
    weights = _weights(searched)
    model = fitted(signs, labels, weights, SUBJECT, AGAINST)
    return model | {UNSEARCHED: worth_of({"search": 0.0}, model, signs, labels, weights)}


def _weights(searched: Sequence[Searched]) -> np.ndarray:
    """Folders weigh the same, and so do both kinds of questions in each."""
    keys = [(one.folder, one.is_own) for one in searched]
    return np.array([len(searched) / len(set(keys)) / keys.count(key) for key in keys])


def judged(searched: Sequence[Searched]) -> float:
    """The least chance, and figures of every folder by weights and a least chance that do not know it."""
    from kbtui.reasoning.offline.answering.subject import chance

    names = sorted({one.folder for one in searched})
    models = {name: fit([one for one in searched if one.folder != name]) for name in names}
    chances = np.array([chance(models[one.folder], one.signs) for one in searched])
    own = np.array([one.is_own for one in searched])
    folder = np.array([one.folder for one in searched])
    refused = np.zeros(len(searched), bool)
    for name in names:
        refused[folder == name] = chances[folder == name] < np.quantile(chances[own & (folder != name)], NOT_FOUND)
        mine, others = refused[own & (folder == name)], refused[~own & (folder == name)]
        print(f"{name:<20} own refused {mine.mean():.3f} of {len(mine)}, foreign {others.mean():.3f} of {len(others)}")
    print(
        f"{'all':<20} own refused {refused[own].mean():.3f} of {own.sum()}, foreign {refused[~own].mean():.3f} "
        f"of {(~own).sum()}, AUROC {roc_auc_score(own, chances):.4f}"
    )
    return float(np.quantile(chances[own], NOT_FOUND))


if __name__ == "__main__":
    sys.exit(main())
