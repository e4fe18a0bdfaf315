# Runs in hand, sweeps, environments, pages.
import numpy
import pytest

import nsmc
from conftest import command_line
from nsmc.page import template


def test_a_run_in_hand_is_the_run_of_one_go(ball):
    whole, s = ball.run(), ball.start()
    assert s.step() and s.steps == 1 and s["z"] == whole["z"][1]
    while s.step():
        assert s["floor.N"] == whole["floor.N"][s.steps]
    assert s.is_over and s.t == 1 and s.summary.steps == 1000 and s.message == ""
    assert numpy.array_equal(s.state, [whole["z"][-1], whole["z'"][-1]]) and s.state_names == ["z", "z'"]
    assert numpy.array_equal(s["height"], whole["height"][-1])
    with pytest.raises(KeyError):
        s["zz"]


def test_saved_and_restored(ball, tmp_path):
    s = ball.start(e=0.7)
    s.advance(0.3)
    saved = s.save()
    s.set(e=0)
    s.advance(0.8)
    other = s["z"]
    s.restore(saved)
    assert s.t == pytest.approx(0.3) and s.steps == 300
    s.advance(0.8)
    assert s["z"] != other and s["z"] == ball.run(e=0.7)["z"][800]
    saved.write(str(tmp_path / "state"))
    s.restore(nsmc.SavedState.read(str(tmp_path / "state")))
    assert s.t == pytest.approx(0.3) and saved.parameters == {"e": 0.7}
    with pytest.raises(nsmc.SettingError):
        nsmc.parse("coord x [m]\nkinetic 1[kg]*x'^2\nsimulate { until 1 [s] step 1 [s] }").start().restore(saved)


def test_the_numbers_of_a_step(ball):
    s = ball.start(e=0, m=4)
    s.advance(0.9)
    n = s.numbers
    assert s.closed == ["floor"] and n.rows == ["floor.N"] and n.velocities == ["z'"] and n.rank == 1
    assert s.M.tolist() == [[4]] and s.G.tolist() == [[0.25]] and s.W.tolist() == [[1]]
    assert s.h[0] == pytest.approx(-4 * 9.81) and s.c[0] == pytest.approx(-9.81e-3)
    assert n.gaps.shape == (1,) and numpy.allclose(n.M @ n.u, 4 * s.u)


def test_matrices_have_their_rows_in_order(models):
    s = nsmc.load(models / "tippe_top.nsm").start()
    s.advance(0.1)
    n = s.numbers
    assert n.W.shape == (len(n.velocities), len(n.rows)) and n.M.shape == (6, 6)
    assert numpy.allclose(n.G, n.V.T @ numpy.linalg.solve(n.M, n.W), rtol=1e-9)


def test_sweeps_are_the_runs_that_they_are_made_of(ball):
    t = ball.sweep(["max(z')", "z", "iterations"], e=numpy.linspace(0, 0.9, 7), m=[1, 2], reproducible=True)
    assert t.shape == (7, 2) and t.count == 14 and t.ok and t["z"].shape == (7, 2)
    assert numpy.array_equal(t["e"], numpy.linspace(0, 0.9, 7)) and t.keys() == ["e", "m", "max(z')", "z", "iterations"]
    r = ball.run(e=numpy.linspace(0, 0.9, 7)[3], m=2)
    assert t["z"][3, 1] == r["z"][-1] and t["max(z')"][3, 1] == max(r["z'"])
    assert t["iterations"][3, 1] == r.summary.iterations_mean


def test_axes_of_words_and_units_and_what_does_not_fit(ball, tmp_path):
    t = ball.sweep("z", method=["moreau", "rk"], until=["100[ms]", "200[ms]"], e=0.2)
    assert list(t["method"]) == ["moreau", "rk"] and list(t["until"]) == [0.1, 0.2]
    assert t["z"][0, 1] == pytest.approx(1 - 9.81 / 2 * 0.2**2, rel=1e-3)
    t.save(tmp_path / "t.npz")
    assert numpy.array_equal(numpy.load(tmp_path / "t.npz")["z"], t["z"])
    t.save(tmp_path / "t.csv")
    assert measured(tmp_path / "t.csv", "z") == t["z"].ravel().tolist()
    names = list(t.axes)
    assert measured(tmp_path / "t.csv", names[-1])[:len(t[names[-1]])] == [float(value) for value in t[names[-1]]]
    for wrong in (dict(ee=[1, 2]), dict(e=[])):
        with pytest.raises(nsmc.SettingError):
            ball.sweep("z", **wrong)
    with pytest.raises(nsmc.SettingError):
        ball.sweep("zz", e=[1, 2])
    alone = ball.sweep("z")
    assert alone.shape == () and alone["z"] == ball.run()["z"][-1]


