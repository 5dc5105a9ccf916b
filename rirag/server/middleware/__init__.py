"""What every request passes before an endpoint sees it: host, origin, body, headers, log.

It must not know endpoints; each module is one plain ASGI wrapper.
"""
