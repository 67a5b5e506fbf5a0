"""Questions with the sentences that answer them and others that do not, for fitting the cross-encoder.

They come from questions with lines over folders (``benchmarks/data/pointed_*``) and from three public sets: SQuAD's
passages (``xquad_en``), CLAP NQ (``clapnq_dev``) and WiCE (``wice_dev``).
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kbtui.reasoning.offline.answering.scorer import headed

LIKELY = 26
"""Sentences of a folder that share most with a question: what a ranker has to tell from those that answer it."""

BESIDE = 10
"""Sentences drawn from the same document."""

FILES = 120
"""Files of a folder that are read besides those that questions are about."""

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, kw_only=True)
class Group:
    """A question with sentences.

    Attributes:
        source: The set or folder that it comes from.
        texts: Sentences, each with its heading before it.
        worth: For each how much it says of the answer: 0 for what does not answer.
        words: How much each shares with the question.
    """

    source: str
    question: str
    texts: tuple[str, ...]
    worth: Any
    words: Any


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def pointed(base: Path, leave_out: Iterable[str] = ()) -> list[Group]:
    """The questions of ``base/questions.jsonl`` over the folders ``base/folders/NAME``.

    Args:
        leave_out: Names of folders that are not learned from.
    """
    by_folder: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows_of(base / "questions.jsonl"):
        by_folder[row["folder"]].append(row)
    found = []
    for name in sorted(by_folder.keys() - set(leave_out)):
        found += Folder(base / "folders" / name, {row["path"] for row in by_folder[name]}).groups(by_folder[name])
    return found


class Folder:
    """The sentences of a folder with their words."""

    def __init__(self, root: Path, asked: set[str]) -> None:
        self.name = root.name
        files = sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())
        files = [*sorted(asked), *[file for file in files if file not in asked][:FILES]]
        self.sentences = [(file, *rest) for file in files for rest in _sentences(root / file, file)]
        self._lengths = np.array([len(text.split()) for _, _, text, _, _ in self.sentences])
        self._holders: dict[str, list[int]] = defaultdict(list)
        for number, (_, heading, text, _, _) in enumerate(self.sentences):
            for word in set(_words(f"{heading} {text}")):
                self._holders[word].append(number)
        self._of_file: dict[str, list[int]] = defaultdict(list)
        for number, (file, *_) in enumerate(self.sentences):
            self._of_file[file].append(number)

    def groups(self, rows: Sequence[Mapping[str, Any]]) -> list[Group]:
        """A group for each question whose lines hold a sentence."""
        return [group for number, row in enumerate(rows) if (group := self._group(row, number))]

    def _group(self, row: Mapping[str, Any], seed: int) -> Group | None:
        own = self._of_file[row["path"]]
        right = [at for at in own if any(self._overlaps(at, first, last) for first, last in row["lines"])]
        holding = [at for at in right if self._holds(at, row["value"])]
        if len(right) > 6 and holding:
            right = sorted({*holding, *right[:3]})
        if not right:
            return None
        shared = self._shared(row["question"])
        likely = shared.copy()
        likely[own] += 0.5 * (shared.max() or 1.0)
        order = [*np.argsort(-likely, kind="stable")[:LIKELY], *np.random.default_rng(seed).permutation(own)[:BESIDE]]
        wrong = [at for at in dict.fromkeys(map(int, order)) if at not in right and not self._holds(at, row["value"])]
        chosen = [*right, *wrong]
        return Group(
            source=self.name,
            question=row["question"],
            texts=tuple(headed(self.sentences[at][2], self.sentences[at][1]) for at in chosen),
            worth=np.array([2.0 if at in holding else 1.0 for at in right] + [0.0] * len(wrong)),
            words=shared[chosen],
        )

    def _overlaps(self, at: int, first: int, last: int) -> bool:
        return self.sentences[at][3] <= last and first <= self.sentences[at][4]

    def _holds(self, at: int, value: str) -> bool:
        return " ".join(value.split()).lower() in " ".join(self.sentences[at][2].split()).lower()

    def _shared(self, question: str) -> Any:
        count = len(self.sentences)
        found = np.zeros(count)
        for word in set(_words(question)):
            holders = self._holders.get(word, [])
            if 0 < len(holders) < 0.2 * count:
                found[holders] += math.log(count / len(holders))
        return found / (1 + 0.02 * self._lengths)


def _sentences(path: Path, name: str) -> Iterable[tuple[str, str, int, int]]:
    from kbtui.reasoning.offline.quotable import document_kind
    from kbtui.text.sentences import sentences

    text, heading = path.read_text("utf-8", errors="replace"), ""
    for sentence in sentences(text, 1, document_kind(name, text)):
        if sentence.kind == "heading":
            heading = sentence.text
        else:
            yield heading, sentence.text, sentence.start_line, sentence.end_line


def _words(text: str) -> list[str]:
    return [word[:-1] if len(word) > 4 and word.endswith("s") else word for word in _WORD.findall(text.lower())]


def _in_common(question: str, texts: Sequence[str]) -> Any:
    words = set(_words(question))
    return np.array([len(words & set(_words(text))) / (5 + len(text.split()) ** 0.5) for text in texts])


def _group_of(source: str, question: str, texts: Sequence[str], right: Sequence[bool]) -> Group:
    return Group(
        source=source,
        question=question,
        texts=tuple(texts),
        worth=np.array(right, float),
        words=_in_common(question, texts),
    )


def passages(base: Path) -> list[Group]:
    """Every second question of a set in SQuAD's form: the sentence of its passage that holds the answer."""
    from kbtui.text.sentences import sentences

    documents = {row["id"]: row for row in rows_of(base / "corpus.jsonl")}
    split = {key: [one.text for one in sentences(row["text"], 1, None)] for key, row in documents.items()}
    same = defaultdict(list)
    for key, row in documents.items():
        same[row["title"]].append(key)
    draw = np.random.default_rng(1)
    found = []
    for row in rows_of(base / "queries.jsonl")[::2]:
        own, title = split[row["from"]], documents[row["from"]]["title"]
        others = [text for key in same[title] if key != row["from"] for text in split[key]]
        right = [any(answer.lower() in text.lower() for answer in row["answers"]) for text in own]
        if 0 < sum(right) <= 2:
            texts = [*own, *map(str, draw.permutation(others)[:16])]
            heading = title.replace("_", " ")
            flags = right + [False] * (len(texts) - len(own))
            found.append(_group_of("xquad", row["text"], [headed(text, heading) for text in texts], flags))
    return found


