# A job: runs the tier's tests and stress on each of `media`: on a file system with all files there,
# on a device with one pool after the other on it.
. /guest/media.sh
. /guest/step.sh

# run_tests_on MEDIUM DIRECTORY FILTER [VARIABLE=VALUE]
run_tests_on() {
  local name=$1 directory=$2 filter=$3
  shift 3
  mkdir -p "$directory"
  step "$name" tests env TMPDIR="$directory" BUSHSTORE_TEST_SCALE="$test_scale" "$@" \
    pmem_integration_tests --gtest_brief=1 --gtest_filter="$filter"
  rm -rf "$directory"
}

# run_stress_on MEDIUM OPTION: OPTION says where the pools are.
run_stress_on() {
  step "$1" stress stress --seconds="$stress_seconds" --threads=2 --kinds=close,kill \
    --seed="$seed" "$2" --dir=/media/disk
}

run_on() {
  local name=$1 pool
  pool=$(pool_of "$name")
  case $name in
    devdax*)
      run_tests_on "$name" "/media/disk/$name-tests" "$device_test_filter" \
        BUSHSTORE_TEST_POOL="$pool"
      run_stress_on "$name" --pool="$pool"
      ;;
    *)
      run_tests_on "$name" "$pool/tests" "$test_filter"
      run_stress_on "$name" --pm="$pool/stress"
      ;;
  esac
}

prepare_media
on_all_media run_on
