"""Reads the page of acknowledgements, as acknowledgement_page.h describes it."""
import dataclasses
import enum
import mmap
import struct

SLOT_BYTES = 4096
SLOTS = 16
PAGE_BYTES = 1 << 20  # the size of the device's memory; the slots take a part of it
MAGIC = 0x314B434148535542
FIRST_THREAD = 8
WORDS_OF_THREAD = 8


class State(enum.IntEnum):
    UNUSED = 0
    VERIFYING = 1
    WRITING = 2
    WRONG = 3
    DONE = 4


@dataclasses.dataclass
class Writes:
    """The numbers of one thread."""
    begun: int
    acknowledged: int
    durable: int
    total: int


@dataclasses.dataclass
class Slot:
    """What the page says about one database."""
    state: State
    openings: int
    threads: list
    jobs: tuple = (0, 0, 0)  # merges, value-log GC jobs and spills since the database was opened

    @property
    def total(self):
        """Returns how many writes were ever acknowledged."""
        return sum(writes.total for writes in self.threads)


def parse_slot(data, number):
    """Returns slot `number` of a page with these bytes. Raises ValueError if our program has not
    written it."""
    words = struct.unpack_from(f"<{SLOT_BYTES // 8}Q", data, number * SLOT_BYTES)
    if words[0] == 0:
        return Slot(State(words[1]), 0, [])
    if words[0] != MAGIC:
        raise ValueError(f"slot {number} of the page of acknowledgements begins with {words[0]:#x}")
    threads = []
    for thread in range(words[2]):
        first = FIRST_THREAD + WORDS_OF_THREAD * thread
        threads.append(Writes(*words[first:first + 4]))
    return Slot(State(words[1]), words[3], threads, tuple(words[4:7]))


class Page:
    """The page, in a file that the machine has mapped."""

    def __init__(self, path):
        self._file = open(path, "r+b")
        self._map = mmap.mmap(self._file.fileno(), PAGE_BYTES)

    def close(self):
        self._map.close()
        self._file.close()

    def slot(self, number):
        return parse_slot(self._map, number)

    def forget_state(self, number):
        """Clears the state before the machine boots, so that it can only come from this boot."""
        struct.pack_into("<Q", self._map, number * SLOT_BYTES + 8, State.UNUSED)
