#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/scrapy, sphinx, git-doc, buildbot and sqlalchemy from source distributions and Debian packages.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
get scrapy scrapy-2.11.2.tar.gz
copy scrapy-2.11.2/docs "$T/scrapy" -name '*.rst'
get sphinx sphinx-9.0.4.tar.gz
copy sphinx-9.0.4/doc "$T/sphinx" -name '*.rst'
get sqlalchemy sqlalchemy-1.4.54.tar.gz
copy sqlalchemy-1.4.54/doc/build "$T/sqlalchemy" -name '*.rst' ! -path '*/unreleased_13/*'
deb git-doc 1:2.39.5-0+deb12u3
copy git-doc/usr/share/doc/git-doc "$T/git-doc" -name '*.txt'
deb git 1:2.39.5-0+deb12u3  # the release notes
copy git/usr/share/doc/git/RelNotes "$T/git-doc/RelNotes" -name '*.txt'
deb buildbot-doc 3.7.0-2
copy buildbot-doc/usr/share/doc/buildbot/html/_sources "$T/buildbot" -name '*.rst.txt'
as_rst "$T/buildbot"
as_pointed "$T"
