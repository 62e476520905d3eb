package dev.unseen.spring.idempotent;

import java.io.ByteArrayOutputStream;

/** Copies a body, up to a limit. */
final class BodyCopy {
  private final int limit;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private boolean fits = true;

  BodyCopy(int limit) {
    this.limit = limit;
  }

  /** Adds bytes, and returns whether the body still fits. If not, these bytes are not added. */
  boolean add(byte[] from, int offset, int length) {
    fits = fits && length <= limit - bytes.size();
    if (fits) {
      bytes.write(from, offset, length);
    }
    return fits;
  }

  /** Drops the body, as if it were too large. */
  void discard() {
    bytes.reset();
    fits = false;
  }

  boolean fits() {
    return fits;
  }

  boolean isEmpty() {
    return fits && bytes.size() == 0;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }

  void clear() {
    bytes.reset();
    fits = true;
  }
}
