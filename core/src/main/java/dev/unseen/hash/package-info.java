/**
 * Hashes keys to 64 bits. {@link dev.unseen.hash.HashKind} lists the hash functions, and a {@link
 * dev.unseen.hash.Secret} prevents strangers from crafting keys that collide. The hash of a key
 * never changes between versions, because saved states depend on it.
 */
@NullMarked
package dev.unseen.hash;

import org.jspecify.annotations.NullMarked;
