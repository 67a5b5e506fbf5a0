# Sourced by the fetch.sh of question sets, which set HERE to their own folder.
# get PROJECT FILE: downloads a source distribution from the index that pip is configured for, and unpacks it here.
INDEX=${PIP_INDEX_URL:-$(pip config get global.index-url 2>/dev/null || true)}
[ -n "$INDEX" ] || INDEX=$(python3 -c "from pip._internal.models.index import PyPI; print(PyPI.simple_url)")
INDEX=${INDEX%/}
get() {
  address=$(curl -sSfL -m 120 "$INDEX/$1/" | grep -o "href=\"[^\"#]*$2" | head -1 | cut -c7-)
  case "$address" in http*) ;; *) address="$INDEX/$1/$address" ;; esac
  curl -sSfL -m 300 -o "$2" "$address"
  tar xzf "$2"
}
# deb NAME VERSION: downloads a Debian package, of another version where that one is no longer offered, and unpacks it to ./NAME.
deb() {
  apt-get download "$1=$2" || apt-get download "$1"
  dpkg -x "$1"_*.deb "$1"
}
# debian_source PATH: downloads a file of Debian's source packages, below pool/main of the archive that apt is configured for.
debian_source() {
  ARCHIVE=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -1)
  curl -sSfL -m 300 -O "${ARCHIVE%/}/pool/main/$1"
}
# copy FROM TO TEST...: copies the files below FROM that pass the tests of find, with the folders they are in.
copy() {
  mkdir -p "$2"
  (cd "$1" && find . -type f "${@:3}" -print0 | tar cf - --null -T -) | tar xf - -C "$2"
}
# unpacked DIR: unpacks the files below DIR that end in .gz.
unpacked() { find "$1" -name '*.gz' -exec gunzip -f {} +; }
# as_rst DIR: takes the .txt off the names below DIR that Sphinx made of .rst.
as_rst() { find "$1" -name '*.rst.txt' -exec sh -c 'for f; do mv "$f" "${f%.txt}"; done' sh {} +; }
# digest DIR: one number for the names and contents of all files below DIR.
digest() { (cd "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1); }
# as_pointed DIR: tells of each folder of folders.sha256 whose files in DIR are not those that the line numbers are of.
as_pointed() {
  other=0
  while read -r wanted name; do
    [ "$(digest "$1/$name")" = "$wanted" ] || { echo "$name: not the files that the lines were read in" >&2; other=1; }
  done <"$HERE/folders.sha256"
  return $other
}