def natural(base: Path) -> list[Group]:
    """The questions of CLAP NQ that have an answer: its gold sentences against those of other pages."""
    documents = {row["id"]: row for row in rows_of(base / "corpus.jsonl")}
    document_of = dict(line.split()[:2] for line in (base / "qrels.tsv").read_text("utf-8").strip().split("\n"))
    split = {key: re.split(r"(?<= [.?!]) ", row["text"]) for key, row in documents.items()}
    every = [(key, text) for key, texts in split.items() for text in texts]
    draw = np.random.default_rng(2)
    found = []
    for row in rows_of(base / "queries.jsonl"):
        if not row["answerable"]:
            continue
        key = document_of[row["id"]]
        gold = [sentence.strip() for sentence in row["gold_sentences"]]
        right = [any(sentence in text or text.strip() in sentence for sentence in gold) for text in split[key]]
        drawn = [every[at] for at in draw.choice(len(every), 1500, replace=False)]
        order = np.argsort(-_in_common(row["text"], [text for _, text in drawn]))[:16]
        others = [drawn[at] for at in order if drawn[at][0] != key]
        texts = [headed(text, documents[name]["title"]) for name, text in [*((key, t) for t in split[key]), *others]]
        found.append(_group_of("clapnq", row["text"], texts, right + [False] * len(others)))
    return found


def claims(base: Path) -> list[Group]:
    """The claims of WiCE: sentences that support them against the others of their page."""
    found = []
    for row in rows_of(base / "dev.jsonl"):
        right = {at for support in row["supporting_sets"] for at in support}
        if right and len(row["sentences"]) < 150:
            flags = [at in right for at in range(len(row["sentences"]))]
            found.append(_group_of("wice", row["claim"], row["sentences"], flags))
    return found


def counts(groups: Sequence[Group]) -> str:
    """How many there are of each source."""
    return ", ".join(f"{name} {count}" for name, count in sorted(Counter(group.source for group in groups).items()))
