# The package as it is installed: by CMake, and as a wheel. Type stubs say what there is.
import ast
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

import nsmc
from conftest import ROOT

BUILD = pathlib.Path(nsmc.__file__).resolve().parents[2]
TRY = "import nsmc; print(nsmc.__file__, nsmc.parse('coord x [m]\\nkinetic 1[kg]*x\\'^2').run(until=1, step=0.5).t[-1])"


def run(*command, **environment):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": "", **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_installed_by_cmake(tmp_path):
    run("cmake", "--install", BUILD, "--component", "python", "--prefix", tmp_path / "first")
    (tmp_path / "first").rename(tmp_path / "prefix")  # so that no path of the installation can matter
    (package,) = (tmp_path / "prefix").rglob("nsmc/__init__.py")
    place, t = run(sys.executable, "-c", TRY, PYTHONPATH=str(package.parents[1])).split()
    assert place == str(package) and t == "1.0"
    assert (package.parent / "py.typed").is_file() and (package.parent / "__init__.pyi").is_file()


@pytest.mark.skipif(importlib.util.find_spec("build") is None, reason="skipped: python3-build is not there")
def test_a_wheel(tmp_path):
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", tmp_path, ROOT, NSMC_BUILD=str(BUILD))
    (wheel,) = tmp_path.glob("nsmc-*.whl")
    assert "none" not in wheel.name and "linux" in wheel.name
    zipfile.ZipFile(wheel).extractall(tmp_path / "here")
    place, t = run(sys.executable, "-c", TRY, PYTHONPATH=str(tmp_path / "here")).split()
    assert place.startswith(str(tmp_path)) and t == "1.0"
    assert (tmp_path / "here" / "nsmc" / "__init__.pyi").is_file()
    has_page = (BUILD / "web" / "view.html").is_file()
    assert (tmp_path / "here" / "nsmc" / "web" / "view.html").is_file() == has_page


def members(tree):
    return {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def names_of(function):
    a = function.args
    return [p.arg for p in a.posonlyargs + a.args], [p.arg for p in a.kwonlyargs], a.kwarg is not None


def compare(name, stub, real):
    parameters = inspect.signature(real).parameters.values()
    kinds = inspect.Parameter
    have = ([p.name for p in parameters if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)],
            [p.name for p in parameters if p.kind == kinds.KEYWORD_ONLY], any(p.kind == kinds.VAR_KEYWORD for p in parameters))
    assert names_of(stub) == have, name


def test_stubs_say_what_there_is():
    tree = ast.parse((ROOT / "python" / "nsmc" / "__init__.pyi").read_text())
    stubs = members(tree)
    annotated = {alias.asname for node in tree.body if isinstance(node, ast.ImportFrom) and node.level for alias in node.names}
    assert sorted([*stubs, *annotated]) == sorted(nsmc.__all__)
    seen = 0
    for name, stub in stubs.items():
        real = getattr(nsmc, name)
        if isinstance(stub, ast.FunctionDef):
            compare(name, stub, real)
            seen += 1
            continue
        methods = members(stub)
        for method, node in methods.items():
            assert hasattr(real, method) or method == "__init__", f"{name}.{method}"
            is_property = any(getattr(d, "id", "") in ("property", "cached_property") for d in node.decorator_list)
            if is_property or not inspect.isfunction(inspect.getattr_static(real, method, None)):
                continue
            compare(f"{name}.{method}", node, getattr(real, method))
            seen += 1
        public = {m for m in vars(real) if not m.startswith("_") and callable(getattr(real, m))
                  and not inspect.isclass(getattr(real, m))}
        assert public <= set(methods) | {"with_traceback"}, f"{name}: {public - set(methods)} are not in the stubs"
    assert seen > 30


def test_everything_public_has_a_word():
    for name in nsmc.__all__:
        assert getattr(nsmc, name).__doc__, name
