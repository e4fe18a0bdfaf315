# Builds the module of the package with CMake, in build/wheel or, with NSMC_BUILD=folder, in a tree that is there already, and has
# it installed into the wheel together with the page of nsmc view, if that was built.
import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


class BuildByCMake(build_ext):

    def build_extension(self, extension):
        tree = pathlib.Path(os.environ.get("NSMC_BUILD", ROOT / "build" / "wheel"))
        if not (tree / "build.ninja").is_file():
            subprocess.run(["cmake", "-S", ROOT, "-B", tree, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DNSMC_BENCH=OFF",
                            f"-DPython3_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["ninja", "-C", tree, "nsmc_python"], check=True)
        place = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve().parent
        subprocess.run(["cmake", f"-DBUILD={tree}", f"-DPLACE={place}", "-P", ROOT / "cmake" / "python_files.cmake"], check=True)


VERSION = re.search(r"project\(nsmc VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
(ROOT / "build").mkdir(exist_ok=True)
setup(version=VERSION, ext_modules=[Extension("nsmc._nsmc", [])], cmdclass={"build_ext": BuildByCMake},
      options={"build": {"build_base": "build/wheel-parts"}, "egg_info": {"egg_base": "build"}})
