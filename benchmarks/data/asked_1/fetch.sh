#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/neps and DIR/lintian from source distributions and Debian packages.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
get numpy numpy-2.5.5.tar.gz
mkdir -p "$T/neps" "$T/lintian/tags"
cp numpy-2.5.5/doc/neps/*.rst "$T/neps/"
apt-get download lintian=2.116.3+deb12u1 || apt-get download lintian
dpkg -x lintian_*.deb lin
for d in a b c e f g h l m o r s w; do cp -r "lin/usr/share/lintian/tags/$d" "$T/lintian/tags/"; done
cp lin/usr/share/doc/lintian/README.md lin/usr/share/doc/lintian/CREDITS "$T/lintian/"
gzip -dc lin/usr/share/doc/lintian/lintian.rst.gz >"$T/lintian/lintian.rst"
