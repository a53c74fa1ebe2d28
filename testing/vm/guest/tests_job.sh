# A job: the tier's tests and stress, on the file systems of `media`. /dev/shm has no room for them,
# so all of their files are there.
. /guest/media.sh
. /guest/step.sh

run_tests_on() {
  local name=$1 dir=$2
  mkdir -p "$dir/tests" "$dir/stress"
  step "$name" tests env TMPDIR="$dir/tests" BUSHSTORE_TEST_SCALE="$test_scale" pmem_stories_tests \
    --gtest_brief=1 --gtest_filter="$test_filter"
  step "$name" stress stress --seconds="$stress_seconds" --threads=2 --kinds=close,kill \
    --seed="$seed" --pm="$dir/stress" --dir=/media/disk
}

prepare_media
for name in $media; do
  case $name in
    ext4 | xfs) run_tests_on "$name" "/media/$name" ;;
    msync) run_tests_on "$name" /media/disk/msync_tests ;;
  esac
done
