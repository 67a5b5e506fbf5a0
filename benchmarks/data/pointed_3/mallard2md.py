"""Markdown of Mallard help pages, in lines of 78 characters: mallard2md.py DIR PAGE..."""

import sys
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path

NAMESPACE = "{http://projectmallard.org/1.0/}"
SEQUENCES = {"keyseq": "+", "guiseq": " > "}
MARKS = {"gui": "**"} | dict.fromkeys(("cmd", "code", "file", "sys", "input"), "`")


def name(element):
    return element.tag.removeprefix(NAMESPACE)


def one_line(text):
    return " ".join(text.split())


def inline(element):
    """The text of an element, with the marks of what stands in it."""
    parts = [element.text or ""]
    for child in element:
        tag = name(child)
        if tag == "link" and not (child.text or len(child)):
            parts.append(child.get("xref", "").split("#")[0] or child.get("href", ""))
        elif tag in SEQUENCES:
            parts.append(SEQUENCES[tag].join(inline(part).strip() for part in child))
        elif tag in MARKS:
            parts.append(MARKS[tag] + inline(child).strip() + MARKS[tag])
        elif tag != "media":
            parts.append(inline(child))
        parts.append(child.tail or "")
    return "".join(parts)


def wrapped(text, indent):
    options = {"initial_indent": indent, "subsequent_indent": indent}
    return textwrap.fill(one_line(text), 78, break_long_words=False, break_on_hyphens=False, **options)


def items(element, indent):
    """The lines of a list, of steps or of terms."""
    number = 0
    for item in element:
        if name(item) == "title":
            yield from (indent + f"**{one_line(inline(item))}**", "")
        if name(item) != "item":
            continue
        number += 1
        if name(element) == "terms":
            titles = item.findall(NAMESPACE + "title")
            yield indent + one_line(inline(titles[0])) if titles else indent
            for title in titles:
                item.remove(title)
            yield from blocks(item, indent + "    ")
        else:
            mark = "* " if name(element) == "list" else f"{number}. "
            first, *others = [*blocks(item, indent + " " * len(mark))] or [None]
            if first is not None:
                yield from (indent + mark + first[len(indent + mark) :], *others)


def blocks(element, indent="", level=1):
    """The lines of what stands in an element."""
    for child in element:
        tag = name(child)
        if tag == "title":
            title = one_line(inline(child))
            yield from (
                "#" * level + " " + title if name(element) in ("page", "section") else f"{indent}**{title}**",
                "",
            )
        elif tag == "p":
            yield from (wrapped(inline(child), indent), "")
        elif tag in ("code", "screen"):
            yield from (*(indent + "    " + line for line in inline(child).strip("\n").split("\n")), "")
        elif tag == "section":
            yield from blocks(child, "", level + 1)
        elif tag in ("list", "steps", "terms"):
            yield from items(child, indent)
        elif tag == "note":
            yield indent + child.get("style", "note").capitalize().split()[0] + ":"
            yield from blocks(child, indent)
        elif tag == "table":
            for row in child.iter(NAMESPACE + "tr"):
                cells = (one_line(" ".join(inline(p) for p in cell.iter(NAMESPACE + "p"))) for cell in row)
                yield indent + "| " + " | ".join(cells) + " |"
            yield ""
        elif tag not in ("info", "media", "links"):
            yield from blocks(child, indent, level)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for page in map(Path, sys.argv[2:]):
        lines = "\n".join(blocks(ET.parse(page).getroot()))
        while "\n\n\n" in lines:
            lines = lines.replace("\n\n\n", "\n\n")
        (folder / f"{page.stem}.md").write_text(lines.strip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
