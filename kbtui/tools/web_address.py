"""Which addresses and ports a stranger's URL may lead to: the public ones, and nothing that a machine or its network
keeps for itself.

Addresses are judged after name resolution, so every spelling of one (decimal, octal, hexadecimal, IPv4 inside of
IPv6) comes here as the address it stands for. Only what is known to be public passes: an address nobody thought of
is refused.
"""

from __future__ import annotations

import ipaddress
from typing import Final

_IPv4 = ipaddress.IPv4Address
_IPv6 = ipaddress.IPv6Address
Address = _IPv4 | _IPv6
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def _networks(*texts: str) -> tuple[_Network, ...]:
    return tuple(ipaddress.ip_network(text) for text in texts)


_OWN: Final = _networks(
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",  # shared by carriers, and by private networks laid over the public one
    "::1/128",
    "fc00::/7",
)
"""What ``web.allow_private`` opens."""

_METADATA: Final = _networks(
    "169.254.0.0/16",  # AWS, Google, Azure, DigitalOcean, OpenStack and others
    "100.100.100.200/32",  # Alibaba
    "168.63.129.16/32",  # Azure; looks public
    "192.0.0.192/32",  # Oracle; looks public
    "fd00:ec2::/32",  # AWS
    "fd20:ce::/32",  # Google
    "fd00:a9fe:a9fe::/48",  # Linode
    "fd00:42::/32",  # Scaleway
    "fe80::/10",
)
"""Where clouds keep the credentials of a machine: never opened, whatever is allowed."""

_PUBLIC_V6: Final = ipaddress.IPv6Network("2000::/3")
_NOT_PUBLIC: Final = _networks(
    "192.0.0.0/24",
    "192.88.99.0/24",  # relays into IPv6
    "2001::/23",
    "3fff::/20",
)
"""Set aside by IANA, but taken for public by some versions of `ipaddress`."""

_NAT64: Final = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
_COMPATIBLE: Final = ipaddress.IPv6Network("::/96")

_WEB_PORTS: Final = frozenset({80, 443})
_LOW_PORTS: Final = 1024
_FOREIGN_PORTS: Final = frozenset(
    # Those of the Fetch standard ("bad port") …
    [1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, *range(6665, 6670), 6679, 6697, 10080]
).union(
    # … and those of databases, caches and managers of machines.
    [1433, 1521, 2375, 2376, 2379, 2380, 3306, 5432, 5984, 6379, 6443, 9042, 10250, 11211, 27017]
)


def is_allowed(address: str, allow_private: bool) -> bool:
    """True for a public unicast address, or a private or loopback one when those are allowed.

    Args:
        address: An IP address as `socket.getaddrinfo` writes it; anything else is refused.
    """
    try:
        parsed: Address = ipaddress.ip_address(address.split("%", 1)[0])
    except ValueError:
        return False
    return all(_is_allowed(each, allow_private) for each in _meant(parsed))


def is_web_port(port: int) -> bool:
    """True for a port that pages are served at; False for those of mail, shells, databases and their like."""
    return port in _WEB_PORTS or (port >= _LOW_PORTS and port not in _FOREIGN_PORTS)


def _is_allowed(address: Address, allow_private: bool) -> bool:
    if _is_in(address, _METADATA) or address.is_multicast or address.is_unspecified:
        return False
    if _is_in(address, _OWN):
        return allow_private
    if isinstance(address, _IPv6) and address not in _PUBLIC_V6:
        return False
    return address.is_global and not _is_in(address, _NOT_PUBLIC)


def _is_in(address: Address, networks: tuple[_Network, ...]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def _meant(address: Address) -> tuple[Address, ...]:
    """The address, and the IPv4 address that an IPv6 one carries: both must be allowed, or the inner one alone where
    the outer one is only its wrapping."""
    if isinstance(address, _IPv4):
        return (address,)
    if address.ipv4_mapped:
        return (address.ipv4_mapped,)
    if any(address in network for network in _NAT64):
        return (_IPv4(int(address) & 0xFFFFFFFF),)
    if address.sixtofour:
        return (address.sixtofour,)
    if address in _COMPATIBLE and int(address) > 1:
        return (address, _IPv4(int(address)))
    return (address,)
