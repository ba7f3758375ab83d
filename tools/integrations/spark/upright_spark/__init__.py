"""Audits and normalizes JPEG files with `upright` on the workers of a Spark cluster."""
