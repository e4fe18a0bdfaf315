"""Numbers that C++ keeps, as arrays of numpy where it is there and as memoryviews where not; never a copy."""

try:
    import numpy
except ImportError:
    numpy = None


def array(buffer):
    """A view on a buffer: it keeps what it looks at alive, and cannot be written to."""
    return memoryview(buffer) if numpy is None else numpy.asarray(buffer)


def numbers(values):
    """A list of floats from an array, a memoryview or any sequence of numbers."""
    if hasattr(values, "tolist"):
        values = values.tolist()
    return [float(value) for value in values]


def need_numpy(what):
    if numpy is None:
        raise ImportError(f"{what} needs numpy")
    return numpy
