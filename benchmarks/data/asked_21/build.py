"""Make the three folders of asked_21 from Debian's packages and check its questions.

    python build.py OUT            # makes OUT/shorewall, OUT/fish and OUT/screensavers
    python build.py OUT --check    # makes them where they are missing, then checks questions.jsonl and lines.jsonl

Standard library, apt-get and dpkg. Pages that the packages have as HTML are written as Markdown.
"""

import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import gold
from label_checks import check
from packaged_folders import build, markdown, package, read, write


def shorewall(out):
    package("shorewall-doc", "5.2.8-2")
    for path in glob.glob("shorewall-doc/usr/share/doc/shorewall-doc/html/*.htm*"):
        name = os.path.basename(path).partition(".htm")[0]
        if not re.search(r"_(fr|ru)$|^(template|GnuCopyright)$", name):
            write(f"{out}/{name}.md", markdown(read(path, "replace"), "<body[^>]*>"))


def fish(out):
    package("fish-common", "3.6.0-3.1+deb12u1")
    root = "fish-common/usr/share/doc/fish"
    for path in glob.glob(f"{root}/**/*.html", recursive=True):
        name = os.path.relpath(path, root)[:-5]
        if name not in ("genindex", "search", "license"):
            page = re.sub(r'<a class="headerlink".*?</a>', "", read(path, "replace"))
            write(f"{out}/{name}.md", markdown(page, 'role="main">', '<div class="(?:related|sphinxsidebar)"'))


def screensavers(out):
    for name in ("xscreensaver-data", "xscreensaver-gl"):
        package(name, "6.06+dfsg1-3+deb12u1")
        for path in glob.glob(f"{name}/usr/share/xscreensaver/config/*.xml"):
            write(f"{out}/{os.path.basename(path)}", read(path, "replace"))


MAKERS = {"shorewall": shorewall, "fish": fish, "screensavers": screensavers}

if __name__ == "__main__":
    made = build(sys.argv[1], MAKERS)
    sys.exit(check(HERE, made, gold.computed(made)) if "--check" in sys.argv else 0)
