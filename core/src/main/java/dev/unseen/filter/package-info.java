/**
 * Describes the filters that decide whether a hash was seen before. A {@link
 * dev.unseen.filter.FilterSpec} describes a filter completely; {@link dev.unseen.filter.FilterKind}
 * lists the kinds.
 *
 * <p><a href="https://github.com/unseen-dev/unseen/blob/main/docs/choosing.md">Which filter?</a>
 * compares the kinds, and <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/recency.md">RECENCY</a> explains the
 * default.
 */
@NullMarked
package dev.unseen.filter;

import org.jspecify.annotations.NullMarked;
