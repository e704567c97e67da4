"""What tests of every folder share."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from deid.presidio import PresidioText

# A busy machine is no failure: pytest-timeout stops what hangs.
settings.register_profile("any", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any")
# A mutant only has to fail, the same way each time: nobody reads its smallest example.
settings.register_profile(
    "mutants",
    settings.get_profile("any"),
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
)

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of samples that lies beside some checkouts; without it, skip."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the sample data beside the repository (../shared/data) is not here")
    return folder


@pytest.fixture(scope="session")
def needs_program() -> Callable[[str], str]:
    """Return a function that finds a program: one that is missing skips, but fails in CI."""

    def find(name: str) -> str:
        path = shutil.which(name)
        if path is None:
            message = f"the program {name} is not installed"
            if os.environ.get("CI") == "true":
                pytest.fail(message)
            pytest.skip(message)
        return path

    return find


@pytest.fixture(scope="session")
def text_tools() -> PresidioText:
    """Return one analyzer for every test: it takes long to build and keeps nothing of a text."""
    return PresidioText()
