# Runs: their numbers, arrays without copies, what ends them.
import gc
import signal
import threading
import time

import numpy
import pytest

import nsmc
from conftest import BALL, command_line, csv_columns, python


@pytest.mark.parametrize("name, settings", [
    ("bouncing_ball", {}),
    ("tippe_top", {"until": 0.2}),
    ("tippe_top", {"until": 0.05, "method": "event"}),
    ("domino", {"until": 0.1}),
    ("pyramid", {"until": 0.05, "method": "rk"}),
])
def test_the_numbers_of_the_command_line_bit_for_bit(models, tmp_path, name, settings):
    options = [text for key, value in settings.items() for text in (f"--{key}", value)]
    command_line("run", models / f"{name}.nsm", "--quiet", "-o", tmp_path / "program.csv", *options)
    r = nsmc.load(models / f"{name}.nsm").run(**settings)
    columns = csv_columns(tmp_path / "program.csv")
    assert [*columns] == ["t", *r.names] and len(r) > 5
    for column, values in columns.items():
        assert numpy.array_equal(r.t if column == "t" else r[column], values, equal_nan=True), column
    r.save(tmp_path / "package.csv")
    assert (tmp_path / "package.csv").read_bytes() == (tmp_path / "program.csv").read_bytes()


def test_arrays_look_at_the_memory_of_the_run(ball):
    r = ball.run()
    z = r["z"]
    assert not z.flags.owndata and not z.flags.writeable and z.strides == (8 * len(r.names),)
    assert numpy.shares_memory(r["height"], r["height[2]"])
    assert r["height"].shape == (1001, 3) and numpy.array_equal(r["height"][:, 1], 2 * z)
    last = z[-1]
    del r
    gc.collect()
    nsmc.parse(BALL).run()  # which would take memory that nobody keeps
    assert z[-1] == last


def test_columns_by_name(ball):
    r = ball.run(outputs=["z", "height"])
    assert r.names == ["z", "height[1]", "height[2]", "height[3]"] and "z" in r and "floor.N" not in r
    assert len(r.t) == len(r) == 1001 and r.t[-1] == 1
    with pytest.raises(KeyError, match="did you mean 'z'"):
        r["zz"]
    with pytest.raises(KeyError, match="did you mean 'height'"):
        r["heigh"]


def test_units_and_texts_as_on_the_command_line(ball):
    assert ball.run(until="500[ms]").t[-1] == 0.5
    assert ball.run(until=numpy.float32(0.5), e=numpy.int64(0)).t[-1] == 0.5
    assert ball.run(method="event", until=0.5).method == "event"


def test_summary_events_and_warnings(ball):
    r = ball.run(method="event")
    assert r.ok and r.end == "finished" and r.summary.events["impact"] > 0
    assert r.events[0].kind == "impact" and r.events[0].contact == "floor"
    assert r.events[0].t == pytest.approx((2 / 9.81)**0.5, rel=1e-6)
    assert r.events[0].after[0] == pytest.approx(-0.5 * r.events[0].before[0])
    assert r.summary.energy.counted is False or "unilateral" in r.summary.energy.losses


def test_numerical_trouble_is_a_warning_and_not_an_exception():
    falls_out = nsmc.parse("coord x [m] = 1\nkinetic 1/2*1[kg]*x'^2\npotential 1[J]*sqrt(x/1[m])\n"
                           "simulate { until 5 [s] step 1 [ms] }")
    with pytest.warns(nsmc.RunWarning, match="ended early"):
        r = falls_out.run()
    assert not r.ok and r.end == "numerical_failure" and r.message and 1 < len(r) < 5001


def test_npz_and_pandas(ball, tmp_path):
    r = ball.run()
    r.save(tmp_path / "r.npz")
    with numpy.load(tmp_path / "r.npz") as kept:
        assert numpy.array_equal(kept["floor.N"], r["floor.N"]) and numpy.array_equal(kept["t"], r.t)
    with pytest.raises(ValueError):
        r.save(tmp_path / "r.txt")
    with pytest.raises(nsmc.FileError):
        r.save(tmp_path / "no" / "r.csv")
    pandas = pytest.importorskip("pandas")
    frame = r.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "t" and frame["z"].iloc[-1] == r["z"][-1]


