package dev.unseen.bench;

import dev.unseen.state.Counts;
import dev.unseen.state.StateVisitor;
import dev.unseen.state.Stateful;
import dev.unseen.state.StorageCheck;
import dev.unseen.state.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Copies the state of a small filter into a larger one of the same kind: the words over and over,
 * counts and sums in proportion, and all other numbers as they are.
 */
final class EnlargedState {
  private record Value(long number, long max) {}

  private final Queue<Value> numbers = new ArrayDeque<>();
  private final Queue<Words> storages = new ArrayDeque<>();
  private final double scale;

  private EnlargedState(double scale) {
    this.scale = scale;
  }

  /** Copies the state of a filter into one that has {@code scale} times its memory. */
  static void copy(Stateful small, Stateful large, double scale) {
    EnlargedState state = new EnlargedState(scale);
    try {
      small.state(state.new Reader());
      large.state(state.new Writer());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class Reader implements StateVisitor {
    @Override
    public long number(String name, long value, long min, long max) {
      numbers.add(new Value(value, max));
      return value;
    }

    @Override
    public double real(String name, double value, double min, double max) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    public void words(Words words, StorageCheck check) {
      storages.add(words);
    }
  }

  private final class Writer implements StateVisitor {
    @Override
    public long number(String name, long value, long min, long max) {
      Value small = numbers.remove();
      if (max == Counts.MOST) {
        return Math.round(small.number * scale);
      }
      return max == small.max ? small.number : Math.round((double) small.number / small.max * max);
    }

    @Override
    public double real(String name, double value, double min, double max) {
      throw new UnsupportedOperationException(name);
    }

    @Override
    public void words(Words words, StorageCheck check) {
      Words small = storages.remove();
      for (long i = 0; i < words.length(); i++) {
        long from = i % small.length();
        words.chunk(i)[Words.inChunk(i)] = small.chunk(from)[Words.inChunk(from)];
      }
    }
  }
}
