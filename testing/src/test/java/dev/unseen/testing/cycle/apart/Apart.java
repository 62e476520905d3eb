package dev.unseen.testing.cycle.apart;

/** Uses no other package. */
public record Apart() {}
