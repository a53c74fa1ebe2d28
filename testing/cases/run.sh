#!/bin/bash
# Runs cases in which the store was once wrong, each of them with the programs of a build directory,
# and checks the correct outcome.
#
#   testing/cases/run.sh BUILD_DIRECTORY [CASE...]
#
# A case is a file NAME.sh in this folder; without names all are run. Its first comment describes
# it. Each runs in a new directory, with the functions and variables below. Exit code 0 if all is
# well, 1 if a case fails, 77 if the only case given cannot be run.
set -u
if [ $# -eq 0 ] || [ ! -x "$1/testing/case_steps" ]; then
  echo "usage: testing/cases/run.sh BUILD_DIRECTORY [CASE...], with what has been built" >&2
  exit 2
fi
build=$(cd "$1" && pwd)
shift
cases=$(cd "$(dirname "$0")" && pwd)
unset LEVELDB_PMEM_PATH LEVELDB_PMEM_ASSUME LEVELDB_PMEM_CONVERT LEVELDB_PMEM_REQUIRE
export BUSHSTORE=$build/tools/bushstore

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

skip() {
  echo "skipped: $*"
  exit 77
}

# Run case_steps with our library, and with the system's.
our() { LD_LIBRARY_PATH=$build "$build/testing/case_steps" "$@" 2>&1; }
stock() { env -u LD_LIBRARY_PATH "$build/testing/case_steps" "$@" 2>&1; }
have_stock() { ldconfig -p 2> /dev/null | grep -q 'libleveldb\.so\.1d'; }

# expect_count N DIR: expects that our library opens DIR and finds N entries.
expect_count() {
  local shown
  shown=$(our count "$2") || fail "$2 cannot be read: $shown"
  [ "$shown" = "$1 entries" ] || fail "$2 has $shown, not $1"
}

# expect_text TEXT OUTPUT
expect_text() {
  case $2 in
    *"$1"*) ;;
    *) fail "'$1' is not in: $2" ;;
  esac
}

# files DIR PATTERN...: prints the names of files in DIR.
files() { (cd "$1" && shift && ls -d "$@" 2> /dev/null | tr '\n' ' '); }

# with_pool DIR COMMAND...: runs a command with the environment for a pool in DIR.
with_pool() {
  local place=$1
  shift
  LEVELDB_PMEM_PATH=$place LEVELDB_PMEM_ASSUME=1 LEVELDB_PMEM_SIZE=32M "$@"
}

# Skips the case if the build has no tier. Persistent memory is emulated on a tmpfs.
require_tier() {
  local shown pools
  pools=$(mktemp -d -p /dev/shm) || skip "there is no tmpfs at /dev/shm"
  shown=$(LEVELDB_PMEM_REQUIRE=1 with_pool "$pools" our write "$scratch/probe" a 1)
  local code=$?
  rm -rf "$pools" "$scratch/probe"
  case $shown in
    *"Not implemented"*) skip "this build has no tier: $shown" ;;
  esac
  [ $code -eq 0 ] || fail "a database with a pool cannot be made: $shown"
}

run_case() (
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch" ${pools:+"$pools"}' EXIT
  cd "$scratch" || exit 1
  . "$cases/$1.sh"
)

names=("$@")
if [ $# -eq 0 ]; then
  for file in "$cases"/[0-9]*.sh; do names+=("$(basename "$file" .sh)"); done
fi
outcome=0
for name in "${names[@]}"; do
  [ -f "$cases/$name.sh" ] || fail "there is no case $name"
  run_case "$name"
  code=$?
  case $code in
    0) echo "passed: $name" ;;
    77) [ ${#names[@]} -gt 1 ] || exit 77 ;;
    *)
      echo "FAILED: $name" >&2
      outcome=1
      ;;
  esac
done
exit $outcome
