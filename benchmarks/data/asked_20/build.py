"""Make the four folders of asked_20 from Debian's packages and check its questions.

    python build.py OUT            # makes OUT/ikiwiki, OUT/extensions, OUT/skycultures and OUT/handbook_zh
    python build.py OUT --check    # makes them where they are missing, then checks questions.jsonl and lines.jsonl

Standard library, apt-get and dpkg. Pages that the packages have as HTML are written as Markdown.
"""

import glob
import os
import re
import subprocess
import sys
import tarfile
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import gold
from label_checks import check
from packaged_folders import build, markdown, package, read, write


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


MAKERS = {"ikiwiki": ikiwiki, "extensions": extensions, "skycultures": skycultures, "handbook_zh": handbook_zh}

if __name__ == "__main__":
    made = build(sys.argv[1], MAKERS)
    sys.exit(check(HERE, made, gold.computed(made)) if "--check" in sys.argv else 0)
