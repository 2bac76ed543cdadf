"""The lines that the README of the repository shows, and the package without its compiled part."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import outflank

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.skipif(not README.exists(), reason="the README is in the repository")
def test_the_lines_of_the_readme_run() -> None:
    program = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)[0]
    assert program.count("\n") <= 10
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    opening, estimate, solved, _ = done.stdout.splitlines()
    assert "f4" in opening and "≈" in estimate and solved == "+18 (exact)"


@pytest.mark.skipif(not README.exists(), reason="the manifest is in the repository")
def test_the_package_says_its_version() -> None:
    manifest = tomllib.loads((README.parent / "Cargo.toml").read_text())
    assert outflank.__version__ == manifest["workspace"]["package"]["version"]


def test_sources_alone_say_what_is_missing(tmp_path: Path) -> None:
    package = Path(outflank.__file__).parent
    shutil.copytree(package, tmp_path / "outflank", ignore=shutil.ignore_patterns("*.so", "*.pyd"))
    command = [sys.executable, "-c", "import outflank"]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "pip install ./python" in done.stderr
