#!/usr/bin/env python3
"""syntax_check_test.py SOURCE_DIR CXX_COMPILER: testing/syntax_check.py passes what is sound,
writes nothing, finds a warning and an error, and passes over what a target is made of."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCES = {
    "sound.cc": "int Sound() { return 0; }\n",
    "warned.cc": "int Warned() { int unused = 0; return 1; }\n",
    "broken.cc": "int Broken() { return nothing; }\n",
}


class Build:
    """A build directory of a few sources."""

    def __init__(self, script, compiler, place):
        self.script = script
        self.compiler = compiler
        self.place = place
        for name, text in SOURCES.items():
            (place / name).write_text(text, encoding="utf-8")

    def command(self, name):
        return (f"{self.compiler} -Wall -fsanitize=address -MD -MT x.o -MF x.d -o {name}.o"
                f" -c {self.place / name}")

    def check(self, names, *options):
        entries = [{"directory": str(self.place), "command": self.command(name),
                    "file": str(self.place / name)} for name in names]
        (self.place / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
        done = subprocess.run([sys.executable, str(self.script), str(self.place), "-j", "2",
                               *options], check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, done.stdout.decode()

    def build_of_ninja(self, target, names):
        rules = "".join(f"rule {name}\n  command = {self.command(name)}\nbuild {name}.o: {name}\n"
                        for name in names)
        objects = " ".join(name + ".o" for name in names)
        (self.place / "build.ninja").write_text(f"{rules}build {target}: phony {objects}\n",
                                                encoding="utf-8")


def test(build):
    code, output = build.check(["sound.cc"])
    assert code == 0 and output == "syntax_check: 1 files read, 0 failed\n", output
    code, output = build.check(["sound.cc", "warned.cc"])
    assert code == 1 and "unused" in output, output
    assert output.endswith("syntax_check: 2 files read, 1 failed\n"), output
    code, output = build.check(["broken.cc", "sound.cc"])
    assert code == 1 and "broken.cc" in output and "nothing" in output, output
    code, output = build.check([])
    assert code == 1, output
    left = [path.name for path in build.place.iterdir() if path.suffix in (".o", ".d")]
    assert not left, left

    if shutil.which("ninja"):
        build.build_of_ninja("some", ["warned.cc"])
        code, output = build.check(["sound.cc", "warned.cc"], "--built", "some")
        assert code == 0 and output == "syntax_check: 1 files read, 0 failed\n", output


def main():
    script = pathlib.Path(sys.argv[1]) / "testing" / "syntax_check.py"
    with tempfile.TemporaryDirectory() as place:
        test(Build(script, sys.argv[2], pathlib.Path(place).resolve()))


if __name__ == "__main__":
    main()
