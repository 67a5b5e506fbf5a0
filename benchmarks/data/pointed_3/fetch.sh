#!/usr/bin/env bash
# bash fetch.sh DIR: makes ten folders in DIR from a source distribution and Debian packages.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
get beets beets-1.6.0.tar.gz
copy beets-1.6.0/docs "$T/beets" -name '*.rst'
deb gnome-user-docs 43.0-2
python3 "$HERE/mallard2md.py" "$T/desktop-help" gnome-user-docs/usr/share/help/C/gnome-help/*.page
deb gnucash-docs 4.13-1
G=gnucash-docs/usr/share/doc/gnucash-docs/gnucash-guide-en; rm $G/fdl*.html $G/index.html $G/titlepage.html
python3 "$HERE/html2txt.py" "$T/gnucash" $G/*.html
deb debian-faq 11.1
python3 "$HERE/html2txt.py" "$T/debian-faq" debian-faq/usr/share/doc/debian/FAQ/*.en.html
deb developers-reference 12.18
copy developers-reference/usr/share/developers-reference/_sources "$T/devref" -name '*.rst.txt'
deb doc-debian 11.3+nmu1
copy doc-debian/usr/share/doc/debian "$T/debian-project" ! -name 'constitution.1.*'
deb debian-history 2.28
copy debian-history/usr/share/doc/debian-history/dedication "$T/debian-project" -name 'dedication-?.?.txt'
cp debian-history/usr/share/doc/debian-history/docs/project-history.en.txt.gz "$T/debian-project/"
unpacked "$T/debian-project"
deb base-files 12.4+deb12u15
copy base-files/usr/share/common-licenses "$T/licenses" ! -name GPL-1 ! -name LGPL-2 ! -name GFDL-1.2
deb crawl-common 2:0.28.0-1.1
copy crawl-common/usr/share/crawl/dat/descript "$T/crawl" -path './*.txt' ! -path './*/*'
cp crawl-common/usr/share/crawl/dat/database/FAQ.txt crawl-common/usr/share/crawl/dat/database/help.txt "$T/crawl/"
deb freeciv-data 3.0.6-1+deb12u1
copy freeciv-data/usr/share/doc/freeciv-data "$T/freeciv" \
  -regex './\(BUGS\|\(FAQ\|HOWTOPLAY\|README\|NEWS-3\.0\|README\.\(fcdb\|governor\|modpack_installer\)\)\.gz\|README\.Debian\)'
cp freeciv-data/usr/share/games/freeciv/helpdata.txt "$T/freeciv/"
unpacked "$T/freeciv"
deb nethack-common 3.6.6-3+b2
copy nethack-common/usr/share/doc/nethack-common "$T/roguelikes" -name Guidebook.txt.gz
deb angband 1:3.5.1-2.5
copy angband/usr/share/doc/angband "$T/roguelikes" \( -name faq.txt.gz -o -name readme.txt \)
unpacked "$T/roguelikes"
as_pointed "$T"
