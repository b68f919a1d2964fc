import pytest

from conftest import KEY
from messaging_plugin import Plugin, Settings
from messaging_plugin.origins import Origin


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://api.example", "https://api.example:443"),
        ("http://api.example", "HTTP://API.example:80"),
        ("http://[::1]:8080", "http://[::1]:08080"),
    ],
)
def test_equal_origins_are_recognized(one: str, other: str) -> None:
    assert Origin.of_entry(one) == Origin.of_entry(other)


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "api.example",
        "ftp://api.example",
        "https://",
        "https://api.example/",
        "https://api.example/path",
        "https://user@api.example",
        "https://api.example:",
        "https://api.example:0",
        "https://api.example:65536",
        "https://*.example",
        "https://api.example\n",
        "https://\uff41pi.example",
    ],
)
def test_invalid_origin_is_rejected(loaded: Plugin, entry: str) -> None:
    with pytest.raises(ValueError, match="is not scheme://host"):
        loaded.with_settings(Settings("https://api.example", KEY), allow=[entry])


def test_text_instead_of_list_is_rejected(loaded: Plugin) -> None:
    with pytest.raises(TypeError):
        loaded.with_settings(Settings("https://api.example", KEY), allow="https://api.example")


def test_path_is_not_part_of_origin() -> None:
    assert Origin.of_url("https://api.example/prefix") == Origin("https", "api.example", 443)
    assert Origin.of_url("https://user@api.example") is None
