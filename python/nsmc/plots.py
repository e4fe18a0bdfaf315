"""Pictures by matplotlib and tables by pandas, if they are there."""


def axes_of(ax):
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("a plot needs matplotlib; view() shows the page of nsmc without it") from error
    return pyplot.subplots()[1]


def pandas_for(what):
    try:
        import pandas
    except ImportError as error:
        raise ImportError(f"{what} needs pandas; arrays and save('x.csv') do without it") from error
    return pandas


def label(name, unit):
    return name if unit in ("", "1", None) else f"{name} [{unit}]"


def plot_columns(result, names, ax, style):
    ax = axes_of(ax)
    units = result.units()
    for name in names:
        values = result[name]
        parts = [n for n in result.names if n.startswith(name + "[")] if values.ndim == 2 else [name]
        for k, part in enumerate(parts):
            ax.plot(result.t, values if values.ndim == 1 else values[:, k], label=part, **style)
    shown = list(names)
    ax.set_xlabel("t [s]")
    if len(shown) == 1:
        ax.set_ylabel(label(shown[0], units.get(shown[0])))
    if len(ax.lines) > 1:
        ax.legend()
    return ax
