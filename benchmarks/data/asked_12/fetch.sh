#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/prosody from a Debian package and DIR/fwupd from a Debian source package.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
deb prosody-modules '0.0~hg20230223.556bf57d6417+dfsg-1'
unpacked prosody-modules/usr/share/doc/prosody-modules
copy prosody-modules/usr/share/doc/prosody-modules "$T/prosody" -name 'README_mod_*'
debian_source f/fwupd/fwupd_2.0.20.orig.tar.gz
tar xzf fwupd_2.0.20.orig.tar.gz
copy fwupd-2.0.20/plugins "$T/fwupd" -name README.md
