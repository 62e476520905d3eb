/**
 * Reads records and their keys from files. A {@link dev.unseen.io.RecordFormat} cuts a file into
 * records, a {@link dev.unseen.io.KeySpec} chooses the fields of the key, and {@link
 * dev.unseen.io.KeyReader} returns the key of each record. Compressed files are decompressed; their
 * first bytes show how.
 */
package dev.unseen.io;
