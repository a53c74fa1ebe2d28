# shellcheck shell=bash disable=SC2034
# Sourced by scripts: finds out what is missing on this machine and installs it with apt.
#
#   require_packages NEED...   a need is KIND:THING:PACKAGE, where KIND is `command` (THING is on
#                              the PATH), `header` (THING can be included), `library` (the loader
#                              finds THING), `python` (/usr/bin/python3 can import THING) or
#                              `fuzzer` (THING is a clang++ that can link libFuzzer)
#
# Prints nothing if nothing is missing. Ends the script with a clear message if it cannot help.

build_needs=(
  command:cmake:cmake
  command:c++:g++
  command:ninja:ninja-build
  command:pkg-config:pkg-config
  header:snappy.h:libsnappy-dev
  header:zstd.h:libzstd-dev
  header:gflags/gflags.h:libgflags-dev
)
# The persistent-memory tier, which is left out of the build without them.
pmem_needs=(
  header:libpmemobj.h:libpmemobj-dev
  header:ndctl/libndctl.h:libndctl-dev
  header:daxctl/libdaxctl.h:libdaxctl-dev
)
suite_needs=(
  command:python3:python3
  python:matplotlib:python3-matplotlib
  library:libleveldb.so.1d:libleveldb1d
)
regress_needs=(
  command:valgrind:valgrind
)
# A browser that opens the report; its test is skipped without one.
browser_needs=(
  command:chromium:chromium
)
test_needs=(
  "${pmem_needs[@]}"
  header:gtest/gtest.h:libgtest-dev
  command:python3:python3
  library:libleveldb.so.1d:libleveldb1d
  python:matplotlib:python3-matplotlib
  python:jsonschema:python3-jsonschema
)
# The virtual machine of testing/vm; with /usr/sbin and /sbin on the PATH.
vm_needs=(
  command:qemu-system-x86_64:qemu-system-x86
  command:busybox:busybox-static
  command:ndctl:ndctl
  command:daxctl:daxctl
  command:mkfs.ext4:e2fsprogs
  command:mkfs.xfs:xfsprogs
  command:strace:strace
  command:cpio:cpio
  command:modprobe:kmod
)
# A full build links about 350 programs.
linker_needs=(
  command:ld.lld:lld
)
plyvel_needs=(
  python:plyvel:python3-plyvel
  python:pytest:python3-pytest
  python:pip:python3-pip
  python:setuptools:python3-setuptools
)

# The other stores that ycsbc measures, and the program that measures the device below them, as far
# as this system has packages of them.
store_needs() {
  local need
  for need in header:rocksdb/db.h:librocksdb-dev header:lmdb.h:liblmdb-dev \
    header:wiredtiger.h:libwiredtiger-dev command:fio:fio; do
    if is_there "$need" || { command -v apt-cache > /dev/null &&
        [ -n "$(apt-cache show "${need##*:}" 2> /dev/null)" ]; }; then
      echo "$need"
    fi
  done
}

# Prints the clang that is needed: 14 if this system has it; and the packages of its fuzzer.
clang_needs() {
  if command -v clang++-14 > /dev/null || { command -v apt-cache > /dev/null &&
      [ -n "$(apt-cache show clang-14 2> /dev/null)" ]; } || ! command -v clang++ > /dev/null; then
    echo command:clang++-14:clang-14
    echo fuzzer:clang++-14:libclang-rt-14-dev
  else
    local version
    version=$(clang++ -dumpversion 2> /dev/null | cut -d. -f1)
    echo command:clang++:clang
    echo "fuzzer:clang++:libclang-rt-$version-dev"
  fi
}

is_there() {
  local kind=${1%%:*} rest=${1#*:}
  local thing=${rest%:*}
  case $kind in
    command) command -v "$thing" > /dev/null ;;
    header)
      if command -v c++ > /dev/null; then
        printf '#include <%s>\n' "$thing" | c++ -E -x c++ - > /dev/null 2>&1
      else
        [ -e "/usr/include/$thing" ]
      fi
      ;;
    library) /sbin/ldconfig -p 2> /dev/null | grep -q "$thing" ;;
    fuzzer)
      echo 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }' |
        "$thing" -fsanitize=fuzzer,address -x c++ - -o /dev/null > /dev/null 2>&1
      ;;
    python) [ -x /usr/bin/python3 ] && /usr/bin/python3 -c "import $thing" 2> /dev/null ;;
  esac
}

require_packages() {
  local missing=() need
  for need in "$@"; do
    is_there "$need" || missing+=("${need##*:}")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get > /dev/null; then
    echo "Missing here: ${missing[*]} (names of Debian packages). This system has no apt;" \
      "please install their like by hand." >&2
    exit 1
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo > /dev/null; then
      echo "Missing here: ${missing[*]}. Please run as root: apt-get install ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  echo "Installing with apt: ${missing[*]}"
  local apt_output
  apt_output=$(mktemp)
  local quietly=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0)
  if ! { "${as_root[@]}" "${quietly[@]}" update &&
      "${as_root[@]}" "${quietly[@]}" install -y --no-install-recommends "${missing[@]}"; } \
      > "$apt_output" 2>&1; then
    cat "$apt_output" >&2
    rm -f "$apt_output"
    echo "apt could not install: ${missing[*]}" >&2
    exit 1
  fi
  rm -f "$apt_output"
}
