"""Chooses how QEMU runs the guest's instructions: by KVM where that works, else by translation."""
import os
import pathlib
import subprocess
import tempfile
import time

from machine import QEMU
from root_image import find_tool

KVM_SECONDS = 15  # a kernel prints its first line within one second


class Accelerator:
    def __init__(self, name, words):
        self.name = name
        self.words = words


KVM = Accelerator("kvm", ["-accel", "kvm", "-cpu", "host"])
TCG = Accelerator("tcg", ["-accel", "tcg,thread=multi,tb-size=512", "-cpu", "max"])
# The kernel recovers from machine checks of Intel processors; QEMU injects them into one processor.
INTEL = Accelerator("tcg", ["-accel", "tcg,tb-size=512", "-cpu", "max,vendor=GenuineIntel"])


def boots_with_kvm(kernel):
    """Returns whether a kernel boots with KVM: /dev/kvm may open and still run none."""
    if not os.access("/dev/kvm", os.R_OK | os.W_OK):
        return False
    words = [find_tool(QEMU), "-nodefaults", "-display", "none", "-no-reboot", *KVM.words,
             "-m", "256M", "-kernel", str(kernel / "vmlinux"), "-serial", "stdio",
             "-append", "console=ttyS0 earlyprintk=ttyS0 panic=-1"]
    with tempfile.TemporaryFile() as output, subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT) as process:
        deadline = time.monotonic() + KVM_SECONDS
        booted = False
        while not booted and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
            output.seek(0)
            booted = b"Linux version" in output.read()
        process.kill()
    return booted


def choose(kernel):
    """Returns the accelerator. It is cached next to the kernel, with the release of the host's
    kernel."""
    kept = pathlib.Path(kernel) / "accelerator"
    host = os.uname().release
    try:
        known, name = kept.read_text().split()
    except (OSError, ValueError):
        known, name = "", ""
    if known != host:
        name = "kvm" if boots_with_kvm(kernel) else "tcg"
        kept.write_text(f"{host} {name}\n")
    return KVM if name == "kvm" else TCG
