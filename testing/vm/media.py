"""The properties of the media that the host knows; guest/media.sh has the rest."""

MIB = 1 << 20

# The size of the DIMM of each medium of persistent memory. XFS needs space for its log; a pool on a
# device takes all of the device.
DIMM_BYTES = {
    "ext4": 256 * MIB,
    "xfs": 512 * MIB,
    "devdax2m": 64 * MIB,
    "devdax4k": 64 * MIB,
    # One unit is lost to the alignment, because the header of a namespace precedes its first one.
    # libpmemobj aligns mappings to 1 GiB only from 2 GiB on.
    "devdax1g": 3072 * MIB,
}
TESTS_BYTES = 1024 * MIB  # of a file system where tests are run
# The number of each medium's slot in the acknowledgement page, and of its DIMM's slot.
SLOTS = {name: number for number, name in
         enumerate(["ext4", "xfs", "devdax2m", "devdax4k", "msync", "files", "tmpfs",
          "devdax1g"])}
ALL = list(SLOTS)
# Nothing on tmpfs survives a power failure, so its power is not cut. A device aligned to 1 GiB is
# so large that its state is not copied before each boot.
CUT = [name for name in SLOTS if name not in ("tmpfs", "devdax1g")]
DISK_BYTES = 1024 * MIB


def dimms_of(names):
    """Returns those of the media that have a DIMM, in the order of the DIMMs."""
    return [name for name in DIMM_BYTES if name in names]


def parse(text):
    """Returns the media in a comma-separated list, in their order. Raises ValueError, which names
    it, for an unknown one."""
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in ALL:
            raise ValueError(f'there is no medium "{name}": it is one of {", ".join(ALL)}')
    if not names:
        raise ValueError("a list of media names one at least")
    return [name for name in ALL if name in names]


def assignments(names, dimms):
    """Returns the variables that guest/media.sh needs, as lines of a shell script."""
    def slots(of):
        return " ".join(f"{name}={SLOTS[name]}" for name in of)

    return f'media="{" ".join(names)}"\nslots="{slots(names)}"\ndimms="{slots(dimms)}"\n'
