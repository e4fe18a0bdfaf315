"""Sets of the language: projection, gauge, support function, boundary."""

import functools

from . import _nsmc
from .arrays import array, numpy
from .errors import SettingError
from .model import Model


class Set:
    """A set, as "ellipse(1, 2)" or "disc(r) ∩ box(1, 2)". `definitions`: declarations of the language that the text may use
    (`set`, `fn`, `param`, `import`), whose parameters keywords take the place of; or a model, whose parameters,
    functions and sets it may use.

    A set that is not `convex` is star-shaped about the origin, in the plane or in space. Its `prox` is a SettingError where
    several points are nearest, its `support` that of the convex hull.

    A point is a sequence of as many numbers as the set has dimensions, several points are a sequence of points; without
    numpy single points alone."""

    def __init__(self, text, definitions="", **parameters):
        self.text = text
        if isinstance(definitions, Model):
            if parameters:
                raise SettingError("parameters of a model are given where it is loaded", next(iter(parameters)))
            self._set = _nsmc.Set.from_model(text, definitions._model)
        else:
            self._set = _nsmc.Set.from_text(text, definitions, parameters)
        self.dim = self._set.dim
        self.convex = self._set.convex

    def __repr__(self):
        return f"<nsmc.Set {self.text}>"

    def _points(self, x):
        """(numbers one after another, shape without the last dimension)"""
        if numpy is not None:
            points = numpy.asarray(x, dtype=float)
            if points.ndim == 0 and self.dim == 1:
                points = points.reshape(1)
            if points.ndim == 0 or points.shape[-1] != self.dim:
                raise SettingError(f"the set lies in R^{self.dim}, x has the shape {points.shape}", "x")
            return points.ravel(), points.shape[:-1]
        point = [float(value) for value in (x if hasattr(x, "__len__") else [x])]
        if len(point) != self.dim:
            raise SettingError(f"the set lies in R^{self.dim}, x has {len(point)} components", "x")
        return point, ()

    def _value(self, function, x):
        numbers, shape = self._points(x)
        values = array(function(numbers))
        return values.reshape(shape) if shape else values[0]

    def prox(self, x):
        """The nearest point of the set."""
        numbers, shape = self._points(x)
        nearest = array(self._set.prox(numbers))
        return nearest.reshape((*shape, self.dim)) if shape else nearest

    def gauge(self, x):
        """inf {s >= 0 : x in s C}: at most 1 on a set with 0 inside."""
        return self._value(self._set.gauge, x)

    def support(self, v):
        """max {v . x : x in C}."""
        return self._value(self._set.support, v)

    def contains(self, x):
        value = self._value(self._set.contains, x)
        return value != 0 if hasattr(value, "shape") and value.shape else bool(value)

    def boundary(self, detail=1):
        """Points of the boundary, a row each: the two ends (one dimension), around it (two), or the corners of `triangles`
        (three). detail: 0 few, 1 usual, 2 many. None if the set has no end."""
        points = array(self._set.boundary(detail)[0])
        return points if len(points) else None

    def triangles(self, detail=1):
        """Of the boundary in three dimensions: three rows of `boundary` each."""
        return self._set.boundary(detail)[1]


@functools.lru_cache(maxsize=256)
def _known(text, definitions, parameters):
    return Set(text, definitions, **dict(parameters))


def _set(text, definitions, parameters):
    return text if isinstance(text, Set) else _known(text, definitions, tuple(sorted(parameters.items())))


def prox(text, x, definitions="", **parameters):
    """The nearest point to x of the set of this text; see Set. Sets are kept for the next call."""
    return _set(text, definitions, parameters).prox(x)


def gauge(text, x, definitions="", **parameters):
    """inf {s >= 0 : x in s C} of the set of this text."""
    return _set(text, definitions, parameters).gauge(x)


def support(text, v, definitions="", **parameters):
    """max {v . x : x in C} of the set of this text."""
    return _set(text, definitions, parameters).support(v)


def contains(text, x, definitions="", **parameters):
    """Whether x lies in the set of this text."""
    return _set(text, definitions, parameters).contains(x)


def boundary(text, detail=1, definitions="", **parameters):
    """Points of the boundary of the set of this text, a row each."""
    return _set(text, definitions, parameters).boundary(detail)
