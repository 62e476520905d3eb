package dev.unseen.snapshot;

import dev.unseen.state.StateVisitor;
import dev.unseen.state.StorageCheck;
import dev.unseen.state.Words;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the state of one part. */
final class StateReader implements StateVisitor {
  private final BlockReader blocks;
  private final long @Nullable [] scratch; // null: the words are kept

  StateReader(BlockReader blocks, long @Nullable [] scratch) throws IOException {
    this.blocks = blocks;
    this.scratch = scratch;
    blocks.begin(Frame.NUMBERS);
  }

  @Override
  public long number(String name, long value, long min, long max) throws IOException {
    long stored = next(name).getLong();
    if (stored < min || stored > max) {
      throw blocks.damaged(
          String.format(
              Locale.ROOT,
              "has an impossible value: %s is %,d, but must be %,d to %,d",
              name,
              stored,
              min,
              max));
    }
    return stored;
  }

  @Override
  public double real(String name, double value, double min, double max) throws IOException {
    double stored = next(name).getDouble();
    if (!(stored >= min && stored <= max)) {
      throw blocks.damaged(
          "has an impossible value: %s is %s, but must be %s to %s"
              .formatted(name, stored, min, max));
    }
    return stored;
  }

  private ByteBuffer next(String name) throws IOException {
    if (blocks.payload().remaining() < Long.BYTES) {
      throw blocks.damaged("ends before %s".formatted(name));
    }
    return blocks.payload();
  }

  @Override
  public void words(Words words, StorageCheck check) throws IOException {
    number("words of storage", words.length(), words.length(), words.length());
    if (blocks.payload().hasRemaining()) {
      throw blocks.damaged("has %d bytes too many".formatted(blocks.payload().remaining()));
    }
    for (long at = 0; at < words.length(); ) {
      long index = at;
      int count = (int) Math.min(StateWriter.WORDS_PER_BLOCK, words.length() - at);
      blocks.begin(Frame.STORAGE);
      if (blocks.payload().remaining() != count * Long.BYTES) {
        throw blocks.damaged(
            String.format(
                Locale.ROOT,
                "has %,d bytes, but must have %,d",
                blocks.payload().remaining(),
                count * Long.BYTES));
      }
      long[] array = arrayFor(words, at);
      int from = scratch == null ? Words.inChunk(at) : 0;
      blocks.payload().asLongBuffer().get(array, from, count);
      check(() -> check.take(index, array, from, count));
      at += count;
    }
    check(check::end);
  }

  private long[] arrayFor(Words words, long index) throws SnapshotException {
    if (scratch != null) {
      return scratch;
    }
    try {
      words.allocate(index);
    } catch (IllegalArgumentException e) {
      throw blocks.rejected(e);
    }
    return words.chunk(index);
  }

  /** Runs a check of the contents: anyone can compute a checksum. */
  private void check(Runnable check) throws SnapshotException {
    try {
      check.run();
    } catch (IllegalArgumentException e) {
      throw blocks.damaged("is not valid: " + e.getMessage(), e);
    }
  }
}
