/**
 * The RECENCY filter. Each key has two lines of 512 bits, one of which holds its fingerprint in a
 * lane. When both are full, the filter forgets the keys that are least likely to come again, and it
 * learns from the stream which keys these are. {@code docs/recency.md} explains the algorithm with
 * drawings.
 */
@NullMarked
package dev.unseen.filter.recency;

import org.jspecify.annotations.NullMarked;
