#!/bin/sh
# Usage: read_only_test.sh BUSHSTORE GOLDEN-DIRECTORY SCRATCH-DIRECTORY DRIVER LIBRARY-DIRECTORY
# Runs the read-only commands of bushstore on databases that must not be written to, and on one
# whose comparator is not known. The exit code is 0 if all is well.
set -u
tool=$1
golden=$2
scratch=$3
driver=$4
library_dir=$5
unset LEVELDB_PMEM_PATH LEVELDB_PMEM_ASSUME LEVELDB_PMEM_CONVERT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# Prints the state of a directory, to the byte and the nanosecond.
state() {
  (cd "$1" && find . -printf '%p %s %m %T@\n' | sort &&
    find . -type f | sort | xargs cat | cksum)
}

# Runs a command that cannot write to $db: on a read-only mount if root can create one, otherwise
# without write permission.
if [ "$(id -u)" -eq 0 ] && unshare -m true 2> /dev/null; then
  read_only() {
    db=$db unshare -m sh -c 'mount --bind "$db" "$db" && mount -o remount,ro,bind "$db" || exit 99
      exec "$@"' sh "$@"
  }
elif [ "$(id -u)" -eq 0 ]; then
  read_only() {
    chmod -R a+rX,a-w "$db" && setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
  }
else
  read_only() {
    chmod -R a-w "$db"
    "$@"
    outcome=$?
    chmod -R u+w "$db"
    return $outcome
  }
fi

rm -rf "$scratch"
mkdir -p "$scratch"
for name in db0 db1 db2 db3; do
  [ -d "$golden/$name" ] || continue
  db=$scratch/$name
  cp -r "$golden/$name" "$db"
  cp -r "$db" "$scratch/writable"
  "$tool" dump "$scratch/writable" > "$scratch/expected" 2> "$scratch/errors" || {
    rm -rf "$scratch/writable"
    continue  # of another comparator, or with a pool
  }
  before=$(state "$db")
  read_only "$tool" dump "$db" > "$scratch/dump" || fail "dump $name ends with $?"
  if [ ! -s "$scratch/errors" ]; then
    cmp -s "$scratch/dump" "$scratch/expected" || fail "dump $name differs"
    read_only "$tool" check "$db" > "$scratch/out" || fail "check $name: $(cat "$scratch/out")"
    read_only "$tool" stats "$db" > "$scratch/out" || fail "stats $name: $(cat "$scratch/out")"
    read_only "$tool" info "$db" > "$scratch/out" || fail "info $name: $(cat "$scratch/out")"
    read_only "$tool" backup "$db" "$scratch/copy" > "$scratch/out" ||
      fail "backup $name: $(cat "$scratch/out")"
    "$tool" dump "$scratch/copy" | cmp -s - "$scratch/expected" ||
      fail "the backup of $name differs"
  fi
  [ "$before" = "$(state "$db")" ] || fail "$name was changed: $(ls -la "$db")"
  rm -rf "$scratch/copy" "$scratch/writable"
  tried=1
done
[ "${tried:-}" ] || fail "there is no golden database in $golden"

# A database with logs that were never flushed, from a process that was killed while it was open.
db=$scratch/killed
LD_LIBRARY_PATH=$library_dir "$driver" "$db" small write 7 1 120 0 die > /dev/null 2>&1
cp -r "$db" "$scratch/writable"
"$tool" dump "$scratch/writable" > "$scratch/expected" || fail "dump of a killed database"
[ -s "$scratch/expected" ] || fail "a killed database is empty"
before=$(state "$db")
read_only "$tool" dump "$db" > "$scratch/dump" || fail "dump of a killed database, read-only"
cmp -s "$scratch/dump" "$scratch/expected" || fail "logs are missing in a read-only dump"
[ "$before" = "$(state "$db")" ] || fail "a killed database was changed"

# With damage in the middle of a log: what an open moves to lost/ also stays in memory.
db=$scratch/damaged
LD_LIBRARY_PATH=$library_dir "$driver" "$db" write 7 1 120 0 die > /dev/null 2>&1
# The damage is in the second of several blocks.
printf 'damage' | dd of="$(ls "$db"/*.log)" bs=1 seek=40000 conv=notrunc 2> /dev/null
cp -r "$db" "$scratch/damaged_writable"
"$tool" dump "$scratch/damaged_writable" > "$scratch/expected" || fail "dump of a damaged log"
[ -d "$scratch/damaged_writable/lost" ] || fail "a damaged log was not kept"
before=$(state "$db")
read_only "$tool" dump "$db" > "$scratch/dump" || fail "dump of a damaged log, read-only"
cmp -s "$scratch/dump" "$scratch/expected" || fail "a read-only dump of a damaged log differs"
read_only "$tool" stats "$db" > "$scratch/out" || fail "stats of a damaged log, read-only"
[ "$before" = "$(state "$db")" ] || fail "a database with a damaged log was changed"

# Every open writes to the pool.
db=$scratch/pooled
cp -r "$golden/db0" "$db"
mkdir "$scratch/pools"
if LD_LIBRARY_PATH=$library_dir LEVELDB_PMEM_PATH=$scratch/pools LEVELDB_PMEM_SIZE=32M \
  LEVELDB_PMEM_CONVERT=1 "$driver" "$db" close > "$scratch/out" 2>&1 && [ -f "$db/PMEM" ]; then
  before=$(state "$db")
  for command in dump check stats; do
    read_only "$tool" $command "$db" > "$scratch/out" 2>&1 && fail "$command of a pool, read-only"
    grep -q "has its newest data in a pool" "$scratch/out" || fail "$(cat "$scratch/out")"
  done
  read_only "$tool" info "$db" > "$scratch/out" || fail "info of a pool: $(cat "$scratch/out")"
  [ "$before" = "$(state "$db")" ] || fail "a database with a pool was changed"
  "$tool" check "$db" > "$scratch/out" || fail "afterwards: $(cat "$scratch/out")"
fi

# Another order of keys: prints the entries as stored, and writes nothing.
db=$scratch/reverse
LD_LIBRARY_PATH=$library_dir "$driver" "$db" reverse small write 7 1 60 0 compact write 7 61 80 0 \
  > "$scratch/out" || fail "$(cat "$scratch/out")"
before=$(state "$db")
"$tool" dump "$db" > "$scratch/dump" 2> "$scratch/errors" || fail "$(cat "$scratch/errors")"
grep -q "is ordered by the comparator [^ ]*[Rr]everse" "$scratch/errors" ||
  fail "no note: $(cat "$scratch/errors")"
grep -q "^[0-9]*\.ldb @ [0-9]*: .* => " "$scratch/dump" || fail "no entries of tables"
grep -q "^[0-9]*\.log @ [0-9]*: " "$scratch/dump" || fail "no entries of logs"
"$tool" --json dump "$db" 2> /dev/null | python3 -c 'import json, sys
keys = [json.loads(line)["key"] for line in sys.stdin]
sys.exit(len(keys) == 0)' || fail "no JSON"
[ "$before" = "$(state "$db")" ] || fail "a dump has changed a database of another comparator"
rm -rf "$scratch"
