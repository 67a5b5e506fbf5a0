#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/linux, postfix, pip, setuptools, exim, jupyterhub, hatch and jupyter-server from source distributions and Debian packages.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
get pip pip-26.3.tar.gz
copy pip-26.3/docs/html "$T/pip" \( -name '*.rst' -o -name '*.md' \)
cp pip-26.3/NEWS.rst "$T/pip/"
get setuptools setuptools-84.2.1.tar.gz
copy setuptools-84.2.1/docs "$T/setuptools" -name '*.rst'
cp setuptools-84.2.1/NEWS.rst "$T/setuptools/"
get jupyter-server jupyter_server-2.21.1.tar.gz
copy jupyter_server-2.21.1/docs/source "$T/jupyter-server" -name '*.rst'
get jupyterhub jupyterhub-6.1.1.tar.gz
copy jupyterhub-6.1.1/docs/source "$T/jupyterhub" \( -name '*.md' -o -name '*.txt' \)
get hatch hatch-1.18.2.tar.gz
copy hatch-1.18.2/docs "$T/hatch" \( -name '*.md' -o -name '*.txt' \)
deb linux-doc-6.1 6.1.192-2
for d in admin-guide process; do
  copy "linux-doc-6.1/usr/share/doc/linux-doc-6.1/Documentation/$d" "$T/linux/$d" \( -name '*.rst' -o -name '*.rst.gz' \)
done
unpacked "$T/linux"
deb exim4-base 4.96-15+deb12u10
copy exim4-base/usr/share/doc/exim4-base "$T/exim" \
  -regex './\(spec\.txt\|filter\.txt\|dbm\.discuss\.txt\|GnuTLS-FAQ\.txt\|NewStuff\|Exim4\.upgrade\|\(README\|NEWS\)\.[^.]*\)\.gz'
unpacked "$T/exim"
deb postfix-doc 3.7.11-0+deb12u1
python3 "$HERE/html2txt.py" "$T/postfix" postfix-doc/usr/share/doc/postfix/html/*.html
as_pointed "$T"
