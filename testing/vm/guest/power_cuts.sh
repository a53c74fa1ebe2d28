# A job: verifies the databases of `media` and writes to them until the power is cut. `media`,
# `dimms`, `slots` (name=number, for each medium), `seed` and `threads` come from the host.
. /guest/media.sh
prepare_media
for name in $media; do
  slot=$(echo "$slots" | tr ' ' '\n' | sed -n "s/^$name=//p")
  pool=$(pool_of "$name")
  # shellcheck disable=SC2046 # several words
  power_writer "$name" page="$page" slot="$slot" db="$(database_of "$name")" ${pool:+pool=$pool} \
    seed="$seed" threads="$threads" $(writer_options "$name") &
done
wait
