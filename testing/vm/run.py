#!/usr/bin/env python3
"""Runs the tier in a virtual machine with persistent memory, and cuts its power; see run.sh."""
import argparse
import contextlib
import pathlib
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import accelerator
import media
import poison
import seeds
from commands import Failure, Unavailable
from kernel import kept_kernel
from machine import QEMU, Machine, State
from media_job import absent_jobs, eadr_jobs, media_jobs, tests_jobs
from power_cuts import PowerCuts
from root_image import kept_image

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = ROOT / "build" / "vm"
ROOM_BYTES = 4 << 30
EXIT_UNAVAILABLE = 77

USAGE = """Boots a small Debian in QEMU with emulated NVDIMMs, runs the tier there on file systems
with DAX (ext4, XFS), DAX devices (aligned to 2 MiB and 4 KiB), an msync pool and files, and cuts
the power at random moments. After each cut every acknowledged write must be there."""


JOBS = ["media", "eadr", "tests", "absent", "poison", "cuts"]


def parse_jobs(text):
    for name in text.split(","):
        if name not in JOBS:
            raise argparse.ArgumentTypeError(f'there is no job "{name}": it is one of '
                                             f'{", ".join(JOBS)}')
    return text.split(",")


def parse_media(text):
    try:
        return media.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def read_arguments(words):
    parser = argparse.ArgumentParser(prog="testing/vm/run.sh", description=USAGE)
    parser.add_argument("build", metavar="BUILD_DIR", help="where the programs were built")
    parser.add_argument("--cuts", type=int, default=3, help="how often the power is cut (3)")
    parser.add_argument("--media", type=parse_media, default=media.ALL,
                        help="a comma-separated list (all): " + ",".join(media.ALL))
    parser.add_argument("--seed", type=int, default=None, help="repeats the moments and the writes")
    parser.add_argument("--keep", default=CACHE / "kept", type=pathlib.Path,
                        help="where the state is kept that a failing cut left (build/vm/kept)")
    parser.add_argument("--from", dest="start", type=pathlib.Path, default=None,
                        help="begins with a kept state; with --cuts 0 it is verified only")
    parser.add_argument("--job", type=parse_jobs, default=JOBS,
                        help="a comma-separated list of what is run (all): " + ",".join(JOBS))
    return parser.parse_args(words)


def folder_for_state():
    """Returns a folder in memory if there is space, since the state is copied before each boot."""
    memory = pathlib.Path("/dev/shm")
    if memory.is_dir() and shutil.disk_usage(memory).free >= ROOM_BYTES:
        return memory
    return CACHE


@contextlib.contextmanager
def consoles_kept(folder, target):
    """Copies the last console of each job to the folder `target` at the end."""
    try:
        yield
    finally:
        target.mkdir(exist_ok=True)
        for log in folder.rglob("*.console"):
            shutil.copy(log, target / f"{log.parent.name}.log")


def repeating(arguments):
    return f"testing/vm/run.sh --job cuts {arguments.build}"


def run(arguments):
    build = pathlib.Path(arguments.build).resolve()
    CACHE.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    if shutil.which(QEMU) is None:
        raise Unavailable(f"The virtual machine needs {QEMU}, of Debian's package "
                          "qemu-system-x86.")
    kernel = kept_kernel(CACHE)
    image = kept_image(CACHE, build)
    how = accelerator.choose(kernel)
    print(f"vm: {kernel.name}, {how.name}; made ready in {time.monotonic() - began:.1f} s",
          flush=True)
    seed = seeds.fresh_seed() if arguments.seed is None else arguments.seed
    is_right = True
    with tempfile.TemporaryDirectory(prefix="bushstore-vm-", dir=folder_for_state()) as folder, \
            consoles_kept(pathlib.Path(folder), CACHE / "consoles"):
        folder = pathlib.Path(folder)

        def start_machine_in(state):
            def start(job, dimms, log, **options):
                return Machine(how, kernel, image, state, dimms, job, log, **options)
            return start

        for name, jobs in [("media", media_jobs(arguments.media)),
                           ("eadr", eadr_jobs(arguments.media)),
                           ("tests", tests_jobs(arguments.media)),
                           ("absent", absent_jobs(arguments.media))]:
            state = State(folder / name / "state")
            for job in jobs if name in arguments.job else []:
                is_right = job.run(start_machine_in(state), state, arguments.keep,
                                   seed) and is_right
        if "poison" in arguments.job:
            state = State(folder / "poison" / "state")

            def start_on_intel(job, dimms, log):
                return Machine(accelerator.INTEL, kernel, image, state, dimms, job, log,
                               processors=1)

            is_right = poison.run(start_on_intel, state, arguments.keep, arguments.media,
                                  seed) and is_right
        cut = [name for name in arguments.media if name in media.CUT]
        if cut and "cuts" in arguments.job:
            state = State(folder / "cuts" / "state")
            if arguments.start is not None:
                State(arguments.start).copy_to(state.folder)
            cuts = PowerCuts(start_machine_in(state), state, arguments.keep, cut, seed,
                             repeating(arguments))
            is_right = cuts.run(arguments.cuts) and is_right
    return 0 if is_right else 1


def main():
    arguments = read_arguments(sys.argv[1:])
    try:
        return run(arguments)
    except Unavailable as error:
        print(f"vm: left out: {error}")
        return EXIT_UNAVAILABLE
    except Failure as error:
        print(f"WRONG vm: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
