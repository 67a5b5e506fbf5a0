"""What a set of questions over folders has to hold: facts on the gold lines, computed answers, nothing said in a question.

Standard library only. The builders of asked_17 and of asked_19 to asked_22 check their sets with it.
"""

import collections
import hashlib
import json
import os
import re

DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
QUOTES = {ord("‘"): "'", ord("’"): "'", ord("“"): '"', ord("”"): '"'}


def norm(text):
    return re.sub(r"\s+", " ", re.sub(r"[*`]+", "", text.translate(DASHES).translate(QUOTES))).strip().lower()


def has(text, piece):
    """Is a fact stated in a text? Digits must not run on, short words must stand alone."""
    text, piece = norm(text), norm(piece)
    pattern = re.escape(piece)
    if piece[0].isdigit():
        pattern = r"(?<![\d])(?<!\d[.,])" + pattern
    if piece[-1].isdigit():
        pattern += r"(?!\d)(?![.,]\d)"
    if re.fullmatch(r"[a-z]{1,4}", piece):
        pattern = r"(?<![a-z])" + pattern + r"(?:s|es)?(?![a-z])"
    return re.search(pattern, text) is not None


KEYS = {"id", "corpus", "question", "lang", "kind", "answerable", "facts", "gold_files", "note"}
COMPUTED = ("whole_folder", "relational")


def read_rows(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def fact_faults(row, lines, gold, texts):
    """Where the facts, the gold files and the gold lines of a question do not hold."""
    name, facts = row["id"], row["facts"]
    if sorted(lines) != sorted(row["gold_files"]):
        yield f"{name}: the gold files and those with gold lines differ"
    if row["kind"] in COMPUTED:
        right, where = gold[name]
        if any(not any(has(r, f[0]) for r in right) for f in facts) or where != lines:
            yield f"{name}: differs from the computed gold {right} {where}"
        if len(facts) < min(4, len(right)):
            yield f"{name}: too few facts"
    else:
        shown = [texts[path].split("\n")[n - 1] for path, found in lines.items() for n in found]
        yield from (f"{name}: on no gold line: {f}" for f in facts if not any(has(t, a) for a in f for t in shown))
    for wrong in row.get("must_not", []):
        if any(has(texts[path], wrong) for path in row["gold_files"]):
            yield f"{name}: must_not {wrong!r} is in a gold file"


def faults(folders, rows, lines, gold):
    """What is wrong with the questions, as lines of text."""
    seen = set()
    for row in rows:
        name, facts, texts = row["id"], row["facts"], folders[row["corpus"]]
        if set(row) - {"must_not"} != KEYS or name in seen or norm(row["question"]) in seen:
            yield f"{name}: keys, or the same question twice"
        seen |= {name, norm(row["question"])}
        if not row["answerable"] == bool(facts) == bool(row["gold_files"]) or len(facts) > 4:
            yield f"{name}: facts or gold files do not fit"
        if set(row["gold_files"]) - set(texts):
            yield f"{name}: no such file: {row['gold_files']}"
        else:
            yield from fact_faults(row, lines.get(name, {}), gold, texts)
        yield from (f"{name}: {a!r} is in the question" for f in facts for a in f if has(row["question"], a))


def elsewhere(folders, rows):
    """Files beyond the gold ones that hold all the facts of a question: where an answer could be right by accident."""
    for row in rows:
        if row["kind"] in COMPUTED or not row["facts"]:
            continue
        for path, text in folders[row["corpus"]].items():
            if path not in row["gold_files"] and all(any(has(text, a) for a in f) for f in row["facts"]):
                yield f"{row['id']}: {path}"


def digest(files):
    return hashlib.sha256("\0".join(part for item in sorted(files.items()) for part in item).encode()).hexdigest()


def others(here, folders):
    """The folders whose files are not those of folders.sha256, as when the archive has other versions."""
    with open(f"{here}/folders.sha256", encoding="utf-8") as file:
        wanted = dict(line.split()[::-1] for line in file)
    return [name for name, files in folders.items() if digest(files) != wanted[name]]


def check(here, folders, gold):
    """Print what is in a set and what is wrong with it; whether anything is.

    `here` is the folder of the set, `folders` has the texts of each folder by path, `gold` what is right for the
    questions whose answers are computed, and where it stands.
    """
    rows = read_rows(f"{here}/questions.jsonl")
    lines = {row["id"]: row["lines"] for row in read_rows(f"{here}/lines.jsonl")}
    for field in ("kind", "corpus", "lang"):
        print(field, dict(sorted(collections.Counter(r[field] for r in rows).items())))
    print("files", {name: len(files) for name, files in folders.items()})
    if os.path.exists(f"{here}/folders.sha256"):
        print("not the files that were read for the labels:", *others(here, folders))
    problems = list(faults(folders, rows, lines, gold))
    print(len(rows), "questions,", len(problems), "problems", *problems, sep="\n")
    print("all facts also in:", *elsewhere(folders, rows), sep="\n")
    return bool(problems)
