#!/usr/bin/env bash
# Builds BushStore and runs its tests. On a fresh Debian or Ubuntu it first installs missing
# packages.
set -euo pipefail
cd "$(dirname "$0")"
. testing/packages.sh

usage() {
  cat <<'END'
./run_tests.sh [--fast | --all] [-j N]

  (nothing)  builds with assertions and warnings as errors (build/dev) and runs all tests
  --fast     the same with a tenth of the random steps
  --all      also the concurrent tests under ThreadSanitizer; with clang, where warnings are
             errors, too, all tests under AddressSanitizer and UndefinedBehaviorSanitizer, and its
             fuzzer for BUSHSTORE_FUZZ_SECONDS (15) on each target; instructions of single
             operations in an optimised build; and stress and corruption for
             BUSHSTORE_STRESS_SECONDS (150), of dev and under clang's sanitizers side by side; and
             a virtual machine with persistent memory whose power is cut BUSHSTORE_VM_CUTS (3) times
  -j N       N compilers and tests at a time, and twice as many tests of the sanitizers'
             (default: as many as there are processors)
  -h         this

Random tests take a fresh seed in every run and print it. BUSHSTORE_TEST_SEED=N repeats a run,
BUSHSTORE_TEST_SCALE=F multiplies the number of random steps. Stress and corruption print the line
that repeats what went wrong.
END
}

mode=normal
jobs=$(nproc)
while [ $# -gt 0 ]; do
  case "$1" in
    --fast) mode=fast ;;
    --all) mode=all ;;
    -j) shift; jobs=${1:?-j needs a number} ;;
    -h | --help) usage; exit 0 ;;
    *) echo "run_tests.sh: no such option: $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

