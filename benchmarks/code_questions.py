"""Make a retrieval set of questions to code: what a function is said to do, and the functions without saying so.

    python benchmarks/code_questions.py OUT [SOURCE...] [--most N]

Of each documented function below SOURCE (folders of Python, Go or JavaScript; Python's own library unless given) the
first sentence of its documentation is the question, and its source without documentation and comments is the document
(the construction of CodeSearchNet, Husain et al. 2019). Go's sentences begin with the name of the function, which no
question would: it is left out. The functions are drawn evenly from all files, the same at each run. OUT becomes a
folder as `retrieval.py` and `fit_ranking.py` take it.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import random
import re
import sysconfig
import tokenize
from collections.abc import Iterator
from pathlib import Path

SEED = 7
LEAST_WORDS, MOST_WORDS = 4, 24
LEAST_LINES = 4
NO_SOURCES = {"site-packages", "test", "tests", "testdata", "vendor"}
BRACED = re.compile(
    r"(?P<comment>(?:^//[^\n]*\n)+|^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*\n)"
    r"(?P<body>^(?P<indent>[ \t]*)(?:export )?(?:async )?func(?:tion)? (?:\([^)\n]*\) )?(?P<name>\w+)[^\n]*\{\n"
    r".*?^(?P=indent)\}[^\n]*$)",
    re.MULTILINE | re.DOTALL,
)
# A string is read as one, so that "http://…" begins no comment.
COMMENT = re.compile(r"(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`[^`]*`)|[ \t]*//[^\n]*|[ \t]*/\*.*?\*/", re.DOTALL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT")
    parser.add_argument("sources", type=Path, nargs="*", metavar="SOURCE")
    parser.add_argument("--most", type=int, default=700, help="functions")
    arguments = parser.parse_args()
    found = {
        f"{path.relative_to(source)}:{name}": (text, question)
        for source in arguments.sources or [Path(sysconfig.get_path("stdlib"))]
        for path in sorted(source.rglob("*.*"))
        if not NO_SOURCES & set(path.relative_to(source).parts) and not path.stem.endswith("_test")
        for name, text, documentation in functions(path)
        if (question := first_sentence(documentation)) and text.count("\n") + 1 >= LEAST_LINES
    }
    chosen = random.Random(SEED).sample(sorted(found), min(arguments.most, len(found)))
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = [(f"f{number}", name, *found[name]) for number, name in enumerate(chosen)]
    write(arguments.out / "corpus.jsonl", [{"id": key, "title": "", "text": text} for key, _, text, _ in rows])
    write(arguments.out / "queries.jsonl", [{"id": f"q{key}", "text": question} for key, *_, question in rows])
    (arguments.out / "qrels.tsv").write_text("".join(f"q{key}\t{key}\t1\n" for key, *_ in rows), "utf-8")
    print(f"{len(rows)} functions of {len(found)}")


def functions(path: Path) -> Iterator[tuple[str, str, str]]:
    """Name, source without documentation and comments, and documentation of each function that has one."""
    read = {".py": python_functions, ".go": braced_functions, ".js": braced_functions}.get(path.suffix)
    if read is None:
        return
    try:
        source = path.read_text("utf-8")
        for name, text, documentation in read(source):
            kept = [line.rstrip() for line in text.split("\n") if line.strip()]
            yield name, "\n".join(kept), documentation
    except (SyntaxError, ValueError, tokenize.TokenError):
        return


def python_functions(source: str) -> Iterator[tuple[str, str, str]]:
    tree = ast.parse(source)
    lines = without_comments(source)
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not (docstring := ast.get_docstring(node)):
            continue
        stated = node.body[0]
        body = (
            lines[node.lineno - 1 : stated.lineno - 1] + lines[(stated.end_lineno or stated.lineno) : node.end_lineno]
        )
        yield f"{node.name}:{node.lineno}", "\n".join(body), docstring


def without_comments(source: str) -> list[str]:
    lines = source.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column]
    return lines


def braced_functions(source: str) -> Iterator[tuple[str, str, str]]:
    for match in BRACED.finditer(source):
        comment = re.sub(r"(?m)^[ \t]*(?://|/\*\*|\*/|\*)[ \t]?|\*/[ \t]*$", "", match["comment"]).strip()
        text = COMMENT.sub(lambda found: found[1] or "", match["body"])
        yield f"{match['name']}:{match.start()}", text, comment.removeprefix(match["name"])


def first_sentence(documentation: str) -> str:
    """The question that it makes; nothing where it is too short or too long for one."""
    said = re.split(r"(?<=[.!?])\s|\n\s*\n|\n@", documentation.strip())[0]
    question = " ".join(said.split()).strip(" .")
    return question if LEAST_WORDS <= len(question.split()) <= MOST_WORDS else ""


def write(file: Path, rows: list[dict[str, str]]) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
