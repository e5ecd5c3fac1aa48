"""One module per format. Only the worker imports these; the parent names them by strings in `kinds.py`."""

if not __name__.startswith("fumehood."):
    raise ImportError("import fumehood.loaders; the folder loaders/ is a room of the package, not a package of its own")
