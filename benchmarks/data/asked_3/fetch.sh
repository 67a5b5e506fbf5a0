#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/kernel_zh and DIR/borg from source distributions and Debian packages.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
apt-get download linux-doc-6.1=6.1.176-1 || apt-get download linux-doc-6.1
dpkg -x linux-doc-6.1_*.deb x
mkdir -p "$T/kernel_zh" "$T/borg"
cp -rL x/usr/share/doc/linux-doc-6.1/Documentation/translations/zh_CN/. "$T/kernel_zh/"
find "$T/kernel_zh" -name '*.gz' -exec gunzip -f {} +
find "$T/kernel_zh" -type f ! -name '*.rst' ! -name '*.txt' -delete
get borgbackup borgbackup-1.4.1.tar.gz
cp -r borgbackup-1.4.1/docs borgbackup-1.4.1/README.rst borgbackup-1.4.1/AUTHORS "$T/borg/"
find "$T/borg" -type f ! \( -name '*.rst' -o -name '*.inc' -o -name '*.txt' -o -name '*.md' -o -name '*.yml' -o -name '*.sh' -o -name AUTHORS \) -delete
find "$T" -type d -empty -delete
