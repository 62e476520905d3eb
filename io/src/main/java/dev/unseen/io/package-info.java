/**
 * Reads records and their keys from files. A {@link dev.unseen.io.RecordFormat} cuts a file into
 * records, a {@link dev.unseen.io.KeySpec} chooses the fields of the key, and {@link
 * dev.unseen.io.KeyReader} returns the key of each record. Compressed files are decompressed; their
 * first bytes show how.
 *
 * <p>The <a href="https://github.com/unseen-dev/unseen/blob/main/docs/shell.md">page about the
 * shell</a> describes the formats and the keys.
 */
@NullMarked
package dev.unseen.io;

import org.jspecify.annotations.NullMarked;
