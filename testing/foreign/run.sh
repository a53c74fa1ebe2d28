#!/usr/bin/env bash
# Opens our directories with other implementations of LevelDB: each must refuse one with a tier, and
# change nothing in it; and goleveldb must read all records of our logs in plain ones.
#
#   testing/foreign/run.sh [--install] BUILD_DIR
#
# Tries goleveldb (Go), rusty-leveldb (Rust), classic-level (JavaScript) and plyvel (Python), each
# on 200 databases with pools of random ids, with trees and without. BUSHSTORE_FOREIGN_DATABASES=N
# sets another number. Packages are fetched by the tools of these languages. Exits with 77 (skipped)
# and a message if an implementation is not available, but only after the others have been tried.
# --install permits the installation of Debian packages.
set -euo pipefail
cd "$(dirname "$0")/../.."
. testing/packages.sh

if [ "${1:-}" = --install ]; then
  shift
  require_packages python:plyvel:python3-plyvel
fi
if [ $# -ne 1 ] || [ "$1" = --help ]; then
  echo "usage: testing/foreign/run.sh [--install] BUILD_DIR" >&2
  exit 2
fi
build=$(realpath "$1")
databases=${BUSHSTORE_FOREIGN_DATABASES:-200}
place=build/foreign
mkdir -p "$place"
place=$(realpath "$place")
memory=$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)
work=$(mktemp -d "$memory/bushstore-foreign-XXXXXX")
trap 'rm -rf "$work"' EXIT
skipped=0
failed=0

skip() {
  echo "foreign: $1 was not tried: $2"
  skipped=1
}

fail() {
  echo "foreign: FAILED: $*"
  failed=1
}

# db_driver ARGUMENTS...: runs it with our library. With `die` at the end it kills itself, which the
# shell would report.
db_driver() {
  local outcome=0
  {
    LD_LIBRARY_PATH=$build "$build/testing/db_driver" "$@" > "$work/driver.log" 2>&1 || outcome=$?
  } 2> /dev/null
  if [ "$outcome" -ne 0 ] && ! { [ "$outcome" -eq 137 ] && [ "${*: -1}" = die ]; }; then
    echo "foreign: db_driver $*: $(tail -n 2 "$work/driver.log")" >&2
    exit 1
  fi
}

# ---- programs ----------------------------------------------------------------------------------

mkdir -p "$place/goleveldb" "$place/rusty-leveldb" "$place/classic-level"
tried=()

if ! command -v go > /dev/null; then
  skip goleveldb "go is missing"
