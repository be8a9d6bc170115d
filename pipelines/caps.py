"""Reading caps with and without Debian's python3-gst-1.0. Used by the programs beside it."""


def structure(caps, index=0):
    """One structure of caps, as long as they live. From GStreamer 1.26 on python3-gst-1.0 wraps it."""
    fields = caps.get_structure(index)
    return fields.__enter__() if hasattr(fields, "__enter__") else fields
