"""Plain text of HTML pages, with the line breaks of their source: html2txt.py DIR PAGE..."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

HEADINGS = {"h1": "# ", "h2": "## ", "h3": "### "}
OPENED = dict.fromkeys(("p", "div", "h1", "h2", "h3", "h4", "dl", "ul", "ol", "table", "blockquote"), "\n\n")
OPENED |= {"pre": "\n", "br": "\n", "tr": "\n", "dt": "\n", "dd": "\n    ", "li": "\n* ", "td": " | ", "th": " | "}
CLOSED = dict.fromkeys(("h1", "h2", "h3", "h4", "p", "ul", "ol", "dl", "table", "blockquote"), "\n\n") | {"pre": "\n"}
SHUT = {"style", "script", "title"}


class Text(HTMLParser):
    def __init__(self):
        super().__init__()
        self.parts = []
        self.pre = self.shut = 0

    def handle_starttag(self, tag, _attributes):
        self.pre += tag == "pre"
        self.shut += tag in SHUT
        self.parts.append(OPENED.get(tag, "") + HEADINGS.get(tag, ""))

    def handle_endtag(self, tag):
        self.pre -= tag == "pre"
        self.shut -= tag in SHUT
        self.parts.append(CLOSED.get(tag, ""))

    def handle_data(self, data):
        if self.shut:
            return
        if not self.pre:
            data = re.sub(r"[ \t\n]*\n[ \t\n]*", "\n", data) if data.strip() else " "
        self.parts.append(data)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for page in map(Path, sys.argv[2:]):
        parser = Text()
        parser.feed(page.read_text(encoding="utf-8", errors="replace"))
        text = re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", "".join(parser.parts)))
        (folder / f"{page.stem}.txt").write_text(text.strip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
