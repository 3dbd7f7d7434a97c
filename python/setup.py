"""Builds the module with CMake, in a folder of its own, and packs it with the Python files.

FLYMC_CMAKE_ARGS adds arguments for CMake, such as -DFLYMC_NATIVE=OFF for a module that other
machines shall run; FLYMC_BUILD_FOLDER is a folder to build in. tools/wheel.sh uses both.
"""
import os
import pathlib
import shlex
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent  # the CMake project


def version() -> str:
    """The one of the CMake project."""
    for line in (ROOT / "CMakeLists.txt").read_text().splitlines():
        if line.startswith("project(flymc VERSION"):
            return line.split()[2]
    raise SystemExit("setup.py: CMakeLists.txt names no version")


class CMakeBuild(build_ext):
    """One target of the CMake project instead of a compiler call."""

    def build_extension(self, ext: Extension) -> None:
        target = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve().parent
        build = pathlib.Path(os.environ.get("FLYMC_BUILD_FOLDER", self.build_temp)).resolve()
        build.mkdir(parents=True, exist_ok=True)
        configure = [
            "cmake", "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release",
            "-DFLYMC_PYTHON=ON", "-DFLYMC_TESTS=OFF", f"-DFLYMC_PYTHON_EXECUTABLE={sys.executable}",
            f"-DFLYMC_PACKAGE={target}", *shlex.split(os.environ.get("FLYMC_CMAKE_ARGS", "")),
        ]
        subprocess.run(configure, check=True)
        subprocess.run(
            ["cmake", "--build", str(build), "--target", "flymc_python", "--parallel",
             str(os.cpu_count() or 1)],
            check=True,
        )


setup(
    name="flymc",
    version=version(),
    description="Exact Bayesian regression on tall data by Firefly Monte Carlo",
    author="The flymc authors",
    author_email="flymc@example.org",
    license="MIT",
    python_requires=">=3.9",
    install_requires=["numpy"],
    packages=["flymc"],
    package_dir={"flymc": os.path.relpath(HERE / "flymc")},
    package_data={"flymc": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("flymc._flymc", [])],
    cmdclass={"build_ext": CMakeBuild},
    zip_safe=False,
)
