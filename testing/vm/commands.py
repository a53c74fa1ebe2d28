"""Runs other programs, and says which one failed."""
import subprocess


class Failure(Exception):
    """One sentence about what could not be done."""


class Unavailable(Failure):
    """One sentence about what this machine does not have."""


def run(*words, **arguments):
    """Returns the output of a program. Raises Failure with the output if its exit code is not 0."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          check=False, **arguments)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, words))} failed with {done.returncode}: "
                      f"{(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout
