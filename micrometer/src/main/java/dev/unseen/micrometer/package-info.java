/**
 * Publishes the measures of a deduplicator to Micrometer: {@link
 * dev.unseen.micrometer.DeduplicatorMetrics} binds one meter per measure to a registry.
 */
package dev.unseen.micrometer;
