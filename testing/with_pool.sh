#!/usr/bin/env bash
# Runs a program with its new databases on the persistent-memory tier, by the environment alone.
#
#   testing/with_pool.sh small|tiny|disk COMMAND...
#
# small: pools of at most 64 MiB in memory; tiny: of 8 MiB, which overflow at once; disk: of 64 MiB,
# on a disk and written back by msync. The pools go when the command has ended.
set -euo pipefail

is_memory() { [ "$(stat -f -c %T "$1" 2> /dev/null)" = tmpfs ] && [ -w "$1" ]; }

kind=$1
shift
place=${TMPDIR:-/tmp}
case "$kind" in
  small | tiny)
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
    echo "with_pool.sh: small, tiny or disk, not $kind" >&2
    exit 2
    ;;
esac
pools=$(mktemp -d "$place/bushstore-pools-XXXXXX")
trap 'rm -rf "$pools"' EXIT

export LEVELDB_PMEM_PATH=$pools LEVELDB_PMEM_REQUIRE=1
case "$kind" in
  tiny) export LEVELDB_PMEM_SIZE=8M ;;
  *) export LEVELDB_PMEM_SIZE=64M ;;
esac
"$@"
