/**
 * Defines how a part of a saved state is visited: by one method, for writing and for reading alike.
 * A snapshot visits the parts of a filter with a {@link dev.unseen.state.StateVisitor}. A {@link
 * dev.unseen.state.StorageCheck} rejects storage that no filter could have written.
 */
@NullMarked
package dev.unseen.state;

import org.jspecify.annotations.NullMarked;
