# A job: on each of `media` a page of a pool becomes bad by a machine check while a program reads
# and writes. On a file system it is a page that has just been written, on a device the page number
# `page_in_pool`. The host injects it when it reads the line "vm: poison ADDRESS" (poison.py).
. /guest/media.sh
. /guest/step.sh

bad_blocks() { cat "/sys/bus/nd/devices/region$(region_of "$name")/badblocks"; }

# Prints a page of a file that has changed within a second, among the extents of the pool.
changed_page() {
  cp "$1" /tmp/before
  sleep 1
  cp "$1" /tmp/after
  cmp -l /tmp/before /tmp/after | awk '$1 > 4456448 { print int(($1 - 1) / 4096); exit }'
}

# Prints the physical address of the page.
address_in_pool() {
  local part number first begin blocks page_in_pool=$page_in_pool
  number=$(region_of "$name")
  case $name in
    devdax*)
      first=$(cat "/sys/bus/dax/devices/dax$number.0/resource")
      printf '0x%x\n' $((first + page_in_pool * 4096))
      return
      ;;
  esac
  part=$(ls -S "/media/$name"/*/*.pmem | head -1)
  page_in_pool=$(changed_page "$part")
  first=$(cat "/sys/block/pmem$number/device/resource")
  # The line of the first extent: "0: 0..255: 1234..1489: 256: ..."
  # shellcheck disable=SC2046 # several words
  set -- $(filefrag -v -b4096 "$part" | tr ':.' '  ' | awk '$1 == "0" { print $4, $6; exit }')
  begin=$1
  blocks=$2
  if [ -z "$page_in_pool" ] || [ "$page_in_pool" -ge "$blocks" ]; then
    echo "vm: WRONG no page of the pool has changed, or it is in pieces" >&2
    return 1
  fi
  printf '0x%x\n' $((first + (begin + page_in_pool) * 4096))
}

poison() {
  local address tries=0
  address=$(address_in_pool) || return
  echo "vm: poison $address"
  while [ -z "$(bad_blocks)" ]; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || { echo "vm: WRONG no bad block has appeared"; return 1; }
    sleep 0.1
  done
  echo "bad blocks: $(bad_blocks)"
}

write_until_poisoned() {
  # shellcheck disable=SC2046 # several words
  power_writer "$name" page=/tmp/page slot=0 db="$db" pool="$(pool_of "$name")" seed="$seed" \
    guard=1 $(writer_options "$name") seconds="$1"
}

# Makes a page bad while a database is open.
poison_medium() {
  local writer bad seconds=60
  rm -f /tmp/writer.txt /tmp/poison.txt
  # On a device the writer does not fail, so its time is limited.
  case $name in devdax*) seconds=20 ;; esac
  dd if=/dev/zero of=/tmp/page bs=1M count=1 2> /dev/null
  step "$name" make write_until_poisoned 2
  step "$name" check_before bushstore check "$db"
  write_until_poisoned $seconds > /tmp/writer.txt 2>&1 &
  writer=$!
  while ! grep -qs "writing\|WRONG" /tmp/writer.txt; do sleep 0.1; done
  poison > /tmp/poison.txt 2>&1 &
  bad=$!
  while ! grep -qs "vm: " /tmp/poison.txt; do sleep 0.1; done
  head -1 /tmp/poison.txt
  wait $bad
  step "$name" bad_blocks sed 1d /tmp/poison.txt
  wait $writer
  echo "ended with $?" >> /tmp/writer.txt
  step "$name" writer cat /tmp/writer.txt
  step "$name" log sed -n '/cannot be read any more/p' "$db/LOG"
  step "$name" info bushstore info "$db"
  step "$name" check bushstore check "$db"
  step "$name" repair bushstore repair "$db"
  step "$name" check_after bushstore check "$db"
}

prepare_media
# QEMU's memory can be read after a machine check, unlike that of a processor. So the kernel must
# unmap the page from the programs that have it mapped; this setting also notifies them.
echo 1 > /proc/sys/vm/memory_failure_early_kill
for name in $media; do
  db=$(database_of "$name")
  poison_medium
done
