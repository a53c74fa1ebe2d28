"""Makes the root image of the guest: busybox, the tools that jobs use, the programs of a build, and
the libraries that these need; without root privileges and without a loop device."""
import hashlib
import os
import pathlib
import re
import shutil
import tempfile

from commands import Failure, run

GUEST = pathlib.Path(__file__).resolve().parent / "guest"
TOOLS = ["bash", "ndctl", "daxctl", "mkfs.ext4", "mkfs.xfs", "filefrag", "strace"]
# Loaded by name, so no program lists them as needed.
LOADED = ["libpmemobj.so.1", "libpmem.so.1", "libndctl.so.6", "libdaxctl.so.1", "libzstd.so.1",
          "libgcc_s.so.1"]
# Paths in a build directory. Those that are missing are left out, except the first three, which are
# required.
PROGRAMS = ["testing/vm/power_writer", "tools/bushstore", "benchmarks/db_bench",
            "testing/tier_writer", "testing/db_driver", "testing/stress/stress",
            "testing/pmem_integration_tests", "testing/pmem_crash_tests"]
NEEDED_PROGRAMS = 3
FOLDERS = ["bin", "proc", "sys", "dev", "tmp", "run", "media", "opt", "usr/bin", "usr/sbin", "etc",
           "var/tmp", "guest"]


def find_tool(name):
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if path is None:
        raise Failure(f"The program {name} is missing here; testing/packages.sh names its package.")
    return path


def libraries_of(path):
    """Returns the files that the loader would load, by their absolute paths."""
    try:
        output = run("ldd", path)
    except Failure:
        return []  # linked statically
    if "not found" in output:
        raise Failure(f"A library of {path} is missing: {output}")
    return re.findall(r"(/\S+)", output)


def loaded_libraries():
    known = {}
    for line in run("/sbin/ldconfig", "-p").splitlines():
        words = line.split()
        if words and words[0] in LOADED and "x86-64" in line:
            known.setdefault(words[0], words[-1])
    return list(known.values())


def programs_of(build):
    found = []
    for index, name in enumerate(PROGRAMS):
        path = build / name
        if path.exists():
            found.append(path)
        elif index < NEEDED_PROGRAMS:
            raise Failure(f"{path} is missing; build it first: cmake --build {build} --target "
                          f"{path.name}")
    return found


def contents_of(build):
    """Returns the contents of the image: absolute path in the image -> file of this machine.
    Programs of the build keep their paths, because tests and libraries find each other by them."""
    contents = {"/bin/busybox": find_tool("busybox")}
    programs = programs_of(build)
    for name in TOOLS:
        contents[f"/usr/bin/{name}"] = find_tool(name)
    for path in loaded_libraries() + [str(path) for path in programs]:
        contents[path] = path
    for path in list(contents.values()):
        for library in libraries_of(path):
            contents[library] = library
    for path in sorted(GUEST.iterdir()):
        contents[f"/guest/{path.name}"] = str(path)
    return contents


def digest_of(contents):
    """Returns a digest of everything that the image depends on."""
    key = hashlib.sha256()
    for name, path in sorted(contents.items()):
        found = os.stat(path)
        key.update(f"{name} {path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return key.hexdigest()[:12]


def kept_image(cache, build):
    """Returns the root image with the programs of a build, in the cache; makes it if it is missing.
    Images of other builds are kept until they are a day old."""
    contents = contents_of(build)
    target = cache / f"root-{digest_of(contents)}.img"
    if not target.exists():
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            image = make_image(pathlib.Path(folder), contents, build)
            os.rename(image, target)
        for other in cache.glob("root-*.img"):
            if other != target and target.stat().st_mtime - other.stat().st_mtime > 86400:
                other.unlink()
    return target


def make_image(folder, contents, build):
    root = folder / "root"
    for name in FOLDERS:
        (root / name).mkdir(parents=True)
    for name, path in contents.items():
        copy = root / name.lstrip("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        if copy.exists():
            continue
        if path.startswith(str(build)):
            run("strip", "--strip-debug", "-o", copy, path)
        else:
            shutil.copy(path, copy)
    for script in ["init", "initramfs_init"]:
        (root / "guest" / script).chmod(0o755)
    for program in programs_of(build):
        (root / "opt" / program.name).symlink_to(program)
    (root / "etc/passwd").write_text("root:x:0:0:root:/tmp:/bin/sh\n")
    (root / "etc/group").write_text("root:x:0:\n")
    # Some programs name the loader by another path than that of its library.
    (root / "lib64").mkdir(exist_ok=True)
    size = sum(path.lstat().st_size for path in root.rglob("*")) // (1 << 20)
    image = folder / "root.img"
    run("truncate", "-s", f"{size + size // 8 + 24}M", image)
    run(find_tool("mke2fs"), "-q", "-t", "ext4", "-O", "^has_journal", "-d", root, image)
    return image
