package dev.unseen.io;

import java.io.Closeable;

/**
 * Reads the keys of a file's records, one by one, in order.
 *
 * <pre>{@code
 * try (KeyReader keys = KeyReaders.open(file, RecordFormat.CSV, KeySpec.of("id"))) {
 *   while (keys.next()) {
 *     hash.hash(keys.buffer(), keys.offset(), keys.length());
 *   }
 * }
 * }</pre>
 *
 * <p>For one thread. After an exception a reader is good for closing only.
 */
public interface KeyReader extends Closeable {
  /**
   * Goes on to the key of the next record.
   *
   * @return false at the end of the file
   * @throws InputException if the file cannot be read or a record has no such key
   */
  boolean next() throws InputException;

  /** Holds the key's bytes from {@link #offset} on. Valid, as all of them, until the next call. */
  byte[] buffer();

  /** Where the key starts in {@link #buffer}. */
  int offset();

  /** How many bytes the key has. */
  int length();

  /** How many records were read so far. A header is none. */
  long records();
}
