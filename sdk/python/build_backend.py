"""Builds the wheel, as the formats of Python's packages say (PEP 517, PEP 427), of the standard library alone.

`pip wheel sdk/python` finds it by pyproject.toml; `python3 build_backend.py FOLDER` does without pip.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Dict, Optional

HERE = Path(__file__).resolve().parent
PACKAGE = "settlement_sdk"


def _project(name: str) -> str:
    """One text of pyproject.toml's [project]; older Pythons cannot read TOML."""
    section = (HERE / "pyproject.toml").read_text("utf-8").split("[project]", 1)[1]
    found = re.search(rf'^{name} = "(.*)"$', section, re.MULTILINE)
    if found is None:
        raise ValueError(f"pyproject.toml says no {name}")
    return found.group(1)


def _metadata() -> bytes:
    head = [
        "Metadata-Version: 2.1",
        f"Name: {_project('name')}",
        f"Version: {_project('version')}",
        f"Summary: {_project('description')}",
        "License: MIT",
        f"Requires-Python: {_project('requires-python')}",
        "Classifier: Typing :: Typed",
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
    with tarfile.open(Path(sdist_directory) / f"{root}.tar.gz", "w:gz") as archive:
        for path in ["pyproject.toml", "README.md", "build_backend.py", "src"]:
            archive.add(HERE / path, f"{root}/{path}", filter=lambda entry: None if "__pycache__" in entry.name else entry)
        entry = tarfile.TarInfo(f"{root}/PKG-INFO")
        entry.size = len(_metadata())
        archive.addfile(entry, io.BytesIO(_metadata()))
    return f"{root}.tar.gz"


def _digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")


if __name__ == "__main__":
    print(build_wheel(sys.argv[1] if len(sys.argv) > 1 else "."))
