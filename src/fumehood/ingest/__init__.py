"""Ingest: listing, reading, chunking, storing."""
