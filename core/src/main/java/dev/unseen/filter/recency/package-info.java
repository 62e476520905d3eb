/**
 * The RECENCY filter. Each key has one line of 512 bits, which holds the fingerprints of recent
 * keys in lanes. When a line is full, the filter forgets the keys that are least likely to come
 * again, and it learns from the stream which keys these are. {@code docs/recency.md} explains the
 * algorithm with drawings.
 */
package dev.unseen.filter.recency;
