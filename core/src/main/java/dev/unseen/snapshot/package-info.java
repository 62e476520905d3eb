/**
 * Saves and loads states. A {@link dev.unseen.snapshot.Snapshot} contains everything that survives
 * a restart, and a {@link dev.unseen.snapshot.StateFile} keeps it in a file that only one process
 * uses at a time. {@link dev.unseen.snapshot.SnapshotFormat} reads and writes the bytes, which <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/snapshot-format.md">the format</a>
 * describes. A damaged state is rejected with a {@link dev.unseen.snapshot.SnapshotException}.
 */
@NullMarked
package dev.unseen.snapshot;

import org.jspecify.annotations.NullMarked;
