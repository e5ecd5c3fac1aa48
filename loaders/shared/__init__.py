"""What loaders share: the builder of documents, and readers of containers."""
