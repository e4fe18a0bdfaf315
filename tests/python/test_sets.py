# Sets by text.
import numpy
import pytest

import nsmc
from conftest import python


def test_projections_gauges_and_support_functions():
    assert nsmc.prox("disc(0.5)", [3, 4]) == pytest.approx([0.3, 0.4])
    assert nsmc.gauge("disc(0.5)", [3, 4]) == pytest.approx(10)
    assert nsmc.support("ellipse(1, 2)", [3, 4]) == pytest.approx(numpy.hypot(3, 8))
    assert nsmc.contains("box(1, 2)", [1, -2]) is True and nsmc.contains("box(1, 2)", [1.1, 0]) is False
    assert nsmc.prox("interval(-1, 2)", 5)[0] == 2
    assert nsmc.prox("contensou(2, 0.1, parabolic)", [0, 0, 10])[2] == pytest.approx(2 * 0.1 * 3 * numpy.pi / 16)


def test_many_points_at_once():
    points = numpy.array([[[3, 4], [0, 0.1]], [[-6, 8], [1, 0]], [[0, 0], [0, -9]]], dtype=float)
    near = nsmc.prox("disc(1)", points)
    assert near.shape == points.shape and numpy.all(numpy.hypot(near[..., 0], near[..., 1]) <= 1 + 1e-15)
    assert nsmc.gauge("disc(1)", points).shape == (3, 2)
    assert numpy.array_equal(nsmc.contains("disc(1)", points), [[False, True], [False, True], [True, False]])


def test_parameters_and_definitions():
    text, own = "scaled(r)", "param r = 1\nset scaled(a) = gauge (x, y) { (abs(x/a)^3 + abs(y/a)^3)^(1/3) }"
    assert nsmc.gauge(text, [2, 0], own) == pytest.approx(2)
    assert nsmc.gauge(text, [2, 0], own, r=4) == pytest.approx(0.5)
    s = nsmc.Set(text, own, r=2)
    assert s.dim == 2 and s.support([1, 0]) == pytest.approx(2, rel=1e-6) and "scaled" in repr(s)


def test_a_polygon_and_its_boundary():
    corners = nsmc.boundary("polygon([1, 0], [0, 2], [-1, 0], [0, -1])")
    assert corners.tolist() == [[1, 0], [0, 2], [-1, 0], [0, -1]]
    assert nsmc.boundary("nonpos") is None
    circle = nsmc.boundary("disc(2)", detail=2)
    assert circle.shape == (360, 2) and numpy.allclose(numpy.hypot(*circle.T), 2)
    ball = nsmc.Set("ball(1, 3)")
    assert numpy.array(ball.triangles(0)).shape == (8, 3) and ball.boundary(0).shape == (6, 3)


def test_what_is_not_convex():
    s = nsmc.Set("clover(3, 2)")
    assert not s.convex and nsmc.Set("disc(1)").convex
    assert nsmc.prox("clover(3, 2)", [5, 0]) == pytest.approx([3, 0], abs=1e-7)
    assert nsmc.gauge("clover(3, 2)", [[3, 0], [0, 2]]) == pytest.approx([1, 1])
    m = nsmc.parse("set flower(a) = clover(a, a/2)\ncoord x [m]\nkinetic 1/2*1[kg]*x'^2")
    assert nsmc.gauge("flower(4)", [[4, 0], [0, 2]], m) == pytest.approx([1, 1])
    outside = numpy.array([[4, 1], [1, 5], [-5, 5.0]])
    nearest = s.prox(outside)
    around = s.boundary(detail=2)
    assert s.gauge(nearest) == pytest.approx([1, 1, 1])
    for z, x in zip(outside, nearest):
        distances = numpy.hypot(*(around - z).T)
        assert distances.min() - 1e-2 < numpy.hypot(*(z - x)) <= distances.min()
    with pytest.raises(nsmc.SettingError, match="not unique"):
        nsmc.prox("polygon([1, 0], [0.2, 0.2], [0, 1], [-1, 0], [0, -1])", [1, 1])
    with pytest.raises(nsmc.SettingError, match="where it is loaded"):
        nsmc.prox("clover(3, 2)", [5, 0], m, m=2)
    # What is wrong with a text does not speak of the model that it is put into.
    with pytest.raises(nsmc.ModelError, match=r"before the end of the file\n +\d+ \| set set_of_text = disc\(1\n"):
        nsmc.prox("disc(1", [0, 0])


def test_what_does_not_fit():
    with pytest.raises(nsmc.ModelError, match="disk"):
        nsmc.prox("disk(1)", [0, 0])
    with pytest.raises(nsmc.ModelError, match="not convex"):
        nsmc.prox("gauge (x, y, z, w) { (sqrt(abs(x)) + sqrt(abs(y)) + sqrt(abs(z)) + sqrt(abs(w)))^2 }", [0, 0, 0, 0])
    with pytest.raises(nsmc.SettingError, match=r"R\^2"):
        nsmc.prox("disc(1)", [0, 0, 0])


def test_without_numpy():
    child = python("""
import sys
sys.modules['numpy'] = None
import nsmc
print(nsmc.prox('disc(1)', [0, 4]).tolist(), nsmc.gauge('disc(1)', (0, 4)), nsmc.boundary('disc(1)', 0).shape)
""")
    out, err = child.communicate()
    assert out == "[0.0, 1.0] 4.0 (8, 2)\n", err