# Prints a heading with the time since the script began.
say() { printf '\n== %d:%02d %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"; }

# configure PRESET [BUILD_DIR [CMAKE_ARGUMENT...]]: configures as in CMakePresets.json, also with a
# CMake without presets (before 3.20).
configure() {
  local preset=$1 dir=${2:-build/$1} arguments=()
  shift $(($# < 2 ? $# : 2))
  mapfile -t arguments < <(python3 testing/preset_arguments.py CMakePresets.json "$preset")
  if command -v ccache > /dev/null && [ -z "${CMAKE_CXX_COMPILER_LAUNCHER:-}" ]; then
    arguments+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  if [ $mode = all ] && command -v ld.lld > /dev/null; then
    arguments+=(-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld)
  fi
  cmake -S . -B "$dir" -G Ninja "${arguments[@]}" "$@" > "$dir.configure.log" 2>&1 || {
    cat "$dir.configure.log"
    return 1
  }
}

build() { cmake --build "$1" -j "$jobs" "${@:2}"; }

# run_ctest BUILD_DIR SCALE [CTEST_ARGUMENT...]
run_ctest() {
  local dir=$1 scale=${BUSHSTORE_TEST_SCALE:-$2}
  shift 2
  local progress=()
  if [ -t 1 ]; then
    progress=(--progress)
  fi
  (cd "$dir" && BUSHSTORE_TEST_SCALE=$scale ${no_random_addresses:-} \
    ctest --output-on-failure "${progress[@]}" -j "${tests_at_a_time:-$jobs}" "$@")
}

# build_dev [CMAKE_ARGUMENT...]
build_dev() {
  say "dev: assertions on, warnings are errors"
  configure dev build/dev "$@"
  build build/dev
}

test_tsan() {
  say "tsan: the concurrent tests under ThreadSanitizer"
  configure tsan build/tsan -DBUSHSTORE_PRECOMPILE=ON
  build build/tsan --target concurrent_programs
  # These tests wait often, so twice as many run at a time.
  local tests_at_a_time=$((2 * jobs))
  # ThreadSanitizer of gcc 12 and clang 14 fails with highly random address layouts.
  local no_random_addresses=
  if setarch "$(uname -m)" -R true 2> /dev/null; then
    no_random_addresses="setarch $(uname -m) -R"
  fi
  TSAN_OPTIONS="halt_on_error=1 second_deadlock_stack=1" run_ctest build/tsan 0.2 -L concurrent
}

# Starts the build for the sanitizers, for clang's warnings, and for its fuzzer. The tests of dev
# wait for disks, child processes and timers; the compilers use the processor time that is left, and
# hardly disturb the tests.
begin_clang() {
  local suffix
  suffix=$(command -v clang++-14 > /dev/null && echo -14 || true)
  configure fuzz build/fuzz -DCMAKE_C_COMPILER="clang$suffix" \
    -DCMAKE_CXX_COMPILER="clang++$suffix" -DBUSHSTORE_PRECOMPILE=ON
  nice -n 19 ninja -C build/fuzz -j "$jobs" > build/fuzz.build.log 2>&1 &
  compilers=$!
  trap 'kill $compilers 2> /dev/null || true; wait $compilers || true' EXIT
}

# Must follow begin_clang.
test_clang() {
  say "clang: no warning there either; every test under AddressSanitizer and" \
    "UndefinedBehaviorSanitizer; a short fuzzing"
  wait "$compilers" || true
  trap - EXIT
  build build/fuzz  # shows what failed
  # Many of these tests wait for a disk, a child process or a timer. (In dev a single case may have
  # threads that wait for each other, which takes long if other tests occupy the processors.)
  local tests_at_a_time=$((2 * jobs))
  UBSAN_OPTIONS=print_stacktrace=1 run_ctest build/fuzz 0.2
  testing/fuzz/run.sh --seconds "${BUSHSTORE_FUZZ_SECONDS:-15}"
}

# The kept instruction counts are those of code of this compiler for this processor, with this C
# library.
is_counted_alike() {
  local found=build/regress/CMakeFiles/*/CMakeCXXCompiler.cmake
  # shellcheck disable=SC2086 # a pattern
  [ "$(uname -m)" = x86_64 ] && [ "$(getconf GNU_LIBC_VERSION)" = "glibc 2.36" ] &&
    grep -q 'CMAKE_CXX_COMPILER_ID "GNU"' $found &&
    grep -q 'CMAKE_CXX_COMPILER_VERSION "12\.' $found
}

test_regress() {
  say "regress: no operation takes over 5 % more instructions than are kept of it"
  configure release build/regress -DBUSHSTORE_TOGETHER=ON -DBUSHSTORE_BUILD_TESTS=OFF
  if ! is_counted_alike; then
    echo "Left out: what is kept was counted with GCC 12 and glibc 2.36, on x86-64."
    return
  fi
  require_packages "${regress_needs[@]}"
  build build/regress --target db_bench
  python3 -B testing/surface/namespaces_test.py build/regress/libleveldb.so build/regress
  benchmarks/regress/regress.py --build build/regress -j "$jobs"
}

# in_short PROGRAM BUILD_DIR LOG: prints the results of a run in one line.
in_short() {
  case $1 in
    stress)
      awk -v dir="$2" '
        /^seeds from / { seed = $3 }
        /^(runs|operations|faults) / { figures = figures ", " $2 " " $1 }
        /^found wrong / { wrong = $3 }
        END { print "stress " dir ": seed " seed figures ", " wrong " wrong" }' "$3"
      ;;
    corruption)
      awk -v dir="$2" '
        /^[0-9]+ images of / { figures = $0 }
        /^all / { wrong = $NF }
        END { print "corruption " dir ": " figures ", " wrong " wrong" }' "$3"
      ;;
  esac
}

# random_runs PROGRAM BUILD_DIR SECONDS [ARGUMENT...]: runs one of the programs with random inputs;
# prints one line if no error was found.
random_runs() {
  local program=$1 dir=$2 seconds=$3 outcome=0
  local log=$dir/$program.log
  UBSAN_OPTIONS=print_stacktrace=1 timeout -k 10 $((seconds + 900)) \
    "$dir/testing/$program/$program" --seconds="$seconds" --report="$dir/$program.json" "${@:4}" \
    > "$log" 2>&1 || outcome=$?
  if [ $outcome -eq 0 ]; then
    in_short "$program" "$dir" "$log"
  else
    cat "$log"
    echo "$program $dir: ended with $outcome; to repeat, see above, with" \
      "$dir/testing/$program/$program"
  fi
  return $outcome
}

# Runs the tests with new random inputs, for longer than a ctest takes.
test_stress() {
  local seconds=${BUSHSTORE_STRESS_SECONDS:-150} outcome=0 dir process
  local running=()
  say "stress and corruption for $seconds s, in dev and under sanitizers, all side by side"
  for dir in build/dev build/fuzz; do
    random_runs corruption "$dir" "$seconds" &
    running+=($!)
    random_runs stress "$dir" "$seconds" --threads=4 &
    running+=($!)
  done
  for process in "${running[@]}"; do
    wait "$process" || outcome=1
  done
  return $outcome
}

# Tests with persistent memory that the kernel knows as such, in a virtual machine.
test_vm() {
  say "vm: the tier on DAX file systems and devices; power cuts of the machine"
  if [ "$(uname -m)" != x86_64 ]; then
    echo "vm: left out: the virtual machine is an x86-64 one, on x86-64."
    return
  fi
  if ! is_there command:qemu-system-x86_64:qemu-system-x86 &&
      [ -z "$(apt-cache show qemu-system-x86 2> /dev/null)" ]; then
    echo "vm: left out: this system knows no package qemu-system-x86."
    return
  fi
  PATH=$PATH:/usr/sbin:/sbin require_packages "${vm_needs[@]}"
  local outcome=0
  testing/vm/run.sh --job media,eadr,absent,poison,cuts --cuts "${BUSHSTORE_VM_CUTS:-3}" \
    build/dev || outcome=$?
  [ $outcome -eq 77 ] || return $outcome
}

# ccache serves sources that use precompiled headers only with this setting.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros}
mkdir -p build
if [ $mode = all ]; then
  mapfile -t stores < <(store_needs)
  mapfile -t clang < <(clang_needs)
  require_packages "${build_needs[@]}" "${test_needs[@]}" "${browser_needs[@]}" \
    "${linker_needs[@]}" "${clang[@]}" "${stores[@]}"
else
  require_packages "${build_needs[@]}" "${test_needs[@]}"
fi
case $mode in
  fast)
    build_dev
    run_ctest build/dev 0.1
    ;;
  normal)
    build_dev
    run_ctest build/dev 1
    ;;
  all)
    # Compilation takes most of the time.
    build_dev -DBUSHSTORE_TOGETHER=TESTS -DBUSHSTORE_PRECOMPILE=ON \
      -DCMAKE_CXX_FLAGS_DEBUG="-O1 -g1"
    say "dev: every test, while clang begins"
    begin_clang
    run_ctest build/dev 1
    test_clang
    test_tsan
    test_stress
    test_vm
    test_regress
    ;;
esac
say "all is well"
