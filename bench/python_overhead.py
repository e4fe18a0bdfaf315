#!/usr/bin/python3
"""What Python adds to nsmc: a whole run, and steps in hand.

    PYTHONPATH=build/python bench/python_overhead.py

Prints the time of m.run() beyond that of the run itself, from the second one on, and of s.step() of the bouncing ball, with the part
of it that the step itself takes."""
import pathlib
import statistics
import sys
import time

import nsmc

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"


def seconds(work):
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def run_overhead(model, repeats=20, **given):
    model.run(**given)
    beyond = []
    for _ in range(repeats):
        whole, r = seconds(lambda: model.run(**given))
        beyond.append(whole - r.summary.wall_seconds)
    return statistics.median(beyond), r.summary.wall_seconds


def steps_of(run, count):
    def all_of_them():
        step = run.step
        for _ in range(count):
            step()

    return seconds(all_of_them)[0] / count


def main():
    print(f"import nsmc: version {nsmc.__version__}, Python {sys.version.split()[0]}")
    for name, given in (("bouncing_ball", {}), ("tippe_top", {"until": 0.5}), ("pyramid", {"until": 0.1})):
        beyond, run = run_overhead(nsmc.load(MODELS / f"{name}.nsm"), **given)
        print(f"m.run() of {name}: {1e3 * beyond:.3f} ms beyond its run of {1e3 * run:.1f} ms")
    ball = nsmc.load(MODELS / "bouncing_ball.nsm")
    count = 100_000
    single = min(steps_of(ball.start(endless=True), count) for _ in range(5))
    stretch = ball.start(endless=True)
    alone = seconds(lambda: stretch.advance(count * 1e-4))[0] / count
    print(f"s.step() of bouncing_ball: {1e6 * single:.2f} us each, of 1e5; in one advance(): {1e6 * alone:.2f} us")
    state = ball.start()
    print(f"s.save() and s.restore(): {1e6 * seconds(lambda: [state.restore(state.save()) for _ in range(1000)])[0] / 1e3:.0f} us; "
          f"s.set(e=...): {1e6 * seconds(lambda: [state.set(e=0.5 + k / 1e4) for k in range(1000)])[0] / 1e3:.0f} us")


main()
