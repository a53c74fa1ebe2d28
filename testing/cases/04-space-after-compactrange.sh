# shellcheck shell=bash disable=SC2154
# When CompactRange returns, obsolete tables are removed. If background compactions were as fast as
# the writes there is little to remove; then another database is tried.
for try in 1 2 3 4 5 6 7 8 9 10; do
  shown=$(our space "db.$try") || fail "$shown"
  read -r _ before _ compacted _ closed <<< "$shown"
  [ "$compacted" -lt $((3 * closed)) ] || fail "obsolete files are left: $shown"
  [ "$before" -le $((10 * closed)) ] || break
done
[ "$before" -gt $((10 * closed)) ] || fail "there was little to remove, ten times: $shown"
