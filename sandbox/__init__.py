"""The jail: what confines the process that reads one document, and the parent that judges it."""

if not __name__.startswith("fumehood."):
    raise ImportError("import fumehood.sandbox; the folder sandbox/ is a room of the package, not a package of its own")
