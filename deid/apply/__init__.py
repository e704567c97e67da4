"""Apply decisions to texts, pixels and metadata elements; the only code that changes content."""
