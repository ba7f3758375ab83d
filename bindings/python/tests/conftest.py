"""The fixtures of the repository, or those that UPRIGHT_FIXTURES names."""

import os
from pathlib import Path

import pytest

FIXTURES = Path(os.environ.get("UPRIGHT_FIXTURES", Path(__file__).parent / "../../../fixtures")).resolve()


@pytest.fixture
def portrait_path() -> Path:
    """An aligned photo of 480 × 320 pixels with Orientation 6."""
    return FIXTURES / "sample/portrait.jpg"


@pytest.fixture
def portrait(portrait_path: Path) -> bytes:
    return portrait_path.read_bytes()
