#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/synapse and DIR/tracwiki from source distributions and Debian packages.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
get matrix-synapse matrix_synapse-1.163.2.tar.gz
mkdir -p "$T/synapse" "$T/tracwiki/wiki"
cp -r matrix_synapse-1.163.2/docs/. "$T/synapse/"
rm -rf "$T/synapse/website_files"
find "$T/synapse" -type f \( -name '*.png' -o -name '*.svg' -o -name '*.dot' -o -name '*.jpg' -o -name '.ht*' \) -delete
get trac Trac-1.6.tar.gz
S=Trac-1.6
cp $S/trac/wiki/default-pages/* "$T/tracwiki/wiki/"
cp -r $S/doc "$T/tracwiki/doc"; rm -rf "$T/tracwiki/doc/images" "$T/tracwiki/doc/utils" "$T/tracwiki/doc/conf.py"
cp -r $S/contrib/workflow "$T/tracwiki/workflow"
for f in README.rst INSTALL.rst UPGRADE.rst RELEASE.rst ChangeLog AUTHORS THANKS COPYING; do cp "$S/$f" "$T/tracwiki/"; done
chmod -R u+w "$T/synapse" "$T/tracwiki"
