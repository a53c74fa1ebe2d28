"""Draws when the power is cut, from the seed of a run and the number of the cut alone."""
import dataclasses
import random


@dataclasses.dataclass
class Cut:
    """Seconds after a moment: after all databases are being written to, or after the first program
    has begun to verify, so that the power fails during a recovery or a check."""
    while_writing: bool
    seconds: float


def fresh_seed():
    return random.SystemRandom().randrange(1, 1 << 31)


def cut_of(seed, number):
    """Returns a cut. The first of a run is never during a recovery: there is nothing to recover."""
    dice = random.Random(f"{seed}/{number}")
    while_writing = number == 1 or dice.random() >= 0.15
    return Cut(while_writing, dice.uniform(0.2, 4.0) if while_writing else dice.uniform(0.0, 2.0))
