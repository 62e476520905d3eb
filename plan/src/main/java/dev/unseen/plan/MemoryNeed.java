package dev.unseen.plan;

import dev.unseen.filter.FilterKind;
import java.util.Optional;

/**
 * The memory from which on a kind of filter stays within the limits.
 *
 * @param kind the kind of filter
 * @param option the filter with the least memory; empty if no memory is enough
 */
public record MemoryNeed(FilterKind kind, Optional<PlanOption> option) {}
