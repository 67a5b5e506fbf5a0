"""Does the citation checker find what lines do not bear out, and does it leave alone what they do?

    python benchmarks/citations.py DIR... [--json] [--limit N] [--draws N] [--shipped]

Each ``DIR`` is one of four kinds of sets, told by its files:

    claims      ``dev.jsonl``: claims, the article each is about, which of its sentences support it (WiCE, Kamoi 2023)
    passages    ``queries.jsonl`` with ``gold_sentences``: answers of people, and the sentences they rest on (CLAP NQ)
    sentences   ``corpus.jsonl`` in Chinese: the sentences of its passages
    questions   ``queries.jsonl`` with ``answers`` and ``qrels.tsv``: reference answers, and the sections they rest on

AUROC, of the score of a sentence on the lines it is said to rest on:

    lines       the lines that support it, against the other lines of the same document
    claims      claims that their article supports, against claims that it does not (``partly``: only in part)
    similar     its own document, against the most similar other one

Beside it, over the same lines: the cosine of the embedding model, and the share of the sentence's tokens in the lines.
``corrupted`` takes true sentences (gold sentences as they stand, answers of people) and changes them: another number,
a number of the same passage, another name, a name of the same passage, the citation of a random and of a similar
document. It says what share of each is marked at the program's own threshold, and what share of the true ones is. What
a number or name is changed into is left to chance, so that each is changed in ``--draws`` ways, which count as one.
Numbers and names have to be exact, so a claim that names what its page, title and the text before it do not is neither
true nor corrupted here: it has a row of its own, beside the totals.

The coefficients were fitted on some of these sets (``fit_support.py``). Each of their documents is judged by others,
fitted without it (``data/support_folds.toml``: five parts of the documents, five fits), all the rest by those of kbtui;
``--shipped`` has everything judged by these.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from _common import machine, percentile
from grading import area, share

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking import facts as checking_facts
from kbtui.reasoning.checking import neighbours as neighbours_of_facts
from kbtui.reasoning.checking import numerals, passages
from kbtui.reasoning.checking import support as scoring
from kbtui.reasoning.checking.checker import AnswerChecker, Source
from kbtui.reasoning.checking.facts import Fact, facts, ground
from kbtui.reasoning.checking.passages import Passage, passage
from kbtui.reasoning.checking.standing import Claim, KnownTexts
from kbtui.reasoning.checking.support import SUPPORTED, Scorer, Support, claim_of
from kbtui.reasoning.citing import Citations, Excerpt
from kbtui.text.language import has_cjk
from kbtui.text.sentences import sentences
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import tokens

LINES_OF_PASSAGE = 20
"""Sentences of an article that are shown to the checker as one passage."""

SENTENCES = 10
MOST_SOURCES = 10
MOST_TIMED = 600

BEYOND = "claims beyond their page"
"""Claims that people took for supported though they name what the page does not."""

Rarity = Callable[[Any], dict[str, float]]
"""How rare each of some words is, 0 to 1."""

FOLDS = 5
FOLDS_FILE = Path(__file__).parent / "data" / "support_folds.toml"

SHORTEST = 25
"""Characters of a sentence worth checking."""


@dataclass(frozen=True)
class Case:
    """A sentence and the lines it is said to rest on.

    Attributes:
        group: ``lines``, ``claims``, ``similar`` or ``corrupted``.
        kind: What it is within its group: ``true``, or why it is not.
        document: To whose fold it belongs.
        cited: The lines, a passage each.
        before: What stands before it, where it was taken from: whoever judged it had read that.
        wrong: The number or name that it was given instead of the right one.
        counts: What it counts in totals: less where the same sentence is changed in several ways.
    """

    group: str
    kind: str
    document: str
    text: str
    cited: tuple[Passage, ...]
    title: str = ""
    question: str = ""
    before: str = ""
    wrong: str = ""
    counts: float = 1.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="one object a set")
    parser.add_argument("--limit", type=int, help="only N cases of each kind")
    parser.add_argument("--draws", type=int, default=3, help="ways to change a sentence")
    parser.add_argument("--shipped", action="store_true", help="judged by the coefficients that kbtui has")
    options = parser.parse_args()
    embedder = open_model()
    folds = None if options.shipped or not FOLDS_FILE.exists() else tomllib.loads(FOLDS_FILE.read_text("utf-8"))
    for folder in options.folders:
        unseen = folds if folds is not None and folder.name in folds["sets"] else None
        cases = [
            replace(case, counts=1 / options.draws) if case.wrong else case
            for draw in range(options.draws)
            for case in drawn(folder, draw, options.limit)
        ]
        result = {
            "set": folder.name,
            "coefficients": "fitted without the document" if unseen else "shipped",
            **evaluate(cases, embedder, unseen),
            **machine(),
        }
        if options.json:
            print(json.dumps(result, ensure_ascii=False), flush=True)
        else:
            print_table(result)


def open_model() -> Any:
    from kbtui.knowledge.embedding import open_embedder
    from kbtui.settings.model import Settings

    embedder = open_embedder(Settings().embedding)
    embedder.query("ready")
    return embedder


def fold_of(document: str) -> int:
    """To which part of the documents one belongs, by its name alone."""
    return hashlib.sha256(document.encode()).digest()[0] % FOLDS


@contextmanager
def judged_by(models: dict[str, Any]) -> Iterator[None]:
    """The checker uses these coefficients."""
    shipped = scoring.coefficients
    scoring.coefficients = lambda: models
    try:
        yield
    finally:
        scoring.coefficients = shipped


def limited(cases: Sequence[Case], limit: int | None) -> list[Case]:
    if limit is None:
        return list(cases)
    seen: dict[tuple[str, str], int] = {}
    found = []
    for case in cases:
        key = (case.group, case.kind)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= limit:
            found.append(case)
    return found


def drawn(folder: Path, draw: int, limit: int | None = None) -> list[Case]:
    """The cases of a set; of a further draw only what it changes in another way."""
    cases = limited(cases_of(folder, draw), limit)
    return [case for case in cases if case.wrong] if draw else cases


# Cases ----------------------------------------------------------------------------------------------------------------


def cases_of(folder: Path, draw: int = 0) -> list[Case]:
    """All cases of a set.

    Args:
        folder: Of the set.
        draw: Another one changes sentences in another way.
    """
    if (folder / "dev.jsonl").exists():
        return list(claim_cases(rows_of(folder / "dev.jsonl"), draw))
    corpus = {row["id"]: row for row in rows_of(folder / "corpus.jsonl")}
    queries = rows_of(folder / "queries.jsonl")
    if any("gold_sentences" in row for row in queries):
        return list(passage_cases(corpus, queries, draw))
    if sum(has_cjk(row["text"]) for row in corpus.values()) > len(corpus) / 2:
        return list(sentence_cases(corpus, draw))
    qrels: dict[str, list[str]] = {}
    for line in (folder / "qrels.tsv").read_text("utf-8").split("\n"):
        if line:
            query, document, relevance = line.split("\t")
            if int(relevance) > 0:
                qrels.setdefault(query, []).append(document)
    return list(question_cases(corpus, queries, qrels, draw))


def claim_cases(rows: Sequence[dict[str, Any]], draw: int) -> Iterator[Case]:
    """Claims and articles."""
    chance = random.Random(11 + 100 * draw)
    nearest = neighbours({row["id"]: {"title": "", "text": " ".join(row["sentences"])} for row in rows})
    by_id = {row["id"]: row for row in rows}

    def of_row(row: dict[str, Any]) -> Iterator[Case]:
        gold = sorted({at for one in row["supporting_sets"] for at in one})
        article, title = article_of(row)
        whole = tuple(
            of_lines(article[at : at + LINES_OF_PASSAGE], title, at + 1)
            for at in range(0, len(article), LINES_OF_PASSAGE)
        )
        kind = {"supported": "true", "partially_supported": "partly", "not_supported": "not"}[row["label"]]
        yield Case("claims", kind, row["id"], row["claim"], whole, title)
        if row["label"] != "supported" or not gold:
            return
        best = min(row["supporting_sets"], key=len)
        yield Case("lines", "true", row["id"], row["claim"], (of_lines([article[at] for at in best], title),), title)
        rest = [line for at, line in enumerate(article) if at not in gold and len(line) >= SHORTEST]
        if rest:
            others = chance.sample(rest, min(len(best), len(rest)))
            yield Case("lines", "others", row["id"], row["claim"], (of_lines(others, title),), title)
        there = " ".join((*article, title, row["context"]))
        lacks = not is_stated(row["claim"], there)
        yield Case("corrupted", BEYOND if lacks else "true: claims of people", row["id"], row["claim"], whole, title)
        stands = [detached(article[at]) for at in best if len(article[at]) >= SHORTEST and "(meta" not in article[at]]
        for text in stands:
            yield Case("corrupted", "true: as they stand", row["id"], text, whole, title)
        for text in [*([] if lacks else [row["claim"]]), *stands]:
            other = chance.choice(rows)
            lines, name = article_of(other)
            foreign = of_lines(lines[1:], name)
            for case in corrupted(text, of_lines(article, title), foreign, row["id"], title, chance):
                if case.text != text:
                    yield replace(case, cited=whole, before=row["context"] if text == row["claim"] else "")
            if other["sentences"][0] != row["sentences"][0]:
                yield Case("corrupted", "citation, random", row["id"], text, (foreign,), title)
            similar = of_lines(*article_of(by_id[nearest[row["id"]]]))
            yield Case("corrupted", "citation, similar", row["id"], text, (similar,), title)
            if rest:
                lines = chance.sample(rest, min(len(best), len(rest)))
                yield Case("corrupted", "citation, same page", row["id"], text, (of_lines(lines, title),), title)
        # The same article without what supports the claim: the nearest that a wrong citation can be.
        bare = [("" if at in gold else line) for at, line in enumerate(article)]
        yield Case(
            "claims",
            "gold taken away",
            row["id"],
            row["claim"],
            tuple(
                of_lines(bare[at : at + LINES_OF_PASSAGE], title, at + 1)
                for at in range(0, len(bare), LINES_OF_PASSAGE)
            ),
            title,
        )

    for row in rows:
        for case in of_row(row):
            yield replace(case, before=row["context"]) if case.text == row["claim"] else case


def article_of(row: dict[str, Any]) -> tuple[list[str], str]:
    """The lines of an article, and its title."""
    lines = [line.replace("\n", " ") for line in row["sentences"]]
    return lines, lines[0].removeprefix("(meta data) TITLE:").strip() if lines else ""


def is_stated(text: str, there: str) -> bool:
    """Every number in digits and every capitalised word, but the first of a sentence, stands there in some form.

    Plain on purpose, and not what the checker does: it says which claims may count as true at all where numbers and
    names have to be exact. Of what the page does not give, nobody can say whether a mark is false.
    """
    lower = there.lower().replace(",", "")
    for match in re.finditer(r"\d+(?:[.:,]\d+)*", text):
        if not re.search(rf"(?<!\d){re.escape(match[0].replace(',', ''))}(?!\d)", lower):
            return False
    for match in re.finditer(r"[A-Z]\w*", text):
        begins = re.search(r"(?:^|[.!?:]\s+)[\"“]?$", text[: match.start()])
        if not begins and match[0].lower() not in lower:
            return False
    return True


def passage_cases(corpus: dict[str, dict[str, Any]], queries: Sequence[dict[str, Any]], draw: int) -> Iterator[Case]:
    """Answers of people, gold sentences, passages."""
    chance = random.Random(12 + 100 * draw)
    nearest = neighbours(corpus)
    names = sorted(corpus)

    def of_query(row: dict[str, Any]) -> Iterator[Case]:
        if not row.get("answerable") or row["from"] not in corpus:
            return
        document = corpus[row["from"]]
        title = document["title"]
        lines = split(document["text"])
        gold = {squeezed(line) for line in row["gold_sentences"]}
        there = [line for line in lines if any(squeezed(line) in one or one in squeezed(line) for one in gold)]
        rest = [line for line in lines if line not in there and len(line) >= SHORTEST]
        own = of_lines(lines, title)
        answers = dict.fromkeys(line for answer in row["answers"] for line in split(answer) if len(line) >= SHORTEST)
        for text in answers:
            if there:
                yield Case("lines", "true", row["from"], text, (of_lines(there, title),), title)
            if rest and there:
                yield Case("lines", "others", row["from"], text, (of_lines(rest, title),), title)
            other = corpus[nearest[row["from"]]]
            yield Case("similar", "true", row["from"], text, (own,), title)
            yield Case("similar", "others", row["from"], text, (of_lines(split(other["text"]), other["title"]),), title)
            yield Case("corrupted", "true: answers of people", row["from"], text, (own,), title)
        stands = [detached(text) for text in there if len(text) >= SHORTEST]
        for text in stands:
            yield Case("corrupted", "true: as they stand", row["from"], text, (own,), title)
        for text in [*answers, *stands]:
            far = corpus[chance.choice(names)]
            near = corpus[nearest[row["from"]]]
            foreign = of_lines(split(far["text"]), far["title"])
            yield from (case for case in corrupted(text, own, foreign, row["from"], title, chance) if case.text != text)
            if far is not document:
                yield Case("corrupted", "citation, random", row["from"], text, (foreign,), title)
            yield Case(
                "corrupted",
                "citation, similar",
                row["from"],
                text,
                (of_lines(split(near["text"]), near["title"]),),
                title,
            )

    for row in queries:
        yield from (replace(case, question=row["text"]) for case in of_query(row))


def sentence_cases(corpus: dict[str, dict[str, Any]], draw: int) -> Iterator[Case]:
    """Sentences of passages, as they stand and with their clauses in another order; of other passages."""
    chance = random.Random(14 + 100 * draw)
    nearest = neighbours(corpus)
    names = sorted(corpus)
    for name in names:
        lines = [one.text for one in sentences(corpus[name]["text"])]
        title = corpus[name]["title"]
        own = of_lines(lines, title)
        near, far = (corpus[other] for other in (nearest[name], chance.choice(names)))
        for text in chance.sample(lines, min(3, len(lines))):
            if len(text) < 10:
                continue
            clauses = re.split("，", text.rstrip("。！？"))
            reworded = "，".join([*clauses[1:], clauses[0]]) + "。"
            yield Case("corrupted", "true: as they stand", name, text, (own,), title)
            yield Case("corrupted", "true: clauses moved", name, reworded, (own,), title)
            yield Case("similar", "true", name, reworded, (own,), title)
            for kind, other in (("citation, similar", near), ("citation, random", far)):
                if other is corpus[name]:
                    continue
                cited = of_lines([one.text for one in sentences(other["text"])], other["title"])
                yield Case("corrupted", kind, name, text, (cited,), title)
                if other is near:
                    yield Case("similar", "others", name, reworded, (cited,), title)
            foreign = of_lines([one.text for one in sentences(far["text"])], far["title"])
            yield from (case for case in corrupted(text, own, foreign, name, title, chance) if case.text != text)


def question_cases(
    corpus: dict[str, dict[str, Any]], queries: Sequence[dict[str, Any]], qrels: dict[str, list[str]], draw: int
) -> Iterator[Case]:
    """Reference answers and the sections they rest on."""
    chance = random.Random(13 + 100 * draw)
    nearest = neighbours(corpus)
    names = sorted(corpus)

    def of_query(row: dict[str, Any]) -> Iterator[Case]:
        documents = [corpus[one] for one in qrels.get(row["id"], ()) if one in corpus]
        if not documents:
            return
        own = tuple(of_lines(split(one["text"]), one["title"], n=n) for n, one in enumerate(documents, start=1))
        key = documents[0]["id"]
        for text in [line for answer in row["answers"] for line in split(answer) if len(line) >= SHORTEST]:
            other = next(one for one in (nearest[key], *names) if one not in qrels[row["id"]])
            near = of_lines(split(corpus[other]["text"]), corpus[other]["title"])
            far = corpus[chance.choice([name for name in names if name not in qrels[row["id"]]])]
            foreign = of_lines(split(far["text"]), far["title"])
            yield Case("similar", "true", key, text, own)
            yield Case("similar", "others", key, text, (near,))
            yield Case("corrupted", "true: answers of people", key, text, own)
            for case in corrupted(text, own[0], foreign, key, "", chance):
                if case.text == text:
                    continue
                yield replace(case, cited=own, title="")
            yield Case("corrupted", "citation, random", key, text, (foreign,))

    for row in queries:
        yield from (replace(case, question=row["text"]) for case in of_query(row))


def corrupted(
    text: str, own: Passage, foreign: Passage, document: str, title: str, chance: random.Random
) -> Iterator[Case]:
    """A true sentence with one number or name changed.

    A name of a passage is one that a line of it holds: words of two lines make none, and what the passage also has in
    lower case is none. What takes the place of another has to be another thing: not the same with another ending, not a
    further part of the same name (“Jan” for “Stuart”, where Jan Stuart is spoken of).
    """
    found = [fact for fact in facts(text) if fact.text in text]
    there = [fact for unit in own.units for fact in facts_of(unit.text)]
    elsewhere = [fact for unit in foreign.units for fact in facts_of(unit.text)]

    def changed(old: str, new: str, kind: str) -> Case:
        pattern = rf"(?<![A-Za-z0-9_.,]){re.escape(old)}(?![A-Za-z0-9_])"
        false = re.sub(pattern, lambda _: new, text)
        return Case("corrupted", kind, document, false, (own,), title, wrong=new)

    numbers = [fact for fact in found if fact.kind == "number" and re.search(r"\d", fact.text)]
    if numbers:
        fact = chance.choice(numbers)
        yield changed(fact.text, another_number(fact.text, chance), "number, any")
        numbers_near = [
            one.text for one in there if one.kind == "number" and alike(one.text, fact.text) and one.text not in text
        ]
        if numbers_near:
            yield changed(fact.text, chance.choice(numbers_near), "number, of the passage")
    names = [fact for fact in found if fact.kind == "name" and not fact.weak]
    lower = words_in_lower_case(own)
    known = {word for one in there if one.kind == "name" and not one.weak for word in words_of(one)}
    # A first word is a name where the passage has it as one elsewhere, and never in lower case.
    firsts = [one for one in found if one.weak and one.kind == "name" and words_of(one) <= known - lower]
    near = [one for one in there if is_name(one, lower)]
    held = {word for one in (*there, *facts_of(own.title)) if one.kind == "name" for word in words_of(one)}
    lower = words_in_lower_case(foreign)
    far = [one for one in elsewhere if is_name(one, lower) and not words_of(one) & (held | known)]
    singles = [one.text for one in far if len(words_of(one)) == 1]
    if firsts and singles:
        yield changed(firsts[0].text, chance.choice(singles), "name, first word")
    if names:
        fact = chance.choice(names)
        if far:
            yield changed(fact.text, chance.choice(far).text, "name, any")
        flat = re.sub(r"[\W_]+", " ", f" {own.title} {own.excerpt.text} ".lower())
        said = {*tokens(text.lower()), *text.lower().split(), *(word for one in names for word in words_of(one))}
        near = [one for one in near if not words_of(one) & said and not is_one_name(one.value, fact.value, flat)]
        if near:
            yield changed(fact.text, chance.choice(near).text, "name, of the passage")


@lru_cache(maxsize=65536)
def facts_of(text: str) -> tuple[Fact, ...]:
    return tuple(facts(text))


def is_name(fact: Fact, lower: set[str]) -> bool:
    """A name of its own: a word of it is never written in lower case there."""
    return fact.kind == "name" and not fact.weak and not words_of(fact) <= lower


def words_of(name: Fact) -> set[str]:
    """The words of a name, without a possessive ending."""
    return {word.removesuffix("'s").rstrip(".") for word in name.value.split()}


def words_in_lower_case(one: Passage) -> set[str]:
    return set(re.findall(r"(?<![\w])[a-z]+", one.excerpt.text))


def is_one_name(one: str, other: str, flat: str) -> bool:
    """Both stand side by side as one name, or one is the initials of the other.

    Args:
        flat: The passage in lower case, without signs.
    """
    short, long = sorted((one.replace(".", ""), other), key=len)
    initials = "".join(word[0] for word in long.split())
    return any(f" {pair} " in flat for pair in (f"{one} {other}", f"{other} {one}")) or short == initials


def another_number(text: str, chance: random.Random) -> str:
    """The same with one digit changed."""
    places = [at for at, character in enumerate(text) if character.isdigit()]
    at = chance.choice(places)
    digit = chance.choice([digit for digit in "123456789" if digit != text[at]])
    return text[:at] + digit + text[at + 1 :]


def alike(one: str, other: str) -> bool:
    """Numbers of one shape: years for years, small ones for small ones."""
    return one != other and re.sub(r"\d", "0", one) == re.sub(r"\d", "0", other)


def of_lines(lines: Sequence[str], title: str, first: int = 1, n: int = 1) -> Passage:
    return passage(n, Excerpt("text", first, tuple(lines) or ("",)), title, title)


def split(text: str) -> list[str]:
    """A text as a sentence a line."""
    found: list[str] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        found += [
            piece.strip() for piece in re.split(r"(?<=[a-z0-9)\"'] \.)\s+|(?<=[a-z0-9)\"'][.!?])\s+(?=[A-Z\"(])", line)
        ]
    return [line for line in found if line]


def squeezed(text: str) -> str:
    return re.sub(r"\W+", "", text.lower())


def detached(text: str) -> str:
    """A sentence of the set, which puts spaces around its signs, as people write it."""
    text = text.replace("`` ", '"').replace(" ''", '"').replace("``", '"').replace("''", '"')
    text = re.sub(r"\s+([,.;:!?%)])", r"\1", text)
    text = re.sub(r"([(])\s+", r"\1", text)
    text = re.sub(r"(\w) (n't|'s|'re|'ve|'ll|'d)\b", r"\1\2", text)
    return re.sub(r"(\w) (-|–|/) (\w)", r"\1\2\3", text).strip()


def neighbours(corpus: dict[str, dict[str, Any]]) -> dict[str, str]:
    """For each document the one that shares most of its rare words."""
    held = {name: set(tokens(f"{row['title']} {row['text']}")) for name, row in corpus.items()}
    counts: dict[str, int] = {}
    for own in held.values():
        for token in own:
            counts[token] = counts.get(token, 0) + 1
    weights = {token: np.log(len(held) / count) for token, count in counts.items()}
    names = list(held)
    number = {token: at for at, token in enumerate(weights)}
    matrix = np.zeros((len(names), len(weights)), dtype=np.float32)
    for at, name in enumerate(names):
        for token in held[name]:
            matrix[at, number[token]] = weights[token]
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True) + 1e-9
    likeness = matrix @ matrix.T
    same = {name: squeezed(corpus[name]["text"][:200]) for name in names}
    found = {}
    for at, name in enumerate(names):
        likeness[at, at] = -1
        order = np.argsort(-likeness[at])
        found[name] = next(names[other] for other in order if same[names[other]] != same[name])
    return found


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").split("\n") if line.strip()]


# Scores ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Seen:
    """A case as the checker sees it."""

    case: Case
    claim: Claim
    support: Support
    cosine: float
    overlap: float


def rarity_of(cases: Sequence[Case]) -> Rarity:
    """How rare words are in the passages of a set, as the index of a folder says it."""
    held: dict[str, int] = {}
    texts = {one.excerpt.text: one for case in cases for one in case.cited}
    for one in texts.values():
        for term in frozenset().union(*(unit.terms for unit in one.units)):
            held[term] = held.get(term, 0) + 1

    def worth(count: int) -> float:
        return math.log(1 + (len(texts) - count + 0.5) / (count + 0.5))

    return lambda terms: {term: worth(held.get(term, 0)) / worth(0) for term in terms}


def seen(
    cases: Sequence[Case], embedder: Any, *, plain: bool = True, always: bool = False, rarity: Rarity | None = None
) -> list[Seen]:
    """Every case scored.

    Args:
        rarity: How rare words are, where these are not all cases of their set.
        plain: The cosine and the share of tokens are wanted too.
        always: Encode even where words decide, as fitting needs it.
    """
    found = []
    rarity = rarity or rarity_of(cases)
    for case in cases:
        claim, support = judged(Scorer(lambda: embedder, rarity), case, case.text, always=always)
        beside = plain_scores(case, embedder) if plain else (0.0, 0.0)
        found.append(Seen(case, claim, support, *beside))
    return found


def judged(scorer: Scorer, case: Case, text: str, *, always: bool = False) -> tuple[Claim, Support]:
    """What the lines of a case say for a sentence."""
    claim = claim_of(text, text)
    weights = scorer.weights([claim], case.cited)
    known = KnownTexts(
        question=ground(case.question) if case.question else None,
        before=(ground(case.before),) if case.before.strip() else (),
        cited=tuple(one.whole for one in case.cited),
    )
    ready = scorer.prepare(claim, scorer.windows(claim, case.cited, weights), weights, known, always=always)
    scorer.encode(ready.texts, CancelToken())
    return claim, scorer.judge(ready)


def forget() -> None:
    """Nothing that was prepared is left."""
    for room in (passages, checking_facts, neighbours_of_facts, numerals):
        for value in vars(room).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def answers_of(cases: Sequence[Case]) -> Iterator[list[Case]]:
    """True and changed sentences as two answers' worth each, on at most as many sources as an answer has.

    Those of one document stand together, as they do in an answer about it.
    """
    changed_ones = [case for case in cases if case.group == "corrupted"]
    chance = random.Random(15)
    order = {document: chance.random() for document in dict.fromkeys(case.document for case in changed_ones)}
    chance.shuffle(changed_ones)
    changed_ones.sort(key=lambda case: order[case.document])
    group: list[Case] = []
    sources: set[int] = set()
    yielded = 0
    for case in changed_ones:
        more = sources | {id(one) for one in case.cited}
        if group and (len(group) == SENTENCES or len(more) > MOST_SOURCES):
            yield group
            yielded += len(group)
            if yielded >= MOST_TIMED:
                return
            group, more = [], {id(one) for one in case.cited}
        group.append(case)
        sources = more
    if group:
        yield group


def sources_of(those: Sequence[Passage]) -> list[Source]:
    """Passages as an answer has them, each of a file of its own."""
    return [
        Source(
            n=n,
            hit=Hit(
                path=f"{n}.txt",
                start_line=one.excerpt.start_line,
                end_line=one.excerpt.end_line,
                text=one.excerpt.text,
                title=one.title,
            ),
        )
        for n, one in enumerate(those, start=1)
    ]


def timed(cases: Sequence[Case], embedder: Any, rarity: Rarity) -> dict[str, Any]:
    """Milliseconds a sentence of answers with all their sources, true and changed sentences; the model is loaded.

    Two answers share their sources. Of the ``first`` nothing is known beforehand, neither its sentences nor its lines;
    of the ``second`` the sources are, as they are when one source serves several answers, and no sentence is.
    """
    spent: dict[str, list[float]] = {}
    for group in answers_of(cases):
        held = list({id(one): one for case in group for one in case.cited}.values())
        numbers = {id(one): n for n, one in enumerate(held, start=1)}
        sources = sources_of(held)
        checker = AnswerChecker(lambda: embedder, rarity)
        forget()
        for name, part in (("first", group[::2]), ("second", group[1::2])):
            if not part:
                continue
            marks = ["".join(f"[{numbers[id(one)]}]" for one in case.cited) for case in part]
            text = "\n".join(f"- {one_line(case.text)} {mark}" for case, mark in zip(part, marks, strict=True))
            before = time.perf_counter(), time.process_time()
            checker.check(text, sources, Citations(None), CancelToken(), part[0].question)
            after = time.perf_counter(), time.process_time()
            for clock, began, ended in zip(("wall", "cpu"), before, after, strict=True):
                spent.setdefault(f"{name}, {clock}", []).append((ended - began) * 1000 / len(part))
    return {f"{name} p{at}": round(percentile(values, at), 2) for name, values in spent.items() for at in (50, 95)} | {
        "answers": sum(map(len, spent.values())) // 2
    }


def timed_alone(cases: Sequence[Case], embedder: Any, rarity: Rarity) -> dict[str, float]:
    """Milliseconds to judge a sentence by the lines it cites, which served another one before; nothing is looked for
    elsewhere, and no vector is there."""
    changed_ones = [case for case in cases if case.group == "corrupted"]
    random.Random(16).shuffle(changed_ones)
    spent = []
    for case in changed_ones[:MOST_TIMED]:
        scorer = Scorer(lambda: embedder, rarity)
        judged(scorer, case, case.cited[0].units[0].text if case.cited[0].units else case.title)
        began = time.perf_counter()
        judged(scorer, case, case.text)
        spent.append((time.perf_counter() - began) * 1000)
    return {f"p{at}": round(percentile(spent, at), 2) for at in (50, 95)}


def plain_scores(case: Case, embedder: Any) -> tuple[float, float]:
    """Cosine with the most similar unit, share of tokens in the lines."""
    own = embedder.query(case.text)
    texts = [unit.text for one in case.cited for unit in one.units]
    best = max((float(own @ vector(text, embedder)) for text in texts[:400]), default=0.0)
    wanted = set(tokens(case.text))
    held = set(tokens(" ".join(texts)))
    return best, len(wanted & held) / max(1, len(wanted))


_vectors: dict[str, Any] = {}


def vector(text: str, embedder: Any) -> Any:
    if text not in _vectors:
        _vectors[text] = embedder.encode([text])[0]
    return _vectors[text]


def evaluate(cases: Sequence[Case], embedder: Any, folds: dict[str, Any] | None = None) -> dict[str, Any]:
    """All figures of one set.

    Args:
        cases: Of the set.
        embedder: The model.
        folds: Coefficients by fold, each fitted without its documents; None for those that kbtui has.
    """
    fill_vectors(cases, embedder)
    rarity = rarity_of(cases)
    if folds is None:
        scored = seen(cases, embedder, rarity=rarity)
    else:
        scored = []
        for fold in range(FOLDS):
            with judged_by(folds[f"fold{fold}"]):
                own = [case for case in cases if fold_of(case.document) == fold]
                scored += seen(own, embedder, rarity=rarity)
    ways: dict[str, Callable[[Seen], float]] = {
        "support": lambda one: one.support.score,
        "cosine": lambda one: one.cosine,
        "overlap": lambda one: one.overlap,
    }
    rows = []
    for group, kind in dict.fromkeys((one.case.group, one.case.kind) for one in scored):
        if group == "corrupted" or kind == "true":
            continue
        true = [one for one in scored if one.case.group == group and one.case.kind == "true"]
        false = [one for one in scored if one.case.group == group and one.case.kind == kind]
        rows.append(
            {"group": group, "against": kind, "n": [len(true), len(false)]}
            | {name: area([way(one) for one in true], [way(one) for one in false]) for name, way in ways.items()}
        )
    marked = {}
    for kind in dict.fromkeys(one.case.kind for one in scored if one.case.group == "corrupted"):
        scores = [one.support.score for one in scored if one.case.group == "corrupted" and one.case.kind == kind]
        marked[kind] = {"n": len(scores), "marked": share(score < SUPPORTED for score in scores)}
    counted = [one for one in scored if one.case.group == "corrupted" and one.case.kind != BEYOND]
    wrong = [one for one in counted if not one.case.kind.startswith("true")]
    right = [one for one in counted if one.case.kind.startswith("true")]
    return {
        "auroc": rows,
        "corrupted": marked,
        "corrupted marked": marked_of(wrong),
        "true marked": marked_of(right),
        "ms_to_judge": timed_alone(cases, embedder, rarity),
        "ms_per_sentence": timed(cases, embedder, rarity),
    }


def marked_of(those: Sequence[Seen]) -> float:
    """The share of sentences that are marked."""
    marked = sum(one.case.counts for one in those if one.support.score < SUPPORTED)
    return round(marked / max(1e-9, sum(one.case.counts for one in those)), 4)


def fill_vectors(cases: Sequence[Case], embedder: Any) -> None:
    texts = sorted({unit.text for case in cases for one in case.cited for unit in one.units[:400]} - _vectors.keys())
    for start in range(0, len(texts), 512):
        group = texts[start : start + 512]
        _vectors.update(zip(group, embedder.encode(group), strict=True))


def print_table(result: dict[str, Any]) -> None:
    print(f"{result['set']} (coefficients: {result['coefficients']})")
    for row in result["auroc"]:
        cells = "  ".join(f"{name} {row[name]:.3f}" for name in ("support", "cosine", "overlap"))
        print(f"  {row['group']:>8} against {row['against']:<16} n {row['n']!s:<12} {cells}")
    for kind, row in result["corrupted"].items():
        print(f"  {kind:<26} n {row['n']:<5} marked {row['marked']}")
    print(f"  corrupted marked {result['corrupted marked']}, true marked {result['true marked']}")
    print(f"  ms to judge a sentence: {result['ms_to_judge']}")
    print(f"  ms a sentence of whole answers: {result['ms_per_sentence']}", flush=True)


if __name__ == "__main__":
    main()
