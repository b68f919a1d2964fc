import pytest
from world import World


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def world(tmp_path):
    made = []

    def make(**options):
        made.append(World(tmp_path, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()
        # The log must not contain the API key, a token or a phone number.
        said = one.log.read_text() if one.log.exists() else ""
        assert "canary" not in said and "a-token-of" not in said and "600111222" not in said, said
