package dev.unseen.lab.trial;

import dev.unseen.io.KeyReader;
import java.io.Closeable;
import java.io.IOException;

/** Keys one after the other, of a file or of a synthetic stream. */
public interface KeySource extends Closeable {
  /** Advances to the next key. Returns false if there is none. */
  boolean next() throws IOException;

  /** Returns the array that contains the key. */
  byte[] buffer();

  /** Returns the index of the key's first byte in the array. */
  int offset();

  /** Returns the length of the key in bytes. */
  int length();

  /** Returns the keys of a file. */
  static KeySource of(KeyReader reader) {
    return new KeySource() {
      @Override
      public boolean next() throws IOException {
        return reader.next();
      }

      @Override
      public byte[] buffer() {
        return reader.buffer();
      }

      @Override
      public int offset() {
        return reader.offset();
      }

      @Override
      public int length() {
        return reader.length();
      }

      @Override
      public void close() throws IOException {
        reader.close();
      }
    };
  }
}
