"""Decides which addresses and ports an untrusted URL may lead to: public ones, and none of the machine or its network.

Addresses are checked after name resolution, so every spelling of one (decimal, octal, hexadecimal, IPv4 inside of
IPv6) arrives here as the address it stands for. Only addresses known to be public pass; any other one is refused.
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


_PRIVATE: Final = _networks(
    "127.0.0.0/8",
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",  # shared by carriers, and by private networks laid over the public one
    "::1/128",
    "fc00::/7",
)
"""Private networks, which ``web.allow_private`` allows."""

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
"""Metadata services of clouds, which give out credentials: never allowed."""

_PUBLIC_V6: Final = ipaddress.IPv6Network("2000::/3")
_NOT_PUBLIC: Final = _networks(
    "192.0.0.0/24",
    "192.88.99.0/24",  # relays into IPv6
    "2001::/23",
    "3fff::/20",
)
"""Reserved by IANA, but public according to some versions of `ipaddress`."""

_NAT64: Final = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
_COMPATIBLE: Final = ipaddress.IPv6Network("::/96")

_WEB_PORTS: Final = frozenset({80, 443})
_LOW_PORTS: Final = 1024
_BLOCKED_PORTS: Final = frozenset(
    # Those of the Fetch standard ("bad port") …
    [1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, *range(6665, 6670), 6679, 6697, 10080]
).union(
    # … and those of databases, caches and cluster managers.
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
    return all(_is_allowed(candidate, allow_private) for candidate in _reached_addresses(parsed))


def is_web_port(port: int) -> bool:
    """True for a port that may serve web pages; False for those of mail, shells, databases and other services."""
    return port in _WEB_PORTS or (port >= _LOW_PORTS and port not in _BLOCKED_PORTS)


def _is_allowed(address: Address, allow_private: bool) -> bool:
    if _is_in(address, _METADATA) or address.is_multicast or address.is_unspecified:
        return False
    if _is_in(address, _PRIVATE):
        return allow_private
    if isinstance(address, _IPv6) and address not in _PUBLIC_V6:
        return False
    return address.is_global and not _is_in(address, _NOT_PUBLIC)


def _is_in(address: Address, networks: tuple[_Network, ...]) -> bool:
    return any(address.version == network.version and address in network for network in networks)


def _reached_addresses(address: Address) -> tuple[Address, ...]:
    """The addresses that a connection to ``address`` may reach, all of which must be allowed.

    For an IPv6 address that embeds an IPv4 one, it is the embedded address, and the outer one where that is routed too.
    """
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
