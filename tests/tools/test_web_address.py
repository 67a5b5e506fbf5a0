"""Which addresses a stranger's URL may lead to, in every spelling there is."""

from __future__ import annotations

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import ToolError
from kbtui.tools.web_address import is_allowed, is_web_port
from kbtui.tools.web_page import open_page

PUBLIC = ["93.184.216.34", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:2800:220:1:248:1893:25c8:1946", "2a00:1450::1"]

OWN = [
    "127.0.0.1",
    "127.255.255.254",
    "10.1.2.3",
    "172.16.0.9",
    "172.31.255.255",
    "192.168.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "::1",
    "fc00::1",
    "fdff::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::c0a8:1",
    "2002:7f00:1::",
    "2002:c0a8:1::",
]

NEVER = [
    "0.0.0.0",
    "0.1.2.3",
    "::",
    "::ffff:0.0.0.0",
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.0.8",
    "::ffff:169.254.169.254",
    "::ffff:100.100.100.200",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fd00:a9fe:a9fe::1",
    "fe80::1",
    "fe80::a9fe:a9fe",
    "fe80::1%eth0",
    "fec0::1",
    "::7f00:1",
    "::a9fe:a9fe",
    "224.0.0.1",
    "239.255.255.250",
    "ff02::1",
    "255.255.255.255",
    "240.0.0.1",
    "198.18.0.1",
    "192.0.2.1",
    "198.51.100.1",
    "203.0.113.1",
    "192.88.99.1",
    "2001:db8::1",
    "2001::1",
    "3fff::1",
    "100::1",
    "5f00::1",
    "4000::1",
    "not an address",
    "",
    "0x7f.1",
    "2130706433",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_allowed(address: str) -> None:
    assert is_allowed(address, allow_private=False)


@pytest.mark.parametrize("address", OWN)
def test_addresses_of_the_own_network_are_allowed_only_when_asked_for(address: str) -> None:
    assert not is_allowed(address, allow_private=False)
    assert is_allowed(address, allow_private=True)


@pytest.mark.parametrize("address", NEVER)
def test_addresses_that_hold_credentials_or_are_nobodys_are_never_allowed(address: str) -> None:
    assert not is_allowed(address, allow_private=False)
    assert not is_allowed(address, allow_private=True)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://2130706433/",
        "http://017700000001/",
        "http://0/",
        "http://0.0.0.0/",
        "http://localhost/",
        "http://127\u30020\u30020\u30021/",
        "http://[::1]/",
        "http://[::]/",
        "http://[0:0:0:0:0:ffff:7f00:1]/",
        "http://[::ffff:169.254.169.254]/",
        "http://[::127.0.0.1]/",
        "http://[fe80::1%25lo]/",
        "http://[fec0::1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/latest/meta-data/",
        "http://0xa9fea9fe/",
        "http://100.100.100.200/latest/meta-data/",
        "http://168.63.129.16/machine?comp=goalstate",
        "http://192.0.0.192/latest/",
        "http://[fd00:ec2::254]/latest/",
        "http://[fd20:ce::254]/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://100.64.0.1/",
        "http://user:secret@127.0.0.1/",
        "http://example.com@127.0.0.1/",
        "http://example.com:80@10.0.0.1/",
        "http://example.com\\@127.0.0.1/",
        "http://127.0.0.1:8080/",
        "http://127.0.0.1./",
    ],
)
def test_no_spelling_of_an_inner_address_is_dialled(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    dialled: list[object] = []

    def connect(address: object, *_: object, **__: object) -> object:
        dialled.append(address)
        raise OSError

    monkeypatch.setattr("socket.create_connection", connect)
    # The resolver is the real one: it reads the numbers in these as C does, and asks no server for them.
    with pytest.raises(ToolError) as caught:
        open_page(url, allow_private=False, cancel=CancelToken())
    assert dialled == []
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("port", [80, 443, 8000, 8080, 8443, 3000, 65535])
def test_ports_that_serve_pages_are_allowed(port: int) -> None:
    assert is_web_port(port)


@pytest.mark.parametrize("port", [1, 22, 25, 53, 110, 139, 445, 587, 993, 2375, 3306, 5432, 6379, 6667, 11211, 27017])
def test_ports_of_other_services_are_refused(port: int) -> None:
    assert not is_web_port(port)
    with pytest.raises(ToolError, match="no pages are served"):
        open_page(f"http://docs.example:{port}/", allow_private=True, cancel=CancelToken(), resolve=lambda *_: [])
