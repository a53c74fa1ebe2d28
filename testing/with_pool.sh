#!/usr/bin/env bash
# Runs a program with its new databases on the persistent-memory tier, by the environment alone.
#
#   testing/with_pool.sh small|tiny|disk|inline|separated|fixed COMMAND...
#
# small: pools of at most 64 MiB in memory; tiny: of 8 MiB, which spill at once; disk: of 64 MiB, on
# a disk and written back by msync; the others: as small, with other options of the tier
# (open_with_tier_options.cc). The pools are removed when the command has ended. Random tests take a
# third of their usual steps, those of the last kinds a tenth.
set -euo pipefail

is_memory() { [ "$(stat -f -c %T "$1" 2> /dev/null)" = tmpfs ] && [ -w "$1" ]; }

kind=$1
shift
place=${TMPDIR:-/tmp}
case "$kind" in
  small | tiny | inline | separated | fixed)
    if ! is_memory "$place" && is_memory /dev/shm; then
      place=/dev/shm
    fi
    if is_memory "$place"; then
      export LEVELDB_PMEM_ASSUME=1
    fi
    ;;
  disk)
    for other in /var/tmp .; do
      if is_memory "$place"; then
        place=$other
      fi
    done
    ;;
  *)
    echo "with_pool.sh: small, tiny, disk, inline, separated or fixed, not $kind" >&2
    exit 2
    ;;
esac
pools=$(mktemp -d "$place/bushstore-pools-XXXXXX")
trap 'rm -rf "$pools"' EXIT

export LEVELDB_PMEM_PATH=$pools LEVELDB_PMEM_REQUIRE=1
export LEVELDB_PMEM_SIZE=64M
steps=3
case "$kind" in
  tiny) export LEVELDB_PMEM_SIZE=8M ;;
  inline | separated | fixed)
    export BUSHSTORE_TEST_TIER=$kind
    steps=10
    ;;
esac
BUSHSTORE_TEST_SCALE=$(awk "BEGIN { print ${BUSHSTORE_TEST_SCALE:-1} / $steps }")
export BUSHSTORE_TEST_SCALE
"$@"
