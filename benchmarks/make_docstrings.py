"""Make a retrieval set of questions to code: what a function is said to do, and the functions without saying so.

    python benchmarks/make_docstrings.py OUT [--modules json,email,…] [--most N]

Of each function of Python's own library that has a docstring, the first sentence of it is the question and the source
without the docstring is the document (the construction of CodeSearchNet, Husain et al. 2019). The functions are drawn
evenly from all modules, the same at each run. OUT becomes a folder as `retrieval.py` and `fit_ranking.py` take it.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path

SEED = 7
LEAST_WORDS, MOST_WORDS = 4, 24
LEAST_LINES = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("--most", type=int, default=700, help="functions")
    arguments = parser.parse_args()
    library = Path(sysconfig.get_path("stdlib"))
    files = sorted(path for path in library.rglob("*.py") if not {"site-packages", "test", "tests"} & set(path.parts))
    found = {document: (text, question) for path in files for document, text, question in functions(path, library)}
    chosen = random.Random(SEED).sample(sorted(found), min(arguments.most, len(found)))
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = [(f"f{number}", name, *found[name]) for number, name in enumerate(chosen)]
    write(arguments.out / "corpus.jsonl", [{"id": key, "title": "", "text": text} for key, _, text, _ in rows])
    write(arguments.out / "queries.jsonl", [{"id": f"q{key}", "text": question} for key, *_, question in rows])
    (arguments.out / "qrels.tsv").write_text("".join(f"q{key}\t{key}\t1\n" for key, *_ in rows), "utf-8")
    print(f"{len(rows)} functions of {len(found)}")


def functions(path: Path, library: Path) -> Iterator[tuple[str, str, str]]:
    """Name, source without docstring, and first sentence of the docstring of each function that has one."""
    try:
        source = path.read_text("utf-8")
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    lines = source.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not (docstring := ast.get_docstring(node)):
            continue
        question = re.split(r"(?<=[.!?])\s|\n\n", docstring.strip())[0].replace("\n", " ").strip(" .")
        stated = node.body[0]
        body = (
            lines[node.lineno - 1 : stated.lineno - 1] + lines[(stated.end_lineno or stated.lineno) : node.end_lineno]
        )
        if LEAST_WORDS <= len(question.split()) <= MOST_WORDS and len(body) >= LEAST_LINES:
            yield f"{path.relative_to(library)}:{node.name}:{node.lineno}", "\n".join(body), question


def write(file: Path, rows: list[dict[str, str]]) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