def test_a_sweep_as_the_command_line_has_it(models, tmp_path):
    command_line("sweep", models / "bouncing_ball.nsm", "--vary", "e=0:0.9:10", "--measure", "max(z')", "--reproducible",
                 "--quiet", "-o", tmp_path / "t.csv")
    t = nsmc.load(models / "bouncing_ball.nsm").sweep("max(z')", e=numpy.linspace(0, 0.9, 10), reproducible=True)
    assert measured(tmp_path / "t.csv", "max(z')") == t["max(z')"].tolist()


def measured(path, name):
    import csv
    with open(path) as file:
        return [float(row[name]) for row in csv.DictReader(file)]


TWO_WHEELS = """param f = 0 [N] in -2..2 "a force, chosen between steps"
coord x [m] = 1
kinetic 1/2*1 [kg]*x'^2
force x : f
contact track { slip x'  law joint_friction(0.1 [N]) }
simulate { until 20 [s]  step 1 [ms] }
"""


def test_a_controller_drives_a_model_as_users_of_gymnasium_know_it():
    environment = nsmc.env(nsmc.parse(TWO_WHEELS), "f", dt=0.02, until=10, observe=["x", "x'"],
                           reward=lambda run: -abs(run["x"]), terminated=lambda run: abs(run["x"]) > 3)
    assert environment.action_space.low.tolist() == [-2] and environment.observation_space.shape == (2,)
    assert environment.action_space.contains(environment.action_space.sample())
    observation, info = environment.reset(seed=1)
    assert observation.tolist() == [1, 0] and info["t"] == 0
    total, truncated, count = 0, False, 0
    while not truncated:
        x, v = observation
        observation, reward, terminated, truncated, info = environment.step([max(-2, min(2, -4 * x - 3 * v))])
        total += reward
        count += 1
        assert not terminated
    assert count == 500 and info["t"] == pytest.approx(10) and info["closed"] == ["track"]
    assert abs(observation[0]) < 0.1 and -100 < total < -10
    observation, _ = environment.reset()
    for _ in range(200):
        observation, reward, terminated, *_ = environment.step([2])
        if terminated:
            break
    assert terminated and observation[0] > 3
    with pytest.raises(nsmc.SettingError):
        nsmc.env(nsmc.parse(TWO_WHEELS), "g")
    with pytest.raises(nsmc.SettingError):
        environment.step([1, 2])


def test_episodes_start_as_they_are_told(ball):
    environment = nsmc.env(ball, [], start=lambda seed: {"e": 0.1 * (seed or 0)}, observe="z'", dt=0.5)
    after = {}
    for seed in (0, 3):
        environment.reset(seed=seed)
        after[seed] = environment.step([])[0][0]
    assert after[0] == 0 and after[3] > 0.5


def page_is_there():
    try:
        return bool(template())
    except nsmc.FileError:
        return False


@pytest.mark.skipif(not page_is_there(), reason="skipped: the page of nsmc view was not built")
def test_the_page_of_a_result(models, tmp_path):
    r = nsmc.load(models / "tippe_top.nsm").run(until=0.2, mu=0.25)
    page = r.page()
    assert page.startswith("<!") and '"label":""' in page and "NSMC_DATA" not in page and '"value":0.25' in page
    r.view(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page
    assert r._repr_html_().startswith("<iframe srcdoc=")


def test_where_there_is_no_page(ball, monkeypatch, tmp_path):
    monkeypatch.setenv("NSMC_WEB_DIR", str(tmp_path))
    r = ball.run()
    with pytest.raises(nsmc.FileError, match="NSMC_WEB_DIR"):
        r.view()
    assert "1000 steps" in r._repr_html_() and "iframe" not in r._repr_html_()


CART = """input F [N] = 0 in -10..10
coord x [m]
kinetic 0.5 [kg]*x'^2
force x : F
simulate { until 2 [s]  step 10 [ms] }"""


def test_inputs_between_steps_and_by_samples():
    model = nsmc.parse(CART)
    assert model.parameters["F"].input and model.parameters["F"].bounds == (-10, 10)
    s = model.start()
    while s.t < 1 and s.step():
        s.set(F=2 - s["x'"])  # a controller outside of the model: x'' = 2 - x', held over each step
    assert s["x'"] == pytest.approx(2 * (1 - 0.99 ** 99), rel=1e-9)
    t = numpy.array([0, 1, 2])
    r = model.run(inputs={"F": (t, [0, 2, 2])})
    assert r["x'"][-1] == pytest.approx(3) and r["F"][50] == pytest.approx(1)
    assert model.run(inputs={"F": (t, [0, 2, 2], "held")})["x'"][-1] == pytest.approx(2)
    with pytest.raises(nsmc.SettingError):
        model.run(inputs={"F": 3})
    with pytest.raises(nsmc.SettingError):
        model.run(inputs={"G": (t, t)})
