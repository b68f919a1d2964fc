"""Tests the contents of a wheel, and the error if the component is missing."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata, resources
from pathlib import Path

import pytest

from conftest import KEY, ROOT, Service
from messaging_plugin import component
from messaging_plugin.once import client

FILES = (component.FILE, client.FILE)
HERE = Path(__file__).parents[1]


def setup(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    command = (sys.executable, "setup.py", *(command or ["--name"]))
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copies the package to a separate repository, and returns its directory."""
    folder = tmp_path / "examples" / "python"
    shutil.copytree(HERE / "src", folder / "src", ignore=shutil.ignore_patterns("*.egg-info"))
    for name in ("setup.py", "pyproject.toml", "README.md"):
        shutil.copy(HERE / name, folder)
    for target in (folder, tmp_path):
        shutil.copy(ROOT / "LICENSE", target)
    return folder


def test_package_has_component_of_repository() -> None:
    for file in FILES:
        held = resources.files("messaging_plugin").joinpath(file).read_bytes()
        assert held == (ROOT / "dist" / file).read_bytes()


def test_build_without_component_fails(copy: Path) -> None:
    assert (copy / "src" / "messaging_plugin" / component.FILE).is_file()
    built = setup(copy)
    assert built.returncode == 1
    assert built.stderr.startswith(f"{copy.parents[1] / 'dist' / component.FILE} is missing")
    assert "cargo pack --out dist" in built.stderr


def test_component_is_taken_from_repository(copy: Path) -> None:
    made = copy.parents[1] / "dist"
    made.mkdir()
    for file in FILES:
        assert setup(copy).returncode == 1
        (made / file).write_bytes(b"another")
    assert setup(copy).stdout.strip() == "messaging-plugin"
    for file in FILES:
        assert (copy / "src" / "messaging_plugin" / file).read_bytes() == b"another"


def test_source_distribution_uses_its_components(copy: Path) -> None:
    (copy / "PKG-INFO").touch()
    assert setup(copy).returncode == 0


def test_wheel_has_metadata_and_license(copy: Path) -> None:
    (copy / "PKG-INFO").touch()
    built = setup(copy, "--quiet", "bdist_wheel", "--dist-dir", str(copy))
    assert built.returncode == 0, built.stderr
    (file,) = copy.glob("*.whl")
    with zipfile.ZipFile(file) as wheel:
        names = [name for name in wheel.namelist() if "dist-info" in name]
        texts = {name.rpartition("dist-info/")[2]: wheel.read(name).decode() for name in names}
    assert "Apache License" in texts["licenses/LICENSE"]
    head, _, description = texts["METADATA"].partition("\n\n")
    assert "Description-Content-Type: text/markdown" in head
    assert "Classifier: Typing :: Typed" in head
    assert description.startswith("# The messaging plugin in Python")


def test_wheel_has_inbox_client_and_types(copy: Path) -> None:
    (copy / "PKG-INFO").touch()
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    made = subprocess.run([*command, "."], cwd=copy, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    (wheel,) = copy.glob("*.whl")
    held = {Path(name).as_posix() for name in zipfile.ZipFile(wheel).namelist()}
    sources = HERE / "src" / "messaging_plugin"
    expected = {path.relative_to(sources.parent).as_posix() for path in sources.rglob("*.py")}
    assert "messaging_plugin/inbox/threads.py" in expected
    assert "messaging_plugin/once/sqlite.py" in expected
    assert expected | {f"messaging_plugin/{file}" for file in ("py.typed", *FILES)} <= held


def test_module_shows_version_and_first_program(service: Service) -> None:
    def run(*arguments: str) -> str:
        env = os.environ | {"MESSAGING_BASE_URL": service.base_url, "MESSAGING_API_KEY": KEY}
        command = [sys.executable, *arguments]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout

    about = json.loads(run("-m", "messaging_plugin", "--json"))
    assert about["version"] == metadata.version("messaging-plugin")
    assert [each["file"] for each in about["components"]] == list(FILES)
    shown = run("-m", "messaging_plugin")
    assert about["components"][0]["sha256"] in shown
    program = "\n".join(line[4:] for line in shown.splitlines() if line.startswith("    ") or not line)
    assert run("-c", program) == "msg-0001\n"
