# shellcheck shell=bash disable=SC2154
# A directory for pools may have any printable name, also one that has a meaning in a poolset. For
# other names the message names the character.
require_tier
pools=$(mktemp -d -p /dev/shm)
for name in "a b" "#h" "a  b/c d" "$(printf '\303\244 b')" '"quoted"' 'back\slash'; do
  mkdir -p "$pools/$name"
  rm -rf db
  LEVELDB_PMEM_REQUIRE=1 with_pool "$pools/$name" our write db a 10 > out ||
    fail "a pool in '$name': $(cat out)"
  shown=$(LEVELDB_PMEM_REQUIRE=1 with_pool "$pools/$name" our count db)
  [ "$shown" = "10 entries" ] || fail "a pool in '$name': $shown"
done
mkdir "$pools/"$'a\tb'
shown=$(LEVELDB_PMEM_REQUIRE=1 with_pool "$pools/"$'a\tb' our write other a 10) &&
  fail "a pool can be made where the path has a control character: $shown"
expect_text "Invalid argument" "$shown"
expect_text "'\\x09'" "$shown"
