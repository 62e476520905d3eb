package dev.unseen.snapshot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;

/** States as arrays of bytes, for tests. */
final class Bytes {
  private Bytes() {}

  static byte[] of(Snapshot snapshot) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      SnapshotFormat.write(snapshot, Channels.newChannel(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static Snapshot read(byte[] bytes) throws IOException {
    return SnapshotFormat.read(
        Channels.newChannel(new ByteArrayInputStream(bytes)), bytes.length, "test.uns");
  }
}
