"""The tests; a package of its own, since a library of the same name may be installed beside it."""
