"""Caps on what a document may cost. See :mod:`fumehood.limits.policy`."""

if not __name__.startswith("fumehood."):
    raise ImportError("import fumehood.limits; the folder limits/ is a room of the package, not a package of its own")
