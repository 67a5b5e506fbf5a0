"""Make the two folders that the questions are asked of.

    python3 build.py DATA OUT

DATA holds `anthropic_docs/corpus.jsonl` and `cmrc2018_trial/corpus.jsonl`; OUT gets a folder of each name. A page of the
product docs is one Markdown file, its sections in the order of the corpus; a Chinese article is one Markdown file named
after its title. The same input gives the same bytes: the last line printed begins the SHA-256 of all of them.
"""

import hashlib
import json
import re
import sys
from itertools import pairwise
from pathlib import Path

FOLDERS = ("anthropic_docs", "cmrc2018_trial")
LABELS = re.compile(r"(?:Shell|Python|Type[Ss]cript|JSON|cURL|Boto3 \(Python\)|AWS CLI|Request|Response|XML)+")


def rows(data, name):
    with (Path(data) / name / "corpus.jsonl").open(encoding="utf-8") as f:
        return [json.loads(line) for line in f if line.strip()]


def tidy(text):
    """No white space at the ends of lines, no more than one blank line in a row."""
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t\u00a0]+(?=\n)", "", text)).strip()


def bare(text):
    return re.sub(r"\s", "", text)


def once(lines):
    """Each line told once. What is run together with its neighbours goes, with the lines after it that come again; of lines
    that come again as they are the first stays."""
    kept, run_together, copy = [], False, False
    for at, line in enumerate(lines):
        if line.startswith("```"):
            kept.append(line)
            run_together = copy = False
            continue
        later = [other for other in lines[at + 1 :] if not other.startswith("```")]
        key, end, behind = bare(line)[:80], bare(line)[-80:], "".join(bare(other) for other in later)
        long, told = len(key) >= 30, [other for other in kept if other]
        pair = (line, next((other for other in later if other), None))
        last = told[-1] if told else None
        if key:
            copy = line in told if copy else pair in pairwise(told) or (len(key) >= 60 and line in told)
        again = line in later
        if copy or (run_together and (again or not key)) or (key and line == last):
            continue
        run_together = bool(
            not again and key and ((long and key in behind and end in behind) or behind.startswith(bare(line)))
        )
        if not run_together:
            kept.append(line)
    return kept


def unfold(text):
    """A scraped page tells its tabs and cards two or three times: keep one, of code the fenced one; drop the links at its foot."""
    lines = re.sub(r"(?ms)^[^\n]*xlinkedin$.*", "", text).split("\n")
    out, at = [], 0
    while at < len(lines):
        fence = lines[at].startswith("```")
        end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("```")), None) if fence else None
        if end is None:
            out.append(lines[at])
            at += 1
            continue
        code = lines[at + 1 : end]
        first, said = next((c.strip() for c in code if c.strip()), ""), {c.strip() for c in code}
        start = bare("".join(code))[:60]
        while out and first:
            last = out[-1].strip()
            label = not last or LABELS.fullmatch(last)
            if not (last in said or label or last.endswith(first) or start in bare(last)):
                break
            out.pop()
        out += ["", "\n".join(lines[at : end + 1]), ""]
        at = end + 1
    return tidy("\n".join(once(out)))


def section(row):
    """The text without the title it begins with."""
    title, text = row["title"], row["text"].strip()
    return unfold(tidy(text[len(title) :] if text.startswith(title) else text))


def product_docs(data, out):
    pages = {}
    for row in rows(data, "anthropic_docs"):
        page = row["id"].split("#")[0].split("://", 1)[1].split("/", 1)[1].strip("/")
        pages.setdefault(page, []).append(row)
    for page, parts in pages.items():
        path = out / (page + ("/index.md" if any(p.startswith(page + "/") for p in pages) else ".md"))
        path.parent.mkdir(parents=True, exist_ok=True)
        name = page.split("/")[-1].replace("-", " ")
        text = "# %s\n" % (name[0].upper() + name[1:])
        for row in parts:
            text += "\n## %s\n\n%s\n" % (row["title"], section(row))
        path.write_text(tidy(text) + "\n", encoding="utf-8")
    return len(pages)


def articles(data, out):
    out.mkdir(parents=True, exist_ok=True)
    names = set()
    for row in rows(data, "cmrc2018_trial"):
        name = re.sub(r'[\\/:*?"<>|\s]+', "_", row["title"]).strip("_")
        if name in names:
            name += "_" + row["id"]
        names.add(name)
        (out / (name + ".md")).write_text("# %s\n\n%s\n" % (row["title"], tidy(row["text"])), encoding="utf-8")
    return len(names)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    data, out = sys.argv[1], Path(sys.argv[2])
    print(product_docs(data, out / "anthropic_docs"), "pages,", articles(data, out / "cmrc2018_trial"), "articles")
    files = sorted((p.relative_to(out).as_posix(), p) for name in FOLDERS for p in (out / name).rglob("*.md"))
    print(hashlib.sha256(b"".join(name.encode() + b"\0" + p.read_bytes() for name, p in files)).hexdigest()[:16])


if __name__ == "__main__":
    main()
