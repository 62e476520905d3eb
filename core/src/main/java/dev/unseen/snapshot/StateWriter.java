package dev.unseen.snapshot;

import dev.unseen.state.StateVisitor;
import dev.unseen.state.StorageCheck;
import dev.unseen.state.Words;
import java.io.IOException;
import java.nio.LongBuffer;

/**
 * Writes the state of one part: its numbers in one block, and its storage in as many blocks as it
 * needs.
 */
final class StateWriter implements StateVisitor {
  static final int WORDS_PER_BLOCK = BlockWriter.MAX_PAYLOAD / Long.BYTES;

  private final BlockWriter blocks;

  StateWriter(BlockWriter blocks) {
    this.blocks = blocks;
    blocks.begin(Frame.NUMBERS);
  }

  @Override
  public long number(String name, long value, long min, long max) {
    blocks.payload().putLong(value);
    return value;
  }

  @Override
  public double real(String name, double value, double min, double max) {
    blocks.payload().putDouble(value);
    return value;
  }

  @Override
  public void words(Words words, StorageCheck check) throws IOException {
    blocks.payload().putLong(words.length());
    blocks.end();
    for (long at = 0; at < words.length(); ) {
      // A chunk of the words is a whole number of blocks, so no block contains words of two chunks.
      int count = (int) Math.min(WORDS_PER_BLOCK, words.length() - at);
      blocks.begin(Frame.STORAGE);
      LongBuffer to = blocks.payload().asLongBuffer();
      to.put(words.chunk(at), Words.inChunk(at), count);
      blocks.payload().position(blocks.payload().position() + count * Long.BYTES);
      blocks.end();
      at += count;
    }
  }
}
