"""Whether the compiled part of the package is there, which a folder of sources lacks."""

from importlib.util import find_spec
from pathlib import Path

if find_spec("outflank._core") is None:
    raise ImportError(
        f"{Path(__file__).parent} is the package's source, without its compiled part: "
        "install it (`pip install ./python` in the project's folder) and start Python in another folder than `python`"
    )
