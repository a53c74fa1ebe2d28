#!/usr/bin/env bash
# command_line_test.sh STRESS: tests the program's exit codes, messages, report and scripts.
set -eu
stress=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
  echo "FAILED: $*"
  exit 1
}

# Runs the program and expects the exit code.
run() {
  local code=$1
  shift
  local got=0
  "$stress" --dir="$dir/files" --pm="$dir/pools" "$@" >"$dir/out" 2>"$dir/err" || got=$?
  [ "$got" = "$code" ] || fail "stress $* ended with $got, not $code: $(cat "$dir/out" "$dir/err")"
}

run 0 --help
grep -q "^usage: stress" "$dir/out" || fail "--help shows no usage"
run 2 --threads=99
[ "$(wc -l <"$dir/err")" = 1 ] || fail "more than a sentence: $(cat "$dir/err")"
run 2 --replay="$dir/nothing"
printf 'run\nepisode fire\n' >"$dir/script"
run 2 --replay="$dir/script"

# The same seed makes the same run, and its script repeats it.
run 0 --seed=5 --runs=1 --threads=1 --kinds=close --print
cp "$dir/out" "$dir/script"
run 0 --seed=5 --runs=1 --threads=1 --kinds=close --report="$dir/report.json"
grep -v -e "^hours" -e "^seed" "$dir/out" >"$dir/first"
run 0 --replay="$dir/script" --threads=1
grep -v -e "^hours" -e "^seed" "$dir/out" >"$dir/second"
diff "$dir/first" "$dir/second" || fail "a script does not do what the seed did"
grep -q '"found wrong": 0' "$dir/report.json" || fail "no report: $(cat "$dir/report.json")"
[ -z "$(ls -A "$dir/files" "$dir/pools" | grep -v :)" ] || fail "it leaves something behind"

# One file is the pool of each run in turn, and must be blank before the first.
truncate -s 24M "$dir/pool"
run 2 --runs=1 --pool="$dir/pool" --kinds=close,power
run 2 --runs=1 --pool="$dir/nothing" --kinds=close
run 0 --seed=5 --runs=4 --pool="$dir/pool" --kinds=close,kill --report="$dir/report.json"
cmp -n $((24 << 20)) "$dir/pool" /dev/zero || fail "the pool is not blank after the last run"
grep -q '"found wrong": 0' "$dir/report.json" || fail "no report: $(cat "$dir/report.json")"
printf 'data of others' | dd of="$dir/pool" conv=notrunc status=none
run 2 --runs=1 --pool="$dir/pool" --kinds=close
grep -q "pool $dir/pool.*it is not empty" "$dir/err" || fail "the sentence is: $(cat "$dir/err")"
[ "$(head -c 14 "$dir/pool")" = "data of others" ] || fail "it has overwritten data of others"
echo "ok"
