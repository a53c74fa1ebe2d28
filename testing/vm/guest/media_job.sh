# A job: the tier on each of `media`: db_bench, every command of bushstore, system calls, kills, and
# the tier's own tests. What is printed is read by sections.py: a section begins with a line
# "@ MEDIUM STEP" and ends with "@ end EXIT_CODE".
. /guest/media.sh

# step MEDIUM STEP COMMAND...: the last lines of what a command says, as a section.
step() {
  echo "@ $1 $2"
  shift 2
  "$@" > /tmp/step.txt 2>&1
  local code=$?
  tail -n 60 /tmp/step.txt | cut -c1-400
  echo "@ end $code"
}

contents_of() { bushstore dump "$1" | md5sum; }

# bench DB POOL ARGUMENT...
bench() {
  local db=$1 pool=$2
  shift 2
  db_bench --use_pm --db="$db" --pm_path="$pool" --value_size=600 "$@"
}

# How many calls a run of $traced_writes synced writes makes. (fillsync makes a write of a thousand.)
count_calls() {
  local db=$1 pool=$2
  shift 2
  strace -f -e trace=mmap,msync -o /tmp/trace.txt db_bench --use_pm --db="$db" --pm_path="$pool" "$@" \
    --benchmarks=fillsync --num=${traced_writes}000 --value_size=600 || return
  echo "MAP_SYNC $(grep -c MAP_SYNC /tmp/trace.txt)"
  echo "msync $(grep -c 'msync(' /tmp/trace.txt)"
}

# kill_writer MEDIUM: kills a writer three times; each next one verifies what it left.
kill_writer() {
  local name=$1 pool
  pool=$(pool_of "$name")
  dd if=/dev/zero of=/tmp/page bs=1M count=1 2> /dev/null
  for seconds in 2 3 1 end; do
    set -- "$name" page=/tmp/page slot=0 db="/media/disk/$name-killed" ${pool:+pool=$pool} \
      seed="$seed" $(writer_options "$name")
    if [ $seconds = end ]; then
      power_writer "$@" seconds=1
      return
    fi
    power_writer "$@" &
    sleep $seconds
    kill -9 $! 2> /dev/null && wait $! 2> /dev/null
  done
}

# What a user does with a database: every command of bushstore.
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
}

# The tier's tests and stress, on a file system. /dev/shm has no room for them, so all is there.
run_tests_on() {
  local name=$1 dir=$2
  mkdir -p "$dir/tests" "$dir/stress"
  step "$name" tests env TMPDIR="$dir/tests" BUSHSTORE_TEST_SCALE=0.05 pmem_stories_tests \
    --gtest_brief=1 --gtest_filter="$test_filter"
  step "$name" stress stress --seconds=$stress_seconds --threads=2 --kinds=close,kill \
    --pm="$dir/stress" --dir=/media/disk
}

prepare_media
[ ! -d /media/disk/lost+found ] || rmdir /media/disk/lost+found
for name in $media; do
  use_tier "$name"
done
for name in $tested_media; do
  case $name in
    ext4 | xfs) run_tests_on "$name" "/media/$name" ;;
    msync) run_tests_on "$name" /media/disk/msync_tests ;;
  esac
done
