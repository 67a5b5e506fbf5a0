# Sourced by the fetch.sh of question sets.
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
