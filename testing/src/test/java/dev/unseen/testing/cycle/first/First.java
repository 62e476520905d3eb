package dev.unseen.testing.cycle.first;

import dev.unseen.testing.cycle.apart.Apart;
import dev.unseen.testing.cycle.second.Second;

/** Uses the other two packages. */
public record First(Second second, Apart apart) {}
