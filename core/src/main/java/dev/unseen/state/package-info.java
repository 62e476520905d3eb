/**
 * How a part of a saved state shows itself: once, for writing and for reading alike. Snapshots walk
 * over the parts of a filter with a {@link dev.unseen.state.StateVisitor}.
 */
package dev.unseen.state;
