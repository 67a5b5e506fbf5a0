#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/lincity and DIR/django from source distributions and Debian packages.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
apt-get download lincity-ng-data=2.9~git20150314-5 || apt-get download lincity-ng-data
dpkg -x lincity-ng-data_*.deb deb
mkdir -p "$T/lincity" "$T/django"
cp deb/usr/share/games/lincity-ng/help/en/*.xml "$T/lincity/"
get django django-5.2.19.tar.gz
for d in howto faq internals releases topics; do
  (cd django-5.2.19/docs && find $d -type f \( -name '*.txt' -o -name '*.rst' -o -name '*.md' \) -print0 | xargs -0 cp --parents -t "$T/django")
done
