#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/ghcexts from a Debian package and DIR/systemd from a Debian source package.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "${SDIST:-$HERE/../sdist.sh}"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
deb ghc-doc 9.0.2-4
copy ghc-doc/usr/share/doc/ghc-doc/html/users_guide/_sources/exts "$T/ghcexts" -name '*.rst.txt'
as_rst "$T/ghcexts"
debian_source s/systemd/systemd_252.39.orig.tar.gz
mkdir s; tar xzf systemd_252.39.orig.tar.gz -C s --strip-components=1
copy s/docs "$T/systemd" -name '*.md'
