/**
 * Publishes the measures of a deduplicator to Micrometer: {@link
 * dev.unseen.micrometer.DeduplicatorMetrics} binds one meter per measure to a registry. The <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/state.md">manual</a> explains them.
 */
@NullMarked
package dev.unseen.micrometer;

import org.jspecify.annotations.NullMarked;
