# shellcheck shell=bash disable=SC2154
# When CompactRange returns, obsolete tables are gone.
shown=$(our space db) || fail "$shown"
read -r _ before _ compacted _ closed <<< "$shown"
[ "$before" -gt $((10 * closed)) ] || fail "there was little to remove: $shown"
[ "$compacted" -lt $((3 * closed)) ] || fail "obsolete files are left: $shown"
