/**
 * Reads and writes quantities. This is the only place that knows how people write {@code 64M},
 * {@code 24h} or {@code 0.01%}, and with how many digits a number is shown.
 *
 * <p>{@link dev.unseen.text.Parse} reads, {@link dev.unseen.text.Print} writes, and {@link
 * dev.unseen.text.Require} rejects a value that is out of range.
 */
@NullMarked
package dev.unseen.text;

import org.jspecify.annotations.NullMarked;