def test_plot(ball):
    pytest.importorskip("matplotlib").use("Agg")
    r = ball.run()
    axes = r.plot("z")
    assert numpy.array_equal(axes.lines[0].get_ydata(), r["z"]) and axes.get_ylabel() == "z [m]"
    assert len(r.plot("height", "z").lines) == 4


LONG = """
import nsmc, sys
m = nsmc.parse('''coord x [m] = 1
kinetic 1/2*1[kg]*x'^2
potential 1/2*1[N/m]*x^2
simulate { until 1e9 [s]  step 1 [ms]  record 1 [s] }''')
"""


def interrupted(code):
    """Started, and sent SIGINT once it says that it begins."""
    child = python(LONG + code)
    assert child.stdout.readline() == "begins\n"
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    return child.returncode, out, err


def test_ctrl_c_ends_a_run_and_keeps_what_was_computed():
    code, out, _ = interrupted("""
print('begins', flush=True)
try:
    m.run()
except KeyboardInterrupt as stop:
    assert isinstance(stop, nsmc.Interrupted)
    r = stop.result
    assert r.end == 'interrupted' and len(r) > 2 and r.t[-1] > 1 and abs(r['x'][0]) == 1
    print('kept')
""")
    assert (code, out) == (0, "kept\n")


def test_ctrl_c_ends_a_program_that_does_not_care():
    code, _, err = interrupted("print('begins', flush=True)\nm.run()")
    assert code != 0 and "Interrupted" in err


def test_ctrl_c_stops_a_run_in_hand_which_goes_on():
    code, out, err = interrupted("""
s = m.start()
print('begins', flush=True)
try:
    s.advance(1e9)
except nsmc.Interrupted:
    t = s.t
    assert t > 1 and not s.is_over
    assert s.advance(t + 1) and abs(s.t - t - 1) < 1e-2
    print('goes on')
""")
    assert (code, out) == (0, "goes on\n"), err


def test_ctrl_c_ends_a_sweep_and_keeps_the_runs_that_are_done():
    code, out, err = interrupted("""
import numpy
print('begins', flush=True)
try:
    m.sweep('max(x)', until=numpy.linspace(1, 1e8, 1000))
except nsmc.Interrupted as stop:
    s = stop.result
    assert 0 < s.count < 1000 and s.done[0] and s['max(x)'][0] == 1 and numpy.isnan(s['max(x)'][-1])
    print('kept')
""")
    assert (code, out) == (0, "kept\n"), err


def test_progress_is_called_and_its_exceptions_end_the_run():
    m = nsmc.parse(BALL)
    seen = []

    def look(t, until):
        seen.append((t, until))
        if len(seen) == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        m.run(until=1e6, progress=look, record="1[s]")
    assert 0 < seen[0][0] < seen[1][0] < 1e6 and seen[0][1] == 1e6


def test_a_run_leaves_python_to_other_threads():
    m = nsmc.parse(BALL)
    done = threading.Event()

    def long():
        m.run(until=3000, record="1[s]")
        done.set()

    thread = threading.Thread(target=long)
    count = 0
    thread.start()
    while not done.is_set():
        count += 1
        time.sleep(0.001)
    thread.join()
    assert count > 5


def test_without_numpy_there_are_memoryviews(tmp_path):
    child = python(f"""
import sys
sys.modules['numpy'] = None
import nsmc
m = nsmc.parse('''{BALL}''')
r = m.run()
assert type(r['z']) is memoryview and r['z'].format == 'd' and r['z'].readonly and len(r['z']) == 1001
assert r['height'].shape == (1001, 3) and r['height'][7, 1] == 2*r['z'][7] and r.t[-1] == 1
s = m.start()
s.advance(0.6)
assert s.state.tolist() == [s['z'], s["z'"]] and s.M[0, 0] == 1 and s['height'][2] == 3*s['z']
w = m.sweep('max(z)', e=[0, 0.5])
assert w['max(z)'].tolist() == [1, 1] and w.count == 2
r.save({str(tmp_path / 'r.csv')!r})
try:
    r.save({str(tmp_path / 'r.npz')!r})
except ImportError as error:
    print(error)
""")
    out, err = child.communicate()
    assert (child.returncode, out) == (0, "a file .npz needs numpy\n"), err
