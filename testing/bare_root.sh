#!/usr/bin/env bash
# Runs a command in a fresh clone on a Debian system that has nothing but its base packages.
set -euo pipefail

usage() {
  cat <<'END'
testing/bare_root.sh [--root DIR] SUITE COMMAND [ARGUMENT ...]

Makes a root file system of SUITE (bookworm, trixie) with its base packages, git and certificates,
clones what is committed in this checkout (HEAD) into it, and runs the command in the clone, as
somebody with a new machine would. Exit code: the command's; 125 if there is no root to run it in.

  --root DIR  keep the root in DIR, and use it if it is there. Without it the root is made in
              ${TMPDIR:-/var/tmp} and removed at the end
  -h, --help  this

  testing/bare_root.sh trixie ./run_tests.sh --fast
  testing/bare_root.sh bookworm ./run_db_bench.sh -- --num=100000

Needs root privileges, mmdebstrap and debian-archive-keyring. Packages come from the archives that
this machine's apt uses, or from deb.debian.org where it uses none of Debian's.
END
}

give_up() {
  echo "bare_root.sh: $*" >&2
  exit 125
}

# Prints the first archive of this machine's apt whose address matches the pattern, or the default.
archive() {
  local found
  found=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2> /dev/null |
    grep -E -m 1 "$1" || true)
  echo "${found:-$2}"
}

# Prints how this machine's apt reaches archives and whether it checks their dates.
apt_settings() {
  apt-config dump | grep -E '^Acquire::(.*[Pp]roxy.*|Check-(Valid-Until|Date)) ' || true
}

make_root() {
  local debian security settings
  debian=$(archive '/debian/?$' http://deb.debian.org/debian)
  security=$(archive '/debian-security/?$' http://deb.debian.org/debian-security)
  settings=$(mktemp)
  apt_settings > "$settings"
  mmdebstrap --quiet --variant=minbase --include=ca-certificates,git \
    --keyring=/usr/share/keyrings --aptopt="$settings" "$suite" "$1" \
    "deb $debian $suite main" "deb $debian $suite-updates main" \
    "deb $security $suite-security main" > /dev/null || give_up "mmdebstrap made no $suite"
  rm -f "$settings"
  # Nothing in the root has to survive a power failure, and syncing each file takes minutes.
  echo force-unsafe-io > "$root/etc/dpkg/dpkg.cfg.d/unsafe_io"
  for name in resolv.conf hosts; do
    [ ! -e "/etc/$name" ] || cp -L "/etc/$name" "$root/etc/$name"
  done
}

attach() {  # PLACE MOUNT_ARGUMENT...
  [ -e "$root/$1" ] || mkdir -p "$root/$1"
  mount "${@:2}" "$root/$1"
  mounted=("$root/$1" "${mounted[@]}")
}

clean_up() {
  local place left=
  for place in "${mounted[@]}"; do
    umount "$place" 2> /dev/null || umount -l "$place" || left=1
  done
  # If something were still mounted, removing the root would empty it.
  [ -n "$keep" ] || [ -n "$left" ] || rm -rf --one-file-system "$root"
}

root='' keep=''
while [ $# -gt 0 ]; do
  case $1 in
    --root) root=${2:?--root needs a directory} keep=1; shift ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "bare_root.sh: no such option: $1" >&2; usage >&2; exit 2 ;;
    *) break ;;
  esac
  shift
done
[ $# -ge 2 ] || { usage >&2; exit 2; }
suite=$1
shift
checkout=$(cd "$(dirname "$0")" && git rev-parse --show-toplevel)
[ "$(id -u)" -eq 0 ] || give_up "needs root privileges, for chroot and mounts"
command -v mmdebstrap > /dev/null || give_up "install mmdebstrap and debian-archive-keyring first"

mounted=()
if [ -z "$root" ]; then
  root=$(mktemp -d "${TMPDIR:-/var/tmp}/bare_root.XXXXXX")
fi
trap clean_up EXIT
if [ ! -x "$root/usr/bin/git" ]; then
  mkdir -p "$root"
  make_root "$root"
fi
attach proc -t proc proc
attach sys -o ro --bind /sys
attach dev -t tmpfs -o mode=755 tmpfs
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  attach "dev/$device" --bind "/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
attach dev/pts -t devpts -o newinstance,ptmxmode=0666 devpts
ln -s pts/ptmx "$root/dev/ptmx"
attach dev/shm -t tmpfs tmpfs

rm -rf "$root/root/project"
git clone --quiet "$checkout" "$root/root/project"
git -C "$root/root/project" checkout --quiet --detach "$(git -C "$checkout" rev-parse HEAD)"
outcome=0
env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
  TERM=dumb chroot "$root" sh -c 'cd /root/project && exec "$@"' sh "$@" || outcome=$?
exit $outcome
