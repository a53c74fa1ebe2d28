# shellcheck shell=bash disable=SC2154
# Command lines that YCSB-C, its forks and BushStore have published run, and so does a benchmark
# that LevelDB's db_bench once had.
printf '%s\r\n' recordcount=300 operationcount=300 \
  workload=com.yahoo.ycsb.workloads.CoreWorkload > load.spec
ycsbc() {
  rm -rf store
  TMPDIR=$scratch "$build/ycsbc/ycsbc" "$@" > out 2>&1 || fail "ycsbc $*: $(cat out)"
  grep -q '^load ' out || fail "ycsbc $* has not loaded: $(cat out)"
}
has_run() { grep -q '^run ' out || fail "nothing was run: $(cat out)"; }
ycsbc -db leveldb -threads 4 -P load.spec && has_run
ycsbc -db leveldb -path store -threads 4 -P load.spec && has_run
ycsbc -db leveldb -dbfilename store -threads 4 -P load.spec && has_run
ycsbc -db leveldb -dbpath store -pmpath store -threads 1 -P load.spec -load true -dboption 1 \
  -dbstatistics true -timeseries false -latency true -p leveldb.pm_size=64M
{
  echo 11
  echo "./ycsbc -db leveldb -dbpath store -threads 1 -P load.spec -load true"
  echo 0
} > input
ycsbc ./input
"$build/benchmarks/db_bench" --benchmarks=acquireload --num=1000 --db="$scratch/bench" > out 2>&1 ||
  fail "db_bench: $(cat out)"
grep -q acquireload out || fail "db_bench: $(cat out)"
