#!/usr/bin/env bash
# Runs the test suite of plyvel, the Python binding, with our library: Debian's python3-plyvel,
# which was built against Debian's libleveldb, finds ours through LD_LIBRARY_PATH instead.
#
#   testing/plyvel/run.sh [--install] BUILD_DIR           our library in BUILD_DIR
#   testing/plyvel/run.sh [--install] --pmem BUILD_DIR    the same, its databases with pools
#   testing/plyvel/run.sh [--install] --stock             the system's library, which must pass
#
# Exits with 77 (skipped) and a message if something is missing that it may not or cannot install.
# --install permits the installation of Debian packages.
set -euo pipefail
cd "$(dirname "$0")/../.."
. testing/packages.sh

skip() {
  echo "plyvel's tests were skipped: $*"
  exit 77
}

if [ "${1:-}" = --install ]; then
  shift
  require_packages "${plyvel_needs[@]}"
fi
with_pools=no
if [ "${1:-}" = --pmem ]; then
  with_pools=yes
  shift
fi
if [ $# -ne 1 ] || [ "$1" = --help ]; then
  echo "usage: testing/plyvel/run.sh [--install] [--pmem] BUILD_DIR | --stock" >&2
  exit 2
fi
for need in "${plyvel_needs[@]}"; do
  is_there "$need" || skip "Debian's package ${need##*:} is missing"
done

version=1.5.0
python=/usr/bin/python3
sources=build/plyvel
mkdir -p "$sources"
if [ ! -e "$sources/plyvel-$version.tar.gz" ]; then
  $python -m pip download --quiet --no-binary :all: --no-deps --dest "$sources" \
    "plyvel==$version" > "$sources/download.log" 2>&1 ||
    skip "the sources of plyvel $version could not be downloaded"
fi

# Everything is in a directory that any user can read, because one of the tests is meaningless for
# root, which may write anywhere.
work=$(mktemp -d /tmp/bushstore-plyvel-XXXXXX)
trap 'rm -rf "$work"' EXIT
mkdir "$work/lib" "$work/tmp"
tar -xzf "$sources/plyvel-$version.tar.gz" -C "$work" --no-same-owner \
  "plyvel-$version/test"
if [ "$1" != --stock ]; then
  cp "$1/libleveldb.so.1d" "$work/lib/"
fi
cp testing/with_pool.sh "$work/"
chmod -R a+rX "$work"
chmod 1777 "$work/tmp"

as_user=()
choice=()
if [ "$(id -u)" -eq 0 ]; then
  if command -v setpriv > /dev/null; then
    as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  else
    choice=(--deselect test/test_plyvel.py::test_open_read_only_dir)
  fi
fi

# The suite itself reports which library it used, so that a pass with the wrong one does not count.
cat > "$work/which.py" <<'END'
import os
import sys
import tempfile
import plyvel
maps = open("/proc/self/maps").read().split("\n")
print("plyvel", plyvel.__version__, "on",
      *sorted({line.split()[-1] for line in maps if "libleveldb" in line}))
with tempfile.TemporaryDirectory() as place:
    plyvel.DB(place + "/db", create_if_missing=True).close()
    if os.path.exists(place + "/db/PMEM") != ("LEVELDB_PMEM_PATH" in os.environ):
        sys.exit("a new database has no pool, or one that nobody asked for")
END
cd "$work/plyvel-$version"
export LD_LIBRARY_PATH="$work/lib" TMPDIR="$work/tmp" PYTHONDONTWRITEBYTECODE=1
as_wished=("${as_user[@]}")
if [ $with_pools = yes ]; then
  # Not tiny: the suite writes a batch of 11 MB.
  as_wished+=("$work/with_pool.sh" small)
fi
which=$("${as_wished[@]}" $python "$work/which.py")
echo "$which"
case "$1:$which" in
  --stock:*"$work"*) echo "that is not the system's library" >&2; exit 1 ;;
  --stock:* | *:*"$work/lib/libleveldb.so.1d") ;;
  *) echo "that is not our library" >&2; exit 1 ;;
esac
"${as_wished[@]}" $python -m pytest -q -p no:cacheprovider "${choice[@]}" test
