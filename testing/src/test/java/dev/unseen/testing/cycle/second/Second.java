package dev.unseen.testing.cycle.second;

import dev.unseen.testing.cycle.first.First;

/** Uses the package that uses it. */
public record Second(First first) {}
