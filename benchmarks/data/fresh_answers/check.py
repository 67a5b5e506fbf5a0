"""Check questions.jsonl against the tree that build.py made, and print counts.

    python3 check.py TREE [-v]

Every fact must be in a gold file by at least one of its wordings, and none of its wordings in the question itself, both by
the matching of the labels (`present`) and by the stricter one that judges answers (`has`). Counts by kind, language and
folder. With -v it also lists the wordings that are in no gold file (translations, other spellings).
"""

import collections
import json
import re
import sys
from pathlib import Path

KEYS = {"id", "corpus", "question", "lang", "kind", "answerable", "facts", "gold_files", "note"}
WANTED = {"answerable": 48, "unanswerable_near": 8, "unanswerable_foreign": 4}
DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
QUOTES = {ord("‘"): "'", ord("’"): "'", ord("“"): '"', ord("”"): '"', ord("～"): "~", ord("\u00a0"): " "}


def norm(text):
    return " ".join(text.translate(QUOTES).replace("`", "").replace("*", "").split()).casefold()


def present(piece, text):
    """Is the piece in the text? A digit at its edge must not touch another digit."""
    p = norm(piece)
    pattern = (r"(?<!\d)" if p[0].isdigit() else "") + re.escape(p) + (r"(?!\d)" if p[-1].isdigit() else "")
    return re.search(pattern, norm(text)) is not None


def has(text, piece):
    """As `present`; a number must not go on behind a point or comma either, nor a short word within a longer one."""

    def plain(s):
        s = re.sub(r"[*`]+|\\(?=[_~*\-])", "", s.translate(DASHES).translate(QUOTES))
        return re.sub(r"\s+", " ", s).strip().lower()

    t, p = plain(text), plain(piece)
    pattern = re.escape(p)
    if p[0].isdigit():
        pattern = r"(?<![\d])(?<!\d[.,])" + pattern
    if p[-1].isdigit():
        pattern += r"(?!\d)(?![.,]\d)"
    if re.fullmatch(r"[a-z]{1,4}", p):
        pattern = r"(?<![a-z])" + pattern + r"(?:s|es)?(?![a-z])"
    return re.search(pattern, t) is not None


def problems(row, tree, verbose):
    if KEYS - set(row) or set(row) - KEYS - {"must_not"}:
        yield "keys"
    if row["answerable"] != bool(row["facts"]) or row["answerable"] != bool(row["gold_files"]) or len(row["facts"]) > 4:
        yield "facts or gold_files do not fit answerable, or more than 4 facts"
    if row["answerable"] == row["kind"].startswith("unanswerable"):
        yield "kind does not fit answerable"
    texts = []
    for gold in row["gold_files"]:
        path = Path(tree) / row["corpus"] / gold
        if path.is_file():
            texts.append(path.read_text(encoding="utf-8"))
        else:
            yield "no such file: " + gold
    for fact in row["facts"]:
        hits = [piece for piece in fact if any(present(piece, t) and has(t, piece) for t in texts)]
        if not hits:
            yield "in no gold file: %s" % fact
        if any(present(piece, row["question"]) or has(row["question"], piece) for piece in fact):
            yield "in its own question: %s" % fact
        if verbose and len(hits) < len(fact):
            print(row["id"], "only a wording:", [piece for piece in fact if piece not in hits])


def main():
    trees = [arg for arg in sys.argv[1:] if arg != "-v"]
    if len(trees) != 1:
        sys.exit(__doc__)
    lines = (Path(__file__).parent / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    bad = [(row["id"], what) for row in rows for what in problems(row, trees[0], "-v" in sys.argv)]
    for field in ("id", "question"):
        for value, n in collections.Counter(row[field] for row in rows).items():
            if n > 1:
                bad.append((value, "twice"))
    sizes = collections.Counter("answerable" if row["answerable"] else row["kind"] for row in rows)
    if sizes != WANTED:
        bad.append(("all", "wanted %s, got %s" % (WANTED, dict(sizes))))
    for name, key in (
        ("kind", lambda r: r["kind"]),
        ("language over folder", lambda r: "%s over %s" % (r["lang"], r["corpus"])),
        ("folder", lambda r: r["corpus"] + (" answerable" if r["answerable"] else " unanswerable")),
    ):
        print(name)
        for value, n in sorted(collections.Counter(map(key, rows)).items()):
            print("  %4d  %s" % (n, value))
    print(len(rows), "questions,", sum(len(r["facts"]) for r in rows), "facts,", len(bad), "problems")
    for one in bad:
        print("  ", *one)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
