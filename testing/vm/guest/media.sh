# Sourced by jobs: the media, by name.
#
#   ext4      fsdax namespace with ext4        devdax2m  devdax namespace, aligned to 2 MiB
#   xfs       fsdax namespace with XFS         devdax4k  devdax namespace, aligned to 4 KiB
#   msync     a pool on the disk's ext4        tmpfs     a pool in memory, emulated
#   files     no tier, on the disk's ext4          devdax1g  devdax namespace, aligned to 1 GiB
#
# Each medium of persistent memory has a DIMM of its own, in the slot that `dimms` names (a list of
# NAME=SLOT). Its namespace is created at the first boot and then kept.

# Finds out which region belongs to which slot: the kernel numbers regions in an order of its own. A
# line of /run/regions is SLOT REGION.
find_regions() {
  local region dimm tries=0
  while [ "$(ls -d /sys/bus/nd/devices/namespace*.0 2> /dev/null | wc -l)" -lt \
    "$(echo $dimms | wc -w)" ] && [ $tries -lt 50 ]; do
    sleep 0.1
    tries=$((tries + 1))
  done
  for region in /sys/bus/nd/devices/region*; do
    [ -e "$region/mapping0" ] || continue
    dimm=$(cut -d, -f1 "$region/mapping0")
    echo "$(($(cat "/sys/bus/nd/devices/$dimm/nfit/handle") - 1)) ${region##*/region}"
  done > /run/regions
}

# region_of MEDIUM: prints the region; nothing if the medium has no DIMM or no region.
region_of() {
  local dimm
  for dimm in $dimms; do
    [ "${dimm%=*}" != "$1" ] || sed -n "s/^${dimm#*=} //p" /run/regions
  done
}

# pool_of MEDIUM: prints where its pool is made.
pool_of() {
  case $1 in
    ext4 | xfs) echo "/media/$1" ;;
    devdax*) echo "/dev/dax$(region_of "$1").0" ;;
    msync) echo /media/disk/msync_pools ;;
    tmpfs) echo /dev/shm/pools ;;
  esac
}

# Databases are on the disk; a database on each medium is cut at the same time.
database_of() { echo "/media/disk/$1"; }

# Prints options for power_writer: pools so small that they spill. A pool takes all of a device, so
# there the spill begins at a small share of it.
writer_options() {
  case $1 in
    devdax1g) echo promise=every spill_percent=1 size=0 ;;
    devdax*) echo promise=every spill_percent=6 size=0 ;;
    ext4 | xfs) echo promise=every spill_percent=40 size=8 ;;
    tmpfs) echo promise=synced assume=1 spill_percent=40 size=8 ;;
    *) echo promise=synced spill_percent=40 size=8 ;;
  esac
}

create_namespace() {
  local number=$1 name=$2
  case $name in
    ext4 | xfs) set -- -m fsdax --map=mem ;;
    devdax1g) set -- -m devdax --map=mem --align=1G ;;
    devdax2m) set -- -m devdax --map=mem --align=2M ;;
    devdax4k) set -- -m devdax --map=mem --align=4K ;;
  esac
  ndctl create-namespace -f -e "namespace$number.0" "$@" > /tmp/ndctl.txt 2>&1 ||
    { cat /tmp/ndctl.txt; echo "vm: WRONG cannot create the namespace of $name"; return 1; }
  case $name in
    ext4) mkfs.ext4 -q -b 4096 -E stride=512,stripe-width=512 "/dev/pmem$number" ;;
    xfs) mkfs.xfs -q -m reflink=0 "/dev/pmem$number" ;;
  esac
}

# Makes the namespaces that are missing, and mounts. Prints lines with WRONG for failures.
prepare_media() {
  local dimm name number
  mount -t tmpfs media /media
  mkdir /media/disk
  mount -t ext4 /dev/vdb /media/disk || echo "vm: WRONG the disk can't be mounted"
  find_regions
  for dimm in $dimms; do
    name=${dimm%=*}
    number=$(region_of "$name")
    if [ -z "$number" ]; then
      echo "vm: WRONG the DIMM of $name has no region"
      continue
    fi
    if [ "$(cat "/sys/bus/nd/devices/namespace$number.0/mode")" = raw ]; then
      create_namespace "$number" "$name"
    fi
    case $name in
      ext4 | xfs)
        mkdir "/media/$name"
        mount -t "$name" -o dax "/dev/pmem$number" "/media/$name" ||
          echo "vm: WRONG $name can't be mounted"
        ;;
    esac
  done
  mkdir -p /media/disk/msync_pools /dev/shm/pools
}
