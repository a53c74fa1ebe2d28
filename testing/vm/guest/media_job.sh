# A job: runs db_bench, every command of bushstore, system call traces, and kills on each of
# `media`.
. /guest/media.sh
. /guest/step.sh

contents_of() { bushstore dump "$1" | md5sum; }

# bench DB POOL ARGUMENT...
bench() {
  local db=$1 pool=$2
  shift 2
  db_bench --use_pm --db="$db" --pm_path="$pool" --value_size=600 "$@"
}

# Counts the calls that a run of $traced_writes synced writes makes. (fillsync writes one entry of a
# thousand.)
count_calls() {
  local db=$1 pool=$2
  shift 2
  timeout 200 strace -f --seccomp-bpf -e trace=mmap,msync -o $db.trace \
    db_bench --use_pm --db="$db" --pm_path="$pool" "$@" --benchmarks=fillsync \
    --num=${traced_writes}000 --value_size=600 || return
  # Counts libpmemobj's final mappings, at addresses that it has reserved; the others are trials.
  echo "MAP_SYNC $(grep MAP_SYNC $db.trace | grep MAP_FIXED | grep -vc ' = -1 ')"
  echo "msync $(grep -c 'msync(' $db.trace)"
}

# kill_writer MEDIUM: kills a writer three times; each next writer verifies what it left.
kill_writer() {
  local name=$1 page=/tmp/page.$1 writer=/tmp/writer.$1 pool seconds
  pool=$(pool_of "$name")
  dd if=/dev/zero of=$page bs=1M count=1 2> /dev/null
  # shellcheck disable=SC2046 # several words
  set -- "$name" page=$page slot=0 db="/media/disk/$name-killed" pool="$pool" seed="$seed" \
    $(writer_options "$name")
  for seconds in 0.5 2 1; do
    power_writer "$@" > $writer &
    while ! grep -q "writing\|WRONG" $writer; do
      sleep 0.1
    done
    sleep $seconds
    kill -9 $!
    wait $!
    cat $writer
  done
  power_writer "$@" seconds=1
}

# remount POOL: makes a pool on a mount without DAX, and opens it after a mount with DAX.
remount() {
  local pool=$1 db=/media/disk/remounted device
  device=$(findmnt_source "$pool")
  umount "$pool" && mount "$device" "$pool" || return
  bench "$db" "$pool" --pm_size=16M --benchmarks=fillrandom --num=500 > /tmp/remount.txt || return
  echo "before: $(bushstore info "$db" | grep 'medium_text')"
  umount "$pool" && mount -o dax "$device" "$pool" || return
  bench "$db" "$pool" --benchmarks=readseq --num=500 --use_existing_db > /tmp/remount.txt || return
  echo "after: $(bushstore info "$db" | grep 'medium_text')"
  echo "log: $(sed -n '/ pool .*;/p' "$db/LOG" | head -1)"
  bushstore check "$db"
}

findmnt_source() { awk -v place="$1" '$2 == place { print $1 }' /proc/mounts; }

# Uses a database like a user: every command of bushstore.
use_tier() {
  local name=$1 db=/media/disk/$1-bench pool size=--pm_size=16M
  pool=$(pool_of "$name")
  case $name in devdax*) size= ;; esac
  step "$name" calls count_calls "$db" "$pool" $size
  step "$name" bench bench "$db" "$pool" $size --benchmarks=fillrandom,readrandom,readseq --num=2000
  step "$name" info bushstore info "$db"
  step "$name" log sed -n "/ pool /p" "$db/LOG"
  step "$name" stats bushstore stats "$db"
  step "$name" check bushstore check "$db"
  step "$name" contents contents_of "$db"
  step "$name" backup bushstore backup "$db" "$db-copy"
  step "$name" contents_of_backup contents_of "$db-copy"
  step "$name" repair bushstore repair "$db"
  step "$name" contents_of_repaired contents_of "$db"
  step "$name" gc bushstore gc "$pool" --remove
  rm -rf "$db" "$db-copy"
  step "$name" kills kill_writer "$name"
  if [ "$name" = ext4 ]; then
    step "$name" remount remount "$pool"
  fi
}

prepare_media
on_all_media use_tier
