/**
 * The filters that decide whether a hash was seen before. A {@link dev.unseen.filter.FilterSpec}
 * describes a filter completely and builds it; {@link dev.unseen.filter.FilterKind} lists the
 * kinds. All filters are used through {@link dev.unseen.filter.DuplicateFilter}, and {@link
 * dev.unseen.filter.ShardedFilter} is the one for many threads.
 */
package dev.unseen.filter;
