# shellcheck shell=bash disable=SC2154
# The tools that only read work where nothing may be written: on a read-only mount if one can be
# made, otherwise without permission to write.
our write db a 100 && our write db b 100 || fail "write"
if [ "$(id -u)" -eq 0 ] && unshare -m true 2> /dev/null; then
  read_only() {
    unshare -m sh -c 'mount --bind db db && mount -o remount,ro,bind db || exit 99
      exec "$@"' sh "$@"
  }
elif [ "$(id -u)" -eq 0 ]; then
  skip "root can write everywhere, and nothing can be mounted"
else
  chmod a-w db
  read_only() { "$@"; }
fi
before=$(cat db/* | cksum)
for command in dump check stats info; do
  read_only "$BUSHSTORE" $command db > $command.out 2>&1 || fail "$command: $(cat $command.out)"
done
[ "$(wc -l < dump.out)" -eq 200 ] || fail "dump shows $(wc -l < dump.out) lines"
read_only "$BUSHSTORE" backup db copy > out 2>&1 || fail "backup: $(cat out)"
expect_count 200 copy
[ "$before" = "$(cat db/* | cksum)" ] || fail "the database was changed"
chmod u+w db
