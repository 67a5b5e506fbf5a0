"""Make the four folders of asked_20 from Debian's packages and check its questions.

    python build.py OUT            # makes OUT/ikiwiki, OUT/extensions, OUT/skycultures and OUT/handbook_zh
    python build.py OUT --check    # makes them where they are missing, then checks questions.jsonl and lines.jsonl

Standard library, apt-get and dpkg. Pages that the packages have as HTML are written as Markdown.
"""

import glob
import html.parser
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request

import gold

FOLDERS = ("ikiwiki", "extensions", "skycultures", "handbook_zh")
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


def read(path):
    with open(path, encoding="utf-8") as file:
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


def ikiwiki(out):
    package("ikiwiki", "3.20200202.3-1")
    root = "ikiwiki/usr/share/doc/ikiwiki/html"
    for pattern in ("*", "ikiwiki/**/*", "plugins/*", "plugins/contrib/*", "tips/*"):
        for path in glob.glob(f"{root}/{pattern}.html", recursive=True):
            page = read(path)
            text = markdown(page, '<div id="content" role="main">', '<div id="footer"')
            tags = re.findall(r'rel="tag">(.*?)</a>', page.partition('<div id="footer"')[2])
            title = os.path.basename(path)[:-5]
            name = os.path.relpath(path, root)[:-5]
            if not re.search(r"discussion|404|recentchanges$", name):
                write(f"{out}/{name}.md", f"# {title}\n\n{text}" + (f"\nTags: {', '.join(tags)}\n" if tags else ""))


def extensions(out):
    archive = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"],
        check=True, capture_output=True, text=True,
    ).stdout.split()  # fmt: skip
    address = next(line for line in archive if "security" not in line).rstrip("/")
    urllib.request.urlretrieve(f"{address}/pool/main/m/mesa/mesa_22.3.6.orig.tar.gz", "mesa.tar.gz")
    with tarfile.open("mesa.tar.gz") as tar:
        for member in tar:
            name = member.name.partition("/docs/_extra/specs/")[2]
            if name and member.isfile():
                data = tar.extractfile(member).read()
                # The specifications have two suffixes there.
                write(f"{out}/{os.path.splitext(name)[0]}.txt", data.decode("utf-8", "replace"))


def skycultures(out):
    package("stellarium-data", "0.22.2-1")
    for path in glob.glob("stellarium-data/usr/share/stellarium/skycultures/*/info.ini"):
        culture = os.path.dirname(path)
        name = os.path.basename(culture)
        write(f"{out}/{name}/info.ini", read(path))
        write(f"{out}/{name}/description.md", markdown(read(f"{culture}/description.en.utf8")))


def handbook_zh(out):
    package("debian-handbook", "11.20220922")
    for path in glob.glob("debian-handbook/usr/share/doc/debian-handbook/html/zh-CN/*.html"):
        name = os.path.basename(path)[:-5]
        write(f"{out}/{name}.md", markdown(read(path), r'<ul class="docnav top">.*?</ul>', '<ul class="docnav">'))


def build(out):
    """Make the folders that are missing, and give the texts of all by path."""
    out = os.path.abspath(out)
    makers = {"ikiwiki": ikiwiki, "extensions": extensions, "skycultures": skycultures, "handbook_zh": handbook_zh}
    for name in FOLDERS:
        if not os.path.isdir(f"{out}/{name}"):
            work, back = tempfile.mkdtemp(), os.getcwd()
            os.chmod(work, 0o755)
            os.chdir(work)
            makers[name](f"{out}/{name}")
            os.chdir(back)
            shutil.rmtree(work)
    return {name: texts(f"{out}/{name}") for name in FOLDERS}


def texts(root):
    paths = [path for path in glob.glob(f"{root}/**/*", recursive=True) if os.path.isfile(path)]
    return {os.path.relpath(path, root): read(path) for path in sorted(paths)}


if __name__ == "__main__":
    made = build(sys.argv[1])
    sys.exit(gold.check(made) if "--check" in sys.argv else 0)
