"""kbtui as a server of the Model Context Protocol: read-only tools over one folder and the data beside it.

What the tools do (`tools`, `arguments`, `results`, `addresses`) knows nothing of the protocol's SDK; `server` joins the
two, `progress` tells how far a call is, and `transports` carries messages over standard streams or HTTP.
"""
