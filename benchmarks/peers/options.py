"""Parses the command line of peers.py."""

import argparse
import os

import beyond_memory
import device
from programs import new_parser
from stores import STORES, STORES_BEYOND
from workloads import CLASSES, KNOWN, MORE, WORKLOADS, YCSB

SCALES = {"tiny": {"num": 400, "value_size": 100, "rounds": 1, "rest_millis": 50},
          "normal": {"num": 1000000, "value_size": 1024, "rounds": 3, "rest_millis": 1000}}
KEY_SIZE = 16
DATA_RATIO = 4  # of data to memory, unless --num is given
SECONDS = 30


def choose(parser, option, text, known):
    names = text.split(",")
    for name in names:
        if name not in known:
            parser.error("%s: %s is not one of %s" % (option, name, ", ".join(known)))
    return [name for name in known if name in names]


def parse_size(text):
    """Returns a size in bytes, which may end with K, M or G."""
    shift = {"K": 10, "M": 20, "G": 30}.get(text[-1:].upper(), 0)
    size = int(text[:-1] if shift else text) << shift
    if size < 32 << 20:
        raise ValueError("too little")
    return size


def memory_size(text):
    try:
        return parse_size(text)
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(
            "%r is no size of at least 32M, as in 2G" % text) from wrong


def set_defaults(arguments):
    """Sets the defaults that depend on whether memory is limited."""
    is_beyond = arguments.memory is not None
    if is_beyond:
        entry = KEY_SIZE + (arguments.value_size or SCALES["normal"]["value_size"])
        if arguments.scale == "normal":
            arguments.num = arguments.num or DATA_RATIO * arguments.memory // entry
        arguments.rounds = arguments.rounds or 1
        arguments.seconds = SECONDS if arguments.seconds is None else arguments.seconds
    for name, choice, otherwise in (
            ("stores", ",".join(STORES_BEYOND), ",".join(STORES)),
            ("workloads", ",".join(beyond_memory.WORKLOADS + YCSB), ",".join(WORKLOADS)),
            ("classes", "nosync", ",".join(CLASSES)),
            ("dir", device.default_directory(), "/dev/shm")):
        if getattr(arguments, name) is None:
            setattr(arguments, name, choice if is_beyond else otherwise)
    if arguments.pm_path is None:
        arguments.pm_path = arguments.dir
        if is_beyond:
            arguments.pm_path = os.environ.get("LEVELDB_PMEM_PATH") or "/dev/shm"


def parse_arguments(description):
    parser = new_parser(description)
    parser.add_argument("--dir", default=None,
                        help="where the stores are made (default: /dev/shm; with --memory a "
                        "directory for temporary files, which must be on a disk)")
    parser.add_argument("--pm_path", default=None,
                        help="directory for the pools (default: that for the stores; with --memory "
                        "LEVELDB_PMEM_PATH or /dev/shm, which counts as memory of the store)")
    parser.add_argument("--memory", type=memory_size, default=None, metavar="BYTES",
                        help="memory of each store, also with K, M, G: its heap, the page cache of "
                        "its files and a pool on tmpfs together; data are then %d times as much, "
                        "unless --num says otherwise" % DATA_RATIO)
    parser.add_argument("--seconds", type=float, default=None,
                        help="with --memory, what a workload that reads may take, and each of "
                        "YCSB's (default: %d)" % SECONDS)
    parser.add_argument("--scale", choices=sorted(SCALES), default="normal",
                        help="defaults for --num, --value_size and --rounds")
    parser.add_argument("--num", type=int, help="keys, and operations (default: 1000000)")
    parser.add_argument("--value_size", type=int, help="bytes of a value (default: 1024)")
    parser.add_argument("--rounds", type=int, help="rounds (default: 3; with --memory 1)")
    parser.add_argument("--stores", default=None,
                        help="which to compare (default: %s; with --memory %s)" % (
                            ",".join(STORES), ",".join(STORES_BEYOND)))
    parser.add_argument("--workloads", default=None,
                        help="which to run (default: %s; with --memory %s; there are also %s)" % (
                            ",".join(WORKLOADS), ",".join(beyond_memory.WORKLOADS + YCSB),
                            ",".join(MORE)))
    parser.add_argument("--classes", default=None,
                        help="classes of durability (default: %s; with --memory nosync)" %
                        ",".join(CLASSES))
    parser.add_argument("--goals", action="store_true",
                        help="say which goals (goals.py) the figures of class nosync miss")
    parser.add_argument("--json", default=None, help="write all figures to this file, too")
    arguments = parser.parse_args()
    if arguments.seconds is not None and arguments.memory is None:
        parser.error("--seconds is of --memory; without it workloads do all their operations")
    set_defaults(arguments)
    for name, value in SCALES[arguments.scale].items():
        if getattr(arguments, name, None) is None:
            setattr(arguments, name, value)
    arguments.stores = choose(parser, "--stores", arguments.stores,
                              STORES_BEYOND if arguments.memory else STORES)
    arguments.workloads = choose(parser, "--workloads", arguments.workloads, KNOWN)
    arguments.classes = choose(parser, "--classes", arguments.classes, list(CLASSES))
    if arguments.num < 1 or arguments.rounds < 1:
        parser.error("--num and --rounds must be positive")
    if arguments.value_size < 8:
        parser.error("--value_size must be at least 8: a value begins with what it is checked by")
    if arguments.goals and "nosync" not in arguments.classes:
        parser.error("--goals are about class nosync")
    if arguments.memory:
        if arguments.classes != ["nosync"]:
            parser.error("--memory is about class nosync")
        if arguments.goals:
            parser.error("--goals are about data in memory, and --memory is about larger ones")
        if not arguments.seconds > 0:
            parser.error("--seconds must be positive")
    for option, path in (("--dir", arguments.dir), ("--pm_path", arguments.pm_path)):
        if not os.path.isdir(path):
            parser.error("%s: there is no directory %s" % (option, path))
    if arguments.memory and device.refusal_of(arguments.dir):
        parser.error(device.refusal_of(arguments.dir))
    return arguments


def data_bytes(arguments):
    return arguments.num * (KEY_SIZE + arguments.value_size)
