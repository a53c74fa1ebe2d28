"""Makes Debian's kernel and an initramfs with the modules that the guest needs, in a cache."""
import hashlib
import lzma
import os
import pathlib
import shutil
import tempfile

from commands import Failure, Unavailable, run
from root_image import find_tool, libraries_of

MODULES = ["virtio_pci", "virtio_blk", "crc32c_generic", "ext4", "xfs", "nfit", "nd_pmem",
           "dax_pmem", "device_dax", "qemu_fw_cfg", "hwpoison-inject", "mce-inject"]
GUEST = pathlib.Path(__file__).resolve().parent / "guest"


def newest_package():
    """Returns the name of the package that Debian's linux-image-amd64 depends on."""
    try:
        lines = run("apt-cache", "depends", "linux-image-amd64").splitlines()
    except (Failure, OSError) as error:
        raise Unavailable("apt does not know the package linux-image-amd64, whose kernel the "
                          "virtual machine boots.") from error
    names = [line.split()[-1] for line in lines if "Depends: linux-image-" in line]
    if not names:
        raise Unavailable("apt knows no kernel package that linux-image-amd64 depends on.")
    return names[0]


def kept_kernel(cache):
    """Returns the folder of the kernel in the cache, with vmlinux and initrd.gz; makes it if it is
    missing. A cached kernel is used whether or not the archive has a newer one."""
    key = hashlib.sha256(pathlib.Path(__file__).read_bytes())
    key.update((GUEST / "initramfs_init").read_bytes())
    digest = key.hexdigest()[:12]
    ready = sorted(cache.glob(f"kernel-*-{digest}"))
    if ready:
        return ready[-1]
    unpacked = sorted(cache.glob("linux-image-*"))
    package = unpacked[-1] if unpacked else download(cache)
    target = cache / f"kernel-{package.name}-{digest}"
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        made = pathlib.Path(folder) / "made"
        made.mkdir()
        release = next((package / "lib" / "modules").iterdir()).name
        (made / "vmlinux").write_bytes(
            unpacked_kernel((package / "boot" / f"vmlinuz-{release}").read_bytes()))
        make_initramfs(package, release, made / "initrd.gz")
        os.rename(made, target)
    return target


def download(cache):
    """Unpacks the newest kernel package into the cache."""
    name = newest_package()
    with tempfile.TemporaryDirectory(dir=cache) as folder:
        try:
            run("apt-get", "-q", "download", name, cwd=folder)
        except Failure as error:
            raise Unavailable(f"apt could not download {name}, whose kernel the virtual machine "
                              f"boots: {error}") from error
        package = next(pathlib.Path(folder).glob("*.deb"))
        made = pathlib.Path(folder) / "made"
        run("dpkg-deb", "-x", package, made)
        release = next((made / "lib" / "modules").iterdir()).name
        run("/sbin/depmod", "-b", made, release)
        os.rename(made, cache / name)
    return cache / name


def unpacked_kernel(image):
    """Returns the ELF file in a compressed kernel. QEMU boots it directly, which takes the guest 8
    s less than decompression where its instructions are translated."""
    begin = image.find(b"\xfd7zXZ\0")
    if begin < 0:
        raise Failure("The kernel's image is not compressed by xz, as Debian's are.")
    kernel = lzma.LZMADecompressor().decompress(image[begin:])
    if not kernel.startswith(b"\x7fELF"):
        raise Failure("The kernel's image does not hold an ELF file.")
    return kernel


def module_files(package, release):
    """Returns the modules and those that they need, in the order of loading."""
    files = []
    for module in MODULES:
        lines = run("/sbin/modprobe", "-C", "/dev/null", "-d", package, "-S", release,
                    "--show-depends", module)
        for line in lines.splitlines():
            words = line.split()
            if words[0] == "insmod" and words[1] not in files:
                files.append(words[1])
    return files


def make_initramfs(package, release, target):
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        root = pathlib.Path(folder)
        for name in ["bin", "proc", "sys", "dev", "newroot", "modules"]:
            (root / name).mkdir()
        busybox = find_tool("busybox")
        if libraries_of(busybox):
            raise Failure(f"{busybox} needs libraries; Debian's package busybox-static has one "
                          "that does not.")
        shutil.copy(busybox, root / "bin" / "busybox")
        shutil.copy(GUEST / "initramfs_init", root / "init")
        (root / "init").chmod(0o755)
        names = []
        for path in module_files(package, release):
            # A processor without the instruction refuses the faster checksum.
            if "crc32c-intel" not in path:
                # Without its signature, whose verification takes the guest time.
                run("strip", "--strip-debug", "-o", root / "modules" / os.path.basename(path), path)
                names.append(os.path.basename(path))
        (root / "modules.list").write_text("\n".join(names) + "\n")
        run("sh", "-c", f"find . | cpio -o -H newc --quiet | gzip -1 > '{target}'", cwd=root)
