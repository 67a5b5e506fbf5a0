"""One SVG of several screens that follow one another, each element drawn once for all the screens that it stands on.

Textual writes a screen as rectangles and, over them, texts, each with a class that names its colours. Those of all
screens are grouped by the screens that they belong to, and a style sheet shows and hides the groups in turn, over and
over. Who asked for less motion sees the last screen.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """A screen as Textual exports it, and the seconds for which it is seen."""

    svg: str
    seconds: float


def film(frames: Sequence[Frame]) -> str:
    """The frames as one SVG; all of them have the same size."""
    styles: dict[str, str] = {}
    layers: tuple[dict[str, list[int]], dict[str, list[int]]] = ({}, {})
    for index, frame in enumerate(frames):
        for layer, elements in zip(layers, _elements(frame.svg, styles), strict=True):
            for element in elements:
                layer.setdefault(element, []).append(index)
    # An element of all frames is in no group; the others share one rule for each set of frames.
    shown: dict[tuple[int, ...], str] = {}
    body = ""
    for layer in layers:
        groups: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
        for element, indexes in layer.items():
            groups[tuple(dict.fromkeys(indexes))].append(element)
        for indexes, elements in groups.items():
            name = shown.setdefault(indexes, f"f{'-'.join(map(str, indexes))}")
            body += f'<g class="{name}">\n' + "\n".join(elements) + "\n</g>\n"
    first = frames[0].svg
    head = _one(r"(?s)\A(.*?)<style>", first)
    fonts = "".join(re.findall(r"(?s)@font-face \{.*?\n    \}\n", first))
    chrome = _renamed(_one(r'(?s)(<rect fill="[^"]*" stroke=.*?)<g transform="translate\(\d', first), {}, "")
    offset = _one(r'<g transform="(translate\([^"]*\))" clip-path', first)
    matrix = _one(r"(?s)\.[\w-]+-matrix \{(.*?)\}", first)
    title = _one(r"(?s)\.[\w-]+-title \{(.*?)\}", first)
    rules = [
        f".matrix {{{matrix}}}",
        f".title {{{title}}}",
        *(f".{name} {{ {style} }}" for style, name in styles.items()),
    ]
    rules += _turns(shown, [frame.seconds for frame in frames])
    sheet = fonts + "\n".join(rules)
    return f'{head}<style>\n{sheet}\n</style>\n{chrome}<g transform="{offset}" class="matrix">\n{body}</g>\n</svg>\n'


def _elements(svg: str, styles: dict[str, str]) -> tuple[list[str], list[str]]:
    """The rectangles and the texts of a screen, with classes that mean the same in all of them."""
    own = {name: style.strip() for name, style in re.findall(r"\.([\w-]+-r\d+) \{(.*?)\}", svg)}
    classes = {name: styles.setdefault(style, f"r{len(styles) + 1}") for name, style in own.items()}
    matrix = svg[svg.index('-matrix">') :]
    before = svg[: svg.index('-matrix">')]
    rectangles = re.findall(r'<rect fill="[^"]*" x=[^>]*shape-rendering="crispEdges"/>', before)
    return rectangles, [_renamed(text, classes, "") for text in re.findall(r"<text .*?</text>", matrix)]


def _renamed(element: str, classes: dict[str, str], clip: str) -> str:
    element = re.sub(r' clip-path="[^"]*"', clip, element)
    element = re.sub(r'class="[\w-]+-title"', 'class="title"', element)
    return re.sub(r'class="([\w-]+-r\d+)"', lambda found: f'class="{classes[found[1]]}"', element)


def _turns(shown: dict[tuple[int, ...], str], seconds: Sequence[float]) -> list[str]:
    """Rules that show each group while one of its frames is due."""
    total = sum(seconds)
    starts = [sum(seconds[:index]) / total * 100 for index in range(len(seconds))]
    rules = []
    for indexes, name in shown.items():
        if len(indexes) == len(seconds):
            continue
        steps = " ".join(
            f"{start:.2f}% {{ visibility: {'visible' if index in indexes else 'hidden'} }}"
            for index, start in enumerate(starts)
        )
        rules.append(f"@keyframes k{name} {{ {steps} }}")
        rules.append(f".{name} {{ animation: k{name} {total:g}s step-end infinite }}")
        last = "visible" if len(seconds) - 1 in indexes else "hidden"
        rules.append(f"@media (prefers-reduced-motion) {{ .{name} {{ animation: none; visibility: {last} }} }}")
    return rules


def _one(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if found is None:
        raise ValueError(f"Textual's SVG has no {pattern!r}")
    return found[1]
