"""Makes folders from Debian's packages, with HTML pages written as Markdown: for the builders of asked_20 to asked_22.

Standard library, apt-get and dpkg.
"""

import glob
import html.parser
import os
import re
import shutil
import subprocess
import tempfile

SKIPPED = {"head", "script", "style", "form"}
BLOCKS = {"p", "div", "dl", "dt", "dd", "blockquote", "table", "section", "pre", "hr"}


class Markdown(html.parser.HTMLParser):
    """The text of a page as lines: headings, items, cells and code as Markdown."""

    def __init__(self):
        super().__init__()
        self.lines, self.text, self.mark = [], "", ""
        self.lists, self.skipped, self.code, self.cells = [], 0, False, None

    def flush(self):
        text = self.text if self.code else re.sub(r"\s+", " ", self.text).strip()
        if self.cells is not None:
            self.cells[-1:] = [f"{self.cells[-1]} {text}".strip()] if self.cells else []
        elif text.strip():
            rows = text.strip("\n").split("\n")
            self.lines += ["```", *rows, "```", ""] if self.code else [self.mark + text, ""]
            self.mark = "  " * len(self.lists)
        self.text = ""

    def handle_starttag(self, tag, _):
        self.skipped += tag in SKIPPED
        if tag in BLOCKS or re.fullmatch(r"h[1-6]|ul|ol|li|br|tr", tag):
            self.flush()
        if tag in ("ul", "ol"):
            self.lists.append(tag)
        elif tag == "li":
            self.mark = "  " * (len(self.lists) - 1) + ("1. " if self.lists[-1:] == ["ol"] else "- ")
        elif re.fullmatch(r"h[1-6]", tag):
            self.mark = "#" * int(tag[1]) + " "
        elif tag == "pre":
            self.code = True
        elif tag == "tr":
            self.cells = []
        elif tag in ("td", "th") and self.cells is not None:
            self.flush()
            self.cells.append("")

    def handle_endtag(self, tag):
        self.skipped -= tag in SKIPPED
        if tag in BLOCKS or re.fullmatch(r"h[1-6]|ul|ol|li|tr", tag):
            self.flush()
        if tag in ("ul", "ol") and self.lists:
            self.lists.pop()
        if tag == "pre":
            self.code = False
        if tag == "tr" and self.cells is not None:
            cells, self.cells = self.cells, None
            self.lines += ["| " + " | ".join(cells) + " |"]
        if re.fullmatch(r"h[1-6]|ul|ol|li", tag):
            self.mark = "  " * len(self.lists)

    def handle_data(self, data):
        if not self.skipped:
            self.text += data


def markdown(page, start="", end=r"\Z"):
    """A page as Markdown, from behind what matches `start` to what matches `end`."""
    reader = Markdown()
    reader.feed(re.split(end, re.split(start, page, maxsplit=1)[-1] if start else page, maxsplit=1)[0])
    reader.flush()
    lines = "\n".join(reader.lines)
    return (
        re.sub(r"\n{3,}", "\n\n", re.sub(r"(?m)^( *(?:-|1\.) .*)\n\n(?= *(?:-|1\.) )", r"\1\n", lines)).strip() + "\n"
    )


def read(path, errors="strict"):
    with open(path, encoding="utf-8", errors=errors) as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def package(name, version):
    """Unpack a Debian package below the current folder, of another version where that one is no longer offered."""
    wanted = ["apt-get", "download", f"{name}={version}"]
    if subprocess.run(wanted, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        subprocess.run(["apt-get", "download", name], check=True)
    subprocess.run(["dpkg", "-x", glob.glob(f"{name}_*.deb")[0], name], check=True)


def build(out, makers):
    """Make the folders that are missing below `out`, each by its maker, and give the texts of all by path."""
    out = os.path.abspath(out)
    for name, make in makers.items():
        if not os.path.isdir(f"{out}/{name}"):
            work, back = tempfile.mkdtemp(), os.getcwd()
            os.chmod(work, 0o755)
            os.chdir(work)
            make(f"{out}/{name}")
            os.chdir(back)
            shutil.rmtree(work)
    return {name: texts(f"{out}/{name}") for name in makers}


def texts(root):
    paths = [path for path in glob.glob(f"{root}/**/*", recursive=True) if os.path.isfile(path)]
    return {os.path.relpath(path, root): read(path, "replace") for path in sorted(paths)}
