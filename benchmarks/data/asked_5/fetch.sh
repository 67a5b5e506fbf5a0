#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/moin_help and DIR/celery from source distributions and Debian packages.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
get moin moin-1.9.11.tar.gz
get celery celery-5.5.3.tar.gz
# moin: the English pages of the wiki's own help, from the language package in the sdist
mkdir -p "$T/moin_help" "$T/celery"
Z=$(find . -name 'English--all_pages.zip') T="$T/moin_help" python3 - <<'P'
import os, zipfile
z = zipfile.ZipFile(os.environ["Z"]); t = os.environ["T"]
for line in z.read("MOIN_PACKAGE").decode("utf8").splitlines():
    p = line.split("|")
    if p[0] == "ReplaceUnderlay":
        f = os.path.join(t, *p[2].split("/")) + ".txt"
        os.makedirs(os.path.dirname(f), exist_ok=True)
        open(f, "wb").write(z.read(p[1]).replace(b"\r\n", b"\n"))
P
# celery: its docs, texts only
cd celery-5.5.3/docs
find . -type f \( -name '*.rst' -o -name '*.txt' -o -name THANKS -o -name AUTHORS.txt \) ! -name 'spelling_wordlist.txt' ! -path './_*' ! -path './templates/*' | while read -r f; do
  mkdir -p "$T/celery/$(dirname "$f")"; cp "$f" "$T/celery/$f"; done
