/** Writes reports in the text format of Prometheus. */
@NullMarked
package dev.unseen.metrics;

import org.jspecify.annotations.NullMarked;
