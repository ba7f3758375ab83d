"""Restores originals from results and undo records, as docs/record-format.md defines them."""
