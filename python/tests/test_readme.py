"""The lines that the README of the repository shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"


@pytest.mark.skipif(not README.exists(), reason="the README is in the repository")
def test_the_lines_of_the_readme_run() -> None:
    program = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)[0]
    assert program.count("\n") <= 10
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    opening, estimate, solved, _ = done.stdout.splitlines()
    assert "f4" in opening and "≈" in estimate and solved == "+18 (exact)"
