"""Fits the weights by which a question's kind is told, and says how they do on questions left out.

    python benchmarks/fit_routing.py [--natural DIR…] [--pointed DIR…] [--social FILE] [--with-unseen NAME…] [--write]
        [--json]

Learns from ``data/routing.jsonl`` and from ``data/routing_frames.jsonl``, whose frames are filled with the topics of
``data/routing_topics.json`` and with made-up names, some of them mistyped or wrapped in courtesies. Scored on each half
of ``data/routing_unseen.jsonl`` that is not learned from: ``--with-unseen A`` adds half A to those learned from.
Each ``--natural DIR`` is a retrieval set (``queries.jsonl``): half of its questions (by hash) count as ``conceptual``,
also those that name something (a name in an ordinary question is no search for it), and the other half says how many
such questions go astray. Each ``--pointed DIR`` is a set of questions that lines of a document answer
(``questions.jsonl``, such as ``data/pointed_1``): those that a first fit takes for a search of files count as
``conceptual``; what it calls a relation or something literal may be that. ``--social`` is a file of labelled
utterances; those whose label is one of `SOCIAL` count as small talk, in halves as well. The kind of small talk in the
labelled files is their ``talk``. ``--write`` puts the weights where they are read.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from kbtui.question.normalise import correct_typos
from kbtui.question.query_type_model import KINDS, TALK, classes, split_pieces
from kbtui.question.understanding import normalise_question
from kbtui.text.language import simplified
from kbtui.text.tokenise import content_words, stem

DATA = Path(__file__).parent / "data"
WEIGHTS = Path(__file__).parent.parent / "kbtui" / "question" / "query_type_model.tsv"
FILLED = 8
MOST_FEATURES = 12_000
LABELLED = 3.0
"""What a question that somebody asked counts beside one that was made from a frame."""

STRENGTH = 4.0
_FILES = {
    "en": [
        *("pdf files", "log files", "temporary files", "hidden files", "large files", "config files", "binary files"),
        *("documents", "old documents", "word documents", "scanned documents", "shared documents", "private notes"),
        *("spreadsheets", "csv files", "images", "screenshots", "attachments", "archives", "zip files", "backup files"),
        *(
            "lock files",
            "cache files",
            "duplicate files",
            "empty files",
            "drafts",
            "pages",
            "markdown notes",
            "reports",
        ),
    ],
    "zh": [
        *("PDF文件", "日志文件", "临时文件", "隐藏文件", "大文件", "配置文件", "文档", "Word文档", "旧文档", "表格"),
        *("图片", "截图", "附件", "压缩包", "备份文件", "缓存文件", "重复文件", "草稿", "笔记", "报告"),
    ],
}
_ACTS = {
    "en": [
        *(("index", "indexed"), ("read", "read"), ("open", "opened"), ("delete", "deleted"), ("encrypt", "encrypted")),
        *(("upload", "uploaded"), ("share", "shared"), ("import", "imported"), ("edit", "edited"), ("scan", "scanned")),
        *(("convert", "converted"), ("restore", "restored"), ("exclude", "excluded"), ("compress", "compressed")),
        *(("handle", "handled"), ("skip", "skipped"), ("commit", "committed"), ("search", "searched")),
    ],
    "zh": [
        (act, act) for act in ("索引", "读取", "打开", "删除", "加密", "上传", "共享", "导入", "编辑", "转换", "恢复")
    ],
}
"""What questions are about that are not for files but about files, and what is done with these."""

SOCIAL = {
    "greeting": "greeting",
    "goodbye": "farewell",
    "thank_you": "thanks",
    "what_is_your_name": "identity",
    "who_made_you": "identity",
    "are_you_a_bot": "identity",
    "how_old_are_you": "identity",
    "what_can_i_ask_you": "capability",
    **dict.fromkeys(("tell_joke", "yes", "no", "maybe", "repeat", "date", "time"), "smalltalk"),
}
"""Labels of utterances that are small talk, and of which kind."""
NATURAL = 150
NATURAL_WEIGHT = 0.5

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


Fit = tuple[list[str], Any, Any]
"""Features, a row of weights by kind for each, and the bias by kind."""


@dataclass
class Example:
    """One question to learn from; ``source`` is shared by what one frame became."""

    text: str
    label: str
    weight: float
    source: str
    found: frozenset[str] = frozenset()


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--with-unseen", nargs="*", default=[], metavar="NAME", help="halves to learn from as well")
    parser.add_argument("--natural", nargs="*", default=[], type=Path, metavar="DIR")
    parser.add_argument("--pointed", nargs="*", default=[], type=Path, metavar="DIR")
    parser.add_argument("--social", type=Path, metavar="FILE")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    unseen = _rows(DATA / "routing_unseen.jsonl")
    examples = [
        *(Example(row["text"], _kind(row), LABELLED, row["text"]) for row in _rows(DATA / "routing.jsonl")),
        *(
            Example(row["text"], _kind(row), LABELLED, row["text"])
            for row in unseen
            if row["half"] in options.with_unseen
        ),
        *_filled(),
    ]
    natural = {folder.name: _natural(folder) for folder in options.natural}
    for asked in natural.values():
        own = [text for text in asked if _is_even(text)]
        chosen = random.Random(3).sample(own, min(NATURAL, len(own)))
        examples += [Example(text, "conceptual", NATURAL_WEIGHT, text) for text in chosen]
    rows = [row for row in _rows(options.social) if row["label"] in SOCIAL] if options.social else []
    examples += [
        Example(row["text"], SOCIAL[row["label"]], NATURAL_WEIGHT, row["text"]) for row in rows if _is_even(row["text"])
    ]
    words, talk = _shared_words(examples), _talk(examples, {row["text"] for row in rows})
    decided, fit = _fit(examples, words)
    astray = [
        text
        for folder in options.pointed
        for text in dict.fromkeys(row["question"] for row in _rows(folder / "questions.jsonl"))
        if decided(text) == "file_discovery"
    ]
    if astray:
        examples += [Example(text, "conceptual", NATURAL_WEIGHT, text) for text in astray]
        decided, fit = _fit(examples, words)
    names, weights, bias = fit
    result: dict[str, Any] = {"learned_from": len(examples), "words": len(words), "features": len(names)}

    for half in sorted({row["half"] for row in unseen} - set(options.with_unseen)):
        right = [decided(row["text"]) == row["label"] for row in unseen if row["half"] == half]
        result[f"unseen {half}"] = round(sum(right) / len(right), 4)
    for name, asked in natural.items():
        others = Counter(decided(text) for text in asked if not _is_even(text))
        result[f"natural {name}"] = {label: round(count / others.total(), 3) for label, count in others.items()}
    if rows:
        others = Counter(decided(row["text"]) for row in rows if not _is_even(row["text"]))
        result["social"] = {label: round(count / others.total(), 3) for label, count in others.items()}
    if options.write:
        _write(words, talk, names, weights, bias)
    print(json.dumps(result) if options.json else "\n".join(f"{key}: {value}" for key, value in result.items()))
    return 0


def _fit(examples: list[Example], words: frozenset[str]) -> tuple[Callable[[str], str], Fit]:
    """Fits on ``examples``; what tells the type of a text, and the fit."""
    for example in examples:
        # A second fit has most of its examples from the first.
        example.found = example.found or normalise_question(example.text).features(words)
    names, weights, bias = _fitted(examples)
    table = {name: at for at, name in enumerate(names)}

    def decided(text: str) -> str:
        found = normalise_question(text).features(words)
        total = bias + sum((weights[table[name]] for name in found if name in table), np.zeros(len(KINDS)))
        kind = KINDS[int(total.argmax())]
        return "chitchat" if kind in TALK else kind

    return decided, (names, weights, bias)


def _kind(row: dict[str, Any]) -> str:
    return str(row["talk"] if row["label"] == "chitchat" else row["label"])


def _talk(examples: list[Example], social: Collection[str]) -> frozenset[str]:
    """Chinese characters and stems of small talk, as `kinds.strange` looks for them; ``social`` are utterances."""
    found: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        if example.label in TALK:
            for word in content_words(correct_typos(simplified(example.text.lower()))):
                is_han = "\u3400" <= word[0] <= "\u9fff"
                for part in word if is_han else [stem(word.lower())]:
                    found[part].add(example.source)
    # A word that one utterance of a large collection holds may be its topic.
    return frozenset(
        part for part, sources in found.items() if len(sources) > 1 or not part.isascii() or sources.isdisjoint(social)
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def _natural(folder: Path) -> list[str]:
    """The questions of a retrieval set, each once."""
    return [text for text in dict.fromkeys(str(row["text"]) for row in _rows(folder / "queries.jsonl")) if text]


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
            examples.append(Example(text, _kind(row), 1 / copies, f"frame {frame}"))
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
    files = chance.sample(_FILES[language], 2)
    act, acted = chance.choice(_ACTS[language])
    return {
        "files": files[0],
        "files2": files[1],
        "act": act,
        "acted": acted,
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
        for piece in split_pieces(normalise_question(example.text).read):
            if piece.isascii() and piece[0].isalpha():
                sources[stem(piece)].add(example.source)
    shared = {word for word, found in sources.items() if len(found) >= (6 if word in topical else 3)}
    return frozenset(shared | classes().keys())


def _fitted(examples: list[Example]) -> Fit:
    """Fitted on all features that two sources share; the strongest are kept, with the weights they have beside others.

    Fitted anew without the others they would overreach: measured, half a point less on what was left out.
    """
    sources: dict[str, set[str]] = defaultdict(set)
    for example in examples:
        for name in example.found:
            sources[name].add(example.source)
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform([dict.fromkeys(example.found, 1.0) for example in examples])
    names = vectorizer.get_feature_names_out()
    shared = np.array([at for at, name in enumerate(names) if len(sources[name]) >= 2])
    labels = [example.label for example in examples]
    shares = [example.weight for example in examples]
    model = LogisticRegression(C=STRENGTH, max_iter=400, tol=1e-3)
    model.fit(matrix[:, shared], labels, sample_weight=shares)
    best = np.sort(np.argsort(-np.abs(model.coef_).max(axis=0))[:MOST_FEATURES])
    order = [list(model.classes_).index(name) for name in KINDS]
    return [str(names[at]) for at in shared[best]], model.coef_[np.ix_(order, best)].T, model.intercept_[order]


def _write(words: frozenset[str], talk: frozenset[str], names: list[str], weights: Any, bias: Any) -> None:
    rows = {"bias": 100 * bias, **dict(zip(names, 100 * weights, strict=True))}
    lines = [
        "# How features of a question speak for its kind, in hundredths: benchmarks/fit_routing.py, kinds.py.",
        "\t".join(["feature", *KINDS]),
        "\t".join(["words", " ".join(sorted(words))]),
        "\t".join(["talk", " ".join(sorted(talk))]),
        # Sorted as their bytes are, which is how they are looked up.
        *("\t".join([name, *(f"{weight:.0f}" for weight in row)]) for name, row in sorted(rows.items())),
    ]
    WEIGHTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
