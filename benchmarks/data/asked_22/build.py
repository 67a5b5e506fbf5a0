"""Make the four folders of asked_22 from Debian's packages and check its questions.

    python build.py OUT            # makes OUT/docker, OUT/cores, OUT/手册页 and OUT/perldelta
    python build.py OUT --check    # makes them where they are missing, then checks questions.jsonl and lines.jsonl

Standard library, apt-get and dpkg. Man pages are written as plain text; the other files are as they came.
"""

import glob
import gzip
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import gold
from label_checks import check
from packaged_folders import build, package, read, write

FONTS = {"B", "I", "BI", "BR", "IB", "IR", "RB", "RI", "SM", "SB", "Nm", "Ar", "Xr", "Op", "Nd", "Fl", "Pa"}
SIGNS = {"(bu": "•", "(em": "—", "(en": "–", "(aq": "'", "(lq": '"', "(rq": '"', "(co": "©", "e": "\\", "0": " "}


def unpacked(path):
    if not path.endswith(".gz"):
        return read(path, "replace")
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        return file.read()


def plain(text):
    """The text of a line of roff, without changes of font and size."""
    text = re.sub(r'\\".*', "", text)
    text = re.sub(r"\\f(?:\[\w*\]|\(..|[A-Za-z0-9])|\\s[+-]?\d+|\\[&|^/,%ud]|\\\((?=[^\x00-\x7f])", "", text)
    text = re.sub(r"\\(\(..|[e0])", lambda hit: SIGNS.get(hit[1], ""), text)
    return re.sub(r"\\(.)", r"\1", text)


class Page:
    """The lines of a man page: headings at the margin, paragraphs and lists below them."""

    def __init__(self):
        self.lines, self.text, self.kept, self.indent = [], "", False, 0

    def flush(self):
        if self.text.strip():
            self.lines.append("  " * self.indent + self.text.strip())
        self.text = ""

    def add(self, text):
        if self.kept:
            self.lines.append("    " + text)
        else:
            wide = re.search(r"[^\x00-\u2fff]$", self.text) and re.match(r"[^\x00-\u2fff]", text)
            self.text += text if wide else " " + text.strip()

    def macro(self, name, rest):
        words = [plain(word).strip('"') for word in re.findall(r'"[^"]*"?|(?:\\.|\S)+', rest)]
        if name in FONTS:
            self.add(("" if len(name) == 2 and name.isupper() else " ").join(words))
            return
        self.flush()
        if name in ("SH", "Sh", "SS", "Ss"):
            self.lines += ["", ("" if name[1] in "Hh" else "  ") + " ".join(words)]
            self.indent = 2
        elif name in ("TP", "PP", "LP", "P", "IP", "HP", "sp", "It", "Pp"):
            self.lines += [""] if self.lines[-1:] != [""] else []
            self.text = words[0] if name == "IP" and words else " ".join(words) if name == "It" else ""
        elif name == "TH":
            self.lines.append(f"{words[0]}({words[1]})")
        self.kept = name in ("nf", "EX") or (self.kept and name not in ("fi", "EE", "SH"))


def manual(source):
    """A man page as plain text; definitions of macros and conditions are left out."""
    page = Page()
    for line in re.sub(r"(?ms)^\.(?:de|ig)\b.*?^\.\.$", "", source).split("\n"):
        hit = re.match(r"[.']\s*([A-Za-z]+)\s*(.*)", line)
        if hit:
            page.macro(hit[1], hit[2])
        elif not re.match(r"[.']", line):
            page.add(plain(line)) if line.strip() or page.kept else page.macro("PP", "")
    page.flush()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(page.lines)).strip() + "\n"


def docker(out):
    package("docker-doc", "20.10.24+dfsg1-1+deb12u1")
    root = "docker-doc/usr/share/doc/docker-doc"
    for path in glob.glob(f"{root}/**/*.md*", recursive=True):
        name = os.path.relpath(path, root).removesuffix(".gz")
        if not re.match(r"api/v\d", name):
            write(f"{out}/{name}", unpacked(path))


def cores(out):
    package("libretro-core-info", "1.14.0-1")
    for path in glob.glob("libretro-core-info/usr/share/libretro/info/*_libretro.info"):
        if "00_example" not in path:
            write(f"{out}/{os.path.basename(path)}", read(path, "replace"))


def pages(out):
    package("manpages-zh", "1.6.4.0-1")
    for path in glob.glob("manpages-zh/usr/share/man/zh_CN/man[58]/*.gz"):
        if not os.path.islink(path):
            write(f"{out}/{os.path.basename(path)[:-3]}.txt", manual(unpacked(path)))


def perldelta(out):
    package("perl-doc", "5.36.0-7+deb12u4")
    for path in glob.glob("perl-doc/usr/share/perl/*/pod/perl*.pod"):
        if re.search(r"/perl(5\w*delta|hist)\.pod$", path):
            write(f"{out}/{os.path.basename(path)}", read(path, "replace"))


MAKERS = {"docker": docker, "cores": cores, "手册页": pages, "perldelta": perldelta}

if __name__ == "__main__":
    made = build(sys.argv[1], MAKERS)
    sys.exit(check(HERE, made, gold.computed(made)) if "--check" in sys.argv else 0)
