"""Builds the wheel and the source distribution by the standards of Python packages (PEP 517, PEP 427), with only the
standard library.

`pip wheel sdk/python` finds it through pyproject.toml; `python3 build_backend.py FOLDER` works without pip, and with
`--sdist` writes the source distribution instead of the wheel.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Dict, List, Optional

HERE = Path(__file__).resolve().parent
PACKAGE = "settlement_sdk"


def _project(name: str) -> str:
    """One text of pyproject.toml's [project]; older Pythons cannot read TOML."""
    section = (HERE / "pyproject.toml").read_text("utf-8").split("[project]", 1)[1]
    found = re.search(rf'^{name} = "(.*)"$', section, re.MULTILINE)
    if found is None:
        raise ValueError(f"pyproject.toml says no {name}")
    return found.group(1)


def _texts(name: str) -> List[str]:
    """A list of texts of pyproject.toml's [project]."""
    section = (HERE / "pyproject.toml").read_text("utf-8").split("[project]", 1)[1]
    found = re.search(rf"^{name} = \[(.*?)\]$", section, re.MULTILINE | re.DOTALL)
    if found is None:
        raise ValueError(f"pyproject.toml says no {name}")
    return re.findall(r'"([^"]*)"', found.group(1))


def _extras() -> List[str]:
    """The requirements of each extra, for the metadata."""
    text = (HERE / "pyproject.toml").read_text("utf-8")
    section = text.split("[project.optional-dependencies]", 1)[1].split("\n[", 1)[0]
    lines: List[str] = []
    for extra, taken in re.findall(r"^([\w-]+) = \[(.*)\]$", section, re.MULTILINE):
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {one}; extra == '{extra}'" for one in re.findall(r'"([^"]*)"', taken)]
    return lines


def _metadata() -> bytes:
    head = [
        "Metadata-Version: 2.1",
        f"Name: {_project('name')}",
        f"Version: {_project('version')}",
        f"Summary: {_project('description')}",
        "License: MIT",
        f"Author: {', '.join(_texts('authors'))}",
        f"Keywords: {','.join(_texts('keywords'))}",
        f"Requires-Python: {_project('requires-python')}",
        *(f"Classifier: {classifier}" for classifier in _texts("classifiers")),
        *_extras(),
        "Description-Content-Type: text/markdown",
    ]
    return ("\n".join(head) + "\n\n").encode("utf-8") + (HERE / "README.md").read_bytes()


def build_wheel(wheel_directory: str, config_settings: Optional[Dict[str, object]] = None, metadata_directory: Optional[str] = None) -> str:
    version = _project("version")
    info = f"{PACKAGE}-{version}.dist-info"
    source = HERE / "src" / PACKAGE
    files: Dict[str, bytes] = {
        f"{PACKAGE}/{path.relative_to(source).as_posix()}": path.read_bytes()
        for path in sorted(source.rglob("*"))
        if path.suffix == ".py" or path.name == "py.typed"
    }
    files[f"{info}/METADATA"] = _metadata()
    for name in ("CHANGELOG.md", "LICENSE"):
        files[f"{info}/{name}"] = (HERE / name).read_bytes()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: build_backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = "".join(f"{name},{_digest(content)},{len(content)}\n" for name, content in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode("utf-8")
    name = f"{PACKAGE}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            # The same bytes each time.
            entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, object]] = None) -> str:
    root = f"{PACKAGE}-{_project('version')}"
    files = {path: (HERE / path).read_bytes() for path in ("CHANGELOG.md", "LICENSE", "README.md", "build_backend.py", "pyproject.toml")}
    for path in sorted((HERE / "src").rglob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            files[path.relative_to(HERE).as_posix()] = path.read_bytes()
    files["PKG-INFO"] = _metadata()
    with open(Path(sdist_directory) / f"{root}.tar.gz", "wb") as file:
        # The same bytes each time: no name and no time of this machine.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
            for path_in_it, content in files.items():
                entry = tarfile.TarInfo(f"{root}/{path_in_it}")
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return f"{root}.tar.gz"


def _digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")


if __name__ == "__main__":
    folders = [argument for argument in sys.argv[1:] if argument != "--sdist"]
    build = build_sdist if "--sdist" in sys.argv else build_wheel
    print(build(folders[0] if folders else "."))
