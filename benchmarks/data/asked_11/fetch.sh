#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/ganeti from a Debian source package and DIR/ansible_plugins from a source distribution.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
. "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
debian_source g/ganeti/ganeti_3.0.2.orig.tar.gz
tar xzf ganeti_3.0.2.orig.tar.gz
copy ganeti-3.0.2/doc "$T/ganeti" -name '*.rst' -not -name manpages-disabled.rst
get ansible-core ansible_core-2.19.8.tar.gz
for d in filter test; do
  copy "ansible_core-2.19.8/lib/ansible/plugins/$d" "$T/ansible_plugins/$d" -name '*.yml'
done
