package dev.unseen.filter;

/**
 * A shape of RECENCY's lines of 512 bits.
 *
 * @param lanes the fingerprints of a line
 * @param bits the bits of each
 * @param chance that a new key has the fingerprint of a given lane
 */
public record LineShape(int lanes, int bits, double chance) {}
