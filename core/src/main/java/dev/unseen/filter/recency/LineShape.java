package dev.unseen.filter.recency;

/**
 * A shape of the lines of RECENCY, which have 512 bits each.
 *
 * @param lanes the number of fingerprints in a line
 * @param bits the number of bits of each fingerprint
 * @param chance the chance that a new key has the fingerprint of a given lane
 */
public record LineShape(int lanes, int bits, double chance) {}
