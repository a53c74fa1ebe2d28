# shellcheck shell=bash disable=SC2154
# Reads that cannot allocate memory fail with IOError, never with Corruption, on which programs
# repair or remove databases.
shown=$(our memory db) || fail "$shown"
read -r _ succeeded _ io_errors _ others rest <<< "$shown"
[ "$others" -eq 0 ] || fail "$others reads fail with another status: $rest"
[ "$((succeeded + io_errors))" -eq 20000 ] || fail "$shown"
