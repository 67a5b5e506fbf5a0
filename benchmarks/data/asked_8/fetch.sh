#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/zim and DIR/supercollider from Debian packages.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
deb zim 0.75.1-1
copy zim/usr/share/zim/manual "$T/zim" -name '*.txt'
deb supercollider-common '1:3.13.0+repack-1'
for d in Guides Overviews Reference; do
  copy "supercollider-common/usr/share/SuperCollider/HelpSource/$d" "$T/supercollider/$d" -name '*.schelp'
done
find "$T/supercollider" -name '*.schelp' -exec sh -c 'for f; do mv "$f" "${f%.schelp}.txt"; done' sh {} +
