"""Plain text of HTML pages, in lines of 78 characters: html2txt.py DIR PAGE..."""

import re
import sys
import textwrap
from html.parser import HTMLParser
from pathlib import Path

HEADINGS = {f"h{n}": "#" * n + " " for n in range(1, 7)}
SHUT = {"script", "style", "head"}
BLOCKS = {"p", "div", "ul", "ol", "dl", "li", "dt", "dd", "pre", "h1", "h2", "h3", "h4", "h5", "blockquote"}


class Text(HTMLParser):
    def __init__(self):
        super().__init__()
        self.lines = []
        self.text = ""
        self.lists = []  # of each open list its tag and how many items it has
        self.mark = ""  # what the next paragraph begins with
        self.row = None
        self.pre = False
        self.shut = 0

    def flush(self):
        text, self.text = self.text, ""
        if self.pre:
            self.lines += ["    " + line for line in text.strip("\n").split("\n")] + [""]
        elif text := " ".join(text.split()):
            indent = "  " * len(self.lists)
            first = indent[: len(indent) - len(self.mark)] + self.mark if self.mark else indent
            options = {"initial_indent": first, "subsequent_indent": indent}
            self.lines += [textwrap.fill(text, 78, break_long_words=False, break_on_hyphens=False, **options), ""]
            self.mark = ""

    def handle_starttag(self, tag, _attributes):
        self.shut += tag in SHUT
        if tag in BLOCKS | {"table", "tr"} and self.row is None:
            self.flush()
        if tag in ("ul", "ol", "dd"):
            self.lists.append([tag, 0])
        elif tag == "li" and self.lists:
            self.lists[-1][1] += 1
            self.mark = "* " if self.lists[-1][0] == "ul" else f"{self.lists[-1][1]}. "
        elif tag == "pre":
            self.pre = True
        elif tag in HEADINGS:
            self.mark = HEADINGS[tag]
        elif tag == "tr":
            self.row, self.text = [], ""
        elif tag in ("td", "th") and self.row is not None:
            self.text = ""
        elif tag == "br":
            self.text += "\n" if self.pre else " "

    def handle_endtag(self, tag):
        self.shut -= tag in SHUT
        if tag in ("td", "th") and self.row is not None:
            self.row.append(" ".join(self.text.split()))
            self.text = ""
        elif tag == "tr" and self.row is not None:
            if self.row:
                self.lines.append("| " + " | ".join(self.row) + " |")
            self.row, self.text = None, ""
        elif tag == "table":
            self.lines.append("")
        if tag in BLOCKS and self.row is None:
            self.flush()
        if tag in ("ul", "ol", "dd") and self.lists:
            self.lists.pop()
        if tag == "pre":
            self.pre = False

    def handle_data(self, data):
        if not self.shut:
            self.text += data


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for page in map(Path, sys.argv[2:]):
        parser = Text()
        parser.feed(page.read_text(encoding="utf-8", errors="replace"))
        parser.flush()
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(parser.lines)).strip() + "\n"
        (folder / (page.stem.removesuffix(".en") + ".txt")).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
