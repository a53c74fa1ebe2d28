#!/usr/bin/env bash
# Builds BushStore and measures it. On a fresh Debian or Ubuntu it first installs missing packages.
set -euo pipefail
start_dir=$PWD
cd "$(dirname "$0")"
. testing/packages.sh

usage() {
  cat <<'END'
./run_db_bench.sh [--scale quick|small|paper] [--pm PATH] [--out DIR] [--list] [experiment ...]
./run_db_bench.sh [--dir DIR] [--build DIR] [--report FILE] -- [DB_BENCH_FLAG ...]

Builds the Release preset and measures it: all experiments, or those that are named
(--list tells them). Ends with tables, and a report and results in build/suite/SCALE. What was
interrupted is resumed by the same command. Whatever the runs make is removed.

  --scale NAME   quick: under ten minutes on 2 cores with 8 GB (the default; building comes on top
                 the first time); small: about an hour; paper: the published sizes, 80 GB of data
                 and 180 GB of persistent memory
  --pm PATH      make pools in this directory (default: LEVELDB_PMEM_PATH, otherwise /dev/shm, where
                 persistent memory is emulated)
  --dir DIR      make databases in this directory (default: $TMPDIR or /tmp)
  --out DIR      keep results here
  --build DIR    build in this directory (default: build/release); one that has been configured
                 before keeps its settings
  --again        measure afresh what has been measured
  --list         tell the experiments
  -h, --help     this

With -- it is one run of db_bench instead, over a million keys, and a table of its benchmarks:

  ./run_db_bench.sh --
  ./run_db_bench.sh -- --value_size=1024 --histogram
  ./run_db_bench.sh -- --benchmarks=fillrandom,readrandom --threads=2

  --report FILE  where its JSON report goes (default: build/release/db_bench_report.json)

build/release/benchmarks/db_bench --help tells all flags and benchmarks.
END
}

build_dir=build/release
report=
parent_dir=${TMPDIR:-/tmp}
plain_run=
bench_flags=()
suite_arguments=()
scratch_dir=

say() { printf '\n== %s\n' "$*"; }

fail() {
  echo "run_db_bench.sh: $*" >&2
  exit 1
}

misused() {
  echo "run_db_bench.sh: $*" >&2
  exit 2
}

# show_and_fail FILE SENTENCE
show_and_fail() {
  cat "$1" >&2
  fail "$2"
}

