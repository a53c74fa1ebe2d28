#!/bin/sh
# Usage: bushstore_test.sh BUSHSTORE GOLDEN-DIRECTORY SCRATCH-DIRECTORY DRIVER LIBRARY-DIRECTORY
# Runs the commands of bushstore on copies of golden databases. Exit code 0 when all is well.
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

# expect CODE TEXT ARGUMENTS...: runs bushstore and checks the exit code and that it prints TEXT.
expect() {
  code=$1
  text=$2
  shift 2
  output=$("$tool" "$@" 2>&1)
  actual=$?
  [ "$actual" -eq "$code" ] || fail "'$*' ends with $actual, not $code: $output"
  case $output in
    *"$text"*) ;;
    *) fail "'$*' does not say '$text': $output" ;;
  esac
}

# json ARGUMENTS...: runs bushstore and checks that the output is JSON, one value per line.
json() {
  "$tool" --json "$@" > "$scratch/json" || fail "'--json $*' ends with $?"
  python3 -c 'import json, sys
for line in sys.stdin: json.loads(line)' < "$scratch/json" || fail "'--json $*': no JSON"
}

# holds EXPRESSION ARGUMENTS...: checks that EXPRESSION is true of `it`, the JSON output.
holds() {
  expression=$1
  shift
  "$tool" "$@" --json > "$scratch/json"
  python3 -c 'import json, sys
it = json.load(open(sys.argv[1]))
number = (int, float)
sys.exit(not eval("(" + sys.argv[2] + ")"))' "$scratch/json" "$expression" ||
    fail "'$*': not so: $expression: $(cat "$scratch/json")"
}

# convert DB: gives a plain database a pool, as another program would.
convert() {
  LD_LIBRARY_PATH=$library_dir LEVELDB_PMEM_PATH=$pools LEVELDB_PMEM_SIZE=32M \
    LEVELDB_PMEM_CONVERT=1 "$driver" "$1" close > "$scratch/driver" ||
    fail "the conversion: $(cat "$scratch/driver")"
  [ -f "$1/PMEM" ] || fail "no pool after the conversion"
}

rm -rf "$scratch"
mkdir -p "$scratch/pools"
cp -r "$golden/db0" "$scratch/db"
db=$scratch/db
pools=$scratch/pools

expect 0 "usage: bushstore" --help
expect 0 "bushstore for LevelDB 1.23" --version
expect 2 "which command?"
expect 2 "no such command: frobnicate" frobnicate
expect 2 "info: takes 1 path" info
expect 2 "backup: takes 2 paths" backup "$db"
expect 2 "check: no such option: --remove" check "$db" --remove
expect 1 "does not exist" check "$scratch/nothing"
expect 1 "No such file" info "$scratch/nothing"
expect 0 "number of pools: 0" info "$pools"
expect 0 "usage: bushstore" info --help
expect 0 "usage: bushstore" gc "$pools" -h
expect 2 "info: no such option: -x" info -x
mkdir -p "$scratch/in/-dashed"
(cd "$scratch/in" && "$tool" info --json -- -dashed > "$scratch/json") || fail "a path after --"
expect 1 "No such file" info -- --json

# The device is described even without a pool.
truncate -s 16M "$scratch/blank"
for path in "$pools" "$scratch/blank"; do
  holds 'it["device"]["file_system"] != "" and type(it["device"]["dax"]) is bool and
    type(it["device"]["bad_blocks"]) is int and
    all(name in it["device"] for name in ("namespace", "mode", "health")) and
    it["device"]["medium"] != "" and it["pools"] == []' info "$path"
done
echo "no pool" > "$scratch/file"
expect 3 "no root of a BushStore pool" info "$scratch/file"

# A plain database stays plain, whatever the environment requests.
for command in stats check dump drain; do
  LEVELDB_PMEM_PATH=$pools LEVELDB_PMEM_CONVERT=1 "$tool" $command "$db" > /dev/null ||
    fail "$command of a plain database ends with $?"
  [ ! -e "$db/PMEM" ] || fail "$command has converted a plain database"
done
expect 0 "has tier: no" stats "$db"
expect 0 "nothing is wrong" check "$db"
"$tool" dump "$db" > "$scratch/plain.dump" || fail "dump"
[ "$(wc -l < "$scratch/plain.dump")" -gt 1000 ] || fail "a short dump"

