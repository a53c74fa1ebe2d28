"""The limits of the medium, measured by pmem_bench."""

import re

from suite.model import Experiment, Plot, Run, Series, Shown, Table
from suite.scale import MIB

LINES = [
    ("append", "append 1,088 bytes, not fenced"),
    ("append_crc", "append 1,088 bytes with a checksum, not fenced"),
    ("append_fence", "append 1,088 bytes and fence"),
    ("append_crc_fence", "append 1,088 bytes with a checksum, and fence"),
    ("append_fence_paced", "append 1,088 bytes and fence, at the processor's best pace"),
    ("append_crc_fence_paced", "the same with a checksum"),
    ("append_fence_64", "append 64 bytes and fence"),
    ("append_fence_256", "append 256 bytes and fence"),
    ("append_fence_1024", "append 1 KiB and fence"),
    ("append_fence_4096", "append 4 KiB and fence"),
    ("append_fence_16384", "append 16 KiB and fence"),
    ("append_fence_65536", "append 64 KiB and fence"),
    ("append_fence_524288", "append 512 KiB and fence"),
    ("fence", "fence alone"),
    ("append_sync", "append 1,088 bytes and sync"),
    ("dependent_miss", "one dependent cache miss"),
    ("dependent_miss_paced", "the same at the processor's best pace"),
    ("touch_line", "one line of a random 1 KiB value"),
    ("touch_value", "all lines of a random 1 KiB value"),
    ("crc_value", "checksum of a random 1 KiB value"),
    ("sequential_read_kib", "read in order, per KiB"),
    ("first_touch_kib", "first touch of fresh memory, per KiB"),
    ("remap_touch_kib", "first touch of memory written before, per KiB"),
]


def runs(scale):
    return [Run(key="medium", kind="limits", pool=scale.limits_size, memory=64 * MIB)]


def show(outcomes):
    nanos = next(iter(outcomes), {}).get("values", {})
    known = dict(LINES)
    rows = [[words, nanos[name]] for name, words in LINES if name in nanos]
    # A figure at full speed comes with that speed, which is not a figure of the medium.
    rows += [[name.replace("_", " "), value] for name, value in nanos.items()
             if name not in known and not name.endswith("_pace")]
    appends = [(int(name.split("_")[-1]), value) for name, value in nanos.items()
               if re.fullmatch(r"append_fence_\d+", name)]
    sizes = [size for size, _ in appends]
    return Shown(
        [Table(["step", "ns"], rows)],
        [Plot("appends", "Appending, a fence behind each", "lines", "append", "MB/s",
              [Series("append and fence", sizes, [1e3 * size / value for size, value in appends])],
              x_log=True, y_log=True, x_bytes=True)])


EXPERIMENT = Experiment(
    name="limits",
    question="What can the medium under the pool do at best?",
    method="pmem_bench maps a file as a pool is mapped and writes through the same functions as "
           "the store; medians of three rounds; at the best pace all three together.",
    runs=runs, show=show, program="pmem_bench",
    program_sentence="this build has no pmem_bench, since it has no tier on persistent memory.")
