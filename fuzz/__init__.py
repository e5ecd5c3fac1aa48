"""The room for what makes hostile documents: generators, mutators, targets and regressions."""
