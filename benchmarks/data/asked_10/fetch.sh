#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/jekyll from a Debian source package.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
F=jekyll_4.3.4%2bdfsg.orig.tar.xz
debian_source j/jekyll/$F
tar xJf $F --strip-components=1
for d in _docs _posts _tutorials _data; do
  copy "docs/$d" "$T/jekyll/$d" '(' -name '*.md' -o -name '*.yml' ')'
done
