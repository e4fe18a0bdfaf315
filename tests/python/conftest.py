# What the tests of the package share. They look at nsmc as it stands in the tree of its build (PYTHONPATH).
import csv
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("NSMC_PROGRAM", str(ROOT / "build" / "nsmc"))

BALL = """model ball "a ball"
param m = 1 [kg]
param e = 0.5 in 0..1 "restitution"
coord z [m] = 1
kinetic m/2*z'^2
potential m*9.81 [m/s^2]*z
contact floor { gap z  law unilateral(e) }
output height = [z, 2*z, 3*z]
simulate { until 1 [s]  step 1 [ms] }
"""


@pytest.fixture
def models():
    return ROOT / "models"


@pytest.fixture
def ball():
    import nsmc
    return nsmc.parse(BALL, name="ball.nsm")


def command_line(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def csv_columns(path):
    with open(path) as file:
        rows = list(csv.reader(file))
    return {name: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


def python(code, **environment):
    """A program of its own."""
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env={**os.environ, **environment})
