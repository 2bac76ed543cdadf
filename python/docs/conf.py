"""How Sphinx builds the site: the pages of the program, and the tutorials and reference of the Python package."""

from __future__ import annotations

import ast
import os
import re
import shutil
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from importlib.resources import files
from pathlib import Path
from typing import Any

project = "outflank"
author = "the Outflank authors"
copyright = "the Outflank authors, MIT or Apache-2.0"
try:
    release = version_of("outflank")
except PackageNotFoundError:
    # The package stands on PYTHONPATH and is not installed.
    release = ""

extensions = ["sphinx.ext.autodoc", "sphinx.ext.viewcode", "myst_nb"]
exclude_patterns = ["requirements.txt"]
html_theme = "furo"
html_title = "Outflank"
html_copy_source = False
html_show_sphinx = False

# Tutorials run at every build, and an exception in one of them is an error.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 120
# The matrices of the tutorials are too small to be shared among threads.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
nb_merge_streams = True
# Nothing on a page is fetched from another host.
nb_ipywidgets_js: dict[str, Any] = {}

# Pages point to headings of others.
myst_heading_anchors = 3

default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_type_aliases = {"ArrayLike": "ArrayLike", "Boards": "Boards"}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100


def _stubs() -> tuple[dict[str, tuple[str, str | None]], dict[str, str]]:
    """Of the compiled classes, as the hand-written stub has them: signatures and results, and types of properties."""
    signatures: dict[str, tuple[str, str | None]] = {}
    properties: dict[str, str] = {}
    for part in ast.parse(files("outflank").joinpath("_core.pyi").read_text("utf-8")).body:
        if not isinstance(part, ast.ClassDef):
            continue
        for member in part.body:
            if not isinstance(member, ast.FunctionDef):
                continue
            name = f"outflank.{part.name}.{member.name}"
            result = None if member.returns is None else ast.unparse(member.returns)
            if any(ast.unparse(decorator) == "property" for decorator in member.decorator_list):
                properties[name] = result or ""
                continue
            # The first argument is the object or its class.
            (member.args.posonlyargs or member.args.args).pop(0)
            arguments = f"({ast.unparse(member.args)})"
            signatures[name] = (arguments, result)
            if member.name == "__new__":
                signatures[f"outflank.{part.name}"] = (arguments, None)
    return signatures, properties


_SIGNATURES, _PROPERTIES = _stubs()


def _short(text: str | None) -> str | None:
    """Writes the types of arrays as the sources do."""
    if text is None:
        return None
    # Names may have their module in front, and a mark that hides it.
    array = r"~?(numpy\.)?ndarray\[tuple\[~?(typing\.)?Any, \.\.\.\], ~?(numpy\.)?dtype\[~?(numpy\.)?(\w+)\]\]"
    text = re.sub(array, r"NDArray[\5]", text)
    return re.sub(r"TypeAliasForwardRef\('(\w+)'\)", r"\1", text)


def _signature(
    app: Any, what: str, name: str, item: Any, options: Any, signature: str | None, result: str | None
) -> tuple[str | None, str | None]:
    return _SIGNATURES.get(name, (_short(signature), _short(result)))


def _docstring(app: Any, what: str, name: str, item: Any, options: Any, lines: list[str]) -> None:
    if lines and lines[0].startswith("Alias for field number"):
        # A field of a named tuple without a sentence of its own.
        lines.clear()
    if name in _PROPERTIES and lines:
        lines[0] = f"``{_PROPERTIES[name]}``: {lines[0]}"


_REPOSITORY = Path(__file__).resolve().parents[2]
# What belongs to the site from the rest of the repository; it is copied, since Sphinx reads one folder.
_PAGES = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "REFERENCES.md", "SECURITY.md", "data/README.md", "docs/**/*.*"]
_KINDS = {".json", ".md", ".png", ".svg"}


def _copy_pages(app: Any, config: Any) -> None:
    into = Path(app.srcdir) / "program"
    shutil.rmtree(into, ignore_errors=True)
    for page in (page for pattern in _PAGES for page in _REPOSITORY.glob(pattern) if page.suffix in _KINDS):
        place = into / page.relative_to(_REPOSITORY)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(page, place)


def _drop_links(app: Any, page: str, source: list[str]) -> None:
    """Leaves the words of links to files that are not part of the site."""
    if not page.startswith("program/"):
        return
    folder = (Path(app.srcdir) / page).parent

    def kept(link: re.Match[str]) -> str:
        target = link[2].partition("#")[0]
        is_there = not target or "://" in target or (folder / target).is_file()
        return link[0] if is_there else link[1]

    source[0] = re.sub(r"(?<!!)\[([^\[\]]*)\]\(([^()\s]+)\)", kept, source[0])


def setup(app: Any) -> None:
    """Adds the pages of the program, and gives autodoc the types of the compiled classes."""
    app.connect("config-inited", _copy_pages)
    app.connect("source-read", _drop_links)
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-process-docstring", _docstring)