# The database gets a pool, and keeps its contents.
convert "$db"
expect 0 "has tier: yes" stats "$db"
"$tool" dump "$db" | cmp -s - "$scratch/plain.dump" || fail "the pool changed the contents"
expect 0 "extents of the pool are in use" check "$db"
expect 0 "database: $(realpath "$db")" info "$pools"
expect 0 "number of pools: 1" info "$db"
expect 0 "number of orphans: 0" gc "$pools"
for command in "stats $db" "check $db" "dump $db" "info $pools" "gc $pools"; do
  # shellcheck disable=SC2086 # words of a command
  json $command
done

holds 'it["has tier"] is True and it["tier"]["id"] != "" and
  it["tier"]["pool"].startswith("/") and it["tier"]["pool"].endswith(".set") and
  all(type(figure) in number for name, figure in it["tier"].items()
      if name not in ("pool", "id", "medium", "background-error")) and
  type(it["tier"]["trees-at-level0"]) is int and it["tier"]["pool-bytes"] > 0' stats "$db"
holds 'it["tables"] and all(type(figure) in number for level in it["tables"]
                         for figure in level.values()) and
  type(it["files at level 0"]) is int' stats "$db"
holds 'it["device"]["path"] == it["pools"][0]["pool"]' info "$db"

# A directory that cannot be opened is not reported as damaged.
mv "$db/PMEM" "$scratch/PMEM"
expect 1 "PMEM is missing" check "$db"
mv "$scratch/PMEM" "$db/PMEM"

# Copies.
expect 0 "copy: $scratch/copy" backup "$db" "$scratch/copy"
expect 1 "holds a database already" backup "$db" "$scratch/copy"
"$tool" dump "$scratch/copy" | cmp -s - "$scratch/plain.dump" || fail "the backup differs"
[ ! -e "$scratch/copy/PMEM" ] || fail "the backup has a tier"
cp -r "$db" "$scratch/mere_copy"
expect 1 "is only a copy of that directory" check "$scratch/mere_copy"

# A lost pool.
cp -r "$db" "$scratch/lost"
sed "s,^pool .*,pool $pools/none.set," "$db/PMEM" > "$scratch/lost/PMEM"
expect 1 "bushstore repair --without-pool" check "$scratch/lost"
expect 3 "problem: " info "$scratch/lost"
expect 1 "can't be read" repair "$scratch/lost"
expect 0 "all writes that were in logs in the pool only" repair --without-pool "$scratch/lost"
expect 0 "has tier: no" stats "$scratch/lost"

# Leaves the tier, by a repair and by a drain.
convert "$scratch/copy"
expect 0 "number of pools: 2" info "$pools"
expect 0 "repaired: $scratch/copy" repair "$scratch/copy"
"$tool" dump "$scratch/copy" | cmp -s - "$scratch/plain.dump" || fail "the repair differs"
expect 0 "set aside: yes" gc "$pools"
expect 0 "drained: $db" drain "$db"
[ ! -e "$db/PMEM" ] || fail "a drained database has a tier"
"$tool" dump "$db" | cmp -s - "$scratch/plain.dump" || fail "the drain changed the contents"
expect 0 "removed: yes" gc --remove "$pools"
[ -z "$(ls "$pools")" ] || fail "left in the directory of pools: $(ls "$pools")"

# A repair reports what it saved and left out, and fails if it lost everything.
mkdir "$scratch/gone"
printf 'no record at all, but more than a header' > "$scratch/gone/000003.log"
cp -r "$scratch/gone" "$scratch/gone2"
expect 3 "lost everything: yes" repair "$scratch/gone"
holds 'it["entries"] == 0 and it["repaired"] is False and it["lost everything"] is True and
  any("bytes at the ends of logs" in line for line in it["report"])' repair "$scratch/gone2"
holds 'it["repaired"] != "" and it["entries"] > 1000 and
  "left out: nothing" in it["report"]' repair "$db"

# Data that could not be read is a failure, and the report lists what was read.
cp -r "$golden/db0" "$scratch/unreadable"
table=$(ls "$scratch/unreadable"/*.ldb | head -n 1)
rm "$table"
mkdir "$table"
expect 1 "tables read" check "$scratch/unreadable"
expect 1 "bushstore: IO error: $table" check "$scratch/unreadable"

# Damage has an exit code of its own; a full disk is detected.
table=$(ls "$db"/*.ldb | head -n 1)
printf 'damage' | dd of="$table" bs=1 seek=3000 conv=notrunc 2> /dev/null
expect 3 "sound: no" check "$db"
if [ -w /dev/full ]; then
  if "$tool" dump "$scratch/copy" > /dev/full 2> "$scratch/errors"; then
    fail "a full disk went unnoticed"
  fi
  grep -q "standard output" "$scratch/errors" || fail "$(cat "$scratch/errors")"
fi
rm -rf "$scratch"
