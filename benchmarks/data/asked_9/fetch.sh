#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/hugo and DIR/sagepkgs from a Debian source package and a source distribution of the index.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"
# The documentation stands only in the source of Debian's package.
F=hugo_0.111.3.orig.tar.gz
debian_source h/hugo/$F
tar xzf $F --wildcards 'hugo-0.111.3/docs/content/en/*'
rm -r hugo-0.111.3/docs/content/en/news
copy hugo-0.111.3/docs/content/en "$T/hugo" -name '*.md'
get sage-conf sage-conf-9.8.tar.gz
cd sage-conf-9.8/sage_root/build/pkgs
for d in [c-g]*; do
  [ -f "$d/SPKG.rst" ] || continue
  copy "$d" "$T/sagepkgs/$d" -maxdepth 1 '(' -name SPKG.rst -o -name type -o -name dependencies -o -name package-version.txt ')'
done
# The metadata files have no suffix there.
find "$T/sagepkgs" -type f '(' -name type -o -name dependencies ')' -exec sh -c 'for f; do mv "$f" "$f.txt"; done' sh {} +
