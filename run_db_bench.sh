#!/usr/bin/env bash
# Builds BushStore and runs db_bench on a real database. On a fresh Debian or Ubuntu it first
# installs what is missing.
set -euo pipefail
start_dir=$PWD
cd "$(dirname "$0")"
. testing/packages.sh

usage() {
  cat <<'END'
./run_db_bench.sh [--dir DIR] [--report FILE] [-- DB_BENCH_FLAG...]

Builds the Release preset (build/release), runs LevelDB's default list of benchmarks over a million
keys in a database of its own, which is removed afterwards, and ends with a table.

  --dir DIR      make the database in DIR (default: $TMPDIR or /tmp)
  --report FILE  where the JSON report goes (default: build/release/db_bench_report.json)
  -h, --help     this
  --             what follows goes to db_bench, for example:
                   ./run_db_bench.sh -- --value_size=1024 --histogram
                   ./run_db_bench.sh -- --benchmarks=fillrandom,readrandom --threads=2

build/release/benchmarks/db_bench --help tells all flags and benchmarks.
END
}

build_dir=build/release
report=$build_dir/db_bench_report.json
parent_dir=${TMPDIR:-/tmp}
bench_flags=()
scratch_dir=

say() { printf '\n== %s\n' "$*"; }

fail() {
  echo "run_db_bench.sh: $*" >&2
  exit 1
}

# show_and_fail FILE SENTENCE
show_and_fail() {
  cat "$1" >&2
  fail "$2"
}

# A path as the caller meant it.
from_start() {
  case "$1" in
    /*) echo "$1" ;;
    *) echo "$start_dir/$1" ;;
  esac
}

parse_arguments() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --dir) shift; parent_dir=$(from_start "${1:?--dir needs a directory}") ;;
      --dir=*) parent_dir=$(from_start "${1#*=}") ;;
      --report) shift; report=$(from_start "${1:?--report needs a file}") ;;
      --report=*) report=$(from_start "${1#*=}") ;;
      -h | --help) usage; exit 0 ;;
      --) shift; bench_flags=("$@"); break ;;
      *) fail "no such option: $1 (--help tells them; flags for db_bench go after --)" ;;
    esac
    shift
  done
  local flag
  for flag in ${bench_flags[@]+"${bench_flags[@]}"}; do
    case "$flag" in
      --report | --report=* | -report | -report=*) fail "please give --report before the --" ;;
    esac
  done
  [ -d "$parent_dir" ] || fail "there is no directory $parent_dir for the database"
}

cmake_knows_presets() {
  local version
  version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
  [ "${version% *}" -gt 3 ] || [ "${version#* }" -ge 20 ]
}

# A directory that has been configured before keeps its settings.
configure() {
  [ ! -e "$build_dir/build.ninja" ] || return 0
  local arguments=(-DBUSHSTORE_BUILD_TESTS=OFF)
  if cmake_knows_presets; then
    cmake --preset release "${arguments[@]}"
  else
    cmake -S . -B "$build_dir" -G Ninja -DCMAKE_BUILD_TYPE=Release "${arguments[@]}"
  fi
}

build() {
  say "building db_bench in $build_dir"
  mkdir -p build
  local log=build/run_db_bench.log
  configure > "$log" 2>&1 || show_and_fail "$log" "cmake could not configure the build"
  if [ -t 1 ]; then
    cmake --build "$build_dir" --target db_bench || fail "the build failed"
  else
    cmake --build "$build_dir" --target db_bench > "$log" 2>&1 ||
      show_and_fail "$log" "the build failed"
  fi
}

# The report's members are a line each.
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

parse_arguments "$@"
require_packages "${build_needs[@]}"
build
run_benchmarks
