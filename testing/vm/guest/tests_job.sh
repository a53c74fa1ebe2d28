# A job: the tier's tests on the file systems of `media`, with all of their files there, and stress
# on each of `media`.
. /guest/media.sh
. /guest/step.sh

run_tests_on() {
  mkdir -p "$2"
  step "$1" tests env TMPDIR="$2" BUSHSTORE_TEST_SCALE="$test_scale" pmem_stories_tests \
    --gtest_brief=1 --gtest_filter="$test_filter"
  rm -rf "$2"
}

# run_stress_on MEDIUM OPTION: the option says where its pools are.
run_stress_on() {
  step "$1" stress stress --seconds="$stress_seconds" --threads=2 --kinds=close,kill \
    --seed="$seed" "$2" --dir=/media/disk
}

run_on() {
  local name=$1 pool
  pool=$(pool_of "$name")
  case $name in
    devdax*) run_stress_on "$name" --pool="$pool" ;;
    *)
      run_tests_on "$name" "$pool/tests"
      run_stress_on "$name" --pm="$pool/stress"
      ;;
  esac
}

prepare_media
on_all_media run_on
