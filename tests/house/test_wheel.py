"""What a user installs: the archives are built, and the wheel is used in a bare environment."""

import importlib.util
import json
import pkgutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from runtime import OURS, THIRD_PARTY

ROOT = Path(__file__).parents[2]
SHIPPED = {OURS, "haystack_areev_context", "langchain_areev_context", "llama_index"}  # integrations


class Bare(NamedTuple):
    """An environment that holds the wheel and its two dependencies, nothing else."""

    scripts: Path
    packages: Path


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive, and the wheel built from it."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def bare(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Bare:
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, symlinks=True)
    base = {"base": str(folder), "platbase": str(folder)}
    scripts, packages = (
        Path(sysconfig.get_path(name, "venv", vars=base)) for name in ("scripts", "purelib")
    )
    (wheel,) = archives.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", scripts / "python"]
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", wheel)
    for name in THIRD_PARTY:  # linked from the running environment: no network is needed
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.origin is not None
        source = Path(spec.origin)
        source = source.parent if spec.submodule_search_locations else source
        (packages / source.name).symlink_to(source)
    return Bare(scripts, packages)


def test_the_source_archive_holds_what_the_checks_need(archives: Path) -> None:
    (path,) = archives.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {"Makefile", "pyproject.toml", "LICENSE", "tests/house/test_wheel.py"} <= inside
    assert "examples/search-order.json" in inside
    assert not [name for name in inside if ".venv" in name or "__pycache__" in name]


def test_the_wheel_is_typed_and_holds_no_tests(archives: Path) -> None:
    (path,) = archives.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        inside = archive.namelist()
    assert f"{OURS}/py.typed" in inside
    top = {name.partition("/")[0] for name in inside}
    assert {name for name in top if not name.endswith(".dist-info")} <= SHIPPED


def test_every_public_name_resolves_in_a_bare_environment(bare: Bare) -> None:
    code = f"""
import json
import {OURS}
missing = [name for name in {OURS}.__all__ if not hasattr({OURS}, name)]
print(json.dumps([{OURS}.__file__, missing]))
"""
    file, missing = json.loads(run(bare.scripts / "python", "-I", "-c", code))
    assert Path(file).is_relative_to(bare.packages)
    assert missing == []
    importable = {module.name for module in pkgutil.iter_modules([str(bare.packages)])}
    assert importable <= THIRD_PARTY | SHIPPED


def test_the_command_writes_a_page_in_a_bare_environment(bare: Bare, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    rows = ROOT / "examples" / "search-order.json"
    run(bare.scripts / "areev-context", rows, "--html", page)
    assert ".areev-context {" in page.read_text(encoding="utf-8")


def test_the_llamaindex_integration_imports_beside_the_framework(
    archives: Path, tmp_path: Path
) -> None:
    pytest.importorskip("llama_index.core", reason="needs the extra llamaindex")
    package = "llama_index/postprocessor/areev_context"
    (path,) = archives.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
        inside = archive.namelist()
    assert f"{package}/py.typed" in inside
    names = {"llama_index/__init__.py", "llama_index/postprocessor/__init__.py"}
    assert not names & set(inside)  # others have packages there too
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import {{0}} as p; print(p.__file__)"
    )
    file = run(sys.executable, "-c", code.format(package.replace("/", ".")))
    assert Path(file.strip()) == tmp_path / package / "__init__.py"


def test_the_command_runs_in_a_bare_environment(bare: Bare) -> None:
    assert "--budget" in run(bare.scripts / "areev-context", "--help")
