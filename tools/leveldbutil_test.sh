#!/bin/sh
# Usage: leveldbutil_test.sh LEVELDBUTIL GOLDEN-DIRECTORY SCRATCH-DIRECTORY
# Runs the commands of leveldbutil on copies of golden databases. Exit code 0 when all is well.
set -u
util=$1
golden=$2
scratch=$3

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# expect CODE TEXT ARGUMENTS...: runs leveldbutil and checks the exit code and that it prints TEXT.
expect() {
  code=$1
  text=$2
  shift 2
  output=$("$util" "$@" 2>&1)
  actual=$?
  [ "$actual" -eq "$code" ] || fail "'$*' ends with $actual, not $code: $output"
  case $output in
    *"$text"*) ;;
    *) fail "'$*' does not say '$text': $output" ;;
  esac
}

rm -rf "$scratch"
mkdir -p "$scratch"
cp -r "$golden/db0" "$scratch/db0"
db=$scratch/db0

expect 0 "usage: leveldbutil" --help
expect 0 "leveldbutil 1.23" --version
expect 2 "which command?"
expect 2 "unknown command: frobnicate" frobnicate
expect 2 "which files?" dump
expect 2 "which one database?" repair

expect 0 " : val => '" dump "$db/000019.log"
expect 0 "--- offset 0; sequence " dump "$db/000019.log"
expect 0 "comparator: leveldb.BytewiseComparator" dump "$db/MANIFEST-000002"
expect 0 " : val => '" dump "$db/000005.ldb"
expect 0 "=== $db/000005.ldb" dump "$db/000005.ldb" "$db/000019.log"

# A file that cannot be dumped does not keep the others from being dumped.
expect 1 "Invalid argument: $db/CURRENT" dump "$db/CURRENT" "$db/000019.log"
expect 1 " : val => '" dump "$db/CURRENT" "$db/000019.log"
expect 1 "999999.ldb" dump "$db/999999.ldb"

# Damage is reported; a full disk is detected.
head -c 5000 "$golden/db0/000005.ldb" > "$db/000005.ldb"
expect 0 "(damaged)" dump "$db/000005.ldb"
if [ -w /dev/full ]; then
  if "$util" dump "$db/000019.log" > /dev/full 2> "$scratch/errors"; then
    fail "a full disk went unnoticed"
  fi
  grep -q "standard output" "$scratch/errors" || fail "$(cat "$scratch/errors")"
fi

rm "$db/MANIFEST-000002"
expect 0 "" repair "$db"
grep -q "repair: done" "$db/LOG" || fail "LOG does not tell of the repair"
[ -e "$db/lost/000005.ldb" ] || fail "the damaged table was not set aside"
expect 0 "comparator: leveldb.BytewiseComparator" dump "$db/$(cat "$db/CURRENT")"
expect 1 "no/such/db" repair "$scratch/no/such/db"

rm -rf "$scratch"
