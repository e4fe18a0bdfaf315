# What a reader tries first, line by line: the whole package in one model.
import importlib.util
import os
import pathlib

import numpy as np
import pytest

import nsmc


def test_the_package_in_one_model(models, tmp_path):
    m = nsmc.load(models / "tippe_top.nsm")
    r = m.run(mu="0.2", until="0.5[s]", accuracy=1e-4)
    assert r["head.N"].shape == r.t.shape and r["top.position"].shape == (len(r), 3)
    assert not r["top.position"].flags.owndata and r.summary.steps > 0 and r.events == []
    r.save(tmp_path / "x.npz")
    assert np.array_equal(np.load(tmp_path / "x.npz")["top.position[3]"], r["top.position"][:, 2])
    if importlib.util.find_spec("pandas"):
        assert list(r.to_pandas()["head.N"]) == list(r["head.N"])
    if importlib.util.find_spec("matplotlib"):
        os.environ.setdefault("MPLBACKEND", "Agg")
        assert np.array_equal(r.plot("inclination").lines[0].get_ydata(), r["inclination"])
    if (pathlib.Path(nsmc.__file__).parents[2] / "web" / "view.html").is_file():
        r.view(tmp_path / "top.html")
        assert "tippe_top" in (tmp_path / "top.html").read_text()

    s = m.start(mu=0.2)
    assert s.step() and s.state.shape == (13,) and s["tip.N"] == 0
    assert s.advance(0.05) and s.G.shape == (len(s.c), len(s.c))
    s.set(mu=0.1)
    saved = s.save()
    s.advance(0.1)
    after = s.state.copy()
    s.restore(saved)
    assert s.t < 0.1
    s.advance(0.1)
    assert np.array_equal(s.state, after)


def test_a_thousand_runs_with_two_measures(models):
    m = nsmc.load(models / "bouncing_ball.nsm")
    t = m.sweep(e=np.linspace(0, 1, 1001), measure=["max(z)", "iterations"], until=0.6, step=1e-3)
    assert t.shape == (1001,) and t.ok
    assert t["max(z)"] == pytest.approx(1, rel=1e-3) and np.all(t["iterations"] > 0)


def test_a_set_by_its_name():
    x = [5, 0]
    assert nsmc.prox("clover(3, 2)", x) == pytest.approx([3, 0], abs=1e-6)
    assert nsmc.gauge("clover(3, 2)", x) == pytest.approx(5 / 3)
    assert nsmc.support("clover(3, 2)", [0, 1]) == pytest.approx(2)
    assert nsmc.boundary("clover(3, 2)").shape[1] == 2
