"""A virtual machine with NVDIMMs and a disk: boots, runs a job, and loses its power."""
import os
import pathlib
import subprocess
import time

import acknowledgements
import media
from commands import Failure, run
from console import Console
from root_image import find_tool

QEMU = "qemu-system-x86_64"
# Where instructions are translated on a busy host, the kernel measures the processor's counter
# wrongly: clocks jump, and the guest sleeps for minutes. So the kernel uses a device as its clock.
KERNEL_ARGUMENTS = ("console=ttyS0 quiet panic=-1 nokaslr mitigations=off tsc=unstable "
                    "clocksource=hpet no_timer_check")


class State:
    """The files that are the machine's memory and disk between boots, in a folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def dimm(self, name):
        return self.folder / f"dimm-{name}.img"

    @property
    def disk(self):
        return self.folder / "disk.img"

    @property
    def page(self):
        return self.folder / "page"

    @property
    def console(self):
        """The path of the console, next to the folder, because it is not part of the state."""
        return self.folder.with_name(self.folder.name + ".console")

    @property
    def monitor(self):
        return self.folder / "monitor"

    def make(self, dimms, dimm_bytes=None):
        """Makes the files that are missing. `dimm_bytes` overrides the usual sizes of DIMMs."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in dimms:
            self._make_file(self.dimm(name), {**media.DIMM_BYTES, **(dimm_bytes or {})}[name])
        self._make_file(self.page, acknowledgements.PAGE_BYTES)
        if not self.disk.exists():
            self._make_file(self.disk, media.DISK_BYTES)
            run(find_tool("mke2fs"), "-q", "-t", "ext4", self.disk)

    def copy_to(self, folder):
        """Makes a sparse copy. REQUIRES: no machine is running."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in self.folder.iterdir():
            if path.is_file():
                run("cp", "--sparse=always", "--reflink=auto", path, folder / path.name)

    @staticmethod
    def _make_file(path, size):
        if not path.exists():
            with open(path, "wb") as file:
                file.truncate(size)


class Machine:
    """One boot. Use it as a context manager, which ends the machine."""

    def __init__(self, accelerator, kernel, image, state, dimms, job, log, dimm_options=None,
                 processors=2, memory_mib=1536, persistence="mem-ctrl"):
        """`persistence` is what survives a power failure, in QEMU's terms: "mem-ctrl" what has
        reached the memory controller, "cpu" the processor's caches, too (eADR)."""
        self._job = state.folder / "job.sh"
        self._job.write_text(job)
        self.log = log
        words = [find_tool(QEMU), "-nodefaults", "-display", "none", "-no-reboot",
                 *accelerator.words, "-smp", str(processors),
                 "-machine", f"q35,nvdimm=on,nvdimm-persistence={persistence},usb=off,smm=off",
                 "-m", f"{memory_mib}M,slots=8,maxmem=8G",
                 "-kernel", str(kernel / "vmlinux"), "-initrd", str(kernel / "initrd.gz"),
                 "-append", KERNEL_ARGUMENTS,
                 "-object", f"memory-backend-file,id=page,share=on,mem-path={state.page},"
                            f"size={acknowledgements.PAGE_BYTES}",
                 "-device", "ivshmem-plain,memdev=page",
                 "-drive", f"file={image},if=virtio,format=raw,readonly=on",
                 "-drive", f"file={state.disk},if=virtio,format=raw,cache=writeback",
                 "-fw_cfg", f"name=opt/bushstore/job,file={self._job}",
                 "-monitor", f"unix:{state.monitor},server=on,wait=off",
                 "-serial", "stdio"]
        for name in dimms:
            words += dimm_words(name, state.dimm(name), (dimm_options or {}).get(name))
        self.words = words
        self._process = None
        self.console = None

    def __enter__(self):
        self._process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.console = Console(self._process.stdout, self.log)
        return self

    def __exit__(self, *_):
        self.cut_power()

    def cut_power(self):
        """Kills the machine as a power failure would: nothing that was not stored is written any
        more. What the guest has stored or flushed is in the host's files and survives."""
        self._process.kill()
        self._process.wait()
        self.console.join(timeout=10)

    def is_running(self):
        return self._process.poll() is None

    def wait_until(self, condition, seconds, what):
        """Waits for condition(). Raises Failure if it takes too long or the machine ends before
        it."""
        deadline = time.monotonic() + seconds
        while not condition():
            if not self.is_running():
                self.console.join(timeout=10)
                if condition():
                    return
                raise Failure(f"The machine ended before {what}; its console is {self.log}.")
            if time.monotonic() > deadline:
                raise Failure(f"After {seconds:.0f} s not {what}; the console is {self.log}.")
            time.sleep(0.02)


def dimm_words(name, path, options):
    size = os.stat(path).st_size
    device = f"nvdimm,id=dimm-{name},memdev=memory-{name},slot={media.SLOTS[name]}"
    return ["-object", f"memory-backend-file,id=memory-{name},share=on,mem-path={path},size={size},"
                       "align=2M",
            "-device", f"{device},{options}" if options else device]
