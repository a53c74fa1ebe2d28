#!/usr/bin/env bash
# Builds the fuzz targets with clang and runs each for a while, from the kept inputs on.
#
#   testing/fuzz/run.sh [--seconds N] [--build DIR] [--seed N] [TARGET...]
#
# The default is 10 seconds for each target, short enough for CI; hours find more. An input that
# ends a target (a crash, a leak, a hang, more than 2 GB of memory) is left in DIR/found/TARGET, and
# the exit code is then 1. Inputs that reach new code are kept in DIR/grown/TARGET, and later runs
# start with them, too.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=10
build=build/fuzz
seed=$((RANDOM * 32768 + RANDOM + 1))
targets=()
while [ $# -gt 0 ]; do
  case "$1" in
    --seconds) shift; seconds=${1:?--seconds needs a number} ;;
    --build) shift; build=${1:?--build needs a directory} ;;
    --seed) shift; seed=${1:?--seed needs a number} ;;
    -*) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2; exit 2 ;;
    *) targets+=("$1") ;;
  esac
  shift
done
if [ ${#targets[@]} -eq 0 ]; then
  for directory in testing/fuzz/corpus/*/; do targets+=("$(basename "$directory")"); done
fi

mkdir -p "$build"
if [ ! -f "$build/build.ninja" ]; then
  suffix=$(command -v clang++-14 > /dev/null && echo -14 || true)
  mapfile -t arguments < <(python3 testing/preset_arguments.py CMakePresets.json fuzz)
  if command -v ccache > /dev/null; then
    arguments+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  cmake -S . -B "$build" -G Ninja "${arguments[@]}" -DCMAKE_C_COMPILER="clang$suffix" \
    -DCMAKE_CXX_COMPILER="clang++$suffix" > "$build/configure.log" 2>&1 ||
    { cat "$build/configure.log"; exit 1; }
fi
cmake --build "$build" --target "${targets[@]/%/_fuzz}"

export UBSAN_OPTIONS=${UBSAN_OPTIONS-print_stacktrace=1}

# fuzz TARGET: runs a target and prints its progress in one line, and what it found.
fuzz() {
  local target=$1 log=$build/$1.log found=$build/found/$1 outcome=0 executions covered
  mkdir -p "$build/grown/$target" "$found"
  "$build/testing/fuzz/${target}_fuzz" -max_total_time="$seconds" -seed="$seed" -timeout=60 \
    -rss_limit_mb=2048 -max_len=65536 -len_control=20 -reload=0 -print_final_stats=1 \
    -artifact_prefix="$found/" "$build/grown/$target" "testing/fuzz/corpus/$target" \
    > "$log" 2>&1 || outcome=$?
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  covered=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
  echo "fuzz $target: ${executions:-no} executions, ${covered:-no} edges, seed $seed"
  if [ $outcome -ne 0 ]; then
    tail -n 60 "$log"
    echo "fuzz $target: ended with $outcome; what it was given is in $found"
  fi
  return $outcome
}

# Runs as many targets at a time as there are processors.
outcome=0
running=0
for target in "${targets[@]}"; do
  if [ "$running" -ge "$(nproc)" ]; then
    wait -n || outcome=1
    running=$((running - 1))
  fi
  fuzz "$target" &
  running=$((running + 1))
done
while [ $running -gt 0 ]; do
  wait -n || outcome=1
  running=$((running - 1))
done
exit $outcome
