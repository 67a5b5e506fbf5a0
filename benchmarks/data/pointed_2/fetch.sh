#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/nova, salt, mailman, pandas and fabric-invoke-paramiko from source distributions and a Debian package.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
get nova nova-34.0.0.tar.gz
copy nova-34.0.0/doc/source "$T/nova" -name '*.rst'
get salt salt-3008.5.tar.gz
copy salt-3008.5/doc "$T/salt" -name '*.rst'
get mailman mailman-3.3.10.tar.gz
copy mailman-3.3.10/src/mailman "$T/mailman" -name '*.rst'
for pv in fabric-3.2.3 invoke-3.0.3; do
  get "${pv%-*}" "$pv.tar.gz"
  copy "$pv/sites" "$T/fabric-invoke-paramiko/${pv%-*}" -name '*.rst'
done
get paramiko paramiko-5.1.0.tar.gz
copy paramiko-5.1.0 "$T/fabric-invoke-paramiko/paramiko" \( -path './docs/*.rst.txt' -o -path ./README.rst \)
as_rst "$T/fabric-invoke-paramiko"
deb python-pandas-doc 1.5.3+dfsg-2
for d in user_guide getting_started; do
  copy "python-pandas-doc/usr/share/doc/python-pandas-doc/html/_sources/$d" "$T/pandas/$d" -name '*.rst.txt'
done
as_rst "$T/pandas"
as_pointed "$T"
