/** Writes reports in the text format of Prometheus. */
package dev.unseen.metrics;
