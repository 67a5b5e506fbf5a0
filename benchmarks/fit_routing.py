"""Fits the weights of the router's cues on labelled questions, and says how they do on questions left out.

    python benchmarks/fit_routing.py [--natural DIR…] [--social FILE] [--with-unseen NAME…] [--write] [--json]

Learns from ``data/routing.jsonl`` and from ``data/routing_frames.jsonl``, whose frames are filled with the topics of
``data/routing_topics.json`` and with made-up names, some of them mistyped or wrapped in courtesies. Scored on each half
of ``data/routing_unseen.jsonl`` that is not learned from: ``--with-unseen A`` adds half A to those learned from.
Each ``--natural DIR`` is a retrieval set (``queries.jsonl``): half of its questions (by hash) count as ``conceptual``
where the rules alone see nothing else in them, and the other half says how many such questions go astray. ``--social``
is a file of labelled utterances; those whose label is one of `SOCIAL` count as ``chitchat``, in halves as well.
``--write`` puts the weights where the router reads them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from kbtui.domain.routing import QUERY_TYPES, QueryType
from kbtui.reasoning.offline.classify import reading
from kbtui.reasoning.offline.cues import pieces
from kbtui.text.tokenise import stem

DATA = Path(__file__).parent / "data"
WEIGHTS = Path(__file__).parent.parent / "kbtui" / "reasoning" / "offline" / "cues.tsv"
FILLED = 4
MOST_CUES = 2500
STRENGTH = 2.0
OLD_WEIGHT = 0.5
"""The rules were tuned on those questions, and would be trusted beyond their worth if these counted like others."""
SOCIAL = (
    "greeting",
    "goodbye",
    "thank_you",
    "what_is_your_name",
    "who_made_you",
    "are_you_a_bot",
    "how_old_are_you",
    "what_can_i_ask_you",
    "tell_joke",
    "yes",
    "no",
    "maybe",
    "repeat",
    "date",
    "time",
)
NATURAL = 150
NATURAL_WEIGHT = 0.3
PRIOR = 0.35

_PARTS = (
    "max",
    "retry",
    "cache",
    "session",
    "token",
    "user",
    "queue",
    "index",
    "timeout",
    "batch",
    "worker",
    "load",
    "page",
)
_ERRORS = (
    "ValueError: invalid literal",
    "KeyError: 'name'",
    "ECONNRESET",
    "HTTP 502",
    "TypeError: unsupported operand",
    "java.io.IOException",
    "E0308 mismatched types",
    "ORA-00001",
    "0x80004005",
    "ModuleNotFoundError: No module named 'yaml'",
    "connection refused (errno 111)",
)
_POLITE = {
    "en": ("please ", "can you ", "could you please ", "hi, ", "hey "),
    "zh": ("请问", "请", "帮我", "麻烦", "你好，"),
}
_ENDS = {"en": ("?", " please", "??", " thanks", " asap"), "zh": ("？", "?", "。", "呢", "，谢谢")}
_PEOPLE = {
    "en": ("Ana Silva", "Guido", "Dr. Chen", "Linus", "Maria", "Tom Baker"),
    "zh": ("王芳", "李雷", "Guido", "陈老师"),
}


@dataclass
class Example:
    """One question to learn from; ``source`` is shared by what one frame became."""

    text: str
    label: str
    weight: float
    source: str
    cues: dict[str, float] | None = None


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--with-unseen", nargs="*", default=[], metavar="NAME", help="halves to learn from as well")
    parser.add_argument("--natural", nargs="*", default=[], type=Path, metavar="DIR")
    parser.add_argument("--social", type=Path, metavar="FILE")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    unseen = _rows(DATA / "routing_unseen.jsonl")
    examples = [
        *(Example(row["text"], row["label"], OLD_WEIGHT, row["text"]) for row in _rows(DATA / "routing.jsonl")),
        *(Example(row["text"], row["label"], 1.0, row["text"]) for row in unseen if row["half"] in options.with_unseen),
        *_filled(),
    ]
    natural = {folder.name: _natural(folder) for folder in options.natural}
    for asked in natural.values():
        own = [text for text in asked if _is_even(text)]
        chosen = random.Random(3).sample(own, min(NATURAL, len(own)))
        examples += [Example(text, "conceptual", NATURAL_WEIGHT, text) for text in chosen]
    social = [row["text"] for row in _rows(options.social) if row["label"] in SOCIAL] if options.social else []
    own = [text for text in social if _is_even(text)]
    chosen = random.Random(3).sample(own, min(NATURAL, len(own)))
    examples += [Example(text, "chitchat", NATURAL_WEIGHT, text) for text in chosen]
    words = _shared_words(examples)
    for example in examples:
        example.cues = reading(example.text).cues(words)
    names, weights, bias = _fitted(examples)
    result: dict[str, Any] = {"learned_from": len(examples), "words": len(words), "cues": len(names)}
    table = {name: at for at, name in enumerate(names)}

    def decided(text: str) -> str:
        total = bias.copy()
        for name, amount in reading(text).cues(words).items():
            if name in table:
                total += weights[table[name]] * amount
        return QUERY_TYPES[int(total.argmax())]

    for half in sorted({row["half"] for row in unseen} - set(options.with_unseen)):
        right = [decided(row["text"]) == row["label"] for row in unseen if row["half"] == half]
        result[f"unseen {half}"] = round(sum(right) / len(right), 4)
    for name, asked in natural.items():
        others = Counter(decided(text) for text in asked if not _is_even(text))
        result[f"natural {name}"] = {label: round(count / others.total(), 3) for label, count in others.items()}
    if social:
        others = Counter(decided(text) for text in social if not _is_even(text))
        result["social"] = {label: round(count / others.total(), 3) for label, count in others.items()}
    if options.write:
        _write(words, names, weights, bias)
    print(json.dumps(result) if options.json else "\n".join(f"{key}: {value}" for key, value in result.items()))
    return 0


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def _natural(folder: Path) -> list[str]:
    """The questions of a retrieval set in which no rule sees more of another type than of ``conceptual``."""
    asked = (str(row["text"]) for row in _rows(folder / "queries.jsonl"))
    return [text for text in dict.fromkeys(asked) if text and _is_plain(reading(text).sums)]


def _is_plain(sums: dict[QueryType, float]) -> bool:
    return sums["conceptual"] + PRIOR > max(sums["exact"], sums["relational"], sums["file_discovery"])


def _is_even(text: str) -> bool:
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 0


def _filled() -> list[Example]:
    """The frames with their slots filled; those without slots are taken twice, once with an end mark."""
    topics = json.loads((DATA / "routing_topics.json").read_text("utf-8"))
    chance = random.Random(3)
    examples = []
    for row in _rows(DATA / "routing_frames.jsonl"):
        frame, language = row["frame"], row["lang"]
        copies = FILLED if "{" in frame else 2
        for copy in range(copies):
            slots = _slots(chance, topics[language], language)
            text = frame.format(**slots)
            if copy:
                text = _varied(text, language, chance, social=row["label"] == "chitchat")
            examples.append(Example(text, row["label"], 1 / copies, f"frame {frame}"))
    return examples


def _slots(chance: random.Random, topics: list[str], language: str) -> dict[str, str]:
    def part() -> str:
        return chance.choice(_PARTS)

    def number() -> int:
        return chance.randint(1, 3999)

    def identifier() -> str:
        one, two, three = part(), part(), part()
        return chance.choice(
            [
                f"{one}_{two}",
                f"{one}_{two}".upper(),
                f"{one}{two.title()}{three.title()}",
                f"{one}.{two}.{three}",
                f"`{one}`",
                f"{one}_{two}_{three}".upper(),
            ]
        )

    def ticket() -> str:
        return f"{chance.choice(['PROJ', 'OPS', 'BUG', 'INFRA', 'MOB', 'PAY', 'AUTH'])}-{number()}"

    series = chance.choice(["PEP", "RFC", "ADR"])

    def document() -> str:
        return f"{series}{chance.choice([' ', ' ', '-'])}{number()}"

    quotes = ('"{}"', "'{}'") if language == "en" else ('"{}"', "“{}”")
    folders = {"en": ["docs/", "src/utils", "the docs folder", "notes/2023"], "zh": ["docs", "src/utils", "笔记"]}
    endings = ["pdf", "markdown", "yaml", "csv", "json", "python", "md", "xlsx", "txt", "sql"]
    return {
        "topic": chance.choice(topics),
        "topic2": chance.choice(topics),
        "topic3": chance.choice(topics),
        "id": identifier(),
        "func": f"{part()}_{part()}{chance.choice(['()', ''])}",
        "cls": f"{part().title()}{part().title()}",
        "ticket": ticket(),
        "ticket2": ticket(),
        "doc": document(),
        "doc2": document(),
        "docs": series if language == "zh" else f"{series}s",
        "path": f"{part()}{chance.choice(['/', ''])}{part()}.{chance.choice(['md', 'py', 'rst', 'toml', 'go'])}",
        "error": chance.choice(_ERRORS),
        "num": str(chance.randint(2, 9999)),
        "quote": chance.choice(quotes).format(chance.choice(topics)),
        "flag": f"--{chance.choice(['dry-run', 'verbose', 'no-cache', 'max-depth', 'force', 'output-dir'])}",
        "hash": f"{chance.getrandbits(28) | 0x1000000:07x}",
        "person": chance.choice(_PEOPLE[language]),
        "person2": chance.choice(_PEOPLE[language]),
        "dir": chance.choice(folders[language]),
        "ext": chance.choice(endings),
        "glob": chance.choice(["*.md", "*.yaml", "src/*.py", "*_test.go", "test_*.py", "*.csv"]),
        "verb": chance.choice(["申请", "配置", "使用", "设计", "优化", "测试", "准备", "办理"]),
    }


def _varied(text: str, language: str, chance: random.Random, *, social: bool) -> str:
    """As somebody else would type it: politely, with an end mark, mistyped or with a capital."""
    if social:
        return text + chance.choice(["!", "?", "."] if language == "en" else ["！", "。", "~"])
    draw = chance.random()
    if draw < 0.15:
        text = chance.choice(_POLITE[language]) + text
    if 0.1 < draw < 0.35:
        text += chance.choice(_ENDS[language])
    if language == "en" and 0.35 < draw < 0.5:
        text = _mistyped(text, chance)
    elif language == "en" and draw > 0.9:
        text = text[:1].upper() + text[1:]
    return text


def _mistyped(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    long = [at for at, word in enumerate(words) if word.isalpha() and len(word) >= 4]
    if not long:
        return text
    at = chance.choice(long)
    word = words[at]
    place = chance.randrange(1, len(word) - 1)
    swapped = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    dropped = word[:place] + word[place + 1 :]
    doubled = word[: place + 1] + word[place:]
    words[at] = chance.choice([swapped, dropped, doubled])
    return " ".join(words)


def _shared_words(examples: list[Example]) -> frozenset[str]:
    """Stems that at least three frames or questions share; one that names a topic needs six."""
    topics = json.loads((DATA / "routing_topics.json").read_text("utf-8"))["en"]
    topical = {stem(word) for topic in topics for word in topic.lower().split()}
    sources: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        for piece in pieces(reading(example.text).read):
            if piece.isascii() and piece[0].isalpha():
                sources[stem(piece)].add(example.source)
    return frozenset(word for word, found in sources.items() if len(found) >= (6 if word in topical else 3))


def _fitted(examples: list[Example]) -> tuple[list[str], Any, Any]:
    """Fitted on all cues that two sources share, then once more on the strongest of them."""
    sources: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        for name in example.cues or {}:
            sources[name].add(example.source)
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform([example.cues for example in examples])
    names = vectorizer.get_feature_names_out()
    kept = np.array([at for at, name in enumerate(names) if len(sources[name]) >= 2])
    labels = [example.label for example in examples]
    shares = [example.weight for example in examples]

    def fit(columns: Any) -> LogisticRegression:
        return LogisticRegression(C=STRENGTH, max_iter=600).fit(matrix[:, columns], labels, sample_weight=shares)

    strength = np.abs(fit(kept).coef_).max(axis=0)
    best = np.sort(kept[np.argsort(-strength)[:MOST_CUES]])
    model = fit(best)
    order = [list(model.classes_).index(name) for name in QUERY_TYPES]
    return [str(names[at]) for at in best], model.coef_[order].T, model.intercept_[order]


def _write(words: frozenset[str], names: list[str], weights: Any, bias: Any) -> None:
    lines = [
        "# Cues of a question's type and their weights, fitted by benchmarks/fit_routing.py (what they are: cues.py).",
        "\t".join(["cue", *QUERY_TYPES]),
        "\t".join(["words", " ".join(sorted(words))]),
        "\t".join(["bias", *(f"{weight:.2f}" for weight in bias)]),
        *("\t".join([name, *(f"{weight:.2f}" for weight in row)]) for name, row in zip(names, weights, strict=True)),
    ]
    WEIGHTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
