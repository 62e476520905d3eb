package dev.unseen.filter;

/**
 * A shape of RECENCY's lines of 512 bits.
 *
 * @param lanes the fingerprints of a line
 * @param bits the bits of each
 */
public record LineShape(int lanes, int bits) {}
