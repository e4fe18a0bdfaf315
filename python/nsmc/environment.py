"""A model as an environment that is stepped by actions: the interface of gymnasium, without needing it."""

import math

from .arrays import numbers, numpy
from .errors import NumericalError, SettingError


class Box:
    """Bounds of an action or an observation, as those of gymnasium."""

    def __init__(self, low, high):
        self.low = numpy.asarray(low, dtype=float) if numpy is not None else low
        self.high = numpy.asarray(high, dtype=float) if numpy is not None else high
        self.shape = (len(low),)
        self.dtype = numpy.dtype(float) if numpy is not None else float
        self._random = None

    def sample(self):
        """A random point; where there is no bound, of the standard normal distribution."""
        import random
        self._random = self._random or random.Random()
        drawn = [
            self._random.uniform(a, b) if math.isfinite(a) and math.isfinite(b) else self._random.gauss(0, 1)
            for a, b in zip(self.low, self.high)
        ]
        return numpy.asarray(drawn) if numpy is not None else drawn

    def seed(self, seed=None):
        import random
        self._random = random.Random(seed)

    def contains(self, x):
        return len(x) == self.shape[0] and all(a <= v <= b for a, v, b in zip(self.low, x, self.high))

    __contains__ = contains

    def __repr__(self):
        return f"Box({self.low}, {self.high})"


class Environment:
    """Made by `env`. What happens between two calls of step() is a run in hand: `run`."""

    def __init__(self, model, actions, observe, reward, terminated, dt, until, start, given):
        self.model = model
        self.actions = [actions] if isinstance(actions, str) else list(actions)
        for name in self.actions:
            if name not in model.parameters:
                raise SettingError(f"an action is a parameter of the model; '{name}' is none", name)
        self._observe, self._reward, self._terminated, self._start = observe, reward, terminated, start
        self._given = given
        self.dt, self.until = dt, until
        bounds = [model.parameters[name].bounds or (-math.inf, math.inf) for name in self.actions]
        self.action_space = Box([low for low, _ in bounds], [high for _, high in bounds])
        self.run = None
        observation, _ = self.reset()
        size = len(observation)
        self.observation_space = Box([-math.inf] * size, [math.inf] * size)

    def _observation(self):
        if callable(self._observe):
            return self._observe(self.run)
        if self._observe is None:
            return self.run.state
        values = []
        for name in [self._observe] if isinstance(self._observe, str) else self._observe:
            value = self.run[name]
            values.extend([value] if isinstance(value, float) else numbers(value))
        return numpy.asarray(values) if numpy is not None else values

    def reset(self, *, seed=None, options=None):
        """Back to the start; (observation, info). options: parameters that this episode has; what `start` gave with a seed or
        without comes before them."""
        if seed is not None:
            self.action_space.seed(seed)
        given = dict(self._given)
        if self._start is not None:
            given.update(self._start(seed))
        given.update(options or {})
        self.run = self.model.start(endless=True, **given)
        self._count = 0
        return self._observation(), {"t": self.run.t}

    def step(self, action):
        """The parameters of the actions, then dt of the run; (observation, reward, terminated, truncated, info)."""
        values = numbers(action if hasattr(action, "__len__") else [action])
        if len(values) != len(self.actions):
            raise SettingError(f"{len(self.actions)} actions, but {len(values)} numbers were given", "action")
        self.run.set(dict(zip(self.actions, values)))
        self._count += 1
        if not (self.run.advance(self._count * self.dt) if self.dt else self.run.step()):
            raise NumericalError(self.run.message)
        reward = self._reward(self.run) if callable(self._reward) else self.run[self._reward] if self._reward else 0.0
        terminated = bool(self._terminated(self.run)) if self._terminated is not None else False
        truncated = self.until is not None and self.run.t >= self.until * (1 - 1e-12)
        return self._observation(), reward, terminated, truncated, {"t": self.run.t, "closed": self.run.closed}

    def render(self):
        """Nothing: runs are seen by Model.run and its view()."""

    def close(self):
        self.run = None


def env(model, actions, *, observe=None, reward=None, terminated=None, dt=None, until=None, start=None, **given):
    """The model with reset() and step(action) as users of gymnasium know them.

    actions: the parameters that an action sets, within their bounds `in 0..1` of the model (not enforced). observe: columns, or a
    function of the run; the state, if nothing is said. reward: a column, or a function of the run. terminated: a function of
    the run. dt: how long an action lasts; one step of the run, if nothing is said. until: where episodes are truncated.
    start(seed): parameters of an episode, as a random start. Other keywords are those of Model.start."""
    return Environment(model, actions, observe, reward, terminated, dt, until, start, given)
