/**
 * The data structures below the filters: arrays of bits, cells and fingerprints over 64-bit words,
 * and random numbers that can be known ahead. They know positions and bits, but neither keys nor
 * streams.
 */
@NullMarked
package dev.unseen.bits;

import org.jspecify.annotations.NullMarked;
