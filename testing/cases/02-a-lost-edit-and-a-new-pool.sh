# shellcheck shell=bash disable=SC2154
# CURRENT and the manifest are older than the tables, and the log that they require is missing, as
# when a backup has only some of the files. An open is refused, even one that would give the
# database a pool, and no table is removed. A repair saves all of them.
for prefix in a b; do our write db $prefix 10 || fail "write"; done
mkdir old && cp db/CURRENT db/MANIFEST-* old
for prefix in c d; do our write db $prefix 10 || fail "write"; done
rm db/*.log db/MANIFEST-* db/CURRENT && cp old/* db
tables=$(files db '*.ldb')
shown=$(our count db) && fail "an open succeeds"
expect_text bushstore\ repair "$shown"
[ "$(files db '*.ldb')" = "$tables" ] || fail "an open has removed tables: $(files db '*')"
(require_tier)
case $? in
  0)
    pools=$(mktemp -d -p /dev/shm)
    shown=$(LEVELDB_PMEM_CONVERT=1 with_pool "$pools" our count db) &&
      fail "an open that converts succeeds"
    expect_text bushstore\ repair "$shown"
    [ "$(files db '*.ldb')" = "$tables" ] || fail "a conversion has removed tables"
    ;;
  77) ;;
  *) exit 1 ;;
esac
"$BUSHSTORE" repair db > out || fail "repair: $(cat out)"
expect_count 30 db