elif ! (cp testing/foreign/goleveldb/* "$place/goleveldb/" && cd "$place/goleveldb" &&
  go mod tidy && go build -o goleveldb .) > "$place/goleveldb.log" 2>&1; then
  skip goleveldb "it could not be fetched and built ($place/goleveldb.log)"
else
  tried+=(goleveldb)
fi
if ! command -v cargo > /dev/null; then
  skip rusty-leveldb "cargo is missing"
elif ! (cp -r testing/foreign/rusty-leveldb/* "$place/rusty-leveldb/" &&
  cd "$place/rusty-leveldb" && cargo build --quiet) > "$place/rusty-leveldb.log" 2>&1; then
  skip rusty-leveldb "it could not be fetched and built ($place/rusty-leveldb.log)"
else
  tried+=(rusty-leveldb)
fi
if ! command -v npm > /dev/null || ! command -v node > /dev/null; then
  skip classic-level "node or npm is missing"
elif ! (cp testing/foreign/classic-level/* "$place/classic-level/" && cd "$place/classic-level" &&
  npm install --silent --no-audit --no-fund) > "$place/classic-level.log" 2>&1; then
  skip classic-level "it could not be fetched ($place/classic-level.log)"
else
  tried+=(classic-level)
fi
if is_there python:plyvel:python3-plyvel; then
  tried+=(plyvel)
else
  skip plyvel "Debian's package python3-plyvel is missing"
fi

run_goleveldb() { "$place/goleveldb/goleveldb" "$@"; }
run_rusty-leveldb() { "$place/rusty-leveldb/target/debug/foreign" "$@"; }
run_classic-level() { (cd "$place/classic-level" && node refuses.js "$@"); }
run_plyvel() { /usr/bin/python3 testing/foreign/plyvel_refuses.py "$@"; }

# ---- databases with a tier ---------------------------------------------------------------------

mkdir "$work/pools" "$work/tier"
if ! LEVELDB_PMEM_PATH=$work/pools LEVELDB_PMEM_ASSUME=1 LEVELDB_PMEM_REQUIRE=1 \
  LEVELDB_PMEM_SIZE=8M PMEMOBJ_CONF=${PMEMOBJ_CONF-sds.at_create=0} LD_LIBRARY_PATH=$build \
  "$build/testing/db_driver" "$work/first" where > "$work/driver.log" 2>&1; then
  skip "a directory with a tier" "no pool can be made here ($(tail -n 1 "$work/driver.log"))"
  databases=0
fi
for ((i = 1; i <= databases; i++)); do
  words=(small write 7 1 20 0)
  [ $((i % 2)) -eq 0 ] || words=(small write 7 1 200 0 compact)
  [ $((i % 4)) -lt 2 ] || words+=(close)
  LEVELDB_PMEM_PATH=$work/pools LEVELDB_PMEM_ASSUME=1 LEVELDB_PMEM_REQUIRE=1 LEVELDB_PMEM_SIZE=8M \
    PMEMOBJ_CONF=${PMEMOBJ_CONF-sds.at_create=0} db_driver "$work/tier/$i" "${words[@]}"
done
sums() {
  (cd "$1" && find . \( -name CURRENT -o -name 'MANIFEST-*' -o -name PMEM -o -name '*.ldb' \) \
    -exec cksum {} + | sort)
}

if [ "$databases" -gt 0 ]; then
  sums "$work/tier" > "$work/sums"
  for name in "${tried[@]}"; do
    cp -r "$work/tier" "$work/$name"
    # shellcheck disable=SC2046 # names of directories without blanks
    "run_$name" $(seq -f "$work/$name/%.0f" 1 "$databases") > "$work/$name.out" 2>&1 || true
    refused=$(grep -c '^refused ' "$work/$name.out" || true)
    if [ "$refused" -ne "$databases" ]; then
      fail "$name refused $refused of $databases directories with a tier:" \
        "$(grep -v '^refused ' "$work/$name.out" | head -n 3)"
    elif ! sums "$work/$name" | cmp -s - "$work/sums"; then
      fail "$name has changed a directory with a tier that it refused"
    else
      echo "foreign: $name refused $refused of $databases directories with a tier, as in:" \
        "$(sed -n "1s,^refused [^:]*: ,,p" "$work/$name.out" | cut -c1-160)"
    fi
    rm -rf "${work:?}/$name"
  done
fi

# ---- plain databases ---------------------------------------------------------------------------

if [[ " ${tried[*]} " == *" goleveldb "* ]]; then
  wrong=0
  for ((i = 1; i <= 20; i++)); do
    # Killed in the middle of a memtable, after flushes, so that a log with many records is left.
    db_driver "$work/plain$i" small write "$i" 1 $((i * 37)) 0 die
    cp -r "$work/plain$i" "$work/ours"
    db_driver "$work/ours" dump "$work/ours.dump"
    run_goleveldb dump "$work/plain$i" > "$work/goleveldb.dump" || wrong=$((wrong + 1))
    if ! cmp -s "$work/ours.dump" "$work/goleveldb.dump"; then
      wrong=$((wrong + 1))
      echo "foreign: of $(wc -l < "$work/ours.dump") entries goleveldb shows" \
        "$(wc -l < "$work/goleveldb.dump")"
    fi
    rm -rf "$work/ours"
  done
  if [ $wrong -gt 0 ]; then
    fail "goleveldb does not read all of our logs, in $wrong of 20 databases"
  else
    echo "foreign: goleveldb read all of 20 plain databases that were killed"
  fi
fi

[ $failed -eq 0 ] || exit 1
[ $skipped -eq 0 ] || exit 77
