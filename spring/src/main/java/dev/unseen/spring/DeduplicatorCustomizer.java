package dev.unseen.spring;

import dev.unseen.DeduplicatorBuilder;

/**
 * Sets options that have no property. Beans of this type are called for each deduplicator that the
 * starter creates, in their order, after its properties were set.
 */
@FunctionalInterface
public interface DeduplicatorCustomizer {
  /**
   * Changes options.
   *
   * @param name the name of the deduplicator; {@link DeduplicatorFactory#DEFAULT} for the default
   *     one
   */
  void customize(String name, DeduplicatorBuilder<?> builder);
}