# Prints a path relative to the directory in which the script was started.
from_start() {
  case "$1" in
    /*) echo "$1" ;;
    *) echo "$start_dir/$1" ;;
  esac
}

parse_arguments() {
  local option value
  while [ $# -gt 0 ]; do
    option=${1%%=*}
    case "$1" in
      --dir | --report | --pm | --out | --scale | --build)
        [ $# -gt 1 ] || misused "$1 needs a value"
        shift
        value=$1
        ;;
      --dir=* | --report=* | --pm=* | --out=* | --scale=* | --build=*) value=${1#*=} ;;
    esac
    case "$option" in
      --dir) parent_dir=$(from_start "$value") ;;
      --build) build_dir=$(from_start "$value") ;;
      --report) report=$(from_start "$value") ;;
      --pm | --out) suite_arguments+=("$option=$(from_start "$value")") ;;
      --scale) suite_arguments+=("--scale=$value") ;;
      --again | --list) suite_arguments+=("$1") ;;
      -h | --help) usage; exit 0 ;;
      --) plain_run=yes; shift; bench_flags=("$@"); break ;;
      -*) misused "no such option: $1 (--help tells them; flags for db_bench go after --)" ;;
      *) suite_arguments+=("$1") ;;
    esac
    shift
  done
  [ -d "$parent_dir" ] || misused "there is no directory $parent_dir for the database"
  if [ -n "$plain_run" ]; then
    check_plain_run
  elif [ -n "$report" ]; then
    misused "--report belongs to a run of db_bench alone: --report FILE -- [FLAG ...]"
  fi
}

check_plain_run() {
  local flag
  [ ${#suite_arguments[@]} -eq 0 ] ||
    misused "${suite_arguments[0]} belongs to the experiments, and -- to a run of db_bench alone"
  for flag in ${bench_flags[@]+"${bench_flags[@]}"}; do
    case "$flag" in
      --report | --report=* | -report | -report=*) misused "please give --report before the --" ;;
    esac
  done
  report=${report:-$build_dir/db_bench_report.json}
}

cmake_knows_presets() {
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
  [ "${version% *}" -gt 3 ] || [ "${version#* }" -ge 20 ]
}

# A directory that has been configured before keeps its settings, but is configured again if headers
# were missing then.
configure() {
  if [ -e "$build_dir/build.ninja" ]; then
    if grep -q '^[A-Z]*_INCLUDE_DIR:PATH=.*-NOTFOUND$' "$build_dir/CMakeCache.txt"; then
      cmake -S . -B "$build_dir"
    fi
    return 0
  fi
  local arguments=(-DBUSHSTORE_BUILD_TESTS=OFF)
  if cmake_knows_presets; then
    cmake --preset release -B "$build_dir" "${arguments[@]}"
  else
    cmake -S . -B "$build_dir" -G Ninja -DCMAKE_BUILD_TYPE=Release "${arguments[@]}"
  fi
}

# Prints the programs that the experiments run, as far as this build has them: without a tier there
# is no pmem_bench.
targets() {
  local known program
  known=$(cmake --build "$build_dir" --target help 2> /dev/null)
  for program in db_bench pmem_bench ycsbc peer_bench bushstore; do
    if grep -q "^$program: " <<< "$known"; then
      echo "$program"
    fi
  done
}

build() {
  say "building in $build_dir"
  mkdir -p build
  local log=build/run_db_bench.log wanted
  configure > "$log" 2>&1 || show_and_fail "$log" "cmake could not configure the build"
  mapfile -t wanted < <(targets)
  if [ -t 1 ]; then
    cmake --build "$build_dir" --target "${wanted[@]}" || fail "the build failed"
  else
    cmake --build "$build_dir" --target "${wanted[@]}" > "$log" 2>&1 ||
      show_and_fail "$log" "the build failed"
  fi
}

# Each member of the report is on a line of its own.
print_table() {
  awk '
    function value(line) {
      sub(/^[^:]*: /, "", line)
      sub(/,$/, "", line)
      gsub(/"/, "", line)
      return line
    }
    function row() {
      if (name != "" && operations > 0) {
        printf "%-20s %12.3f %14.0f", name, micros, rate
        if (megabytes > 0) printf " %10.1f", megabytes
        printf "\n"
      }
    }
    BEGIN { printf "%-20s %12s %14s %10s\n", "benchmark", "micros/op", "ops/s", "MB/s" }
    /^ *"results": \[/ { in_results = 1 }
    !in_results { next }
    /^ *"name": / { row(); name = value($0); operations = 0; megabytes = 0 }
    /^ *"operations": / { operations = value($0) }
    /^ *"micros_per_operation": / { micros = value($0) }
    /^ *"operations_per_second": / { rate = value($0) }
    /^ *"megabytes_per_second": / { megabytes = value($0) }
    END { row() }
  ' "$1"
}

run_benchmarks() {
  scratch_dir=$(mktemp -d "$parent_dir/bushstore_db_bench.XXXXXX")
  trap 'rm -rf "$scratch_dir"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  say "running db_bench in $scratch_dir"
  "$build_dir/benchmarks/db_bench" --db="$scratch_dir/db" --num=1000000 --report="$report" \
    ${bench_flags[@]+"${bench_flags[@]}"}
  say "results"
  print_table "$report"
  printf '\nThe full report is in %s\n' "$report"
}

# Replaces this process, so that the program gets the signals.
run_experiments() {
  exec /usr/bin/python3 benchmarks/run_suite.py --build="$build_dir" --dir="$parent_dir" \
    ${suite_arguments[@]+"${suite_arguments[@]}"}
}

# Reports wrong arguments before anything is installed or built, if Python is installed.
check_experiments() {
  if [ -x /usr/bin/python3 ]; then
    /usr/bin/python3 benchmarks/run_suite.py --check --dir="$parent_dir" \
      ${suite_arguments[@]+"${suite_arguments[@]}"}
  fi
}

parse_arguments "$@"
if [ -n "$plain_run" ]; then
  require_packages "${build_needs[@]}" "${pmem_needs[@]}"
  build
  run_benchmarks
else
  case " ${suite_arguments[*]-} " in
    *" --list "*) require_packages command:python3:python3; run_experiments ;;
  esac
  check_experiments
  mapfile -t stores < <(store_needs)
  require_packages "${build_needs[@]}" "${pmem_needs[@]}" "${suite_needs[@]}" "${stores[@]}"
  build
  run_experiments
fi
