"""Detectors: each says where a thing is, what kind of thing, and how sure it is."""
