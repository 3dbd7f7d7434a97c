"""`pip install .` from the root: the package is in python/."""
import pathlib
import runpy

runpy.run_path(str(pathlib.Path(__file__).resolve().parent / "python" / "setup.py"))
