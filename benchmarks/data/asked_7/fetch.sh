#!/usr/bin/env bash
# bash fetch.sh DIR: makes DIR/prowler and DIR/licences from source distributions and Debian packages.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd); . "$HERE/../sdist.sh"
mkdir -p "$1"; T=$(cd "$1" && pwd); W=$(mktemp -d); trap 'rm -rf "$W"' EXIT; cd "$W"; chmod 755 "$W"
get prowler prowler-5.9.2.tar.gz
mkdir -p "$T/prowler/providers"
cp prowler-5.9.2/README.md prowler-5.9.2/prowler/CHANGELOG.md "$T/prowler/"
(cd prowler-5.9.2/prowler && find providers/aws/services providers/azure/services -name '*.metadata.json' ! -path '*/azure/services/defender/*' ! -path '*/azure/services/monitor/*' -print0 | tar cf - --null -T -) | tar xf - -C "$T/prowler"
get licensedcode-data licensedcode_data-32.1.0.tar.gz
python3 - licensedcode_data-32.1.0/src/licensedcode/data/licenses "$T/licences" <<'P'
import glob, os, re, sys
OWN = """Apple|Eclipse Foundation|Red Hat|Lawrence Rosen|NVIDIA|Mozilla|Polyform|Python Software Foundation (PSF)|Kyle Mitchell|Facebook|CeCILL
W3C - World Wide Web Consortium|CERN|Qt Company|Trolltech|Digia|LaTeX|MongoDB|Ethical Source|BigScience|Open Data Commons|Apache Software Foundation|MIT
COSCL - China Open Source Cloud League|Canonical Inc.|SIL International|Tanuki Software|Igor Pavlov|Unicode Consortium|govdata.de|U.K. National Archives
JSON.org|Sencha|Linux Foundation|OpenSSL|Perl Foundation|PHP Project|SolderPad|Boost|JetBrains|DINUM|Amazon Web Services|Insecure.Com|X.Org|RAR|Splunk
Elastic|MariaDB|Confluent|Redis|Timescale|Openwall|Embedthis|Richard Fontana|SGI - Silicon Graphics|Nokia|Monotype|Zope Community|RealNetworks|BitTorrent, Inc.|OSOR.eu|Quebec""".replace("\n", "|").split("|")
KEYS = """postgresql unlicense wtfpl-2.0 beerware isc zlib vim blessing commons-clause bsl-1.1 bsl-1.0 elastic-license-v2 elastic-license-2018 confluent-community-1.0
fair-source-0.9 hippocratic-1.0 jpeg-license-proprietary curl ntp-0 artistic-2.0 ms-pl ms-rl epl-2.0 ibmpl-1.0 ijg libpng sleepycat ruby fsl-1.1-mit busl-1.1 rsalv2""".split()
os.makedirs(sys.argv[2])
for f in sorted(glob.glob(sys.argv[1] + "/*.LICENSE")):
    t = open(f, encoding="utf8").read()
    k = os.path.basename(f)[:-8]
    m = re.search(r"^owner: (.*)$", t.split("\n---", 1)[0], re.M)
    if k in KEYS or m and m.group(1).strip("'\" ") in OWN:
        open(os.path.join(sys.argv[2], k + ".md"), "w", encoding="utf8").write(t)
P
