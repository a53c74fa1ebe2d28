# shellcheck shell=bash disable=SC2154
# Two hosts have written to copies of one directory, which a sync tool then merged: two logs have
# the same sequence numbers. All entries of both are present after an open, and after a repair
# before or after it, as with LevelDB.
our write base x 0 && cp -r base a && cp -r base b && our write a a 10 && our write b b 10 ||
  fail "the databases cannot be made"
log=$(cd b && ls ./*.log | tail -1)
cp "b/$log" "a/$(printf '%06d' $((10#$(basename "$log" .log) + 1))).log"
for name in opened repaired stock; do cp -r a $name; done
expect_count 20 opened
our repair opened || fail "a repair after the open"
expect_count 20 opened
our repair repaired || fail "a repair before the open"
expect_count 20 repaired
if have_stock; then
  stock count opened > out && [ "$(cat out)" = "20 entries" ] || fail "LevelDB: $(cat out)"
  stock count stock > out && [ "$(cat out)" = "20 entries" ] || fail "LevelDB: $(cat out)"
  expect_count 20 stock
fi
