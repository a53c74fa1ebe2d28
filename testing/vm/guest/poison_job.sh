# A job: a page of a pool on ext4 goes bad by a machine check while a program reads and writes. The
# host injects it when it reads the line "vm: poison ADDRESS" (poison.py).
. /guest/media.sh
. /guest/step.sh

name=ext4
db=$(database_of $name)

# The physical address of the page at `share` percent of the pool's largest part.
address_in_pool() {
  local part number first begin blocks
  part=$(ls -S /media/$name/* /media/$name/*/* 2> /dev/null | head -1)
  number=$(region_of $name)
  first=$(cat "/sys/block/pmem$number/device/resource")
  # The line of the first extent: "0: 0..255: 1234..1489: 256: ..."
  set -- $(filefrag -v -b4096 "$part" | tr ':.' '  ' | awk '$1 == "0" { print $4, $6; exit }')
  begin=$1
  blocks=$2
  printf '0x%x\n' $((first + (begin + blocks * share / 100) * 4096))
}

poison() {
  echo "vm: poison $(address_in_pool)"
  local tries=0
  while [ -z "$(cat "/sys/bus/nd/devices/region$(region_of $name)/badblocks")" ]; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || { echo "vm: WRONG no bad block has appeared"; return 1; }
    sleep 0.1
  done
  echo "bad blocks: $(cat "/sys/bus/nd/devices/region$(region_of $name)/badblocks")"
}

write_until_poisoned() {
  # shellcheck disable=SC2046 # several words
  power_writer $name page=/tmp/page slot=0 db="$db" pool="$(pool_of $name)" seed="$seed" guard=1 \
    $(writer_options $name) seconds="$1"
}

prepare_media
dd if=/dev/zero of=/tmp/page bs=1M count=1 2> /dev/null
step $name make write_until_poisoned 2
step $name check_before bushstore check "$db"
write_until_poisoned 60 > /tmp/writer.txt 2>&1 &
while ! grep -q "writing\|WRONG" /tmp/writer.txt; do sleep 0.1; done
poison > /tmp/poison.txt &
while ! grep -q "vm: poison" /tmp/poison.txt; do sleep 0.1; done
head -1 /tmp/poison.txt
wait $!
step $name bad_blocks cat /tmp/poison.txt
sleep 2
kill -0 $(pidof power_writer) && kill $(pidof power_writer)
step $name writer cat /tmp/writer.txt
step $name info bushstore info "$db"
step $name check bushstore check "$db"
step $name repair bushstore repair "$db"
step $name check_after bushstore check "$db"
step $name log sed -n '/bad\|lost\|repair/p' "$db/LOG"
