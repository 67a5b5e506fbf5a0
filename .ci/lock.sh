#!/usr/bin/env bash
# Writes the lock: every package of the tested set with the hashes of its files, for pip. `make lock` runs this.
#
# lock/runtime.txt is what kbtui needs to run and to be installed from a checkout, lock/dev.txt what tests need beside it.
# Both hold for every supported Python and platform, and name no package index. torch is in neither: its builds for CPU
# and CUDA differ in their hashes, so constraints.txt pins its version and pip takes the build that is at hand.
set -euo pipefail
cd "$(dirname "$0")/.."

uv=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "torch; sys_platform == 'never'" >"$scratch/without-torch"

compile() {
  "$uv" pip compile pyproject.toml --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
    --no-header --no-annotate --no-emit-package torch "$@"
}

# All at once first: what the extras and tools rule out is not chosen for the runtime either.
everything=(--group editable --extra all --group dev --overrides "$scratch/without-torch")
compile "${everything[@]}" --output-file "$scratch/all.txt"
compile --group editable --constraints "$scratch/all.txt" --output-file "$scratch/runtime.txt"
mapfile -t known < <(sed -n 's/^\([a-z0-9.-]*\)==.*/--no-emit-package=\1/p' "$scratch/runtime.txt" | sort -u)
compile "${everything[@]}" --constraints "$scratch/all.txt" "${known[@]}" --output-file "$scratch/dev.txt"
mkdir -p .ci/lock
mv "$scratch/runtime.txt" "$scratch/dev.txt" .ci/lock/
