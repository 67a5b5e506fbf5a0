"""Documents made to break what reads them, each as large as asked for: to see how its time grows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final


def laughs(levels: int) -> str:
    """YAML whose last alias stands for 9 to the power of ``levels`` words."""
    lines = ['a0: &a0 ["lol"]']
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


def xml_laughs(levels: int) -> str:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 9}">' for n in range(1, levels))
    return (
        f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "lol">{entities}'
        f'<!ENTITY f SYSTEM "file:///etc/passwd">]><x>&a{levels - 1};&f;</x>'
    )


def notebook(size: int) -> str:
    cells = [{"cell_type": "code", "source": ["x = 1\n"] * 20, "outputs": [{"data": {"text/plain": "y"}}]}]
    return json.dumps({"cells": cells * (size // 200), "metadata": {}, "nbformat": 4})


DOCUMENTS: Final[dict[str, Callable[[int], str]]] = {
    "laughs.yaml": lambda size: laughs(max(2, size // 1500)),
    "front.md": lambda size: f"---\n{laughs(max(2, size // 1500))}---\n# Title\n\nText.\n",
    "nested.yaml": lambda size: "[" * size + "]" * size,
    "indented.yaml": lambda size: "\n".join(" " * n + "a:" for n in range(int((2 * size) ** 0.5))),
    "nested.toml": lambda size: "a = " + "[" * size + "]" * size,
    "dotted.toml": lambda size: ".".join(["a"] * size) + " = 1\n",
    "nested.json": lambda size: "[" * size + "]" * size,
    "objects.json": lambda size: '{"a":' * (size // 5) + "1" + "}" * (size // 5),
    "laughs.xml": lambda size: xml_laughs(max(3, size // 1500)),
    "laughs.html": lambda size: xml_laughs(max(3, size // 1500)),
    "nested.html": lambda size: "<div>" * (size // 5) + "text",
    "nested.xml": lambda size: "<a>" * (size // 3) + "text",
    "unclosed.html": lambda size: "<" * size,
    "comments.html": lambda size: "<!--" * (size // 4),
    "attributes.html": lambda size: "<p " + "a=' " * (size // 4),
    "brackets.md": lambda size: "[" * size,
    "images.md": lambda size: "![](" * (size // 4),
    "stars.md": lambda size: "*a_" * (size // 3),
    "quotes.md": lambda size: ">" * size + " text",
    "lists.md": lambda size: "".join(" " * (n % 400) + "- a\n" for n in range(size // 200)),
    "ticks.md": lambda size: "".join("`" * (n % 300) + "a " for n in range(size // 150)),
    "headings.md": lambda size: "# a\n" * (size // 4),
    "tables.md": lambda size: "|a" * (size // 2) + "\n" + "|-" * (size // 2) + "\n",
    "links.md": lambda size: "[a]: b\n" * (size // 7),
    "spaces.md": lambda size: "a" + " " * size + "b\n",
    "lines.md": lambda size: "\n" * size,
    "titles.rst": lambda size: "a\n=\n" * (size // 4),
    "directives.rst": lambda size: ".. a::\n" * (size // 7),
    "roles.rst": lambda size: ":a:`" * (size // 4),
    "brackets.py": lambda size: "x = " + "(" * size,
    "functions.py": lambda size: "def a():\n  pass\n" * (size // 16),
    "strings.py": lambda size: '"""' * (size // 3),
    "braces.js": lambda size: "function a(){" * (size // 13),
    "comments.c": lambda size: "/*" * (size // 2),
    "columns.csv": lambda size: ",".join("a" * (size // 2)) + "\n1\n",
    "cell.csv": lambda size: 'a,b\n"' + "x" * size,
    "quotes.csv": lambda size: '"' * size,
    "deep.ipynb": lambda size: '{"cells":' + "[" * size,
    "cells.ipynb": notebook,
    "log.txt": lambda size: "2024-01-01 " * (size // 11),
    "chinese.txt": lambda size: "第一章" * (size // 3),
    "fields.txt": lambda size: "a: b\n" * (size // 5),
    "colons.txt": lambda size: ":" * size,
    "nul.txt": lambda size: "a\0" * (size // 2),
    "dots.txt": lambda size: "." * size,
    "digits.txt": lambda size: "1," * (size // 2),
    "slashes.txt": lambda size: "a/" * (size // 2),
    "hyphens.txt": lambda size: "a-" * (size // 2),
    "names.txt": lambda size: "A-1 " * (size // 4),
    "addresses.txt": lambda size: "http://" * (size // 7),
}
