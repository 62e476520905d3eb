package dev.unseen.snapshot;

import dev.unseen.state.StateVisitor;
import dev.unseen.state.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;

/** Reads the state of one part back into it. */
final class StateReader implements StateVisitor {
  private final BlockReader blocks;

  StateReader(BlockReader blocks) throws IOException {
    this.blocks = blocks;
    blocks.begin(Frame.NUMBERS);
  }

  @Override
  public long number(String name, long value, long min, long max) throws IOException {
    long stored = next(name).getLong();
    if (stored < min || stored > max) {
      throw blocks.damaged(
          String.format(
              Locale.ROOT, "says %s is %,d, and it must be %,d to %,d", name, stored, min, max));
    }
    return stored;
  }

  @Override
  public double real(String name, double value) throws IOException {
    double stored = next(name).getDouble();
    if (!(stored >= 0 && stored < Double.POSITIVE_INFINITY)) {
      throw blocks.damaged("says %s is %s, and it must be 0 or above".formatted(name, stored));
    }
    return stored;
  }

  @Override
  public long later(String name, long value, long missing) throws IOException {
    boolean last = blocks.payload().remaining() == Long.BYTES; // the count of words
    return last ? missing : StateVisitor.super.later(name, value, missing);
  }

  private ByteBuffer next(String name) throws IOException {
    if (blocks.payload().remaining() < Long.BYTES) {
      throw blocks.damaged("ends before %s".formatted(name));
    }
    return blocks.payload();
  }

  @Override
  public void words(Storage words) throws IOException {
    number("words of storage", words.length(), words.length(), words.length());
    if (blocks.payload().hasRemaining()) {
      throw blocks.damaged("has %d bytes too many".formatted(blocks.payload().remaining()));
    }
    for (long at = 0; at < words.length(); ) {
      int count = (int) Math.min(StateWriter.WORDS_PER_BLOCK, words.length() - at);
      blocks.begin(Frame.STORAGE);
      if (blocks.payload().remaining() != count * Long.BYTES) {
        throw blocks.damaged(
            String.format(
                Locale.ROOT,
                "has %,d bytes, and must have %,d",
                blocks.payload().remaining(),
                count * Long.BYTES));
      }
      blocks.payload().asLongBuffer().get(words.chunk(at), words.offset(at), count);
      at += count;
    }
  }
}
