# Two jobs, by `phase`. `make` makes a database on each of `media`. `find` runs after a boot with
# DIMMs that are missing, write-protected or smaller, and prints the results of opening and
# repairing each database.
. /guest/media.sh
. /guest/step.sh

contents_of() { bushstore dump "$1" | md5sum; }

make_databases() {
  local name pool
  prepare_media
  dd if=/dev/zero of=/tmp/page bs=1M count=1 2> /dev/null
  for name in $media; do
    pool=$(pool_of "$name")
    # shellcheck disable=SC2046 # several words
    step "$name" make power_writer "$name" page=/tmp/page slot="$(number_in_slots "$name")" \
      db="$(database_of "$name")" pool="$pool" seed="$seed" $(writer_options "$name") seconds=1
    contents_of "$(database_of "$name")" > "/media/disk/$name.contents"
  done
  # The host ends the machine as soon as the job has ended. A file system that is mounted without
  # recovery holds only what a clean unmount has written.
  sync
  for name in $media; do
    case $name in ext4 | xfs) step "$name" unmount umount "/media/$name" ;; esac
  done
}

number_in_slots() { echo "$slots" | tr ' ' '\n' | sed -n "s/^$1=//p"; }

find_databases() {
  local name dimm number
  mount -t tmpfs media /media
  mkdir /media/disk
  mount -t ext4 /dev/vdb /media/disk
  find_regions
  for dimm in $dimms; do
    name=${dimm%=*}
    number=$(region_of "$name")
    case $name in
      ext4 | xfs)
        mkdir "/media/$name"
        mount -t "$name" -o dax,ro,norecovery "/dev/pmem$number" "/media/$name" ||
          echo "vm: WRONG $name can't be mounted"
        ;;
    esac
  done
  for name in $media; do
    step "$name" info bushstore info "$(database_of "$name")"
    step "$name" open bushstore stats "$(database_of "$name")"
    case $name in ext4) continue ;; esac
    step "$name" contents cat "/media/disk/$name.contents"
    step "$name" repair bushstore repair "$(database_of "$name")"
    step "$name" check bushstore check "$(database_of "$name")"
    step "$name" contents_of_repaired contents_of "$(database_of "$name")"
  done
}

case $phase in
  make) make_databases ;;
  find) find_databases ;;
esac
