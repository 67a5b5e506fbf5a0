"""kbtui as a server of the Model Context Protocol: read-only tools over one folder and its data sources.

The tools (`tools`, `arguments`, `results`, `addresses`) are independent of the SDK of the protocol. `server` connects
them to it, `progress` reports the progress of a call, and `transports` serves over standard streams or HTTP.
"""
