"""Keywords of a run: which of them are parameters of the model, and which are settings."""

from difflib import get_close_matches

from .errors import SettingError


def split(model, given, parameters, settings):
    """(overrides, settings) of `given`, besides those that are said to be such."""
    overrides, chosen = dict(parameters or {}), dict(settings or {})
    for name, value in given.items():
        in_model, in_run = name in model.parameter_names, name in model.setting_names
        if in_model and in_run:
            raise SettingError(
                f"'{name}' is a parameter of the model and a setting of the run: say parameters={{'{name}': ...}} or "
                f"settings={{'{name}': ...}}", name)
        if not in_model and not in_run:
            near = get_close_matches(name, [*model.parameter_names, *model.setting_names], 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise SettingError(f"'{name}' is neither a parameter of the model nor a setting of a run{hint}", name)
        (overrides if in_model else chosen)[name] = value
    return overrides, chosen


def names_of(outputs):
    """A name, or several."""
    return [outputs] if isinstance(outputs, str) else list(outputs or [])
