"""The sandbox that the environment names, or one of our own."""

import os
import re
import subprocess
import urllib.request

import pytest

from shop import Shop

READY = re.compile(r"^Management on (\S+): .*^Sluice is ready on (\S+)$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="session")
def sandbox():
    """The addresses of payments and of management."""
    url = os.environ.get("SLUICE_URL")
    management = os.environ.get("SLUICE_MANAGEMENT_URL")
    if url and management:
        yield url, management
        return
    # Of each worker of pytest-xdist its own; kept, so that the next start is quicker.
    folder = f".sluice/{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    command = ["npx", "--no", "--", "sluice-sandbox", "--port", "0", "--data", folder]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    printed = ""
    while not (ready := READY.search(printed)):
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"The sandbox did not start. It printed:\n{printed}")
        printed += line
    yield ready[2], ready[1]
    process.terminate()
    # Not before the sandbox itself has ended: npx ends earlier.
    process.stdout.read()
    process.wait()


@pytest.fixture(autouse=True)
def shop(sandbox):
    """A shop whose gateway has been reset."""
    url, management = sandbox
    request = urllib.request.Request(f"{management}/reset", method="POST")
    urllib.request.urlopen(request).close()
    return Shop(url)
