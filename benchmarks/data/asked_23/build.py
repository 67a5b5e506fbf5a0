"""Make the four folders of asked_23 from Debian's packages and an npm package, and check its questions.

    python build.py OUT            # makes OUT/bazaar, OUT/lintian, OUT/munin and OUT/移动组件
    python build.py OUT --check    # makes them where they are missing, then checks questions.jsonl and lines.jsonl

Standard library, apt-get, dpkg and npm. The files are as they came.
"""

import glob
import gzip
import os
import re
import subprocess
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import gold
from label_checks import check
from packaged_folders import build, package, read, write


def unpacked(path):
    if not path.endswith(".gz"):
        return read(path, "replace")
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        return file.read()


def copied(root, pattern, out):
    for path in glob.glob(f"{root}/{pattern}", recursive=True):
        if os.path.isfile(path):
            write(f"{out}/{os.path.relpath(path, root).removesuffix('.gz')}", unpacked(path))


def bazaar(out):
    package("brz-doc", "3.3.2-3")
    root = "brz-doc/usr/share/doc/brz/txt"
    copied(root, "developers/**/*", out)
    for name in ("release-notes", "whats-new"):
        copied(f"{root}/en", f"{name}/*", out)


def lintian(out):
    package("lintian", "2.116.3+deb12u1")
    root = "lintian/usr/share/lintian/tags"
    for path in glob.glob(f"{root}/**/*.tag", recursive=True):
        text = read(path)
        if re.search(r"(?m)^Check: (fields/|systemd|testsuite)", text):
            write(f"{out}/{os.path.relpath(path, root)}", text)


def munin(out):
    package("munin-plugins-core", "2.0.73-1")
    copied("munin-plugins-core/usr/share/munin/plugins", "*", out)


def components(out):
    subprocess.run(["npm", "pack", "--silent", "mand-mobile@2.7.0"], stdout=subprocess.DEVNULL, check=True)
    with tarfile.open("mand-mobile-2.7.0.tgz") as archive:
        for member in archive:
            hit = re.fullmatch(WANTED, member.name)
            if hit and member.isfile():
                name = member.name.removeprefix("package/").removeprefix("components/")
                write(f"{out}/{name}", archive.extractfile(member).read().decode("utf-8", "replace"))


WANTED = r"package/(components/.*/README\.md|CHANGELOG\.md|README\.zh-CN\.md|package\.json|LICENSE|types/.*)"
MAKERS = {"bazaar": bazaar, "lintian": lintian, "munin": munin, "移动组件": components}

if __name__ == "__main__":
    made = build(sys.argv[1], MAKERS)
    sys.exit(check(HERE, made, gold.computed(made)) if "--check" in sys.argv else 0)
