/**
 * The part of the filters that processes a batch of hashes. It reads all memory that a batch needs
 * before it decides the hashes one by one, so that the processor waits for many reads at once.
 */
@NullMarked
package dev.unseen.filter.base;

import org.jspecify.annotations.NullMarked;
