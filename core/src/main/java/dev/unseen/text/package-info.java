/**
 * Reads and writes quantities: the one place that knows how people write {@code 64M}, {@code 24h}
 * or {@code 0.01%}, and how many digits a number is shown with.
 *
 * <p>{@link dev.unseen.text.Parse} reads, {@link dev.unseen.text.Print} writes, {@link
 * dev.unseen.text.Require} refuses a value that is out of its limits.
 */
package dev.unseen.text;
